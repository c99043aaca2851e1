/* SPDX-License-Identifier: MIT
 *
 * The machine's steps over faultless JSON, many at a time; machine_step.c is
 * the reference.
 */
#include "json/advance.h"

#include <string.h>

#include "core/skip.h"
#include "core/utf8.h"
#include "json/machine_state.h"
#include "json/number.h"
#include "json/scalar.h"

/* Each of these moves *at over one lexeme and what belongs to it, and says
 * whether it could.  There is at least one byte at *at. */

static bool advance_blanks(const uint8_t **at, const uint8_t *limit)
{
    const uint8_t *from = *at;
    *at = tw_behind_ws(from, limit);
    return *at > from;
}

/* ---- strings ------------------------------------------------------------ */

/* Half a pair is for the slow way. */
static bool is_unicode(const uint8_t *at)
{
    const bool surrogate = (at[2] | 0x20) == 'd' && at[3] >= '8';
    return tw_json_are_digits(at + 2) && !surrogate;
}

/* The escape at |at|; 0: it is not whole, or none. */
static inline size_t escape_size(const uint8_t *at, const uint8_t *limit)
{
    if (limit - at < 2) {
        return 0;
    }
    if ((tw_plain_kinds[at[1]] & TW_PLAIN_ESCAPED) != 0) {
        return 2; /* a constant: no load must wait for another */
    }
    return at[1] == 'u' && limit - at >= 6 && is_unicode(at) ? 6 : 0;
}

/* Behind what is no plain ASCII at |at|, but is in order; |at|: it is not. */
static inline const uint8_t *behind_escape(const uint8_t *at,
                                           const uint8_t *limit)
{
    return *at == '\\'   ? at + escape_size(at, limit)
           : *at >= 0x80 ? tw_skip_well_formed(at, limit, TW_PLAIN_STRING)
                         : at;
}

const uint8_t *tw_json_string_end(const uint8_t *at, const uint8_t *limit)
{
    const uint8_t *before;
    do {
        at = tw_skip_string(tw_skip_escaped(at, limit), limit);
        before = at;
        if (at < limit && *at != '"') {
            at = behind_escape(at, limit);
        }
    } while (at > before && at < limit);
    return at;
}

static bool advance_string(tw_json *json, const uint8_t **at,
                           const uint8_t *limit)
{
    if (json->quote != '"') {
        return false;
    }
    *at = tw_json_string_end(*at, limit);
    if (*at < limit && **at == '"') {
        json->state = json->in_key ? COLON : AFTER;
        ++*at;
        return true;
    }
    return *at == limit;
}

static bool advance_open_string(tw_json *json, const uint8_t **at,
                                const uint8_t *limit, bool key)
{
    json->state = STRING;
    json->in_key = key;
    json->quote = '"';
    json->raw_seen = false;
    ++*at;
    return advance_string(json, at, limit);
}

/* ---- containers --------------------------------------------------------- */

static uint8_t top(const tw_json *json)
{
    return json->levels.data[json->depth - 1];
}

/* Not where the bulk ends, is a fault, or half of a doubled brace. */
static bool may_close(const tw_json *json, uint8_t level)
{
    return json->depth > json->floor && top(json) == level;
}

static void pop(tw_json *json)
{
    json->depth--;
    json->levels.size--;
    json->quote = 0;
    json->state = AFTER;
}

static bool advance_close(tw_json *json, const uint8_t **at, uint8_t level)
{
    const bool may = may_close(json, level);
    if (may) {
        pop(json);
        ++*at;
    }
    return may;
}

static bool advance_open(tw_json *json, const uint8_t **at, uint8_t level)
{
    if (json->depth >= json->limit ||
        json->levels.size == json->levels.capacity) {
        return false;
    }
    json->levels.data[json->levels.size++] = level;
    json->depth++;
    json->state = level == OBJECT ? FIRST_KEY : FIRST_ELEMENT;
    ++*at;
    return true;
}

/* ---- numbers ------------------------------------------------------------ */

/* Byte by byte, where it may be cut anywhere. */
static bool advance_rest_of_number(tw_json *json, const uint8_t **at,
                                   const uint8_t *limit)
{
    while (*at < limit && tw_number_takes(&json->number, **at)) {
        ++*at;
    }
    if (*at < limit && tw_number_may_end(json->number)) {
        json->quote = 0;
        json->state = AFTER;
        return true;
    }
    return *at == limit;
}

