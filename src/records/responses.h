/* SPDX-License-Identifier: MIT
 *
 * What the two halves of OpenAI's Responses share.
 */
#ifndef TOOLWIRE_RECORDS_RESPONSES_H
#define TOOLWIRE_RECORDS_RESPONSES_H

#include "records/records.h"

/* A request or a response. */
const tw_value *tw_responses_read(tw_recoder *, const tw_value *record);
/* What stayed of |envelope| (or NULL) says whether it is a response. */
void tw_responses_write(tw_recoder *, const tw_conversation *,
                        const tw_value *envelope);

#endif
