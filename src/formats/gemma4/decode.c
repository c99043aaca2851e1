/* SPDX-License-Identifier: MIT
 *
 * A Gemma 4 completion: text, reasoning and calls.  What stands in a call's
 * braces is read in value.c.
 */
#include <string.h>

#include "formats/body/gemma/advance.h"
#include "formats/gemma4/state.h"
#include "formats/body/gemma/moves.h"

/* ---- text and reasoning ------------------------------------------------- */

/* Ends the segment: what is held in front of |at| is framing, and so are
 * |size| bytes of marker. */
static void end_segment(tw_gemma4 *state, size_t size)
{
    tw_content_end(&state->segment, state->window, state->sink);
    tw_gemma4_framing(state, size);
}

static void enter_end(tw_gemma4 *state, size_t size)
{
    end_segment(state, size);
    state->dropped = 0;
    state->mode = TW_GEMMA4_ENDED_MESSAGE;
}

static tw_step text_run(tw_gemma4 *state, const uint8_t *from)
{
    const tw_window *window = state->window;
    const uint8_t *to = from + 1;
    if (*from != '<' || window->limit - from > 1) {
        const uint8_t *reach = tw_window_reach(window, to);
        const uint8_t *less = memchr(to, '<', (size_t)(reach - to));
        to = less != NULL ? less : reach;
    }
    const uint64_t plain = state->plain_until;
    if (plain > tw_window_offset(window, from)) {
        const uint64_t left = plain - window->offset;
        to = left < tw_window_size(window) ? window->at + left : window->limit;
    }
    const bool moved =
        tw_content_run(&state->segment, state->window, state->sink, from, to);
    if (moved) {
        state->boundary = state->boundary_ahead = false;
    }
    return moved ? TW_STEP_AGAIN : TW_STEP_MORE;
}

static tw_step text_call(tw_gemma4 *state, const uint8_t *at, size_t size)
{
    const tw_gemma4_head found =
        size == 0 ? tw_gemma4_bare_head(state, at)
                  : tw_gemma4_head_in(state, at + size, false);
    if (found.kind == TW_GEMMA4_HEAD_MORE) {
        return TW_STEP_MORE;
    }
    const tw_step unknown = found.kind == TW_GEMMA4_HEAD_NONE && size > 0
                                ? tw_gemma4_find_unknown(state, at + size)
                                : TW_STEP_DONE;
    if (unknown == TW_STEP_MORE) {
        return unknown;
    }
    if (found.kind == TW_GEMMA4_HEAD_FAR) {
        tw_gemma4_diagnose(state, TW_DIAGNOSTIC_REPAIR_GIVEN_UP, at);
    }
    if (found.kind <= TW_GEMMA4_HEAD_FAR && unknown == TW_STEP_DONE) {
        if (size == 0) {
            state->boundary_ahead = false;
        }
        state->headless |= size > 0;
        return text_run(state, at);
    }
    end_segment(state, 0);
    if (unknown == TW_STEP_AGAIN || found.kind == TW_GEMMA4_HEAD_CUT ||
        found.kind == TW_GEMMA4_HEAD_EMPTY) {
        return tw_gemma4_read_no_call(state, size, found.kind);
    }
    if (found.kind == TW_GEMMA4_HEAD_LONG) {
        tw_gemma4_open_block(state);
        tw_gemma4_begin_skip(state, TW_DIAGNOSTIC_LIMIT_NAME,
                             state->window->offset);
        return TW_STEP_AGAIN;
    }
    if (size == 0) {
        tw_gemma4_diagnose(state, TW_DIAGNOSTIC_MISSING_CALL_OPEN,
                           state->window->at);
    }
    return tw_gemma4_begin_call(state, &found, size == 0);
}

