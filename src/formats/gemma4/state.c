/* SPDX-License-Identifier: MIT
 *
 * The moves that all parts of the room share: bytes are released, text begins,
 * a block begins and ends.
 */
#include "formats/gemma4/state.h"

tw_gemma4_head tw_gemma4_head_in(const tw_gemma4 *state, const uint8_t *from,
                                 bool bare)
{
    const tw_sink *sink = state->sink;
    const tw_gemma4_head_rules rules = {state->window, sink->limits.name,
                                        state->options.strict, sink->tools};
    tw_gemma4_head found = tw_gemma4_head_at(&rules, from, bare);
    /* Without its marker, only a declared tool is called. */
    if (bare && found.kind == TW_GEMMA4_HEAD_CALL && sink->tools != NULL &&
        !tw_tools_find(sink->tools, (const char *)found.name,
                       (size_t)(found.name_end - found.name))) {
        found.kind = TW_GEMMA4_HEAD_NONE;
    }
    return found;
}

tw_gemma4_head tw_gemma4_bare_head(const tw_gemma4 *state, const uint8_t *from)
{
    const tw_window *window = state->window;
    tw_gemma4_head found = tw_gemma4_head_in(state, from, true);
    const bool whole = found.kind == TW_GEMMA4_HEAD_CALL;
    if (tw_window_is_known(window, whole ? found.body : window->limit)) {
        found.kind = TW_GEMMA4_HEAD_NONE;
    }
    return found;
}

void tw_gemma4_diagnose(tw_gemma4 *state, uint32_t code, const uint8_t *at)
{
    tw_sink_diagnostic(state->sink, code, tw_window_offset(state->window, at));
}

void tw_gemma4_framing(tw_gemma4 *state, size_t size)
{
    tw_sink_framing(state->sink, state->window->offset, size);
    tw_window_skip(state->window, size);
}

void tw_gemma4_enter(tw_gemma4 *state, enum tw_gemma4_mode mode)
{
    state->mode = (uint8_t)mode;
    state->boundary_ahead = state->boundary;
    state->headless = false;
    if (mode == TW_GEMMA4_REASONING) {
        tw_sink_opens_reasoning(state->sink);
    }
    tw_content_start(&state->segment, mode == TW_GEMMA4_REASONING
                                          ? TW_EVENT_REASONING
                                          : TW_EVENT_TEXT);
}

void tw_gemma4_enter_text(tw_gemma4 *state)
{
    state->boundary = true;
    tw_gemma4_enter(state, TW_GEMMA4_TEXT);
}

/* ---- blocks ------------------------------------------------------------- */

void tw_gemma4_open_block(tw_gemma4 *state)
{
    state->block = state->window->offset;
    state->begun = false;
    state->name.size = 0;
    tw_sink_record(state->sink);
}

void tw_gemma4_close_block(tw_gemma4 *state)
{
    state->window->recording = false;
    tw_gemma4_enter_text(state);
}

void tw_gemma4_list_unparsed(tw_gemma4 *state, uint32_t code)
{
    const uint64_t end = state->window->offset;
    const size_t size = (size_t)(end - state->block);
    tw_sink_unparsed(state->sink,
                     state->begun ? state->call.index : TW_NO_INDEX, code,
                     state->block, end, tw_sink_recorded(state->sink, size),
                     size, (const char *)state->name.data, state->name.size);
}

void tw_gemma4_fail_call(tw_gemma4 *state)
{
    const tw_call_status status =
        state->call.truncated ? TW_CALL_INCOMPLETE : TW_CALL_MALFORMED;
    if (state->begun) {
        tw_sink_call_end(state->sink, state->call.index, status, state->block,
                         state->block);
    }
    tw_gemma4_list_unparsed(state, state->call.reason);
    tw_gemma4_close_block(state);
}

void tw_gemma4_begin_skip(tw_gemma4 *state, uint32_t reason, uint64_t offset)
{
    tw_sink_diagnostic(state->sink, reason, offset);
    state->call.reason = reason;
    state->call.truncated = false;
    state->skip_in_string = false;
    state->mode = TW_GEMMA4_SKIP;
}
