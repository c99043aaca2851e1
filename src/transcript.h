/* SPDX-License-Identifier: MIT
 *
 * Whole conversations from wire text.
 */
#ifndef TOOLWIRE_TRANSCRIPT_H
#define TOOLWIRE_TRANSCRIPT_H

#include "core/answers.h"
#include "formats/format.h"

typedef struct tw_transcript {
    const tw_format *format;
    const tw_memory *memory;
    tw_transcript_reader reader;
    tw_json_out json_out; /* {"messages":[...],"tools":[...]} */
    tw_tree message;  /* the assistant's last one, where results follow it, */
    size_t begin;     /* where that was jotted */
    size_t size;      /* 0: there is none */
    bool indexed;     /* its calls are |answers| */
    size_t tools;     /* where `,"tools":[...]` or the end was jotted */
    const char *text; /* the transcript */
    size_t place;     /* of a result behind it */
    tw_answers answers;
} tw_transcript;

/* Decodes one message, which stands at |offset|; the line, without its last
 * brace, lives until the next call. */
typedef int tw_message_reader(void *context, uint64_t offset, const char *text,
                              size_t size, const char **line,
                              size_t *line_size);

void tw_transcript_init(tw_transcript *, const tw_format *, const tw_memory *);
void tw_transcript_free(tw_transcript *);
/* Jots all of a transcript, each completion read by |read|.  TW_OK, MEMORY,
 * ARGUMENT (the format has no transcripts) or what |read| returned. */
int tw_transcript_read(tw_transcript *, const char *text, size_t size,
                       tw_message_reader *read, void *context);

#endif
