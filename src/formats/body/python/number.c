/* SPDX-License-Identifier: MIT
 *
 * Python's numbers as JSON's.  A number keeps its spelling but for what JSON
 * does not allow: docs/rules.md P1.
 */
#include "core/ascii.h"
#include "formats/body/python/state.h"
#include "json/write.h"

typedef struct slice {
    uint8_t *at;
    uint8_t *end;
} slice;

/* A number in decimal, its parts without underscores. */
typedef struct decimal {
    slice whole;
    bool point;
    slice part;
    slice power; /* with `e` and its sign; empty: none */
} decimal;

/* Digits with an underscore between two of them, which goes, at |*at|. */
static slice take_digits(uint8_t **at, const uint8_t *end)
{
    slice digits = {*at, *at};
    for (uint8_t *from = *at; from < end; *at = ++from) {
        const bool between = *from == '_' && digits.end > digits.at &&
                             end - from > 1 && tw_is_digit(from[1]);
        if (tw_is_digit(*from)) {
            *digits.end++ = *from;
        } else if (!between) {
            break;
        }
    }
    return digits;
}

/* Any number in decimal; false: it is none. */
static bool take_number(slice token, decimal *out)
{
    uint8_t *at = token.at;
    out->whole = take_digits(&at, token.end);
    out->point = at < token.end && *at == '.';
    at += out->point;
    out->part = take_digits(&at, token.end);
    out->power = (slice){at, at};
    bool good = out->whole.end > out->whole.at || out->part.end > out->part.at;
    good = good && (out->point || out->part.end == out->part.at);
    if (good && at < token.end && (*at | 0x20) == 'e') {
        at++;
        at += at < token.end && (*at == '+' || *at == '-');
        const slice digits = take_digits(&at, token.end);
        out->power.end = digits.end;
        good = digits.end > digits.at;
    }
    return good && at == token.end;
}

static void put(tw_python_value *value, slice text)
{
    tw_python_put(value, (const char *)text.at, (size_t)(text.end - text.at));
}

static void put_number(tw_python_value *value, const decimal *number)
{
    slice whole = number->whole;
    while (whole.end - whole.at > 1 && *whole.at == '0') {
        whole.at++;
    }
    tw_python_put(value, "0", whole.end == whole.at);
    put(value, whole);
    tw_python_put(value, ".", number->point);
    put(value, number->part);
    tw_python_put(value, "0",
                  number->point && number->part.end == number->part.at);
    put(value, number->power);
}

/* ---- other bases -------------------------------------------------------- */

static unsigned digit_of(uint8_t c)
{
    const uint8_t letter = c | 0x20;
    return tw_is_digit(c)                   ? (unsigned)(c - '0')
           : letter >= 'a' && letter <= 'f' ? (unsigned)(letter - 'a' + 10)
                                            : 16;
}

static unsigned base_of(slice token)
{
    const uint8_t letter =
        token.end - token.at > 1 && *token.at == '0' ? token.at[1] | 0x20 : 0;
    return letter == 'x' ? 16 : letter == 'o' ? 8 : letter == 'b' ? 2 : 10;
}

/* 0x1F and its like, which JSON has in decimal.  0, or why it is none. */
static uint32_t take_based(slice token, uint64_t *number)
{
    const unsigned base = base_of(token);
    bool due = true;
    *number = 0;
    for (const uint8_t *at = token.at + 2; at < token.end; at++) {
        const unsigned digit = digit_of(*at);
        if (*at == '_' && (!due || at == token.at + 2)) {
            due = true;
            continue;
        }
        if (digit >= base) {
            return TW_DIAGNOSTIC_NOT_A_LITERAL;
        }
        if (*number > (UINT64_MAX - digit) / base) {
            return TW_DIAGNOSTIC_LIMIT_NUMBER;
        }
        *number = *number * base + digit;
        due = false;
    }
    return due ? TW_DIAGNOSTIC_NOT_A_LITERAL : 0;
}

/* ---- steps -------------------------------------------------------------- */

