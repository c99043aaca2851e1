/* SPDX-License-Identifier: MIT
 *
 * Formats from descriptions of a test's own, with all that is inside.
 */
#ifndef TOOLWIRE_TESTS_LOADED_H
#define TOOLWIRE_TESTS_LOADED_H

#include "formats/format.h"

/* A format made of a description; it stays where it is while it is used. */
typedef struct loaded_format {
    tw_format format;
    tw_memory memory;
    tw_loaded loaded; /* its message says why it is none */
} loaded_format;

/* |name| outlives it.  False: |loaded| says why; nothing is to be freed. */
bool loaded_make(loaded_format *, const char *name, const char *json,
                 size_t size);
void loaded_free(loaded_format *);

#endif
