/* SPDX-License-Identifier: MIT
 *
 * Four digits to a number, and the escapes of two bytes.
 */
#include "json/escape.h"

uint32_t tw_json_hex_value(const uint8_t *at)
{
    uint32_t value = 0;
    for (int i = 0; i < 4; i++) {
        value = value * 16 + tw_json_digit(at[i]);
    }
    return value;
}

/* Neither a slash nor a zero is a digit. */
static char uri_byte(const char **at)
{
    const uint8_t *next = (const uint8_t *)*at;
    if (next[0] != '%' || !tw_json_is_hex(next[1]) ||
        !tw_json_is_hex(next[2])) {
        return *(*at)++;
    }
    *at += 3;
    return (char)(16 * tw_json_digit(next[1]) + tw_json_digit(next[2]));
}

char tw_json_pointer_byte(const char **at)
{
    const char c = uri_byte(at);
    const char *behind = *at;
    const char digit = c == '~' ? uri_byte(&behind) : '\0';
    if (digit != '0' && digit != '1') {
        return c;
    }
    *at = behind;
    return digit == '0' ? '~' : '/';
}

const uint8_t tw_json_meanings[256] = {
    ['"'] = '"',  ['\\'] = '\\', ['/'] = '/',  ['b'] = '\b',
    ['f'] = '\f', ['n'] = '\n',  ['r'] = '\r', ['t'] = '\t'};
