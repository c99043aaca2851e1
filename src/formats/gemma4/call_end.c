/* SPDX-License-Identifier: MIT
 *
 * Behind a call's object: the close marker, the next call, junk; and the rest
 * of a call that is malformed.
 */
#include <string.h>

#include "formats/body/gemma/look.h"
#include "formats/gemma4/state.h"

/* The object is closed and may be handed on. */
static void end_call(tw_gemma4 *state, const uint8_t *end)
{
    tw_window *window = state->window;
    tw_window_skip(window, (size_t)(end - window->at));
    tw_sink_arguments(state->sink, state->call.index, "}", 1,
                      state->call.closer_at);
    if (state->sink->overflow) {
        tw_sink_diagnostic(state->sink, TW_DIAGNOSTIC_LIMIT_ARGUMENTS,
                           state->call.closer_at);
        state->call.reason = TW_DIAGNOSTIC_LIMIT_ARGUMENTS;
        tw_gemma4_fail_call(state);
        return;
    }
    tw_sink_call_end(state->sink, state->call.index, TW_CALL_COMPLETE,
                     state->block, window->offset);
    tw_gemma4_close_block(state);
}

/* Prose behind the object: dropped if a close marker ends it soon, else it
 * was text.  |at| is where it begins. */
static tw_step junk_after_call(tw_gemma4 *state, const uint8_t *at)
{
    tw_window *window = state->window;
    const uint8_t *to = at;
    size_t size = 0;
    tw_gemma_marker marker = TW_GEMMA_NONE;
    int c;
    for (;; to++) {
        c = tw_look(window, to);
        marker =
            c == '<' ? tw_gemma4_marker_at(window, to, &size) : TW_GEMMA_NONE;
        if (c == TW_LOOK_END || to - at > TW_HOLD_JUNK ||
            (marker != TW_GEMMA_NONE && marker != TW_GEMMA_DELIMITER &&
             marker != TW_GEMMA_MORE)) {
            break;
        }
        if (c == TW_LOOK_MORE || marker == TW_GEMMA_MORE) {
            return TW_STEP_MORE;
        }
    }
    const uint64_t where = tw_window_offset(window, at);
    const uint64_t here = window->offset;
    const size_t junk = (size_t)(to - at);
    const bool closed = marker == TW_GEMMA_CALL_END && junk <= TW_HOLD_JUNK;
    end_call(state, closed ? at : window->at);
    if (closed) {
        tw_sink_dropped(state->sink, TW_DIAGNOSTIC_JUNK_AFTER_OBJECT, where,
                        junk);
        tw_window_skip(window, junk);
        tw_gemma4_framing(state, size);
    } else {
        tw_sink_diagnostic(state->sink, TW_DIAGNOSTIC_MISSING_CALL_CLOSE,
                           junk > TW_HOLD_JUNK ? where : here);
    }
    return TW_STEP_AGAIN;
}

static tw_step closer_after_call(tw_gemma4 *state, const uint8_t *at)
{
    if (state->call.doubled > 0) {
        state->call.doubled--;
    } else {
        tw_gemma4_diagnose(state, TW_DIAGNOSTIC_EXTRA_CLOSER, at);
    }
    tw_window_skip(state->window, (size_t)(at + 1 - state->window->at));
    return TW_STEP_AGAIN;
}

/* The call goes on where it should be over: it must not run. */
static tw_step bad_after_call(tw_gemma4 *state, uint32_t reason,
                              const uint8_t *at)
{
    if (reason == TW_DIAGNOSTIC_ARGUMENTS_GO_ON) {
        tw_gemma4_begin_skip(state, reason,
                             tw_window_offset(state->window, at));
        return TW_STEP_AGAIN;
    }
    tw_gemma4_diagnose(state, reason, at);
    state->call.reason = reason;
    state->call.truncated = false;
    tw_gemma4_fail_call(state);
    return TW_STEP_AGAIN;
}

static tw_step marker_after_call(tw_gemma4 *state, const uint8_t *at,
                                 tw_gemma_marker marker, size_t size)
{
    const uint64_t here = state->window->offset;
    if (marker == TW_GEMMA_CALL_END) {
        end_call(state, at);
        tw_gemma4_framing(state, size);
        return TW_STEP_AGAIN;
    }
    /* The stop rule swallowed the close marker. */
    end_call(state, state->window->at);
    tw_sink_diagnostic(state->sink, TW_DIAGNOSTIC_MISSING_CALL_CLOSE, here);
    return TW_STEP_AGAIN;
}

static tw_step end_after_call(tw_gemma4 *state)
{
    tw_window *window = state->window;
    const uint64_t here = window->offset;
    const size_t left = tw_window_size(window);
    end_call(state, window->at);
    tw_sink_diagnostic(state->sink, TW_DIAGNOSTIC_MISSING_CALL_CLOSE, here);
    tw_gemma4_framing(state, left);
    return TW_STEP_AGAIN;
}

/* No more blanks than are held, and one. */
static const uint8_t *behind_blanks(const tw_window *window, const uint8_t *at)
{
    const uint8_t *from = at;
    while (at < window->limit && tw_is_ws(*at) && at - from <= TW_HOLD_WS) {
        at++;
    }
    return at;
}

/* The head of another call in the block: the marker in front of it opens all
 * of them.  Without `call:` the tool must be declared. */
