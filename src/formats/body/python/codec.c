/* SPDX-License-Identifier: MIT
 *
 * One call in Python's form, from its name to its parenthesis: docs/rules.md P2
 * and P3.  A bad one is read on to that parenthesis (skip.c), so that
 * its neighbours are calls (P5).
 */
#include "formats/body/python/python.h"

#include <string.h>

#include "formats/body/python/head.h"
#include "formats/body/python/skip.h"
#include "formats/body/python/state.h"
#include "json/write.h"

enum state { CALLEE, ARGUMENT, EQUALS, VALUE, BEHIND, SKIPPING };

/* Keys that are remembered to tell a repeated one (docs/rules.md D19). */
enum { MOST_GIVEN = 64 };

static tw_python_body *body_of(const tw_body *common)
{
    return (tw_python_body *)(uintptr_t)common;
}

static void init(tw_body *common)
{
    tw_python_value_init(&body_of(common)->value, common->call->memory,
                         common->call->window, common->call, common->marks);
}

static void clear(tw_body *common)
{
    const tw_memory *memory = common->call->memory;
    tw_python_body *body = body_of(common);
    tw_python_value_free(&body->value);
    tw_buffer_free(&body->text, memory);
    tw_buffer_free(&body->given, memory);
}

static void start(tw_body *common)
{
    tw_python_body *body = body_of(common);
    body->state = CALLEE;
    body->any = false;
    body->given.size = body->given_count = 0;
    body->value.close = tw_pattern_close(common->pattern);
    tw_python_value_start(&body->value, common->call->sink->limits.depth - 1);
}

/* The call is no call.  In step it is skipped, else the frame goes on to its
 * next marker. */
static tw_body_end fail(tw_python_body *body, uint32_t reason, uint64_t offset,
                        bool in_step)
{
    tw_open_call_fail(body->common.call, reason, offset);
    const tw_body_end broken = tw_body_break(&body->common, reason, offset);
    if (!in_step) {
        return broken;
    }
    tw_python_skip_from(&body->value, body->state == VALUE);
    body->state = SKIPPING;
    return TW_BODY_GOES_ON;
}

static tw_body_end fail_here(tw_python_body *body, uint32_t reason,
                             bool in_step)
{
    return fail(body, reason, body->common.call->window->offset, in_step);
}

/* ---- its name and its end ----------------------------------------------- */

static tw_body_end read_callee(tw_python_body *body)
{
    tw_open_call *call = body->common.call;
    tw_window *window = call->window;
    const uint8_t kind = tw_pattern_hole(body->common.pattern)->kind;
    const tw_python_callee callee =
        tw_python_callee_at(&body->common, window->at);
    if (callee.opens != TW_BODY_IS_HERE) {
        return callee.opens == TW_BODY_IS_MORE
                   ? TW_BODY_STARVED
                   : fail_here(body, TW_DIAGNOSTIC_SYNTAX_ERROR, false);
    }
    const uint8_t *name = window->at + callee.name_at;
    const size_t word = kind == TW_PATTERN_PYTHON_CALL
                            ? tw_python_suffix(name, callee.name_size)
                            : 0;
    body->printed = callee.name_at > 0;
    if (body->printed || (kind == TW_PATTERN_PYTHON_CALL && word == 0)) {
        tw_sink_diagnostic(call->sink, TW_DIAGNOSTIC_LOOSE_HEAD,
                           window->offset);
    }
    tw_open_call_name(call, name, callee.name_size - word);
    tw_open_call_begin(call);
    tw_window_skip(window, (size_t)(callee.behind - window->at));
    if (call->fail != 0) {
        return fail(body, call->fail, window->offset, true);
    }
    tw_arguments_text(&call->arguments, "{", 1, window->offset - 1, true);
    body->state = ARGUMENT;
    return TW_BODY_GOES_ON;
}

/* The arguments are whole; |size| bytes of the window close them. */
static tw_body_end end_call(tw_python_body *body, size_t size)
{
    tw_open_call *call = body->common.call;
    tw_arguments_close(&call->arguments, call->window->offset);
    tw_window_skip(call->window, size);
    tw_open_call_end(call);
    return TW_BODY_DONE;
}

/* `)` ends the call, and a second one what it is printed by. */
static tw_body_end read_close(tw_python_body *body)
{
    const tw_window *window = body->common.call->window;
    const uint8_t *at = window->at + 1;
    if (!body->printed) {
        return end_call(body, 1);
    }
    const tw_python_lexeme lexeme =
        tw_python_skip(&at, window->limit, window->eof);
    const bool far = at - window->at > TW_HOLD_WS;
    if (lexeme == TW_PYTHON_MORE && !far) {
        return TW_BODY_STARVED;
    }
    const bool both = lexeme != TW_PYTHON_MORE && lexeme != TW_PYTHON_END &&
                      !far && *at == ')';
    return end_call(body, both ? (size_t)(at + 1 - window->at) : 1);
}

