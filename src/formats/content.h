/* SPDX-License-Identifier: MIT
 *
 * One run of text or reasoning between calls, and what a format does at its
 * edges: some trim it, Hermes drops a line feed that touches a
 * call, both drop it where it is blank.
 *
 * What may turn out to be an edge is held: it lies in the window, not
 * released, |held| bytes of it.  It is blanks, and markers that stand where
 * they mean nothing.
 */
#ifndef TOOLWIRE_FORMATS_CONTENT_H
#define TOOLWIRE_FORMATS_CONTENT_H

#include "formats/format.h"
#include "formats/markers.h"

/* What a segment of text ends at. */
typedef enum tw_edge {
    TW_EDGE_OTHER,
    TW_EDGE_CALL,
    TW_EDGE_END, /* a stop, or the end of the output */
    TW_EDGE_COUNT
} tw_edge;

/* What of a segment's ends is framing: all white space, or white space that
 * the templates write there, as far as it is there. */
typedef struct tw_edges {
    bool trims;        /* all of it, and nothing of the below */
    bool lines;        /* where a line begins matters: see tw_content.line */
    const char *front; /* NULL: none */
    const char *back[TW_EDGE_COUNT]; /* by what follows; NULL: none */
    /* What follows from |back|. */
    uint8_t reach; /* so many bytes at the end may be framing */
    bool spaces;   /* not only line ends may be */
} tw_edges;

/* Sets what follows from |back|. */
void tw_edges_make(tw_edges *edges);

typedef struct tw_content {
    tw_edges edges;
    const tw_markers *marks; /* of the format */
    bool prose;            /* each begins as tw_may_begin_marker() says */
    bool begun;            /* it is not blank */
    bool line;     /* what went out last ends a line, where |edges.lines| */
    bool overlong; /* in a run of blanks that is too long to be an edge */
    bool markers;  /* not only blanks are held */
    uint32_t number;
    tw_event_type type;
    size_t held;
} tw_content;

void tw_content_start(tw_content *segment, tw_event_type type);
/* Holds the blanks that follow what is held.  Returns true if they were too
 * many and went out as they are. */
bool tw_content_look(tw_content *segment, tw_window *window, tw_sink *sink);
/* Holds a marker, too. */
void tw_content_hold_marker(tw_content *segment, size_t size);
/* [from, to), behind what is held, is text.  Delivers both, but for what may
 * be an edge again.  False: nothing could be moved. */
bool tw_content_run(tw_content *segment, tw_window *window, tw_sink *sink,
                    const uint8_t *from, const uint8_t *to);
/* The end of the text between the window and |limit| that goes out as it is,
 * with what is held, whatever follows: it is well-formed, no marker begins in
 * it, and no edge ends it.  What it would be is in |passed|.  A segment begins
 * with it where nothing is held in front. */
const uint8_t *tw_content_advance(tw_content *segment, const tw_window *window,
                                  tw_sink *sink, const uint8_t *limit,
                                  tw_advanced *advanced);
/* The segment ends behind what is held.  Where it |trims|, that is framing,
 * else it is text but for the white space that |edges| has there. */
void tw_content_end_before(tw_content *segment, tw_window *window,
                           tw_sink *sink, tw_edge edge);

/* Behind a stop marker: blanks are framing, anything else is dropped.
 * |*dropped| starts as 0. */
tw_step tw_drop_after_end(tw_window *window, tw_sink *sink, uint64_t *dropped);

#endif
