/* SPDX-License-Identifier: MIT
 *
 * The header at the window: it is held from its first byte on until its end
 * comes, or until none can come any more.
 */
#include <string.h>

#include "formats/harmony/state.h"

/* A header in which no marker stands, nor was stripped: the caller says what
 * its bytes are.  Then it is text. */
static bool is_text(const tw_harmony *state, const tw_harmony_header *header,
                    const uint8_t *to)
{
    return !header->marked && !state->stripped &&
           tw_window_is_known(state->window, to);
}

static void say_repeated_starts(const tw_harmony *state, const uint8_t *to)
{
    bool seen = !state->explicit_start;
    for (const uint8_t *at = state->window->at; at < to; at++) {
        size_t size;
        const tw_harmony_marker marker =
            *at == '<' ? tw_harmony_marker_at(state->window, at, &size)
                       : TW_HARMONY_NONE;
        if (marker == TW_HARMONY_START && seen) {
            tw_harmony_diagnose(state, TW_DIAGNOSTIC_REPEATED_START, at);
        }
        seen |= marker != TW_HARMONY_NONE && marker != TW_HARMONY_MORE;
    }
}

/* The header ends at |to|: what it says, told once. */
static tw_harmony_header header_to(const tw_harmony *state, const uint8_t *to,
                                   bool report)
{
    say_repeated_starts(state, to);
    return tw_harmony_read_header(state, to, report);
}

/* <|message|> is missing: the header ends before |to|, at a `{` where
 * |brace|. */
static void no_message(tw_harmony *state, tw_harmony_header header,
                       const uint8_t *to, bool brace)
{
    tw_window *window = state->window;
    const bool at_marker = tw_window_offset(window, to) + 1 == state->sure_at;
    if (!at_marker && is_text(state, &header, to + brace)) {
        tw_harmony_headerless(state);
        return;
    }
    if (header.name.from != NULL && brace) {
        tw_harmony_diagnose(state, TW_DIAGNOSTIC_MISSING_MESSAGE, to);
        tw_harmony_open_message(state, &header, to);
        return;
    }
    if (header.name.from != NULL) {
        /* A recipient, but no object: there is no head. */
        tw_harmony_diagnose(state, TW_DIAGNOSTIC_MISSING_MESSAGE, to);
        tw_harmony_open_junk(state, header.name,
                             TW_DIAGNOSTIC_MISSING_MESSAGE);
        tw_window_skip(window, (size_t)(to - window->at));
        return;
    }
    if (header.foreign) {
        tw_harmony_diagnose(state, TW_DIAGNOSTIC_MISSING_MESSAGE, to);
        tw_harmony_open_message(state, &header, to);
        return;
    }
    const tw_slice text = {window->at, to};
    tw_channel channel;
    const size_t used = tw_harmony_header_prefix(
        window, text, state->explicit_start, &channel);
    const uint64_t end = tw_window_offset(window, to);
    tw_harmony_diagnose(state, TW_DIAGNOSTIC_MISSING_MESSAGE,
                        window->at + used);
    tw_harmony_framing(state, used);
    tw_harmony_open_visible(state, channel);
    state->plain_until = end; /* what was header is text now */
}

/* A marker at |at| inside the header.  AGAIN: it belongs to it. */
static bool header_takes(const tw_harmony *state, tw_harmony_marker marker,
                         const uint8_t *at, size_t items, bool only_starts)
{
    const bool first = state->fresh && at == state->window->at;
    return marker == TW_HARMONY_CHANNEL || marker == TW_HARMONY_CONSTRAIN ||
           (marker == TW_HARMONY_START &&
            (first || (items <= TW_HARMONY_GAP_LIMIT && only_starts)));
}

