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
