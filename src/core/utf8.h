/* SPDX-License-Identifier: MIT
 *
 * UTF-8, one code point at a time: how long it is, and how long the ill-formed
 * part is that one U+FFFD replaces.
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

/* |data| may be NULL where |size| is 0. */
bool tw_utf8_is_valid(const char *data, size_t size);

#endif