static tw_step text_marker(tw_gemma4 *state, const uint8_t *at)
{
    size_t size;
    const tw_gemma_marker marker =
        tw_gemma4_marker_at(state->window, at, &size);
    if (marker == TW_GEMMA_MORE) {
        return TW_STEP_MORE;
    }
    if (tw_gemma_is_stop(marker)) {
        enter_end(state, size);
        return TW_STEP_AGAIN;
    }
    if (marker == TW_GEMMA_CHANNEL) {
        end_segment(state, size);
        state->mode = TW_GEMMA4_CHANNEL_HEAD;
        return TW_STEP_AGAIN;
    }
    if (marker == TW_GEMMA_CHANNEL_END ||
        (marker == TW_GEMMA_CALL_END &&
         (state->boundary_ahead || !state->headless))) {
        if (marker == TW_GEMMA_CHANNEL_END) {
            tw_sink_closes_none(state->sink,
                                tw_window_offset(state->window, at));
        }
        tw_content_hold_marker(&state->segment, size);
        state->boundary_ahead |= marker == TW_GEMMA_CHANNEL_END;
        return TW_STEP_AGAIN;
    }
    return marker == TW_GEMMA_CALL ? text_call(state, at, size)
                                   : text_run(state, at);
}

/* Moves over what is held at a segment's edge; the byte behind it. */
static int look_behind_held(tw_gemma4 *state, const uint8_t **at)
{
    if (tw_content_look(&state->segment, state->window, state->sink)) {
        state->boundary = state->boundary_ahead = false;
    }
    *at = state->window->at + state->segment.held;
    return tw_look(state->window, *at);
}

static tw_step read_text(tw_gemma4 *state)
{
    const uint8_t *at;
    const int c = look_behind_held(state, &at);
    if (c == TW_LOOK_MORE) {
        return TW_STEP_MORE;
    }
    if (c == TW_LOOK_END) {
        end_segment(state, 0);
        return TW_STEP_DONE;
    }
    if (c == '<') {
        return text_marker(state, at);
    }
    return c == 'c' && state->boundary_ahead ? text_call(state, at, 0)
                                             : text_run(state, at);
}

/* Is the reasoning closed behind the block at |at|?  Held until that is known
 * or the limit is reached, where it counts as a call: its head cannot be
 * mistaken. */
static tw_step reasoning_call(tw_gemma4 *state, const uint8_t *at, size_t size)
{
    const tw_window *window = state->window;
    const uint64_t where = tw_window_offset(window, at);
    if (state->judged != where + 1) {
        const tw_gemma4_head found =
            tw_gemma4_head_in(state, at + size, false);
        if (found.kind == TW_GEMMA4_HEAD_MORE) {
            return TW_STEP_MORE;
        }
        if (found.kind == TW_GEMMA4_HEAD_FAR) {
            tw_gemma4_diagnose(state, TW_DIAGNOSTIC_REPAIR_GIVEN_UP, at);
        }
        if (found.kind <= TW_GEMMA4_HEAD_FAR ||
            found.kind == TW_GEMMA4_HEAD_EMPTY) {
            return text_run(state, at);
        }
        state->judged = where + 1;
    }
    uint64_t end;
    const tw_gemma4_found found = tw_gemma4_look_ahead(
        &state->ahead, window, state->sink, at, at + size, &end);
    if (found == TW_GEMMA4_FOUND_MORE) {
        return TW_STEP_MORE;
    }
    if (found == TW_GEMMA4_FOUND_CLOSED) {
        state->plain_until = end;
        return text_run(state, at);
    }
    end_segment(state, 0);
    if (found == TW_GEMMA4_FOUND_FAR) {
        tw_sink_diagnostic(state->sink, TW_DIAGNOSTIC_REPAIR_GIVEN_UP, where);
    }
    tw_sink_diagnostic(state->sink, TW_DIAGNOSTIC_CALL_IN_REASONING, where);
    tw_gemma4_enter_text(state);
    return TW_STEP_AGAIN;
}

/* A stop marker of |size| bytes follows what is held. */
static tw_step end_in_reasoning(tw_gemma4 *state, size_t size)
{
    tw_content_end(&state->segment, state->window, state->sink);
    tw_gemma4_diagnose(state, TW_DIAGNOSTIC_UNCLOSED_REASONING,
                       state->window->at);
    enter_end(state, size);
    return TW_STEP_AGAIN;
}

