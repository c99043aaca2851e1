/* SPDX-License-Identifier: MIT
 *
 * What the two halves of Anthropic's shape share, and nobody else.
 */
#ifndef TOOLWIRE_RECORDS_ANTHROPIC_H
#define TOOLWIRE_RECORDS_ANTHROPIC_H

#include "records/records.h"

const tw_value *tw_anthropic_read(tw_recoder *recoder, const tw_value *record);
/* Members that only this shape has, wherever they stand; NULL-ended. */
extern const char *const tw_anthropic_own[];

/* What a conversation's message has of thinking that is signed or hidden: a
 * list of blocks, as LiteLLM has beside `reasoning_content`. */
#define TW_ANTHROPIC_THINKING "thinking_blocks"

/* Is the record read from this shape and written in it?  Then these stay. */
static inline bool tw_anthropic_stays(const tw_recoder *recoder)
{
    return recoder->from != NULL && recoder->to != NULL &&
           (recoder->from == recoder->to || recoder->from->has_blocks) &&
           recoder->to->read == tw_anthropic_read && !recoder->reads_wire;
}

/* The first of the blocks that the message has of thinking, which say what its
 * reasoning says; NULL: there are none. */
const tw_value *tw_anthropic_thinking(const tw_recoder *recoder,
                                      const tw_message *message);
/* Reports those of no such use. */
void tw_anthropic_lose_thinking(tw_recoder *recoder,
                                const tw_conversation *conversation);

/* What stayed of |envelope| (or NULL) says whether it is a response. */
void tw_anthropic_write(tw_recoder *recoder,
                        const tw_conversation *conversation,
                        const tw_value *envelope);

#endif
