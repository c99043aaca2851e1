#!/bin/sh
# SPDX-License-Identifier: MIT
# run.sh TOOLWIRE BUILD_FOLDER [CASES]: real clients read what the command
# TOOLWIRE streams.  Packages go into BUILD_FOLDER, nothing into the sources.
set -eu

if [ $# -lt 2 ]; then
	echo "usage: $0 TOOLWIRE BUILD_FOLDER [CASES]" >&2
	exit 2
fi
here=$(cd "$(dirname "$0")" && pwd)
toolwire=$(realpath "$1")
mkdir -p "$2"
build=$(cd "$2" && pwd)
cases=$(realpath "${3:-$here/../conformance}")

found=$(node --version 2>/dev/null) || found="no node"
major=${found#v}
case ${major%%.*} in
'' | *[!0-9]*) major=0 ;;
*) major=${major%%.*} ;;
esac
if [ "$major" -ge 20 ] && ! command -v npm >/dev/null; then
	found="$found without npm"
	major=0
fi
if [ "$major" -lt 20 ]; then
	echo "clients: SKIPPED: needs Node 20 or newer, found $found"
	exit 0
fi
if [ ! -x "$toolwire" ]; then
	echo "clients: no command at $toolwire" >&2
	exit 1
fi

cd "$build"
cp -f "$here"/*.mjs "$here"/package.json "$here"/package-lock.json .
if ! cmp -s package-lock.json node_modules/.toolwire-lock; then
	npm ci --no-audit --no-fund --ignore-scripts || {
		echo "clients: npm ci failed" >&2
		exit 1
	}
	cp package-lock.json node_modules/.toolwire-lock
fi

# No client may ask or tell anyone outside.
unset OPENAI_API_KEY OPENAI_BASE_URL OPENAI_ORG_ID OPENAI_PROJECT_ID OPENAI_LOG
unset LANGSMITH_API_KEY LANGCHAIN_API_KEY LANGSMITH_TRACING_V2 NODE_USE_ENV_PROXY
export LANGSMITH_TRACING=false LANGCHAIN_TRACING_V2=false NO_PROXY=127.0.0.1
node check.mjs "$toolwire" "$cases"
exec node apis.mjs "$toolwire" "$cases"
