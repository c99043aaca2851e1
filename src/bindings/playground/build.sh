#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
#
# Makes BUILD/playground of BUILD/wasm/toolwire.wasm and what the command says of
# each diagnostic, and tries it in Chromium where that can be had.
# Use: src/bindings/playground/build.sh BUILD
set -u

if [ $# -ne 1 ] || [ ! -r "$1/wasm/toolwire.wasm" ] || [ ! -x "$1/toolwire" ]; then
    echo "use: $0 BUILD (make wasm first)" >&2
    exit 2
fi
build=$(realpath "$1")
here=$(realpath "$(dirname "$0")")
command -v node >/dev/null || {
    echo 'node 18 or newer is needed (Debian: apt-get install nodejs)' >&2
    exit 2
}

"$build/toolwire" explain --all | awk '{ print $1 }' |
    while read -r code; do
        "$build/toolwire" explain "$code"
    done >"$build/wasm/explained.txt"
node "$here/build.mjs" "$build/wasm/toolwire.wasm" \
    "$build/wasm/explained.txt" "$build/playground" || exit 1
echo "$build/playground/index.html"

deps=$build/node/deps
mkdir -p "$deps"
cp "$here/../node/tests/deps.json" "$deps/package.json"
[ -d "$deps/node_modules/playwright-core" ] ||
    (cd "$deps" && npm install --no-audit --no-fund --ignore-scripts \
        --loglevel=error >npm.log 2>&1)
if [ ! -d "$deps/node_modules/playwright-core" ] ||
    [ ! -x "${CHROMIUM:-/usr/bin/chromium}" ]; then
    echo 'playground: its test is SKIPPED: no playwright-core or no Chromium'
    exit 0
fi
node "$here/test.mjs" "$build/playground" "$deps" "$build/playground-pictures"
