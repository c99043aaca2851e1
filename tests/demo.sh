#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
#
# What `make demo` shows: a completion of each format, written as slowly as a
# model writes, and the chunks that come out while it does.
# Use: tests/demo.sh PATH-OF-TOOLWIRE
set -uo pipefail
export LC_ALL=C

if [ $# -ne 1 ] || [ ! -x "$1" ]; then
    echo "use: $0 PATH-OF-TOOLWIRE" >&2
    exit 2
fi
T=$1
bold='' faint='' plain=''
if [ -t 1 ] && [ -z "${NO_COLOR-}" ]; then
    bold=$'\e[1m' faint=$'\e[2m' plain=$'\e[0m'
fi

# Writes stdin's text in small pieces, as tokens come.
slowly() {
    local text piece=9 at
    IFS= read -r -d '' text
    for ((at = 0; at < ${#text}; at += piece)); do
        printf '%s' "${text:at:piece}"
        sleep 0.03
    done
}

# On a terminal the same envelope of every chunk steps back.
show() {
    sed -u -e "s/^\(.*\"choices\":\)\(.*\)/$faint\1$plain\2/"
}

# demo TITLE FORMAT: the completion is stdin.
demo() {
    local completion
    IFS= read -r -d '' completion
    completion=${completion%$'\n'}
    printf '%s\n\n' "$bold==== $1$plain"
    printf '%s\n' "The model writes:"
    printf '%s' "$completion" | sed 's/^/    /'
    printf '\n\n%s\n' "toolwire stream -f $2 --custom function"
    printf '%s' "$completion" | slowly |
        "$T" stream -f "$2" --custom function | show || exit 1
    printf '\n'
}

demo 'Gemma 4' gemma4 <<'END'
<|channel>thought
High water decides. I need the tide table.<channel|>Let me look at the tides.<|tool_call>call:get_tides{days:2,place:{country:<|"|>FR<|"|>,port:<|"|>Brest<|"|>}}<tool_call|>
END

demo 'Harmony (gpt-oss)' harmony <<'END'
<|channel|>analysis<|message|>A sum; then the weather.<|end|><|start|>assistant<|channel|>analysis to=python code<|message|>print(17 * 23)<|call|><|start|>assistant<|channel|>commentary<|message|>Now the weather.<|end|><|start|>assistant to=functions.get_weather<|channel|>commentary <|constrain|>json<|message|>{"city":"Ålesund","unit":"celsius"}<|call|>
END

demo 'Hermes (Qwen3), with a comma too many in the second call' hermes <<'END'
<think>
Two cities, two calls.
</think>

I will check both.
<tool_call>
{"name": "get_weather", "arguments": {"city": "Oslo"}}
</tool_call>
<tool_call>
{"name": "get_weather", "arguments": {"city": "Bergen",}}
</tool_call>
END

cat <<END
${bold}What to try next$plain
    $T decode -f hermes FILE      a completion of your own, as a message
    $T stream -f hermes --events  what is read, and where it stands
    $T --help                     more examples
    README.md                                 the same from C
    make check                                run every test
END
