# SPDX-License-Identifier: MIT
#
# stream --from-sse: what a server's stream may hold, and what becomes of it.
# A part of tests/cli.sh.

# served CHOICES [MEMBERS]: a chunk's line with its end.
served() {
    printf 'data: {"id":"c-1","object":"chat.completion.chunk","created":5,"model":"m","choices":[%s]%s}\n\n' "$1" "${2-}"
}
# text CONTENT [FINISH]: of choice 0; CONTENT is JSON without its quotes.
text() {
    served "{\"index\":0,\"delta\":{\"content\":\"$1\"},\"finish_reason\":${2-null}}"
}
wire='<tool_call>{\"name\":\"tide\",\"arguments\":{\"at\":\"Brest\"}}</tool_call>'
done_line="data: [DONE]$nl$nl"
role='{"role":"assistant"}'

# repair NAME INPUT [OPTIONS...]; INPUT loses its last line feeds in $(...).
repair() {
    local input=$2
    shift 2
    run "$input$nl$nl" stream -f hermes --from-sse "$@"
}

# ---- why it ended ----------------------------------------------------------

# A call that lacks what its stop marker would have closed.
for reason in stop tool_calls; do
    run "$(text '[TOOL_CALLS]f[ARGS]{\"a\":1' "\"$reason\"")$nl$nl$done_line" \
        stream -f mistral --from-sse
    status_is "sse: $reason" 0
    out_has "sse: $reason: the call is whole" '"finish_reason":"tool_calls"'
done
for reason in length content_filter; do
    run "$(text '[TOOL_CALLS]f[ARGS]{\"a\":1' "\"$reason\"")$nl$nl$done_line" \
        stream -f mistral --from-sse
    status_is "sse: $reason" 1
    out_has "sse: $reason: the call is cut" '"reason":"truncated_call"'
    out_has "sse: $reason stays" "\"finish_reason\":\"$reason\""
done
run "$(text '[TOOL_CALLS]f[ARGS]{\"a\":1')" stream -f mistral --from-sse
status_is 'sse: the stream breaks off' 1

# ---- what stays ------------------------------------------------------------

run "$(served '{"index":0,"delta":{"role":"assistant","content":"","x":[1.50]},"logprobs":null,"finish_reason":null}' ',"usage":null,"system_fingerprint":"f"')$nl$nl$(text "Hi.$wire")$nl$nl$(served '{"index":0,"delta":{},"finish_reason":"stop","stop_reason":1e3}' ',"usage":{"total_tokens":9}')$nl$nl$done_line" \
    stream -f hermes --from-sse
status_is 'sse' 0
silent 'sse'
head='data: {"id":"c-1","object":"chat.completion.chunk","created":5,"model":"m","choices":[{"index":0,"delta":'
out_is 'sse' "$head"'{"role":"assistant","content":"","x":[1.50]},"finish_reason":null,"logprobs":null}],"usage":null,"system_fingerprint":"f"}

'"$head"'{"content":"Hi."},"finish_reason":null}]}

'"$head"'{"tool_calls":[{"index":0,"id":"call_0","type":"function","function":{"name":"tide","arguments":""}}]},"finish_reason":null}]}

'"$head"'{"tool_calls":[{"index":0,"function":{"arguments":"{\"at\":\"Brest\"}"}}]},"finish_reason":null}]}

'"$head"'{},"finish_reason":"tool_calls","stop_reason":1e3}]}

data: {"id":"c-1","object":"chat.completion.chunk","created":5,"model":"m","choices":[],"usage":{"total_tokens":9}}

data: [DONE]

'
cp out plain
printf '%s' "$(sed 's/$/\r/' in)" >crlf
"$T" stream -f hermes --from-sse crlf </dev/null >out 2>err
cmp -s out plain
verdict 'sse: CRLF and a file: the same' $?
{ printf '\xef\xbb\xbf'; sed 's/^data: /data:/' in; } >marked
"$T" stream -f hermes --from-sse marked >out 2>err
cmp -s out plain
verdict 'sse: a byte order mark, no blank behind the colon: the same' $?
sed '/^$/d' in >dense
"$T" stream -f hermes --from-sse dense >out 2>err
cmp -s out plain
verdict 'sse: no blank lines between events: they are written' $?
"$T" stream -f hermes --from-sse --sse -o written in >out 2>err
cmp -s written plain
verdict 'sse: -o FILE, and --sse says nothing new' $?

