/* SPDX-License-Identifier: MIT
 *
 * Gemma 4, the second opinion: strings, with delimiters or in quotes.
 */
#include "naive_gemma4.h"
#include "naive_json.h"

#include <stdio.h>
#include <string.h>

/* ---- Writing JSON ---- */

static void add_json_byte(naive_bytes *out, char byte)
{
    static const char shorts[] = "\bb\tt\nn\ff\rr\"\"\\\\";
    char escape[8];
    size_t i;

    for (i = 0; i + 1 < sizeof(shorts); i += 2)
        if (shorts[i] == byte) {
            snprintf(escape, sizeof(escape), "\\%c", shorts[i + 1]);
            naive_add_text(out, escape);
            return;
        }
    if ((unsigned char)byte < 0x20) {
        snprintf(escape, sizeof(escape), "\\u%04x", (unsigned)byte);
        naive_add_text(out, escape);
        return;
    }
    naive_add(out, &byte, 1);
}

void gemma4_add_json(naive_bytes *out, const char *data, size_t size)
{
    naive_bytes repaired = {0};
    size_t i;

    naive_add_utf8(&repaired, data, size);
    for (i = 0; i < repaired.size; i++)
        add_json_byte(out, repaired.data[i]);
    naive_release(&repaired);
}

void gemma4_add_json_string(gemma4_reader *reader, size_t start, size_t end)
{
    naive_bytes *out = &reader->arguments;

    naive_add_text(out, "\"");
    gemma4_add_json(out, reader->text + start, end - start);
    naive_diagnose_utf8(reader->message, reader->text, start, end);
    naive_add_text(out, "\"");
}

/* ---- What stands behind a place; nothing here moves the reader ---- */

bool gemma4_word_key_at(const gemma4_reader *reader, size_t at)
{
    size_t end = at;

    if (!gemma4_is_word_start(gemma4_byte(reader, at)))
        return false;
    while (end - at <= GEMMA4_NEAR &&
           gemma4_is_word_byte(gemma4_byte(reader, end)))
        end++;
    return end - at <= GEMMA4_NEAR &&
           gemma4_is_one_of(gemma4_byte(reader, end), ":=") &&
           !gemma4_starts(reader, end, "://");
}

gemma4_follow gemma4_follow_of_string(const gemma4_reader *reader,
                                      const gemma4_container *in, size_t at)
{
    size_t start = at;
    int byte;

    at = gemma4_skip_blanks(reader, at);
    byte = gemma4_byte(reader, at);
    if (at - start > GEMMA4_NEAR)
        return GEMMA4_FOLLOW_FAR;
    if (byte == GEMMA4_END || byte == ',' || gemma4_is_closer(reader, byte) ||
        gemma4_is_structure(gemma4_value_marker_at(reader, at)))
        return GEMMA4_FOLLOW_END;
    return !in->array && gemma4_word_key_at(reader, at) ? GEMMA4_FOLLOW_KEY
                                                        : GEMMA4_FOLLOW_NONE;
}

size_t gemma4_separator_behind(const gemma4_reader *reader, size_t comma,
                               bool strict, const char *separators,
                               size_t limit, bool *too_far)
{
    size_t start = gemma4_skip_blanks(reader, comma + 1);
    bool one_word = !strict && start > comma + 1;
    size_t at;
    int byte;

    if (start - comma > limit) {
        if (too_far)
            *too_far = true;
        return GEMMA4_NOWHERE;
    }
    for (at = start; (byte = gemma4_byte(reader, at)) != GEMMA4_END; at++) {
        if (gemma4_is_one_of(byte, separators))
            return at > start ? at : GEMMA4_NOWHERE;
        if (gemma4_is_one_of(byte, ",{}[]()\"'`=:\n") ||
            gemma4_body_marker_at(reader, at))
            return GEMMA4_NOWHERE;
        if (at - comma > limit) {
            if (too_far)
                *too_far = true;
            return GEMMA4_NOWHERE;
        }
        if (one_word && !(at > start ? gemma4_is_word_byte(byte)
                                     : gemma4_is_word_start(byte)))
            return GEMMA4_NOWHERE;
    }
    return GEMMA4_NOWHERE;
}

/* ---- <|"|>...<|"|> ---- */

