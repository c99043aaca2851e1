#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
#
# How many instructions do the workloads take, and is it as many as
# INSTRUCTIONS.md says, within 3 %?  Compilers, C libraries and processors
# differ, so that nothing is compared where they are not those of that table.
# Use: tests/bench/compare.sh BUILD-FOLDER [--write]
set -u
export LC_ALL=C
within=3
if [ $# -lt 1 ] || [ ! -x "$1/tests/count" ]; then
    echo "use: $0 BUILD-FOLDER [--write]" >&2
    exit 2
fi
here=$(dirname "$0")
page=$here/INSTRUCTIONS.md
count=$1/tests/count
work=$(mktemp -d) || exit 2
trap 'rm -rf "$work"' EXIT

# cached NAME: what CMake knows of it.
cached() { sed -n "s/^$1:[^=]*=//p" "$2/CMakeCache.txt"; }

# What instructions depend on.  Of the processor's flags, those by which the
# C library chooses its memcpy() and memchr().
{
    type=$(cached CMAKE_BUILD_TYPE "$1")
    echo "- compiler: $("$(cached CMAKE_C_COMPILER "$1")" --version | head -n 1)"
    echo "- flags: $(echo "$type" "$(cached CMAKE_C_FLAGS "$1")" \
        "$(cached "CMAKE_C_FLAGS_${type^^}" "$1")" | tr -s ' ')"
    echo "- libc: $(getconf GNU_LIBC_VERSION)"
    echo "- valgrind: $(valgrind --version)"
    echo "- processor: $(sed -n 's/^flags[^:]*: //p' /proc/cpuinfo |
        head -n 1 | tr ' ' '\n' |
        grep -xE 'sse4_2|avx|avx2|avx512vl|bmi2|movbe|erms|fsrm|rtm' |
        sort | tr '\n' ' ' | sed 's/ $//')"
} >"$work/here"

{
    "$here/count.sh" "$count" 100000 \
        {W1,W1u,W2,W2d,W3,W4}/{gemma4,harmony,hermes}/{0,64,4,1} &&
        "$here/count.sh" "$count" 2000 W5/{gemma4,harmony,hermes}/{0,64,4,1}
} >"$work/counts" || exit 2

{
    cat <<'END'
# Instructions

What callgrind counts for the workloads of `workloads.h`: 100,000 bytes of
each (of W5, 2,000 of each pattern of `hostile.txt`), decoded to events.
`tests/bench/compare.sh BUILD --write` makes this page, and `make instructions`
compares with it where what the next lines say is the same.

END
    cat "$work/here"
    echo
    echo '| workload | format | whole | 64-byte deltas | 4-byte | 1-byte |'
    echo '|---|---|---|---|---|---|'
    awk -F '[/ ]' '
    { row = row " " $4 " |" }
    NR % 4 == 0 { print "| " $1 " | " $2 " |" row; row = "" }
    ' "$work/counts"
} >"$work/page"

if [ "${2-}" = --write ]; then
    cp "$work/page" "$page"
    exit
fi
if [ ! -f "$page" ]; then
    echo "NOTHING IS COMPARED: there is no INSTRUCTIONS.md" \
        "($0 BUILD --write makes it)"
    exit 0
fi
if ! grep '^- ' "$page" | cmp -s - "$work/here"; then
    echo "NOTHING IS COMPARED: INSTRUCTIONS.md was made elsewhere"
    grep '^- ' "$page" | diff - "$work/here"
    exit 0
fi
awk -F ' *[|] *' -v within=$within '
/^[|] W/ {
    for (i = 4; i <= 7; i++)
        if (NR == FNR) known[$2, $3, i] = $i
        else {
            was = known[$2, $3, i]
            change = was > 0 ? 100 * ($i - was) / was : 100
            good = change <= within && change >= -within
            good ? passed++ : failed++
            if (!good)
                printf "FAILED: %s/%s, column %d: %d, and it was %d: %+.1f %%\n",
                    $2, $3, i - 3, $i, was, change
        }
}
END {
    printf "%d passed, %d failed\n", passed, failed
    exit failed > 0 || passed == 0
}' "$page" "$work/page"
