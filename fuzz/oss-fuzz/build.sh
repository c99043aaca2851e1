#!/bin/bash -eu
# SPDX-License-Identifier: MIT
#
# What OSS-Fuzz runs: its flags choose sanitizer and engine, so that the
# project's own are left out.
cmake -S "$SRC/toolwire" -B "$WORK/toolwire" -G Ninja \
    -DCMAKE_BUILD_TYPE=None -DTOOLWIRE_TESTS=OFF -DTOOLWIRE_FUZZ=ON \
    -DTOOLWIRE_ENGINE="$LIB_FUZZING_ENGINE"
ninja -C "$WORK/toolwire"
cd "$WORK/toolwire/fuzz"
for target in fuzz_*; do
    [ -x "$target" ] && [ -f "$target" ] || continue
    cp "$target" "$OUT/"
    cp all.dict "$OUT/$target.dict"
    zip -qrj "$OUT/${target}_seed_corpus.zip" seeds
done
