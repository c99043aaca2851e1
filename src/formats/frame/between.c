/* SPDX-License-Identifier: MIT
 *
 * What stands between the bodies of a block: brackets, separators, markers,
 * and what is none of these.
 */
#include <string.h>

#include "core/skip.h"
#include "events/tools.h"
#include "formats/frame/block.h"

/* Is a list due in the block, with its brackets? */
static bool is_list(const tw_frame *state)
{
    const uint8_t kind = tw_pattern_hole(state->pattern)->kind;
    return kind != TW_PATTERN_OBJECT && kind != TW_PATTERN_LIST_LINES;
}

static void not_object(tw_frame *state)
{
    state->comma = false;
    tw_block_begin_element(state);
    tw_block_break(state, TW_DIAGNOSTIC_NOT_OBJECT, state->window->offset);
    state->local = tw_frame_has_balance(state);
    if (state->local) {
        tw_balance_start(state->balance);
    }
}

static void drop_junk(tw_frame *state, size_t size)
{
    tw_sink_dropped(state->sink, TW_DIAGNOSTIC_JUNK_AFTER_OBJECT,
                    state->window->offset, size);
    tw_window_skip(state->window, size);
}

/* Does a token begin what stands between the body and the call's close?  Plain
 * text, such as a fence, may be the answer's. */
static bool has_inner_token(const tw_frame *state)
{
    const tw_pattern *pattern = state->pattern;
    const tw_part *close = tw_pattern_close(pattern);
    const tw_part *part = &pattern->parts[pattern->hole + 1];
    bool found = false;
    for (; close != NULL && part < close; part++) {
        found |= part->kind == TW_PATTERN_LITERAL && part->token > 0;
    }
    return found;
}

/* Prose at |from|, behind the object and separators: dropped if a close marker
 * ends it soon, else all behind the object is text. */
static tw_step junk_after(tw_frame *state, const uint8_t *from)
{
    tw_window *window = state->window;
    const uint8_t *to = from;
    tw_found found = {0};
    tw_match inner = TW_MATCH_NONE;
    const bool looks_inside = has_inner_token(state);
    size_t size;
    while (to < window->limit) {
        found = tw_block_marker_between(state, to);
        inner =
            looks_inside ? tw_block_inner_at(state, to, &size) : TW_MATCH_NONE;
        if ((found.roles & (TW_ENDS_CALL | TW_AT_MORE)) != 0 ||
            tw_frame_is_outside(&found) || inner >= TW_MATCH_MORE ||
            to - from > TW_HOLD_JUNK) {
            break;
        }
        to++;
    }
    const bool far = to - from > TW_HOLD_JUNK;
    if (!far && (found.roles == TW_AT_MORE || inner == TW_MATCH_MORE ||
                 (to == window->limit && !window->eof))) {
        return TW_STEP_MORE;
    }
    const size_t junk = (size_t)(to - from);
    if (!far && inner == TW_MATCH_WHOLE) {
        tw_frame_framing(state, (size_t)(from - window->at));
        drop_junk(state, junk);
        return TW_STEP_AGAIN;
    }
    if (!far && (found.roles & TW_AT_CALL_END) != 0) {
        const uint8_t *end = to;
        while (end > from && tw_is_ws(end[-1])) {
            end--;
        }
        tw_frame_framing(state, (size_t)(from - window->at));
        if (state->fence && end - from == 3 && memcmp(from, "```", 3) == 0) {
            tw_frame_framing(state, junk);
        } else {
            drop_junk(state, junk);
        }
        tw_block_close(state, true, found.size);
        return TW_STEP_AGAIN;
    }
    tw_frame_diagnose(state, TW_DIAGNOSTIC_MISSING_CALL_CLOSE, from);
    tw_frame_leave_call(state);
    return TW_STEP_AGAIN;
}

