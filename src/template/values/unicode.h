/* SPDX-License-Identifier: MIT
 *
 * What Python's str knows of single code points.
 */
#ifndef TOOLWIRE_TEMPLATE_UNICODE_H
#define TOOLWIRE_TEMPLATE_UNICODE_H

#include "core/utf8.h"

typedef enum tw_property {
    TW_UNPRINTABLE, /* repr() escapes it */
    TW_ALPHA,
    TW_DECIMAL,
    TW_DIGIT,   /* beyond the decimals */
    TW_NUMERIC, /* beyond the digits */
    TW_UPPER,
    TW_LOWER
} tw_property;

bool tw_point_has(uint32_t point, tw_property property);
/* str.isalnum(). */
bool tw_point_is_word(uint32_t point);
/* In upper or title case: up to three code points; returns how many. */
size_t tw_point_upper(uint32_t point, uint32_t out[3]);
size_t tw_point_title(uint32_t point, uint32_t out[3]);

#endif
