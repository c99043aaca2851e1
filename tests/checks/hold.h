/* SPDX-License-Identifier: MIT
 *
 * R8: what a look-ahead may hold is exact, counted in wire bytes from the
 * first held byte; beyond it the canonical reading stands.  Alike for every
 * chunking, and as the naive decoder says.
 */
#ifndef TESTS_CHECKS_HOLD_H
#define TESTS_CHECKS_HOLD_H

#include <criterion/criterion.h>

#include "toolwire.h"

/* The counts around a limit that are tried, and that there is none. */
enum { HELD_NEAR = 16, HELD_FAR = TESTS_SHARE > 4 ? 1 : 2, NEVER = 1 << 30 };

typedef struct held {
    const char *what;
    const char *format; /* and "-reasoning": the prompt ended inside it */
    uint32_t code;      /* diagnosed beyond the limit; 0: nothing is */
    size_t limit;
    const char *lead;                  /* stands in front */
    const char *before, *unit, *after; /* held: |unit| is repeated */
    const char *rest;                  /* decides, or follows */
} held;

void check_held(const held *rows, size_t count, size_t around);

#endif
