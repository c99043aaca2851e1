#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
#
# What gcc -fanalyzer, clang-tidy, cppcheck and scan-build say of the code, and
# what clang's UBSan, which knows more than gcc's, says of the unit tests:
# nothing.  Use: tests/lint.sh WORK-FOLDER
set -u
export LC_ALL=C
root=$(realpath "$(dirname "$0")/..")
if [ $# -ne 1 ]; then
    echo "use: $0 WORK-FOLDER" >&2
    exit 2
fi
mkdir -p "$1" && cd "$1" || exit 2
. "$root/tests/judge.sh"

cmake -S "$root" -B gcc -G Ninja -DCMAKE_BUILD_TYPE=Debug \
    -DTOOLWIRE_TESTS=OFF -DCMAKE_EXPORT_COMPILE_COMMANDS=ON \
    -DCMAKE_C_FLAGS='-fanalyzer -Werror' >gcc.log 2>&1 &&
    ninja -C gcc toolwire toolwire_static >>gcc.log 2>&1
judge 'gcc -fanalyzer' $? gcc.log

# Every memcpy is "insecure" to one check; swapped arguments are a matter of
# taste where types agree; the generated scanners are re2c's.
checks='-*,bugprone-*,cert-*,clang-analyzer-*,performance-*,portability-*'
checks=$checks,-clang-analyzer-security.insecureAPI.DeprecatedOrUnsafeBufferHandling
checks=$checks,-bugprone-easily-swappable-parameters,-bugprone-assignment-in-if-condition
checks=$checks,-bugprone-branch-clone
# Lists of pointers, text without NUL, initializers in macros, offsets that
# stand in for pointers until a block has moved: all meant.
checks=$checks,-bugprone-sizeof-expression,-bugprone-not-null-terminated-result
checks=$checks,-bugprone-macro-parentheses,-performance-no-int-to-ptr
# A va_list that va_start() made is said to be none.
checks=$checks,-clang-analyzer-valist.Uninitialized
checks=$checks,-bugprone-narrowing-conversions,-cert-err33-c,-cert-dcl37-c,-cert-dcl51-cpp
checks=$checks,-bugprone-reserved-identifier,-bugprone-suspicious-include
cmake -S "$root" -B plain -G Ninja -DTOOLWIRE_TESTS=OFF \
    -DCMAKE_EXPORT_COMPILE_COMMANDS=ON >plain.log 2>&1 || exit 2
find "$root/src" -name '*.c' -print0 |
    xargs -0 -P "$(nproc)" -n 8 clang-tidy-14 -p plain --quiet \
        --warnings-as-errors='*' --checks="$checks" \
        --extra-arg=-Wno-unknown-warning-option >tidy.log 2>tidy.err
judge clang-tidy $? tidy.log

cppcheck --std=c11 --enable=warning,performance,portability --inline-suppr \
    --error-exitcode=1 --quiet -I "$root/include" -I "$root/src" \
    --suppress=missingIncludeSystem --suppress=uninitvar:*/src/messages/segments.c \
    -j "$(nproc)" "$root/src" >cppcheck.log 2>&1
# Scanners begin with stores that not each of their rules needs.
judge cppcheck $? cppcheck.log

scan-build-14 --status-bugs -o scan cmake -S "$root" -B clang -G Ninja \
    -DCMAKE_BUILD_TYPE=Debug -DTOOLWIRE_TESTS=OFF >scan.log 2>&1 &&
    scan-build-14 --status-bugs -disable-checker deadcode.DeadStores -o scan ninja -C clang toolwire \
        toolwire_static >>scan.log 2>&1
judge scan-build $? scan.log

# gcc lets 0 be added to a null pointer, which C11 does not define.
CC=clang-14 cmake -S "$root" -B undefined -G Ninja -DTOOLWIRE_TESTS=ON \
    -DCMAKE_BUILD_TYPE=RelWithDebInfo -DTOOLWIRE_SANITIZE=undefined \
    >undefined.log 2>&1 &&
    ninja -C undefined unit_tests >>undefined.log 2>&1 &&
    undefined/tests/unit_tests --timeout 300 >>undefined.log 2>&1
judge "clang's UBSan" $? undefined.log

finish
