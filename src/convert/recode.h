/* SPDX-License-Identifier: MIT
 *
 * Records between shapes and formats: whatever comes becomes a conversation
 * of OpenAI's shape, a tree, and that what is wanted.
 */
#ifndef TOOLWIRE_CONVERT_RECODE_H
#define TOOLWIRE_CONVERT_RECODE_H

#include "formats/format.h"
#include "records/records.h"
#include "convert/wire_text.h"

typedef struct tw_recode {
    const tw_memory *memory;
    const tw_record_shape *from; /* NULL: a format, which the caller decodes */
    const tw_record_shape *to;   /* NULL: a format */
    tw_encoder *encoder;         /* to a format */
    bool completion;             /* a wire record is one message */
    tw_recoder recoder;
    tw_wire_text wire;
    int (*check)(void *); /* of the conversation that was read, or NULL */
    void *checker;        /* what |check| is told */
    uint32_t ids;         /* tw_ids_policy */
    tw_id_rule rule;      /* of the target */
    tw_conversation conversation;
    tw_buffer result;
    tw_error error;
    tw_error report;
    tw_buffer path;
} tw_recode;

/* Each end is a format or, where that is NULL, the shape of a name.  NULL:
 * there is no such way, or no memory. */
tw_recode *tw_recode_new(const tw_format *from_format, const char *from,
                         const tw_format *to_format, const char *to,
                         const tw_memory *memory);
void tw_recode_free(tw_recode *recode);

/* Texts in records are |format|'s: decoded, and written where the target takes
 * them.  ARGUMENT: there is no such place.  MEMORY: nothing is set. */
int tw_recode_set_wire(tw_recode *recode, const tw_format *format,
                       tw_wire_decode *decode, void *context);

/* The record fails so; |where| in it. */
void tw_recode_fail(tw_recode *recode, const tw_error *error,
                    const tw_value *where);

/* A value in range.  ARGUMENT: it is no option for these. */
int tw_recode_set(tw_recode *recode, tw_option option, int64_t value);

/* A new record, whose root |record| is (NULL: text that is in none): forgets
 * what the last one lost. */
void tw_recode_begin(tw_recode *recode, const tw_value *record);
/* The error in a record that stands in place of one that was bad, or NULL. */
const tw_value *tw_recode_earlier(const tw_value *record);
/* A record of a shape.  |field| is where wire text stands in a record.  TW_OK:
 * *out lives until the next record. */
int tw_recode_record(tw_recode *recode, const char *field, const char **out,
                     size_t *out_size);
/* A conversation that the caller has decoded and put into the recoder. */
int tw_recode_decoded(tw_recode *recode, const char *field, const char **out,
                      size_t *out_size);
/* tw_recode_decoded() of one message, which is what an OpenAI record has, as
 * it is but for its last brace. */
int tw_recode_copy(tw_recode *recode, const char *field, const char *message,
                   size_t size, const char **out, size_t *out_size);
/* As tw_converter_report(). */
int tw_recode_report(tw_recode *recode, size_t i, const tw_error **report);

#endif
