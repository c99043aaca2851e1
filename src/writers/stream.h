/* SPDX-License-Identifier: MIT
 *
 * What all streams share: a message is a row of parts, which are text,
 * reasoning or a call, one open at a time, and a part comes in pieces, each a
 * line.
 *
 * stream.c makes parts and pieces of events.  How an API writes them is a
 * tw_api, one file each: what stands in front of the message, of a part and of
 * a piece, and behind them.
 */
#ifndef TOOLWIRE_WRITERS_STREAM_H
#define TOOLWIRE_WRITERS_STREAM_H

#include "writers/writer.h"

typedef enum tw_stream_part {
    TW_STREAM_NONE,
    TW_STREAM_TEXT,
    TW_STREAM_REASONING,
    TW_STREAM_CALL
} tw_stream_part;

enum { TW_STREAM_PARTS = 4 };

/* Why a message ended.  A reason that no API knows is none of these. */
typedef enum tw_reason {
    TW_REASON_STOP,
    TW_REASON_CALLS,
    TW_REASON_LENGTH,
    TW_REASON_FILTER,
    TW_REASON_FOREIGN
} tw_reason;

typedef struct tw_stream tw_stream;

/* Each of these is called with no line open. */
struct tw_api {
    const char *reasons[TW_REASON_FOREIGN]; /* its words for them */
    const char *also[3];        /* more of its words, which stay as they are */
    void (*begin)(tw_stream *); /* in front of all parts */
    /* Puts what is known of a call into |head|, while its event lives. */
    void (*name_call)(tw_stream *, const tw_event *begin);
    void (*open)(tw_stream *);  /* the part begins */
    void (*piece)(tw_stream *); /* the line of a piece of it, up to the quote
                                   that opens the text */
    const char *behind[TW_STREAM_PARTS]; /* what ends that line */
    /* The part ends; NULL: nothing says so. */
    void (*close)(tw_stream *, bool complete);
    /* The message ends, or breaks off. */
    void (*end)(tw_stream *, tw_reason, const char *word, size_t size);
    void (*fail)(tw_stream *, const tw_error *);
    void (*free)(tw_stream *); /* what is behind the tw_stream; or NULL */
    bool counts_pieces;        /* a piece's line has a number of its own */
    bool repeats;              /* the end of a part repeats its text */
    bool counts_prompt;        /* usage: prompt_tokens, not input_tokens */
    bool counts_cached;        /* ... which have in them what was cached */
};

/* What was sent of one kind of text. */
typedef struct tw_sent {
    bool sent;
    uint32_t segment;
} tw_sent;

struct tw_stream {
    tw_writer base;
    bool opened;         /* what stands in front of all parts was written */
    bool line_open;      /* a line that more of the part may join */
    tw_stream_part part; /* the one that is open */
    uint32_t parts;      /* that were opened, */
    uint32_t calls;      /* ... and so many of them are calls */
    tw_buffer text;      /* of the open part, if the API repeats it */
    tw_buffer head;      /* of the last call */
    tw_buffer input;     /* ... and what is to be sent of its arguments */
    bool wrap_begun;
    tw_buffer front; /* of a piece of the open part, once one was written, */
    tw_buffer back;  /* ... and what ends its line */
    tw_sent content;
    tw_sent reasoning;
    bool has_complete;
    bool has_incomplete;
};

/* Of a tw_shape_row: what all streams do. */
extern const tw_writing tw_stream_writing;

/* A line up to where its JSON text begins.  |name|: of the server-sent event,
 * or NULL. */
tw_buffer *tw_stream_begin_line(tw_stream *self, const char *name);
void tw_stream_end_line(tw_stream *self);
/* ... behind the brace of an event. */
void tw_stream_end_event(tw_stream *self);
/* ,"toolwire":{"unparsed":[...]}, if there are some. */
void tw_stream_put_report(tw_stream *self);
/* ,"message":TEXT, of an error, for APIs that have no members for the
 * diagnostic and the path, which stand in front of the text. */
void tw_stream_put_fault(tw_stream *self, const tw_error *error);
/* The name of the diagnostic that the error is for, or NULL. */
const char *tw_stream_diagnostic(const tw_error *error);
static inline const tw_api *tw_stream_api(const tw_stream *self)
{
    return self->base.shape->api;
}

/* usage.c.  A member that clients cannot do without, and what it is where
 * nobody gave it; NULL: the sum of the prompt's tokens and the output's, where
 * both are known. */
typedef struct tw_needed {
    const char *name; /* NULL: the last one was before */
    const char *value;
} tw_needed;

/* The usage in the API's words, and what is needed behind its members. */
void tw_stream_put_usage(tw_stream *self, const tw_needed *needed);
/* One of its numbers, or 0. */
void tw_stream_put_count(tw_stream *self, const char *name);

#endif
