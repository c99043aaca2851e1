/* SPDX-License-Identifier: MIT
 *
 * An allocator for tests: it counts, fails when told to, and checks that the
 * library gives back what it took.
 */
#ifndef TESTS_ALLOCATOR_H
#define TESTS_ALLOCATOR_H

#include <criterion/criterion.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "toolwire.h"

typedef struct test_memory {
    size_t count;   /* allocations and growths so far */
    size_t fail_at; /* which of them fails, from 1; 0: none */
    bool for_ever;  /* ... and all behind it */
    size_t live;    /* blocks */
    size_t bytes;   /* in them */
    size_t peak;    /* the most of them at a time */
} test_memory;

enum { TEST_BLOCK_HEAD = 16 }; /* keeps every alignment */

static inline bool test_memory_fails(test_memory *memory)
{
    memory->count++;
    return memory->fail_at != 0 &&
           (memory->for_ever ? memory->count >= memory->fail_at
                             : memory->count == memory->fail_at);
}

static inline void *test_resize(void *context, void *pointer, size_t old_size,
                                size_t new_size)
{
    test_memory *memory = context;
    char *block = pointer != NULL ? (char *)pointer - TEST_BLOCK_HEAD : NULL;
    size_t known = 0;
    if (block != NULL) {
        memcpy(&known, block, sizeof known);
    }
    cr_assert_eq(known, old_size, "a block of %zu bytes is said to have %zu",
                 known, old_size);
    if (new_size == 0) {
        memory->live -= block != NULL;
        memory->bytes -= known;
        free(block);
        return NULL;
    }
    if (test_memory_fails(memory)) {
        return NULL;
    }
    /* Always moved, so that a kept pointer shows. */
    char *fresh = malloc(new_size + TEST_BLOCK_HEAD);
    cr_assert_not_null(fresh);
    memcpy(fresh, &new_size, sizeof new_size);
    memset(fresh + TEST_BLOCK_HEAD, 0xA5, new_size);
    memory->live += block == NULL;
    memory->bytes += new_size - known;
    if (memory->bytes > memory->peak) {
        memory->peak = memory->bytes;
    }
    if (block != NULL) {
        memcpy(fresh + TEST_BLOCK_HEAD, pointer,
               old_size < new_size ? old_size : new_size);
        free(block);
    }
    return fresh + TEST_BLOCK_HEAD;
}

static inline tw_allocator test_allocator(test_memory *memory)
{
    const tw_allocator allocator = {test_resize, memory};
    return allocator;
}

#endif
