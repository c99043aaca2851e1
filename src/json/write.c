/* SPDX-License-Identifier: MIT */
#include "json/write.h"

#include <string.h>

#include "core/skip.h"
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

enum { STEP = 1024 };

/* The JSON of UTF-8 text of up to STEP bytes, which has room at |out|; returns
 * its end. */
static uint8_t *write_step(uint8_t *out, const uint8_t *at,
                           const uint8_t *limit)
{
    while (at < limit) {
        const size_t size = tw_copy_string(out, at, limit);
        at += size;
        out += size;
        if (size == 16 || at == limit) {
            continue;
        }
        if (*at >= 0x80) {
            *out++ = *at++;
        } else {
            out += tw_json_escape(*at++, (char *)out);
        }
    }
    return out;
}

static bool write_span(tw_buffer *out, const tw_memory *memory,
                       const uint8_t *at, const uint8_t *limit)
{
    while (at < limit) {
        const size_t left = (size_t)(limit - at);
        const size_t size = left < STEP ? left : STEP;
        if (!tw_buffer_reserve(out, memory, size * TW_JSON_ESCAPE_SIZE + 16)) {
            return false;
        }
        const uint8_t *end = write_step(out->data + out->size, at, at + size);
        out->size = (size_t)(end - out->data);
        at += size;
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
