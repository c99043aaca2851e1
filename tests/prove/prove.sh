#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
#
# Proves with Frama-C's EVA, for every input of each size up to 16 bytes, that
# a step of these scanners has no run-time error and does not read or move
# beyond the input: the UTF-8 decoder, the scanners of JSON and of Python's
# strings and escapes, Harmony's markers.
# Frama-C says 0 even with alarms: they are counted here.
# Use: tests/prove/prove.sh WORK-FOLDER [SIZE...]
set -u
export LC_ALL=C
root=$(realpath "$(dirname "$0")/../..")
if [ $# -lt 1 ]; then
    echo "use: $0 WORK-FOLDER [SIZE...]" >&2
    exit 2
fi
mkdir -p "$1" && cd "$1" || exit 2
shift
[ $# -gt 0 ] || set -- $(seq 0 16)
for grammar in json python harmony; do
    # Frama-C reads C as it is, without #line.
    re2c -W -Werror --no-version -i -o $grammar.c "$root/grammar/$grammar.re" ||
        exit 2
done

# prove NAME SIZE FILE
prove() {
    local log=$1.$2.log
    frama-c -eva -eva-precision 7 -eva-no-print \
        -cpp-extra-args="-I$root/include -I$root/src -DSIZE=$2 -DPROVE_$1" \
        "$root/tests/prove/harness.c" "$3" >"$log" 2>&1
    if grep -q '^ *0 alarms generated' "$log" &&
        ! grep -qi 'user error\|status invalid\|got status unknown' "$log"; then
        echo "passed $1 $2"
    else
        echo "FAILED $1 $2"
        grep -A3 '\[eva:alarm\]' "$log"
    fi
}
export -f prove
export root
for size; do
    printf '%s\n' "UTF8 $size $root/src/core/utf8.c" "JSON $size json.c" \
        "STRING $size json.c" "PYTHON $size python.c" \
        "ESCAPE $size python.c" "TAG $size harmony.c"
done | xargs -P "$(nproc)" -L 1 bash -c 'prove "$@"' prove | tee results
passed=$(grep -c ^passed results)
failed=$(grep -c ^FAILED results)
echo "$passed passed, $failed failed"
[ "$failed" -eq 0 ] && [ "$passed" -gt 0 ]
