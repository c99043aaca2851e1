# SPDX-License-Identifier: MIT
#
# Sourced by the tests that use the library from outside: what tests/c_client.c
# must print for a completion of each format.
# shellcheck shell=bash disable=SC2034
# shellcheck source=tests/judge.sh
. "$(dirname "${BASH_SOURCE[0]}")/judge.sh"

explain() { head -c 2000 log; }

# what each format's completion below says
message='{"role":"assistant","content":"Let me look.","reasoning_content":"Brest, then.","tool_calls":[{"id":"call_0","type":"function","function":{"name":"tide","arguments":"{\"at\":\"Brest\",\"days\":2}"}}]}'
declare -A completion
completion[gemma4]='<|channel>thought
Brest, then.<channel|>Let me look.<|tool_call>call:tide{at:<|"|>Brest<|"|>,days:2}<tool_call|>'
completion[harmony]='<|channel|>analysis<|message|>Brest, then.<|end|><|start|>assistant<|channel|>commentary<|message|>Let me look.<|end|><|start|>assistant to=functions.tide<|channel|>commentary <|constrain|>json<|message|>{"at":"Brest","days":2}<|call|>'
completion[hermes]='<think>
Brest, then.
</think>

Let me look.
<tool_call>
{"name": "tide", "arguments": {"at":"Brest","days":2}}
</tool_call>'

# says FORMAT PIECE: chunks, then the message.
says() {
    printf '%s' "${completion[$1]}" | ./client "$1" "$2" >out 2>log || return 1
    cat out >>log
    [ "$(tail -n 1 out)" = "$message" ] &&
        [ "$(grep -c '"object":"chat.completion.chunk"' out)" -ge 3 ] &&
        tail -n 2 out | head -n 1 | grep -q '"finish_reason":"tool_calls"'
}
