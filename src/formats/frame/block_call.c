/* SPDX-License-Identifier: MIT
 *
 * A call inside a block: its body, what a bad one leaves behind, and what
 * stands behind one that no marker closes.
 */
#include <string.h>

#include "core/skip.h"
#include "formats/frame/block.h"
#include "formats/stop.h"

/* Does the name stand in a tag: `<function=NAME>`? */
static bool has_name_in_tag(const tw_pattern *pattern)
{
    bool found = false;
    for (size_t i = 0; i < pattern->hole; i++) {
        found |= pattern->parts[i].kind == TW_PATTERN_NAME &&
                 pattern->parts[i + 1].text[0] == '>';
    }
    return found;
}

/* Does the format itself write bodies between tags so, as another head's? */
static bool is_own_body(const tw_frame *state, const tw_pattern *loose)
{
    const tw_patterns *calls = &state->description->call;
    bool own = false;
    for (size_t i = 0; i < calls->count; i++) {
        const tw_pattern *call = &calls->all[i];
        own |= !call->loose &&
               tw_pattern_hole(call)->kind == TW_PATTERN_ARGUMENTS &&
               has_name_in_tag(call) == has_name_in_tag(loose);
    }
    return own;
}

void tw_block_report_body(tw_frame *state, const tw_pattern *pattern)
{
    const uint8_t kind = tw_pattern_hole(pattern)->kind;
    const uint8_t *at = state->window->at;
    if (!pattern->loose) {
        return;
    }
    if (pattern->words) {
        tw_frame_diagnose(state, TW_DIAGNOSTIC_MISSING_CALL_OPEN, at);
    } else if (pattern->plain || state->description->argument.count == 0 ||
               (kind == TW_PATTERN_ARGUMENTS && is_own_body(state, pattern))) {
        tw_frame_diagnose(state, TW_DIAGNOSTIC_LOOSE_HEAD, at);
    } else if (kind == TW_PATTERN_ARGUMENTS) {
        tw_frame_diagnose(state,
                          has_name_in_tag(pattern)
                              ? TW_DIAGNOSTIC_QWEN3_CODER_BODY
                              : TW_DIAGNOSTIC_GLM_BODY,
                          at);
    } else if (state->objects == NULL) {
        tw_frame_diagnose(state, TW_DIAGNOSTIC_JSON_BODY, at);
    }
}

void tw_block_end_closed(tw_frame *state)
{
    tw_sink_diagnostic(state->sink, TW_DIAGNOSTIC_LOOSE_HEAD, state->block);
    if (state->call.fail == 0) {
        state->body->codec->close(state->body);
    } else {
        tw_open_call_reject(&state->call, TW_CALL_MALFORMED);
    }
    tw_frame_leave_call(state);
}

/* Behind a call that was read to its end, good or bad. */
static void go_behind(tw_frame *state)
{
    const bool more = tw_block_is_closed(state) ||
                      state->array == TW_FRAME_IN_ARRAY ||
                      tw_frame_has_callees(state->pattern);
    state->mode = more ? TW_FRAME_BETWEEN : TW_FRAME_BEHIND;
    state->window->recording = state->window->recording && more;
}

/* The body of a call is over. */
static void element_done(tw_frame *state)
{
    if (tw_frame_reads(state, &tw_tagged_codec)) {
        tw_frame_start_tail(state, tw_open_call_is_spoiled(&state->call));
        return;
    }
    state->swallow = state->json.json.swallow;
    go_behind(state);
}

/* A bracket alone closes the call: JSON has it, too. */
static bool has_bracket_close(const tw_frame *state)
{
    const tw_part *close = tw_pattern_close(state->pattern);
    return close != NULL && close->size == 1 &&
           (close->text[0] == '}' || close->text[0] == ']');
}

/* The body is bad.  An object with neighbours may end by itself: a list is
 * around it, or nothing at all. */
static void break_body(tw_frame *state)
{
    const tw_json_body *json = &state->json;
    const bool lines =
        tw_pattern_hole(state->pattern)->kind == TW_PATTERN_LIST_LINES;
    tw_block_break(state, state->body->reason, state->body->reason_at);
    state->local = tw_frame_reads(state, &tw_json_codec) && !json->bare &&
                   (state->array == TW_FRAME_IN_ARRAY || lines ||
                    !tw_block_is_closed(state) || has_bracket_close(state)) &&
                   tw_frame_has_balance(state) &&
                   tw_balance_go_on(state->balance, &json->json);
}

