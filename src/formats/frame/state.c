/* SPDX-License-Identifier: MIT
 *
 * The state of one message: how it is made, and the moves that all parts of
 * the frame share.
 */
#include "formats/frame/frame.h"

#include <string.h>

/* ---- what follows from the description ---------------------------------- */

static uint8_t feeds_in(const char *layout)
{
    uint8_t count = 0;
    for (; *layout != 0; layout++) {
        count = (uint8_t)(count + (*layout == '\n'));
    }
    return count;
}

/* The first of the patterns, or NULL. */
static const tw_pattern *first_of(const tw_patterns *patterns)
{
    return patterns->count > 0 ? patterns->all : NULL;
}

/* How text is read: one of TW_PATTERN_TEXT, _LINE, _TRIM. */
static uint8_t policy_of(const tw_pattern *pattern)
{
    return pattern != NULL ? tw_pattern_hole(pattern)->kind : TW_PATTERN_TEXT;
}

/* Line feeds of the pattern's layout behind its close marker. */
static uint8_t feeds_behind(const tw_pattern *pattern)
{
    const tw_part *last =
        pattern != NULL ? &pattern->parts[pattern->count - 1] : NULL;
    return last != NULL && last->kind == TW_PATTERN_LAYOUT
               ? feeds_in(last->text)
               : 0;
}

static void derive_text(tw_frame *state)
{
    const tw_description *description = state->description;
    const uint8_t policy = policy_of(first_of(&description->text));
    for (size_t i = 0; i <= TW_BEHIND_REASONING; i++) {
        tw_edges *edges = &state->edges[i];
        edges->trims = policy == TW_PATTERN_TEXT_TRIM;
        edges->strips_end = policy == TW_PATTERN_TEXT_LINE;
        edges->strips = i == TW_BEHIND_REASONING
                            ? feeds_behind(first_of(&description->reasoning))
                        : i == TW_BEHIND_CALL ? policy == TW_PATTERN_TEXT_LINE
                                              : 0;
    }
}

static void derive_reasoning(tw_frame *state)
{
    const tw_pattern *pattern = first_of(&state->description->reasoning);
    tw_edges *edges = &state->reasoning_edges;
    edges->trims = policy_of(pattern) == TW_PATTERN_TEXT_TRIM;
    if (pattern == NULL) {
        return;
    }
    const size_t hole = pattern->hole;
    const tw_part *before = &pattern->parts[hole > 0 ? hole - 1 : 0];
    edges->strips =
        before->kind == TW_PATTERN_LAYOUT ? feeds_in(before->text) : 0;
    edges->strips_end = feeds_in(tw_pattern_layout(pattern, hole)) > 0;
}

static void derive_objects(tw_frame *state)
{
    const tw_pattern *first = first_of(&state->description->call);
    size_t literals = 0;
    if (tw_pattern_hole(first)->kind != TW_PATTERN_OBJECT ||
        tw_pattern_close(first) == NULL) {
        return;
    }
    for (size_t i = 0; i < first->count; i++) {
        literals += first->parts[i].kind == TW_PATTERN_LITERAL;
    }
    state->objects = first;
    state->simple = literals == 2;
}

/* ---- a state's life ---------------------------------------------------- */

void tw_frame_destroy(void *data)
{
    tw_frame *state = data;
    if (state == NULL) {
        return;
    }
    const tw_memory memory = state->memory;
    tw_frame_child *child = state->child;
    if (child != NULL) {
        tw_frame_destroy(child->state); /* which has none of its own */
        tw_sink_free(&child->sink);
        tw_window_free(&child->window);
        tw_memory_free(&memory, child, sizeof *child);
    }
    tw_json_body_free(&state->json);
    tw_open_call_free(&state->call);
    tw_memory_free(&memory, state, sizeof *state);
}

void *tw_frame_create(const tw_memory *memory, const tw_format *format,
                      tw_window *window, tw_sink *sink)
{
    tw_frame *state = tw_memory_new(memory, sizeof *state);
    if (state == NULL) {
        return NULL;
    }
    const tw_description *description = tw_format_description(format);
    state->memory = *memory;
    state->format = format;
    state->description = description;
    state->marks.table = &description->markers;
    state->marks.scan = format->scan != NULL ? format->scan : tw_markers_scan;
    state->window = window;
    state->sink = sink;
    state->segment.stray = TW_DIAGNOSTIC_ORPHAN_CLOSE_TAG;
    state->segment.marks = &state->marks;
    state->segment.prose = description->markers.prose;
    derive_text(state);
    derive_reasoning(state);
    derive_objects(state);
    tw_open_call_init(&state->call, &state->memory, window, sink);
    const tw_body common = {
        .call = &state->call, .marks = &state->marks, .format = description};
    tw_json_body_init(&state->json, &common);
    tw_tagged_body_init(&state->tagged, &common);
    return state;
}

/* ---- bodies ------------------------------------------------------------- */

tw_body *tw_frame_body_of(tw_frame *state, const tw_pattern *pattern)
{
    switch (tw_pattern_hole(pattern)->kind) {
    case TW_PATTERN_ARGUMENTS:
        return state->description->argument.count > 0 ? &state->tagged.common
                                                      : &state->json.common;
    default: return &state->json.common;
    }
}

void tw_frame_start_body(tw_frame *state, tw_body *body)
{
    state->body = body;
    state->mode = TW_FRAME_BODY;
    body->pattern = state->pattern;
    body->slow = state->options.slow;
    body->reason = 0;
    body->codec->start(body);
}

/* ---- moves -------------------------------------------------------------- */

void tw_frame_diagnose(tw_frame *state, uint32_t code, const uint8_t *at)
{
    tw_sink_diagnostic(state->sink, code, tw_window_offset(state->window, at));
}

void tw_frame_framing(tw_frame *state, size_t size)
{
    tw_sink_framing(state->sink, state->window->offset, size);
    tw_window_skip(state->window, size);
}

void tw_frame_enter_text(tw_frame *state, tw_behind behind)
{
    state->mode = TW_FRAME_TEXT;
    state->segment.edges = state->edges[behind];
    tw_content_start(&state->segment, TW_EVENT_TEXT);
    state->window->recording = false;
}

void tw_frame_enter_reasoning(tw_frame *state, bool at_start)
{
    tw_sink_opens_reasoning(state->sink);
    state->mode = TW_FRAME_REASONING;
    state->may_think = at_start;
    state->segment.edges = state->reasoning_edges;
    tw_content_start(&state->segment, TW_EVENT_REASONING);
}

void tw_frame_end_segment(tw_frame *state, bool touches_call)
{
    tw_content_end_before(&state->segment, state->window, state->sink,
                          touches_call && state->segment.edges.strips_end);
}

void tw_frame_enter_end(tw_frame *state, size_t size)
{
    tw_frame_end_segment(state, false);
    tw_frame_framing(state, size);
    state->dropped = 0;
    state->mode = TW_FRAME_ENDED;
}
