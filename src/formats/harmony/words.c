/* SPDX-License-Identifier: MIT
 *
 * Where a Harmony header begins: decided on a few bytes of text.
 */
#include <string.h>

#include "formats/harmony/harmony.h"

/* ---- at the start, between messages ------------------------------------- */

/* A role or channel word at the very start, and what stands behind it. */
static tw_verdict behind_word(tw_slice rest)
{
    if (TW_SLICE_SIZE(rest) == 0 || tw_slice_is_space(*rest.from)) {
        const tw_slice next = tw_slice_strip_front(rest);
        return tw_slice_begins(next, "to=")   ? TW_VERDICT_YES
               : tw_slice_may_be(next, "to=") ? TW_VERDICT_WAIT
                                              : TW_VERDICT_NO;
    }
    for (int i = TW_CHANNEL_ANALYSIS; i <= TW_CHANNEL_FINAL; i++) {
        if (tw_slice_may_be(rest, tw_channel_name((tw_channel)i)) ||
            tw_slice_begins(rest, tw_channel_name((tw_channel)i))) {
            return TW_SLICE_SIZE(rest) < 10 ? TW_VERDICT_WAIT : TW_VERDICT_NO;
        }
    }
    return TW_VERDICT_NO;
}

tw_verdict tw_harmony_header_start(tw_slice text)
{
    static const char *const words[] = {"assistant", "analysis", "commentary",
                                        "final"};
    const tw_slice low = tw_slice_strip_front(text);
    if (tw_slice_begins(low, "to=")) {
        return TW_VERDICT_YES;
    }
    if (tw_slice_may_be(low, "to=")) {
        return TW_VERDICT_WAIT;
    }
    for (size_t i = 0; i < 4; i++) {
        if (tw_slice_may_be(low, words[i])) {
            return TW_VERDICT_WAIT;
        }
        if (tw_slice_begins(low, words[i])) {
            const tw_verdict verdict =
                behind_word(tw_slice_behind(low, strlen(words[i])));
            if (verdict != TW_VERDICT_NO) {
                return verdict;
            }
        }
    }
    return TW_VERDICT_NO;
}

/* ---- inside a body ------------------------------------------------------ */

/* The word that may stand behind <|start|>. */
static bool is_author(tw_slice word)
{
    return tw_slice_is_role(word) ||
           tw_channel_named(word) != TW_CHANNEL_NONE ||
           tw_slice_is(word, "python") ||
           (TW_SLICE_SIZE(word) > 0 &&
            memchr(word.from, '.', TW_SLICE_SIZE(word)) != NULL);
}

/* |text| stands behind <|start|>; |after| is the marker behind it. */
static tw_verdict behind_start(tw_slice text, tw_harmony_marker after)
{
    tw_slice word = text;
    while (word.from < word.to && *word.from != ' ') {
        word.from++;
    }
    const tw_slice first = {text.from, word.from};
    const bool blank = word.from < word.to;
    const tw_slice rest = tw_slice_behind(word, blank ? 1 : 0);
    const bool known = is_author(first);
    if (after != TW_HARMONY_NONE) {
        const bool header = after == TW_HARMONY_CHANNEL ||
                            after == TW_HARMONY_MESSAGE ||
                            after == TW_HARMONY_CONSTRAIN;
        return header && ((known && TW_SLICE_SIZE(rest) == 0) ||
                          TW_SLICE_SIZE(text) == 0)
                   ? TW_VERDICT_YES
                   : TW_VERDICT_NO;
    }
    if (!blank) {
        for (const uint8_t *at = text.from; at < text.to; at++) {
            if (!tw_is_name_byte(*at)) {
                return TW_VERDICT_NO;
            }
        }
        return TW_VERDICT_WAIT;
    }
    return !known                         ? TW_VERDICT_NO
           : tw_slice_begins(rest, "to=") ? TW_VERDICT_YES
           : tw_slice_may_be(rest, "to=") ? TW_VERDICT_WAIT
                                          : TW_VERDICT_NO;
}

/* |low| may become a channel's name, in any case. */
static bool may_be_channel(tw_slice low)
{
    for (int i = TW_CHANNEL_ANALYSIS; i <= TW_CHANNEL_FINAL; i++) {
        if (tw_slice_same_letters(low, tw_channel_name((tw_channel)i)) ==
            TW_SLICE_SIZE(low)) {
            return true;
        }
    }
    return false;
}

