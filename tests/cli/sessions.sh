# SPDX-License-Identifier: MIT
#
# Sessions of agents: a file of many lines is one record.
# A part of tests/cli.sh.

sessions=$parts/../sessions
run '' convert -f auto -t openai --report lost.jsonl --stats \
    "$sessions/claude-code.jsonl" "$sessions/codex.jsonl" "$sessions/atif.json"
status_is 'sessions' 0
out_lines 'sessions: a record of each file' 3
grep -q '"shapes":{"claude-code":1,"codex":1,"atif":1}' err
verdict 'sessions: each is known' $?
sed -n 1p out | cmp -s - "$sessions/claude-code.openai.json"
verdict 'sessions: lines of one id are one message' $?
sed -n 2p out | cmp -s - "$sessions/codex.openai.json"
verdict 'sessions: items in their wrappers' $?
sed -n 3p out | cmp -s - "$sessions/atif.openai.json"
verdict 'sessions: a trajectory that is broken into lines' $?
for lost in '"severity":"content","path":"lines\[9\]"' '"path":"lines\[11\]"' \
    '"severity":"content","path":"lines\[13\]"' \
    '"code":"call_unanswered","severity":"none","path":"lines\[13\]'; do
    grep -q "$lost" lost.jsonl
    verdict "sessions: what is lost is said: $lost" $?
done
cp out whole
for way in '-j 3' '-j 1'; do
    # shellcheck disable=SC2086
    run '' convert $way -f auto -t openai "$sessions/claude-code.jsonl" \
        "$sessions/codex.jsonl" "$sessions/atif.json"
    cmp -s out whole
    verdict "sessions: $way" $?
done
"$T" convert -f claude-code -t openai <"$sessions/claude-code.jsonl" 2>err |
    cmp -s - "$sessions/claude-code.openai.json"
verdict 'sessions: from a pipe' $?
run "$(cat "$sessions/claude-code.jsonl")" convert -f claude-code -t anthropic
grep -q '"signature":"c2ln"' out
verdict 'sessions: a signature stays' $?
run '' convert -f openai -t codex
status_is 'sessions: one that is only read' 2
for name in claude-code codex; do
    run '' convert -f openai -t anthropic "$sessions/$name.jsonl"
    status_is "sessions: lines of $name's are no records" 1
    grep -q "; the record is of the shape $name (-f $name)" err
    verdict "sessions: lines of $name's are named" $?
done
for file in claude-code.jsonl codex.jsonl atif.json; do
    run '' detect "$sessions/$file"
    grep -q "shape ${file%.*}: 1 record" out
    verdict "sessions: detect $file" $?
done
printf '%s\n' 'no JSON' '{"messages": []}' >bad.jsonl
for name in codex claude-code gemini-cli qwen-code pi; do
    run '' convert -f "$name" -t openai bad.jsonl
    status_is "sessions: no line is one of $name's" 1
    grep -q "no line is one of [CGQp].*'s" err
    verdict "sessions: no line is one of $name's, and this is said" $?
    [ -r "$sessions/$name-broken.jsonl" ] || continue
    run '' convert -f auto -t openai --loss refuse \
        "$sessions/$name-broken.jsonl"
    status_is "sessions: what is broken may be refused: $name" 1
done

# Branches that a user left, lines that stand twice, words that were queued;
# the agent's own streams; items of newer files; lines and calls that are
# broken, of which all else is kept.
for name in claude-code-branches claude-code-stream codex-items \
    claude-code-broken codex-broken gemini-cli qwen-code pi messages \
    copilot; do
    run '' convert -f auto -t openai --report lost.jsonl \
        "$sessions/$name.jsonl"
    cmp -s out "$sessions/$name.openai.json"
    verdict "sessions: $name" $?
    sed 's/.*"code":"\([^"]*\)".*"path":"\([^"]*\)".*/\1 \2/' lost.jsonl |
        cmp -s - "$sessions/$name.report.txt"
    verdict "sessions: $name: what is lost" $?
