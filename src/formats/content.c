/* SPDX-License-Identifier: MIT
 *
 * A run's white space and unfinished markers are held until the next byte
 * tells whether they are content.
 */
#include "formats/content.h"

#include <string.h>

#include "core/skip.h"
#include "core/utf8.h"

void tw_edges_make(tw_edges *edges)
{
    edges->reach = 0;
    edges->spaces = false;
    for (size_t i = 0; i < TW_EDGE_COUNT; i++) {
        size_t size = 0;
        for (const char *at = edges->back[i]; at != NULL && *at != 0; at++) {
            size += *at == '\n' ? 2 : 1; /* CR LF */
            edges->spaces = edges->spaces || *at == ' ' || *at == '\t';
        }
        edges->reach = size > edges->reach ? (uint8_t)size : edges->reach;
    }
}

void tw_content_start(tw_content *segment, tw_event_type type)
{
    segment->type = type;
    segment->begun = segment->overlong = segment->markers = false;
    segment->line = false;
    segment->held = 0;
}

static void framing(tw_window *window, tw_sink *sink, size_t size)
{
    tw_sink_framing(sink, window->offset, size);
    tw_window_skip(window, size);
}

static size_t text(tw_content *segment, tw_window *window, tw_sink *sink,
                   size_t size, bool open)
{
    const size_t taken = tw_sink_text(sink, segment->type, segment->number,
                                      window->at, size, open);
    tw_window_skip(window, taken);
    segment->line = taken > 0 ? window->at[-1] == '\n' : segment->line;
    return taken;
}

/* The size of the run of blanks, or of the marker, that begins at |at|. */
static size_t held_part(const tw_content *segment, const uint8_t *at,
                        size_t size, tw_found *found)
{
    size_t end = 0;
    if (!tw_is_ws(*at)) {
        *found = tw_markers_scan(segment->marks, at, at + size, true);
        return found->size;
    }
    while (end < size && tw_is_ws(at[end])) {
        end++;
    }
    return end;
}

/* What is said of a held marker. */
static uint32_t stray(const tw_found *found)
{
    return (found->roles & TW_AT_REASONING_END) != 0
               ? TW_DIAGNOSTIC_STRAY_MARKER
               : TW_DIAGNOSTIC_ORPHAN_CLOSE_TAG;
}

/* Releases what is held, as text or as framing.  A marker that is a single
 * token is skipped in either case; another one is text in text. */
static void release(tw_content *segment, tw_window *window, tw_sink *sink,
                    bool as_text)
{
    while (segment->held > 0) {
        tw_found found = {0};
        const size_t size = segment->markers ? held_part(segment, window->at,
                                                         segment->held, &found)
                                             : segment->held;
        const bool marker = segment->markers && !tw_is_ws(*window->at);
        segment->held -= size;
        if (as_text && !(marker && (found.token || segment->edges.trims))) {
            text(segment, window, sink, size, false);
            continue;
        }
        /* The close of a wrapper that the prompt has opened is none. */
        if (marker && !(as_text && (found.roles & TW_AT_TEXT_END) != 0)) {
            tw_sink_diagnostic(sink, stray(&found), window->offset);
        }
        framing(window, sink, size);
    }
    segment->markers = false;
}

/* Of the held bytes in front of a segment that is not blank, the white space
 * that a template puts there. */
static size_t stripped(const tw_content *segment, const uint8_t *at)
{
    const char *front = segment->edges.front;
    size_t size = 0;
    for (; front != NULL && *front != 0 && size < segment->held; front++) {
        const bool feed =
            *front == '\n' && at[size] == '\r' && size + 1 < segment->held;
        if (at[size + feed] != (uint8_t)*front) {
            break;
        }
        size += feed + (size_t)1;
    }
    return size;
}

/* How many bytes are stripped at the end of what is held. */
static size_t stripped_end(const tw_content *segment, const uint8_t *at,
                           tw_edge edge)
{
    const char *back = segment->edges.back[edge];
    size_t left = segment->held;
    for (size_t n = back != NULL ? strlen(back) : 0;
         n > 0 && left > 0 && at[left - 1] == (uint8_t)back[n - 1]; n--) {
        left--;
        left -= back[n - 1] == '\n' && left > 0 && at[left - 1] == '\r';
    }
    return segment->held - left;
}