static bool advance_number(tw_json *json, const uint8_t **at,
                           const uint8_t *limit)
{
    json->state = NUMBER;
    json->number = TW_NUMBER_BEGIN;
    return advance_rest_of_number(json, at, limit);
}

/* A scalar, and in arrays all scalars and arrays that follow without a blank:
 * so that rows of numbers need no look at the state for each. */
static bool advance_scalars(tw_json *json, const uint8_t **from,
                            const uint8_t *limit)
{
    const uint8_t *at = *from;
    const uint8_t *behind = at;
    while (at < limit) {
        if (*at == '[') {
            if (!advance_open(json, &at, ARRAY)) {
                break;
            }
            behind = at;
            continue;
        }
        const uint8_t *end = tw_json_scalar_end(at, limit);
        if (end == NULL) {
            break;
        }
        behind = end;
        json->state = AFTER;
        while (behind < limit && *behind == ']' && may_close(json, ARRAY)) {
            pop(json);
            behind++;
        }
        if (behind == limit || *behind != ',' || top(json) != ARRAY) {
            break;
        }
        at = behind + 1;
    }
    const bool moved = behind > *from;
    json->quote = moved ? 0 : json->quote; /* the last one was no string */
    *from = behind;
    return moved;
}

/* ---- between tokens ----------------------------------------------------- */

static bool advance_literal(tw_json *json, const uint8_t **at,
                            const uint8_t *limit, const char *word,
                            size_t size)
{
    if ((size_t)(limit - *at) < size || memcmp(*at, word, size) != 0) {
        return false;
    }
    *at += size;
    json->quote = 0;
    json->state = AFTER;
    return true;
}

static bool advance_value(tw_json *json, const uint8_t **at,
                          const uint8_t *limit)
{
    if (advance_scalars(json, at, limit)) {
        return true;
    }
    switch (**at) {
    case '"': return advance_open_string(json, at, limit, false);
    case '{': return advance_open(json, at, OBJECT);
    case '[': return advance_open(json, at, ARRAY);
    case 't': return advance_literal(json, at, limit, "true", 4);
    case 'f': return advance_literal(json, at, limit, "false", 5);
    case 'n': return advance_literal(json, at, limit, "null", 4);
    case ']':
        return json->state == FIRST_ELEMENT && advance_close(json, at, ARRAY);
    case '-':
    case '0':
    case '1':
    case '2':
    case '3':
    case '4':
    case '5':
    case '6':
    case '7':
    case '8':
    case '9': return advance_number(json, at, limit);
    default: return advance_blanks(at, limit);
    }
}

static bool advance_key(tw_json *json, const uint8_t **at,
                        const uint8_t *limit)
{
    switch (**at) {
    case '"': return advance_open_string(json, at, limit, true);
    case '}':
        return json->state == FIRST_KEY && advance_close(json, at, OBJECT);
    default: return advance_blanks(at, limit);
    }
}

/* A comma, with the value or key behind it: without that in view it might be
 * a trailing one. */
static bool advance_comma(tw_json *json, const uint8_t **at,
                          const uint8_t *limit)
{
    const uint8_t *next = tw_behind_ws(*at + 1, limit);
    if (next == limit || next - *at > COMMA_HOLD) {
        return false;
    }
    if (top(json) != ARRAY) {
        if (*next != '"') {
            return false;
        }
        *at = next;
        return advance_open_string(json, at, limit, true);
    }
    const uint8_t *comma = *at;
    json->state = VALUE;
    *at = next;
    if (advance_value(json, at, limit)) {
        return true;
    }
    if (json->state == VALUE) { /* nothing begins there that is known */
        json->state = AFTER;
        *at = comma;
    }
    return false;
}

static bool advance_after(tw_json *json, const uint8_t **at,
                          const uint8_t *limit)
{
    switch (**at) {
    case ',': return advance_comma(json, at, limit);
    case '}': return advance_close(json, at, OBJECT);
    case ']': return advance_close(json, at, ARRAY);
    default: return advance_blanks(at, limit);
    }
}

