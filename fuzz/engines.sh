#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
#
# The targets as others run them, and the mutator in a target of somebody's own.
# What OSS-Fuzz's image does with oss-fuzz/build.sh is done here, with libFuzzer
# for each of its sanitizers and with AFL++; then each target runs.
# Use: fuzz/engines.sh WORK-FOLDER [SECONDS-FOR-EACH]
set -u
export LC_ALL=C
if [ $# -lt 1 ]; then
    echo "use: $0 WORK-FOLDER [SECONDS-FOR-EACH]" >&2
    exit 2
fi
root=$(realpath "$(dirname "$0")/..")
mkdir -p "$1" && cd "$1" || exit 2
seconds=${2-5}
# shellcheck source=tests/judge.sh
. "$root/tests/judge.sh"
driver=/usr/lib/afl/libAFLDriver.a
flags='-O1 -gline-tables-only -fno-omit-frame-pointer -fno-sanitize-recover=all'

# AFL++ asks for a machine that is prepared for it.
export AFL_NO_UI=1 AFL_SKIP_CPUFREQ=1 AFL_NO_AFFINITY=1
export AFL_I_DONT_CARE_ABOUT_MISSING_CRASHES=1

# make_targets NAME ENGINE CC CXX FLAGS: what the image does.
make_targets() {
    rm -rf "$1" && mkdir -p "$1/src" "$1/work" "$1/out" || return 1
    ln -s "$root" "$1/src/toolwire"
    SRC=$PWD/$1/src WORK=$PWD/$1/work OUT=$PWD/$1/out CC=$3 CXX=$4 \
        CFLAGS="$flags $5" CXXFLAGS="$flags $5" LIB_FUZZING_ENGINE=$2 \
        bash -eu "$root/fuzz/oss-fuzz/build.sh" >"$1.log" 2>&1 &&
        [ "$(find "$1/out" -name 'fuzz_*' -perm -1 | wc -l)" -eq \
            "$(find "$root/fuzz" -name 'fuzz_*.c' | wc -l)" ]
}

# afl FOLDER-OF-SEEDS OUT SECONDS PROGRAM: whether inputs were run.
afl() {
    rm -rf "$2"
    afl-fuzz -s 1 -i "$1" -o "$2" -V "$3" -t 5000 -m none -- "$4" >run.log 2>&1 &&
        stats=$2/default/fuzzer_stats &&
        [ "$(awk '$1 == "execs_done" { print $3 }' "$stats")" -gt 0 ]
}

crashes() { awk '$1 == "saved_crashes" { print $3 }' "$1/default/fuzzer_stats"; }

# ---- OSS-Fuzz --------------------------------------------------------------

for sanitizer in address undefined memory; do
    make_targets $sanitizer -fsanitize=fuzzer clang-14 clang++-14 \
        "-fsanitize=$sanitizer,fuzzer-no-link"
    judge "build.sh, libFuzzer, $sanitizer" $? $sanitizer.log
    for seeds in "$sanitizer"/out/*_seed_corpus.zip; do
        target=${seeds%_seed_corpus.zip}
        unzip -qoj "$seeds" -d $sanitizer/seeds &&
            "$target" -max_total_time="$seconds" -timeout=10 -max_len=300 \
                -dict="$target.dict" -artifact_prefix=$sanitizer/ \
                $sanitizer/seeds >run.log 2>&1
        judge "$target" $? run.log
    done
done

make_targets afl "$driver" afl-clang-fast afl-clang-fast++ -fsanitize=address
judge 'build.sh, AFL++' $? afl.log
for seeds in afl/out/*_seed_corpus.zip; do
    target=${seeds%_seed_corpus.zip}
    rm -rf afl/seeds
    # As many as it can try in its time.
    unzip -qoj "$seeds" '*[05]' -d afl/seeds &&
        afl afl/seeds afl/found "$seconds" "$target" &&
        [ "$(crashes afl/found)" -eq 0 ]
    judge "$target" $? run.log
done

# ---- the mutator, in a target of somebody's own ----------------------------

# Falls over a call in another call's argument.  Byte by byte, as engines read
# along where words are compared by the library.
cat >parser.c <<'end'
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

/* More than |size|: there is none. */
__attribute__((noinline)) static size_t
behind(const uint8_t *data, size_t size, size_t at, const char *word)
{
    const size_t length = strlen(word);
    for (; at + length <= size; at++) {
        size_t same = 0;
        while (same < length && data[at + same] == (uint8_t)word[same]) {
            same++;
        }
        if (same == length) {
            return at + length;
        }
    }
    return SIZE_MAX;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    size_t at = behind(data, size, 0, "<tool_call>");
    if (at > size) {
        return 0;
    }
    at = behind(data, size, at, "\"arguments\"");
    if (at > size) {
        return 0;
    }
    at = behind(data, size, at, "<tool_call>");
    if (at > size) {
        return 0;
    }
    at = behind(data, size, at, "</tool_call>");
    if (at <= size) {
        abort();
    }
    return 0;
}
end
mutator=$root/fuzz/toolwire_mutator.h
# seed: a corpus that knows nothing of calls.
seed() { rm -rf plain && mkdir plain && echo 'Hello.' >plain/seed; }

# fuzz RUNS OPTIONS...: libFuzzer with parser.c; whether it fell.
fuzz() {
    local runs=$1
    shift
    seed
    clang-14 -O1 -fsanitize=fuzzer parser.c -o parser "$@" >run.log 2>&1 || return 2
    ./parser -seed=1 -runs="$runs" -artifact_prefix=plain- plain >run.log 2>&1
    grep -q 'deadly signal' run.log
}

fuzz 20000000 -DTOOLWIRE_MUTATOR_LIBFUZZER -include "$mutator"
judge 'libFuzzer finds a bug of calls with the mutator' $? run.log
fuzz 2000000
[ $? -eq 1 ]
judge 'and not without it' $? run.log

afl-clang-fast -O1 parser.c "$driver" -o parser >run.log 2>&1 &&
    ${CC-cc} -shared -fPIC -O2 -DTOOLWIRE_MUTATOR_AFL -x c "$mutator" \
        -o mutator.so >>run.log 2>&1 && seed &&
    AFL_CUSTOM_MUTATOR_LIBRARY=$PWD/mutator.so AFL_CUSTOM_MUTATOR_ONLY=1 \
        AFL_BENCH_UNTIL_CRASH=1 afl plain found 900 ./parser &&
    [ "$(crashes found)" -gt 0 ]
judge 'AFL++ finds it with the mutator' $? run.log
seed
AFL_BENCH_UNTIL_CRASH=1 afl plain found 20 ./parser &&
    [ "$(crashes found)" -eq 0 ]
judge 'and not without it' $? run.log

finish
