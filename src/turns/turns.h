/* SPDX-License-Identifier: MIT
 *
 * How a chat template writes turns, learned from small conversations that it
 * is asked to write: what stands between the texts of two roles cuts a whole
 * transcript into turns.
 */
#ifndef TOOLWIRE_TURNS_TURNS_H
#define TOOLWIRE_TURNS_TURNS_H

#include "messages/transcript_reader.h"
#include "toolwire.h"

/* A place beside a turn: in front of a text's begin, or behind its end. */
enum {
    TW_TURNS_KINDS = TW_TURN_RESULT + 1,
    TW_TURNS_EDGE = TW_TURNS_KINDS,
    TW_TURNS_PLACES,
    /* A part in front of a turn has one of two forms: that of a question may
     * be another where it is not the last one. */
    TW_TURNS_EARLIER = TW_TURNS_PLACES,
    TW_TURNS_FORMS = 2 * TW_TURNS_PLACES
};

typedef struct tw_turns {
    const tw_memory *memory;
    tw_encoder *encoder; /* of the template */
    tw_buffer front;     /* what stands in front of tools, which are JSON, a C
                            string; empty: they are none */
    tw_buffer gap;       /* between two of them, where it is no comma */
    tw_json_out found;   /* tools of a prompt, commas between them */
    tw_buffer tools;     /* which were learned with, a C string, or empty */
    /* Behind a turn of the first kind and in front of one of the second; the
     * edge is the transcript's begin or its end.  Empty: not known. */
    tw_buffer between[TW_TURNS_PLACES][TW_TURNS_FORMS];
    /* The tags that end such a text wherever the template tells its end, a C
     * string, or empty. */
    tw_buffer ends[TW_TURNS_KINDS];
    bool quoted; /* results stand in JSON strings */
    bool known;
    bool failed; /* there was no memory */
} tw_turns;

/* In what stands between turns a hole is a NUL, and a letter that says what
 * fills it. */
enum { TW_HOLE_SIZE = 2, TW_IN_HOLE_MOST = 256 };
#define TW_NAME_HOLE "\0n"
#define TW_ID_HOLE "\0i"

static inline const tw_buffer *tw_turns_between(const tw_turns *turns,
                                                size_t from, size_t to)
{
    return &turns->between[from][to];
}

/* Which were learned with; NULL: none. */
static inline const char *tw_turns_tools(const tw_turns *turns)
{
    return turns->tools.size > 0 ? (const char *)turns->tools.data : NULL;
}

static inline tw_cursor tw_cursor_of(const tw_buffer *text)
{
    const char *data = text->size > 0 ? (const char *)text->data : "";
    return (tw_cursor){data, data + text->size};
}

void tw_turns_init(tw_turns *turns, const tw_memory *memory);
void tw_turns_free(tw_turns *turns);
/* What stands between turns is not known. */
void tw_turns_forget(tw_turns *turns);

/* learn.c.  The turns are those of |template_|, which must outlive them,
 * or of the |format|'s own prompts.  TW_OK or MEMORY. */
int tw_turns_begin(tw_turns *turns, const tw_template *template_,
                   const tw_format *format);
/* Learns them with |tools|, a JSON list of |size| bytes, which may be none.
 * TW_OK, MEMORY, CANNOT_CARRY: the turns cannot be told apart. */
int tw_turns_learn(tw_turns *turns, const char *tools, size_t size);

/* tools.c.  Finds |front| and |gap| out. */
void tw_turns_learn_tools(tw_turns *turns);
/* Reads the tools that stand in the text into |found|. */
void tw_turns_find_tools(tw_turns *turns, const char *text, size_t size);

/* The prompt of messages, the elements of a JSON list, with tools or NULL;
 * false: the template refuses them. */
bool tw_turns_render(tw_turns *turns, const char *messages, const char *tools,
                     bool generation, tw_buffer *out);

/* cut.c.  The turns of the text, whose places in the text their |source|
 * is. */
void tw_turns_cut(const tw_turns *turns, tw_transcript_reader *reader,
                  const char *text, size_t size);

/* prove.c.  Does the template write |messages|, the elements of a JSON
 * list, as the text, of which |cut| was cut, but for what the model itself
 * wrote? *differs is where it does not.  TW_OK, MEMORY, CANNOT_CARRY. */
int tw_turns_prove(tw_turns *turns, const tw_transcript_reader *cut,
                   const char *text, size_t size, const char *messages,
                   size_t *differs);

/* Where what begins a turn of the model's, or what ends a text, stands in the
 * text of another, whose own end the template may have left out; NULL:
 * nowhere. */
const char *tw_turns_within(const tw_turns *turns,
                            const tw_transcript_reader *cut);

#endif