static bool advance_colon(tw_json *json, const uint8_t **at,
                          const uint8_t *limit)
{
    if (**at != ':') {
        return advance_blanks(at, limit);
    }
    ++*at;
    json->state = VALUE;
    return true;
}

bool tw_json_is_run(const tw_json *json)
{
    return json->state == STRING && json->quote == '"' &&
           tw_json_in_bulk(json);
}

const uint8_t *tw_json_advance(tw_json *json, const uint8_t *at,
                               const uint8_t *limit)
{
    bool on = tw_json_in_bulk(json) && !json->swallow && json->look == 0;
    while (on && at < limit) {
        switch (json->state) {
        case STRING: on = advance_string(json, &at, limit); break;
        case NUMBER: on = advance_rest_of_number(json, &at, limit); break;
        case AFTER: on = advance_after(json, &at, limit); break;
        case COLON: on = advance_colon(json, &at, limit); break;
        case KEY:
        case FIRST_KEY: on = advance_key(json, &at, limit); break;
        default: on = advance_value(json, &at, limit); break;
        }
    }
    return at;
}

/* ---- what a string means ------------------------------------------------ */

enum { MEANING_STEP = 2048 };

static size_t write_escape(const uint8_t *at, uint8_t *out)
{
    if (at[1] == 'u') {
        return tw_point_put((char *)out, tw_json_hex_value(at + 2));
    }
    *out = tw_json_meanings[at[1]];
    return 1;
}

/* Up to |limit|, whose meaning has room at |out| and 16 bytes more. */
static const uint8_t *write_meaning(const uint8_t *at, const uint8_t *limit,
                                    uint8_t **out)
{
    while (at < limit) {
        size_t size = tw_copy_string(*out, at, limit);
        at += size;
        *out += size;
        if (size == 16 || at == limit) {
            continue;
        }
        size = 0;
        if (*at == '\\') {
            size = escape_size(at, limit);
            *out += size > 0 ? write_escape(at, *out) : 0;
        } else if (*at >= 0x80 &&
                   tw_utf8_next(at, limit, &size) == TW_UTF8_GOOD) {
            memcpy(*out, at, size);
            *out += size;
        } else {
            size = 0;
        }
        if (size == 0) {
            break;
        }
        at += size;
    }
    return at;
}

bool tw_json_advance_meaning(const tw_json *json, tw_view *view,
                             tw_buffer *out)
{
    const uint8_t *before = NULL;
    while (json->state == STRING && json->quote == '"' &&
           view->at < view->limit && view->at != before) {
        const size_t left = (size_t)(view->limit - view->at);
        const size_t size = left < MEANING_STEP ? left : MEANING_STEP;
        if (!tw_buffer_reserve(out, json->memory, size + 16)) {
            return false;
        }
        uint8_t *end = out->data + out->size;
        before = view->at;
        view->at = write_meaning(before, before + size, &end);
        out->size = (size_t)(end - out->data);
    }
    return true;
}

bool tw_json_enter_inner(tw_json *json)
{
    static const uint8_t levels[2] = {OBJECT, OBJECT};
    if (!tw_buffer_append(&json->levels, json->memory, levels,
                          sizeof levels)) {
        return false;
    }
    json->depth = 2;
    json->state = FIRST_KEY;
    return true;
}

/* ---- half a lexeme ------------------------------------------------------ */

static bool is_half_escape(const uint8_t *at, const uint8_t *limit)
{
    if (limit - at < 2) {
        return true;
    }
    const uint8_t *digit = at + 2;
    while (digit < limit && tw_json_is_hex(*digit)) {
        digit++;
    }
    return at[1] == 'u' && digit == limit && limit - at < 6;
}

bool tw_json_is_half(const tw_json *json, const uint8_t *at,
                     const uint8_t *limit)
{
    size_t size;
    if (json->state == STRING) {
        return *at == '\\' ? is_half_escape(at, limit)
                           : *at >= 0x80 && tw_utf8_next(at, limit, &size) ==
                                                TW_UTF8_INCOMPLETE;
    }
    return json->state == AFTER && *at == ',' && limit - at <= COMMA_HOLD &&
           json->repairs && tw_behind_ws(at + 1, limit) == limit;
}
