# SPDX-License-Identifier: MIT
#
# Formats that come from files.
# A part of tests/cli.sh.

cat >mine.json <<'END'
{"format": 1, "name": "mine", "about": "a format of mine",
 "call": "<do>{name}<with>{arguments}</do>", "reasoning": "<mind>{text}</mind>",
 "stops": "<|stop|>", "end": "<|stop|>",
 "example": "<do>tide<with>{\"at\": \"Brest\"}</do><|stop|>"}
END
mkdir -p of/mine
cp mine.json of/mine/described
mine='<do>tide<with>{"at":"Brest"}</do>'

for file in mine.json ./mine.json "$work/mine.json" of/mine/described; do
    run "$mine" decode -f "$file"
    status_is "decode -f $file" 0
    out_is "decode -f $file" "$message$nl"
    silent "decode -f $file"
done
run "$mine" stream -f mine.json --events
status_is 'stream -f FILE' 0
out_has 'stream -f FILE' 'call_begin'
run "$mine" check -f mine.json
status_is 'check -f FILE' 0
run '{"messages":['"$message"']}' convert -f openai -t mine.json --unit completion
status_is 'convert -t FILE' 0
out_has 'convert -t FILE' '<do>tide<with>{\"at\": \"Brest\"}</do><|stop|>'
mv out text.jsonl
run "$(cat text.jsonl)" convert -f mine.json -t openai --unit completion
status_is 'convert -f FILE' 0
out_has 'convert -f FILE' '"name":"tide"'
run "$(cat text.jsonl)" convert -f mine.json -t mine.json --unit completion -j 2
status_is 'convert from and to a FILE' 0
run '' gen -f mine.json --count 3
status_is 'gen -f FILE' 0
out_lines 'gen -f FILE' 3
run "$mine" decode -f mine.json -f hermes
out_has 'the last -f counts' '"content":"<do>'

# What is wrong with a file.
run "$mine" decode -f none.json
status_is '-f of no file' 3
err_has '-f of no file' 'none.json: '
err_lines '-f of no file' 1
run "$mine" decode -f ./none
status_is '-f ./none' 3
run "$mine" decode -f of/none
status_is '-f of/none' 2
err_has '-f of/none' "unknown format 'of/none'"
printf '{"format": 1,\n "call": }' >bad.json
run "$mine" decode -f bad.json
status_is '-f of no JSON' 1
err_has '-f of no JSON' 'bad.json:2: 23: TW_ERROR_JSON: not JSON'
err_lines '-f of no JSON' 1
printf '{"format":1,"call":"<c>{nme}"}' >bad.json
run "$mine" convert -f openai -t bad.json
status_is '-t of no description' 1
err_has '-t of no description' 'bad.json:1: 0: TW_ERROR_SCHEMA: call: 3: {nme} is no hole here'
err_lines '-t of no description' 1
: >bad.json
run "$mine" decode -f bad.json
status_is '-f of an empty file' 1
err_has '-f of an empty file' 'bad.json:1: 0: TW_ERROR_JSON: the document is empty'
err_lines '-f of an empty file' 1

# ---- formats NAME ----------------------------------------------------------

described=
for format in $formats; do
    run '' formats "$format" --json
    status_is "formats $format --json" 0
    grep -q '"format": 1' out || continue
    described=$format
    mv out described.json
    run '' formats described.json --json
    cmp -s out described.json
    verdict "formats $format --json: the description loads back" $?
done
run '' formats "$described"
status_is 'formats NAME' 0
out_has 'formats NAME' "$described: "
out_has 'formats NAME' 'call_open '
out_has 'formats NAME' '"format": 1'
run '' formats mine.json --json -o mine2.json
status_is 'formats FILE --json -o' 0
run "$mine" decode -f mine2.json
out_is 'a description that was printed' "$message$nl"
run '' formats "$program"
out_lacks 'formats of a program' '"format": 1'
usage formats hermess
usage formats hermes hermes
run '' formats none.json
status_is 'formats of no file' 3

# ---- check-format ----------------------------------------------------------

echo '{"format": 1, "call": "<c>{name}<i>{id}<a>{arguments}</c>"}' >ids.json
run '' check-format ids.json
status_is 'check-format where each call has an id' 0
out_has 'check-format where each call has an id' '<i>call_0<a>'
echo '{"format": 1, "call": "[{name} {arguments}|", "between": "|and|"}' >doubts.json
run '' check-format doubts.json
out_has 'check-format of a byte of JSON' 'one byte that JSON may hold'
out_has 'check-format of text between calls' 'between: it is neither'
echo '{"format": 1, "call": "<c>{name}<a>{arguments}</c>", "reasoning": "<t>{text}Brest"}' >doubts.json
run '' check-format doubts.json
out_has 'check-format, not read back' 'sample, not read back'
out_has 'check-format, not read back' 'near: no format'
echo '{"format": 1, "id": "nine", "call": "<c>{name}<i>{id}<a>{arguments}</c>"}' >ids.json
run '' check-format ids.json
status_is 'check-format where each id has nine letters' 0


