/* SPDX-License-Identifier: MIT
 *
 * A merge sort, bottom up.
 */
#include "core/sort.h"

#include <string.h>

typedef struct sorter {
    size_t size; /* of an item */
    tw_item_before *before;
    const void *context;
} sorter;

static void merge(const sorter *by, const char *from, char *to, size_t middle,
                  size_t count)
{
    size_t left = 0;
    size_t right = middle;
    if (middle == count ||
        !by->before(by->context, from + middle * by->size,
                    from + (middle - 1) * by->size)) { /* they are in order */
        memcpy(to, from, count * by->size);
        return;
    }
    for (size_t i = 0; i < count; i++) {
        const bool take_right =
            left == middle ||
            (right < count && by->before(by->context, from + right * by->size,
                                         from + left * by->size));
        const size_t taken = take_right ? right++ : left++;
        memcpy(to + i * by->size, from + taken * by->size, by->size);
    }
}

void tw_sort_items(void *items, void *room, size_t count, size_t size,
                   tw_item_before *before, const void *context)
{
    const sorter by = {size, before, context};
    char *sorted = items;
    char *merged = room;
    for (size_t width = 1; width < count; width *= 2) {
        for (size_t from = 0; from < count; from += 2 * width) {
            const size_t rest = count - from;
            merge(&by, sorted + from * size, merged + from * size,
                  width < rest ? width : rest,
                  2 * width < rest ? 2 * width : rest);
        }
        memcpy(sorted, merged, count * size);
    }
}

/* ---- numbers ------------------------------------------------------------ */

typedef struct numbers {
    tw_before *before;
    const void *context;
} numbers;

static bool is_number_before(const void *context, const void *left,
                             const void *right)
{
    const numbers *by = context;
    const size_t *left_number = left;
    const size_t *right_number = right;
    return by->before(by->context, *left_number, *right_number);
}

bool tw_sort(tw_buffer *items, const tw_memory *memory, tw_before *before,
             const void *context)
{
    const numbers by = {before, context};
    const size_t size = items->size;
    if (size / sizeof(size_t) < 2) {
        return true;
    }
    if (!tw_buffer_reserve(items, memory, size)) {
        return false;
    }
    tw_sort_items(items->data, items->data + size, size / sizeof(size_t),
                  sizeof(size_t), is_number_before, &by);
    return true;
}