tr '\n' '\r' <in >returns
"$T" stream -f hermes --from-sse returns >out 2>err
cmp -s out plain
verdict 'sse: lone carriage returns: the same' $?
sed '/^data: {/s/,"choices"/\n: between\ndata:,"choices"/' in >several
"$T" stream -f hermes --from-sse several >out 2>err
grep -v '^: between' out | cmp -s - plain
verdict 'sse: several lines of data are one text, comments between them stay' $?
run $'data: {"y":\rid: 1\r\ndata: [1,\n\rdata:\rdata: }\r\r' stream -f hermes --from-sse
out_has 'sse: JSON that ends in no line of the event' '"line":1,"offset":9,"message":"the data are not JSON","data":"{\"y\":\n[1,"}}'
run $'data: {"y":\rdata:\rdata:  [1,\rdata: 2]}\r\rdata: [DONE]\r\r' stream -f hermes --from-sse
status_is 'sse: other data in several lines' 0
out_is 'sse: other data in several lines' $'data: {"y":\ndata: \ndata:  [1,\ndata: 2]}\n\ndata: [DONE]\n\n'

other="$(printf ': ping\n\nevent: x\nid: 7\nretry: 10\ndata: {"y":[1.0,"é"]}')"
run "$other$nl$nl$done_line" stream -f hermes --from-sse
status_is 'sse: other lines' 0
out_is 'sse: other lines' "$other$nl$nl$done_line"
# A client is to know that nothing more comes, and that it was not all.
cut_error='"offset":0,"message":"the stream ends without a finish_reason"}}'
for begun in '' ": ping$nl$nl" "$(text 'Hi.')$nl$nl" "$(text 'Hi.<tool_call>{\"name\":\"f\",\"arguments\":{\"a')$nl$nl"; do
    run "$begun" stream -f hermes --from-sse
    status_is "sse: it breaks off behind ${#begun} bytes" 1
    [ "$(grep -c '^data: {"error"' out)" -eq 1 ] && tail -n 2 out | grep -qF "$cut_error"
    verdict "sse: it breaks off behind ${#begun} bytes: the last event is the error" $?
    err_has "sse: it breaks off behind ${#begun} bytes" 'the stream ends without a finish_reason'
done
repair 'no content' "$(served '{"index":0,"delta":null,"finish_reason":null},{"index":1}')$nl$nl$done_line"
status_is 'sse: no delta' 0
out_has 'sse: no delta: choice 0' '{"index":0,"delta":{"role":"assistant"},"finish_reason":null}'
out_has 'sse: no delta: choice 1' '{"index":1,"delta":{},"finish_reason":"stop"}'
usage_line="$(served '' ',"usage":{"total_tokens":10}')"
repair usage "$(text 'Hi.' '"stop"')$nl$nl$usage_line$nl$nl$done_line"
out_has 'sse: a usage chunk is passed on' "$usage_line"
repair logprobs "$(served '{"index":0,"delta":{"role":"assistant","content":"A"},"logprobs":{"content":[-1.50]},"finish_reason":null}')$nl$nl$done_line"
[ "$(grep -c '"logprobs":{"content":\[-1.50\]}' out)" -eq 1 ]
verdict 'sse: logprobs stand once' $?
repair logprobs "$(text 'A')$nl$nl$(served '{"index":0,"delta":{"content":"B"},"logprobs":[-2.50],"stop":null}')$nl$nl$done_line"
out_has 'sse: logprobs of a later piece' '"delta":{},"finish_reason":null,"logprobs":[-2.50],"stop":null}'
out_has 'sse: logprobs of a later piece: the piece' '"delta":{"content":"B"},"finish_reason":null,"stop":null}'
repair role "$(served '{"index":0,"delta":{"role":"assistant","content":"A"}},{"index":0,"delta":{"role":"assistant","content":"B"}}')$nl$nl$done_line"
[ "$(grep -c '"role"' out)" -eq 1 ]
verdict 'sse: the role stands once' $?
repair twice "$(served '{"index":0,"delta":{"content":"A","role":"user","role":"assistant","content":"<think>B"}}')$nl$nl$done_line"
out_lacks 'sse: a key twice: the last counts' '"A"'
out_lacks 'sse: a key twice: the last counts' '"user"'
out_has 'sse: a key twice: the last counts' '{"reasoning_content":"B"}'

repair 'twice' "$(text 'Hi.' '"stop"')$nl$nl$(served '{"index":0,"delta":{},"finish_reason":"stop","x":1}')$nl$nl$done_line"
out_has 'sse: a second finish_reason: what stands beside it' '"delta":{},"finish_reason":null,"x":1}'
[ "$(grep -c '"finish_reason":"stop"' out)" -eq 1 ]
verdict 'sse: a second finish_reason is not written' $?

