/* SPDX-License-Identifier: MIT
 *
 * json.dumps() with all its separators, strip() and dictsort; pytext_number.c
 * and pytext_lower.c have the rest.
 */
#include "messages/pytext.h"

#include <string.h>

#include "core/ascii.h"
#include "core/sort.h"
#include "core/utf8.h"

void tw_python_strip(const char **data, size_t *size)
{
    const char *from = *data;
    const char *to = from + *size;
    size_t taken;
    while (from < to && tw_point_is_space(tw_point_at(from, to, &taken))) {
        from += taken;
    }
    while (to > from) {
        const char *last = to - 1;
        while (((uint8_t)*last & 0xC0) == 0x80) {
            last--;
        }
        if (!tw_point_is_space(tw_point_at(last, to, &taken))) {
            break;
        }
        to = last;
    }
    *data = from;
    *size = (size_t)(to - from);
}

/* ---- json.dumps() ------------------------------------------------------- */

/* JSON has no infinity: a number that Python cannot hold keeps its spelling,
 * so that the text can be read. */
static bool put_json_number(tw_buffer *out, const tw_memory *memory,
                            const char *text, size_t size)
{
    const size_t begin = out->size;
    if (!tw_python_number(out, memory, text, size)) {
        return false;
    }
    if (out->data[out->size - 1] != 'f') {
        return true;
    }
    out->size = begin;
    return tw_buffer_append(out, memory, text, size);
}

bool tw_python_dump(tw_buffer *out, const tw_memory *memory,
                    const tw_value *value, const tw_dump_style *style,
                    bool python_numbers)
{
    tw_dump_style numbers = *style;
    numbers.number = python_numbers ? put_json_number : NULL;
    return tw_value_dump(out, memory, value, &numbers);
}

/* ---- repr() ------------------------------------------------------------- */

/* The escape of |c| in a literal between |quote|s; 0: it stands as it is. */
static size_t escape_of(uint8_t c, char quote, char out[4])
{
    static const char digits[] = "0123456789abcdef";
    const char letter = c == '\n'                          ? 'n'
                        : c == '\r'                        ? 'r'
                        : c == '\t'                        ? 't'
                        : c == '\\' || c == (uint8_t)quote ? (char)c
                                                           : 0;
    out[0] = '\\';
    if (letter != 0) {
        out[1] = letter;
        return 2;
    }
    out[1] = 'x';
    out[2] = digits[c >> 4];
    out[3] = digits[c & 15];
    return c < 0x20 || c == 0x7F ? 4 : 0;
}

static bool put_literal(tw_buffer *out, const tw_memory *memory,
                        const char *text, size_t size, char quote)
{
    const char *done = text;
    const char *end = text + size;
    char escape[4];
    bool good = tw_buffer_append(out, memory, &quote, 1);
    for (const char *at = text; at < end && good; at++) {
        const size_t length = escape_of((uint8_t)*at, quote, escape);
        if (length > 0) {
            good = tw_buffer_append(out, memory, done, (size_t)(at - done)) &&
                   tw_buffer_append(out, memory, escape, length);
            done = at + 1;
        }
    }
    return good && tw_buffer_append(out, memory, done, (size_t)(end - done)) &&
           tw_buffer_append(out, memory, &quote, 1);
}

static bool put_single(tw_buffer *out, const tw_memory *memory,
                       const char *text, size_t size)
{
    return put_literal(out, memory, text, size, '\'');
}

static bool put_double(tw_buffer *out, const tw_memory *memory,
                       const char *text, size_t size)
{
    return put_literal(out, memory, text, size, '"');
}

static bool put_repr(tw_buffer *out, const tw_memory *memory, const char *text,
                     size_t size)
{
    const bool other = size > 0 && memchr(text, '\'', size) != NULL &&
                       memchr(text, '"', size) == NULL;
    return put_literal(out, memory, text, size, other ? '"' : '\'');
}

bool tw_python_has_hex(const uint8_t *text, size_t size)
{
    size_t i = 0;
    while (i + 1 < size && !(text[i] == '\\' && text[i + 1] == 'x')) {
        i++;
    }
    return i + 1 < size;
}

static const char words[][TW_DUMP_WORD] = {"None", "False", "True"};

const tw_dump_style tw_python_repr = {
    .comma = ", ", .colon = ": ", .string = put_repr, .words = words};
