/* SPDX-License-Identifier: MIT
 *
 * A bad call's end: strings and brackets are followed, their meaning is not
 * (docs/rules.md P5).  A marker ends it wherever it stands, as it ends a bad call
 * of any form.
 */
#include "formats/body/python/skip.h"

#include <string.h>

#include "formats/body/python/state.h"

void tw_python_skip_from(tw_python_value *value, bool in_value)
{
    if (!in_value || value->state != TW_PYTHON_IN_STRING) {
        value->state = TW_PYTHON_BEHIND_VALUE;
    }
    if (!in_value) {
        value->levels.size = 0;
    }
}

static tw_body_end go_on(tw_python_value *value, size_t size)
{
    tw_window_skip(value->window, size);
    return TW_BODY_GOES_ON;
}

/* A quote outside strings, or the one of the string. */
static tw_body_end skip_quote(tw_python_value *value)
{
    const tw_window *window = value->window;
    tw_python_string *string = &value->string;
    const bool inside = value->state == TW_PYTHON_IN_STRING;
    bool more = false;
    const size_t size = !inside || string->triple
                            ? tw_python_quotes_at(window, *window->at, &more)
                            : 1;
    if (more) {
        return TW_BODY_STARVED;
    }
    if (!inside) {
        string->quote = *window->at;
        string->triple = size == 3;
        value->state = TW_PYTHON_IN_STRING;
        return go_on(value, string->triple ? 3 : 1);
    }
    if (string->triple && size < 3) {
        return go_on(value, 1);
    }
    if (!string->triple) {
        switch (tw_python_quote_ends(value, window->at + 1, true, false)) {
        case TW_MATCH_MORE: return TW_BODY_STARVED;
        case TW_MATCH_NONE: return TW_BODY_BROKEN;
        default: break;
        }
    }
    value->state = TW_PYTHON_BEHIND_VALUE;
    return go_on(value, size);
}

static tw_body_end skip_opener(tw_python_value *value, uint8_t c)
{
    if (value->levels.size / sizeof(tw_python_level) >= value->depth) {
        return TW_BODY_BROKEN;
    }
    if (!tw_python_push(value, c == '['   ? TW_PYTHON_LIST
                               : c == '(' ? TW_PYTHON_TUPLE
                                          : TW_PYTHON_DICT)) {
        tw_python_no_memory(value);
    }
    return go_on(value, 1);
}

static tw_body_end skip_closer(tw_python_value *value, uint8_t c)
{
    const tw_python_level *level = tw_python_top(value);
    const bool last = level == NULL;
    if (c != (last ? ')' : tw_python_closer(level))) {
        return TW_BODY_BROKEN;
    }
    if (!last) {
        tw_python_pop(value);
    }
    go_on(value, 1);
    return last ? TW_BODY_DONE : TW_BODY_GOES_ON;
}

/* Does the byte matter? */
static bool matters(const tw_python_value *value, const uint8_t *at)
{
    const tw_window *window = value->window;
    const bool inside = value->state == TW_PYTHON_IN_STRING;
    return (inside ? *at == value->string.quote || *at == '\\'
                   : *at != 0 && strchr("\"'()[]{}", *at) != NULL) ||
           tw_markers_may_begin(value->marks, at, window->limit);
}

/* A quote that it escapes is passed with it, or another backslash.  Anything
 * else may begin a marker. */
static tw_body_end skip_backslash(tw_python_value *value, bool inside)
{
    const tw_window *window = value->window;
    const uint8_t *next = window->at + 1;
    if (next == window->limit && !window->eof) {
        return TW_BODY_STARVED;
    }
    const bool escapes = inside && next < window->limit && *next != 0 &&
                         strchr("\"'\\", *next) != NULL;
    return go_on(value, escapes ? 2 : 1);
}

tw_body_end tw_python_skip_step(tw_python_value *value)
{
    const tw_window *window = value->window;
    const uint8_t *at = window->at;
    while (at < window->limit && !matters(value, at)) {
        at++;
    }
    if (at > window->at) {
        return go_on(value, (size_t)(at - window->at));
    }
    if (at == window->limit) {
        return window->eof ? TW_BODY_BROKEN : TW_BODY_STARVED;
    }
    switch (tw_python_marker_at(value, at)) {
    case TW_MATCH_MORE: return TW_BODY_STARVED;
    case TW_MATCH_WHOLE: return TW_BODY_BROKEN;
    default: break;
    }
    const bool inside = value->state == TW_PYTHON_IN_STRING;
    switch (*at) {
    case '"':
    case '\'':
        return !inside || *at == value->string.quote ? skip_quote(value)
                                                     : go_on(value, 1);
    case '\\': return skip_backslash(value, inside);
    case '(':
    case '[':
    case '{': return inside ? go_on(value, 1) : skip_opener(value, *at);
    case ')':
    case ']':
    case '}': return inside ? go_on(value, 1) : skip_closer(value, *at);
    default: return go_on(value, 1);
    }
}
