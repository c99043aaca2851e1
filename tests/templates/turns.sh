#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
#
# Does a turn that `toolwire extend` appends cost the same, wherever in an
# agent's conversation it stands?  Counts the instructions (callgrind) of
# turns 140 to 200 and of turns 400 to 460, where no doubling of the turns
# stands; a turn of the latter may cost at most 1.02 times one of the former.
# Use: tests/templates/turns.sh TOOLWIRE
set -u
export LC_ALL=C
most=1.02
if [ $# -ne 1 ] || [ ! -x "$1" ]; then
    echo "use: $0 TOOLWIRE" >&2
    exit 2
fi
if ! command -v valgrind >/dev/null; then
    echo "$0: VALGRIND IS MISSING, so that nothing was counted" \
        "(Debian: apt-get install valgrind)" >&2
    exit 2
fi
work=$(mktemp -d) || exit 2
trap 'rm -rf "$work"' EXIT

# records COUNT: an agent that calls one tool again and again.
records() {
    awk -v count="$1" 'BEGIN {
        for (i = 1000; i < 1000 + count; i++) {
            turn = sprintf("{\"role\":\"assistant\",\"content\":\"\"," \
                "\"tool_calls\":[{\"id\":\"call%05d\",\"type\":" \
                "\"function\",\"function\":{\"name\":\"tide\"," \
                "\"arguments\":\"{\\\"day\\\": %d}\"}}]}", i, i)
            printf "{\"completion\":\"<tool_call>\\n{\\\"name\\\":" \
                "\\\"tide\\\", \\\"arguments\\\": {\\\"day\\\":  %d}}" \
                "\\n</tool_call><|im_end|>\",", i
            if (i == 1000)
                printf "\"messages\":[{\"role\":\"user\",\"content\":" \
                    "\"How high?\"},%s]", turn
            else
                printf "\"message\":%s", turn
            printf ",\"new\":[{\"role\":\"tool\",\"tool_call_id\":" \
                "\"call%05d\",\"name\":\"tide\",\"content\":\"%d m\"}]}\n", i, i
        }
    }'
}

# count FORMAT TURNS: the instructions of so many turns.
count() {
    records "$2" >"$work/turns.jsonl"
    valgrind --tool=callgrind --callgrind-out-file="$work/out" \
        "$toolwire" extend -f "$1" --jsonl "$work/turns.jsonl" \
        >"$work/answers" 2>"$work/log"
    [ "$(grep -c '^{"append":' "$work/answers")" -eq "$2" ] || {
        echo "$1: not all of $2 turns were appended" >&2
        exit 1
    }
    sed -n 's/.*Collected : //p' "$work/log"
}

toolwire=$1
failed=0
for format in hermes/qwen2.5 qwen3-coder; do
    near=$(($(count $format 200) - $(count $format 140)))
    far=$(($(count $format 460) - $(count $format 400)))
    echo "$format: a turn costs $((near / 60)) instructions, then" \
        "$((far / 60))"
    awk -v near="$near" -v far="$far" -v most=$most \
        'BEGIN { exit !(near > 0 && far <= near * most) }' || {
        echo "FAILED: $format: turns grow" >&2
        failed=1
    }
done
exit $failed
