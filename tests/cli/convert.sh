# SPDX-License-Identifier: MIT
#
# Logs from one shape or format to another: convert.
# A part of tests/cli.sh.

openai='{"messages":[{"role":"user","content":"Tide?"},{"role":"assistant","content":null,"tool_calls":[{"id":"call_0","type":"function","function":{"name":"tide","arguments":"{\"at\": \"Brest\"}"}}]},{"role":"tool","tool_call_id":"call_0","content":"4.2"},{"role":"assistant","content":"4.2 m."}],"tools":[{"type":"function","function":{"name":"tide","description":"Height.","parameters":{"type":"object","properties":{"at":{"type":"string"}}}}}],"id":7}'

# A log of completions to a fine-tuning file, in one command.
printf '%s\n' \
    '{"prompt":"p","text":"<tool_call>\n{\"name\": \"tide\", \"arguments\": {\"at\": \"Brest\"}}\n</tool_call>"}' \
    '{"text":"Hello.","messages":[{"role":"user","content":"Hi."}]}' >log
"$T" convert -f hermes -t openai --unit completion log >out 2>err
status=$?
status_is 'convert: completions' 0
silent 'convert: completions'
out_is 'convert: completions to messages' \
    '{"messages":[{"role":"assistant","content":null,"tool_calls":[{"id":"call_0","type":"function","function":{"name":"tide","arguments":"{\"at\": \"Brest\"}"}}]}],"prompt":"p"}
{"messages":[{"role":"user","content":"Hi."},{"role":"assistant","content":"Hello."}]}
'
run "$openai" convert -f openai -t hermes --unit completion
out_has 'convert: the last message to a completion' '"text":"<think>\n\n</think>\n\n4.2 m.<|im_end|>\n"'
out_has 'convert: the messages in front of it stay' '"messages":[{"role":"user","content":"Tide?"}'
out_has 'convert: other members pass' '"id":7}'

# Formats of whose prompts those are read that their template writes.
"$T" formats --json | grep '"transcripts":false' | grep '"prompts":true' |
    sed 's/^{"name":"\([^"]*\)".*/\1/' >written
: >refused
for shape in $(cat written); do
    run "$openai" convert -f openai -t $shape --ids map
    status_is "convert to $shape" 0
    out_has "convert to $shape: other members pass" '"id":7'
    run "$(cat out)" convert -f $shape -t openai
    if [ $status -eq 0 ]; then
        out_has "convert to $shape and back: the same question" 'Tide?'
    else
        err_has "convert to $shape and back" 'the template does not write this'
        echo "$shape" >>refused
    fi
done
[ "$(wc -l <refused)" -le 2 ]
verdict 'convert: most of these are read back' $?
[ -s written ]
verdict 'convert: some formats have prompts and no reader of their own' $?

# There and back, over every shape.
"$T" formats --json | grep '"transcripts":true' | grep -v '"role":"string"' |
    sed 's/^{"name":"\([^"]*\)".*/\1/' >prompted
for shape in sharegpt anthropic $(cat prompted); do
    run "$openai" convert -f openai -t $shape
    status_is "convert to $shape" 0
    silent "convert to $shape"
    out_has "convert to $shape: other members pass" '"id":7'
    cp out there
    "$T" convert -f $shape -t openai there >out 2>err
    status=$?
    out_is "convert to $shape and back" "$openai$nl"
done
run "$openai" convert -f openai -t sharegpt
out_has 'sharegpt: a call is text' '{"from":"function_call","value":"{\"name\": \"tide\", \"arguments\": {\"at\": \"Brest\"}}"}'
run "$openai" convert -f openai -t openai --arguments object
out_has 'convert --arguments object' '"arguments":{"at":"Brest"}'
cp out there
"$T" convert -f openai -t openai there >out 2>err
out_is 'convert: and back to a string' "$openai$nl"
run "$openai" convert -f openai -t openai --arguments text
out_is 'convert --arguments text is what is usual' "$openai$nl"

