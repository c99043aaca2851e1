/* SPDX-License-Identifier: MIT
 *
 * Where a call may begin: alone, as the first of a section, or in text that
 * could hold its marker.
 */
#include "core/skip.h"
#include "formats/frame/frame.h"

static bool has_tools(const tw_frame *state)
{
    return tw_tools_count(state->sink->tools) > 0;
}

/* Has the format no sections, and a tag around each call? */
static bool has_lone_tags(const tw_description *format)
{
    const tw_pattern *call = format->call.all;
    return format->calls.count == 0 && format->argument.count > 0 &&
           tw_pattern_hole(call)->kind == TW_PATTERN_ARGUMENTS &&
           tw_is_tag(call, call->first);
}

/* No text has a token: a marker with one is none by chance. */
static bool holds_token(const tw_part *literal)
{
    return literal->token > 0 || literal->inner > 0;
}

tw_match tw_frame_may_stand_alone(tw_frame *state, const uint8_t *open,
                                  const tw_head *head)
{
    const tw_window *window = state->window;
    const tw_description *format = state->description;
    const tw_pattern *call = head->pattern;
    const size_t first = call != NULL ? call->first : 0;
    const bool tagged =
        call != NULL && tw_pattern_hole(call)->kind == TW_PATTERN_ARGUMENTS;
    const bool lone = has_lone_tags(format);
    if (state->in_section || format->argument.count == 0 ||
        (format->calls.count == 0 &&
         !(lone && (call == NULL || (tagged && tw_is_tag(call, first)))))) {
        return TW_MATCH_WHOLE;
    }
    const bool begins =
        !state->segment.begun && open <= window->at + state->segment.held;
    const bool line =
        begins || (open > window->at ? open[-1] == '\n' : state->segment.line);
    if (head->kind != TW_HEAD_WHOLE) {
        const bool token =
            call != NULL ? holds_token(&call->parts[first])
                         : tw_marker_at(state->marks, window, open).token > 0;
        return token || (call != NULL && lone && line) ? TW_MATCH_WHOLE
                                                       : TW_MATCH_NONE;
    }
    if (holds_token(&call->parts[first])) { /* F3 */
        return TW_MATCH_WHOLE;
    }
    /* A header that names a tool says that a call follows. */
    if (!tagged || (!line && !state->inline_tags) ||
        (has_tools(state) && state->channel != TW_TO_TOOL &&
         tw_tools_find(state->sink->tools, (const char *)head->name,
                       head->name_size) == NULL)) {
        return TW_MATCH_NONE;
    }
    if ((format->calls.count == 0 || head->closed) && has_tools(state)) {
        return TW_MATCH_WHOLE;
    }
    if (head->closed) {
        return TW_MATCH_NONE;
    }
    const uint8_t *at = tw_behind_some_ws(head->body, window->limit);
    const tw_match cut = lone && line ? TW_MATCH_WHOLE : TW_MATCH_NONE;
    if (at == window->limit) {
        return window->eof ? cut : TW_MATCH_MORE;
    }
    const tw_match part = tw_tagged_part_at(&state->json.common, call, at);
    return part == TW_MATCH_CUT ? cut : part;
}

tw_match tw_frame_call_begins(tw_frame *state, const uint8_t *at,
                              const tw_found *found, tw_head *call)
{
    const tw_window *window = state->window;
    tw_head head = {.kind = TW_HEAD_NONE};
    *call = head;
    if ((found->roles & (TW_AT_CALL | TW_AT_PLAIN_CALL)) != 0) {
        head = tw_frame_head_at(state, at, found->size, TW_PLACE_MARKER, NULL);
        if (head.kind == TW_HEAD_WHOLE) {
            *call = head;
            return tw_frame_may_stand_alone(state, at, &head);
        }
    }
    if (head.kind != TW_HEAD_MORE && (found->roles & TW_AT_SECTION) != 0) {
        head = tw_frame_opens_at(state, &state->description->calls, at,
                                 found->size, TW_PLACE_MARKER);
        const uint8_t *inside = head.kind == TW_HEAD_WHOLE
                                    ? tw_behind_ws(head.body, window->limit)
                                    : window->limit;
        const tw_found first =
            inside < window->limit
                ? tw_marker_at(state->marks, window, inside)
                : (tw_found){.roles = window->eof ? 0 : TW_AT_MORE};
        if (head.kind == TW_HEAD_WHOLE && first.roles == TW_AT_MORE) {
            return TW_MATCH_MORE;
        }
        if (head.kind == TW_HEAD_WHOLE) {
            const bool in_section = state->in_section;
            state->in_section = true; /* as far as the head is concerned */
            head = tw_frame_head_at(
                state, inside, first.size,
                first.size > 0 ? TW_PLACE_MARKER : TW_PLACE_SECTION, NULL);
            state->in_section = in_section;
        }
    }
    return head.kind == TW_HEAD_MORE    ? TW_MATCH_MORE
           : head.kind == TW_HEAD_WHOLE ? TW_MATCH_WHOLE
                                        : TW_MATCH_NONE;
}
