/* SPDX-License-Identifier: MIT
 *
 * The door of Harmony's room.  A completion begins inside a header, behind
 * `<|start|>assistant` of the prompt:
 *
 *     completion = header-rest "<|message|>" body end *( message )
 *     message    = "<|start|>" header "<|message|>" body end
 *     header     = role [ SP "to=" target ] [ "<|channel|>" channel ]
 *                  [ SP ["<|constrain|>"] type ]       ; in any order
 *     end        = "<|end|>" / "<|call|>" / "<|return|>"
 *
 * for example
 *
 *     <|channel|>analysis<|message|>They want the weather.<|end|><|start|>
 *     assistant<|channel|>commentary to=functions.wx <|constrain|>json
 *     <|message|>{"city":"Oslo"}<|call|>
 *
 * (on one line).  A body has no escapes: a marker ends it, but for one that a
 * string of a call's JSON quotes.
 *
 * Models write the parts of a header in any order; the recipient decides what
 * the body is, then the channel.
 *
 * What decodes: decode.c says what stands at the window, a gap between
 * messages (gap.c), a header (held_header.c; canonical.c in one look) or a
 * body (held_body.c; quoted.c for what a string quotes); body.c says what a
 * body's data are. A template
 * writes prompts (grammar/harmony.jinja, and prompt.h beside it); transcript.c
 * and declared.c read them back.
 *
 * A part of a header is a row in each table that knows of it: its word in
 * slice.c, its marker in grammar/harmony.re and markers.c, the words that are
 * due behind it in header.c (due_behind), and in begins.c where it tells a
 * header from text.
 */
#ifndef TOOLWIRE_FORMATS_HARMONY_HARMONY_H
#define TOOLWIRE_FORMATS_HARMONY_HARMONY_H

#include "formats/format.h"
#include "formats/name_bytes.h"

typedef enum tw_harmony_marker {
    TW_HARMONY_NONE,
    TW_HARMONY_START,
    TW_HARMONY_CHANNEL,
    TW_HARMONY_CONSTRAIN,
    TW_HARMONY_MESSAGE,
    TW_HARMONY_END, /* from here on: what ends a message */
    TW_HARMONY_CALL,
    TW_HARMONY_RETURN,
    TW_HARMONY_MORE /* not decided before |limit| */
} tw_harmony_marker;

tw_harmony_marker tw_harmony_scan_marker(const uint8_t *at,
                                         const uint8_t *limit, bool eof,
                                         size_t *size);

/* A piece of text. */
typedef struct tw_slice {
    const uint8_t *from;
    const uint8_t *to;
} tw_slice;

#define TW_SLICE_SIZE(slice) ((size_t)((slice).to - (slice).from))

typedef enum tw_channel {
    TW_CHANNEL_NONE,
    TW_CHANNEL_ANALYSIS,
    TW_CHANNEL_COMMENTARY,
    TW_CHANNEL_FINAL
} tw_channel;

/* What a header says. */
typedef struct tw_harmony_header {
    tw_channel channel;
    tw_slice name; /* of the tool; |from| NULL: none */
    bool function; /* it stood in the namespace `functions` */
    bool foreign;  /* the message is of another author */
    bool marked;   /* it holds a marker */
    bool callish;  /* it names no tool, and its recipient is one, or its
                      content type is a call's */
} tw_harmony_header;

typedef enum tw_verdict {
    TW_VERDICT_NO,
    TW_VERDICT_YES,
    TW_VERDICT_WAIT,
    TW_VERDICT_BODY /* without markers: a body begins */
} tw_verdict;

/* The marker at |at|, NONE where the caller said that it is text. */
tw_harmony_marker tw_harmony_marker_at(const tw_window *window,
                                       const uint8_t *at, size_t *size);
/* The end of input cuts the marker at |at| in two. */
bool tw_harmony_is_cut_marker(const tw_window *window, const uint8_t *at);

/* ---- slice.c ------------------------------------------------------------ */

static inline bool tw_slice_is_space(uint8_t c)
{
    return c == ' ' || (c >= 9 && c <= 13);
}

/* The slice without its first |size| bytes; with what stands in front of the
 * first |c| alone. */
static inline tw_slice tw_slice_behind(tw_slice slice, size_t size)
{
    slice.from += size;
    return slice;
}
tw_slice tw_slice_before(tw_slice word, uint8_t c);
bool tw_slice_is(tw_slice slice, const char *word);
bool tw_slice_begins(tw_slice slice, const char *word);
/* Does |text|, read as UTF-8, end with |word|?  Ill-formed parts are alike. */
bool tw_slice_ends(tw_slice text, tw_slice word);
/* Without the blanks of ASCII at both ends, or in front. */
tw_slice tw_slice_strip(tw_slice slice);
tw_slice tw_slice_strip_front(tw_slice slice);
/* A role of the format, perhaps with a name behind a colon. */
bool tw_slice_is_role(tw_slice word);

/* What a word of a header may be. */
enum {
    TW_WORD_ROLE = 1,        /* who writes the message */
    TW_WORD_READER = 2,      /* behind `to=`: no tool */
    TW_WORD_ASSISTANT = 4,   /* the model itself */
    TW_WORD_CHANNEL = 8,     /* whom the message is for */
    TW_WORD_FINAL = 16,      /* the channel that is an English word */
    TW_WORD_TYPE = 32,       /* of the body */
    TW_WORD_CALL_TYPE = 64,  /* ... of a call */
    TW_WORD_TO = 128,        /* a recipient follows */
    TW_WORD_FUNCTIONS = 256, /* a function's name follows */
    TW_WORD_LAST = TW_WORD_FUNCTIONS
};

typedef struct tw_harmony_word {
    const char *text;
    uint32_t kinds;
} tw_harmony_word;

/* All of them; the channels are the first, in their order. */
enum { TW_WORDS = 15 };
extern const tw_harmony_word tw_harmony_words[TW_WORDS];

/* Is |slice| a word of these kinds?  May it become one? */
bool tw_slice_is_word(tw_slice slice, uint32_t kinds);
bool tw_slice_may_be_word(tw_slice slice, uint32_t kinds);

/* The size of the blank at |at|, 0 if it is none: Unicode's blanks and the
 * zero-width characters that models put behind a name. */
size_t tw_harmony_ws_at(const uint8_t *at, const uint8_t *to);
/* Is one of those that have no width in the slice? */
bool tw_slice_has_no_width(tw_slice text);

/* The channel of this name, compared without case. */
tw_channel tw_channel_named(tw_slice slice);
/* The channel whose name the slice begins with, in any case. */
tw_channel tw_channel_in_front(tw_slice slice);
const char *tw_channel_name(tw_channel channel);

/* family.c: its dialects; the last one has no name. */
extern const tw_format tw_harmony_formats[];
extern const tw_marker tw_harmony_markers[];
extern const size_t tw_harmony_marker_count;

#endif
