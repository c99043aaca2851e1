#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
#
# Everything that README.md shows is true: its C programs compile, its sh and
# Python blocks print what the text block behind them says, its links lead
# somewhere.
# Use: tests/readme.sh PATH-OF-TOOLWIRE LIBRARY_FOLDER HEADER_FOLDER [--write]
# --write puts what is printed into README.md instead of comparing it.
set -u

if [ $# -lt 3 ] || [ ! -x "$1" ] || [ ! -r "$2/libtoolwire.a" ] ||
    [ ! -r "$3/toolwire.h" ]; then
    echo "use: $0 PATH-OF-TOOLWIRE LIBRARY_FOLDER HEADER_FOLDER [--write]" >&2
    exit 2
fi
root=$(realpath "$(dirname "$0")/..")
page=$root/README.md
work=$(mktemp -d) || exit 2
trap 'rm -rf "$work"' EXIT

# What README.md takes for the repository's root after `make demo`.
mkdir "$work/root" "$work/root/build" || exit 2
ln -s "$(realpath "$1")" "$work/root/build/toolwire"
ln -s "$(realpath "$2")"/libtoolwire.* "$work/root/build"
ln -s "$(realpath "$3")" "$work/root/include"
cd "$work/root" || exit 2

passed=0
failed=0
verdict() {
    if [ "$2" -eq 0 ]; then
        passed=$((passed + 1))
    else
        failed=$((failed + 1))
        echo "FAILED: $1"
        [ ! -s "$work/log" ] || cat "$work/log"
    fi
}

# ---- the blocks, each a file: NUMBER.KIND ----------------------------------

mkdir "$work/blocks"
awk -v folder="$work/blocks" '
    !kind && /^ *```/ {
        indent = index($0, "`") - 1
        kind = substr($0, indent + 4)
        file = sprintf("%s/%03d.%s", folder, ++number, kind ? kind : "none")
        printf "" >file
        next
    }
    kind && /^ *```$/ { kind = ""; close(file); next }
    kind { print substr($0, indent + 1) >file }' "$page"

programs=0
ran=
for block in "$work"/blocks/*; do
    : >"$work/log"
    name=$(basename "$block")
    case $name in
    *.c)
        programs=$((programs + 1))
        [ $programs -gt 1 ] || cp "$block" first.c
        ${CC:-cc} -std=c11 -Wall -Wextra -Wpedantic -Werror -Iinclude \
            -c "$block" -o "$work/program.o" >"$work/log" 2>&1
        verdict "block $name compiles without a warning" $?
        ;;
    *.sh)
        bash "$block" >"$work/out" 2>&1 </dev/null
        ran=yes
        continue
        ;;
    *.python)
        # As after pip install, which tests/python_binding.sh tries.
        PYTHONPATH=$root/src/bindings/python PYTHONDONTWRITEBYTECODE=1 \
            TOOLWIRE_LIBRARY=$work/root/build/libtoolwire.so \
            python3 "$block" >"$work/out" 2>&1 </dev/null
        ran=yes
        continue
        ;;
    *.text)
        if [ "${4-}" = --write ]; then
            cp "$work/out" "$block"
        fi
        [ -n "$ran" ] && diff -u "$block" "$work/out" >"$work/log"
        verdict "block $name is what the commands before it print" $?
        ran=
        continue
        ;;
    *)
        verdict "block $name is of a kind that can be tried" 1
        ;;
    esac
    [ -z "$ran" ]
    verdict "before block $name: a text block stands behind each that runs" $?
    ran=
done
[ -z "$ran" ]
verdict 'a text block stands behind the last that runs' $?

if [ "${4-}" = --write ]; then
    awk -v folder="$work/blocks" '
        /^ *```/ {
            inside = !inside
            print
            if (inside)
                number++
            text = inside && /```text$/
            if (text) {
                file = sprintf("%s/%03d.text", folder, number)
                while ((getline line <file) > 0)
                    print line
            }
            next
        }
        !text { print }' "$page" >"$work/page" && cp "$work/page" "$page"
    exit
fi

[ $programs -ge 1 ] && [ -x first ]
verdict 'there is a C program, and it was run' $?
# shellcheck disable=SC2016
for link in $(grep -oE '\]\([^)#]+\)' "$page" | tr -d '])(') \
    $(grep -oE '`(tests|docs|src|include|grammar)/[a-z0-9_./]*`' "$page" |
        tr -d '`' | sort -u); do
    [ -e "$root/$link" ]
    verdict "README.md names $link" $?
done

echo "$passed passed, $failed failed"
[ "$failed" -eq 0 ]
