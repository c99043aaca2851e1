/* SPDX-License-Identifier: MIT
 *
 * The moves that all readers of Python share: JSON goes out or is held,
 * brackets open and close, a value begins and ends.
 */
#include <string.h>

#include "core/ascii.h"
#include "formats/body/opening.h"
#include "formats/body/python/state.h"

void tw_python_no_memory(tw_python_value *value)
{
    value->full = true;
    if (value->call != NULL) {
        tw_sink_fail(value->call->sink, TW_ERROR_MEMORY, value->window->offset,
                     "no memory");
    }
}

void tw_python_diagnose(tw_python_value *value, uint32_t code,
                        const uint8_t *at)
{
    if (value->call != NULL) {
        tw_sink_diagnostic(value->call->sink, code,
                           tw_window_offset(value->window, at));
    }
}

tw_body_end tw_python_fail(tw_python_value *value, uint32_t reason,
                           uint64_t offset, bool in_step)
{
    value->reason = reason;
    value->reason_at = offset;
    value->in_step = in_step;
    return TW_BODY_BROKEN;
}

bool tw_python_may_end(const tw_python_value *value)
{
    const tw_window *window = value->window;
    return window->eof && (value->call == NULL || window->stopped);
}

tw_body_end tw_python_cut(const tw_python_value *value)
{
    return value->window->eof ? TW_BODY_CUT : TW_BODY_STARVED;
}

/* ---- open brackets ------------------------------------------------------ */

tw_python_level *tw_python_top(const tw_python_value *value)
{
    const tw_buffer *levels = &value->levels;
    return levels->size == 0
               ? NULL
               : (tw_python_level *)(void *)(levels->data + levels->size) - 1;
}

uint8_t tw_python_closer(const tw_python_level *level)
{
    static const uint8_t closers[] = {
        [TW_PYTHON_LIST] = ']',  [TW_PYTHON_PARENTHESES] = ')',
        [TW_PYTHON_TUPLE] = ')', [TW_PYTHON_BRACES] = '}',
        [TW_PYTHON_SET] = '}',   [TW_PYTHON_DICT] = '}'};
    return closers[level->kind];
}

bool tw_python_push(tw_python_value *value, uint8_t kind)
{
    const tw_python_level level = {.kind = kind};
    return tw_buffer_append(&value->levels, value->memory, &level,
                            sizeof level);
}

void tw_python_pop(tw_python_value *value)
{
    value->levels.size -= sizeof(tw_python_level);
}

/* ---- what goes out ------------------------------------------------------ */

static bool is_held(const tw_python_value *value)
{
    return value->call == NULL || value->undecided > 0;
}

size_t tw_python_room(const tw_python_value *value)
{
    return value->call == NULL || value->undecided == 0
               ? SIZE_MAX
               : TW_HOLD_VALUE - value->held.size;
}

static void hold(tw_python_value *value, const void *data, size_t size)
{
    if (size > tw_python_room(value)) {
        value->full = true;
    } else if (!value->full &&
               !tw_buffer_append(&value->held, value->memory, data, size)) {
        tw_python_no_memory(value);
    }
}

void tw_python_put(tw_python_value *value, const char *json, size_t size)
{
    if (is_held(value)) {
        hold(value, json, size);
    } else {
        tw_arguments_text(&value->call->arguments, json, size,
                          value->window->offset, true);
    }
}

void tw_python_put_run(tw_python_value *value, const uint8_t *run, size_t size)
{
    if (is_held(value)) {
        hold(value, run, size);
    } else {
        tw_arguments_text(&value->call->arguments, (const char *)run, size,
                          tw_window_offset(value->window, run), false);
    }
}

void tw_python_put_byte(tw_python_value *value, char c)
{
    tw_python_put(value, &c, 1);
}

size_t tw_python_put_place(tw_python_value *value)
{
    tw_python_put_byte(value, TW_PYTHON_PLACE);
    return value->held.size - 1;
}

void tw_python_drop_places(tw_buffer *held, size_t from)
{
    size_t size = from;
    for (size_t i = from; i < held->size; i++) {
        held->data[size] = held->data[i];
        size += held->data[i] != TW_PYTHON_PLACE;
    }
    held->size = size;
}

void tw_python_decide(tw_python_value *value, tw_python_level *level,
                      uint8_t kind, uint8_t opener)
{
    tw_buffer *held = &value->held;
    level->kind = kind;
    if (!value->full) {
        held->data[level->opener] = opener;
    }
    value->undecided--;
    if (value->call != NULL && value->undecided == 0 && !value->full) {
        tw_python_drop_places(held, 0);
        tw_python_put(value, (const char *)held->data, held->size);
        held->size = 0;
    }
}

/* ---- elements ----------------------------------------------------------- */

