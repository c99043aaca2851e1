/* SPDX-License-Identifier: MIT
 *
 * Keys, containers, and what stands between values.
 */
#include "formats/body/gemma/value.h"

#include <string.h>

#include "formats/body/gemma/bare.h"
#include "formats/body/gemma/look.h"
#include "formats/body/gemma/moves.h"
#include "formats/body/gemma/string.h"

/* ---- frames ------------------------------------------------------------- */

/* Releases blanks; returns the byte behind them, TW_LOOK_END or _MORE. */
static int next_byte(tw_gemma_call *call)
{
    tw_window *window = call->window;
    const uint8_t *at = window->at;
    while (at < window->limit && tw_is_ws(*at)) {
        at++;
    }
    tw_gemma_skip_to(call, at);
    return tw_look(window, at);
}

static size_t depth_of(const tw_gemma_call *call)
{
    return call->frames.size / sizeof(tw_gemma_frame);
}

static bool push(tw_gemma_call *call, uint8_t closer)
{
    tw_gemma_frame frame = {0};
    frame.closer = closer;
    return tw_buffer_append(&call->frames, call->sink->memory, &frame,
                            sizeof frame);
}

/* Closes the container on top at |at|.  The brace of the root is not
 * delivered here: it comes with the end of a complete call. */
static bool pop(tw_gemma_call *call, const uint8_t *at)
{
    const tw_gemma_frame frame = *tw_gemma_top(call);
    if (frame.comma > 0) {
        tw_sink_diagnostic(call->sink, TW_DIAGNOSTIC_TRAILING_COMMA,
                           frame.comma - 1);
    }
    call->frames.size -= sizeof frame;
    if (call->frames.size > 0) {
        tw_gemma_emit(call, frame.closer == ']' ? "]" : "}", at);
        return true;
    }
    call->closer_at = tw_window_offset(call->window, at);
    return false;
}

static bool is_open(const tw_gemma_call *call, uint8_t closer)
{
    const tw_gemma_frame *frames =
        (const tw_gemma_frame *)(void *)call->frames.data;
    for (size_t i = depth_of(call); i-- > 0;) {
        if (frames[i].closer == closer) {
            return true;
        }
    }
    return false;
}

/* A closer stands at the window: the one that is due, one of an outer
 * container, or a stray one. */
static tw_step read_closer(tw_gemma_call *call)
{
    const uint8_t *at = call->window->at;
    const tw_gemma_frame *frame = tw_gemma_top(call);
    if (*at != frame->closer && !is_open(call, *at)) {
        tw_gemma_report(call, TW_DIAGNOSTIC_EXTRA_CLOSER, at);
        tw_gemma_skip_to(call, at + 1);
        const bool behind_value = frame->comma == 0 && frame->used;
        return tw_gemma_go(call, behind_value           ? TW_GEMMA_AT_AFTER
                                 : frame->closer == ']' ? TW_GEMMA_AT_VALUE
                                                        : TW_GEMMA_AT_KEY);
    }
    if (*at != frame->closer) {
        tw_gemma_report(call, TW_DIAGNOSTIC_MISSING_CLOSER, at);
        while (tw_gemma_top(call)->closer != *at) {
            pop(call, at);
        }
    }
    const bool open = pop(call, at);
    tw_gemma_skip_to(call, at + 1);
    return open ? tw_gemma_go(call, TW_GEMMA_AT_AFTER) : TW_STEP_DONE;
}

/* A marker stands between values: closers may be missing before a real
 * terminator, else the call is cut off. */
static tw_step read_marker(tw_gemma_call *call, tw_gemma_marker marker)
{
    const uint8_t *at = call->window->at;
    if (marker != TW_GEMMA_CALL_END && marker != TW_GEMMA_RESPONSE) {
        return tw_gemma_cut_off(call, at);
    }
    tw_gemma_report(call, TW_DIAGNOSTIC_MISSING_CLOSER, at);
    while (pop(call, at)) {
    }
    return TW_STEP_DONE;
}

/* The output ends between values.  Where the model stopped by itself, it is
 * the marker that opens a result which was stripped: no other one stops a
 * model that is in a call. */
