/* SPDX-License-Identifier: MIT
 *
 * Python's strings as JSON strings.
 *
 * Templates write them without escapes, so a raw line feed is data, and so is
 * a quote behind which Python could not go on: docs/rules.md P4.  One that
 * begins a quoted part does not leave the string's end to chance (D10).
 */
#include <string.h>

#include "core/ascii.h"
#include "core/skip.h"
#include "core/utf8.h"
#include "formats/body/python/state.h"
#include "json/machine_state.h"
#include "json/write.h"

/* ---- what stands in front of a quote ------------------------------------ */

static bool is_word(uint8_t c)
{
    return tw_is_alnum(c) || c >= 0x80;
}

/* What was read ends behind |size| bytes of the window. */
static void read_to(tw_python_value *value, size_t size, bool word)
{
    value->string.word = word;
    value->string.behind = value->window->offset + size;
}

/* ---- what it means ------------------------------------------------------ */

static void put_byte(tw_python_value *value, uint8_t c)
{
    char text[TW_JSON_ESCAPE_SIZE];
    const size_t size = tw_json_escape(c, text);
    tw_python_put(value, size > 0 ? text : (const char *)&c,
                  size > 0 ? size : 1);
}

/* Half of a pair stays the escape that it is. */
static void put_half(tw_python_value *value, uint32_t code, uint64_t offset)
{
    static const char digits[] = "0123456789abcdef";
    const char text[] = {'\\',
                         'u',
                         digits[code >> 12 & 15],
                         digits[code >> 8 & 15],
                         digits[code >> 4 & 15],
                         digits[code & 15]};
    tw_python_put(value, text, sizeof text);
    if (value->call != NULL) {
        tw_sink_diagnostic(value->call->sink, TW_DIAGNOSTIC_LONE_SURROGATE,
                           offset);
    }
}

/* The first half that waits has no second one. */
static void put_high(tw_python_value *value)
{
    tw_python_string *string = &value->string;
    if (string->high != 0) {
        put_half(value, string->high, string->high_at);
        string->high = 0;
    }
}

/* The code point that the escape at the window means. */
static void put_code(tw_python_value *value, uint32_t code)
{
    tw_python_string *string = &value->string;
    const uint64_t offset = value->window->offset;
    char text[4];
    if (string->high != 0 && tw_is_low(code)) {
        code = tw_pair(string->high, code);
        string->high = 0;
    }
    put_high(value);
    if (tw_is_high(code)) {
        string->high = code;
        string->high_at = offset;
    } else if (tw_is_low(code)) {
        put_half(value, code, offset);
    } else if (code < 0x80) {
        put_byte(value, (uint8_t)code);
    } else {
        tw_python_put(value, text, tw_point_put(text, code));
    }
}

/* ---- escapes ------------------------------------------------------------ */

/* The number that digits of any base spell. */
static uint32_t number_of(const uint8_t *at, const uint8_t *end, unsigned base)
{
    uint32_t code = 0;
    for (; at < end; at++) {
        const uint32_t digit = *at <= '9'
                                   ? (uint32_t)(*at - '0')
                                   : (uint32_t)((*at | 0x20) - 'a' + 10);
        code = code * base + digit;
    }
    return code;
}

static tw_body_end read_escape(tw_python_value *value)
{
    static const char letters[] = "\\'\"abfnrtv";
    static const char meanings[] = "\\'\"\a\b\f\n\r\t\v";
    tw_window *window = value->window;
    const uint8_t *from = window->at;
    const uint8_t *at = from;
    tw_python_lexeme lexeme =
        tw_python_scan_escape(&at, window->limit, window->eof);
    if (lexeme == TW_PYTHON_MORE || window->limit - from < 2) {
        return tw_python_cut(value);
    }
    uint32_t code = 0;
    if (lexeme == TW_PYTHON_HEX) {
        code = number_of(from + 2, at, 16);
        if (code > 0x10FFFF) {
            lexeme = TW_PYTHON_BAD_ESCAPE;
            at = from + 1;
        }
    }
    switch (lexeme) {
    case TW_PYTHON_ESCAPE:
        put_code(value, (uint8_t)meanings[strchr(letters, from[1]) - letters]);
        break;
    case TW_PYTHON_JOINED: break;
    case TW_PYTHON_OCTAL: put_code(value, number_of(from + 1, at, 8)); break;
    case TW_PYTHON_HEX: put_code(value, code); break;
    case TW_PYTHON_NAMED:
        return tw_python_fail(value, TW_DIAGNOSTIC_NAMED_ESCAPE,
                              window->offset, true);
    case TW_PYTHON_BAD_ESCAPE:
        tw_python_diagnose(value, TW_DIAGNOSTIC_BAD_ESCAPE, from);
        put_code(value, '\\');
        break;
    default: put_code(value, '\\'); break;
    }
    tw_window_skip(window, (size_t)(at - from));
    return TW_BODY_GOES_ON;
}