static void close_call(tw_body *common)
{
    tw_sink_diagnostic(common->call->sink, TW_DIAGNOSTIC_MISSING_CLOSER,
                       common->call->window->offset);
    end_call(body_of(common), 0);
}

/* A marker stands where an argument may end.  At the output's end another
 * argument could have followed. */
static bool closable(const tw_body *common, tw_body_cut by)
{
    const tw_python_body *body = body_of(common);
    return (body->state == ARGUMENT || body->state == BEHIND) &&
           by < TW_CUT_STRIPPED;
}

/* ---- keys --------------------------------------------------------------- */

static bool was_given(const tw_python_body *body)
{
    const tw_buffer *given = &body->given;
    const tw_buffer *key = &body->text;
    for (size_t at = 0; at < given->size; at += 1 + (size_t)given->data[at]) {
        if (given->data[at] == (uint8_t)key->size &&
            memcmp(given->data + at + 1, key->data, key->size) == 0) {
            return true;
        }
    }
    return false;
}

static bool remember(tw_python_body *body)
{
    const tw_memory *memory = body->common.call->memory;
    const uint8_t size = (uint8_t)body->text.size;
    if (body->given_count == MOST_GIVEN || body->text.size > UINT8_MAX) {
        return true;
    }
    body->given_count++;
    return tw_buffer_append(&body->given, memory, &size, 1) &&
           tw_buffer_append(&body->given, memory, body->text.data, size);
}

/* |text| is a key, and `=` follows it. */
static tw_body_end take_key(tw_python_body *body)
{
    tw_open_call *call = body->common.call;
    const tw_buffer *key = &body->text;
    tw_buffer *json = &body->value.token;
    if (was_given(body)) {
        tw_sink_diagnostic(call->sink, TW_DIAGNOSTIC_DUPLICATE_PARAMETER,
                           body->key_at);
    }
    json->size = 0;
    if (!remember(body) ||
        !tw_json_write_string(json, call->memory, (const char *)key->data,
                              key->size)) {
        tw_python_no_memory(&body->value);
        return TW_BODY_GOES_ON;
    }
    tw_python_put(&body->value, ",", body->any);
    tw_python_put(&body->value, (const char *)json->data, json->size);
    tw_python_put(&body->value, ":", 1);
    body->any = true;
    body->state = VALUE;
    tw_python_value_start(&body->value, call->sink->limits.depth - 1);
    return TW_BODY_GOES_ON;
}

static tw_body_end read_key(tw_python_body *body)
{
    tw_open_call *call = body->common.call;
    tw_window *window = call->window;
    const uint8_t c = *window->at;
    bool more;
    if (c == '#') {
        return fail_here(body, TW_DIAGNOSTIC_COMMENT, true);
    }
    if (c == '*') {
        return fail_here(body, TW_DIAGNOSTIC_UNPACKING, true);
    }
    const size_t size = tw_python_key_size(window, window->at, &more);
    if (more) {
        return TW_BODY_STARVED;
    }
    if (size == 0) {
        const bool value = c != 0 && strchr("\"'([{", c) != NULL;
        return fail_here(body,
                         value ? TW_DIAGNOSTIC_POSITIONAL_ARGUMENT
                               : TW_DIAGNOSTIC_SYNTAX_ERROR,
                         value);
    }
    body->text.size = 0;
    body->key_at = window->offset;
    if (!tw_buffer_append(&body->text, call->memory, window->at, size)) {
        tw_python_no_memory(&body->value);
    }
    tw_window_skip(window, size);
    body->state = EQUALS;
    return TW_BODY_GOES_ON;
}

/* ---- between arguments -------------------------------------------------- */

/* White space is skipped; DONE: something else stands at the window. */
static tw_body_end skip_ws(tw_python_body *body)
{
    tw_window *window = body->common.call->window;
    const uint8_t *at = window->at;
    const tw_python_lexeme lexeme =
        tw_python_skip(&at, window->limit, window->eof);
    const bool moved = at > window->at;
    tw_window_skip(window, (size_t)(at - window->at));
    return lexeme == TW_PYTHON_END    ? TW_BODY_CUT
           : lexeme != TW_PYTHON_MORE ? TW_BODY_DONE
           : moved                    ? TW_BODY_GOES_ON
                                      : TW_BODY_STARVED;
}

static tw_body_end read_argument(tw_python_body *body)
{
    const tw_window *window = body->common.call->window;
    const tw_body_end ws = skip_ws(body);
    if (ws != TW_BODY_DONE) {
        return ws;
    }
    if (*window->at == ')') {
        return read_close(body);
    }
    const tw_body_end stop = tw_python_stop_at(&body->value, window->at);
    return stop != TW_BODY_GOES_ON ? stop : read_key(body);
}

