/* SPDX-License-Identifier: MIT
 *
 * What a state has of its description: facts that are derived once, the table
 * of markers, the bodies.
 */
#include "formats/frame/frame.h"

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

/* Layout behind the close marker of reasoning: of several the widest (D6). */
static const char *behind_reasoning(const tw_patterns *patterns)
{
    const char *widest = "";
    for (size_t i = 0; i < patterns->count; i++) {
        const tw_pattern *pattern = &patterns->all[i];
        widest =
            wider(widest, tw_frame_layout_before(pattern, pattern->count));
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
                                  : tw_patterns_first(&description->call);
    const char *layout = first != NULL && first->hole > 0 &&
                                 first->parts->kind == TW_PATTERN_LAYOUT
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
        plain != NULL ? tw_frame_layout_before(plain, plain->hole) : "";
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
        front = wider(front, tw_frame_layout_before(pattern, pattern->hole));
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
    const tw_pattern *first = tw_patterns_first(&state->description->call);
    size_t literals = 0;
    if (first == NULL || tw_pattern_hole(first)->kind != TW_PATTERN_OBJECT ||
        tw_pattern_close(first) == NULL) {
        return;
    }
    for (size_t i = 0; i < first->count; i++) {
        literals += first->parts[i].kind == TW_PATTERN_LITERAL;
    }
    state->objects = first;
    state->simple = literals == 2 && state->description->id_keys[0] == NULL;
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
        state->words |= call->words;
    }
    state->indexed = tw_frame_is_indexed(d);
}

/* ---- the description is used -------------------------------------------- */

void tw_frame_free_bodies(tw_frame *state)
{
    const tw_memory *memory = &state->memory;
    tw_json_body_free(&state->json);
    while (state->others != NULL) {
        tw_body *body = state->others;
        state->others = body->next;
        if (body->codec->clear != NULL) {
            body->codec->clear(body);
        }
        tw_memory_free(memory, body, body->codec->size);
    }
}

/* Does a call open in a value? */
static tw_match call_at(void *frame, const uint8_t *at, size_t size,
                        const uint8_t **behind)
{
    const tw_head head =
        tw_frame_head_at(frame, at, size, TW_PLACE_MARKER, NULL);
    *behind = head.body;
    return head.kind == TW_HEAD_MORE    ? TW_MATCH_MORE
           : head.kind == TW_HEAD_WHOLE ? TW_MATCH_WHOLE
                                        : TW_MATCH_NONE;
}

void tw_frame_use(tw_frame *state, const tw_description *description)
{
    if (state->description != NULL) {
        tw_frame_free_bodies(state);
    }
    state->description = description;
    state->marks = &description->markers;
    state->segment.marks = state->marks;
    state->segment.prose = description->markers.prose;
    state->inline_tags = is_inline(description);
    derive_text(state);
    derive_reasoning(state);
    derive_objects(state);
    derive_starts(state);
    state->unmarked = tw_frame_has_unmarked(description);
    const tw_body common = {.call = &state->call,
                            .marks = state->marks,
                            .format = description,
                            .call_at = call_at,
                            .frame = state};
    tw_json_body_init(&state->json, &common);
    state->body = &state->json.common;
}
