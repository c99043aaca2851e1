/* SPDX-License-Identifier: MIT
 *
 * Records between shapes and formats: whatever comes becomes an OpenAI
 * conversation, and that what is wanted.
 */
#ifndef TOOLWIRE_RECODE_H
#define TOOLWIRE_RECODE_H

#include "formats/format.h"
#include "records/records.h"
#include "writers/writer.h"

typedef struct tw_recode {
    const tw_memory *memory;
    const tw_record_shape *from; /* NULL: a format, which the caller decodes */
    const tw_record_shape *to;   /* NULL: a format */
    tw_encoder *encoder;         /* to a format */
    bool completion;             /* a wire record is one message */
    bool deep;                   /* arguments may be deeper than a tree */
    tw_recoder recoder;
    tw_conversation conversation;
    tw_buffer middle; /* the conversation as OpenAI has it */
    tw_buffer result;
    tw_error error;
    tw_error report;
    tw_buffer path;
} tw_recode;

/* Each end is a format or, where that is NULL, the shape of a name.  NULL:
 * there is no such way, or no memory. */
tw_recode *tw_recode_new(const tw_format *from_format, const char *from,
                         const tw_format *to_format, const char *to,
                         const tw_memory *);
void tw_recode_free(tw_recode *);

/* A value in range.  ARGUMENT: it is no option for these. */
int tw_recode_set(tw_recode *, tw_option option, int64_t value);

/* A new record: forgets what the last one lost. */
void tw_recode_begin(tw_recode *);
/* The record |root| (or NULL: text that is in none), whose conversation is the
 * JSON text |json|.  |field| is where wire text stands in a record; |message|
 * (or NULL) the assistant's message that was decoded from it, without its last
 * brace.  TW_OK: *out
 * lives until the next record. */
int tw_recode_record(tw_recode *, const tw_value *root, const char *json,
                     size_t size, const char *field, const char *message,
                     size_t message_size, const char **out, size_t *out_size);
/* Is a decoded message what reading it and writing it again would make of it,
 * but for its report? */
bool tw_recode_may_copy(const tw_recode *, const tw_writer *);
/* Has the record messages or tools of its own? */
bool tw_has_messages(const tw_value *root);
/* As tw_recode_record(), of a message that may be copied, and a record that
 * has no others. */
int tw_recode_as_it_is(tw_recode *, const tw_value *root, const char *field,
                       const char *message, size_t message_size,
                       const char **out, size_t *out_size);
/* The same for a transcript |json| of such messages, whose tools begin at
 * |tools|. */
int tw_recode_messages(tw_recode *, const tw_value *root, const char *field,
                       const char *json, size_t size, size_t tools,
                       const char **out, size_t *out_size);
/* As tw_converter_report(). */
int tw_recode_report(tw_recode *, size_t i, const tw_error **report);

#endif
