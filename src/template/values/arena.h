/* SPDX-License-Identifier: MIT
 *
 * Memory that is given back as a whole: of a program, or of one rendering.
 * No step needs a check but the one that uses what it asked for: |failed|
 * sticks.
 */
#ifndef TOOLWIRE_TEMPLATE_ARENA_H
#define TOOLWIRE_TEMPLATE_ARENA_H

#include "core/memory.h"

typedef enum tw_arena_state {
    TW_ARENA_GOOD,
    TW_ARENA_NO_MEMORY,
    TW_ARENA_FULL /* more than |limit| was asked for */
} tw_arena_state;

/* Buffers of strings in the making that no string uses now: |text|, |runs|. */
typedef struct tw_arena_room {
    tw_buffer text;
    tw_buffer runs;
} tw_arena_room;

enum { TW_ARENA_ROOMS = 4 };

typedef struct tw_arena {
    const tw_memory *memory;
    tw_arena_room rooms[TW_ARENA_ROOMS]; /* the first |room_count| */
    size_t room_count;
    void *blocks; /* the last one first */
    uint8_t *at;
    size_t left;  /* behind |at| */
    size_t used;  /* bytes that were asked for */
    size_t limit; /* of |used| */
    tw_arena_state state;
} tw_arena;

void tw_arena_init(tw_arena *arena, const tw_memory *memory, size_t limit);
void tw_arena_free(tw_arena *arena);
/* Empty again; the largest block is kept. */
void tw_arena_reset(tw_arena *arena);

/* |size| bytes elsewhere count, too; false: they are too many. */
static inline bool tw_arena_charge(tw_arena *arena, size_t size)
{
    const bool fits = size <= arena->limit - arena->used;
    arena->used += fits ? size : 0;
    arena->state = fits ? arena->state : TW_ARENA_FULL;
    return fits;
}
/* Aligned for all types, and not zeroed; NULL: see |state|. */
void *tw_arena_more(tw_arena *arena, size_t size);
static inline void *tw_arena_get(tw_arena *arena, size_t size)
{
    const size_t rounded = (size + 15) & ~(size_t)15;
    if (size > arena->left || rounded > arena->left) {
        return tw_arena_more(arena, size);
    }
    void *block = arena->at;
    arena->at += rounded;
    arena->left -= rounded;
    arena->used += rounded;
    return block;
}

#endif