run '' check-format mine.json
status_is 'check-format' 0
out_has 'check-format' 'loads: mine: a format of mine'
out_has 'check-format' 'warning: turn: missing'
out_lacks 'check-format' 'warning: stops: missing'
out_has 'check-format' 'sample, read back: "<mind>'
out_has 'check-format' 'near: no format that is built in shares a marker'
silent 'check-format'
for format in $formats; do
    "$T" formats "$format" --json >described.json
    grep -q '"format": 1' described.json || continue
    run '' check-format described.json
    status_is "check-format of $format" 0
    # An unmarked call, or no turn, is what some models have.
    grep -E '^warning: (example|end|argument|values):' out >warnings
    [ ! -s warnings ]
    verdict "check-format of $format: nothing is doubtful in what is built in" $?
    out_has "check-format of $format" 'reads the sample alike'
done
# Nothing of a description is a command to a terminal, and it loads back.
cat >terminal.json <<'END'
{"format": 1, "name": "m\u001b[31mine\u009b", "about": "a\u0007\u001b]0;x\u0007\nb\u007f\u009bc",
 "call": "<do\u001b[2J>{name}<with\u009bK>{arguments}</do\u007f>", "turn": "\u001bc",
 "stops": "<|st\u009bop|>", "end": "<|st\u009bop|>"}
END
for command in check-format formats 'formats --json'; do
    # shellcheck disable=SC2086
    run '' $command terminal.json
    LC_ALL=C grep -qP '[\x00-\x09\x0b-\x1f\x7f]|\xc2[\x80-\x9f]' out
    [ $? -eq 1 ] && [ -s out ]
    verdict "$command: nothing is a command to a terminal" $?
done
mv out terminal2.json
run '' formats terminal2.json --json
cmp -s out terminal2.json && grep -qF '<with\u009bK>' out
verdict 'formats --json: escapes load back' $?
run '' check-format terminal.json
out_has 'check-format of escapes' 'loads: m\x1b[31mine\xc2\x9b: a\x07\x1b]0;x\x07\x0ab\x7f\xc2\x9bc'
out_has 'check-format of escapes' '<with\u009bK>'
run '' formats terminal.json
out_has 'formats FILE of escapes' 'm\x1b[31mine\xc2\x9b: a\x07'
# What is written between text and calls is text.
printf '%s' '{"format":1,"call":"<c>{object}</c>","gap":"and then"}' >odd.json
run '' check-format odd.json
status_is 'check-format of what does not read back' 1
out_has 'check-format of what does not read back' 'sample, not read back: '
out_has 'check-format of what does not read back' 'error: the sample does not read back: '
out_has 'check-format of what does not read back' 'warning: stops: missing'
out_has 'check-format of what does not read back' 'warning: example: missing'
run '' check-format odd.json -o checked
status_is 'check-format -o' 1
[ -s checked ]
verdict 'check-format -o: the file is written' $?
run '' check-format bad.json
status_is 'check-format of what does not load' 1
err_lines 'check-format of what does not load' 1
run '' check-format nowhere.json
status_is 'check-format of no file' 3
usage check-format
usage check-format a b

# What a description lets nobody write.
printf '{"format":1,"name":"one","call":"<c>{name}>{arguments}</c>",
 "argument":"<k>{key}<v>{value:json}</v>","end":"<|e|>","stops":"<|e|>"}' >json_only.json
run '{"messages":['"$message"']}' convert -f openai -t json_only.json --unit completion
status_is '-t of a format without strings' 1
err_has '-t of a format without strings' 'function.arguments.at: the format cannot write such a value'
printf '{"format":1,"name":"one","call":"<c>{raw}","raw_name":"python",
 "end":"<|e|>","stops":"<|e|>"}' >free_text.json
custom='{"messages":[{"role":"assistant","content":null,"tool_calls":[{"id":"c","type":"custom","custom":{"name":"NAME","input":"x = 1"}}]}]}'
run "${custom/NAME/python}" convert -f openai -t free_text.json --unit completion
out_is '-t of free text' '{"text":"<c>x = 1<|e|>","messages":[]}'"$nl"
run "${custom/NAME/lua}" convert -f openai -t free_text.json --unit completion
status_is '-t of free text: another name' 1
err_has '-t of free text: another name' "custom.name: the format's calls with free text have another name"
run '' check-format free_text.json
status_is 'check-format: calls that no sample has' 1
err_has 'check-format: calls that no sample has' 'a sample cannot be written: the format has no such calls'
: >empty.json
run "$mine" decode -f empty.json
status_is '-f of an empty file' 1
err_has '-f of an empty file' 'the document is empty'
head -c 17000000 /dev/zero | tr '\0' ' ' >long.json
run "$mine" decode -f long.json
status_is '-f of a file that is too long' 1
err_has '-f of a file that is too long' 'too long for a description'
rm long.json
mkdir folder.json
run "$mine" decode -f folder.json
status_is '-f of a folder' 3
err_has '-f of a folder' 'folder.json: there is no chat_template.jinja'
cat >template.json <<'END'
{"response_template":{"defaults":{"role":"assistant"},"start_anchor":"<|turn|>model\n",
 "fields":{"thinking":{"open":"<mind>","close":"</mind>"},
  "tool_calls":{"open":"<use>","close":"</use>","repeats":true,"content":"json",
   "transform":{"type":"function","function":"{content}"}},
  "content":{"close":[" <|stop|>\n","<|over|>"]}}}}
END
run 'Bye.<|stop|>' decode -f template.json
out_is '-f of a template: blanks around a stop are framing' \
    '{"role":"assistant","content":"Bye."}'"$nl"
