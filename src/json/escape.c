/* SPDX-License-Identifier: MIT
 *
 * Four digits to a number, a code point to UTF-8, and the escapes of two
 * bytes.
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

size_t tw_json_utf8(uint32_t code, char *out)
{
    static const uint8_t lead[] = {0, 0, 0xC0, 0xE0, 0xF0};
    const size_t size = code < 0x80      ? 1
                        : code < 0x800   ? 2
                        : code < 0x10000 ? 3
                                         : 4;
    if (size == 1) {
        out[0] = (char)code;
        return 1;
    }
    for (size_t i = size; i-- > 1; code >>= 6) {
        out[i] = (char)(0x80 | (code & 0x3F));
    }
    out[0] = (char)(lead[size] | code);
    return size;
}

const uint8_t tw_json_meanings[256] = {
    ['"'] = '"',  ['\\'] = '\\', ['/'] = '/',  ['b'] = '\b',
    ['f'] = '\f', ['n'] = '\n',  ['r'] = '\r', ['t'] = '\t'};
