# SPDX-License-Identifier: MIT
#
# detect: which format a text may be.
# A part of tests/cli.sh.

# Each format's own writing is read by that format, or alike.
printf '{"messages":[%s]}\n' "$message" >messages
for format in $formats; do
    "$T" convert -f openai -t "$format" --unit completion messages >log
    # What the encoder writes of a format may be read with deviations: that is
    # a matter of the format's own cases.
    run "$(cat log)" decode -f "$format" --jsonl
    grep -qF '"toolwire"' out && continue
    mv out own
    run "$(cat log)" detect --jsonl
    grep -E '^  read alike by |^[^ ]+: [0-9]+ call' out | tr ',' '\n' |
        sed 's/: .*//; s/.* //' | grep -qx -- "$format"
    verdict "detect $format: it is named" $?
    chosen=$(sed -n 's/^go on with: .* -f \([^ ]*\) .*/\1/p' out)
    if [ "$status" -ne 0 ]; then
        out_has "detect $format" 'two or more formats fit'
        continue
    fi
    grep -qF '"name":"tide"' own || continue
    "$T" decode -f "$chosen" --jsonl log 2>&1 | sed 's/": /":/g' |
        grep -qF '"name":"tide","arguments":"{'
    verdict "detect $format: the command to go on with reads it" $?
done

run "$hermes" detect
status_is 'detect' 0
out_has 'detect' '1 call in 1 text, 0 deviations'
out_has 'detect' 'markers seen: "<tool_call>" 1, "</tool_call>" 1'
out_has 'detect' 'go on with: toolwire decode -f hermes/qwen3'
silent 'detect'
run "Because.</think>$hermes" detect
status_is 'detect of what begins in reasoning' 0
out_has 'detect of what begins in reasoning' '-f hermes/qwen3 --start reasoning'
printf '%s' "$hermes" >text
run '' detect text -o found
status_is 'detect FILE -o' 0
grep -q ' -f hermes/qwen3 text$' found
verdict 'detect FILE: the command has the file' $?

# Of a model's own files the template is told, not a format.
run '{% for m in messages %}<|im_start|>{{ m.role }}{% endfor %}' detect
status_is 'detect of a chat template' 1
err_has 'detect of a chat template' 'detect --template FILE'

# No guess where nothing tells, or nothing fits.
for text in '' 'Hello.' 'It writes <tool_call> around a call.'; do
    run "$text" detect
    status_is "detect of '$text'" 1
    out_has "detect of '$text'" 'no format: '
    out_lacks "detect of '$text'" 'go on with'
done
run "$hermes_comma" detect
status_is 'detect of a deviation' 1
out_has 'detect of a deviation' 'no format reads it without a deviation'
out_has 'detect of a deviation' '1 deviation, first: trailing_comma'
out_lacks 'detect of a deviation' 'go on with'
run "$hermes$second_call" detect
status_is 'detect of two formats in one text' 1
out_lacks 'detect of two formats in one text' 'go on with'

# Logs.
for i in 1 2 3; do
    printf '{"raw":{"out":%s}}\n' '"<tool_call>{\"name\":\"now\",\"arguments\":{}}</tool_call>"'
done >log
run '' detect --jsonl --field raw.out log
status_is 'detect --jsonl' 0
out_has 'detect --jsonl' '3 calls in 3 texts'
out_has 'detect --jsonl' 'decode -f hermes/qwen3 --jsonl --field raw.out log'
for i in $(seq 250); do echo '"<tool_call>{\"name\":\"now\",\"arguments\":{}}</tool_call>"'; done >long
run '' detect --jsonl long
out_has 'detect of a long log' 'of the first 200 texts:'
run '{"text":1}' detect --jsonl
status_is 'detect of a record without text' 1
err_has 'detect of a record without text' "-:1: no text in the field 'text': "
run '{"x":}' detect --jsonl
status_is 'detect of a bad record' 1
err_has 'detect of a bad record' '-:1: not JSON'
run '' detect nowhere.txt
status_is 'detect of no file' 3
usage detect a b
usage detect --field x

# Records of a shape, and what assistants say in them.
wired='{"conversations":[{"from":"human","value":"q"},{"from":"gpt","value":"<tool_call>\n{\"name\": \"now\", \"arguments\": {}}\n</tool_call>"}]}'
plain='{"instruction":"q","output":"a"}'
run "$wired
$wired" detect
status_is 'detect of records' 0
out_has 'detect of records' 'shape sharegpt: 2 records, {"conversations"'
out_has 'detect of records' '2 calls in 2 texts, 0 deviations'
out_has 'detect of records' 'go on with: toolwire convert -f sharegpt --wire hermes/qwen3 -t openai'
printf '%s\n' "$wired" >wired
eval "run '' $(run '' detect wired; sed -n 's/^go on with: toolwire //p' out)"
out_has 'detect of records: the command to go on with reads them' '"name":"now"'
run "$plain" detect
status_is 'detect of records of text' 0
out_has 'detect of records of text' 'go on with: toolwire convert -f alpaca -t openai'
out_lacks 'detect of records of text' 'no format'
run "$plain
$wired
{\"x\":1}" detect
out_has 'detect of two shapes' 'shapes alpaca, sharegpt: 3 records, 1 that convert refuses'
out_has 'detect of two shapes' 'go on with: toolwire convert -f auto --wire hermes/qwen3 -t openai'
run '{
 "instruction": "q",
 "output": "a"
}' detect
out_has 'detect of a record in lines' 'shape alpaca: 1 record'
run '{"messages":[{"role":"assistant","content":"<tool_call>{\"name\":\"f\",\"arguments\":{,}}</tool_call>"}]}' detect
status_is 'detect of records that deviate' 1
out_has 'detect of records that deviate' 'go on with: toolwire convert -f openai --wire FORMAT -t openai'
run "$wired" detect --json
json_is_shape=$(python3 -c 'import json; got = json.load(open("out")); print(got["shape"], got["records"], got["verdict"])')
[ "$json_is_shape" = 'sharegpt 1 one' ]
verdict 'detect --json of records' $?

