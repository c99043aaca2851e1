#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
#
# Changes the code in one small place after another and sees whether a suite
# of seconds notices.  What was tried is in WORK-FOLDER/ledger.tsv: a second
# run goes on from there.
# Use: tests/mutants.sh WORK-FOLDER [COUNT] [--workers N] [--again]
#          [--only EXPRESSION, which the name of a changed file has]
set -u
here=$(realpath "$(dirname "$0")")
if [ $# -lt 1 ]; then
    echo "use: $0 WORK-FOLDER [COUNT] [--workers N] [--again]" \
        '[--only EXPRESSION]' >&2
    exit 2
fi
mkdir -p "$1" || exit 2
exec python3 "$here/python/mutants.py" "$here/.." "$@"
