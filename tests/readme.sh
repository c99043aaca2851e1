#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
#
# Everything that README.md, the pages in docs/ and that of the Python package
# show is true: their C programs compile, their sh and Python blocks print what
# the text block behind them says, their links lead somewhere.  (What
# CONTRIBUTING.md shows, contributing.py does; tables are reference.py's.)
# Use: tests/readme.sh PATH-OF-TOOLWIRE LIBRARY_FOLDER HEADER_FOLDER [--write]
# --write puts what is printed into the pages instead of comparing it.
set -u

if [ $# -lt 3 ] || [ ! -x "$1" ] || [ ! -r "$2/libtoolwire.a" ] ||
    [ ! -r "$3/toolwire.h" ]; then
    echo "use: $0 PATH-OF-TOOLWIRE LIBRARY_FOLDER HEADER_FOLDER [--write]" >&2
    exit 2
fi
root=$(realpath "$(dirname "$0")/..")
work=$(mktemp -d) || exit 2
trap 'rm -rf "$work"' EXIT

# What the pages take for the repository's root after `make demo`.
mkdir "$work/root" "$work/root/build" || exit 2
ln -s "$(realpath "$1")" "$work/root/build/toolwire"
ln -s "$(realpath "$2")"/libtoolwire.* "$work/root/build"
ln -s "$(realpath "$3")" "$work/root/include"
cd "$work/root" || exit 2
write=${4-}

# shellcheck source=tests/judge.sh
. "$root/tests/judge.sh"

explain() { [ ! -s "$work/log" ] || cat "$work/log"; }

# ---- a page, its blocks each a file: NUMBER.KIND ---------------------------

split() {
    rm -rf "$work/blocks"
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
        kind { print substr($0, indent + 1) >file }' "$1"
}

# write_back PAGE: what is in the text blocks now.
write_back() {
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
        !text { print }' "$1" >"$work/page" && cp "$work/page" "$1"
}

programs=0
try_blocks() {
    local block name name_of ran=
    for block in "$work"/blocks/*; do
        : >"$work/log"
        name="$1, block $(basename "$block")"
        case $block in
        *.c)
            programs=$((programs + 1))
            # A program has the name in front of its messages: "first: ...".
            name_of=$(sed -n 's/.*stderr, "\([a-z]*\): %s.*/\1/p' "$block" | head -n 1)
            [ -z "$name_of" ] || cp "$block" "$name_of.c"
            ${CC:-cc} -std=c11 -Wall -Wextra -Wpedantic -Werror -Iinclude \
                -c "$block" -o "$work/program.o" >"$work/log" 2>&1
            verdict "$name compiles without a warning" $?
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
        *.js) continue ;; # made and tried by make node
        *.text)
            if [ "$write" = --write ]; then
                cp "$work/out" "$block"
            fi
            [ -n "$ran" ] && diff -u "$block" "$work/out" >"$work/log"
            verdict "$name is what the commands before it print" $?
            ran=
            continue
            ;;
        *)
            verdict "$name is of a kind that can be tried" 1
            ;;
        esac
        [ -z "$ran" ]
        verdict "$name: a text block stands behind each that runs" $?
        ran=
    done
    [ -z "$ran" ]
    verdict "$1: a text block stands behind the last that runs" $?
}

# has_section PAGE NAME: a heading of that name, as a link spells it.
has_section() {
    sed -n 's/^##* //p' "$1" | tr 'A-Z ' 'a-z-' | tr -cd 'a-z0-9_\n-' |
        grep -qx -- "$2"
}

# shellcheck disable=SC2016
try_links() {
    local page=$root/$1 link target
    # Links to other sites are few, and not ours to judge.
    for link in $(tr '\n' ' ' <"$page" | grep -oE '\]\([^) ]+\)' | tr -d '])(' |
        grep -v '^https:'); do
        target=$(dirname "$page")/${link%%#*}
        case $link in '#'*) target=$page ;; esac
        [ -e "$target" ]
        verdict "$1 links to $link" $?
        case $link in
        *'#'*)
            has_section "$target" "${link#*#}"
            verdict "$1 links to a section: $link" $?
            ;;
        esac
    done
}

# shellcheck disable=SC2016
try_names() {
    local link
    for link in $(grep -oE '`(tests|docs|src|include|grammar|fuzz)/[A-Za-z0-9_./]*`' \
        "$root/$1" | tr -d '`' | grep -v NAME | sort -u); do
        [ -e "$root/$link" ]
        verdict "$1 names $link" $?
    done
}

for page in README.md $(cd "$root" && ls docs/*.md) \
    src/bindings/python/README.md; do
    split "$root/$page"
    if [ -n "$(ls "$work/blocks")" ]; then
        try_blocks "$page"
        [ "$write" != --write ] || write_back "$root/$page"
    fi
    try_links "$page"
    try_names "$page"
done
# Each page is found from the first one.
for page in $(cd "$root" && ls docs/*.md); do
    [ "$page" = docs/index.md ] || grep -q "](${page#docs/})" "$root/docs/index.md"
    verdict "docs/index.md names $page" $?
done
# CONTRIBUTING.md also names files that its readers make; what packages show,
# their own tests run.
for page in CONTRIBUTING.md SECURITY.md \
    $(cd "$root" && ls src/bindings/*/README.md); do
    try_links "$page"
done
try_links src/bindings/node/README.md

[ $programs -ge 1 ] && [ -x first ]
verdict 'there is a C program, and it was run' $?
sed 's/"hermes"/"hermess"/' first.c >misspelt.c &&
    ${CC:-cc} -std=c11 -Iinclude misspelt.c build/libtoolwire.a -o misspelt \
        >"$work/log" 2>&1 && ! ./misspelt </dev/null >/dev/null 2>"$work/log"
[ "$(cat "$work/log")" = 'first: unknown format' ]
verdict 'first.c says that a misspelt format is unknown' $?

finish
