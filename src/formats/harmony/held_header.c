/* SPDX-License-Identifier: MIT
 *
 * The header at the window: it is held from its first byte on until its end
 * comes, or until none can come any more.
 */
#include <string.h>

#include "core/ascii.h"
#include "formats/harmony/state.h"
#include "formats/harmony/tokens.h"

/* A header in which no marker stands, nor was stripped: the caller says what
 * its bytes are.  Then it is text. */
static bool is_text(const tw_harmony *state, const tw_harmony_header *header,
                    const uint8_t *to)
{
    return !header->marked && !state->stripped &&
           tw_window_is_known(state->window, to);
}

/* ---- without <|message|> ------------------------------------------------ */

/* Behind the channel: a content type or a recipient that belongs to the
 * header.  NULL: the body begins. */
static const uint8_t *header_word(const tw_window *window, tw_slice text)
{
    tw_slice word = tw_slice_strip_front(text);
    const bool blank = word.from > text.from;
    size_t size;
    if (TW_SLICE_SIZE(word) > 0 && *word.from == '<' &&
        tw_harmony_marker_at(window, word.from, &size) ==
            TW_HARMONY_CONSTRAIN) {
        word = tw_slice_strip_front(tw_slice_behind(word, size));
        while (word.from < word.to && tw_is_alnum(*word.from)) {
            word.from++;
        }
        return word.from;
    }
    if (blank && tw_slice_is_word(tw_slice_strip(word), TW_WORD_TYPE)) {
        return text.to;
    }
    if (blank && tw_slice_begins(word, "to=")) {
        while (word.from < word.to && !tw_is_ws(*word.from)) {
            word.from++;
        }
        return word.from;
    }
    return NULL;
}

/* How many bytes in front of |to| are header. */
static size_t header_prefix(const tw_harmony *state, const uint8_t *to,
                            tw_channel *channel)
{
    const tw_window *window = state->window;
    const bool marked = state->held.channel > window->offset;
    tw_slice rest = {window->at, to};
    if (marked) {
        rest.from += state->held.channel - window->offset;
    } else {
        while (tw_slice_begins(rest, TW_HARMONY_START_TEXT)) {
            rest.from += 9;
        }
        rest.from +=
            state->explicit_start && tw_slice_begins(rest, "assistant") ? 9
                                                                        : 0;
    }
    const tw_slice low = tw_slice_strip_front(rest);
    *channel = tw_channel_in_front(low);
    if (*channel != TW_CHANNEL_NONE) {
        rest.from = low.from + strlen(tw_channel_name(*channel));
    } else if (marked) {
        return (size_t)(rest.from - window->at);
    }
    const uint8_t *next;
    while ((next = header_word(window, rest)) != NULL) {
        rest.from = next;
    }
    return (size_t)(tw_slice_strip_front(rest).from - window->at);
}

/* <|message|> is missing: the header ends before |to|, at a `{` where
 * |brace|. */
static void no_message(tw_harmony *state, const uint8_t *to, bool brace)
{
    tw_window *window = state->window;
    const tw_harmony_header header = tw_harmony_read_header(state, to, false);
    const bool at_marker = tw_window_offset(window, to) + 1 == state->sure_at;
    if (!at_marker && is_text(state, &header, to + brace)) {
        tw_harmony_headerless(state);
        return;
    }
    if (header.foreign || (header.name.from != NULL && brace)) {
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
    tw_channel channel;
    const size_t used = header_prefix(state, to, &channel);
    const uint64_t end = tw_window_offset(window, to);
    tw_harmony_diagnose(state, TW_DIAGNOSTIC_MISSING_MESSAGE,
                        window->at + used);
    tw_harmony_framing(state, used);
    tw_harmony_open_visible(state, channel);
    state->plain_until = end; /* what was header is text now */
}

static tw_step end_of_header(tw_harmony *state)
{
    tw_window *window = state->window;
    const tw_harmony_header header =
        tw_harmony_read_header(state, window->limit, false);
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
    const size_t used = header_prefix(state, text.to, &channel);
    const tw_slice rest =
        tw_slice_strip((tw_slice){text.from + used, text.to});
    const bool words = TW_SLICE_SIZE(rest) > 0 &&
                       memchr(rest.from, ' ', TW_SLICE_SIZE(rest)) != NULL;
    if (channel != TW_CHANNEL_NONE && words && !header.foreign &&
        !tw_slice_begins(rest, "to=")) {
        no_message(state, window->limit, false);
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
    tw_harmony_held *held = &state->held;
    state->stripped = false;
    const tw_harmony_header header =
        held->waits ? held->header : tw_harmony_read_header(state, to, true);
    const tw_step unknown =
        header.callish ? tw_harmony_find_unknown(state, to) : TW_STEP_DONE;
    if (unknown == TW_STEP_MORE) {
        held->waits = true;
        held->header = header; /* it has no name, which would move */
    } else if (unknown == TW_STEP_AGAIN) {
        tw_harmony_open_unknown(state, to);
    } else {
        tw_harmony_open_message(state, &header, to);
    }
    return unknown == TW_STEP_MORE ? TW_STEP_MORE : TW_STEP_AGAIN;
}

/* A marker at |at| inside the header: does it belong to it? */
static bool header_takes(tw_harmony *state, tw_harmony_marker marker,
                         const uint8_t *at, size_t size)
{
    tw_harmony_held *held = &state->held;
    const bool first = state->fresh && at == state->window->at;
    state->stripped = false;
    if (marker == TW_HARMONY_CHANNEL) {
        held->channel = tw_window_offset(state->window, at + size);
    }
    if (marker == TW_HARMONY_CHANNEL || marker == TW_HARMONY_CONSTRAIN) {
        held->parts = true;
        return true;
    }
    if (marker != TW_HARMONY_START ||
        (!first && (held->items > TW_HARMONY_GAP_LIMIT || held->parts))) {
        return false;
    }
    if (!first) {
        tw_harmony_diagnose(state, TW_DIAGNOSTIC_REPEATED_START, at);
    }
    return true;
}

/* The header is held from its first byte on until it is decided. */
tw_step tw_harmony_step_header(tw_harmony *state)
{
    const tw_window *window = state->window;
    tw_harmony_held *held = &state->held;
    const uint8_t *at = window->at + (held->seen - window->offset);
    while (at < window->limit) {
        size_t size = 1;
        const tw_harmony_marker marker =
            *at == '<' ? tw_harmony_marker_at(window, at, &size)
                       : TW_HARMONY_NONE;
        held->seen = tw_window_offset(window, at);
        if (marker == TW_HARMONY_MORE) {
            return TW_STEP_MORE;
        }
        if (marker == TW_HARMONY_MESSAGE) {
            return end_at_message(state, at + size);
        }
        if (marker == TW_HARMONY_NONE) {
            if (*at == '{' && (size_t)(at - window->at) >= state->head_text) {
                no_message(state, at, true);
                return TW_STEP_AGAIN;
            }
        } else if (!header_takes(state, marker, at, size)) {
            state->sure_at = held->seen + 1;
            no_message(state, at, false);
            return TW_STEP_AGAIN;
        }
        at += marker == TW_HARMONY_NONE ? 1 : size;
        held->items++;
        if (at - window->at > TW_HOLD_HEAD) {
            no_message(state, at, false);
            return TW_STEP_AGAIN;
        }
    }
    held->seen = tw_window_offset(window, at);
    return window->eof ? end_of_header(state) : TW_STEP_MORE;
}
