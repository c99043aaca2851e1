/* SPDX-License-Identifier: MIT
 *
 * From what to what fuzz_records converts.  An input begins with two bytes,
 * which are one number for both.
 */
#ifndef TOOLWIRE_FUZZ_ENDS_H
#define TOOLWIRE_FUZZ_ENDS_H

#include "choice.h"
#include "toolwire.h"

/* The shapes of records, and all formats; a fuzz_name. */
static inline const char *fuzz_end(size_t i)
{
    static const char *const shapes[] = {"openai", "sharegpt", "anthropic"};
    enum { SHAPES = sizeof shapes / sizeof *shapes, KEPT = 512 };
    static const char *kept[KEPT]; /* they are asked for again and again */
    if (i >= KEPT) {
        return NULL;
    }
    if (kept[i] == NULL) {
        kept[i] =
            i < SHAPES ? shapes[i] : tw_format_name(tw_format_at(i - SHAPES));
    }
    return kept[i];
}

static inline uint32_t fuzz_ends_number(const uint8_t *two)
{
    return two[0] + 256u * two[1];
}

static inline size_t fuzz_from(const uint8_t *two)
{
    return fuzz_choice(fuzz_end, 2 * fuzz_ends_number(two));
}

static inline size_t fuzz_to(const uint8_t *two)
{
    return fuzz_choice(fuzz_end, 2 * fuzz_ends_number(two) + 1);
}

#endif
