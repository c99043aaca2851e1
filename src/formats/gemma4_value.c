/* SPDX-License-Identifier: MIT
 *
 * What stands in the braces of a Gemma call, as JSON text.
 */
#include <string.h>

#include "formats/gemma4_look.h"
#include "formats/gemma4_string.h"
#include "json/number.h"

enum state { KEY, VALUE, AFTER, STRING, QUOTED, BARE, NUMBER };

/* ---- ends --------------------------------------------------------------- */

static tw_step malformed(tw_gemma4_call *call, uint32_t reason,
                         const uint8_t *at)
{
    call->reason = reason;
    call->reason_at = tw_window_offset(call->window, at);
    return TW_STEP_DONE;
}

static tw_step cut_off(tw_gemma4_call *call, const uint8_t *at)
{
    call->truncated = true;
    return malformed(call, TW_DIAGNOSTIC_TRUNCATED_CALL, at);
}

static tw_step no_memory(tw_gemma4_call *call)
{
    tw_sink_fail(call->sink, TW_ERROR_MEMORY, call->window->offset,
                 "no memory");
    return TW_STEP_DONE;
}

static void diagnose(tw_gemma4_call *call, uint32_t code, const uint8_t *at)
{
    tw_sink_diagnostic(call->sink, code, tw_window_offset(call->window, at));
}

static void emit(tw_gemma4_call *call, const char *text, const uint8_t *at)
{
    tw_sink_arguments_copy(call->sink, call->index, text, strlen(text),
                           tw_window_offset(call->window, at));
}

static tw_step go(tw_gemma4_call *call, enum state state)
{
    call->state = (uint8_t)state;
    return TW_STEP_AGAIN;
}

static void skip_to(tw_gemma4_call *call, const uint8_t *at)
{
    tw_window_skip(call->window, (size_t)(at - call->window->at));
}

/* Releases blanks; returns the byte behind them, TW_LOOK_END or _MORE. */
static int next_byte(tw_gemma4_call *call)
{
    tw_window *window = call->window;
    const uint8_t *at = window->at;
    while (at < window->limit && tw_is_blank(*at)) {
        at++;
    }
    skip_to(call, at);
    return tw_look(window, at);
}

/* ---- frames ------------------------------------------------------------- */

static size_t depth_of(const tw_gemma4_call *call)
{
    return call->frames.size / sizeof(tw_gemma4_frame);
}

static bool push(tw_gemma4_call *call, uint8_t closer)
{
    tw_gemma4_frame frame = {0};
    frame.closer = closer;
    return tw_buffer_append(&call->frames, call->sink->memory, &frame,
                            sizeof frame);
}

/* Closes the container on top at |at|.  The brace of the root is not
 * delivered here: it comes with the end of a complete call (DESIGN R8). */
static bool pop(tw_gemma4_call *call, const uint8_t *at)
{
    const tw_gemma4_frame frame = *tw_gemma4_top(call);
    if (frame.comma > 0) {
        tw_sink_diagnostic(call->sink, TW_DIAGNOSTIC_TRAILING_COMMA,
                           frame.comma - 1);
    }
    call->frames.size -= sizeof frame;
    if (call->frames.size > 0) {
        emit(call, frame.closer == ']' ? "]" : "}", at);
        return true;
    }
    call->closer_at = tw_window_offset(call->window, at);
    return false;
}

/* The comma of JSON is written before an element, never behind one, so that
 * trailing and doubled commas need no look-ahead. */
static void comma_out(tw_gemma4_call *call)
{
    tw_gemma4_frame *frame = tw_gemma4_top(call);
    frame->comma = 0;
    if (frame->closer == ']') {
        if (frame->used) {
            emit(call, ",", call->window->at);
        }
        frame->used = true;
    }
}

static bool is_open(const tw_gemma4_call *call, uint8_t closer)
{
    const tw_gemma4_frame *frames =
        (const tw_gemma4_frame *)(void *)call->frames.data;
    for (size_t i = depth_of(call); i-- > 0;) {
        if (frames[i].closer == closer) {
            return true;
        }
    }
    return false;
}

/* A closer stands at the window: the one that is due, one of an outer
 * container, or a stray one. */