/* |text| stands behind <|channel|>. */
static tw_verdict behind_channel(tw_slice text, tw_harmony_marker after)
{
    static const char *const words[] = {"to=", "functions.", "json", "code"};
    tw_slice low = text;
    while (low.from < low.to && *low.from == ' ') {
        low.from++;
    }
    const tw_channel channel = tw_channel_in_front(low);
    if (after != TW_HARMONY_NONE) {
        const bool header = after == TW_HARMONY_CHANNEL ||
                            after == TW_HARMONY_MESSAGE ||
                            after == TW_HARMONY_CONSTRAIN;
        return header && (TW_SLICE_SIZE(low) == 0 ||
                          tw_channel_named(tw_slice_strip(low)) !=
                              TW_CHANNEL_NONE)
                   ? TW_VERDICT_YES
                   : TW_VERDICT_NO;
    }
    if (channel == TW_CHANNEL_NONE) {
        return TW_SLICE_SIZE(text) < 20 && may_be_channel(low)
                   ? TW_VERDICT_WAIT
                   : TW_VERDICT_NO;
    }
    tw_slice rest = tw_slice_behind(low, strlen(tw_channel_name(channel)));
    if (TW_SLICE_SIZE(rest) == 0) {
        return TW_VERDICT_WAIT;
    }
    if (*rest.from != ' ') {
        return TW_VERDICT_NO;
    }
    while (rest.from < rest.to && *rest.from == ' ') {
        rest.from++;
    }
    for (size_t i = 0; i < 4; i++) {
        const size_t same = tw_slice_same_letters(rest, words[i]);
        if (words[i][same] == 0) {
            return TW_VERDICT_YES;
        }
        if (same == TW_SLICE_SIZE(rest) && TW_SLICE_SIZE(text) < 32) {
            return TW_VERDICT_WAIT;
        }
    }
    return TW_VERDICT_NO;
}

/* What may be a header inside a body is held up to this size. */
enum { MAYBE = 300 };

/* Goes on where the last look at this place stopped, or begins. */
static void resume(const tw_window *window, const uint8_t *begin,
                   tw_harmony_look *look)
{
    const uint64_t offset = tw_window_offset(window, begin);
    size_t size;
    if (look->begin == offset && look->seen > offset) {
        return;
    }
    look->begin = offset;
    look->start =
        tw_harmony_marker_at(window, begin, &size) == TW_HARMONY_START;
    look->seen = look->text = offset + size;
}

static const uint8_t *place_of(const tw_window *window, uint64_t offset)
{
    return window->at + (offset - window->offset);
}

tw_verdict tw_harmony_next_header(const tw_window *window,
                                  const uint8_t *begin, tw_harmony_look *look,
                                  const uint8_t **end)
{
    resume(window, begin, look);
    const uint8_t *at = place_of(window, look->seen);
    tw_slice text = {place_of(window, look->text), at};
    for (;;) {
        size_t size = 1;
        tw_harmony_marker marker = TW_HARMONY_NONE;
        *end = at;
        look->seen = tw_window_offset(window, at);
        look->text = tw_window_offset(window, text.from);
        if (at < window->limit && *at == '<') {
            marker = tw_harmony_marker_at(window, at, &size);
        }
        if (at == window->limit || marker == TW_HARMONY_MORE) {
            return TW_VERDICT_WAIT;
        }
        at += marker == TW_HARMONY_NONE ? 1 : size;
        const bool far = at - begin > MAYBE;
        if (marker == TW_HARMONY_START && look->start &&
            text.from == text.to) {
            if (far) {
                return TW_VERDICT_NO;
            }
            text.from = text.to = at;
            continue;
        }
        if (marker == TW_HARMONY_NONE) {
            text.to = at;
        }
        const tw_verdict verdict = look->start ? behind_start(text, marker)
                                               : behind_channel(text, marker);
        if (verdict == TW_VERDICT_YES) {
            return TW_VERDICT_YES;
        }
        if (verdict == TW_VERDICT_NO || far) {
            /* A marker that ends it is read for itself. */
            *end = marker == TW_HARMONY_NONE ? at : *end;
            return TW_VERDICT_NO;
        }
    }
}
