/* SPDX-License-Identifier: MIT
 *
 * A Hermes completion: text, reasoning and blocks of calls.
 */
#include <string.h>

#include "formats/hermes_encode.h"
#include "formats/hermes_state.h"

/* ---- tags --------------------------------------------------------------- */

tw_hermes_tag tw_hermes_tag_at(const tw_hermes_wire *wire,
                               const tw_window *window, const uint8_t *at,
                               size_t *size)
{
    const tw_hermes_tag tag =
        wire->scan_tag(at, window->limit, window->eof, size);
    /* The others are matched in ordinary text by tokenizers, too. */
    return tag == TW_HERMES_STOP && tw_window_is_marked_text(window, at, *size)
               ? TW_HERMES_NONE
               : tag;
}

static bool is_cut(const tw_window *window, const uint8_t *at, const char *tag)
{
    const size_t left = (size_t)(window->limit - at);
    return window->eof && left < strlen(tag) && memcmp(at, tag, left) == 0;
}

bool tw_hermes_is_cut_tag(const tw_hermes_wire *wire, const tw_window *window,
                          const uint8_t *at)
{
    const size_t left = (size_t)(window->limit - at);
    if (is_cut(window, at, wire->open) || is_cut(window, at, wire->close)) {
        return true;
    }
    for (size_t i = 0; wire->stops[i] != NULL; i++) {
        if (is_cut(window, at, wire->stops[i])) {
            return !tw_window_is_marked_text(window, at, left);
        }
    }
    return false;
}

void tw_hermes_diagnose(tw_hermes *state, uint32_t code, const uint8_t *at)
{
    tw_sink_diagnostic(state->sink, code, tw_window_offset(state->window, at));
}

void tw_hermes_framing(tw_hermes *state, size_t size)
{
    tw_sink_framing(state->sink, state->window->offset, size);
    tw_window_skip(state->window, size);
}

/* ---- text --------------------------------------------------------------- */

void tw_hermes_enter_text(tw_hermes *state, uint8_t strips)
{
    state->mode = TW_HERMES_TEXT;
    state->segment.strips = strips;
    tw_passage_start(&state->segment, TW_EVENT_TEXT);
    state->window->recording = false;
}

static void enter_reasoning(tw_hermes *state, bool at_start)
{
    tw_sink_opens_reasoning(state->sink);
    state->mode = TW_HERMES_REASONING;
    state->may_think = at_start;
    state->segment.strips = 1;
    tw_passage_start(&state->segment, TW_EVENT_REASONING);
}

void tw_hermes_end_segment(tw_hermes *state, bool touches_call)
{
    tw_passage_end_before(&state->segment, state->window, state->sink,
                          touches_call);
}

static void enter_end(tw_hermes *state, size_t size)
{
    tw_hermes_end_segment(state, false);
    tw_hermes_framing(state, size);
    state->dropped = 0;
    state->mode = TW_HERMES_ENDED_MESSAGE;
}

tw_step tw_hermes_text_run(tw_hermes *state, const uint8_t *from)
{
    const tw_window *window = state->window;
    const uint8_t *to = from + 1;
    const uint8_t *reach = tw_window_reach(window, to);
    const uint8_t *less = memchr(to, '<', (size_t)(reach - to));
    to = less != NULL ? less : reach;
    if (state->plain_until > tw_window_offset(window, from)) {
        const uint64_t left = state->plain_until - window->offset;
        to = left < tw_window_size(window) ? window->at + left : window->limit;
        while (to < window->limit && (*to & 0xC0) == 0x80) {
            to++; /* no code point is cut in two */
        }
    }
    state->may_be_bare = false;
    return tw_passage_run(&state->segment, state->window, state->sink, from,
                          to)
               ? TW_STEP_AGAIN
               : TW_STEP_MORE;
}

/* ---- text and reasoning ------------------------------------------------- */

