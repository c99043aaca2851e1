/* SPDX-License-Identifier: MIT
 *
 * What the two halves of OpenAI's Responses share.
 */
#ifndef TOOLWIRE_RECORDS_RESPONSES_H
#define TOOLWIRE_RECORDS_RESPONSES_H

#include "records/records.h"

/* What a conversation's message has of reasoning that is encrypted: its items,
 * where they stay. */
#define TW_RESPONSES_REASONING "reasoning_items"

/* Is the record read from items and written as some? */
static inline bool tw_responses_stays(const tw_recoder *recoder)
{
    return recoder->from != NULL && recoder->to != NULL &&
           recoder->from->has_items && recoder->to->has_items &&
           !recoder->reads_wire;
}

/* A request or a response. */
const tw_value *tw_responses_read(tw_recoder *recoder, const tw_value *record);
/* What stayed of |envelope| (or NULL) says whether it is a response. */
void tw_responses_write(tw_recoder *recoder,
                        const tw_conversation *conversation,
                        const tw_value *envelope);

#endif
