# SPDX-License-Identifier: MIT
#
# stream --from-sse between three APIs, and what does not go together.
# A part of tests/cli.sh.

if command -v python3 >/dev/null; then
    counts=$(python3 "$parts/served.py" "$T") || true
    counts_line=${counts##*"$nl"}
    case $counts_line in
    [0-9]*' '[0-9]*)
        passed=$((passed + ${counts_line% *}))
        failed=$((failed + ${counts_line#* }))
        grep -A 1 FAILED <<<"$counts"
        ;;
    *) false; verdict 'served.py ran to its end' $? ;;
    esac
else
    echo 'served: SKIPPED: streams between APIs: there is no python3'
fi

start='event: message_start
data: {"type":"message_start","message":{"id":"msg_1","model":"m"}}

'
delta() {
    printf 'event: content_block_delta\ndata: {"type":"content_block_delta","index":0,"delta":{"type":"text_delta","text":"%s"}}\n\n' "$1"
}

# ---- what is written, and when ----------------------------------------------

run "event: message_start$nl$nl" stream -f hermes --from-sse
out_has 'served: a name without data goes through' "event: message_start$nl"
for nothing in '' "Bad gateway$nl" ": ping$nl$nl"; do
    run "$nothing" stream -f hermes --from-sse --api anthropic
    status_is "served: nothing but '$nothing'" 1
    out_has "served: nothing but '$nothing'" '"type":"error"'
    out_has "served: nothing but '$nothing'" 'the stream ends without a finish_reason'
    err_has "served: nothing but '$nothing'" 'the stream ends without a finish_reason'
done
run "$start" stream -f hermes --from-sse
status_is 'served: it breaks off' 1
out_has 'served: it breaks off' '"type":"error"'
err_has 'served: it breaks off' 'the stream ends without a finish_reason'
run ": ping$nl$nl$start$(delta Hi)" stream -f hermes --from-sse
out_has 'served: a comment stays' ': ping'
out_has 'served: the name of an event is that of one that is written' 'event: error'
[ "$(grep -c '^event: message_start' out)" -eq 1 ]
verdict 'served: the event that decides is written once' $?
run "$start$(delta Hi)$nl${nl}data: {\"type\":\"message_delta\",\"delta\":{\"stop_reason\":\"pause_turn\"}}$nl${nl}data: {\"type\":\"message_stop\"}$nl$nl$(delta late)" \
    stream -f hermes --from-sse
status_is 'served: a reason of its own' 0
out_has 'served: a reason of its own' '"stop_reason":"pause_turn"'
out_lacks 'served: nothing stands behind the end' 'late'
slow anthropic "$start$(delta 'Quimper and so on')$nl$nl" \
    "$(delta more)$nl${nl}data: {\"type\":\"message_delta\",\"delta\":{\"stop_reason\":\"end_turn\"}}$nl${nl}data: {\"type\":\"message_stop\"}$nl$nl" \
    'Quimper' stream -f hermes --from-sse --api chat
run "$(served '{"index":0,"delta":{"content":"A"}},{"index":1,"delta":{"content":"B"}}')$nl$nl" \
    stream -f hermes --from-sse --api anthropic
err_has 'served: another API has one choice' "choices: this API's stream has one choice"
usage stream -f hermes --from-sse --api anthropic --reasoning-key reasoning
run "$start" stream -f hermes --from-sse --reasoning-key reasoning
status_is 'served: an option that the API has no place for' 2
err_has 'served: an option that the API has no place for' '--reasoning-key does not go with --api anthropic'
run "$start$(delta 'Hi.<tool_call>{\"name\":\"f\",\"arguments\":{},}</tool_call>')" \
    stream -f hermes --from-sse --strict --api responses
status_is 'served --strict' 1
out_has 'served --strict' '"type":"response.failed"'
