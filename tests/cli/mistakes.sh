# SPDX-License-Identifier: MIT
#
# What newcomers get wrong is answered by one line that names the remedy.
# A part of tests/cli.sh.

# mistaken NAME STATUS REMEDY INPUT ARGUMENTS...: the first line names it.
mistaken() {
    local name=$1 code=$2 remedy=$3
    shift 3
    run "$@"
    status_is "mistake: $name" "$code"
    head -n 1 err | grep -qF -- "$remedy"
    verdict "mistake: $name: the line names the remedy" $?
}

asks='{"messages":[{"role":"user","content":"Hi."}]}'
calls='{"messages":[{"role":"assistant","content":[{"type":"tool_use","id":"a","name":"tide","input":{}}]}]}'
shared='{"conversations":[{"from":"human","value":"Hi."},{"from":"gpt","value":"Yo."}]}'
seen='{"messages":[{"role":"user","content":[{"type":"image_url","image_url":{"url":"x"}}]}]}'
a_tool='{"name":"tide","parameters":{"type":"object"}}'

# Requests and records of another API.
mistaken 'encode of a request of Anthropic' 1 '`toolwire convert -f anthropic -t openai`' \
    "$calls" encode -f hermes
out_is 'mistake: encode of a request of Anthropic' ''
their_tools='{"system":"Be kind.","messages":[{"role":"user","content":"Hi."}],"tools":[{"name":"tide","input_schema":{"type":"object"}}]}'
mistaken 'encode of tools of Anthropic' 1 '`toolwire convert -f anthropic -t openai`' \
    "$their_tools" encode -f hermes
mistaken 'encode of ShareGPT' 1 '`toolwire convert -f sharegpt -t openai`' \
    "$shared" encode -f hermes
for to in hermes sharegpt anthropic; do
    mistaken "convert -f openai -t $to of ShareGPT" 1 '(-f sharegpt)' \
        "$shared" convert -f openai -t $to
done
run "$seen" encode -f hermes
status_is 'mistake: a picture is a loss, and no other shape' 0
mistaken 'a role that nobody knows' 1 'system, developer, user, assistant or tool' \
    '{"messages":[{"role":"usr","content":"x"}]}' encode -f hermes

# A file of many read as one, and one as many.
mistaken 'encode of two requests' 1 '--jsonl' "$asks$nl$asks$nl" encode -f hermes
mistaken 'decode --jsonl of a text' 1 'without --jsonl' "Hi.$nl" decode -f hermes --jsonl
run "no$nl" decode -f hermes --jsonl --chunk 1
err_lines 'mistake: decode --jsonl of a text is one line' 1
run "{$nl" decode -f hermes --jsonl
! grep -qF 'without --jsonl' err
verdict 'mistake: a record that is broken is no text' $?
mistaken 'convert of a text' 1 'is read by decode' "Hi.$nl" \
    convert -f openai -t sharegpt
mistaken "an engine's word with underscores" 2 'did you mean --finish?' '' \
    decode -f hermes --finish_reason stop
mistaken 'a setting as an option' 2 'did you mean --set?' '' \
    encode -f hermes --enable_thinking false
printf '[{"name":"f","parameters":{"properties":{"a":{"not":{}}}}}]' >not.json
mistaken 'a schema that no grammar says' 1 '(`wider` leaves it out)' '' \
    grammar -f hermes --tools not.json
mistaken 'another field' 1 '(--field text)' '{"text":"Hi."}' \
    decode -f hermes --jsonl --field txt

# Templates.
printf '{%% for m in messages %%}{{ m.content }}{%% endfor %%}{%% if add_generation_prompt %%}!{%% endif %%}' >mistaken.jinja
mistaken 'a template in front' 2 'a chat template' "$asks" encode mistaken.jinja
mistaken 'a template behind -t' 2 '--template' "$asks" encode -t mistaken.jinja
mistaken 'a member of the request that is set' 0 'A member of the request' \
    "$asks" encode --template mistaken.jinja --set add_generation_prompt=true

# The kit.
mistaken 'cases that are a folder' 3 'Is a directory' '' \
    test -f hermes --cases . --cmd cat
printf '%s\n' "$asks" >asks.json
run '' test -f hermes --cases asks.json --cmd cat
err_has 'mistake: a record for a case' '`toolwire gen` writes such'

# What a user wrote, and tools.
marked='{"messages":[{"role":"user","content":"<|im_end|>"}]}'
mistaken 'a marker in a request' 1 '--control-text break' "$marked" encode -f hermes
mistaken 'a marker in a record' 1 '--control-text break' "$marked" \
    convert -f openai -t hermes
printf '{"tools":[%s]}' "$a_tool" >body.json
printf '%s' "$a_tool" >a_tool.json
printf '[%s]' "$a_tool" >their_tools.json
run '' decode -f hermes --tools body.json
status_is 'mistake: none, a request for --tools' 0
run "[$a_tool]" grammar -f hermes --tools -
status_is 'mistake: none, tools of stdin' 0
mistaken 'tools that are no option' 2 '--tools names the tools' '' \
    grammar -f hermes their_tools.json
mistaken 'encode --tools' 2 'the request'\''s `tools`' "$asks" \
    encode -f hermes --tools their_tools.json
mistaken 'grammar --tool-choice' 2 '--choice' '' \
    grammar -f hermes --tools their_tools.json --tool-choice tide
mistaken 'a --tool-choice of a request' 2 'the name of a tool' "$hermes" \
    decode -f hermes --tool-choice '{"type":"function","function":{"name":"tide"}}'
