/* SPDX-License-Identifier: MIT
 *
 * Where a Harmony header begins: decided on a few bytes of text.
 */
#include <string.h>

#include "core/utf8.h"
#include "formats/harmony/harmony.h"

bool tw_slice_is(tw_slice slice, const char *word)
{
    return TW_SLICE_SIZE(slice) == strlen(word) &&
           memcmp(slice.from, word, strlen(word)) == 0;
}

bool tw_slice_begins(tw_slice slice, const char *word)
{
    return TW_SLICE_SIZE(slice) >= strlen(word) &&
           memcmp(slice.from, word, strlen(word)) == 0;
}

bool tw_slice_may_be(tw_slice slice, const char *word)
{
    return TW_SLICE_SIZE(slice) <= strlen(word) &&
           memcmp(slice.from, word, TW_SLICE_SIZE(slice)) == 0;
}

static bool is_space(uint8_t c)
{
    return c == ' ' || (c >= 9 && c <= 13);
}

tw_slice tw_slice_strip_front(tw_slice slice)
{
    while (slice.from < slice.to && is_space(*slice.from)) {
        slice.from++;
    }
    return slice;
}

tw_slice tw_slice_strip(tw_slice slice)
{
    slice = tw_slice_strip_front(slice);
    while (slice.to > slice.from && is_space(slice.to[-1])) {
        slice.to--;
    }
    return slice;
}

static const char *const channel_names[] = {"", "analysis", "commentary",
                                            "final"};

const char *tw_channel_name(tw_channel channel)
{
    return channel_names[channel];
}

/* How many bytes of |slice| and |word| (in small letters) are the same, in
 * any case. */
static size_t same_letters(tw_slice slice, const char *word)
{
    size_t size = 0;
    while (size < TW_SLICE_SIZE(slice) && word[size] != 0) {
        const uint8_t c = slice.from[size];
        const bool capital = c >= 'A' && c <= 'Z';
        if ((char)(capital ? c + 'a' - 'A' : c) != word[size]) {
            break;
        }
        size++;
    }
    return size;
}

/* The channel whose name |slice| begins with, in any case. */
static tw_channel channel_in_front(tw_slice slice)
{
    for (int i = TW_CHANNEL_ANALYSIS; i <= TW_CHANNEL_FINAL; i++) {
        const char *name = channel_names[i];
        if (name[same_letters(slice, name)] == 0) {
            return (tw_channel)i;
        }
    }
    return TW_CHANNEL_NONE;
}

size_t tw_harmony_ws_at(const uint8_t *at, const uint8_t *to)
{
    static const char *const wide[] = {
        "\xE2\x80\x8B", "\xE2\x80\x8C", "\xE2\x80\x8D", "\xE2\x81\xA0",
        "\xEF\xBB\xBF", "\xE3\x80\x80", "\xE2\x80\xA8", "\xE2\x80\xA9"};
    if (*at == ' ' || (*at >= 9 && *at <= 13)) {
        return 1;
    }
    if (to - at >= 2 && memcmp(at, "\xC2\xA0", 2) == 0) {
        return 2;
    }
    for (size_t i = 0; to - at >= 3 && i < 8; i++) {
        if (memcmp(at, wide[i], 3) == 0) {
            return 3;
        }
    }
    return 0;
}

tw_channel tw_channel_named(tw_slice slice)
{
    const tw_channel channel = channel_in_front(slice);
    return TW_SLICE_SIZE(slice) == strlen(channel_names[channel])
               ? channel
               : TW_CHANNEL_NONE;
}

static tw_slice behind(tw_slice slice, size_t size)
{
    slice.from += size;
    return slice;
}

/* ---- at the start, between messages ------------------------------------- */

/* A role or channel word at the very start, and what stands behind it. */
static tw_verdict behind_word(tw_slice rest)
{
    if (TW_SLICE_SIZE(rest) == 0 || is_space(*rest.from)) {
        const tw_slice next = tw_slice_strip_front(rest);
        return tw_slice_begins(next, "to=")   ? TW_VERDICT_YES
               : tw_slice_may_be(next, "to=") ? TW_VERDICT_WAIT
                                              : TW_VERDICT_NO;
    }
    for (int i = TW_CHANNEL_ANALYSIS; i <= TW_CHANNEL_FINAL; i++) {
        if (tw_slice_may_be(rest, channel_names[i]) ||
            tw_slice_begins(rest, channel_names[i])) {
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
                behind_word(behind(low, strlen(words[i])));
            if (verdict != TW_VERDICT_NO) {
                return verdict;
            }
        }
    }
    return TW_VERDICT_NO;
}

/* ---- inside a body ------------------------------------------------------ */

static bool is_name_byte(uint8_t c)
{
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') ||
           (c >= '0' && c <= '9') || c == '_' || c == '-' || c == '.' ||
           c == ':' || c == '/';
}

