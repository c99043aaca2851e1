/* SPDX-License-Identifier: MIT
 *
 * Spans in the making.
 */
#ifndef TOOLWIRE_TEMPLATE_SPANS_WORK_H
#define TOOLWIRE_TEMPLATE_SPANS_WORK_H

#include "template/spans.h"

typedef enum tw_span_part {
    TW_SPAN_NONE, /* the edge of a region */
    TW_SPAN_HEAD,
    TW_SPAN_REASONING,
    TW_SPAN_TEXT,
    TW_SPAN_CALL,
    TW_SPAN_NAME,
    TW_SPAN_ARGUMENTS,
    TW_SPAN_RESULT,
    TW_SPAN_TOOLS,
    TW_SPAN_END,
    TW_SPAN_TEMPLATE
} tw_span_part;

enum { TW_NOBODY = -1 }; /* in place of a message */

/* Bytes of data, and pieces of all bytes. */
typedef struct tw_span_piece {
    size_t begin;
    size_t end;
    int64_t message;
    tw_span_part part;
} tw_span_piece;

typedef struct tw_marking {
    tw_spans *spans;
    const tw_prompt *prompt;
    const char *text;
    size_t size;
    /* The region under way: what was written at one message, or at none. */
    int64_t owner;
    bool resumed; /* it goes on behind another's */
    size_t begin; /* of the region */
    size_t end;
    size_t head; /* where its head ends */
    size_t at;   /* what stands before is in a piece */
    int64_t last; /* the last message that was sampled */
    int code;
    /* The generation prompt that was found last. */
    size_t prompt_from;
    size_t known_for; /* the question whose results it follows; 0: of none */
    size_t seen;      /* how many messages were looked at ... */
    size_t asked;     /* ... for the last question among them */
    size_t alike;     /* prompts in a row that are the usual one */
} tw_marking;

static inline void tw_spans_add(tw_marking *work, tw_buffer *list,
                                const void *item, size_t size)
{
    if (!tw_buffer_append(list, &work->spans->trial.memory, item, size)) {
        work->code = TW_ERROR_MEMORY;
    }
}

/* Where the loop through the messages ended, as the marks have it; 0: there
 * was none. */
size_t tw_spans_end_of_turns(const tw_buffer *turns);
/* Finds data, and special tokens that were given. */
void tw_spans_find_atoms(tw_marking *work);
/* The first marker in the template's words [from, to). */
bool tw_spans_marker_in(const tw_marking *work, size_t from, size_t to,
                        tw_generated *found);
/* The stop of what ends somewhere in [from, to), its last marker that opens
 * nothing or, if it does not |last|, the last one in front of an opener.
 * False: there is none. */
bool tw_spans_stop_in(const tw_marking *work, size_t from, size_t to,
                      bool last, tw_generated *stop);
/* The stop where a region ends: all but blanks is the stop, where there is no
 * marker but what closes a call. */
tw_generated tw_spans_last_stop(const tw_marking *work, size_t from,
                                size_t to);
/* Ends |marker| what began behind the head? */
bool tw_spans_closes(const tw_marking *work, const tw_generated *marker);
size_t tw_spans_behind_blanks(const tw_marking *work, size_t at, size_t limit);
/* From where on the region was sampled; |data| is where its own data begin. */
size_t tw_spans_behind_prompt(tw_marking *work, size_t data);
/* The first of the atoms that is the owner's; |count|: none is. */
size_t tw_spans_first_own(const tw_marking *work, const tw_span_piece *atoms,
                          size_t count);
/* Up to its stop from |from| on the turn was sampled. */
void tw_spans_sample_turn(tw_marking *work, const tw_span_piece *atoms,
                          size_t count, size_t from);

#endif
