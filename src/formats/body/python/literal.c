/* SPDX-License-Identifier: MIT
 *
 * Python's brackets, constants, and what stands between values.
 */
#include "core/ascii.h"
#include "formats/body/python/state.h"

#include <string.h>

#include "core/skip.h"

/* ---- a life ------------------------------------------------------------- */

void tw_python_value_init(tw_python_value *value, const tw_memory *memory,
                          tw_window *window, tw_open_call *call,
                          const tw_markers *marks)
{
    memset(value, 0, sizeof *value);
    value->memory = memory;
    value->window = window;
    value->call = call;
    value->marks = marks;
}

void tw_python_value_free(tw_python_value *value)
{
    tw_buffer_free(&value->levels, value->memory);
    tw_buffer_free(&value->held, value->memory);
    tw_buffer_free(&value->token, value->memory);
}

void tw_python_value_start(tw_python_value *value, size_t depth)
{
    value->depth = depth;
    value->state = TW_PYTHON_AT_VALUE;
    value->levels.size = value->held.size = value->undecided = 0;
    value->full = false;
    value->end = value->window->offset;
}

/* At the byte where the window stands. */
static tw_body_end fail_here(tw_python_value *value, uint32_t reason,
                             bool in_step)
{
    return tw_python_fail(value, reason, value->window->offset, in_step);
}

/* ---- open brackets ------------------------------------------------------ */

static tw_body_end open_bracket(tw_python_value *value, uint8_t c)
{
    tw_window *window = value->window;
    if (value->levels.size / sizeof(tw_python_level) >= value->depth) {
        return fail_here(value, TW_DIAGNOSTIC_LIMIT_DEPTH, true);
    }
    tw_python_begin_element(value, TW_PYTHON_CONTAINER);
    const uint8_t kind = c == '['   ? TW_PYTHON_LIST
                         : c == '(' ? TW_PYTHON_PARENTHESES
                                    : TW_PYTHON_BRACES;
    if (!tw_python_push(value, kind)) {
        tw_python_no_memory(value);
        return TW_BODY_GOES_ON;
    }
    if (kind == TW_PYTHON_LIST) {
        tw_python_put_byte(value, '[');
    } else {
        value->undecided++;
        tw_python_top(value)->opener = tw_python_put_place(value);
    }
    tw_window_skip(window, 1);
    return TW_BODY_GOES_ON;
}

/* The bracket on top is closed, by its closer or by a marker. */
static void close_top(tw_python_value *value)
{
    tw_python_level *level = tw_python_top(value);
    const bool any = level->any;
    switch (level->kind) {
    case TW_PYTHON_PARENTHESES:
        if (!any) {
            tw_python_put_byte(value, ']');
        }
        tw_python_decide(value, level, TW_PYTHON_TUPLE,
                         any ? TW_PYTHON_PLACE : '[');
        break;
    case TW_PYTHON_BRACES:
        if (any) {
            tw_python_diagnose(value, TW_DIAGNOSTIC_SET_LITERAL,
                               value->window->at);
        }
        tw_python_put_byte(value, any ? ']' : '}');
        tw_python_decide(value, level, any ? TW_PYTHON_SET : TW_PYTHON_DICT,
                         any ? '[' : '{');
        break;
    default:
        tw_python_put_byte(value, level->kind == TW_PYTHON_DICT ? '}' : ']');
        break;
    }
    tw_python_pop(value);
}

static tw_body_end close_bracket(tw_python_value *value)
{
    close_top(value);
    tw_window_skip(value->window, 1);
    return tw_python_end_value(value, value->window->offset);
}

/* ---- a value is due ----------------------------------------------------- */

static tw_body_end read_word(tw_python_value *value)
{
    static const char *const constants[][2] = {
        {"True", "true"}, {"False", "false"}, {"None", "null"},
        {"true", "true"}, {"false", "false"}, {"null", "null"}};
    tw_window *window = value->window;
    bool more;
    const size_t size = tw_python_word(value, window->at, &more);
    if (more ||
        (window->at + size == window->limit && !tw_python_may_end(value))) {
        return tw_python_cut(value);
    }
    for (size_t i = 0; i < sizeof constants / sizeof *constants; i++) {
        if (tw_python_is_word(constants[i][0], window->at, size)) {
            const bool key = tw_python_begin_scalar(value);
            tw_python_put(value, constants[i][1], strlen(constants[i][1]));
            tw_python_end_scalar(value, key);
            tw_window_skip(window, size);
            return tw_python_end_value(value, window->offset);
        }
    }
    return fail_here(value, TW_DIAGNOSTIC_NOT_A_LITERAL, true);
}

