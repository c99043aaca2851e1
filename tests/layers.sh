#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
#
# The house keeps its order: who includes whom, where formats are named, what
# the library exports, calls and owns, and how long files are.
# Use: tests/layers.sh LIBRARY_FOLDER
set -u
shopt -s lastpipe
export LC_ALL=C

if [ $# -ne 1 ] || [ ! -r "$1/libtoolwire.so" ]; then
    echo "use: $0 LIBRARY_FOLDER" >&2
    exit 2
fi
libraries=$(realpath "$1")
cd "$(dirname "$0")/.." || exit 2
work=$(mktemp -d) || exit 2
trap 'rm -rf "$work"' EXIT
passed=0
failed=0

# judge NAME: fails for each line of stdin, passes if there is none.
judge() {
    local wrong=0 line
    while IFS= read -r line; do
        echo "FAILED: $1: $line"
        wrong=$((wrong + 1))
    done
    failed=$((failed + wrong))
    [ $wrong -ne 0 ] || passed=$((passed + 1))
}

# Files without their comments, which may say what they like.
code() { gcc -fpreprocessed -dD -E -P "$1" 2>/dev/null; }

sources=$(find src -name '*.[ch]' ! -path '*/csrc/*' ! -path '*/vendor/*' | sort)

# ---- what comments name ------------------------------------------------------

git ls-files 2>/dev/null | grep . >"$work/files" ||
    find grammar src include tests fuzz -type f >"$work/files"
printf '%s\n' toolwire.c descriptions.c >>"$work/files" # made by the build
sed 's|.*/||' "$work/files" | sort -u >"$work/names"
grep -noE '[A-Za-z0-9_]+\.(c|h|re)\b' $sources grammar/*.re include/*.h |
    awk -F : 'NR == FNR { names[$0]; next } !($3 in names)' "$work/names" - |
    while IFS=: read -r file line name; do
        sed -n "${line}p" "$file" | grep -qE '#include|%s' ||
            echo "$file:$line: there is no file $name"
    done | judge 'a file that a comment names is there'

# ---- how comments stand --------------------------------------------------------

# A comment in front of another has lost its code; a rule has one line.
awk 'FNR == 1 { ends = 0 }
    ends && /^\/\*/ { print FILENAME ":" FNR ": the comment above says what?" }
    /^\/\* ---/ && !/\*\/$/ { print FILENAME ":" FNR ": a rule of two lines" }
    { ends = /\*\/$/ && /^(\/\* [^-]| \*)/ }' \
    $sources include/*.h $(find tests fuzz -name '*.[ch]') |
    judge 'a comment has its code behind it, and a rule has one line'

# ---- what rules comments name --------------------------------------------------

# Rules stand in docs/rules.md, each once: `| D4 | what holds | example |`.
sed -n 's/^| \([A-Z][0-9]*\) |.*/\1/p' docs/rules.md | sort >"$work/rules"
uniq -d "$work/rules" | sed 's/^/docs\/rules.md has two of /' |
    judge 'a rule has one row'
# Streams of three APIs have lists of their own in tests/unit/writers/test_streams.c.
grep -nE '\b[DREGFP][0-9]{1,2}\b' $sources grammar/*.re include/*.h \
    $(find tests fuzz -name '*.[ch]') | grep -E '/\*|^[^:]*:[0-9]*: *\*' |
    awk -F : 'NR == FNR { rules[$0]; next }
        {
            count = split(substr($0, length($1 $2) + 3), words, /[^A-Za-z0-9_]+/)
            for (i = 1; i <= count; i++) {
                if (words[i] ~ /^[DREGFP][0-9][0-9]?$/ && !(words[i] in rules)) {
                    print $1 ":" $2 ": no rule " words[i]
                }
            }
        }' "$work/rules" - | judge 'a rule that a comment names is in docs/rules.md'
grep -q . "$work/rules" || echo 'no rules were seen' | judge 'a rule has one row'

# ---- who includes whom -----------------------------------------------------

# part FILE: |room| is the one that a file stands in, a path below src/ or a
# grammar.  (Nothing here starts a process, for thousands of includes.)
part() {
    case $1 in
    grammar/json.re) room=json ;;
    grammar/jinja.re) room=template/language ;;
    grammar/python.re | grammar/gemma.re) room=body ;;
    grammar/harmony.re) room=harmony ;;
    grammar/*.re) room=formats ;;
    toolwire.h) room=header ;;
    # The library as one file, where the Go module has it.
    csrc/toolwire.c) room=header ;;
    formats/registry.*) room=registry ;;
    # The codec of a notation knows the notation, and what bodies share.
    formats/language/* | formats/body/* | formats/frame/* | formats/gemma4/* | formats/harmony/* | formats/hermes/*)
        room=${1#formats/}
        room=${room%%/*}
        ;;
    # Rooms that have floors.
    cli/*/* | kit/*/* | template/*/* | records/*/* | grammars/*/*) room="${1%/*}" ;;
    # What the WebAssembly module has below the library, and reads of it.
    bindings/* | csrc/*) room=bindings ;;
    cli/* | compile/* | kit/* | core/* | json/* | events/* | messages/* | schema/* | template/* | formats/*.[ch] | grammars/* | records/* | writers/* | decode/* | encode/* | convert/* | detect/* | turns/* | without/*)
        room="${1%%/*}" ;;
    *) room="unknown room ${1%%/*}" ;;
    esac
}

# What each room may include, itself apart.
declare -A may=(
    [cli]='header kit kit/make kit/ask cli/files cli/options cli/records cli/inspect cli/explain cli/served'
    [cli/inspect]='header cli/files cli/explain'
    [cli/explain]='header'
    # A server's events are read and written as trees.
    [cli/served]='header core json cli/files cli/options cli/records'
    [cli/records]='header cli/files cli/options'
    [cli/options]='header core cli/files'
    [cli/files]='header'
    [kit]='header core json'
    [kit/make]='header core json kit'
    [kit/ask]='header core json kit kit/make'
    [bindings]='header'
    # The doors: what the public header declares.
    [convert]='header core json events messages formats records records/sessions writers decode encode turns'
    # What a template is asked by small conversations that it writes: which format
    # is its own, and how a whole transcript is cut into turns.
    [detect]='header core json'
    [turns]='header core json messages'
    [decode]='header core json events messages formats schema writers'
    [schema]='header core json'
    # What stands where a build leaves a part out.
    [compile]='header core formats'
    [without]='header decode formats language'
    [encode]='header core json messages formats template template/library'
    # What holds a model to a format, of its description and of schemas.
    [grammars]='header core json events messages formats schema grammars/rules'
    # Rules of any language, and how targets write them.
    [grammars/rules]='core json schema'
    # What all shapes share; shapes of clouds, of data sets, of agents; their list.
    [records]='header core json messages'
    [records/apis]='header core json messages records'
    [records/sets]='header core json messages records'
    [records/sessions]='header core json messages records records/apis'
    [records/known]='header core json messages records records/sessions'
    [writers]='header core json events messages'
    # The floors of formats: the registry knows all rooms, prompts are turns
    # around the frame's messages, rooms share bodies, bodies share calls.
    [registry]='header core json events messages formats frame gemma4 harmony hermes'
    [hermes]='header core json events messages formats language body frame'
    [frame]='header core json events messages formats language body'
    [gemma4]='header core json events messages formats language body frame'
    [harmony]='header core json events messages formats language body'
    [body]='header core json events messages formats language'
    [language]='header core json events formats'
    [formats]='header core json events messages'
    # What a decoder says, and what an encoder writes from.
    [events]='header core json'
    # What a model's own template makes of a request, and its floors.
    [template]='header core json messages template/values template/machine template/library template/language'
    [template/language]='core messages template/values template/machine template/library'
    [template/library]='core json messages template/values template/machine'
    [template/machine]='core messages template/values'
    [template/values]='core messages'
    [messages]='header core json'
    [json]='header core'
    [core]='header'
)

# FILE ROOM INCLUDED ROOM; in angle brackets only the public header is ours.
includes() {
    local file included from
    grep -HE '^ *# *include' $sources grammar/*.re | sed -nE \
        's/^([^:]*): *# *include *("([^"]*)"|<(toolwire\.h)>).*/\1 \3\4/p' |
        while read -r file included; do
            part "${file#src/}"
            from=$room
            part "$included"
            echo "$file $from $included $room"
        done
}

