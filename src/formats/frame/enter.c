/* SPDX-License-Identifier: MIT
 *
 * The moves that all parts of the frame share: what is entered, and what is
 * left.
 */
#include "formats/frame/frame.h"

#include <string.h>

void tw_frame_diagnose(tw_frame *state, uint32_t code, const uint8_t *at)
{
    tw_sink_diagnostic(state->sink, code, tw_window_offset(state->window, at));
}

void tw_frame_framing(tw_frame *state, size_t size)
{
    tw_sink_framing(state->sink, state->window->offset, size);
    tw_window_skip(state->window, size);
}

const tw_body_codec *tw_frame_codec_of(const tw_frame *state,
                                       const tw_pattern *pattern)
{
    switch (tw_pattern_hole(pattern)->kind) {
    case TW_PATTERN_ARGUMENTS:
        return state->description->argument.count > 0 ? &tw_tagged_codec
                                                      : &tw_json_codec;
    case TW_PATTERN_GEMMA: return &tw_gemma_codec;
    case TW_PATTERN_ELEMENTS: return &tw_elements_codec;
    case TW_PATTERN_RAW: return &tw_raw_codec;
    case TW_PATTERN_PYTHON:
    case TW_PATTERN_PYTHON_LINES:
    case TW_PATTERN_PYTHON_CALL: return &tw_python_codec;
    default: return &tw_json_codec;
    }
}

tw_body *tw_frame_body_of(tw_frame *state, const tw_pattern *pattern)
{
    const tw_body_codec *codec = tw_frame_codec_of(state, pattern);
    tw_body *body = state->others;
    while (body != NULL && body->codec != codec) {
        body = body->next;
    }
    if (codec == &tw_json_codec || body != NULL) {
        return body != NULL ? body : &state->json.common;
    }
    body = tw_memory_new(&state->memory, codec->size);
    if (body == NULL) {
        tw_sink_fail(state->sink, TW_ERROR_MEMORY, state->window->offset,
                     "no memory");
        return &state->json.common;
    }
    *body = state->json.common;
    body->codec = codec;
    body->next = state->others;
    state->others = body;
    if (codec->init != NULL) {
        codec->init(body);
    }
    return body;
}

bool tw_frame_has_balance(tw_frame *state)
{
    if (state->balance == NULL) {
        state->balance = tw_memory_new(&state->memory, sizeof *state->balance);
    }
    if (state->balance == NULL) {
        tw_sink_fail(state->sink, TW_ERROR_MEMORY, state->window->offset,
                     "no memory");
    }
    return state->balance != NULL;
}

void tw_frame_start_body(tw_frame *state, tw_body *body)
{
    state->body = body;
    state->mode = TW_FRAME_BODY;
    body->pattern = state->pattern;
    body->slow = state->options.slow;
    body->untyped_json = state->options.untyped_json;
    body->reason = 0;
    body->codec->start(body);
}

void tw_frame_enter_text(tw_frame *state, tw_behind behind)
{
    state->mode = TW_FRAME_TEXT;
    state->edge = false;
    state->may_be_bare |=
        behind == TW_BEHIND_REASONING && state->fresh && state->unmarked;
    state->segment.edges = state->edges[behind];
    tw_content_start(&state->segment, TW_EVENT_TEXT);
    state->window->recording = false;
}

void tw_frame_enter_wrapper(tw_frame *state, const tw_pattern *text)
{
    const char *back = tw_pattern_layout(text, text->hole);
    tw_edges *edges = &state->segment.edges;
    tw_frame_enter_text(state, TW_BEHIND_NOTHING);
    state->wrapper = text;
    state->at_start = false;
    edges->front = tw_frame_layout_before(text, text->hole);
    for (size_t i = 0; i < TW_EDGE_COUNT; i++) {
        edges->back[i] = tw_pattern_close(text) != NULL ? back : NULL;
    }
    tw_edges_make(edges);
    if (tw_pattern_hole(text)->kind == TW_PATTERN_TEXT_JSON) {
        state->mode = TW_FRAME_STRING;
        state->string = 0;
    }
}

void tw_frame_enter_reasoning(tw_frame *state, bool at_start)
{
    tw_sink_opens_reasoning(state->sink);
    state->mode = TW_FRAME_REASONING;
    state->may_think = at_start;
    state->thought = true;
    state->at_start = false;
    state->segment.edges = state->reasoning_edges;
    tw_content_start(&state->segment, TW_EVENT_REASONING);
}

/* Muse: the stop that closes a text. */
static bool is_stop(const tw_frame *state, const char *text)
{
    const char *const *stops = state->description->stops;
    while (*stops != NULL && strcmp(*stops, text) != 0) {
        stops++;
    }
    return *stops != NULL;
}

/* Does a stop close text, as one of its patterns says? */
static bool is_closed_by_stop(const tw_frame *state)
{
    const tw_patterns *texts = &state->description->text;
    bool is = false;
    for (size_t i = 0; i < texts->count && !texts->all[i].loose; i++) {
        const tw_part *close = tw_pattern_close(&texts->all[i]);
        is |= close != NULL && is_stop(state, close->text);
    }
    return is;
}

void tw_frame_end_segment(tw_frame *state, tw_edge edge)
{
    const tw_pattern *wrapper = state->wrapper;
    const bool begun = state->segment.begun;
    tw_content_end_before(&state->segment, state->window, state->sink, edge);
    const tw_part *close = wrapper != NULL ? tw_pattern_close(wrapper) : NULL;
    if (close != NULL && begun &&
        (edge != TW_EDGE_END || !is_closed_by_stop(state))) {
        tw_frame_diagnose(state, TW_DIAGNOSTIC_MISSING_TEXT_CLOSE,
                          state->window->at);
    }
    state->wrapper = NULL;
    state->headless = false;
}

void tw_frame_leave_text(tw_frame *state, tw_head_place place)
{
    if (place == TW_PLACE_PROMPT) { /* what is held is the head's */
        tw_content_start(&state->segment, TW_EVENT_TEXT);
        state->wrapper = NULL;
    } else {
        tw_frame_end_segment(state, TW_EDGE_CALL);
    }
}

void tw_frame_enter_end(tw_frame *state, size_t size)
{
    const bool open =
        state->mode == TW_FRAME_REASONING &&
        (state->description->quirks & TW_QUIRK_CALLS_IN_REASONING) == 0;
    tw_frame_end_segment(state, TW_EDGE_END);
    if (open) {
        tw_frame_diagnose(state, TW_DIAGNOSTIC_UNCLOSED_REASONING,
                          state->window->at);
    }
    tw_frame_framing(state, size);
    state->dropped = 0;
    state->mode = TW_FRAME_ENDED;
}
