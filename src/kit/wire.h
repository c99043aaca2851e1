/* SPDX-License-Identifier: MIT
 *
 * A wire in the making: its bytes, and which of them are special tokens.
 */
#ifndef TOOLWIRE_KIT_WIRE_H
#define TOOLWIRE_KIT_WIRE_H

#include "core/memory.h"
#include "toolwire.h"

typedef enum kit_mark {
    KIT_PLAIN,
    KIT_TOKEN,     /* the first byte of a special token */
    KIT_TOKEN_REST /* one of its others */
} kit_mark;

/* Both have the same size. */
typedef struct kit_wire {
    tw_buffer bytes;
    tw_buffer marks; /* a kit_mark for each byte */
} kit_wire;

void kit_wire_free(kit_wire *wire, const tw_memory *memory);
void kit_wire_clear(kit_wire *wire);
void kit_wire_swap(kit_wire *a, kit_wire *b);
/* |size| is not 0.  False, here and below: no memory. */
bool kit_wire_append(kit_wire *wire, const tw_memory *memory, const void *text,
                     size_t size, kit_mark first);
/* [from, to) of another wire, with its marks. */
bool kit_wire_append_part(kit_wire *wire, const tw_memory *memory,
                          const kit_wire *other, size_t from, size_t to);
/* Words of a template: what in them is a token of |format| is marked. */
bool kit_wire_append_words(kit_wire *wire, const tw_memory *memory,
                           const tw_format *format, const char *words,
                           size_t size);
/* [from, to) goes. */
void kit_wire_drop(kit_wire *wire, size_t from, size_t to);

/* The token that is marked at |at|: its size; 0: there is none. */
size_t kit_wire_token(const kit_wire *wire, size_t at);
/* Where the next token ends, as a model's vocabulary might have it: special
 * ones whole, words with the blank in front, digits one by one.  |at| is less
 * than the wire's size. */
size_t kit_wire_token_end(const kit_wire *wire, size_t at);
/* Where the marker begins that ends generation, and behind which nothing but
 * white space and tokens stands; the wire's size: there is none.  |*inner|
 * tells whether generation would have ended before. */
size_t kit_wire_stop(const kit_wire *wire, const tw_format *format,
                     bool *inner);

#endif
