/* SPDX-License-Identifier: MIT
 *
 * Deltas a second of the library itself, for bench.mjs: a text from stdin, in
 * pieces of |size| bytes, |rounds| times, each piece's events taken.
 * Use: bench_native FORMAT SIZE ROUNDS <TEXT
 */
#define _POSIX_C_SOURCE 200809L

#include <stdio.h>
#include <stdlib.h>
#include <time.h>

#include "toolwire.h"

static size_t events;

static void drain(tw_decoder *decoder)
{
    const tw_event *event;
    while (tw_decoder_next(decoder, &event) == 1) {
        events += event->size;
    }
}

int main(int argc, char **argv)
{
    static char text[1 << 20];
    const size_t length = fread(text, 1, sizeof text, stdin);
    if (argc != 4) {
        return 2;
    }
    const size_t size = strtoul(argv[2], NULL, 10);
    const unsigned long rounds = strtoul(argv[3], NULL, 10);
    tw_decoder *decoder = tw_decoder_new(tw_format_find(argv[1]), NULL);
    struct timespec begin, end;
    size_t pieces = 0;
    clock_gettime(CLOCK_MONOTONIC, &begin);
    for (unsigned long i = 0; i < rounds; i++) {
        for (size_t at = 0; at < length; at += size, pieces++) {
            tw_decoder_feed(decoder, text + at,
                            length - at < size ? length - at : size,
                            TW_MARK_UNKNOWN);
            drain(decoder);
        }
        tw_decoder_finish(decoder, TW_FINISH_STOP);
        drain(decoder);
        tw_decoder_reset(decoder);
    }
    clock_gettime(CLOCK_MONOTONIC, &end);
    const double seconds = (double)(end.tv_sec - begin.tv_sec) +
                           (double)(end.tv_nsec - begin.tv_nsec) / 1e9;
    printf("%.0f\n", (double)pieces / seconds);
    tw_decoder_free(decoder);
    return events == 0;
}
