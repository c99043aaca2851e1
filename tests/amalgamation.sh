#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
#
# The amalgamation: `cc -c toolwire.c` is all it takes, nothing is seen of it
# but the interface, and it does what the library does.
# Use: tests/amalgamation.sh FOLDER [each], that of toolwire.c and toolwire.h;
# each: each part of src/parts.txt is left out alone, too
set -u
export LC_ALL=C

if [ $# -lt 1 ] || [ "${2-each}" != each ] || [ ! -r "$1/toolwire.c" ] || [ ! -r "$1/toolwire.h" ]; then
    echo "use: $0 FOLDER [each]" >&2
    exit 2
fi
made=$(realpath "$1")
each=${2-}
here=$(realpath "$(dirname "$0")")
work=$(mktemp -d) || exit 2
trap 'rm -rf "$work"' EXIT
cd "$work" || exit 2
cp "$made/toolwire.c" "$made/toolwire.h" .
export PYTHONDONTWRITEBYTECODE=1
# shellcheck source=tests/says.sh
. "$here/says.sh"

quiet() { "$@" >log 2>&1 && [ ! -s log ]; }

# As a user would, with no option at all.
quiet "${CC:-cc}" -c toolwire.c -o plain.o
verdict 'cc -c toolwire.c, without a word' $?

warnings='-Wall -Wextra -Wpedantic -Werror'
for compiler in gcc clang clang-14; do
    if ! command -v "$compiler" >/dev/null; then
        [ "$compiler" = clang ] ||
            echo "amalgamation: SKIPPED with $compiler: it is not there"
        continue
    fi
    [ "$compiler" != clang-14 ] || [ ! -e clang.o ] || continue
    # What gcc warns of depends on what it looks through.
    level=-O0
    [ "$compiler" != gcc ] || level=-O1
    # shellcheck disable=SC2086
    quiet "$compiler" -std=c11 $level -fPIC $warnings -Wshadow -Wconversion \
        -Wmissing-prototypes -c toolwire.c -o "$compiler.o"
    verdict "$compiler, with its warnings as errors" $?
    nm -g --defined-only "$compiler.o" | awk '{ print $3 }' | sort |
        diff "$here/exported.txt" - >log
    verdict "$compiler: what is seen from outside is in tests/exported.txt" $?
done
# Other systems' headers declare more.
quiet "${CC:-cc}" -std=gnu17 -D_GNU_SOURCE -Wall -Wextra -Werror \
    -fsyntax-only toolwire.c
verdict 'with all that GNU headers declare' $?

# Where there is no SSE2, what belongs to it is not asked for.
! "${CC:-cc}" -U__SSE2__ -E toolwire.c 2>log | grep -q emmintrin
verdict 'without SSE2' $?

c="${CC:-cc} -std=c11"
cxx="${CXX:-c++} -std=c++17 -x c++"
for language in "$c" "$cxx"; do
    # shellcheck disable=SC2086
    $language $warnings -I. -c "$here/c_client.c" -o client.o >log 2>&1 &&
        ${language%% *} client.o plain.o -o client >>log 2>&1
    verdict "$language: linked" $?
    for format in $said_formats; do
        says $format 3
        verdict "$language: $format" $?
    done
done

# ---- without all parts of src/parts.txt, and without each ---------------------

# A function of the header that stands in the part, if one does.
declare -A gone=([grammar]=tw_grammar_make [schema]=tw_words_for_model
    [encode]=tw_encode [convert]=tw_converter_new [import]=none [texts]=none
    [streams]=tw_converter_new)
parts=$(sed -n 's/^\([a-z]*\) *|.*/\1/p' "$here/../src/parts.txt")
for part in "$(paste -s -d , <<<"$parts")" ${each:+$parts}; do
    if ! command -v python3 >/dev/null; then
        echo "amalgamation: SKIPPED without $part: there is no python3"
        continue
    fi
    python3 "$here/../src/amalgamate.py" "$here/.." "$made/../grammar" left \
        --without "$part" >log 2>&1 &&
        quiet "${CC:-cc}" -std=c11 -O0 -fPIC -Wall -Wextra -Wpedantic \
            -Wno-unused-variable -Werror -c left/toolwire.c -o left.o
    verdict "without $part: compiled, without a word" $?
    nm -g --defined-only left.o | awk '{ print $3 }' | sort >seen
    wrong=$(comm -13 "$here/exported.txt" seen)
    for one in ${part//,/ }; do
        [ -n "${gone[$one]}" ] && ! grep -qx "${gone[$one]}" seen ||
            wrong="$wrong ${gone[$one]}"
    done
    echo "$wrong" >log
    [ -z "$wrong" ]
    verdict "without $part: its functions are not there, nor are others" $?
    # shellcheck disable=SC2086
    $c -I. "$here/c_client.c" left.o -o client >log 2>&1
    verdict "without $part: linked" $?
    alone=
    [[ $part != *streams* ]] || alone=message
    for format in $said_formats; do
        says $format 3 $alone
        verdict "without $part: $format" $?
    done
done

if command -v python3 >/dev/null; then
    "${CC:-cc}" -shared gcc.o -o libtoolwire.so >log 2>&1 &&
        python3 "$here/python/conformance.py" ./libtoolwire.so \
            "$here/conformance" >log 2>&1
    verdict 'conformance cases in Python' $?
    echo "Python, conformance cases: $(tail -n 1 log)"
else
    echo 'amalgamation: Python SKIPPED: there is no python3'
fi

finish
