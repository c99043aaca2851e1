/* SPDX-License-Identifier: MIT
 *
 * Numbers by their digits.
 */
#include "schema/decimal.h"

#include "core/ascii.h"

/* Exponents beyond are as good as these. */
static const int64_t exponent_most = INT64_C(1) << 50;

static int64_t read_exponent(const char *at, const char *end)
{
    const bool negative = at < end && *at == '-';
    int64_t value = 0;
    for (at += at < end && !tw_is_digit(*at) ? 1 : 0; at < end; at++) {
        value = value < exponent_most ? 10 * value + (*at - '0') : value;
    }
    return negative ? -value : value;
}

tw_decimal tw_decimal_of(const tw_value *number)
{
    const char *at = number->text;
    const char *end = at + number->size;
    tw_decimal made = {.negative = at < end && *at == '-'};
    int64_t behind = 0; /* digits behind the point */
    size_t zeros = 0;   /* at the end, so far */
    bool point = false;
    for (at += made.negative ? 1 : 0;
         at < end && (tw_is_digit(*at) || *at == '.'); at++) {
        point |= *at == '.';
        if (*at == '.') {
            continue;
        }
        behind += point ? 1 : 0;
        if (*at != '0') {
            made.digits = made.digits != NULL ? made.digits : at;
            made.count += zeros + 1;
            zeros = 0;
        } else if (made.digits != NULL) {
            zeros++;
        }
    }
    made.exponent = (int64_t)zeros - behind;
    if (at < end) {
        made.exponent += read_exponent(at + 1, end);
    }
    made.negative &= made.count > 0;
    return made;
}

static unsigned next_digit(const char **at)
{
    *at += **at == '.' ? 1 : 0;
    return (unsigned)(*(*at)++ - '0');
}

static int compare_digits(const tw_decimal *left, const tw_decimal *right)
{
    const char *a = left->digits;
    const char *b = right->digits;
    size_t i = 0;
    for (; i < left->count && i < right->count; i++) {
        const unsigned x = next_digit(&a);
        const unsigned y = next_digit(&b);
        if (x != y) {
            return x < y ? -1 : 1;
        }
    }
    return (left->count > i) - (right->count > i);
}

static int compare_sizes(const tw_decimal *left, const tw_decimal *right)
{
    const int64_t a = (int64_t)left->count + left->exponent;
    const int64_t b = (int64_t)right->count + right->exponent;
    return a != b ? (a > b) - (a < b) : compare_digits(left, right);
}

static int sign(const tw_decimal *number)
{
    return number->count == 0 ? 0 : number->negative ? -1 : 1;
}

int tw_decimal_compare(const tw_decimal *left, const tw_decimal *right)
{
    const int a = sign(left);
    const int b = sign(right);
    if (a != b || a == 0) {
        return a - b;
    }
    return a * compare_sizes(left, right);
}

int tw_decimal_compare_size(size_t left, const tw_decimal *right)
{
    char digits[TW_DIGITS];
    const char *at = tw_spell(digits + sizeof digits, left);
    const tw_value number = {.kind = TW_VALUE_NUMBER,
                             .text = at,
                             .size = (size_t)(digits + sizeof digits - at)};
    const tw_decimal count = tw_decimal_of(&number);
    return tw_decimal_compare(&count, right);
}

int tw_decimal_is_multiple(const tw_decimal *number, const tw_decimal *divisor)
{
    enum { DIGITS = 18, ZEROS = 100000 }; /* ten times it fits 64 bits */
    const char *at = divisor->digits;
    uint64_t by = 0;
    uint64_t rest = 0;
    if (divisor->count == 0 || divisor->count > DIGITS) {
        return -1;
    }
    if (number->count == 0) {
        return 1;
    }
    /* Neither ends with a zero. */
    if (number->exponent < divisor->exponent) {
        return 0;
    }
    const int64_t zeros = number->exponent - divisor->exponent;
    if (zeros > ZEROS) {
        return -1;
    }
    for (size_t i = 0; i < divisor->count; i++) {
        by = 10 * by + next_digit(&at);
    }
    at = number->digits;
    for (size_t i = 0; i < number->count; i++) {
        rest = (10 * rest + next_digit(&at)) % by;
    }
    for (int64_t i = 0; i < zeros && rest != 0; i++) {
        rest = 10 * rest % by;
    }
    return rest == 0;
}

uint64_t tw_decimal_hash(const tw_decimal *number)
{
    const char *at = number->digits;
    uint64_t hash = number->negative ? 3 : 5;
    for (size_t i = 0; i < number->count; i++) {
        hash = (hash ^ next_digit(&at)) * UINT64_C(0x100000001B3);
    }
    return number->count > 0 ? hash ^ (uint64_t)number->exponent : 0;
}
