/* SPDX-License-Identifier: MIT
 *
 * A merge sort, bottom up.
 */
#include "core/sort.h"

#include <string.h>

typedef struct sorter {
    tw_before *before;
    const void *context;
} sorter;

static void merge(const sorter *by, const size_t *from, size_t *to,
                  size_t middle, size_t count)
{
    size_t left = 0;
    size_t right = middle;
    for (size_t i = 0; i < count; i++) {
        const bool take_right =
            left == middle ||
            (right < count &&
             by->before(by->context, from[right], from[left]));
        to[i] = from[take_right ? right++ : left++];
    }
}

bool tw_sort(tw_buffer *items, const tw_memory *memory, tw_before *before,
             const void *context)
{
    const sorter by = {before, context};
    const size_t count = items->size / sizeof(size_t);
    if (count < 2) {
        return true;
    }
    if (!tw_buffer_reserve(items, memory, items->size)) {
        return false;
    }
    size_t *sorted = (size_t *)(void *)items->data;
    size_t *room = sorted + count;
    for (size_t width = 1; width < count; width *= 2) {
        for (size_t from = 0; from < count; from += 2 * width) {
            const size_t rest = count - from;
            merge(&by, sorted + from, room + from, width < rest ? width : rest,
                  2 * width < rest ? 2 * width : rest);
        }
        memcpy(sorted, room, count * sizeof *sorted);
    }
    return true;
}
