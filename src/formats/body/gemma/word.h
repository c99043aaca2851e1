/* SPDX-License-Identifier: MIT
 *
 * Of which bytes names, bare keys and bare words are made in Gemma's notation.
 */
#ifndef TOOLWIRE_FORMATS_BODY_GEMMA_WORD_H
#define TOOLWIRE_FORMATS_BODY_GEMMA_WORD_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* What stands in front of a call's name. */
#define TW_GEMMA_CALL_WORD "call:"
enum { TW_GEMMA_CALL_WORD_SIZE = sizeof TW_GEMMA_CALL_WORD - 1 };

enum {
    TW_GEMMA_CLOSER_OR_WS = 1, /* of any bracket */
    TW_GEMMA_WORD = 2,
    TW_GEMMA_STARTS_WORD = 4,
    TW_GEMMA_ENDS_KEY = 8 /* no key without quotes holds the byte */
};

/* What each byte may be: a sum of these. */
extern const uint8_t tw_gemma_kinds[256];

/* |c| may be what stands for no byte, and is below 0 then. */
static inline bool tw_is_gemma_kind(int c, unsigned kinds)
{
    return c >= 0 && (tw_gemma_kinds[c] & kinds) != 0;
}

static inline bool tw_is_gemma_word(int c)
{
    return tw_is_gemma_kind(c, TW_GEMMA_WORD);
}

static inline bool tw_gemma_starts_word(int c)
{
    return tw_is_gemma_kind(c, TW_GEMMA_STARTS_WORD);
}

static inline bool tw_gemma_ends_key(uint8_t c)
{
    return tw_is_gemma_kind(c, TW_GEMMA_ENDS_KEY);
}

#endif
