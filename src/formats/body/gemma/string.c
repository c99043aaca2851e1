/* SPDX-License-Identifier: MIT
 *
 * Where a string ends is decided here: a closing delimiter counts if a pair, a
 * closer or the end of the call follows.
 */
#include "formats/body/gemma/string.h"

#include "core/utf8.h"
#include "formats/body/gemma/look.h"
#include "formats/body/gemma/moves.h"
#include "json/machine.h"

/* Delivers and releases the string's bytes up to |to|. */
static void deliver(tw_gemma_call *call, const uint8_t *to)
{
    const size_t size = (size_t)(to - call->window->at);
    tw_sink_arguments_raw(call->sink, call->index, call->window->at, size,
                          false);
    tw_window_skip(call->window, size);
}

/* Delivers the string up to |to| where it may go on behind that, so that a
 * code point cut in two stays where it is. */
static bool deliver_open(tw_gemma_call *call, const uint8_t *to)
{
    tw_window *window = call->window;
    const bool open = to == window->limit && !window->eof;
    const size_t size = (size_t)(to - window->at);
    const size_t taken =
        tw_sink_arguments_raw(call->sink, call->index, window->at, size, open);
    tw_window_skip(window, taken);
    return taken > 0;
}

/* The string ends at |at|; reading goes on at |next|. */
static tw_gemma_ended end_string(tw_gemma_call *call, const uint8_t *at,
                                 uint32_t code, const uint8_t *next)
{
    const size_t size = (size_t)(next - at);
    deliver(call, at);
    if (code != 0) {
        tw_gemma_report(call, code, at);
    }
    tw_gemma_put(call, "\"", 1, at);
    tw_window_skip(call->window, size);
    return TW_GEMMA_ENDED;
}

static tw_gemma_ended broken(tw_gemma_call *call, uint32_t reason,
                             uint64_t offset)
{
    call->reason = reason;
    call->reason_at = offset;
    return TW_GEMMA_BROKEN;
}

static void give_up(tw_gemma_call *call)
{
    tw_gemma_report(call, TW_DIAGNOSTIC_REPAIR_GIVEN_UP, call->window->at);
}

/* ---- between delimiters ------------------------------------------------- */

/* The begin of a call stands in the string.  Where a delimiter is odd or
 * missing, too, nobody knows whose string this is: no call is made of it. */
static bool quotes_call(const tw_gemma_call *call)
{
    return call->quotes_marker || call->quotes_head;
}

/* `, KEY: <|"|>` inside a string: if that delimiter has nothing behind it
 * that may follow a string, it opens one, and the closing delimiter of this
 * string is missing. */
static tw_gemma_ended string_comma(tw_gemma_call *call)
{
    const tw_window *window = call->window;
    const uint8_t *at = window->at;
    const tw_gemma_reach reach = {TW_HOLD_DELIMITER, true, false};
    const uint8_t *separator = NULL;
    bool far = false;
    tw_match key = tw_gemma_in_array(call)
                       ? TW_MATCH_NONE
                       : tw_gemma_comma_key(call, at, reach, &separator, &far);
    if (key == TW_MATCH_WHOLE) {
        const uint8_t *opener = tw_gemma_ws(call, separator + 1);
        size_t size;
        far = opener - at > TW_HOLD_DELIMITER;
        const int c = tw_look(window, opener);
        const tw_gemma_marker marker =
            c == '<' ? tw_gemma_marker_at(call, opener, &size) : TW_GEMMA_NONE;
        if (c == TW_LOOK_MORE || marker == TW_GEMMA_MORE) {
            key = far ? TW_MATCH_NONE : TW_MATCH_MORE;
        } else if (marker != TW_GEMMA_DELIMITER || far) {
            key = TW_MATCH_NONE;
        } else {
            const tw_gemma_follow follow =
                tw_gemma_follows(call, opener + size);
            key = follow == TW_FOLLOW_WAIT   ? TW_MATCH_MORE
                  : follow == TW_FOLLOW_NONE ? TW_MATCH_WHOLE
                                             : TW_MATCH_NONE;
        }
    }
    if (key == TW_MATCH_MORE) {
        return TW_GEMMA_STARVED;
    }
    if (key == TW_MATCH_WHOLE) {
        return quotes_call(call)
                   ? broken(call, TW_DIAGNOSTIC_UNCLOSED_QUOTE, window->offset)
                   : end_string(call, at, TW_DIAGNOSTIC_MISSING_STRING_CLOSE,
                                at);
    }
    if (far) {
        give_up(call);
    }
    deliver(call, at + 1);
    return TW_GEMMA_GOES_ON;
}