bool gemma4_end_string(gemma4_reader *reader, size_t start, size_t end,
                       size_t next)
{
    gemma4_add_json_string(reader, start, end);
    reader->at = next;
    return true;
}

/* Does a string that was never closed end at this comma, `, KEY:<|"|>`
 * following?  Not if the delimiter there can be its own end. */
static bool lost_end_at_comma(gemma4_reader *reader,
                              const gemma4_container *in, size_t comma)
{
    bool too_far = false;
    size_t at;

    if (in->array)
        return false;
    at = gemma4_separator_behind(reader, comma, false, ":", GEMMA4_IN_STRING,
                                 &too_far);
    if (at != GEMMA4_NOWHERE) {
        at = gemma4_skip_blanks(reader, at + 1);
        too_far = at - comma > GEMMA4_IN_STRING;
    }
    if (too_far) {
        gemma4_diagnose(reader, "repair_given_up", comma);
        return false;
    }
    return at != GEMMA4_NOWHERE &&
           gemma4_body_marker_at(reader, at) == GEMMA4_QUOTE &&
           !gemma4_follow_of_string(reader, in, at + gemma4_quote_size());
}

/* Where the closers begin that close the open containers, among those that
 * stand in [start, end), before a close marker; the others are data. */
static size_t first_closer(const gemma4_reader *reader,
                           const gemma4_container *in, size_t start,
                           size_t end)
{
    char expected[GEMMA4_DEPTH_LIMIT];
    size_t depth = in->depth, next = 0, first = end;
    const gemma4_container *each;

    for (each = in; each; each = each->outer)
        expected[each->depth - 1] = each->closer;
    while (end-- > start) { /* the outermost one stands last */
        if (gemma4_is_blank(gemma4_byte(reader, end)))
            continue;
        while (next < depth && expected[next] != gemma4_byte(reader, end))
            next++;
        if (next == depth)
            break;
        first = end;
        next++;
    }
    return first;
}

/* A close marker inside a string, closers before it from |at| on.  It is data
 * if the string is closed behind it, as it should be, or if that cannot be
 * seen from here: where the data goes on.  GEMMA4_NOWHERE if the string had
 * ended before it. */
static size_t data_behind_marker(const gemma4_reader *reader,
                                 const gemma4_container *in, size_t at,
                                 size_t marker)
{
    size_t i = marker + gemma4_marker_size(GEMMA4_CALL_END);

    for (; gemma4_byte(reader, i) != GEMMA4_END; i++) {
        if (i - at >= GEMMA4_IN_STRING) {
            gemma4_diagnose(reader, "repair_given_up", at);
            return i;
        }
        if (gemma4_body_marker_at(reader, i) == GEMMA4_QUOTE) {
            gemma4_follow follow =
                gemma4_follow_of_string(reader, in, i + gemma4_quote_size());
            if (follow == GEMMA4_FOLLOW_END || follow == GEMMA4_FOLLOW_FAR)
                return i;
            break;
        }
    }
    return GEMMA4_NOWHERE;
}

/* Behind `}`, `]` or `)` in a string: the closers and blanks that follow. */
static size_t skip_closers(gemma4_reader *reader, size_t at)
{
    size_t end = at;

    while (end - at < GEMMA4_IN_STRING &&
           gemma4_is_one_of(gemma4_byte(reader, end), "}]) \t\r\n"))
        end++;
    if (gemma4_is_one_of(gemma4_byte(reader, end), "}]) \t\r\n"))
        gemma4_diagnose(reader, "repair_given_up", at);
    return end;
}

/* Whose string is it?  What is skipped begins behind the next delimiter. */
static bool fail_in_doubt(gemma4_reader *reader, size_t start, size_t at)
{
    naive_diagnose_utf8(reader->message, reader->text, start, at);
    gemma4_fail(reader, "unclosed_quote", at);
    while (at < reader->size &&
           gemma4_body_marker_at(reader, at) != GEMMA4_QUOTE)
        at++;
    reader->at = at < reader->size ? at + gemma4_quote_size() : at;
    return false;
}

