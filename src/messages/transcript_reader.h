/* SPDX-License-Identifier: MIT
 *
 * A whole transcript on its way back to a conversation: a family cuts it into
 * turns, and reads what it declares of tools.  What the assistant wrote stays
 * wire text, which a decoder reads.
 */
#ifndef TOOLWIRE_MESSAGES_TRANSCRIPT_READER_H
#define TOOLWIRE_MESSAGES_TRANSCRIPT_READER_H

#include "json/dump.h"

/* Text with an end. */
typedef struct tw_cursor {
    const char *at;
    const char *end;
} tw_cursor;

typedef enum tw_turn_kind {
    TW_TURN_SYSTEM,
    TW_TURN_USER,
    TW_TURN_ASSISTANT, /* a completion, as the model writes it */
    TW_TURN_RESULT
} tw_turn_kind;

/* All text lies in |tw_transcript_reader.text|. */
typedef struct tw_turn {
    tw_turn_kind kind;
    size_t begin;
    size_t size;
    const char *source; /* where it was cut from; what follows may be more */
    size_t name_begin;  /* RESULT: of its function, else of its author; its
                           size 0: unknown */
    size_t name_size;
} tw_turn;

typedef struct tw_transcript_reader {
    const tw_memory *memory;
    tw_buffer turns; /* tw_turn */
    tw_buffer text;
    tw_json_out tools;   /* elements of a JSON array, commas between them */
    uint64_t lost;       /* bytes that belong to no turn ... */
    const char *lost_at; /* ... and the first of them */
    bool failed;         /* there was no memory */
} tw_transcript_reader;

void tw_reader_init(tw_transcript_reader *reader, const tw_memory *memory);
void tw_reader_free(tw_transcript_reader *reader);
void tw_reader_reset(tw_transcript_reader *reader);

/* A turn; |data| is copied. */
void tw_reader_turn(tw_transcript_reader *reader, tw_turn_kind kind,
                    const char *data, size_t size);
/* More text for the last turn. */
void tw_reader_more(tw_transcript_reader *reader, const char *data,
                    size_t size);
/* The name of the author of the last turn; size 0: none. */
void tw_reader_name(tw_transcript_reader *reader, const char *name,
                    size_t size);
/* A result of the function |name|; size 0: unknown. */
void tw_reader_result(tw_transcript_reader *reader, const char *name,
                      size_t name_size, const char *data, size_t size);
/* Begins another tool: the caller jots the whole of it, an OpenAI tool. */
tw_json_out *tw_reader_tool(tw_transcript_reader *reader);

/* ---- for families: text with an end ------------------------------------- */

/* Bytes that are no part of what an encoder writes. */
void tw_reader_report_loss(tw_transcript_reader *reader, tw_cursor lost);
/* |word| at the front: passed over.  Inline for the sake of literals, whose
 * size is known then. */
static inline bool tw_cursor_skip(tw_cursor *cursor, const char *word)
{
    const size_t size = strlen(word);
    const bool is = (size_t)(cursor->end - cursor->at) >= size &&
                    memcmp(cursor->at, word, size) == 0;
    cursor->at += is ? size : 0;
    return is;
}
/* The first |word|; NULL: there is none. */
const char *tw_cursor_find(const tw_cursor *cursor, const char *word);
static inline size_t tw_cursor_size(tw_cursor cursor)
{
    return (size_t)(cursor.end - cursor.at);
}
/* Is |cursor| exactly |words|? */
static inline bool tw_cursor_is(tw_cursor cursor, const char *words)
{
    return tw_cursor_skip(&cursor, words) && cursor.at == cursor.end;
}
/* |words| at the end: cut off. */
static inline bool tw_cursor_strip_end(tw_cursor *cursor, const char *words)
{
    const size_t size = strlen(words);
    if (tw_cursor_size(*cursor) < size ||
        memcmp(cursor->end - size, words, size) != 0) {
        return false;
    }
    cursor->end -= size;
    return true;
}
/* As much of |one| as both begin with. */
tw_cursor tw_cursor_shared(tw_cursor one, tw_cursor other);

#endif
