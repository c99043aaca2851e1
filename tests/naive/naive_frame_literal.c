/* SPDX-License-Identifier: MIT
 *
 * Python literals as JSON, by recursive descent (P1, P4).
 */
#include "naive_frame_literal.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* --- bytes ------------------------------------------------------------- */

bool python_fail(python_reader *reader, const char *reason, bool in_step)
{
    reader->reason = reason;
    reader->in_step = in_step;
    return false;
}

void python_say(python_reader *reader, const char *code, size_t at)
{
    if (reader->frame)
        frame_diagnose(reader->frame, code, at);
}

int python_byte(const python_reader *reader, size_t at)
{
    return at < reader->size ? (unsigned char)reader->text[at] : -1;
}

bool python_is_one_of(int c, const char *bytes)
{
    return c > 0 && strchr(bytes, c);
}

bool python_starts(const python_reader *reader, size_t at, const char *word)
{
    return at <= reader->size && reader->size - at >= strlen(word) &&
           memcmp(reader->text + at, word, strlen(word)) == 0;
}

static size_t odd_blank(const python_reader *reader, size_t at)
{
    static const char *const blanks[] = {
        "\xC2\xA0",     "\xEF\xBB\xBF", "\xE2\x80\x8B", "\xE3\x80\x80",
        "\xE2\x80\xA8", "\xE2\x80\xA9", "\xC2\x85",     "\v"};

    for (size_t i = 0; i < sizeof blanks / sizeof *blanks; i++)
        if (python_starts(reader, at, blanks[i]))
            return strlen(blanks[i]);
    return 0;
}

size_t python_skip(const python_reader *reader, size_t at)
{
    for (;;) {
        if (python_is_one_of(python_byte(reader, at), " \t\r\n\f"))
            at++;
        else if (odd_blank(reader, at))
            at += odd_blank(reader, at);
        else if (python_starts(reader, at, "\\\n"))
            at += 2;
        else
            return at;
    }
}

/* Half a stop marker at the end. */
static bool is_half_stop(const frame_reader *frame, size_t at)
{
    const frame_words *stops = &frame->format->stops;

    for (size_t i = 0; i < stops->count; i++)
        if (frame_is_cut(frame, at, stops->items[i]))
            return true;
    return false;
}

bool python_ends(const python_reader *reader, size_t at)
{
    if (!reader->frame)
        return false;
    if (at < reader->size && frame_marker_at(reader->frame, at) > 0)
        return true;
    return !reader->frame->options->length &&
           (at == reader->size || is_half_stop(reader->frame, at));
}

bool python_is_digit(int c)
{
    return c >= '0' && c <= '9';
}

bool python_is_letter(int c)
{
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z');
}

bool python_is_alnum(char c)
{
    return python_is_letter((unsigned char)c) ||
           python_is_digit((unsigned char)c) || c == '_' ||
           (unsigned char)c >= 0x80;
}

size_t python_word(const python_reader *reader, size_t at, const char *more)
{
    size_t end = at;

    while (end < reader->size && !odd_blank(reader, end) &&
           (python_is_alnum(reader->text[end]) ||
            python_is_one_of(python_byte(reader, end), more)) &&
           end - at <= FRAME_HEAD)
        end++;
    return end - at;
}

static bool word_is(const python_reader *reader, size_t at, size_t size,
                    const char *const *words)
{
    for (; *words; words++)
        if (strlen(*words) == size &&
            memcmp(reader->text + at, *words, size) == 0)
            return true;
    return false;
}

bool python_is_operator_word(const python_reader *reader, size_t at,
                             size_t size)
{
    static const char *const words[] = {"and",   "or",     "if",  "else",
                                        "in",    "is",     "not", "for",
                                        "async", "lambda", NULL};

    return word_is(reader, at, size, words);
}

/* --- numbers ----------------------------------------------------------- */

/* Digits with `_` between them, to |out| without; false: none, or a bad _. */
static bool take_digits(const char **at, naive_bytes *out)
{
    bool any = false;

    while (python_is_digit((unsigned char)**at) ||
           (**at == '_' && any && python_is_digit((unsigned char)(*at)[1]))) {
        if (**at != '_')
            naive_add(out, *at, 1);
        any = true;
        ++*at;
    }
    return any;
}

