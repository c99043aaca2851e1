/* SPDX-License-Identifier: MIT
 *
 * Gemma 4, the second opinion: strict JSON, for arguments that come as one
 * string.
 */
#include "naive_gemma4.h"

#include <stdio.h>
#include <string.h>

/* ---- Strict JSON ---- */

typedef struct strict {
    const char *data;
    size_t size;
    size_t at;
} strict;

static bool strict_value(strict *json, size_t depth);

static void strict_blanks(strict *json)
{
    while (json->at < json->size && gemma4_is_blank(json->data[json->at]))
        json->at++;
}

/* Blanks, and |byte| if it is next. */
static bool strict_byte(strict *json, char byte)
{
    strict_blanks(json);
    if (json->at == json->size || json->data[json->at] != byte)
        return false;
    json->at++;
    return true;
}

static bool strict_string(strict *json)
{
    size_t size;

    if (!strict_byte(json, '"'))
        return false;
    while (json->at < json->size && json->data[json->at] != '"') {
        size =
            gemma4_escape_size(json->data + json->at, json->size - json->at);
        if (size == 0 && (json->data[json->at] == '\\' ||
                          (unsigned char)json->data[json->at] < 0x20))
            return false;
        json->at += size ? size : 1;
    }
    return strict_byte(json, '"');
}

static bool strict_object(strict *json, size_t depth)
{
    if (depth > GEMMA4_DEPTH_LIMIT || !strict_byte(json, '{'))
        return false;
    if (strict_byte(json, '}'))
        return true;
    do {
        if (!strict_string(json) || !strict_byte(json, ':') ||
            !strict_value(json, depth + 1))
            return false;
    } while (strict_byte(json, ','));
    return strict_byte(json, '}');
}

static bool strict_array(strict *json, size_t depth)
{
    if (depth > GEMMA4_DEPTH_LIMIT || !strict_byte(json, '['))
        return false;
    if (strict_byte(json, ']'))
        return true;
    do {
        if (!strict_value(json, depth + 1))
            return false;
    } while (strict_byte(json, ','));
    return strict_byte(json, ']');
}

/* |depth| is that of the value, if it is an object or array. */
static bool strict_value(strict *json, size_t depth)
{
    static const char *const words[] = {"true", "false", "null"};
    const char *data;
    size_t left, size, i;

    strict_blanks(json);
    data = json->data + json->at;
    left = json->size - json->at;
    if (left == 0)
        return false;
    if (*data == '{')
        return strict_object(json, depth);
    if (*data == '[')
        return strict_array(json, depth);
    if (*data == '"')
        return strict_string(json);
    size = gemma4_number_size(data, left);
    for (i = 0; i < 3; i++)
        if (left >= strlen(words[i]) &&
            memcmp(data, words[i], strlen(words[i])) == 0)
            size = strlen(words[i]);
    json->at += size;
    return size > 0;
}

bool gemma4_strict_inside(const naive_bytes *data, size_t *start, size_t *end)
{
    strict json = {.data = data->data, .size = data->size};

    strict_blanks(&json);
    *start = json.at + 1;
    if (!strict_object(&json, 1))
        return false;
    *end = json.at - 1;
    strict_blanks(&json);
    return json.at == json.size;
}

/* ---- Escapes ---- */

/* The bytes of a code point; half a pair stays the escape it was. */
static void add_code_point(naive_bytes *out, unsigned value)
{
    static const unsigned char leads[] = {0, 0xc0, 0xe0, 0xf0};
    char bytes[8];
    int more = value < 0x80 ? 0 : value < 0x800 ? 1 : value < 0x10000 ? 2 : 3;
    int i;

    if (value >= 0xd800 && value < 0xe000) {
        snprintf(bytes, sizeof(bytes), "\\u%04x", value);
        naive_add_text(out, bytes);
        return;
    }
    bytes[0] = (char)(leads[more] | value >> 6 * more);
    for (i = 1; i <= more; i++)
        bytes[i] = (char)(0x80 | (value >> 6 * (more - i) & 0x3f));
    naive_add(out, bytes, (size_t)more + 1);
}

void gemma4_unescape(const naive_bytes *json, naive_bytes *out)
{
    static const char shorts[] = "b\bf\fn\nr\rt\t";
    const char *data = json->size > 0 ? json->data : "";
    const char *end = data + json->size, *meaning;
    unsigned value;

    while (data < end) {
        if (*data != '\\') {
            naive_add(out, data++, 1);
        } else if (data[1] != 'u') {
            meaning = strchr(shorts, data[1]);
            naive_add(out, meaning ? meaning + 1 : data + 1, 1);
            data += 2;
        } else {
            value = gemma4_hex_value(data + 2);
            if (gemma4_surrogate(data, (size_t)(end - data)) == 'h' &&
                gemma4_surrogate(data + 6, (size_t)(end - data) - 6) == 'l') {
                data += 6;
                value = 0x10000 + ((value & 0x3ff) << 10) +
                        (gemma4_hex_value(data + 2) & 0x3ff);
            }
            add_code_point(out, value);
            data += 6;
        }
    }
}