/* An integer that begins with 0 and is not 0. */
static bool has_leading_zero(const decimal *number)
{
    const slice whole = number->whole;
    bool other = false;
    for (const uint8_t *at = whole.at; at < whole.end; at++) {
        other |= *at != '0';
    }
    return !number->point && number->power.at == number->power.end && other &&
           *whole.at == '0';
}

/* The number in |token| is whole: it becomes JSON there. */
static tw_body_end end_number(tw_python_value *value)
{
    tw_buffer *token = &value->token;
    const slice text = {token->data, token->data + token->size};
    const uint64_t digits_at = value->window->offset - token->size;
    const unsigned base = base_of(text);
    decimal read = {.point = false};
    uint64_t based = 0;
    const uint32_t wrong = base != 10 ? take_based(text, &based)
                           : take_number(text, &read)
                               ? 0
                               : TW_DIAGNOSTIC_NOT_A_LITERAL;
    if (wrong != 0) {
        return tw_python_fail(value, wrong, value->token_at, true);
    }
    if (base == 10 && has_leading_zero(&read) && value->call != NULL) {
        tw_sink_diagnostic(value->call->sink, TW_DIAGNOSTIC_LEADING_ZEROS,
                           digits_at);
    }
    const bool key = tw_python_begin_scalar(value);
    tw_python_put(value, "-", value->minus);
    if (base == 10) {
        put_number(value, &read);
    } else {
        token->size = 0;
        if (!tw_json_write_number(token, value->memory, based)) {
            tw_python_no_memory(value);
        }
        tw_python_put(value, (const char *)token->data, token->size);
    }
    tw_python_end_scalar(value, key);
    return tw_python_end_value(value, value->window->offset);
}

/* Does a number go on with |c|, behind the |size| bytes at |token|? */
static bool goes_on(const tw_buffer *token, uint8_t c)
{
    const uint8_t *text = token->data;
    const size_t size = token->size;
    const bool letter = (c | 0x20) >= 'a' && (c | 0x20) <= 'z';
    const bool hex = size > 1 && text[0] == '0' && (text[1] | 0x20) == 'x';
    return tw_is_digit(c) || letter || c == '_' || c == '.' ||
           ((c == '+' || c == '-') && size > 0 && !hex &&
            (text[size - 1] | 0x20) == 'e');
}

tw_body_end tw_python_read_number(tw_python_value *value)
{
    tw_window *window = value->window;
    tw_buffer *token = &value->token;
    const size_t before = token->size;
    while (tw_window_size(window) > 0 && goes_on(token, *window->at)) {
        if (token->size == TW_HOLD_VALUE) {
            return tw_python_fail(value, TW_DIAGNOSTIC_LIMIT_NUMBER,
                                  value->token_at, true);
        }
        if (!tw_buffer_append(token, value->memory, window->at, 1)) {
            tw_python_no_memory(value);
            break;
        }
        tw_window_skip(window, 1);
    }
    if (tw_window_size(window) > 0 || tw_python_may_end(value)) {
        return end_number(value);
    }
    return token->size > before ? TW_BODY_GOES_ON : tw_python_cut(value);
}

tw_body_end tw_python_read_sign(tw_python_value *value)
{
    tw_window *window = value->window;
    const uint8_t *at = window->at;
    const tw_python_lexeme lexeme =
        tw_python_scan(&at, window->limit, window->eof);
    if (lexeme == TW_PYTHON_MORE) {
        return TW_BODY_STARVED;
    }
    if (lexeme == TW_PYTHON_WS) {
        tw_window_skip(window, (size_t)(at - window->at));
        return TW_BODY_GOES_ON;
    }
    if (lexeme == TW_PYTHON_END || (!tw_is_digit(*at) && *at != '.')) {
        return tw_python_fail(value, TW_DIAGNOSTIC_NOT_A_LITERAL,
                              value->token_at, true);
    }
    value->token.size = 0;
    value->state = TW_PYTHON_IN_NUMBER;
    return TW_BODY_GOES_ON;
}