/* In a raw string it stays, and so does what it would escape. */
static tw_body_end read_raw_backslash(tw_python_value *value)
{
    tw_window *window = value->window;
    if (tw_window_size(window) < 2) {
        return tw_python_cut(value);
    }
    const uint8_t next = window->at[1];
    const bool both = next == 0 || strchr("\"'\\\r\n", next) != NULL;
    put_high(value);
    put_byte(value, '\\');
    if (both) {
        put_byte(value, next);
    }
    tw_window_skip(window, both ? 2 : 1);
    return TW_BODY_GOES_ON;
}

/* ---- where it ends ------------------------------------------------------ */

/* Behind a quote and white space, at |at|: what Python could go on with. */
static tw_match goes_on_at(const tw_python_value *value, const uint8_t *at)
{
    const tw_window *window = value->window;
    const uint8_t *behind = at;
    const tw_python_lexeme lexeme =
        tw_python_scan(&behind, window->limit, window->eof);
    if (lexeme == TW_PYTHON_MORE) {
        return TW_MATCH_MORE;
    }
    if (lexeme != TW_PYTHON_OTHER ||
        (*at != 0 && strchr("+-*/%@&|^<>=.([#", *at) != NULL)) {
        return TW_MATCH_WHOLE; /* another string, or an operator */
    }
    if (*at != '!') {
        return tw_python_operator_at(value, at);
    }
    return window->limit - at > 1 ? tw_match_if(at[1] == '=')
           : window->eof          ? TW_MATCH_NONE
                                  : TW_MATCH_MORE;
}

tw_match tw_python_quote_ends(const tw_python_value *value, const uint8_t *at,
                              bool key, bool broken)
{
    const tw_window *window = value->window;
    const bool short_left = window->limit - at <= TW_HOLD_WS;
    const uint8_t *limit = short_left ? window->limit : at + TW_HOLD_WS + 1;
    const uint8_t *next = at;
    const tw_python_lexeme lexeme =
        tw_python_skip(&next, limit, !short_left || window->eof);
    if (next - at > TW_HOLD_WS) {
        return TW_MATCH_NONE;
    }
    if (lexeme == TW_PYTHON_END || lexeme == TW_PYTHON_MORE) {
        return lexeme == TW_PYTHON_END ? TW_MATCH_WHOLE : TW_MATCH_MORE;
    }
    if (strchr(",)]}", *next) != NULL && *next != 0) {
        return TW_MATCH_WHOLE;
    }
    if (*next == ':') {
        return tw_match_if(key);
    }
    const tw_match marker = tw_python_marker_at(value, next);
    return marker != TW_MATCH_NONE ? marker
           : broken                ? TW_MATCH_NONE
                                   : goes_on_at(value, next);
}

static tw_body_end end_string(tw_python_value *value, size_t size)
{
    tw_window_skip(value->window, size);
    value->end = value->window->offset;
    value->state = TW_PYTHON_BEHIND_STRING;
    return TW_BODY_GOES_ON;
}

size_t tw_python_quotes_at(const tw_window *window, uint8_t quote, bool *more)
{
    size_t size = 1;
    while (size < 3 && size < tw_window_size(window) &&
           window->at[size] == quote) {
        size++;
    }
    *more = size < 3 && size == tw_window_size(window) && !window->eof;
    return size;
}

/* Does a letter or a digit stand in front of the window?  It tells an
 * apostrophe from a quote that begins. */
static bool is_behind_word(const tw_python_value *value)
{
    const tw_window *window = value->window;
    return window->offset == value->string.behind ? value->string.word
                                                  : is_word(window->last);
}

static tw_body_end read_quote(tw_python_value *value)
{
    tw_window *window = value->window;
    tw_python_string *string = &value->string;
    bool more = false;
    if (string->triple) {
        const size_t size = tw_python_quotes_at(window, string->quote, &more);
        if (more) {
            return TW_BODY_STARVED;
        }
        if (size == 3) {
            return end_string(value, size);
        }
    } else {
        const tw_match ends = tw_python_quote_ends(
            value, window->at + 1, string->key, string->broken);
        if (ends == TW_MATCH_MORE) {
            return TW_BODY_STARVED;
        }
        if (ends == TW_MATCH_WHOLE) {
            return string->inner
                       ? tw_python_fail(value, TW_DIAGNOSTIC_INNER_QUOTE,
                                        window->offset, false)
                       : end_string(value, 1);
        }
        if (!string->broken) {
            tw_python_diagnose(value, TW_DIAGNOSTIC_BARE_QUOTE, window->at);
        }
        string->broken = true;
        string->inner = !string->inner && !is_behind_word(value);
    }
    read_to(value, 1, false);
    put_high(value);
    put_byte(value, string->quote);
    tw_window_skip(window, 1);
    return TW_BODY_GOES_ON;
}

/* ---- what stands in it -------------------------------------------------- */