static tw_step read_output_end(tw_gemma_call *call)
{
    return tw_gemma_stopped(call) ? read_marker(call, TW_GEMMA_RESPONSE)
                                  : tw_gemma_cut_off(call, call->window->at);
}

/* ---- keys --------------------------------------------------------------- */

typedef struct key {
    const uint8_t *from; /* its text ... */
    const uint8_t *to;
    const uint8_t *end; /* ... and what follows it, blanks aside */
    uint8_t quote;      /* `"`, `'`, `<` for a delimiter, or 0 */
    bool closing;       /* a delimiter stands behind a key without one */
} key;

/* The end of the key's text, from |at| on; NULL and |*wait|, or NULL at the
 * end of input. */
static const uint8_t *key_end(tw_gemma_call *call, key *its, const uint8_t *at,
                              tw_step *wait)
{
    const tw_window *window = call->window;
    for (;; at++) {
        const int c = tw_look(window, at);
        size_t size;
        const tw_gemma_marker marker =
            c == '<' ? tw_gemma_marker_at(call, at, &size) : TW_GEMMA_NONE;
        call->held.to = tw_window_offset(window, at);
        if (c == TW_LOOK_MORE || marker == TW_GEMMA_MORE) {
            *wait = TW_STEP_MORE;
            return NULL;
        }
        if (c == TW_LOOK_END) {
            *wait = tw_gemma_cut_off(call, window->at);
            return NULL;
        }
        if (at - window->at > TW_HOLD_VALUE) {
            *wait = tw_gemma_malformed(call, TW_DIAGNOSTIC_LIMIT_LOOKAHEAD,
                                       window->at);
            return NULL;
        }
        if (its->quote == '"' || its->quote == '\'') {
            if (c == its->quote) {
                return at;
            }
            const int next = c == '\\' ? tw_look(window, at + 1) : 0;
            if (next == TW_LOOK_MORE) {
                *wait = TW_STEP_MORE;
                return NULL;
            }
            at += c == '\\' && next >= 0;
        } else if (marker == TW_GEMMA_DELIMITER) {
            its->closing = its->quote == 0;
            return at;
        } else if (its->quote == 0 &&
                   (tw_gemma_ends_body(marker) ||
                    (c != 0 && strchr(":=,{}[]", c) != NULL))) {
            return at;
        }
    }
}

/* Holds the key until its separator. */
static tw_step hold_key(tw_gemma_call *call, key *its)
{
    tw_window *window = call->window;
    const uint64_t begin = window->offset;
    const uint8_t *at = window->at;
    tw_step wait = TW_STEP_MORE;
    its->from = at + (its->quote == 0     ? 0
                      : its->quote == '<' ? call->wire->delimiter_size
                                          : 1);
    at = its->from;
    if (call->held.from == begin && call->held.to > begin) {
        const uint8_t *seen = window->at + (call->held.to - begin);
        at = seen > at ? seen : at;
    }
    call->held.from = begin;
    its->to = key_end(call, its, at, &wait);
    if (its->to == NULL) {
        return wait;
    }
    const bool delimiter = its->quote == '<' || its->closing;
    its->end = its->to + (delimiter         ? call->wire->delimiter_size
                          : its->quote != 0 ? 1
                                            : 0);
    its->end = tw_gemma_ws(call, its->end);
    if (its->end - window->at > TW_HOLD_VALUE) {
        return tw_gemma_malformed(call, TW_DIAGNOSTIC_LIMIT_LOOKAHEAD,
                                  window->at);
    }
    const int c = tw_look(window, its->end);
    if (c == TW_LOOK_MORE) {
        return TW_STEP_MORE;
    }
    return c == TW_LOOK_END ? tw_gemma_cut_off(call, window->at)
                            : TW_STEP_AGAIN;
}

/* The body is no pairs but `null`, or a string that holds the object. */
static bool whole_body(tw_gemma_call *call, const key *its)
{
    const uint8_t *from = its->from;
    const uint8_t *to = its->to;
    const uint8_t *begin = call->window->at;
    if (its->quote == 0) {
        while (to > from && tw_is_ws(to[-1])) {
            to--;
        }
        if (to - from != 4 ||
            (memcmp(from, "null", 4) != 0 && memcmp(from, "None", 4) != 0)) {
            return false;
        }
        tw_gemma_report(call, TW_DIAGNOSTIC_EMPTY_ARGUMENTS, begin);
        return true;
    }
    return tw_gemma_unwrap(call, from, to, its->quote);
}

