/* SPDX-License-Identifier: MIT
 *
 * Turns, results and tools as a family's reader finds them.
 */
#include "messages/transcript_reader.h"

#include <string.h>

void tw_reader_init(tw_transcript_reader *reader, const tw_memory *memory)
{
    memset(reader, 0, sizeof *reader);
    reader->memory = reader->tools.memory = memory;
}

void tw_reader_free(tw_transcript_reader *reader)
{
    tw_buffer_free(&reader->turns, reader->memory);
    tw_buffer_free(&reader->text, reader->memory);
    tw_buffer_free(&reader->tools.out, reader->memory);
}

void tw_reader_reset(tw_transcript_reader *reader)
{
    reader->turns.size = reader->text.size = reader->tools.out.size = 0;
    reader->tools.failed = reader->failed = false;
    reader->lost = 0;
}

static size_t keep(tw_transcript_reader *reader, const char *data, size_t size)
{
    const size_t begin = reader->text.size;
    if (!tw_buffer_append(&reader->text, reader->memory, data, size)) {
        reader->failed = true;
    }
    return begin;
}

static void add(tw_transcript_reader *reader, tw_turn turn)
{
    if (!reader->failed && !tw_buffer_append(&reader->turns, reader->memory,
                                             &turn, sizeof turn)) {
        reader->failed = true;
    }
}

void tw_reader_turn(tw_transcript_reader *reader, tw_turn_kind kind,
                    const char *data, size_t size)
{
    const tw_turn turn = {kind, keep(reader, data, size), size, data, 0, 0};
    add(reader, turn);
}

/* There is one, if nothing failed. */
static tw_turn *last_turn(tw_transcript_reader *reader)
{
    tw_turn *turns = (tw_turn *)(void *)reader->turns.data;
    const size_t count = reader->turns.size / sizeof *turns;
    return reader->failed ? NULL : turns + count - 1;
}

void tw_reader_more(tw_transcript_reader *reader, const char *data,
                    size_t size)
{
    keep(reader, data, size);
    tw_turn *last = last_turn(reader);
    if (last != NULL) {
        last->size += size;
    }
}

void tw_reader_name(tw_transcript_reader *reader, const char *name,
                    size_t size)
{
    const size_t begin = keep(reader, name, size);
    tw_turn *last = last_turn(reader);
    if (last != NULL) {
        last->name_begin = begin;
        last->name_size = size;
    }
}

void tw_reader_result(tw_transcript_reader *reader, const char *name,
                      size_t name_size, const char *data, size_t size)
{
    tw_turn turn = {.kind = TW_TURN_RESULT};
    turn.name_begin = keep(reader, name, name_size);
    turn.name_size = name_size;
    turn.begin = keep(reader, data, size);
    turn.size = size;
    add(reader, turn);
}

tw_json_out *tw_reader_tool(tw_transcript_reader *reader)
{
    tw_json_put(&reader->tools, reader->tools.out.size > 0 ? "," : "");
    return &reader->tools;
}

void tw_reader_report_loss(tw_transcript_reader *reader, tw_cursor lost)
{
    if (reader->lost == 0) {
        reader->lost_at = lost.at;
    }
    reader->lost += (uint64_t)(lost.end - lost.at);
}

/* ---- text with an end --------------------------------------------------- */

const char *tw_cursor_find(const tw_cursor *cursor, const char *word)
{
    const size_t size = strlen(word);
    const char *at = cursor->at;
    while ((size_t)(cursor->end - at) >= size) {
        at = memchr(at, word[0], (size_t)(cursor->end - at) - size + 1);
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

tw_cursor tw_cursor_shared(tw_cursor one, tw_cursor other)
{
    size_t size = 0;
    while (size < tw_cursor_size(one) && size < tw_cursor_size(other) &&
           one.at[size] == other.at[size]) {
        size++;
    }
    return (tw_cursor){one.at, one.at != NULL ? one.at + size : NULL};
}
