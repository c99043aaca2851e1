/* SPDX-License-Identifier: MIT
 *
 * Text and reasoning, and the markers that stand in them.
 */
#include "formats/frame/block.h"

#include <string.h>

#include "core/ascii.h"

/* ---- markers ------------------------------------------------------------ */

/* Reasoning begins behind |size| bytes of markers. */
static tw_step open_reasoning(tw_frame *state, size_t size)
{
    tw_frame_end_segment(state, TW_EDGE_OTHER);
    tw_frame_framing(state, size);
    state->may_be_bare = false;
    tw_frame_address(state, NULL);
    tw_frame_enter_reasoning(state, false);
    return TW_STEP_AGAIN;
}

static tw_step open_text(tw_frame *state, const tw_head *text, size_t size)
{
    tw_frame_end_segment(state, TW_EDGE_OTHER);
    if (tw_pattern_hole(text->pattern)->kind == TW_PATTERN_UNREAD) {
        return tw_frame_begin_unread(state, text->pattern, size);
    }
    tw_frame_address(state, text);
    tw_frame_framing(state, size);
    state->may_be_bare = false;
    tw_frame_enter_wrapper(state, text->pattern);
    return TW_STEP_AGAIN;
}

/* Does reasoning or text open at |at|, behind a marker of |size| bytes, with a
 * |token| or not, or behind the prompt?  Both open where a segment begins, and
 * at a token anywhere (D14, D18).  DONE: neither. */
static tw_step open_content(tw_frame *state, const uint8_t *at, size_t size,
                            tw_head_place place, bool token)
{
    const tw_description *d = state->description;
    const bool first = !state->segment.begun;
    tw_head reasoning = {.kind = TW_HEAD_NONE};
    tw_head text = {.kind = TW_HEAD_NONE};
    if (first || token) {
        reasoning = tw_frame_opens_at(state, &d->reasoning, at, size, place);
    }
    if (first || state->wrapper != NULL || token) {
        text = tw_frame_opens_at(state, &d->text, at, size, place);
    }
    if (reasoning.kind == TW_HEAD_MORE || text.kind == TW_HEAD_MORE) {
        return TW_STEP_MORE;
    }
    if (reasoning.kind != TW_HEAD_WHOLE && text.kind != TW_HEAD_WHOLE) {
        return TW_STEP_DONE;
    }
    const bool thinks = reasoning.kind == TW_HEAD_WHOLE;
    if (place == TW_PLACE_PROMPT && !thinks && text.pattern->loose) {
        /* The header of a section may go on there. */
        const tw_step step = tw_frame_begin_section(state, at, size, place);
        if (step != TW_STEP_DONE) {
            return step;
        }
    }
    if (place == TW_PLACE_PROMPT) { /* what is held is the head's */
        at = state->window->at;
        tw_content_start(&state->segment, TW_EVENT_TEXT);
    }
    if (tw_pattern_respells((thinks ? &reasoning : &text)->pattern,
                            thinks ? &d->reasoning : &d->text)) {
        tw_frame_diagnose(state, TW_DIAGNOSTIC_LOOSE_MARKER, at);
    }
    return thinks ? open_reasoning(state, (size_t)(reasoning.body - at))
                  : open_text(state, &text, (size_t)(text.body - at));
}

/* The marker |close|, if there is one, stands at |at|. */
static bool stands_at(const tw_part *close, const tw_window *window,
                      const uint8_t *at)
{
    return close != NULL && tw_part_at(window, at, close) == TW_MATCH_WHOLE;
}

static void close_reasoning(tw_frame *state, size_t size)
{
    tw_frame_end_segment(state, TW_EDGE_CALL);
    tw_frame_framing(state, size);
    state->thought = true;
    state->at_start = false;
    tw_frame_enter_text(state, TW_BEHIND_REASONING);
}

enum {
    OPENS_CALL = TW_AT_CALL | TW_AT_PLAIN_CALL,
    CLOSES = TW_AT_CALL_END | TW_AT_SECTION_END | TW_AT_TEXT_END
};

