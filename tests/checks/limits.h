/* SPDX-License-Identifier: MIT
 *
 * R13: the limits that can be set are exact, spoil one call only and decide
 * alike however the input is cut.
 */
#ifndef TESTS_CHECKS_LIMITS_H
#define TESTS_CHECKS_LIMITS_H

#include <criterion/criterion.h>

#include "support/decoding.h"

typedef struct limited {
    const char *what;
    const char *format;
    tw_option option;
    uint32_t code;
    size_t limit; /* the option's value; 0: |standard| by default */
    size_t standard;
    size_t base; /* how much of the limit is used with no unit */
    size_t each; /* by each unit */
    const char *before, *unit, *middle, *back, *after;
    const char *next; /* a good call */
} limited;

#define DEPTH TW_OPTION_LIMIT_DEPTH, TW_DIAGNOSTIC_LIMIT_DEPTH
#define NAME TW_OPTION_LIMIT_NAME, TW_DIAGNOSTIC_LIMIT_NAME
#define SIZE TW_OPTION_LIMIT_ARGUMENTS, TW_DIAGNOSTIC_LIMIT_ARGUMENTS

/* L is accepted, L + 1 makes the call malformed, with the limit as the reason,
 * and the next call is fine. */
void check_limits(const limited *rows, size_t count);
/* |call| is accepted so often as is set, or by default, and no more. */
void check_call_limits(const char *format, const char *call);
/* The escape of a byte that JSON cannot hold goes out whole or not at all:
 * |call| holds a \x01 between an x and a y that stand behind 8 bytes of
 * JSON. */
void check_escape_limits(const char *format, const char *call);

/* |unit| and |back| so often, with text in front of, between and behind
 * them. */
naive_bytes repeated(const char *before, const char *unit, size_t count,
                     const char *middle, const char *back, const char *after);
/* The events, which no chunking may change and whose spans add up. */
void decode_all_ways(event_log *, tw_decoder *, const naive_bytes *text,
                     const char *what);
size_t count_of(const event_log *, uint32_t type, uint32_t code);

#endif
