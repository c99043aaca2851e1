#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
#
# The Python package as a user gets it: pip makes wheels of it without a
# network, installs them in a virtual environment, and what is installed is
# tried: the interface, the parsers for servers, the example, the command.
# The interface twice: with the extension, where Python's headers are, and by
# ctypes.
# Use: tests/python_binding.sh LIBRARY COMMAND
set -u

if [ $# -ne 2 ] || [ ! -r "$1" ] || [ ! -x "$2" ]; then
    echo "use: $0 LIBRARY COMMAND" >&2
    exit 2
fi
library=$(realpath "$1")
command=$(realpath "$2")
here=$(realpath "$(dirname "$0")")
package=$here/../src/bindings/python
work=$(mktemp -d) || exit 2
trap 'rm -rf "$work"' EXIT
cd "$work" || exit 2
# Nothing of this machine's may help, and nothing is written into the tree.
export PYTHONDONTWRITEBYTECODE=1 PIP_CONFIG_FILE=/dev/null PIP_NO_INDEX=1
export PIP_NO_CACHE_DIR=1 PIP_DISABLE_PIP_VERSION_CHECK=1
unset PYTHONPATH TOOLWIRE_LIBRARY TOOLWIRE_COMMAND TOOLWIRE_EXTENSION \
    PIP_FIND_LINKS
# shellcheck source=tests/judge.sh
. "$here/judge.sh"

explain() { tail -c 4000 log; }

python3 -m venv plain >log 2>&1
verdict 'a virtual environment (Debian: python3-venv)' $?
python=plain/bin/python

# ---- what pip makes --------------------------------------------------------

TOOLWIRE_LIBRARY=$library TOOLWIRE_COMMAND=$command \
    plain/bin/pip install "$package" >log 2>&1
verdict 'pip install of the folder, with a library that is there' $?
ways=no
if TOOLWIRE_EXTENSION=yes $python -c 'import toolwire' >log 2>&1; then
    ways='yes no'
    nice $python -W ignore "$here/python/extension_test.py" \
        "$here/conformance" >log 2>&1
    verdict 'the binding: extension_test.py' $?
    grep -E '^(Ran|.*SKIPPED)' log
elif [ -e "$($python -c 'import sysconfig
print(sysconfig.get_path("include"))')/Python.h" ]; then
    verdict 'the extension is built where there are headers' 1
else
    echo 'python_binding: the extension SKIPPED: no headers (python3-dev)'
fi
for way in $ways; do
    export TOOLWIRE_EXTENSION=$way
    for part in binding streams edges asyncio said template tool; do
        $python "$here/python/${part}_test.py" "$here/conformance" >log 2>&1
        verdict "the binding: ${part}_test.py, extension: $way" $?
        grep '^Ran' log
    done
    $python -W ignore "$here/python/vectors.py" "$here/conformance" check \
        >log 2>&1
    verdict "what comes out is what comes out of every other binding, extension: $way" $?
    grep 'passed' log
done
unset TOOLWIRE_EXTENSION
$python "$here/python/manual.py" "$here/../docs/python.md" >log 2>&1
verdict 'docs/python.md is what the docstrings say (manual.py --write)' $?
$python "$here/python/types_test.py" >log 2>&1
verdict 'toolwire/_types.py is what the tables say' $?
$python "$here/python/package_test.py" "$package" >log 2>&1
verdict 'what the wheel says and holds' $?
grep '^Ran' log

# ---- the command -----------------------------------------------------------

# alike INPUT ARGUMENTS...: both ways to the command say what it says itself.
alike() {
    local input=$1 way
    shift
    "$command" "$@" <"$input" >out 2>err
    echo $? >>out
    for way in "$python -m toolwire" plain/bin/toolwire; do
        $way "$@" <"$input" >out2 2>err2
        echo $? >>out2
        { cmp out out2 && cmp err err2; } >log 2>&1
        verdict "$way $*" $?
    done
}
printf 'Hi.\0\r\n\377<tool_call>{"name": "f", "arguments": {}' >wire
alike wire --version
alike wire decode -f hermes
alike wire decode -f hermes --fail-unparsed
alike wire decode --no-such-option
alike wire
alike /dev/null stream -f hermes --strict
alike wire convert -f no-such-shape -t openai
# A reader that goes ends it, without a word.
yes '{"messages":[]}' | { $python -m toolwire convert -f openai -t openai \
    2>err; echo $? >status; } | head -n 1 >out
[ "$(cat status)" -gt 128 ] && [ ! -s err ]
verdict 'python -m toolwire ends when nobody reads' $?
TOOLWIRE_COMMAND=$work/nothing $python -m toolwire --version 2>err
[ $? -eq 2 ] && grep -q 'nothing: No such file' err
verdict 'a command that is not there' $?

# ---- servers ---------------------------------------------------------------

$python "$here/python/server_test.py" "$package/examples/server.py" >log 2>&1
verdict 'the example of a server' $?
$python "$package/examples/agent.py" >log 2>&1 &&
    tail -n 1 log | grep -q '4:10' && grep -q 'has to be of type integer' log
verdict 'the example of an agent that heals itself' $?
for servers in new old none; do
    # All of it with the newest; with the others what is theirs.
    [ $servers = new ] && tests='' || tests='Single Cases.test_whole
        Cases.test_streamed_in_steps_of_several_tokens'
    # shellcheck disable=SC2086
    PYTHONPATH=$here/python/stand_ins:$here/python/stand_ins/$servers \
        $python "$here/python/integrations_test.py" "$here/conformance" \
        $tests >log 2>&1
    verdict "parsers for servers, stand-ins: $servers" $?
    grep -E '^(Ran|vLLM|behind)' log
done

# A copy of the folder has no sources beside it: the library is there.
mkdir alone
cp -r "$package" alone/toolwire
python3 -m venv other >log 2>&1
TOOLWIRE_LIBRARY=$library other/bin/pip install alone/toolwire >log 2>&1 &&
    other/bin/python -c 'import toolwire; toolwire.decode("Hi.", "hermes")' >>log 2>&1
verdict 'pip install of a copy of the folder, with a library that is there' $?
other/bin/python -m toolwire --version 2>err
[ $? -eq 2 ] && grep -q 'this package has no command' err
verdict 'a package without the command says so' $?

# A source distribution needs a C compiler, and no other program; fast rather
# than good.
$python - "$package/backend" . >log 2>&1 <<'end'
import sys
sys.path.insert(0, sys.argv[1])
import toolwire_build
print(toolwire_build.build_sdist(sys.argv[2]))
end
verdict 'a source distribution' $?
mkdir compiler
for program in "${CC:-cc}" as ld; do
    ln -s "$(command -v "$program")" "compiler/$(basename "$program")"
done
CC=${CC:-cc} CFLAGS=-O0 PATH=$work/compiler \
    plain/bin/pip install --force-reinstall toolwire-*.tar.gz >log 2>&1
verdict 'pip install of it, which compiles' $?
plain/bin/toolwire --version >>log 2>&1
verdict 'the command that it compiled' $?
says() {
    $python -c 'import toolwire
print(toolwire.decode("Hi.", "hermes")["content"], toolwire.__file__)' \
        >said 2>log && grep -q "^Hi. $1" said
}
says "$work/plain/"
verdict 'what it built' $?

TOOLWIRE_LIBRARY=$library plain/bin/pip install --force-reinstall \
    -e "$package" >log 2>&1
verdict 'pip install -e' $?
says "$(realpath "$package")/"
verdict 'what is edited is what is imported' $?

# build FOLDER: what pip calls.
build() {
    $python -c 'import sys
sys.path.insert(0, sys.argv[1] + "/backend")
import toolwire_build
toolwire_build.build_wheel(".")' "$1"
}
wheel='toolwire-*-py3-none-*.whl'
# shellcheck disable=SC2086
{
    TOOLWIRE_LIBRARY=$library build "$package" && cp $wheel first &&
        TOOLWIRE_LIBRARY=$library build "$package" && cmp $wheel first &&
        $python -m zipfile -l $wheel && ! $python -m zipfile -l $wheel |
        grep ' 20[0-9][0-9]-'
} >log 2>&1
verdict 'a wheel is the same each time' $?

# ---- what is wrong is said -------------------------------------------------

! TOOLWIRE_LIBRARY=$work/nothing build "$package" >log 2>&1 &&
    grep -q 'TOOLWIRE_LIBRARY: .*No such file' log
verdict 'a library that is not there' $?
mkdir -p copy/include copy/src/bindings
cp -R "$package" copy/src/bindings/python
cp "$here/../LICENSE" copy
sed 's/define TW_VERSION "[^"]*"/define TW_VERSION "9.9.9"/' \
    "$here/../include/toolwire.h" >copy/include/toolwire.h
! TOOLWIRE_LIBRARY=$library build copy/src/bindings/python >log 2>&1 &&
    grep -q 'toolwire.h is version 9.9.9, and' log
verdict 'a header of another version' $?
! TOOLWIRE_LIBRARY=$work/nothing $python -c 'import toolwire' >log 2>&1 &&
    grep -q 'ImportError: libtoolwire is not found' log
verdict 'an import without a library' $?

# ---- the sources -----------------------------------------------------------

# Python 3.8 is what the metadata says; its grammar is looked at here.
find "$package" -name '*.py' -exec $python -c 'import ast, sys
for path in sys.argv[1:]:
    with open(path, encoding="utf-8") as file:
        ast.parse(file.read(), path, feature_version=(3, 8))' {} + >log 2>&1
verdict 'the grammar of Python 3.8 is enough' $?
find "$package" ! -type d ! -name '*.py' ! -name '*.toml' ! -name py.typed \
    ! -name README.md ! -name _fast.c >log
[ ! -s log ]
verdict 'nothing was left in the tree' $?

finish
