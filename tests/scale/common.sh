# shellcheck shell=bash
# SPDX-License-Identifier: MIT
#
# What the tests of docs/scaling.md have in common.  To be sourced, with the
# path of toolwire as $1: sets |work|, a folder that any account may read, with
# bin/toolwire, log.jsonl and what one process makes of it, whole.jsonl.
set -u
export LC_ALL=C
umask 022

if [ $# -ne 1 ] || [ ! -x "$1" ]; then
    echo "use: $0 PATH-OF-TOOLWIRE" >&2
    exit 2
fi
page=$(realpath "$(dirname "$0")/../../docs/scaling.md")
work=$(mktemp -d) || exit 2
# shellcheck source=tests/judge.sh
. "$(dirname "$0")/../judge.sh"

explain() { [ ! -s "$work/log" ] || tail -n 20 "$work/log"; }

# same NAME FILE WANTED
same() {
    cmp "$2" "$3" >>"$work/log" 2>&1
    verdict "$1: the bytes of one process" $?
}

# recipe NAME: what the page has behind its mark, for this folder.
recipe() {
    awk -v mark="<!-- recipe: $1 -->" '
        $0 == mark { found = 1; next }
        found && /^    / {
            printf "%s%s\n", blank, substr($0, 5)
            blank = ""
            begun = 1
            next
        }
        begun && /^$/ { blank = blank "\n"; next }
        begun { exit }' "$page" | sed "s|/srv/logs|$work|g" >"$work/recipe"
    [ -s "$work/recipe" ]
    verdict "docs/scaling.md has the recipe $1" $?
    cat "$work/recipe"
}

# run NAME: a recipe of the shell; sets |status|.
run() {
    recipe "$1" >/dev/null
    rm -f "$work/out.jsonl"
    bash "$work/recipe" >"$work/log" 2>&1 </dev/null
    status=$?
}

fine() {
    [ "$status" -eq 0 ]
    verdict "$1: exit code 0, not $status" $?
}

# require COMMAND PACKAGE: a test that cannot run is a failure here.
require() {
    command -v "$1" >/dev/null && return
    echo "FAILED: $1 is missing (Debian: apt-get install $2): nothing of" \
        "$(basename "$0") was tried" >&2
    rm -rf "$work"
    exit 1
}

chmod 755 "$work" && mkdir "$work/bin" && cp "$1" "$work/bin/toolwire" &&
    chmod 755 "$work/bin/toolwire" || exit 2
PATH=$work/bin:$PATH

# Some megabytes: values that trip parsers up, and slips of models.
for class in legal rare typo; do
    toolwire gen -f hermes --class $class --count 4000 --seed 5
done | sed 's/"wire":/"text":/' >"$work/log.jsonl"
toolwire convert -f hermes -t openai --unit completion "$work/log.jsonl" \
    >"$work/whole.jsonl" 2>/dev/null
status=$?
fine 'one process'
[ "$(wc -c <"$work/log.jsonl")" -gt 8000000 ] &&
    [ "$(wc -l <"$work/whole.jsonl")" -eq 12000 ]
verdict 'the log is long enough' $?
# The same with two bad records in it.
{
    sed 5000q "$work/log.jsonl"
    printf '%s\n' '{"text":"<tool_call>{\"name\":\"pay\",\"arguments\":{"}' '{"text'
    sed 1,5000d "$work/log.jsonl"
} >"$work/bad.jsonl"
toolwire convert -f hermes -t openai --unit completion "$work/bad.jsonl" \
    >"$work/whole-bad.jsonl" 2>/dev/null
[ $? -eq 1 ] && [ "$(wc -l <"$work/whole-bad.jsonl")" -eq 12002 ]
verdict 'one process, bad records' $?