/* A byte that JSON escapes, or that is no UTF-8. */
static tw_body_end read_byte(tw_python_value *value)
{
    tw_window *window = value->window;
    tw_python_string *string = &value->string;
    const uint8_t c = *window->at;
    size_t size = 1;
    if (c >= 0x80) {
        const tw_utf8 kind = tw_utf8_next(window->at, window->limit, &size);
        if (kind == TW_UTF8_INCOMPLETE && !window->eof) {
            return TW_BODY_STARVED;
        }
        put_high(value);
        tw_python_diagnose(value, TW_DIAGNOSTIC_INVALID_UTF8, window->at);
        tw_python_put(value, TW_REPLACEMENT, TW_REPLACEMENT_SIZE);
    } else {
        const bool line_end = c == '\n' || c == '\r';
        if ((c == 0 || (line_end && !string->triple)) &&
            !string->control_seen) {
            string->control_seen = true;
            tw_python_diagnose(value, TW_DIAGNOSTIC_RAW_CONTROL, window->at);
        }
        put_high(value);
        put_byte(value, c);
    }
    read_to(value, size, is_word(c));
    tw_window_skip(window, size);
    return TW_BODY_GOES_ON;
}

/* What stands in JSON as it stands here, and is neither the quote nor a
 * backslash. */
static tw_plain run_kind(const tw_python_value *value)
{
    return value->string.quote == '"' ? TW_PLAIN_STRING : TW_PLAIN_QUOTED;
}

static const uint8_t *run_end(const tw_python_value *value,
                              const uint8_t *limit)
{
    return tw_skip_well_formed(value->window->at, limit, run_kind(value));
}

tw_body_end tw_python_read_string(tw_python_value *value)
{
    tw_window *window = value->window;
    const uint8_t *at = window->at;
    if (at == window->limit) {
        return tw_python_cut(value);
    }
    if (*at == '\\') {
        const tw_body_end end =
            value->string.raw ? read_raw_backslash(value) : read_escape(value);
        read_to(value, 0, false);
        return end;
    }
    if (*at == value->string.quote) {
        return read_quote(value);
    }
    const uint8_t *end = run_end(value, tw_window_reach(window, at + 1));
    if (end == at) {
        return read_byte(value);
    }
    put_high(value);
    const size_t room = tw_python_room(value);
    if ((size_t)(end - at) > room) {
        end = at + room;
        while (end > at && (*end & 0xC0) == 0x80) {
            end--; /* no code point is cut in two */
        }
        value->full = true;
    }
    read_to(value, (size_t)(end - at), end > at && is_word(end[-1]));
    tw_python_put_run(value, at, (size_t)(end - at));
    tw_window_skip(window, (size_t)(end - at));
    return TW_BODY_GOES_ON;
}

void tw_python_open_string(tw_python_value *value, size_t size, bool triple)
{
    tw_window *window = value->window;
    const tw_python_level *level = tw_python_top(value);
    tw_python_string *string = &value->string;
    string->quote = window->at[size - 1];
    string->raw = (*window->at | 0x20) == 'r';
    string->triple = triple;
    string->key =
        level != NULL && (level->kind == TW_PYTHON_BRACES ||
                          (level->kind == TW_PYTHON_DICT && !level->value));
    string->broken = string->control_seen = false;
    string->inner = false;
    read_to(value, size, false);
    tw_window_skip(window, size);
    value->state = TW_PYTHON_IN_STRING;
}

tw_body_end tw_python_read_behind_string(tw_python_value *value)
{
    tw_window *window = value->window;
    const uint8_t *at = window->at;
    const tw_python_lexeme lexeme =
        tw_python_scan(&at, window->limit, window->eof);
    const size_t size = (size_t)(at - window->at);
    switch (lexeme) {
    case TW_PYTHON_MORE: return TW_BODY_STARVED;
    case TW_PYTHON_WS: tw_window_skip(window, size); return TW_BODY_GOES_ON;
    case TW_PYTHON_STRING:
    case TW_PYTHON_TRIPLE:
        tw_python_open_string(value, size, lexeme == TW_PYTHON_TRIPLE);
        return TW_BODY_GOES_ON;
    case TW_PYTHON_NO_LITERAL:
        return tw_python_fail(value, TW_DIAGNOSTIC_NOT_A_LITERAL,
                              window->offset, true);
    default: break;
    }
    put_high(value);
    tw_python_put(value, "\"", 1);
    return tw_python_end_value(value, value->end);
}

const uint8_t *tw_python_value_advance(tw_python_value *value,
                                       tw_advanced *advanced)
{
    const tw_window *window = value->window;
    const tw_open_call *call = value->call;
    const uint8_t *limit = window->limit;
    if (value->state != TW_PYTHON_IN_STRING || value->undecided > 0 ||
        value->string.high != 0 || call->fail != 0 ||
        call->arguments.fail != 0) {
        return window->at;
    }
    const uint64_t left = tw_sink_arguments_left(call->sink);
    if (left < (uint64_t)(limit - window->at)) {
        limit = window->at + left;
    }
    const uint8_t *end = run_end(value, limit);
    if (end > window->at) {
        read_to(value, (size_t)(end - window->at), is_word(end[-1]));
    }
    advanced->type = TW_EVENT_CALL_ARGUMENTS;
    advanced->index = call->index;
    advanced->run_class =
        (uint8_t)(end == window->limit ? run_kind(value) : 0);
    return end;
}
