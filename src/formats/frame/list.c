/* SPDX-License-Identifier: MIT
 *
 * Calls that name themselves, NAME(...), in brackets, on lines or alone: what
 * stands between them, and where they begin without an open marker.
 */
#include <string.h>

#include "core/skip.h"
#include "formats/body/python/head.h"
#include "formats/frame/block.h"

static bool is_marked(const tw_pattern *pattern)
{
    return tw_frame_opener_of(pattern) != NULL ||
           tw_pattern_close(pattern) != NULL;
}

static bool is_on_lines(const tw_frame *state)
{
    return tw_pattern_hole(state->pattern)->kind == TW_PATTERN_PYTHON_LINES;
}

/* ---- between calls ------------------------------------------------------ */

/* The call that begins at the window; or an object in its place. */
static void begin_call(tw_frame *state, bool object)
{
    const bool listed = state->array == TW_FRAME_IN_ARRAY;
    const uint8_t kind = tw_pattern_hole(state->pattern)->kind;
    const uint8_t *at = state->window->at;
    if (object) {
        tw_frame_diagnose(state, TW_DIAGNOSTIC_JSON_BODY, at);
    } else if (state->elements == 0 && !listed && kind == TW_PATTERN_PYTHON) {
        tw_frame_diagnose(state, TW_DIAGNOSTIC_NO_LIST, at);
    } else if (!state->comma && kind != TW_PATTERN_PYTHON_LINES &&
               (listed || !is_marked(state->pattern))) {
        tw_frame_diagnose(state, TW_DIAGNOSTIC_MISSING_COMMA, at);
    }
    state->comma = false;
    tw_block_begin_element(state);
    tw_frame_start_body(state, object
                                   ? &state->json.common
                                   : tw_frame_body_of(state, state->pattern));
}

static void open_list(tw_frame *state)
{
    if (state->array == TW_FRAME_IN_ARRAY) {
        tw_frame_diagnose(state, TW_DIAGNOSTIC_DOUBLED_OPEN_TAG,
                          state->window->at);
    }
    if (is_on_lines(state) && state->elements == 0) {
        tw_frame_diagnose(state, TW_DIAGNOSTIC_LIST_IN_LINES,
                          state->window->at);
    }
    state->array = TW_FRAME_IN_ARRAY;
    tw_block_skip(state, 1);
}

static void close_list(tw_frame *state)
{
    state->array = TW_FRAME_ARRAY_CLOSED;
    if (state->elements == 0) {
        tw_block_empty_list(state);
    } else {
        tw_block_skip(state, 1);
    }
}

/* Does the output, or what is read of it, end behind white space at |at|? */
static tw_step ends_behind(const tw_frame *state, const uint8_t *at)
{
    const tw_window *window = state->window;
    const tw_python_lexeme lexeme =
        tw_python_skip(&at, window->limit, window->eof);
    if (lexeme == TW_PYTHON_END || lexeme == TW_PYTHON_MORE) {
        return lexeme == TW_PYTHON_END ? TW_STEP_DONE : TW_STEP_MORE;
    }
    const unsigned roles = tw_marker_at(state->marks, window, at).roles;
    return roles == TW_AT_MORE         ? TW_STEP_MORE
           : (roles & TW_AT_STOP) != 0 ? TW_STEP_DONE
                                       : TW_STEP_AGAIN;
}

/* A closer that closes nothing.  DONE: it is text. */
static tw_step read_closer(tw_frame *state, uint8_t c)
{
    const uint8_t *at = state->window->at;
    if (!is_marked(state->pattern) && state->array != TW_FRAME_IN_ARRAY) {
        const tw_step end =
            c == ']' ? ends_behind(state, at + 1) : TW_STEP_AGAIN;
        if (end != TW_STEP_DONE) {
            return end == TW_STEP_MORE ? end : TW_STEP_DONE;
        }
    }
    tw_frame_diagnose(state, TW_DIAGNOSTIC_EXTRA_CLOSER, at);
    tw_block_skip(state, 1);
    return TW_STEP_AGAIN;
}

/* Does a list begin at |at|, behind another one?  Between markers a name
 * tells, elsewhere a head. */
static tw_body_opens opens_behind(const tw_frame *state, const uint8_t *at)
{
    const tw_window *window = state->window;
    const tw_body *body = &state->json.common;
    const tw_body_head head = {.pattern = state->pattern,
                               .proof = TW_PROOF_HEAD};
    const uint8_t *name = at + 1;
    const tw_python_lexeme lexeme =
        tw_python_skip(&name, window->limit, window->eof);
    if (name - at > TW_HOLD_WS || lexeme == TW_PYTHON_END) {
        return TW_BODY_IS_NONE;
    }
    if (lexeme == TW_PYTHON_MORE) {
        return TW_BODY_IS_MORE;
    }
    if (*name == '[') {
        return TW_BODY_IS_NONE;
    }
    return is_marked(state->pattern) ? tw_python_callee_at(body, name).opens
                                     : tw_python_opens(body, &head, at);
}

