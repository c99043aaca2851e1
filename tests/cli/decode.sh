# SPDX-License-Identifier: MIT
#
# decode, and the options that check and stream share with it.
# A part of tests/cli.sh.

# ---- decode ----------------------------------------------------------------

# decodes FORMAT: what its encoder makes of a message is that message, but for
# ids and blanks, which some wires have of their own.
printf '{"messages":[%s]}\n' "$message" >messages
decodes() {
    local completion=texts_written/${1//\//_}.text
    "$T" decode -f "$1" "$completion" >out 2>err
    status=$?
    # It stands behind a prompt, which has opened reasoning in some formats.
    if grep -q orphan_reasoning_close err; then
        "$T" decode -f "$1" --start reasoning "$completion" >out 2>err
        status=$?
    fi
    status_is "decode $1" 0
    [ "$(sed 's/"id":"[^"]*"/"id":"call_0"/; s/\\n//g; s/ //g' out)" = "$message" ]
    verdict "decode $1: the message" $?
    silent "decode $1"
}
if [[ $left_out == *" -formats "* ]]; then
    : # left out
elif command -v python3 >/dev/null; then
    mkdir texts_written
    for format in $formats $families; do
        "$T" convert -f openai -t "$format" --unit completion messages \
            >"texts_written/${format//\//_}"
    done
    python3 -c 'import json, sys
for name in sys.argv[1:]:
    with open(name) as record, open(name + ".text", "w", newline="") as text:
        text.write(json.load(record)["text"])' texts_written/*
    for format in $formats $families; do
        decodes "$format"
    done
else
    echo 'decode: SKIPPED: there is no python3'
fi
run "$hermes" decode -f hermes
status_is 'decode' 0
out_is 'decode' "$message$nl"
silent 'decode'

run '' decode -f hermes
status_is 'decode nothing' 0
out_is 'decode nothing' '{"role":"assistant","content":null}'"$nl"
printf 'a\0b' >nul
"$T" decode -f hermes nul >out 2>err
status=$?
out_is 'decode NUL' '{"role":"assistant","content":"a\u0000b"}'"$nl"
printf '%s' "$hermes" >file
"$T" decode -f hermes file </dev/null >out 2>err
status=$?
out_is 'decode FILE' "$message$nl"
"$T" decode --format=hermes - <file >out 2>err
out_is 'decode -' "$message$nl"
"$T" decode file -f hermes </dev/null >out 2>err
out_is 'decode FILE -f' "$message$nl"

run "$second_comma" decode -f $second
status_is 'decode, repaired' 0
err_lines 'decode, repaired' 1
printf '%s\n' \
    '-:1: 43: trailing_comma: A comma stands before a closer; it is dropped.' |
    cmp -s - err
verdict 'decode: a diagnostic is file:line: offset: code: text' $?
odd=$'odd\nname\x1b\xc2\x9b'
printf '%s' "$second_comma" >"$odd"
"$T" decode -f $second "$odd" >out 2>err
grep -qxF 'odd\x0aname\x1b\xc2\x9b:1: 43: trailing_comma: A comma stands before a closer; it is dropped.' err
verdict 'decode: control characters of a name are escaped' $?
run "$second_cut" decode -f $second
status_is 'decode, unparsed' 1
out_has 'decode, unparsed' '"unparsed":[{"text":"<|tool_call>call:tide{at:'
err_has 'decode, unparsed' ': truncated_call: '
run "$second_comma" decode -f $second --strict
status_is 'decode --strict' 1
out_is 'decode --strict' ''
err_lines 'decode --strict' 1
err_has 'decode --strict' '-:1: 43: TW_ERROR_DEVIATION: trailing_comma: '
run "$second_call" decode -f $second --strict
status_is 'decode --strict, nothing wrong' 0

# ---- the options of decode, check and stream -------------------------------

run "Hm.</think>Hi." decode -f hermes --start reasoning
out_is '--start' '{"role":"assistant","content":"Hi.","reasoning_content":"Hm."}'"$nl"
# Whole texts: what closes reasoning that nothing opened began inside, and so
# does what has a format all of whose prompts end there.
thought='{"role":"assistant","content":"Hi.","reasoning_content":"Hm."}'
for text in 'Hm.</think>Hi.' '<think>Hm.</think>Hi.'; do
    run "$text" decode -f hermes --start auto
    out_is "--start auto: $text" "$thought$nl"
    silent "--start auto: $text"
done
run 'Hi.' decode -f hermes --start auto
out_is '--start auto, no reasoning' '{"role":"assistant","content":"Hi."}'"$nl"
printf '%s\n' '{"text":"Hm.</think>Hi."}' '{"text":"Hi."}' '{"text":"<think>Hm.</think>Hi."}' >starts.jsonl
"$T" decode -f hermes --jsonl --start auto starts.jsonl >out 2>err
out_is '--start auto of a log' "$thought$nl"'{"role":"assistant","content":"Hi."}'"$nl$thought$nl"
for chunk in 1 2 5; do
    "$T" convert -f hermes -t openai --unit completion --start auto --chunk $chunk starts.jsonl >out 2>err
    out_is "--start auto, pieces of $chunk" '{"messages":['"$thought"']}'"$nl"'{"messages":[{"role":"assistant","content":"Hi."}]}'"$nl"'{"messages":['"$thought"']}'"$nl"
done
run 'Hm.' decode -f apriel/1.6 --start auto
out_has '--start auto, where all prompts end inside' '"reasoning_content":"Hm."'
err_has '--start auto, where all prompts end inside' unclosed_reasoning
run '{"prompt":"<|im_start|>assistant\n<think>\n","text":"Hm."}' decode -f hermes --jsonl --start auto
out_has '--start auto: a prompt says more' '"reasoning_content":"Hm."'
run 'Hm.</think>Hi.' check -f hermes --start auto
status_is 'check --start auto' 0
run '{"messages":[{"role":"assistant","content":"Hm.</think>Hi."}]}' convert -f openai -t openai --wire hermes --start auto
out_is '--wire --start auto' '{"messages":['"$thought"']}'"$nl"
usage stream -f hermes --start auto
usage inspect -f hermes --start auto
run "Hm.</think>Hi." decode -f hermes --prompt-tail \
    "<|im_start|>assistant$nl<think>$nl"
out_is '--prompt-tail' '{"role":"assistant","content":"Hi.","reasoning_content":"Hm."}'"$nl"
run "<think>Hm.</think>Hi." decode -f hermes --reasoning-key reasoning
out_has '--reasoning-key reasoning' '"reasoning":"Hm."'
run "<think>Hm.</think>Hi." decode -f hermes \
    --reasoning-key reasoning_content
out_has '--reasoning-key reasoning_content' '"reasoning_content":"Hm."'
run "<think>$hermes" decode -f hermes
out_has '--calls-in-reasoning' '"name":"tide"'
err_has '--calls-in-reasoning' 'call_in_reasoning'
run "<think>$hermes" decode -f hermes --calls-in-reasoning 0
out_lacks '--calls-in-reasoning 0' '"tool_calls"'
run "<think>$hermes" decode -f hermes --calls-in-reasoning 1
out_has '--calls-in-reasoning 1' '"tool_calls"'
run "$hermes$hermes" decode -f hermes --call-id-prefix 'my"' --first-call 7
out_has '--call-id-prefix, --first-call' '"id":"my\"7"'
out_has '--call-id-prefix, --first-call' '"id":"my\"8"'
for size in 1 2 3 7 1K 1M; do
    run "$second_comma" decode -f $second --chunk "$size"
    out_has "decode --chunk $size" '"arguments":"{\"at\":\"Brest\"}"'
    err_has "decode --chunk $size" '-:1: 43: trailing_comma'
    run "$second_comma" stream -f $second --chunk "$size"
    status_is "stream --chunk $size" 0
    err_has "stream --chunk $size" '-:1: 43: trailing_comma'
done
limit() {
    run "$hermes" decode -f hermes --limit "$1"
    status_is "--limit $1" 1
    err_has "--limit $1" "$2"
    run "$hermes" stream -f hermes --limit "$1"
    status_is "stream --limit $1" 1
    err_has "stream --limit $1" "$2"
}
limit name=3 limit_name
limit arguments=5 limit_arguments
limit input=20 '-:1: 20: TW_ERROR_LIMIT: '
run "$hermes$hermes" decode -f hermes --limit calls=1
err_has '--limit calls' limit_calls
run '<tool_call>{"name":"f","arguments":{"a":[[1]]}}</tool_call>' \
    decode -f hermes --limit depth=2
err_has '--limit depth' limit_depth
run "$hermes" decode -f hermes --limit depth=1 --limit name=4 \
    --limit arguments=1K --limit calls=1 --limit input=65
status_is '--limit, just enough' 0
run "$hermes" decode -f hermes --limit name=1 --limit name=4
status_is '--limit: the last one counts' 0

echo '[{"type":"function","function":{"name":"wind"}}]' >tools.json
run "$hermes" decode -f hermes --tools tools.json
status_is '--tools' 0
err_has '--tools' ': undeclared_tool: '
"$T" decode -f hermes --tools - file <tools.json >out 2>err
err_has '--tools -' ': undeclared_tool: '
echo '["tide"]' >names.json
run "$hermes" decode -f hermes --tools names.json
silent '--tools, declared'
run "$hermes" stream -f hermes --tools names.json
silent 'stream --tools, declared'
echo '[' >bad.json
for command in decode stream check; do
    run "$hermes" $command -f hermes --tools bad.json
    status_is "$command --tools, not JSON" 1
    err_lines "$command --tools, not JSON" 1
    err_has "$command --tools, not JSON" 'bad.json:1: '
    err_has "$command --tools, not JSON" ': TW_ERROR_JSON: '
    run "$hermes" $command -f hermes --tools none.json
    status_is "$command --tools, no file" 3
    err_lines "$command --tools, no file" 1
done
echo '{}' >bad.json
run "$hermes" decode -f hermes --tools bad.json
err_has '--tools, no list' 'TW_ERROR_SCHEMA: tools: the object has no `tools`'
echo '["f",{"nam":1}]' >bad.json
run "$hermes" decode -f hermes --tools bad.json
err_has '--tools, no name' 'bad.json:1: 0: TW_ERROR_SCHEMA: tools[1]: a tool without a name'

run "$second_cut" stream -f $second --finish length --events
out_has '--finish length' '"type":"end","code":"length"'
run "$second_cut" stream -f $second --events --finish stop
out_has '--finish stop' '"type":"end","code":"stop"'
run 'Hi.' stream -f $second --finish length
out_has '--finish length in chunks' '"finish_reason":"length"'
run 'Hi.' stream -f $second
out_has '--finish is stop' '"finish_reason":"stop"'
run "$second_cut" decode -f $second --finish length
status_is 'decode --finish' 1

# ---- what is most often a wrong setting ------------------------------------

run '<|tool_call>call:f{}' decode -f hermes
status_is 'another format' 0
err_has 'another format' '-:1: 0: foreign_marker: '"$second"': '
out_has 'another format' '"size":0,"format":"'"$second"'"}'
run '<|tool_call>call:f{}' stream -f hermes
err_has 'stream, another format' '-:1: 0: foreign_marker: '"$second"': '
run '<|tool_call>call:f{}' check -f hermes
status_is 'check, another format' 0
out_is 'check, another format' '{"code":"foreign_marker","count":1,"records":1}
'
err_has 'check, another format' '-:1: 0: foreign_marker: '"$second"': '
run $'Hm.\n</think>\nHi' decode -f hermes --strict
status_is 'reasoning that nothing opened' 0
err_has 'reasoning that nothing opened' '-:1: 4: orphan_reasoning_close: '
run 'Hi' decode -f hermes --prompt-tail $'<start_of_turn>model\n'
out_has 'a prompt of another family' '"content":"Hi"'
err_has 'a prompt of another family' '-:1: 0: no_generation_prompt: '
run 'Hi' decode -f hermes --prompt-tail $'<|im_start|>user\nhi<|im_end|>\n'
status_is 'a prompt without a generation prompt' 0
out_has 'a prompt without a generation prompt' '"content":"Hi"'
err_has 'a prompt without a generation prompt' '-:1: 0: no_generation_prompt: '

# Calls against the schema of their tool.
printf '%s' '[{"type":"function","function":{"name":"f","parameters":{"type":"object","properties":{"a":{"type":"integer"}},"required":["b"]}}}]' >schema.json
run '<tool_call>{"name": "f", "arguments": {"a": "1"}}</tool_call>' decode -f hermes --tools schema.json --validate report
status_is 'decode --validate report' 0
out_has 'decode --validate report: nothing changes' '"arguments":"{\"a\": \"1\"}"'
out_has 'decode --validate report: the paths' '"diagnostics":[{"code":"parameter_type","offset":0,"size":0,"path":"a"},{"code":"missing_parameter","offset":0,"size":0,"path":"b"}]'
err_has 'decode --validate report' '-:1: 0: missing_parameter: b: A parameter that'
run '<tool_call>{"name": "f", "arguments": {"a": "1"}}</tool_call>' decode -f hermes --tools schema.json --validate refuse
status_is 'decode --validate refuse' 1
out_is 'decode --validate refuse' ''
err_has 'decode --validate refuse' '-:1: 0: TW_ERROR_DEVIATION: parameter_type: a: A value is'
run '<tool_call>{"name": "f", "arguments": {"a": "1"}}</tool_call>' check -f hermes --tools schema.json --validate report
out_has 'check --validate report' '{"code":"missing_parameter","count":1,"records":1}'
run '' decode -f hermes --validate yes
status_is 'decode --validate: no such word' 2

# The request's tool_choice.
call='<tool_call>\n{"name": "f", "arguments": {}}\n</tool_call>'
run "$(printf 'Hi\n'"$call")" decode -f hermes --tool-choice none
status_is 'decode --tool-choice none' 0
out_is 'decode --tool-choice none: a call stays text' \
    '{"role":"assistant","content":"Hi\n<tool_call>\n{\"name\": \"f\", \"arguments\": {}}\n</tool_call>"}
'
run "$(printf "$call")" stream -f hermes --tool-choice none
out_lacks 'stream --tool-choice none' 'tool_calls'
run '{"text":"<tool_call>{\"name\": \"f\", \"arguments\": {}}</tool_call>"}' convert -f hermes -t openai --unit completion --tool-choice none
out_lacks 'convert --tool-choice none' 'tool_calls'
run "$(printf "$call")" check -f hermes --tool-choice g
err_has 'check --tool-choice, another tool' 'tool_choice_unmet: The request asked for a call, or for one of one tool'
status_is 'check --tool-choice: a warning' 0
run "$(printf "$call")" check -f hermes --tool-choice required
silent 'check --tool-choice required'
