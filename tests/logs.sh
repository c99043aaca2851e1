#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
#
# Real logs through `toolwire convert`, if $TOOLWIRE_DATA has them.
# Use: tests/logs.sh PATH-OF-TOOLWIRE
set -u

if [ $# -ne 1 ] || [ ! -x "$1" ]; then
    echo "use: $0 PATH-OF-TOOLWIRE" >&2
    exit 2
fi
export PYTHONDONTWRITEBYTECODE=1
if [ -z "${TOOLWIRE_DATA-}" ]; then
    echo 'real logs: SKIPPED: TOOLWIRE_DATA is not set'
elif ! command -v python3 >/dev/null; then
    echo 'real logs: SKIPPED: there is no python3'
else
    exec python3 "$(dirname "$0")/python/logs.py" "$1" "$TOOLWIRE_DATA"
fi
