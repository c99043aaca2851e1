#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
#
# The Python package as it would be published, in BUILD/python: a source
# distribution, and the wheel that is compiled from it.  Both are installed in
# fresh virtual environments, the wheel in one of every Python that is found
# here, and tested from there.  auditwheel and abi3audit look at the wheel, mypy
# and pyright at the types, vermin at what Python 3.8 lacks, and the clock at
# deltas.  These programs come from a package index; where they cannot be had
# their part is left out, with a line that says so.
#
# PYTHONS may name the interpreters; else they are those of pyenv, and
# python3, python3.N, pypy3 of the PATH.
# Use: tests/python_package.sh BUILD
set -u

if [ $# -ne 1 ]; then
    echo "use: $0 BUILD" >&2
    exit 2
fi
here=$(realpath "$(dirname "$0")")
package=$here/../src/bindings/python
work=$1/python
rm -rf "$work"
mkdir -p "$work"
work=$(realpath "$work")
cd "$work" || exit 2
export PYTHONDONTWRITEBYTECODE=1 PIP_DISABLE_PIP_VERSION_CHECK=1
unset PYTHONPATH TOOLWIRE_LIBRARY TOOLWIRE_COMMAND TOOLWIRE_EXTENSION
# shellcheck source=tests/judge.sh
. "$here/judge.sh"

# ---- what is built ---------------------------------------------------------

# build WHAT FOLDER: as a frontend of PEP 517 does, from the FOLDER's sources.
build() {
    python3 -c 'import sys
sys.path.insert(0, sys.argv[2] + "/backend")
import toolwire_build
print(getattr(toolwire_build, "build_" + sys.argv[1])("."))' "$@" 2>&1
}
build sdist "$package" >log
judge 'a source distribution' $? log
tar -xzf toolwire-*.tar.gz
TOOLWIRE_EXTENSION=yes build wheel "$(echo toolwire-*/)" >log
judge 'a wheel of it' $? log
ls -s --block-size=KiB toolwire-*.tar.gz toolwire-*.whl
wheel=$(echo "$PWD"/toolwire-*.whl)

# ---- tools, of a package index ---------------------------------------------

# tools NAME PACKAGES...: in an environment of their own.
tools() {
    local name=$1
    shift
    python3 -m venv "$name" && "$name/bin/pip" -q install "$@" >log 2>&1 || {
        echo "SKIPPED: $* cannot be had here"
        return 1
    }
    "$name/bin/pip" list --format=freeze 2>/dev/null |
        grep -E "^($(echo "$@" | sed 's/[<=][^ ]*//g; s/ /|/g'))=" |
        sed 's/^/installed: /'
}

if tools audit auditwheel abi3audit; then
    audit/bin/auditwheel show "$wheel" >log 2>&1
    tag=$(basename "$wheel" .whl | sed 's/.*-//')
    tr '\n' ' ' <log | grep -q "following platform tag: \"$tag\""
    judge "auditwheel: the wheel is consistent with $tag" $? log
    audit/bin/abi3audit --strict --assume-minimum-abi3 3.8 "$wheel" \
        >log 2>&1 && ! grep -q 'no Python extensions' log
    judge 'abi3audit: the extension is on the interface of Python 3.8' $? log
fi
if tools types mypy pyright vermin; then
    mkdir typed
    cp -r "$package/toolwire" "$here/python/types_use.py" \
        "$here/python/pyrightconfig.json" typed
    (cd typed && ../types/bin/mypy --strict --warn-unused-ignores toolwire \
        types_use.py) >log 2>&1
    judge 'mypy --strict: the package, and what a user writes' $? log
    (cd typed && timeout 600 ../types/bin/pyright -p .) >log 2>&1
    judge 'pyright, strict: the same' $? log
    types/bin/vermin --no-tips --violations -t=3.8- "$package" >log 2>&1
    judge 'vermin: nothing that Python 3.8 lacks' $? log
fi
# The last one that knows Python 3.8.
if tools types38 mypy==1.14.1; then
    (cd typed && ../types38/bin/mypy --strict --python-version 3.8 toolwire \
        types_use.py) >log 2>&1
    judge 'mypy --strict --python-version 3.8' $? log
fi

# ---- in every Python -------------------------------------------------------

# interpreters: a path a line.
interpreters() {
    if [ -n "${PYTHONS:-}" ]; then
        for one in $PYTHONS; do command -v "$one"; done
        return
    fi
    if command -v pyenv >/dev/null; then
        ls "$(pyenv root)"/versions/*/bin/python3
    fi
    for one in python3 python3.8 python3.9 python3.1{0..9} pypy3; do
        command -v "$one"
    done
} 2>/dev/null

# tests PYTHON NAME: from what is installed there.
tests() {
    local part parts='binding streams edges said' way ways=no
    # That one looks at what CPython frees at once.
    [[ $2 != PyPy* ]] || parts='binding streams said'
    TOOLWIRE_EXTENSION=yes "$1" -c 'import toolwire' 2>/dev/null &&
        ways='yes no'
    for way in $ways; do
        for part in $parts; do
            TOOLWIRE_EXTENSION=$way "$1" "$here/python/${part}_test.py" \
                "$here/conformance" >log 2>&1
            judge "$2: ${part}_test.py, extension: $way" $? log
        done
    done
    [ "$ways" = no ] || {
        "$1" -W ignore "$here/python/extension_test.py" "$here/conformance" \
            >log 2>&1
        judge "$2: extension_test.py" $? log
    }
    "$1" "$here/python/package_test.py" "$package" >log 2>&1
    judge "$2: package_test.py" $? log
    printf 'Hi.' | "$1" -m toolwire decode -f hermes >log 2>&1
    judge "$2: python -m toolwire" $? log
    PYTHONPATH=$here/python/stand_ins:$here/python/stand_ins/new \
        "$1" "$here/python/integrations_test.py" "$here/conformance" >log 2>&1
    judge "$2: integrations_test.py" $? log
}

tried=' '
for python in $(interpreters); do
    name=$("$python" -c 'import platform, sys
if sys.version_info >= (3, 8):
    print(platform.python_implementation() + "-" + platform.python_version())')
    case "$tried" in *" $name "*) continue ;; esac
    [ -n "$name" ] || continue
    tried="$tried$name "
    "$python" -m venv "in/$name" >log 2>&1 &&
        "in/$name/bin/python" -m pip install --no-index "$wheel" >log 2>&1
    judge "$name: pip install of the wheel" $? log
    tests "in/$name/bin/python" "$name"
done
python3 -m venv in/sdist >log 2>&1 && PIP_NO_INDEX=1 in/sdist/bin/pip install \
    --no-cache-dir toolwire-*.tar.gz >log 2>&1
judge 'pip install of the source distribution, without a network' $? log
tests in/sdist/bin/python 'of the source distribution'

# ---- what a delta costs ----------------------------------------------------

in/sdist/bin/python "$here/python/delta.py" >log 2>&1
judge 'a delta costs no more than it may' $? log
cat log
echo "tried in:$tried"
finish
