#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
#
# Is the cost of every pattern of hostile.txt linear?  Counts instructions
# (callgrind) at 20, 40 and 80 thousand bytes, whole and in 1-byte pieces; the
# count may not more than double (2.1) when the size does.  Prints for each
# how many instructions a byte costs, how many times those of plain rows of
# numbers that is, and both ratios.  Patterns whose name ends in -large are
# counted at four times these sizes.
#
# Without --full, which takes some minutes, the sizes in 1-byte pieces are a
# quarter of that.
# Use: tests/instructions.sh [--full] HOSTILE-OR-BUILD-FOLDER [NAME...]
set -u
export LC_ALL=C
most=2.1
patience=60 # seconds of processor time; a pattern that takes more has failed
ones=${ones-5000}
if [ "${1-}" = --full ]; then
    ones=20000
    shift
fi
export ones

# One pattern: decode_pattern() is called once for each size, and callgrind
# dumps what each call cost.
if [ "${1-}" = --one ]; then
    out=$work/$3
    times=1
    [ "${3%-large}" = "$3" ] || times=4
    whole=$((20000 * times))
    ones=$((ones * times))
    ulimit -t $((patience * times))
    valgrind --tool=callgrind \
        --callgrind-out-file="$out" --toggle-collect=decode_pattern \
        --dump-after=decode_pattern "$2" "$3" \
        0 0 $whole 0 $((whole * 2)) 0 $((whole * 4)) 0 \
        0 1 "$ones" 1 $((ones * 2)) 1 $((ones * 4)) 1 >"$out.log" 2>&1
    for i in 1 2 3 4 5 6 7 8; do
        sed -n 's/^\(totals\|summary\): //p' "$out.$i" 2>/dev/null | head -n 1
    done | tr '\n' ' ' | sed "s|^|$3 $4 |; s|$|\n|"
    exit
fi

if [ $# -ge 1 ] && [ -d "$1" ]; then # a build folder
    folder=$1
    shift
    set -- "$folder/tests/hostile" "$@"
fi
if [ $# -lt 1 ] || [ ! -x "$1" ]; then
    echo "use: $0 [--full] HOSTILE-OR-BUILD-FOLDER [NAME...]" >&2
    exit 2
fi
if ! command -v valgrind >/dev/null; then
    echo "$0: VALGRIND IS MISSING, so that nothing was counted" \
        "(Debian: apt-get install valgrind)" >&2
    exit 2
fi
hostile=$(realpath "$1")
shift
work=$(mktemp -d) || exit 2
export work
trap 'rm -rf "$work"' EXIT

"$hostile" --list >"$work/list" || exit 2
if [ $# -gt 0 ]; then
    printf '%s\n' "$@" rows-gemma4 rows-hermes rows-harmony | sort -u |
        awk 'NR == FNR { wanted[$1] = 1; next } $1 in wanted' \
            - "$work/list" >"$work/some"
    mv "$work/some" "$work/list"
fi
xargs -n 2 -P "$(nproc)" "$0" --one "$hostile" <"$work/list" >"$work/counts"

awk -v most=$most -v patience=$patience -v ones="$ones" '
NR == FNR { row[$1] = $0; next }
function family(format) { sub(/-(reasoning|stripped)$/, "", format); return format }
# The cost of the unit alone, at 20, 40 and 80 thousand bytes, or four times
# that.
function costs(from, i) {
    for (i = 1; i <= 3; i++)
        cost[i] = count[from + i] - count[from]
}
function times(base) { return base > 0 ? cost[3] / scale / base : 0 }
function ratio(i) { return cost[i - 1] > 0 ? cost[i] / cost[i - 1] : 0 }
function report(base, size) {
    return sprintf("%9.1f %7.1f  %5.2f %5.2f", cost[3] / scale / size, times(base),
                   ratio(2), ratio(3))
}
# Less than an instruction a byte is a skip, and its edges are what is seen.
function linear(size) {
    return cost[3] / scale < size || (ratio(2) <= most && ratio(3) <= most)
}
BEGIN {
    printf "%-30s %35s %36s\n", "", "---- whole ----", "---- 1 byte ----"
    printf "%-30s %9s %7s  %11s  %9s %7s  %11s\n", "pattern", "Ir/byte",
           "x rows", "ratios", "Ir/byte", "x rows", "ratios"
}
{
    scale = $1 ~ /-large$/ ? 4 : 1
    if (split(row[$1], count, " ") != 10) {
        failed++
        printf "%-30s FAILED: not done in %d seconds\n", $1, patience
        next
    }
    costs(3)
    good = linear(80000)
    if ($1 ~ /^rows-/)
        whole[family($2)] = cost[3]
    line = report(whole[family($2)], 80000)
    costs(7)
    good = good && linear(4 * ones)
    if ($1 ~ /^rows-/)
        single[family($2)] = cost[3]
    printf "%-30s %s  %s%s\n", $1, line,
           report(single[family($2)], 4 * ones),
           good ? "" : "  FAILED: not linear"
    good ? passed++ : failed++
}
END {
    printf "%d passed, %d failed\n", passed, failed
    exit failed > 0
}' "$work/counts" "$work/list"
