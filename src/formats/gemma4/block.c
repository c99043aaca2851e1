/* SPDX-License-Identifier: MIT
 *
 * A Gemma block that is a call: how it begins, and how it ends where it is
 * none.
 */
#include "formats/gemma4/state.h"
#include "formats/named.h"

tw_step tw_gemma4_find_unknown(tw_gemma4 *state, const uint8_t *inside)
{
    const tw_window *window = state->window;
    const tw_tools *tools = state->sink->tools;
    const uint64_t begin = tw_window_offset(window, inside);
    const bool token = tw_window_is_known(window, inside);
    tw_gemma_marker marker = TW_GEMMA_NONE;
    size_t size;
    if (state->options.strict || (!token && tw_tools_count(tools) == 0)) {
        return TW_STEP_DONE;
    }
    const uint8_t *at =
        inside + (state->unclosed > begin ? state->unclosed - begin : 0);
    for (; at < window->limit && at - inside <= TW_HOLD_HEAD; at++) {
        marker = *at == '<' ? tw_gemma4_marker_at(window, at, &size)
                            : TW_GEMMA_NONE;
        if (marker != TW_GEMMA_NONE && marker != TW_GEMMA_DELIMITER) {
            break;
        }
    }
    state->unclosed = tw_window_offset(window, at);
    if (at - inside > TW_HOLD_HEAD) {
        return TW_STEP_DONE;
    }
    if (at == window->limit || marker == TW_GEMMA_MORE) {
        return window->eof ? TW_STEP_DONE : TW_STEP_MORE;
    }
    return marker == TW_GEMMA_CALL_END &&
                   (token || tw_names_tool(tools, inside, at))
               ? TW_STEP_AGAIN
               : TW_STEP_DONE;
}

tw_step tw_gemma4_read_no_call(tw_gemma4 *state, size_t marker_size,
                               tw_gemma4_head_kind kind)
{
    tw_window *window = state->window;
    const uint8_t *at = window->at + marker_size;
    size_t size = 0;
    while (at < window->limit) {
        const tw_gemma_marker marker =
            *at == '<' ? tw_gemma4_marker_at(window, at, &size)
                       : TW_GEMMA_NONE;
        if (marker != TW_GEMMA_NONE && marker != TW_GEMMA_DELIMITER) {
            break;
        }
        at++;
    }
    const bool cut = kind == TW_GEMMA4_HEAD_CUT;
    const uint32_t code = cut ? TW_DIAGNOSTIC_TRUNCATED_CALL
                          : kind == TW_GEMMA4_HEAD_EMPTY
                              ? TW_DIAGNOSTIC_EMPTY_CALL
                              : TW_DIAGNOSTIC_UNKNOWN_HEAD;
    const uint8_t *end = at + (cut ? 0 : size);
    tw_gemma4_open_block(state);
    tw_gemma4_diagnose(state, code, cut ? end : window->at);
    tw_window_skip(window, (size_t)(end - window->at));
    tw_gemma4_list_unparsed(state, code);
    tw_gemma4_close_block(state);
    return TW_STEP_AGAIN;
}

/* The name in the head; of a declared tool's, what stands in front of it is
 * left out. */
static tw_name name_in(const tw_gemma4 *state, const tw_gemma4_head *found)
{
    const size_t size = (size_t)(found->name_end - found->name);
    const tw_name whole = {(const char *)found->name, size};
    const size_t part = tw_tools_find_in(state->sink->tools, whole.data, size);
    return part == 0 ? whole : (tw_name){whole.data + (size - part), part};
}

tw_step tw_gemma4_begin_call(tw_gemma4 *state, const tw_gemma4_head *found,
                             bool bare)
{
    tw_window *window = state->window;
    tw_sink *sink = state->sink;
    const tw_name named = name_in(state, found);
    const char *name = named.data;
    const size_t name_size = named.size;
    tw_gemma4_open_block(state);
    state->bare = bare;
    if (found->loose) {
        tw_gemma4_diagnose(state, TW_DIAGNOSTIC_LOOSE_HEAD, window->at);
    }
    if ((const uint8_t *)name != found->name) {
        tw_gemma4_diagnose(state, TW_DIAGNOSTIC_NAME_REPAIRED, found->name);
    }
    if (found->paren) {
        tw_gemma4_diagnose(state, TW_DIAGNOSTIC_PAREN_ARGS, found->body - 1);
    }
    const uint32_t refused = tw_sink_call_refused(sink, name_size);
    if (!tw_buffer_append(&state->name, &state->memory, name, name_size)) {
        tw_sink_fail(sink, TW_ERROR_MEMORY, window->offset, "no memory");
        return TW_STEP_AGAIN;
    }
    if (refused != 0) {
        tw_gemma4_begin_skip(state, refused, window->offset);
        return TW_STEP_AGAIN;
    }
    const uint32_t index =
        tw_sink_call_begin(sink, name, name_size, NULL, 0, 0, window->offset);
    state->begun = true;
    if (!bare && !found->paren && !found->no_body && !state->options.slow &&
        tw_gemma4_read_whole_call(state, found->body, index)) {
        return TW_STEP_AGAIN;
    }
    tw_sink_arguments(sink, index, "{", 1,
                      tw_window_offset(window, found->body) - 1);
    if (found->no_body) {
        tw_gemma4_diagnose(state, TW_DIAGNOSTIC_EMPTY_ARGUMENTS, found->body);
    }
    tw_window_skip(window, (size_t)(found->body - window->at));
    if (!tw_gemma_call_start(&state->call, index, found->paren)) {
        tw_sink_fail(sink, TW_ERROR_MEMORY, window->offset, "no memory");
    }
    state->call.closer_at = window->offset;
    state->mode = found->no_body ? TW_GEMMA4_AFTER_CALL : TW_GEMMA4_IN_CALL;
    return TW_STEP_AGAIN;
}
