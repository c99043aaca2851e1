#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
#
# What `make demo` shows: the completions of demo/, each written as slowly as a
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

# demo FORMAT: stdin is a title and the completion.
demo() {
    local title completion
    IFS= read -r title
    IFS= read -r -d '' completion
    completion=${completion%$'\n'}
    printf '%s\n\n' "$bold==== $title$plain"
    printf '%s\n' "The model writes:"
    printf '%s' "$completion" | sed 's/^/    /'
    printf '\n\n%s\n' "toolwire stream -f $1 --custom function"
    printf '%s' "$completion" | slowly |
        "$T" stream -f "$1" --custom function | show || exit 1
    printf '\n'
}

for file in "$(dirname "$0")"/demo/*; do
    demo "$(basename "$file")" <"$file"
done

cat <<END
${bold}What to try next$plain
    $T decode -f hermes FILE      a completion of your own, as a message
    $T stream -f hermes --events  what is read, and where it stands
    $T --help                     more examples
    docs/index.md                             all pages, the same from C
    make check                                run every test
END