includes >"$work/includes"
while read -r file from included to; do
    case " $from ${may[$from]-} " in
    *" $to "*) ;;
    *) echo "$file ($from) includes $included ($to)" ;;
    esac
done <"$work/includes" | judge 'include graph'

# A room that includes nothing of the project is a sign that this sees nothing.
for room in "${!may[@]}"; do
    grep -q "^[^ ]* $room " "$work/includes" ||
        echo "no includes were seen in $room"
done | judge 'include graph'

# ---- decoding includes no encoding ------------------------------------------

# What a file sees, include by include: only where a family is put together
# may it be both, what a decoder works on and what an encoder does.
while read -r file from included to; do
    case $included in
    toolwire.h) ;;
    *) echo "${file#src/} $included" ;;
    esac
done <"$work/includes" >"$work/edges"
awk '
    { sees[$1] = sees[$1] " " $2 }
    function reach(file,    parts, count, i) {
        count = split(sees[file], parts, " ")
        for (i = 1; i <= count; i++) {
            if (!(parts[i] in seen)) { seen[parts[i]]; list[++size] = parts[i] }
        }
    }
    END {
        for (file in sees) {
            split("", seen); split("", list); size = 0
            reach(file)
            for (at = 1; at <= size; at++) { reach(list[at]) }
            decodes = encodes = ""
            for (i in seen) {
                if (i ~ /^formats\/((gemma4|harmony)\/state|frame\/frame|body\/body)\.h$/) { decodes = i }
                if (i ~ /^formats\/(.*\/)?(encode|put|[a-z0-9]*_put|message)\.h$/) { encodes = i }
            }
            if (decodes != "" && encodes != "" && file !~ /family\.c$/) {
                print file " sees " decodes " and " encodes
            }
        }
    }' "$work/edges" | sort | judge 'decoding includes no encoding'

