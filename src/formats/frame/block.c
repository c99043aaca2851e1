/* SPDX-License-Identifier: MIT
 *
 * The moves in a block: it begins and ends, its next call begins or breaks,
 * and what is looked for inside.
 */
#include <string.h>

#include "core/ascii.h"
#include "formats/frame/block.h"

/* |found| at |at|, with a close of the call's that is text elsewhere. */
static tw_found with_close(const tw_frame *state, const uint8_t *at,
                           tw_found found)
{
    const tw_part *close = tw_pattern_close(state->pattern);
    if (found.roles == TW_AT_MORE) {
        return found;
    }
    if ((found.roles & TW_AT_PLAIN_END) != 0 && close != NULL &&
        tw_part_at(state->window, at, close) == TW_MATCH_WHOLE) {
        found.roles |= TW_AT_CALL_END;
        found.size = close->size;
    }
    found.roles &= (uint16_t) ~(TW_AT_PLAIN_CALL | TW_AT_PLAIN_END);
    return found;
}

tw_found tw_block_marker_at(tw_frame *state, const uint8_t *at)
{
    return with_close(state, at, tw_frame_call_marker_at(state, at, true));
}

/* The marker at |at| between bodies, where no string can hold the next call.
 */
tw_found tw_block_marker_between(tw_frame *state, const uint8_t *at)
{
    const bool named =
        state->elements == 0 || state->array == TW_FRAME_IN_ARRAY;
    return with_close(state, at, tw_frame_call_marker_at(state, at, named));
}

bool tw_block_is_cut(const tw_frame *state, const uint8_t *at)
{
    const tw_part *close = tw_pattern_close(state->pattern);
    return tw_marker_is_cut(state->marks, state->window, at, TW_ENDS_CALL) ||
           (close != NULL &&
            tw_part_at(state->window, at, close) == TW_MATCH_CUT);
}

void tw_frame_start_block(tw_frame *state, const tw_pattern *pattern)
{
    state->pattern = pattern;
    state->block = state->window->offset;
    state->fence = state->many = state->swallow = false;
    state->local = false;
    state->array = TW_FRAME_NO_ARRAY;
    state->elements = 0;
    state->nothing = false;
    state->inner = 0;
    state->comma = true;
    state->may_be_bare = state->fresh = state->at_start = false;
    state->call.expected.size = state->call.given.size = 0;
    state->mode = TW_FRAME_BETWEEN;
    tw_sink_record(state->sink);
}

/* A block that holds no call: all of it, up to the window. */
void tw_block_list(tw_frame *state, uint32_t code)
{
    tw_list_block(state->sink, code, state->block);
}

bool tw_block_is_closed(const tw_frame *state)
{
    return tw_pattern_close(state->pattern) != NULL;
}

void tw_block_leave(tw_frame *state, size_t close_size)
{
    tw_frame_framing(state, close_size);
    tw_frame_leave_call(state);
}

void tw_block_close(tw_frame *state, bool by_marker, size_t size)
{
    const tw_window *window = state->window;
    if (!by_marker && tw_block_is_closed(state)) {
        tw_frame_diagnose(state, TW_DIAGNOSTIC_MISSING_CALL_CLOSE, window->at);
    }
    if (state->array == TW_FRAME_IN_ARRAY) {
        tw_frame_diagnose(state, TW_DIAGNOSTIC_MISSING_CLOSER, window->at);
        if (state->elements == 0) {
            tw_sink_diagnostic(state->sink, TW_DIAGNOSTIC_EMPTY_CALL,
                               state->block);
            tw_block_list(state, TW_DIAGNOSTIC_EMPTY_CALL);
        }
    }
    const bool repeats = by_marker && !state->nothing &&
                         (state->description->quirks & TW_QUIRK_ECHO) != 0;
    tw_block_leave(state, by_marker ? size : 0);
    if (repeats) {
        state->mode = TW_FRAME_ECHO;
    }
}

void tw_block_begin_element(tw_frame *state)
{
    tw_window *window = state->window;
    const bool first = state->elements == 0;
    state->elements++;
    state->inner = 0;
    if (!first) {
        state->call.given.size = 0;
        tw_sink_record(state->sink);
    }
    tw_open_call_start(&state->call, first ? state->block : window->offset);
}

void tw_block_break(tw_frame *state, uint32_t reason, uint64_t offset)
{
    tw_open_call_fail(&state->call, reason, offset);
    state->local = false;
    state->mode = TW_FRAME_SKIP;
}

