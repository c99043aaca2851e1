/* SPDX-License-Identifier: MIT
 *
 * A piece of a header's text, and the words that may stand in one: roles,
 * channels, white space.
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

/* |slice| is a proper or whole prefix of |word|. */
static bool may_be(tw_slice slice, const char *word)
{
    return TW_SLICE_SIZE(slice) <= strlen(word) &&
           memcmp(slice.from, word, TW_SLICE_SIZE(slice)) == 0;
}

tw_slice tw_slice_strip_front(tw_slice slice)
{
    while (slice.from < slice.to && tw_slice_is_space(*slice.from)) {
        slice.from++;
    }
    return slice;
}

tw_slice tw_slice_strip(tw_slice slice)
{
    slice = tw_slice_strip_front(slice);
    while (slice.to > slice.from && tw_slice_is_space(slice.to[-1])) {
        slice.to--;
    }
    return slice;
}

tw_slice tw_slice_before(tw_slice word, uint8_t c)
{
    const uint8_t *at = TW_SLICE_SIZE(word) > 0
                            ? memchr(word.from, c, TW_SLICE_SIZE(word))
                            : NULL;
    word.to = at != NULL ? at : word.to;
    return word;
}

/* ---- the end ------------------------------------------------------------ */

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

/* ---- words -------------------------------------------------------------- */

const tw_harmony_word tw_harmony_words[TW_WORDS] = {
    {"analysis", TW_WORD_CHANNEL},
    {"commentary", TW_WORD_CHANNEL},
    {"final", TW_WORD_CHANNEL | TW_WORD_FINAL},
    {"assistant", TW_WORD_ROLE | TW_WORD_READER | TW_WORD_ASSISTANT},
    {"user", TW_WORD_ROLE | TW_WORD_READER},
    {"system", TW_WORD_ROLE | TW_WORD_READER},
    {"developer", TW_WORD_ROLE | TW_WORD_READER},
    {"tool", TW_WORD_ROLE},
    {"all", TW_WORD_READER},
    {"json", TW_WORD_TYPE | TW_WORD_CALL_TYPE},
    {"code", TW_WORD_TYPE | TW_WORD_CALL_TYPE},
    {"text", TW_WORD_TYPE},
    {"none", TW_WORD_TYPE},
    {"to=", TW_WORD_TO},
    {"functions.", TW_WORD_FUNCTIONS},
};

static bool is_any(tw_slice slice, uint32_t kinds,
                   bool (*is)(tw_slice, const char *))
{
    for (size_t i = 0; i < TW_WORDS; i++) {
        if ((tw_harmony_words[i].kinds & kinds) != 0 &&
            is(slice, tw_harmony_words[i].text)) {
            return true;
        }
    }
    return false;
}

bool tw_slice_is_word(tw_slice slice, uint32_t kinds)
{
    return is_any(slice, kinds, tw_slice_is);
}

bool tw_slice_may_be_word(tw_slice slice, uint32_t kinds)
{
    return is_any(slice, kinds, may_be);
}

const char *tw_channel_name(tw_channel channel)
{
    return tw_harmony_words[channel - 1].text;
}

/* How many bytes of the slice and |word| (in small letters) are the same, in
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

tw_channel tw_channel_in_front(tw_slice slice)
{
    for (int i = TW_CHANNEL_ANALYSIS; i <= TW_CHANNEL_FINAL; i++) {
        const char *name = tw_channel_name((tw_channel)i);
        if (name[same_letters(slice, name)] == 0) {
            return (tw_channel)i;
        }
    }
    return TW_CHANNEL_NONE;
}

tw_channel tw_channel_named(tw_slice slice)
{
    const tw_channel channel = tw_channel_in_front(slice);
    return channel != TW_CHANNEL_NONE &&
                   TW_SLICE_SIZE(slice) == strlen(tw_channel_name(channel))
               ? channel
               : TW_CHANNEL_NONE;
}

bool tw_slice_is_role(tw_slice word)
{
    return tw_slice_is_word(tw_slice_before(word, ':'), TW_WORD_ROLE);
}

/* Blanks of three bytes; the first ones have no width. */
static const char wide_blanks[][4] = {
    "\xE2\x80\x8B", "\xE2\x80\x8C", "\xE2\x80\x8D", "\xE2\x81\xA0",
    "\xEF\xBB\xBF", "\xE3\x80\x80", "\xE2\x80\xA8", "\xE2\x80\xA9"};

static bool is_wide_blank(const uint8_t *at, const uint8_t *to, size_t count)
{
    for (size_t i = 0; to - at >= 3 && i < count; i++) {
        if (memcmp(at, wide_blanks[i], 3) == 0) {
            return true;
        }
    }
    return false;
}

size_t tw_harmony_ws_at(const uint8_t *at, const uint8_t *to)
{
    if (*at < 0x80) {
        return tw_slice_is_space(*at) ? 1 : 0;
    }
    if (to - at >= 2 && memcmp(at, "\xC2\xA0", 2) == 0) {
        return 2;
    }
    return is_wide_blank(at, to, sizeof wide_blanks / sizeof *wide_blanks) ? 3
                                                                           : 0;
}

bool tw_slice_has_no_width(tw_slice text)
{
    while (text.from < text.to && !is_wide_blank(text.from, text.to, 5)) {
        text.from++;
    }
    return text.from < text.to;
}
