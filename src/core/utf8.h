/* SPDX-License-Identifier: MIT
 *
 * UTF-8, one code point at a time: which it is, how long it is, and how long
 * the ill-formed part is that one U+FFFD replaces.
 */
#ifndef TOOLWIRE_CORE_UTF8_H
#define TOOLWIRE_CORE_UTF8_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define TW_REPLACEMENT "\xEF\xBF\xBD" /* U+FFFD */
enum { TW_REPLACEMENT_SIZE = 3 };

typedef enum tw_utf8 {
    TW_UTF8_GOOD,      /* a whole code point */
    TW_UTF8_BAD,       /* a maximal ill-formed subpart */
    TW_UTF8_INCOMPLETE /* good as far as it goes; |limit| cut it off */
} tw_utf8;

/* The code point that begins at |at| < |limit|; *size is its size, or that of
 * what is bad or incomplete. */
tw_utf8 tw_utf8_next(const uint8_t *at, const uint8_t *limit, size_t *size);

/* The end of the longest well-formed prefix of [at, limit). */
const uint8_t *tw_utf8_valid(const uint8_t *at, const uint8_t *limit);

/* |size| bytes on from |at|, or |limit|, in front of a code point: how far is
 * looked at once.  A look whose size doubles while all of it is passed looks
 * at little again where a byte stops it. */
static inline const uint8_t *tw_utf8_reach(const uint8_t *at,
                                           const uint8_t *limit, size_t size)
{
    const uint8_t *to = (size_t)(limit - at) > size ? at + size : limit;
    while (to < limit && to > at && (*to & 0xC0) == 0x80) {
        to--;
    }
    return to;
}
enum { TW_UTF8_REACH = 64 }; /* the first size */

/* |data| may be NULL where |size| is 0. */
bool tw_utf8_is_valid(const char *data, size_t size);

/* The code point at |at| < |limit|, and its size.  Halves of surrogate pairs
 * are three bytes. */
uint32_t tw_point_at(const char *at, const char *limit, size_t *size);
/* |point| as UTF-8, of up to four bytes; returns the size. */
size_t tw_point_put(char *out, uint32_t point);
/* Is the code point white space, as str.isspace() of Python has it? */
bool tw_point_is_space(uint32_t point);

/* Beyond 0xFFFF a code point is two units of UTF-16: a pair of surrogates. */
static inline bool tw_is_high(uint32_t unit)
{
    return unit >= 0xD800 && unit < 0xDC00;
}

static inline bool tw_is_low(uint32_t unit)
{
    return unit >= 0xDC00 && unit < 0xE000;
}

static inline uint32_t tw_pair(uint32_t high, uint32_t low)
{
    return 0x10000 + ((high - 0xD800) << 10) + (low - 0xDC00);
}

static inline uint32_t tw_high_of(uint32_t point)
{
    return 0xD7C0 + (point >> 10);
}

static inline uint32_t tw_low_of(uint32_t point)
{
    return 0xDC00 + (point & 0x3FF);
}

#endif
