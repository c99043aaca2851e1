/* SPDX-License-Identifier: MIT
 *
 * One run of text or reasoning between calls, and what a format does at its
 * edges (DESIGN R9): Gemma trims it, Hermes drops a line feed that touches a
 * call, both drop it where it is blank.
 *
 * What may turn out to be an edge is held: it lies in the window, not
 * released, |held| bytes of it.  It is blanks, and markers that stand where
 * they mean nothing.
 */
#ifndef TOOLWIRE_FORMATS_CONTENT_H
#define TOOLWIRE_FORMATS_CONTENT_H

#include "formats/format.h"
#include "formats/frame/markers.h"

/* What of a segment's ends is framing. */
typedef struct tw_edges {
    bool trims;         /* all blanks at both ends, else line feeds only */
    uint8_t strips;     /* line feeds in front */
    uint8_t strips_end; /* is one at the end? */
} tw_edges;

typedef struct tw_content {
    tw_edges edges;
    const tw_marks *marks; /* of the format; NULL: Gemma's, `<` to `>` */
    bool prose;            /* each begins as tw_may_begin_marker() says */
    uint8_t stray;         /* the diagnostic of a held marker */
    bool begun;            /* it is not blank */
    bool overlong; /* in a run of blanks that is too long to be an edge */
    bool markers;  /* not only blanks are held */
    uint32_t number;
    tw_event_type type;
    size_t held;
} tw_content;

void tw_content_start(tw_content *, tw_event_type);
/* Holds the blanks that follow what is held.  Returns true if they were too
 * many and went out as they are. */
bool tw_content_look(tw_content *, tw_window *, tw_sink *);
/* Holds a marker, too. */
void tw_content_hold_marker(tw_content *, size_t size);
/* [from, to), behind what is held, is text.  Delivers both, but for what may
 * be an edge again.  False: nothing could be moved. */
bool tw_content_run(tw_content *, tw_window *, tw_sink *, const uint8_t *from,
                    const uint8_t *to);
/* The end of the text between the window and |limit| that goes out as it is,
 * with what is held, whatever follows: it is well-formed, no marker begins in
 * it, and no edge ends it.  What it would be is in |passed|.  A segment begins
 * with it where nothing is held in front. */
const uint8_t *tw_content_advance(tw_content *, const tw_window *, tw_sink *,
                                  const uint8_t *limit, tw_advanced *advanced);
/* The segment ends behind what is held.  Where it |trims|, that is framing,
 * else it is text but for one line feed if |touches_call|. */
void tw_content_end(tw_content *, tw_window *, tw_sink *);
void tw_content_end_before(tw_content *, tw_window *, tw_sink *,
                           bool touches_call);

/* Behind a stop marker: blanks are framing, anything else is dropped.
 * |*dropped| starts as 0. */
tw_step tw_drop_after_end(tw_window *, tw_sink *, uint64_t *dropped);

#endif