static const uint32_t key_codes[] = {TW_DIAGNOSTIC_QUOTED_KEY,
                                     TW_DIAGNOSTIC_JSON_KEY,
                                     TW_DIAGNOSTIC_SINGLE_QUOTED};

static void write_key(tw_gemma_call *call, const key *its)
{
    const uint8_t *begin = call->window->at;
    const uint8_t *to = its->to;
    tw_gemma_frame *frame = tw_gemma_top(call);
    if (its->quote != 0) {
        tw_gemma_report(call,
                        key_codes[its->quote == '"'    ? 1
                                  : its->quote == '\'' ? 2
                                                       : 0],
                        begin);
    } else if (its->closing) {
        tw_gemma_report(call, TW_DIAGNOSTIC_MISSING_STRING_OPEN, begin);
    }
    while (its->quote == 0 && to > its->from && tw_is_ws(to[-1])) {
        to--;
    }
    if (*its->end == '=') {
        tw_gemma_report(call, TW_DIAGNOSTIC_EQUALS_SEPARATOR, its->end);
    }
    tw_sink_arguments_copy(call->sink, call->index, frame->used ? ",\"" : "\"",
                           frame->used ? 2 : 1, tw_gemma_comma_at(call));
    if (its->quote == '"' || its->quote == '\'') {
        tw_gemma_quoted_text(call, its->from, to, its->quote);
    } else {
        tw_sink_arguments_raw(call->sink, call->index, its->from,
                              (size_t)(to - its->from), false);
    }
    tw_gemma_emit(call, "\":", begin);
    frame->used = true;
    frame->comma = 0;
    frame->separator = *its->end;
    tw_gemma_skip_to(call, its->end + 1);
}

static tw_step read_pair_key(tw_gemma_call *call, uint8_t quote, bool first)
{
    key its = {0};
    its.quote = quote;
    const tw_step held = hold_key(call, &its);
    if (held != TW_STEP_AGAIN) {
        return held;
    }
    const uint8_t *at = its.from;
    while (at < its.to && tw_is_ws(*at)) {
        at++;
    }
    const bool empty = quote == 0 && at == its.to;
    const uint8_t c = *its.end;
    if (!empty && (c == ':' || c == '=')) {
        write_key(call, &its);
        return tw_gemma_go(call, TW_GEMMA_AT_VALUE);
    }
    if (first && (c == '}' || c == ')') && whole_body(call, &its)) {
        tw_gemma_skip_to(call, its.end);
        return tw_gemma_go(call, TW_GEMMA_AT_AFTER);
    }
    return tw_gemma_malformed(call, TW_DIAGNOSTIC_NO_KEY, call->window->at);
}

static tw_step read_key(tw_gemma_call *call)
{
    tw_gemma_frame *frame = tw_gemma_top(call);
    const bool first =
        depth_of(call) == 1 && !frame->used && frame->comma == 0;
    const int c = next_byte(call);
    const uint8_t *at = call->window->at;
    size_t size;
    if (c < 0) {
        return c == TW_LOOK_MORE ? TW_STEP_MORE : read_output_end(call);
    }
    if (c == ',') {
        tw_gemma_report(call, TW_DIAGNOSTIC_EXTRA_COMMA, at);
        tw_gemma_skip_to(call, at + 1);
        return TW_STEP_AGAIN;
    }
    if (tw_gemma_is_closer(call, c)) {
        return read_closer(call);
    }
    if (c == '{' && first && call->doubled == 0) {
        tw_gemma_report(call, TW_DIAGNOSTIC_DOUBLED_BRACES, at);
        call->doubled = 1;
        tw_gemma_skip_to(call, at + 1);
        return TW_STEP_AGAIN;
    }
    const tw_gemma_marker marker =
        c == '<' ? tw_gemma_body_marker(call, at, &size) : TW_GEMMA_NONE;
    if (marker == TW_GEMMA_MORE) {
        return TW_STEP_MORE;
    }
    if (tw_gemma_ends_body(marker)) {
        return read_marker(call, marker);
    }
    const tw_match next =
        frame->used ? tw_gemma_call_follows(call, at) : TW_MATCH_NONE;
    if (next != TW_MATCH_NONE) { /* the closers of this one are missing */
        return next == TW_MATCH_MORE
                   ? TW_STEP_MORE
                   : tw_gemma_malformed(call, TW_DIAGNOSTIC_NO_KEY, at);
    }
    const bool quoted = c == '"' || c == '\'';
    return read_pair_key(call,
                         marker == TW_GEMMA_DELIMITER ? '<'
                         : quoted                     ? (uint8_t)c
                                                      : 0,
                         first);
}