# Wire text inside records.
wired='{"conversations":[{"from":"human","value":"q"},{"from":"gpt","value":"<tool_call>\n{\"name\": \"f\", \"arguments\": {\"a\": 1}}\n</tool_call>"},{"from":"tool","value":"<tool_response>\n1\n</tool_response>"}],"id":7}'
run "$wired" convert -f sharegpt -t openai --wire hermes/nous
status_is 'convert --wire' 0
silent 'convert --wire'
out_has 'convert --wire: a call' '"function":{"name":"f","arguments":"{\"a\": 1}"}'
cp out there
"$T" convert -f openai -t sharegpt --wire hermes/nous there >out 2>err
out_is 'convert --wire: and back' "$wired$nl"
run "$wired" convert -f sharegpt -t openai --wire hermes/nous --call-id-prefix x --first-call 3
out_has 'convert --wire: the ids are those of a decoder' '"id":"x3"'
run '{}' convert -f hermes -t openai --wire hermes
status_is 'convert --wire: no such text' 2
err_has 'convert --wire: no such text' 'convert: --wire: text of a format is read of records of a shape'
run '{}' convert -f openai -t openai --wire sharegpt
status_is 'convert --wire: a shape' 2
err_has 'convert --wire: a shape' "--wire: 'sharegpt' is a shape of records"

# Messages that stand elsewhere.
run '{"id":1,"data":{"runs":[{"n":1,"turns":[{"role":"user","content":"q"}],"tools":[{"name":"f"}]}]}}' convert -f openai -t openai --messages data.runs.0.turns
status_is 'convert --messages' 0
out_is 'convert --messages' '{"messages":[{"role":"user","content":"q"}],"tools":[{"type":"function","function":{"name":"f"}}],"id":1,"data":{"runs":[{"n":1}]}}
'
for path in data data.runs.1.turns data.runs.x.turns .; do
    run '{"data":{"runs":[{"n":1,"turns":[]}]}}' convert -f openai -t openai --messages "$path"
    [ "$status" -eq 1 ]
    verdict "convert --messages '$path': no list stands there" $?
done
run '{}' convert -f sharegpt -t openai --messages a
status_is 'convert --messages of another shape' 2
err_has 'convert --messages of another shape' '--messages goes with -f openai alone'

# Bad records spoil only themselves.
printf '%s\n' "$openai" 'no' '{"messages":[{"role":"robot"}]}' "$openai" >log
"$T" convert -f openai -t sharegpt log >out 2>err
status=$?
status_is 'convert: bad records' 1
out_lines 'convert: a line for every line' 4
grep -q '^log:2: [0-9]*: TW_ERROR_JSON: ' err
verdict 'convert: a bad record has its line' $?
"$T" convert -f openai -t sharegpt --rejects bad --stats log >out 2>err
out_lines 'convert --rejects: only good ones' 2
[ "$(cat bad)" = "no$nl"'{"messages":[{"role":"robot"}]}' ]
verdict 'convert --rejects: bad ones as they are' $?
tail -n 1 err | grep -q '^{"records":4,"written":2,"rejected":2,"unparsed":0,"losses":{"content":0,"call":0,"detail":0},"reasons":{"TW_ERROR_JSON":1,"TW_ERROR_SCHEMA":1},"shapes":{"openai":3}}$'
verdict 'convert --stats' $?
run "${openai//call_0/id}" convert -f openai -t hermes --report report
grep -q '"kind":"loss","code":"call_id","severity":"detail","path":"messages\[1\].tool_calls\[0\].id"' report
verdict 'convert --report' $?
# What is written is read back with the record's tools.
typed='{"role":"assistant","tool_calls":[{"type":"function","function":{"name":"f","arguments":"{\"n\": true}"}}]}'
for schema in boolean string; do
    run '{"messages":['"$typed"'],"tools":[{"type":"function","function":{"name":"f","parameters":{"type":"object","properties":{"n":{"type":"'$schema'"}}}}}]}' \
        convert -f openai -t glm/4.5 --unit completion --report report
    grep -c argument_type report >lost
    is_typed=$([ $schema = boolean ] && echo 0 || echo 1)
    [ "$(cat lost)" = "$is_typed" ]
    verdict "convert --report: a boolean for a $schema" $?
