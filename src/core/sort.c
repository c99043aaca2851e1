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

static bool is_before(const sorter *by, const char *items, size_t i, size_t k)
{
    return by->before(by->context, items + i * by->size, items + k * by->size);
}

/* Puts items [begin, end); returns what stands behind them. */
static char *put(const sorter *by, char *to, const char *from, size_t begin,
                 size_t end)
{
    const size_t size = (end - begin) * by->size;
    memcpy(to, from + begin * by->size, size);
    return to + size;
}

/* Runs that stand together in one half are copied together. */
static void merge(const sorter *by, const char *from, char *to, size_t middle,
                  size_t count)
{
    size_t left = 0;
    size_t right = middle;
    if (middle == count || !is_before(by, from, middle, middle - 1)) {
        put(by, to, from, 0, count); /* they are in order */
        return;
    }
    while (left < middle || right < count) {
        const size_t first = right;
        while (right < count &&
               (left == middle || is_before(by, from, right, left))) {
            right++;
        }
        to = put(by, to, from, first, right);
        const size_t next = left;
        while (left < middle &&
               (right == count || !is_before(by, from, right, left))) {
            left++;
        }
        to = put(by, to, from, next, left);
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
        char *other = sorted;
        sorted = merged;
        merged = other;
    }
    if (sorted != items) {
        memcpy(items, sorted, count * size);
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