static tw_step read_closer(tw_gemma4_call *call)
{
    const uint8_t *at = call->window->at;
    const tw_gemma4_frame *frame = tw_gemma4_top(call);
    if (*at != frame->closer && !is_open(call, *at)) {
        diagnose(call, TW_DIAGNOSTIC_EXTRA_CLOSER, at);
        skip_to(call, at + 1);
        const bool behind_value = frame->comma == 0 && frame->used;
        return go(call, behind_value            ? AFTER
                        : frame->closer == ']' ? VALUE
                                                : KEY);
    }
    if (*at != frame->closer) {
        diagnose(call, TW_DIAGNOSTIC_MISSING_CLOSER, at);
        while (tw_gemma4_top(call)->closer != *at) {
            pop(call, at);
        }
    }
    const bool open = pop(call, at);
    skip_to(call, at + 1);
    return open ? go(call, AFTER) : TW_STEP_DONE;
}

/* A marker stands between values: closers may be missing before a real
 * terminator, else the call is cut off. */
static tw_step read_marker(tw_gemma4_call *call, tw_gemma4_marker marker)
{
    const uint8_t *at = call->window->at;
    if (marker != TW_GEMMA4_CALL_END && marker != TW_GEMMA4_RESPONSE) {
        return cut_off(call, at);
    }
    diagnose(call, TW_DIAGNOSTIC_MISSING_CLOSER, at);
    while (pop(call, at)) {
    }
    return TW_STEP_DONE;
}

/* ---- keys --------------------------------------------------------------- */

typedef struct key {
    const uint8_t *from; /* its text ... */
    const uint8_t *to;
    const uint8_t *end;  /* ... and what follows it, blanks aside */
    uint8_t quote;       /* `"`, `'`, `<` for a delimiter, or 0 */
    bool closing;        /* a delimiter stands behind a key without one */
} key;

/* The end of the key's text, from |at| on; NULL and |*wait|, or NULL at the
 * end of input. */
