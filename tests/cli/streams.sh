# SPDX-License-Identifier: MIT
#
# stream --api: what each API's stream looks like to its last byte, in
# ../streams/API.sse, and what does not go together.
# A part of tests/cli.sh.

# What is in a golden file: NAME | OPTIONS | INPUT.
golden_cases() {
    cat <<'END'
text | | Hi "you".
nothing | |
reasoning | | <think>Where?</think>Brest.
summary | --reasoning summary | <think>Where?</think>Brest.
two calls and text | --id resp_x --model m --created 5 | Hi.<tool_call>{"name":"tide","arguments":{"at":"Brest"}}</tool_call><tool_call>{"name":"now","arguments":{}}</tool_call>Bye.
cut off | | Hi.<tool_call>{"name":"tide","arguments":{"at":"Bre
cut off, held | --hold-calls | Hi.<tool_call>{"name":"tide","arguments":{"at":"Bre
unparsed | | <tool_call>{"name":"tide","arguments":{"at":+}}</tool_call>Hi.
unparsed, held | --hold-calls | <tool_call>{"name":"tide","arguments":{"at":+}}</tool_call>Hi.
error | --strict | Hi.<tool_call>{"name":"tide","arguments":{"at":"Brest",}}</tool_call>
limit | --finish length | Hi
filter | --finish-reason content_filter --usage {"prompt_tokens":5,"completion_tokens":7} | Hi
END
}

# golden API: all of them.  --reasoning and --created go with some APIs only.
golden() {
    local name options input
    while IFS='|' read -r name options input; do
        case $1 in
        chat) options=${options/--reasoning summary/} ;;
        anthropic) options=${options/--created 5/} options=${options/--reasoning summary/} ;;
        esac
        echo "### ${name% }"
        # shellcheck disable=SC2086
        printf '%s' "${input# }" | "$T" stream -f hermes --api "$1" --sse $options 2>err
        echo "### status $?, $(lines err) lines on stderr"
    done < <(golden_cases)
}

for api in chat responses anthropic; do
    golden $api >out
    diff "$parts/../streams/$api.sse" out >differs
    verdict "stream --api $api: each byte is that of streams/$api.sse" $?
    head -n 20 differs
    # Lines are the data of the events.
    run "Hi.$hermes" stream -f hermes --api $api --sse
    sed -n 's/^data: \({.*\)/\1/p' out >frames
    run "Hi.$hermes" stream -f hermes --api $api
    cmp -s out frames
    verdict "stream --api $api: the frames hold the lines" $?
done
run 'Hi.' stream -f hermes --sse
cp out plain
run 'Hi.' stream -f hermes --sse --api chat
cmp -s out plain
verdict 'stream --api chat says nothing new' $?

usage stream -f hermes --api gemini
usage stream -f hermes --api ''
usage stream -f hermes --api responses --choice 1
err_has 'stream --api responses --choice' '--choice does not go with --api responses'
usage stream -f hermes --api anthropic --created 1
usage stream -f hermes --api anthropic --custom custom
err_has 'stream --api anthropic --custom custom' '--custom does not go with --api anthropic'
usage stream -f hermes --api anthropic --reasoning-key reasoning
err_has 'stream --api anthropic --reasoning-key' '--reasoning-key does not go with --api anthropic'
usage stream -f hermes --api responses --system-fingerprint x
usage stream -f hermes --api responses --stop-sequence x
usage stream -f hermes --stop-sequence x
run 'Hi.' stream -f hermes --api anthropic --stop-sequence '##'
out_has 'stream --stop-sequence' '"stop_reason":"stop_sequence","stop_sequence":"##"'
usage stream -f hermes --reasoning summary
usage stream -f hermes --api responses --events
usage stream -f hermes --api responses --usage '[]'
err_has 'stream --api responses --usage' 'a JSON object'
run 'Hi.' stream -f hermes --api anthropic --custom function
status_is 'stream --api anthropic --custom function' 0
