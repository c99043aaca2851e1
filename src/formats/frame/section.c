/* SPDX-License-Identifier: MIT
 *
 * A section: markers around calls, and what stands between those.
 */
#include <string.h>

#include "core/skip.h"
#include "formats/frame/frame.h"

static void leave_section(tw_frame *state)
{
    state->in_section = false;
    tw_frame_enter_text(state, TW_BEHIND_CALL);
}

/* ---- the section begins ------------------------------------------------- */

/* The open marker of a section is one, and its text ends in front of it. */
static void leave_text(tw_frame *state, const tw_head *section,
                       tw_head_place place)
{
    tw_frame_leave_text(state, place);
    if (section->skipped != NULL) {
        tw_frame_address(state, section);
    }
    if (tw_pattern_respells(section->pattern, &state->description->calls)) {
        tw_frame_diagnose(state, TW_DIAGNOSTIC_LOOSE_MARKER,
                          state->window->at);
    }
}

/* Nothing stands in it, up to |to|: it is listed. */
static void list_section(tw_frame *state, uint32_t code, const uint8_t *to,
                         const tw_head *section, tw_head_place place)
{
    tw_window *window = state->window;
    leave_text(state, section, place);
    const uint64_t begin = window->offset;
    tw_sink_record(state->sink);
    tw_window_skip(window, (size_t)(to - window->at));
    tw_sink_diagnostic(state->sink, code, begin);
    tw_list_block(state->sink, code, begin);
    tw_frame_enter_text(state, TW_BEHIND_CALL);
    state->fresh = state->at_start = state->may_be_bare = false;
}

/* The first call of a section at |at|; the section's marker is at |open|. */
static tw_step begin_first_call(tw_frame *state, const uint8_t *open,
                                const uint8_t *at, size_t size,
                                const tw_head *section,
                                tw_head_place section_place)
{
    const tw_window *window = state->window;
    const tw_head_place place = size > 0 ? TW_PLACE_MARKER : TW_PLACE_SECTION;
    state->in_section = true; /* as far as the head is concerned */
    const tw_head head = tw_frame_head_at(state, at, size, place, NULL);
    state->in_section = false;
    if (head.kind == TW_HEAD_MORE) {
        return TW_STEP_MORE;
    }
    if (tw_frame_is_no_head(state, at, place, &head)) {
        return TW_STEP_DONE;
    }
    const size_t framed = (size_t)(at - open);
    leave_text(state, section, section_place);
    tw_frame_framing(state, framed);
    tw_content_start(&state->segment, TW_EVENT_TEXT);
    state->in_section = true;
    return tw_frame_begin_block(state, window->at, size, place, &head);
}

/* Words behind the open marker, if that is a single token, or a call without a
 * head: they are none of the text if a call follows soon.  DONE: none does. */
static tw_step begin_behind_words(tw_frame *state, const uint8_t *at,
                                  size_t size, const tw_head *section,
                                  tw_head_place place)
{
    const tw_window *window = state->window;
    for (const uint8_t *to = at; to - at <= TW_HOLD_JUNK; to++) {
        if (to == window->limit) {
            return window->eof ? TW_STEP_DONE : TW_STEP_MORE;
        }
        const tw_found found = tw_frame_call_marker_at(state, to, false);
        if (found.roles == TW_AT_MORE) {
            return TW_STEP_MORE;
        }
        if ((found.roles & (TW_AT_STOP | TW_AT_SECTION_END)) != 0) {
            return TW_STEP_DONE;
        }
        if ((found.roles & TW_AT_CALL) == 0) {
            continue;
        }
        state->in_section = true; /* as far as the head is concerned */
        const tw_head head =
            tw_frame_head_at(state, to, found.size, TW_PLACE_MARKER, NULL);
        const bool none =
            tw_frame_is_no_head(state, to, TW_PLACE_MARKER, &head);
        state->in_section = false;
        if (head.kind == TW_HEAD_MORE) {
            return TW_STEP_MORE;
        }
        if (!none) {
            leave_text(state, section, place);
            tw_frame_framing(state, size);
            state->in_section = true;
            state->fresh = state->at_start = state->may_be_bare = false;
            state->mode = TW_FRAME_SECTION;
            return TW_STEP_AGAIN;
        }
    }
    return TW_STEP_DONE;
}

/* May a call without a marker of its own begin there? */
static bool has_bare_calls(const tw_description *format)
{
    bool found = false;
    for (size_t i = 0; i < format->call.count; i++) {
        const tw_pattern *call = &format->call.all[i];
        found |= call->parts[call->first].kind != TW_PATTERN_LITERAL;
    }
    return found && format->argument.count > 0;
}

