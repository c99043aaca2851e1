/* SPDX-License-Identifier: MIT
 *
 * One call's braces, from the byte behind its name to the one that closes
 * them.
 */
#include "formats/body/gemma/gemma.h"

#include <string.h>

#include "core/utf8.h"
#include "events/tools.h"
#include "formats/body/gemma/advance.h"
#include "formats/body/gemma/look.h"
#include "formats/body/gemma/moves.h"
#include "formats/body/opening.h"
#include "formats/name_bytes.h"

enum state { IN_FRONT, INSIDE, BEHIND, SKIPPING };

static tw_gemma_body *body_of(tw_body *common)
{
    return (tw_gemma_body *)common;
}

/* ---- markers ------------------------------------------------------------ */

static tw_gemma_marker marker_here(const tw_gemma_body *body,
                                   const uint8_t *at)
{
    size_t size;
    return at < body->value.window->limit && *at == '<'
               ? tw_gemma_marker_at(&body->value, at, &size)
               : TW_GEMMA_NONE;
}

bool tw_gemma_has_call_stop(const tw_markers *table)
{
    bool found = false;
    for (size_t i = 0; i < table->count; i++) {
        found |= (table->all[i].roles & TW_AT_CALL_STOP) != 0;
    }
    return found;
}

/* ---- its life ----------------------------------------------------------- */

static void init(tw_body *common)
{
    tw_gemma_body *body = body_of(common);
    body->wire.marks = common->marks;
    body->wire.markers = common->format->public_markers;
    body->wire.marker_count = common->format->public_count;
    body->wire.stops = tw_gemma_has_call_stop(common->marks);
    body->value.wire = &body->wire;
    body->value.sink = common->call->sink;
    body->value.window = common->call->window;
    tw_json_init(&body->value.object, common->call->memory, 1, false);
}

static void clear(tw_body *common)
{
    const tw_memory *memory = common->call->memory;
    tw_gemma_call *value = &body_of(common)->value;
    tw_buffer_free(&value->frames, memory);
    tw_buffer_free(&value->run, memory);
    tw_buffer_free(&value->text, memory);
    tw_json_free(&value->object);
}

bool tw_gemma_body_in_string(const tw_body *common)
{
    const tw_gemma_body *body = (const tw_gemma_body *)common;
    const uint8_t at = body->value.state;
    return (body->state == SKIPPING && body->quoted) ||
           (body->state == INSIDE &&
            (at == TW_GEMMA_AT_STRING || at == TW_GEMMA_AT_QUOTED ||
             at == TW_GEMMA_AT_KEY));
}

/* A name with nothing behind it is a call without arguments. */
static tw_body_opens opens(const tw_body *common, const tw_body_head *head,
                           const uint8_t *at)
{
    const tw_window *window = common->call->window;
    if (at == window->limit) {
        return window->eof ? TW_BODY_IS_CUT : TW_BODY_IS_MORE;
    }
    if (*at != '<') {
        const bool paren = *at == '(' && head->proof != TW_PROOF_HEAD;
        return *at == '{' || paren ? TW_BODY_IS_HERE : TW_BODY_IS_NONE;
    }
    const tw_found found = tw_marker_at(common->marks, window, at);
    if (found.roles == TW_AT_MORE) {
        return TW_BODY_IS_MORE;
    }
    if ((found.roles & TW_AT_STOP) != 0) {
        return TW_BODY_IS_CUT;
    }
    if (head->pattern->loose) { /* a word alone may be anything */
        return TW_BODY_IS_NONE;
    }
    return (found.roles & TW_AT_CALL_END) != 0 ? TW_BODY_IS_HERE
           : tw_marker_is_cut(common->marks, window, at, TW_AT_CALL_END)
               ? TW_BODY_IS_CUT
               : TW_BODY_IS_NONE;
}

static void start(tw_body *common)
{
    tw_gemma_body *body = body_of(common);
    const char *delimiter = tw_pattern_hole(common->pattern)->text;
    body->wire.delimiter = delimiter;
    body->wire.delimiter_size = strlen(delimiter);
    const tw_part *close = tw_pattern_close(common->pattern);
    body->wire.close = close->text;
    body->wire.close_size = close->size;
    body->state = IN_FRONT;
}

/* ---- steps -------------------------------------------------------------- */

static void open_object(tw_gemma_body *body)
{
    tw_open_call *call = body->common.call;
    tw_arguments_text(&call->arguments, "{", 1, call->window->offset, true);
}

static tw_body_end end_call(tw_gemma_body *body, uint64_t closer_at)
{
    tw_open_call *call = body->common.call;
    tw_arguments_close(&call->arguments, closer_at);
    tw_open_call_end(call);
    return TW_BODY_DONE;
}

/* What stands in braces at the window, up to the call's close marker, if it is
 * as short and plain as most are.  False: the steps must read it. */