size_t tw_block_separators(const tw_frame *state)
{
    const uint8_t *at = state->window->at;
    const uint8_t *to = at;
    while (to < state->window->limit && to - at <= TW_HOLD_WS &&
           (tw_is_ws(*to) || (*to == ',' && state->elements > 0))) {
        to++;
    }
    return (size_t)(to - at);
}

/* The output ends between objects. */
void tw_block_end(tw_frame *state)
{
    tw_window *window = state->window;
    const size_t left = tw_window_size(window);
    if (state->elements == 0) {
        tw_window_skip(window, left);
        tw_frame_diagnose(state, TW_DIAGNOSTIC_TRUNCATED_CALL, window->at);
        tw_block_list(state, TW_DIAGNOSTIC_TRUNCATED_CALL);
        tw_frame_leave_call(state);
        return;
    }
    tw_frame_framing(state, left); /* a close tag that is cut in two */
    tw_block_close(state, false, 0);
}

void tw_block_skip(tw_frame *state, size_t size)
{
    if (state->elements > 0) {
        tw_frame_framing(state, size);
    } else {
        tw_window_skip(state->window, size);
    }
}

void tw_block_empty_list(tw_frame *state)
{
    tw_window_skip(state->window, 1);
    tw_sink_diagnostic(state->sink, TW_DIAGNOSTIC_EMPTY_CALL, state->block);
    tw_block_list(state, TW_DIAGNOSTIC_EMPTY_CALL);
    state->elements = 1;
    state->nothing = true;
}

/* A marker may stand between objects.  DONE: there is none. */
tw_step tw_block_read_marker(tw_frame *state)
{
    const tw_window *window = state->window;
    if (state->marks->first[*window->at] == 0) { /* most often */
        return TW_STEP_DONE;
    }
    const tw_found found = tw_block_marker_between(state, window->at);
    const bool closes = (found.roles & TW_AT_CALL_END) != 0;
    if (found.roles == TW_AT_MORE) {
        return TW_STEP_MORE;
    }
    if ((found.roles & TW_AT_STOP) != 0 && state->elements == 0) {
        tw_frame_diagnose(state, TW_DIAGNOSTIC_TRUNCATED_CALL, window->at);
        tw_block_list(state, TW_DIAGNOSTIC_TRUNCATED_CALL);
        tw_block_leave(state, 0);
    } else if ((found.roles & TW_ENDS_CALL) != 0) {
        tw_block_close(state, closes, found.size);
    } else if (tw_block_is_cut(state, window->at)) {
        tw_block_end(state);
    } else {
        return TW_STEP_DONE;
    }
    return TW_STEP_AGAIN;
}

/* The literal of the pattern between its hole and its close that stands at
 * |at|, and its part. */
static tw_match inner_at(const tw_frame *state, const uint8_t *at,
                         const tw_part **part, size_t *size)
{
    const tw_pattern *pattern = state->pattern;
    const tw_part *close = tw_pattern_close(pattern);
    tw_match found = TW_MATCH_NONE;
    const bool simple = state->simple && pattern == state->objects;
    if (state->elements == 0 || simple || close == NULL) {
        return TW_MATCH_NONE;
    }
    const size_t behind = (size_t)pattern->hole + 1;
    *part = &pattern->parts[behind > state->inner ? behind : state->inner];
    for (; *part < close && found == TW_MATCH_NONE; ++*part) {
        if ((*part)->kind == TW_PATTERN_LITERAL) {
            found = tw_front_at(state->window, at, *part, (*part)->size, size);
            *size = found == TW_MATCH_CUT ? SIZE_MAX : *size;
        }
    }
    return found;
}

tw_match tw_block_inner_at(const tw_frame *state, const uint8_t *at,
                           size_t *size)
{
    const tw_part *part;
    return inner_at(state, at, &part, size);
}

tw_step tw_block_read_inner(tw_frame *state)
{
    const size_t left = tw_window_size(state->window);
    const tw_part *behind;
    size_t size;
    const tw_match found = inner_at(state, state->window->at, &behind, &size);
    if (found == TW_MATCH_MORE || found == TW_MATCH_NONE) {
        return found == TW_MATCH_MORE ? TW_STEP_MORE : TW_STEP_DONE;
    }
    state->inner = (uint8_t)(behind - state->pattern->parts);
    tw_frame_framing(state, size < left ? size : left);
    return TW_STEP_AGAIN;
}
