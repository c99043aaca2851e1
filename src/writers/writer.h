/* SPDX-License-Identifier: MIT
 *
 * What all shapes of JSON share: options, texts, the queue of ready lines,
 * and the words that stand in more than one of them.
 *
 * The tw_put_*() functions (put.c) append to a buffer.  Where one fails,
 * |failed| is set, and from then on no line becomes ready: nobody else need
 * look.  door.c knows the shapes, each of which is a file of its own.
 */
#ifndef TOOLWIRE_WRITERS_WRITER_H
#define TOOLWIRE_WRITERS_WRITER_H

#include "json/dump.h"

typedef struct tw_api tw_api;

/* Options and texts that not every shape has a place for. */
enum {
    TW_TAKES_CHOICE = 1,
    TW_TAKES_CREATED = 2,
    TW_TAKES_CUSTOM = 4, /* TW_OPTION_CUSTOM_FUNCTION 0 */
    TW_TAKES_SUMMARY = 8,
    TW_TAKES_REASONING_KEY = 16,
    TW_TAKES_FINGERPRINT = 32,
    TW_TAKES_STREAM = 64, /* what every stream has: ids, frames, the end */
    TW_TAKES_STOP_SEQUENCE = 128
};

/* What a writer does, a message's or a stream's. */
typedef struct tw_writing {
    void (*event)(tw_writer *, const tw_event *);
    void (*close)(tw_writer *); /* ends the line being written; NULL: none is
                                   between two events */
    void (*reset)(tw_writer *);
    void (*free)(tw_writer *); /* what is behind the tw_writer */
    /* NULL: it cannot say so.  |cut|: there was no memory, and what was not
     * whole then is gone. */
    void (*fail)(tw_writer *, const tw_error *, bool cut);
} tw_writing;

typedef struct tw_shape_row {
    size_t size;          /* of a struct that begins with a tw_writer */
    bool custom_function; /* the option's default */
    unsigned takes;
    const char *id;    /* the text's default */
    const tw_api *api; /* a stream's: see stream.h */
    const tw_writing *does;
} tw_shape_row;

extern const tw_shape_row tw_message_shape;
extern const tw_shape_row tw_chunk_shape;
extern const tw_shape_row tw_responses_stream;
extern const tw_shape_row tw_anthropic_stream;

/* How the open call is written. */
typedef enum tw_call_style {
    TW_CALL_FUNCTION,
    TW_CALL_CUSTOM,
    TW_CALL_WRAPPED /* a custom call, as a function of {"input":"..."} */
} tw_call_style;

struct tw_writer {
    tw_memory memory;
    const tw_shape_row *shape;
    tw_error error; /* the last one */
    bool hold_calls;
    bool custom_function;
    bool join_chunks;
    int64_t sse;
    bool summary; /* reasoning is one */
    uint64_t created;
    uint64_t choice;
    tw_buffer reasoning_key;
    tw_buffer id;
    tw_buffer model;
    tw_buffer system_fingerprint;
    /* Of this message. */
    tw_buffer finish_reason;
    tw_buffer stop_sequence;
    tw_tree usage; /* its root: NULL, none */

    tw_buffer lines;    /* one behind the other, then the one being written */
    tw_buffer ends;     /* size_t: where each ready line ends */
    size_t taken;       /* how many of them */
    uint64_t made;      /* lines of this message */
    size_t message_end; /* in |lines|, but for its report and its brace */
    tw_buffer unparsed; /* the elements of that list */
    tw_buffer scratch;
    bool begun;
    bool ended;
    bool failed;
    /* What the next events may be. */
    uint64_t reached;   /* so much of the input is accounted for */
    uint32_t segment;   /* the last one of text or reasoning */
    uint32_t text_type; /* which of the two; 0: there was none */
    bool call_open;
    bool call_seen;
    uint32_t call_index; /* of the last one */
    tw_call_style call_style;
};

/* What a word of any API says of why an output ended: what it cut off is a
 * length, what is none of these words is not known. */
tw_finish tw_finish_of(const char *word, size_t size);

/* How a message's reasoning is named in OpenAI's records. */
#define TW_REASONING_KEY "reasoning_content"
/* A new line stands between two segments of one kind of text. */
#define TW_SEGMENT_JOINT "\\n"
/* Around the text of a wrapped call, inside a JSON string. */
#define TW_WRAP_BEGIN "{\\\"input\\\":\\\""
#define TW_WRAP_END "\\\"}"

static inline void tw_put(tw_writer *writer, tw_buffer *out,
                          const char *literal)
{
    if (!tw_buffer_append(out, &writer->memory, literal, strlen(literal))) {
        writer->failed = true;
    }
}
void tw_put_bytes(tw_writer *writer, tw_buffer *out, const tw_buffer *bytes);
/* Escaped; valid UTF-8. */
void tw_put_text(tw_writer *writer, tw_buffer *out, const char *data,
                 size_t size);
/* Quoted and escaped; any bytes. */
void tw_put_string(tw_writer *writer, tw_buffer *out, const char *data,
                   size_t size);
void tw_put_number(tw_writer *writer, tw_buffer *out, uint64_t number);
void tw_put_value(tw_writer *writer, tw_buffer *out, const tw_value *value);
/* A comma, unless |list| is empty. */
void tw_put_comma(tw_writer *writer, tw_buffer *list);
/* From "id" up to the quote that opens the arguments. */
void tw_put_call_head(tw_writer *writer, tw_buffer *out,
                      const tw_event *begin);
/* A piece of the open call's arguments, as its style wants it. */
void tw_put_call_text(tw_writer *writer, tw_buffer *out, const char *data,
                      size_t size);
/* Is a message's reasoning named so? */
bool tw_writer_has_usual_key(const tw_writer *writer);
/* What |lines| has grown by is a line. */
void tw_end_line(tw_writer *writer);

#endif
