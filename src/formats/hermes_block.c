/* SPDX-License-Identifier: MIT
 *
 * A Hermes block, from `<tool_call>` to `</tool_call>`: the objects or tags
 * inside, what stands between them, and what a bad one leaves behind.
 */
#include <string.h>

#include "formats/hermes_head.h"
#include "formats/hermes_state.h"

void tw_hermes_start_block(tw_hermes *state)
{
    state->block = state->window->offset;
    state->fence = state->many = state->swallow = state->bare = false;
    state->array = TW_HERMES_NO_ARRAY;
    state->elements = 0;
    state->may_be_bare = false;
    state->mode = TW_HERMES_BETWEEN;
    tw_sink_record(state->sink);
}

/* A block that holds no call: all of it, up to the window. */
static void list_block(tw_hermes *state, uint32_t code)
{
    const uint64_t end = state->window->offset;
    const size_t size = (size_t)(end - state->block);
    tw_sink_unparsed(state->sink, TW_NO_INDEX, code, state->block, end,
                     tw_sink_recorded(state->sink, size), size, NULL, 0);
}

tw_step tw_hermes_begin_block(tw_hermes *state, const uint8_t *open,
                              size_t size)
{
    tw_window *window = state->window;
    const uint8_t *behind = open + size;
    if (tw_hermes_read_whole_block(state, open, size)) {
        return TW_STEP_AGAIN;
    }
    const tw_hermes_head head =
        tw_hermes_head_at(state->wire, window, behind, NULL);
    if (head.kind == TW_HERMES_HEAD_MORE) {
        return TW_STEP_MORE;
    }
    if (head.kind == TW_HERMES_HEAD_FAR && !state->options.strict) {
        tw_hermes_diagnose(state, TW_DIAGNOSTIC_REPAIR_GIVEN_UP, open);
        state->plain_until = tw_window_offset(window, head.body);
        return tw_hermes_text_run(state, open);
    }
    if (head.kind == TW_HERMES_HEAD_NONE && head.last != NULL) {
        /* Nor is there one behind the others. */
        state->plain_until = tw_window_offset(window, head.last);
    }
    if (head.kind <= TW_HERMES_HEAD_FAR ||
        (state->options.strict && head.loose)) {
        return tw_hermes_text_run(state, open);
    }
    tw_hermes_end_segment(state, !state->format->keeps_feed_before_call);
    tw_hermes_start_block(state);
    tw_hermes_head_at(state->wire, window, window->at + size, state->sink);
    if (head.kind == TW_HERMES_HEAD_CUT || head.kind == TW_HERMES_HEAD_EMPTY) {
        const bool cut = head.kind == TW_HERMES_HEAD_CUT;
        const uint32_t code =
            cut ? TW_DIAGNOSTIC_TRUNCATED_CALL : TW_DIAGNOSTIC_EMPTY_CALL;
        tw_hermes_diagnose(state, code, cut ? head.body : window->at);
        tw_window_skip(window, (size_t)(head.body - window->at));
        list_block(state, code);
        tw_hermes_enter_text(state, 1);
        return TW_STEP_AGAIN;
    }
    state->fence = head.fence;
    if (head.kind == TW_HERMES_HEAD_JSON) {
        tw_window_skip(window, (size_t)(head.body - window->at));
        return TW_STEP_AGAIN;
    }
    const bool glm = head.kind == TW_HERMES_HEAD_GLM;
    tw_hermes_diagnose(
        state, glm ? TW_DIAGNOSTIC_GLM_BODY : TW_DIAGNOSTIC_QWEN3_CODER_BODY,
        window->at);
    tw_hermes_tag_body_start(&state->call, state->block, glm, head.name,
                             head.name_size);
    tw_window_skip(window, (size_t)(head.body - window->at));
    state->elements = 1;
    state->mode = TW_HERMES_TAGS;
    return TW_STEP_AGAIN;
}

/* Leaves the block: a close tag is framing, anything else stays where it is
 * and is read as what comes behind. */
static void leave_block(tw_hermes *state, size_t close_size)
{
    tw_hermes_framing(state, close_size);
    tw_hermes_enter_text(state, 1);
}

