/* SPDX-License-Identifier: MIT
 *
 * A table of hashes, found by their lower bits and then one after another.
 */
#include "events/ids.h"

#include <string.h>

/* FNV-1a, and never 0. */
static uint64_t hash_of(tw_name id)
{
    uint64_t hash = UINT64_C(0xCBF29CE484222325);
    for (size_t i = 0; i < id.size; i++) {
        hash = (hash ^ (uint8_t)id.data[i]) * UINT64_C(0x100000001B3);
    }
    return hash != 0 ? hash : 1;
}

static uint64_t *table_of(const tw_buffer *buffer)
{
    return (uint64_t *)(void *)buffer->data;
}

/* Puts |hash| into a table of |room| places, of which some are free.  False:
 * the hash stood there. */
static bool put(uint64_t *table, size_t room, uint64_t hash)
{
    size_t at = (size_t)(hash ^ hash >> 32) & (room - 1);
    while (table[at] != 0 && table[at] != hash) {
        at = (at + 1) & (room - 1);
    }
    const bool is_new = table[at] == 0;
    table[at] = hash;
    return is_new;
}

/* A table twice as large, with what stood in the old one. */
static bool grow(tw_ids *ids, const tw_memory *memory, size_t room)
{
    enum { FIRST = 16 };
    const size_t larger = room > 0 ? 2 * room : FIRST;
    tw_buffer table = {NULL, 0, 0};
    if (!tw_buffer_reserve(&table, memory, larger * sizeof(uint64_t))) {
        return false;
    }
    table.size = larger * sizeof(uint64_t);
    memset(table.data, 0, table.size);
    for (size_t i = 0; i < room; i++) {
        if (table_of(&ids->table)[i] != 0) {
            put(table_of(&table), larger, table_of(&ids->table)[i]);
        }
    }
    tw_buffer_free(&ids->table, memory);
    ids->table = table;
    return true;
}

bool tw_ids_put(tw_ids *ids, const tw_memory *memory, tw_name id, bool *had)
{
    const size_t room = ids->table.size / sizeof(uint64_t);
    *had = false;
    if (2 * (ids->count + 1) > room && !grow(ids, memory, room)) {
        return false;
    }
    *had = !put(table_of(&ids->table), ids->table.size / sizeof(uint64_t),
                hash_of(id));
    ids->count += !*had;
    return true;
}