done

# A transcript takes the place of a record's own messages: that is a loss.
run '{"text":"<|im_start|>user\na<|im_end|>\n","messages":[1],"tools":[2]}' \
    convert -f hermes -t openai --report report
out_has 'a transcript beside messages' '{"messages":[{"role":"user","content":"a"}]}'
[ "$(grep -c '"kind":"loss","code":"member_replaced","severity":"content","path":"\(messages\|tools\)"' report)" -eq 2 ]
verdict 'a transcript beside messages: --report' $?

# Many at a time: the same bytes, the same messages, the same counts.
for i in 1 2 3 4 5 6 7 8; do cat log; done >many
for i in 1 2 3 4 5 6; do cat many many >more && mv more many; done
"$T" convert -f openai -t $second --stats --report report many >out 2>err
for jobs in 2 3 7; do
    "$T" convert -f openai -t $second --stats --report report-$jobs -j $jobs \
        many >out-$jobs 2>err-$jobs
    cmp -s out out-$jobs && cmp -s err err-$jobs &&
        cmp -s report report-$jobs
    verdict "convert -j $jobs is convert" $?
done
"$T" convert -f openai -t $second -j 2 --rejects rejects-2 - many <log \
    >out-2 2>/dev/null
"$T" convert -f openai -t $second --rejects rejects - many <log >out 2>/dev/null
cmp -s out out-2 && cmp -s rejects rejects-2
verdict 'convert -j 2: stdin, a file and rejects' $?

# Killed half-way: there is no output, nor what was rejected or reported.
mkdir half
mkfifo slow
for signal in TERM KILL; do
    for jobs in 1 2; do
        "$T" convert -f openai -t $second -j $jobs -o half/out \
            --rejects half/rejects --report half/report <slow 2>err &
        job=$!
        exec 3>slow
        cat many >&3
        kill -$signal $job
        wait $job 2>/dev/null
        status=$?
        exec 3>&-
        status_is "convert -j $jobs: $signal" \
            $((128 + $(kill -l $signal)))
        [ "$signal" = KILL ] && rm -f half/.toolwire.*
        [ -z "$(ls -A half)" ]
        verdict "convert -j $jobs: $signal leaves nothing half-written" $?
    done
done

usage convert -f openai -t hermes -j 0
usage convert
usage convert -f openai
usage convert -t openai
usage convert -f openai -t opnai
usage convert -f openai -t auto
usage convert -f openai -t hermes --unit half
usage convert -f openai -t openai --arguments list