tw_match tw_block_odd_at(const tw_frame *state, const uint8_t *at,
                         uint32_t *code, size_t *size)
{
    const tw_window *window = state->window;
    const uint8_t *to = at;
    const bool json =
        tw_pattern_hole(state->pattern)->kind != TW_PATTERN_GEMMA;
    if (!json || (*at < 0x80 && *at != '\\' && *at != '\v' && *at != '\f')) {
        return TW_MATCH_NONE;
    }
    const tw_json_lexeme lexeme =
        tw_json_scan(&to, window->limit, window->eof);
    *size = (size_t)(to - at);
    switch (lexeme) {
    case TW_JSON_BOM: *code = TW_DIAGNOSTIC_BOM; break;
    case TW_JSON_LITERAL_WS: *code = TW_DIAGNOSTIC_LITERAL_BACKSLASH_N; break;
    case TW_JSON_NONSTANDARD_WS: *code = TW_DIAGNOSTIC_ODD_WHITESPACE; break;
    default: return lexeme == TW_JSON_MORE ? TW_MATCH_MORE : TW_MATCH_NONE;
    }
    return TW_MATCH_WHOLE;
}

/* White space and commas of a list: where one is due, or too many. */
static void skip_in_list(tw_frame *state, size_t size)
{
    const uint8_t *to = state->window->at + size;
    for (const uint8_t *at = state->window->at; at < to; at++) {
        if (*at == ',' && state->comma) {
            tw_block_skip(state, (size_t)(at - state->window->at));
            tw_frame_diagnose(state, TW_DIAGNOSTIC_EXTRA_COMMA, at);
        }
        state->comma |= *at == ',';
    }
    tw_block_skip(state, (size_t)(to - state->window->at));
}

/* White space and commas: framing, unless prose follows behind an object. */
static tw_step skip_separators(tw_frame *state)
{
    const tw_window *window = state->window;
    const size_t size = tw_block_separators(state);
    const uint8_t *to = window->at + size;
    uint32_t code;
    size_t other;
    if (state->array == TW_FRAME_IN_ARRAY) {
        skip_in_list(state, size);
        return TW_STEP_AGAIN;
    }
    if (state->elements == 0 || size > TW_HOLD_WS) {
        tw_block_skip(state, size);
        return TW_STEP_AGAIN;
    }
    if (to == window->limit && !window->eof) {
        return TW_STEP_MORE;
    }
    /* Behind arguments no other object is due. */
    const size_t brackets =
        tw_pattern_hole(state->pattern)->kind <= TW_PATTERN_KEYED ? 3 : 2;
    if (to < window->limit && memchr("]}{", *to, brackets) == NULL) {
        const tw_found marker = tw_block_marker_between(state, to);
        const tw_match inner = tw_block_inner_at(state, to, &other);
        const tw_match odd = tw_block_odd_at(state, to, &code, &other);
        if (marker.roles == TW_AT_MORE || inner == TW_MATCH_MORE ||
            odd == TW_MATCH_MORE) {
            return TW_STEP_MORE;
        }
        if ((marker.roles & TW_ENDS_CALL) == 0 && inner == TW_MATCH_NONE &&
            odd == TW_MATCH_NONE && !tw_block_is_cut(state, to)) {
            return junk_after(state, to);
        }
    }
    tw_block_skip(state, size);
    return TW_STEP_AGAIN;
}

/* An object begins: do its brackets and commas suit the format? */
static void check_brackets(tw_frame *state)
{
    const uint8_t *at = state->window->at;
    if (!state->comma && state->array == TW_FRAME_IN_ARRAY) {
        tw_frame_diagnose(state, TW_DIAGNOSTIC_MISSING_COMMA, at);
    }
    state->comma = false;
    if (state->array != TW_FRAME_NO_ARRAY || state->many) {
        return;
    }
    if (state->elements == 0) {
        if (is_list(state)) {
            tw_frame_diagnose(state, TW_DIAGNOSTIC_NO_LIST_IN_TAG, at);
        }
    } else if (tw_pattern_hole(state->pattern)->kind !=
               TW_PATTERN_LIST_LINES) {
        state->many = true;
        tw_frame_diagnose(state, TW_DIAGNOSTIC_MANY_OBJECTS_IN_TAG, at);
    }
}

/* No bracket, and nothing that may stand between objects. */
static tw_step read_other(tw_frame *state)
{
    const uint8_t *at = state->window->at;
    uint32_t code;
    size_t size;
    const tw_match odd = tw_block_odd_at(state, at, &code, &size);
    if (odd == TW_MATCH_MORE) {
        return TW_STEP_MORE;
    }
    if (odd == TW_MATCH_WHOLE) {
        tw_frame_diagnose(state, code, at);
        tw_block_skip(state, size);
    } else if (state->array == TW_FRAME_IN_ARRAY) {
        not_object(state);
    } else {
        return junk_after(state, at);
    }
    return TW_STEP_AGAIN;
}

