/* SPDX-License-Identifier: MIT
 *
 * Gemma's values without delimiters: numbers and literals, and what should
 * have been a string.  They are held until their end is known.
 */
#include "formats/body/gemma/bare.h"

#include <string.h>

#include "formats/body/gemma/look.h"
#include "formats/body/gemma/moves.h"
#include "formats/body/gemma/scalar.h"
#include "formats/stop.h"
#include "json/number.h"

tw_step tw_gemma_begin_bare(tw_gemma_call *call)
{
    call->held.from = call->held.to = call->window->offset;
    call->bare_closer = call->bare_comma = call->bare_delimiter = 0;
    call->bare_depth = 0;
    call->bare_last = call->bare_scalar = 0;
    tw_gemma_go(call, TW_GEMMA_AT_BARE);
    return tw_gemma_read_bare(call);
}

static uint64_t offset_of(const tw_gemma_call *call, const uint8_t *at)
{
    return tw_window_offset(call->window, at) + 1;
}

static const uint8_t *pointer_to(const tw_gemma_call *call, uint64_t offset)
{
    return call->window->at + (offset - 1 - call->window->offset);
}

static tw_gemma_scalar scalar_of(const uint8_t *from, const uint8_t *to)
{
    while (from < to && tw_is_ws(to[-1])) {
        to--;
    }
    return tw_gemma_scan_scalar(from, to);
}

/* The value ends at |end|: a number, a literal, or a string. */
static tw_step end_bare(tw_gemma_call *call, const uint8_t *end,
                        const uint8_t *seen)
{
    static const char *const spelled[] = {NULL,   NULL,   "true",  "false",
                                          "null", "true", "false", "null"};
    const uint8_t *from = call->window->at;
    const uint8_t *to = end;
    tw_gemma_frame *frame = tw_gemma_top(call);
    const uint64_t reached = tw_window_offset(call->window, seen);
    if (frame->closer == ']' && frame->cut_until < reached) {
        frame->cut_until = reached;
    }
    if (call->bare_delimiter != 0 &&
        call->bare_delimiter < offset_of(call, end)) {
        return tw_gemma_malformed(call, TW_DIAGNOSTIC_STRAY_DELIMITER,
                                  pointer_to(call, call->bare_delimiter));
    }
    while (to > from && tw_is_ws(to[-1])) {
        to--;
    }
    const tw_gemma_scalar scalar = tw_gemma_scan_scalar(from, to);
    tw_gemma_comma_out(call);
    if (scalar == TW_GEMMA_NO_SCALAR) {
        tw_gemma_report(call, TW_DIAGNOSTIC_BARE_STRING, from);
        tw_gemma_emit(call, "\"", from);
        tw_sink_arguments_raw(call->sink, call->index, from,
                              (size_t)(to - from), false);
        tw_gemma_emit(call, "\"", to);
    } else if (scalar == TW_GEMMA_NUMBER) {
        tw_sink_arguments(call->sink, call->index, from, (size_t)(to - from),
                          tw_window_offset(call->window, from));
    } else {
        if (scalar >= TW_GEMMA_PYTHON_TRUE) {
            tw_gemma_report(call, TW_DIAGNOSTIC_PYTHON_LITERALS, from);
        }
        tw_gemma_emit(call, spelled[scalar], from);
    }
    tw_gemma_skip_to(call, end);
    return tw_gemma_go(call, TW_GEMMA_AT_AFTER);
}

/* The delimiter at |at| closes a string whose opener was left out. */
static tw_step end_open_string(tw_gemma_call *call, const uint8_t *at)
{
    const uint8_t *from = call->window->at;
    tw_gemma_comma_out(call);
    tw_gemma_report(call, TW_DIAGNOSTIC_MISSING_STRING_OPEN, from);
    if (call->bare_delimiter != 0) {
        tw_gemma_report(call, TW_DIAGNOSTIC_INTERIOR_DELIMITER,
                        pointer_to(call, call->bare_delimiter));
    }
    tw_gemma_emit(call, "\"", from);
    tw_sink_arguments_raw(call->sink, call->index, from, (size_t)(at - from),
                          false);
    tw_gemma_emit(call, "\"", at);
    tw_gemma_skip_to(call, at + call->wire->delimiter_size);
    return tw_gemma_go(call, TW_GEMMA_AT_AFTER);
}

