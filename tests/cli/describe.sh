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
err_lines '-f of an empty file' 1
