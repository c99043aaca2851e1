/* SPDX-License-Identifier: MIT
 *
 * A section: markers around calls, and what stands between those.
 */
#include "core/skip.h"
#include "formats/frame/frame.h"

void tw_frame_leave_call(tw_frame *state)
{
    if (state->in_section) {
        state->window->recording = false;
        state->mode = TW_FRAME_SECTION;
    } else {
        tw_frame_enter_text(state, TW_BEHIND_CALL);
    }
}

static void leave_section(tw_frame *state)
{
    state->in_section = false;
    tw_frame_enter_text(state, TW_BEHIND_CALL);
}

/* ---- the section begins ------------------------------------------------- */

/* Nothing stands in it, up to |to|: it is listed. */
static void list_section(tw_frame *state, uint32_t code, const uint8_t *to)
{
    tw_window *window = state->window;
    tw_frame_end_segment(state, TW_EDGE_CALL);
    const uint64_t begin = window->offset;
    tw_sink_record(state->sink);
    tw_window_skip(window, (size_t)(to - window->at));
    tw_sink_diagnostic(state->sink, code, begin);
    tw_list_block(state->sink, code, begin);
    tw_frame_enter_text(state, TW_BEHIND_CALL);
}

/* The first call of a section at |at|; the section's marker is at |open|. */
static tw_step begin_first_call(tw_frame *state, const uint8_t *open,
                                const uint8_t *at, size_t size)
{
    const tw_window *window = state->window;
    const tw_head head =
        tw_frame_head_at(state, at, size, TW_PLACE_MARKER, NULL);
    if (head.kind == TW_HEAD_MORE) {
        return TW_STEP_MORE;
    }
    if (head.kind <= TW_HEAD_FAR) {
        return TW_STEP_DONE;
    }
    const size_t framed = (size_t)(at - open);
    tw_frame_end_segment(state, TW_EDGE_CALL);
    tw_frame_framing(state, framed);
    tw_content_start(&state->segment, TW_EVENT_TEXT);
    state->in_section = true;
    return tw_frame_begin_block(state, window->at, size, TW_PLACE_MARKER);
}

/* Words behind the open marker, if that is a single token: dropped if a call
 * follows soon.  DONE: none does. */
static tw_step begin_behind_words(tw_frame *state, const uint8_t *at,
                                  size_t size)
{
    const tw_window *window = state->window;
    for (const uint8_t *to = at; to - at <= TW_HOLD_JUNK; to++) {
        if (to == window->limit) {
            return window->eof ? TW_STEP_DONE : TW_STEP_MORE;
        }
        if (!tw_markers_may_begin(state->marks.table, to, window->limit)) {
            continue;
        }
        const tw_found found = tw_marker_at(&state->marks, window, to);
        if (found.roles == TW_AT_MORE) {
            return TW_STEP_MORE;
        }
        if ((found.roles & (TW_AT_STOP | TW_AT_SECTION_END)) != 0) {
            return TW_STEP_DONE;
        }
        if ((found.roles & TW_AT_CALL) == 0) {
            continue;
        }
        const tw_head head =
            tw_frame_head_at(state, to, found.size, TW_PLACE_MARKER, NULL);
        if (head.kind == TW_HEAD_MORE) {
            return TW_STEP_MORE;
        }
        if (head.kind == TW_HEAD_WHOLE) {
            tw_frame_end_segment(state, TW_EDGE_CALL);
            tw_frame_framing(state, size);
            state->in_section = true;
            state->fresh = state->at_start = state->may_be_bare = false;
            state->mode = TW_FRAME_SECTION;
            return TW_STEP_AGAIN;
        }
    }
    return TW_STEP_DONE;
}

tw_step tw_frame_begin_section(tw_frame *state, const uint8_t *open,
                               tw_found marker)
{
    const tw_window *window = state->window;
    const uint8_t *at = tw_behind_ws(open + marker.size, window->limit);
    if (at - open > TW_HOLD_HEAD) {
        return TW_STEP_DONE;
    }
    if (at == window->limit) {
        if (!window->eof) {
            return TW_STEP_MORE;
        }
        list_section(state,
                     window->stopped ? TW_DIAGNOSTIC_EMPTY_CALL
                                     : TW_DIAGNOSTIC_TRUNCATED_CALL,
                     at);
        return TW_STEP_AGAIN;
    }
    tw_found found = {0, 0, false};
    if (tw_markers_may_begin(state->marks.table, at, window->limit)) {
        found = tw_marker_at(&state->marks, window, at);
    }
    if (found.roles == TW_AT_MORE) {
        return TW_STEP_MORE;
    }
    if ((found.roles & (TW_AT_CALL | TW_AT_PLAIN_CALL)) != 0) {
        const tw_step step = begin_first_call(state, open, at, found.size);
        if (step != TW_STEP_DONE) {
            return step;
        }
    }
    if ((found.roles & (TW_AT_SECTION_END | TW_AT_STOP)) != 0) {
        const bool closed = (found.roles & TW_AT_SECTION_END) != 0;
        list_section(state, TW_DIAGNOSTIC_EMPTY_CALL,
                     at + (closed ? found.size : 0));
        return TW_STEP_AGAIN;
    }
    return marker.token ? begin_behind_words(state, at, marker.size)
                        : TW_STEP_DONE;
}

