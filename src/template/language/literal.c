/* SPDX-License-Identifier: MIT
 *
 * What literals in a template mean: Python's strings and numbers.
 */
#include "core/ascii.h"
#include "messages/pytext.h"
#include "template/language/compile.h"

/* ---- strings ------------------------------------------------------------ */

static int digit_of(char c)
{
    return tw_is_digit(c)         ? c - '0'
           : c >= 'a' && c <= 'z' ? c - 'a' + 10
           : c >= 'A' && c <= 'Z' ? c - 'A' + 10
                                  : 99;
}

static bool append(tw_compiler *compiler, tw_buffer *out, const void *data,
                   size_t size)
{
    if (!tw_buffer_append(out, &compiler->program->memory, data, size)) {
        compiler->code = TW_ERROR_MEMORY;
        return false;
    }
    return true;
}

/* The code point of |count| digits at |at|.  false: not that many are there.
 */
static bool read_point(const char *at, const char *limit, size_t count,
                       uint32_t base, uint32_t *point)
{
    *point = 0;
    for (size_t i = 0; i < count; i++) {
        if (at + i >= limit || digit_of(at[i]) >= (int)base) {
            return false;
        }
        *point = *point * base + (uint32_t)digit_of(at[i]);
    }
    return true;
}

static const char escape_letters[] = "\\'\"abfnrtv";
static const char escape_values[] = "\\'\"\a\b\f\n\r\t\v";

/* An escape at |at|, a backslash: appended; returns what is behind it. */
static const char *read_escape(tw_compiler *compiler, tw_buffer *out,
                               const char *at, const char *limit)
{
    char bytes[4];
    uint32_t point;
    const char letter = at[1];
    const char *known = strchr(escape_letters, letter);
    if (letter == '\n') {
        return at + 2;
    }
    if (known != NULL && letter != 0) {
        append(compiler, out, &escape_values[known - escape_letters], 1);
        return at + 2;
    }
    const size_t digits = letter == 'x'   ? 2
                          : letter == 'u' ? 4
                          : letter == 'U' ? 8
                                          : 0;
    if (digits > 0) {
        if (!read_point(at + 2, limit, digits, 16, &point)) {
            tw_compile_fail_here(
                compiler, digits == 2   ? "truncated \\xXX escape"
                          : digits == 4 ? "truncated \\uXXXX escape"
                                        : "truncated \\UXXXXXXXX escape");
        } else if (point >= 0x110000) {
            tw_compile_fail_here(compiler, "illegal Unicode character");
        } else if (point >= 0xD800 && point < 0xE000) {
            tw_compile_fail_here(compiler, "surrogates not allowed");
        } else {
            append(compiler, out, bytes, tw_point_put(bytes, point));
        }
        return at + 2 + digits > limit ? limit : at + 2 + digits;
    }
    size_t octal = 0;
    while (octal < 3 && at + 1 + octal < limit &&
           digit_of(at[1 + octal]) < 8) {
        octal++;
    }
    if (octal > 0) {
        read_point(at + 1, limit, octal, 8, &point);
        append(compiler, out, bytes, tw_point_put(bytes, point));
        return at + 1 + octal;
    }
    if (letter == 'N') {
        tw_compile_fail_here(
            compiler, "characters by their names (\\N) are not known here");
    }
    append(compiler, out, at, 1);
    return at + 1;
}

/* What the string literals at the token mean, joined. */
uint32_t tw_compile_strings(tw_compiler *compiler)
{
    tw_buffer text = {0};
    const tw_token first = compiler->token;
    do {
        const char *at = compiler->token.at + 1;
        const char *limit = compiler->token.at + compiler->token.size - 1;
        while (at < limit && compiler->code == TW_OK) {
            const char *slash = memchr(at, '\\', (size_t)(limit - at));
            const char *end = slash != NULL ? slash : limit;
            append(compiler, &text, at, (size_t)(end - at));
            at = slash != NULL ? read_escape(compiler, &text, slash, limit)
                               : end;
        }
        tw_compile_next(compiler);
    } while (tw_compile_sees(compiler, TW_LEX_STRING));
    const uint32_t word =
        tw_compile_word(compiler, (const char *)text.data, text.size);
    tw_buffer_free(&text, &compiler->program->memory);
    return tw_compile_pair(compiler, TW_NODE_CONSTANT, &first, word, 0);
}

/* ---- numbers and words -------------------------------------------------- */

/* The digits of a number literal, without underscores. */
static size_t digits_of(const tw_token *token, char *out, size_t room)
{
    size_t size = 0;
    for (size_t i = 0; i < token->size && size < room; i++) {
        if (token->at[i] != '_') {
            out[size++] = token->at[i];
        }
    }
    return size;
}

enum { LONGEST_NUMBER = 400 };

static tw_item read_integer(tw_compiler *compiler, const char *text,
                            size_t size)
{
    uint64_t base = 10;
    size_t at = 0;
    if (size > 2 && text[0] == '0' && digit_of(text[1]) > 9) {
        base = (text[1] | 0x20) == 'x' ? 16 : (text[1] | 0x20) == 'o' ? 8 : 2;
        at = 2;
    }
    uint64_t value = 0;
    for (; at < size; at++) {
        const uint64_t digit = (uint64_t)digit_of(text[at]);
        if (value > (INT64_MAX - digit) / base) {
            tw_compile_fail_here(compiler, "an integer of more than 64 bits");
            return tw_item_int(0);
        }
        value = value * base + digit;
    }
    return tw_item_int((int64_t)value);
}

uint32_t tw_compile_number(tw_compiler *compiler)
{
    char text[LONGEST_NUMBER];
    const tw_token token = compiler->token;
    const size_t size = digits_of(&token, text, sizeof text);
    if (size == sizeof text) {
        tw_compile_fail_here(compiler, "a number of too many digits");
    }
    const tw_item item = token.type == TW_LEX_FLOAT
                             ? tw_item_float(tw_python_double(text, size))
                             : read_integer(compiler, text, size);
    tw_compile_next(compiler);
    return tw_compile_pair(compiler, TW_NODE_CONSTANT, &token,
                           tw_compile_constant(compiler, item), 0);
}

bool tw_compile_is_word_item(const tw_token *token, tw_item *item)
{
    const bool yes = tw_token_is(token, "true") || tw_token_is(token, "True");
    const bool no = tw_token_is(token, "false") || tw_token_is(token, "False");
    *item = yes || no ? tw_item_bool(yes) : tw_item_of(TW_ITEM_NONE);
    return yes || no || tw_token_is(token, "none") ||
           tw_token_is(token, "None");
}