static bool read_whole(tw_gemma_body *body)
{
    tw_open_call *call = body->common.call;
    tw_window *window = call->window;
    tw_gemma_call *value = &body->value;
    const uint8_t *closer = tw_gemma_call_start(value, call->index, false)
                                ? tw_gemma_write_body(value, window->at + 1)
                                : NULL;
    if (closer == NULL) {
        return false;
    }
    /* Nothing is written into the run before the event is taken. */
    tw_sink_arguments(call->sink, call->index, value->run.data,
                      value->run.size, window->offset);
    tw_window_skip(window, (size_t)(closer + 1 - window->at));
    tw_open_call_end(call);
    return true;
}

/* At a bracket or the call's end, as opens() has seen. */
static tw_body_end read_front(tw_gemma_body *body)
{
    tw_open_call *call = body->common.call;
    tw_window *window = call->window;
    const uint8_t *at = tw_behind_ws(window->at, window->limit);
    tw_window_skip(window, (size_t)(at - window->at));
    if (*at == '<') {
        tw_sink_diagnostic(call->sink, TW_DIAGNOSTIC_EMPTY_ARGUMENTS,
                           window->offset);
        open_object(body);
        return end_call(body, window->offset);
    }
    const bool paren = *at == '(';
    if (paren) {
        tw_sink_diagnostic(call->sink, TW_DIAGNOSTIC_PAREN_ARGS,
                           window->offset);
    }
    if (!paren && !body->common.slow && read_whole(body)) {
        return TW_BODY_DONE;
    }
    open_object(body);
    tw_window_skip(window, 1);
    if (!tw_gemma_call_start(&body->value, call->index, paren)) {
        tw_open_call_no_memory(call);
    }
    body->state = INSIDE;
    return TW_BODY_GOES_ON;
}

/* The value's reader says why it cannot go on. */
static tw_body_end failed(tw_gemma_body *body)
{
    const tw_gemma_call *value = &body->value;
    const tw_gemma_marker marker = marker_here(body, value->window->at);
    body->common.reason = value->reason;
    body->common.reason_at = value->reason_at;
    if (!value->truncated) {
        body->quoted = value->state == TW_GEMMA_AT_STRING;
        body->state = SKIPPING;
        return TW_BODY_GOES_ON;
    }
    return tw_gemma_is_stop(marker) ? TW_BODY_STOPPED
           : marker == TW_GEMMA_CALL || marker == TW_GEMMA_CHANNEL
               ? TW_BODY_BROKEN
               : TW_BODY_CUT;
}

static tw_body_end read_inside(tw_gemma_body *body)
{
    const tw_step step = tw_gemma_call_step(&body->value);
    if (step == TW_STEP_DONE && body->value.reason != 0) {
        return failed(body);
    }
    if (step == TW_STEP_DONE) {
        body->state = BEHIND;
    }
    return step == TW_STEP_MORE ? TW_BODY_STARVED : TW_BODY_GOES_ON;
}

/* `NAME{` or `NAME(` at |at|, behind `call:` or not: the size of the name. */
static tw_match name_at(const tw_window *window, const uint8_t *at,
                        size_t *size)
{
    const uint8_t *to = at;
    while (to < window->limit && to - at <= TW_HOLD_JUNK &&
           (tw_is_gemma_word(*to) || *to == ':')) {
        to++;
    }
    *size = (size_t)(to - at);
    return to == window->limit && !window->eof ? TW_MATCH_MORE
           : to < window->limit && (*to == '{' || *to == '(') &&
                   tw_gemma_is_name((const char *)at, *size) &&
                   tw_utf8_is_valid((const char *)at, *size)
               ? TW_MATCH_WHOLE
               : TW_MATCH_NONE;
}

/* Does the head of another call begin at |at|?  Without `call:` only a declared
 * tool is called; nor is another one without an open marker, where round
 * brackets are none. */
static tw_match next_call_follows(const tw_gemma_body *body, const uint8_t *at)
{
    const tw_window *window = body->value.window;
    const tw_tools *tools = body->value.sink->tools;
    const bool bare = body->common.pattern->words;
    const tw_match word = tw_gemma_call_word(window, at);
    const uint8_t *name =
        word == TW_MATCH_WHOLE ? at + TW_GEMMA_CALL_WORD_SIZE : at;
    size_t size;
    if (word == TW_MATCH_MORE ||
        (word == TW_MATCH_NONE && (bare || tw_tools_count(tools) == 0))) {
        return word;
    }
    const tw_match found = name_at(window, name, &size);
    if (found != TW_MATCH_WHOLE) {
        return found;
    }
    const bool free =
        word == TW_MATCH_WHOLE && (!bare || tw_tools_count(tools) == 0);
    const bool odd =
        bare && (name[size] == '(' ||
                 tw_gemma_call_word(window, name) == TW_MATCH_WHOLE);
    return !odd && (free || tw_tools_has(tools, (const char *)name, size))
               ? TW_MATCH_WHOLE
               : TW_MATCH_NONE;
}

/* What stands at |at|, behind the braces of a call without its open marker: no
 * marker, no next call and not the end?  Then it was prose. */
