/* SPDX-License-Identifier: MIT
 *
 * The writer of values in Gemma's notation.
 */
#ifndef TOOLWIRE_FORMATS_BODY_GEMMA_PUT_H
#define TOOLWIRE_FORMATS_BODY_GEMMA_PUT_H

#include "messages/conversation.h"
#include "messages/segments.h"

/* A name; refused if it cannot be read back. */
void tw_put_gemma_name(tw_segments *out, const tw_value *name);
/* A call's arguments, with |quote| around their strings, and what of them
 * reads back otherwise. */
void tw_put_gemma_arguments(tw_segments *out, const tw_call *call,
                            const char *quote);

#endif
