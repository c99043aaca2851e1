/* SPDX-License-Identifier: MIT
 *
 * The fast ways of the formats (heads in one look, content that passes) do
 * what the plain ones do: the reference of each format passes nothing and is
 * fed byte by byte, so that no head is ever whole in view.  Texts are what the
 * templates write, with a few bytes changed.
 */
#ifndef TESTS_CHECKS_FAST_WAYS_H
#define TESTS_CHECKS_FAST_WAYS_H

#include <criterion/criterion.h>

typedef struct kit {
    const char *format;
    const char *parts[40];   /* of which a message is made, NULL-ended */
    const char *inserts[16]; /* what is put somewhere in it */
} kit;

void check_fast_ways(const kit *kits, size_t count);
/* Steps hold the last brace until the call ends, so that theirs are two. */
void expect_one_piece(const char *format, const char *call);

#endif
