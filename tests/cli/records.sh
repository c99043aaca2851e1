# SPDX-License-Identifier: MIT
#
# Logs: decode --jsonl and check.
# A part of tests/cli.sh.

# ---- JSONL -----------------------------------------------------------------

call='{"text":"<tool_call>{\"name\":\"tide\",\"arguments\":{\"at\":\"Brest\"}}</tool_call>"}'
comma='{"text":"<tool_call>{\"name\":\"f\",\"arguments\":{},}</tool_call>"}'
printf '%s\n' '"a"' '' 'no' "$call" '{"x":1}' '[]' '{"text":3}' "$comma" \
    '"\ud83d\ude00"' ' "b" ' >log
printf '"NUL \0"\n"last"' >>log
"$T" decode --jsonl -f hermes log >out 2>err
status=$?
status_is 'jsonl' 1
out_lines 'jsonl: a line for every line' 12
jsonl_line() {
    [ "$(sed -n "$1p" out)" = "$2" ]
    verdict "jsonl: line $1" $?
}
jsonl_line 1 '{"role":"assistant","content":"a"}'
jsonl_line 4 "$message"
jsonl_line 10 '{"role":"assistant","content":"b"}'
jsonl_line 12 '{"role":"assistant","content":"last"}'
for bad in 2:JSON 3:JSON 5:SCHEMA 6:SCHEMA 7:SCHEMA 11:JSON; do
    sed -n "${bad%:*}p" out | grep -qE \
        '^\{"error":\{"code":"TW_ERROR_'"${bad#*:}"'","offset":[0-9]+,.*"message":"[^"]+"\}\}$'
    verdict "jsonl: line ${bad%:*} is an error of ${bad#*:}" $?
    grep -q "^log:${bad%:*}: [0-9]*: TW_ERROR_${bad#*:}: " err
    verdict "jsonl: line ${bad%:*} is on stderr" $?
done
grep -q '^log:8: [0-9]*: trailing_comma: ' err
verdict 'jsonl: a diagnostic has its line' $?
for size in 1 3; do
    cp out before
    "$T" decode --jsonl -f hermes --chunk $size log >out 2>/dev/null
    cmp -s out before
    verdict "jsonl: --chunk $size changes nothing" $?
done
"$T" decode --jsonl -f hermes --strict log >out 2>err
out_lines 'jsonl --strict' 12
jsonl_line 4 "$message"
sed -n 8p out | grep -qE '^\{"error":\{"code":"TW_ERROR_DEVIATION",.*"trailing_comma"'
verdict 'jsonl --strict: only that record is the error' $?
run '' decode --jsonl -f hermes
status_is 'jsonl: no record' 0
out_lines 'jsonl: no record' 0
run '"a"' decode --jsonl -f hermes
out_lines 'jsonl: no line feed at the end' 1
run "\"a\"$nl" decode --jsonl -f hermes
out_lines 'jsonl: a line feed at the end' 1
run "\"a\"$nl$nl" decode --jsonl -f hermes
out_lines 'jsonl: an empty last line' 1
status_is 'jsonl: an empty last line' 0
run "\"a\"$(printf '\r')$nl" decode --jsonl -f hermes
status_is 'jsonl: CR LF' 0
run '{"a":{"b":"x"},"text":"y"}' decode --jsonl -f hermes --field a.b
out_is 'jsonl --field' '{"role":"assistant","content":"x"}'"$nl"
run '{"a":{"b":"x"},"text":"y"}' decode --jsonl -f hermes --field a.c
status_is 'jsonl --field, absent' 1
out_lines 'jsonl --field, absent' 1

