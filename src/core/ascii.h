/* SPDX-License-Identifier: MIT
 *
 * The classes of ASCII, whatever the locale says, and numbers in its digits. A
 * byte or a char is asked; what is not ASCII is in none.
 */
#ifndef TOOLWIRE_CORE_ASCII_H
#define TOOLWIRE_CORE_ASCII_H

#include <stdbool.h>
#include <stdint.h>

static inline bool tw_is_digit(int c)
{
    return c >= '0' && c <= '9';
}

static inline bool tw_is_letter(int c)
{
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z');
}

static inline bool tw_is_alnum(int c)
{
    return tw_is_letter(c) || tw_is_digit(c);
}

static inline char tw_lower(char c)
{
    return c >= 'A' && c <= 'Z' ? (char)(c - 'A' + 'a') : c;
}

/* White space as JSON has it. */
static inline bool tw_is_ws(int c)
{
    return c == ' ' || c == '\n' || c == '\t' || c == '\r';
}

/* How many digits a number may have. */
enum { TW_DIGITS = 20 };

/* |number| in decimal, whose last digit stands before |end|: its first. */
static inline char *tw_spell(char *end, uint64_t number)
{
    do {
        *--end = (char)('0' + number % 10);
        number /= 10;
    } while (number > 0);
    return end;
}

#endif