/* Which of the closers in [from, to) close open containers: the innermost
 * stands leftmost, so they are matched from the right. */
static const uint8_t *closers_begin(const tw_gemma_call *call,
                                    const uint8_t *from, const uint8_t *to)
{
    const tw_gemma_frame *frames =
        (const tw_gemma_frame *)(void *)call->frames.data;
    const size_t count = call->frames.size / sizeof *frames;
    const uint8_t *cut = to;
    size_t outer = 0;
    for (const uint8_t *at = to; at-- > from;) {
        if (tw_is_ws(*at)) {
            continue;
        }
        while (outer < count && frames[outer].closer != *at) {
            outer++;
        }
        if (outer == count) {
            break;
        }
        cut = at;
        outer++;
    }
    return cut;
}

/* A close marker at |marker| inside a string, with the closers in front of it
 * from the window on: data if a delimiter that ends the string comes later,
 * else the string had ended before the closers. */
static tw_gemma_ended string_close_marker(tw_gemma_call *call,
                                          const uint8_t *marker, size_t size)
{
    const tw_window *window = call->window;
    const uint8_t *at = marker + size;
    for (;; at++) {
        const int c = tw_look(window, at);
        size_t length;
        if (at - window->at >= TW_HOLD_DELIMITER) {
            give_up(call);
            deliver(call, at);
            return TW_GEMMA_GOES_ON;
        }
        if (c == TW_LOOK_END) {
            break;
        }
        const tw_gemma_marker found =
            c == '<' ? tw_gemma_marker_at(call, at, &length) : TW_GEMMA_NONE;
        if (c == TW_LOOK_MORE || found == TW_GEMMA_MORE) {
            return TW_GEMMA_STARVED;
        }
        if (found != TW_GEMMA_DELIMITER) {
            continue;
        }
        const tw_gemma_follow follow = tw_gemma_follows(call, at + length);
        if (follow == TW_FOLLOW_WAIT) {
            return TW_GEMMA_STARVED;
        }
        if (follow == TW_FOLLOW_END || follow == TW_FOLLOW_FAR) {
            return end_string(call, at, 0, at + length);
        }
        break;
    }
    if (call->quotes_head) {
        tw_gemma_go(call, TW_GEMMA_AT_AFTER); /* the string is over */
        return broken(call, TW_DIAGNOSTIC_UNCLOSED_QUOTE, window->offset);
    }
    const uint8_t *cut = closers_begin(call, window->at, marker);
    return end_string(call, cut, TW_DIAGNOSTIC_MISSING_STRING_CLOSE, cut);
}

/* A delimiter with nothing behind it that may follow a string is data. */
static tw_gemma_ended string_delimiter(tw_gemma_call *call, size_t size)
{
    const uint8_t *at = call->window->at;
    switch (tw_gemma_follows(call, at + size)) {
    case TW_FOLLOW_WAIT: return TW_GEMMA_STARVED;
    case TW_FOLLOW_FAR: give_up(call); /* fall through */
    case TW_FOLLOW_END:
    case TW_FOLLOW_KEY: return end_string(call, at, 0, at + size);
    default:
        if (quotes_call(call)) {
            return broken(call, TW_DIAGNOSTIC_UNCLOSED_QUOTE,
                          call->window->offset);
        }
        tw_gemma_report(call, TW_DIAGNOSTIC_INTERIOR_DELIMITER, at);
        deliver(call, at + size);
        return TW_GEMMA_GOES_ON;
    }
}

