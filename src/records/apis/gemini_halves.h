/* SPDX-License-Identifier: MIT
 *
 * What the two halves of Gemini's shape share.
 */
#ifndef TOOLWIRE_RECORDS_GEMINI_H
#define TOOLWIRE_RECORDS_GEMINI_H

#include "json/blocks.h"
#include "records/records.h"

const tw_value *tw_gemini_read(tw_recoder *recoder, const tw_value *record);
void tw_gemini_write(tw_recoder *recoder, const tw_conversation *conversation);

/* Is the record read from this shape and written in it?  Then its choice of a
 * tool stays as it is. */
static inline bool tw_gemini_stays(const tw_recoder *recoder)
{
    return recoder->from != NULL && recoder->from == recoder->to;
}

/* What a conversation's message has of thoughts that stay: a list of parts. */
#define TW_GEMINI_THOUGHT "thought_parts"

static inline bool tw_gemini_keeps(const tw_recoder *recoder)
{
    return tw_gemini_stays(recoder) && !recoder->reads_wire;
}

#endif
