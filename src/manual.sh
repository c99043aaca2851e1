#!/bin/sh
# SPDX-License-Identifier: MIT
#
# The man pages: toolwire(1) of what `toolwire --help` says, toolwire(3) of
# what the header says, so that neither can be old.
# Use: src/manual.sh 1 PATH-OF-TOOLWIRE | 3 PATH-OF-HEADER
set -eu
export LC_ALL=C

use() {
    sed -n 's/^# Use: /use: /p' "$0" >&2
    exit 2
}

# What both pages are made with.
common='
function text(line) {
    gsub(/\\/, "\\e", line)
    gsub(/-/, "\\-", line)
    gsub(/`/, "\\(ga", line)
    gsub(/\047/, "\\(aq", line)
    gsub(/\^/, "\\(ha", line)
    gsub(/~/, "\\(ti", line)
    sub(/^\./, "\\\\\\&.", line)
    return line
}
function close_block() {
    if (block)
        print ".EE"
    block = 0
}
function code(line) {
    if (!block)
        print ".PP\n.EX"
    block = 1
    print text(line)
}'

# ---- toolwire(1) -----------------------------------------------------------

# What stands below the line "Examples:", and so on; a blank line ends it.
part() { sed -n "/^$1/,/^\$/{/^$1\$/d;/^\$/d;p;}"; }

examples() {
    part 'Examples:' | sed 's/^  //' | awk "$common"'
        { code($0) }
        END { close_block() }'
}

options() {
    part 'Options:' | awk "$common"'
        /^ [^ ]/ { sub(/^ /, ""); print ".PP\n.I " text($0); next }
        /^  (-|    --)/ {
            name = $0
            about = ""
            if (match(substr($0, 7), /   *[^ ]/)) {
                name = substr($0, 1, 5 + RSTART)
                about = substr($0, 6 + RSTART + RLENGTH - 1)
            }
            gsub(/^ +| +$/, "", name)
            print ".TP\n.B " text(name)
            if (about != "")
                print text(about)
            next
        }
        { sub(/^ +/, ""); print text($0) }'
}

commands() {
    "$1" --help | sed -n '/^Commands:/,/^$/s/^  toolwire \([a-z-]*\) .*/\1/p'
}

page_1() {
    version=$("$1" --version)
    printf '.TH TOOLWIRE 1 "" "%s" "User Commands"\n' "$version"
    printf '%s\n' '.SH NAME' \
        'toolwire \- what language models write when they call tools, and JSON' \
        '.SH SYNOPSIS' .nf
    "$1" --help | sed -n '/^Commands:/,/^$/s/^  \(toolwire .*\)/\1/p' |
        sed 's/-/\\-/g; s/^toolwire/.B toolwire/; s/ \([a-z]*\)\(.*\)/ \1\2/'
    printf '%s\n' .fi '.SH EXAMPLES'
    "$1" --help | examples
    printf '%s\n' '.SH COMMANDS'
    for command in $(commands "$1"); do
        "$1" "$command" --help >"$work"
        printf '.SS "%s"\n' "toolwire $command"
        sed -n 's/^Use: \(.*\)/\1/p' "$work" | awk "$common"'
            { code($0) }
            END { close_block() }'
        part 'Use: .*' <"$work" | awk "$common"'
            NR == 1 { print ".PP\n.nf" }
            { print text($0) }
            END { print ".fi" }'
        options <"$work"
        printf '.PP\nExamples:\n'
        examples <"$work"
    done
    printf '%s\n' '.SH EXIT STATUS'
    "$1" --help | sed '1,/^Options:/d' | sed '1,/^$/d' | awk "$common"'
        { print text($0) }'
    printf '%s\n' '.SH SEE ALSO' '.BR toolwire (3)'
}

# ---- toolwire(3) -----------------------------------------------------------

page_3() {
    version=$(sed -n 's/^#define TW_VERSION "\(.*\)"/\1/p' "$1")
    printf '.TH TOOLWIRE 3 "" "toolwire %s" "Library Functions"\n' "$version"
    printf '%s\n' '.SH NAME' \
        'toolwire \- what language models write when they call tools, and JSON' \
        '.SH SYNOPSIS' .nf '.B #include <toolwire.h>' '' \
        '.BR cc " ... " \-ltoolwire' .fi '.SH DESCRIPTION'
    awk "$common"'
    # A line of a comment: a program, a point of a list, or words.
    function words(line) {
        sub(/^ \* ?/, "", line)
        if (line ~ /^    /) {
            code(substr(line, 5))
            return
        }
        close_block()
        if (line ~ /^ *- /) {
            print ".IP \\(bu 2"
            sub(/^ *- /, "", line)
        } else if (line ~ /^  *[A-Z_]+  /) {
            print ".br"
        } else if (line == "")
            print ".PP"
        sub(/^ +/, "", line)
        line = text(line)
        while (match(line, /\|[^| ][^|]*\|/))
            line = substr(line, 1, RSTART - 1) "\\fI" \
                substr(line, RSTART + 1, RLENGTH - 2) "\\fR" \
                substr(line, RSTART + RLENGTH)
        if (line != "")
            print line
    }
    function words_end(line) {
        sub(/ *\*\/$/, "", line)
        words(line)
        close_block()
    }
    /^#ifndef TOOLWIRE_H/ { preamble = 1 }
    /^\/\* ---- / {
        close_block()
        preamble = 0
        sub(/^\/\* ---- /, "")
        sub(/ -+ \*\/$/, "")
        print ".SH " toupper($0)
        next
    }
    /^\/\* SPDX/ { comment = 1; next }
    preamble { next }
    /^#ifdef __cplusplus/ { exit }
    /^#define TW_DIAGNOSTICS\(X\)/ {
        code("#define TW_DIAGNOSTICS(X) ...")
        close_block()
        print ".PP\n\\(lqtoolwire explain \\-\\-all\\(rq prints the table."
        rows = 1
    }
    rows { rows = /\\$/; next }
    comment { if (/\*\/$/) { words_end($0); comment = 0 } else words($0); next }
    /^\/\*/ {
        close_block()
        print ".PP"
        sub(/^\/\*/, " *")
        if (/\*\/$/) words_end($0); else { words($0); comment = 1 }
        next
    }
    /^$/ { close_block(); next }
    {
        if (sub(/^TW_API /, ""))
            cut = 1
        else if (!/^       /)
            cut = 0
        else if (cut)
            sub(/^       /, "")
        code($0)
    }
    END { close_block(); print ".SH SEE ALSO\n.BR toolwire (1)" }' "$1"
}

[ $# -eq 2 ] || use
work=$(mktemp)
trap 'rm -f "$work"' EXIT
case $1 in
1) page_1 "$2" ;;
3) page_3 "$2" ;;
*) use ;;
esac
