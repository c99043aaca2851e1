/* SPDX-License-Identifier: MIT
 *
 * UTF-8 by the ranges of the second byte (Unicode 15, table 3-7).
 */
#include "core/utf8.h"

#include <string.h>

/* How many bytes follow a lead byte, and the range of the first of them
 * (Unicode 15, table 3-7); 0 where it leads nothing. */
static size_t followers(uint8_t lead, uint8_t *low, uint8_t *high)
{
    *low = lead == 0xE0 ? 0xA0 : lead == 0xF0 ? 0x90 : 0x80;
    *high = lead == 0xED ? 0x9F : lead == 0xF4 ? 0x8F : 0xBF;
    if (lead < 0xC2 || lead > 0xF4) {
        return 0;
    }
    return lead < 0xE0 ? 1 : lead < 0xF0 ? 2 : 3;
}

tw_utf8 tw_utf8_next(const uint8_t *at, const uint8_t *limit, size_t *size)
{
    *size = 1;
    if (at[0] < 0x80) {
        return TW_UTF8_GOOD;
    }
    uint8_t low;
    uint8_t high;
    const size_t count = followers(at[0], &low, &high);
    if (count == 0) {
        return TW_UTF8_BAD;
    }
    for (size_t i = 1; i <= count; i++) {
        if (at + i == limit) {
            *size = i;
            return TW_UTF8_INCOMPLETE;
        }
        if (at[i] < low || at[i] > high) {
            *size = i;
            return TW_UTF8_BAD;
        }
        low = 0x80;
        high = 0xBF;
    }
    *size = count + 1;
    return TW_UTF8_GOOD;
}

const uint8_t *tw_utf8_valid(const uint8_t *at, const uint8_t *limit)
{
    const size_t size = (size_t)(limit - at);
    size_t done = 0;
    while (done < size) {
        uint64_t eight;
        while (done + 8 <= size) {
            memcpy(&eight, at + done, 8);
            if ((eight & UINT64_C(0x8080808080808080)) != 0) {
                break;
            }
            done += 8;
        }
        size_t step;
        if (done == size ||
            tw_utf8_next(at + done, limit, &step) != TW_UTF8_GOOD) {
            break;
        }
        done += step;
    }
    return at + done;
}

bool tw_utf8_is_valid(const char *data, size_t size)
{
    const uint8_t *bytes = (const uint8_t *)data;
    return size == 0 || tw_utf8_valid(bytes, bytes + size) == bytes + size;
}

uint32_t tw_point_at(const char *at, const char *limit, size_t *size)
{
    const uint8_t first = (uint8_t)*at;
    const size_t left = (size_t)(limit - at);
    size_t count = first < 0xC0 ? 1 : first < 0xE0 ? 2 : first < 0xF0 ? 3 : 4;
    count = count > left ? left : count;
    *size = count;
    if (count == 1) {
        return first;
    }
    uint32_t point = first & (0x7FU >> count);
    for (size_t i = 1; i < count; i++) {
        point = point << 6 | ((uint8_t)at[i] & 0x3F);
    }
    return point;
}

size_t tw_point_put(char *out, uint32_t point)
{
    if (point < 0x80) {
        out[0] = (char)point;
        return 1;
    }
    const size_t size = point < 0x800 ? 2 : point < 0x10000 ? 3 : 4;
    for (size_t i = size - 1; i > 0; i--, point >>= 6) {
        out[i] = (char)(0x80 | (point & 0x3F));
    }
    static const uint8_t leads[] = {0, 0, 0xC0, 0xE0, 0xF0};
    out[0] = (char)(leads[size] | point);
    return size;
}

bool tw_point_is_space(uint32_t point)
{
    return (point >= 9 && point <= 13) || (point >= 0x1C && point <= 0x20) ||
           point == 0x85 || point == 0xA0 || point == 0x1680 ||
           (point >= 0x2000 && point <= 0x200A) || point == 0x2028 ||
           point == 0x2029 || point == 0x202F || point == 0x205F ||
           point == 0x3000;
}
