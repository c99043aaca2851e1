/* SPDX-License-Identifier: MIT
 *
 * What an encoder has written, read back.
 */
#ifndef TOOLWIRE_ENCODE_BACK_H
#define TOOLWIRE_ENCODE_BACK_H

#include "messages/conversation.h"
#include "formats/format.h"
#include "messages/segments.h"

typedef struct tw_back {
    const tw_memory *memory;
    const tw_format *format;
    bool halves_lost;    /* halves of surrogate pairs became U+FFFD */
    bool broken;         /* U+200B stands where markers would be */
    tw_decoder *decoder; /* NULL: nothing was read back yet */
    tw_writer *writer;
    tw_buffer text; /* of the request that the message read back makes, and of
                       the tools */
    tw_conversation conversation;
} tw_back;

void tw_back_init(tw_back *back, const tw_memory *memory,
                  const tw_format *format);
void tw_back_free(tw_back *back);

/* The segments are the completion of a conversation that is one message of
 * the assistant's: decodes it, with |tools| if it is not NULL, and reports what
 * differs.  A call or a text that would be another is refused. */
void tw_back_check(tw_back *back, const tw_conversation *conversation,
                   const tw_value *tools, tw_segments *out);

#endif