static tw_step text_tag(tw_hermes *state, const uint8_t *at)
{
    size_t size;
    const tw_hermes_tag tag =
        tw_hermes_tag_at(state->wire, state->window, at, &size);
    switch (tag) {
    case TW_HERMES_MORE: return TW_STEP_MORE;
    case TW_HERMES_CALL: return tw_hermes_begin_block(state, at, size);
    case TW_HERMES_STOP: enter_end(state, size); return TW_STEP_AGAIN;
    case TW_HERMES_CALL_END:
        if (!state->segment.begun) {
            state->may_be_bare = false;
            tw_passage_hold_marker(&state->segment, size);
            return TW_STEP_AGAIN;
        }
        break;
    case TW_HERMES_THINK:
        if (!state->segment.begun) {
            tw_hermes_end_segment(state, false);
            tw_hermes_framing(state, size);
            state->may_be_bare = false;
            enter_reasoning(state, false);
            return TW_STEP_AGAIN;
        }
        break;
    default: break;
    }
    return tw_hermes_text_run(state, at);
}

static tw_step reasoning_tag(tw_hermes *state, const uint8_t *at)
{
    size_t size;
    const tw_hermes_tag tag =
        tw_hermes_tag_at(state->wire, state->window, at, &size);
    switch (tag) {
    case TW_HERMES_MORE: return TW_STEP_MORE;
    case TW_HERMES_THINK_END:
        tw_hermes_end_segment(state, true);
        tw_hermes_framing(state, size);
        tw_hermes_enter_text(state, 2);
        return TW_STEP_AGAIN;
    case TW_HERMES_STOP: enter_end(state, size); return TW_STEP_AGAIN;
    case TW_HERMES_CALL:
        if (state->options.calls_in_reasoning) {
            return tw_hermes_reasoning_call(state, at);
        }
        break;
    case TW_HERMES_THINK:
        if (state->may_think && !state->segment.begun) {
            tw_hermes_end_segment(state, true);
            tw_hermes_framing(state, size);
            tw_passage_start(&state->segment, TW_EVENT_REASONING);
            return TW_STEP_AGAIN;
        }
        break;
    default: break;
    }
    return tw_hermes_text_run(state, at);
}

static tw_step read_text(tw_hermes *state)
{
    const tw_window *window = state->window;
    tw_passage_look(&state->segment, state->window, state->sink);
    const uint8_t *at = window->at + state->segment.held;
    if (at == window->limit) {
        if (!window->eof) {
            return TW_STEP_MORE;
        }
        tw_hermes_end_segment(state, false);
        return TW_STEP_DONE;
    }
    const bool plain = tw_window_offset(window, at) < state->plain_until;
    if (*at == '<' && !plain) {
        return state->mode == TW_HERMES_TEXT ? text_tag(state, at)
                                             : reasoning_tag(state, at);
    }
    return *at == '{' && state->may_be_bare && !state->options.strict
               ? tw_hermes_bare_call(state, at)
               : tw_hermes_text_run(state, at);
}

/* ---- edges -------------------------------------------------------------- */

tw_step tw_hermes_step(void *data)
{
    tw_hermes *state = data;
    switch (state->mode) {
    case TW_HERMES_TEXT:
    case TW_HERMES_REASONING: return read_text(state);
    case TW_HERMES_BETWEEN: return tw_hermes_read_between(state);
    case TW_HERMES_OBJECT:
    case TW_HERMES_TAGS: return tw_hermes_read_call(state);
    case TW_HERMES_SKIP: return tw_hermes_read_skip(state);
    default:
        return tw_drop_after_end(state->window, state->sink, &state->dropped);
    }
}

static const uint8_t *pass_text(tw_hermes *state, tw_passed *passed)
{
    const tw_window *window = state->window;
    return tw_passage_pass(&state->segment, window, state->sink, window->limit,
                           passed);
}

/* Nothing but blanks came yet. */
static const uint8_t *pass_first_text(tw_hermes *state, tw_passed *passed)
{
    const tw_window *window = state->window;
    if (*window->at == '{') { /* it may be a call's */
        return window->at;
    }
    const uint8_t *to = pass_text(state, passed);
    state->may_be_bare = to == window->at;
    return to;
}

static const uint8_t *pass(void *data, tw_passed *passed)
{
    tw_hermes *state = data;
    const tw_window *window = state->window;
    switch (state->mode) {
    case TW_HERMES_TEXT:
    case TW_HERMES_REASONING:
        return state->may_be_bare ? pass_first_text(state, passed)
                                  : pass_text(state, passed);
    case TW_HERMES_OBJECT: return tw_hermes_call_pass(&state->call, passed);
    default: return window->at;
    }
}