# As JSON: the same verdicts, and what tells.
json_is() {
    python3 -c 'import json, sys
got = json.load(open("out"))
assert eval("(" + sys.argv[1] + ")"), got' "$2" 2>err
    verdict "$1" $?
}
run "$hermes" detect --json
status_is 'detect --json' 0
out_lines 'detect --json' 1
json_is 'detect --json: the evidence' 'got["verdict"] == "one" and
    got["texts"] == 1 and got["readings"][0] == dict(format="hermes/qwen3",
    calls=1, reasoning=0, starts_in_reasoning=0, unparsed=0, deviations=0,
    first=None, markers={"<tool_call>": 1, "</tool_call>": 1},
    alike=got["readings"][0]["alike"])'
json_is 'detect --json: who reads it alike' \
    '"hermes/nous" in got["readings"][0]["alike"]'
run 'Hello.' detect --json
status_is 'detect --json of nothing' 1
json_is 'detect --json of nothing' \
    'got == dict(verdict="none", texts=1, readings=[])'
run "$hermes_comma" detect --json
status_is 'detect --json of a deviation' 1
json_is 'detect --json of a deviation' 'got["verdict"] == "near" and
    got["readings"][0]["first"] == "trailing_comma"'

run "$hermes" detect --max-record 5
status_is 'detect of more than --max-record' 1
err_has 'detect of more than --max-record' 'longer than --max-record'
run '<tool_call>{"name":"f","arguments":{"a":@@}}</tool_call>' detect
status_is 'detect of a call that cannot be read' 1
out_has 'detect of a call that cannot be read' '0 calls in 1 text, 1 call that cannot be read, '
run '{"messages":[{"role":"user","content":"Hi."}]}'"$nl  $nl"'{"messages":[]}' detect
out_has 'detect of records with a blank line between them' 'shape openai: 2 records'
run '<tool_call>{"name":"f","arguments":{"a":"\ud83d"}}</tool_call>' detect
out_has 'detect: a warning is no deviation' '1 call in 1 text, 0 deviations'

# ---- a log that is read as one text ----------------------------------------

in_json=${hermes//\"/\\\"}
printf '{"prompt":"Hi.","text":"%s"}\n{"prompt":"Hi.","text":"x"}\n' "$in_json" >texts.jsonl
sed 's/"text"/"completion"/; s/"prompt"/"id"/' texts.jsonl >others.jsonl
for command in decode check; do
    "$T" $command -f hermes texts.jsonl >out 2>err
    err_has "$command, a log without --jsonl" \
        "toolwire: $command: warning: texts.jsonl: its lines are JSON records, but it is read as one text: --jsonl reads the text of each"
    [ "$(grep -c -e --jsonl err)" -eq 1 ]
    verdict "$command, a log without --jsonl: it is said once" $?
    "$T" $command -f hermes others.jsonl >out 2>err
    err_has "$command, a log of another field" 'read as one text: --jsonl --field completion reads'
    printf '{"messages":[{"role":"user","content":"%s"}]}\n' a b >log.jsonl
    "$T" $command -f hermes log.jsonl >out 2>err
    err_has "$command, records of a shape" "toolwire: $command: warning: log.jsonl: its lines are records of the shape openai, but it is read as one text: \`toolwire convert -f openai -t openai --wire hermes/qwen3\` reads the texts in them"
    "$T" $command -f hermes --jsonl texts.jsonl >out 2>err
    silent "$command, a log with --jsonl"
    for text in '{"name":"tide","text":"x"}' '{"text":5}' 'text' \
        $'{"text":"x"}\nand more' $'{"text":"x"}\n{"name":"f","text":"x"}' '{"text":"x"'; do
        run "$text" $command -f hermes
        silent "$command, no log: $text"
    done
for command in decode check; do
    run '{"response": "Hello."}' $command -f json
    status_is "$command, an answer that is JSON by its format" 0
    err_lines "$command, an answer that is JSON by its format" 0
done
done
"$T" detect texts.jsonl >out 2>err
status=$?
status_is 'detect, a log without --jsonl' 0
out_has 'detect, a log without --jsonl' 'hermes/qwen3: 1 call in 2 texts'
out_has 'detect, a log without --jsonl' 'go on with: toolwire decode -f hermes/qwen3 --jsonl texts.jsonl'
"$T" detect others.jsonl >out 2>err
out_has 'detect, a log of another field' '-f hermes/qwen3 --jsonl --field completion others.jsonl'
"$T" detect --json texts.jsonl >out 2>err
out_has 'detect --json, a log without --jsonl' '"texts":2'
