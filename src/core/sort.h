/* SPDX-License-Identifier: MIT
 *
 * The only sort of the library, for callers that must not be slow whatever the
 * input is.
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

#endif
