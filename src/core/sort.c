/* SPDX-License-Identifier: MIT
 *
 * A merge sort of runs: what stands in order already stays together.
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

/* The end of the items from |from| on that are in order. */
static size_t behind_run(const sorter *by, const char *items, size_t from,
                         size_t count)
{
    size_t end = from < count ? from + 1 : count;
    while (end < count && !is_before(by, items, end, end - 1)) {
        end++;
    }
    return end;
}

void tw_sort_items(void *items, void *room, size_t count, size_t size,
                   tw_item_before *before, const void *context)
{
    const sorter by = {size, before, context};
    char *sorted = items;
    char *merged = room;
    size_t end = behind_run(&by, sorted, 0, count);
    for (size_t runs = end < count ? 2 : 1; runs > 1;) {
        runs = 0;
        for (size_t from = 0; from < count; from = end) {
            const size_t middle = behind_run(&by, sorted, from, count);
            end = behind_run(&by, sorted, middle, count);
            merge(&by, sorted + from * size, merged + from * size,
                  middle - from, end - from);
            runs++;
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
