/* SPDX-License-Identifier: MIT
 *
 * Gemma 4, the second opinion: the arguments of a call, as compact JSON.
 */
#include "naive_gemma4.h"
#include "naive_json.h"

#include <string.h>

enum { ARGUMENTS_LIMIT = 16777216 };

/* What is due next in a container. */
typedef enum due { DUE_ELEMENT, DUE_COMMA } due;

/* ---- Failing ---- */

bool gemma4_fail(gemma4_reader *reader, const char *reason, size_t at)
{
    reader->reason = reason;
    reader->reason_at = at;
    return false;
}

bool gemma4_cut_off(gemma4_reader *reader, size_t at)
{
    reader->reason = "truncated_call";
    reader->truncated = true;
    reader->at = at;
    return false;
}

void gemma4_diagnose(const gemma4_reader *reader, const char *code, size_t at)
{
    naive_diagnose(reader->message, code, at);
}

/* ---- Keys ---- */

typedef enum key_kind { KEY_BARE, KEY_DELIMITED, KEY_QUOTED } key_kind;

/* What stands where a key is due, up to a separator or what is none. */
typedef struct key_place {
    key_kind kind;
    size_t start;      /* with its quote */
    size_t text, end;  /* without; a bare one's is trimmed */
    size_t behind;     /* the first byte behind it that is not blank */
    bool lost_quote;   /* a delimiter at its end only */
} key_place;

static bool key_ends_at(const gemma4_reader *reader, const key_place *key,
                        size_t at)
{
    int byte = gemma4_byte(reader, at);

    if (key->kind == KEY_QUOTED)
        return byte == gemma4_byte(reader, key->start);
    if (key->kind == KEY_DELIMITED)
        return gemma4_body_marker_at(reader, at) == GEMMA4_QUOTE;
    return gemma4_is_one_of(byte, ":=,{}[]") ||
           gemma4_body_marker_at(reader, at);
}

/* False if the output ends first, or if it is too long. */
static bool find_key(gemma4_reader *reader, key_place *key)
{
    size_t at = reader->at, quote = 0;

    key->start = at;
    if (gemma4_is_one_of(gemma4_byte(reader, at), "\"'")) {
        key->kind = KEY_QUOTED;
        quote = 1;
    } else if (gemma4_body_marker_at(reader, at) == GEMMA4_QUOTE) {
        key->kind = KEY_DELIMITED;
        quote = gemma4_quote_size();
    }
    key->text = at += quote;
    for (; at - key->start > GEMMA4_FAR || !key_ends_at(reader, key, at);
         at++) {
        if (gemma4_byte(reader, at) == GEMMA4_END)
            return gemma4_cut_off(reader, at);
        if (at - key->start > GEMMA4_FAR)
            return gemma4_fail(reader, "limit_lookahead", key->start);
        if (key->kind == KEY_QUOTED && gemma4_byte(reader, at) == '\\' &&
            gemma4_byte(reader, at + 1) != GEMMA4_END)
            at++;
    }
    key->end = at;
    if (key->kind == KEY_BARE) {
        key->end = key->text + gemma4_trimmed_size(reader->text + key->text,
                                                   at - key->text);
        key->lost_quote = gemma4_body_marker_at(reader, at) == GEMMA4_QUOTE;
        quote = key->lost_quote ? gemma4_quote_size() : 0;
    }
    key->behind = gemma4_skip_blanks(reader, at + quote);
    if (key->behind - key->start > GEMMA4_FAR)
        return gemma4_fail(reader, "limit_lookahead", key->start);
    return gemma4_byte(reader, key->behind) != GEMMA4_END ||
           gemma4_cut_off(reader, key->behind);
}

static void add_key(gemma4_reader *reader, const key_place *key)
{
    naive_bytes *out = &reader->arguments;
    int quote = gemma4_byte(reader, key->start);

    if (key->kind == KEY_DELIMITED)
        gemma4_diagnose(reader, "quoted_key", key->start);
    else if (key->kind == KEY_QUOTED)
        gemma4_diagnose(reader, quote == '"' ? "json_key" : "single_quoted",
                        key->start);
    else if (key->lost_quote)
        gemma4_diagnose(reader, "missing_string_open", key->start);
    naive_add_text(out, "\"");
    if (key->kind == KEY_QUOTED)
        gemma4_add_quoted_key(reader, key->start, key->end, out);
    else {
        gemma4_add_json(out, reader->text + key->text, key->end - key->text);
        naive_diagnose_utf8(reader->message, reader->text, key->text,
                            key->end);
    }
    naive_add_text(out, "\":");
    if (gemma4_byte(reader, key->behind) == '=')
        gemma4_diagnose(reader, "equals_separator", key->behind);
}

/* ---- Arguments that are no pairs ---- */

/* A string that is an object in strict JSON: its inside becomes that of the
 * arguments (R11). */
