/* SPDX-License-Identifier: MIT
 *
 * From what to what fuzz_records converts.  In front of the record an input
 * has:
 *
 *     from (2) to (2) policy (1)
 */
#ifndef TOOLWIRE_FUZZ_ENDS_H
#define TOOLWIRE_FUZZ_ENDS_H

#include "choice.h"
#include "toolwire.h"

enum { FUZZ_ENDS = 5, FUZZ_END_NUMBERS = 65536 };

/* Name |i| of all: the shapes of records, and behind them the formats. */
static inline const char *fuzz_find_end(size_t i)
{
    size_t shapes = 0;
    while (shapes < i && tw_record_shape_at(shapes) != NULL) {
        shapes++;
    }
    const tw_record_shape *shape = tw_record_shape_at(i);
    return shape != NULL ? tw_record_shape_name(shape)
                         : tw_format_name(tw_format_at(i - shapes));
}

/* A fuzz_name. */
static inline const char *fuzz_end(size_t i)
{
    enum { KEPT = 512 };
    static const char *kept[KEPT]; /* they are asked for again and again */
    if (i >= KEPT) {
        return NULL;
    }
    if (kept[i] == NULL) {
        kept[i] = fuzz_find_end(i);
    }
    return kept[i];
}

static inline size_t fuzz_from(const uint8_t *head)
{
    return fuzz_choice(fuzz_end, head[0] + 256u * head[1]);
}

static inline size_t fuzz_to(const uint8_t *head)
{
    return fuzz_choice(fuzz_end, head[2] + 256u * head[3]);
}

#endif