# Calls against their tools: those of the record, or --tools.
tool='{"type":"function","function":{"name":"tide","parameters":{"properties":{"port":{"type":"string"}}}}}'
call='<tool_call>{\"name\": \"tide\", \"arguments\": {\"port\": 5}}</tool_call>'
chat='{"role":"assistant","content":null,"tool_calls":[{"id":"a","type":"function","function":{"name":"tide","arguments":"{\"port\": 5}"}}]}'
echo "[$tool]" >tools.json
echo "{\"text\":\"$call\",\"tools\":[$tool]}" >completion
echo "{\"messages\":[$chat],\"tools\":[$tool]}" >chat
echo "{\"messages\":[$chat]}" >bare
echo "{\"conversations\":[{\"from\":\"gpt\",\"value\":\"$call\"}],\"tools\":\"[{\\\"name\\\":\\\"tide\\\",\\\"parameters\\\":{\\\"properties\\\":{\\\"port\\\":{\\\"type\\\":\\\"string\\\"}}}}]\"}" >share
"$T" convert -f openai -t hermes chat >transcript
# validated NAME PATH ARGUMENTS...
validated() {
    local name="convert --validate: $1" path=$2
    shift 2
    run '' convert --validate report "$@"
    status_is "$name, reported" 0
    err_lines "$name, reported" 1
    err_has "$name, reported" ":1: 0: parameter_type: $path: "
    run '' convert --validate report --report report "$@"
    grep -q '^{"file":"'"${*: -1}"'","line":1,"kind":"diagnostic","code":"parameter_type","severity":"warning","path":"'"${path//[/\\[}"'","offset":0,"message":"[^"]*"}$' report
    verdict "$name, in the report" $?
    run '' convert --validate refuse "$@"
    status_is "$name, refused" 1
    err_has "$name, refused" 'TW_ERROR_DEVIATION: parameter_type: '
    out_has "$name, refused" '{"error":{"code":"TW_ERROR_DEVIATION","diagnostic":"parameter_type"'
    run '' convert --validate no "$@"
    silent "$name, no"
}
arguments='tool_calls[0].function.arguments.port'
validated 'a completion' "messages[0].$arguments" -f hermes -t openai --unit completion completion
validated 'a transcript' "messages[0].$arguments" -f hermes -t openai transcript
validated 'a shape' "messages[0].$arguments" -f openai -t openai chat
validated 'a shape to another' "messages[0].$arguments" -f openai -t anthropic chat
validated 'a shape to text' "messages[0].$arguments" -f openai -t hermes chat
validated 'text in a shape' 'conversations[0].value.port' -f sharegpt -t openai --wire hermes share
validated 'tools that are given' "messages[0].$arguments" -f openai -t openai --tools tools.json bare
validated 'given and decoded' 'port' -f sharegpt -t openai --wire hermes --tools tools.json share
run '' convert -f openai -t openai --validate refuse bare
status_is 'convert --validate without tools' 0
err_has 'convert --validate without tools' 'bare:1: 0: unchecked_call: '
run "<tool_call>{\"name\": \"tide\", \"arguments\": {}}</tool_call>" decode -f hermes --validate refuse
err_has 'decode --validate without tools' 'unchecked_call: '
run '{"messages":[]}' convert -f openai -t openai --validate refuse
silent 'convert --validate without calls'
sed 's/tide/tied/' chat >tied
run '' convert -f openai -t openai --tools tools.json --validate report tied
err_has 'convert --validate: a tool that is not there' 'undeclared_tool: messages[0].tool_calls[0].function.name: '
run '' convert -f openai -t openai --tools tools.json --validate refuse tied
status_is 'convert --validate refuse: a tool that is not there' 1
out_has 'convert --validate refuse: a tool that is not there' \
    '"diagnostic":"undeclared_tool","offset":0,"path":"messages[0].tool_calls[0].function.name"'
sed 's/tide/tied/' completion >tied-text
run '' convert -f hermes -t openai --unit completion --validate refuse --tools tools.json tied-text
status_is 'convert --validate refuse: a decoded tool that is not there' 1
err_has 'convert --validate refuse: a decoded tool that is not there' 'undeclared_tool: '
echo '["tide"]' >names.json
for validate in report refuse; do
    run "$hermes" decode -f hermes --tools names.json --validate $validate
    status_is "decode --validate $validate: a name alone is declared" 0
    run "${hermes//tide/tied}" decode -f hermes --tools names.json --validate $validate
    status_is "decode --validate $validate: another name is not" \
        $([ $validate = refuse ]; echo $((1 - $?)))
    err_has "decode --validate $validate: another name is not" 'undeclared_tool: '
done
echo '[5]' >five
run '' convert -f openai -t openai --tools five --validate report chat
err_has 'convert --validate: bad tools' 'five:1: 0: TW_ERROR_SCHEMA: a tool without a name'

