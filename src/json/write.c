/* SPDX-License-Identifier: MIT */
#include "json/write.h"

#include <string.h>

#include "core/utf8.h"

size_t tw_json_escape(uint8_t c, char *out)
{
    static const char hex[] = "0123456789abcdef";
    static const char letters[] = "btn?fr";
    out[0] = '\\';
    if (c == '"' || c == '\\') {
        out[1] = (char)c;
        return 2;
    }
    if (c >= 0x20) {
        return 0;
    }
    if (c >= 8 && c <= 13 && c != 11) {
        out[1] = letters[c - 8];
        return 2;
    }
    memcpy(out + 1, "u00", 3);
    out[4] = hex[c >> 4];
    out[5] = hex[c & 15];
    return 6;
}

/* Which high bits tell that a byte of |eight| is 0, |c| or less than 0x20.
 * Bytes above a hit may be wrong: only whether there is one counts. */
static uint64_t any_zero(uint64_t eight)
{
    return (eight - UINT64_C(0x0101010101010101)) & ~eight;
}

static uint64_t any_of(uint64_t eight, uint8_t c)
{
    return any_zero(eight ^ (UINT64_C(0x0101010101010101) * c));
}

static uint64_t any_control(uint64_t eight)
{
    return (eight - UINT64_C(0x2020202020202020)) & ~eight;
}

/* The first byte of [at, limit) that needs an escape. */
static const uint8_t *plain_end(const uint8_t *at, const uint8_t *limit)
{
    uint64_t eight;
    while (limit - at >= 8) {
        memcpy(&eight, at, 8);
        const uint64_t hits =
            any_control(eight) | any_of(eight, '"') | any_of(eight, '\\');
        if ((hits & UINT64_C(0x8080808080808080)) != 0) {
            break;
        }
        at += 8;
    }
    while (at < limit && *at >= 0x20 && *at != '"' && *at != '\\') {
        at++;
    }
    return at;
}

static bool write_span(tw_buffer *out, const tw_memory *memory,
                       const uint8_t *at, const uint8_t *limit)
{
    char escape[TW_JSON_ESCAPE_SIZE];
    while (at < limit) {
        const uint8_t *end = plain_end(at, limit);
        if (!tw_buffer_append(out, memory, at, (size_t)(end - at))) {
            return false;
        }
        if (end == limit) {
            break;
        }
        const size_t size = tw_json_escape(*end, escape);
        if (!tw_buffer_append(out, memory, escape, size)) {
            return false;
        }
        at = end + 1;
    }
    return true;
}

bool tw_json_write_text(tw_buffer *out, const tw_memory *memory,
                        const char *data, size_t size)
{
    const uint8_t *at = (const uint8_t *)data;
    return size == 0 || write_span(out, memory, at, at + size);
}

bool tw_json_write_raw(tw_buffer *out, const tw_memory *memory,
                       const char *data, size_t size)
{
    const uint8_t *at = (const uint8_t *)data;
    for (size_t left = size; left > 0;) {
        const uint8_t *limit = at + left;
        const uint8_t *good = tw_utf8_valid(at, limit);
        size_t bad = 0;
        if (!write_span(out, memory, at, good)) {
            return false;
        }
        if (good < limit) {
            tw_utf8_next(good, limit, &bad);
            if (!tw_buffer_append(out, memory, TW_REPLACEMENT,
                                  TW_REPLACEMENT_SIZE)) {
                return false;
            }
        }
        at = good + bad;
        left = (size_t)(limit - at);
    }
    return true;
}

bool tw_json_write_string(tw_buffer *out, const tw_memory *memory,
                          const char *data, size_t size)
{
    return tw_buffer_append(out, memory, "\"", 1) &&
           tw_json_write_raw(out, memory, data, size) &&
           tw_buffer_append(out, memory, "\"", 1);
}

bool tw_json_write_number(tw_buffer *out, const tw_memory *memory,
                          uint64_t number)
{
    char digits[20];
    char *const end = digits + sizeof digits;
    char *begin = end;
    do {
        *--begin = (char)('0' + number % 10);
        number /= 10;
    } while (number > 0);
    return tw_buffer_append(out, memory, begin, (size_t)(end - begin));
}
