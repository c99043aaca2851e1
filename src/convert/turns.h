/* SPDX-License-Identifier: MIT
 *
 * How a chat template writes turns, learned from small conversations that it
 * is asked to write: what stands between the texts of two roles cuts a whole
 * transcript into turns.
 */
#ifndef TOOLWIRE_CONVERT_TURNS_H
#define TOOLWIRE_CONVERT_TURNS_H

#include "messages/transcript_reader.h"
#include "toolwire.h"

/* A place beside a turn: in front of a text's begin, or behind its end. */
enum {
    TW_TURNS_KINDS = TW_TURN_RESULT + 1,
    TW_TURNS_EDGE = TW_TURNS_KINDS,
    TW_TURNS_PLACES
};

typedef struct tw_turns {
    const tw_memory *memory;
    tw_encoder *encoder; /* of the template */
    /* Behind a turn of the first kind and in front of one of the second; the
     * edge is the transcript's begin or its end.  Empty: not known. */
    tw_buffer between[TW_TURNS_PLACES][TW_TURNS_PLACES];
    bool known;
    bool failed; /* there was no memory */
} tw_turns;

void tw_turns_init(tw_turns *, const tw_memory *);
void tw_turns_free(tw_turns *);

/* Learns from |template_|, which must outlive the turns, with |tools|, a JSON
 * list or NULL.  TW_OK, MEMORY, CANNOT_CARRY: the turns of the template cannot
 * be told apart. */
int tw_turns_learn(tw_turns *, const tw_template *template_,
                   const tw_format *format, const char *tools);

/* The turns of the text, whose places in the text their |source| is. */
void tw_turns_cut(const tw_turns *, tw_transcript_reader *, const char *text,
                  size_t size);

/* Does the template write |messages|, the elements of a JSON list, as the
 * text, of which |cut| was cut, but for what the model itself wrote?
 * *differs is where it does not.  TW_OK, MEMORY, CANNOT_CARRY. */
int tw_turns_prove(tw_turns *, const tw_transcript_reader *cut,
                   const char *text, size_t size, const char *messages,
                   const char *tools, size_t *differs);

#endif
