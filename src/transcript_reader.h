/* SPDX-License-Identifier: MIT
 *
 * A whole transcript on its way back to a conversation: a family cuts it into
 * turns, and reads what it declares of tools.  What the assistant wrote stays
 * wire text, which a decoder reads.
 */
#ifndef TOOLWIRE_COLLECT_H
#define TOOLWIRE_COLLECT_H

#include "json/dump.h"

/* Text with an end. */
typedef struct tw_rest {
    const char *at;
    const char *end;
} tw_rest;

typedef enum tw_turn_kind {
    TW_TURN_SYSTEM,
    TW_TURN_USER,
    TW_TURN_ASSISTANT, /* a completion, as the model writes it */
    TW_TURN_RESULT
} tw_turn_kind;

/* All text lies in |tw_collect.text|. */
typedef struct tw_turn {
    tw_turn_kind kind;
    size_t begin;
    size_t size;
    const char *source; /* where it was cut from; what follows may be more */
    size_t name_begin;  /* RESULT: of its function, else of its author; its
                           size 0: unknown */
    size_t name_size;
} tw_turn;

typedef struct tw_collect {
    const tw_memory *memory;
    tw_buffer turns; /* tw_turn */
    tw_buffer text;
    tw_jotter tools;     /* elements of a JSON array, commas between them */
    uint64_t lost;       /* bytes that belong to no turn ... */
    const char *lost_at; /* ... and the first of them */
    bool failed;         /* there was no memory */
} tw_collect;

void tw_collect_init(tw_collect *, const tw_memory *);
void tw_collect_free(tw_collect *);
void tw_collect_reset(tw_collect *);

/* A turn; |data| is copied. */
void tw_collect_turn(tw_collect *, tw_turn_kind, const char *data,
                     size_t size);
/* More text for the last turn. */
void tw_collect_more(tw_collect *, const char *data, size_t size);
/* The name of the author of the last turn; size 0: none. */
void tw_collect_name(tw_collect *, const char *name, size_t size);
/* A result of the function |name|; size 0: unknown. */
void tw_collect_result(tw_collect *, const char *name, size_t name_size,
                       const char *data, size_t size);
/* Begins another tool: the caller jots the whole of it, an OpenAI tool. */
tw_jotter *tw_collect_tool(tw_collect *);

/* ---- for families: text with an end --------------------------------------
 */

/* Bytes that are no part of what an encoder writes. */
void tw_collect_lose(tw_collect *, tw_rest);
/* |word| at the front: passed over.  Inline for the sake of literals, whose
 * size is known then. */
static inline bool tw_rest_skip(tw_rest *rest, const char *word)
{
    const size_t size = strlen(word);
    const bool is = (size_t)(rest->end - rest->at) >= size &&
                    memcmp(rest->at, word, size) == 0;
    rest->at += is ? size : 0;
    return is;
}
/* The first |word|; NULL: there is none. */
const char *tw_rest_find(const tw_rest *, const char *word);

#endif
