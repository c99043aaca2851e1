/* SPDX-License-Identifier: MIT
 *
 * What the two halves of Gemini's shape share.
 */
#ifndef TOOLWIRE_RECORDS_GEMINI_H
#define TOOLWIRE_RECORDS_GEMINI_H

#include "json/blocks.h"
#include "records/records.h"

void tw_gemini_write(tw_recoder *, const tw_conversation *);

#endif
