/* SPDX-License-Identifier: MIT
 *
 * The fast way over a string between Gemma's delimiters: what of it is data
 * whatever follows, and its JSON.  string.c is the reference.
 */
#ifndef TOOLWIRE_FORMATS_BODY_GEMMA_ADVANCE_STRING_H
#define TOOLWIRE_FORMATS_BODY_GEMMA_ADVANCE_STRING_H

#include "formats/body/gemma/call_state.h"

/* What one pass writes: small, for it is the decoder's only copy of content.
 */
enum {
    TW_GEMMA_RUN_ROOM = 512,
    TW_GEMMA_RUN_STEP = 16,
    TW_GEMMA_PIECE_ROOM = 64,
    TW_GEMMA_RUN_END = TW_GEMMA_RUN_ROOM - TW_GEMMA_PIECE_ROOM
};

/* Writes the string's bytes from |at| on as JSON, as far as they are certain
 * and *room, which it moves, is not behind |end|; returns the end of what was
 * read.  Behind |end| there is room for a piece. */
const uint8_t *tw_gemma_write_string(tw_gemma_call *call, const uint8_t *at,
                                     const uint8_t *limit, uint8_t **room,
                                     const uint8_t *end);

/* Can nothing be told of the byte at |at| before more is in view? */
bool tw_gemma_is_half(tw_gemma_call *call, const uint8_t *at,
                      const uint8_t *limit);

#endif
