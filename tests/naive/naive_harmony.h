/* SPDX-License-Identifier: MIT
 *
 * Harmony, the second opinion: what its files share.
 *
 *     naive_harmony.c         tokens, the gaps between messages, where a header
 *                             ends: read it first
 *     naive_harmony_header.c  what a header says
 *     naive_harmony_begin.c   where a header begins
 *     naive_harmony_body.c    where a body ends, and what becomes of it
 */
#ifndef TOOLWIRE_TESTS_NAIVE_HARMONY_H
#define TOOLWIRE_TESTS_NAIVE_HARMONY_H

#include "naive.h"

/* The seven control literals are the only tokens; all other bytes are data. */
typedef enum harmony_kind {
    HARMONY_START,
    HARMONY_END,
    HARMONY_MESSAGE,
    HARMONY_CHANNEL,
    HARMONY_CONSTRAIN,
    HARMONY_RETURN,
    HARMONY_CALL,
    HARMONY_OUTPUT_END /* behind the last byte, size 0 */
} harmony_kind;

/* A text's markers lie in an array in their order; the last one is
 * HARMONY_OUTPUT_END. */
typedef struct harmony_marker {
    harmony_kind kind;
    size_t at, size;
} harmony_marker;

typedef struct harmony_slice {
    const char *data;
    size_t size;
} harmony_slice;

harmony_slice harmony_slice_of(const char *data, size_t size);
bool harmony_equals(harmony_slice word, const char *other);
bool harmony_is_one_of(harmony_slice word, const char *const *list);
harmony_slice harmony_up_to(harmony_slice word, char stop);

/* Space, TAB, CR, LF, VT, FF: the blanks around headers and between messages.
 * Inside a header there are more, but only naive_harmony_header.c needs them.
 */
bool harmony_is_blank(char byte);
size_t harmony_skip_blanks(const char *text, size_t at, size_t end);
size_t harmony_trim_blanks(const char *text, size_t at, size_t end);
bool harmony_starts(const char *text, size_t at, size_t end, const char *word);
/* Is text[at, end) a beginning of |word|?  Nothing and all of it count too. */
bool harmony_begins(const char *text, size_t at, size_t end, const char *word);

extern const char *const harmony_channels[]; /* these end with NULL */
extern const char *const harmony_roles[];
extern const char *const harmony_types[];

bool harmony_is_name_byte(char byte);
/* "analysis", "commentary" or "final" if |word| is that in any case; or NULL.
 */
const char *harmony_channel(harmony_slice word);

/* --- naive_harmony_begin.c --------------------------------------------- */

/* Where does a header begin?  CUT: the text ends before that is clear. */
typedef enum harmony_verdict {
    HARMONY_NO,
    HARMONY_YES,
    HARMONY_CUT
} harmony_verdict;

/* May text[at, end), which has no marker, be the rest of a header of which
 * the prompt holds the beginning?  |*sure| is behind the byte that says YES.
 */
harmony_verdict harmony_rest_of_header(const char *text, size_t at, size_t end,
                                       size_t *sure);

/* Is the |markers[0]| (a start or channel) inside a body the beginning of the
 * next header?  Nothing from |end| on is seen.  |*behind|: where the data of
 * a body goes on if the answer is NO. */
harmony_verdict harmony_next_header(const char *text, size_t end,
                                    const harmony_marker *markers,
                                    size_t *behind);

/* The engine stripped the markers: text[at, end) may begin with `assistant`
 * and a channel name glued to its body, or a recipient. */
typedef struct harmony_stripped {
    harmony_verdict verdict;
    size_t visible;      /* where a header or a body begins */
    const char *channel; /* of the body; NULL: a header begins */
    size_t sure;         /* of a header: behind its `to=` */
    bool plain;          /* a canonical completion begins like this too */
} harmony_stripped;

harmony_stripped harmony_read_stripped(const char *text, size_t at, size_t end);

/* Is text[at, end) a beginning of a role's or a channel's name? */
bool harmony_begins_header(const char *text, size_t at, size_t end);

typedef struct harmony_span {
    const char *text;
    size_t at, end;
    bool explicit_start;           /* it begins with <|start|> */
    bool stripped;                 /* no marker has been seen yet */
    const harmony_marker *markers; /* the first one at |at| or later */
} harmony_span;

/* A header without <|message|> and without a tool: where does its body begin?
 * |*channel| is its channel or NULL. */
size_t harmony_body_of_header(const harmony_span *, const char **channel);

/* --- naive_harmony_header.c -------------------------------------------- */

typedef struct harmony_header {
    const char *channel; /* the last known one, or NULL */
    bool foreign;        /* not written by the assistant */
    bool has_name;       /* there is a tool as recipient */
    bool function;       /* it was spelled functions.NAME */
    bool callish;        /* no tool is named, but one is addressed, or there is
                            a content type that no answer has */
    naive_bytes name;
} harmony_header;

/* Diagnostics go to |message| unless that is NULL. */
void harmony_parse_header(const naive_options *, const harmony_span *,
                          naive_message *message, harmony_header *out);
bool harmony_is_listed(const naive_options *, harmony_slice name);

/* --- naive_harmony.c and naive_harmony_body.c -------------------------- */

typedef struct harmony_reader {
    const naive_options *options;
    naive_message *message;
    const char *text;
    size_t size;
    harmony_marker *markers;
    size_t marker_count;
    size_t cut; /* where the end of output cuts a marker off; else |size| */
    bool first; /* the text may begin in the middle of a header */
} harmony_reader;

/* The first marker at |at| or later. */
const harmony_marker *harmony_marker_from(const harmony_reader *, size_t at);
bool harmony_is_terminator(harmony_kind);
/* Markers may be stripped from the text up to the first one in it. */
size_t harmony_stripped_until(const harmony_reader *);

typedef enum harmony_body_kind {
    BODY_TEXT,
    BODY_REASONING,
    BODY_CALL,
    BODY_CUSTOM,
    BODY_FOREIGN,
    BODY_UNUSABLE /* of a call that never begins */
} harmony_body_kind;

typedef struct harmony_body {
    harmony_body_kind kind;
    size_t head; /* where its header begins */
    size_t at;
    size_t plain_until; /* markers in front of this are data: a header that
                           was none had them */
    size_t next_header; /* the marker here ends the body, whatever follows */
    bool any_header;    /* so does every start and channel marker */
    const naive_bytes *name; /* of a call */
    const char *reason;      /* BODY_UNUSABLE: why, diagnosed at |wrong| */
    size_t wrong;
    bool refused; /* BODY_UNUSABLE: a limit, of a call with JSON */
} harmony_body;

/* A block up to |end| that is no call: one diagnostic, at |wrong|, says why.
 */
void harmony_refuse(harmony_reader *, const harmony_body *, size_t end,
                    const char *reason, size_t wrong);
/* Answers where the next gap begins. */
size_t harmony_read_body(harmony_reader *, const harmony_body *);
/* Behind a terminator; nothing is read behind <|return|>. */
size_t harmony_skip_terminator(harmony_reader *, const harmony_marker *);

#endif