# ---- no circle ---------------------------------------------------------------

# What each file of the library and of the command calls or reads of others, by
# its object.
for program in toolwire_objects toolwire; do
    objects=$libraries/CMakeFiles/$program.dir
    find "$objects" -name '*.o' | while read -r object; do
        file=${object#"$objects/"}
        [ ! -r "${file%.o}" ] && [ ! -r "$libraries/${file%.o}" ] ||
            printf '%s\0' "$object"
    done | xargs -0 -r nm -A | awk -v folder="$objects/" '
        {
            file = $1
            sub(/:[^:]*$/, "", file)
            file = substr(file, length(folder) + 1)
            sub(/^src\//, "", file)
            sub(/\.c\.o$/, "", file)
        }
        $(NF - 1) == "U" { print "uses", $NF, file; next }
        $(NF - 1) == "T" { print "calls", $NF, file }
        $(NF - 1) ~ /^[A-TV-Z]$/ { print "has", $NF, file }'
done | sort >"$work/symbols"

# uses KIND: FILE USED, by what files have, or by their functions alone.
uses() {
    awk -v kind="$1" '$1 == kind { home[$2] = $3; next }
        $1 == "uses" && $2 in home && home[$2] != $3 { print $3, home[$2] }' \
        "$work/symbols"
}

# circles NAME: fails for each circle of the pairs on stdin.
circles() {
    tsort 2>&1 >"$work/order" | sed -n 's/^tsort: \([a-z]\)/\1/p' |
        paste -s -d ' ' | sed '/./s/^/they use each other: /' |
        grep . | judge "$1"
}

uses has | sort -u >"$work/uses"
[ "$(wc -l <"$work/uses")" -gt 300 ] || echo 'no calls were seen' |
    judge 'no circle between files'
circles 'no circle between files' <"$work/uses"

# A file with its header is one: whoever includes that, or calls what is there,
# stands above it.
{
    uses calls
    sed -E 's/\.(c|h|re)( |$)/\2/g' "$work/edges"
} | awk '$1 != $2' | sort -u | circles 'no circle between files with their headers'

# What one file alone uses is static there.  (The public functions are exempt,
# and what tests compare with.)
find tests fuzz -name '*.[ch]*' -print0 | xargs -0 grep -ohE '\btw_[a-z0-9_]+' |
    sort -u - tests/exported.txt >"$work/asked"
sort -r "$work/symbols" | # uses first
    awk 'NR == FNR || $1 == "uses" { asked[NR == FNR ? $1 : $2]; next }
        $1 == "calls" && !($2 in asked) && $2 != "main" {
            print $3 ".c has " $2 " for itself alone"
        }' "$work/asked" - |
    judge 'what one file alone uses is static'

# ---- a format is named in its own room alone -------------------------------

# The families of all formats.  What has a room of its own is known without its
# version: gemma4/e as `gemma`.  What has a description is known by its whole
# name, since without a version that may be a word: step3.5.  `dots`, `arrow` and
# `json` are words all the same.
any=$("$libraries/toolwire" formats | sed 's|[/ ].*||' | sort -u |
    while read -r word; do
        ls grammar/"$word"*.json >"$work/described" 2>&1 ||
            word=$(sed 's|[-0-9.]*$||' <<<"$word")
        echo "${word//_/-}"
    done | sort -u | grep -vx 'dots\|arrow\|json' | paste -s -d '|')

# Where one may stand, too: FILES | WORDS (-: any) | WHY
cat >"$work/allowed" <<'END'
src/formats/registry.c                       | -            | it lists them
src/cli/notes.c                              | -            | examples
src/cli/explain/*                            | -            | examples
src/package/package.cmake                    | -            | what a package says of itself
src/bindings/*                               | -            | docstrings
src/convert/own.c                            | xlam         | calls that are JSON and nothing else
src/records/*                                | xlam claude  | shapes of records, too
tests/shapes/*                               | xlam claude  | shapes of records, too
tests/cli/sessions.sh                        | claude       | a shape of records, too
tests/python/logs.py                         | claude       | shapes of records, too
tests/unit/records/test_map_ids.c            | -            | formats whose ids are their own
tests/shapes/ids.py                          | kimi-k2 mistral | the same
include/toolwire.h                           | glm qwen3-coder | names of diagnostics: glm_body, qwen3_coder_body
src/formats/frame/block_call.c               | glm qwen3-coder | the same
tests/unit/decode/test_strict.c              | glm qwen3-coder | the same
tests/unit/api/test_tables.c                 | -            | models find their formats
tests/unit/encode/test_extend.c              | gemma4 harmony mistral | prompts that are built in
tests/unit/language/test_described_bodies.c  | glm qwen3-coder | the same
tests/cli/help.sh                            | glm harmony  | the same, and a kind of name that is near
fuzz/toolwire_mutator.h                      | python-tag   | a marker, which is a token of models
grammar/functionary-3.1.json                 | python-tag   | the same
tests/prove/*                                | harmony      | a scanner of markers
tests/naive/naive.h                          | -            | a second opinion is written for a format
tests/naive/naive_formats.c                  | -            | a second opinion is written for a format
tests/naive/naive_frame*                     | gemma4       | a body that descriptions may have
tests/support/warned.c                       | -            | a second opinion is written for a format
tests/unit/decode/test_warnings.c            | -            | markers of one format in another's text
tests/*                                      | hermes       | what tests of no one format speak
tests/cli.sh                                 | gemma4 harmony | the second wire of its parts, and a program
tests/cli/kit.sh                             | -            | one format for each kind of call body
tests/unit/language/test_grammar*            | -            | one format for each kind of call body
tests/grammars/*                             | -            | the same
tests/kit_bugs.sh                            | gemma4       | two formats, in which bugs are planted
tests/python/planted_bugs.py                 | gemma4       | ... and the bugs
tests/converting.h                           | gemma4       | the wire that it speaks
tests/cli/inspect.sh                         | qwen3-coder llama4 python-tag | a body between tags, one in Python, and a marker
tests/cli/decode.sh                          | apriel       | its prompts all end inside reasoning
tests/cli/rare.sh                            | qwen3-coder  | a body between tags
tests/cli/convert.sh                         | xlam         | a shape of records, too
tests/cli/encode.sh                          | kimi-k2 gemma4 | results whose turns have a name
tests/unit/language/test_described_faults.c  | kimi-k2 llama4 | bodies of few formats
tests/python/server_loops.py                 | -            | the families that have real cases
grammar/llama3*                              | python-tag   | a token of theirs
tests/unit/records/test_converter*           | gemma4       | the wire that it speaks
tests/unit/api/test_one_shot.c               | gemma4       | the wire that it speaks
tests/python/server_test.py                  | glm          | a model's folder
tests/templates/turns.sh                     | qwen3-coder  | a prompt that is a template
tests/unit/wires/test_gemma4_fast_ways.c     | functiongemma | the other wire of the notation
tests/unit/language/test_described_bodies.c  | functiongemma functionary gemma3 python-tag | bodies of few formats
tests/edges.sh                               | gemma4 harmony | what testers found, with its formats
tests/cli/convert.sh                         | glm          | a body whose types are declared
tests/cli/sse.py                             | gemma4       | strings of two wires
tests/cli/sse.sh                             | mistral      | a wire whose stop marker closes calls
tests/python/integrations_test.py            | gemma4 harmony qwen3-coder | texts of four wires
tests/hostile.txt                            | -            | cases, each of a format
tests/CMakeLists.txt                         | gemma4 harmony | names of hostile cases
tests/instructions.sh                        | gemma4 harmony | names of hostile cases
tests/growth.sh                              | gemma4 harmony | the workloads of bench/
tests/peers/*                                | -            | which parser reads which format
tests/hosts/*                                | -            | formats that hosts read
tests/templates/detect.py                    | gemma4       | formats that write the same
tests/templates/ties.jsonl                   | cohere qwen3-coder qwen3.5 qwen3.6 | the same
tests/templates/templates.json               | -            | which template belongs to which format
tests/engines/engines.json                   | -            | which parser reads which format
tests/bench/*                                | -            | three wires are measured, made by hand
fuzz/planted.txt                             | -            | lines of the code
tests/mutants.txt                            | -            | lines of the code
tests/coverage.txt                           | -            | lines of the code
tests/layers.sh                              | -            | this table
END

# A file without what it says in comments.
plain() {
    case $1 in
    *.c | *.h) code "$1" ;;
    *.mjs | *.re | *.cpp) sed 's,^ *\(//\|\*\|/\*\).*,,' "$1" ;;
    # Of which models it is, and what it is like.
    grammar/*.json) jq 'del(.about, .models)' "$1" ;;
    *.json | *.toml) cat "$1" ;;
    *) sed 's/^ *#.*//' "$1" ;;
    esac
}

# may_say FILE WORD: in a file that is named so, or by the table.
may_say() {
    local files allowed why base=${1##*/}
    case ${base//_/-} in "$2"* | test-"$2"* | naive-"$2"*) return ;; esac
    case $1 in src/formats/"$2"*/*) return ;; esac
    while IFS='|' read -r files allowed why; do
        # shellcheck disable=SC2053
        if [[ $1 == ${files// /} && " $allowed " =~ " $2 "|" - " ]]; then
            echo "${files// /} |$allowed" >>"$work/used"
            return
        fi
    done <"$work/allowed"
    return 1
}

# tw_gemma4, GEMMA4, Gemma4Parser; but no part of another word.  A dash may
# stand as an underscore.
forms=${any//./\\.}
forms=${forms//-/[-_]}
title=$(tr '|' '\n' <<<"$forms" | sed 's/./\u&/' | paste -s -d '|')
names="(?<![A-Za-z])($forms)(?![a-z])|($title)(?![a-z])"
names="$names|(?<![A-Z])(${forms^^})(?![A-Z])"
find src fuzz grammar include tests .ci Makefile CMakeLists.txt -type f \
    ! -name '*.md' ! -path 'tests/conformance/*' ! -path 'tests/descriptions/*' ! -path 'tests/demo/*' \
    ! -path 'tests/completions/*' ! -name '*.pyc' -print0 |
    xargs -0 grep -lP "$names" |
    while read -r file; do
        plain "$file" | grep -oP "$names" | sed "s|^|$file |"
    done | awk '{ gsub("_", "-", $2); print $1, tolower($2) }' |
    sort -u >"$work/names"
for word in ${any//|/ }; do
    grep -qx "src/formats/registry.c $word" "$work/names" ||
        find grammar -name "${word//-/?}*.json" | grep -q . ||
        echo "$word was not seen in the registry, nor has it a description"
done | judge 'a format has a name only in its own room'
while read -r file word; do
    may_say "$file" "$word" || echo "$file names $word"
done <"$work/names" | judge 'a format has a name only in its own room'
while IFS='|' read -r files allowed why; do
    grep -qxF "${files// /} |$allowed" "$work/used" || echo "$files|$allowed"
done <"$work/allowed" | judge 'each row of that table is needed'

# ---- a file says what it is for ----------------------------------------------

# Behind the licence, and before any code, in a sentence.
find src grammar include tests fuzz -type f \( -name '*.[ch]' -o -name '*.re' \
    -o -name '*.cpp' -o -name '*.py' -o -name '*.sh' -o -name '*.mjs' \
    -o -name '*.cmake' -o -name CMakeLists.txt \) -size +40c |
    sort |
    while read -r file; do
        awk '
            /SPDX-License-Identifier/ && !licence { licence = NR; next }
            licence && NF > 2 && /^( \*|#|\/\/|""") ?[A-Za-z`"]/ { found = 1 }
            licence && NF > 1 { exit }
            NR > 5 { exit }
            END { exit !found }' "$file" || echo "$file"
    done | judge 'a file opens with what it is for'

# ---- the library from outside ----------------------------------------------

gcc -E -P include/toolwire.h | tr '\n' ' ' | tr ';' '\n' |
    grep 'visibility *("default")' |
    sed 's/.*__attribute__ *((visibility *("default")))//' |
    grep -oE 'tw_[a-z0-9_]+ *\(' | tr -d ' (' | sort >"$work/declared"
nm -D --defined-only "$libraries/libtoolwire.so" | awk '{ print $NF }' |
    sort >"$work/exported"
[ -s "$work/declared" ] || echo 'no functions were found in the header' |
    judge 'exported symbols'
comm -23 "$work/declared" "$work/exported" | sed 's/$/ is not exported/' |
    judge 'exported symbols'
comm -13 "$work/declared" "$work/exported" |
    sed 's/$/ is exported, but not declared with TW_API/' |
    judge 'exported symbols'
diff tests/exported.txt "$work/exported" | grep '^[<>]' |
    sed 's/^</gone, or not sorted, in tests\/exported.txt:/
        s/^>/new, to be added to tests\/exported.txt:/' |
    judge 'exported symbols are those of tests/exported.txt'

nm -u "$libraries/libtoolwire.a" 2>/dev/null |
    awk '$1 == "U" { print $2 }' | sort -u | grep -v '^tw_' >"$work/called"
grep -xE 'strto[a-z]*|ato[a-z]+|is[a-z]+|to(upper|lower|ascii)|__ctype_.*|[a-z_]*printf.*|__[a-z]*printf_chk|[a-z_]*scanf.*|setlocale|localeconv|newlocale|uselocale|str(n)?casecmp|strcoll|strxfrm|strftime|strerror.*|mb.*|wc.*|btowc|nl_langinfo|__errno_location|getenv' \
    "$work/called" | sed 's/$/ is called/' |
    judge 'nothing that depends on the locale'
grep -qx memcpy "$work/called" || echo 'no calls were seen' |
    judge 'nothing that depends on the locale'

nm -f sysv "$libraries/libtoolwire.a" | awk -F '|' '
    { gsub(/ /, "", $7); gsub(/ /, "", $1); gsub(/ /, "", $3) }
    $7 ~ /^\.(t?data|t?bss)/ && $7 !~ /^\.data\.rel\.ro/ || $3 == "C" {
        print $1 " in " $7
    }' | judge 'no writable globals'

# ---- length ----------------------------------------------------------------

find src grammar include tests fuzz docs -type f \( -name '*.[ch]' -o \
    -name '*.re' -o -name '*.py' -o -name '*.sh' -o -name '*.mjs' \) \
    ! -path '*/csrc/*' ! -path '*/vendor/*' -exec wc -l {} + | awk '$2 != "total" && $1 > ($2 == "include/toolwire.h" ? 1500 : 650) {
        print $2 " has " $1 " lines"
    }' | sort | judge 'no file but the manual has more than 650 lines'

# ---- the command is hardened -----------------------------------------------

command=$libraries/toolwire
if [ -x "$command" ]; then
    readelf -h "$command" | grep -q 'DYN' || echo 'it is at a fixed address' |
        judge 'the command is hardened'
    readelf -d "$command" | grep -q 'NOW' || echo 'symbols are bound late' |
        judge 'the command is hardened'
    readelf -lW "$command" | grep -q 'GNU_STACK.*RW ' ||
        echo 'its stack can be run' | judge 'the command is hardened'
    judge 'the command is hardened' </dev/null
fi

echo "$passed passed, $failed failed"
[ "$failed" -eq 0 ]