/* Is a token around reasoning framing where it opens or closes nothing, and so
 * is the turn's head where the output repeats it? */
static bool has_loose_channels(const tw_frame *state)
{
    return (state->description->quirks & TW_QUIRK_LOOSE_CHANNELS) != 0;
}

/* A close that nothing opened, with which a segment begins (D16).  That of a
 * wrapper that the prompt has opened is none. */
static void drop_close(tw_frame *state, const uint8_t *at,
                       const tw_found *found)
{
    if ((found->roles & TW_AT_TEXT_END) == 0) {
        tw_frame_diagnose(state, TW_DIAGNOSTIC_ORPHAN_CLOSE_TAG, at);
    }
    tw_frame_end_segment(state, TW_EDGE_OTHER);
    tw_frame_framing(state, found->size);
    tw_frame_enter_text(state, TW_BEHIND_NOTHING);
    state->may_be_bare = state->fresh && state->unmarked;
    state->at_start = false;
}

/* The close of the text at |at| is that of its own pattern. */
static bool close_wrapper(tw_frame *state, const uint8_t *at)
{
    const bool closes =
        state->wrapper != NULL &&
        stands_at(tw_pattern_close(state->wrapper), state->window, at);
    state->wrapper = closes ? NULL : state->wrapper;
    return closes;
}

/* A marker that closes something, where that is no framing it is text. */
static tw_step closing_marker(tw_frame *state, const uint8_t *at,
                              const tw_found *found)
{
    const bool first = !state->segment.begun;
    if (close_wrapper(state, at)) {
        tw_frame_end_segment(state, TW_EDGE_OTHER);
        tw_frame_framing(state, found->size);
        tw_frame_enter_text(state, TW_BEHIND_NOTHING);
        return TW_STEP_AGAIN;
    }
    if ((found->roles & TW_AT_REASONING_END) != 0 && first &&
        (state->fresh || state->thought)) {
        if (state->thought) { /* a second one */
            tw_frame_diagnose(state, TW_DIAGNOSTIC_STRAY_MARKER, at);
        }
        tw_frame_end_segment(state, TW_EDGE_OTHER);
        close_reasoning(state, found->size);
        return TW_STEP_AGAIN;
    }
    if ((found->roles & CLOSES) != 0 && !state->headless && first) {
        drop_close(state, at, found);
        return TW_STEP_AGAIN;
    }
    const bool thought =
        (found->roles & TW_AT_REASONING_END) != 0 && has_loose_channels(state);
    if (found->token &&
        (thought || ((found->roles & CLOSES) != 0 && !state->headless))) {
        state->edge |= thought;
        if (thought) {
            tw_sink_closes_none(state->sink,
                                tw_window_offset(state->window, at));
        }
        tw_content_hold_marker(&state->segment, found->size);
        return TW_STEP_AGAIN;
    }
    return tw_frame_text_run(state, at);
}

/* The output ends in a marker, behind a token of it: no text has that. */
static tw_step drop_half(tw_frame *state)
{
    tw_window *window = state->window;
    tw_frame_end_segment(state, TW_EDGE_END);
    tw_sink_dropped(state->sink, TW_DIAGNOSTIC_HALF_MARKER, window->offset,
                    tw_window_size(window));
    tw_window_skip(window, tw_window_size(window));
    return TW_STEP_AGAIN;
}