/* Behind a list: one more.  DONE: there is none (P6). */
static tw_step read_next_list(tw_frame *state)
{
    const tw_window *window = state->window;
    const uint8_t *at = window->at;
    tw_python_lexeme lexeme = tw_python_skip(&at, window->limit, window->eof);
    if (lexeme == TW_PYTHON_OTHER && (*at == ',' || *at == ';')) {
        at++;
        lexeme = tw_python_skip(&at, window->limit, window->eof);
    }
    if (at - window->at > TW_HOLD_WS) {
        return TW_STEP_DONE;
    }
    const tw_body_opens opens = lexeme == TW_PYTHON_MORE ? TW_BODY_IS_MORE
                                : lexeme == TW_PYTHON_END || *at != '['
                                    ? TW_BODY_IS_NONE
                                    : opens_behind(state, at);
    if (opens == TW_BODY_IS_HERE) {
        tw_block_skip(state, (size_t)(at - window->at));
        state->array = TW_FRAME_NO_ARRAY;
        open_list(state);
        return TW_STEP_AGAIN;
    }
    return opens == TW_BODY_IS_MORE ? TW_STEP_MORE : TW_STEP_DONE;
}

/* What stands behind the bracket that closes all: one more bracket, where that
 * is the last of the output.  DONE: the block is over. */
static tw_step read_last_closer(tw_frame *state)
{
    const tw_window *window = state->window;
    const uint8_t *at = window->at;
    const tw_python_lexeme lexeme =
        tw_python_skip(&at, window->limit, window->eof);
    if (at - window->at > TW_HOLD_WS || lexeme == TW_PYTHON_END) {
        return TW_STEP_DONE;
    }
    tw_step end = lexeme == TW_PYTHON_MORE ? TW_STEP_MORE : TW_STEP_AGAIN;
    if (lexeme == TW_PYTHON_OTHER && *at == ']') {
        end = ends_behind(state, at + 1);
    }
    if (end != TW_STEP_DONE) {
        return end == TW_STEP_MORE ? end : TW_STEP_DONE;
    }
    tw_frame_diagnose(state, TW_DIAGNOSTIC_EXTRA_CLOSER, at);
    tw_block_skip(state, (size_t)(at + 1 - window->at));
    return TW_STEP_AGAIN;
}

/* Behind a list.  DONE: what other bytes, or a marker, are between markers. */
static tw_step read_behind_list(tw_frame *state)
{
    const bool marked = is_marked(state->pattern);
    tw_step step = read_next_list(state);
    if (step == TW_STEP_DONE && !marked) {
        step = read_last_closer(state);
    }
    if (step == TW_STEP_DONE && !marked) {
        tw_frame_leave_call(state);
        return TW_STEP_AGAIN;
    }
    return step;
}

/* Other bytes: dropped where a call or the close marker follows soon, else
 * text again. */
static tw_step read_other(tw_frame *state)
{
    tw_window *window = state->window;
    const bool marked = is_marked(state->pattern);
    const uint8_t *to = window->at;
    tw_found found = {0};
    while (marked && to < window->limit && to - window->at <= TW_HOLD_JUNK) {
        found = tw_block_marker_at(state, to);
        if ((found.roles & (TW_ENDS_CALL | TW_AT_MORE)) != 0) {
            break;
        }
        to++;
    }
    const bool far = to - window->at > TW_HOLD_JUNK;
    if (marked && !far &&
        (found.roles == TW_AT_MORE || (to == window->limit && !window->eof))) {
        return TW_STEP_MORE;
    }
    if (!far && (found.roles & (TW_AT_CALL_END | TW_AT_CALL)) != 0) {
        tw_sink_dropped(state->sink, TW_DIAGNOSTIC_TEXT_IN_SECTION,
                        window->offset, (uint64_t)(to - window->at));
        tw_window_skip(window, (size_t)(to - window->at));
        return TW_STEP_AGAIN;
    }
    if (marked) {
        tw_frame_diagnose(state, TW_DIAGNOSTIC_MISSING_CALL_CLOSE, window->at);
    } else if (state->array == TW_FRAME_IN_ARRAY) {
        tw_frame_diagnose(state, TW_DIAGNOSTIC_MISSING_CLOSER, window->at);
    }
    tw_frame_leave_call(state);
    return TW_STEP_AGAIN;
}

