/* SPDX-License-Identifier: MIT
 *
 * The only sort of the library, for callers that must not be slow whatever the
 * input is, and the search in what is sorted.
 */
#ifndef TOOLWIRE_CORE_SORT_H
#define TOOLWIRE_CORE_SORT_H

#include "core/memory.h"

/* Two items, by their places in memory. */
typedef bool tw_item_before(const void *context, const void *left,
                            const void *right);

/* Sorts |count| items of |size| bytes, in n log n steps whatever they are;
 * equal ones stay in their order.  |room| is as large as they are. */
void tw_sort_items(void *items, void *room, size_t count, size_t size,
                   tw_item_before *before, const void *context);

typedef bool tw_before(const void *context, size_t left, size_t right);

/* Sorts the size_t in |items| alike.  libc's qsort() may be quadratic, and may
 * allocate where no caller sees it.  False: no memory. */
bool tw_sort(tw_buffer *items, const tw_memory *memory, tw_before *before,
             const void *context);

/* Of |high| items some stand in front of a place: |low| is the first that does
 * not, behind
 *     while (tw_halve(&halves)) {
 *         tw_halves_take(&halves, is_in_front(halves.middle));
 *     } */
typedef struct tw_halves {
    size_t low;
    size_t high;
    size_t middle;
} tw_halves;

static inline bool tw_halve(tw_halves *halves)
{
    halves->middle = halves->low + (halves->high - halves->low) / 2;
    return halves->low < halves->high;
}

static inline void tw_halves_take(tw_halves *halves, bool in_front)
{
    halves->low = in_front ? halves->middle + 1 : halves->low;
    halves->high = in_front ? halves->high : halves->middle;
}

#endif
