/* SPDX-License-Identifier: MIT
 *
 * The markers that structure a framed format's output, and what stands at a
 * byte: one table a format, in which no byte has a meaning of its own.
 */
#ifndef TOOLWIRE_FORMATS_MARKERS_H
#define TOOLWIRE_FORMATS_MARKERS_H

#include "core/window.h"

/* What a marker may be; one byte string may be several of these. */
enum {
    TW_AT_CALL = 1, /* a call may begin */
    TW_AT_CALL_END = 2,
    TW_AT_SECTION = 4, /* a section of calls may begin */
    TW_AT_SECTION_END = 8,
    TW_AT_REASONING = 16,
    TW_AT_REASONING_END = 32,
    TW_AT_TEXT = 64, /* a wrapper around text begins */
    TW_AT_TEXT_END = 128,
    TW_AT_STOP = 256,
    /* Roles of markers that are text like any other: one counts where its head
     * goes on, or where its call is open, and nowhere else. */
    TW_AT_PLAIN_CALL = 512,
    TW_AT_PLAIN_END = 1024,
    TW_AT_END = 2048,       /* what is written between a text and the stop */
    TW_AT_CALL_STOP = 4096, /* a stop that is written behind calls alone */
    TW_AT_OUTSIDE = TW_AT_REASONING | TW_AT_TEXT | TW_AT_TEXT_END | TW_AT_END,
    TW_AT_MORE = 0x8000 /* not decided before the window's end */
};

typedef struct tw_mark_text {
    const char *text;
    uint8_t size;
    uint8_t next;  /* + 1: the next marker of the same first byte; 0: none */
    uint8_t token; /* a single token stands in it, which never comes from
                      ordinary text: of so many bytes; 0: none ... */
    uint8_t token_at; /* ... and behind so many */
    uint8_t last;  /* where the token stands that it ends with, another than
                      that; 0: none */
    uint16_t roles;
} tw_mark_text;

/* Tokens that are no marker by themselves are one with the words beside them.
 * So much white space is read on either side of the words: layout, as those
 * write it that put a blank between tokens. */
enum { TW_MARKER_WS = 8 };

/* What tw_mark_text_at() asks where the last of |front| bytes is right. */
size_t tw_mark_text_behind(const char *text, size_t size, size_t token,
                           size_t last, size_t front, const uint8_t *at,
                           size_t left, bool *cut);

/* How many bytes at |at| are the first |size| of |text|, which has its tokens
 * as a tw_mark_text has; 0: they are not, or, *cut, |limit| stands in them.
 *
 * A format's words begin alike.  They differ in the last of the bytes that no
 * blanks may stand between, which is looked at first. */
static inline size_t tw_mark_text_at(const char *text, size_t size,
                                     size_t token, size_t last,
                                     const uint8_t *at, const uint8_t *limit,
                                     bool *cut)
{
    const size_t left = (size_t)(limit - at);
    const size_t front = token > 0 && token < size ? token
                         : last > 0 && last < size ? last
                                                   : size;
    *cut = false;
    return front > 0 && front <= left &&
                   at[front - 1] != (uint8_t)text[front - 1]
               ? 0
               : tw_mark_text_behind(text, size, token, last, front, at, left,
                                     cut);
}

enum { TW_MARKERS_MOST = 96, TW_MARKER_LONGEST = 255 };

typedef struct tw_markers {
    const tw_mark_text *all; /* longest first among those of one byte */
    uint8_t count;
    uint8_t longest;
    bool angles;        /* all begin with `<` */
    bool prose;         /* all as tw_may_begin_marker() says */
    bool apart;         /* none begins with a byte of JSON outside strings */
    uint8_t first[256]; /* by first byte: its first marker + 1; 0: none */
    uint8_t second[256 / 8]; /* a bit for each byte that may stand behind a
                                first one */
} tw_markers;

typedef struct tw_found {
    uint16_t roles; /* 0: no marker */
    uint16_t size;
    uint8_t token; /* as in tw_mark_text */
    uint8_t token_at;
} tw_found;

/* The marker at |at|, where MORE says that more bytes decide. */
tw_found tw_markers_scan(const tw_markers *markers, const uint8_t *at,
                         const uint8_t *limit, bool eof);

/* The marker at |at|, at or in front of the limit; one whose token stands
 * where the caller said that there is text is none. */
tw_found tw_marker_at(const tw_markers *markers, const tw_window *window,
                      const uint8_t *at);
/* The end of input cuts a marker at |at| in two, one with any of |roles|. */
bool tw_marker_is_cut(const tw_markers *markers, const tw_window *window,
                      const uint8_t *at, unsigned roles);

/* The end of input cuts a marker of any role at |at| in two, behind a token
 * that is whole and begins it: what stands there is no text. */
bool tw_marker_is_half(const tw_markers *markers, const tw_window *window,
                       const uint8_t *at);

/* |all|, of which |count| are given in any order, becomes a table. */
void tw_markers_make(tw_markers *markers, tw_mark_text *all, size_t count);

static inline bool tw_markers_may_follow(const tw_markers *markers, uint8_t c)
{
    return (markers->second[c >> 3] >> (c & 7) & 1) != 0;
}

/* May a marker begin at |at| < |limit|?  Where only one byte is in view, that
 * one decides. */
static inline bool tw_markers_may_begin(const tw_markers *markers,
                                        const uint8_t *at,
                                        const uint8_t *limit)
{
    return markers->first[*at] != 0 &&
           (limit - at < 2 || tw_markers_may_follow(markers, at[1]));
}

/* The first byte of [at, to) where one may begin, or |to|; bytes up to |limit|
 * are in view. */
const uint8_t *tw_markers_find(const tw_markers *markers, const uint8_t *at,
                               const uint8_t *to, const uint8_t *limit);

#endif