static tw_step text_marker(tw_frame *state, const uint8_t *at)
{
    const tw_found found = tw_frame_marker_at(state, at);
    if (found.roles == TW_AT_MORE) {
        return TW_STEP_MORE;
    }
    if (found.roles == 0 &&
        tw_marker_is_half(state->marks, state->window, at)) {
        return drop_half(state);
    }
    if (tw_frame_is_quoted(state, &found)) {
        return tw_frame_quoted_call(state, at);
    }
    const uint64_t plain_until = state->plain_until;
    tw_step step = TW_STEP_DONE;
    if ((found.roles & OPENS_CALL) != 0) {
        step =
            tw_frame_begin_block(state, at, found.size, TW_PLACE_MARKER, NULL);
    }
    if (step == TW_STEP_DONE && (found.roles & TW_AT_SECTION) != 0) {
        step = tw_frame_begin_section(state, at, found.size, TW_PLACE_MARKER);
    }
    if (step == TW_STEP_DONE && (found.roles & TW_AT_STOP) != 0) {
        tw_frame_enter_end(state, found.size);
        step = TW_STEP_AGAIN;
    }
    if (step == TW_STEP_DONE &&
        (found.roles & (TW_AT_REASONING | TW_AT_TEXT)) != 0) {
        step = open_content(state, at, found.size, TW_PLACE_MARKER,
                            found.token > 0);
    }
    if (step == TW_STEP_DONE &&
        (found.roles & (TW_AT_CALL | TW_AT_SECTION)) != 0) {
        step = tw_frame_unknown_block(state, at, &found);
        /* Whoever asks for more changes nothing. */
        state->plain_until =
            step == TW_STEP_MORE ? plain_until : state->plain_until;
    }
    if (step != TW_STEP_DONE) {
        return step;
    }
    if ((found.roles & TW_AT_END) != 0) {
        close_wrapper(state, at);
        tw_frame_end_segment(state, TW_EDGE_OTHER);
        tw_frame_framing(state, found.size);
        tw_frame_address(state, NULL);
        tw_frame_enter_text(state, TW_BEHIND_NOTHING);
        state->at_start = false; /* what the prompt has begun is over */
        return TW_STEP_AGAIN;
    }
    state->headless |=
        (found.roles & (TW_AT_CALL | TW_AT_SECTION | TW_AT_REASONING)) != 0;
    return closing_marker(state, at, &found);
}

/* A marker of text in open reasoning closes that, if it is a single token. */
static bool is_missing_close(const tw_found *found)
{
    return found->token && (found->roles & (TW_AT_TEXT | TW_AT_TEXT_END)) != 0;
}

/* A call in reasoning that the template never closes in front of one.  DONE:
 * there is none. */
static tw_step open_call(tw_frame *state, const uint8_t *at,
                         const tw_found *found)
{
    if ((state->description->quirks & TW_QUIRK_CALLS_IN_REASONING) == 0 ||
        (found->roles & OPENS_CALL) == 0) {
        return TW_STEP_DONE;
    }
    const tw_head head =
        tw_frame_head_at(state, at, found->size, TW_PLACE_MARKER, NULL);
    if (head.kind == TW_HEAD_MORE) {
        return TW_STEP_MORE;
    }
    if (head.kind <= TW_HEAD_FAR) {
        return tw_frame_text_run(state, at);
    }
    tw_frame_end_segment(state, TW_EDGE_CALL);
    tw_frame_enter_text(state, TW_BEHIND_CALL);
    return TW_STEP_AGAIN;
}