static tw_step end_of_header(tw_harmony *state)
{
    tw_window *window = state->window;
    const tw_harmony_header header = header_to(state, window->limit, false);
    const tw_slice text = {window->at, window->limit};
    if (header.name.from != NULL && !is_text(state, &header, text.to) &&
        (header.marked || header.function ||
         tw_tools_find(state->sink->tools, (const char *)header.name.from,
                       TW_SLICE_SIZE(header.name)) != NULL)) {
        /* Where the text ends with the name, it may have gone on. */
        const tw_slice none = {NULL, NULL};
        tw_harmony_open_junk(
            state, tw_slice_ends(text, header.name) ? none : header.name,
            TW_DIAGNOSTIC_TRUNCATED_CALL);
        tw_window_skip(window, TW_SLICE_SIZE(text));
        tw_harmony_diagnose(state, TW_DIAGNOSTIC_TRUNCATED_CALL, window->at);
        return TW_STEP_AGAIN;
    }
    if (!header.marked) {
        tw_harmony_headerless(state); /* no marker at all: text */
        return TW_STEP_AGAIN;
    }
    tw_channel channel;
    const size_t used = tw_harmony_header_prefix(
        window, text, state->explicit_start, &channel);
    const tw_slice rest =
        tw_slice_strip((tw_slice){text.from + used, text.to});
    const bool words = TW_SLICE_SIZE(rest) > 0 &&
                       memchr(rest.from, ' ', TW_SLICE_SIZE(rest)) != NULL;
    if (channel != TW_CHANNEL_NONE && words && !header.foreign &&
        !tw_slice_begins(rest, "to=")) {
        no_message(state, header, window->limit, false);
        return TW_STEP_AGAIN;
    }
    tw_harmony_drop(state, TW_DIAGNOSTIC_TRUNCATED_HEADER,
                    TW_SLICE_SIZE(text));
    state->mode = TW_HARMONY_GAP;
    return TW_STEP_AGAIN;
}

/* The header is whole: the body begins at |to|. */
static tw_step end_at_message(tw_harmony *state, const uint8_t *to)
{
    const tw_step unknown =
        tw_harmony_read_header(state, to, false).callish
            ? tw_harmony_find_unknown(state, to)
            : TW_STEP_DONE;
    if (unknown == TW_STEP_MORE) {
        return TW_STEP_MORE;
    }
    state->stripped = false;
    const tw_harmony_header header = header_to(state, to, true);
    if (unknown == TW_STEP_AGAIN) {
        tw_harmony_open_unknown(state, to);
    } else {
        tw_harmony_open_message(state, &header, to);
    }
    return TW_STEP_AGAIN;
}

/* The header is held from its first byte on until it is decided. */
tw_step tw_harmony_step_header(tw_harmony *state)
{
    const tw_window *window = state->window;
    const uint8_t *at = window->at;
    size_t items = 0;
    bool only_starts = true;
    while (at < window->limit) {
        size_t size = 1;
        const tw_harmony_marker marker =
            *at == '<' ? tw_harmony_marker_at(window, at, &size)
                       : TW_HARMONY_NONE;
        if (marker == TW_HARMONY_MORE) {
            return TW_STEP_MORE;
        }
        if (marker == TW_HARMONY_NONE) {
            if (*at == '{' && (size_t)(at - window->at) >= state->head_text) {
                no_message(state, header_to(state, at, false), at, true);
                return TW_STEP_AGAIN;
            }
            at++;
        } else if (marker == TW_HARMONY_MESSAGE) {
            return end_at_message(state, at + size);
        } else if (header_takes(state, marker, at, items, only_starts)) {
            state->stripped = false;
            only_starts = only_starts && marker == TW_HARMONY_START;
            at += size;
        } else {
            state->stripped = false;
            state->sure_at = tw_window_offset(window, at) + 1;
            no_message(state, header_to(state, at, false), at, false);
            return TW_STEP_AGAIN;
        }
        items++;
        if (at - window->at > TW_HOLD_HEAD) {
            no_message(state, header_to(state, at, false), at, false);
            return TW_STEP_AGAIN;
        }
    }
    return window->eof ? end_of_header(state) : TW_STEP_MORE;
}