bool gemma4_read_string(gemma4_reader *reader, const gemma4_container *in)
{
    size_t start = reader->at, at = start, end;
    gemma4_marker marker;
    bool marker_seen = false, head_seen = false; /* of a call, in it */
    int byte;

    while ((byte = gemma4_byte(reader, at)) != GEMMA4_END) {
        end = gemma4_is_one_of(byte, "}])") ? skip_closers(reader, at) : at;
        marker = gemma4_body_marker_at(reader, end);
        if (byte == ',' && lost_end_at_comma(reader, in, at)) {
            if (marker_seen || head_seen)
                return fail_in_doubt(reader, start, at);
            gemma4_diagnose(reader, "missing_string_close", at);
            return gemma4_end_string(reader, start, at, at);
        }
        if (marker == GEMMA4_CALL_END) {
            size_t data = data_behind_marker(reader, in, at, end);

            if (data == GEMMA4_NOWHERE && head_seen) {
                naive_diagnose_utf8(reader->message, reader->text, start, at);
                reader->at = at;
                return gemma4_fail(reader, "unclosed_quote", at);
            }
            if (data == GEMMA4_NOWHERE) {
                end = first_closer(reader, in, at, end);
                gemma4_diagnose(reader, "missing_string_close", end);
                return gemma4_end_string(reader, start, end, end);
            }
            at = data;
        } else if (end > at) {
            at = end;
            head_seen |= gemma4_call_at(reader, at);
        } else if (marker == GEMMA4_QUOTE) {
            gemma4_follow follow =
                gemma4_follow_of_string(reader, in, at + gemma4_quote_size());
            if (follow == GEMMA4_FOLLOW_FAR)
                gemma4_diagnose(reader, "repair_given_up", at);
            if (follow != GEMMA4_FOLLOW_NONE)
                return gemma4_end_string(reader, start, at,
                                         at + gemma4_quote_size());
            if (marker_seen || head_seen)
                return fail_in_doubt(reader, start, at);
            gemma4_diagnose(reader, "interior_delimiter", at);
            at += gemma4_quote_size();
        } else {
            marker_seen |= marker == GEMMA4_CALL;
            at++;
        }
    }
    naive_diagnose_utf8(reader->message, reader->text, start, at);
    return gemma4_cut_off(reader, at);
}

/* ---- "...", '...' and `...` ---- */

static bool is_hex(int byte)
{
    return gemma4_is_digit(byte) || (byte >= 'a' && byte <= 'f') ||
           (byte >= 'A' && byte <= 'F');
}

unsigned gemma4_hex_value(const char *data)
{
    unsigned value = 0;
    int i;

    for (i = 0; i < 4; i++)
        value = value * 16 + (unsigned)(gemma4_is_digit(data[i])
                                            ? data[i] - '0'
                                            : (data[i] | 0x20) - 'a' + 10);
    return value;
}

size_t gemma4_escape_size(const char *data, size_t size)
{
    size_t i;

    if (size < 2 || data[0] != '\\')
        return 0;
    if (gemma4_is_one_of(data[1], "\"\\/bfnrt"))
        return 2;
    if (data[1] != 'u' || size < 6)
        return 0;
    for (i = 2; i < 6; i++)
        if (!is_hex(data[i]))
            return 0;
    return 6;
}

int gemma4_surrogate(const char *data, size_t size)
{
    unsigned value;

    if (gemma4_escape_size(data, size) != 6)
        return 0;
    value = gemma4_hex_value(data + 2) & 0xfc00;
    return value == 0xd800 ? 'h' : value == 0xdc00 ? 'l' : 0;
}

/* Could what the output ends with have become an escape? */
static bool escape_begins(const char *data, size_t size)
{
    size_t i = 2;

    if (memcmp(data, "\\u", size < 2 ? size : 2) != 0)
        return false;
    while (i < size && is_hex(data[i]))
        i++;
    return i >= size && size < 6;
}

/* Could it have become the low half of a pair? */
static bool low_half_begins(const char *data, size_t size)
{
    static const char *const sets[] = {"\\", "u", "dD", "cCdDeEfF"};

    for (size_t i = 0; i < size && i < 4; i++)
        if (data[i] == 0 || !strchr(sets[i], data[i]))
            return false;
    return escape_begins(data, size);
}

/* What is read of a quoted string. */
typedef struct quoted_string {
    int quote;
    size_t end;        /* of the string if known, else of the output */
    bool control_seen; /* and reported */
    naive_bytes *out;  /* the inside of a JSON string */
} quoted_string;