static void close_block(tw_hermes *state, bool by_tag, size_t size)
{
    tw_window *window = state->window;
    if (!by_tag) {
        tw_hermes_diagnose(state, TW_DIAGNOSTIC_MISSING_CALL_CLOSE,
                           window->at);
    }
    if (state->array == TW_HERMES_IN_ARRAY) {
        tw_hermes_diagnose(state, TW_DIAGNOSTIC_MISSING_CLOSER, window->at);
        if (state->elements == 0) {
            tw_sink_diagnostic(state->sink, TW_DIAGNOSTIC_EMPTY_CALL,
                               state->block);
            list_block(state, TW_DIAGNOSTIC_EMPTY_CALL);
        }
    }
    leave_block(state, by_tag ? size : 0);
}

static void begin_element(tw_hermes *state)
{
    tw_window *window = state->window;
    const bool first = state->elements == 0;
    state->elements++;
    if (!first) {
        tw_sink_record(state->sink);
    }
    tw_hermes_call_start(&state->call, first ? state->block : window->offset);
}

static void broken(tw_hermes *state, uint32_t reason, uint64_t offset)
{
    tw_hermes_call *call = &state->call;
    tw_hermes_call_fail(call, reason, offset);
    state->mode = TW_HERMES_SKIP;
}

static void not_object(tw_hermes *state)
{
    begin_element(state);
    broken(state, TW_DIAGNOSTIC_NOT_OBJECT, state->window->offset);
}

/* Prose behind the object: dropped if a close tag ends it soon, else it was
 * text. */
static tw_step junk_after(tw_hermes *state)
{
    tw_window *window = state->window;
    const uint8_t *to = window->at;
    tw_hermes_tag tag = TW_HERMES_NONE;
    size_t size = 0;
    while (to < window->limit) {
        tag = *to == '<' ? tw_hermes_tag_at(state->wire, window, to, &size)
                         : TW_HERMES_NONE;
        if (tag == TW_HERMES_CALL || tag == TW_HERMES_CALL_END ||
            tag == TW_HERMES_STOP || tag == TW_HERMES_MORE ||
            to - window->at > TW_HOLD_JUNK) {
            break;
        }
        to++;
    }
    const bool far = to - window->at > TW_HOLD_JUNK;
    if (!far &&
        (tag == TW_HERMES_MORE || (to == window->limit && !window->eof))) {
        return TW_STEP_MORE;
    }
    const size_t junk = (size_t)(to - window->at);
    if (!far && tag == TW_HERMES_CALL_END) {
        const uint8_t *end = to;
        while (end > window->at && tw_hermes_is_blank(end[-1])) {
            end--;
        }
        if (state->fence && end - window->at == 3 &&
            memcmp(window->at, "```", 3) == 0) {
            tw_hermes_framing(state, junk);
        } else {
            tw_sink_dropped(state->sink, TW_DIAGNOSTIC_JUNK_AFTER_OBJECT,
                            window->offset, junk);
            tw_window_skip(window, junk);
        }
        close_block(state, true, size);
        return TW_STEP_AGAIN;
    }
    tw_hermes_diagnose(state, TW_DIAGNOSTIC_MISSING_CALL_CLOSE, window->at);
    tw_hermes_enter_text(state, 1);
    state->plain_until = tw_window_offset(window, to);
    return TW_STEP_AGAIN;
}

/* A tag between objects. */
static tw_step between_tag(tw_hermes *state)
{
    tw_window *window = state->window;
    size_t size;
    const tw_hermes_tag tag =
        tw_hermes_tag_at(state->wire, window, window->at, &size);
    if (tag == TW_HERMES_MORE) {
        return TW_STEP_MORE;
    }
    const bool closes = tag == TW_HERMES_CALL_END;
    if (tag == TW_HERMES_STOP && state->elements == 0) {
        tw_hermes_diagnose(state, TW_DIAGNOSTIC_TRUNCATED_CALL, window->at);
        list_block(state, TW_DIAGNOSTIC_TRUNCATED_CALL);
        leave_block(state, 0);
        return TW_STEP_AGAIN;
    }
    if (closes || tag == TW_HERMES_CALL || tag == TW_HERMES_STOP) {
        close_block(state, closes, size);
        return TW_STEP_AGAIN;
    }
    if (state->array == TW_HERMES_IN_ARRAY &&
        !tw_hermes_is_cut_tag(state->wire, window, window->at)) {
        not_object(state);
        return TW_STEP_AGAIN;
    }
    if (tw_hermes_is_cut_tag(state->wire, window, window->at)) {
        tw_window_skip(window, 0);
        return TW_STEP_DONE;
    }
    return junk_after(state);
}

