# SPDX-License-Identifier: MIT
#
# For scripts that ask one question after another:
#     judge 'what was asked' STATUS [LOG]
# counts it in |passed| or |failed| and says which, with the log's end.
passed=0
failed=0

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
