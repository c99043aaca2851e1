/* SPDX-License-Identifier: MIT
 *
 * The word that the fewest slips of a finger would make of what was typed.
 */
#define _POSIX_C_SOURCE 200809L

#include <stdbool.h>
#include <stdio.h>
#include <string.h>

#include "cli/options/near.h"

enum { LONGEST = 40 };

void cli_near_init(cli_near *near, const char *word, const char *before)
{
    near->word = word;
    near->before = before;
    near->count = 0;
    near->text[0] = '\0';
}

static char lower(char c)
{
    return c >= 'A' && c <= 'Z' ? (char)(c - 'A' + 'a') : c;
}

static bool same(char a, char b)
{
    return lower(a) == lower(b);
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

static bool is_part(const char *part, size_t size, const char *whole,
                    size_t whole_size)
{
    for (size_t i = 0; i + size <= whole_size; i++) {
        size_t k = 0;
        while (k < size && same(part[k], whole[i + k])) {
            k++;
        }
        if (k == size) {
            return true;
        }
    }
    return false;
}

static void add(cli_near *near, const char *word, size_t size)
{
    const size_t used = strlen(near->text);
    if (used + size + 20 < sizeof near->text) {
        snprintf(near->text + used, sizeof near->text - used, "%s%s%.*s",
                 near->count == 0 ? "; did you mean " : ", ", near->before,
                 (int)size, word);
        near->count++;
    }
}

void cli_near_try(cli_near *near, const char *word, size_t size)
{
    const size_t asked = strlen(near->word);
    if (asked == 0 || asked > LONGEST || size > LONGEST) {
        return;
    }
    const size_t slips = asked <= 2 ? 0 : asked <= 4 ? 1 : 2;
    if (distance(near->word, asked, word, size) <= slips ||
        (asked >= 3 && is_part(near->word, asked, word, size))) {
        add(near, word, size);
    }
}

void cli_near_try_about(cli_near *near, const char *word, const char *about)
{
    const size_t asked = strlen(near->word);
    if (asked >= 4 && is_part(near->word, asked, about, strlen(about))) {
        add(near, word, strlen(word));
    }
}

const char *cli_near_text(cli_near *near)
{
    const size_t used = strlen(near->text);
    if (near->count > 0) {
        snprintf(near->text + used, sizeof near->text - used, "?");
    }
    return near->text;
}
