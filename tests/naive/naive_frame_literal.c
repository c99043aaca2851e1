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

static int byte_at(const python_reader *reader, size_t at)
{
    return at < reader->size ? (unsigned char)reader->text[at] : -1;
}

static bool is_one_of(int c, const char *bytes)
{
    return c > 0 && strchr(bytes, c);
}

static bool starts(const python_reader *reader, size_t at, const char *word)
{
    return at <= reader->size && reader->size - at >= strlen(word) &&
           memcmp(reader->text + at, word, strlen(word)) == 0;
}

static size_t odd_blank(const python_reader *reader, size_t at)
{
    static const char *const blanks[] = {
        "\xC2\xA0", "\xEF\xBB\xBF", "\xE2\x80\x8B", "\xE3\x80\x80",
        "\xE2\x80\xA8", "\xE2\x80\xA9", "\xC2\x85", "\v"};

    for (size_t i = 0; i < sizeof blanks / sizeof *blanks; i++)
        if (starts(reader, at, blanks[i]))
            return strlen(blanks[i]);
    return 0;
}

size_t python_skip(const python_reader *reader, size_t at)
{
    for (;;) {
        if (is_one_of(byte_at(reader, at), " \t\r\n\f"))
            at++;
        else if (odd_blank(reader, at))
            at += odd_blank(reader, at);
        else if (starts(reader, at, "\\\n"))
            at += 2;
        else
            return at;
    }
}

bool python_ends(const python_reader *reader, size_t at)
{
    return reader->frame && at < reader->size &&
           frame_marker_at(reader->frame, at) > 0;
}

static bool is_digit(int c)
{
    return c >= '0' && c <= '9';
}

static bool is_letter(int c)
{
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z');
}

bool python_is_alnum(char c)
{
    return is_letter((unsigned char)c) || is_digit((unsigned char)c) ||
           c == '_' || (unsigned char)c >= 0x80;
}

