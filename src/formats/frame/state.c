/* SPDX-License-Identifier: MIT
 *
 * The state of one message: how it is made, and the moves that all parts of
 * the frame share.
 */
#include "formats/frame/block.h"

#include <string.h>

/* ---- what follows from the description ---------------------------------- */

/* How text is read: one of TW_PATTERN_TEXT, _LINE, _TRIM.  Where a plain
 * {text} stands beside one that trims, that is how the template writes alone.
 */
static uint8_t policy_of(const tw_patterns *patterns)
{
    uint8_t policy = TW_PATTERN_TEXT;
    bool whole = false;
    for (size_t i = 0; i < patterns->count; i++) {
        const tw_pattern *pattern = &patterns->all[i];
        const uint8_t kind = tw_pattern_hole(pattern)->kind;
        policy = policy == TW_PATTERN_TEXT ? kind : policy;
        whole |= kind == TW_PATTERN_TEXT && tw_pattern_open(pattern) == NULL;
    }
    return whole ? TW_PATTERN_TEXT : policy;
}

static const char *wider(const char *a, const char *b)
{
    return strlen(b) > strlen(a) ? b : a;
}

/* The layout at a pattern's end, or in front of part |part|. */
static const char *layout_in_front(const tw_pattern *pattern, size_t part)
{
    const tw_part *before = part > 0 ? &pattern->parts[part - 1] : NULL;
    return before != NULL && before->kind == TW_PATTERN_LAYOUT ? before->text
                                                               : "";
}

/* Layout behind the close marker of reasoning: of several the widest (D6). */
static const char *behind_reasoning(const tw_patterns *patterns)
{
    const char *widest = "";
    for (size_t i = 0; i < patterns->count; i++) {
        const tw_pattern *pattern = &patterns->all[i];
        widest = wider(widest, layout_in_front(pattern, pattern->count));
    }
    return widest;
}

/* The white space that a template writes between text and the call behind it;
 * a marker there ends the text (Beam). */
static const char *in_front_of_call(const tw_description *description,
                                    bool line)
{
    const char *gap = description->gap;
    const tw_pattern *first = description->calls.count > 0
                                  ? description->calls.all
                                  : description->call.all;
    const char *layout =
        first->hole > 0 && first->parts->kind == TW_PATTERN_LAYOUT
            ? first->parts->text
            : "";
    return gap[strspn(gap, " \t\r\n")] != 0 ? ""
           : gap[0] != 0                     ? gap
           : layout[0] != 0                  ? layout
           : line                            ? "\n"
                                             : "";
}

/* The text that no marker opens: its pattern, or NULL. */
static const tw_pattern *plain_text(const tw_patterns *texts)
{
    for (size_t i = 0; i < texts->count; i++) {
        if (tw_pattern_open(&texts->all[i]) == NULL) {
            return &texts->all[i];
        }
    }
    return NULL;
}

/* White space in front of the stop: |end| begins with it. */
static const char *in_front_of_stop(tw_frame *state)
{
    const char *end = state->description->end;
    const size_t size = strspn(end, " \t\r\n");
    const bool fits = size < sizeof state->end_layout;
    memcpy(state->end_layout, end, fits ? size : 0);
    state->end_layout[fits ? size : 0] = 0;
    return state->end_layout;
}

/* Are there arguments between tags, and no line feed between these? */
static bool is_inline(const tw_description *format)
{
    const tw_pattern *argument = format->argument.all;
    bool feed = format->argument.count == 0 ||
                tw_pattern_close(format->call.all) == NULL;
    for (size_t i = 0; !feed && i < argument->count; i++) {
        feed = argument->parts[i].kind == TW_PATTERN_LAYOUT &&
               strchr(argument->parts[i].text, '\n') != NULL;
    }
    return !feed;
}

static void derive_text(tw_frame *state)
{
    const tw_description *description = state->description;
    const uint8_t policy = policy_of(&description->text);
    const bool line = policy == TW_PATTERN_TEXT_LINE;
    const tw_pattern *plain = plain_text(&description->text);
    for (size_t i = 0; i <= TW_BEHIND_REASONING; i++) {
        tw_edges *edges = &state->edges[i];
        edges->trims = policy == TW_PATTERN_TEXT_TRIM;
        edges->lines = description->argument.count > 0 && !state->inline_tags;
        edges->back[TW_EDGE_CALL] = in_front_of_call(description, line);
        edges->back[TW_EDGE_END] = in_front_of_stop(state);
        tw_edges_make(edges);
    }
    state->edges[TW_BEHIND_START].front =
        plain != NULL ? layout_in_front(plain, plain->hole) : "";
    state->edges[TW_BEHIND_CALL].front = line ? "\n" : "";
    state->edges[TW_BEHIND_REASONING].front =
        behind_reasoning(&description->reasoning);
}

static void derive_reasoning(tw_frame *state)
{
    const tw_patterns *patterns = &state->description->reasoning;
    tw_edges *edges = &state->reasoning_edges;
    const char *front = "";
    const char *back = "";
    for (size_t i = 0; i < patterns->count; i++) {
        const tw_pattern *pattern = &patterns->all[i];
        front = wider(front, layout_in_front(pattern, pattern->hole));
        back = wider(back, tw_pattern_layout(pattern, pattern->hole));
        state->inside |= tw_pattern_is_open(pattern);
    }
    edges->trims =
        patterns->count > 0 &&
        tw_pattern_hole(patterns->all)->kind == TW_PATTERN_TEXT_TRIM;
    edges->front = front;
    edges->back[TW_EDGE_CALL] = back; /* its close marker, too */
    tw_edges_make(edges);
}

