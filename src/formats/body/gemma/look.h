/* SPDX-License-Identifier: MIT
 *
 * The look-aheads of Gemma's values.  They release nothing; each answers yes,
 * no, or that it needs more bytes.
 */
#ifndef TOOLWIRE_FORMATS_BODY_GEMMA_LOOK_H
#define TOOLWIRE_FORMATS_BODY_GEMMA_LOOK_H

#include "formats/body/gemma/call_state.h"

typedef enum tw_gemma_follow {
    TW_FOLLOW_NONE,
    TW_FOLLOW_END, /* what may follow a value */
    TW_FOLLOW_KEY, /* a key: the comma is missing */
    TW_FOLLOW_FAR, /* too many blanks to see what follows */
    TW_FOLLOW_WAIT
} tw_gemma_follow;

/* The first byte at or behind |at| that is not blank. */
const uint8_t *tw_gemma_ws(tw_gemma_call *call, const uint8_t *at);

/* What follows a quote or delimiter that ends before |at|. */
tw_gemma_follow tw_gemma_follows(tw_gemma_call *call, const uint8_t *at);

/* `word:` or `word=` at |at|, but not `word://`. */
tw_match tw_gemma_word_key(tw_gemma_call *call, const uint8_t *at);

/* `call:` at |at|? */
tw_match tw_gemma_call_word(const tw_window *window, const uint8_t *at);

/* `call:NAME{` or `call:NAME(` at |at|, with which another call begins? */
tw_match tw_gemma_call_follows(const tw_gemma_call *call, const uint8_t *at);

typedef struct tw_gemma_reach {
    size_t near;   /* bytes from the comma on that may be looked at */
    bool one_word; /* behind blanks a key is one word */
    bool equals;   /* `=` separates too */
} tw_gemma_reach;

/* Does a key follow the comma at |comma|?  *separator is its separator;
 * *far: the limit was reached before that was known. */
tw_match tw_gemma_comma_key(tw_gemma_call *call, const uint8_t *comma,
                            tw_gemma_reach reach, const uint8_t **separator,
                            bool *far);

/* Does the comma end a pair whose value has no delimiters?  Behind a number
 * or literal (|scalar|) any key will do. */
tw_match tw_gemma_ends_pair(tw_gemma_call *call, const uint8_t *comma,
                            bool scalar);

#endif