/* Behind open markers that are repeated at |at|, which is behind the first; or
 * NULL: more is needed. */
static const uint8_t *behind_repeated(const tw_frame *state,
                                      const uint8_t *open, size_t size,
                                      const uint8_t *at)
{
    const tw_window *window = state->window;
    at = tw_behind_ws(at, window->limit);
    while (size > 0 && at < window->limit && at - open <= TW_HOLD_HEAD) {
        const tw_match found =
            tw_text_at(window, at, (const char *)open, size);
        if (found != TW_MATCH_WHOLE) {
            return found == TW_MATCH_MORE ? NULL : at;
        }
        at = tw_behind_ws(at + size, window->limit);
    }
    return at;
}

tw_step tw_frame_begin_section(tw_frame *state, const uint8_t *open,
                               size_t size, tw_head_place place)
{
    const tw_window *window = state->window;
    const tw_head head = tw_frame_opens_at(state, &state->description->calls,
                                           open, size, place);
    if (head.kind == TW_HEAD_MORE) {
        return TW_STEP_MORE;
    }
    if (head.kind != TW_HEAD_WHOLE) {
        return TW_STEP_DONE;
    }
    const uint8_t *at = behind_repeated(state, open, size, head.body);
    if (at == NULL) {
        return TW_STEP_MORE;
    }
    if (at - open > TW_HOLD_HEAD) {
        return TW_STEP_DONE;
    }
    const uint8_t *opened =
        at == tw_behind_ws(head.body, window->limit) ? head.body : at;
    if (at == window->limit) {
        if (!window->eof) {
            return TW_STEP_MORE;
        }
        list_section(state, TW_DIAGNOSTIC_TRUNCATED_CALL, at, &head, place);
        return TW_STEP_AGAIN;
    }
    const tw_found found = tw_marker_at(state->marks, window, at);
    if (found.roles == TW_AT_MORE) {
        return TW_STEP_MORE;
    }
    if (tw_marker_is_cut(state->marks, window, at,
                         TW_AT_CALL | TW_AT_SECTION_END | TW_AT_STOP)) {
        list_section(state, TW_DIAGNOSTIC_TRUNCATED_CALL, window->limit, &head,
                     place);
        return TW_STEP_AGAIN;
    }
    if ((found.roles & (TW_AT_CALL | TW_AT_PLAIN_CALL)) != 0 ||
        (found.roles == 0 && has_bare_calls(state->description))) {
        const tw_step step =
            begin_first_call(state, open, at, found.size, &head, place);
        if (step != TW_STEP_DONE) {
            return step;
        }
    }
    if ((found.roles & (TW_AT_SECTION_END | TW_AT_STOP)) != 0) {
        const bool closed = (found.roles & TW_AT_SECTION_END) != 0;
        list_section(state, TW_DIAGNOSTIC_EMPTY_CALL,
                     at + (closed ? found.size : 0), &head, place);
        return TW_STEP_AGAIN;
    }
    return tw_pattern_open(head.pattern)->token > 0 ||
                   (found.roles & TW_AT_CALL) != 0
               ? begin_behind_words(state, at, (size_t)(opened - open), &head,
                                    place)
               : TW_STEP_DONE;
}

/* ---- between its calls -------------------------------------------------- */

/* What matters at |at| in other text: the roles of a call with its head, of
 * what opens or closes a section, or of a stop. */
static unsigned stray_at(tw_frame *state, const uint8_t *at)
{
    enum { COUNT = TW_AT_SECTION | TW_AT_SECTION_END | TW_AT_STOP };
    const tw_found found = tw_marker_at(state->marks, state->window, at);
    const unsigned calls = TW_AT_CALL | TW_AT_PLAIN_CALL;
    if (found.roles == TW_AT_MORE || (found.roles & calls) == 0) {
        return found.roles & (COUNT | TW_AT_MORE);
    }
    const tw_head head =
        tw_frame_head_at(state, at, found.size, TW_PLACE_MARKER, NULL);
    return head.kind == TW_HEAD_MORE  ? TW_AT_MORE
           : head.kind > TW_HEAD_MORE ? TW_AT_CALL
                                      : found.roles & COUNT;
}

/* Other text, behind |blanks| and a marker of |skipped| bytes that is none, of
 * a call if |called|: a call that is none, else dropped if a call or the close
 * follows soon, else the section is over. */