/* The segment is not blank.  |whole|: more blanks stand in front than are
 * held, and they go out as they are. */
static void begin(tw_content *segment, tw_window *window, tw_sink *sink,
                  bool whole)
{
    segment->number = tw_sink_segment(sink);
    if (segment->edges.trims) {
        release(segment, window, sink, whole);
        segment->begun = true;
        return;
    }
    segment->begun = true;
    const size_t size = stripped(segment, window->at);
    framing(window, sink, size);
    segment->held -= size;
    release(segment, window, sink, true);
}

/* The rest of a run of blanks that is too long to be held. */
static void run_of_blanks(tw_content *segment, tw_window *window,
                          tw_sink *sink)
{
    const uint8_t *at = window->at;
    while (at < window->limit && tw_is_ws(*at)) {
        at++;
    }
    segment->overlong = at == window->limit;
    text(segment, window, sink, (size_t)(at - window->at), false);
}

/* May |c| be framing at the end of text? */
static bool is_edge(const tw_content *segment, uint8_t c)
{
    return segment->edges.reach > 0 &&
           (c == '\n' || c == '\r' ||
            (segment->edges.spaces && (c == ' ' || c == '\t')));
}

/* What stands behind text and may be framing is held; what is too much of it
 * goes out. */
static bool hold_edge(tw_content *segment, tw_window *window, tw_sink *sink)
{
    const uint8_t *to = window->at + segment->held;
    while (to < window->limit && is_edge(segment, *to)) {
        to++;
    }
    const size_t size = (size_t)(to - window->at);
    const size_t reach = segment->edges.reach;
    const bool much = size > reach && !segment->markers;
    if (much) {
        text(segment, window, sink, size - reach, false);
    }
    segment->held = much ? reach : size;
    return much;
}

bool tw_content_look(tw_content *segment, tw_window *window, tw_sink *sink)
{
    if (segment->overlong) {
        run_of_blanks(segment, window, sink);
    }
    const bool much = segment->held > TW_HOLD_WS; /* by a marker */
    if (much) {
        release(segment, window, sink, segment->begun);
    }
    const size_t size = tw_window_size(window);
    const uint8_t *at = window->at;
    if (segment->begun && !segment->edges.trims) {
        return hold_edge(segment, window, sink) || much;
    }
    const uint8_t *reach =
        size > TW_HOLD_WS ? at + TW_HOLD_WS + 1 : window->limit;
    segment->held = (size_t)(tw_behind_ws(at + segment->held, reach) - at);
    if (segment->held <= TW_HOLD_WS) {
        return much;
    }
    if (segment->begun) {
        release(segment, window, sink, true);
    } else {
        begin(segment, window, sink, true);
    }
    if (segment->edges.trims) {
        run_of_blanks(segment, window, sink);
    }
    return true;
}

void tw_content_hold_marker(tw_content *segment, size_t size)
{
    segment->held += size;
    segment->markers = true;
}

/* How much of the end of [from, to) may be an edge. */
static size_t edge(const tw_content *segment, const uint8_t *from,
                   const uint8_t *to)
{
    const uint8_t *end = to;
    if (segment->edges.trims) {
        while (end > from && tw_is_ws(end[-1])) {
            end--;
        }
    } else {
        const size_t reach = segment->edges.reach;
        while (end > from && (size_t)(to - end) < reach &&
               is_edge(segment, end[-1])) {
            end--;
        }
    }
    return (size_t)(to - end);
}

bool tw_content_run(tw_content *segment, tw_window *window, tw_sink *sink,
                    const uint8_t *from, const uint8_t *to)
{
    const bool moved = segment->held > 0;
    if (segment->begun) {
        release(segment, window, sink, true);
    } else {
        begin(segment, window, sink, false);
    }
    size_t held = edge(segment, from, to);
    const uint8_t *end = to - held;
    if (held > TW_HOLD_WS) { /* too many: tw_content_look() counts them */
        held = 0;
    }
    const size_t size = (size_t)(end - from);
    const bool open = end == window->limit && !window->eof;
    const size_t taken = text(segment, window, sink, size, open);
    segment->held = taken == size ? held : 0;
    return moved || taken > 0 || segment->held > 0;
}

