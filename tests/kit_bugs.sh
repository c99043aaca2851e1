#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
#
# The kit finds each bug that is planted in a small parser by its defaults, and
# none in the parser without one.  Nothing is judged by the clock: a parser
# that answers is waited for as long as it takes, and one that hangs would hang
# for any time.
# Use: tests/kit_bugs.sh PATH-OF-TOOLWIRE
set -u

if [ $# -ne 1 ] || [ ! -x "$1" ]; then
    echo "use: $0 PATH-OF-TOOLWIRE" >&2
    exit 2
fi
command -v python3 >/dev/null || exit 77
toolwire=$(realpath "$1")
here=$(realpath "$(dirname "$0")")
work=$(mktemp -d) || exit 2
trap 'rm -rf "$work"' EXIT
. "$here/judge.sh"
export PYTHONDONTWRITEBYTECODE=1

for format in gemma4 hermes hermes/qwen2.5; do
    "$toolwire" test -f $format --patience 600 \
        --cmd "exec python3 '$here/python/small_parser.py'" >"$work/out"
    judge "nothing is found in a parser that is right, $format" $? "$work/out"
done

# found FORMAT BUG VERDICT [SEED]: the verdict is shown; the rest of the test is
# not waited for.
found() {
    local shown='"small":[a-z]*,"verdict":"'"$3"'"' patience=600 its
    [ "$3" = hang ] && patience=5
    # What the last one showed is gone before this one begins.
    : >"$work/out"
    "$toolwire" test -f "$1" --seed "${4:-1}" --patience $patience \
        --cmd "exec python3 '$here/python/planted_bugs.py' $2" \
        >"$work/out" 2>&1 &
    its=$!
    while kill -0 $its 2>/dev/null && ! grep -q "$shown" "$work/out"; do
        sleep 0.1
    done
    kill -TERM $its 2>/dev/null
    wait $its 2>/dev/null
    grep -q "$shown" "$work/out"
}

python3 "$here/python/planted_bugs.py" --list >"$work/bugs"
while read -r bug format verdict; do
    found "$format" "$bug" "$verdict"
    judge "$bug is found: $verdict" $? "$work/out"
done <"$work/bugs"

# What one slip alone shows is found by any seed.
for bug in quoted_keys_keep_their_delimiters json_quotes_stay \
    no_closing_delimiter no_opening_delimiter; do
    found gemma4 $bug wrong_arguments 77
    judge "$bug is found by the seed 77" $? "$work/out"
done
finish