/* A call, or the list's bracket.  DONE: there is none. */
static tw_step read_callee(tw_frame *state, uint8_t c)
{
    const tw_window *window = state->window;
    const bool marked = is_marked(state->pattern);
    const bool opens = c == '[' && state->elements == 0;
    const uint8_t *at = window->at + opens;
    if (!marked && !state->comma && state->array != TW_FRAME_IN_ARRAY) {
        return TW_STEP_DONE;
    }
    if (opens) {
        const tw_python_lexeme lexeme =
            tw_python_skip(&at, window->limit, window->eof);
        if (lexeme == TW_PYTHON_MORE) {
            return TW_STEP_MORE;
        }
    }
    const tw_python_callee callee =
        tw_python_callee_at(&state->json.common, at);
    if (callee.opens == TW_BODY_IS_MORE) {
        return TW_STEP_MORE;
    }
    if (opens) {
        open_list(state);
        return TW_STEP_AGAIN;
    }
    const bool builtin =
        tw_pattern_hole(state->pattern)->kind == TW_PATTERN_PYTHON_CALL;
    const tw_body_opens one =
        builtin ? tw_python_one_call(&state->json.common, &callee, at)
                : callee.opens;
    if (one != TW_BODY_IS_HERE) {
        return one == TW_BODY_IS_MORE ? TW_STEP_MORE : TW_STEP_DONE;
    }
    begin_call(state, false);
    return TW_STEP_AGAIN;
}

/* White space up to |to|, where |lexeme| stands.  What only Python takes for a
 * blank is text behind a call that no marker and no bracket holds, unless a
 * separator, a stop or the end follows. */
static tw_step skip_blanks(tw_frame *state, const uint8_t *to,
                           tw_python_lexeme lexeme)
{
    const tw_window *window = state->window;
    const uint8_t *plain = tw_behind_ws(window->at, window->limit);
    const bool held = is_marked(state->pattern) || state->elements == 0 ||
                      state->comma || state->array == TW_FRAME_IN_ARRAY;
    if (held || plain == to || lexeme == TW_PYTHON_END) {
        tw_block_skip(state, (size_t)(to - window->at));
        return TW_STEP_AGAIN;
    }
    if (plain > window->at) {
        tw_block_skip(state, (size_t)(plain - window->at));
        return TW_STEP_AGAIN;
    }
    const bool far = to - window->at > TW_HOLD_WS;
    const unsigned roles = lexeme == TW_PYTHON_MORE
                               ? TW_AT_MORE
                               : tw_marker_at(state->marks, window, to).roles;
    if (!far && roles == TW_AT_MORE) {
        return TW_STEP_MORE;
    }
    if (!far && ((roles & TW_AT_STOP) != 0 || memchr(",;]", *to, 3) != NULL)) {
        tw_block_skip(state, (size_t)(to - window->at));
    } else {
        tw_frame_leave_call(state);
    }
    return TW_STEP_AGAIN;
}

tw_step tw_frame_read_list(tw_frame *state)
{
    tw_window *window = state->window;
    const uint8_t *at = window->at;
    if (state->array == TW_FRAME_ARRAY_CLOSED) {
        const tw_step step = read_behind_list(state);
        if (step != TW_STEP_DONE) {
            return step;
        }
    }
    const tw_python_lexeme lexeme =
        tw_python_skip(&at, window->limit, window->eof);
    if (at > window->at) {
        return skip_blanks(state, at, lexeme);
    }
    if (lexeme == TW_PYTHON_MORE) {
        return TW_STEP_MORE;
    }
    if (lexeme == TW_PYTHON_END) {
        tw_block_end(state);
        return TW_STEP_AGAIN;
    }
    const tw_step marker = tw_block_read_marker(state);
    if (marker != TW_STEP_DONE) {
        return marker;
    }
    const bool closed = state->array == TW_FRAME_ARRAY_CLOSED;
    const bool listed = state->array == TW_FRAME_IN_ARRAY;
    const uint8_t c = *at;
    tw_step step = TW_STEP_DONE;
    if ((c == ',' && !closed) || (c == ';' && !listed && !closed)) {
        state->comma = true;
        tw_block_skip(state, 1);
        return TW_STEP_AGAIN;
    }
    if (c == ']' && listed) {
        close_list(state);
        return TW_STEP_AGAIN;
    }
    if (c == ')' || c == ']' || c == '}') {
        step = read_closer(state, c);
    } else if (c == '{' && !closed) {
        begin_call(state, true);
        return TW_STEP_AGAIN;
    } else {
        step = read_callee(state, c);
    }
    return step == TW_STEP_DONE ? read_other(state) : step;
}