static tw_step reasoning_marker(tw_frame *state, const uint8_t *at)
{
    const tw_found found = tw_marker_at(state->marks, state->window, at);
    if (found.roles == TW_AT_MORE) {
        return TW_STEP_MORE;
    }
    if (found.roles == 0 &&
        tw_marker_is_half(state->marks, state->window, at)) {
        return drop_half(state);
    }
    if ((found.roles & TW_AT_REASONING_END) != 0) {
        close_reasoning(state, found.size);
        return TW_STEP_AGAIN;
    }
    if ((found.roles & TW_AT_STOP) != 0) {
        tw_frame_enter_end(state, found.size);
        return TW_STEP_AGAIN;
    }
    const bool again = state->may_think && !state->segment.begun;
    if ((found.roles & TW_AT_REASONING) != 0 &&
        (again || has_loose_channels(state))) {
        const tw_head head =
            tw_frame_opens_at(state, &state->description->reasoning, at,
                              found.size, TW_PLACE_MARKER);
        if (head.kind == TW_HEAD_MORE) {
            return TW_STEP_MORE;
        }
        if (head.kind == TW_HEAD_WHOLE) {
            const size_t size = (size_t)(head.body - at);
            if (!again) {
                tw_frame_diagnose(state, TW_DIAGNOSTIC_STRAY_MARKER, at);
            }
            tw_frame_end_segment(state, TW_EDGE_CALL);
            tw_frame_framing(state, size);
            tw_content_start(&state->segment, TW_EVENT_REASONING);
            return TW_STEP_AGAIN;
        }
    }
    if (is_missing_close(&found)) {
        tw_frame_diagnose(state, TW_DIAGNOSTIC_MISSING_REASONING_CLOSE, at);
        close_reasoning(state, 0);
        return TW_STEP_AGAIN;
    }
    const tw_step step = open_call(state, at, &found);
    if (step != TW_STEP_DONE) {
        return step;
    }
    /* A call without its section is quoted there, unless its opener is a
     * token. */
    const bool lone = (found.roles & TW_AT_SECTION) == 0 && !found.token &&
                      state->description->calls.count > 0;
    if (tw_frame_is_quoted(state, &found)) {
        return tw_frame_text_run(state, at);
    }
    if ((found.roles & (TW_AT_CALL | TW_AT_SECTION)) != 0 && !lone &&
        state->options.calls_in_reasoning) {
        return tw_frame_call_in_reasoning(state, at, found.token > 0);
    }
    return tw_frame_text_run(state, at);
}

/* The size of the token that begins |text|, or 0. */
static size_t token_of(const tw_description *d, const char *text)
{
    size_t longest = 0;
    for (size_t i = 0; d->tokens[i] != NULL; i++) {
        const size_t size = strlen(d->tokens[i]);
        if (size > longest && strncmp(text, d->tokens[i], size) == 0) {
            longest = size;
        }
    }
    return longest;
}

/* The turn's head, which a token begins, once more at the output's start: the
 * prompt ended with it.  DONE: it does not stand at |at|. */
static tw_step repeated_turn(tw_frame *state, const uint8_t *at)
{
    const tw_description *d = state->description;
    tw_match best = TW_MATCH_NONE;
    size_t size = 0;
    for (size_t i = 0; d->turns[i] != NULL && best != TW_MATCH_WHOLE; i++) {
        const char *turn = d->turns[i];
        const size_t token = *at == (uint8_t)*turn ? token_of(d, turn) : 0;
        size = strlen(turn);
        const tw_match found =
            token > 0 && !tw_window_is_marked_text(state->window, at, token)
                ? tw_text_at(state->window, at, turn, size)
                : TW_MATCH_NONE;
        best = found > best ? found : best;
    }
    if (best == TW_MATCH_WHOLE) {
        tw_frame_framing(state, size);
    }
    return best == TW_MATCH_WHOLE  ? TW_STEP_AGAIN
           : best == TW_MATCH_MORE ? TW_STEP_MORE
                                   : TW_STEP_DONE;
}

/* What the prompt has begun, or what needs no marker, may stand at |at|.
 * DONE: it does not. */
static tw_step read_first(tw_frame *state, const uint8_t *at)
{
    tw_step step = TW_STEP_DONE;
    if (state->at_start && state->prompted) {
        /* A name could be the word with which text opens. */
        step = open_content(state, state->window->at, 0, TW_PLACE_PROMPT,
                            false);
        step = step == TW_STEP_DONE
                   ? tw_frame_begin_block(state, state->window->at, 0,
                                          TW_PLACE_PROMPT, NULL)
                   : step;
        step = step == TW_STEP_DONE
                   ? tw_frame_begin_section(state, state->window->at, 0,
                                            TW_PLACE_PROMPT)
                   : step;
    }
    if (step == TW_STEP_DONE && state->fresh && state->bare_calls) {
        step = tw_frame_begin_block(state, at, 0, TW_PLACE_BARE, NULL);
    }
    return step;
}

/* The model stopped in reasoning by itself.  Where nobody says so, and half a
 * call stands there, no more is known than that the output is over. */
static bool ends_in_reasoning(const tw_frame *state)
{
    const tw_window *window = state->window;
    return state->mode == TW_FRAME_REASONING && window->stopped &&
           (window->surely ||
            state->plain_until < tw_window_offset(window, window->limit));
}