static tw_step read_stray(tw_frame *state, size_t blanks, size_t skipped,
                          bool called)
{
    tw_window *window = state->window;
    const uint8_t *from = window->at + blanks;
    const uint8_t *at = from + skipped;
    unsigned roles = 0;
    const tw_step bad = tw_frame_unknown_call(state, blanks, skipped, called);
    if (bad != TW_STEP_DONE) {
        return bad;
    }
    while (at < window->limit && at - from <= TW_HOLD_JUNK) {
        roles = stray_at(state, at);
        if (roles != 0) {
            break;
        }
        at++;
    }
    const bool far = at - from > TW_HOLD_JUNK;
    if (!far &&
        (roles == TW_AT_MORE || (at == window->limit && !window->eof))) {
        return TW_STEP_MORE;
    }
    if (!far && (roles & (TW_AT_CALL | TW_AT_SECTION_END)) != 0) {
        const size_t size = (size_t)(at - window->at);
        tw_sink_dropped(state->sink, TW_DIAGNOSTIC_TEXT_IN_SECTION,
                        window->offset, size);
        tw_window_skip(window, size);
        return TW_STEP_AGAIN;
    }
    tw_frame_diagnose(state, TW_DIAGNOSTIC_MISSING_SECTION_CLOSE, window->at);
    leave_section(state);
    return TW_STEP_AGAIN;
}

/* Is the section over at this marker, or does its next call begin? */
static tw_step read_marker(tw_frame *state, size_t blanks, tw_found found)
{
    tw_window *window = state->window;
    if ((found.roles & TW_AT_SECTION_END) != 0) {
        tw_frame_framing(state, blanks + found.size);
        leave_section(state);
        return TW_STEP_AGAIN;
    }
    if ((found.roles & TW_AT_STOP) != 0 || tw_frame_is_outside(&found)) {
        tw_frame_diagnose(state, TW_DIAGNOSTIC_MISSING_SECTION_CLOSE,
                          window->at);
        leave_section(state);
        return TW_STEP_AGAIN;
    }
    if (found.roles == 0 || (found.roles & (TW_AT_CALL | TW_AT_PLAIN_CALL))) {
        const tw_head_place place =
            found.size > 0 ? TW_PLACE_MARKER : TW_PLACE_SECTION;
        const uint8_t *at = window->at + blanks;
        const tw_head head =
            tw_frame_head_at(state, at, found.size, place, NULL);
        if (head.kind == TW_HEAD_MORE) {
            return TW_STEP_MORE;
        }
        if (!tw_frame_is_no_head(state, at, place, &head)) {
            tw_frame_framing(state, blanks);
            tw_content_start(&state->segment, TW_EVENT_TEXT);
            return tw_frame_begin_block(state, window->at, found.size, place,
                                        &head);
        }
    }
    return read_stray(state, blanks, found.size,
                      (found.roles & TW_AT_CALL) != 0);
}

/* The output ends in what opens a call. */
static void list_cut(tw_frame *state, size_t blanks)
{
    tw_window *window = state->window;
    tw_frame_framing(state, blanks);
    const uint64_t begin = window->offset;
    tw_sink_record(state->sink);
    tw_window_skip(window, tw_window_size(window));
    tw_frame_diagnose(state, TW_DIAGNOSTIC_TRUNCATED_CALL, window->at);
    tw_list_block(state->sink, TW_DIAGNOSTIC_TRUNCATED_CALL, begin);
}

/* The output ends behind |size| bytes, in which the close may have begun. */
static tw_step end_section(tw_frame *state, size_t size)
{
    tw_frame_framing(state, size);
    tw_frame_diagnose(state, TW_DIAGNOSTIC_MISSING_SECTION_CLOSE,
                      state->window->at);
    leave_section(state);
    return TW_STEP_AGAIN;
}

tw_step tw_frame_read_section(tw_frame *state)
{
    tw_window *window = state->window;
    const uint8_t *at = tw_behind_ws(window->at, window->limit);
    const size_t blanks = (size_t)(at - window->at);
    if (blanks > TW_HOLD_WS) {
        return read_stray(state, 0, blanks, false);
    }
    if (at == window->limit) {
        if (!window->eof) {
            return TW_STEP_MORE;
        }
        return end_section(state, blanks);
    }
    const tw_found found = tw_marker_at(state->marks, window, at);
    if (found.roles == TW_AT_MORE) {
        return TW_STEP_MORE;
    }
    if (tw_marker_is_cut(state->marks, window, at, TW_AT_SECTION_END)) {
        return end_section(state, tw_window_size(window));
    }
    if (tw_marker_is_cut(state->marks, window, at, TW_AT_CALL)) {
        list_cut(state, blanks);
        return end_section(state, 0);
    }
    return found.roles != 0 || has_bare_calls(state->description)
               ? read_marker(state, blanks, found)
               : read_stray(state, blanks, 0, false);
}
