/* SPDX-License-Identifier: MIT
 *
 * The strings of naive_json.c: escapes, surrogates, UTF-8, and their repairs.
 */
#include "naive_json.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>

typedef struct string_state {
    naive_decoded *decoded; /* or NULL */
    char quote;
    bool has_control;       /* raw_control is said once per string */
    unsigned high;          /* a surrogate that waits for its low one, or 0 */
    size_t high_at;
} string_state;

static void map(naive_decoded *decoded, const char *data, size_t size,
                size_t offset)
{
    size_t end;

    if (!decoded)
        return;
    naive_add(&decoded->bytes, data, size);
    end = decoded->bytes.size;
    if (end + 1 > decoded->capacity) {
        decoded->capacity = end * 2 + 16;
        decoded->offsets = naive_grow(
            decoded->offsets, decoded->capacity * sizeof *decoded->offsets);
    }
    for (size_t i = end - size; i < end; i++)
        decoded->offsets[i] = offset;
}

void naive_decoded_release(naive_decoded *decoded)
{
    naive_release(&decoded->bytes);
    free(decoded->offsets);
    *decoded = (naive_decoded){0};
}

/* The escape at |at| is half a pair and keeps its spelling. */
static void lone_surrogate(naive_reader *reader, string_state *string,
                           size_t at)
{
    naive_say(reader, "lone_surrogate", at);
    if (string->decoded && string->decoded->spell_lone)
        map(string->decoded, reader->text + at, 6, naive_wire(reader, at));
    else
        map(string->decoded, "\xEF\xBF\xBD", 3, naive_wire(reader, at));
}

static void settle_high(naive_reader *reader, string_state *string)
{
    if (string->high)
        lone_surrogate(reader, string, string->high_at);
    string->high = 0;
}

/* |size| bytes of the wire are written as |text| and mean |meaning|. */
static void unit(naive_reader *reader, string_state *string, size_t size,
                 const char *text, size_t text_size, const char *meaning,
                 size_t meaning_size)
{
    settle_high(reader, string);
    naive_put(reader, text, text_size);
    map(string->decoded, meaning, meaning_size, naive_wire(reader, reader->at));
    reader->at += size;
}

static void map_code_point(naive_decoded *decoded, unsigned code,
                           size_t offset)
{
    char data[4];
    size_t size = code < 0x80 ? 1 : code < 0x800 ? 2 : code < 0x10000 ? 3 : 4;

    for (size_t i = size; i-- > 1; code >>= 6)
        data[i] = (char)(0x80 | (code & 0x3F));
    data[0] = (char)(size == 1 ? code : (0xF00u >> size & 0xF0) | code);
    map(decoded, data, size, offset);
}

static void unicode_escape(naive_reader *reader, string_state *string,
                           unsigned code)
{
    size_t at = reader->at;

    if (code >= 0xDC00 && code < 0xE000 && string->high) {
        code = 0x10000 + ((string->high - 0xD800) << 10) + (code - 0xDC00);
        map_code_point(string->decoded, code,
                       naive_wire(reader, string->high_at));
        string->high = 0;
    } else {
        settle_high(reader, string);
        if (code >= 0xD800 && code < 0xDC00) {
            string->high = code;
            string->high_at = at;
        } else if (code >= 0xDC00 && code < 0xE000) {
            lone_surrogate(reader, string, at);
        } else {
            map_code_point(string->decoded, code, naive_wire(reader, at));
        }
    }
    naive_put(reader, reader->text + at, 6);
    reader->at += 6;
}

/* An escape that JSON does not know: the backslash was meant as one. */
static bool bad_escape(naive_reader *reader, string_state *string)
{
    naive_say(reader, "bad_escape", reader->at);
    unit(reader, string, 1, "\\\\", 2, "\\", 1);
    return true;
}

static bool read_unicode_escape(naive_reader *reader, string_state *string)
{
    unsigned code = 0;

    for (size_t at = reader->at + 2; at < reader->at + 6; at++) {
        static const char digits[] = "0123456789abcdef0123456789ABCDEF";
        const char *digit;

        if (at == reader->limit)
            return false;
        digit = memchr(digits, reader->text[at], sizeof digits - 1);
        if (!digit)
            return bad_escape(reader, string);
        code = code * 16 + (unsigned)((digit - digits) % 16);
    }
    unicode_escape(reader, string, code);
    return true;
}

