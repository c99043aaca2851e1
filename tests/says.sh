# SPDX-License-Identifier: MIT
#
# Sourced by the tests that use the library from outside: what tests/c_client.c
# must print for a completion of a format.
# shellcheck shell=bash disable=SC2034
# shellcheck source=tests/judge.sh
. "$(dirname "${BASH_SOURCE[0]}")/judge.sh"

explain() { head -c 2000 log; }

# what each file of completions/ says in the format that it is named for
message='{"role":"assistant","content":"Let me look.","reasoning_content":"Brest, then.","tool_calls":[{"id":"call_0","type":"function","function":{"name":"tide","arguments":"{\"at\":\"Brest\",\"days\":2}"}}]}'
completions=$(realpath "$(dirname "${BASH_SOURCE[0]}")/completions")
said_formats=$(ls "$completions")

# completion FORMAT: without the line feed at its file's end.
completion() { printf '%s' "$(cat "$completions/$1")"; }

# says FORMAT PIECE [message]: chunks, then the message, or that alone.
says() {
    completion "$1" | ./client "$@" >out 2>log || return 1
    cat out >>log
    [ "${3-}" = message ] && [ "$(cat out)" = "$message" ] && return
    [ "$(tail -n 1 out)" = "$message" ] &&
        [ "$(grep -c '"object":"chat.completion.chunk"' out)" -ge 3 ] &&
        tail -n 2 out | head -n 1 | grep -q '"finish_reason":"tool_calls"'
}