/* The output ends between objects. */
static void end_between(tw_hermes *state)
{
    tw_window *window = state->window;
    const size_t left = tw_window_size(window);
    if (state->elements == 0) {
        tw_window_skip(window, left);
        tw_hermes_diagnose(state, TW_DIAGNOSTIC_TRUNCATED_CALL, window->at);
        list_block(state, TW_DIAGNOSTIC_TRUNCATED_CALL);
        tw_hermes_enter_text(state, 1);
        return;
    }
    tw_hermes_framing(state, left); /* a close tag that is cut in two */
    close_block(state, false, 0);
}

static void pass(tw_hermes *state, size_t size)
{
    if (state->elements > 0) {
        tw_hermes_framing(state, size);
    } else {
        tw_window_skip(state->window, size);
    }
}

static void empty_array(tw_hermes *state)
{
    tw_window_skip(state->window, 1);
    tw_sink_diagnostic(state->sink, TW_DIAGNOSTIC_EMPTY_CALL, state->block);
    list_block(state, TW_DIAGNOSTIC_EMPTY_CALL);
    state->elements = 1;
}

/* An object begins: do its brackets suit the dialect? */
static void note_brackets(tw_hermes *state)
{
    const uint8_t *at = state->window->at;
    if (state->array != TW_HERMES_NO_ARRAY || state->many) {
        return;
    }
    if (state->wire->holds_list && state->elements == 0) {
        tw_hermes_diagnose(state, TW_DIAGNOSTIC_NO_LIST_IN_TAG, at);
    } else if (state->elements > 0) {
        state->many = true;
        tw_hermes_diagnose(state, TW_DIAGNOSTIC_MANY_OBJECTS_IN_TAG, at);
    }
}

tw_step tw_hermes_read_between(tw_hermes *state)
{
    tw_window *window = state->window;
    const uint8_t *at = window->at;
    if (at == window->limit) {
        if (!window->eof) {
            return TW_STEP_MORE;
        }
        end_between(state);
        return TW_STEP_AGAIN;
    }
    const uint8_t c = *at;
    const bool swallow = state->swallow;
    if (c == '<') {
        const tw_step tag = between_tag(state);
        if (tag == TW_STEP_DONE) {
            end_between(state);
        }
        return tag == TW_STEP_MORE ? TW_STEP_MORE : TW_STEP_AGAIN;
    }
    state->swallow = false;
    if (c == '{') {
        note_brackets(state);
        begin_element(state);
        state->mode = TW_HERMES_OBJECT;
    } else if (c == '[' && state->elements == 0 &&
               state->array == TW_HERMES_NO_ARRAY) {
        state->array = TW_HERMES_IN_ARRAY;
        if (!state->wire->holds_list) {
            tw_hermes_diagnose(state, TW_DIAGNOSTIC_ARRAY_IN_TAG, at);
        }
        tw_window_skip(window, 1);
    } else if (c == ']' && state->array == TW_HERMES_IN_ARRAY) {
        state->array = TW_HERMES_ARRAY_CLOSED;
        if (state->elements == 0) {
            empty_array(state);
        } else {
            tw_hermes_framing(state, 1);
        }
    } else if ((c == ']' || c == '}') && state->elements > 0) {
        if (!swallow || c != '}') {
            tw_hermes_diagnose(state, TW_DIAGNOSTIC_EXTRA_CLOSER, at);
        }
        tw_hermes_framing(state, 1);
    } else if (tw_hermes_is_blank(c) || (c == ',' && state->elements > 0)) {
        pass(state, 1);
    } else if (state->array == TW_HERMES_IN_ARRAY) {
        not_object(state);
    } else {
        return junk_after(state);
    }
    return TW_STEP_AGAIN;
}

/* ---- calls -------------------------------------------------------------- */

static void element_done(tw_hermes *state)
{
    state->swallow = state->call.json.swallow;
    state->mode = TW_HERMES_BETWEEN;
}

/* The output, or a stop token, cuts the call off.  |left| bytes of a cut tag
 * stand at the window. */
