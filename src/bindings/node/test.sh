#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
#
# Makes the npm package in BUILD/node/toolwire and tests it: in Node against the
# conformance cases and the command's bytes, in Chromium, with the real `ai`
# package, and for speed.  Packages of npm are kept in BUILD/node/deps; what
# cannot be had is left out, with a line that says so.
# Use: src/bindings/node/test.sh BUILD, with build/wasm/toolwire.wasm in it
set -u

if [ $# -ne 1 ] || [ ! -r "$1/wasm/toolwire.wasm" ]; then
    echo "use: $0 BUILD (make wasm first)" >&2
    exit 2
fi
build=$(realpath "$1")
here=$(realpath "$(dirname "$0")")
root=$(realpath "$here/../../..")
package=$build/node/toolwire
deps=$build/node/deps
cases=$root/tests/conformance
failed=0

if ! command -v node >/dev/null ||
    ! node -e 'process.exit(+(process.versions.node.split(".")[0] < 18))'; then
    echo 'node 18 or newer is needed (Debian: apt-get install nodejs)' >&2
    exit 2
fi

# try NAME COMMAND...
try() {
    local name=$1
    shift
    echo "---- $name"
    "$@" || { failed=$((failed + 1)); echo "FAILED: $name"; }
}

skip() { echo "---- $1: SKIPPED: $2"; }

node "$here/build.mjs" "$build/wasm/toolwire.wasm" "$package" || exit 1
for entry in node.mjs cjs/node.cjs; do
    try "conformance: $entry" node "$here/tests/conformance_node.mjs" \
        "$package/$entry" "$cases"
    TOOLWIRE=$package/$entry try "interface and leaks: $entry" \
        node --expose-gc --test "$here/tests/api.test.mjs" \
        "$here/tests/mistakes.test.mjs" "$here/tests/leaks.test.mjs"
done
try 'the same bytes as the command' node "$here/tests/native_node.mjs" \
    "$package/node.mjs" "$cases" "$build/toolwire"

small=$build/wasm/small.wasm
"$here/../wasm/build.py" "$build" "$small" --decode --without streams \
    --formats hermes/qwen3,qwen3-coder,gemma4 >"$build/wasm/small.log" 2>&1 ||
    tail -n 3 "$build/wasm/small.log"
tail -n 1 "$build/wasm/small.log"
try 'a smaller module' node "$here/tests/small.mjs" "$package" "$small"

mkdir -p "$deps"
cp "$here/tests/deps.json" "$deps/package.json"
if (cd "$deps" && npm install --no-audit --no-fund --ignore-scripts \
    --loglevel=error >npm.log 2>&1); then
    ln -sfn "$package" "$deps/node_modules/toolwire"
else
    tail -n 3 "$deps/npm.log"
fi
modules=$deps/node_modules

if [ -d "$modules/typescript" ]; then
    cp "$here/tests/types.ts" "$deps"
    try 'types' "$modules/.bin/tsc" --noEmit --strict --target es2022 \
        --lib es2022,dom,esnext.disposable --module nodenext \
        --types node --typeRoots "$modules/@types" "$deps/types.ts"
    cp "$here/tests/types.cts" "$deps"
    try 'types of CommonJS, without the page' "$modules/.bin/tsc" --strict \
        --target es2022 --lib es2022 --module nodenext --types node \
        --typeRoots "$modules/@types" "$deps/types.cts"
    try 'CommonJS as it was compiled' node "$deps/types.cjs"
else
    skip types 'npm has no typescript'
fi
if [ -d "$modules/ai" ]; then
    cp "$here/tests/ai-sdk.test.mjs" "$deps"
    try 'the real ai package' node --test "$deps/ai-sdk.test.mjs"
else
    skip 'the real ai package' 'npm has no ai'
fi
if ! node -e 'process.exit(+(process.versions.node.split(".")[0] < 20))'; then
    skip Chromium 'its driver needs Node 20'
elif [ -d "$modules/playwright-core" ] &&
    [ -x "${CHROMIUM:-/usr/bin/chromium}" ]; then
    try 'Chromium' node "$here/tests/conformance_chromium.mjs" "$package" \
        "$cases" "$deps"
else
    skip Chromium 'no playwright-core or no /usr/bin/chromium'
fi
cp "$here/tests/bench.mjs" "$deps"
cc -O2 -I"$root/include" -o "$build/node/bench_native" \
    "$here/tests/bench_native.c" "$build/libtoolwire.a" &&
    try 'speed' node "$deps/bench.mjs" "$build/node/bench_native"

[ "$failed" -eq 0 ] && echo 'node: all passed' ||
    echo "node: $failed FAILED"
[ "$failed" -eq 0 ]
