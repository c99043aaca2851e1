/* SPDX-License-Identifier: MIT
 *
 * What escapes in JSON strings mean, whoever reads them.
 */
#ifndef TOOLWIRE_JSON_ESCAPE_H
#define TOOLWIRE_JSON_ESCAPE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "core/ascii.h"

static inline bool tw_json_is_hex(uint8_t c)
{
    return tw_is_digit(c) || ((c | 0x20) >= 'a' && (c | 0x20) <= 'f');
}

/* What such a digit means. */
static inline uint32_t tw_json_digit(uint8_t c)
{
    return c <= '9' ? (uint32_t)(c - '0') : (uint32_t)((c | 0x20) - 'a' + 10);
}

/* The next byte of a part of a JSON pointer as a URI's fragment has it: `%25`,
 * `~1`.  A slash or a zero stands behind the part. */
char tw_json_pointer_byte(const char **at);

/* Do the four digits of `\u` stand at |at|? */
static inline bool tw_json_are_digits(const uint8_t *at)
{
    return tw_json_is_hex(at[0]) && tw_json_is_hex(at[1]) &&
           tw_json_is_hex(at[2]) && tw_json_is_hex(at[3]);
}

/* What these mean. */
uint32_t tw_json_hex_value(const uint8_t *at);
/* The byte that a backslash and this one mean; 0: they are no escape of two
 * bytes. */
extern const uint8_t tw_json_meanings[256];

#endif