/* At a backslash in a string; false: the limit cuts the escape. */
static bool read_escape(naive_reader *reader, string_state *string)
{
    static const char escapes[] = "\"\\/bfnrt";
    static const char meanings[] = "\"\\/\b\f\n\r\t";
    const char *found;
    char c;

    if (reader->at + 1 == reader->limit)
        return false;
    c = reader->text[reader->at + 1];
    if (c == 'u')
        return read_unicode_escape(reader, string);
    if (c == '\'') {
        if (string->quote != c)
            naive_say(reader, "bad_escape", reader->at);
        unit(reader, string, 2, "'", 1, "'", 1);
        return true;
    }
    if (c == 'x' && reader->python) {
        char text[8] = "\\u00", meaning[4];
        unsigned code;
        size_t size = 2;

        while (size < 4 && reader->at + size < reader->limit &&
               isxdigit((unsigned char)reader->text[reader->at + size]))
            size++;
        if (size == 4) {
            memcpy(text + 4, reader->text + reader->at + 2, 2);
            code = (unsigned)strtoul(text + 2, NULL, 16);
            size = code < 0x80 ? 1 : 2;
            meaning[0] = (char)(size == 1 ? code : 0xC0 | code >> 6);
            meaning[1] = (char)(0x80 | (code & 0x3F));
            unit(reader, string, 4, text, 6, meaning, size);
            return true;
        }
    }
    found = memchr(escapes, c, sizeof escapes - 1);
    if (!found)
        return bad_escape(reader, string);
    unit(reader, string, 2, reader->text + reader->at, 2,
         &meanings[found - escapes], 1);
    return true;
}

static void read_control(naive_reader *reader, string_state *string)
{
    static const char digits[] = "0123456789abcdef";
    char c = reader->text[reader->at];
    char text[] = "\\u0000";
    size_t size = 6;

    if (!string->has_control)
        naive_say(reader, "raw_control", reader->at);
    string->has_control = true;
    text[4] = digits[(unsigned char)c >> 4];
    text[5] = digits[c & 15];
    if (c >= 8 && c <= 13 && c != 11) {
        text[1] = "btn.fr"[c - 8];
        size = 2;
    }
    unit(reader, string, 1, text, size, &c, 1);
}

/* One unit of a string that is not its end; false: the limit cuts it. */
static bool read_unit(naive_reader *reader, string_state *string)
{
    const char *data = reader->text + reader->at;
    size_t size;

    if (*data == '\\')
        return read_escape(reader, string);
    if (*data == '"') {
        unit(reader, string, 1, "\\\"", 2, data, 1);
        return true;
    }
    if ((unsigned char)*data < 0x20) {
        read_control(reader, string);
        return true;
    }
    switch (naive_utf8(data, reader->limit - reader->at, &size)) {
    case NAIVE_CUT:
        return false;
    case NAIVE_ILL_FORMED:
        naive_say(reader, "invalid_utf8", reader->at);
        unit(reader, string, size, "\xEF\xBF\xBD", 3, "\xEF\xBF\xBD", 3);
        return true;
    case NAIVE_WELL_FORMED:
        break;
    }
    unit(reader, string, size, data, size, data, size);
    return true;
}

/* Is what is left of the text the beginning of a low surrogate's escape? */
static bool may_be_low_half(const naive_reader *reader)
{
    static const char *const sets[] = {"\\", "u", "dD", "cCdDeEfF",
                                       "0123456789abcdefABCDEF",
                                       "0123456789abcdefABCDEF"};

    for (size_t i = 0; reader->at + i < reader->limit; i++)
        if (i == 6 || reader->text[reader->at + i] == 0 ||
            !strchr(sets[i], reader->text[reader->at + i]))
            return false;
    return true;
}

bool naive_read_string(naive_reader *reader, naive_decoded *decoded)
{
    string_state string = {.decoded = decoded};
    bool closed = false;

    string.quote = reader->text[reader->at];
    if (string.quote == '\'' && !reader->python)
        naive_say(reader, "single_quoted", reader->at);
    naive_put(reader, "\"", 1);
    reader->at++;
    while (reader->at < reader->limit && !closed) {
        if (reader->text[reader->at] == string.quote)
            closed = true;
        else if (!read_unit(reader, &string))
            break;
    }
    map(decoded, "", 0, 0);
    if (!closed) {
        if (!may_be_low_half(reader))
            settle_high(reader, &string);
        if (decoded)
            decoded->offsets[decoded->bytes.size] = reader->limit;
        reader->in_string = true;
        reader->quote = string.quote;
        reader->in_container = reader->depth > 0;
        return naive_cut(reader);
    }
    settle_high(reader, &string);
    if (decoded) /* the surrogate may have grown it */
        map(decoded, "", 0, 0);
    if (decoded)
        decoded->offsets[decoded->bytes.size] = naive_wire(reader, reader->at);
    naive_put(reader, "\"", 1);
    reader->at++;
    return true;
}