void tw_python_begin_element(tw_python_value *value, uint8_t element)
{
    tw_python_level *level = tw_python_top(value);
    if (level == NULL) {
        return;
    }
    if (level->any && !level->value) {
        tw_python_put_byte(value, ',');
    }
    level->element = level->value ? level->element : element;
    level->any = true;
}

tw_body_end tw_python_end_value(tw_python_value *value, uint64_t end)
{
    value->end = end;
    value->state = TW_PYTHON_BEHIND_VALUE;
    return value->levels.size == 0 ? TW_BODY_DONE : TW_BODY_GOES_ON;
}

/* As a key it is a string; in braces it may become one. */
bool tw_python_begin_scalar(tw_python_value *value)
{
    tw_python_level *level = tw_python_top(value);
    const bool key =
        level != NULL && level->kind == TW_PYTHON_DICT && !level->value;
    tw_python_begin_element(value, TW_PYTHON_SCALAR);
    tw_python_put(value, "\"", key);
    if (level != NULL && level->kind == TW_PYTHON_BRACES) {
        level->quote_before = tw_python_put_place(value);
    }
    return key;
}

void tw_python_end_scalar(tw_python_value *value, bool key)
{
    tw_python_level *level = tw_python_top(value);
    tw_python_put(value, "\"", key);
    if (level != NULL && level->kind == TW_PYTHON_BRACES) {
        level->quote_behind = tw_python_put_place(value);
    }
}

/* ---- what stands at a place --------------------------------------------- */

bool tw_python_is_word_byte(uint8_t c)
{
    return tw_is_alnum(c) || c == '_' || c >= 0x80;
}

size_t tw_python_word(const tw_python_value *value, const uint8_t *at,
                      bool *more)
{
    const tw_window *window = value->window;
    const uint8_t *end = at;
    *more = false;
    while (end < window->limit && tw_python_is_word_byte(*end) &&
           end - at <= TW_PYTHON_WORD) {
        const uint8_t *behind = end;
        const tw_python_lexeme lexeme =
            *end < 0x80 ? TW_PYTHON_OTHER
                        : tw_python_scan(&behind, window->limit, window->eof);
        if (lexeme == TW_PYTHON_WS) {
            return (size_t)(end - at);
        }
        if (lexeme == TW_PYTHON_MORE) {
            break;
        }
        end++;
    }
    *more = end - at <= TW_PYTHON_WORD && !window->eof &&
            (end == window->limit || tw_python_is_word_byte(*end));
    return (size_t)(end - at);
}

bool tw_python_is_word(const char *word, const uint8_t *at, size_t size)
{
    return strlen(word) == size && memcmp(word, at, size) == 0;
}

tw_match tw_python_marker_at(const tw_python_value *value, const uint8_t *at)
{
    const tw_window *window = value->window;
    if (value->marks == NULL) {
        return TW_MATCH_NONE;
    }
    const unsigned roles = tw_marker_at(value->marks, window, at).roles;
    const bool closes = (roles & TW_AT_PLAIN_END) != 0 &&
                        value->close != NULL &&
                        tw_part_at(window, at, value->close) == TW_MATCH_WHOLE;
    return roles == TW_AT_MORE                       ? TW_MATCH_MORE
           : closes || (roles & TW_PYTHON_ENDS) != 0 ? TW_MATCH_WHOLE
                                                     : TW_MATCH_NONE;
}

tw_body_end tw_python_stop_at(tw_python_value *value, const uint8_t *at)
{
    switch (tw_python_marker_at(value, at)) {
    case TW_MATCH_MORE: return TW_BODY_STARVED;
    case TW_MATCH_WHOLE:
        tw_python_fail(value, TW_DIAGNOSTIC_SYNTAX_ERROR,
                       tw_window_offset(value->window, at), false);
        return TW_BODY_AT_MARKER;
    default:
        return value->marks != NULL &&
                       tw_marker_is_cut(value->marks, value->window, at,
                                        TW_PYTHON_ENDS)
                   ? TW_BODY_CUT
                   : TW_BODY_GOES_ON;
    }
}

tw_match tw_python_operator_at(const tw_python_value *value, const uint8_t *at)
{
    static const char *const words[] = {"and",   "or",    "if",  "else",
                                        "in",    "is",    "not", "for",
                                        "async", "lambda"};
    bool more;
    const size_t size = tw_python_word(value, at, &more);
    if (more && size <= strlen("lambda")) {
        return TW_MATCH_MORE;
    }
    tw_match answer = TW_MATCH_NONE;
    for (size_t i = 0; i < sizeof words / sizeof *words; i++) {
        answer =
            tw_python_is_word(words[i], at, size) ? TW_MATCH_WHOLE : answer;
    }
    return answer;
}
