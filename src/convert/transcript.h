/* SPDX-License-Identifier: MIT
 *
 * Whole conversations from wire text.
 */
#ifndef TOOLWIRE_CONVERT_TRANSCRIPT_H
#define TOOLWIRE_CONVERT_TRANSCRIPT_H

#include "turns/turns.h"
#include "core/answers.h"
#include "formats/format.h"
#include "records/records.h"

typedef struct tw_transcript {
    const tw_format *format;
    const tw_memory *memory;
    tw_recoder *recoder; /* of which the messages and tools become */
    const tw_turns *turns; /* a template's, or NULL: the format's own */
    tw_transcript_reader reader;
    const tw_value *calls; /* of the assistant's last message, or NULL */
    bool indexed;          /* they are |answers|, and |ids| */
    tw_buffer ids;         /* const tw_value * */
    const char *text;      /* the transcript */
    tw_answers answers;
    bool failed; /* there was no memory */
} tw_transcript;

/* Decodes one message, which stands at |offset|, into the recoder. */
typedef int tw_message_reader(void *context, uint64_t offset, const char *text,
                              size_t size);

void tw_transcript_init(tw_transcript *transcript, const tw_format *format,
                        tw_recoder *recoder, const tw_memory *memory);
void tw_transcript_free(tw_transcript *transcript);
/* Reads all of a transcript into the recoder, each completion by |read|.
 * TW_OK, MEMORY, or what |read| returned. */
int tw_transcript_read(tw_transcript *transcript, const char *text,
                       size_t size, tw_message_reader *read, void *context);

#endif
