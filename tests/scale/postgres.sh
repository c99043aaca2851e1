#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
#
# docs/scaling.md: PostgreSQL, a cluster of its own that only a socket in the
# test's folder leads to.
# Use: tests/scale/postgres.sh PATH-OF-TOOLWIRE
# shellcheck source=tests/scale/common.sh
. "$(dirname "$0")/common.sh"

cluster=$work/cluster
bin=$(ls -d /usr/lib/postgresql/*/bin 2>/dev/null | sort -V | tail -n 1)
PATH=$PATH:$bin
require initdb postgresql-15
require psql postgresql-client-15

# as COMMAND...: by an account that is not root, which PostgreSQL refuses.
as=()
if [ "$(id -u)" -eq 0 ]; then
    account=$(id -un postgres 2>/dev/null || echo nobody)
    as=(setpriv --reuid "$account" --regid "$(id -g "$account")"
        --clear-groups --)
fi
clean() {
    "${as[@]}" pg_ctl -D "$cluster" -m immediate -w stop >/dev/null 2>&1
    rm -rf "$work"
}
trap clean EXIT
mkdir "$cluster" && chmod 777 "$work" &&
    { [ ${#as[@]} -eq 0 ] || chown "$account" "$cluster"; }
verdict 'a folder for the cluster' $?
cd "$work" || exit 2

"${as[@]}" initdb -D "$cluster" -U owner -A trust -E UTF8 --locale=C.UTF-8 -N \
    >"$work/log" 2>&1
verdict 'initdb' $?
"${as[@]}" pg_ctl -D "$cluster" -w -t 120 -l "$cluster/server.log" \
    -o "-c listen_addresses='' -c unix_socket_directories='$cluster' -c fsync=off" \
    start >"$work/log" 2>&1
verdict 'the server starts' $?
cat "$cluster/server.log" >>"$work/log" 2>/dev/null

# sql: runs stdin; sets |status|; what it says is in |work|/log.
sql() {
    psql -X -q -A -t -v ON_ERROR_STOP=1 -h "$cluster" -U owner postgres \
        >"$work/log" 2>&1
    status=$?
}

# ---- the recipes -----------------------------------------------------------

recipe load >/dev/null
sql <"$work/recipe"
fine 'load'
sql <<END
\\copy (SELECT record FROM log ORDER BY place) TO '$work/loaded.jsonl' (FORMAT csv, DELIMITER E'\\x01', QUOTE E'\\x02')
END
fine 'load: read back'
same 'load' "$work/loaded.jsonl" "$work/whole.jsonl"
sql <<<"SELECT count(DISTINCT place) FROM log WHERE record ->> 'messages' <> ''"
[ "$(cat "$work/log")" = 12000 ]
verdict 'load: every record is a row, and JSON' $?

toolwire convert -f openai -t hermes "$work/whole.jsonl" >"$work/wanted"
recipe write >/dev/null
sql <"$work/recipe"
fine 'write'
same 'write' "$work/prompts.jsonl" "$work/wanted"

# ---- bad records -----------------------------------------------------------

recipe load | sed 's|log\.jsonl|bad.jsonl|; s|TABLE log|TABLE strict|
    s|COPY log|COPY strict|' >"$work/strict"
sql <"$work/strict"
[ "$status" -ne 0 ] && grep -q 'exit code 1' "$work/log"
verdict 'load, bad records: it fails' $?
sql <<<'SELECT count(*) FROM strict'
[ "$(cat "$work/log")" = 0 ]
verdict 'load, bad records: nothing is loaded' $?
sed "s|bad\.jsonl'|bad.jsonl \|\| test \$? -eq 1'|; /^CREATE/,/^);/d" \
    "$work/strict" >"$work/lenient"
sql <"$work/lenient"
fine 'load, bad records, || test $? -eq 1'
sql <<END
\\copy (SELECT record FROM strict ORDER BY place) TO '$work/lenient.jsonl' (FORMAT csv, DELIMITER E'\\x01', QUOTE E'\\x02')
END
same 'load, bad records, || test $? -eq 1' "$work/lenient.jsonl" \
    "$work/whole-bad.jsonl"

finish
