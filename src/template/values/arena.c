/* SPDX-License-Identifier: MIT
 *
 * Blocks of growing size, each with a link to the one before.
 */
#include "template/values/arena.h"

enum { FIRST_BLOCK = 4096, LARGEST_STEP = 1 << 20 };

typedef struct block {
    struct block *before;
    size_t size; /* of all of it */
} block;

/* What stands in front of a block's bytes; aligned as they are. */
enum { HEAD = (sizeof(block) + 15) & ~(size_t)15 };

void tw_arena_init(tw_arena *arena, const tw_memory *memory, size_t limit)
{
    memset(arena, 0, sizeof *arena);
    arena->memory = memory;
    arena->limit = limit;
}

static void free_behind(tw_arena *arena, block *last)
{
    block *at = arena->blocks;
    while (at != last) {
        block *before = at->before;
        tw_memory_free(arena->memory, at, at->size);
        at = before;
    }
}

void tw_arena_free(tw_arena *arena)
{
    while (arena->room_count > 0) {
        tw_arena_room *room = &arena->rooms[--arena->room_count];
        tw_buffer_free(&room->text, arena->memory);
        tw_buffer_free(&room->runs, arena->memory);
    }
    free_behind(arena, NULL);
    arena->blocks = NULL;
    arena->left = 0;
    arena->used = 0;
}

void tw_arena_reset(tw_arena *arena)
{
    block *kept = arena->blocks; /* blocks grow: the last one is the largest */
    if (kept != NULL) {
        arena->blocks = kept->before;
        free_behind(arena, NULL);
        kept->before = NULL;
        arena->blocks = kept;
        arena->at = (uint8_t *)kept + HEAD;
        arena->left = kept->size - HEAD;
    }
    arena->used = 0;
    arena->state = TW_ARENA_GOOD;
}

void *tw_arena_more(tw_arena *arena, size_t size)
{
    if (arena->state != TW_ARENA_GOOD) {
        return NULL;
    }
    if (size > arena->limit || arena->used > arena->limit - size) {
        arena->state = TW_ARENA_FULL;
        arena->left = 0; /* nothing is had from here on */
        return NULL;
    }
    const block *last = arena->blocks;
    size_t room = last == NULL ? FIRST_BLOCK : last->size;
    room += room < LARGEST_STEP ? room : 0;
    if (room < size + HEAD + 16) {
        room = size + HEAD + 16;
    }
    block *made = arena->memory->resize(arena->memory->context, NULL, 0, room);
    if (made == NULL) {
        arena->state = TW_ARENA_NO_MEMORY;
        arena->left = 0;
        return NULL;
    }
    made->before = arena->blocks;
    made->size = room;
    arena->blocks = made;
    arena->at = (uint8_t *)made + HEAD;
    arena->left = room - HEAD;
    return tw_arena_get(arena, size);
}
