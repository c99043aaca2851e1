/* SPDX-License-Identifier: MIT
 *
 * The fast way over a number, true, false or null that is whole and in view.
 */
#ifndef TOOLWIRE_JSON_SCALAR_H
#define TOOLWIRE_JSON_SCALAR_H

#include <string.h>

#include "core/skip.h"

/* How many bytes are looked at: 18 for a number whose sign, point and
 * exponent stand at the edge of 16. */
enum { TW_JSON_SCALAR_VIEW = 20 };

/* The end of the whole number at |at|, NULL where it is none or its end is
 * not among the 16 bytes there. */
static inline const uint8_t *tw_json_number_end(const uint8_t *at)
{
    const uint32_t others = ~tw_digits(at);
    unsigned size = *at == '-';
    unsigned first = size;
    size += (unsigned)__builtin_ctz(others >> size);
    if (size == first || (at[first] == '0' && size - first > 1)) {
        return NULL;
    }
    if (at[size] == '.') {
        first = ++size;
        size += (unsigned)__builtin_ctz(others >> size);
        if (size == first) {
            return NULL;
        }
    }
    if ((at[size] | 0x20) == 'e') {
        size++;
        size += at[size] == '+' || at[size] == '-';
        first = size;
        size += (unsigned)__builtin_ctz(others >> size);
        if (size == first) {
            return NULL;
        }
    }
    return size < 16 ? at + size : NULL;
}

/* The end of the number or word at |at|, behind which a byte stands; NULL
 * where it is neither. */
static inline const uint8_t *tw_json_scalar_in_view(const uint8_t *at)
{
    switch (*at) {
    case 't': return memcmp(at, "true", 4) == 0 ? at + 4 : NULL;
    case 'n': return memcmp(at, "null", 4) == 0 ? at + 4 : NULL;
    case 'f': return memcmp(at, "false", 5) == 0 ? at + 5 : NULL;
    default: return tw_json_number_end(at);
    }
}

/* The end of the scalar at |at| < |limit|, where a byte stands behind it;
 * NULL where that is not in view, and where it is none or a long one. */
static inline const uint8_t *tw_json_scalar_end(const uint8_t *at,
                                                const uint8_t *limit)
{
    const size_t size = (size_t)(limit - at);
    if (size >= TW_JSON_SCALAR_VIEW) {
        return tw_json_scalar_in_view(at);
    }
    uint8_t padded[TW_JSON_SCALAR_VIEW] = {0};
    memcpy(padded, at, size);
    const uint8_t *end = tw_json_scalar_in_view(padded);
    return end != NULL && end < padded + size ? at + (end - padded) : NULL;
}

#endif
