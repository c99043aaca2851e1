/* SPDX-License-Identifier: MIT
 *
 * A message that looks like a call and names no tool in its header (D21): it
 * is listed where its body names a declared tool and ends as a call does, by
 * <|call|> or where the model stopped.
 */
#include "formats/harmony/state.h"
#include "formats/named.h"

tw_step tw_harmony_find_unknown(tw_harmony *state, const uint8_t *body)
{
    const tw_window *window = state->window;
    const tw_tools *tools = state->sink->tools;
    const uint64_t begin = tw_window_offset(window, body);
    if (tw_tools_count(tools) == 0) {
        return TW_STEP_DONE;
    }
    tw_harmony_marker marker;
    size_t size;
    const uint8_t *at = tw_harmony_find_marker(
        state, body + (state->unclosed > begin ? state->unclosed - begin : 0),
        &marker, &size);
    state->unclosed = tw_window_offset(window, at);
    if (at - body > TW_HOLD_HEAD) {
        return TW_STEP_DONE;
    }
    const bool more = marker == TW_HARMONY_MORE || at == window->limit;
    if (more && !window->eof) {
        return TW_STEP_MORE;
    }
    const bool ends = more ? window->stopped != 0 : marker == TW_HARMONY_CALL;
    return ends && tw_names_tool(tools, body, at) ? TW_STEP_AGAIN
                                                  : TW_STEP_DONE;
}

void tw_harmony_open_unknown(tw_harmony *state, const uint8_t *body)
{
    tw_window *window = state->window;
    const tw_slice none = {NULL, NULL};
    tw_harmony_diagnose(state, TW_DIAGNOSTIC_UNKNOWN_HEAD, window->at);
    tw_harmony_open_junk(state, none, TW_DIAGNOSTIC_UNKNOWN_HEAD);
    tw_window_skip(window, (size_t)(body - window->at));
}
