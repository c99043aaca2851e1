/* SPDX-License-Identifier: MIT
 *
 * What the two halves of Anthropic's shape share, and nobody else.
 */
#ifndef TOOLWIRE_RECORDS_ANTHROPIC_H
#define TOOLWIRE_RECORDS_ANTHROPIC_H

#include "records/records.h"

const tw_value *tw_anthropic_read(tw_recoder *, const tw_value *record);
/* Members that only this shape has, wherever they stand; NULL-ended. */
extern const char *const tw_anthropic_own[];

/* Is the record read from this shape and written in it?  Then these stay,
 * of thinking only where a message has one. */
static inline bool tw_anthropic_stays(const tw_recoder *recoder)
{
    return recoder->from != NULL && recoder->to != NULL &&
           (recoder->from == recoder->to || recoder->from->has_blocks) &&
           recoder->to->read == tw_anthropic_read && !recoder->reads_wire;
}

/* What stayed of |envelope| (or NULL) says whether it is a response. */
void tw_anthropic_write(tw_recoder *, const tw_conversation *,
                        const tw_value *envelope);

#endif
