/* SPDX-License-Identifier: MIT
 *
 * Text and reasoning, and the markers that stand in them.
 */
#include "formats/frame/frame.h"

tw_step tw_frame_text_run(tw_frame *state, const uint8_t *from)
{
    const tw_window *window = state->window;
    const uint8_t *to = from + 1;
    const uint8_t *reach = tw_window_reach(window, to);
    to = tw_markers_find(state->marks.table, to, reach, window->limit);
    if (state->plain_until > tw_window_offset(window, from)) {
        const uint64_t left = state->plain_until - window->offset;
        to = left < tw_window_size(window) ? window->at + left : window->limit;
        while (to < window->limit && (*to & 0xC0) == 0x80) {
            to++; /* no code point is cut in two */
        }
    }
    state->may_be_bare = false;
    return tw_content_run(&state->segment, state->window, state->sink, from,
                          to)
               ? TW_STEP_AGAIN
               : TW_STEP_MORE;
}

/* ---- markers ------------------------------------------------------------ */

static tw_step text_marker(tw_frame *state, const uint8_t *at)
{
    const tw_found found = tw_marker_at(&state->marks, state->window, at);
    const bool first = !state->segment.begun;
    if (found.roles == TW_AT_MORE) {
        return TW_STEP_MORE;
    }
    if ((found.roles & TW_AT_CALL) != 0) {
        return tw_frame_begin_block(state, at, found.size);
    }
    if ((found.roles & TW_AT_SECTION) != 0) {
        return tw_frame_begin_section(state, at, found.size);
    }
    if ((found.roles & TW_AT_STOP) != 0) {
        tw_frame_enter_end(state, found.size);
        return TW_STEP_AGAIN;
    }
    if ((found.roles & (TW_AT_CALL_END | TW_AT_SECTION_END)) != 0 &&
        (first || found.token)) {
        state->may_be_bare = false;
        tw_content_hold_marker(&state->segment, found.size);
        return TW_STEP_AGAIN;
    }
    if ((found.roles & TW_AT_REASONING) != 0 && first) {
        tw_frame_end_segment(state, TW_EDGE_OTHER);
        tw_frame_framing(state, found.size);
        state->may_be_bare = false;
        tw_frame_enter_reasoning(state, false);
        return TW_STEP_AGAIN;
    }
    return tw_frame_text_run(state, at);
}

static tw_step reasoning_marker(tw_frame *state, const uint8_t *at)
{
    const tw_found found = tw_marker_at(&state->marks, state->window, at);
    if (found.roles == TW_AT_MORE) {
        return TW_STEP_MORE;
    }
    if ((found.roles & TW_AT_REASONING_END) != 0) {
        tw_frame_end_segment(state, TW_EDGE_CALL);
        tw_frame_framing(state, found.size);
        tw_frame_enter_text(state, TW_BEHIND_REASONING);
        return TW_STEP_AGAIN;
    }
    if ((found.roles & TW_AT_STOP) != 0) {
        tw_frame_enter_end(state, found.size);
        return TW_STEP_AGAIN;
    }
    if ((found.roles & (TW_AT_CALL | TW_AT_SECTION)) != 0 &&
        state->options.calls_in_reasoning) {
        return tw_frame_call_in_reasoning(state, at);
    }
    if ((found.roles & TW_AT_REASONING) != 0 && state->may_think &&
        !state->segment.begun) {
        tw_frame_end_segment(state, TW_EDGE_CALL);
        tw_frame_framing(state, found.size);
        tw_content_start(&state->segment, TW_EVENT_REASONING);
        return TW_STEP_AGAIN;
    }
    return tw_frame_text_run(state, at);
}

tw_step tw_frame_read_text(tw_frame *state)
{
    const tw_window *window = state->window;
    if (tw_content_look(&state->segment, state->window, state->sink)) {
        return TW_STEP_AGAIN;
    }
    const uint8_t *at = window->at + state->segment.held;
    if (at == window->limit) {
        if (!window->eof) {
            return TW_STEP_MORE;
        }
        tw_frame_end_segment(state, TW_EDGE_END);
        return TW_STEP_DONE;
    }
    const bool plain = tw_window_offset(window, at) < state->plain_until;
    if (!plain &&
        tw_markers_may_begin(state->marks.table, at, window->limit)) {
        return state->mode == TW_FRAME_TEXT ? text_marker(state, at)
                                            : reasoning_marker(state, at);
    }
    return *at == '{' && state->may_be_bare && !state->options.strict
               ? tw_frame_bare_call(state, at)
               : tw_frame_text_run(state, at);
}

/* ---- the fast way ------------------------------------------------------- */

static const uint8_t *pass_text(tw_frame *state, tw_advanced *advanced)
{
    const tw_window *window = state->window;
    return tw_content_advance(&state->segment, window, state->sink,
                              window->limit, advanced);
}

/* Nothing but blanks came yet. */
static const uint8_t *pass_first_text(tw_frame *state, tw_advanced *advanced)
{
    const tw_window *window = state->window;
    if (*window->at == '{') { /* it may be a call's */
        return window->at;
    }
    const uint8_t *to = pass_text(state, advanced);
    state->may_be_bare = to == window->at;
    return to;
}

const uint8_t *tw_frame_advance_text(tw_frame *state, tw_advanced *advanced)
{
    return state->may_be_bare ? pass_first_text(state, advanced)
                              : pass_text(state, advanced);
}
