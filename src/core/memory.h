/* SPDX-License-Identifier: MIT
 *
 * The caller's allocator, and the one growing byte string that everything
 * else is made of.
 */
#ifndef TOOLWIRE_CORE_MEMORY_H
#define TOOLWIRE_CORE_MEMORY_H

#include <stdbool.h>
#include <string.h>

#include "toolwire.h"

#include "core/bytes.h"

typedef tw_allocator tw_memory;

/* |allocator| may be NULL. */
tw_memory tw_memory_from(const tw_allocator *allocator);
/* Zeroed, or NULL. */
void *tw_memory_new(const tw_memory *memory, size_t size);
void tw_memory_free(const tw_memory *memory, void *block, size_t size);

typedef struct tw_buffer {
    uint8_t *data;
    size_t size;
    size_t capacity;
} tw_buffer;

/* Room for |extra| bytes behind |size|; false: no memory, nothing changed. */
bool tw_buffer_reserve(tw_buffer *buffer, const tw_memory *memory,
                       size_t extra);
static inline bool tw_buffer_append(tw_buffer *buffer, const tw_memory *memory,
                                    const void *data, size_t size)
{
    if ((buffer->data == NULL || size > buffer->capacity - buffer->size) &&
        !tw_buffer_reserve(buffer, memory, size)) {
        return false;
    }
    if (size > 0 && data != NULL) {
        memcpy(buffer->data + buffer->size, data, size);
        buffer->size += size;
    }
    return true;
}
/* Drops the first |count| bytes. */
void tw_buffer_drop(tw_buffer *buffer, size_t count);
void tw_buffer_free(tw_buffer *buffer, const tw_memory *memory);

/* How many bytes both begin with. */
static inline size_t tw_buffer_shared(const tw_buffer *left,
                                      const tw_buffer *right)
{
    return tw_bytes_shared(left->data, left->size, right->data, right->size);
}

#endif
