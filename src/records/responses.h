/* SPDX-License-Identifier: MIT
 *
 * What the two halves of OpenAI's Responses share.
 */
#ifndef TOOLWIRE_RECORDS_RESPONSES_H
#define TOOLWIRE_RECORDS_RESPONSES_H

#include "records/envelope.h"

void tw_responses_write(tw_recoder *, const tw_conversation *);

#endif