static tw_step reasoning_marker(tw_gemma4 *state, const uint8_t *at)
{
    size_t size;
    const uint64_t where = tw_window_offset(state->window, at);
    const tw_gemma_marker marker =
        tw_gemma4_marker_at(state->window, at, &size);
    if (marker == TW_GEMMA_MORE) {
        return TW_STEP_MORE;
    }
    if (tw_gemma_is_stop(marker)) {
        return end_in_reasoning(state, size);
    }
    if (marker == TW_GEMMA_CHANNEL_END) {
        end_segment(state, size);
        tw_gemma4_enter_text(state);
        return TW_STEP_AGAIN;
    }
    if (marker == TW_GEMMA_CHANNEL) {
        tw_content_end(&state->segment, state->window, state->sink);
        tw_sink_diagnostic(state->sink, TW_DIAGNOSTIC_STRAY_MARKER, where);
        tw_gemma4_framing(state, size);
        state->mode = TW_GEMMA4_CHANNEL_HEAD;
        return TW_STEP_AGAIN;
    }
    return marker == TW_GEMMA_CALL && state->options.calls_in_reasoning
               ? reasoning_call(state, at, size)
               : text_run(state, at);
}

static tw_step read_reasoning(tw_gemma4 *state)
{
    const uint8_t *at;
    const int c = look_behind_held(state, &at);
    if (c == TW_LOOK_MORE) {
        return TW_STEP_MORE;
    }
    if (c == TW_LOOK_END) {
        if (state->window->stopped) {
            return end_in_reasoning(state, 0);
        }
        end_segment(state, 0);
        return TW_STEP_DONE;
    }
    const bool plain =
        tw_window_offset(state->window, at) < state->plain_until;
    return c == '<' && !plain ? reasoning_marker(state, at)
                              : text_run(state, at);
}

/* `thought` LF; without the line feed only directly before the end of the
 * channel; cut off by the end of input. */
static tw_step read_channel_head(tw_gemma4 *state)
{
    static const char word[] = "thought\n";
    const tw_window *window = state->window;
    size_t size = 0;
    int c = 0;
    while (size < 8) {
        c = tw_look(window, window->at + size);
        if (c != word[size]) {
            break;
        }
        size++;
    }
    if (c == TW_LOOK_MORE) {
        return TW_STEP_MORE;
    }
    if (size < 8 && (c != TW_LOOK_END || window->stopped)) {
        size_t length;
        const tw_gemma_marker marker =
            size == 7 && c == '<'
                ? tw_gemma4_marker_at(window, window->at + 7, &length)
                : TW_GEMMA_NONE;
        if (marker == TW_GEMMA_MORE) {
            return TW_STEP_MORE;
        }
        size = marker == TW_GEMMA_CHANNEL_END ? 7 : 0;
    }
    tw_gemma4_framing(state, size);
    tw_gemma4_enter(state, TW_GEMMA4_REASONING);
    return TW_STEP_AGAIN;
}

/* ---- calls -------------------------------------------------------------- */

static tw_step read_call(tw_gemma4 *state)
{
    tw_gemma_call *call = &state->call;
    const tw_step step = tw_gemma_call_step(call);
    if (step != TW_STEP_DONE) {
        return step;
    }
    if (call->reason == 0) {
        state->mode = TW_GEMMA4_AFTER_CALL;
        return tw_gemma4_read_after_call(state);
    }
    const bool truncated = call->truncated;
    if (!truncated) {
        tw_gemma4_begin_skip(state, call->reason, call->reason_at);
        state->skip_in_string = call->state == TW_GEMMA_AT_STRING;
        return TW_STEP_AGAIN;
    }
    /* The end of input cuts the call off, or a marker that belongs to what
     * comes next: that one stands at the window. */
    tw_window *window = state->window;
    size_t size;
    const bool marker =
        tw_window_size(window) > 0 && *window->at == '<' &&
        tw_gemma_ends_body(tw_gemma4_marker_at(window, window->at, &size));
    if (!marker) {
        tw_window_skip(window, tw_window_size(window));
    }
    tw_sink_diagnostic(state->sink, call->reason, window->offset);
    tw_gemma4_fail_call(state);
    return TW_STEP_AGAIN;
}

/* ---- edges -------------------------------------------------------------- */

static tw_step read_turn_head(tw_gemma4 *state)
{
    static const char turn[] = TW_GEMMA4_MODEL;
    const tw_window *window = state->window;
    size_t size = 0;
    int c = 0;
    while (size < sizeof turn - 1) {
        c = tw_look(window, window->at + size);
        if (c != turn[size]) {
            break;
        }
        size++;
    }
    if (c == TW_LOOK_MORE) {
        return TW_STEP_MORE;
    }
    const bool whole = size == sizeof turn - 1 &&
                       !tw_window_is_marked_text(
                           window, window->at, TW_GEMMA4_SIZE(TW_GEMMA4_TURN));
    tw_gemma4_framing(state, whole ? size : 0);
    tw_gemma4_enter_text(state);
    return TW_STEP_AGAIN;
}

