/* SPDX-License-Identifier: MIT
 *
 * qsort(), a heap sort: in place, and never worse than n log n; bsearch().
 */
#include <stdlib.h>

typedef int compare(const void *, const void *);

static void swap(unsigned char *a, unsigned char *b, size_t size)
{
    for (size_t i = 0; i < size; i++) {
        const unsigned char byte = a[i];
        a[i] = b[i];
        b[i] = byte;
    }
}

/* Lets the element at |i| sink to its place in the heap of |count|. */
static void sink(unsigned char *list, size_t i, size_t count, size_t size,
                 compare *by)
{
    for (size_t child; (child = 2 * i + 1) < count; i = child) {
        if (child + 1 < count &&
            by(list + child * size, list + (child + 1) * size) < 0) {
            child++;
        }
        if (by(list + i * size, list + child * size) >= 0) {
            return;
        }
        swap(list + i * size, list + child * size, size);
    }
}

void qsort(void *list, size_t count, size_t size, compare *by)
{
    for (size_t i = count / 2; i > 0; i--) {
        sink(list, i - 1, count, size, by);
    }
    for (size_t left = count; left > 1; left--) {
        swap(list, (unsigned char *)list + (left - 1) * size, size);
        sink(list, 0, left - 1, size, by);
    }
}

void *bsearch(const void *key, const void *list, size_t count, size_t size,
              compare *by)
{
    const unsigned char *from = list;
    while (count > 0) {
        const unsigned char *middle = from + count / 2 * size;
        const int found = by(key, middle);
        if (found == 0) {
            return (void *)middle;
        }
        from = found > 0 ? middle + size : from;
        count = found > 0 ? count - count / 2 - 1 : count / 2;
    }
    return NULL;
}