/* ---- values ------------------------------------------------------------- */

static tw_step open_container(tw_gemma_call *call, uint8_t closer)
{
    const uint8_t *at = call->window->at;
    if (depth_of(call) >= call->sink->limits.depth) {
        return tw_gemma_malformed(call, TW_DIAGNOSTIC_LIMIT_DEPTH, at);
    }
    tw_gemma_comma_out(call);
    tw_gemma_emit(call, closer == '}' ? "{" : "[", at);
    tw_gemma_skip_to(call, at + 1);
    return push(call, closer)
               ? tw_gemma_go(call, closer == ']' ? TW_GEMMA_AT_VALUE
                                                 : TW_GEMMA_AT_KEY)
               : tw_gemma_no_memory(call);
}

static tw_step open_quoted(tw_gemma_call *call, uint8_t quote)
{
    const uint8_t *at = call->window->at;
    tw_gemma_comma_out(call);
    tw_gemma_report(call,
                    quote == '"'    ? TW_DIAGNOSTIC_JSON_STRING
                    : quote == '\'' ? TW_DIAGNOSTIC_SINGLE_QUOTED
                                    : TW_DIAGNOSTIC_BACKTICK_STRING,
                    at);
    tw_gemma_emit(call, "\"", at);
    call->quote = quote;
    call->quote_at = tw_window_offset(call->window, at);
    call->raw_seen = false;
    tw_gemma_skip_to(call, at + 1);
    return tw_gemma_go(call, TW_GEMMA_AT_QUOTED);
}

static tw_step no_value(tw_gemma_call *call, tw_gemma_marker marker)
{
    const uint8_t *at = call->window->at;
    if (tw_gemma_in_array(call)) {
        return at == call->window->limit ? read_output_end(call)
                                         : read_marker(call, marker);
    }
    return marker == TW_GEMMA_CALL_END
               ? tw_gemma_malformed(call, TW_DIAGNOSTIC_NO_VALUE, at)
               : tw_gemma_cut_off(call, at);
}

static tw_step read_value(tw_gemma_call *call)
{
    const bool array = tw_gemma_in_array(call);
    const int c = next_byte(call);
    const uint8_t *at = call->window->at;
    size_t size = 0;
    if (c < 0) {
        return c == TW_LOOK_MORE ? TW_STEP_MORE
                                 : no_value(call, TW_GEMMA_RESPONSE);
    }
    const tw_gemma_marker marker =
        c == '<' ? tw_gemma_body_marker(call, at, &size) : TW_GEMMA_NONE;
    if (marker == TW_GEMMA_MORE) {
        return TW_STEP_MORE;
    }
    if (tw_gemma_ends_body(marker)) {
        return no_value(call, marker);
    }
    if (array && c == ',') {
        tw_gemma_report(call, TW_DIAGNOSTIC_EXTRA_COMMA, at);
        tw_gemma_skip_to(call, at + 1);
        return TW_STEP_AGAIN;
    }
    if (array && tw_gemma_is_closer(call, c)) {
        return read_closer(call);
    }
    if (c == ',' || tw_gemma_is_closer(call, c)) {
        tw_gemma_report(call, TW_DIAGNOSTIC_EMPTY_VALUE, at);
        tw_gemma_emit(call, "\"\"", at);
        return tw_gemma_go(call, TW_GEMMA_AT_AFTER);
    }
    if (c == '{' || c == '[') {
        return open_container(call, c == '{' ? '}' : ']');
    }
    if (marker == TW_GEMMA_DELIMITER) {
        tw_gemma_comma_out(call);
        tw_gemma_emit(call, "\"", at);
        tw_gemma_skip_to(call, at + size);
        call->quotes_marker = call->quotes_head = false;
        return tw_gemma_go(call, TW_GEMMA_AT_STRING);
    }
    if (c == '"' || c == '\'' || c == '`') {
        return open_quoted(call, (uint8_t)c);
    }
    return tw_gemma_begin_bare(call);
}