/* The end of the well-formed text at |at| that begins no marker, of this
 * format or of any other: those are looked for, too. */
static const uint8_t *plain_text(const tw_content *segment, const uint8_t *at,
                                 const uint8_t *limit)
{
    if (segment->prose) {
        return tw_skip_prose(at, limit);
    }
    const uint8_t *to = at;
    for (size_t size = TW_UTF8_REACH; at == to && at < limit; size *= 2) {
        to = tw_utf8_reach(at, limit, size);
        at = tw_skip_prose(at, tw_markers_find(segment->marks, at, to, limit));
    }
    return at;
}

/* May a marker begin with |c|? */
static bool may_begin(const tw_content *segment, uint8_t c)
{
    return (tw_plain_kinds[c] & TW_PLAIN_PROSE) == 0 ||
           (!segment->prose && segment->marks->first[c] != 0);
}

/* Begins the segment with |c|.  False: what it is is to be seen. */
static bool begin_with(tw_content *segment, tw_sink *sink, uint8_t c)
{
    if (segment->held > 0 || segment->overlong || tw_is_ws(c) ||
        may_begin(segment, c) || c >= 0x80) {
        return false;
    }
    segment->begun = true;
    segment->number = tw_sink_segment(sink);
    return true;
}

const uint8_t *tw_content_advance(tw_content *segment, const tw_window *window,
                                  tw_sink *sink, const uint8_t *limit,
                                  tw_advanced *advanced)
{
    const uint8_t *at = window->at;
    const uint8_t *next = at + segment->held;
    if (limit - next < 2 ? next >= limit : tw_may_begin_marker(next)) {
        return at; /* most often a marker follows what is held */
    }
    if (segment->overlong ||
        (!segment->begun && !begin_with(segment, sink, *at))) {
        return at;
    }
    const uint8_t *to = plain_text(segment, at, limit);
    to -= edge(segment, at, to);
    if ((size_t)(to - at) <= segment->held) {
        return at;
    }
    segment->held = 0;
    advanced->type = segment->type;
    advanced->index = segment->number;
    segment->line = to[-1] == '\n';
    const bool lines = segment->edges.lines;
    advanced->run_class =
        to == window->limit && segment->prose && !(lines && segment->line)
            ? TW_PLAIN_PROSE
            : 0;
    advanced->run_lowest =
        segment->edges.trims || segment->edges.spaces ? ' ' + 1
        : segment->edges.reach > 0 || lines           ? '\r' + 1
                                                      : 0; /* begins no edge */
    return to;
}

void tw_content_end_before(tw_content *segment, tw_window *window,
                           tw_sink *sink, tw_edge edge)
{
    const bool text = segment->begun && !segment->edges.trims;
    if (text) {
        const size_t strip = stripped_end(segment, window->at, edge);
        segment->held -= strip;
        release(segment, window, sink, true);
        segment->held = strip;
    }
    release(segment, window, sink, false);
}

tw_step tw_drop_after_end(tw_window *window, tw_sink *sink, uint64_t *dropped)
{
    const uint8_t *at = window->at;
    while (*dropped == 0 && at < window->limit && tw_is_ws(*at)) {
        at++;
    }
    if (*dropped == 0) {
        framing(window, sink, (size_t)(at - window->at));
        if (at < window->limit) {
            *dropped = window->offset + 1;
        }
    }
    tw_window_skip(window, tw_window_size(window));
    if (!window->eof) {
        return TW_STEP_MORE;
    }
    if (*dropped > 0) {
        tw_sink_dropped(sink, TW_DIAGNOSTIC_OUTPUT_AFTER_END, *dropped - 1,
                        window->offset - (*dropped - 1));
        *dropped = 0; /* said; there is nothing left to drop */
    }
    return TW_STEP_DONE;
}