/* 0x1F and its like, in decimal; false if it is none, or has |*many| bits:
 * more than 64. */
static bool based_number(const char *digits, naive_bytes *out, bool *many)
{
    const int base = (digits[1] | 32) == 'x'   ? 16
                     : (digits[1] | 32) == 'o' ? 8
                                               : 2;
    uint64_t value = 0;
    bool underscore = true;
    char text[24];

    for (digits += 2; *digits; digits++) {
        int digit = python_is_digit((unsigned char)*digits) ? *digits - '0'
                    : python_is_letter((unsigned char)*digits)
                        ? (*digits | 32) - 'a' + 10
                        : 99;

        if (*digits == '_' && digits[1] && digits[1] != '_') {
            underscore = false;
            continue;
        }
        if (digit >= base)
            return false;
        *many = value > (UINT64_MAX - (unsigned)digit) / (unsigned)base;
        if (*many)
            return false;
        value = value * (unsigned)base + (unsigned)digit;
        underscore = false;
    }
    snprintf(text, sizeof text, "%llu", (unsigned long long)value);
    naive_add_text(out, text);
    return !underscore;
}

/* A Python number as JSON; false if it is none. */
static bool json_number(const char *digits, naive_bytes *out, bool *many)
{
    naive_bytes whole = {0}, part = {0};
    const char *at = digits;
    bool any, good = true;
    size_t zeros;

    if (digits[0] == '0' && python_is_one_of(digits[1], "xXoObB"))
        return based_number(digits, out, many);
    any = take_digits(&at, &whole);
    zeros = whole.size ? strspn(whole.data, "0") : 0;
    if (zeros == whole.size)
        naive_add_text(out, "0");
    else
        naive_add_text(out, whole.data + zeros);
    if (*at == '.') {
        at++;
        any = take_digits(&at, &part) || any;
        naive_add_text(out, ".");
        naive_add_text(out, part.size ? part.data : "0");
        naive_release(&part);
    }
    good = any;
    if (good && (*at == 'e' || *at == 'E')) {
        naive_add(out, at++, 1);
        if (*at == '+' || *at == '-')
            naive_add(out, at++, 1);
        good = take_digits(&at, &part);
        naive_add_text(out, part.size ? part.data : "");
    }
    good = good && *at == 0;
    naive_release(&whole);
    naive_release(&part);
    return good;
}

static bool read_number(python_reader *reader, bool minus, size_t at)
{
    size_t end = at;
    bool hex =
        python_starts(reader, at, "0x") || python_starts(reader, at, "0X");
    naive_bytes digits = {0}, text = {0};
    bool good, octal, many = false;

    while (
        end < reader->size &&
        (python_is_letter(python_byte(reader, end)) ||
         python_is_digit(python_byte(reader, end)) ||
         python_is_one_of(python_byte(reader, end), "_.") ||
         (!hex && python_is_one_of(python_byte(reader, end), "+-") &&
          end > at && python_is_one_of(python_byte(reader, end - 1), "eE"))))
        end++;
    if (end == reader->size && reader->frame && !python_ends(reader, end)) {
        reader->at = end;
        return false;
    }
    naive_add(&digits, reader->text + at, end - at);
    good = json_number(digits.data, &text, &many);
    octal = digits.data[0] == '0' &&
            strspn(digits.data, "0123456789_") == digits.size &&
            strspn(digits.data, "0_") < digits.size;
    if (good && octal)
        python_say(reader, "leading_zeros", at);
    if (good) {
        naive_add_text(reader->out, minus ? "-" : "");
        naive_add(reader->out, text.data, text.size);
        reader->at = end;
    } else {
        python_fail(reader, many ? "limit_number" : "not_a_literal", true);
    }
    naive_release(&digits);
    naive_release(&text);
    return good;
}

/* --- values ------------------------------------------------------------ */

typedef enum value_kind {
    VALUE_SCALAR,
    VALUE_STRING,
    VALUE_CONTAINER
} value_kind;

static bool read_any(python_reader *reader, bool key, bool in_call,
                     value_kind *kind);

/* Behind an element: true if the container goes on or ends at |*next|; the
 * byte there, or 0 while a marker closes all that is open. */
