#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
#
# docs/diagnostics.md is what `toolwire explain --all` says, and
# docs/formats.md names every diagnostic where it belongs.
# Use: tests/diagnostics.sh PATH-OF-TOOLWIRE [--write]
set -uo pipefail
export LC_ALL=C

if [ $# -lt 1 ] || [ ! -x "$1" ]; then
    echo "use: $0 PATH-OF-TOOLWIRE [--write]" >&2
    exit 2
fi
page=$(dirname "$0")/../docs/diagnostics.md
made=$(mktemp) || exit 2
trap 'rm -f "$made"' EXIT

{
    cat <<'END'
# Diagnostics and errors

`tests/diagnostics.sh TOOLWIRE --write` makes this page of `toolwire explain --all`, and a test compares the two.
`toolwire explain NAME` explains one of them, with the usual cause, an example and a remedy.

- A *deviation* is refused by strict mode. A *warning* is not.
- From 200 on a diagnostic is the reason why a block is listed in `unparsed` and is no call.
- From 300 on stand *losses*, what `encode` and `convert` could not carry over. Their severity is `content` (text that a
  person or a model wrote), `call` (a call, a result or a tool) or `detail` (ids, names, spelling, order). A *report*
  loses nothing.

Names and numbers never change their meaning.

| name | number | kind | explanation |
|---|---|---|---|
END
    # Outside code, < would begin HTML; a | would end the cell everywhere.
    "$1" explain --all | awk '{
        text = $0
        kind = $3 ($3 == "loss:" ? " " $4 : "")
        sub(/^[^ ]+ +[^ ]+ +(loss: )?[^ ]+ +/, "", text)
        parts = split(text, part, "`")
        text = ""
        for (i = 1; i <= parts; i++) {
            if (i % 2 == 1)
                gsub(/</, "\\\\<", part[i])
            gsub(/\|/, "\\\\|", part[i])
            text = text (i > 1 ? "`" : "") part[i]
        }
        printf "| `%s` | %s | %s | %s |\n", $1, $2, kind, text
    }'
} >"$made" || exit 1

if [ "${2-}" = --write ]; then
    cp "$made" "$page"
elif diff -u "$page" "$made"; then
    absent=$("$1" explain --all | awk '$2 > 0 && $2 < 300 { print "`" $1 "`" }' |
        grep -vFf <(grep -oE '`[a-z0-9_]+`' "$(dirname "$0")/../docs/formats.md"))
    if [ -n "$absent" ]; then
        echo "FAILED: docs/formats.md does not name" "$absent"
        echo '1 passed, 1 failed'
        exit 1
    fi
    echo '2 passed, 0 failed'
else
    echo "FAILED: docs/diagnostics.md is old; make it with: $0 $1 --write"
    echo '0 passed, 1 failed'
    exit 1
fi
