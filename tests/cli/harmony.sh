# SPDX-License-Identifier: MIT
#
# What only Harmony has: calls of free text, output without markers, settings
# of its system message.
# A part of tests/cli.sh.

python='<|start|>assistant<|channel|>analysis to=python code<|message|>print(1)<|call|>'
run "$python" decode -f harmony
out_has 'a free-text call in a message' '"type":"custom"'
run "$python" decode -f harmony --custom function
out_has '--custom function' '"arguments":"{\"input\":\"print(1)\"}"'
run "$python" stream -f harmony
out_has 'a free-text call in chunks' '"type":"function"'
run "$python" stream -f harmony --custom custom
out_has 'stream --custom custom' '"type":"custom"'
stripped='analysisHm.assistantcommentary to=functions.tide json{"at":"Brest"}'
run "$stripped" decode -f harmony --recover-stripped
out_has '--recover-stripped' '"name":"tide"'
err_has '--recover-stripped' 'stripped_markers'
run "$stripped" stream -f harmony --recover-stripped
out_has 'stream --recover-stripped' '"name":"tide"'
run "$stripped" check -f harmony --recover-stripped
out_has 'check --recover-stripped' '"code":"stripped_markers"'

run "$python" stream -f harmony --events
out_has 'events: a flag' '"flags":["custom"]'
slow harmony '<|channel|>commentary to=functions.tide <|constrain|>json<|message|>{"at":"Quimper' \
    '"}<|call|>' 'Quimper' stream -f harmony
run 'hm<|end|><|start|>assistant<|channel|>final<|message|>Hi' \
    decode -f harmony --start reasoning
out_is 'decode harmony --start reasoning' \
    '{"role":"assistant","content":"Hi","reasoning_content":"hm"}'"$nl"

# ---- settings --------------------------------------------------------------

run "$hi" encode -f harmony --set 'model_identity=You are "it".' \
    --set reasoning_effort=high --set date=2026-01-02
out_has 'encode --set, a text' 'You are "it".'
out_has 'encode --set, two of them' 'Reasoning: high'
run "$hi" encode -f harmony --set model_identity=$'a\tb\x01"\\'
status_is 'encode --set, control characters' 0
out_has 'encode --set, control characters' "$(printf 'a\tb\x01"\\')"
run "$hi" encode -f harmony --set reasoning_effort=low
silent 'encode -f harmony, a setting that is text'

# Settings of other types.
run "$hi" encode -f harmony --set reasoning_effort=5
err_has 'encode -f harmony, a number for a text' 'warning: --set reasoning_effort=5: The value is no string.'
run "$hi" encode -f harmony --set builtin_tools=python
err_has 'encode -f harmony, a text for a list' 'warning: --set builtin_tools=python: The value is no array.'

# What the answer's own reasoning is worth, and what keeps it.
thought='{"messages":[{"role":"user","content":"q"},{"role":"assistant","reasoning_content":"Deep.","content":"a"}]}'
run "$thought" encode -f harmony --report report
grep -q '"code":"reasoning_dropped","severity":"content","path":"messages\[1\].reasoning_content"' report
verdict "encode -f harmony: the last answer's own reasoning is content" $?
run "$thought" encode -f harmony --loss refuse
status_is 'encode -f harmony --loss refuse, reasoning' 1
run "$thought" encode -f harmony --set keep_reasoning=true --loss refuse
status_is 'encode -f harmony, keep_reasoning' 0
out_has 'encode -f harmony, keep_reasoning' '<|channel|>analysis<|message|>Deep.<|end|>'
