#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
#
# Lists that speak of the code go stale without a word when the code moves: bugs
# to plant, mutants and lines that are argued, tests that hold a property.  Here
# each row of them is looked for.
# Use: tests/lists.sh PATH-OF-UNIT-TESTS
set -u
export LC_ALL=C

if [ $# -ne 1 ] || [ ! -x "$1" ]; then
    echo "use: $0 PATH-OF-UNIT-TESTS" >&2
    exit 2
fi
unit_tests=$(realpath "$1")
cd "$(dirname "$0")/.." || exit 2
work=$(mktemp -d) || exit 2
trap 'rm -rf "$work"' EXIT
. tests/judge.sh

# The rows of a list, which has some.
rows() { grep -v -e '^#' -e '^$' "$1" || echo "$1 has no rows"; }

# all NAME: passes if what stands in |work|/wrong is nothing.
all() {
    [ ! -s "$work/wrong" ]
    judge "$1" $? "$work/wrong"
}

# ---- what CONTRIBUTING.md changes -------------------------------------------

tests/contributing.py --places >"$work/wrong" 2>&1 && : >"$work/wrong"
all 'each file and diff of CONTRIBUTING.md has its place'

# ---- bugs to plant ---------------------------------------------------------

rows fuzz/planted.txt | while IFS=$'\t' read -r target file change; do
    [ -r "fuzz/fuzz_$target.c" ] || echo "no such target: $target"
    sed "$change" "$file" >"$work/changed" &&
        ! cmp -s "$work/changed" "$file" ||
        echo "$target: $file has no place for: $change"
done >"$work/wrong"
all 'each bug to plant changes its file'

for target in fuzz/fuzz_*.c; do
    target=$(basename "$target" .c)
    count=$(rows fuzz/planted.txt | cut -f 1 | grep -cx "${target#fuzz_}")
    [ "$count" -ge 3 ] || echo "$target has $count"
done >"$work/wrong"
all 'each target has three bugs to find'

# ---- mutants and lines that are argued -------------------------------------

# has FILE COUNT LINE: the file has so many lines of these words.
has() {
    awk -v count="$2" 'BEGIN { wanted = ARGV[1]; delete ARGV[1] }
        { sub(/^[ \t]+/, ""); seen += $0 == wanted }
        END { exit seen < count }' "$3" "$1"
}

rows tests/mutants.txt | while IFS=$'\t' read -r file which line change reason; do
    [ -n "$reason" ] && [ "$line" != "$change" ] &&
        has "$file" "$which" "$line" || echo "$file: $which: $line"
done >"$work/wrong"
all 'each argued mutant is one of a line that is there'

rows tests/coverage.txt | while IFS=$'\t' read -r file line reason; do
    [ -n "$reason" ] && has "$file" 1 "$line" || echo "$file: $line"
done >"$work/wrong"
all 'each line that no test runs is there'

# ---- properties ------------------------------------------------------------

# SUITE/TEST for each of Criterion's.
"$unit_tests" --list --color=never | awk '
    /: [0-9]+ tests?$/ { suite = $0; sub(/: [0-9]+ tests?$/, "", suite); next }
    NF > 1 { print suite "/" $NF }' >"$work/tests"
[ "$(wc -l <"$work/tests")" -gt 200 ]
judge 'the tests have names' $?

# Names in backquotes, up to the tables of inputs and of what comes.
awk '/^## Bad inputs/ { exit } { print }' tests/PROPERTIES.md |
    grep -o '`[^`]*`' | tr -d '`' | sort -u >"$work/names"
[ "$(wc -l <"$work/names")" -gt 50 ]
judge 'tests/PROPERTIES.md names what holds them' $?
while read -r name; do
    found=no
    case $name in
    make\ *) grep -q "^${name#make }:" Makefile && found=yes ;;
    fuzz_*) [ -r "fuzz/$name.c" ] && found=yes ;;
    char) found=yes ;;
    */*)
        [ -e "$name" ] && found=yes
        while read -r test; do
            # shellcheck disable=SC2053
            [[ $test == $name ]] && found=yes
        done <"$work/tests"
        ;;
    *) [ -r "tests/$name.c" ] && found=yes ;;
    esac
    [ $found = yes ] || echo "$name"
done <"$work/names" >"$work/wrong"
all 'tests/PROPERTIES.md names tests and targets that are there'

finish
