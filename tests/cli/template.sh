# SPDX-License-Identifier: MIT
#
# Chat templates: files and folders, settings, refusals, and the format that
# is told by one.
# A part of tests/cli.sh.

hello='{"messages":[{"role":"user","content":"Hi."}],"add_generation_prompt":true}'
printf '%s\n' '{% for m in messages %}<|{{ m.role }}|>{{ m.content }}' \
    '{% for c in m.tool_calls or [] %}' '<tool_call>' \
    '{"name": "{{ c.function.name }}", "arguments": {{ c.function.arguments | tojson }}}' \
    '</tool_call>{% endfor %}' '{{ eos_token }}{% endfor %}' \
    '{% if add_generation_prompt %}<|assistant|>{% endif %}' >chat_template.jinja
run "$hello" encode --template chat_template.jinja --set 'eos_token=</s>'
status_is 'encode --template: a file' 0
out_is 'encode --template: a file' '<|user|>Hi.
</s><|assistant|>'

mkdir model
cp chat_template.jinja model
printf '{"eos_token":{"content":"<eos>"}}' >model/tokenizer_config.json
run "$hello" encode --template model
out_is 'encode --template: a folder' '<|user|>Hi.
<eos><|assistant|>'
run '{"messages":[{"role":"user","content":"<eos>"}]}' encode --template model
status_is 'encode --template: a token of the configuration' 1

printf '{"chat_template":[{"name":"default","template":"a"},{"name":"b","template":"{{ strftime_now(\\"%%Y\\") }}"}]}' \
    >config.json
run "$hello" encode --template config.json
out_is 'encode --template: the default of several' 'a'
run "$hello" encode --template config.json --template-name b \
    --now 2031-01-02T03:04:05
out_is 'encode --template-name --now' '2031'
run "$hello" encode --template config.json --template-name c
status_is 'encode --template-name: there is none' 1
run "$hello" encode --template model --template-name b
status_is 'encode --template-name: one template, without a name' 1
err_has 'encode --template-name: one template, without a name' 'none of that name'
mkdir model/additional_chat_templates
printf 'named' >model/additional_chat_templates/b.jinja
run "$hello" encode --template model --template-name b
out_is 'encode --template-name: one of the folder' 'named'
run "$hello" encode --template model --template-name default
out_is 'encode --template-name default' '<|user|>Hi.
<eos><|assistant|>'

printf '{%% if %%}' >wrong.jinja
run "$hello" encode --template wrong.jinja
status_is 'encode --template: it is none' 1
err_has 'encode --template: it is none' 'line 1, column 7'
printf "{{ raise_exception('No ' ~ messages[0].role) }}" >refuses.jinja
run "$hello" encode --template refuses.jinja --jsonl
out_has 'encode --template: it refuses' '"message":"No user"'
usage encode --template chat_template.jinja --now tomorrow
for now in 2026-02-30T00:00:00 20a6-01-01T00:00:00 2026-01-0aT00:00:00; do
    usage encode --template chat_template.jinja --now $now
done
# The first and last days of a year may be of a week of another one.
printf '{{ strftime_now("%%G-W%%V-%%u %%j %%U %%W %%s %%r %%Q") }}' >weeks.jinja
while read -r day due; do
    run "$hello" encode --template weeks.jinja --now "${day}T23:59:59"
    out_is "encode --now $day" "$due 11:59:59 PM %Q"
done <<'END'
1969-12-31 1970-W01-3 365 52 52 -1
2021-01-01 2020-W53-5 001 00 00 1609545599
2023-01-01 2022-W52-7 001 01 00 1672617599
2024-12-30 2025-W01-1 365 52 53 1735603199
END
run "$hello" encode --template absent
status_is 'encode --template: no such file' 3

run '' detect --template chat_template.jinja --json
status_is 'detect --template' 0
out_has 'detect --template' '{"format":"hermes/'
printf '{{ messages[0].content }}' >plain.jinja
run '' detect --template plain.jinja --json
status_is 'detect --template: no format' 1
out_has 'detect --template: no format' '{"format":null'

