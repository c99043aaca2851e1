/* SPDX-License-Identifier: MIT
 *
 * Decoding workloads: to events, to a message, to chunks.
 */
#ifndef TOOLWIRE_TESTS_BENCH_DECODE_H
#define TOOLWIRE_TESTS_BENCH_DECODE_H

#include "workloads.h"

enum { TO_EVENTS, TO_MESSAGE, TO_CHUNKS, TARGETS };
extern const char *const target_names[TARGETS];

enum { DELTAS = 4 };
extern const size_t delta_sizes[DELTAS]; /* 0: whole */

typedef struct decoding {
    const workload *its;
    tw_decoder *decoder;
    tw_writer *writer; /* NULL: to events */
    size_t delta;
    /* Of the last run. */
    size_t calls;    /* complete ones */
    size_t out;      /* bytes of events or of JSON */
    size_t deltas;   /* pieces fed */
    text *arguments; /* NULL, or where those of all calls go */
} decoding;

decoding decoding_new(const workload *, int target, size_t delta,
                      const tw_allocator *);
void decoding_free(decoding *);
/* All messages of the workload; a task. */
void decoding_run(void *);

/* Decodes everything to everything and compares with what must come out;
 * says what is wrong.  How many were. */
int decoding_check(const workload *);

#endif