/* The output is over, and what the model stopped at was stripped, or is half
 * there. */
static bool is_stripped_stop(const tw_frame *state)
{
    const tw_window *window = state->window;
    return window->stopped &&
           (tw_window_size(window) == 0 ||
            tw_is_half_stop(window, state->description->public_markers,
                            state->description->public_count, window->at));
}

/* A call goes on where |by| stands: is only a closer missing?  Then it is
 * added. */
static bool close_call(tw_frame *state, tw_body_cut by)
{
    tw_body *body = state->body;
    const bool closable = state->mode == TW_FRAME_BODY &&
                          body->codec->closable != NULL &&
                          body->codec->closable(body, by);
    if (closable) {
        body->codec->close(body);
        element_done(state);
    }
    return closable;
}

/* The output, or a stop marker, cuts the call off. */
static void cut_call(tw_frame *state, bool stopped)
{
    tw_open_call *call = &state->call;
    tw_body *body = state->body;
    tw_window *window = state->window;
    const tw_body_cut by = stopped                    ? TW_CUT_STOP
                           : !is_stripped_stop(state) ? TW_CUT_LENGTH
                           : window->surely           ? TW_CUT_STRIPPED
                                                      : TW_CUT_UNKNOWN;
    const bool clean =
        tw_window_size(window) == 0 || state->marks->first[*window->at] != 0;
    if (clean && close_call(state, by)) {
        return;
    }
    if (!stopped) {
        tw_window_skip(window, tw_window_size(window));
    }
    if (state->mode == TW_FRAME_BODY && body->codec->cut != NULL) {
        body->codec->cut(body);
    }
    const bool failed = call->fail != 0;
    tw_open_call_fail(call, TW_DIAGNOSTIC_TRUNCATED_CALL, window->offset);
    tw_open_call_reject(call, failed ? TW_CALL_MALFORMED : TW_CALL_INCOMPLETE);
    tw_block_leave(state, 0);
}

/* A marker with these roles cuts a body off. */
static tw_body_cut cut_by(unsigned roles)
{
    return (roles & TW_AT_CALL_END) != 0      ? TW_CUT_CLOSE
           : (roles & TW_AT_STOP) != 0        ? TW_CUT_STOP
           : (roles & TW_AT_SECTION_END) != 0 ? TW_CUT_SECTION_END
                                              : TW_CUT_CALL;
}

/* A marker may stand between the tokens of a body. */
static tw_step body_marker(tw_frame *state)
{
    const tw_window *window = state->window;
    const tw_found found = tw_block_marker_at(state, window->at);
    const bool bracket = found.size == 1 && has_bracket_close(state);
    const bool ends = (found.roles & TW_ENDS_CALL) != 0 && !bracket;
    const tw_body_cut by = cut_by(found.roles);
    size_t size;
    const tw_match inner = tw_block_inner_at(state, window->at, &size);
    if (found.roles == TW_AT_MORE || inner == TW_MATCH_MORE) {
        return TW_STEP_MORE;
    }
    if (inner == TW_MATCH_WHOLE && close_call(state, TW_CUT_CLOSE)) {
        return TW_STEP_AGAIN;
    }
    if (!ends && tw_block_is_cut(state, window->at)) {
        cut_call(state, false);
    } else if (ends && close_call(state, by)) {
        return TW_STEP_AGAIN;
    } else if (by == TW_CUT_STOP && tw_block_is_closed(state)) {
        cut_call(state, true);
    } else {
        break_body(state);
    }
    return TW_STEP_AGAIN;
}

/* The end of a fence in which no arguments stand, in front of the close. */
static tw_match empty_fence_at(const tw_frame *state)
{
    const tw_window *window = state->window;
    if (window->at == window->limit || *window->at != '`' ||
        !tw_frame_reads(state, &tw_json_codec) ||
        !tw_json_body_is_empty(&state->json)) {
        return TW_MATCH_NONE;
    }
    const tw_pattern *pattern = state->pattern;
    const tw_part *close = tw_pattern_close(pattern);
    const tw_part *fence = &pattern->parts[pattern->hole + 1];
    while (fence < close && fence->kind != TW_PATTERN_LITERAL) {
        fence++;
    }
    return fence < close ? tw_part_at(window, window->at, fence)
                         : TW_MATCH_NONE;
}

