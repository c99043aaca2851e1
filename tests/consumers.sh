#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
#
# What uses the library through its public header alone, outside the build:
# a C program as C11 and as C++17, with the static and the shared library, and
# a Python client.
# Use: tests/consumers.sh LIBRARY_FOLDER HEADER_FOLDER
set -u
export LC_ALL=C

if [ $# -ne 2 ] || [ ! -r "$1/libtoolwire.a" ] || [ ! -r "$2/toolwire.h" ]; then
    echo "use: $0 LIBRARY_FOLDER HEADER_FOLDER" >&2
    exit 2
fi
libraries=$(realpath "$1")
headers=$(realpath "$2")
here=$(realpath "$(dirname "$0")")
work=$(mktemp -d) || exit 2
trap 'rm -rf "$work"' EXIT
cd "$work" || exit 2
export PYTHONDONTWRITEBYTECODE=1
passed=0
failed=0

verdict() {
    if [ "$2" -eq 0 ]; then
        passed=$((passed + 1))
    else
        failed=$((failed + 1))
        echo "FAILED: $1"
        head -c 2000 log
    fi
}

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

warnings='-Wall -Wextra -Wpedantic -Werror'
c="${CC:-cc} -std=c11"
cxx="${CXX:-c++} -std=c++17 -x c++"
for language in "$c" "$cxx"; do
    for library in "$libraries/libtoolwire.a" \
        "-L$libraries -ltoolwire -Wl,-rpath,$libraries"; do
        name="$language with ${library%% *}"
        # shellcheck disable=SC2086
        $language $warnings -I"$headers" -c "$here/c_client.c" -o client.o \
            >log 2>&1 && ${language%% *} client.o $library -o client >>log 2>&1
        verdict "$name: compiles" $?
        for format in gemma4 harmony hermes; do
            for piece in 1 3 4096; do
                says $format $piece
                verdict "$name: $format in pieces of $piece" $?
            done
        done
        rm -f client
    done
done

# The header alone, with every warning that a user may have switched on.
echo '#include <toolwire.h>' >alone.c
# shellcheck disable=SC2086
$c $warnings -Wstrict-prototypes -Wconversion -Wshadow -I"$headers" \
    -fsyntax-only alone.c >log 2>&1
verdict 'the header alone, C11' $?
# shellcheck disable=SC2086
$cxx $warnings -Wconversion -Wshadow -Wold-style-cast -I"$headers" \
    -fsyntax-only alone.c >log 2>&1
verdict 'the header alone, C++17' $?

# What is installed is complete.
if [ -r "$libraries/cmake_install.cmake" ]; then
    # shellcheck disable=SC2086
    cmake --install "$libraries" --prefix "$work/installed" >log 2>&1 &&
        $c "$here/c_client.c" -I installed/include installed/lib*/libtoolwire.a \
            -o client >>log 2>&1 &&
        says hermes 3 &&
        [ -e "$(echo installed/lib*/libtoolwire.so)" ] &&
        [ "$(printf '%s' "${completion[hermes]}" |
            installed/bin/toolwire decode -f hermes)" = "$message" ]
    verdict 'what cmake --install installs' $?
fi

if command -v python3 >/dev/null; then
    python3 "$here/python/conformance.py" "$libraries/libtoolwire.so" \
        "$here/conformance" >log 2>&1
    verdict 'conformance cases in Python' $?
    echo "Python, conformance cases: $(tail -n 1 log)"
else
    echo 'consumers: Python SKIPPED: there is no python3'
fi

echo "$passed passed, $failed failed"
[ "$failed" -eq 0 ]