# -f auto, -f FOLDER
call='<tool_call>{"name": "f", "arguments": {}}</tool_call>'
for how in '-f model' '-f chat_template.jinja' '-f auto --template model' \
    '--template model'; do
    # shellcheck disable=SC2086
    run "$call" decode $how
    status_is "decode $how" 0
    out_has "decode $how" '"name":"f"'
    # shellcheck disable=SC2086
    run "$call" check $how
    status_is "check $how" 0
    # shellcheck disable=SC2086
    run "$call" stream $how
    out_has "stream $how" '"name":"f"'
done
run "{\"text\":\"${call//\"/\\\"}\"}" convert -f auto --template model -t openai \
    --unit completion
out_has 'convert -f auto --template' '"name":"f"'
run "$hello" encode -f model
out_is 'encode -f FOLDER' '<|user|>Hi.
<eos><|assistant|>'
run "$call" decode -f plain.jinja
status_is 'decode -f: a template without a format' 1
err_lines 'decode -f: a template without a format' 1
err_has 'decode -f: a template without a format' 'detect --template'
usage decode -f auto
usage decode -f hermes --template model

# decode --transcript: the turns of the template
run '{"messages":[{"role":"user","content":"Hi."},{"role":"assistant","content":"Hello."}]}' \
    encode --template model
cp out whole
for how in '-f model' '--template model' '-f hermes --template model'; do
    # shellcheck disable=SC2086
    "$T" decode --transcript $how <whole >out 2>err
    status=$?
    status_is "decode --transcript $how" 0
    out_has "decode --transcript $how" '{"messages":[{"role":"user"'
done
printf '%s' '<|im_start|>system
{{ strftime_now("%Y") }} {{ effort }}<|im_end|>
{% for m in messages %}<|im_start|>{{ m.role }}
{{ m.content }}<|im_end|>
{% endfor %}{{ "<|im_start|>assistant\n" if add_generation_prompt }}' >dated.jinja
shows='--template dated.jinja --set effort=high --now 2025-01-02T00:00:00'
# shellcheck disable=SC2086
run '{"messages":[{"role":"user","content":"Hi."},{"role":"assistant","content":"Hello."}]}' \
    encode $shows
cp out whole
for how in "$shows" '--template dated.jinja --set effort=high'; do
    # shellcheck disable=SC2086
    "$T" decode --transcript -f hermes $how <whole >out 2>err
    status=$?
    status_is "decode --transcript $how" "$([ "$how" = "$shows" ]; echo $?)"
done
err_has 'decode --transcript: another day' '(--set, --now)'
usage decode -f hermes --now 2025-01-02T00:00:00
usage decode -f hermes --transcript --set effort=high
usage decode -f hermes --transcript --template dated.jinja --now today
run '<|bot|>Hi.' decode --transcript -f model
status_is 'decode --transcript: another text' 1
err_has 'decode --transcript: another text' \
    'no turn of the template was found'

# extend
says='{"role":"assistant","content":"Hello."}'
record='"completion":"Hello.\n</s>","messages":[{"role":"user","content":"Hi."},'"$says"
run "{$record],\"new\":[{\"role\":\"user\",\"content\":\"Bye.\"}]}" \
    extend --template chat_template.jinja --set 'eos_token=</s>'
status_is 'extend' 0
out_is 'extend' '{"append":"<|user|>Bye.\n</s><|assistant|>"}
'
run "{$record],\"new\":[{\"role\":\"user\"}],\"prompt\":\"a\"}" \
    extend --template chat_template.jinja --set 'eos_token=</s>' --jsonl
status_is 'extend: another prompt' 0
out_has 'extend: another prompt' '{"stable":false,"path":"prompt"'
run '{}' extend -f hermes --jsonl
status_is 'extend: no record' 1
out_has 'extend: no record' '{"error":{"code":"TW_ERROR_SCHEMA"'
usage extend

# spans
talk='{"messages":[{"role":"user","content":"Hi."},{"role":"assistant","content":"Hello.","weight":0}]}'
run "$talk" encode --template model --spans
status_is 'encode --spans' 0
out_has 'encode --spans' '"part":"text","sampled":true'
run "$talk" encode --template model --spans --sampled-by-weight
out_lacks 'encode --spans --sampled-by-weight' '"sampled":true'
# Datasets fill absent members with null.
run "${talk/:0/:null}" encode --template model --spans --sampled-by-weight
out_has 'encode --spans --sampled-by-weight: null is no weight' '"sampled":true'
usage encode -f "$promptless" --spans
usage encode --template model --spans --segments
