#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
#
# Counts the instructions of what COUNT (tests/bench/count.c) decodes: a line
# `NAME INSTRUCTIONS` for each name.
# Use: tests/bench/count.sh COUNT SIZE NAME...
set -u
export LC_ALL=C
if [ $# -lt 3 ] || [ ! -x "$1" ]; then
    echo "use: $0 COUNT SIZE NAME..." >&2
    exit 2
fi
if ! command -v valgrind >/dev/null; then
    echo "$0: VALGRIND IS MISSING, so that nothing was counted" \
        "(Debian: apt-get install valgrind)" >&2
    exit 2
fi
program=$1
size=$2
shift 2
work=$(mktemp -d) || exit 2
trap 'rm -rf "$work"' EXIT

if ! valgrind --tool=callgrind --callgrind-out-file="$work/out" \
    --toggle-collect=counted --dump-after=counted \
    "$program" "$size" "$@" >"$work/log" 2>&1; then
    cat "$work/log" >&2
    exit 1
fi
i=0
for name; do
    i=$((i + 1))
    count=$(sed -n 's/^\(totals\|summary\): //p' "$work/out.$i" | head -n 1)
    [ -n "$count" ] || exit 1
    echo "$name $count"
done
