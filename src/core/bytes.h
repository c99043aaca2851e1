/* SPDX-License-Identifier: MIT
 *
 * What is asked of bytes that a pointer and a size name.
 */
#ifndef TOOLWIRE_CORE_BYTES_H
#define TOOLWIRE_CORE_BYTES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

static inline bool tw_bytes_same(const void *left, size_t left_size,
                                 const void *right, size_t right_size)
{
    return left_size == right_size &&
           (left_size == 0 || memcmp(left, right, left_size) == 0);
}

static inline bool tw_bytes_are(const void *at, size_t size, const char *word)
{
    return tw_bytes_same(at, size, word, strlen(word));
}

/* Do the bytes begin with the word? */
static inline bool tw_bytes_begin(const void *at, size_t size,
                                  const char *word)
{
    const size_t length = strlen(word);
    return size >= length && memcmp(at, word, length) == 0;
}

/* NULL ends the words. */
static inline bool tw_bytes_are_any(const void *at, size_t size,
                                    const char *const *words)
{
    while (*words != NULL && !tw_bytes_are(at, size, *words)) {
        words++;
    }
    return *words != NULL;
}

/* Which of two texts is first by its bytes, as by its code points: less than
 * 0, 0, or more.  An empty one may have no place. */
static inline int tw_bytes_order(const void *left, size_t left_size,
                                 const void *right, size_t right_size)
{
    const size_t least = left_size < right_size ? left_size : right_size;
    const int order = least > 0 ? memcmp(left, right, least) : 0;
    return order != 0 ? order
                      : (left_size > right_size) - (left_size < right_size);
}

/* How many bytes both begin with. */
static inline size_t tw_bytes_shared(const void *left, size_t left_size,
                                     const void *right, size_t right_size)
{
    const char *const one = left;
    const char *const other = right;
    size_t size = 0;
    while (size < left_size && size < right_size && one[size] == other[size]) {
        size++;
    }
    return size;
}

#endif
