/* SPDX-License-Identifier: MIT
 *
 * malloc(), realloc() and free() over the memory of a WebAssembly instance.
 *
 * The heap is a row of blocks without gaps, from the linker's __heap_base to
 * the memory's end.  Each begins with its size and that of the block before,
 * so that a freed block joins its free neighbours.  Free blocks stand in bins
 * by size, four to each power of two; every block of a bin that is asked fits,
 * so that all three functions take constant time (but for what realloc()
 * copies).  Memory only grows, as WebAssembly has it.
 */
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

typedef struct block {
    uint32_t before; /* size of the block in front */
    uint32_t size;   /* of this, with both numbers; + 1: in use */
    struct block *next;
    struct block *previous; /* these two only of free blocks, in a bin */
} block;

enum {
    HEAD = 8,
    LEAST = sizeof(block),
    BINS = 128,
    PAGE = 65536,
    GROWN = 4 * PAGE /* at least */
};

_Static_assert(LEAST == 16, "pointers have 32 bits");

extern unsigned char __heap_base;

static block *bins[BINS];
static uint32_t filled[BINS / 32];
/* Of size 0 and in use, at the end of all; NULL: there is no heap yet. */
static block *last;

static uint32_t size_of(const block *it)
{
    return it->size & ~1U;
}

static block *behind(const block *it)
{
    return (block *)((uintptr_t)it + size_of(it));
}

/* The bin in which a free block of this size stands. */
static uint32_t bin_of(uint32_t size)
{
    const uint32_t power = 31U - (uint32_t)__builtin_clz(size);
    return power * 4 + (size >> (power - 2) & 3);
}

static void put(block *it)
{
    const uint32_t bin = bin_of(it->size);
    it->previous = NULL;
    it->next = bins[bin];
    if (it->next != NULL) {
        it->next->previous = it;
    }
    bins[bin] = it;
    filled[bin / 32] |= 1U << bin % 32;
}

static void take(block *it)
{
    const uint32_t bin = bin_of(it->size);
    if (it->next != NULL) {
        it->next->previous = it->previous;
    }
    if (it->previous != NULL) {
        it->previous->next = it->next;
    } else {
        bins[bin] = it->next;
        filled[bin / 32] &= ~((uint32_t)(it->next == NULL) << bin % 32);
    }
}

/* Joins a block, which is in no bin, with free neighbours, and puts it. */
static void release(block *it)
{
    uint32_t size = size_of(it);
    block *next = behind(it);
    if ((next->size & 1) == 0) {
        take(next);
        size += next->size;
    }
    if (it->before != 0) {
        block *before = (block *)((uintptr_t)it - it->before);
        if ((before->size & 1) == 0) {
            take(before);
            size += before->size;
            it = before;
        }
    }
    it->size = size;
    behind(it)->before = size;
    put(it);
}

/* Makes a block, which is in no bin, one in use of |size| bytes; the rest of
 * it is free. */
static void use(block *it, uint32_t size)
{
    const uint32_t rest = size_of(it) - size;
    if (rest < LEAST) {
        it->size |= 1;
        return;
    }
    it->size = size | 1;
    block *tail = behind(it);
    tail->before = size;
    tail->size = rest | 1;
    behind(tail)->before = rest;
    release(tail);
}

/* More memory at the end; 0: there is none. */
static int grow(uint32_t size)
{
    /* The first time, the block begins where the linker says. */
    const uintptr_t base =
        ((uintptr_t)&__heap_base + HEAD - 1) & ~(uintptr_t)(HEAD - 1);
    const uintptr_t end = (uintptr_t)__builtin_wasm_memory_size(0) * PAGE;
    const uint32_t wanted =
        size < GROWN - 2 * LEAST ? GROWN : size + 2 * LEAST;
    const uint32_t pages = (wanted + PAGE - 1) / PAGE;
    if (__builtin_wasm_memory_grow(0, pages) == (size_t)-1) {
        return 0;
    }
    if (last == NULL) {
        last = (block *)base;
        last->before = 0;
    }
    block *it = last;
    last = (block *)(end + pages * PAGE - HEAD);
    it->size = (uint32_t)((uintptr_t)last - (uintptr_t)it);
    last->before = it->size;
    last->size = 1;
    release(it);
    return 1;
}

/* A free block of this size or more; NULL: there is none. */
static block *find(uint32_t size)
{
    /* Up to the least size of the next bin, all of which fits. */
    const uint32_t power = 31U - (uint32_t)__builtin_clz(size);
    const uint32_t bin = bin_of(size + (1U << (power - 2)) - 1);
    for (uint32_t word = bin / 32; word < BINS / 32; word++) {
        const uint32_t from = word == bin / 32 ? bin % 32 : 0;
        const uint32_t found = filled[word] >> from << from;
        if (found != 0) {
            return bins[word * 32 + (uint32_t)__builtin_ctz(found)];
        }
    }
    return NULL;
}

/* The whole size of a block for |size| bytes; 0: it is too large. */
static uint32_t block_size(size_t size)
{
    const uint32_t whole = ((uint32_t)size + HEAD + 7) & ~7U;
    return size > UINT32_MAX / 2 ? 0 : whole < LEAST ? LEAST : whole;
}

void *malloc(size_t size)
{
    const uint32_t whole = block_size(size);
    if (whole == 0) {
        return NULL;
    }
    block *it = find(whole);
    if (it == NULL && grow(whole + whole / 4)) {
        it = find(whole);
    }
    if (it == NULL) {
        return NULL;
    }
    take(it);
    use(it, whole);
    return (unsigned char *)it + HEAD;
}

void free(void *pointer)
{
    if (pointer != NULL) {
        release((block *)((uintptr_t)pointer - HEAD));
    }
}

void *realloc(void *pointer, size_t size)
{
    const uint32_t whole = block_size(size);
    if (pointer == NULL || whole == 0) {
        return whole == 0 ? NULL : malloc(size);
    }
    block *it = (block *)((uintptr_t)pointer - HEAD);
    block *next = behind(it);
    if ((next->size & 1) == 0 && size_of(it) < whole &&
        size_of(it) + next->size >= whole) {
        take(next);
        it->size += next->size;
        behind(it)->before = size_of(it);
    }
    if (size_of(it) >= whole) {
        use(it, whole);
        return pointer;
    }
    void *made = malloc(size);
    if (made != NULL) {
        memcpy(made, pointer, size_of(it) - HEAD);
        free(pointer);
    }
    return made;
}
