/* SPDX-License-Identifier: MIT
 *
 * The door of the frame: what a decoder asks.
 */
#include "formats/frame/block.h"

static tw_step step_inside(tw_frame *state)
{
    switch (state->mode) {
    case TW_FRAME_TEXT:
    case TW_FRAME_REASONING: return tw_frame_read_text(state);
    case TW_FRAME_STRING: return tw_frame_read_string(state);
    case TW_FRAME_BETWEEN: return tw_frame_read_between(state);
    case TW_FRAME_BODY: return tw_frame_read_call(state);
    case TW_FRAME_SKIP: return tw_frame_read_skip(state);
    case TW_FRAME_SECTION: return tw_frame_read_section(state);
    case TW_FRAME_STRAY: return tw_frame_read_stray(state);
    case TW_FRAME_TAIL: return tw_frame_read_tail(state);
    case TW_FRAME_ECHO: return tw_frame_read_echo(state);
    case TW_FRAME_BEHIND: return tw_frame_read_behind(state);
    default:
        return tw_drop_after_end(state->window, state->sink, &state->dropped);
    }
}

static tw_step step(void *data)
{
    tw_frame *state = data;
    tw_window *window = state->window;
    const uint8_t *limit = window->limit;
    if (state->unlearned) {
        window->limit = tw_frame_learn(state);
    }
    const tw_step done = window->at < window->limit || window->limit == limit
                             ? step_inside(state)
                             : TW_STEP_MORE;
    window->limit = limit;
    return done;
}

static const uint8_t *advance_inside(tw_frame *state, tw_advanced *advanced)
{
    switch (state->mode) {
    case TW_FRAME_TEXT:
    case TW_FRAME_REASONING: return tw_frame_advance_text(state, advanced);
    case TW_FRAME_BODY:
        return state->body->codec->advance != NULL
                   ? state->body->codec->advance(state->body, advanced)
                   : state->window->at;
    default: return state->window->at;
    }
}

static const uint8_t *advance(void *data, tw_advanced *advanced)
{
    tw_frame *state = data;
    tw_window *window = state->window;
    const uint8_t *limit = window->limit;
    if (state->unlearned) {
        window->limit = tw_frame_learn(state);
    }
    const uint8_t *end = advance_inside(state, advanced);
    if (window->limit < limit) {
        advanced->run_class = 0;
    }
    window->limit = limit;
    return end;
}

static void reset(void *data, const tw_decode_options *options)
{
    tw_frame *state = data;
    if (state->description != state->format->description) {
        tw_frame_use(state, state->format->description);
    }
    state->unlearned = state->description->suffix[0] != 0;
    state->sought = 0;
    const bool inside = options->start_reasoning || state->inside;
    state->options = *options;
    state->plain_until = 0;
    tw_frame_see_nothing(state);
    state->looking = state->in_section = false;
    state->channel = TW_TO_NOBODY;
    state->recipient.size = 0;
    state->fresh = true;
    state->searched = 0;
    state->json.clear = 0;
    /* A bare list is an answer like any other. */
    state->may_be_bare =
        !inside && (state->objects != NULL || state->unmarked);
    state->at_start = !inside;
    state->thought = state->headless = false;
    state->wrapper = NULL;
    state->outer[0] = 0;
    if (inside) {
        tw_frame_enter_reasoning(state, true);
        return;
    }
    tw_frame_enter_text(state, TW_BEHIND_START);
    for (size_t i = 0; i < state->description->text.count; i++) {
        if (state->description->text.all[i].opened) {
            tw_frame_enter_wrapper(state, &state->description->text.all[i]);
            state->at_start = true;
        }
    }
}

static tw_stand stand(const void *data)
{
    const tw_frame *state = data;
    return state->mode == TW_FRAME_ENDED  ? TW_STAND_ENDED
           : state->mode == TW_FRAME_TEXT ? TW_STAND_TEXT
                                          : TW_STAND_INSIDE;
}

static void destroy(void *data)
{
    tw_frame *state = data;
    if (state == NULL) {
        return;
    }
    const tw_memory memory = state->memory;
    tw_frame_child *child = state->child;
    if (child != NULL) {
        destroy(child->state); /* which has none of its own */
        tw_sink_free(&child->sink);
        tw_window_free(&child->window);
        tw_memory_free(&memory, child, sizeof *child);
    }
    tw_frame_free_bodies(state);
    tw_memory_free(&memory, state->balance, sizeof *state->balance);
    tw_memory_free(&memory, state->seen, sizeof *state->seen);
    tw_frame_suffix_free(state);
    tw_open_call_free(&state->call);
    tw_buffer_free(&state->recipient, &memory);
    tw_memory_free(&memory, state, sizeof *state);
}

static void *create(const tw_memory *memory, const tw_format *format,
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
    tw_open_call_init(&state->call, &state->memory, window, sink);
    state->call.cuts_names = true;
    tw_frame_use(state, format->description);
    if ((format->description->quirks & TW_QUIRK_CHANNELS) != 0 &&
        !tw_buffer_reserve(&state->recipient, memory, TW_PATTERN_HOLE_MOST)) {
        destroy(state);
        return NULL;
    }
    return state;
}

const tw_decoding tw_frame_decoding = {
    .create = create,
    .destroy = destroy,
    .reset = reset,
    .step = step,
    .advance = advance,
    .stand = stand,
};