static bool is_closer_or_blank(int c)
{
    return c == '}' || c == ']' || c == ')' || tw_is_ws(c);
}

/* At a `<`, or at closers behind which a close marker may stand. */
static tw_gemma_ended string_special(tw_gemma_call *call)
{
    const tw_window *window = call->window;
    const uint8_t *begin = window->at;
    const uint8_t *at = begin;
    int c = tw_look(window, at);
    while (at - begin < TW_HOLD_DELIMITER && is_closer_or_blank(c)) {
        c = tw_look(window, ++at);
    }
    if (is_closer_or_blank(c)) {
        give_up(call);
    }
    size_t size = 1;
    const tw_gemma_marker marker =
        c == '<' ? tw_gemma_marker_at(call, at, &size) : TW_GEMMA_NONE;
    const tw_match next =
        at > begin ? tw_gemma_call_follows(call, at) : TW_MATCH_NONE;
    if (c == TW_LOOK_MORE || marker == TW_GEMMA_MORE ||
        next == TW_MATCH_MORE) {
        return TW_GEMMA_STARVED;
    }
    if (marker == TW_GEMMA_CALL_END) {
        return string_close_marker(call, at, size);
    }
    if (marker == TW_GEMMA_DELIMITER && at == begin) {
        return string_delimiter(call, size);
    }
    call->quotes_head |= next == TW_MATCH_WHOLE;
    call->quotes_marker |= marker == TW_GEMMA_CALL && at == begin;
    deliver(call, at > begin ? at : begin + 1);
    return TW_GEMMA_GOES_ON;
}

tw_gemma_ended tw_gemma_read_delimited(tw_gemma_call *call)
{
    const tw_window *window = call->window;
    const uint8_t *at = window->at;
    const uint8_t *reach = tw_window_reach(window, at);
    while (at < reach && *at != '<' && *at != ',' && *at != '}' &&
           *at != ']' && *at != ')') {
        at++;
    }
    if (at > window->at) {
        return deliver_open(call, at) ? TW_GEMMA_GOES_ON : TW_GEMMA_STARVED;
    }
    if (at == window->limit) {
        return window->eof ? TW_GEMMA_CUT : TW_GEMMA_STARVED;
    }
    return *at == ',' ? string_comma(call) : string_special(call);
}

/* ---- in quotes ---------------------------------------------------------- */

/* The escape at |at| < |limit|.  Returns its size; 0: it is not whole. */
static size_t escape_at(tw_gemma_call *call, const uint8_t *at,
                        const uint8_t *limit, bool eof, uint8_t quote)
{
    const uint8_t *end = at;
    const tw_json_lexeme lexeme = tw_json_scan_string(&end, limit, eof);
    const size_t size = (size_t)(end - at);
    switch (lexeme) {
    case TW_JSON_MORE:
    case TW_JSON_NOTHING: return 0; /* cut in two */
    case TW_JSON_LONE:
        tw_gemma_report(call, TW_DIAGNOSTIC_LONE_SURROGATE, at);
        break;
    case TW_JSON_ESCAPED_APOSTROPHE:
        if (quote != '\'') {
            tw_gemma_report(call, TW_DIAGNOSTIC_BAD_ESCAPE, at);
        }
        tw_gemma_put(call, "'", 1, at);
        return size;
    case TW_JSON_BAD_ESCAPE:
        tw_gemma_report(call, TW_DIAGNOSTIC_BAD_ESCAPE, at);
        tw_gemma_put(call, "\\\\", 2, at);
        return 1;
    default: break;
    }
    tw_gemma_put(call, (const char *)at, size, at);
    return size;
}

static bool is_plain(uint8_t c, uint8_t quote)
{
    return c >= 0x20 && c != quote && c != '\\' && c != '<';
}

