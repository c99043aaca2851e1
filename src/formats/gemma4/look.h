/* SPDX-License-Identifier: MIT
 *
 * The look-aheads of Gemma's values.  They release nothing; each answers yes,
 * no, or that it needs more bytes.
 */
#ifndef TOOLWIRE_FORMATS_GEMMA4_LOOK_H
#define TOOLWIRE_FORMATS_GEMMA4_LOOK_H

#include "formats/gemma4/gemma4.h"

typedef enum tw_answer { TW_NO, TW_YES, TW_WAIT } tw_answer;

typedef enum tw_gemma4_follow {
    TW_FOLLOW_NONE,
    TW_FOLLOW_END, /* what may follow a value */
    TW_FOLLOW_KEY, /* a key: the comma is missing */
    TW_FOLLOW_FAR, /* too many blanks to see what follows */
    TW_FOLLOW_WAIT
} tw_gemma4_follow;

static inline tw_gemma4_frame *tw_gemma4_top(tw_gemma4_call *call)
{
    return (tw_gemma4_frame *)(void *)(call->frames.data + call->frames.size) -
           1;
}

static inline bool tw_gemma4_in_array(tw_gemma4_call *call)
{
    return tw_gemma4_top(call)->closer == ']';
}

/* A closer of the body; round ones only where the call has them. */
static inline bool tw_gemma4_is_closer(const tw_gemma4_call *call, int c)
{
    return c == '}' || c == ']' || (c == ')' && call->paren);
}

/* What a key behind a comma cannot hold. */
static inline bool tw_gemma4_ends_key(uint8_t c)
{
    switch (c) {
    case ',':
    case '{':
    case '}':
    case '[':
    case ']':
    case '(':
    case ')':
    case '"':
    case '\'':
    case '`':
    case '=':
    case ':':
    case '\n': return true;
    default: return false;
    }
}

/* The first byte at or behind |at| that is not blank. */
const uint8_t *tw_gemma4_ws(tw_gemma4_call *, const uint8_t *at);

/* The marker at |at| between the values of a call, and in one without
 * delimiters: half a stop marker, with which the model stopped, is one, too.
 */
tw_gemma4_marker tw_gemma4_body_marker(const tw_gemma4_call *,
                                       const uint8_t *at, size_t *size);

/* What follows a quote or delimiter that ends before |at|. */
tw_gemma4_follow tw_gemma4_follows(tw_gemma4_call *, const uint8_t *at);

/* `word:` or `word=` at |at|, but not `word://`. */
tw_answer tw_gemma4_word_key(tw_gemma4_call *, const uint8_t *at);

typedef struct tw_gemma4_reach {
    size_t near;   /* bytes from the comma on that may be looked at */
    bool one_word; /* behind blanks a key is one word */
    bool equals;   /* `=` separates too */
} tw_gemma4_reach;

/* Does a key follow the comma at |comma|?  *separator is its separator;
 * *far: the limit was reached before that was known. */
tw_answer tw_gemma4_comma_key(tw_gemma4_call *, const uint8_t *comma,
                              tw_gemma4_reach, const uint8_t **separator,
                              bool *far);

/* Does the comma end a pair whose value has no delimiters?  Behind a number
 * or literal (|scalar|) any key will do. */
tw_answer tw_gemma4_ends_pair(tw_gemma4_call *, const uint8_t *comma,
                              bool scalar);

#endif