/* What needs no marker of the format's and may begin at |at| in text, the
 * first that does.  DONE: nothing does. */
static tw_step read_unmarked(tw_frame *state, const uint8_t *at)
{
    const bool begins = !state->segment.begun;
    tw_step step = TW_STEP_DONE;
    if (state->at_start && state->segment.held == 0 &&
        has_loose_channels(state)) {
        step = repeated_turn(state, at);
    }
    if (step == TW_STEP_DONE && begins && state->fresh &&
        (state->prompted || state->bare_calls)) {
        step = read_first(state, at);
    }
    if (step == TW_STEP_DONE && begins && *at == '<' &&
        state->wrapper == NULL) {
        step = tw_frame_foreign_tag(state, at);
    }
    if (step == TW_STEP_DONE && state->words && tw_is_letter(*at) &&
        !state->options.strict && tw_frame_at_edge(state)) {
        step = tw_frame_begin_block(state, at, 0, TW_PLACE_EDGE, NULL);
    }
    return step;
}

/* No more comes. */
static tw_step end_text(tw_frame *state)
{
    if (ends_in_reasoning(state)) {
        tw_frame_enter_end(state, 0);
        return TW_STEP_AGAIN;
    }
    tw_frame_end_segment(state, TW_EDGE_END);
    return TW_STEP_DONE;
}

tw_step tw_frame_read_text(tw_frame *state)
{
    const tw_window *window = state->window;
    if (tw_content_look(&state->segment, state->window, state->sink)) {
        return TW_STEP_AGAIN;
    }
    const uint8_t *at = window->at + state->segment.held;
    if (at == window->limit) {
        return window->eof ? end_text(state) : TW_STEP_MORE;
    }
    const bool plain = tw_window_offset(window, at) < state->plain_until;
    const bool text = state->mode == TW_FRAME_TEXT;
    tw_step step = text && !plain ? read_unmarked(state, at) : TW_STEP_DONE;
    if (step != TW_STEP_DONE) {
        return step;
    }
    if (!plain && tw_markers_may_begin(state->marks, at, window->limit)) {
        return text ? text_marker(state, at) : reasoning_marker(state, at);
    }
    if (state->unmarked && state->may_be_bare) {
        step = tw_frame_unmarked_call(state, at);
        if (step != TW_STEP_DONE) {
            return step;
        }
    }
    return *at == '{' && state->may_be_bare && state->objects != NULL &&
                   !state->options.strict
               ? tw_frame_bare_call(state, at)
               : tw_frame_text_run(state, at);
}

/* ---- the fast way ------------------------------------------------------- */

static const uint8_t *pass_text(tw_frame *state, tw_advanced *advanced)
{
    const tw_window *window = state->window;
    return tw_content_advance(&state->segment, window, state->sink,
                              window->limit, advanced);
}

/* Nothing but blanks came yet. */
static const uint8_t *pass_first_text(tw_frame *state, tw_advanced *advanced)
{
    const tw_window *window = state->window;
    if (*window->at == '{' || state->unmarked) { /* it may be a call's */
        return window->at;
    }
    const uint8_t *to = pass_text(state, advanced);
    state->may_be_bare = to == window->at;
    return to;
}

const uint8_t *tw_frame_advance_text(tw_frame *state, tw_advanced *advanced)
{
    const uint8_t *at = state->window->at;
    const bool first = state->fresh && state->mode == TW_FRAME_TEXT;
    const bool tag = at < state->window->limit && *at == '<' &&
                     !state->segment.begun && state->mode == TW_FRAME_TEXT;
    if (tag || (first && (state->prompted || state->bare_calls)) ||
        (state->words && tw_frame_at_edge(state)) ||
        tw_frame_is_stray(state)) {
        return at; /* it may be anything */
    }
    const uint8_t *to = state->may_be_bare ? pass_first_text(state, advanced)
                                           : pass_text(state, advanced);
    state->fresh = state->fresh && !(first && to > at);
    return to;
}
