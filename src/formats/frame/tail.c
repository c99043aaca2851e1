/* SPDX-License-Identifier: MIT
 *
 * A call is over: the closes of one between tags, and what is read behind it.
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

/* The closes behind arguments between tags follow: each may be missing, and
 * the last one tells whether the call was closed. */
void tw_frame_start_tail(tw_frame *state, bool bad)
{
    state->tail = (uint8_t)(state->pattern->hole + 1);
    state->tail_closed = true;
    state->tail_bad = bad;
    state->mode = TW_FRAME_TAIL;
}

static void skip_tail(tw_frame *state, size_t size)
{
    if (state->tail_bad) {
        tw_window_skip(state->window, size);
    } else {
        tw_frame_framing(state, size);
    }
}

/* The end of a message that closes its call, at |at|: more than white space
 * must follow. */
static tw_match message_end_at(const tw_frame *state, const uint8_t *at)
{
    const tw_window *window = state->window;
    const tw_found found = at < window->limit
                               ? tw_marker_at(state->marks, window, at)
                               : (tw_found){0};
    return found.roles == TW_AT_MORE || (at == window->limit && !window->eof)
               ? TW_MATCH_MORE
           : at == window->limit || (found.roles & (TW_AT_END | TW_AT_STOP))
               ? TW_MATCH_WHOLE
               : TW_MATCH_NONE;
}

static tw_step end_tail(tw_frame *state, const uint8_t *at)
{
    if (tw_call_ends_message(state->description, state->pattern)) {
        const tw_match end = message_end_at(state, at);
        if (end == TW_MATCH_MORE) {
            return TW_STEP_MORE;
        }
        state->tail_closed = end == TW_MATCH_WHOLE;
    }
    if (!state->tail_closed) {
        tw_frame_diagnose(state, TW_DIAGNOSTIC_MISSING_CALL_CLOSE,
                          state->window->at);
    }
    if (state->tail_bad) {
        tw_open_call_reject(&state->call, TW_CALL_MALFORMED);
    }
    tw_frame_leave_call(state);
    return TW_STEP_AGAIN;
}

/* The next part behind the body at |at|, or in the last one's place a close of
 * another form of call. */
static tw_match tail_at(const tw_frame *state, const uint8_t *at, size_t *size)
{
    const tw_pattern *pattern = state->pattern;
    const tw_part *close = &pattern->parts[state->tail];
    const tw_match own =
        tw_front_at(state->window, at, close, close->size, size);
    if (own != TW_MATCH_NONE || close != tw_pattern_close(pattern)) {
        return own;
    }
    const tw_found other = tw_marker_at(state->marks, state->window, at);
    *size = other.size;
    return other.roles == TW_AT_MORE             ? TW_MATCH_MORE
           : (other.roles & TW_AT_CALL_END) != 0 ? TW_MATCH_WHOLE
                                                 : TW_MATCH_NONE;
}

tw_step tw_frame_read_tail(tw_frame *state)
{
    const tw_window *window = state->window;
    const tw_pattern *pattern = state->pattern;
    const uint8_t *at = tw_behind_some_ws(window->at, window->limit);
    while (state->tail < pattern->count &&
           pattern->parts[state->tail].kind != TW_PATTERN_LITERAL) {
        state->tail++;
    }
    if (state->tail == pattern->count) {
        return end_tail(state, at);
    }
    size_t size = 0;
    const tw_match found = tail_at(state, at, &size);
    if (found == TW_MATCH_MORE) {
        return TW_STEP_MORE;
    }
    state->tail++;
    state->tail_closed = found == TW_MATCH_WHOLE;
    if (found == TW_MATCH_WHOLE) {
        skip_tail(state, (size_t)(at - window->at) + size);
    } else if (found == TW_MATCH_CUT && at < window->limit) {
        skip_tail(state, tw_window_size(window));
    }
    return TW_STEP_AGAIN;
}

/* A token of text or of thoughts, which no call and no section holds. */
bool tw_frame_is_outside(const tw_found *found)
{
    return found->token && (found->roles & TW_AT_OUTSIDE) != 0;
}

/* A value of a bad call is read, and what it quotes is no call. */
static tw_step skip_value(tw_frame *state)
{
    tw_window *window = state->window;
    switch (state->body->codec->step(state->body)) {
    case TW_BODY_STARVED: return TW_STEP_MORE;
    case TW_BODY_CUT: tw_window_skip(window, tw_window_size(window)); break;
    default: break;
    }
    return TW_STEP_AGAIN;
}

tw_step tw_frame_skip_tagged(tw_frame *state)
{
    tw_window *window = state->window;
    const bool reads = tw_frame_reads(state, &tw_tagged_codec);
    if (reads && tw_tagged_in_value(state->body) &&
        (tw_window_size(window) > 0 || !window->eof)) {
        return skip_value(state);
    }
    const uint8_t *markers = state->marks->first;
    const uint8_t *words = state->description->tags->first;
    const uint8_t *at = window->at;
    while (at < window->limit && markers[*at] == 0 && words[*at] == 0) {
        at++;
    }
    tw_window_skip(window, (size_t)(at - window->at));
    if (at == window->limit && !window->eof) {
        return TW_STEP_MORE;
    }
    const tw_match opened = reads && at < window->limit
                                ? tw_tagged_pass_value(state->body)
                                : TW_MATCH_NONE;
    if (opened == TW_MATCH_WHOLE) {
        return TW_STEP_AGAIN;
    }
    const tw_match closed =
        at < window->limit
            ? tw_tagged_close_at(&state->json.common, state->pattern, at)
            : TW_MATCH_NONE;
    tw_found found = {0};
    if (at < window->limit) {
        found = tw_frame_call_marker_at(state, at, true);
    }
    if (opened == TW_MATCH_MORE || closed == TW_MATCH_MORE ||
        found.roles == TW_AT_MORE) {
        return TW_STEP_MORE;
    }
    const tw_match quoted = (found.roles & (TW_AT_CALL | TW_AT_SECTION)) != 0
                                ? tw_frame_skip_quoted(state)
                                : TW_MATCH_NONE;
    if (quoted == TW_MATCH_MORE) {
        return TW_STEP_MORE;
    }
    if (quoted == TW_MATCH_WHOLE) {
        return TW_STEP_AGAIN;
    }
    if (closed == TW_MATCH_WHOLE) {
        tw_frame_start_tail(state, true);
    } else if (at == window->limit || tw_frame_is_outside(&found) ||
               (found.roles & (TW_AT_CALL | TW_AT_SECTION | TW_AT_SECTION_END |
                               TW_AT_STOP)) != 0) {
        tw_open_call_reject(&state->call, TW_CALL_MALFORMED);
        tw_frame_leave_call(state);
    } else {
        tw_window_skip(window, 1);
    }
    return TW_STEP_AGAIN;
}