/* Any byte but white space and one that begins a string. */
static tw_body_end read_other_value(tw_python_value *value)
{
    const uint8_t c = *value->window->at;
    const tw_python_level *level = tw_python_top(value);
    if (level != NULL && c == tw_python_closer(level) && !level->value) {
        return close_bracket(value);
    }
    switch (c) {
    case '(':
    case '[':
    case '{': return open_bracket(value, c);
    case '+':
    case '-':
        value->state = TW_PYTHON_AT_SIGN;
        value->token_at = value->window->offset;
        value->minus = c == '-';
        tw_window_skip(value->window, 1);
        return TW_BODY_GOES_ON;
    case '#': return fail_here(value, TW_DIAGNOSTIC_COMMENT, true);
    case '*':
    case '~': return fail_here(value, TW_DIAGNOSTIC_NOT_A_LITERAL, true);
    case ',':
    case ')': return fail_here(value, TW_DIAGNOSTIC_NO_VALUE, level == NULL);
    default: break;
    }
    if (tw_is_digit(c) || c == '.') {
        value->state = TW_PYTHON_IN_NUMBER;
        value->token_at = value->window->offset;
        value->minus = false;
        value->token.size = 0;
        return TW_BODY_GOES_ON;
    }
    if (tw_python_is_word_byte(c)) {
        return read_word(value);
    }
    const tw_body_end end = tw_python_stop_at(value, value->window->at);
    return end != TW_BODY_GOES_ON
               ? end
               : fail_here(value, TW_DIAGNOSTIC_SYNTAX_ERROR, false);
}

static tw_body_end read_value(tw_python_value *value)
{
    tw_window *window = value->window;
    const uint8_t *at = window->at;
    const tw_python_lexeme lexeme =
        tw_python_scan(&at, window->limit, window->eof);
    const size_t size = (size_t)(at - window->at);
    switch (lexeme) {
    case TW_PYTHON_MORE: return TW_BODY_STARVED;
    case TW_PYTHON_END: return TW_BODY_CUT;
    case TW_PYTHON_WS: tw_window_skip(window, size); return TW_BODY_GOES_ON;
    case TW_PYTHON_STRING:
    case TW_PYTHON_TRIPLE:
        tw_python_begin_element(value, TW_PYTHON_TEXT);
        tw_python_put(value, "\"", 1);
        value->string.high = 0;
        tw_python_open_string(value, size, lexeme == TW_PYTHON_TRIPLE);
        return TW_BODY_GOES_ON;
    case TW_PYTHON_NO_LITERAL:
        return fail_here(value, TW_DIAGNOSTIC_NOT_A_LITERAL, true);
    default: return read_other_value(value);
    }
}

/* ---- behind a value in brackets ----------------------------------------- */

/* A marker closes all that is open, where values have just ended. */
static tw_body_end close_all(tw_python_value *value)
{
    while (value->levels.size > 0) {
        const tw_python_level *level = tw_python_top(value);
        if (level->kind == TW_PYTHON_BRACES ||
            (level->kind == TW_PYTHON_DICT && !level->value)) {
            return tw_python_fail(value, TW_DIAGNOSTIC_SYNTAX_ERROR,
                                  value->end, false);
        }
        close_top(value);
    }
    return TW_BODY_DONE;
}

static tw_body_end read_comma(tw_python_value *value)
{
    tw_python_level *level = tw_python_top(value);
    switch (level->kind) {
    case TW_PYTHON_PARENTHESES:
        tw_python_decide(value, level, TW_PYTHON_TUPLE, '[');
        break;
    case TW_PYTHON_BRACES:
        tw_python_diagnose(value, TW_DIAGNOSTIC_SET_LITERAL,
                           value->window->at);
        tw_python_decide(value, level, TW_PYTHON_SET, '[');
        break;
    case TW_PYTHON_DICT:
        if (!level->value) {
            return fail_here(value, TW_DIAGNOSTIC_SYNTAX_ERROR, false);
        }
        level->value = false;
        break;
    default: break;
    }
    tw_window_skip(value->window, 1);
    value->state = TW_PYTHON_AT_VALUE;
    return TW_BODY_GOES_ON;
}

static tw_body_end read_colon(tw_python_value *value)
{
    tw_python_level *level = tw_python_top(value);
    const bool braces = level->kind == TW_PYTHON_BRACES;
    if (!braces && (level->kind != TW_PYTHON_DICT || level->value)) {
        return fail_here(value, TW_DIAGNOSTIC_SYNTAX_ERROR, false);
    }
    if (level->element == TW_PYTHON_CONTAINER) {
        return fail_here(value, TW_DIAGNOSTIC_KEY_NOT_SCALAR, true);
    }
    if (level->element == TW_PYTHON_SCALAR) {
        tw_python_diagnose(value, TW_DIAGNOSTIC_KEY_NOT_STRING,
                           value->window->at);
        if (braces && !value->full) {
            value->held.data[level->quote_before] = '"';
            value->held.data[level->quote_behind] = '"';
        }
    }
    if (braces) {
        tw_python_decide(value, level, TW_PYTHON_DICT, '{');
    }
    level->value = true;
    tw_python_put_byte(value, ':');
    tw_window_skip(value->window, 1);
    value->state = TW_PYTHON_AT_VALUE;
    return TW_BODY_GOES_ON;
}

