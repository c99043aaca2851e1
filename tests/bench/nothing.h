/* SPDX-License-Identifier: MIT
 *
 * A decoder that finds nothing: what the interface itself costs.
 */
#ifndef TOOLWIRE_TESTS_BENCH_NOTHING_H
#define TOOLWIRE_TESTS_BENCH_NOTHING_H

#include <stdbool.h>

#include "toolwire.h"

typedef struct nothing {
    tw_event event;
    bool pending;
} nothing;

void nothing_feed(nothing *, const char *data, size_t size);
int nothing_next(nothing *, const tw_event **);

#endif
