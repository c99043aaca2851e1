/* SPDX-License-Identifier: MIT
 *
 * What the library asks of <stdlib.h> to look into tables.
 */
#include <stdlib.h>

typedef int compare(const void *, const void *);

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