{
    echo '"a"'
    printf '"%s"\n' "$(head -c 3000000 /dev/zero | tr '\0' x)"
    printf '"%s"\n' "$(head -c 98 /dev/zero | tr '\0' y)"
    printf '"%s"\n' "$(head -c 99 /dev/zero | tr '\0' z)"
    printf '"%s"' "$(head -c 200000 /dev/zero | tr '\0' x)"
} >long
"$T" decode --jsonl -f hermes long >out 2>err
status=$?
status_is 'jsonl: long lines' 0
out_lines 'jsonl: long lines' 5
"$T" decode --jsonl -f hermes --max-record 100 long >out 2>err
status=$?
status_is 'jsonl --max-record' 1
out_lines 'jsonl --max-record' 5
jsonl_line 1 '{"role":"assistant","content":"a"}'
for line in 2 4 5; do
    sed -n "${line}p" out | grep -q '^{"error":{"code":"TW_ERROR_LIMIT","offset":100,'
    verdict "jsonl --max-record: line $line is too long" $?
done
sed -n 3p out | grep -q yyyy
verdict 'jsonl --max-record: line 3 is as long as it may be' $?
run 'Hello.' decode -f hermes --max-record 6
status_is 'decode --max-record, as long as it may be' 0
run 'Hello.' decode -f hermes --max-record 5
status_is 'decode --max-record, too long' 1
out_lines 'decode --max-record, too long' 0
err_has 'decode --max-record, too long' '-:1: 5: TW_ERROR_LIMIT: '

# ---- check -----------------------------------------------------------------

"$T" check --jsonl -f hermes log >out 2>err
status=$?
status_is 'check --jsonl' 1
out_is 'check --jsonl' '{"code":"TW_ERROR_JSON","count":3,"records":3}
{"code":"TW_ERROR_SCHEMA","count":3,"records":3}
{"code":"trailing_comma","count":1,"records":1}
'
grep -q '^log:8: [0-9]*: trailing_comma: ' err
verdict 'check: positions are on stderr' $?
printf '%s' "$hermes_comma$hermes_comma" >twice
printf '%s' "$hermes_comma" >once
printf '%s' '<tool_call>{"name":"f","arguments":{"a":' >cut
"$T" check -f hermes twice file once cut >out 2>err
status=$?
status_is 'check FILE...' 1
grep -qxF '{"code":"trailing_comma","count":3,"records":2}' out
verdict 'check: counts and records' $?
out_has 'check: why something is unparsed' '"code":"truncated_call"'
sort -c out
verdict 'check: sorted' $?
grep -q '^once:1: ' err && grep -q '^twice:1: ' err
verdict 'check: names the file' $?
run "$hermes" check -f hermes
status_is 'check, nothing wrong' 0
out_is 'check, nothing wrong' ''
run "$hermes" check -f hermes --tools tools.json
status_is 'check: a warning is no deviation' 0
out_has 'check: a warning is counted' '{"code":"undeclared_tool","count":1,"records":1}'
run "$hermes_comma" check -f hermes --strict
status_is 'check --strict' 1
out_has 'check --strict' '{"code":"trailing_comma","count":1,"records":1}'
run "$second_cut" check -f $second
status_is 'check: unparsed' 1
run "$hermes" check -f hermes --start reasoning --finish length \
    --calls-in-reasoning 0 --chunk 1 --limit depth=9
status_is 'check takes the options of decode' 0
# Those of what writes messages would have no effect.
for option in --hold-calls --custom=function --reasoning-key=reasoning \
    --call-id-prefix=x --first-call=1; do
    usage check -f hermes "$option"
done
run '' check --help
for option in hold-calls custom reasoning-key call-id-prefix first-call; do
    out_lacks 'check --help' "--$option"
done

# Half of a surrogate pair in a record's JSON is reported.
run '{"text":"a\ud83db"}' decode -f hermes --jsonl
status_is 'jsonl: a lone surrogate' 0
err_has 'jsonl: a lone surrogate is reported' '-:1: 1: invalid_utf8: '
run '{"text":"a\ud83db"}' decode -f hermes --jsonl --strict
status_is 'jsonl: a lone surrogate, --strict' 1
out_has 'jsonl: a lone surrogate, --strict' '"diagnostic":"invalid_utf8","offset":1'
run '{"other":"\ud800","text":"ab\ud83db"}' decode -f hermes --jsonl
err_has 'jsonl: a lone surrogate behind another one' '-:1: 2: invalid_utf8: '