done
run '[{"role":"user","content":[{"type":"text","text":"Tide?"}]},{"role":"assistant","content":[{"type":"tool_use","id":"c1","name":"tide","input":{}}]}]' \
    convert -f auto -t openai
out_is 'sessions: a file with a list of messages' \
    '{"messages":[{"role":"user","content":"Tide?"},{"role":"assistant","content":null,"tool_calls":[{"id":"c1","type":"function","function":{"name":"tide","arguments":"{}"}}]}]}
'
run '[{"role":"user","content":"a"}]
[{"role":"user","content":"b"}]
' convert -f auto -t openai
out_is 'sessions: a list of messages in each line' \
    '{"messages":[{"role":"user","content":"a"}]}
{"messages":[{"role":"user","content":"b"}]}
'
run '{"messages": []}
' convert -f messages -t openai
grep -q 'no line is a message' err
verdict 'sessions: no line is a message, and this is said' $?
run '{"type":"session_start","id":"d","cwd":"/x"}
{"type":"message","id":"1","timestamp":"t","message":{"role":"user","content":[{"type":"text","text":"Tide?"}]}}
{"type":"message","id":"2","timestamp":"t","message":{"role":"assistant","content":[{"type":"tool_use","id":"c1","name":"tide","input":{}}]}}
{"type":"message","id":"3","timestamp":"t","message":{"role":"user","content":[{"type":"tool_result","tool_use_id":"c1","content":"4.1"}]}}
{"type":"note","id":"4","content":"aside"}
' convert -f auto -t openai --report lost.jsonl
out_is 'sessions: Droid' \
    '{"messages":[{"role":"user","content":"Tide?"},{"role":"assistant","content":null,"tool_calls":[{"id":"c1","type":"function","function":{"name":"tide","arguments":"{}"}}]},{"role":"tool","tool_call_id":"c1","content":"4.1"}],"session_id":"d"}
'
grep -q '"code":"message_dropped".*"path":"lines\[4\]"' lost.jsonl
verdict 'sessions: a line of an unknown type that says something' $?
# Without the line before it no way is cut off; an agent's stream has no tree.
grep -v '"id":"b7"' "$sessions/pi.jsonl" >no-way.jsonl
run '' convert -f auto -t openai no-way.jsonl
out_has 'sessions: a way with a hole' '{"role":"user","content":"Wind?"}'
run '{"type":"message","id":"a","parentId":null,"message":{"role":"user","content":"Tide?"}}
{"type":"message","id":"b","parentId":"a","message":{"role":"user","content":"Now?"}}' \
    convert -f pi -t openai
out_is 'sessions: pi without its first line' \
    '{"messages":[{"role":"user","content":"Tide?"},{"role":"user","content":"Now?"}]}
'
run '{"type":"session","id":"s","cwd":"/x"}
{"type":"message_update","message":{"role":"assistant","content":[{"type":"text","text":"4"}]}}
{"type":"message_end","message":{"role":"assistant","content":[{"type":"text","text":"4 m."}]}}' \
    convert -f pi -t openai
out_is 'sessions: a stream of pi' \
    '{"messages":[{"role":"assistant","content":"4 m."}],"session_id":"s"}
'
sed 's/"isSidechain":false/"isSidechain":true/' \
    "$sessions/claude-code.jsonl" >side.jsonl
run '' convert -f auto -t openai side.jsonl
out_has "sessions: another agent's own file" '"role":"assistant"'
# A document of Gemini CLI's, over several lines.
for name in auto gemini-cli; do
    run '' convert -f $name -t openai "$sessions/gemini-cli.json"
    out_is "sessions: a document of Gemini CLI's: $name" \
        '{"messages":[{"role":"user","content":"Tide?"},{"role":"assistant","content":"4.1 m.","reasoning_content":"**Tides**"}],"session_id":"g-0"}
'
done

# A session that has one line so far, with and without a line feed.
for end in '' '\n'; do
    printf '%s'"$end" '{"type":"user","sessionId":"s","message":{"role":"user","content":"x"}}' >one.jsonl
    for way in one.jsonl '- <one.jsonl'; do
        eval "\"\$T\" convert -f auto -t openai $way" >out 2>err
        out_is "sessions: one line: $end $way" \
            '{"messages":[{"role":"user","content":"x"}],"session_id":"s"}
