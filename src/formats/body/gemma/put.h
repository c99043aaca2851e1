/* SPDX-License-Identifier: MIT
 *
 * The writer of values in Gemma's notation.
 */
#ifndef TOOLWIRE_FORMATS_BODY_GEMMA_PUT_H
#define TOOLWIRE_FORMATS_BODY_GEMMA_PUT_H

#include "messages/conversation.h"
#include "messages/segments.h"

/* A value; |quote| stands around its strings, and around keys that are not
 * bare.  |json|, if not NULL, is given what a decoder makes of it. */
void tw_put_gemma_value(tw_segments *, const tw_value *, const char *quote,
                        bool quoted_keys, tw_buffer *json);
/* A key where none can be but bare, and a name; refused if neither can be
 * read back. */
void tw_put_gemma_key(tw_segments *, const tw_value *member);
void tw_put_gemma_name(tw_segments *, const tw_value *name);
/* A call's arguments, and what of them reads back otherwise. */
void tw_put_gemma_arguments(tw_segments *, const tw_call *, const char *quote);

#endif
