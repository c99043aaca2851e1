/* SPDX-License-Identifier: MIT
 *
 * A block that opens as a call does and is none (D21): it is listed, and not
 * left as text, where its close stands in reach and a declared tool is named
 * between both, or a parameter stands where the name is due, or where the
 * caller said that its opener is a token.
 */
#include <string.h>

#include "formats/body/opening.h"
#include "formats/frame/block.h"
#include "formats/named.h"

/* The close of the block that opens as |roles| at |at|: WHOLE, and where it
 * begins and its size.  A call that begins in front of it is none of the
 * block's.  What was searched for the block in front is not searched again. */
static tw_match find_close(tw_frame *state, const uint8_t *at, unsigned roles,
                           const uint8_t **close, size_t *size)
{
    const tw_window *window = state->window;
    const unsigned ends =
        ((roles & TW_AT_SECTION) != 0 ? TW_AT_SECTION_END : 0) |
        ((roles & TW_AT_CALL) != 0 ? TW_AT_CALL_END : 0);
    const bool gemma = tw_pattern_hole(state->description->call.all)->kind ==
                       TW_PATTERN_GEMMA;
    /* In a section the next call is not part of a bad one, and in Gemma's
     * notation no open marker is. */
    const unsigned others =
        state->in_section ? TW_AT_CALL | TW_AT_SECTION | TW_AT_SECTION_END
        : gemma           ? TW_AT_CALL
                          : 0;
    const uint64_t begin = tw_window_offset(window, at);
    const bool known = state->unclosed_roles == (ends | others) &&
                       state->unclosed_until > begin;
    const uint8_t *to =
        known ? at + (state->unclosed_until - begin) : at;
    tw_match found = TW_MATCH_NONE;
    state->unclosed_roles = (uint16_t)(ends | others);
    while (to - at <= TW_HOLD_HEAD && found == TW_MATCH_NONE) {
        to = tw_markers_find(state->marks, to, window->limit, window->limit);
        const tw_found marker = tw_marker_at(state->marks, window, to);
        state->unclosed_until = tw_window_offset(window, to);
        if (to == window->limit || marker.roles == TW_AT_MORE) {
            return window->eof || to - at > TW_HOLD_HEAD ? TW_MATCH_NONE
                                                         : TW_MATCH_MORE;
        }
        const tw_match call = state->in_section
                                  ? TW_MATCH_NONE
                                  : tw_frame_call_begins(state, to, &marker);
        if (call == TW_MATCH_MORE) {
            return TW_MATCH_MORE;
        }
        if (call == TW_MATCH_WHOLE ||
            (marker.roles & (TW_AT_STOP | others)) != 0) {
            return TW_MATCH_NONE;
        }
        *size = marker.size;
        found = (marker.roles & ends) != 0 ? TW_MATCH_WHOLE : TW_MATCH_NONE;
        to += found == TW_MATCH_NONE;
    }
    *close = to;
    return to - at <= TW_HOLD_HEAD ? found : TW_MATCH_NONE;
}

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
    const tw_tools *tools = state->sink->tools;
    const uint8_t *inside = at + found->size;
    const bool token = found->token && tw_window_is_known(window, inside);
    const tw_match parameter = begins_parameter(state, inside);
    const bool certain = token || parameter == TW_MATCH_WHOLE;
    const uint8_t *close = NULL;
    size_t size = 0;
    if (parameter == TW_MATCH_MORE) {
        return TW_STEP_MORE;
    }
    if ((!certain && tw_tools_count(tools) == 0) || state->options.strict ||
        has_head(state, at, found)) {
        return TW_STEP_DONE;
    }
    const tw_match end =
        find_close(state, inside, found->roles, &close, &size);
    if (end == TW_MATCH_MORE) {
        return TW_STEP_MORE;
    }
    if (end == TW_MATCH_NONE ||
        (!certain && !tw_names_tool(tools, inside, close))) {
        return TW_STEP_DONE;
    }
    tw_frame_leave_text(state, TW_PLACE_MARKER);
    list_block(state, close + size);
    tw_frame_enter_text(state, TW_BEHIND_CALL);
    state->fresh = state->at_start = state->may_be_bare = false;
    return TW_STEP_AGAIN;
}

tw_step tw_frame_unknown_call(tw_frame *state, size_t blanks, size_t size)
{
    const uint8_t *close = NULL;
    size_t close_size = 0;
    const tw_match end =
        find_close(state, state->window->at + blanks + size, TW_AT_CALL,
                   &close, &close_size);
    if (end == TW_MATCH_MORE) {
        return TW_STEP_MORE;
    }
    if (end == TW_MATCH_NONE || state->options.strict) {
        return TW_STEP_DONE;
    }
    tw_frame_framing(state, blanks);
    list_block(state, close + close_size);
    return TW_STEP_AGAIN;
}
