# SPDX-License-Identifier: MIT
#
# gen and test: the same cases for the same seed, and every kind of wrong
# parser is found.
# A part of tests/cli.sh.

peer=$parts/../python/kit_peer.py

# ---- gen -------------------------------------------------------------------

for format in $second hermes qwen3-coder harmony; do
    run '' gen -f $format --count 70
    cp out first
    run '' gen -f $format --count 70
    cmp -s first out
    verdict "gen $format: the same again" $?
    run '' gen -f $format --count 70 --seed 2
    ! cmp -s first out
    verdict "gen $format: another seed" $?
done
# Slips are made of how a format writes; the first ones are Gemma's.
run '' gen -f $second --class typo --count 200
for slip in quoted_key json_quotes missing_string_close missing_string_open \
    parentheses equals_sign head_without_call missing_brace; do
    out_has "gen $second: the slip $slip" '"slip":"'$slip'"'
done
for format in $formats; do
    run '' gen -f $format --class typo --count 60
    status_is "gen $format" 0
    out_lines "gen $format" 60
    [ "$(grep -o '"slip":"[a-z_]*"' out | sort -u | wc -l)" -ge 3 ]
    verdict "gen $format: three slips or more" $?
done
# A default run has each class, and each slip that the format has, five times or
# more, whatever the seed; which slips a format has does not depend on that.
for format in $second hermes qwen3-coder lfm2; do
    for seed in 1 2 77; do
        "$T" gen -f $format --seed $seed >run.$seed
    done
    python3 - run.1 run.2 run.77 <<'PY'
import collections, json, sys
kinds = []
for path in sys.argv[1:]:
    cases = [json.loads(line) for line in open(path, 'rb')]
    slips = collections.Counter(case['slip'] for case in cases
                                if case['class'] == 'typo')
    classes = collections.Counter(case['class'] for case in cases)
    assert len(classes) == 10 and min(classes.values()) >= 5, classes
    assert min(slips.values()) >= 5, slips
    kinds.append(set(slips))
assert len(kinds[0]) > 5 and kinds[0] == kinds[1] == kinds[2], kinds
PY
    verdict "gen $format: each slip and each class five times" $?
done
for class in legal rare typo truncated injection encoding depth long reuse \
    interleaved; do
    run '' gen -f hermes --class $class --count 3
    [ "$(grep -c '"class":"'$class'"' out)" -eq 3 ]
    verdict "gen --class $class" $?
done
run '' gen -f hermes --class legal --count 20
sed -n 's/.*"wire_b64":"\([^"]*\)".*/\1/p' out | while read -r wire; do
    printf '%s' "$wire" | base64 -d >wire
    "$T" check -f hermes wire >/dev/null 2>&1 || echo bad
done >bad
[ ! -s bad ]
verdict 'gen --class legal: nothing of it is a deviation' $?
run '' gen -f $second --class injection --count 60
[ "$(sed 's/,"must_not".*//' out | grep -c forged)" -gt 20 ]
verdict 'gen --class injection: in another wire, too, there is what looks like a call' $?
# known MEMBER...: of cases, what a server knows beside the text.
run '' gen -f hermes --count 300
python3 - <<'PY'
import base64, json, sys
seen = set()
for line in open('out'):
    case = json.loads(line)
    wire = base64.b64decode(case['wire_b64'])
    seen |= case.keys() | {case.get('start')}
    names = [tool['function']['name'] for tool in case['tools']]
    calls = case['message'].get('tool_calls', [])
    assert all((call['function']['name'] in names) is
               (case.get('slip') != 'undeclared_tool') for call in calls), line
    assert 'forged' in names, line
    assert case['finish'] == ('length' if case['class'] == 'truncated'
                              else 'stop'), line
    marks = [wire[a:b] for a, b in case['special']]
    if case['class'] == 'legal':
        assert wire[case['stop']:].startswith(b'<|im_end|>'), line
        assert marks.count(b'<tool_call>') == len(calls), line
    if case['class'] in ('reuse', 'interleaved'):
        other = case['before' if case['class'] == 'reuse' else 'beside']
        assert {'format', 'tools', 'finish', 'special', 'chunks'} <= \
            other.keys(), line
