/* SPDX-License-Identifier: MIT
 *
 * The state of one Harmony completion, and the parts of its decoder: each
 * reads what may stand at the window, by the moves that all share.
 */
#ifndef TOOLWIRE_FORMATS_HARMONY_STATE_H
#define TOOLWIRE_FORMATS_HARMONY_STATE_H

#include "formats/harmony/body.h"

/* Text that may be filler between two messages. */
enum { TW_HARMONY_GAP_LIMIT = 64 };
/* What may be held in a body to find a header in it. */
enum { TW_HARMONY_HEADER_LIMIT = 300 };

enum tw_harmony_mode {
    TW_HARMONY_GAP,    /* before the first header, or between messages */
    TW_HARMONY_HEADER, /* held from the window on */
    TW_HARMONY_BODY,
    TW_HARMONY_TAIL, /* behind a terminator that stood inside a string */
    TW_HARMONY_DONE  /* behind <|return|> */
};

/* A header, as far as it was read; offsets. */
typedef struct tw_harmony_held {
    uint64_t seen;
    uint64_t channel; /* behind its last <|channel|> */
    size_t items;     /* bytes of text and markers */
    bool parts;       /* there is a marker of a part, not <|start|> alone */
    bool waits;       /* it is whole; its body decides what it is ... */
    tw_harmony_header header; /* ... and this is what it says */
} tw_harmony_held;

/* The places that a look for a header may stand at; begins.c says what leads
 * from one to the next. */
enum tw_harmony_begins {
    TW_BEGINS_NOTHING,
    TW_BEGINS_GAP, /* a look begins: text in front of any marker */
    TW_BEGINS_GAP_WORD,
    TW_BEGINS_GLUED,
    TW_BEGINS_TO,
    TW_BEGINS_START, /* a look begins: behind <|start|> in a body */
    TW_BEGINS_START_TO,
    TW_BEGINS_CHANNEL, /* a look begins: behind <|channel|> in a body */
    TW_BEGINS_CHANNEL_WORD,
    TW_BEGINS_CHANNEL_TO,
    TW_BEGINS_BARE, /* a look begins: where markers may have been stripped */
    TW_BEGINS_BARE_ROLE,
    TW_BEGINS_BARE_FINAL,
    TW_BEGINS_BARE_CHANNEL,
    TW_BEGINS_BARE_TO,
    TW_BEGINS_ROWS
};

/* A look whether a header begins at a place; offsets. */
typedef struct tw_harmony_look {
    uint64_t begin;     /* the place */
    uint64_t seen;      /* what stands in front was looked at */
    uint64_t text;      /* of the text that is looked at */
    uint64_t used;      /* what stands in front is framing */
    uint32_t words;     /* what the word that is read may be */
    uint8_t letters;    /* so many of it were read */
    uint8_t start;      /* where the look began */
    uint8_t row;        /* where it stands */
    tw_channel channel; /* the last one that was read */
    tw_verdict verdict;
} tw_harmony_look;

/* How far it was looked whether a string is closed behind a marker. */
typedef struct tw_harmony_quote {
    uint64_t begin; /* the marker, + 1 */
    uint64_t seen;
    bool escaped; /* behind a backslash */
    bool closed;  /* behind its quote: blanks */
} tw_harmony_quote;

typedef struct tw_harmony {
    tw_memory memory;
    tw_window *window;
    tw_sink *sink;
    tw_decode_options options;
    uint8_t mode;
    bool first;          /* nothing came yet but perhaps text */
    bool stripped;       /* no marker came yet, and none may come */
    bool explicit_start; /* the header begins with <|start|> */
    bool fresh;          /* its first marker is not yet read */
    size_t head_text;    /* bytes of it that stood in a gap */
    tw_harmony_held held;
    uint64_t sure_at;    /* a marker here ended a header: it begins the next
                            one, + 1 */
    uint64_t look;       /* in front of it stands no marker that counts ... */
    uint8_t look_marker; /* ... and there stands this one, if it is known */
    size_t look_size;
    tw_harmony_look next; /* what may be a header */
    tw_harmony_quote quote;
    uint64_t real_at;     /* the caller said of a marker here, inside a string,
                             that it is one, + 1 */
    uint64_t plain_until; /* no marker counts in front of this offset */
    tw_harmony_body body;
    bool cut; /* the output ends in half a marker that is data */
    uint64_t unclosed; /* in front of it no marker ends a body that may be a
                          call's */
    uint64_t dropped;
} tw_harmony;