# What has no effect is refused.
# beside ARGUMENT... -- WORDS
beside() {
    usage convert -f openai "$@"
    err_has "convert -f openai $*" "$words"
}
words='-f openai -t openai'
beside -t openai --untyped json
beside -t openai --first-call 5
beside -t openai --limit depth=3
beside -t openai --control-text break
beside -t openai --strict
beside -t openai --tools tools.json
beside -t openai --finish stop
beside -t openai --field raw
beside -t openai --chunk 3
beside -t openai --unit completion
beside -t openai --prompt-tail x
words='-f openai -t anthropic'
beside -t anthropic --arguments object
run '{"messages":[]}' convert -f openai -t hermes --field raw
out_is 'convert --field names what is written' "{\"raw\":\"\"}$nl"
usage convert -f hermes -t openai --limit depth=0
err_has 'convert --limit depth=0' 'limit depth: 0 is out of range'

# Of two members with one name the last is read, and the first is not gone without a word.
twice='{"messages":[{"role":"user","content":"first"}],"messages":[{"role":"user","content":"second"}]}'
run "$twice" convert -f openai -t openai --loss refuse
status_is 'convert: a member twice' 1
err_has 'convert: a member twice' 'TW_ERROR_LOSS: messages: '
run "$twice" convert -f openai -t hermes
out_has 'convert: a member twice, where the name is free' '"messages":[{"role":"user","content":"first"}]'

# Why a record is no JSON.
# slip RECORD WORDS
slip() {
    run "$1" convert -f openai -t openai
    status_is "convert of $1" 1
    err_has "convert of $1" "TW_ERROR_JSON: the record is not JSON$2"
}
slip "{'a':1}" ': strings stand in double quotes, not in apostrophes'
slip '{"a":NaN}' ', which has null, true and false, and no NaN and Infinity'
slip '{"a":[True]}' ', which has null'
slip '{"a":1} x' ': text stands behind its value'
slip '{"a":' ': it ends too early'
slip '{"a":1 , }' ', which has no comma in front of a closing bracket'
slip '[1,]' ', which has no comma'
slip '{"a":,}' ''
slip $'{"a":"x\ty"}' ': a control character is to be escaped, such as \n and \u0000'
slip $'{"a":"\xff"}' ': its bytes are not UTF-8'
slip '{"a":01}' ''

# Where messages do not stand.
run '{"a":{"b":1}}' convert -f openai -t openai --messages a.b.c
err_has 'convert --messages: the way there' 'a.b: no list of messages stands at a.b.c, only this is there on the way'
run '{"a":{"b":1}}' convert -f openai -t openai --messages x.y
err_has 'convert --messages: nothing is there' 'no list of messages stands at x.y, of which nothing is there'
usage convert -f openai -t openai --messages ''

# ---- what few records have --------------------------------------------------

run '{"messages":[{"role":"user","content":"Hi"},{"role":"assistant","content":"a\ud83d"}]}' \
    convert -f openai -t openai --wire hermes --report report
status_is 'convert --wire: half of a pair' 0
grep -q '"code":"lone_surrogate_lost".*"path":"messages\[1\].content","offset":1,' report
verdict 'convert --wire: half of a pair is reported' $?
run '{"messages":[{"role":"user","content":"Hi"},{"role":"assistant","content":null,"tool_calls":[{"id":"c","type":"function","function":{"name":"f","arguments":"{}"}}]}],"tools":[{"type":"function","function":{"name":"f","parameters":{"type":"object","properties":{},"additionalProperties":false}}}]}' \
    convert -f openai -t xlam
out_has 'convert -t xlam: what a table of types has not stays a schema' \
    '\"additionalProperties\": false'