/* ---- between its calls -------------------------------------------------- */

/* Other text: dropped if a call or the close follows soon, else the section is
 * over. */
static tw_step read_stray(tw_frame *state, size_t skipped)
{
    tw_window *window = state->window;
    const uint8_t *at = window->at + skipped;
    unsigned roles = 0;
    for (; at < window->limit && at - window->at <= TW_HOLD_JUNK; at++) {
        if (tw_markers_may_begin(state->marks.table, at, window->limit)) {
            roles = tw_marker_at(&state->marks, window, at).roles &
                    ~(unsigned)(TW_AT_PLAIN_CALL | TW_AT_PLAIN_END);
        }
        if (roles != 0) {
            break;
        }
    }
    const bool far = at - window->at > TW_HOLD_JUNK;
    if (!far &&
        (roles == TW_AT_MORE || (at == window->limit && !window->eof))) {
        return TW_STEP_MORE;
    }
    if (!far && (roles & (TW_AT_CALL | TW_AT_SECTION_END)) != 0) {
        const size_t size = (size_t)(at - window->at);
        tw_sink_dropped(state->sink, TW_DIAGNOSTIC_TEXT_IN_SECTION,
                        window->offset, size);
        tw_window_skip(window, size);
        return TW_STEP_AGAIN;
    }
    tw_frame_diagnose(state, TW_DIAGNOSTIC_MISSING_SECTION_CLOSE, window->at);
    leave_section(state);
    return TW_STEP_AGAIN;
}

/* Is the section over at this marker, or does its next call begin? */
static tw_step read_marker(tw_frame *state, size_t blanks, tw_found found)
{
    tw_window *window = state->window;
    if ((found.roles & TW_AT_SECTION_END) != 0) {
        tw_frame_framing(state, blanks + found.size);
        leave_section(state);
        return TW_STEP_AGAIN;
    }
    if ((found.roles & TW_AT_STOP) != 0) {
        tw_frame_diagnose(state, TW_DIAGNOSTIC_MISSING_SECTION_CLOSE,
                          window->at);
        leave_section(state);
        return TW_STEP_AGAIN;
    }
    if ((found.roles & (TW_AT_CALL | TW_AT_PLAIN_CALL)) != 0) {
        const tw_head head = tw_frame_head_at(
            state, window->at + blanks, found.size, TW_PLACE_MARKER, NULL);
        if (head.kind == TW_HEAD_MORE) {
            return TW_STEP_MORE;
        }
        if (head.kind > TW_HEAD_FAR) {
            tw_frame_framing(state, blanks);
            tw_content_start(&state->segment, TW_EVENT_TEXT);
            return tw_frame_begin_block(state, window->at, found.size,
                                        TW_PLACE_MARKER);
        }
    }
    return read_stray(state, blanks + found.size);
}

tw_step tw_frame_read_section(tw_frame *state)
{
    tw_window *window = state->window;
    const uint8_t *at = tw_behind_ws(window->at, window->limit);
    const size_t blanks = (size_t)(at - window->at);
    if (blanks > TW_HOLD_WS) {
        return read_stray(state, blanks);
    }
    if (at == window->limit) {
        if (!window->eof) {
            return TW_STEP_MORE;
        }
        tw_frame_framing(state, blanks);
        tw_frame_diagnose(state, TW_DIAGNOSTIC_MISSING_SECTION_CLOSE,
                          window->at);
        leave_section(state);
        return TW_STEP_AGAIN;
    }
    tw_found found = {0, 0, false};
    if (tw_markers_may_begin(state->marks.table, at, window->limit)) {
        found = tw_marker_at(&state->marks, window, at);
    }
    if (found.roles == TW_AT_MORE) {
        return TW_STEP_MORE;
    }
    return found.roles != 0 ? read_marker(state, blanks, found)
                            : read_stray(state, blanks);
}
