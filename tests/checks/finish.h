/* SPDX-License-Identifier: MIT
 *
 * How an output ends, by hand: what a stop marker would have completed, and
 * what a token limit cut.
 */
#ifndef TESTS_CHECKS_FINISH_H
#define TESTS_CHECKS_FINISH_H

#include <criterion/criterion.h>

#include "support/decoding.h"

typedef struct ending {
    const char *format;
    const char *text;
    const char *stop; /* what it says where the model stopped by itself ... */
    const char *length; /* ... and where a token limit stopped it */
} ending;

/* A call `f` that goes on to the end of output, of |size| bytes. */
#define CUT(size)                                                        \
    "call[f call_0] diag[truncated_call@" #size "] incomplete unparsed[" \
    "truncated_call@0+" #size " f]"

void check_endings(const ending *rows, size_t count);

#endif
