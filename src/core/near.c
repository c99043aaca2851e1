/* SPDX-License-Identifier: MIT
 *
 * Letters that are missing, too many, wrong or swapped.
 */
#include "core/near.h"

#include <string.h>

#include "core/ascii.h"

enum { LONGEST = 40 };

static bool same(char a, char b)
{
    return tw_lower(a) == tw_lower(b);
}

static size_t least(size_t a, size_t b)
{
    return a < b ? a : b;
}

/* How many letters are missing, too many, wrong or swapped with their
 * neighbour.  Both are at most LONGEST. */
static size_t distance(const char *a, size_t a_size, const char *b,
                       size_t b_size)
{
    size_t rows[3][LONGEST + 1];
    size_t *before = rows[0], *last = rows[1], *row = rows[2];
    for (size_t k = 0; k <= b_size; k++) {
        last[k] = before[k] = k;
    }
    for (size_t i = 1; i <= a_size; i++) {
        row[0] = i;
        for (size_t k = 1; k <= b_size; k++) {
            const size_t wrong = same(a[i - 1], b[k - 1]) ? 0 : 1;
            row[k] =
                least(least(last[k], row[k - 1]) + 1, last[k - 1] + wrong);
            if (i > 1 && k > 1 && same(a[i - 1], b[k - 2]) &&
                same(a[i - 2], b[k - 1])) {
                row[k] = least(row[k], before[k - 2] + 1);
            }
        }
        size_t *const free_row = before;
        before = last;
        last = row;
        row = free_row;
    }
    return last[b_size];
}

static bool is_between(char c)
{
    return c == '-' || c == '_' || c == '.' || c == '/' || c == ' ';
}

/* Does |part| stand in |whole|, which may have dashes and points between? */
static bool is_part(const char *part, size_t size, const char *whole,
                    size_t whole_size)
{
    for (size_t i = 0; i + size <= whole_size; i++) {
        size_t k = 0;
        for (size_t at = i; k < size && at < whole_size; at++) {
            if (same(part[k], whole[at])) {
                k++;
            } else if (k == 0 || !is_between(whole[at])) {
                break;
            }
        }
        if (k == size) {
            return true;
        }
    }
    return false;
}

bool tw_is_near(const char *asked, const char *word, size_t size)
{
    const size_t count = strlen(asked);
    if (count == 0 || count > LONGEST || size > LONGEST) {
        return false;
    }
    const size_t slips = count <= 2 ? 0 : count <= 4 ? 1 : 2;
    return distance(asked, count, word, size) <= slips ||
           (count >= 3 && is_part(asked, count, word, size));
}

bool tw_is_told(const char *asked, const char *about)
{
    const size_t count = strlen(asked);
    return count >= 4 && is_part(asked, count, about, strlen(about));
}