/* The comma or closer that the value ends at, all told. */
static tw_step end_bare_before(tw_gemma_call *call, const uint8_t *at,
                               const uint8_t *seen)
{
    if (tw_gemma_in_array(call) && call->bare_comma != 0) {
        at = pointer_to(call, call->bare_comma);
    } else if (call->bare_closer != 0) {
        at = pointer_to(call, call->bare_closer);
    }
    return end_bare(call, at, seen);
}

static tw_step end_bare_at_marker(tw_gemma_call *call, const uint8_t *at)
{
    if (call->bare_closer == 0 && call->bare_depth > 0) {
        return tw_gemma_malformed(call, TW_DIAGNOSTIC_UNBALANCED_TEXT,
                                  call->window->at);
    }
    end_bare_before(call, at, at);
    return TW_STEP_DONE;
}

/* Is the end of the value half a marker? */
static bool ends_in_half(const tw_gemma_call *call, const uint8_t *at)
{
    const uint8_t *less = at;
    do {
        less--;
    } while (less > call->window->at && *less != '<');
    return *less == '<' &&
           tw_half_marker(call->window, call->wire->markers,
                          call->wire->marker_count, less) != TW_HALF_NONE;
}

/* The output ends in the value. */
static tw_step end_bare_at_end(tw_gemma_call *call, const uint8_t *at)
{
    const bool open = call->bare_closer == 0;
    if (tw_gemma_stopped(call) && !ends_in_half(call, at) &&
        (!open || call->bare_depth == 0)) {
        end_bare_at_marker(call, at);
    } else if (open) {
        tw_gemma_cut_off(call, call->window->at);
    } else {
        end_bare(call, pointer_to(call, call->bare_closer), at);
    }
    return TW_STEP_DONE;
}

/* TW_STEP_AGAIN with *at unchanged: the byte is an ordinary one. */
static tw_step bare_marker(tw_gemma_call *call, const uint8_t **at)
{
    size_t size;
    const tw_gemma_marker marker = tw_gemma_body_marker(call, *at, &size);
    const uint8_t last = call->bare_last;
    if (marker == TW_GEMMA_MORE) {
        return TW_STEP_MORE;
    }
    if (tw_gemma_ends_body(marker)) {
        return end_bare_at_marker(call, *at);
    }
    if (marker != TW_GEMMA_DELIMITER) {
        return TW_STEP_AGAIN;
    }
    const bool opens =
        tw_gemma_in_array(call) ? last == ',' : last == ':' || last == '=';
    if (opens && call->bare_comma != 0) {
        end_bare(call, pointer_to(call, call->bare_comma), *at);
        return TW_STEP_DONE;
    }
    const tw_gemma_follow follow = tw_gemma_follows(call, *at + size);
    if (follow == TW_FOLLOW_WAIT) {
        return TW_STEP_MORE;
    }
    if (follow != TW_FOLLOW_NONE) {
        end_open_string(call, *at);
        return TW_STEP_DONE;
    }
    if (opens) { /* a string of what follows the value, not the value's end */
        return call->bare_closer != 0
                   ? end_bare_at_marker(call, *at)
                   : tw_gemma_malformed(call, TW_DIAGNOSTIC_STRAY_DELIMITER,
                                        *at);
    }
    call->bare_delimiter = offset_of(call, *at);
    *at += size;
    return TW_STEP_AGAIN;
}

/* Behind a value of any size that is held, so many blanks may stand. */
static bool too_many_blanks(const tw_gemma_call *call, const uint8_t *behind)
{
    return behind - call->window->at > TW_HOLD_VALUE + TW_HOLD_WS;
}

static tw_step bare_comma(tw_gemma_call *call, const uint8_t *at)
{
    const bool first = call->bare_comma == 0;
    if (first && call->bare_scalar == 0) {
        const tw_gemma_scalar scalar = scalar_of(call->window->at, at);
        call->bare_scalar = scalar == TW_GEMMA_NO_SCALAR ? 1 : 2;
    }
    const bool scalar = first && call->bare_scalar == 2;
    tw_match ends;
    if (tw_gemma_in_array(call)) {
        const bool seen =
            tw_window_offset(call->window, at) < tw_gemma_top(call)->cut_until;
        ends = tw_match_if(scalar || seen);
    } else {
        if (too_many_blanks(call, tw_gemma_ws(call, at + 1))) {
            return tw_gemma_malformed(call, TW_DIAGNOSTIC_LIMIT_LOOKAHEAD,
                                      call->window->at);
        }
        ends = tw_gemma_ends_pair(call, at, scalar);
    }
    if (ends == TW_MATCH_MORE) {
        return TW_STEP_MORE;
    }
    if (ends == TW_MATCH_WHOLE) {
        end_bare(call, at, at);
        return TW_STEP_DONE;
    }
    if (first || !tw_gemma_in_array(call)) {
        call->bare_comma = offset_of(call, at);
    }
    return TW_STEP_AGAIN;
}

