#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
#
# The command, from outside: every command, option and exit code.
# Use: tests/cli.sh PATH-OF-TOOLWIRE [-PART...], which are left out; -formats is
# an answer of each format
set -u
export LC_ALL=C

if [ $# -lt 1 ] || [ ! -x "$1" ]; then
    echo "use: $0 PATH-OF-TOOLWIRE [-PART...]" >&2
    exit 2
fi
T=$(realpath "$1")
shift
left_out=" $* "
work=$(mktemp -d) || exit 2
trap 'exec 3>&- 4<&-; rm -rf "$work"' EXIT
parts=$(realpath "$(dirname "$0")")/cli || exit 2
cd "$work" || exit 2
mkdir files
# shellcheck source=tests/judge.sh
. "$parts/../judge.sh"

# ---- how a check is written ------------------------------------------------

explain() {
    echo "    status: ${status-}"
    for stream in out err; do
        [ -s $stream ] && { head -c 400 $stream; echo; } |
            sed "s/^/    $stream: /"
    done
}

# run INPUT ARGUMENTS...: INPUT is bytes for stdin; sets |status|, out, err.
run() {
    printf '%s' "$1" >in
    shift
    "$T" "$@" <in >out 2>err
    status=$?
}

lines() { wc -l <"$1"; }

status_is() { [ "$status" -eq "$2" ]; verdict "$1: exit code is $2" $?; }

out_is() {
    printf '%s' "$2" | cmp -s - out
    verdict "$1: stdout is exactly what it should be" $?
}

out_has() { grep -qF -- "$2" out; verdict "$1: stdout has $2" $?; }

out_lacks() { ! grep -qF -- "$2" out; verdict "$1: stdout lacks $2" $?; }

out_lines() { [ "$(lines out)" -eq "$2" ]; verdict "$1: $2 lines on stdout" $?; }

err_has() { grep -qF -- "$2" err; verdict "$1: stderr has $2" $?; }

err_lines() { [ "$(lines err)" -eq "$2" ]; verdict "$1: $2 lines on stderr" $?; }

# silent NAME: nothing on stderr.
silent() { [ ! -s err ]; verdict "$1: nothing on stderr" $?; }

# usage NAME ARGUMENTS...: exit code 2, one line on stderr, none on stdout.
usage() {
    local name="usage: toolwire ${*:-(nothing)}"
    run '' "$@"
    [ "$status" -eq 2 ] && [ "$(lines err)" -eq 1 ] && [ ! -s out ]
    verdict "$name" $?
}

nl=$'\n'
# All formats, and the families whose plain name means one of their dialects.
formats=$("$T" formats | awk '{ print $1 }')
families=$("$T" formats --json |
    sed -n 's/^{"name":"[^"]*","alias":"\([^"]*\)".*/\1/p')
# What most parts speak: Hermes, and where offsets are looked at this wire.
second=gemma4
# A format that is a program: it has no description.
program=harmony
# One that has no prompts.
promptless=$("$T" formats --json |
    sed -n 's/^{"name":"\([^"]*\)".*"prompts":false.*/\1/p' | sed 1q)
second_call='<|tool_call>call:tide{at:<|"|>Brest<|"|>}<tool_call|>'
second_comma='Hi.<|tool_call>call:tide{at:<|"|>Brest<|"|>,}<tool_call|>'
second_cut='<|tool_call>call:tide{at:<|"|>Bre'
hermes='<tool_call>{"name":"tide","arguments":{"at":"Brest"}}</tool_call>'
hermes_comma='<tool_call>{"name":"tide","arguments":{},}</tool_call>'
message='{"role":"assistant","content":null,"tool_calls":[{"id":"call_0","type":"function","function":{"name":"tide","arguments":"{\"at\":\"Brest\"}"}}]}'

# The parts, and behind them those of one format.
parts_in_turn=(help decode records stream sse files encode convert rare
    edges_files kit completion)
for part in "$parts"/*.sh; do
    part=$(basename "$part" .sh)
    case " ${parts_in_turn[*]} " in
        *" $part "*) ;;
        *) parts_in_turn+=("$part") ;;
    esac
done
for part in "${parts_in_turn[@]}"; do
    [ -r "$parts/$part.sh" ] || exit 2
    case $left_out in *" -$part "*) continue ;; esac
    # shellcheck source=/dev/null
    . "$parts/$part.sh"
done

finish
