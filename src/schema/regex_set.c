/* SPDX-License-Identifier: MIT
 *
 * What stands for one code point in a pattern.
 */
#include "core/ascii.h"
#include "core/utf8.h"
#include "json/escape.h"
#include "schema/regex_code.h"

enum { POINT_MOST = 0x10FFFF };

static const tw_range digits[] = {{'0', '9'}};
static const tw_range words[] = {
    {'0', '9'}, {'A', 'Z'}, {'_', '_'}, {'a', 'z'}};
static const tw_range spaces[] = {
    {0x09, 0x0D},     {0x20, 0x20},     {0xA0, 0xA0},     {0x1680, 0x1680},
    {0x2000, 0x200A}, {0x2028, 0x2029}, {0x202F, 0x202F}, {0x205F, 0x205F},
    {0x3000, 0x3000}, {0xFEFF, 0xFEFF}};
static const tw_range line_ends[] = {
    {0x0A, 0x0A}, {0x0D, 0x0D}, {0x2028, 0x2029}};

#define COUNT(list) (sizeof(list) / sizeof *(list))

uint32_t tw_regex_point(const char *at, const char *end, size_t *size)
{
    const uint8_t *bytes = (const uint8_t *)at;
    const size_t left = (size_t)(end - at);
    const uint8_t c = bytes[0];
    const size_t wanted = c < 0x80 ? 1 : c < 0xE0 ? 2 : c < 0xF0 ? 3 : 4;
    uint32_t point = c < 0x80   ? c
                     : c < 0xE0 ? c & 0x1FU
                     : c < 0xF0 ? c & 0x0FU
                                : c & 0x07U;
    *size = wanted <= left ? wanted : left;
    for (size_t i = 1; i < *size; i++) {
        point = point << 6 | (bytes[i] & 0x3FU);
    }
    return point;
}

static bool add(tw_regex *pattern, tw_range range)
{
    const bool good = tw_buffer_append(&pattern->ranges, pattern->memory,
                                       &range, sizeof range);
    pattern->failed |= !good;
    return good;
}

/* All of a list, or all that is not in it; the list ascends. */
static bool add_list(tw_regex *pattern, const tw_range *list, size_t count,
                     bool others)
{
    uint32_t from = 0;
    bool good = true;
    for (size_t i = 0; i < count && good; i++) {
        const tw_range gap = {from, list[i].least - 1};
        good = add(pattern, others ? gap : list[i]);
        from = list[i].most + 1;
    }
    const tw_range last = {from, POINT_MOST};
    return good && (!others || add(pattern, last));
}

static bool read_hex(const char **at, const char *end, size_t count,
                     uint32_t *point)
{
    *point = 0;
    for (size_t i = 0; i < count; i++, (*at)++) {
        if (*at == end || !tw_json_is_hex((uint8_t) * *at)) {
            return false;
        }
        *point = *point * 16 + tw_json_digit((uint8_t) * *at);
    }
    return true;
}

/* Behind `\u`: four digits, a pair of such, or digits in braces. */
static bool read_unicode(const char **at, const char *end, uint32_t *point)
{
    uint32_t low;
    if (*at < end && **at == '{') {
        const char *digit = ++*at;
        while (digit < end && tw_json_is_hex((uint8_t)*digit)) {
            digit++;
        }
        const size_t count = (size_t)(digit - *at);
        const bool good = digit < end && *digit == '}' && count > 0 &&
                          count <= 6 && read_hex(at, end, count, point) &&
                          *point <= POINT_MOST;
        *at += good ? 1 : 0;
        return good;
    }
    if (!read_hex(at, end, 4, point)) {
        return false;
    }
    const char *next = *at + 2;
    if (tw_is_high(*point) && end - *at >= 6 && (*at)[0] == '\\' &&
        (*at)[1] == 'u' && read_hex(&next, end, 4, &low) && tw_is_low(low)) {
        *point = tw_pair(*point, low);
        *at = next;
    }
    return true;
}

/* A list of code points behind a backslash; false: it is none. */
static bool read_named(tw_regex *pattern, char c)
{
    switch (c) {
    case 'd':
    case 'D': return add_list(pattern, digits, COUNT(digits), c == 'D');
    case 'w':
    case 'W': return add_list(pattern, words, COUNT(words), c == 'W');
    case 's':
    case 'S': return add_list(pattern, spaces, COUNT(spaces), c == 'S');
    default: return false;
    }
}

/* One code point behind a backslash. */
static bool read_escape(const char **at, const char *end, bool in_class,
                        uint32_t *point)
{
    static const char names[] = "tnvfr0";
    static const char means[] = "\t\n\v\f\r\0";
    const char c = *(*at)++;
    const char *name = memchr(names, c, sizeof names - 1);
    if (name != NULL) {
        *point = (uint8_t)means[name - names];
        return c != '0' || *at == end || **at < '0' || **at > '9';
    }
    if (c == 'b' && in_class) {
        *point = '\b';
        return true;
    }
    if (c == 'c' && *at < end && tw_is_alnum(**at)) {
        *point = (uint32_t) * (*at)++ % 32;
        return true;
    }
    if (c == 'x') {
        return read_hex(at, end, 2, point);
    }
    if (c == 'u') {
        return read_unicode(at, end, point);
    }
    size_t size;
    *point = tw_regex_point(*at - 1, end, &size);
    *at += size - 1;
    return !tw_is_alnum(c); /* others are back references, \p, \k */
}

/* A code point, *named false, or a list of some, which was added. */
static bool read_one(tw_regex *pattern, const char **at, const char *end,
                     bool in_class, uint32_t *point, bool *named)
{
    size_t size;
    *named = false;
    if (**at != '\\') {
        *point = tw_regex_point(*at, end, &size);
        *at += size;
        return true;
    }
    if (++*at == end) {
        return false;
    }
    *named = read_named(pattern, **at);
    *at += *named ? 1 : 0;
    return *named ||
           (!pattern->failed && read_escape(at, end, in_class, point));
}

static bool read_class(tw_regex *pattern, const char **at, const char *end,
                       tw_regex_op *op)
{
    op->negated = *at < end && **at == '^';
    *at += op->negated ? 1 : 0;
    while (*at < end && **at != ']') {
        tw_range range = {0, 0};
        bool named;
        bool named_too = false;
        if (!read_one(pattern, at, end, true, &range.least, &named)) {
            return false;
        }
        range.most = range.least;
        if (!named && end - *at > 1 && **at == '-' && (*at)[1] != ']') {
            (*at)++;
            if (!read_one(pattern, at, end, true, &range.most, &named_too)) {
                return false;
            }
        }
        if (named_too || range.most < range.least ||
            (!named && !add(pattern, range))) {
            return false;
        }
    }
    const bool closed = *at < end;
    *at += closed ? 1 : 0;
    return closed;
}

bool tw_regex_read_set(tw_regex *pattern, const char **at, const char *end,
                       tw_regex_op *op)
{
    tw_range range = {0, 0};
    bool named = false;
    bool good;
    const size_t from = pattern->ranges.size / sizeof range;
    op->b = (int32_t)from;
    if (**at == '.') {
        (*at)++;
        good = add_list(pattern, line_ends, COUNT(line_ends), true);
    } else if (**at == '[') {
        (*at)++;
        good = read_class(pattern, at, end, op);
    } else {
        good = read_one(pattern, at, end, false, &range.least, &named);
        range.most = range.least;
        good = good && (named || add(pattern, range));
    }
    op->a = (int32_t)(pattern->ranges.size / sizeof range - from);
    return good;
}
