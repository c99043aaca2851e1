/* SPDX-License-Identifier: MIT
 *
 * The caller's allocator or libc's, and how the byte string grows.
 */
#include "core/memory.h"

#include <stdlib.h>
#include <string.h>

static void *libc_resize(void *context, void *pointer, size_t old_size,
                         size_t new_size)
{
    (void)context;
    (void)old_size;
    if (new_size == 0) {
        free(pointer);
        return NULL;
    }
    return realloc(pointer, new_size);
}

tw_memory tw_memory_from(const tw_allocator *allocator)
{
    const tw_memory libc = {libc_resize, NULL};
    return allocator != NULL ? *allocator : libc;
}

void *tw_memory_new(const tw_memory *memory, size_t size)
{
    void *block = memory->resize(memory->context, NULL, 0, size);
    if (block != NULL) {
        memset(block, 0, size);
    }
    return block;
}

void tw_memory_free(const tw_memory *memory, void *block, size_t size)
{
    if (block != NULL) {
        memory->resize(memory->context, block, size, 0);
    }
}

bool tw_buffer_reserve(tw_buffer *buffer, const tw_memory *memory,
                       size_t extra)
{
    if (extra <= buffer->capacity - buffer->size) {
        return true;
    }
    if (extra > SIZE_MAX / 2 - buffer->size) {
        return false;
    }
    size_t capacity = buffer->capacity < 64 ? 64 : buffer->capacity;
    while (capacity < buffer->size + extra) {
        capacity += capacity / 2;
    }
    uint8_t *data = memory->resize(memory->context, buffer->data,
                                   buffer->capacity, capacity);
    if (data == NULL) {
        return false;
    }
    buffer->data = data;
    buffer->capacity = capacity;
    return true;
}

void tw_buffer_drop(tw_buffer *buffer, size_t count)
{
    buffer->size -= count;
    if (buffer->size > 0 && count > 0) {
        memmove(buffer->data, buffer->data + count, buffer->size);
    }
}

void tw_buffer_free(tw_buffer *buffer, const tw_memory *memory)
{
    tw_memory_free(memory, buffer->data, buffer->capacity);
    memset(buffer, 0, sizeof *buffer);
}
