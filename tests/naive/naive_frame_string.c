/* SPDX-License-Identifier: MIT
 *
 * Python strings as JSON strings (P1, P4).
 */
#include "naive_frame_literal.h"

#include <stdio.h>
#include <string.h>

/* r, u, b, f, t and their pairs, in any case. */
static bool is_prefix(const python_reader *reader, size_t at, size_t size)
{
    static const char *const prefixes[] = {"r",  "u",  "b",  "f",  "t",  "br",
                                           "rb", "fr", "rf", "tr", "rt", NULL};
    char lower[3] = "";

    if (size == 0 || size > 2)
        return false;
    for (size_t i = 0; i < size; i++)
        lower[i] = (char)(reader->text[at + i] | 0x20);
    for (size_t i = 0; prefixes[i]; i++)
        if (strcmp(prefixes[i], lower) == 0)
            return true;
    return false;
}

typedef struct string_reader {
    python_reader *reader;
    naive_bytes run; /* bytes not yet written */
    unsigned high;   /* half a surrogate pair, or 0 */
    size_t high_at;
    bool raw, triple, broken;
    char quote;
} string_reader;

static void flush(string_reader *string)
{
    naive_bytes quoted = {0};

    frame_add_json_string(&quoted, string->run.data ? string->run.data : "",
                          string->run.size);
    naive_add(string->reader->out, quoted.data + 1, quoted.size - 2);
    naive_release(&quoted);
    naive_release(&string->run);
}

static void put_lone(string_reader *string, unsigned code, size_t at)
{
    char text[16];

    flush(string);
    snprintf(text, sizeof text, "\\u%04x", code);
    naive_add_text(string->reader->out, text);
    python_say(string->reader, "lone_surrogate", at);
}

static void put_code(string_reader *string, unsigned code, size_t at)
{
    char bytes[4];
    size_t size = 0;

    if (string->high && code >= 0xDC00 && code <= 0xDFFF)
        code = 0x10000 + (string->high - 0xD800) * 0x400 + (code - 0xDC00);
    else if (string->high)
        put_lone(string, string->high, string->high_at);
    string->high = 0;
    if (code >= 0xD800 && code <= 0xDBFF) {
        string->high = code;
        string->high_at = at;
        return;
    }
    if (code >= 0xDC00 && code <= 0xDFFF) {
        put_lone(string, code, at);
        return;
    }
    if (code < 0x80) {
        bytes[size++] = (char)code;
    } else if (code < 0x800) {
        bytes[size++] = (char)(0xC0 | code >> 6);
    } else if (code < 0x10000) {
        bytes[size++] = (char)(0xE0 | code >> 12);
        bytes[size++] = (char)(0x80 | (code >> 6 & 0x3F));
    } else {
        bytes[size++] = (char)(0xF0 | code >> 18);
        bytes[size++] = (char)(0x80 | (code >> 12 & 0x3F));
        bytes[size++] = (char)(0x80 | (code >> 6 & 0x3F));
    }
    if (code >= 0x80)
        bytes[size++] = (char)(0x80 | (code & 0x3F));
    naive_add(&string->run, bytes, size);
}

/* A byte of the text as it is. */
static void put_byte(string_reader *string, size_t at)
{
    if (string->high)
        put_lone(string, string->high, string->high_at);
    string->high = 0;
    naive_add(&string->run, string->reader->text + at, 1);
}

/* |count| digits of |base| behind |at|, or as many as there are. */
static size_t read_digits(const python_reader *reader, size_t at, size_t count,
                          int base, unsigned *code)
{
    size_t size = 0;

    *code = 0;
    for (; size < count; size++) {
        const int c = python_byte(reader, at + size);
        int digit = python_is_digit(c)    ? c - '0'
                    : python_is_letter(c) ? (c | 32) - 'a' + 10
                                          : 99;

        if (digit >= base)
            break;
        *code = *code * (unsigned)base + (unsigned)digit;
    }
    return size;
}

/* The backslash at |reader->at|.  False: the text ends, or no literal. */
static bool read_escape(string_reader *string)
{
    static const char escapes[] = "\\'\"abfnrtv";
    static const char meanings[] = "\\'\"\a\b\f\n\r\t\v";
    python_reader *reader = string->reader;
    const size_t at = reader->at;
    const int c = python_byte(reader, at + 1);
    unsigned code;
    size_t due = c == 'x' ? 2 : c == 'u' ? 4 : c == 'U' ? 8 : 0;

    if (c < 0) {
        reader->at = reader->size;
        return false;
    }
    if (string->raw) {
        put_byte(string, at);
        put_byte(string, at + 1);
        reader->at += 2;
    } else if (python_is_one_of(c, escapes)) {
        put_code(string, (unsigned char)meanings[strchr(escapes, c) - escapes],
                 at);
        reader->at += 2;
    } else if (c == '\n' || c == '\r') {
        reader->at += python_starts(reader, at + 1, "\r\n") ? 3 : 2;
    } else if (c >= '0' && c <= '7') {
        reader->at += 1 + read_digits(reader, at + 1, 3, 8, &code);
        put_code(string, code, at);
    } else if (due && read_digits(reader, at + 2, due, 16, &code) == due &&
               code <= 0x10FFFF) {
        put_code(string, code, at);
        reader->at += 2 + due;
    } else if (c == 'N' && python_byte(reader, at + 2) == '{') {
        return python_fail(reader, "named_escape", true);
    } else { /* Python keeps an unknown escape as it is */
        if (due || c == 'N')
            python_say(reader, "bad_escape", at);
        put_byte(string, at);
        reader->at++;
    }
    return true;
}