/* A closer of the value's own text; but a call that begins behind it says
 * that the brackets of the text do not match. */
static tw_step inner_closer(tw_gemma_call *call, const uint8_t *at)
{
    const uint8_t *behind = tw_gemma_ws(call, at + 1);
    if (!too_many_blanks(call, behind)) {
        const tw_match next = tw_gemma_call_follows(call, behind);
        if (next != TW_MATCH_NONE) {
            return next == TW_MATCH_MORE
                       ? TW_STEP_MORE
                       : tw_gemma_malformed(call,
                                            TW_DIAGNOSTIC_UNBALANCED_TEXT, at);
        }
    }
    call->bare_depth--;
    return TW_STEP_AGAIN;
}

static tw_step bare_closer(tw_gemma_call *call, const uint8_t *at)
{
    if (call->bare_depth > 0) {
        return inner_closer(call, at);
    }
    const uint8_t *behind = tw_gemma_ws(call, at + 1);
    if (too_many_blanks(call, behind)) {
        return tw_gemma_malformed(call, TW_DIAGNOSTIC_LIMIT_LOOKAHEAD,
                                  call->window->at);
    }
    const int c = tw_look(call->window, behind);
    bool ends =
        c == TW_LOOK_END || c == ',' || c == '}' || c == ']' || c == ')';
    if (c == TW_LOOK_MORE) {
        return TW_STEP_MORE;
    }
    if (c == '<') {
        size_t size;
        const tw_gemma_marker marker =
            tw_gemma_body_marker(call, behind, &size);
        if (marker == TW_GEMMA_MORE) {
            return TW_STEP_MORE;
        }
        ends = tw_gemma_ends_body(marker);
    }
    if (c == 'c') {
        const tw_match next = tw_gemma_call_follows(call, behind);
        if (next == TW_MATCH_MORE) {
            return TW_STEP_MORE;
        }
        ends = next == TW_MATCH_WHOLE;
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
static tw_step bare_too_long(tw_gemma_call *call)
{
    tw_window *window = call->window;
    const uint8_t *at = window->at;
    uint8_t number = TW_NUMBER_BEGIN;
    for (size_t i = 0; i < TW_HOLD_VALUE; i++) {
        if (!tw_number_takes(&number, at[i])) {
            return tw_gemma_malformed(call, TW_DIAGNOSTIC_LIMIT_LOOKAHEAD, at);
        }
    }
    tw_gemma_comma_out(call);
    tw_sink_arguments(call->sink, call->index, at, TW_HOLD_VALUE,
                      window->offset);
    tw_window_skip(window, TW_HOLD_VALUE);
    call->number = number;
    return tw_gemma_go(call, TW_GEMMA_AT_NUMBER);
}

static tw_step bare_byte(tw_gemma_call *call, const uint8_t **at)
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
    } else if (tw_gemma_is_closer(call, c)) {
        return bare_closer(call, *at);
    }
    return TW_STEP_AGAIN;
}

/* Held until its end is known: numbers, literals, and what should have been
 * a string. */
tw_step tw_gemma_read_bare(tw_gemma_call *call)
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
        const uint8_t *before = at;
        const tw_step step = c == TW_LOOK_END ? end_bare_at_end(call, at)
                                              : bare_byte(call, &at);
        if (step == TW_STEP_DONE) {
            return call->reason != 0 ? TW_STEP_DONE : TW_STEP_AGAIN;
        }
        if (step == TW_STEP_MORE) {
            return TW_STEP_MORE;
        }
        if (at == before) {
            if (!tw_is_ws(c)) {
                call->bare_last = (uint8_t)c;
            }
            at++;
        }
    }
}

tw_step tw_gemma_read_number(tw_gemma_call *call)
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
    if (more && !tw_gemma_stopped(call)) {
        return window->eof ? tw_gemma_cut_off(call, at) : TW_STEP_MORE;
    }
    return tw_number_may_end(call->number)
               ? tw_gemma_go(call, TW_GEMMA_AT_AFTER)
               : tw_gemma_malformed(call, TW_DIAGNOSTIC_LIMIT_LOOKAHEAD, at);
}