static bool read_object_in_string(gemma4_reader *reader, const key_place *key)
{
    const char *text = reader->text + key->text;
    size_t size = key->end - key->text;
    size_t reported = reader->message->diagnostic_count;
    naive_bytes json = {0}, content = {0};
    size_t start = 0, end = 0;
    bool good;

    if (key->kind == KEY_QUOTED) {
        gemma4_add_quoted_key(reader, key->start, key->end, &json);
        gemma4_unescape(&json, &content);
    } else {
        naive_add(&content, text, size);
    }
    /* It is reported as a whole. */
    reader->message->diagnostic_count = reported;
    good = gemma4_is_utf8(text, size) &&
           gemma4_strict_inside(&content, &start, &end);
    if (good) {
        gemma4_diagnose(reader, "arguments_string", key->start);
        naive_add(&reader->arguments, content.data + start, end - start);
    }
    naive_release(&json);
    naive_release(&content);
    return good;
}

/* What stands where the first key is due is none; is it all of the arguments,
 * as in `{null}` or R11? */
static bool read_whole_body(gemma4_reader *reader, gemma4_container *in,
                            const key_place *key)
{
    const char *text = reader->text + key->text;
    size_t size = key->end - key->text;

    if (!gemma4_is_one_of(gemma4_byte(reader, key->behind), "})"))
        return false;
    if (key->kind != KEY_BARE) {
        if (!read_object_in_string(reader, key))
            return false;
        in->count++;
    } else {
        if (!gemma4_is_word(text, size, "null") &&
            !gemma4_is_word(text, size, "None"))
            return false;
        gemma4_diagnose(reader, "empty_arguments", key->start);
    }
    reader->at = key->behind;
    return true;
}

/* ---- Objects and arrays ---- */

static bool read_container(gemma4_reader *reader, gemma4_container *in);

/* Does a container around |in| wait for this closer?  The nearest. */
static const gemma4_container *outer_closed_by(const gemma4_container *in,
                                               int byte)
{
    do {
        in = in->outer;
    } while (in && in->closer != byte);
    return in;
}

/* Everything is closed down to |target|, whose closer the reader is at, or
 * if it is NULL, by the marker there. */
static void close_until(gemma4_reader *reader, gemma4_container *in,
                        const gemma4_container *target)
{
    gemma4_diagnose(reader, "missing_closer", reader->at);
    reader->unwinding = true;
    reader->target = target;
    in->closed = true;
}

/* The closer at the reader: the right one, an outer one's, or nobody's. */
static void read_closer(gemma4_reader *reader, gemma4_container *in, due *next)
{
    size_t at = reader->at;
    int byte = gemma4_byte(reader, at);
    const gemma4_container *outer = outer_closed_by(in, byte);

    if (byte == in->closer) {
        in->closed = true;
        reader->at = at + 1;
    } else if (outer) {
        close_until(reader, in, outer);
    } else {
        gemma4_diagnose(reader, "extra_closer", at);
        reader->at = at + 1;
        *next = in->count > 0 && in->comma == GEMMA4_NOWHERE ? DUE_COMMA
                                                             : DUE_ELEMENT;
    }
}

/* A marker where none belongs: the end of the call, with closers missing, or
 * of the output. */
static bool read_marker(gemma4_reader *reader, gemma4_container *in,
                        gemma4_marker marker)
{
    if (marker != GEMMA4_CALL_END && marker != GEMMA4_RESPONSE)
        return gemma4_cut_off(reader, reader->at);
    close_until(reader, in, NULL);
    return true;
}

static bool read_inner(gemma4_reader *reader, gemma4_container *in, bool array)
{
    gemma4_container inner = {
        .outer = in, .depth = in->depth + 1, .array = array,
        .closer = array ? ']' : '}', .comma = GEMMA4_NOWHERE
    };

    if (inner.depth > GEMMA4_DEPTH_LIMIT)
        return gemma4_fail(reader, "limit_depth", reader->at);
    reader->at++;
    naive_add_text(&reader->arguments, array ? "[" : "{");
    if (!read_container(reader, &inner))
        return false;
    if (reader->unwinding) {
        in->closed = true;
        if (reader->target == in) {
            reader->unwinding = false;
            reader->at++;
        }
    }
    return true;
}

/* The reader is at the first byte of a value. */
static bool read_value(gemma4_reader *reader, gemma4_container *in)
{
    size_t at = reader->at;
    int byte = gemma4_byte(reader, at);

    if (byte == '{' || byte == '[')
        return read_inner(reader, in, byte == '[');
    if (gemma4_body_marker_at(reader, at) == GEMMA4_QUOTE) {
        reader->at += gemma4_quote_size();
        return gemma4_read_string(reader, in);
    }
    if (gemma4_is_one_of(byte, "\"'`"))
        return gemma4_read_quoted(reader, in);
    return gemma4_read_bare(reader, in);
}