assert {'tools', 'finish', 'stop', 'special', 'before', 'beside',
        'slip'} <= seen, seen
PY
verdict 'gen: what a server knows beside the text' $?
# Completions: a call is behind text, one stop marker is at the end.
run '' gen -f $second --class legal --count 300
[ "$(grep -c '"wire":"[A-Za-z0-9][^<]*<|tool_call>call:' out)" -gt 20 ]
verdict 'gen: text in front of calls, whatever the template does' $?
run '' gen -f harmony --class legal --count 300
[ "$(grep -o '"wire":".*","wire_b64' out | grep -c '<|call|>.*<|call|>')" -eq 0 ] &&
    grep -q '"wire":"[^"]*<|channel|>commentary to=functions' out &&
    grep -q '"wire":"[^"]*<|return|>"' out
verdict 'gen: completions, not what prompts keep' $?
usage gen
usage gen -f hermes --count 0
usage gen -f hermes --class odd
usage gen -f hermes file

# ---- test ------------------------------------------------------------------

usage test -f hermes
usage test --cmd cat
if ! command -v python3 >/dev/null; then
    echo 'test: SKIPPED: there is no python3'
    return
fi

# waits NAME PATIENCE COMMAND [CLASS]: a parser that is waited for in vain, while
# the rest is asked; waited NAME: its answer.  Where it is to answer anything
# the patience is more than a busy machine needs.
waits() {
    mkdir "$1"
    (
        cd "$1" || exit 1
        "$T" test -f hermes/qwen2.5 --count 1 --class "${4:-legal}" \
            --patience "$2" --cmd "$3" >out 2>err
        echo $? >status
    ) &
    waiting[${#waiting[@]}]=$!
}

waited() {
    cp "$1/out" "$1/err" .
    status=$(cat "$1/status")
}
waiting=()
waits nothing 1 'cat >/dev/null'
waits hang 5 "exec python3 -SE '$peer' '$T' hang"
waits stuck 20 "exec python3 -SE '$peer' '$T' stuck" long
waits busy 20 "exec python3 -SE '$peer' '$T' busy"
waits closed 5 "exec python3 -SE '$peer' '$T' closed"

# finds MODE WHAT CLASS [COUNT]: a parser with that fault is found out.
finds() {
    "$T" test -f hermes/qwen2.5 --count "${4:-20}" --class "$3" --patience 600 \
        --cmd "exec python3 -SE '$peer' '$T' $1" >out 2>err
    status=$?
    status_is "test: $1" 1
    head -n 1 out | grep -q '^{"finding":1,"small":false,"verdict":'
    verdict "test: $1: the first line" $?
    grep -q '"small":false,"verdict":"'"$2"'","what":' out
    verdict "test: $1 is found" $?
    tail -n 1 out | grep -q '"'"$2"'":[1-9]'
    verdict "test: $1 is counted" $?
}
finds crash crash legal 5
finds noise invalid_json legal 5
finds half invalid_json rare
finds refuse refused legal
finds forge forged_call rare
finds lose lost_bytes rare
finds numbers wrong_arguments rare
finds split split_variance legal
finds bare split_variance legal
finds fewer split_variance legal
finds empty-handed wrong_arguments legal
finds mute split_variance legal
finds cut crash legal 5
finds twice forged_call rare
finds twice forged_call encoding
finds twice forged_call typo
finds kinds wrong_arguments legal
finds kinds wrong_arguments depth
finds lose lost_bytes injection
finds first invalid_json truncated 5
finds hushed lost_bytes truncated
finds first invalid_json depth 5
finds ascii refused rare
"$T" test -f hermes --count 1 --cmd /nowhere/at/all >out 2>err
status=$?
status_is 'test: a command that is not there' 1
err_has 'test: a command that is not there' 'cannot be run'

# asked MODE CLASS COUNT: toolwire, but for what MODE changes.
asked() {
    "$T" test -f hermes/qwen2.5 --count "$3" --class "$2" \
        --patience 600 --cmd "exec python3 -SE '$peer' '$T' $1" >out 2>err
    status=$?
}

# first EXPRESSION: of the first that was made small, as |f|, in Python; else
# of the first that was found.
first() {
    { grep '"small":true' out || cat out; } | head -n 1 | python3 -c 'import json, sys
f = json.loads(sys.stdin.readline())
case = f["case"]
sys.exit(not eval(sys.argv[1]))' "$1"
    verdict "test: the first that was found has $1" $?
}

"$T" test -f hermes/qwen3 --count 12 --class legal --patience 600 \
    --cmd "exec python3 -SE '$peer' '$T' thoughtless" >out 2>err
status=$?
status_is 'test: reasoning that is dropped' 1
first '"reasoning_content" in case["message"] and len(case["wire"]) < 60'
for mode in ids double; do
    asked $mode legal 3
    status_is "test: answers to other questions, $mode" 1
    err_has "test: answers to other questions, $mode" 'by nothing else'
done
asked named encoding 20
out_has 'test: no variance where answers are the same' '"fine":20,'
asked unable legal 20
status_is 'test: a parser that cannot begin' 1
err_has 'test: a parser that cannot begin' \
    'ends (exit code 1) before it answers anything'
out_has 'test: a parser that cannot begin' '"cases":0,'
asked skips reuse 4
out_has 'test: what is not asked of a parser' '"skipped":4,'
status_is 'test: what is not asked of a parser' 0
asked lose long 1
out_has 'test: a long one that is lost is not timed' '"lost_bytes":1,'
asked refuse depth 4
out_has 'test: refusals that are fine' '"fine_but_refused":4,'
asked refuse legal 4
out_has 'test: findings by what differs' \
    '"groups":[{"verdict":"refused","what":"an error","cases":4,"legal":4}]'
[ "$(grep -c '"small":false' out)" -eq 1 ]
verdict 'test: what is alike is shown once' $?
"$T" test -f hermes/qwen2.5 --count 4 --class legal --not refused \
    --patience 600 --cmd "exec python3 -SE '$peer' '$T' refuse" >out 2>err
status=$?
status_is 'test --not: what is known' 0
"$T" test -f hermes/qwen2.5 --count 2 --class long --patience 600 \
    --cmd "exec python3 -SE '$peer' '$T' square" >out 2>err
out_has 'test: time that grows with the square' '"slow":1,'
"$T" test --all --count 9 --patience 600 \
    --cmd "exec python3 -SE '$peer' '$T' two" >out 2>err
status=$?
status_is 'test --all' 0
[ "$(grep -c '"cases":9,"fine":9,' out)" -eq 2 ]
verdict 'test --all: each that the parser says it reads' $?
for mode in odd none unable ''; do
    "$T" test --all --count 1 --cmd "exec python3 -SE '$peer' '$T' $mode" \
        >out 2>err
    status=$?
    status_is "test --all: formats that are none, '$mode'" 1
done
# Cases that others wrote, or gen did: the same verdicts, nothing made smaller.
"$T" gen -f hermes/qwen2.5 --count 40 >cases.jsonl
"$T" test --cases cases.jsonl --patience 600 \
    --cmd "exec python3 -SE '$peer' '$T'" >out 2>err
status=$?
status_is 'test --cases: what gen wrote' 0
out_has 'test --cases: what gen wrote' '"cases":40,"fine":40,'
"$T" test --cases cases.jsonl --patience 600 \
    --cmd "exec python3 -SE '$peer' '$T' twice" >out 2>err
"$T" test -f hermes/qwen2.5 --count 40 --patience 600 \
    --cmd "exec python3 -SE '$peer' '$T' twice" >again 2>err
[ "$(tail -n 1 out)" = "$(tail -n 1 again)" ]
verdict 'test --cases: what gen wrote counts as in test itself' $?
[ "$(grep -c '"small":true' out)" -eq 0 ]
verdict 'test --cases: a case is that of the file' $?
{
    grep '"options"' "$parts/../conformance/decode-hermes.jsonl"
    grep -v '"options"' "$parts/../conformance/decode-hermes.jsonl" | head -n 5
    printf '%s\n' '{"input": "Low.", "options": {"prompt": "x"}, "expect": {}}' \
        '{"input": "Low.", "expect": {"content": null}}'
} >cases.jsonl
"$T" test --cases cases.jsonl -f hermes --patience 600 \
    --cmd "exec python3 -SE '$peer' '$T'" >out 2>err
count=$(wc -l <cases.jsonl) # the last two of which are none, or wrong
out_has 'test --cases: lines as in tests/conformance' \
    "\"cases\":$count,\"fine\":$((count - 2)),"
out_has 'test --cases: options of which no parser is told' '"skipped":1,'
out_has 'test --cases: null is no text' '"what":"content: added"'
"$T" gen -f hermes/qwen2.5 --count 40 --yaml >cases.yaml 2>err
err_has 'gen --yaml: what has no place there' \
    'toolwire: gen: 28 of 40 cases have no place in this YAML'
"$T" test --cases cases.yaml --patience 600 \
    --cmd "exec python3 -SE '$peer' '$T'" >out 2>err
status=$?
status_is 'test --cases: the YAML that gen wrote' 0
out_has 'test --cases: the YAML that gen wrote' '"cases":12,"fine":12,'
cat >cases.yaml <<'END'
# Two generations of fixtures have these members.
family: hermes
mode: batch
cases:
  PARSER.batch.1:
    model_text: '<tool_call>{"name": "tide", "arguments": {"port":
      "Brest"}}</tool_call>'
    tools:
    - &id001
      name: tide
      parameters: {type: object, properties: {port: {type: string}}}
    expected:
      dynamo: &id002
        calls:
        - name: tide
          arguments:
            port: Brest
        normal_text: ''
      vllm: *id002
  PARSER.stream.1:
    chunks:
    - delta_text: 'Low. <tool_'
    - delta_text: |-
        call>
        {"name": "tide", "arguments": {}}
        </tool_call>
    tools: [*id001]
    expected:
      dynamo:
        calls:
        - {name: tide, arguments: {}}
        normal_text: Low.
  retired:
    request: null
    golden: null
  think_then_call:
    request:
      input: "look</think><tool_call>{\"name\": \"tide\", \"arguments\": {}}</tool_call>"
      init:
        starting_state: Reasoning
      finish_reason: stop
      tools:
      - *id001
    golden:
      assembled:
      - kind: reasoning
        text: look
      - kind: tool_call
        name: tide
        arguments: {}
END
"$T" test --cases cases.yaml --patience 600 \
    --cmd "exec python3 -SE '$peer' '$T'" >out 2>err
status=$?
status_is 'test --cases: YAML' 0
out_has 'test --cases: YAML' '"cases":4,"fine":3,'
out_has 'test --cases: YAML' '"skipped":1,'
"$T" test --cases cases.yaml --patience 600 \
    --cmd "exec python3 -SE '$peer' '$T' thoughtless" >out 2>err
out_has 'test --cases: YAML' '"what":"reasoning: missing","case":{"id":"think_then_call"'
sed 's/family: hermes/family: hermies/' cases.yaml >odd.yaml
"$T" test --cases odd.yaml --cmd cat >out 2>err
err_has 'test --cases: a format that is none' "odd.yaml: case 'PARSER.batch.1': -f FORMAT is due: 'hermies' is none"
sed 's/normal_text: Low./normal_text: !x Low./' cases.yaml >odd.yaml
"$T" test --cases odd.yaml --cmd cat >out 2>err
status=$?
status_is 'test --cases: YAML that is not read' 1
err_has 'test --cases: YAML that is not read' 'odd.yaml: line 32, column 22: no scalar'
printf '{"a": 1}\nodd\n' >odd.jsonl
"$T" test --cases odd.jsonl -f hermes --cmd cat >out 2>err
err_has 'test --cases: a line that is no JSON' 'odd.jsonl: line 2: it is no JSON'
"$T" test --cases nowhere.jsonl -f hermes --cmd cat >out 2>err
err_has 'test --cases: no file' 'nowhere.jsonl: No such file'
usage test --cases cases.yaml --all --cmd cat
usage test --cases cases.yaml

# Engines of chat templates: jinja2 itself, and wrong ones.
"$T" test --templates 'sed -u "s/.*/{\"text\":\"\"}/"' --count 14 >out 2>err
status=$?
status_is 'test --templates: an engine that writes nothing' 1
out_has 'test --templates: an engine that writes nothing' '"verdict":"text","what":"values"'
out_has 'test --templates: an engine that writes nothing' '"cases":14,'
"$T" test --templates 'sed -u "s/.*/{\"error\":1}/"' --count 70 >out 2>err
out_has 'test --templates: an engine that refuses' '"verdict":"refused","what":"chat"'
[ "$(grep -c '"what":"chat"' out)" -eq 3 ]
verdict 'test --templates: three findings of a kind are shown' $?
"$T" test --templates 'sed -u "s/.*/{\"skip\":1}/"' --count 7 >out 2>err
status=$?
status_is 'test --templates: an engine that was not asked' 0
out_has 'test --templates: an engine that was not asked' '"skipped":7'
"$T" test --templates 'sed -u "s/.*/odd/"' --count 7 >out 2>err
out_has 'test --templates: an engine that answers nothing' '"no_answer":7'
"$T" test --templates 'cat >/dev/null' --patience 1 --count 7 >out 2>err
status=$?
status_is 'test --templates: a command that answers nothing' 1
err_has 'test --templates: a command that answers nothing' 'answers nothing'
for seed in 1 1 2; do
    "$T" test --templates 'tee -a sent | sed -u "s/.*/{\"skip\":1}/"' \
        --count 70 --seed $seed >out 2>err
    mv sent sent.$seed.$(ls sent.$seed.* 2>/dev/null | wc -l)
done
cmp -s sent.1.0 sent.1.1 && ! cmp -s sent.1.0 sent.2.0
verdict 'test --templates: the same seed puts the same templates' $?
if python3 -c 'import jinja2' 2>/dev/null; then
    "$T" test --templates "exec python3 '$parts/../peers/jinja2_peer.py' jinja2" \
        --count 700 >out 2>err
    status=$?
    status_is 'test --templates: jinja2' 0
    out_has 'test --templates: jinja2' '"cases":700,'
else
    echo 'test --templates: jinja2: SKIPPED: it is not installed'
fi
usage test --templates cat -f hermes
usage test --templates cat --cmd cat
usage test --templates cat --class legal

usage test --all -f hermes --cmd cat
usage test -f hermes --cmd cat --not fine
usage test -f hermes --cmd cat --not odd,refused
asked crash legal 1
first 'f["ended"] == "exit code 1" and "got" not in f'
first 'case["wire"] == "" and case["message"] is None'
asked kill legal 1
first 'f["ended"] == "signal 9"'
asked split legal 1
first 'len(case["cuts"]) == 1 and len(f["sent"]["chunks"]) == 2'
first 'json.loads(f["got"])["message"] != json.loads(f["got_whole"])["message"]'
asked brace legal 4
first 'len(case["cuts"]) == 1 and case["wire"][case["cuts"][0] - 1] == "}"'
asked text typo 12
out_has 'test: what is no call may be text' '"fine":12,'
asked once legal 2
out_has 'test: what does not happen again' ',"repeats":false}'
out_has 'test: what does not happen again' '"fine":1,'
first 'f["ended"] == "exit code 3" and "got" not in f'
first 'f["sent"]["id"].endswith("#1") and len(f["sent"]["chunks"]) == 1'
rm -f seldom
"$T" test -f hermes/qwen2.5 --count 2 --cmd "exec python3 -SE '$peer' '$T' seldom" >out 2>err
[ "$(grep -c '^{"finding"' out)" -eq 3 ] && sed -n 3p out |
    grep -q '^{"finding":2,.*typo-0.*,"repeats":false}$'
verdict 'test: of what else looks like it, too' $?
asked duplicates encoding 4
out_has 'test: the same members twice are the same' '"split_variance":0'
out_has 'test: the same members twice are the same' '"fine":4,'
asked zeros legal 4
out_has 'test: NUL is no blank' '"lost_bytes":4'
asked deep encoding 1
out_has 'test: objects that differ far down' '"split_variance":1'
asked many encoding 1
status_is 'test: objects with many members' 0
"$T" test -f hermes --count 1 --patience 3000000 --class legal \
    --cmd "exec python3 -SE '$peer' '$T'" >out 2>err
out_has 'test: the patience of a month' '"fine":1,'
"$T" test -f hermes --count 1 --cmd /etc/passwd >out 2>err
status=$?
status_is 'test: a command that is none' 1
err_has 'test: a command that is none' 'cannot be run'
asked lose rare 3
first 'case["message"]["role"] == "assistant" and "name" in case["wire"]'
first 'len(case["message"]["tool_calls"]) == 1 and len(case["wire"]) < 90'
asked twice encoding 3
first 'len(case["message"]["tool_calls"]) == 1 and len(case["wire"]) < 90'
asked empty legal 1
status_is 'test: an answer that is none, empty' 1
out_has 'test: an answer that is none, empty' '"invalid_json":1,'
# A line of JSON that is no answer is its own finding, in whatever class.
for mode in echo number list nothing misspelt plain later; do
    for class in legal truncated; do
        asked $mode $class 2
        status_is "test: no answer, $mode, $class" 1
        out_has "test: no answer, $mode, $class" '"fine":0,"refused":0,'
        out_has "test: no answer, $mode, $class" '"protocol_error":2,'
        err_has "test: no answer, $mode, $class" \
            '2 of 2 cases got a line with neither "message"'
        first 'f["verdict"] == "protocol_error" and "got" in f'
    done
done
"$T" test -f hermes --count 3 --cmd cat >out 2>err
status=$?
status_is 'test --cmd cat' 1
out_has 'test --cmd cat' '"fine":0,"refused":0,'
err_lines 'test --cmd cat' 1
"$T" test -f hermes --count 7 --cmd 'sed -u "s/.*/{\"error\":null}/"' >out 2>err
out_has 'test: any error is an answer' '"protocol_error":0,'
silent 'test: any error is an answer'
# Of calls with one name, a slip may spoil the first.
asked tell typo 60
out_has 'test: the second of two calls with one name' '"fine":60,'
"$T" test -f hermes --count 1 --patience 600 \
    --cmd "python3 -SE '$peer' '$T' spin; true" >out 2>err &
toolwire=$!
until [ -s spinning ]; do
    sleep 0.1
done
kill -TERM $toolwire
wait $toolwire 2>err
# Gone, or dead with nobody who asks for it; a busy machine takes a while.
its=/proc/$(cat spinning)/status
for _ in $(seq 6000); do
    { [ ! -e "$its" ] || grep -q '^State:.Z' "$its"; } && break
    sleep 0.1
done
[ -s spinning ] && { [ ! -e "$its" ] || grep -q '^State:.Z' "$its"; }
verdict 'test: a signal takes the parser with it' $?

# Engines of grammars: one that is right, and some that are not.
engine=$parts/../python/grammar_peer.py
# engines MODE COUNT TARGET
engines() {
    "$T" test -f hermes --count "$2" --patience 600 -t "$3" \
        --grammar "exec python3 -SE '$engine' $1" >out 2>err
    status=$?
}
for format in qwen3-coder gemma4 lfm2; do
    "$T" test -f $format --count 24 --patience 600 -t gbnf \
        --grammar "exec python3 -SE '$engine'" >out 2>err
    status=$?
    status_is "test --grammar: one that is right, $format" 0
    out_has "test --grammar: one that is right, $format" \
        '"refused":0,"accepted":0,"no_answer":0,"fine":'
done
engines all 24 gbnf
status_is 'test --grammar: all is accepted' 1
out_has 'test --grammar: all is accepted' '{"verdict":"accepted","what":"undeclared","sent":{"id":'
out_lacks 'test --grammar: all is accepted' '"verdict":"refused"'
engines none 24 gbnf
status_is 'test --grammar: nothing is accepted' 1
out_has 'test --grammar: nothing is accepted' '{"verdict":"refused","what":"legal",'
out_has 'test --grammar: nothing is accepted' '{"verdict":"refused","what":"walk",'
engines long 60 gbnf
out_has 'test --grammar: what is far behind is not looked at' '"verdict":"accepted"'
engines '' 8 lark
status_is 'test --grammar: what is skipped does not count' 0
out_has 'test --grammar: what is skipped does not count' '"fine":0,"skipped":'
engines odd 4 gbnf
status_is 'test --grammar: no answer' 1
out_has 'test --grammar: no answer' '"verdict":"no_answer"'
engines mute 4 gbnf
status_is 'test --grammar: a command that ends' 1
err_has 'test --grammar: a command that ends' 'answers nothing'
usage test -f hermes --grammar cat --cmd cat
usage test -f hermes --grammar cat --class legal
usage test -f hermes --cmd cat -t gbnf
usage test --all --grammar cat

# One of each kind of call's body: the others are read by the same code, and
# an answer of Python's takes its time.
for format in gemma4 harmony hermes qwen3-coder lfm2 kimi-k2; do
    "$T" test -f $format --count 28 --patience 600 \
        --cmd "exec python3 -SE '$peer' '$T'" >out 2>err
    status=$?
    status_is "test: toolwire itself, $format" 0
    out_has "test: toolwire itself, $format" '"cases":28,"fine":28,'
done

wait "${waiting[@]}"
waited nothing
status_is 'test: a parser that answers nothing' 1
err_has 'test: a parser that answers nothing' 'does not answer even a plain question'
waited hang
out_has 'test: a parser that hangs' '"hang":1'
waited stuck
out_has 'test: a long one that takes too long' '"hang":0,'
out_has 'test: a long one that takes too long' \
    '"what":"no answer in time to a longer one"'
waited busy
out_has 'test: what hangs once does not hang' '"fine":1,'
waited closed
out_has 'test: a parser that only closes its output hangs' '"hang":1,'

# Arguments may be objects, and fewer calls may be fine.
"$T" test -f hermes/qwen2.5 --count 8 --class legal --patience 600 \
    --cmd "exec python3 -SE '$peer' '$T' objects" >out 2>err
status=$?
status_is 'test: arguments as objects' 0
"$T" test -f hermes/qwen2.5 --count 12 --class typo --patience 600 \
    --cmd "exec python3 -SE '$peer' '$T' tell" >out 2>err
out_has 'test: a call that a slip spoils may be no call' '"fine":12,'
"$T" test -f hermes/qwen2.5 --count 24 --class typo --patience 600 \
    --cmd "exec python3 -SE '$peer' '$T' lose" >out 2>err
out_has 'test: nor may it be passed over' \
    '"what":"calls: one is neither a call nor text"'

# What was wrong is made small.
"$T" test -f hermes/qwen2.5 --count 6 --seed 3 --class rare --patience 600 \
    --cmd "exec python3 -SE '$peer' '$T' ascii" >out 2>err
grep '"small":true' out | head -n 1 | python3 -c 'import json, sys
wire = json.loads(sys.stdin.readline())["case"]["wire"]
left = [c for c in wire if ord(c) > 127]
sys.exit(len(left) != 1 or left[0] == "\ufffd")'
verdict 'test: a reproducer keeps one character beyond ASCII, whole' $?
"$T" test -f hermes/qwen2.5 --count 6 --class rare --patience 600 \
    --cmd "exec python3 -SE '$peer' '$T' forge" >out 2>err
[ "$(grep '"small":true' out | head -n 1 | sed 's/.*"wire":"\(.*\)","wire_b64".*/\1/' | wc -c)" -lt 90 ]
verdict 'test: a reproducer is small' $?
