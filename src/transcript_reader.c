/* SPDX-License-Identifier: MIT */
#include "transcript_reader.h"

#include <string.h>

void tw_collect_init(tw_collect *collect, const tw_memory *memory)
{
    memset(collect, 0, sizeof *collect);
    collect->memory = collect->tools.memory = memory;
}

void tw_collect_free(tw_collect *collect)
{
    tw_buffer_free(&collect->turns, collect->memory);
    tw_buffer_free(&collect->text, collect->memory);
    tw_buffer_free(&collect->tools.out, collect->memory);
}

void tw_collect_reset(tw_collect *collect)
{
    collect->turns.size = collect->text.size = collect->tools.out.size = 0;
    collect->tools.failed = collect->failed = false;
    collect->lost = 0;
}

static size_t keep(tw_collect *collect, const char *data, size_t size)
{
    const size_t begin = collect->text.size;
    if (!tw_buffer_append(&collect->text, collect->memory, data, size)) {
        collect->failed = true;
    }
    return begin;
}

static void add(tw_collect *collect, tw_turn turn)
{
    if (!collect->failed && !tw_buffer_append(&collect->turns, collect->memory,
                                              &turn, sizeof turn)) {
        collect->failed = true;
    }
}

void tw_collect_turn(tw_collect *collect, tw_turn_kind kind, const char *data,
                     size_t size)
{
    const tw_turn turn = {kind, keep(collect, data, size), size, data, 0, 0};
    add(collect, turn);
}

/* There is one, if nothing failed. */
static tw_turn *last_turn(tw_collect *collect)
{
    tw_turn *turns = (tw_turn *)(void *)collect->turns.data;
    const size_t count = collect->turns.size / sizeof *turns;
    return collect->failed ? NULL : turns + count - 1;
}

void tw_collect_more(tw_collect *collect, const char *data, size_t size)
{
    keep(collect, data, size);
    tw_turn *last = last_turn(collect);
    if (last != NULL) {
        last->size += size;
    }
}

void tw_collect_name(tw_collect *collect, const char *name, size_t size)
{
    const size_t begin = keep(collect, name, size);
    tw_turn *last = last_turn(collect);
    if (last != NULL) {
        last->name_begin = begin;
        last->name_size = size;
    }
}

void tw_collect_result(tw_collect *collect, const char *name, size_t name_size,
                       const char *data, size_t size)
{
    tw_turn turn = {.kind = TW_TURN_RESULT};
    turn.name_begin = keep(collect, name, name_size);
    turn.name_size = name_size;
    turn.begin = keep(collect, data, size);
    turn.size = size;
    add(collect, turn);
}

tw_jotter *tw_collect_tool(tw_collect *collect)
{
    tw_jot(&collect->tools, collect->tools.out.size > 0 ? "," : "");
    return &collect->tools;
}

void tw_collect_lose(tw_collect *collect, tw_rest lost)
{
    if (collect->lost == 0) {
        collect->lost_at = lost.at;
    }
    collect->lost += (uint64_t)(lost.end - lost.at);
}

/* ---- text with an end --------------------------------------------------- */

const char *tw_rest_find(const tw_rest *rest, const char *word)
{
    const size_t size = strlen(word);
    const char *at = rest->at;
    while ((size_t)(rest->end - at) >= size) {
        at = memchr(at, word[0], (size_t)(rest->end - at) - size + 1);
        if (at == NULL) {
            break;
        }
        if (memcmp(at, word, size) == 0) {
            return at;
        }
        at++;
    }
    return NULL;
}
