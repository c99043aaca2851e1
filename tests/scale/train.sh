#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
#
# docs/templates.md: TRL trains on the labels that token_mask() makes.  pip
# installs TRL and torch beside the command, in train/ (6 GB).
# Use: tests/scale/train.sh PATH-OF-TOOLWIRE
set -u
export LC_ALL=C.UTF-8
if [ $# -ne 1 ] || [ ! -x "$1" ]; then
    echo "use: $0 PATH-OF-TOOLWIRE" >&2
    exit 2
fi
here=$(realpath "$(dirname "$0")")
build=$(realpath "$(dirname "$1")")
home=$build/train
python=$home/bin/python
work=$(mktemp -d) || exit 2
trap 'rm -rf "$work"' EXIT
# shellcheck source=tests/judge.sh
. "$here/../judge.sh"
explain() { tail -n 20 "$work/log"; }

# Nothing of this machine's may help, and nobody outside is asked or told.
unset PYTHONPATH PYTHONHOME
export PYTHONDONTWRITEBYTECODE=1 TMPDIR=$work
export HF_HOME=$work/hf HF_HUB_OFFLINE=1 HF_HUB_DISABLE_TELEMETRY=1

[ -x "$python" ] || python3 -m venv "$home" >"$work/log" 2>&1
verdict 'a virtual environment' $?
TOOLWIRE_LIBRARY=$build/libtoolwire.so "$python" -m pip install -q \
    --force-reinstall --no-deps "$here/../../src/bindings/python" \
    >"$work/log" 2>&1
verdict 'the package toolwire' $?
"$python" -m pip install -q -c "$here/requirements.txt" trl >"$work/log" 2>&1
verdict 'TRL is to be had' $?
"$python" -m pip list --format freeze | grep -E '^(torch|transformers|trl)=='

awk '/^    def tokenized/ { found = 1 }
    found && /^[^ ]/ { exit }
    found { print substr($0, 5) }' "$here/../../docs/templates.md" \
    >"$work/recipe.py"
"$python" "$here/train.py" "$work/recipe.py" >"$work/log" 2>&1
verdict 'TRL trains on the labels of the recipe' $?
tail -n 1 "$work/log"
finish
