/* SPDX-License-Identifier: MIT
 *
 * Text that grows, and what workloads are made of.  The same in every run:
 * the random numbers are our own.
 */
#ifndef TOOLWIRE_TESTS_BENCH_TEXT_H
#define TOOLWIRE_TESTS_BENCH_TEXT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

typedef struct text {
    char *data;
    size_t size, room;
} text;

/* These end the program if there is no memory. */
void *need(void *pointer);
void add(text *to, const char *data, size_t size);
void put(text *to, const char *words);
void text_free(text *);

void random_start(uint32_t seed);
uint32_t below(uint32_t count);

/* |size| bytes of each, or a little more. */

/* Prose; of its bytes, about 30 % are no ASCII where |scripts|. */
void put_prose(text *to, size_t size, bool scripts);
/* What stands in a string: as it is, or with the escapes of JSON.  |lost|:
 * many lines look like the end of a string whose delimiter was lost, until
 * what follows shows that they are not. */
void put_code(text *to, size_t size, bool json, bool lost);
/* A list: |depth| deep, rows of numbers in it. */
void put_rows(text *to, size_t size, size_t depth);
/* One byte of a string in JSON. */
void put_escaped(text *to, char c);

#endif