static bool behind_element(python_reader *reader, int *c)
{
    size_t next = python_skip(reader, reader->at), size;

    *c = python_byte(reader, next);
    if (*c < 0 && !python_ends(reader, next)) {
        reader->at = reader->size;
        return false;
    }
    if (reader->unwinding || python_ends(reader, next)) {
        reader->unwinding = true;
        *c = 0;
        return true;
    }
    reader->at = next;
    if (python_is_one_of(*c, ",:)]}"))
        return true;
    if (*c == '#')
        return python_fail(reader, "comment", true);
    size = python_word(reader, next, "");
    if (python_is_one_of(*c, "+-*/%@&|^<>=.([!~") ||
        python_is_operator_word(reader, next, size))
        return python_fail(reader, "not_a_literal", true);
    return python_fail(reader, "syntax_error", false);
}

/* Where an element or the closer is due. */
static bool at_closer(python_reader *reader, char closer)
{
    size_t next = python_skip(reader, reader->at);

    if (python_byte(reader, next) != closer)
        return false;
    reader->at = next;
    return true;
}

static bool out_of_step(python_reader *reader)
{
    return python_fail(reader, "syntax_error", false);
}

/* [a, b], and (a, b) or {a, b} once that is what they are. */
static bool read_elements(python_reader *reader, char closer, size_t count)
{
    value_kind kind;
    int c;

    for (;;) {
        if (at_closer(reader, closer))
            return true;
        if (count++ > 0)
            naive_add_text(reader->out, ",");
        if (!read_any(reader, false, false, &kind) ||
            !behind_element(reader, &c))
            return false;
        if (c == 0 || c == closer)
            return true;
        if (c != ',')
            return out_of_step(reader);
        reader->at++;
    }
}

/* |c| is what stands behind the first key. */
static bool read_members(python_reader *reader, int c, naive_bytes *first,
                         value_kind kind)
{
    naive_bytes *out = reader->out;

    for (;;) {
        if (c == 0)
            return out_of_step(reader); /* a key without its value */
        if (c != ':')
            return out_of_step(reader);
        if (kind == VALUE_CONTAINER)
            return python_fail(reader, "key_not_scalar", true);
        if (kind == VALUE_SCALAR) {
            python_say(reader, "key_not_string", reader->at);
            naive_add_text(out, "\"");
        }
        naive_add(out, first->data, first->size);
        naive_add_text(out, kind == VALUE_SCALAR ? "\":" : ":");
        reader->at++;
        if (!read_any(reader, false, false, &kind) ||
            !behind_element(reader, &c))
            return false;
        if (c == 0 || c == '}')
            return true;
        if (c != ',')
            return out_of_step(reader);
        reader->at++;
        if (at_closer(reader, '}'))
            return true;
        naive_add_text(out, ",");
        naive_release(first);
        reader->out = first;
        c = read_any(reader, true, false, &kind) ? 1 : -1;
        reader->out = out;
        if (c < 0 || !behind_element(reader, &c))
            return false;
    }
}

/* Behind `{`: a dict or a set, as the byte behind the first element says. */
static bool read_braces(python_reader *reader)
{
    naive_bytes *out = reader->out, first = {0};
    value_kind kind;
    bool whole;
    int c;

    if (at_closer(reader, '}')) {
        naive_add_text(out, "{}");
        return true;
    }
    reader->out = &first;
    whole = read_any(reader, true, false, &kind) && behind_element(reader, &c);
    reader->out = out;
    if (whole && c == 0) {
        whole = out_of_step(reader);
    } else if (whole && first.size > FRAME_HELD) {
        whole = python_fail(reader, "limit_lookahead", true);
    } else if (whole && (c == ',' || c == '}')) {
        python_say(reader, "set_literal", reader->at);
        naive_add_text(out, "[");
        naive_add(out, first.data, first.size);
        reader->at += c == ',';
        whole = read_elements(reader, '}', 1);
        naive_add_text(out, "]");
    } else if (whole) {
        naive_add_text(out, "{");
        whole = read_members(reader, c, &first, kind);
        naive_add_text(out, "}");
    }
    naive_release(&first);
    return whole;
}