static const uint8_t *key_end(tw_gemma4_call *call, key *its,
                              const uint8_t *at, tw_step *wait)
{
    const tw_window *window = call->window;
    for (;; at++) {
        const int c = tw_look(window, at);
        size_t size;
        const tw_gemma4_marker marker =
            c == '<' ? tw_gemma4_marker_at(window, at, &size)
                     : TW_GEMMA4_NONE;
        call->held.to = tw_window_offset(window, at);
        if (c == TW_LOOK_MORE || marker == TW_GEMMA4_MORE) {
            *wait = TW_STEP_MORE;
            return NULL;
        }
        if (c == TW_LOOK_END) {
            *wait = cut_off(call, window->at);
            return NULL;
        }
        if (at - window->at > TW_HOLD_VALUE) {
            *wait = malformed(call, TW_DIAGNOSTIC_LIMIT_LOOKAHEAD,
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
        } else if (marker == TW_GEMMA4_DELIMITER) {
            its->closing = its->quote == 0;
            return at;
        } else if (its->quote == 0 &&
                   (tw_gemma4_ends_body(marker) ||
                    (c != 0 && strchr(":=,{}[]", c) != NULL))) {
            return at;
        }
    }
}

/* Holds the key until its separator. */
static tw_step hold_key(tw_gemma4_call *call, key *its)
{
    tw_window *window = call->window;
    const uint64_t begin = window->offset;
    const uint8_t *at = window->at;
    tw_step wait = TW_STEP_MORE;
    its->from = at + (its->quote == 0 ? 0 : its->quote == '<' ? 5 : 1);
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
    its->end = its->to + (delimiter ? 5 : its->quote != 0 ? 1 : 0);
    its->end = tw_gemma4_blanks(call, its->end);
    const int c = tw_look(window, its->end);
    if (c == TW_LOOK_MORE) {
        return its->end - window->at > TW_HOLD_VALUE
                   ? malformed(call, TW_DIAGNOSTIC_LIMIT_LOOKAHEAD,
                               window->at)
                   : TW_STEP_MORE;
    }
    return c == TW_LOOK_END ? cut_off(call, window->at) : TW_STEP_AGAIN;
}

/* The body is no pairs but `null`, or a string that holds the object. */
static bool whole_body(tw_gemma4_call *call, const key *its)
{
    const uint8_t *from = its->from;
    const uint8_t *to = its->to;
    const uint8_t *begin = call->window->at;
    if (its->quote == 0) {
        while (to > from && tw_is_blank(to[-1])) {
            to--;
        }
        if (to - from != 4 ||
            (memcmp(from, "null", 4) != 0 && memcmp(from, "None", 4) != 0)) {
            return false;
        }
        diagnose(call, TW_DIAGNOSTIC_EMPTY_ARGUMENTS, begin);
        return true;
    }
    return tw_gemma4_unwrap(call, from, to, its->quote);
}

static const uint32_t key_codes[] = {TW_DIAGNOSTIC_QUOTED_KEY,
                                     TW_DIAGNOSTIC_JSON_KEY,
                                     TW_DIAGNOSTIC_SINGLE_QUOTED};

static void write_key(tw_gemma4_call *call, const key *its)
{
    const uint8_t *begin = call->window->at;
    const uint8_t *to = its->to;
    tw_gemma4_frame *frame = tw_gemma4_top(call);
    if (its->quote != 0) {
        diagnose(call,
                 key_codes[its->quote == '"'    ? 1
                           : its->quote == '\'' ? 2
                                                : 0],
                 begin);
    } else if (its->closing) {
        diagnose(call, TW_DIAGNOSTIC_MISSING_STRING_OPEN, begin);
    }
    while (its->quote == 0 && to > its->from && tw_is_blank(to[-1])) {
        to--;
    }
    if (*its->end == '=') {
        diagnose(call, TW_DIAGNOSTIC_EQUALS_SEPARATOR, its->end);
    }
    emit(call, frame->used ? ",\"" : "\"", begin);
    if (its->quote == '"' || its->quote == '\'') {
        tw_gemma4_quoted_text(call, its->from, to, its->quote);
    } else {
        tw_sink_arguments_raw(call->sink, call->index, its->from,
                              (size_t)(to - its->from), false);
    }
    emit(call, "\":", begin);
    frame->used = true;
    frame->comma = 0;
    frame->separator = *its->end;
    skip_to(call, its->end + 1);
}

static tw_step read_pair_key(tw_gemma4_call *call, uint8_t quote, bool first)
{
    key its = {0};
    its.quote = quote;
    const tw_step held = hold_key(call, &its);
    if (held != TW_STEP_AGAIN) {
        return held;
    }
    const uint8_t *at = its.from;
    while (at < its.to && tw_is_blank(*at)) {
        at++;
    }
    const bool empty = quote == 0 && at == its.to;
    const uint8_t c = *its.end;
    if (!empty && (c == ':' || c == '=')) {
        write_key(call, &its);
        return go(call, VALUE);
    }
    if (first && (c == '}' || c == ')') && whole_body(call, &its)) {
        skip_to(call, its.end);
        return go(call, AFTER);
    }
    return malformed(call, TW_DIAGNOSTIC_NO_KEY, call->window->at);
}

static tw_step read_key(tw_gemma4_call *call)
{
    tw_gemma4_frame *frame = tw_gemma4_top(call);
    const bool first =
        depth_of(call) == 1 && !frame->used && frame->comma == 0;
    const int c = next_byte(call);
    const uint8_t *at = call->window->at;
    size_t size;
    if (c < 0) {
        return c == TW_LOOK_MORE ? TW_STEP_MORE : cut_off(call, at);
    }
    if (c == ',') {
        diagnose(call, TW_DIAGNOSTIC_EXTRA_COMMA, at);
        skip_to(call, at + 1);
        return TW_STEP_AGAIN;
    }
    if (tw_gemma4_is_closer(call, c)) {
        return read_closer(call);
    }
    if (c == '{' && first && call->doubled == 0) {
        diagnose(call, TW_DIAGNOSTIC_DOUBLED_BRACES, at);
        call->doubled = 1;
        skip_to(call, at + 1);
        return TW_STEP_AGAIN;
    }
    const tw_gemma4_marker marker =
        c == '<' ? tw_gemma4_marker_at(call->window, at, &size)
                 : TW_GEMMA4_NONE;
    if (marker == TW_GEMMA4_MORE) {
        return TW_STEP_MORE;
    }
    if (tw_gemma4_ends_body(marker)) {
        return read_marker(call, marker);
    }
    const bool quoted = c == '"' || c == '\'';
    return read_pair_key(call,
                         marker == TW_GEMMA4_DELIMITER ? '<'
                         : quoted                      ? (uint8_t)c
                                                       : 0,
                         first);
}

/* ---- values ------------------------------------------------------------- */

static tw_step open_container(tw_gemma4_call *call, uint8_t closer)
{
    const uint8_t *at = call->window->at;
    if (depth_of(call) >= call->sink->limits.depth) {
        return malformed(call, TW_DIAGNOSTIC_LIMIT_DEPTH, at);
    }
    comma_out(call);
    emit(call, closer == '}' ? "{" : "[", at);
    skip_to(call, at + 1);
    return push(call, closer) ? go(call, closer == ']' ? VALUE : KEY)
                              : no_memory(call);
}

static tw_step open_quoted(tw_gemma4_call *call, uint8_t quote)
{
    const uint8_t *at = call->window->at;
    comma_out(call);
    diagnose(call,
             quote == '"'    ? TW_DIAGNOSTIC_JSON_STRING
             : quote == '\'' ? TW_DIAGNOSTIC_SINGLE_QUOTED
                             : TW_DIAGNOSTIC_BACKTICK_STRING,
             at);
    emit(call, "\"", at);
    call->quote = quote;
    call->quote_at = tw_window_offset(call->window, at);
    call->raw_seen = false;
    skip_to(call, at + 1);
    return go(call, QUOTED);
}

static tw_step no_value(tw_gemma4_call *call, tw_gemma4_marker marker)
{
    const uint8_t *at = call->window->at;
    if (tw_gemma4_in_array(call)) {
        return read_marker(call, marker);
    }
    return marker == TW_GEMMA4_CALL_END
               ? malformed(call, TW_DIAGNOSTIC_NO_VALUE, at)
               : cut_off(call, at);
}

static tw_step begin_bare(tw_gemma4_call *call)
{
    call->held.from = call->held.to = call->window->offset;
    call->bare_closer = call->bare_comma = call->bare_delimiter = 0;
    call->bare_depth = 0;
    call->bare_last = call->bare_scalar = 0;
    return go(call, BARE);
}

static tw_step read_value(tw_gemma4_call *call)
{
    const bool array = tw_gemma4_in_array(call);
    const int c = next_byte(call);
    const uint8_t *at = call->window->at;
    size_t size = 0;
    if (c < 0) {
        return c == TW_LOOK_MORE ? TW_STEP_MORE : cut_off(call, at);
    }
    const tw_gemma4_marker marker =
        c == '<' ? tw_gemma4_marker_at(call->window, at, &size)
                 : TW_GEMMA4_NONE;
    if (marker == TW_GEMMA4_MORE) {
        return TW_STEP_MORE;
    }
    if (tw_gemma4_ends_body(marker)) {
        return no_value(call, marker);
    }
    if (array && c == ',') {
        diagnose(call, TW_DIAGNOSTIC_EXTRA_COMMA, at);
        skip_to(call, at + 1);
        return TW_STEP_AGAIN;
    }
    if (array && tw_gemma4_is_closer(call, c)) {
        return read_closer(call);
    }
    if (c == ',' || tw_gemma4_is_closer(call, c)) {
        diagnose(call, TW_DIAGNOSTIC_EMPTY_VALUE, at);
        emit(call, "\"\"", at);
        return go(call, AFTER);
    }
    if (c == '{' || c == '[') {
        return open_container(call, c == '{' ? '}' : ']');
    }
    if (marker == TW_GEMMA4_DELIMITER) {
        comma_out(call);
        emit(call, "\"", at);
        skip_to(call, at + size);
        return go(call, STRING);
    }
    if (c == '"' || c == '\'' || c == '`') {
        return open_quoted(call, (uint8_t)c);
    }
    return begin_bare(call);
}

static tw_step read_after(tw_gemma4_call *call)
{
    tw_gemma4_frame *frame = tw_gemma4_top(call);
    const int c = next_byte(call);
    const uint8_t *at = call->window->at;
    size_t size;
    if (c < 0) {
        return c == TW_LOOK_MORE ? TW_STEP_MORE : cut_off(call, at);
    }
    if (c == ',') {
        frame->comma = tw_window_offset(call->window, at) + 1;
        skip_to(call, at + 1);
        return go(call, frame->closer == ']' ? VALUE : KEY);
    }
    if (tw_gemma4_is_closer(call, c)) {
        return read_closer(call);
    }
    const tw_gemma4_marker marker =
        c == '<' ? tw_gemma4_marker_at(call->window, at, &size)
                 : TW_GEMMA4_NONE;
    if (marker == TW_GEMMA4_MORE) {
        return TW_STEP_MORE;
    }
    if (tw_gemma4_ends_body(marker)) {
        return read_marker(call, marker);
    }
    const tw_answer is_key = frame->closer == ']'
                                 ? TW_NO
                                 : tw_gemma4_word_key(call, at);
    if (is_key == TW_WAIT) {
        return TW_STEP_MORE;
    }
    if (is_key == TW_NO) {
        return malformed(call, TW_DIAGNOSTIC_NO_COMMA, at);
    }
    diagnose(call, TW_DIAGNOSTIC_MISSING_COMMA, at);
    return go(call, KEY);
}

/* A string's reader says how it ended. */
static tw_step read_string(tw_gemma4_call *call)
{
    const tw_gemma4_ended ended = call->state == STRING
                                      ? tw_gemma4_read_delimited(call)
                                      : tw_gemma4_read_quoted(call);
    switch (ended) {
    case TW_GEMMA4_GOES_ON: return TW_STEP_AGAIN;
    case TW_GEMMA4_ENDED: return go(call, AFTER);
    case TW_GEMMA4_STARVED: return TW_STEP_MORE;
    case TW_GEMMA4_CUT: return cut_off(call, call->window->at);
    default: return TW_STEP_DONE; /* |reason| is set */
    }
}

/* ---- values without delimiters ------------------------------------------ */

static uint64_t offset_of(const tw_gemma4_call *call, const uint8_t *at)
{
    return tw_window_offset(call->window, at) + 1;
}

static const uint8_t *pointer_to(const tw_gemma4_call *call, uint64_t offset)
{
    return call->window->at + (offset - 1 - call->window->offset);
}

static tw_gemma4_scalar scalar_of(const uint8_t *from, const uint8_t *to)
{
    while (from < to && tw_is_blank(to[-1])) {
        to--;
    }
    return tw_gemma4_scan_scalar(from, to);
}

/* The value ends at |end|: a number, a literal, or a string. */
static tw_step end_bare(tw_gemma4_call *call, const uint8_t *end,
                        const uint8_t *seen)
{
    static const char *const spelled[] = {NULL,    NULL,   "true", "false",
                                          "null", "true", "false", "null"};
    const uint8_t *from = call->window->at;
    const uint8_t *to = end;
    tw_gemma4_frame *frame = tw_gemma4_top(call);
    const uint64_t reached = tw_window_offset(call->window, seen);
    if (frame->closer == ']' && frame->cut_until < reached) {
        frame->cut_until = reached;
    }
    if (call->bare_delimiter != 0 &&
        call->bare_delimiter < offset_of(call, end)) {
        return malformed(call, TW_DIAGNOSTIC_STRAY_DELIMITER,
                         pointer_to(call, call->bare_delimiter));
    }
    while (to > from && tw_is_blank(to[-1])) {
        to--;
    }
    const tw_gemma4_scalar scalar = tw_gemma4_scan_scalar(from, to);
    comma_out(call);
    if (scalar == TW_GEMMA4_NO_SCALAR) {
        diagnose(call, TW_DIAGNOSTIC_BARE_STRING, from);
        emit(call, "\"", from);
        tw_sink_arguments_raw(call->sink, call->index, from,
                              (size_t)(to - from), false);
        emit(call, "\"", to);
    } else if (scalar == TW_GEMMA4_NUMBER) {
        tw_sink_arguments(call->sink, call->index, from, (size_t)(to - from),
                          tw_window_offset(call->window, from));
    } else {
        if (scalar >= TW_GEMMA4_PYTHON_TRUE) {
            diagnose(call, TW_DIAGNOSTIC_PYTHON_LITERALS, from);
        }
        emit(call, spelled[scalar], from);
    }
    skip_to(call, end);
    return go(call, AFTER);
}

/* The delimiter at |at| closes a string whose opener was left out. */
static tw_step end_open_string(tw_gemma4_call *call, const uint8_t *at)
{
    const uint8_t *from = call->window->at;
    comma_out(call);
    diagnose(call, TW_DIAGNOSTIC_MISSING_STRING_OPEN, from);
    if (call->bare_delimiter != 0) {
        diagnose(call, TW_DIAGNOSTIC_INTERIOR_DELIMITER,
                 pointer_to(call, call->bare_delimiter));
    }
    emit(call, "\"", from);
    tw_sink_arguments_raw(call->sink, call->index, from, (size_t)(at - from),
                          false);
    emit(call, "\"", at);
    skip_to(call, at + 5);
    return go(call, AFTER);
}

/* The comma or closer that the value ends at, all told. */
static tw_step end_bare_before(tw_gemma4_call *call, const uint8_t *at,
                               const uint8_t *seen)
{
    if (tw_gemma4_in_array(call) && call->bare_comma != 0) {
        at = pointer_to(call, call->bare_comma);
    } else if (call->bare_closer != 0) {
        at = pointer_to(call, call->bare_closer);
    }
    return end_bare(call, at, seen);
}

/* TW_STEP_AGAIN with *at unchanged: the byte is an ordinary one. */
static tw_step bare_marker(tw_gemma4_call *call, const uint8_t **at)
{
    size_t size;
    const tw_gemma4_marker marker =
        tw_gemma4_marker_at(call->window, *at, &size);
    const uint8_t last = call->bare_last;
    if (marker == TW_GEMMA4_MORE) {
        return TW_STEP_MORE;
    }
    if (tw_gemma4_ends_body(marker)) {
        if (call->bare_closer == 0 && call->bare_depth > 0) {
            return malformed(call, TW_DIAGNOSTIC_UNBALANCED_TEXT,
                             call->window->at);
        }
        end_bare_before(call, *at, *at);
        return TW_STEP_DONE;
    }
    if (marker != TW_GEMMA4_DELIMITER) {
        return TW_STEP_AGAIN;
    }
    const bool opens = tw_gemma4_in_array(call) ? last == ','
                                                : last == ':' || last == '=';
    if (opens && call->bare_comma != 0) {
        end_bare(call, pointer_to(call, call->bare_comma), *at);
        return TW_STEP_DONE;
    }
    const tw_gemma4_follow follow = tw_gemma4_follows(call, *at + size);
    if (follow == TW_FOLLOW_WAIT) {
        return TW_STEP_MORE;
    }
    if (follow != TW_FOLLOW_NONE) {
        end_open_string(call, *at);
        return TW_STEP_DONE;
    }
    call->bare_delimiter = offset_of(call, *at);
    *at += size;
    return TW_STEP_AGAIN;
}

static tw_step bare_comma(tw_gemma4_call *call, const uint8_t *at)
{
    const bool first = call->bare_comma == 0;
    if (first && call->bare_scalar == 0) {
        const tw_gemma4_scalar scalar = scalar_of(call->window->at, at);
        call->bare_scalar = scalar == TW_GEMMA4_NO_SCALAR ? 1 : 2;
    }
    const bool scalar = first && call->bare_scalar == 2;
    tw_answer ends;
    if (tw_gemma4_in_array(call)) {
        const bool seen = tw_window_offset(call->window, at) <
                          tw_gemma4_top(call)->cut_until;
        ends = scalar || seen ? TW_YES : TW_NO;
    } else {
        ends = tw_gemma4_ends_pair(call, at, scalar);
    }
    if (ends == TW_WAIT) {
        return TW_STEP_MORE;
    }
    if (ends == TW_YES) {
        end_bare(call, at, at);
        return TW_STEP_DONE;
    }
    if (first || !tw_gemma4_in_array(call)) {
        call->bare_comma = offset_of(call, at);
    }
    return TW_STEP_AGAIN;
}

static tw_step bare_closer(tw_gemma4_call *call, const uint8_t *at)
{
    if (call->bare_depth > 0) {
        call->bare_depth--;
        return TW_STEP_AGAIN;
    }
    const uint8_t *behind = tw_gemma4_blanks(call, at + 1);
    const int c = tw_look(call->window, behind);
    bool ends = c == TW_LOOK_END || c == ',' || c == '}' || c == ']' ||
                c == ')';
    if (c == TW_LOOK_MORE) {
        return TW_STEP_MORE;
    }
    if (c == '<') {
        size_t size;
        const tw_gemma4_marker marker =
            tw_gemma4_marker_at(call->window, behind, &size);
        if (marker == TW_GEMMA4_MORE) {
            return TW_STEP_MORE;
        }
        ends = tw_gemma4_ends_body(marker);
    }
    if (call->bare_closer == 0) {
        call->bare_closer = offset_of(call, at);
    }
    if (ends) {
        end_bare_before(call, at, at);
        return TW_STEP_DONE;
    }
    return TW_STEP_AGAIN;
}

/* Too long to be held: it goes on as a number or not at all. */
static tw_step bare_too_long(tw_gemma4_call *call)
{
    tw_window *window = call->window;
    const uint8_t *at = window->at;
    uint8_t number = TW_NUMBER_BEGIN;
    for (size_t i = 0; i < TW_HOLD_VALUE; i++) {
        if (!tw_number_takes(&number, at[i])) {
            return malformed(call, TW_DIAGNOSTIC_LIMIT_LOOKAHEAD, at);
        }
    }
    comma_out(call);
    tw_sink_arguments(call->sink, call->index, at, TW_HOLD_VALUE,
                      window->offset);
    tw_window_skip(window, TW_HOLD_VALUE);
    call->number = number;
    return go(call, NUMBER);
}

static tw_step bare_byte(tw_gemma4_call *call, const uint8_t **at)
{
    const int c = **at;
    if (c == '<') {
        return bare_marker(call, at);
    }
    if (c == ',' && call->bare_depth == 0) {
        return bare_comma(call, *at);
    }
    if (c == '{' || c == '[' || (c == '(' && call->paren)) {
        call->bare_depth++;
    } else if (tw_gemma4_is_closer(call, c)) {
        return bare_closer(call, *at);
    }
    return TW_STEP_AGAIN;
}

/* Held until its end is known: numbers, literals, and what should have been
 * a string. */
static tw_step read_bare(tw_gemma4_call *call)
{
    tw_window *window = call->window;
    const uint8_t *at = window->at + (call->held.to - window->offset);
    for (;;) {
        call->held.to = tw_window_offset(window, at);
        if (at - window->at > TW_HOLD_VALUE) {
            return bare_too_long(call);
        }
        const int c = tw_look(window, at);
        if (c == TW_LOOK_MORE) {
            return TW_STEP_MORE;
        }
        if (c == TW_LOOK_END) {
            return call->bare_closer == 0
                       ? cut_off(call, window->at)
                       : end_bare(call, pointer_to(call, call->bare_closer),
                                  at);
        }
        const uint8_t *before = at;
        const tw_step step = bare_byte(call, &at);
        if (step == TW_STEP_DONE) {
            return call->reason != 0 ? TW_STEP_DONE : TW_STEP_AGAIN;
        }
        if (step == TW_STEP_MORE) {
            return TW_STEP_MORE;
        }
        if (at == before) {
            if (!tw_is_blank(c)) {
                call->bare_last = (uint8_t)c;
            }
            at++;
        }
    }
}

static tw_step read_number(tw_gemma4_call *call)
{
    tw_window *window = call->window;
    const uint8_t *at = window->at;
    while (at < window->limit) {
        uint8_t number = call->number;
        if (!tw_number_takes(&number, *at)) {
            break;
        }
        call->number = number;
        at++;
    }
    const bool more = at == window->limit;
    const size_t size = (size_t)(at - window->at);
    tw_sink_arguments(call->sink, call->index, window->at, size,
                      window->offset);
    tw_window_skip(window, size);
    if (more) {
        return window->eof ? cut_off(call, at) : TW_STEP_MORE;
    }
    return tw_number_may_end(call->number)
               ? go(call, AFTER)
               : malformed(call, TW_DIAGNOSTIC_LIMIT_LOOKAHEAD, at);
}

/* ---- front -------------------------------------------------------------- */

bool tw_gemma4_call_start(tw_gemma4_call *call, uint32_t index, bool paren)
{
    call->index = index;
    call->paren = paren;
    call->state = KEY;
    call->doubled = 0;
    call->reason = 0;
    call->truncated = false;
    call->frames.size = 0;
    memset(&call->blanks, 0, sizeof call->blanks);
    memset(&call->key, 0, sizeof call->key);
    memset(&call->held, 0, sizeof call->held);
    return push(call, paren ? ')' : '}');
}

static tw_step read_on(tw_gemma4_call *call)
{
    switch (call->state) {
    case KEY: return read_key(call);
    case VALUE: return read_value(call);
    case AFTER: return read_after(call);
    case BARE: return read_bare(call);
    case NUMBER: return read_number(call);
    default: return read_string(call);
    }
}

tw_step tw_gemma4_call_step(tw_gemma4_call *call)
{
    const tw_step step = read_on(call);
    if (call->sink->overflow && call->reason == 0) {
        call->reason = TW_DIAGNOSTIC_LIMIT_ARGUMENTS;
        call->reason_at = call->sink->overflow_at;
        return TW_STEP_DONE;
    }
    return step;
}
