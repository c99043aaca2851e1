/* SPDX-License-Identifier: MIT
 *
 * Random messages for cases: from plain ones to texts that forge calls.
 */
#ifndef TOOLWIRE_KIT_MESSAGE_H
#define TOOLWIRE_KIT_MESSAGE_H

#include "kit/cases.h"

/* A random message of an assistant.  LEGAL: plain values; RARE: any;
 * INJECTION: texts hold markers of |format| and whole calls of `forged`, only
 * those of other formats if |foreign|;
 * DEPTH: one call, deeply nested.  Others are as LEGAL. */
void kit_jot_message(tw_json_out *, uint64_t *state, kit_class,
                     const tw_format *format, bool foreign);

#endif
