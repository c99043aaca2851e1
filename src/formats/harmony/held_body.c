/* SPDX-License-Identifier: MIT
 *
 * The body at the window: its data go out, and the marker that ends it is told
 * from what only looks like one.
 */
#include "formats/harmony/state.h"
#include "formats/stop.h"

/* The body ends at |at|, before a marker of |size| bytes. */
static void end_body(tw_harmony *state, const uint8_t *at,
                     tw_harmony_marker marker, size_t size)
{
    const tw_harmony_close close =
        marker == TW_HARMONY_CALL ? TW_CLOSE_MARKER : TW_CLOSE_ODD_MARKER;
    const bool tail = tw_harmony_body_close(&state->body, close, at);
    if (!tail) {
        tw_harmony_framing(state, size);
        tw_harmony_after_terminator(state, marker);
        return;
    }
    tw_window_skip(state->window, size);
    tw_harmony_after_terminator(state, marker);
    if (marker == TW_HARMONY_RETURN) {
        tw_harmony_body_list(&state->body);
    } else {
        state->mode = TW_HARMONY_TAIL;
    }
}

/* The marker at |at| is data, and so is what stands in front of |end|. */
static void keep_marker(tw_harmony *state, const uint8_t *at,
                        const uint8_t *end)
{
    tw_harmony_diagnose(state, TW_DIAGNOSTIC_MARKER_IN_BODY, at);
    state->plain_until = tw_window_offset(state->window, end);
}

/* <|start|> or <|channel|>: the next header, if one follows. */
static tw_step body_header(tw_harmony *state, const uint8_t *at)
{
    const tw_window *window = state->window;
    const uint8_t *end;
    const tw_verdict verdict = tw_harmony_next_header(state, at, &end);
    if (verdict == TW_VERDICT_WAIT && !window->eof) {
        return TW_STEP_MORE;
    }
    if (verdict == TW_VERDICT_NO) {
        keep_marker(state, at, end);
        return TW_STEP_AGAIN;
    }
    tw_harmony_diagnose(state, TW_DIAGNOSTIC_MISSING_END, at);
    tw_harmony_body_close(&state->body, TW_CLOSE_IMPLIED, at);
    state->mode = TW_HARMONY_GAP;
    return TW_STEP_AGAIN;
}

static tw_step body_marker(tw_harmony *state, const uint8_t *at,
                           tw_harmony_marker marker, size_t size)
{
    tw_harmony_body *body = &state->body;
    const uint8_t *end;
    const tw_verdict quoted =
        tw_harmony_is_quoted(state, at, marker, size, &end);
    state->stripped = false;
    if (quoted == TW_VERDICT_WAIT) {
        return TW_STEP_MORE;
    }
    if (quoted == TW_VERDICT_YES) {
        keep_marker(state, at, end);
        return TW_STEP_AGAIN;
    }
    if (tw_harmony_ends_message(marker)) {
        end_body(state, at, marker, size);
        return TW_STEP_AGAIN;
    }
    if (marker == TW_HARMONY_START || marker == TW_HARMONY_CHANNEL) {
        const bool sure =
            tw_window_offset(state->window, at) + 1 == state->sure_at;
        if (sure || body->kind == TW_BODY_JUNK) {
            tw_harmony_body_close(body, TW_CLOSE_IMPLIED, at);
            state->mode = TW_HARMONY_GAP;
            return TW_STEP_AGAIN;
        }
        return body_header(state, at);
    }
    if (marker == TW_HARMONY_MESSAGE && body->empty &&
        at == state->window->at) {
        tw_harmony_diagnose(state, TW_DIAGNOSTIC_REPEATED_MESSAGE, at);
        const bool call =
            body->kind == TW_BODY_CALL || body->kind == TW_BODY_CUSTOM;
        if (call || body->kind == TW_BODY_JUNK) {
            tw_window_skip(state->window, size);
        } else {
            tw_harmony_framing(state, size);
        }
        if (body->kind == TW_BODY_FOREIGN) {
            body->begin = state->window->offset;
        }
        return TW_STEP_AGAIN;
    }
    keep_marker(state, at, at + size);
    return TW_STEP_AGAIN;
}

/* The place in [at, to) where the end of input cuts a marker in two. */
static const uint8_t *cut_marker(const tw_harmony *state, const uint8_t *at,
                                 const uint8_t *to)
{
    for (; at < to; at++) {
        if (*at == '<' &&
            tw_window_offset(state->window, at) >= state->plain_until &&
            tw_harmony_is_cut_marker(state->window, at)) {
            return at;
        }
    }
    return NULL;
}