/* `call:g{...}` behind a call of Gemma's, in its block; or `g{...}`, where the
 * tool is declared.  DONE: there is none. */
static tw_step read_shared(tw_frame *state)
{
    const tw_window *window = state->window;
    if (state->elements == 0 ||
        tw_pattern_hole(state->pattern)->kind != TW_PATTERN_GEMMA) {
        return TW_STEP_DONE;
    }
    const uint8_t *at = tw_behind_some_ws(window->at, window->limit);
    tw_head head = tw_frame_head_at(state, at, 0, TW_PLACE_SHARED, NULL);
    if (head.kind != TW_HEAD_WHOLE) {
        return head.kind == TW_HEAD_MORE ? TW_STEP_MORE : TW_STEP_DONE;
    }
    if (head.pattern->loose && !head.pattern->words &&
        !tw_tools_has(state->sink->tools, (const char *)head.name,
                      head.name_size)) {
        return TW_STEP_DONE;
    }
    tw_frame_diagnose(state, TW_DIAGNOSTIC_CALLS_SHARE_BLOCK, at);
    tw_frame_framing(state, (size_t)(at - window->at));
    tw_frame_start_block(state, head.pattern);
    tw_block_begin_body(state, &head);
    return TW_STEP_AGAIN;
}

/* A marker, another call of the block, what stands inside the pattern: what is
 * looked for wherever a call's object may begin.  DONE: none stands there. */
static tw_step read_known(tw_frame *state)
{
    static tw_step (*const readers[])(tw_frame *) = {
        tw_block_read_marker, read_shared, tw_block_read_inner};
    tw_step step = TW_STEP_DONE;
    for (size_t i = 0; i < 3 && step == TW_STEP_DONE; i++) {
        step = readers[i](state);
    }
    return step;
}

static void open_array(tw_frame *state)
{
    state->array = TW_FRAME_IN_ARRAY;
    if (!is_list(state)) {
        tw_frame_diagnose(state, TW_DIAGNOSTIC_ARRAY_IN_TAG,
                          state->window->at);
    }
    tw_window_skip(state->window, 1);
}

static void close_array(tw_frame *state)
{
    state->array = TW_FRAME_ARRAY_CLOSED;
    if (state->elements == 0) {
        tw_block_empty_list(state);
    } else {
        if (state->comma) {
            tw_frame_diagnose(state, TW_DIAGNOSTIC_TRAILING_COMMA,
                              state->window->at);
        }
        tw_frame_framing(state, 1);
    }
    if (!tw_block_is_closed(state)) {
        state->swallow = false;
        state->mode = TW_FRAME_BEHIND;
    }
}

tw_step tw_frame_read_between(tw_frame *state)
{
    const tw_window *window = state->window;
    const uint8_t *at = window->at;
    if (tw_frame_has_callees(state->pattern)) {
        return tw_frame_read_list(state);
    }
    if (at == window->limit) {
        if (!window->eof) {
            return TW_STEP_MORE;
        }
        tw_block_end(state);
        return TW_STEP_AGAIN;
    }
    const uint8_t c = *at;
    const bool swallow = state->swallow;
    const tw_step known = read_known(state);
    if (known != TW_STEP_DONE) {
        return known;
    }
    state->swallow = false;
    if (c == '{' &&
        tw_pattern_hole(state->pattern)->kind <= TW_PATTERN_KEYED) {
        check_brackets(state);
        tw_block_begin_element(state);
        tw_frame_start_body(state, &state->json.common);
    } else if (c == '[' && state->elements == 0 &&
               state->array == TW_FRAME_NO_ARRAY) {
        open_array(state);
    } else if (c == ']' && state->array == TW_FRAME_IN_ARRAY) {
        close_array(state);
    } else if ((c == ']' || c == '}') && state->elements > 0) {
        if (!swallow || c != '}') {
            tw_frame_diagnose(state, TW_DIAGNOSTIC_EXTRA_CLOSER, at);
        }
        tw_frame_framing(state, 1);
    } else if (tw_is_ws(c) || (c == ',' && state->elements > 0)) {
        return skip_separators(state);
    } else {
        return read_other(state);
    }
    return TW_STEP_AGAIN;
}