static tw_match is_prose(const tw_gemma_body *body, const uint8_t *at)
{
    const tw_window *window = body->value.window;
    const tw_markers *table = body->wire.marks;
    if (!body->common.pattern->words || at == window->limit || tw_is_ws(*at)) {
        return TW_MATCH_NONE;
    }
    if (table->first[*at] != 0) {
        const tw_found found = tw_marker_at(body->wire.marks, window, at);
        return found.roles == TW_AT_MORE ? TW_MATCH_MORE
               : found.roles != 0 || tw_marker_is_cut(body->wire.marks, window,
                                                      at, TW_AT_CALL_END)
                   ? TW_MATCH_NONE
                   : TW_MATCH_WHOLE;
    }
    const tw_match call = next_call_follows(body, at);
    return call == TW_MATCH_MORE    ? call
           : call == TW_MATCH_WHOLE ? TW_MATCH_NONE
                                    : TW_MATCH_WHOLE;
}

/* Where the arguments go on behind their brace, the call must not run. */
static tw_body_end read_behind(tw_gemma_body *body)
{
    tw_window *window = body->common.call->window;
    const uint8_t *at = tw_behind_some_ws(window->at, window->limit);
    if (at == window->limit && !window->eof) {
        return TW_BODY_STARVED;
    }
    if (at < window->limit && (*at == '}' || *at == ']' || *at == ')')) {
        if (body->value.doubled > 0) {
            body->value.doubled--;
        } else {
            tw_gemma_report(&body->value, TW_DIAGNOSTIC_EXTRA_CLOSER, at);
        }
        tw_window_skip(window, (size_t)(at + 1 - window->at));
        return TW_BODY_GOES_ON;
    }
    if (at < window->limit && *at == ',') {
        const uint8_t *next = tw_behind_some_ws(at + 1, window->limit);
        const tw_match call = next_call_follows(body, next);
        if (call == TW_MATCH_MORE) {
            return TW_BODY_STARVED;
        }
        if (call == TW_MATCH_WHOLE) {
            tw_sink_diagnostic(body->common.call->sink,
                               TW_DIAGNOSTIC_EXTRA_COMMA,
                               tw_window_offset(window, at));
            tw_window_skip(window, (size_t)(next - window->at));
            return end_call(body, body->value.closer_at);
        }
    }
    const tw_match prose = is_prose(body, at);
    if (prose == TW_MATCH_MORE) {
        return TW_BODY_STARVED;
    }
    if (prose == TW_MATCH_WHOLE) {
        body->common.reason = TW_DIAGNOSTIC_PROSE_AFTER_BARE_CALL;
        body->common.reason_at = tw_window_offset(window, at);
        return TW_BODY_REFUSED;
    }
    if (at < window->limit && (*at == ',' || *at == ':' || *at == '=')) {
        body->common.reason = TW_DIAGNOSTIC_ARGUMENTS_GO_ON;
        body->common.reason_at = tw_window_offset(window, at);
        body->quoted = false;
        body->state = SKIPPING;
        return TW_BODY_GOES_ON;
    }
    return end_call(body, body->value.closer_at);
}

/* The rest of a bad call, up to a marker that ends it: strings are skipped, so
 * that no call is made of what one quotes. */
static tw_body_end read_skip(tw_gemma_body *body)
{
    tw_window *window = body->value.window;
    const size_t left = tw_window_size(window);
    const uint8_t *less = left > 0 ? memchr(window->at, '<', left) : NULL;
    size_t size = 0;
    if (less == NULL) {
        tw_window_skip(window, left);
        return window->eof ? TW_BODY_BROKEN : TW_BODY_STARVED;
    }
    tw_window_skip(window, (size_t)(less - window->at));
    const tw_gemma_marker marker = tw_gemma_marker_at(&body->value, less, &size);
    if (marker == TW_GEMMA_MORE) {
        return TW_BODY_STARVED;
    }
    if (!body->quoted && tw_gemma_ends_body(marker)) {
        return TW_BODY_BROKEN;
    }
    const bool delimiter = marker == TW_GEMMA_DELIMITER;
    body->quoted = body->quoted != delimiter;
    tw_window_skip(window, delimiter ? size : 1);
    return TW_BODY_GOES_ON;
}

static tw_body_end step(tw_body *common)
{
    tw_gemma_body *body = body_of(common);
    switch (body->state) {
    case IN_FRONT: return read_front(body);
    case INSIDE: return read_inside(body);
    case SKIPPING: return read_skip(body);
    default: return read_behind(body);
    }
}

static const uint8_t *advance(tw_body *common, tw_advanced *advanced)
{
    tw_gemma_body *body = body_of(common);
    return body->state == INSIDE
               ? tw_gemma_call_advance(&body->value, advanced)
               : body->value.window->at;
}

const tw_body_codec tw_gemma_codec = {
    .size = sizeof(tw_gemma_body),
    .init = init,
    .clear = clear,
    .opens = opens,
    .start = start,
    .step = step,
    .advance = advance,
};