static tw_gemma4_head next_head(const tw_gemma4 *state, const uint8_t *at)
{
    const tw_tools *tools = state->sink->tools;
    const tw_answer word = tw_gemma_call_word(state->window, at);
    tw_gemma4_head found = {.kind = word == TW_WAIT ? TW_GEMMA4_HEAD_MORE
                                                    : TW_GEMMA4_HEAD_NONE};
    if (word == TW_YES || (word == TW_NO && tools != NULL)) {
        found = state->bare ? tw_gemma4_bare_head(state, at)
                            : tw_gemma4_head_in(state, at, false);
        if (found.kind == TW_GEMMA4_HEAD_CALL && word == TW_NO &&
            !tw_gemma4_is_declared(tools, &found)) {
            found.kind = TW_GEMMA4_HEAD_NONE;
        }
    }
    return found;
}

/* A comma at |at|, |comma|, stands in front of the call that is found. */
static tw_step next_call(tw_gemma4 *state, const uint8_t *at, bool comma,
                         const tw_gemma4_head *found)
{
    const uint64_t where = tw_window_offset(state->window, found->from);
    const bool bare = state->bare;
    if (comma) {
        tw_gemma4_diagnose(state, TW_DIAGNOSTIC_EXTRA_COMMA, at);
    }
    end_call(state, found->from);
    tw_sink_diagnostic(state->sink, TW_DIAGNOSTIC_CALLS_SHARE_BLOCK, where);
    return tw_gemma4_begin_call(state, found, bare);
}

tw_step tw_gemma4_read_after_call(tw_gemma4 *state)
{
    tw_window *window = state->window;
    const uint8_t *at = behind_blanks(window, window->at);
    const int c = tw_look(window, at);
    size_t size;
    if (at - window->at > TW_HOLD_WS) {
        const uint64_t here = window->offset;
        end_call(state, window->at);
        tw_sink_diagnostic(state->sink, TW_DIAGNOSTIC_MISSING_CALL_CLOSE,
                           here);
        return TW_STEP_AGAIN;
    }
    if (c == TW_LOOK_MORE) {
        return TW_STEP_MORE;
    }
    if (c == TW_LOOK_END || (c == '<' && tw_gemma4_is_cut_close(window, at))) {
        return end_after_call(state);
    }
    const tw_gemma_marker marker =
        c == '<' ? tw_gemma4_marker_at(window, at, &size) : TW_GEMMA_NONE;
    if (marker == TW_GEMMA_MORE) {
        return TW_STEP_MORE;
    }
    if (marker != TW_GEMMA_NONE && marker != TW_GEMMA_DELIMITER) {
        return marker_after_call(state, at, marker, size);
    }
    const bool comma = c == ',';
    const tw_gemma4_head next =
        next_head(state, comma ? behind_blanks(window, at + 1) : at);
    if (next.kind == TW_GEMMA4_HEAD_MORE) {
        return TW_STEP_MORE;
    }
    if (next.kind == TW_GEMMA4_HEAD_CALL) {
        return next_call(state, at, comma, &next);
    }
    if (c == '}' || c == ']' || c == ')') {
        return closer_after_call(state, at);
    }
    if (state->bare) {
        return bad_after_call(state, TW_DIAGNOSTIC_PROSE_AFTER_BARE_CALL, at);
    }
    return c == ',' || c == ':' || c == '='
               ? bad_after_call(state, TW_DIAGNOSTIC_ARGUMENTS_GO_ON, at)
               : junk_after_call(state, at);
}

/* A malformed call ends at its close marker, or before the next head or a
 * stop marker; strings are skipped. */
tw_step tw_gemma4_read_skip(tw_gemma4 *state)
{
    tw_window *window = state->window;
    const uint8_t *at = window->at;
    if (at == window->limit) {
        if (!window->eof) {
            return TW_STEP_MORE;
        }
        tw_gemma4_fail_call(state);
        return TW_STEP_AGAIN;
    }
    if (*at != '<') {
        const uint8_t *less = memchr(at, '<', tw_window_size(window));
        tw_window_skip(window, less != NULL ? (size_t)(less - at)
                                            : tw_window_size(window));
        return TW_STEP_AGAIN;
    }
    size_t size;
    const tw_gemma_marker marker = tw_gemma4_marker_at(window, at, &size);
    const bool outside = !state->skip_in_string;
    if (marker == TW_GEMMA_MORE) {
        return TW_STEP_MORE;
    }
    if (outside && tw_gemma_is_stop(marker)) {
        tw_gemma4_fail_call(state);
        return TW_STEP_AGAIN;
    }
    /* The skipped call's own marker stands where its block begins. */
    if (outside && marker == TW_GEMMA_CALL && window->offset > state->block) {
        const tw_gemma4_head found =
            tw_gemma4_head_in(state, at + size, false);
        if (found.kind == TW_GEMMA4_HEAD_MORE) {
            return TW_STEP_MORE;
        }
        if (found.kind > TW_GEMMA4_HEAD_FAR) {
            tw_gemma4_fail_call(state);
            return TW_STEP_AGAIN;
        }
    }
    tw_window_skip(window, marker == TW_GEMMA_NONE ? 1 : size);
    if (marker == TW_GEMMA_DELIMITER) {
        state->skip_in_string = outside;
    } else if (outside && marker == TW_GEMMA_CALL_END) {
        tw_gemma4_fail_call(state);
    }
    return TW_STEP_AGAIN;
}
