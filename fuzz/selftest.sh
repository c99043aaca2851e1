#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
#
# Can the targets find anything?  Plants each bug of planted.txt into a copy of
# the sources and runs its target, from a fixed seed, at most 2,000,000 times.
# Use: fuzz/selftest.sh BUILD-FOLDER [TARGET...]
set -u
export LC_ALL=C
runs=${SELFTEST_RUNS-2000000}
root=$(realpath "$(dirname "$0")/..")
if [ $# -lt 1 ]; then
    echo "use: $0 BUILD-FOLDER [TARGET...]" >&2
    exit 2
fi
mkdir -p "$1/tree" || exit 2
build=$(realpath "$1")
shift
wanted=" $* "
tree=$build/tree
export ASAN_OPTIONS="${ASAN_OPTIONS-quarantine_size_mb=16:malloc_context_size=5}"
passed=0
failed=0

for part in CMakeLists.txt grammar src include tests fuzz; do
    cp -rpu "$root/$part" "$tree/" || exit 2
done
CC=clang-14 cmake -S "$tree" -B "$build/build" -G Ninja \
    -DCMAKE_BUILD_TYPE=RelWithDebInfo -DTOOLWIRE_TESTS=OFF \
    -DTOOLWIRE_FUZZ=ON \
    -DTOOLWIRE_SANITIZE=address,undefined,fuzzer-no-link >/dev/null || exit 2
ninja -C "$build/build" >/dev/null || exit 2
cd "$build/build/fuzz" || exit 2

printf '%-10s %-34s %10s %8s\n' target file runs seconds
while IFS=$'\t' read -r target file change; do
    case $target in '' | '#'*) continue ;; esac
    if [ "$wanted" != '  ' ] && [ "${wanted/ $target /}" = "$wanted" ]; then
        continue
    fi
    sed -i "$change" "$tree/$file"
    if cmp -s "$tree/$file" "$root/$file"; then
        echo "FAILED: $file has no place for: $change"
        failed=$((failed + 1))
        continue
    fi
    if ! ninja -C "$build/build" "fuzz_$target" >selftest.log 2>&1; then
        echo "FAILED: $file does not compile with: $change"
        failed=$((failed + 1))
        cp -p "$root/$file" "$tree/$file"
        touch "$tree/$file"
        continue
    fi
    rm -rf selftest && mkdir selftest
    begin=$SECONDS
    if "./fuzz_$target" -seed=1 -runs="$runs" -max_len=1024 -dict=all.dict \
        -timeout=10 -rss_limit_mb=3000 -artifact_prefix=selftest/ \
        -print_final_stats=1 selftest seeds >selftest.log 2>&1; then
        echo "FAILED: $target did not find: $file: $change"
        failed=$((failed + 1))
    else
        passed=$((passed + 1))
        printf '%-10s %-34s %10s %8s\n' "$target" "$file" \
            "$(sed -n 's/.*number_of_executed_units: //p' selftest.log)" \
            $((SECONDS - begin))
    fi
    cp "$root/$file" "$tree/$file"
    touch "$tree/$file"
done <"$root/fuzz/planted.txt"
echo "$passed passed, $failed failed"
[ "$failed" -eq 0 ] && [ "$passed" -gt 0 ]