static tw_body_end read_equals(tw_python_body *body)
{
    tw_window *window = body->common.call->window;
    const tw_body_end ws = skip_ws(body);
    if (ws != TW_BODY_DONE) {
        return ws;
    }
    if (*window->at == '=') {
        if (tw_window_size(window) < 2 && !window->eof) {
            return TW_BODY_STARVED;
        }
        if (tw_window_size(window) < 2 || window->at[1] != '=') {
            tw_window_skip(window, 1);
            return take_key(body);
        }
    }
    const tw_body_end stop = tw_python_stop_at(&body->value, window->at);
    return stop != TW_BODY_GOES_ON
               ? stop
               : fail(body, TW_DIAGNOSTIC_POSITIONAL_ARGUMENT, body->key_at,
                      true);
}

/* `]` in place of `)`: it counts where a marker follows. */
static tw_body_end read_list_end(tw_python_body *body)
{
    const tw_window *window = body->common.call->window;
    const uint8_t *at = window->at + 1;
    const tw_python_lexeme lexeme =
        tw_python_skip(&at, window->limit, window->eof);
    const bool far = at - window->at > TW_HOLD_WS;
    if (lexeme == TW_PYTHON_MORE && !far) {
        return TW_BODY_STARVED;
    }
    const bool over = lexeme == TW_PYTHON_END && window->stopped;
    const tw_body_end stop = far    ? TW_BODY_GOES_ON
                             : over ? TW_BODY_AT_MARKER
                                    : tw_python_stop_at(&body->value, at);
    if (stop == TW_BODY_STARVED) {
        return stop;
    }
    if (stop == TW_BODY_GOES_ON || (stop == TW_BODY_CUT && !window->stopped)) {
        return fail_here(body, TW_DIAGNOSTIC_SYNTAX_ERROR, false);
    }
    close_call(&body->common);
    return TW_BODY_DONE;
}

static tw_body_end value_failed(tw_python_body *body)
{
    const tw_python_value *value = &body->value;
    return fail(body, value->reason, value->reason_at, value->in_step);
}

static tw_body_end read_behind(tw_python_body *body)
{
    uint8_t c = 0;
    const tw_body_end end = tw_python_read_separator(&body->value, &c);
    if (end == TW_BODY_BROKEN) {
        return value_failed(body);
    }
    if (end != TW_BODY_DONE) {
        return end;
    }
    switch (c) {
    case ',':
        tw_window_skip(body->common.call->window, 1);
        body->state = ARGUMENT;
        return TW_BODY_GOES_ON;
    case ')': return read_close(body);
    case ']': return read_list_end(body);
    default: return fail_here(body, TW_DIAGNOSTIC_SYNTAX_ERROR, false);
    }
}

static tw_body_end read_value(tw_python_body *body)
{
    const tw_body_end end = tw_python_value_step(&body->value);
    if (end == TW_BODY_BROKEN) {
        return value_failed(body);
    }
    body->state = end == TW_BODY_DONE ? BEHIND : VALUE;
    return end == TW_BODY_DONE ? TW_BODY_GOES_ON : end;
}

/* ---- steps -------------------------------------------------------------- */

static tw_body_end read_skipped(tw_python_body *body)
{
    const tw_body_end end = tw_python_skip_step(&body->value);
    if (end == TW_BODY_DONE) {
        tw_open_call_reject(body->common.call, TW_CALL_MALFORMED);
    }
    return end;
}

static tw_body_end read_on(tw_python_body *body)
{
    switch (body->state) {
    case CALLEE: return read_callee(body);
    case ARGUMENT: return read_argument(body);
    case EQUALS: return read_equals(body);
    case VALUE: return read_value(body);
    case BEHIND: return read_behind(body);
    default: return read_skipped(body);
    }
}

static tw_body_end step(tw_body *common)
{
    const tw_python_body *body = body_of(common);
    const tw_body_end end = read_on(body_of(common));
    if (end == TW_BODY_GOES_ON) {
        tw_open_call_fail_arguments(common->call);
    } else if (end == TW_BODY_AT_MARKER) {
        common->reason = body->value.reason;
        common->reason_at = body->value.reason_at;
    }
    return end;
}

static const uint8_t *advance(tw_body *common, tw_advanced *advanced)
{
    tw_python_body *body = body_of(common);
    return body->state == VALUE && !common->slow
               ? tw_python_value_advance(&body->value, advanced)
               : common->call->window->at;
}

const tw_body_codec tw_python_codec = {
    .size = sizeof(tw_python_body),
    .init = init,
    .clear = clear,
    .opens = tw_python_opens,
    .start = start,
    .step = step,
    .advance = advance,
    .closable = closable,
    .close = close_call,
};
