/* SPDX-License-Identifier: MIT
 *
 * Numbers of JSON as they are spelled: compared and divided exactly, however
 * long they are.
 */
#ifndef TOOLWIRE_SCHEMA_DECIMAL_H
#define TOOLWIRE_SCHEMA_DECIMAL_H

#include "json/tree.h"

/* The integer that |count| digits are, which neither begins nor ends with a
 * zero, times ten to the |exponent|; none: zero.  Among the digits a point may
 * stand. */
typedef struct tw_decimal {
    const char *digits;
    size_t count;
    int64_t exponent;
    bool negative;
} tw_decimal;

/* |number| is a TW_VALUE_NUMBER, whose text the decimal lies in. */
tw_decimal tw_decimal_of(const tw_value *number);
/* Less than 0, 0 or more, as |left| is less than, equal to or more than
 * |right|. */
int tw_decimal_compare(const tw_decimal *left, const tw_decimal *right);
/* Less than 0, 0 or more, as the count |left| is less than, equal to or more
 * than |right|. */
int tw_decimal_compare_size(size_t left, const tw_decimal *right);
static inline bool tw_decimal_is_integer(const tw_decimal *number)
{
    return number->count == 0 || number->exponent >= 0;
}
/* 1 or 0; -1: the numbers are too long to tell, or |divisor| is zero. */
int tw_decimal_is_multiple(const tw_decimal *number,
                           const tw_decimal *divisor);
/* Of equal numbers the same. */
uint64_t tw_decimal_hash(const tw_decimal *number);

#endif
