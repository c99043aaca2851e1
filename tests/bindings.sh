#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
#
# The bindings: each builds from build/amalgamation or build/libtoolwire.so,
# runs its tests, and reads conformance/vectors.jsonl.  One table at the end; a
# binding whose tools are not there is SKIPPED, which says so and is no
# success.  What needs a package registry names what was asked for.
# Use: tests/bindings.sh BUILD-FOLDER BINDING...   (c python node rust go)
set -u
export LC_ALL=C
if [ $# -lt 2 ] || [ ! -d "$1" ]; then
    echo "use: $0 BUILD-FOLDER BINDING..." >&2
    exit 2
fi
here=$(realpath "$(dirname "$0")")
build=$(realpath "$1")
root=$here/..
export TOOLWIRE_VECTORS=$here/conformance/vectors.jsonl
shift
table=$(mktemp) || exit 2
trap 'rm -f "$table"' EXIT

# try BINDING PART COMMAND...: runs it, and adds a row.
try() {
    local binding=$1 part=$2 verdict=passed
    shift 2
    echo "== $binding: $part"
    "$@" || verdict=FAILED
    printf '%-8s %-40s %s\n' "$binding" "$part" "$verdict" >>"$table"
}

skip() { printf '%-8s %-40s %s\n' "$1" "$2" SKIPPED >>"$table"; }

has() { command -v "$1" >/dev/null; }

c() { try c 'vectors' "$build/tests/unit_tests" --filter 'vectors/*'; }

python() {
    export TOOLWIRE_LIBRARY=$build/libtoolwire.so
    PYTHONPATH=$root/src/bindings/python try python 'vectors' \
        python3 -W ignore "$here/python/vectors.py" "$here/conformance" check
}

node() {
    if [ ! -x "$root/src/bindings/node/test.sh" ] || ! has node; then
        skip node 'node is not there'
        return
    fi
    try node 'tests and vectors' "$root/src/bindings/node/test.sh" "$build"
}

rust() {
    if ! has cargo; then
        skip rust 'cargo is not there'
        return
    fi
    export TOOLWIRE_AMALGAMATION=$build/amalgamation
    export CARGO_TARGET_DIR=$build/rust
    cd "$root/src/bindings/rust" || exit 2
    try rust 'tests and vectors; cc, serde_json, futures' \
        cargo test --quiet --all-features
    try rust 'clippy' cargo clippy --quiet --all-targets --all-features -- \
        -D warnings
    RUSTDOCFLAGS='-D warnings' try rust 'documentation' \
        cargo doc --quiet --no-deps --all-features
}

go_() {
    if ! has go; then
        skip go 'go is not there'
        return
    fi
    cd "$root/src/bindings/go" || exit 2
    mkdir -p csrc
    cp "$build"/amalgamation/toolwire.[ch] csrc/ || exit 2
    try go 'vet' go vet ./...
    # Once: each way compiles all of the C library anew, for half a minute.
    try go 'tests and vectors, race detector' go test -race ./...
    if GOBIN=$build/go go install \
        honnef.co/go/tools/cmd/staticcheck@latest 2>/dev/null; then
        try go 'staticcheck' "$build/go/staticcheck" ./...
    else
        skip go 'staticcheck is not to be had'
    fi
}

for binding; do
    case $binding in
    c | python | node | rust) "$binding" ;;
    go) go_ ;;
    *)
        echo "$0: no binding $binding" >&2
        exit 2
        ;;
    esac
done
echo
cat "$table"
! grep -q 'FAILED$' "$table"