static tw_step read_end(tw_gemma4 *state)
{
    return tw_drop_after_end(state->window, state->sink, &state->dropped);
}

tw_step tw_gemma4_step(void *data)
{
    tw_gemma4 *state = data;
    switch (state->mode) {
    case TW_GEMMA4_TURN_HEAD: return read_turn_head(state);
    case TW_GEMMA4_TEXT: return read_text(state);
    case TW_GEMMA4_CHANNEL_HEAD: return read_channel_head(state);
    case TW_GEMMA4_REASONING: return read_reasoning(state);
    case TW_GEMMA4_IN_CALL: return read_call(state);
    case TW_GEMMA4_AFTER_CALL: return tw_gemma4_read_after_call(state);
    case TW_GEMMA4_SKIP: return tw_gemma4_read_skip(state);
    default: return read_end(state);
    }
}

static const uint8_t *pass_text(tw_gemma4 *state, tw_advanced *advanced)
{
    const tw_window *window = state->window;
    if (state->mode != TW_GEMMA4_TEXT && state->mode != TW_GEMMA4_REASONING) {
        if (state->mode != TW_GEMMA4_TURN_HEAD || *window->at == '<') {
            return window->at;
        }
        tw_gemma4_enter_text(state); /* there is no turn's head */
    }
    if (state->boundary_ahead && *window->at == 'c') { /* of a bare call */
        return window->at;
    }
    const uint8_t *to = tw_content_advance(
        &state->segment, window, state->sink, window->limit, advanced);
    if (to > window->at) {
        state->boundary = state->boundary_ahead = false;
    }
    return to;
}

const uint8_t *tw_gemma4_advance(void *data, tw_advanced *advanced)
{
    tw_gemma4 *state = data;
    return state->mode == TW_GEMMA4_IN_CALL
               ? tw_gemma_call_advance(&state->call, advanced)
               : pass_text(state, advanced);
}

tw_stand tw_gemma4_stand(const void *data)
{
    const tw_gemma4 *state = data;
    return state->mode == TW_GEMMA4_ENDED_MESSAGE ? TW_STAND_ENDED
           : state->mode == TW_GEMMA4_TEXT        ? TW_STAND_TEXT
                                                  : TW_STAND_INSIDE;
}

void tw_gemma4_reset(void *data, const tw_decode_options *options)
{
    tw_gemma4 *state = data;
    state->options = *options;
    state->plain_until = state->judged = state->unclosed = 0;
    tw_gemma4_ahead_reset(&state->ahead);
    state->boundary = true;
    if (options->start_reasoning) {
        tw_gemma4_enter(state, TW_GEMMA4_REASONING);
    } else {
        tw_gemma4_enter(state, TW_GEMMA4_TEXT);
        state->mode = TW_GEMMA4_TURN_HEAD;
    }
}

void tw_gemma4_destroy(void *data)
{
    tw_gemma4 *state = data;
    if (state != NULL) {
        const tw_memory memory = state->memory;
        tw_buffer_free(&state->name, &memory);
        tw_gemma4_ahead_free(&state->ahead, &memory);
        tw_buffer_free(&state->call.frames, &memory);
        tw_buffer_free(&state->call.run, &memory);
        tw_buffer_free(&state->call.text, &memory);
        tw_json_free(&state->call.object);
        tw_memory_free(&memory, state, sizeof *state);
    }
}

void *tw_gemma4_create(const tw_memory *memory, const tw_format *format,
                       tw_window *window, tw_sink *sink)
{
    (void)format;
    tw_gemma4 *state = tw_memory_new(memory, sizeof *state);
    if (state != NULL) {
        state->memory = *memory;
        state->call.wire = &tw_gemma4_wire;
        tw_json_init(&state->call.object, &state->memory, 1, false);
        state->window = state->call.window = window;
        state->sink = state->call.sink = sink;
        state->segment.edges.trims = state->segment.prose = true;
        state->segment.stray = TW_DIAGNOSTIC_STRAY_MARKER;
    }
    return state;
}
