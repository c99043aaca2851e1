/* SPDX-License-Identifier: MIT
 *
 * Text that is a JSON string.
 */
#include "naive_frame.h"

#include <string.h>

static unsigned hex(const char *at, size_t size)
{
    unsigned value = 0;

    if (size < 4)
        return 0x110000;
    for (int i = 0; i < 4; i++) {
        const char *digits = "0123456789abcdef";
        const char *found = at[i] ? strchr(digits, at[i] | 0x20) : NULL;
        const bool is = (at[i] >= '0' && at[i] <= '9') ||
                        ((at[i] | 0x20) >= 'a' && (at[i] | 0x20) <= 'f');

        if (!is || !found)
            return 0x110000;
        value = value * 16 + (unsigned)(found - digits);
    }
    return value;
}

static void put(naive_bytes *out, unsigned code)
{
    char byte[4];

    if (code < 0x80) {
        byte[0] = (char)code;
        naive_add(out, byte, 1);
    } else if (code < 0x800) {
        byte[0] = (char)(0xC0 | code >> 6);
        byte[1] = (char)(0x80 | (code & 0x3F));
        naive_add(out, byte, 2);
    } else if (code < 0x10000) {
        byte[0] = (char)(0xE0 | code >> 12);
        byte[1] = (char)(0x80 | (code >> 6 & 0x3F));
        byte[2] = (char)(0x80 | (code & 0x3F));
        naive_add(out, byte, 3);
    } else {
        byte[0] = (char)(0xF0 | code >> 18);
        byte[1] = (char)(0x80 | (code >> 12 & 0x3F));
        byte[2] = (char)(0x80 | (code >> 6 & 0x3F));
        byte[3] = (char)(0x80 | (code & 0x3F));
        naive_add(out, byte, 4);
    }
}

/* The escape at |at|: what it means is put out, how long it is. */
static size_t read_escape(frame_reader *reader, size_t at, naive_bytes *out)
{
    const char *text = reader->text + at;
    const size_t left = reader->size - at;
    const char *meanings = "\"\"\\\\//b\bf\fn\nr\rt\t";
    unsigned code, low;

    for (const char *one = meanings; left > 1 && *one; one += 2)
        if (*one == text[1]) {
            naive_add(out, one + 1, 1);
            return 2;
        }
    code = left > 1 && text[1] == 'u' ? hex(text + 2, left - 2) : 0x110000;
    if (code == 0x110000) {
        frame_diagnose(reader, "bad_escape", at);
        naive_add(out, "\\", 1);
        return 1;
    }
    low = left >= 12 && text[6] == '\\' && text[7] == 'u'
              ? hex(text + 8, left - 8)
              : 0;
    if (code >= 0xD800 && code < 0xDC00 && low >= 0xDC00 && low < 0xE000) {
        put(out, 0x10000 + ((code - 0xD800) << 10) + (low - 0xDC00));
        return 12;
    }
    if (code >= 0xD800 && code < 0xE000) {
        frame_diagnose(reader, "lone_surrogate", at);
        code = 0xFFFD;
    }
    put(out, code);
    return 6;
}

size_t frame_foreign_tag(frame_reader *reader, size_t at)
{
    static const char *const words[] = {"call", "function", "tool", "invo"};
    char name[32] = "", close[40] = "</";
    size_t size = 0;
    bool names_calls = false;

    if (reader->text[at] != '<' || frame_marker_at(reader, at) ||
        frame_longest_opener(reader, at))
        return 0;
    if (reader->outer[0]) {
        strcat(strcat(close, reader->outer), ">");
        size = frame_starts(reader, at, close) ? strlen(close) : 0;
        reader->outer[0] = size ? 0 : reader->outer[0];
        return size;
    }
    while (size < 31 && at + 1 + size < reader->size &&
           (reader->text[at + 1 + size] == '_' ||
            ((reader->text[at + 1 + size] | 0x20) >= 'a' &&
             (reader->text[at + 1 + size] | 0x20) <= 'z'))) {
        name[size] = reader->text[at + 1 + size];
        size++;
    }
    for (int i = 0; i < 4; i++)
        names_calls = names_calls || strstr(name, words[i]);
    if (!names_calls || at + 1 + size >= reader->size ||
        reader->text[at + 1 + size] != '>' ||
        !frame_call_begins(reader, frame_skip(reader, at + size + 2)))
        return 0;
    strcpy(reader->outer, name);
    return size + 2;
}

bool frame_ends_in_bracket(const frame_pattern *call)
{
    const char *closer = frame_closer(call, 0);

    return closer && closer[1] == 0 && strchr("}]", *closer);
}

void frame_read_string(frame_reader *reader)
{
    naive_bytes out = {0};
    size_t at = frame_skip(reader, reader->at);

    if (at == reader->size || reader->text[at] != '"')
        return; /* no string: other text */
    for (at++; at < reader->size && reader->text[at] != '"';) {
        const size_t from = at;

        if (reader->text[at] == '\\') {
            at += read_escape(reader, at, &out);
            continue;
        }
        while (at < reader->size && !strchr("\"\\", reader->text[at]))
            at++;
        if (at < reader->size && !reader->text[at])
            at++; /* strchr() finds the zero, too */
        naive_diagnose_utf8(reader->message, reader->text, from, at);
        naive_add_utf8(&out, reader->text + from, at - from);
    }
    reader->fresh = reader->fresh && out.size == 0;
    naive_verbatim_segment(reader->message, false, out.data, out.size);
    naive_release(&out);
    at += at < reader->size;
    reader->begin = reader->at = at;
    at = frame_skip(reader, at);
    if (at < reader->size && reader->text[at] == '}')
        reader->begin = reader->at = at + 1;
}
