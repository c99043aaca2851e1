#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
#
# Does a delta cost the same, wherever in a message it stands?  Counts the
# instructions (callgrind) of 500 deltas of 4 bytes, the same bytes each time,
# behind 10 thousand bytes of a message and behind 160 thousand (with --full:
# a million); the second count may be at most 1.05 times the first.
# Use: tests/growth.sh [--full] COUNT
set -u
export LC_ALL=C
most=1.05
near=10000
far=160000
if [ "${1-}" = --full ]; then
    far=1000000
    shift
fi
if [ $# -ne 1 ] || [ ! -x "$1" ]; then
    echo "use: $0 [--full] COUNT" >&2
    exit 2
fi
here=$(dirname "$0")
counts=$("$here/bench/count.sh" "$1" $far \
    {W1,W1u,W2,W2d,W3}/{gemma4,harmony,hermes}/4@{$near,$far}) || exit 2

awk -F '[@ ]' -v most=$most -v near=$near -v far=$far '
$2 == near { first[$1] = $3 }
$2 == far {
    ratio = first[$1] > 0 ? $3 / first[$1] : 0
    good = ratio > 0 && ratio <= most
    printf "%-14s at %d: %9d   at %d: %9d   %.3f%s\n", $1, near, first[$1],
        far, $3, ratio, good ? "" : "  FAILED: it grows"
    good ? passed++ : failed++
}
END {
    printf "%d passed, %d failed\n", passed, failed
    exit failed > 0 || passed != 15
}' <<<"$counts"