bool python_closes(const python_reader *reader, size_t at, bool key,
                   bool broken)
{
    size_t next = python_skip(reader, at), size = 0;
    int c;

    next = next - at > FRAME_LOOK ? at + FRAME_LOOK : next;
    c = python_byte(reader, next);
    if (c < 0 || python_is_one_of(c, ",)]}") || (c == ':' && key))
        return true;
    if (c == ':')
        return false;
    if (python_ends(reader, next))
        return true;
    if (broken)
        return false;
    if (python_is_one_of(c, "\"'+-*/%@&|^<>=.([#") ||
        (c == '!' && python_byte(reader, next + 1) == '='))
        return true;
    while (size < 8 && python_is_letter(python_byte(reader, next + size)))
        size++;
    if (python_is_one_of(python_byte(reader, next + size), "\"'") &&
        is_prefix(reader, next, size))
        return true;
    return python_is_operator_word(reader, next, size) &&
           !(next + size < reader->size &&
             python_is_alnum(reader->text[next + size]));
}

/* From behind the opening quote to behind the closing one. */
static bool read_one_string(string_reader *string, bool key)
{
    python_reader *reader = string->reader;
    bool inner = false, word = false;

    for (;;) {
        const int c = python_byte(reader, reader->at);

        if (c < 0)
            return false;
        if (c == '\\') {
            word = false;
            if (!read_escape(string)) {
                reader->quote = string->quote;
                reader->triple = string->triple;
                return false;
            }
            continue;
        }
        if (c == string->quote && string->triple) {
            if (python_byte(reader, reader->at + 1) == c &&
                python_byte(reader, reader->at + 2) == c) {
                reader->at += 3;
                return true;
            }
        } else if (c == string->quote) {
            if (python_closes(reader, reader->at + 1, key, string->broken)) {
                if (inner)
                    return python_fail(reader, "inner_quote", false);
                reader->at++;
                return true;
            }
            if (!string->broken)
                python_say(reader, "bare_quote", reader->at);
            string->broken = true;
            inner = !inner && !word;
        } else if (c == 0 ||
                   (!string->triple && python_is_one_of(c, "\r\n"))) {
            python_say(reader, "raw_control", reader->at);
        }
        word = python_is_alnum((char)c) && c != '_';
        put_byte(string, reader->at++);
    }
}

/* The prefix and quote of a string at |at|: 0 if there is none. */
size_t python_string_prefix(const python_reader *reader, size_t at,
                            bool *begins)
{
    size_t size = 0;

    while (size < 3 && python_is_letter(python_byte(reader, at + size)))
        size++;
    *begins = python_is_one_of(python_byte(reader, at + size), "\"'") &&
              (size == 0 || is_prefix(reader, at, size));
    return size;
}

/* Strings side by side are one. */
bool python_read_string(python_reader *reader, bool key)
{
    string_reader string = {.reader = reader};
    bool begins, whole = true;
    size_t prefix = python_string_prefix(reader, reader->at, &begins);

    naive_add_text(reader->out, "\"");
    while (whole && begins) {
        const size_t at = reader->at + prefix;

        string.quote = reader->text[at];
        string.raw = false;
        string.broken = false;
        for (size_t i = 0; i < prefix; i++) {
            const char c = (char)(reader->text[reader->at + i] | 0x20);

            string.raw = string.raw || c == 'r';
            if (c != 'r' && c != 'u')
                whole = python_fail(reader, "not_a_literal", true);
        }
        if (prefix == 2)
            whole = python_fail(reader, "not_a_literal", true);
        string.triple = python_byte(reader, at + 1) == string.quote &&
                        python_byte(reader, at + 2) == string.quote;
        reader->at = whole ? at + (string.triple ? 3 : 1) : reader->at;
        whole = whole && read_one_string(&string, key);
        if (whole) {
            size_t next = python_skip(reader, reader->at);

            prefix = python_string_prefix(reader, next, &begins);
            reader->at = begins ? next : reader->at;
        }
    }
    if (whole && string.high)
        put_lone(&string, string.high, string.high_at);
    flush(&string);
    naive_add_text(reader->out, "\"");
    return whole;
}
