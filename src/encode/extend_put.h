/* SPDX-License-Identifier: MIT
 *
 * A conversation that goes on: what is known of it, and prompts of its first
 * messages.
 */
#ifndef TOOLWIRE_ENCODE_EXTEND_PUT_H
#define TOOLWIRE_ENCODE_EXTEND_PUT_H

#include "encode/inside.h"

typedef struct tw_extending {
    tw_encoder *encoder;
    tw_buffer added;       /* tw_value *: the turn, and the new messages */
    tw_buffer taken;       /* tw_lost: of parts that became one text */
    const tw_value *given; /* the prompt that was sent, or NULL */
    const char *completion;
    size_t completion_size;
    size_t own;       /* messages up to the model's turn */
    size_t count;     /* ... and the new ones */
    tw_buffer wanted; /* the text that goes on, without breaks */
    tw_buffer little; /* what is appended behind fewer messages */
    const char *at;   /* the bytes of |wanted| */
    size_t size;
    size_t from; /* where what is to be appended begins in it */
    tw_last_turn turn;
    bool apart; /* the turn, as the last one, has another generation prompt */
    tw_conversation first; /* up to the turn */
    tw_prompt prompt;      /* the prompt that ends with the turn */
} tw_extending;

static inline bool tw_extend_begins(const void *text, size_t size,
                                    const void *with, size_t with_size)
{
    return size >= with_size &&
           (with_size == 0 || memcmp(text, with, with_size) == 0);
}

static inline bool tw_extend_ends(const char *text, size_t size,
                                  const char *with, size_t with_size)
{
    return size >= with_size &&
           memcmp(text + size - with_size, with, with_size) == 0;
}

/* Writes the first |count| messages.  TW_OK or the error. */
int tw_extend_put_first(const tw_extending *work, size_t count,
                        bool generation);
/* The |number|-th message of the conversation, from 1. */
const tw_value *tw_extend_message(const tw_extending *work, size_t number);
/* The template is not stable with the message |where|.  UNSTABLE. */
int tw_extend_unstable(const tw_extending *work, const tw_value *where,
                       const char *message);
/* The template is not stable with the first new message with which the first
 * |same| bytes of the turn's prompt are no longer those.  UNSTABLE or MEMORY.
 */
int tw_extend_break_at(const tw_extending *work, size_t same);

#endif
