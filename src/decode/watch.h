/* SPDX-License-Identifier: MIT
 *
 * What text holds that no text should, and that is only warned of: a call of
 * another format, the marker that closes reasoning, and what goes on as a call
 * might behind a marker of the format's own.
 *
 * It looks at text events as they go out, from a byte that may begin a marker
 * on.  Text that holds no such byte goes by unseen (tw_skip_prose()).
 */
#ifndef TOOLWIRE_DECODE_WATCH_H
#define TOOLWIRE_DECODE_WATCH_H

#include "events/tools.h"
#include "formats/format.h"

enum {
    TW_WATCH_SIZE = 64, /* no more of a head is looked at */
    TW_WATCH_CALLS = 32 /* no more of a format's markers are watched */
};

typedef struct tw_watch {
    /* Of each marker that opens or closes a call so many bytes, up to behind a
     * token in it, are no text either; 0. */
    uint8_t stems[TW_WATCH_CALLS];
    bool stemmed;                /* that is known */
    uint8_t held[TW_WATCH_SIZE]; /* the end of the text: it may be a head's
                                    beginning ... */
    size_t size;
    uint64_t held_at; /* ... at this offset */
    /* What was found first; offsets are UINT64_MAX where nothing was. */
    const tw_format *foreign; /* whose call; NULL: none's */
    uint64_t foreign_at;
    const tw_marker *close; /* the format's own */
    uint64_t close_at;
    uint64_t open_at; /* a marker that opens reasoning, as text */
    /* Behind a marker that opens a call, as text; UINT64_MAX: there is none. */
    uint64_t opened_at;
    bool opened; /* one stands in the text in front */
    const tw_marker *opener;
    uint64_t inside; /* what stands behind the marker begins there */
    bool bracket;    /* one that a call has stood there */
    char word[TW_WATCH_SIZE];
    size_t word_size; /* beyond its room: that is no name */
    /* The first of these with a tool's name, or a bracket and a close. */
    const tw_marker *like;
    uint64_t like_at;
} tw_watch;

/* Must the watch see what text comes next, whatever it holds? */
static inline bool tw_watch_waits(const tw_watch *watch)
{
    return watch->size > 0 || watch->opened_at != UINT64_MAX;
}

void tw_watch_reset(tw_watch *watch);
/* A text event that did not go by unseen. */
void tw_watch_text(tw_watch *watch, const tw_format *own,
                   const tw_tools *tools, const tw_event *event);
/* The format of the first call in all of a text that is of no format; NULL:
 * there is none.  |*at| is where. */
const tw_format *tw_watch_whole(const char *text, size_t size, uint64_t *at);
/* The text is over, or something else stands behind it. */
void tw_watch_end(tw_watch *watch, const tw_format *own,
                  const tw_tools *tools);

#endif
