/* SPDX-License-Identifier: MIT
 *
 * A number's states (RFC 8259, 6), a byte at a time.
 */
#include "json/number.h"

#include "core/ascii.h"

/* RFC 8259, 6: number = [ minus ] int [ frac ] [ exp ]. */
enum number {
    BEGIN = TW_NUMBER_BEGIN,
    MINUS,
    ZERO,
    INTEGER,
    POINT,
    FRACTION,
    EXPONENT,
    EXPONENT_SIGN,
    EXPONENT_DIGITS,
    NOTHING = TW_NUMBER_STATES
};

static enum number integer_begins(uint8_t c)
{
    return c == '0' ? ZERO : c >= '1' && c <= '9' ? INTEGER : NOTHING;
}

static enum number behind(enum number number, uint8_t c)
{
    const bool digit = tw_is_digit(c);
    const bool e = c == 'e' || c == 'E';
    switch (number) {
    case BEGIN: return c == '-' ? MINUS : integer_begins(c);
    case MINUS: return integer_begins(c);
    case ZERO: return c == '.' ? POINT : e ? EXPONENT : NOTHING;
    case INTEGER:
        return digit ? INTEGER : c == '.' ? POINT : e ? EXPONENT : NOTHING;
    case POINT: return digit ? FRACTION : NOTHING;
    case FRACTION: return digit ? FRACTION : e ? EXPONENT : NOTHING;
    case EXPONENT:
        return digit                  ? EXPONENT_DIGITS
               : c == '+' || c == '-' ? EXPONENT_SIGN
                                      : NOTHING;
    default: return digit ? EXPONENT_DIGITS : NOTHING;
    }
}

bool tw_number_takes(uint8_t *number, uint8_t c)
{
    const enum number next = behind((enum number) * number, c);
    if (next != NOTHING) {
        *number = (uint8_t)next;
    }
    return next != NOTHING;
}

bool tw_number_may_end(uint8_t number)
{
    return number == ZERO || number == INTEGER || number == FRACTION ||
           number == EXPONENT_DIGITS;
}
