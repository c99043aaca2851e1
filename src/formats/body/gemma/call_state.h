/* SPDX-License-Identifier: MIT
 *
 * The state of one call in Gemma's notation, which all of its readers share:
 *
 *     {city:<|"|>Oslo<|"|>,days:3}
 *
 * A string has no escapes and may hold anything but its own end: what follows
 * a delimiter tells whether it is one.
 *
 * Each file uses those above it alone: marker.c finds markers; look.c looks ahead and moves.c moves;
 * string.c and bare.c read one value; value.c reads keys, containers and what
 * stands between; advance_string.c and advance.c are the fast way over all of
 * that; gemma.c is the body as the frame knows it.
 */
#ifndef TOOLWIRE_FORMATS_BODY_GEMMA_CALL_STATE_H
#define TOOLWIRE_FORMATS_BODY_GEMMA_CALL_STATE_H

#include "core/ascii.h"
#include "core/skip.h"
#include "formats/body/gemma/word.h"
#include "formats/format.h"
#include "formats/markers.h"
#include "json/machine.h"

typedef enum tw_gemma_marker {
    TW_GEMMA_NONE,
    TW_GEMMA_CALL,
    TW_GEMMA_CALL_END,
    TW_GEMMA_CHANNEL,
    TW_GEMMA_DELIMITER,
    TW_GEMMA_STOP,
    TW_GEMMA_RESPONSE, /* a stop, behind calls alone */
    TW_GEMMA_MORE      /* not decided before |limit| */
} tw_gemma_marker;

/* What is read next: tw_gemma_call.state. */
enum tw_gemma_place {
    TW_GEMMA_AT_KEY,
    TW_GEMMA_AT_VALUE,
    TW_GEMMA_AT_AFTER, /* behind a value */
    TW_GEMMA_AT_STRING,
    TW_GEMMA_AT_QUOTED,
    TW_GEMMA_AT_BARE,
    TW_GEMMA_AT_NUMBER /* too long to be held */
};

/* An open object or array. */
typedef struct tw_gemma_frame {
    uint64_t comma;     /* where a comma waits for what follows it, + 1 */
    uint64_t cut_until; /* array: commas before this offset end elements */
    uint8_t closer;
    uint8_t separator; /* of the pair being read: `:` or `=` */
    bool used;         /* it has an element */
} tw_gemma_frame;

/* A look-ahead that was not decided: where it began and how far it got, so
 * that more bytes are not looked at from its beginning again. */
typedef struct tw_gemma_look {
    uint64_t from;
    uint64_t to;
} tw_gemma_look;

typedef struct tw_gemma_call tw_gemma_call;

/* What a format writes around strings and calls; each begins with `<`. */
typedef struct tw_gemma_wire {
    const char *delimiter; /* of strings */
    size_t delimiter_size;
    const char *close; /* of calls, as it is written */
    size_t close_size;
    bool stops; /* where the model stopped by itself, a marker stands */
    const tw_markers *marks;
    const tw_marker *markers; /* all */
    size_t marker_count;
} tw_gemma_wire;

/* The call being read. */
struct tw_gemma_call {
    const tw_gemma_wire *wire;
    tw_sink *sink;
    tw_window *window;
    uint8_t state; /* a tw_gemma_place */
    uint32_t index;
    bool paren;         /* in round brackets */
    uint8_t doubled;    /* braces that were dropped in front */
    tw_buffer frames;   /* tw_gemma_frame */
    tw_buffer run;      /* what advance.c wrote last */
    tw_buffer text;     /* of a string for the whole object ... */
    tw_json object;     /* ... and what reads it */
    uint64_t closer_at; /* where the root was closed */
    /* A string between delimiters holds a call's open marker; closers and
     * `call:NAME{` behind them. */
    bool quotes_marker, quotes_head;
    uint8_t quote; /* of a quoted string */
    uint64_t quote_at;
    bool raw_seen;
    uint8_t number; /* of a number too long to be held */
    tw_gemma_look blanks, key_blanks, key, held;
    /* A value without delimiters: offsets + 1, 0 where there is none. */
    uint64_t bare_closer, bare_comma, bare_delimiter;
    uint32_t bare_depth;
    uint8_t bare_last;   /* the last byte that is not blank */
    uint8_t bare_scalar; /* at its first comma: 0 unknown, 1 no, 2 yes */
    /* Why the call cannot go on: 0, or the diagnostic, and where. */
    uint32_t reason;
    uint64_t reason_at;
    bool truncated; /* ... and it is incomplete, not malformed */
};

/* Is the output over, and did the model stop where a marker closes calls? */
static inline bool tw_gemma_stopped(const tw_gemma_call *call)
{
    return call->window->surely && call->wire->stops;
}

enum { TW_LOOK_END = -1, TW_LOOK_MORE = -2 };

static inline int tw_look(const tw_window *window, const uint8_t *at)
{
    if (at < window->limit) {
        return *at;
    }
    return window->eof ? TW_LOOK_END : TW_LOOK_MORE;
}

/* marker.c.  The marker at |at|, which is a `<`, TW_GEMMA_NONE where the caller
 * said that it is text.  |*size| is its size. */
tw_gemma_marker tw_gemma_marker_at(const tw_gemma_call *call,
                                   const uint8_t *at, size_t *size);
/* The marker at |at| between the values of a call, and in one without
 * delimiters: half a stop marker, with which the model stopped, is one, too,
 * and so is half of the call's close. */
tw_gemma_marker tw_gemma_body_marker(const tw_gemma_call *call,
                                     const uint8_t *at, size_t *size);

static inline bool tw_gemma_ends_body(tw_gemma_marker marker)
{
    return marker != TW_GEMMA_NONE && marker != TW_GEMMA_DELIMITER &&
           marker != TW_GEMMA_MORE;
}

static inline bool tw_gemma_is_stop(tw_gemma_marker marker)
{
    return marker == TW_GEMMA_STOP || marker == TW_GEMMA_RESPONSE;
}

static inline tw_gemma_frame *tw_gemma_top(tw_gemma_call *call)
{
    return (tw_gemma_frame *)(void *)(call->frames.data + call->frames.size) -
           1;
}

static inline bool tw_gemma_in_array(tw_gemma_call *call)
{
    return tw_gemma_top(call)->closer == ']';
}

/* A closer of the body; round ones only where the call has them. */
static inline bool tw_gemma_is_closer(const tw_gemma_call *call, int c)
{
    return c == '}' || c == ']' || (c == ')' && call->paren);
}

#endif
