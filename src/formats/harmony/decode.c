/* SPDX-License-Identifier: MIT
 *
 * A Harmony completion: messages, each with a header that says what its body
 * is.  Between two messages is a gap.
 */
#include <string.h>

#include "core/skip.h"
#include "formats/content.h"
#include "formats/harmony/state.h"

static tw_step step(void *data)
{
    tw_harmony *state = data;
    switch (state->mode) {
    case TW_HARMONY_GAP:
        return !state->options.slow && tw_harmony_read_canonical(state)
                   ? TW_STEP_AGAIN
                   : tw_harmony_read_gap(state);
    case TW_HARMONY_HEADER: return tw_harmony_step_header(state);
    case TW_HARMONY_BODY: return tw_harmony_step_body(state);
    case TW_HARMONY_TAIL: return tw_harmony_step_tail(state);
    default:
        return tw_drop_after_end(state->window, state->sink, &state->dropped);
    }
}

static const uint8_t *advance(void *data, tw_advanced *advanced)
{
    tw_harmony *state = data;
    if (state->mode != TW_HARMONY_BODY || state->stripped) {
        return state->window->at;
    }
    if (state->body.kind != TW_BODY_CALL) {
        return tw_harmony_body_advance(&state->body, advanced);
    }
    tw_harmony_marker marker;
    size_t size;
    const uint8_t *to = tw_harmony_next_marker(state, &marker, &size);
    to = tw_json_body_advance_to(&state->body.json, to, advanced);
    /* What is no `<` goes on in a string, whatever follows. */
    advanced->run_class |= advanced->run_class != 0 ? TW_PLAIN_TEXT : 0;
    return to;
}

/* Between two messages the next one is the model's where the last one was. */
static tw_stand stand(const void *data)
{
    const tw_harmony *state = data;
    const bool foreign =
        !state->first && state->body.kind == TW_BODY_FOREIGN &&
        (state->mode == TW_HARMONY_BODY ||
         (state->mode == TW_HARMONY_GAP &&
          tw_behind_ws(state->window->at, state->window->limit) ==
              state->window->limit));
    return foreign || state->mode == TW_HARMONY_DONE ? TW_STAND_ENDED
                                                     : TW_STAND_INSIDE;
}

static void reset(void *data, const tw_decode_options *options)
{
    tw_harmony *state = data;
    state->options = *options;
    state->mode = TW_HARMONY_GAP;
    state->first = true;
    state->cut = false;
    state->stripped = options->recover_stripped;
    memset(&state->next, 0, sizeof state->next);
    memset(&state->quote, 0, sizeof state->quote);
    state->real_at = 0;
    state->look = state->unclosed = 0;
    state->look_marker = TW_HARMONY_NONE;
    state->plain_until = state->dropped = state->sure_at = 0;
    if (options->start_reasoning) {
        tw_harmony_open_body(state, TW_BODY_REASONING);
    }
}

static void destroy(void *data)
{
    tw_harmony *state = data;
    if (state != NULL) {
        const tw_memory memory = state->memory;
        tw_harmony_body_free(&state->body);
        tw_memory_free(&memory, state, sizeof *state);
    }
}

static void *create(const tw_memory *memory, const tw_format *format,
                    tw_window *window, tw_sink *sink)
{
    (void)format;
    tw_harmony *state = tw_memory_new(memory, sizeof *state);
    if (state != NULL) {
        state->memory = *memory;
        state->window = window;
        state->sink = sink;
        tw_harmony_body_init(&state->body, &state->memory, window, sink);
    }
    return state;
}

const tw_decoding tw_harmony_decoding = {
    .create = create,
    .destroy = destroy,
    .reset = reset,
    .step = step,
    .advance = advance,
    .stand = stand,
    .can_recover_stripped = true,
};