/* The escape at |at|; behind it. */
static size_t add_escape(const gemma4_reader *reader,
                         const quoted_string *string, size_t at)
{
    const char *data = reader->text + at;
    size_t left = string->end - at;
    size_t size = gemma4_escape_size(data, left);
    int half = gemma4_surrogate(data, left);
    bool last = string->end == reader->size;

    if (half == 'h' && gemma4_surrogate(data + 6, left - 6) == 'l')
        size = 12;
    else if (half && !(half == 'h' && last &&
                       low_half_begins(data + 6, left - 6)))
        gemma4_diagnose(reader, "lone_surrogate", at);
    if (size > 0) {
        naive_add(string->out, data, size);
        return at + size;
    }
    if (left > 1 && data[1] == '\'') {
        if (string->quote != '\'')
            gemma4_diagnose(reader, "bad_escape", at);
        naive_add_text(string->out, "'");
        return at + 2;
    }
    if (!last || !escape_begins(data, left))
        gemma4_diagnose(reader, "bad_escape", at);
    naive_add_text(string->out, "\\\\");
    return at + 1;
}

/* An escape, a control character, or plain bytes up to the next of them or
 * of what might end the string; behind it. */
static size_t add_quoted(const gemma4_reader *reader, quoted_string *string,
                         size_t at)
{
    size_t start = at;
    int byte = gemma4_byte(reader, at);

    if (byte == '\\' && string->quote != '`')
        return add_escape(reader, string, at);
    if (byte < 0x20 && string->quote != '`' && !string->control_seen) {
        gemma4_diagnose(reader, "raw_control", at);
        string->control_seen = true;
    }
    do {
        byte = gemma4_byte(reader, ++at);
    } while (at < string->end && byte >= 0x20 && byte != '\\' &&
             byte != '<' && byte != string->quote);
    gemma4_add_json(string->out, reader->text + start, at - start);
    naive_diagnose_utf8(reader->message, reader->text, start, at);
    return at;
}

/* A close marker ends a quoted string only if the message ends there too, or
 * goes on with the next call. */
static bool call_ends_at(const gemma4_reader *reader, size_t at)
{
    gemma4_marker marker;

    if (gemma4_body_marker_at(reader, at) != GEMMA4_CALL_END)
        return false;
    at = gemma4_skip_blanks(reader, at + gemma4_marker_size(GEMMA4_CALL_END));
    marker = gemma4_body_marker_at(reader, at);
    return gemma4_byte(reader, at) == GEMMA4_END || marker == GEMMA4_CALL ||
           gemma4_is_stop(marker);
}

bool gemma4_read_quoted(gemma4_reader *reader, const gemma4_container *in)
{
    size_t opened = reader->at, at = opened + 1, dangling;
    quoted_string string = {.quote = gemma4_byte(reader, opened),
                            .end = reader->size, .out = &reader->arguments};
    const char *kind = string.quote == '"'    ? "json_string"
                       : string.quote == '\'' ? "single_quoted"
                                              : "backtick_string";

    gemma4_diagnose(reader, kind, opened);
    naive_add_text(string.out, "\"");
    while (at < reader->size) {
        reader->at = at;
        if (call_ends_at(reader, at))
            return gemma4_fail(reader, "unclosed_quote", opened);
        if (gemma4_byte(reader, at) != string.quote) {
            at = add_quoted(reader, &string, at);
            continue;
        }
        dangling = gemma4_body_marker_at(reader, at + 1) == GEMMA4_QUOTE
                       ? gemma4_quote_size()
                       : 0;
        if (gemma4_follow_of_string(reader, in, at + 1 + dangling)) {
            if (dangling)
                gemma4_diagnose(reader, "dangling_delimiter", at + 1);
            naive_add_text(string.out, "\"");
            reader->at = at + 1 + dangling;
            return true;
        }
        if (string.quote == '"')
            return gemma4_fail(reader, "inner_quote", at);
        at = add_quoted(reader, &string, at); /* as in 'it's' */
    }
    return gemma4_cut_off(reader, reader->size);
}

void gemma4_add_quoted_key(const gemma4_reader *reader, size_t start,
                           size_t end, naive_bytes *out)
{
    quoted_string string = {
        .quote = gemma4_byte(reader, start), .end = end, .out = out
    };
    size_t at = start + 1;

    while (at < end)
        at = add_quoted(reader, &string, at);
}
