/* SPDX-License-Identifier: MIT
 *
 * What converter.c and options.c know of a converter, and nobody
 * else.
 */
#ifndef TOOLWIRE_CONVERT_STATE_H
#define TOOLWIRE_CONVERT_STATE_H

#include "core/diagnostics.h"
#include "json/tree.h"
#include "convert/validity.h"
#include "convert/recode.h"
#include "convert/transcript.h"
#include "writers/writer.h"

struct tw_converter {
    tw_memory memory;
    tw_decoder *decoder;      /* always ready for a message between two calls;
                                 NULL: from a record shape */
    tw_writer *writer;        /* NULL: to "report", or from a record shape */
    tw_recode *recode;        /* NULL: to "message" or "report" */
    tw_transcript transcript; /* with |recode|, from a format */
    const tw_template *template_; /* whose turns these have, or NULL */
    tw_turns turns;               /* its own, or of a format's prompts */
    tw_validity validity;     /* with |recode| */
    tw_tree tree;
    tw_buffer field; /* a C string */
    tw_buffer path;  /* of messages, a C string */
    tw_buffer prompt;
    tw_finish finish;
    tw_buffer prompt_field; /* where records have their own, C strings; */
    tw_buffer finish_field; /* empty: nowhere */
    bool finds_start;       /* TW_START_FIND */
    bool says_prompt; /* where that is was said, or that there is none */
    bool says_finish;
    const tw_value *own_prompt; /* of the record, or NULL */
    tw_finish own_finish;
    size_t chunk;
    int64_t first_call; /* the first number of ids that are made */
    bool strict;
    tw_buffer notes;
    tw_tally tally; /* of these */
    tw_buffer subjects;   /* texts of these */
    const tw_value *text; /* of the record; NULL: it is in none */
    uint64_t base;        /* where the message begins in a transcript */
    uint32_t segments[2]; /* of its text and its reasoning the last, + 1 */
    size_t unparsed;
    tw_buffer report;
    tw_buffer identity; /* of the record, as members of JSON */
    tw_error error;
};

/* These return the code.  |converter| may be NULL, which has no error. */
int tw_converter_fail(tw_converter *converter, int32_t code, uint64_t offset,
                      const char *message);
int tw_converter_no_memory(tw_converter *converter);
/* Keeps what is said of the record; false: no memory. */
bool tw_converter_note(void *converter, const tw_event *event);
/* What was kept, as |report|; false: no memory. */
bool tw_converter_make_report(tw_converter *converter);
/* Takes over what the decoder says, if it is the decoder that failed. */
int tw_converter_decoder_failed(tw_converter *converter, int result);

/* One completion of a transcript, or of a record: the recoder's next
 * message. */
int tw_converter_read_message(void *converter, uint64_t offset,
                              const char *text, size_t size);
/* Halves of surrogate pairs in a text become U+FFFD, which is reported. */
void tw_converter_mend(tw_converter *converter, const tw_value *text);

/* by_template.c.  Whose turns transcripts have: the template's, or of a format
 * that has prompts and no reader of them. */
void tw_converter_choose_turns(tw_converter *converter);
/* Knows the turns that the text has, or says why not. */
int tw_converter_learn(tw_converter *converter, const char *text, size_t size);
/* What its prompts show: TW_TEXT_SETTINGS, TW_TEXT_NOW. */
int tw_converter_set_prompts(tw_converter *converter, tw_text text,
                             const char *data, size_t size);
/* Is the text what the template writes of the conversation that was read? */
int tw_converter_prove(tw_converter *converter, const char *text, size_t size);

/* Has the decoder begin where the whole text did, which no prompt tells. */
int tw_converter_find_start(tw_converter *converter, const char *text,
                            size_t size);

/* Where a record's text is. */
bool tw_converter_set_field(tw_converter *converter, const char *field,
                            size_t size);

#endif