tw_step tw_frame_read_call(tw_frame *state)
{
    tw_body *body = state->body;
    const tw_match fence = empty_fence_at(state);
    if (fence == TW_MATCH_MORE) {
        return TW_STEP_MORE;
    }
    if (fence == TW_MATCH_WHOLE && close_call(state, TW_CUT_CLOSE)) {
        return TW_STEP_AGAIN;
    }
    switch (body->codec->step(body)) {
    case TW_BODY_GOES_ON: return TW_STEP_AGAIN;
    case TW_BODY_STARVED: return TW_STEP_MORE;
    case TW_BODY_AT_MARKER: return body_marker(state);
    case TW_BODY_CUT: cut_call(state, false); return TW_STEP_AGAIN;
    case TW_BODY_STOPPED: cut_call(state, true); return TW_STEP_AGAIN;
    case TW_BODY_BROKEN: break_body(state); return TW_STEP_AGAIN;
    case TW_BODY_REFUSED:
        tw_open_call_fail(&state->call, body->reason, body->reason_at);
        tw_open_call_reject(&state->call, TW_CALL_MALFORMED);
        tw_block_leave(state, 0);
        return TW_STEP_AGAIN;
    default: element_done(state); return TW_STEP_AGAIN;
    }
}

/* A bad call is over, at a marker or at the end. */
static tw_step end_skip(tw_frame *state, const tw_found *found)
{
    tw_window_skip(state->window,
                   (found->roles & TW_AT_CALL_END) != 0 ? found->size : 0);
    tw_open_call_reject(&state->call, TW_CALL_MALFORMED);
    tw_block_leave(state, 0);
    return TW_STEP_AGAIN;
}

/* All up to |to| is the bad call's, unless that ends in front of it. */
static bool skip_to(tw_frame *state, const uint8_t *to)
{
    tw_window *window = state->window;
    const uint8_t *at = window->at;
    const tw_balanced found = state->local
                                  ? tw_balance_run(state->balance, &at, to)
                                  : TW_BALANCE_LOST;
    state->local = found == TW_BALANCE_OPEN;
    if (found == TW_BALANCE_ENDED) {
        tw_window_skip(window, (size_t)(at - window->at));
        tw_open_call_reject(&state->call, TW_CALL_MALFORMED);
        state->swallow = false;
        go_behind(state);
        return true;
    }
    tw_window_skip(window, (size_t)(to - window->at));
    return false;
}

/* A bad call goes on to where it ends by itself, or to the next marker, by
 * plain search: a piece at a time, since the next marker may be far behind its
 * end. */
tw_step tw_frame_read_skip(tw_frame *state)
{
    tw_window *window = state->window;
    if (tw_frame_codec_of(state, state->pattern) == &tw_tagged_codec) {
        return tw_frame_skip_tagged(state);
    }
    const uint8_t *reach = tw_window_reach(window, window->at);
    const uint8_t *at =
        tw_markers_find(state->marks, window->at, reach, window->limit);
    if (skip_to(state, at) || (at == reach && at < window->limit)) {
        return TW_STEP_AGAIN;
    }
    tw_found found = {0};
    if (at < window->limit) {
        found = tw_block_marker_at(state, window->at);
        if (found.roles == TW_AT_MORE) {
            return TW_STEP_MORE;
        }
    } else if (!window->eof) {
        return TW_STEP_MORE;
    }
    const bool inside = found.size == 1 && has_bracket_close(state);
    /* In Gemma's notation a token of thoughts ends it, too. */
    const bool outside =
        tw_pattern_hole(state->pattern)->kind == TW_PATTERN_GEMMA &&
        tw_frame_is_outside(&found);
    if (at < window->limit && !outside &&
        (inside || (found.roles & TW_ENDS_CALL) == 0)) {
        skip_to(state, at + 1);
        return TW_STEP_AGAIN;
    }
    const tw_match quoted =
        (found.roles & (TW_AT_CALL | TW_AT_SECTION)) != 0 &&
                tw_frame_codec_of(state, state->pattern) != &tw_json_codec
            ? tw_frame_skip_quoted(state)
            : TW_MATCH_NONE;
    return quoted == TW_MATCH_MORE    ? TW_STEP_MORE
           : quoted == TW_MATCH_WHOLE ? TW_STEP_AGAIN
                                      : end_skip(state, &found);
}