/* decode.c */
extern const tw_decoding tw_harmony_decoding;

/* ---- what may stand at the window --------------------------------------- */

/* gap.c: what is before the first message, or between two. */
tw_step tw_harmony_read_gap(tw_harmony *state);
/* canonical.c: a header that needs no more than one look; does what the steps
 * of a gap and of a header would.  False: they must. */
bool tw_harmony_read_canonical(tw_harmony *state);
/* held_header.c */
tw_step tw_harmony_step_header(tw_harmony *state);
/* header.c: what the header [window, to) says; with |report|, what is odd in
 * it is diagnosed. */
tw_harmony_header tw_harmony_read_header(const tw_harmony *state,
                                         const uint8_t *to, bool report);
/* unknown.c: a message whose header, [window, body), is callish.  AGAIN: it is
 * to be listed (D21); DONE: it is what its channel says. */
tw_step tw_harmony_find_unknown(tw_harmony *state, const uint8_t *body);
/* The message is listed to its end. */
void tw_harmony_open_unknown(tw_harmony *state, const uint8_t *body);
/* held_body.c: a body; what stands behind a terminator in a string. */
tw_step tw_harmony_step_body(tw_harmony *state);
tw_step tw_harmony_step_tail(tw_harmony *state);

/* ---- state.c: the moves of all parts ------------------------------------ */

void tw_harmony_diagnose(const tw_harmony *state, uint32_t code,
                         const uint8_t *at);
/* Releases |size| bytes: as framing, or dropped with a diagnostic. */
void tw_harmony_framing(tw_harmony *state, size_t size);
void tw_harmony_drop(tw_harmony *state, uint32_t code, size_t size);
/* A body that is no call begins at the window. */
void tw_harmony_open_body(tw_harmony *state, tw_harmony_kind kind);
/* ... text or reasoning. */
void tw_harmony_open_visible(tw_harmony *state, tw_channel channel);
/* The header [window, body) is whole. */
void tw_harmony_open_message(tw_harmony *state,
                             const tw_harmony_header *header,
                             const uint8_t *body);
/* A call without a head begins at the window; see
 * tw_harmony_body_open_junk(). */
void tw_harmony_open_junk(tw_harmony *state, tw_slice name, uint32_t code);
/* Text without any header is content. */
void tw_harmony_headerless(tw_harmony *state);
/* A message was ended by |marker|. */
void tw_harmony_after_terminator(tw_harmony *state, tw_harmony_marker marker);

/* ---- quoted.c ----------------------------------------------------------- */

/* Is the marker at |at| in a body quoted inside a string of JSON?  YES: what
 * stands in front of *end is data. */
tw_verdict tw_harmony_is_quoted(tw_harmony *state, const uint8_t *at,
                                tw_harmony_marker marker, size_t size,
                                const uint8_t **end);

/* ---- markers.c ---------------------------------------------------------- */

bool tw_harmony_ends_message(tw_harmony_marker marker);
/* The first marker at or behind |at|.  *marker is MORE where that is not
 * decided at the returned place, NONE at the limit. */
const uint8_t *tw_harmony_find_marker(const tw_harmony *state,
                                      const uint8_t *at,
                                      tw_harmony_marker *marker, size_t *size);
/* The first one that counts at or behind the window; remembers how far there
 * is none. */
const uint8_t *tw_harmony_next_marker(tw_harmony *state,
                                      tw_harmony_marker *marker, size_t *size);

/* ---- begins.c ----------------------------------------------------------- */

/* Does the text [begin, to), which has no marker, begin as a header does?  It
 * was held since the last look. */
tw_verdict tw_harmony_look_at(tw_harmony *state, uint8_t start,
                              const uint8_t *begin, const uint8_t *to);
/* Is what follows <|start|> or <|channel|> at |begin| inside a body a header?
 * It was looked at up to *end. */
tw_verdict tw_harmony_next_header(tw_harmony *state, const uint8_t *begin,
                                  const uint8_t **end);
/* In a body: the first place in [window, to) where "assistant" and a header
 * whose markers were stripped may begin.  *verdict is WAIT if more is needed
 * to know. */
const uint8_t *tw_harmony_find_stripped(tw_harmony *state, const uint8_t *to,
                                        tw_verdict *verdict);

#endif
