/* SPDX-License-Identifier: MIT
 *
 * A block that opens as a call does and is none (D21): it is listed, and not
 * left as text, where its close stands in reach and a declared tool is named
 * between both, or a parameter stands where the name is due, or a call, or
 * where the caller said that its opener is a token.
 */
#include "formats/body/opening.h"
#include "formats/frame/block.h"
#include "formats/named.h"

/* A call of the format in prose has a head; its place is why it is none. */
static bool has_head(tw_frame *state, const uint8_t *at, const tw_found *found)
{
    return (found->roles & TW_AT_CALL) != 0 &&
           tw_frame_head_at(state, at, found->size, TW_PLACE_MARKER, NULL)
                   .kind == TW_HEAD_WHOLE;
}

/* Does a parameter stand behind white space at |at|, of a call without a name?
 */
static tw_match begins_parameter(const tw_frame *state, const uint8_t *at)
{
    const tw_window *window = state->window;
    tw_opening opening;
    return tw_opening_at(window, state->description,
                         tw_behind_some_ws(at, window->limit), &opening);
}

/* All up to |end|. */
static void list_block(tw_frame *state, const uint8_t *end)
{
    tw_window *window = state->window;
    const uint64_t begin = window->offset;
    tw_sink_record(state->sink);
    tw_window_skip(window, (size_t)(end - window->at));
    tw_sink_diagnostic(state->sink, TW_DIAGNOSTIC_UNKNOWN_HEAD, begin);
    tw_list_block(state->sink, TW_DIAGNOSTIC_UNKNOWN_HEAD, begin);
}

tw_step tw_frame_unknown_block(tw_frame *state, const uint8_t *at,
                               const tw_found *found)
{
    tw_window *window = state->window;
    const uint8_t *inside = at + found->size;
    const bool token = found->token && tw_window_is_known(window, inside);
    const tw_match parameter = begins_parameter(state, inside);
    const uint8_t *close = NULL;
    size_t size = 0;
    bool nested = false;
    if (parameter == TW_MATCH_MORE) {
        return TW_STEP_MORE;
    }
    const tw_match end = tw_frame_find_close(state, inside, found->roles,
                                             &close, &size, &nested);
    if (end == TW_MATCH_MORE) {
        return TW_STEP_MORE;
    }
    const bool certain = token || parameter == TW_MATCH_WHOLE;
    if (end == TW_MATCH_NONE ||
        (nested && tw_frame_opens_first(state, inside)) ||
        (!nested &&
         (state->options.strict || has_head(state, at, found) ||
          !(certain || tw_names_tool(state->sink->tools, inside, close))))) {
        return TW_STEP_DONE;
    }
    tw_frame_leave_text(state, TW_PLACE_MARKER);
    list_block(state, close + size);
    tw_frame_enter_text(state, TW_BEHIND_CALL);
    state->fresh = state->at_start = state->may_be_bare = false;
    return TW_STEP_AGAIN;
}

tw_step tw_frame_unknown_call(tw_frame *state, size_t blanks, size_t size,
                              bool opened)
{
    const uint8_t *inside = state->window->at + blanks + size;
    const uint8_t *close = NULL;
    size_t close_size = 0;
    bool nested = false;
    const tw_match end = tw_frame_find_close(state, inside, TW_AT_CALL, &close,
                                             &close_size, &nested);
    if (end == TW_MATCH_MORE) {
        return TW_STEP_MORE;
    }
    if (end == TW_MATCH_NONE ||
        (nested && tw_frame_opens_first(state, inside)) ||
        (!nested && (state->options.strict || !opened))) {
        return TW_STEP_DONE;
    }
    tw_frame_framing(state, blanks);
    list_block(state, close + close_size);
    return TW_STEP_AGAIN;
}
