/* SPDX-License-Identifier: MIT
 *
 * The door of Gemma 4's room.  grammar/gemma4.re opens with the grammar of a
 * completion; a call is, for example,
 *
 *     <|tool_call>call:wx{city:<|"|>Oslo<|"|>,days:3}<tool_call|>
 *
 * A string has no escapes and may hold anything but its own end: what follows
 * a delimiter tells whether it is one (look.h).  decode.c reads the turn,
 * head.c and block.c find its calls, value.c, string.c and bare.c read what
 * stands in them; encode.c and those beside it write.
 */
#ifndef TOOLWIRE_FORMATS_GEMMA4_GEMMA4_H
#define TOOLWIRE_FORMATS_GEMMA4_GEMMA4_H

#include "core/skip.h"
#include "formats/body/gemma/word.h"
#include "formats/format.h"
#include "json/machine.h"

typedef enum tw_gemma4_marker {
    TW_GEMMA4_NONE,
    TW_GEMMA4_CALL,
    TW_GEMMA4_CALL_END,
    TW_GEMMA4_CHANNEL,
    TW_GEMMA4_CHANNEL_END,
    TW_GEMMA4_DELIMITER,
    TW_GEMMA4_TURN_END, /* from here on: stop markers */
    TW_GEMMA4_EOS,
    TW_GEMMA4_RESPONSE,
    TW_GEMMA4_MORE /* not decided before |limit| */
} tw_gemma4_marker;

typedef enum tw_gemma4_scalar {
    TW_GEMMA4_NO_SCALAR,
    TW_GEMMA4_NUMBER,
    TW_GEMMA4_TRUE,
    TW_GEMMA4_FALSE,
    TW_GEMMA4_NULL,
    TW_GEMMA4_PYTHON_TRUE,
    TW_GEMMA4_PYTHON_FALSE,
    TW_GEMMA4_PYTHON_NULL
} tw_gemma4_scalar;

tw_gemma4_marker tw_gemma4_scan_marker(const uint8_t *at, const uint8_t *limit,
                                       bool eof, size_t *size);
tw_gemma4_scalar tw_gemma4_scan_scalar(const uint8_t *at,
                                       const uint8_t *limit);

/* An open object or array. */
typedef struct tw_gemma4_frame {
    uint64_t comma;     /* where a comma waits for what follows it, + 1 */
    uint64_t cut_until; /* array: commas before this offset end elements */
    uint8_t closer;
    uint8_t separator; /* of the pair being read: `:` or `=` */
    bool used;         /* it has an element */
} tw_gemma4_frame;

/* A look-ahead that was not decided: where it began and how far it got, so
 * that more bytes are not looked at from its beginning again. */
typedef struct tw_gemma4_look {
    uint64_t from;
    uint64_t to;
} tw_gemma4_look;

/* The call being read; value.c reads what stands in its braces. */
typedef struct tw_gemma4_call {
    tw_sink *sink;
    tw_window *window;
    uint8_t state;
    uint32_t index;
    bool paren;         /* in round brackets */
    uint8_t doubled;    /* braces that were dropped in front */
    tw_buffer frames;   /* tw_gemma4_frame */
    tw_buffer run;      /* what advance.c wrote last */
    tw_buffer text;     /* of a string for the whole object ... */
    tw_json object;     /* ... and what reads it */
    uint64_t closer_at; /* where the root was closed */
    uint8_t quote;      /* of a quoted string */
    uint64_t quote_at;
    bool raw_seen;
    uint8_t number; /* of a number too long to be held */
    tw_gemma4_look blanks, key_blanks, key, held;
    /* A value without delimiters: offsets + 1, 0 where there is none. */
    uint64_t bare_closer, bare_comma, bare_delimiter;
    uint32_t bare_depth;
    uint8_t bare_last;   /* the last byte that is not blank */
    uint8_t bare_scalar; /* at its first comma: 0 unknown, 1 no, 2 yes */
    /* Why the call cannot go on: 0, or the diagnostic, and where. */
    uint32_t reason;
    uint64_t reason_at;
    bool truncated; /* ... and it is incomplete, not malformed */
} tw_gemma4_call;

/* Begins behind the opening bracket. */
bool tw_gemma4_call_start(tw_gemma4_call *, uint32_t index, bool paren);
/* Reads on.  TW_STEP_DONE: the root is closed, or |reason| is set. */
tw_step tw_gemma4_call_step(tw_gemma4_call *);

/* ---- shared by both files ----------------------------------------------- */

enum { TW_LOOK_END = -1, TW_LOOK_MORE = -2 };

static inline int tw_look(const tw_window *window, const uint8_t *at)
{
    if (at < window->limit) {
        return *at;
    }
    return window->eof ? TW_LOOK_END : TW_LOOK_MORE;
}

/* The marker at |at|, TW_GEMMA4_NONE where the caller said that it is text.
 * |*size| is its size. */
tw_gemma4_marker tw_gemma4_marker_at(const tw_window *, const uint8_t *at,
                                     size_t *size);

/* Inside the body of a call, `<channel|>` is no marker. */
static inline bool tw_gemma4_ends_body(tw_gemma4_marker marker)
{
    return marker != TW_GEMMA4_NONE && marker != TW_GEMMA4_DELIMITER &&
           marker != TW_GEMMA4_CHANNEL_END && marker != TW_GEMMA4_MORE;
}

static inline bool tw_gemma4_is_stop(tw_gemma4_marker marker)
{
    return marker == TW_GEMMA4_TURN_END || marker == TW_GEMMA4_EOS ||
           marker == TW_GEMMA4_RESPONSE;
}

static inline bool tw_gemma4_starts_word(int c)
{
    return c >= 0x80 || (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') ||
           c == '_';
}

/* family.c: its dialects; the last one has no name. */
extern const tw_format tw_gemma4_formats[];
extern const tw_marker tw_gemma4_markers[];
extern const size_t tw_gemma4_marker_count;

#endif
