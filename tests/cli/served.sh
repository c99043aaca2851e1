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
run 'data: {"id":"c-1","object":"chat.completion.chunk","created":5,"model":"m","choices":[{"index":0,"delta":{"content":"A"}},{"index":1,"delta":{"content":"B"}}]}'"$nl$nl" \
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

# ---- what a server may say besides ------------------------------------------

# said NAME: what the server says is on stdin; it is written as chat's.
said() {
    sed 's/^/data: /; s/$/\n/' >in
    "$T" stream -f hermes --from-sse --api chat <in >out 2>err
    status=$?
}
responses_begin='{"type":"response.created","response":{"id":"r","model":"m","created_at":5.5}}
{"type":"response.output_text.delta","delta":"Hi."}'
said <<END_OF_STREAM
$responses_begin
{"type":"response.completed","response":{"status":"completed"}}
END_OF_STREAM
status_is 'served: a time that is no whole number' 0
out_has 'served: a time that is no whole number' '"created":0,"model":"m","choices":[{"index":0,"delta":{"content":"Hi."}'
said <<END_OF_STREAM
$responses_begin
{"type":"response.refusal.delta","delta":"No."}
END_OF_STREAM
status_is 'served: a refusal in parts of its own' 1
err_has 'served: a refusal in parts of its own' '-:5: 0: TW_ERROR_SCHEMA: type: not what a stream of raw text has there'
said <<END_OF_STREAM
$responses_begin
{"type":"response.failed","response":{"error":{"message":"too busy"}}}
END_OF_STREAM
status_is 'served: the server fails' 1
out_has 'served: the server fails' '"message":"too busy"'
err_has 'served: the server fails' '-:5: the server reports an error'
said <<'END_OF_STREAM'
{"type":"message_start","message":{"id":"msg_9","model":"m"}}
{"type":"content_block_delta","index":0,"delta":{"type":"input_json_delta","partial_json":"{"}}
END_OF_STREAM
status_is 'served: a part of a call' 1
err_has 'served: a part of a call' '-:3: 0: TW_ERROR_SCHEMA: delta.partial_json: the server splits calls out'
for key in content reasoning_content; do
    said <<END_OF_STREAM
{"type":"message_start","message":{"id":"msg_9","model":"m"}}
{"type":"message_delta","delta":{"stop_reason":"end_turn"}}
{"type":"content_block_delta","index":0,"delta":{"$([ $key = content ] && echo text || echo thinking)":"late"}}
END_OF_STREAM
    status_is "served: $key behind the end" 1
    err_has "served: $key behind the end" ' behind '
    out_lacks "served: $key behind the end" 'late'
done
run "data: {\"type\":\"message_start\",${nl}data: \"message\":{\"id\":\"msg_9\",\"model\":\"a long one\"}}$nl$nl" \
    stream -f hermes --from-sse --api anthropic --max-record 60
status_is 'served: data in lines, longer than --max-record' 1
err_has 'served: data in lines, longer than --max-record' 'the data are longer than --max-record'