/* Neither a comma nor a closer: an expression would go on there, or nothing
 * is known any more. */
static tw_body_end read_no_separator(tw_python_value *value)
{
    const uint8_t *at = value->window->at;
    if (*at == '#') {
        return fail_here(value, TW_DIAGNOSTIC_COMMENT, true);
    }
    const tw_match word = strchr("+-*/%@&|^<>=.([!~", *at) != NULL && *at != 0
                              ? TW_MATCH_WHOLE
                              : tw_python_operator_at(value, at);
    return word == TW_MATCH_MORE ? TW_BODY_STARVED
           : word == TW_MATCH_WHOLE
               ? fail_here(value, TW_DIAGNOSTIC_NOT_A_LITERAL, true)
               : fail_here(value, TW_DIAGNOSTIC_SYNTAX_ERROR, false);
}

tw_body_end tw_python_read_separator(tw_python_value *value, uint8_t *c)
{
    tw_window *window = value->window;
    const uint8_t *at = window->at;
    switch (tw_python_scan(&at, window->limit, window->eof)) {
    case TW_PYTHON_END: return TW_BODY_CUT;
    case TW_PYTHON_WS:
        tw_window_skip(window, (size_t)(at - window->at));
        return TW_BODY_GOES_ON;
    case TW_PYTHON_MORE: return TW_BODY_STARVED;
    default: break;
    }
    const tw_body_end stop = tw_python_stop_at(value, window->at);
    if (stop != TW_BODY_GOES_ON) {
        return stop;
    }
    *c = *window->at;
    return *c != 0 && strchr(",:)]}", *c) != NULL ? TW_BODY_DONE
                                                  : read_no_separator(value);
}

static tw_body_end read_behind_value(tw_python_value *value)
{
    uint8_t c = 0;
    const tw_body_end end = tw_python_read_separator(value, &c);
    if (end == TW_BODY_AT_MARKER ||
        (end == TW_BODY_CUT && tw_python_may_end(value) &&
         value->call != NULL)) {
        return close_all(value);
    }
    if (end != TW_BODY_DONE) {
        return end;
    }
    const tw_python_level *level = tw_python_top(value);
    if (c == ',') {
        return read_comma(value);
    }
    if (c == ':') {
        return read_colon(value);
    }
    const bool key = level->kind == TW_PYTHON_DICT && !level->value;
    return c == tw_python_closer(level) && !key
               ? close_bracket(value)
               : fail_here(value, TW_DIAGNOSTIC_SYNTAX_ERROR, false);
}

/* ---- steps -------------------------------------------------------------- */

static tw_body_end read_on(tw_python_value *value)
{
    switch (value->state) {
    case TW_PYTHON_AT_VALUE: return read_value(value);
    case TW_PYTHON_AT_SIGN: return tw_python_read_sign(value);
    case TW_PYTHON_IN_NUMBER: return tw_python_read_number(value);
    case TW_PYTHON_IN_STRING: return tw_python_read_string(value);
    case TW_PYTHON_BEHIND_STRING: return tw_python_read_behind_string(value);
    default: return read_behind_value(value);
    }
}

tw_body_end tw_python_value_step(tw_python_value *value)
{
    const tw_body_end end = read_on(value);
    return value->full ? fail_here(value, TW_DIAGNOSTIC_LIMIT_LOOKAHEAD, true)
                       : end;
}

tw_python_literal_end tw_python_literal(tw_buffer *json,
                                        const tw_memory *memory,
                                        const char *text, size_t size,
                                        size_t depth)
{
    tw_window window = {.at = (const uint8_t *)text,
                        .limit = (const uint8_t *)text + size,
                        .eof = true};
    tw_python_value value;
    tw_python_value_init(&value, memory, &window, NULL, NULL);
    tw_python_value_start(&value, depth);
    tw_body_end end;
    do {
        end = tw_python_value_step(&value);
    } while (end == TW_BODY_GOES_ON);
    bool kept = !value.full;
    const bool whole =
        end == TW_BODY_DONE &&
        tw_python_skip(&window.at, window.limit, true) == TW_PYTHON_END;
    if (whole && kept) {
        tw_python_drop_places(&value.held, 0);
        kept =
            tw_buffer_append(json, memory, value.held.data, value.held.size);
    }
    tw_python_value_free(&value);
    return !kept   ? TW_PYTHON_NO_MEMORY
           : whole ? TW_PYTHON_IS_LITERAL
                   : TW_PYTHON_IS_OTHER;
}
