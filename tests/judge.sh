# shellcheck shell=bash
# SPDX-License-Identifier: MIT
#
# For scripts that ask one question after another: counts them in |passed| and
# |failed|.
passed=0
failed=0

# judge NAME STATUS [LOG]: says which of the two it was, with the log's end.
judge() {
    if [ "$2" -eq 0 ]; then
        passed=$((passed + 1))
        echo "passed: $1"
        return
    fi
    failed=$((failed + 1))
    echo "FAILED: $1"
    if [ $# -gt 2 ]; then
        tail -n 40 "$3"
    fi
}

# verdict NAME STATUS: where there are hundreds.  Says what failed alone, with
# what |explain|, a function of the script's own, prints of it.
verdict() {
    if [ "$2" -eq 0 ]; then
        passed=$((passed + 1))
        return
    fi
    failed=$((failed + 1))
    echo "FAILED: $1"
    explain
}

# finish: the sums, and whether all is well; a script that asked nothing is not.
finish() {
    echo "$passed passed, $failed failed"
    [ "$failed" -eq 0 ] && [ "$passed" -gt 0 ]
}
