/* SPDX-License-Identifier: MIT
 *
 * Does a message's text begin as a call does whose markers are gone?  Servers
 * and tokenizers strip special tokens: `{"name": "f", "arguments": {}}` is
 * left, or `f` and a brace.  Such text stays text and is only warned of.
 *
 * Each byte of text is looked at once, and no more of them than
 * TW_LEADING_SIZE, but for a JSON object that begins there.
 */
#ifndef TOOLWIRE_DECODE_LEADING_H
#define TOOLWIRE_DECODE_LEADING_H

#include "core/window.h"
#include "events/tools.h"

enum {
    TW_LEADING_SIZE = 128,
    TW_LEADING_WORD = 64 /* a longer word is no name */
};

typedef struct tw_leading {
    uint8_t state;       /* of leading.c; 0: no text was seen */
    uint8_t seen;        /* so many bytes */
    uint64_t at;         /* where what is looked at begins */
    bool behind;         /* other text stands in front of that */
    uint8_t tag;         /* a tag began, or a code fence */
    const tw_tool *tool; /* a line is its name, or an object has it */
    char word[TW_LEADING_WORD];
    size_t size; /* of the word; beyond its room: that is no name */
    /* Of a JSON object. */
    uint64_t depth;
    char quote; /* of the open string; 0: none is open */
    bool escaped;
    bool valued; /* a key and its colon were read */
    bool lost;   /* its brace was */
    bool bare;   /* a word without quotes stands there */
    uint8_t key; /* what the key is of a call */
    uint8_t has; /* a sum of what the object has of a call */
} tw_leading;

enum { TW_LEADING_OVER = 1, TW_LEADING_LIKE };

/* Is more text to be looked at? */
static inline bool tw_leading_waits(const tw_leading *leading)
{
    return leading->state != TW_LEADING_OVER &&
           leading->state != TW_LEADING_LIKE;
}

void tw_leading_reset(tw_leading *leading);
void tw_leading_text(tw_leading *leading, const tw_tools *tools,
                     const tw_event *event);
/* The text is over.  Did it begin as a call? */
bool tw_leading_end(tw_leading *leading, const tw_tools *tools);
/* No text: behind a call's end it may begin as another one. */
void tw_leading_other(tw_leading *leading, const tw_tools *tools,
                      const tw_event *event);

#endif