static bool is_role(tw_slice word)
{
    static const char *const roles[] = {"assistant", "user", "system",
                                        "developer", "tool"};
    const uint8_t *colon = TW_SLICE_SIZE(word) > 0
                               ? memchr(word.from, ':', TW_SLICE_SIZE(word))
                               : NULL;
    const tw_slice first = {word.from, colon != NULL ? colon : word.to};
    for (size_t i = 0; i < 5; i++) {
        if (tw_slice_is(word, roles[i]) || tw_slice_is(first, roles[i])) {
            return true;
        }
    }
    return false;
}

/* The word that may stand behind <|start|>. */
static bool is_author(tw_slice word)
{
    return is_role(word) || tw_channel_named(word) != TW_CHANNEL_NONE ||
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
    const tw_slice rest = behind(word, blank ? 1 : 0);
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
            if (!is_name_byte(*at)) {
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
        if (same_letters(low, channel_names[i]) == TW_SLICE_SIZE(low)) {
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
    const tw_channel channel = channel_in_front(low);
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
    tw_slice rest = behind(low, strlen(channel_names[channel]));
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
        const size_t same = same_letters(rest, words[i]);
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

/* ---- ends --------------------------------------------------------------- */

/* The size of the code point at |at|, or of what stands for one. */
static size_t unit_at(const uint8_t *at, const uint8_t *to, bool *good)
{
    size_t size;
    *good = tw_utf8_next(at, to, &size) == TW_UTF8_GOOD &&
            (size != TW_REPLACEMENT_SIZE ||
             memcmp(at, TW_REPLACEMENT, TW_REPLACEMENT_SIZE) != 0);
    return size;
}

static size_t count_units(tw_slice text)
{
    size_t count = 0;
    bool good;
    for (; text.from < text.to; count++) {
        text.from += unit_at(text.from, text.to, &good);
    }
    return count;
}

bool tw_slice_ends(tw_slice text, tw_slice word)
{
    bool good[2] = {true, true};
    const size_t count = count_units(word);
    size_t skip = count_units(text);
    if (skip < count) {
        return false;
    }
    for (skip -= count; skip > 0; skip--) {
        text.from += unit_at(text.from, text.to, &good[0]);
    }
    while (word.from < word.to) {
        const size_t size = unit_at(text.from, text.to, &good[0]);
        const size_t wanted = unit_at(word.from, word.to, &good[1]);
        if (good[0] != good[1] ||
            (good[0] &&
             (size != wanted || memcmp(text.from, word.from, size) != 0))) {
            return false;
        }
        text.from += size;
        word.from += wanted;
    }
    return true;
}

/* ---- without markers ---------------------------------------------------- */

/* Glued to its body: "analysisThe user", but not "analysis of". */
static tw_verdict behind_stripped(tw_slice body, tw_channel channel, bool bare)
{
    if (tw_slice_may_be(body, " to=")) {
        return TW_SLICE_SIZE(body) == 4 ? TW_VERDICT_YES : TW_VERDICT_WAIT;
    }
    const bool lower = *body.from >= 'a' && *body.from <= 'z';
    return is_space(*body.from) ||
                   (bare && channel == TW_CHANNEL_FINAL && lower)
               ? TW_VERDICT_NO
               : TW_VERDICT_BODY;
}

tw_verdict tw_harmony_stripped_start(tw_slice text, size_t *used,
                                     tw_channel *channel)
{
    tw_slice rest = tw_slice_strip_front(text);
    *channel = TW_CHANNEL_NONE;
    if (tw_slice_may_be(rest, "assistant")) {
        return TW_VERDICT_WAIT;
    }
    const bool bare = !tw_slice_begins(rest, "assistant");
    if (!bare) {
        rest = behind(rest, 9);
    }
    *used = (size_t)(rest.from - text.from);
    for (int i = TW_CHANNEL_ANALYSIS; i <= TW_CHANNEL_FINAL; i++) {
        if (tw_slice_may_be(rest, channel_names[i])) {
            return TW_VERDICT_WAIT;
        }
        if (tw_slice_begins(rest, channel_names[i])) {
            const size_t size = strlen(channel_names[i]);
            const tw_verdict verdict =
                behind_stripped(behind(rest, size), (tw_channel)i, bare);
            if (verdict == TW_VERDICT_BODY) {
                *used += size;
                *channel = (tw_channel)i;
            }
            return verdict;
        }
    }
    const tw_slice low = tw_slice_strip_front(rest);
    if (tw_slice_may_be(low, "to=")) {
        return TW_SLICE_SIZE(low) == 3 ? TW_VERDICT_YES : TW_VERDICT_WAIT;
    }
    return TW_VERDICT_NO;
}

tw_verdict tw_harmony_stripped_header(tw_slice text)
{
    size_t used;
    tw_channel channel;
    if (TW_SLICE_SIZE(text) < 9 || !tw_slice_begins(text, "assistant")) {
        return tw_slice_may_be(text, "assistant") ? TW_VERDICT_WAIT
                                                  : TW_VERDICT_NO;
    }
    return tw_harmony_stripped_start(text, &used, &channel);
}