static tw_stand stand(const void *data)
{
    const tw_hermes *state = data;
    return state->mode == TW_HERMES_ENDED_MESSAGE ? TW_STAND_ENDED
           : state->mode == TW_HERMES_TEXT        ? TW_STAND_TEXT
                                                  : TW_STAND_INSIDE;
}

static void reset(void *data, const tw_decode_options *options)
{
    tw_hermes *state = data;
    state->options = *options;
    state->plain_until = 0;
    state->looking = false;
    /* A bare list is an answer like any other. */
    state->may_be_bare = !options->start_reasoning && !state->wire->holds_list;
    if (options->start_reasoning) {
        enter_reasoning(state, true);
    } else {
        tw_hermes_enter_text(state, 0);
    }
}

static void destroy(void *data)
{
    tw_hermes *state = data;
    if (state == NULL) {
        return;
    }
    const tw_memory memory = state->memory;
    tw_hermes_child *child = state->child;
    if (child != NULL) {
        destroy(child->state);
        tw_sink_free(&child->sink);
        tw_window_free(&child->window);
        tw_memory_free(&memory, child, sizeof *child);
    }
    tw_hermes_call_free(&state->call);
    tw_memory_free(&memory, state, sizeof *state);
}

void *tw_hermes_create(const tw_memory *memory, const tw_format *format,
                       tw_window *window, tw_sink *sink)
{
    tw_hermes *state = tw_memory_new(memory, sizeof *state);
    if (state != NULL) {
        state->memory = *memory;
        state->format = format;
        state->wire = ((const tw_hermes_dialect *)format->row)->wire;
        state->window = window;
        state->sink = sink;
        state->segment.stray = TW_DIAGNOSTIC_ORPHAN_CLOSE_TAG;
        state->segment.trims = state->wire->trims;
        tw_hermes_call_init(&state->call, state->wire, &state->memory, window,
                            sink);
    }
    return state;
}

static const char *const members[] = {NULL};

const tw_family tw_hermes_family = {tw_hermes_create,
                                    destroy,
                                    reset,
                                    tw_hermes_step,
                                    pass,
                                    stand,
                                    false,
                                    tw_hermes_encode,
                                    tw_hermes_collect,
                                    members,
                                    NULL};

const tw_hermes_wire tw_hermes_tool_call = {
    .scan_tag = tw_hermes_scan_tag,
    .open = "<tool_call>",
    .close = "</tool_call>",
    .stops = {"<|im_end|>", "<|endoftext|>", "<|eot_id|>"},
};

#define MARKER(text, role, literal, stop, decoded)            \
    {                                                         \
        TW_MARKER_TEXT(text), role, 1, literal, stop, decoded \
    }

const tw_marker tw_hermes_markers[] = {
    MARKER("<tool_call>", TW_MARKER_CALL_OPEN, 1, 0, 1),
    MARKER("</tool_call>", TW_MARKER_CALL_CLOSE, 1, 0, 1),
    MARKER("<think>", TW_MARKER_REASONING_OPEN, 1, 0, 1),
    MARKER("</think>", TW_MARKER_REASONING_CLOSE, 1, 0, 1),
    MARKER("<|im_end|>", TW_MARKER_END, 0, 1, 1),
    MARKER("<|endoftext|>", TW_MARKER_END, 0, 1, 1),
    MARKER("<|eot_id|>", TW_MARKER_END, 0, 1, 1),
    MARKER("<|im_start|>", TW_MARKER_TURN, 0, 0, 0),
    MARKER("<|begin_of_text|>", TW_MARKER_TURN, 0, 0, 0),
    MARKER("<|start_header_id|>", TW_MARKER_TURN, 0, 0, 0),
    MARKER("<|end_header_id|>", TW_MARKER_TURN, 0, 0, 0),
    MARKER("<tool_response>", TW_MARKER_RESULT, 1, 0, 0),
    MARKER("</tool_response>", TW_MARKER_RESULT, 1, 0, 0),
};
const size_t tw_hermes_marker_count =
    sizeof tw_hermes_markers / sizeof tw_hermes_markers[0];
