/* SPDX-License-Identifier: MIT
 *
 * One call's braces, from the byte behind its name to the one that closes
 * them.
 */
#include "formats/body/gemma/gemma.h"

#include <string.h>

#include "formats/body/gemma/advance.h"
#include "formats/body/gemma/look.h"
#include "formats/body/gemma/moves.h"
#include "formats/body/opening.h"

enum state { IN_FRONT, INSIDE, BEHIND, SKIPPING };

static tw_gemma_body *body_of(tw_body *common)
{
    return (tw_gemma_body *)common;
}

/* ---- markers ------------------------------------------------------------ */

/* The delimiter at |at|, or half of it. */
static tw_match delimiter_at(const tw_gemma_call *call, const uint8_t *at)
{
    const tw_gemma_wire *wire = call->wire;
    const tw_window *window = call->window;
    const size_t left = (size_t)(window->limit - at);
    const size_t whole = wire->delimiter_size;
    const size_t size = left < whole ? left : whole;
    if (memcmp(at, wire->delimiter, size) != 0 ||
        tw_window_is_marked_text(window, at, size)) {
        return TW_MATCH_NONE;
    }
    return size == whole ? TW_MATCH_WHOLE
           : window->eof ? TW_MATCH_NONE
                         : TW_MATCH_MORE;
}

static tw_gemma_marker marker_at(const tw_gemma_call *call, const uint8_t *at,
                                 size_t *size)
{
    const tw_match delimiter = delimiter_at(call, at);
    if (delimiter != TW_MATCH_NONE) {
        *size = call->wire->delimiter_size;
        return delimiter == TW_MATCH_MORE ? TW_GEMMA_MORE : TW_GEMMA_DELIMITER;
    }
    const tw_found found = tw_marker_at(call->wire->marks, call->window, at);
    *size = found.size;
    return found.roles == TW_AT_MORE             ? TW_GEMMA_MORE
           : (found.roles & TW_AT_CALL_END) != 0 ? TW_GEMMA_CALL_END
           : (found.roles & TW_AT_STOP) != 0     ? TW_GEMMA_TURN_END
           : (found.roles &
              (TW_AT_CALL | TW_AT_SECTION | TW_AT_SECTION_END)) != 0
               ? TW_GEMMA_CALL
               : TW_GEMMA_NONE;
}

/* Half of the call's close and of nothing else, where the model stopped by
 * itself, is the close. */
static tw_gemma_marker body_marker(const tw_gemma_call *call,
                                   const uint8_t *at, size_t *size)
{
    const tw_gemma_marker marker = marker_at(call, at, size);
    const tw_gemma_wire *wire = call->wire;
    const tw_window *window = call->window;
    const size_t left = (size_t)(window->limit - at);
    const bool half =
        marker == TW_GEMMA_NONE && window->stopped &&
        tw_marker_is_cut(wire->marks, window, at, TW_AT_CALL_END) &&
        !tw_marker_is_cut(wire->marks, window, at,
                          ~(unsigned)TW_AT_CALL_END) &&
        !(left < wire->delimiter_size &&
          memcmp(at, wire->delimiter, left) == 0);
    return half ? TW_GEMMA_CALL_END : marker;
}

static tw_gemma_marker marker_here(const tw_gemma_body *body,
                                   const uint8_t *at)
{
    size_t size;
    return at < body->value.window->limit && *at == '<'
               ? marker_at(&body->value, at, &size)
               : TW_GEMMA_NONE;
}

/* ---- its life ----------------------------------------------------------- */

void tw_gemma_body_init(tw_gemma_body *body, const tw_body *common)
{
    memset(body, 0, sizeof *body);
    body->common = *common;
    body->common.codec = &tw_gemma_codec;
    body->wire.marker_at = marker_at;
    body->wire.body_marker = body_marker;
    body->wire.marks = common->marks;
    body->wire.markers = common->format->public_markers;
    body->wire.marker_count = common->format->public_count;
    body->value.wire = &body->wire;
    body->value.sink = common->call->sink;
    body->value.window = common->call->window;
    tw_json_init(&body->value.object, common->call->memory, 1, false);
}

void tw_gemma_body_free(tw_gemma_body *body)
{
    const tw_memory *memory = body->common.call->memory;
    tw_buffer_free(&body->value.frames, memory);
    tw_buffer_free(&body->value.run, memory);
    tw_buffer_free(&body->value.text, memory);
    tw_json_free(&body->value.object);
}

/* A name with nothing behind it is a call without arguments. */
static tw_body_opens opens(const tw_body *common, const tw_body_head *head,
                           const uint8_t *at)
{
    const tw_gemma_body *body = (const tw_gemma_body *)common;
    const tw_window *window = body->value.window;
    if (at == window->limit) {
        return window->eof ? TW_BODY_IS_CUT : TW_BODY_IS_MORE;
    }
    if (*at != '<') {
        return *at == '{' || *at == '(' ? TW_BODY_IS_HERE : TW_BODY_IS_NONE;
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
    return tw_gemma_is_stop(marker)   ? TW_BODY_STOPPED
           : marker == TW_GEMMA_CALL  ? TW_BODY_BROKEN
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
        const tw_answer call = tw_gemma_call_follows(&body->value, next);
        if (call == TW_WAIT) {
            return TW_BODY_STARVED;
        }
        if (call == TW_YES) {
            tw_sink_diagnostic(body->common.call->sink,
                               TW_DIAGNOSTIC_EXTRA_COMMA,
                               tw_window_offset(window, at));
            tw_window_skip(window, (size_t)(next - window->at));
            return end_call(body, body->value.closer_at);
        }
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
    const tw_gemma_marker marker = marker_at(&body->value, less, &size);
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
    .opens = opens,
    .start = start,
    .step = step,
    .advance = advance,
};