/* May |c| stand between calls that no marker closes? */
static bool is_separator(const tw_frame *state, uint8_t c)
{
    return tw_is_ws(c) || c == ',' ||
           (c == ';' && state->array == TW_FRAME_NO_ARRAY &&
            strchr(state->description->between, ';') != NULL);
}

/* What separates the last call from |at| is framing if the next one's open
 * marker stands there: DONE.  AGAIN: none does. */
static tw_step read_next_marker(tw_frame *state, const uint8_t *at)
{
    const tw_window *window = state->window;
    const tw_found found = tw_marker_at(state->marks, window, at);
    if (found.roles == TW_AT_MORE) {
        return TW_STEP_MORE;
    }
    if ((found.roles & (TW_AT_CALL | TW_AT_PLAIN_CALL)) == 0) {
        return TW_STEP_AGAIN;
    }
    const tw_head head =
        tw_frame_head_at(state, at, found.size, TW_PLACE_MARKER, NULL);
    if (head.kind == TW_HEAD_MORE) {
        return TW_STEP_MORE;
    }
    if (tw_frame_is_no_head(state, at, TW_PLACE_MARKER, &head)) {
        return TW_STEP_AGAIN;
    }
    tw_frame_framing(state, (size_t)(at - window->at));
    return TW_STEP_DONE;
}

/* The next call of a sequence in which no marker closes any, behind what
 * separates it from the last.  DONE: none follows. */
static tw_step read_next(tw_frame *state)
{
    const tw_window *window = state->window;
    const uint8_t hole = tw_pattern_hole(state->pattern)->kind;
    const uint8_t *at = window->at;
    if (hole > TW_PATTERN_KEYED) {
        return TW_STEP_DONE;
    }
    while (at < window->limit && at - window->at <= TW_HOLD_WS &&
           is_separator(state, *at)) {
        at++;
    }
    if (at - window->at > TW_HOLD_WS) {
        return TW_STEP_DONE;
    }
    if (at == window->limit) {
        return window->eof ? TW_STEP_DONE : TW_STEP_MORE;
    }
    if (at > window->at &&
        tw_markers_may_begin(state->marks, at, window->limit)) {
        const tw_step step = read_next_marker(state, at);
        if (step != TW_STEP_AGAIN) {
            return step;
        }
    }
    const tw_body_opens found = tw_json_body_follows(&state->json, at);
    if (found == TW_BODY_IS_MORE) {
        return TW_STEP_MORE;
    }
    if (found == TW_BODY_IS_NONE) {
        return TW_STEP_DONE;
    }
    tw_frame_framing(state, (size_t)(at - window->at));
    tw_block_begin_element(state);
    tw_frame_start_body(state, &state->json.common);
    return TW_STEP_AGAIN;
}

/* Behind a call that no marker closes: closers that are one too many, or the
 * next call. */
tw_step tw_frame_read_behind(tw_frame *state)
{
    const tw_window *window = state->window;
    const uint8_t *at = tw_behind_ws(window->at, window->limit);
    const size_t blanks = (size_t)(at - window->at);
    if (at == window->limit && !window->eof && blanks <= TW_HOLD_WS) {
        return TW_STEP_MORE;
    }
    if (at < window->limit && blanks <= TW_HOLD_WS &&
        (*at == '}' || *at == ']')) {
        if (blanks > 0 || *at != '}' || !state->swallow) {
            tw_frame_diagnose(state, TW_DIAGNOSTIC_EXTRA_CLOSER, at);
        }
        state->swallow = false;
        tw_frame_framing(state, blanks + 1);
        return TW_STEP_AGAIN;
    }
    const tw_step step = read_next(state);
    if (step == TW_STEP_DONE) {
        tw_frame_leave_call(state);
    }
    return step == TW_STEP_DONE ? TW_STEP_AGAIN : step;
}
