/* SPDX-License-Identifier: MIT
 *
 * Expected JSON, spelled with ' for ", to be readable.
 */
#ifndef TESTS_JSON_LINES_H
#define TESTS_JSON_LINES_H

#include <criterion/criterion.h>
#include <stdbool.h>
#include <string.h>

static inline bool is_line(const char *expected, const char *line, size_t size)
{
    if (strlen(expected) != size) {
        return false;
    }
    for (size_t i = 0; i < size; i++) {
        if (line[i] != (expected[i] == '\'' ? '"' : expected[i])) {
            return false;
        }
    }
    return true;
}

static inline void expect_line(const char *expected, const char *line,
                               size_t size)
{
    cr_assert(is_line(expected, line, size), "\n     got %.*s\nexpected %s",
              (int)size, line, expected);
}

#endif