static void cut_call(tw_hermes *state, bool stopped)
{
    tw_hermes_call *call = &state->call;
    tw_window *window = state->window;
    const bool clean = tw_window_size(window) == 0 || *window->at == '<';
    if (clean && state->mode == TW_HERMES_OBJECT &&
        tw_hermes_call_closable(call, true)) {
        tw_hermes_call_close(call);
        element_done(state);
        return;
    }
    if (!stopped) {
        tw_window_skip(window, tw_window_size(window));
    }
    if (state->mode == TW_HERMES_OBJECT) {
        tw_hermes_call_cut(call);
    }
    const bool failed = call->fail != 0;
    tw_hermes_call_fail(call, TW_DIAGNOSTIC_TRUNCATED_CALL, window->offset);
    tw_hermes_call_reject(call, call->fail,
                          failed ? TW_CALL_MALFORMED : TW_CALL_INCOMPLETE);
    leave_block(state, 0);
}

/* A `<` between the tokens of an object. */
static tw_step object_tag(tw_hermes *state)
{
    tw_window *window = state->window;
    tw_hermes_call *call = &state->call;
    size_t size;
    const tw_hermes_tag tag =
        tw_hermes_tag_at(state->wire, window, window->at, &size);
    if (tag == TW_HERMES_MORE) {
        return TW_STEP_MORE;
    }
    const bool closes = tag == TW_HERMES_CALL_END;
    const bool other = tag == TW_HERMES_CALL || tag == TW_HERMES_STOP;
    if (tw_hermes_is_cut_tag(state->wire, window, window->at) && !closes &&
        !other) {
        cut_call(state, false);
    } else if ((closes || other) && tw_hermes_call_closable(call, !closes)) {
        tw_hermes_call_close(call);
        element_done(state);
    } else if (tag == TW_HERMES_STOP) {
        cut_call(state, true);
    } else {
        broken(state, TW_DIAGNOSTIC_SYNTAX_ERROR, window->offset);
    }
    return TW_STEP_AGAIN;
}

tw_step tw_hermes_read_call(tw_hermes *state)
{
    tw_hermes_call *call = &state->call;
    const tw_hermes_end end = state->mode == TW_HERMES_OBJECT
                                  ? tw_hermes_call_step(call)
                                  : tw_hermes_tag_body_step(call);
    switch (end) {
    case TW_HERMES_GOES_ON: return TW_STEP_AGAIN;
    case TW_HERMES_STARVED: return TW_STEP_MORE;
    case TW_HERMES_LESS: return object_tag(state);
    case TW_HERMES_CUT: cut_call(state, false); return TW_STEP_AGAIN;
    case TW_HERMES_STOPPED: cut_call(state, true); return TW_STEP_AGAIN;
    case TW_HERMES_BROKEN:
        broken(state, call->reason, call->reason_at);
        return TW_STEP_AGAIN;
    default: break;
    }
    if (state->mode == TW_HERMES_TAGS && call->glm) {
        tw_hermes_enter_text(state, 1); /* the close tag was the body's end */
    } else {
        element_done(state);
    }
    return TW_STEP_AGAIN;
}

/* A bad call goes on to the next tag, by plain search. */
tw_step tw_hermes_read_skip(tw_hermes *state)
{
    tw_window *window = state->window;
    const uint8_t *less = memchr(window->at, '<', tw_window_size(window));
    tw_window_skip(window, less != NULL ? (size_t)(less - window->at)
                                        : tw_window_size(window));
    size_t size = 0;
    tw_hermes_tag tag = TW_HERMES_NONE;
    if (tw_window_size(window) > 0) {
        tag = tw_hermes_tag_at(state->wire, window, window->at, &size);
        if (tag == TW_HERMES_MORE) {
            return TW_STEP_MORE;
        }
    } else if (!window->eof) {
        return TW_STEP_MORE;
    }
    const bool ends = tag == TW_HERMES_CALL || tag == TW_HERMES_CALL_END ||
                      tag == TW_HERMES_STOP || tw_window_size(window) == 0;
    if (!ends) {
        tw_window_skip(window, 1);
        return TW_STEP_AGAIN;
    }
    tw_window_skip(window, tag == TW_HERMES_CALL_END ? size : 0);
    tw_hermes_call_reject(&state->call, state->call.fail, TW_CALL_MALFORMED);
    leave_block(state, 0);
    return TW_STEP_AGAIN;
}
