#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
#
# Which lines and branches of src/ and grammar/ the tests run, without real
# data.  Lines that no test can run are in tests/coverage.txt, each with its
# reason.  Use: tests/coverage.sh WORK-FOLDER
set -u
export LC_ALL=C
here=$(realpath "$(dirname "$0")")
if [ $# -ne 1 ]; then
    echo "use: $0 WORK-FOLDER" >&2
    exit 2
fi
mkdir -p "$1" && cd "$1" || exit 2
unset TOOLWIRE_DATA
cmake -S "$here/.." -B . -G Ninja -DCMAKE_BUILD_TYPE=None \
    -DTOOLWIRE_TESTS=ON -DCMAKE_C_FLAGS='--coverage -O0 -g' >cmake.log &&
    ninja >ninja.log || exit 2
find . -name '*.gcda' -delete
ctest -j "$(nproc)" -E 'instructions|layers|consumers|packages|readme' >ctest.log
exec python3 "$here/python/coverage.py" "$here/.." .