# What of a transcript is in no turn is reported.
run 'xx<|turn>user
a<turn|>
' decode -f $second --transcript
status_is 'a transcript with text before its turns' 0
err_has 'a transcript with text before its turns' '-:1: 0: stray_text: '
out_has 'a transcript with text before its turns' \
    '{"messages":[{"role":"user","content":"a"}]}'

# It stays what it is where a text is made of others, and beside what looks
# like one.
image() {
    printf '{"messages":[{"role":"user","content":[{"type":"image","source":'
    printf '{"type":"base64","media_type":"%s","data":"%s"}}]}]}' "$1" "$2"
}
for image in 'image/\ud83d AAAA' 'image/png AA\ud83dA'; do
    # shellcheck disable=SC2086
    run "$(image $image)" convert -f anthropic -t openai
    out_has "convert: a lone surrogate: $image" \
        '"image_url":{"url":"data:'"${image/ /;base64,}"'"}'
done
run '{"messages":[{"role":"assistant","tool_calls":[{"id":"x","type":"function",'\
'"function":{"name":"f","arguments":"{\"a\": \"\ud55c\ud83d\"}"}}]}]}' \
    convert -f openai -t anthropic
out_has 'convert: a lone surrogate behind U+D55C in arguments' \
    '"input":{"a":"한\ud83d"}'

# Thoughts may be parts of a content: reasoning, where no parts are.
thinking='{"messages":[{"role":"assistant","content":[{"type":"thinking","thinking":[{"type":"text","text":"why"}],"closed":true},{"type":"text","text":"4 m"}]}],"id":7}'
run "$thinking" convert -f openai -t openai
out_is "convert: parts of thoughts stay in OpenAI's messages" "$thinking$nl"
run "$thinking" convert -f openai -t anthropic --report lost
out_is "convert: parts of thoughts are reasoning" \
    '{"messages":[{"role":"assistant","content":[{"type":"thinking","thinking":"why"},{"type":"text","text":"4 m"}]}],"id":7}
'
[ ! -s lost ]
verdict "convert: parts of thoughts are reasoning, and nothing is lost" $?
run '{"messages":[{"role":"user","content":"q"},'"${thinking#*[}" convert -f auto -t hermes
out_has "convert: parts of thoughts are a format's reasoning" '<think>\nwhy\n</think>\n\n4 m'
run "$thinking" convert -f openai -t openai/finetune --report lost
grep -q '"code":"reasoning_dropped".*"path":"messages\[0\].content\[0\].thinking\[0\].text"' lost
verdict "convert: parts of thoughts are told where they have no place" $?
run '{"choices":[{"message":{"role":"assistant","content":[{"type":"text","text":"a"},{"type":"thinking","thinking":[{"type":"text","text":"b"},{"type":"text","text":"c"},{"type":"reference"}],"closed":false}]}}]}' \
    convert -f auto -t gemini --report lost
out_has "convert: several parts of thoughts are joined" '{"text":"b\n\nc","thought":true},{"text":"a"}'
[ "$(sed 's/.*"code":"\([^"]*\)".*/\1/' lost | tr '\n' ' ')" = \
    'texts_joined texts_joined part_not_text member_dropped content_moved ' ]
verdict "convert: what is odd in parts of thoughts is told" $?
run '{"messages":[{"role":"user","content":"q"}],"response":{"choices":[{"message":{"role":"assistant","content":"a"}}]}}' \
    convert -f auto -t openai --stats
grep -q '"shapes":{"exchange":1}' err
verdict "convert: a request with its response is named, and not its half" $?
