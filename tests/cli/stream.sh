# SPDX-License-Identifier: MIT
#
# stream: chunks, events, and what is seen of them while bytes still come.
# A part of tests/cli.sh.

# ---- stream ----------------------------------------------------------------

run "$second_comma" stream -f $second --id my-id --model 'my"model' --created 12
status_is 'stream' 0
[ "$(grep -c '^{"id":"my-id","object":"chat.completion.chunk","created":12,"model":"my\\"model","choices":\[' out)" -eq "$(lines out)" ]
verdict 'stream: --id, --model, --created in every chunk' $?
out_has 'stream' '"finish_reason":"tool_calls"'
err_has 'stream: diagnostics' '-:1: 43: trailing_comma: '
run 'Hi.' stream -f $second --choice 3 --system-fingerprint fp \
    --finish-reason content_filter --usage "{\"total_tokens\":${nl}7}"
status_is 'stream --choice' 0
[ "$(grep -c '"system_fingerprint":"fp","choices":\[{"index":3,' out)" -eq 3 ]
verdict 'stream: --choice, --system-fingerprint in every chunk' $?
out_has 'stream --finish-reason' '"delta":{},"finish_reason":"content_filter"}]}'
[ "$(tail -n 1 out)" = '{"id":"chatcmpl-0","object":"chat.completion.chunk","created":0,"model":"toolwire","system_fingerprint":"fp","choices":[],"usage":{"total_tokens":7}}' ]
verdict 'stream --usage: the last chunk' $?
usage stream -f $second --usage '[]'
usage stream -f $second --usage '{'
usage stream -f $second --choice -1
usage stream -f $second --choice 2147483648
run "$second_call" stream -f $second --chunk 4
[ "$(grep -c '"arguments"' out)" -gt 2 ]
verdict 'stream: arguments come in pieces' $?
run "$second_call" stream -f $second --hold-calls
[ "$(grep -c '"arguments":"[^"]' out)" -eq 1 ]
verdict 'stream --hold-calls: the arguments come at once' $?
run "$second_call" stream -f $second --join
out_has 'stream --join' '{"arguments":"{\"at\":\"Brest\"}"}'
out_lines 'stream --join' 4
run "$second_call" stream -f $second --join --chunk 4
[ "$(grep -c '"arguments":"[^"]' out)" -gt 2 ]
verdict 'stream --join: no chunk waits for the next read' $?
run "$second_comma" stream -f $second --join --strict
out_has 'stream --join --strict: the chunks before the error' '"content":"Hi."'
run "$second_cut" stream -f $second
status_is 'stream, unparsed' 1
out_has 'stream, unparsed' '"unparsed":['
run "$second_cut" stream -f $second --hold-calls
out_lacks 'stream --hold-calls, unparsed' '"tool_calls"'
run 'Hi <|tool_call>' stream -f $second --limit input=4 --join
out_has 'stream --join --limit' '"content":"Hi'
run "$second_call" stream -f $second --sse
status_is 'stream --sse' 0
[ "$(tail -n 2 out)" = 'data: [DONE]' ] && [ "$(tail -c 2 out | od -An -tx1)" = ' 0a 0a' ]
verdict 'stream --sse: ends with [DONE]' $?
[ "$(awk 'NR % 2 == 1 && !/^data: ./ || NR % 2 == 0 && !/^$/' out | wc -l)" -eq 0 ]
verdict 'stream --sse: frames' $?
sed -n 's/^data: \({.*\)/\1/p' out >frames
run "$second_call" stream -f $second
cmp -s out frames
verdict 'stream --sse: the frames hold the lines' $?
run "$second_comma" stream -f $second --strict
status_is 'stream --strict' 1
out_has 'stream --strict: the chunks before it' '"name":"tide"'
out_lacks 'stream --strict: none behind it' '"finish_reason":"'
err_lines 'stream --strict' 1
err_has 'stream --strict' '-:1: 43: TW_ERROR_DEVIATION: trailing_comma: '
run "$second_comma" stream -f $second --strict --sse
out_lacks 'stream --strict --sse' '[DONE]'
printf '%s' "$second_call" >completion
"$T" stream -f $second completion </dev/null >out 2>err
cmp -s out frames
verdict 'stream FILE' $?

run "$second_comma" stream -f $second --events
status_is 'stream --events' 0
silent 'stream --events'
out_has 'events' '{"type":"text","index":0,"data":"Hi.","offset":0,"span":3}'
out_has 'events' '{"type":"call_begin","index":0,"data":"tide","id":"call_0","offset":'
out_has 'events' '{"type":"call_arguments","index":0,"data":"'
out_has 'events' '{"type":"diagnostic","code":"trailing_comma","offset":43,"span":0}'
out_has 'events' '{"type":"call_end","index":0,"code":"complete","offset":3,"span":42}'
[ "$(tail -n 1 out)" = '{"type":"end","code":"stop","offset":57,"span":0}' ]
verdict 'events: the end' $?
sum=$(sed 's/.*"span":\([0-9]*\)}$/\1/' out | awk '{ n += $1 } END { print n }')
[ "$sum" -eq 57 ]
verdict 'events: the spans add up' $?
run "$second_cut" stream -f $second --events
status_is 'events: unparsed' 1
out_has 'events: unparsed' '"code":"incomplete"'
out_has 'events: unparsed' '{"type":"unparsed","index":0,"data":"<|tool_call>call:tide{at:<|\"|>Bre","code":"truncated_call","id":"tide","offset":0,"span":33}'
printf '<|tool_call>call:f{a:<|"|>\x00\x1f\xff\xe2\x82' >raw
"$T" stream -f $second --events raw >out 2>err
out_has 'events: raw bytes as UTF-8' $'call:f{a:<|\\"|>\\u0000\\u001f\xef\xbf\xbd\xef\xbf\xbd","code"'
# An overlong form, half of a surrogate pair, beyond U+10FFFF, no lead byte:
# one U+FFFD for every maximal part.
printf '<|tool_call>call:f{a:<|"|>\xe0\x80\xed\xa0\x80\xf4\x90\xc0\xf0\x9f\x98\x80' >raw
"$T" stream -f $second --events raw >out 2>err
bad=$'\xef\xbf\xbd'
out_has 'events: ill-formed UTF-8' \
    "call:f{a:<|\\\"|>$bad$bad$bad$bad$bad$bad$bad$bad"$'\xf0\x9f\x98\x80","code"'
run "<think>Hm.</think>" stream -f hermes --events
out_has 'events: framing' '"type":"framing","offset":0,'
out_has 'events: reasoning' '{"type":"reasoning","index":'
run "$second_call" stream -f $second --events --sse
[ "$(grep -c '^data: ' out)" -eq "$(($(lines out) / 2))" ]
verdict 'stream --events --sse' $?

# ---- a slow pipe -----------------------------------------------------------

# Feeds a call in two parts: what is known of the arguments must have been
# printed before the second part is written.  Waits for it, much longer than any machine is busy.
slow() {
    local name=$1 first=$2 second=$3 wanted=$4 line seen=1
    shift 4
    rm -f to from
    mkfifo to from
    "$T" "$@" <to >from 2>err &
    local job=$!
    exec 3>to 4<from
    printf '%s' "$first" >&3
    while IFS= read -r -t 600 -u 4 line; do
        case $line in
            *"$wanted"*) seen=0; break ;;
        esac
    done
    verdict "slow pipe: $name: the first part comes before the call's end" $seen
    printf '%s' "$second" >&3
    exec 3>&-
    cat <&4 >out
    exec 4<&-
    wait $job
    status=$?
    status_is "slow pipe: $name" 0
    grep -qE 'tool_calls"?|"complete"|"content"' out
    verdict "slow pipe: $name: the rest follows" $?
}
slow chunks '<|tool_call>call:tide{at:<|"|>Quimper and then some more of it, as it comes' \
    '<|"|>}<tool_call|>' 'Quimper' stream -f $second
slow sse '<tool_call>{"name":"tide","arguments":{"at":"Quimper and so on' \
    '"}}</tool_call>' 'Quimper' stream -f hermes --sse
slow events '<tool_call>{"name":"tide","arguments":{"at":"Quimper and so on' \
    '"}}</tool_call>' 'Quimper' stream -f hermes --events
slow byte '<tool_call>{"name":"tide","arguments":{"at":"Quimper and so on' \
    '"}}</tool_call>' 'Q' stream -f hermes --chunk 1
slow jsonl "\"Quimper\"$nl\"Br" "est\"$nl" 'Quimper' decode --jsonl -f hermes