static void derive_objects(tw_frame *state)
{
    const tw_pattern *first = state->description->call.all;
    size_t literals = 0;
    if (tw_pattern_hole(first)->kind != TW_PATTERN_OBJECT ||
        tw_pattern_close(first) == NULL) {
        return;
    }
    for (size_t i = 0; i < first->count; i++) {
        literals += first->parts[i].kind == TW_PATTERN_LITERAL;
    }
    state->objects = first;
    state->simple = literals == 2 && state->description->id_keys[0] == NULL;
}

bool tw_frame_may_be_bare(const tw_pattern *call)
{
    return call->fence ||
           (tw_pattern_open(call) == NULL && tw_pattern_close(call) == NULL &&
            !tw_frame_has_callees(call));
}

static void derive_starts(tw_frame *state)
{
    const tw_description *d = state->description;
    const tw_patterns *all[] = {&d->call, &d->calls, &d->reasoning, &d->text};
    for (size_t i = 0; i < sizeof all / sizeof all[0]; i++) {
        for (size_t k = 0; k < all[i]->count; k++) {
            const tw_pattern *pattern = &all[i]->all[k];
            state->prompted |= pattern->written > 0 && !pattern->opened;
        }
    }
    for (size_t i = 0; i < d->call.count && d->calls.count == 0; i++) {
        const tw_pattern *call = &d->call.all[i];
        state->bare_calls |= tw_frame_may_be_bare(call);
    }
    state->indexed = tw_frame_is_indexed(d);
}

/* ---- a state's life ---------------------------------------------------- */

static void free_bodies(tw_frame *state)
{
    tw_json_body_free(&state->json);
    tw_tagged_body_free(&state->tagged);
    tw_python_body_free(&state->python);
    tw_gemma_body_free(&state->gemma);
    tw_elements_body_free(&state->nested);
}

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
    free_bodies(state);
    tw_frame_suffix_free(state);
    tw_open_call_free(&state->call);
    tw_buffer_free(&state->recipient, &memory);
    tw_memory_free(&memory, state, sizeof *state);
}

/* Does a call open in a value? */
static tw_match call_head(void *frame, const uint8_t *at, size_t size)
{
    const tw_head head =
        tw_frame_head_at(frame, at, size, TW_PLACE_MARKER, NULL);
    return head.kind == TW_HEAD_MORE    ? TW_MATCH_MORE
           : head.kind == TW_HEAD_WHOLE ? TW_MATCH_WHOLE
                                        : TW_MATCH_NONE;
}

void tw_frame_use(tw_frame *state, const tw_description *description)
{
    const bool own = description == state->format->description;
    if (state->description != NULL) {
        free_bodies(state);
    }
    state->description = description;
    state->marks.table = &description->markers;
    state->marks.scan = own && state->format->scan != NULL
                            ? state->format->scan
                            : tw_markers_scan;
    state->segment.prose = description->markers.prose;
    state->inline_tags = is_inline(description);
    derive_text(state);
    derive_reasoning(state);
    derive_objects(state);
    derive_starts(state);
    state->unmarked = tw_frame_has_unmarked(description);
    const tw_body common = {
        .call = &state->call, .marks = &state->marks, .format = description};
    tw_json_body_init(&state->json, &common);
    tw_tagged_body_init(&state->tagged, &common, call_head, state);
    tw_gemma_body_init(&state->gemma, &common);
    tw_elements_body_init(&state->nested, &common, &state->tagged.value);
    tw_raw_body_init(&state->raw, &common);
    tw_python_body_init(&state->python, &common, &state->json.common);
}

void *tw_frame_create(const tw_memory *memory, const tw_format *format,
                      tw_window *window, tw_sink *sink)
{
    tw_frame *state = tw_memory_new(memory, sizeof *state);
    if (state == NULL) {
        return NULL;
    }
    state->memory = *memory;
    state->format = format;
    state->window = window;
    state->sink = sink;
    state->segment.stray = TW_DIAGNOSTIC_ORPHAN_CLOSE_TAG;
    state->segment.marks = &state->marks;
    tw_open_call_init(&state->call, &state->memory, window, sink);
    state->call.cuts_names = true;
    tw_frame_use(state, format->description);
    if ((format->description->quirks & TW_QUIRK_CHANNELS) != 0 &&
        !tw_buffer_reserve(&state->recipient, memory, TW_PATTERN_HOLE_MOST)) {
        tw_frame_destroy(state);
        return NULL;
    }
    return state;
}

/* ---- bodies ------------------------------------------------------------- */

tw_body *tw_frame_body_of(tw_frame *state, const tw_pattern *pattern)
{
    switch (tw_pattern_hole(pattern)->kind) {
    case TW_PATTERN_ARGUMENTS:
        return state->description->argument.count > 0 ? &state->tagged.common
                                                      : &state->json.common;
    case TW_PATTERN_GEMMA: return &state->gemma.common;
    case TW_PATTERN_ELEMENTS: return &state->nested.common;
    case TW_PATTERN_RAW: return &state->raw.common;
    case TW_PATTERN_PYTHON:
    case TW_PATTERN_PYTHON_LINES:
    case TW_PATTERN_PYTHON_CALL: return &state->python.common;
    default: return &state->json.common;
    }
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
    edges->front = layout_in_front(text, text->hole);
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
