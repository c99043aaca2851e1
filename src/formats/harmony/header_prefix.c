/* SPDX-License-Identifier: MIT
 *
 * A header without its end: how much of the text is header, and where the body
 * begins.
 */
#include <string.h>

#include "formats/harmony/harmony.h"

static const uint8_t *last_channel_marker(const tw_window *window,
                                          tw_slice text)
{
    static const char marker[] = "<|channel|>";
    const size_t size = sizeof marker - 1;
    const uint8_t *found = NULL;
    for (const uint8_t *at = text.from; at + size <= text.to; at++) {
        if (memcmp(at, marker, size) == 0 &&
            !tw_window_is_marked_text(window, at, size)) {
            found = at + size;
        }
    }
    return found;
}

/* Behind the channel: a content type or an author that belongs to the header.
 * NULL: the body begins. */
static const uint8_t *header_word(const tw_window *window, tw_slice text)
{
    const tw_slice body = tw_slice_strip_front(text);
    const bool blank = body.from > text.from;
    if (tw_slice_begins(body, "<|constrain|>") &&
        !tw_window_is_marked_text(window, body.from, 13)) {
        tw_slice word = {body.from + 13, body.to};
        word = tw_slice_strip_front(word);
        while (word.from < word.to && tw_is_name_byte(*word.from) &&
               *word.from != '_' && *word.from != '-' && *word.from != '.' &&
               *word.from != ':' && *word.from != '/') {
            word.from++;
        }
        return word.from;
    }
    if (blank && tw_slice_is_word(tw_slice_strip(body), TW_WORD_TYPE)) {
        return text.to;
    }
    if (blank && tw_slice_begins(body, "to=")) {
        const uint8_t *at = body.from;
        while (at < body.to && *at != ' ' && *at != '\t' && *at != '\r' &&
               *at != '\n') {
            at++;
        }
        return at;
    }
    return NULL;
}

/* The channel in front of |text|, blanks aside. */
static tw_channel leading_channel(tw_slice *text)
{
    const tw_slice low = tw_slice_strip_front(*text);
    const tw_channel channel = tw_channel_in_front(low);
    if (channel != TW_CHANNEL_NONE) {
        text->from = low.from + strlen(tw_channel_name(channel));
    }
    return channel;
}

size_t tw_harmony_header_prefix(const tw_window *window, tw_slice text,
                                bool explicit_start, tw_channel *channel)
{
    const uint8_t *marker = last_channel_marker(window, text);
    tw_slice rest = text;
    if (marker != NULL) {
        rest.from = marker;
    } else {
        while (tw_slice_begins(rest, "<|start|>")) {
            rest.from += 9;
        }
        rest.from +=
            explicit_start && tw_slice_begins(rest, "assistant") ? 9 : 0;
    }
    *channel = leading_channel(&rest);
    if (marker != NULL && *channel == TW_CHANNEL_NONE) {
        return (size_t)(rest.from - text.from);
    }
    const uint8_t *next;
    while ((next = header_word(window, rest)) != NULL) {
        rest.from = next;
        if (next == text.to) {
            return (size_t)(next - text.from);
        }
    }
    while (rest.from < rest.to && tw_slice_is_space(*rest.from)) {
        rest.from++;
    }
    return (size_t)(rest.from - text.from);
}
