/* SPDX-License-Identifier: MIT
 *
 * The moves that all parts of the room share: bytes are released, a body
 * begins, a message ends.
 */
#include "formats/harmony/state.h"

void tw_harmony_diagnose(const tw_harmony *state, uint32_t code,
                         const uint8_t *at)
{
    tw_sink_diagnostic(state->sink, code, tw_window_offset(state->window, at));
}

void tw_harmony_framing(tw_harmony *state, size_t size)
{
    tw_sink_framing(state->sink, state->window->offset, size);
    tw_window_skip(state->window, size);
}

void tw_harmony_drop(tw_harmony *state, uint32_t code, size_t size)
{
    tw_sink_dropped(state->sink, code, state->window->offset, size);
    tw_window_skip(state->window, size);
}

void tw_harmony_open_body(tw_harmony *state, tw_harmony_kind kind)
{
    tw_harmony_body_open(&state->body, kind, state->window->offset);
    state->mode = TW_HARMONY_BODY;
    state->first = false;
}

void tw_harmony_open_visible(tw_harmony *state, tw_channel channel)
{
    tw_harmony_open_body(state, channel == TW_CHANNEL_ANALYSIS
                                    ? TW_BODY_REASONING
                                    : TW_BODY_TEXT);
}

void tw_harmony_open_message(tw_harmony *state,
                             const tw_harmony_header *header,
                             const uint8_t *body)
{
    if (header->name.from != NULL) {
        const bool custom =
            tw_slice_is(header->name, "python") && !header->function;
        tw_sink_record(state->sink);
        tw_harmony_body_open_call(&state->body,
                                  custom ? TW_BODY_CUSTOM : TW_BODY_CALL,
                                  header->name, body);
        state->mode = TW_HARMONY_BODY;
        return;
    }
    tw_harmony_framing(state, (size_t)(body - state->window->at));
    if (header->foreign) {
        tw_harmony_open_body(state, TW_BODY_FOREIGN);
    } else {
        tw_harmony_open_visible(state, header->channel);
    }
}

void tw_harmony_open_junk(tw_harmony *state, tw_slice name, uint32_t code)
{
    tw_sink_record(state->sink);
    tw_harmony_body_open_junk(&state->body, name, code);
    state->mode = TW_HARMONY_BODY;
    state->first = false;
}

void tw_harmony_headerless(tw_harmony *state)
{
    tw_harmony_diagnose(state, TW_DIAGNOSTIC_MISSING_HEADER,
                        state->window->at);
    tw_harmony_open_body(state, TW_BODY_TEXT);
}

void tw_harmony_after_terminator(tw_harmony *state, tw_harmony_marker marker)
{
    state->mode =
        marker == TW_HARMONY_RETURN ? TW_HARMONY_DONE : TW_HARMONY_GAP;
    state->first = false;
    state->dropped = 0;
}