mistaken 'one tool for --tools' 1 'one tool stands in [ ]' '' \
    decode -f hermes --tools a_tool.json
mistaken 'the name of a format for a description' 1 'no name or path of one' \
    hermes check-format -
mistaken 'the name of a template for a template' 1 'text is wanted' \
    'Qwen/Qwen3-8B' encode -f auto --template -
mistaken 'spans that are not asked for' 2 'without --spans' "$asks" \
    encode -f hermes --sampled-last
for option in --sse '--api anthropic'; do
    # shellcheck disable=SC2086
    mistaken "decode $option" 2 '`toolwire stream`' "$hermes" \
        decode -f hermes $option
done
mistaken 'stream --jsonl' 2 '`toolwire decode --jsonl`' '' stream -f hermes --jsonl

mistaken 'a parser that writes no JSON' 1 'a line of JSON for each question' '' \
    test -f hermes --count 2 --cmd 'while read -r line; do echo ready; done'
mistaken 'cases that are not there' 3 'No such file' '' \
    test -f hermes --cases none.jsonl --cmd cat

# A test that judges nothing says so.
printf '%s\n' '{"input":"a","expect":{},"options":{"validate":"refuse"}}' >cases
mistaken 'cases that are all skipped' 0 'no case was judged' '' \
    test -f hermes --cases cases --cmd cat

# A text or a folder, where a file is due, and files of another kind.
mistaken 'a text for a file' 3 "printf '%s' TEXT | toolwire" '' \
    decode -f hermes "$hermes"
mistaken 'a name of a file that is not there' 3 'absent.jsonl: No such file' '' \
    decode -f hermes absent.jsonl
printf '{"tide":{}}' >map.json
mkdir -p empty.model
mistaken 'detect of a folder' 3 '`toolwire detect --template empty.model`' '' \
    detect empty.model
mistaken 'a folder without a template' 3 'there is no chat_template.jinja' '' \
    detect --template empty.model
mistaken 'encode of a text' 1 '{"messages":[...]}' 'Hi.' encode -f hermes
mistaken 'a request in apostrophes' 1 'in double quotes' "{'messages':[]}" \
    encode -f hermes
mistaken 'a request with a comma too many' 1 'no comma in front' \
    '{"messages":[],}' encode -f hermes
mistaken 'a record of `extend` that is cut' 1 'ends too early' '{"messages":[' \
    extend -f hermes
mistaken 'a format without -f' 2 'stands behind -f' "$hermes" decode hermes
printf '[%s]' "$shared" >array.json
printf '[\n%s\n]\n' "$shared" >array_on_lines.json
for file in array.json array_on_lines.json; do
    mistaken "detect of $file" 1 "jq -c '.[]'" '' detect $file
    mistaken "decode of $file" 0 "jq -c '.[]'" '' decode -f hermes $file
    mistaken "convert of $file" 1 "jq -c '.[]'" '' convert -f auto -t openai $file
done
run '[{"name":"tide","arguments":{}}]' detect
status_is 'mistake: none, a list of calls' 0
mistaken 'an object without tools for --tools' 1 'has no `tools`' '' \
    decode -f hermes --tools map.json
mistaken 'a time that is no number' 2 '--created takes a whole number' '' \
    stream -f hermes --created now
if command -v script >/dev/null; then
    # What is typed is read, and that is said at once.
    printf '\004' | script -qec "'$T' decode -f hermes" /dev/null >out
    out_has 'mistake: standard input is a terminal' 'up to Ctrl-D'
    script -qec "'$T' decode -f hermes <in" /dev/null </dev/null >out
    out_lacks 'mistake: none, a file on a terminal' 'up to Ctrl-D'
fi

# What others call it.
while read -r remedy words; do
    # shellcheck disable=SC2086
    mistaken "$words" 2 "did you mean $remedy" '' $words
done <<'END'
--template encode --chat-template x
--format decode --tool-call-parser hermes
--to convert --shape openai
openai convert -f openai -t message
huggingface convert -f hf -t openai
preference convert -f dpo -t openai
mend decode -f hermes --validate fix
chat stream -f hermes --api openai
gbnf grammar -f hermes --tools x -t ebnf
lark grammar -f hermes --tools x -t guidance
anthropic stream -f hermes --api messages
stop decode -f hermes --finish end_turn
length decode -f hermes --finish max_tokens
reasoning decode -f hermes --start think
responses convert -f openai-responses -t openai
parts convert -f vercel -t openai
exchange convert -f litellm -t openai
hermes decode -f hermes_tool_parser
decode parse -f hermes
encode template
test fuzz
--generation-prompt encode -f hermes --add-generation-prompt
hermes/qwen3, decode -f chatml
--join stream -f hermes --join-chunks
--unit convert -f hermes -t openai --unit-completion
--start decode -f hermes --start-reasoning
--limit decode -f hermes --limit-depth 5
--set encode -f hermes --settings x
--parallel grammar -f hermes --parallel-tool-calls 1
--version version
END
# A name without its dashes, and without its end.
dashed=$(grep -m 1 -E '^[a-z]+-[0-9]-' <<<"$formats")
mistaken "$dashed without dashes" 2 "did you mean $dashed" '' \
    decode -f "$(sed -E 's/^([a-z]+)-([0-9]).*/\1\2/' <<<"$dashed")"
mistaken 'tools that are no file' 2 'are read from a file, and this is JSON' '' \
    decode -f hermes --tools '[{"name":"tide"}]'
mistaken 'messages, one a line' 1 "jq -cs '{messages: .}'" \
    '{"message":{"role":"user","content":"Hi."}}' convert -f auto -t openai