/* Behind `(`: a tuple if there is a comma, else the value itself. */
static bool read_parenthesis(python_reader *reader)
{
    naive_bytes *out = reader->out, first = {0};
    value_kind kind;
    bool whole;
    int c;

    if (at_closer(reader, ')')) {
        naive_add_text(out, "[]");
        return true;
    }
    reader->out = &first;
    whole =
        read_any(reader, false, false, &kind) && behind_element(reader, &c);
    reader->out = out;
    if (whole && first.size > FRAME_HELD) {
        whole = python_fail(reader, "limit_lookahead", true);
    } else if (whole && c == ',') {
        naive_add_text(out, "[");
        naive_add(out, first.data, first.size);
        reader->at++;
        whole = read_elements(reader, ')', 1);
        naive_add_text(out, "]");
    } else if (whole && (c == ')' || c == 0)) {
        naive_add(out, first.data, first.size);
    } else if (whole) {
        whole = out_of_step(reader);
    }
    naive_release(&first);
    return whole;
}

static bool read_container(python_reader *reader)
{
    const char opener = reader->text[reader->at];
    const char closer = opener == '(' ? ')' : opener == '[' ? ']' : '}';
    bool whole;

    if (reader->depth >= FRAME_NEST)
        return python_fail(reader, "limit_depth", true);
    reader->stack[reader->depth++] = closer;
    reader->at++;
    if (opener == '[') {
        naive_add_text(reader->out, "[");
        whole = read_elements(reader, closer, 0);
        naive_add_text(reader->out, "]");
    } else {
        whole = opener == '(' ? read_parenthesis(reader) : read_braces(reader);
    }
    if (!whole)
        return false;
    reader->depth--;
    reader->at += !reader->unwinding;
    return true;
}

static bool read_constant(python_reader *reader, size_t size)
{
    static const char *const words[][2] = {
        {"True", "true"}, {"False", "false"}, {"None", "null"},
        {"true", "true"}, {"false", "false"}, {"null", "null"}};

    for (size_t i = 0; i < sizeof words / sizeof *words; i++) {
        if (strlen(words[i][0]) != size ||
            memcmp(reader->text + reader->at, words[i][0], size) != 0)
            continue;
        naive_add_text(reader->out, words[i][1]);
        reader->at += size;
        return true;
    }
    return false;
}

static bool read_any(python_reader *reader, bool key, bool in_call,
                     value_kind *kind)
{
    size_t size, next;
    bool begins, sign;
    int c;

    reader->at = python_skip(reader, reader->at);
    c = python_byte(reader, reader->at);
    if (c < 0)
        return false;
    *kind = VALUE_CONTAINER;
    if (python_is_one_of(c, "([{"))
        return read_container(reader);
    *kind = VALUE_SCALAR;
    sign = c == '+' || c == '-';
    next = sign ? python_skip(reader, reader->at + 1) : reader->at;
    if (python_is_digit(python_byte(reader, next)) ||
        python_byte(reader, next) == '.')
        return read_number(reader, c == '-', next);
    (void)python_string_prefix(reader, reader->at, &begins);
    if (begins) {
        *kind = VALUE_STRING;
        return python_read_string(reader, key);
    }
    size = python_word(reader, reader->at, "");
    if (size && reader->at + size == reader->size && reader->frame &&
        !python_ends(reader, reader->size)) {
        reader->at = reader->size;
        return false;
    }
    if (size && read_constant(reader, size))
        return true;
    if (c == '#')
        return python_fail(reader, "comment", true);
    if (size || sign || python_is_one_of(c, "*~"))
        return python_fail(reader, "not_a_literal", true);
    if (python_is_one_of(c, ",)"))
        return python_fail(reader, "no_value", in_call);
    return python_fail(reader, "syntax_error", false);
}

bool python_read_value(python_reader *reader)
{
    value_kind kind;

    return read_any(reader, false, true, &kind);
}

bool frame_python_literal(const char *text, size_t size, naive_bytes *out)
{
    naive_bytes json = {0};
    python_reader reader = {.text = text, .size = size, .out = &json};
    bool good = python_read_value(&reader) &&
                python_skip(&reader, reader.at) == size && !reader.unwinding;

    if (good)
        naive_add(out, json.data, json.size);
    naive_release(&json);
    return good;
}