repair 'content twice' "$(served '{"index":0,"delta":{"content":null,"content":""}}')$nl$nl$done_line"
[ "$(grep -o '"content"' out | wc -l)" -eq 1 ]
verdict 'sse: an empty content that is given twice is written once' $?

repair 'nothing new' "$(text 'A')$nl$nl$(served '{"index":0,"delta":{}}')$nl$nl$done_line"
out_has 'sse: a chunk that says nothing is passed on' '"delta":{},"finish_reason":null}'

# ---- options ---------------------------------------------------------------

repair options "$(text "Hm.</think>$wire" '"stop"')$nl$nl$done_line" --start reasoning \
    --reasoning-key reasoning --call-id-prefix my_ --hold-calls
out_has 'sse --start, --reasoning-key' '"delta":{"reasoning":"Hm."}'
out_has 'sse --call-id-prefix' '"id":"my_0"'
[ "$(grep -c '"arguments":"{' out)" -eq 1 ]
verdict 'sse --hold-calls' $?
repair join "$(text "Hi. $wire$wire")" --join
[ "$(grep -c '"arguments":"[^"]' out)" -eq 2 ]
verdict 'sse --join: a chunk of the server gives a chunk of each kind' $?
repair 'join, strict' "$(text 'Hi.<tool_call>{\"name\":\"f\",\"arguments\":{},}</tool_call>')" --join --strict
out_has 'sse --join --strict: what stands before the error' '"content":"Hi."'
printf '["now"]' >tools
"$T" stream -f hermes --from-sse --tools <(cat tools) >out 2>err <<<"$(
    served "{\"index\":0,\"delta\":{\"content\":\"$wire\"}},{\"index\":1,\"delta\":{\"content\":\"$wire\"}}")$nl$nl$done_line"
status=$?
status_is 'sse --tools from a pipe' 0
[ "$(grep -c undeclared_tool err)" -eq 2 ]
verdict 'sse --tools from a pipe: for every choice' $?
err_has 'sse: the line of a diagnostic' '-:1: 0: undeclared_tool'
for option in --events '--id x' '--model x' '--created 1' '--choice 1' '--chunk 3' \
    '--system-fingerprint x' '--usage {}' '--finish length' '--finish-reason x'; do
    # shellcheck disable=SC2086
    usage stream -f hermes --from-sse $option
done
usage stream --from-sse
usage decode -f hermes --from-sse
usage stream -f hermes --max-record 5
usage stream -f hermes --from-sse --recover-stripped
usage stream -f hermes --from-sse --limit depth=0

# ---- what is wrong ---------------------------------------------------------

# bad NAME LINE CODE: LINE stands in a call; the call is never completed.
bad() {
    repair "$1" "$(text '<tool_call>{\"name\":\"pay\",\"arguments\":{\"sum\":1')$nl$nl$2$nl$nl$(text '}}</tool_call>' '"stop"')$nl$nl$done_line"
    status_is "sse, $1" 1
    err_has "sse, $1" "-:3: "
    err_has "sse, $1" "$3"
    out_has "sse, $1: it is answered" "data: {\"error\":{\"code\":\"$3\",\"line\":3,"
    out_has "sse, $1: the call is listed" '"reason":"truncated_call"'
    out_lacks "sse, $1: the call is not completed" '"arguments":"}'
    out_has "sse, $1: the rest goes through" '{"content":"}}</tool_call>"}'
    [ "$(tail -n 2 out)" = 'data: [DONE]' ]
    verdict "sse, $1: the rest goes through to the end" $?
}
bad 'no JSON' 'data: {"choices":[' TW_ERROR_JSON
out_has 'sse, no JSON: the line is there' '"data":"{\"choices\":["}}'
bad 'more behind JSON' 'data: {}{}' TW_ERROR_JSON
bad 'a string' 'data: "x"' TW_ERROR_SCHEMA
bad 'choices' 'data: {"choices":{}}' TW_ERROR_SCHEMA
bad 'a choice' 'data: {"choices":[1]}' TW_ERROR_SCHEMA
bad 'index' 'data: {"choices":[{"index":-1}]}' TW_ERROR_SCHEMA
bad 'a large index' 'data: {"choices":[{"index":18446744073709551616}]}' TW_ERROR_SCHEMA
bad 'delta' 'data: {"choices":[{"index":0,"delta":"x"}]}' TW_ERROR_SCHEMA
bad 'content' 'data: {"choices":[{"index":0,"delta":{"content":["x"]}}]}' TW_ERROR_SCHEMA
bad 'finish_reason' 'data: {"choices":[{"index":0,"delta":{},"finish_reason":1}]}' TW_ERROR_SCHEMA
bad 'calls of the server' 'data: {"choices":[{"index":0,"delta":{"tool_calls":[{"index":0}]}}]}' TW_ERROR_SCHEMA
bad 'bytes' $'data: {"x":"\xff"}' TW_ERROR_JSON
out_has 'sse, bytes: the line is there' $'"data":"{\\"x\\":\\"\xef\xbf\xbd\\"}"}}'
bad 'two bad lines' "data: {$nl${nl}data: }" TW_ERROR_JSON
[ "$(grep -c '"error"' out)" -eq 2 ]
verdict 'sse, two bad lines: both are answered' $?
printf 'data: {"x":"\0"}\n\n' >nul
"$T" stream -f hermes --from-sse nul >out 2>err
status=$?
status_is 'sse, NUL' 1
out_has 'sse, NUL' '"data":"{\"x\":\"\u0000\"}"}}'
{ text "$wire"; printf 'data: {"x":"'; head -c 3000000 /dev/zero | tr '\0' x
  printf '"}\n\n'; text 'Bye.' '"stop"'; } >long
"$T" stream -f hermes --from-sse --max-record 1M long >out 2>err
status=$?
status_is 'sse, a long line' 1
err_has 'sse, a long line' 'long:3: 1048576: TW_ERROR_LIMIT: '
out_has 'sse, a long line' '"message":"the line is longer than --max-record"}}'
out_has 'sse, a long line: the rest' '"Bye."'
"$T" stream -f hermes --from-sse long >out 2>err
out_lacks 'sse, a line that is not too long' '"error"'
{ printf 'data: {"y":[0\n'
  for ((i = 0; i < 100000; i++)); do echo 'data:,1'; done
  printf 'data: ]}\n\ndata: [DONE]\n\n'; } >lines
timeout 600 "$T" stream -f hermes --from-sse lines >out 2>err
status=$?
status_is 'sse, an event of many lines' 0
cmp -s <(sed 's/^data:,/data: ,/' lines) out
verdict 'sse, an event of many lines: it goes through' $?
"$T" stream -f hermes --from-sse --max-record 1K lines >out 2>err
status=$?
status_is 'sse, data of many lines that are too long' 1
err_has 'sse, data of many lines that are too long' 'lines:1: 1024: TW_ERROR_LIMIT: the data are longer than --max-record'
[ "$(grep -o ',1' out | wc -l)" -eq 100000 ]
verdict 'sse, data of many lines that are too long: all of them are there' $?
repair 'no end' 'data: {"y":'
status_is 'sse, data without an end' 1
err_has 'sse, data without an end' '-:1: 5: TW_ERROR_JSON: the data are not JSON'
run $'data: {"y":\n'"$(head -c 3000 /dev/zero | tr '\0' x)" stream -f hermes --from-sse --max-record 1K
err_has 'sse, data and a long line' '-:1: 1024: TW_ERROR_LIMIT: the line is longer'
out_has 'sse, data and a long line: the data are there' '"data":"{\"y\":"}}'
nested=$(printf '[%.0s' {1..5000})
repair 'deep' "data: {\"x\":$nested"
status_is 'sse, deep' 1

repair 'behind the end' "$(text 'Hi.' '"stop"')$nl$nl$(served '{"index":0,"delta":{"content":"Ho."}},{"index":1,"delta":{"content":"Hu."}}')$nl$nl$done_line"
status_is 'sse, text behind finish_reason' 1
out_has 'sse, text behind finish_reason: it is there' 'Ho.'
[ "$(grep -c 'Hu\.' out)" -eq 1 ]
verdict 'sse, text behind finish_reason: the line is there once' $?
many=
for i in {0..1024}; do
    many+=",{\"index\":$i,\"delta\":{\"content\":\"A\"}}"
done
repair 'many' "$(served "${many:1}")"
status_is 'sse, too many choices' 1
out_has 'sse, too many choices' '"message":"there are too many"'
[ "$(grep -c '"content":"A"' out)" -eq 1024 ]
verdict 'sse, too many choices: the first 1024 are there' $?

repair 'an error' "$(text 'Hi.')$nl${nl}data: {\"error\":{\"message\":\"out of memory\"}}"
status_is 'sse, an error of the server' 1
out_has 'sse, an error of the server: it is passed on' 'data: {"error":{"message":"out of memory"}}'
err_has 'sse, an error of the server' '-:3: the server reports an error'
repair 'an error in a call' "$(text '<tool_call>{\"name\":\"f\",\"arguments\":{\"a')$nl${nl}data: {\"error\":{\"message\":\"gone\"}}$nl$nl$done_line"
[ "$(tail -n 4 out | head -n 1)" = 'data: {"error":{"message":"gone"}}' ] && ! grep -q '"finish_reason":"' out
verdict 'sse, an error of the server: nothing is made up behind it' $?
repair 'an error behind a call' "$(text "$wire")$nl${nl}data: {\"error\":{\"message\":\"gone\"}}$nl$nl$done_line"
[ "$(tail -n 4 out | head -n 1)" = 'data: {"error":{"message":"gone"}}' ] && ! grep -q '"finish_reason":"' out
verdict 'sse, an error of the server behind a call: nothing is made up' $?

# What is no raw text of chat says what to do.
repair completions "$(served '{"index":0,"text":"Hi.","finish_reason":null}')$nl$nl$done_line"
status_is 'sse, /v1/completions' 1
err_has 'sse, /v1/completions' 'choices[].text: a chunk of /v1/completions: '
repair parsed "$(served '{"index":0,"delta":{"tool_calls":[{"index":0,"id":"a","function":{"name":"f","arguments":"{}"}}]}}')$nl$nl$done_line"
err_has 'sse, calls of the server' 'choices[].delta.tool_calls: the server splits calls out of the text itself: '
repair answer '{"object":"chat.completion","choices":[{"message":{"content":"Hi."}}]}'
err_has 'sse, a whole answer' '`toolwire convert -f chat-completion -t chat-completion --wire hermes`'
repair chunks '{"object":"chat.completion.chunk","choices":[{"index":0,"delta":{"content":"Hi."}}]}'
err_has 'sse, chunks without data:' "sed 's/.*/data: &\\n/'"

repair 'no field' "Internal Server Error"
status_is 'sse, no field' 1
out_has 'sse, no field' "Internal Server Error$nl"
out_has 'sse, no field: nothing was read' "$cut_error"
err_has 'sse, no field' '-:1: no field of server-sent events'
repair 'no fields' "$(yes '  ' | head -n 3000)"
[ "$(wc -l <err)" -lt 30 ]
verdict 'sse, no fields: each is not said without end' $?
err_has 'sse, no fields' 'in all: `no field of server-sent events` 3000 times'
repair 'errors' "$(yes 'data: {"error":{"message":"no"}}
' | head -n 3000)"
[ "$(wc -l <err)" -lt 30 ]
verdict 'sse, errors of the server: each is not said without end' $?

repair strict "$(text '<tool_call>{\"name\":\"f\",\"arguments\":{},}</tool_call>' '"stop"')$nl$nl$done_line" --strict
status_is 'sse --strict' 1
out_has 'sse --strict' 'data: {"error":{"code":"TW_ERROR_DEVIATION","line":1,'
out_lacks 'sse --strict: the stream ends' '[DONE]'
err_has 'sse --strict' 'TW_ERROR_DEVIATION: trailing_comma: '
printf 'old' >kept
repair strict "$(text '<tool_call>{\"name\":\"f\",\"arguments\":{},}</tool_call>' '"stop"')" --strict -o kept
[ "$(cat kept)" = old ]
verdict 'sse --strict -o: the old file stays' $?
repair limit "$(text 'Hello, hello.' '"stop"')" --limit input=4
status_is 'sse --limit input' 1
err_has 'sse --limit input' 'TW_ERROR_LIMIT'

# ---- every cut, several choices, why it ended ------------------------------

if command -v python3 >/dev/null; then
    counts=$(python3 "$parts/sse.py" "$T") || true
    case ${counts##*"$nl"} in
    [0-9]*' '[0-9]*)
        counts_line=${counts##*"$nl"}
        passed=$((passed + ${counts_line% *}))
        failed=$((failed + ${counts_line#* }))
        grep FAILED <<<"$counts"
        ;;
    *) false; verdict 'sse.py ran to its end' $? ;;
    esac
else
    echo 'sse: SKIPPED: every cut of a stream: there is no python3'
fi

# As bytes arrive: before the second part is written.
slow from-sse "$(text '<tool_call>{\"name\":\"tide\",\"arguments\":{\"at\":\"Quimper and so on')$nl$nl" \
    "$(text '\"}}</tool_call>' '"stop"')$nl$nl" 'Quimper' stream -f hermes --from-sse
