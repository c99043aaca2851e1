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
# shellcheck source=tests/says.sh
. "$here/says.sh"

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
        for format in $said_formats; do
            for piece in 1 3 4096; do
                says $format $piece
                verdict "$name: $format in pieces of $piece" $?
            done
        done
        ./client hermess 3 </dev/null >out 2>log
        [ $? -eq 1 ] && [ "$(cat log)" = 'c_client: unknown format' ]
        verdict "$name: a misspelt format is said to be one" $?
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
        [ "$(completion hermes |
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

finish