void tw_gemma_quoted_text(tw_gemma_call *call, const uint8_t *from,
                          const uint8_t *to, uint8_t quote)
{
    bool raw_seen = false;
    while (from < to) {
        const uint8_t *run = from;
        while (run < to && *run != '\\') {
            if (*run < 0x20 && !raw_seen) {
                raw_seen = true;
                tw_gemma_report(call, TW_DIAGNOSTIC_RAW_CONTROL, run);
            }
            run++;
        }
        tw_sink_arguments_raw(call->sink, call->index, from,
                              (size_t)(run - from), false);
        from = run;
        if (from < to) {
            /* The closing quote behind it is in view, too. */
            from += escape_at(call, from, to + 1, true, quote);
        }
    }
}

/* A quote inside: the end, if something follows that may follow a string. */
static tw_gemma_ended quoted_quote(tw_gemma_call *call)
{
    tw_window *window = call->window;
    const uint8_t *at = window->at;
    size_t size = 0;
    const int c = tw_look(window, at + 1);
    const tw_gemma_marker marker =
        c == '<' ? tw_gemma_marker_at(call, at + 1, &size) : TW_GEMMA_NONE;
    if (marker == TW_GEMMA_MORE) {
        return TW_GEMMA_STARVED;
    }
    const bool dangling = marker == TW_GEMMA_DELIMITER;
    const tw_gemma_follow follow =
        tw_gemma_follows(call, at + 1 + (dangling ? size : 0));
    if (follow == TW_FOLLOW_WAIT) {
        return TW_GEMMA_STARVED;
    }
    if (follow != TW_FOLLOW_NONE) {
        tw_gemma_put(call, "\"", 1, at);
        if (dangling) {
            tw_gemma_report(call, TW_DIAGNOSTIC_DANGLING_DELIMITER, at + 1);
        }
        tw_window_skip(window, 1 + (dangling ? size : 0));
        return TW_GEMMA_ENDED;
    }
    if (call->quote == '"') {
        return broken(call, TW_DIAGNOSTIC_INNER_QUOTE, window->offset);
    }
    deliver(call, at + 1);
    return TW_GEMMA_GOES_ON;
}

/* A `<` inside is data, but a close marker with which the call ends. */
static tw_gemma_ended quoted_less(tw_gemma_call *call)
{
    const tw_window *window = call->window;
    size_t size;
    const tw_gemma_marker marker = tw_gemma_marker_at(call, window->at, &size);
    if (marker == TW_GEMMA_MORE) {
        return TW_GEMMA_STARVED;
    }
    if (marker == TW_GEMMA_CALL_END) {
        const uint8_t *at = tw_gemma_ws(call, window->at + size);
        const int c = tw_look(window, at);
        const tw_gemma_marker next =
            c == '<' ? tw_gemma_marker_at(call, at, &size) : TW_GEMMA_NONE;
        if (c == TW_LOOK_MORE || next == TW_GEMMA_MORE) {
            return at - window->at > TW_HOLD_WS
                       ? (deliver(call, window->at + 1), TW_GEMMA_GOES_ON)
                       : TW_GEMMA_STARVED;
        }
        if (c == TW_LOOK_END || next == TW_GEMMA_CALL ||
            tw_gemma_is_stop(next)) {
            return broken(call, TW_DIAGNOSTIC_UNCLOSED_QUOTE, call->quote_at);
        }
    }
    deliver(call, window->at + 1);
    return TW_GEMMA_GOES_ON;
}

