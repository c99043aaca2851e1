/* SPDX-License-Identifier: MIT
 *
 * What the parts of the message writer share.
 */
#ifndef TOOLWIRE_FORMATS_FRAME_MESSAGE_WRITER_H
#define TOOLWIRE_FORMATS_FRAME_MESSAGE_WRITER_H

#include "formats/body/put.h"

typedef struct tw_message_writer {
    tw_putter putter;
    const tw_description *description;
    const tw_conversation *conversation;
    const tw_message *message;
    tw_segments *out;
    size_t skip; /* bytes of the first words, with which the prompt ends */
} tw_message_writer;

/* Words of the description, but for those of the first that are skipped. */
void tw_message_put_words(tw_message_writer *writer, const char *words);
/* The first canonical pattern, or NULL. */
const tw_pattern *tw_message_canonical(const tw_patterns *patterns);

/* message_calls.c: the calls, with what stands between them and |text|. */
void tw_message_put_calls(tw_message_writer *writer, bool text);
/* The pattern that the first call fills; NULL: there is none. */
const tw_pattern *tw_message_first_call(const tw_message_writer *writer);

#endif
