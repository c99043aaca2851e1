/* SPDX-License-Identifier: MIT
 *
 * Section 7: what a decoder holds does not grow with the size of a chunk,
 * not even where each byte of it makes events.
 */
#ifndef TESTS_CHECKS_MEMORY_H
#define TESTS_CHECKS_MEMORY_H

#include <criterion/criterion.h>
#include <stdbool.h>

typedef struct amplified {
    const char *format;
    bool reasoning;
    const char *before;
    const char *unit;
} amplified;

void check_memory(const amplified *rows, size_t count);

#endif