size_t python_word(const python_reader *reader, size_t at, const char *more)
{
    size_t end = at;

    while (end < reader->size && !odd_blank(reader, end) &&
           (python_is_alnum(reader->text[end]) ||
            is_one_of(byte_at(reader, end), more)) &&
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
    static const char *const words[] = {"and", "or", "if", "else", "in", "is",
                                        "not", "for", "async", "lambda",
                                        NULL};

    return word_is(reader, at, size, words);
}

/* r, u, b, f, t and their pairs, in any case. */
static bool is_prefix(const python_reader *reader, size_t at, size_t size)
{
    static const char *const prefixes[] = {"r", "u", "b", "f", "t", "br",
                                           "rb", "fr", "rf", "tr", "rt",
                                           NULL};
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

/* --- strings ----------------------------------------------------------- */

typedef struct string_reader {
    python_reader *reader;
    naive_bytes run;   /* bytes not yet written */
    unsigned high;     /* half a surrogate pair, or 0 */
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
    char text[8];

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
static size_t read_digits(const python_reader *reader, size_t at,
                          size_t count, int base, unsigned *code)
{
    size_t size = 0;

    *code = 0;
    for (; size < count; size++) {
        const int c = byte_at(reader, at + size);
        int digit = is_digit(c) ? c - '0' : is_letter(c) ? (c | 32) - 'a' + 10
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
    const int c = byte_at(reader, at + 1);
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
    } else if (is_one_of(c, escapes)) {
        put_code(string,
                 (unsigned char)meanings[strchr(escapes, c) - escapes], at);
        reader->at += 2;
    } else if (c == '\n' || c == '\r') {
        reader->at += starts(reader, at + 1, "\r\n") ? 3 : 2;
    } else if (c >= '0' && c <= '7') {
        reader->at += 1 + read_digits(reader, at + 1, 3, 8, &code);
        put_code(string, code, at);
    } else if (due && read_digits(reader, at + 2, due, 16, &code) == due &&
               code <= 0x10FFFF) {
        put_code(string, code, at);
        reader->at += 2 + due;
    } else if (c == 'N' && byte_at(reader, at + 2) == '{') {
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
    c = byte_at(reader, next);
    if (c < 0 || is_one_of(c, ",)]}") || (c == ':' && key))
        return true;
    if (c == ':')
        return false;
    if (python_ends(reader, next))
        return true;
    if (broken)
        return false;
    if (is_one_of(c, "\"'+-*/%@&|^<>=.([#") ||
        (c == '!' && byte_at(reader, next + 1) == '='))
        return true;
    while (size < 8 && is_letter(byte_at(reader, next + size)))
        size++;
    if (is_one_of(byte_at(reader, next + size), "\"'") &&
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

    for (;;) {
        const int c = byte_at(reader, reader->at);

        if (c < 0)
            return false;
        if (c == '\\') {
            if (!read_escape(string))
                return false;
            continue;
        }
        if (c == string->quote && string->triple) {
            if (byte_at(reader, reader->at + 1) == c &&
                byte_at(reader, reader->at + 2) == c) {
                reader->at += 3;
                return true;
            }
        } else if (c == string->quote) {
            if (python_closes(reader, reader->at + 1, key, string->broken)) {
                reader->at++;
                return true;
            }
            if (!string->broken)
                python_say(reader, "inner_quote", reader->at);
            string->broken = true;
        } else if (c == 0 || (!string->triple && is_one_of(c, "\r\n"))) {
            python_say(reader, "raw_control", reader->at);
        }
        put_byte(string, reader->at++);
    }
}

/* The prefix and quote of a string at |at|: 0 if there is none. */
static size_t string_prefix(const python_reader *reader, size_t at,
                            bool *begins)
{
    size_t size = 0;

    while (size < 3 && is_letter(byte_at(reader, at + size)))
        size++;
    *begins = is_one_of(byte_at(reader, at + size), "\"'") &&
              (size == 0 || is_prefix(reader, at, size));
    return size;
}

/* Strings side by side are one. */
static bool read_string(python_reader *reader, bool key)
{
    string_reader string = {.reader = reader};
    bool begins, whole = true;
    size_t prefix = string_prefix(reader, reader->at, &begins);

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
        string.triple = byte_at(reader, at + 1) == string.quote &&
                        byte_at(reader, at + 2) == string.quote;
        reader->at = whole ? at + (string.triple ? 3 : 1) : reader->at;
        whole = whole && read_one_string(&string, key);
        if (whole) {
            size_t next = python_skip(reader, reader->at);

            prefix = string_prefix(reader, next, &begins);
            reader->at = begins ? next : reader->at;
        }
    }
    if (whole && string.high)
        put_lone(&string, string.high, string.high_at);
    flush(&string);
    naive_add_text(reader->out, "\"");
    return whole;
}

/* --- numbers ----------------------------------------------------------- */

/* Digits with `_` between them, to |out| without; false: none, or a bad _. */
static bool take_digits(const char **at, naive_bytes *out)
{
    bool any = false;

    while (is_digit((unsigned char)**at) ||
           (**at == '_' && any && is_digit((unsigned char)(*at)[1]))) {
        if (**at != '_')
            naive_add(out, *at, 1);
        any = true;
        ++*at;
    }
    return any;
}

/* 0x1F and its like, in decimal; false if it is over 64 bits. */
static bool based_number(const char *digits, naive_bytes *out)
{
    const int base = (digits[1] | 32) == 'x' ? 16
                     : (digits[1] | 32) == 'o' ? 8 : 2;
    uint64_t value = 0;
    bool underscore = true;
    char text[24];

    for (digits += 2; *digits; digits++) {
        int digit = is_digit((unsigned char)*digits) ? *digits - '0'
                    : is_letter((unsigned char)*digits)
                        ? (*digits | 32) - 'a' + 10 : 99;

        if (*digits == '_' && digits[1] && digits[1] != '_') {
            underscore = false;
            continue;
        }
        if (digit >= base || value > (UINT64_MAX - (unsigned)digit) /
                                         (unsigned)base)
            return false;
        value = value * (unsigned)base + (unsigned)digit;
        underscore = false;
    }
    snprintf(text, sizeof text, "%llu", (unsigned long long)value);
    naive_add_text(out, text);
    return !underscore;
}

/* A Python number as JSON; false if it is none. */
static bool json_number(const char *digits, naive_bytes *out)
{
    naive_bytes whole = {0}, part = {0};
    const char *at = digits;
    bool any, good = true;
    size_t zeros;

    if (digits[0] == '0' && is_one_of(digits[1], "xXoObB"))
        return based_number(digits, out);
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
    bool hex = starts(reader, at, "0x") || starts(reader, at, "0X");
    naive_bytes digits = {0}, text = {0};
    bool good, octal;

    while (end < reader->size &&
           (is_letter(byte_at(reader, end)) || is_digit(byte_at(reader, end)) ||
            is_one_of(byte_at(reader, end), "_.") ||
            (!hex && is_one_of(byte_at(reader, end), "+-") && end > at &&
             is_one_of(byte_at(reader, end - 1), "eE"))))
        end++;
    if (end == reader->size && reader->frame) {
        reader->at = end;
        return false;
    }
    naive_add(&digits, reader->text + at, end - at);
    good = json_number(digits.data, &text);
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
        python_fail(reader,
                    digits.data[0] == '0' && is_one_of(digits.data[1],
                                                       "xXoObB")
                        ? "limit_number" : "not_a_literal",
                    true);
    }
    naive_release(&digits);
    naive_release(&text);
    return good;
}

/* --- values ------------------------------------------------------------ */

typedef enum value_kind { VALUE_SCALAR, VALUE_STRING, VALUE_CONTAINER }
    value_kind;

static bool read_any(python_reader *reader, bool key, bool in_call,
                     value_kind *kind);

/* Behind an element: true if the container goes on or ends at |*next|; the
 * byte there, or 0 while a marker closes all that is open. */
static bool behind_element(python_reader *reader, int *c)
{
    size_t next = python_skip(reader, reader->at), size;

    *c = byte_at(reader, next);
    if (*c < 0) {
        reader->at = reader->size;
        return false;
    }
    if (reader->unwinding || python_ends(reader, next)) {
        reader->unwinding = true;
        *c = 0;
        return true;
    }
    reader->at = next;
    if (is_one_of(*c, ",:)]}"))
        return true;
    if (*c == '#')
        return python_fail(reader, "comment", true);
    size = python_word(reader, next, "");
    if (is_one_of(*c, "+-*/%@&|^<>=.([!~") ||
        python_is_operator_word(reader, next, size))
        return python_fail(reader, "not_a_literal", true);
    return python_fail(reader, "syntax_error", false);
}

/* Where an element or the closer is due. */
static bool at_closer(python_reader *reader, char closer)
{
    size_t next = python_skip(reader, reader->at);

    if (byte_at(reader, next) != closer)
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
    whole = read_any(reader, false, false, &kind) &&
            behind_element(reader, &c);
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

    if (reader->depth + 1 >= FRAME_NEST)
        return python_fail(reader, "limit_depth", true);
    reader->stack[reader->depth++] = closer;
    reader->at++;
    if (opener == '[') {
        naive_add_text(reader->out, "[");
        whole = read_elements(reader, closer, 0);
        naive_add_text(reader->out, "]");
    } else {
        whole = opener == '(' ? read_parenthesis(reader)
                              : read_braces(reader);
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
    c = byte_at(reader, reader->at);
    if (c < 0)
        return false;
    *kind = VALUE_CONTAINER;
    if (is_one_of(c, "([{"))
        return read_container(reader);
    *kind = VALUE_SCALAR;
    sign = c == '+' || c == '-';
    next = sign ? python_skip(reader, reader->at + 1) : reader->at;
    if (is_digit(byte_at(reader, next)) || byte_at(reader, next) == '.')
        return read_number(reader, c == '-', next);
    (void)string_prefix(reader, reader->at, &begins);
    if (begins) {
        *kind = VALUE_STRING;
        return read_string(reader, key);
    }
    size = python_word(reader, reader->at, "");
    if (size && reader->at + size == reader->size && reader->frame) {
        reader->at = reader->size;
        return false;
    }
    if (size && read_constant(reader, size))
        return true;
    if (c == '#')
        return python_fail(reader, "comment", true);
    if (size || sign || is_one_of(c, "*~"))
        return python_fail(reader, "not_a_literal", true);
    if (is_one_of(c, ",)"))
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