/* The output ends inside the body; at |cut| it cuts a marker in two. */
static tw_step end_of_body(tw_harmony *state, const uint8_t *cut)
{
    tw_harmony_body *body = &state->body;
    const tw_window *window = state->window;
    const uint8_t *to = window->limit;
    /* A custom call's text cannot be cut short of closers. */
    bool stopped =
        body->kind == TW_BODY_CUSTOM ? window->stopped : window->surely;
    stopped = stopped && !state->cut;
    if (cut != NULL) {
        tw_harmony_diagnose(state, TW_DIAGNOSTIC_PARTIAL_TERMINATOR, cut);
        to = cut;
        stopped = tw_is_half_stop(window, tw_harmony_markers,
                                  tw_harmony_marker_count, cut);
    }
    tw_harmony_body_close(body, stopped ? TW_CLOSE_STOP : TW_CLOSE_OUTPUT, to);
    tw_harmony_framing(state, tw_window_size(window));
    state->mode = TW_HARMONY_GAP;
    return TW_STEP_AGAIN;
}

/* Where stripped markers may make a new message begin before |to|. */
static bool may_be_stripped(const tw_harmony *state)
{
    return state->stripped &&
           (state->body.kind != TW_BODY_CALL ||
            (state->body.whole && state->body.call.fail == 0));
}

tw_step tw_harmony_step_body(tw_harmony *state)
{
    tw_window *window = state->window;
    size_t size = 0;
    tw_harmony_marker marker;
    const uint8_t *const next = tw_harmony_next_marker(state, &marker, &size);
    const uint8_t *to = next;
    bool found = marker != TW_HARMONY_NONE && marker != TW_HARMONY_MORE;
    tw_verdict stripped = TW_VERDICT_NO;
    const bool last = found && state->body.kind != TW_BODY_CALL;
    bool begins = false; /* a stripped header, behind a call */
    if (may_be_stripped(state)) {
        const uint8_t *begin = tw_harmony_find_stripped(state, to, &stripped);
        const bool header =
            stripped == TW_VERDICT_YES || stripped == TW_VERDICT_BODY;
        if (header && state->body.kind == TW_BODY_CALL && begin > window->at) {
            to = begin; /* what stands before it may spoil the call */
            begins = true;
        } else if (header) {
            tw_harmony_body_close(&state->body, TW_CLOSE_IMPLIED, begin);
            state->mode = TW_HARMONY_GAP;
            state->first = true;
            return TW_STEP_AGAIN;
        }
        to = header || found || window->eof ? to : begin;
    }
    state->body.pauses = state->stripped;
    const uint8_t *cut =
        window->eof && !found ? cut_marker(state, window->at, to) : NULL;
    to = cut != NULL && state->body.kind == TW_BODY_CALL ? cut : to;
    state->cut |= cut != NULL;
    const uint8_t *before = window->at;
    const uint8_t *reach = tw_window_reach(window, before);
    if (reach < to && !state->stripped) {
        tw_harmony_body_data(&state->body, reach, false);
    }
    if (window->at == before) {
        tw_harmony_body_data(&state->body, to, last);
    }
    if (begins && window->at == before) { /* its `a` ends what was cut off */
        tw_harmony_body_data(&state->body, to + 1, false);
    }
    const size_t taken = (size_t)(window->at - before);
    if (taken > 0) {
        return TW_STEP_AGAIN;
    }
    if (found) {
        return body_marker(state, next, marker, size);
    }
    if (!window->eof) {
        return TW_STEP_MORE;
    }
    const bool outside = state->body.kind == TW_BODY_CALL &&
                         !tw_harmony_body_in_string(&state->body);
    return end_of_body(state, outside ? cut : NULL);
}

/* Behind a terminator inside a string: up to the next marker this belongs to
 * that call (hx-open-string-stop). */
tw_step tw_harmony_step_tail(tw_harmony *state)
{
    tw_window *window = state->window;
    tw_harmony_marker marker;
    size_t size = 0;
    const uint8_t *at =
        tw_harmony_find_marker(state, window->at, &marker, &size);
    tw_window_skip(window, (size_t)(at - window->at));
    const bool more = marker == TW_HARMONY_MORE || at == window->limit;
    if (more && !window->eof) {
        return TW_STEP_MORE;
    }
    tw_window_skip(window, more ? tw_window_size(window) : 0);
    tw_harmony_body_list(&state->body);
    state->mode = TW_HARMONY_GAP;
    return TW_STEP_AGAIN;
}
