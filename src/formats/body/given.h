/* SPDX-License-Identifier: MIT
 *
 * The keys that a call has given so far, the first of them (docs/rules.md D19).
 */
#ifndef TOOLWIRE_FORMATS_BODY_GIVEN_H
#define TOOLWIRE_FORMATS_BODY_GIVEN_H

#include "core/memory.h"

typedef struct tw_given {
    tw_buffer keys; /* each behind its size */
    size_t count;
} tw_given;

static inline void tw_given_clear(tw_given *given)
{
    given->keys.size = given->count = 0;
}

bool tw_given_has(const tw_given *given, const char *key, size_t size);
/* Is the key one of those given before?  A new one is kept, if there is room;
 * *failed: there was no memory. */
bool tw_given_before(tw_given *given, const tw_memory *memory, const char *key,
                     size_t size, bool *failed);

#endif
