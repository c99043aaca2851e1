#!/bin/sh
# SPDX-License-Identifier: MIT
#
# Runs each libFuzzer target for some seconds, each with a corpus of its own
# in the build folder that later runs go on from.  What breaks a property is
# left there as crash-*.
# Use: fuzz/run.sh BUILD-FOLDER SECONDS [TARGET...]
set -u
if [ $# -lt 2 ] || [ ! -d "$1/fuzz/seeds" ]; then
    echo "use: $0 BUILD-FOLDER SECONDS [TARGET...]" >&2
    exit 2
fi
cd "$1/fuzz" || exit 2
seconds=$2
shift 2
[ $# -gt 0 ] || set -- ./fuzz_*
sparing=quarantine_size_mb=16:malloc_context_size=5 # of memory
export ASAN_OPTIONS="${ASAN_OPTIONS-$sparing}"
passed=0
failed=0
for target; do
    [ -x "$target" ] || continue
    name=$(basename "$target")
    mkdir -p "corpus/$name"
    echo "---- $name"
    if "./$name" -dict=all.dict -max_len=1024 -timeout=5 \
        -rss_limit_mb=2048 -max_total_time="$seconds" -print_final_stats=1 \
        "corpus/$name" seeds >"$name.log" 2>&1; then
        passed=$((passed + 1))
    else
        failed=$((failed + 1))
        tail -n 40 "$name.log"
    fi
    grep 'number_of_executed_units\|average_exec_per_sec' "$name.log"
done
echo "$passed passed, $failed failed"
[ "$failed" -eq 0 ] && [ "$passed" -gt 0 ]
