/* SPDX-License-Identifier: MIT
 *
 * What text holds that no text should, and that is only warned of: a call of
 * another format, and the marker that closes reasoning.
 *
 * It looks at text events as they go out, from a byte that may begin a marker
 * on.  Text that holds no such byte goes by unseen (tw_skip_prose()).
 */
#ifndef TOOLWIRE_DECODE_WATCH_H
#define TOOLWIRE_DECODE_WATCH_H

#include "formats/format.h"

enum {
    TW_WATCH_SIZE = 64, /* no more of a head is looked at */
    TW_WATCH_OWN = 8    /* no more of a format's markers are watched */
};

typedef struct tw_watch {
    const tw_marker *own[TW_WATCH_OWN]; /* those of reasoning */
    size_t own_count;
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
} tw_watch;

void tw_watch_init(tw_watch *, const tw_format *own);
void tw_watch_reset(tw_watch *);
/* A text event that did not go by unseen. */
void tw_watch_text(tw_watch *, const tw_format *own, const tw_event *);

#endif