'
    done
done

# A list of lines over several lines, a file whose first line is long.
{ echo '['; sed '$!s/$/,/' "$sessions/claude-code.jsonl"; echo ']'; } >list.json
run '' convert -f claude-code -t openai list.json
cmp -s out "$sessions/claude-code.openai.json"
verdict 'sessions: a list over several lines' $?
{
    printf '{"type":"user","sessionId":"s","message":{"role":"user","content":"'
    head -c 200000 /dev/zero | tr '\0' x
    echo '"}}'
    cat "$sessions/claude-code.jsonl"
} >long.jsonl
for way in 'long.jsonl' '- <long.jsonl'; do
    eval "\"\$T\" convert -f auto -t openai $way" >out 2>err
    out_lines "sessions: the first line is long: $way" 1
    out_has "sessions: the first line is long: $way" '"role":"tool"'
done

# Observations of the Agent Data Protocol name their actions, in any order.
run '{"id":"t","content":[{"class_":"api_action","function":"a","kwargs":{"n":1},"description":"da","tool_call_id":"x"},{"class_":"api_action","function":"b","kwargs":{"n":2},"description":"db","tool_call_id":"y","reasoning_content":"wb"},{"class_":"text_observation","content":"rb","source":"environment","tool_call_id":"y"},{"class_":"text_observation","content":"ra","source":"user","tool_call_id":"x"}]}' \
    convert -f adp -t openai --report lost.jsonl
out_is 'adp: ids tell whose the results are' '{"messages":[{"role":"assistant","content":"da","tool_calls":[{"id":"x","type":"function","function":{"name":"a","arguments":"{\"n\": 1}"}}]},{"role":"assistant","content":"db","reasoning_content":"wb","tool_calls":[{"id":"y","type":"function","function":{"name":"b","arguments":"{\"n\": 2}"}}]},{"role":"tool","tool_call_id":"y","content":"rb"},{"role":"tool","tool_call_id":"x","content":"ra"}],"id":"t"}
'
grep -q '"code":"role_changed".*"path":"content\[3\].source"' lost.jsonl
verdict 'adp: that a user gave a result is told' $?
cp out adp-there
run '' convert -f openai -t adp adp-there
out_has 'adp: reasoning beside a call is written' '"description":"db","tool_call_id":"y","reasoning_content":"wb"}'
out_has 'adp: the id of a result is written' '"content":"rb","source":"environment","tool_call_id":"y"}'

# What OpenAI's Agents SDK keeps is named, with what makes records of it.
while IFS='|' read -r record what; do
    run "$record" convert -f auto -t openai
    status_is "an Agents SDK's $what" 1
    err_has "an Agents SDK's $what" "the record is a $what of OpenAI's Agents SDK ("
done <<'END'
{"id":1,"session_id":"s","message_data":"{}","created_at":"t"}|row of a session
{"object":"trace.span","id":"x","trace_id":"t","span_data":{"type":"agent"}}|span
{"object":"trace","id":"t","workflow_name":"w","group_id":null}|trace
END
run '{"object":"trace.span","id":"x","trace_id":"t","span_data":{"type":"generation","input":[{"role":"user","content":"q"}]}}' \
    convert -f openai -t openai --messages span_data.input
out_has "an Agents SDK's generation" '{"messages":[{"role":"user","content":"q"}]'
if command -v jq >/dev/null; then
    printf '%s\n' '{"message_data":"{\"role\":\"user\",\"content\":\"q\"}"}' \
        '{"message_data":"{\"type\":\"function_call\",\"call_id\":\"c\",\"name\":\"f\",\"arguments\":\"{}\"}"}' |
        jq -c -s '{input: map(.message_data | fromjson)}' >rows
    run '' convert -f responses -t openai rows
    out_has "an Agents SDK's rows" '"function":{"name":"f","arguments":"{}"}'
fi