image='{"messages":[{"role":"user","content":[{"type":"image_url","image_url":{"url":"x"}}]}]}'
run "$image" convert -f openai -t hermes
err_has 'convert: a loss is said' 'lost: 1 of content'
run "$image" convert -f openai -t hermes --loss report
silent 'convert --loss report: who asked for it knows'
run '{"text":"Hi. <|tool_call>call:tide{at:1}<tool_call|>"}' \
    convert -f hermes -t openai --unit completion --report report
grep -q '"code":"foreign_marker",.*"format":"'"$second"'"' report
verdict 'convert --report: which format a marker is of' $?

# Calls in a shape's text, and no --wire.
wired='{"messages":[{"role":"user","content":"<tool_call>{\"name\": \"f\"}"},{"role":"assistant","content":"Hi <tool_call>\n{\"name\": \"f\", \"arguments\": {}}\n</tool_call>"}]}'
run "$wired" convert -f openai -t anthropic
status_is 'convert, calls in a text' 0
err_has 'convert, calls in a text' '-:1: 3: foreign_marker: hermes: '
err_has 'convert, calls in a text' 'or --wire for texts in records.'
run "$wired" convert -f openai -t anthropic --wire hermes
silent 'convert --wire'
run '{"messages":[{"role":"user","content":"<tool_call>{\"name\": \"f\"}"},{"role":"assistant","content":"Hi"}]}' convert -f openai -t anthropic
silent 'convert, a user who quotes a call'
for text in '[{\"name\": \"f\", \"arguments\": {}}]' '{\"function\": {\"name\": \"f\", \"parameters\": {}}}'; do
    run '{"messages":[{"role":"assistant","content":"'"$text"'"}]}' \
        convert -f openai -t openai
    err_has 'convert, a text that is calls' '-:1: 0: foreign_marker: xlam: '
done
for text in '[{\"name\": \"f\"}]' '[]' '[{\"name\": 1, \"arguments\": {}}]' '{\"name\"'; do
    run '{"messages":[{"role":"assistant","content":"'"$text"'"}]}' \
        convert -f openai -t openai
    silent 'convert, a text that is JSON'
done

# A text under another name.
run '{"prompt":"p","completion":"c"}' convert -f hermes -t openai --unit completion
err_has 'convert, no text' 'text: the record has no text there; its `completion` is one (--field completion)'

usage convert --from openai -t sharegpt
err_has 'convert --from' 'is named by -f FROM'

# ---- a call that fits is mended by nothing, others by their one reading ------

fits='{"messages":[{"role":"assistant","content":null,"tool_calls":[{"id":"c","type":"function","function":{"name":"f","arguments":"{\"n\":1,\"s\":\"5\"}"}}]}],"tools":[{"type":"function","function":{"name":"f","parameters":{"type":"object","properties":{"n":{"type":"integer"},"s":{"type":"string"}}}}}]}'
run "$fits" convert -f openai -t openai --validate mend --stats
out_is 'convert --validate mend of what fits' "$fits$nl"
err_has 'convert --validate mend of what fits: nothing is told' '"reasons":{}'
run "$(printf '%s' "$fits" | sed 's/\\"n\\":1,/\\"n\\":\\"1\\",/')" \
    convert -f openai -t openai --validate mend
out_is 'convert --validate mend of a text' "$fits$nl"
err_has 'convert --validate mend of a text' 'parameter_mended: messages[0].tool_calls[0].function.arguments.n:'
run '{"messages":[{"role":"assistant","content":[{"type":"tool_use","id":"c","name":"f","input":{"n":"1","s":"5"}}]}],"tools":[{"name":"f","input_schema":{"type":"object","properties":{"n":{"type":"integer"},"s":{"type":"string"}}}}]}' \
    convert -f anthropic -t hermes --validate mend
out_has 'convert --validate mend of an object' '{\"name\": \"f\", \"arguments\": {\"n\": 1, \"s\": \"5\"}}'
err_has 'convert --validate mend of an object' 'parameter_mended: messages[0].content[0].input.n:'