tw_gemma_ended tw_gemma_read_quoted(tw_gemma_call *call)
{
    tw_window *window = call->window;
    const uint8_t *at = window->at;
    const uint8_t quote = call->quote;
    const uint8_t *reach = tw_window_reach(window, at);
    while (at < reach &&
           (is_plain(*at, quote) || (*at == '\\' && quote == '`'))) {
        at++;
    }
    if (at > window->at) {
        return deliver_open(call, at) ? TW_GEMMA_GOES_ON : TW_GEMMA_STARVED;
    }
    if (at == window->limit) {
        return window->eof ? TW_GEMMA_CUT : TW_GEMMA_STARVED;
    }
    if (*at == quote) {
        return quoted_quote(call);
    }
    if (*at == '<') {
        return quoted_less(call);
    }
    if (*at == '\\') {
        const size_t size =
            escape_at(call, at, window->limit, window->eof, quote);
        tw_window_skip(window, size);
        return size > 0      ? TW_GEMMA_GOES_ON
               : window->eof ? TW_GEMMA_CUT
                             : TW_GEMMA_STARVED;
    }
    if (quote != '`' && !call->raw_seen) {
        call->raw_seen = true;
        tw_gemma_report(call, TW_DIAGNOSTIC_RAW_CONTROL, at);
    }
    deliver(call, at + 1);
    return TW_GEMMA_GOES_ON;
}

/* ---- a string for the whole object -------------------------------------- */

/* What the text in quotes means. */
static bool decode(tw_gemma_call *call, const uint8_t *from, const uint8_t *to,
                   uint8_t quote, tw_buffer *out)
{
    const tw_memory *memory = call->sink->memory;
    const uint8_t open = quote;
    tw_json json;
    tw_json_init(&json, memory, 1, true);
    tw_view view = {&open, &open + 1, false};
    tw_json_step step;
    tw_json_next(&json, &view, &step);
    view.at = from;
    view.limit = to + 1; /* the closing quote */
    view.eof = true;
    do {
        tw_json_next(&json, &view, &step);
        if (step.kind == TW_JSON_STEP_PIECE &&
            !tw_buffer_append(out, memory, step.value, step.value_size)) {
            tw_gemma_no_memory(call);
            return false;
        }
    } while (step.kind == TW_JSON_STEP_PIECE);
    return step.kind == TW_JSON_STEP_STRING_END;
}

static bool is_strict_object(tw_gemma_call *call, const uint8_t *from,
                             const uint8_t *to)
{
    tw_json *json = &call->object;
    tw_json_reset(json, call->sink->limits.depth);
    tw_view view = {from, to, true};
    tw_json_step step;
    do {
        tw_json_next(json, &view, &step);
    } while (step.kind >= TW_JSON_STEP_PIECE && !tw_json_done(json));
    while (view.at < to && tw_is_ws(*view.at)) {
        view.at++;
    }
    if (step.kind == TW_JSON_STEP_ERROR && step.code == TW_DIAGNOSTIC_NONE) {
        tw_gemma_no_memory(call);
    }
    return tw_json_done(json) && view.at == to;
}

bool tw_gemma_unwrap(tw_gemma_call *call, const uint8_t *from,
                     const uint8_t *to, uint8_t quote)
{
    tw_buffer *text = &call->text;
    const tw_memory *memory = call->sink->memory;
    text->size = 0;
    const bool delimited = quote == '<';
    /* What is ill-formed is in no strict object, also not as U+FFFD. */
    bool good = delimited ||
                (tw_utf8_is_valid((const char *)from, (size_t)(to - from)) &&
                 decode(call, from, to, quote, text));
    if (delimited &&
        !tw_buffer_append(text, memory, from, (size_t)(to - from))) {
        tw_gemma_no_memory(call);
        good = false;
    }
    if (text->size == 0) {
        return false;
    }
    const uint8_t *begin = text->data;
    const uint8_t *end = begin + text->size;
    while (begin < end && tw_is_ws(*begin)) {
        begin++;
    }
    while (begin < end && tw_is_ws(end[-1])) {
        end--;
    }
    good = good && begin < end && *begin == '{' &&
           is_strict_object(call, begin, end);
    if (good) {
        tw_gemma_report(call, TW_DIAGNOSTIC_ARGUMENTS_STRING,
                        call->window->at);
        tw_gemma_put(call, (const char *)begin + 1, (size_t)(end - begin) - 2,
                     call->window->at);
        tw_gemma_top(call)->used = true;
    }
    return good;
}
