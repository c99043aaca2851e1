/* SPDX-License-Identifier: MIT
 *
 * What shapes with responses share.
 */
#ifndef TOOLWIRE_RECORDS_ENVELOPE_H
#define TOOLWIRE_RECORDS_ENVELOPE_H

#include "records/records.h"

/* The last message, an assistant's; NULL: it is none, which is refused. */
const tw_message *tw_last_answer(tw_recoder *, const tw_conversation *);

/* A request or a response of OpenAI's Responses API. */
const tw_value *tw_responses_read(tw_recoder *, const tw_value *record);

#endif
