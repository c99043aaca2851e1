/* SPDX-License-Identifier: MIT
 *
 * The words that matter in values between tags: what the patterns of a
 * description open and close with.
 */
#ifndef TOOLWIRE_FORMATS_TAGS_H
#define TOOLWIRE_FORMATS_TAGS_H

#include <stdbool.h>
#include <stdint.h>

/* What a word may be where a value may end. */
typedef enum tw_tagged_role {
    TW_TAGGED_NOTHING,
    TW_TAGGED_VALUE_CLOSE,
    TW_TAGGED_CALL_CLOSE,
    TW_TAGGED_SECTION_CLOSE,
    TW_TAGGED_PARAMETER, /* one opens */
    TW_TAGGED_CALL,
    TW_TAGGED_SECTION,
    TW_TAGGED_STOP,
    TW_TAGGED_OUTSIDE, /* a token that is no part of calls */
    TW_TAGGED_ROLES
} tw_tagged_role;

static inline uint16_t tw_tagged_bit(tw_tagged_role role)
{
    return (uint16_t)(1U << role);
}

typedef struct tw_tagged_word {
    const char *text;
    uint8_t size;
    uint8_t next;    /* + 1: the next one of the same first byte; 0: none */
    uint8_t token;   /* its first bytes are one: how many */
    uint8_t last;    /* where the one stands that it ends with; 0: none */
    uint16_t roles;  /* bits 1 << tw_tagged_role, whatever is read ... */
    uint32_t values; /* ... and the patterns of |argument| whose value it
                        closes, */
    uint32_t calls;  /* those of |call| that it closes, */
    uint32_t tails;  /* and those behind whose close it stands */
} tw_tagged_word;

/* The words of a format with arguments between tags. */
typedef struct tw_tags {
    const tw_tagged_word *words;
    uint8_t count;
    bool prose;         /* in ASCII all words begin with `<` or `[` */
    uint8_t first[256]; /* by first byte: its first word + 1; 0: none */
} tw_tags;

#endif