static tw_step read_after(tw_gemma_call *call)
{
    tw_gemma_frame *frame = tw_gemma_top(call);
    const int c = next_byte(call);
    const uint8_t *at = call->window->at;
    size_t size;
    if (c < 0) {
        return c == TW_LOOK_MORE ? TW_STEP_MORE : read_output_end(call);
    }
    if (c == ',') {
        frame->comma = tw_window_offset(call->window, at) + 1;
        tw_gemma_skip_to(call, at + 1);
        const bool array = frame->closer == ']';
        tw_gemma_go(call, array ? TW_GEMMA_AT_VALUE : TW_GEMMA_AT_KEY);
        return array ? read_value(call) : read_key(call);
    }
    if (tw_gemma_is_closer(call, c)) {
        return read_closer(call);
    }
    const tw_gemma_marker marker =
        c == '<' ? tw_gemma_body_marker(call, at, &size) : TW_GEMMA_NONE;
    if (marker == TW_GEMMA_MORE) {
        return TW_STEP_MORE;
    }
    if (tw_gemma_ends_body(marker)) {
        return read_marker(call, marker);
    }
    const tw_match is_key =
        frame->closer == ']' ? TW_MATCH_NONE : tw_gemma_word_key(call, at);
    if (is_key == TW_MATCH_MORE) {
        return TW_STEP_MORE;
    }
    if (is_key == TW_MATCH_NONE) {
        return tw_gemma_malformed(call, TW_DIAGNOSTIC_NO_COMMA, at);
    }
    tw_gemma_report(call, TW_DIAGNOSTIC_MISSING_COMMA, at);
    return tw_gemma_go(call, TW_GEMMA_AT_KEY);
}

/* A string's reader says how it ended. */
static tw_step read_string(tw_gemma_call *call)
{
    const tw_gemma_ended ended = call->state == TW_GEMMA_AT_STRING
                                     ? tw_gemma_read_delimited(call)
                                     : tw_gemma_read_quoted(call);
    switch (ended) {
    case TW_GEMMA_GOES_ON: return TW_STEP_AGAIN;
    case TW_GEMMA_ENDED: return tw_gemma_go(call, TW_GEMMA_AT_AFTER);
    case TW_GEMMA_STARVED: return TW_STEP_MORE;
    case TW_GEMMA_CUT: return tw_gemma_cut_off(call, call->window->at);
    default: return TW_STEP_DONE; /* |reason| is set */
    }
}

/* ---- front -------------------------------------------------------------- */

bool tw_gemma_call_start(tw_gemma_call *call, uint32_t index, bool paren)
{
    call->index = index;
    call->paren = paren;
    call->state = TW_GEMMA_AT_KEY;
    call->doubled = 0;
    call->reason = 0;
    call->truncated = false;
    call->frames.size = 0;
    memset(&call->blanks, 0, sizeof call->blanks);
    memset(&call->key_blanks, 0, sizeof call->key_blanks);
    memset(&call->key, 0, sizeof call->key);
    memset(&call->held, 0, sizeof call->held);
    return push(call, paren ? ')' : '}');
}

static tw_step read_on(tw_gemma_call *call)
{
    switch (call->state) {
    case TW_GEMMA_AT_KEY: return read_key(call);
    case TW_GEMMA_AT_VALUE: return read_value(call);
    case TW_GEMMA_AT_AFTER: return read_after(call);
    case TW_GEMMA_AT_BARE: return tw_gemma_read_bare(call);
    case TW_GEMMA_AT_NUMBER: return tw_gemma_read_number(call);
    default: return read_string(call);
    }
}

tw_step tw_gemma_call_step(tw_gemma_call *call)
{
    const tw_step step = read_on(call);
    if (call->sink->overflow && call->reason == 0) {
        call->reason = TW_DIAGNOSTIC_LIMIT_ARGUMENTS;
        call->reason_at = call->sink->overflow_at;
        return TW_STEP_DONE;
    }
    return step;
}
