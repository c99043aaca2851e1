#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
#
# The library on other machines: 32 bits, big-endian (under qemu), char of
# either sign, 64 KiB of stack, other locales.  Replays all seeds through
# every fuzz target's property, and strings of fragments through the second
# opinion.  Use: tests/ports.sh WORK-FOLDER
set -u
root=$(realpath "$(dirname "$0")/..")
if [ $# -ne 1 ]; then
    echo "use: $0 WORK-FOLDER" >&2
    exit 2
fi
mkdir -p "$1" && cd "$1" || exit 2
. "$root/tests/judge.sh"

# port NAME COMPILER FLAGS RUNNER...
port() {
    local name=$1 compiler=$2 flags=$3 target
    shift 3
    if ! command -v "$compiler" >/dev/null; then
        judge "$name: there is no $compiler" 1
        return
    fi
    rm -rf "$name" && mkdir "$name" || return
    for grammar in "$root"/grammar/*.re; do
        case $grammar in */common.re) continue ;; esac
        re2c -W --no-version -o "$name/$(basename "$grammar" .re).c" "$grammar"
    done
    # The tables of descriptions are made here, for whatever machine.
    cc -std=c11 -O1 -I "$root/include" -I "$root/src" -o "$name/compile" \
        "$root"/src/core/*.c "$root"/src/json/*.c "$name/json.c" \
        "$root"/src/formats/language/*.c "$root/src/formats/markers.c" &&
        "$name/compile" "$name/descriptions.c" "$root"/grammar/*.json ||
        judge "$name: the tables of descriptions" 1
    for target in split naive output value canonical marks; do
        # shellcheck disable=SC2086
        "$compiler" -std=gnu11 -O1 $flags -I "$root/include" -I "$root/src" \
            -I "$root/tests" -I "$root/fuzz" -o "$name/$target" \
            "$root/fuzz/fuzz_$target.c" "$root/fuzz/replay.c" \
            "$root/fuzz/message.c" "$root"/tests/support/*.c \
            "$root"/tests/naive/*.c \
            $(find "$root/src" -name '*.c' |
                grep -vE '/src/(cli|kit|without)/|/compile') \
            "$name"/*.c >"$name/$target.log" 2>&1 &&
            "$@" "$name/$target" "$seeds" >>"$name/$target.log" 2>&1
        judge "$name: $target" $?
    done
}

# Seeds are made here.
cmake -S "$root" -B native -G Ninja -DCMAKE_BUILD_TYPE=Release \
    -DTOOLWIRE_FUZZ=OFF -DTOOLWIRE_TESTS=ON >cmake.log 2>&1 &&
    ninja -C native fuzz_seeds toolwire >>cmake.log 2>&1 || exit 2
seeds=native/fuzz/seeds

port bits32 gcc '-m32' env
port signed gcc '-fsigned-char' env
port unsigned gcc '-funsigned-char' env
port stack gcc '' bash -c 'ulimit -s 64; exec "$@"' stack
port big-endian s390x-linux-gnu-gcc '-static' qemu-s390x

# A comma for a decimal point, and an I without its dot.
for locale in de_DE.UTF-8 tr_TR.UTF-8; do
    localedef -i "${locale%.*}" -f UTF-8 "./$locale" 2>/dev/null
    here=$(LC_ALL=C native/toolwire gen -f hermes --count 200 | sha256sum)
    there=$(LOCPATH=$PWD LC_ALL=$locale native/toolwire gen -f hermes \
        --count 200 | sha256sum)
    [ -d "$locale" ] && [ "$here" = "$there" ]
    judge "locale $locale" $?
done
finish
