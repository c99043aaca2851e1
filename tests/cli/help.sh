# SPDX-License-Identifier: MIT
#
# Help, version, wrong use, and the commands that only tell.
# A part of tests/cli.sh.

# ---- help, version, mistakes -----------------------------------------------

run '' --help
status_is 'help' 0
silent 'help'
[ "$(head -n 1 out)" = 'Examples:' ]
verdict 'help: begins with examples' $?
[ "$(awk 'length > 80' out | wc -l)" -eq 0 ]
verdict 'help: no line is longer than 80' $?
cp out help
run '' -h
cmp -s out help
verdict 'help: -h is the same' $?
for command in \
    decode stream encode convert check inspect detect check-format formats \
    explain gen test completion help; do
    grep -q "^  toolwire $command" help
    verdict "help: names $command" $?
    run '' "$command" --help
    status_is "$command --help" 0
    silent "$command --help"
    [ "$(head -n 1 out)" = 'Examples:' ] &&
        [ "$(awk 'length > 80' out | wc -l)" -eq 0 ]
    verdict "$command --help: examples first, at most 80 columns" $?
    cp out "help-$command"
done
for option in format output jsonl field max-record tools start prompt-tail \
    finish strict recover-stripped calls-in-reasoning limit chunk \
    call-id-prefix first-call hold-calls custom reasoning-key sse events id \
    model created json all generation-prompt set control-text \
    python-numbers segments spans report to unit arguments rejects stats \
    transcript help; do
    grep -q -- "--$option" help
    verdict "help: names --$option" $?
done
# Options of one kind stand under a heading, and so do commands.
for heading in 'What models write' 'Prompts and logs' 'Formats and codes' \
    'Tests of parsers' 'The command itself' 'Formats and shapes' \
    'Files and logs' 'How it is read' 'What is written' 'Members of chunks' \
    'Prompts' 'Losses' 'Cases for parsers' 'Lists and pages' 'Grammars'; do
    grep -qx " $heading:" help
    verdict "help: a heading for $heading" $?
done
[ "$(grep -c '^ [^ ].*:$' help)" -eq 15 ]
verdict 'help: each heading stands once' $?
sed -n '/^ How it is read:/,/^ [^ H]/p' help-decode | grep -q -- '--strict'
verdict 'decode --help: --strict stands under its heading' $?
! grep -qE '^ (Cases|Losses)' help-decode
verdict 'decode --help: no heading without options' $?
! grep -q '^ [^ ]' help-explain
verdict 'explain --help: few options need no headings' $?
run '' help
cmp -s out help
verdict 'help: as a command' $?
for command in decode help; do
    run '' help "$command"
    cmp -s out "help-$command"
    verdict "help $command: what $command --help says" $?
done
run '' help decode -o written
cmp -s written help-decode
verdict 'help -o' $?
usage help decoed
usage help decode stream
grep -q -- --sse help-decode
[ $? -ne 0 ]
verdict 'decode --help: no --sse' $?

# The examples are run as they stand.
mkdir bin
ln -s "$T" bin/toolwire
for file in help help-*; do
    sed -n '/^Examples:/,/^$/{/^  /p}' "$file" | sed 's/^  //' >examples
    awk '{ line = line $0 "\n" } !/[|\\]$/ { printf "%s%c", line, 0; line = "" }' \
        examples >each
    while IFS= read -r -d '' example; do
        PATH="$work/bin:$PATH" sh -c "$example" </dev/null >out 2>err
        status=$?
        case $example in
            *'toolwire check '*) [ "$status" -eq 1 ] && [ -s out ] ;;
            *' -o '* | *' >'*) [ "$status" -eq 0 ] && [ ! -s out ] && [ ! -s err ] ;;
            *' --stats'*) [ "$status" -eq 0 ] && [ -s out ] && [ -s err ] ;;
            *) [ "$status" -eq 0 ] && [ -s out ] && [ ! -s err ] ;;
        esac
        verdict "$file: the example works: $example" $?
    done <each
done

run '' --version
status_is 'version' 0
grep -qE '^toolwire [0-9]+\.[0-9]+\.[0-9]+$' out
verdict 'version: one line' $?

usage
usage --hlep
usage decoed
usage 'two
lines'
usage -f hermes decode
usage decode
usage stream
usage check
usage decode -f
usage decode -f nothing-like-it
usage decode -f hermes a b
usage stream -f hermes a b
usage formats a
usage explain
usage explain a b
usage explain --all a
usage explain no_such_code
usage completion
usage completion csh
usage completion bash zsh
usage decode -f hermes --nonsense
usage decode -f hermes "--non${nl}sense"
usage decode -f hermes -x
usage decode -f hermes --jsonl=1
usage decode -f hermes --tools
usage decode -f hermes --start content
usage decode -f hermes --finish soon
usage decode -f hermes --calls-in-reasoning 2
usage decode -f hermes --custom call
usage decode -f hermes --reasoning-key thinking
usage decode -f hermes --field text
for number in 0 -1 1x x '' ' 1' 99999999999999999999; do
    usage decode -f hermes --chunk "$number"
    usage decode -f hermes --max-record "$number"
