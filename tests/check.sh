#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
#
# Runs all tests of RELEASE, and those of SANITIZE that are programs on the
# library itself; sums both up.
# Use: tests/check.sh RELEASE SANITIZE, two build folders
set -uo pipefail

if [ $# -ne 2 ]; then
    echo "use: $0 RELEASE SANITIZE" >&2
    exit 2
fi
passed=0
failed=0
skipped=()

# run NAME FOLDER [CTEST-ARGUMENTS...]
run() {
    local name=$1 folder=$2 report=$2/ctest.xml
    local status tests failures skips line
    shift 2
    echo
    echo "---- $name"
    rm -f "$report"
    ctest --test-dir "$folder" --output-on-failure --no-tests=error \
        --parallel "$(nproc)" --output-junit ctest.xml "$@"
    status=$?
    tests=$(number tests "$report")
    failures=$(number failures "$report")
    skips=$(number skipped "$report")
    # Such as a test whose program is not there.
    if [ "$status" -ne 0 ] && [ "$failures" -eq 0 ]; then
        failures=1
    fi
    failed=$((failed + failures))
    passed=$((passed + tests - failures - skips))
    # The tests say loudly what they could not try.
    while IFS= read -r line; do
        skipped+=("$name: $line")
    done < <(grep -h SKIPPED "$folder/Testing/Temporary/LastTest.log" |
        grep -v '^Skip regular expression' |
        sort | uniq -c | sed 's/^ *\([0-9]*\) /\1 times: /; s/^1 times: //')
}

# number NAME REPORT: what the first element of a JUnit report says.
number() {
    local found
    found=$(grep -om 1 "\b$1=\"[0-9]*\"" "$2" 2>/dev/null | tr -dc 0-9)
    echo "${found:-0}"
}

run release "$1"
# command_faults takes minutes under sanitizers: it is left to release.
run sanitizers "$2" --tests-regex '^(unit_tests|soup|replay|command$)'

echo
if [ ${#skipped[@]} -ne 0 ]; then
    echo 'NOT everything was tried here:'
    printf '    %s\n' "${skipped[@]}"
fi
echo "$passed passed, $failed failed"
[ "$failed" -eq 0 ]