/* The value of a pair, which may be missing. */
static bool read_pair_value(gemma4_reader *reader, gemma4_container *in)
{
    size_t at = gemma4_skip_blanks(reader, reader->at);
    int byte = gemma4_byte(reader, at);
    gemma4_marker marker = gemma4_value_marker_at(reader, at);

    reader->at = at;
    if (byte == GEMMA4_END)
        return gemma4_cut_off(reader, at);
    if (marker == GEMMA4_CALL_END)
        return gemma4_fail(reader, "no_value", at);
    if (gemma4_is_structure(marker)) /* half of one is cut off, too */
        return gemma4_cut_off(reader, gemma4_body_marker_at(reader, at)
                                          ? at
                                          : reader->size);
    if (byte == ',' || gemma4_is_closer(reader, byte)) {
        gemma4_diagnose(reader, "empty_value", at);
        naive_add_text(&reader->arguments, "\"\"");
        return true;
    }
    return read_value(reader, in);
}

static bool read_pair(gemma4_reader *reader, gemma4_container *in, bool only)
{
    key_place key = {0};

    if (in->count > 0 && gemma4_call_at(reader, reader->at))
        return gemma4_fail(reader, "no_key", reader->at);
    if (!find_key(reader, &key))
        return false;
    if (!gemma4_is_one_of(gemma4_byte(reader, key.behind), ":=") ||
        (key.kind == KEY_BARE && key.text == key.end))
        return (only && read_whole_body(reader, in, &key)) ||
               gemma4_fail(reader, "no_key", key.start);
    if (in->count > 0)
        naive_add_text(&reader->arguments, ",");
    add_key(reader, &key);
    in->count++;
    in->comma = GEMMA4_NOWHERE;
    in->separator = (char)gemma4_byte(reader, key.behind);
    reader->at = key.behind + 1;
    return read_pair_value(reader, in);
}

/* The JSON comma is written before an element, so that commas that are too
 * many cost nothing. */
static bool read_array_element(gemma4_reader *reader, gemma4_container *in)
{
    if (in->count > 0)
        naive_add_text(&reader->arguments, ",");
    in->count++;
    in->comma = GEMMA4_NOWHERE;
    return read_value(reader, in);
}

/* An element, or what stands in its place. */
static bool read_element(gemma4_reader *reader, gemma4_container *in,
                         due *next)
{
    size_t at = reader->at;
    int byte = gemma4_byte(reader, at);
    gemma4_marker marker = gemma4_value_marker_at(reader, at);
    bool only = !in->outer && in->count == 0 && in->comma == GEMMA4_NOWHERE;

    if (byte == ',') {
        gemma4_diagnose(reader, "extra_comma", at);
        reader->at++;
        return true;
    }
    if (gemma4_is_closer(reader, byte)) {
        read_closer(reader, in, next);
        return true;
    }
    if (byte == '{' && only && !reader->doubled) {
        gemma4_diagnose(reader, "doubled_braces", at);
        reader->doubled = true;
        reader->at++;
        return true;
    }
    if (gemma4_is_structure(marker))
        return read_marker(reader, in, marker);
    *next = DUE_COMMA;
    return in->array ? read_array_element(reader, in)
                     : read_pair(reader, in, only);
}

/* Behind an element. */
static bool read_comma(gemma4_reader *reader, gemma4_container *in, due *next)
{
    size_t at = reader->at;
    int byte = gemma4_byte(reader, at);
    gemma4_marker marker = gemma4_value_marker_at(reader, at);

    if (byte == ',') {
        in->comma = at;
        reader->at++;
        *next = DUE_ELEMENT;
        return true;
    }
    if (gemma4_is_closer(reader, byte)) {
        read_closer(reader, in, next);
        return true;
    }
    if (gemma4_is_structure(marker))
        return read_marker(reader, in, marker);
    if (in->array || !gemma4_word_key_at(reader, at))
        return gemma4_fail(reader, "no_comma", at);
    gemma4_diagnose(reader, "missing_comma", at);
    *next = DUE_ELEMENT;
    return true;
}

/* From behind the opener to behind the closer, or to where |unwinding| says
 * it closes. */
static bool read_container(gemma4_reader *reader, gemma4_container *in)
{
    due next = DUE_ELEMENT;
    bool good;

    while (!in->closed) {
        reader->at = gemma4_skip_blanks(reader, reader->at);
        if (gemma4_byte(reader, reader->at) == GEMMA4_END &&
            reader->options->length)
            return gemma4_cut_off(reader, reader->at);
        good = next == DUE_COMMA ? read_comma(reader, in, &next)
                                 : read_element(reader, in, &next);
        if (good && reader->arguments.size >= ARGUMENTS_LIMIT)
            good = gemma4_fail(reader, "limit_arguments", reader->at);
        if (!good)
            return false;
    }
    if (in->comma != GEMMA4_NOWHERE)
        gemma4_diagnose(reader, "trailing_comma", in->comma);
    naive_add_text(&reader->arguments, in->array ? "]" : "}");
    return true;
}

bool gemma4_read_arguments(gemma4_reader *reader)
{
    gemma4_container root = {
        .depth = 1, .closer = reader->round ? ')' : '}',
        .comma = GEMMA4_NOWHERE
    };

    return read_container(reader, &root);
}