const tw_dump_style tw_python_repr_single = {
    .comma = ", ", .colon = ": ", .string = put_single, .words = words};
const tw_dump_style tw_python_repr_double = {
    .comma = ", ", .colon = ": ", .string = put_double, .words = words};

/* ---- dictsort ----------------------------------------------------------- */

typedef struct sorted {
    const tw_value *member;
    size_t begin; /* of its key in lower case */
    size_t size;
} sorted;

static bool add_lower(tw_buffer *out, const tw_memory *memory,
                      const tw_value *member)
{
    const char *at = member->key;
    const char *limit = at + member->key_size;
    for (size_t size; at < limit; at += size) {
        uint32_t codes[2];
        char bytes[4];
        const size_t count =
            tw_python_lower(tw_point_at(at, limit, &size), codes);
        for (size_t i = 0; i < count; i++) {
            if (!tw_buffer_append(out, memory, bytes,
                                  tw_point_put(bytes, codes[i]))) {
                return false;
            }
        }
    }
    return true;
}

/* Bytes order like code points do. */
static bool is_before(const void *context, const void *left, const void *right)
{
    const uint8_t *keys = context;
    const sorted *one = left;
    const sorted *other = right;
    return tw_bytes_order(keys + one->begin, one->size, keys + other->begin,
                          other->size) < 0;
}

enum { FEW = 16 };

static bool is_ascii(const tw_value *member)
{
    uint8_t all = 0;
    for (size_t i = 0; i < member->key_size; i++) {
        all |= (uint8_t)member->key[i];
    }
    return all < 0x80;
}

static bool is_behind(const tw_value *left, const tw_value *right)
{
    const size_t least =
        left->key_size < right->key_size ? left->key_size : right->key_size;
    size_t i = 0;
    while (i < least && tw_lower(left->key[i]) == tw_lower(right->key[i])) {
        i++;
    }
    return i < least ? tw_lower(left->key[i]) > tw_lower(right->key[i])
                     : left->key_size > right->key_size;
}

bool tw_python_sort_few(const tw_value *object, size_t count,
                        const tw_value **members)
{
    const tw_value *at = object->first;
    for (size_t i = 0; i < count; i++, at = at->next) {
        size_t place = i;
        if (count > FEW || !is_ascii(at)) {
            return false;
        }
        for (; place > 0 && is_behind(members[place - 1], at); place--) {
            members[place] = members[place - 1];
        }
        members[place] = at;
    }
    return true;
}

static bool sort_many(const tw_value *object, const tw_memory *memory,
                      size_t many, const tw_value **members)
{
    tw_buffer keys = {0};
    sorted *rows = tw_memory_new(memory, 2 * many * sizeof *rows);
    bool good = rows != NULL;
    const tw_value *at = object->first;
    for (size_t i = 0; i < many && good; i++, at = at->next) {
        rows[i].member = at;
        rows[i].begin = keys.size;
        good = add_lower(&keys, memory, at);
        rows[i].size = keys.size - rows[i].begin;
    }
    if (good) {
        tw_sort_items(rows, rows + many, many, sizeof *rows, is_before,
                      keys.data);
        for (size_t i = 0; i < many; i++) {
            members[i] = rows[i].member;
        }
    }
    tw_buffer_free(&keys, memory);
    tw_memory_free(memory, rows, 2 * many * sizeof *rows);
    return good;
}

bool tw_python_dictsort(const tw_value *object, const tw_memory *memory,
                        const tw_value ***members, size_t *count)
{
    size_t many = 0;
    *members = NULL;
    *count = 0;
    for (const tw_value *at = object->first; at != NULL; at = at->next) {
        many++;
    }
    if (many == 0) {
        return true;
    }
    const size_t size = many * sizeof **members;
    const tw_value **result = memory->resize(memory->context, NULL, 0, size);
    if (result == NULL) {
        return false;
    }
    if (!tw_python_sort_few(object, many, result) &&
        !sort_many(object, memory, many, result)) {
        tw_memory_free(memory, result, size);
        return false;
    }
    *members = result;
    *count = many;
    return true;
}

void tw_python_dictsort_free(const tw_memory *memory, const tw_value **members,
                             size_t count)
{
    tw_memory_free(memory, members, count * sizeof *members);
}