done
for number in -1 1x x '' ' 1' 99999999999999999999; do
    usage decode -f hermes --first-call "$number"
    usage stream -f hermes --created "$number"
    usage decode -f hermes --limit "depth=$number"
done
usage decode -f hermes --limit depth
usage decode -f hermes --limit height=3
usage decode -f hermes --limit =3
usage decode -f hermes --limit depth=0
usage decode -f hermes --limit depth=10001
usage stream -f hermes --limit depth=10001
usage check -f hermes --limit name=1001
usage decode -f hermes --call-id-prefix $'\xff'
usage stream -f hermes --model $'\xff'
usage decode -f hermes --jsonl --field $'\xff'
usage decode -f $second --recover-stripped
usage stream -f hermes --recover-stripped
usage check -f $second --recover-stripped
usage decode -f hermes --tools -
usage check -f hermes --tools - x -
# Options of other commands.
for option in --sse --events --id=x --model=x --created=1 --json --all; do
    usage decode -f hermes "$option"
    usage check -f hermes "$option"
done
for option in --jsonl --field=x --max-record=9 --json --all; do
    usage stream -f hermes "$option"
done
for option in -fhermes --jsonl --strict --sse --all; do
    usage formats "$option"
    usage explain "$option" trailing_comma
done

near() {
    local wanted=$1
    shift
    run '' "$@"
    grep -qF "did you mean $wanted?" err
    verdict "near: toolwire $* means $wanted" $?
}
near decode decoed
near explain explian
near --help --hlep
near hermes decode -f hermse
near harmony decode -f harmny
near --format decode --fromat hermes
near --strict stream -f hermes --stritc
near trailing_comma explain trailing_coma

# says TEXT ARGUMENTS...: the line says what is wrong, and what helps.
says() {
    local text=$1
    shift
    run '' "$@"
    status_is "toolwire $*" 2
    err_has "toolwire $*" "$text"
}
says 'a command is missing'
says '-f FORMAT is missing: name the format' decode
says '-f FORMAT is missing: name the format' gen
says '-f FROM and -t TO are missing' convert
says '-f FROM is missing' convert -t hermes
says '-t TO is missing' convert -f hermes
says '--cmd COMMAND is missing' test -f hermes
says 'CODE is missing' explain
says 'SHELL is missing' completion
says "unknown shell 'csh'" completion csh
says "'b' is surplus: decode takes one operand, and that is 'a'" \
    decode -f hermes a b
says "'a' is surplus: gen takes options only" gen -f hermes a
says "'b' is surplus: formats takes one operand" formats hermes b
says "'-12' is surplus" explain 6 -12
says '`toolwire convert --help` the shapes of records' convert -f opnai
says 'did you mean openai?' convert -f opnai
says "'openai' is a shape of records, which convert takes" decode -f openai
says '`toolwire formats` lists them' decode -f hermse

# ---- formats, explain ------------------------------------------------------

run '' formats
status_is 'formats' 0
for format in $formats; do
    grep -qE "^$format +[^ ]" out
    verdict "formats: names $format" $?
done
[ "$(lines out)" -eq "$(wc -w <<<"$formats")" ]
verdict 'formats: a line for each' $?
count=$(lines out)
run '' formats --json
status_is 'formats --json' 0
out_lines 'formats --json' "$count"
out_has 'formats --json' '"name":"hermes/qwen3","alias":"hermes",'
out_has 'formats --json' '{"text":"<|\"|>","role":"string","token":true,'
grep -vqE '^\{"name":".*,"markers":\[(\{.*\})?\]\}$' out
[ $? -eq 1 ]
verdict 'formats --json: an object a line' $?

run '' explain trailing_comma
status_is 'explain' 0
out_has 'explain' 'A comma stands before a closer; it is dropped.'
cp out by-name
run '' explain 6
cmp -s out by-name
verdict 'explain: by number' $?
run '' explain lone_surrogate
out_has 'explain' 'warning'
run '' explain TW_ERROR_JSON
status_is 'explain an error' 0
cp out by-name
for arguments in -12 '-- -12' '-12 -o -' '-o - -12'; do
    # shellcheck disable=SC2086
    run '' explain $arguments
    status_is "explain $arguments" 0
    cmp -s out by-name
    verdict "explain $arguments: an error by its number" $?
done
run '' explain 6
cp out by-name
# Every error that the header has is explained.
for code in $(sed -n 's/^ *\(TW_ERROR_[A-Z_]*\) = .*/\1/p' \
    "$parts/../../include/toolwire.h"); do
    run '' explain "$code"
    status_is "explain $code" 0
done
run '' explain --all
status_is 'explain --all' 0
for code in lone_surrogate trailing_comma loose_head bare_string \
    doubled_open_tag glm_body missing_header stripped_markers \
    truncated_call limit_lookahead TW_ERROR_LIMIT; do
    grep -qE "^$code +-?[0-9]+ +(warning|deviation|error) +[^ ]" out
    verdict "explain --all: has $code" $?
done