/* ---- without an open marker --------------------------------------------- */

/* Does a close marker follow |at| before any other marker?  What was looked at
 * is remembered, so that no byte is searched twice.  DONE: no. */
static tw_step close_follows(tw_frame *state, const uint8_t *at, size_t *size)
{
    const tw_window *window = state->window;
    const uint8_t *to = window->at + state->searched;
    tw_found found = {0};
    for (to = to > at ? to : at; to < window->limit; to++) {
        to = tw_markers_find(state->marks, to, window->limit, window->limit);
        if (to == window->limit) {
            break;
        }
        found = tw_marker_at(state->marks, window, to);
        if ((found.roles & (TW_ENDS_CALL | TW_AT_MORE)) != 0) {
            break;
        }
    }
    const size_t seen = (size_t)(to - window->at);
    const bool open = to == window->limit || found.roles == TW_AT_MORE;
    if (open && seen <= TW_HOLD_BLOCK && !window->eof) {
        state->searched = seen;
        return TW_STEP_MORE;
    }
    state->searched = 0;
    *size = seen + found.size;
    return to < window->limit && seen <= TW_HOLD_BLOCK &&
                   (found.roles & TW_AT_CALL_END) != 0
               ? TW_STEP_AGAIN
               : TW_STEP_DONE;
}

tw_step tw_frame_read_echo(tw_frame *state)
{
    tw_window *window = state->window;
    const uint8_t *at = window->at;
    const tw_python_lexeme lexeme =
        tw_python_skip(&at, window->limit, window->eof);
    const size_t ws = (size_t)(at - window->at);
    size_t size = 0;
    tw_step step = TW_STEP_DONE;
    if (lexeme == TW_PYTHON_MORE && ws <= TW_HOLD_WS) {
        return TW_STEP_MORE;
    }
    if (lexeme != TW_PYTHON_END && ws <= TW_HOLD_WS && *at == '[') {
        const uint8_t *name = at + 1;
        tw_python_skip(&name, window->limit, window->eof);
        const tw_python_callee callee =
            tw_python_callee_at(&state->json.common, name);
        step = callee.opens == TW_BODY_IS_MORE ? TW_STEP_MORE
               : callee.opens == TW_BODY_IS_HERE
                   ? close_follows(state, at, &size)
                   : TW_STEP_DONE;
    }
    if (step == TW_STEP_MORE) {
        return step;
    }
    if (step == TW_STEP_AGAIN) {
        tw_frame_framing(state, ws);
        tw_sink_dropped(state->sink, TW_DIAGNOSTIC_ECHOED_CALL, window->offset,
                        size - ws);
        tw_window_skip(window, size - ws);
    }
    state->mode = TW_FRAME_TEXT;
    return TW_STEP_AGAIN;
}

/* A pattern that has no open marker, and only calls that name themselves. */
static tw_step try_unmarked(tw_frame *state, const tw_pattern *pattern,
                            const uint8_t *at)
{
    const tw_body_head head = {.pattern = pattern, .proof = TW_PROOF_HEAD};
    size_t size;
    if (tw_frame_opener_of(pattern) != NULL ||
        !tw_frame_has_callees(pattern) ||
        (pattern->loose && state->options.strict)) {
        return TW_STEP_DONE;
    }
    switch (tw_frame_body_opens(state, &head, at)) {
    case TW_BODY_IS_MORE: return TW_STEP_MORE;
    case TW_BODY_IS_HERE:
        return tw_pattern_close(pattern) == NULL
                   ? TW_STEP_AGAIN
                   : close_follows(state, at, &size);
    default: return TW_STEP_DONE;
    }
}

tw_step tw_frame_unmarked_call(tw_frame *state, const uint8_t *at)
{
    const tw_patterns *calls = &state->description->call;
    tw_step step = TW_STEP_DONE;
    size_t i = 0;
    for (; i < calls->count && step == TW_STEP_DONE; i++) {
        step = try_unmarked(state, &calls->all[i], at);
    }
    if (step != TW_STEP_AGAIN) {
        return step;
    }
    const tw_pattern *pattern = &calls->all[i - 1];
    tw_frame_end_segment(state, TW_EDGE_CALL);
    if (tw_pattern_close(pattern) != NULL) {
        tw_frame_diagnose(state, TW_DIAGNOSTIC_MISSING_CALL_OPEN,
                          state->window->at);
    } else if (pattern->loose && *state->window->at != '[') {
        tw_frame_diagnose(state, TW_DIAGNOSTIC_NO_LIST, state->window->at);
    }
    tw_frame_start_block(state, pattern);
    return TW_STEP_AGAIN;
}
