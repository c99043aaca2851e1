/* SPDX-License-Identifier: MIT
 *
 * Formats from descriptions that are not built in: a test's own, and the
 * drafts of tests/descriptions.
 */
#ifndef TOOLWIRE_TESTS_DRAFTS_H
#define TOOLWIRE_TESTS_DRAFTS_H

#include "../naive/naive.h"
#include "formats/format.h"

/* A format made of a description; it stays where it is while it is used. */
typedef struct draft_format {
    tw_format format;
    tw_memory memory;
    const naive_oracle *naive;
    tw_loaded loaded; /* its message says why it is none */
} draft_format;

/* |name| outlives it.  False: |loaded| says why; nothing is to be freed. */
bool draft_make(draft_format *, const char *name, const char *json,
                size_t size);
void draft_free(draft_format *);

/* The same from the file of tests/descriptions; `-` stands for the slash of
 * |name|.  The second opinion is there, too. */
bool draft_read(draft_format *, const char *name);
/* The same, once for each name and for good; NULL: |name| is none that loads.
 */
const draft_format *draft_named(const char *name);

#endif
