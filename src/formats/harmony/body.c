/* SPDX-License-Identifier: MIT
 *
 * A message's body up to its marker: text and reasoning go out as they are, a
 * call's JSON as arguments, what is neither is reported.
 */
#include "formats/harmony/body.h"

#include <string.h>

#include "core/skip.h"
#include "core/utf8.h"

void tw_harmony_body_init(tw_harmony_body *body, const tw_memory *memory,
                          tw_window *window, tw_sink *sink)
{
    memset(body, 0, sizeof *body);
    body->window = window;
    body->sink = sink;
    tw_open_call_init(&body->call, memory, window, sink);
    tw_json_body_init_bare(&body->json, &body->call);
}

void tw_harmony_body_free(tw_harmony_body *body)
{
    tw_json_body_free(&body->json);
    tw_open_call_free(&body->call);
}

void tw_harmony_body_open(tw_harmony_body *body, tw_harmony_kind kind,
                          uint64_t begin)
{
    body->kind = kind;
    body->empty = true;
    body->numbered = body->whole = false;
    body->junk = 0;
    body->begin = begin;
}

void tw_harmony_body_open_call(tw_harmony_body *body, tw_harmony_kind kind,
                               tw_slice name, const uint8_t *to)
{
    tw_window *window = body->window;
    tw_open_call *call = &body->call;
    tw_harmony_body_open(body, kind, tw_window_offset(window, to));
    tw_open_call_start(call, window->offset);
    call->flags = kind == TW_BODY_CUSTOM ? TW_EVENT_CUSTOM : 0;
    tw_open_call_name(call, name.from, TW_SLICE_SIZE(name));
    tw_open_call_begin(call);
    tw_window_skip(window, (size_t)(to - window->at));
    tw_json_body_start_bare(&body->json);
}

void tw_harmony_body_open_junk(tw_harmony_body *body, tw_slice name,
                               uint32_t code)
{
    tw_harmony_body_open(body, TW_BODY_JUNK, body->window->offset);
    tw_open_call_start(&body->call, body->window->offset);
    tw_open_call_name(&body->call, name.from, TW_SLICE_SIZE(name));
    body->call.fail = code;
}

bool tw_harmony_body_in_string(const tw_harmony_body *body)
{
    return body->kind == TW_BODY_CALL && body->call.fail == 0 &&
           !body->whole && tw_json_in_string(&body->json.json);
}

/* ---- arguments ---------------------------------------------------------- */

/* A byte of words behind the whole arguments.  They are dropped if a marker
 * or a header ends them soon; what may be JSON, or a header whose markers were
 * stripped, is none of them. */
static void add_junk(tw_harmony_body *body, uint8_t c)
{
    body->junk++;
    if (body->junk > TW_HOLD_JUNK || body->pauses ||
        memchr("{}[]\"", c, 5) != NULL) {
        tw_open_call_fail(&body->call, TW_DIAGNOSTIC_SYNTAX_ERROR,
                          body->junk_at);
    }
}

/* A byte behind the whole arguments. */
static void behind_byte(tw_harmony_body *body, const uint8_t *at)
{
    tw_json *json = &body->json.json;
    const bool swallowed = json->swallow && *at == '}';
    json->swallow = false;
    if (tw_is_ws(*at) || swallowed) {
        return;
    }
    const uint64_t offset = tw_window_offset(body->window, at);
    if (*at == '}' || *at == ']') {
        tw_sink_diagnostic(body->sink, TW_DIAGNOSTIC_EXTRA_CLOSER, offset);
    } else {
        body->junk_at = offset;
        add_junk(body, *at);
    }
}

/* Behind the whole arguments blanks of all kinds may stand. */
static bool behind(tw_harmony_body *body, tw_view *view)
{
    const uint8_t *at = view->at;
    if (*at > ' ' && *at < 0x80 && *at != '\\') {
        view->at++;
        behind_byte(body, at);
        return true;
    }
    const tw_json_lexeme lexeme =
        tw_json_scan(&view->at, view->limit, view->eof);
    const uint64_t offset = tw_window_offset(body->window, at);
    uint32_t code = 0;
    switch (lexeme) {
    case TW_JSON_MORE: return false;
    case TW_JSON_WS: body->json.json.swallow = false; return true;
    case TW_JSON_NONSTANDARD_WS: code = TW_DIAGNOSTIC_ODD_WHITESPACE; break;
    case TW_JSON_BOM: code = TW_DIAGNOSTIC_BOM; break;
    case TW_JSON_LITERAL_WS: code = TW_DIAGNOSTIC_LITERAL_BACKSLASH_N; break;
    case TW_JSON_NOTHING: return false;
    default:
        view->at = at + 1;
        behind_byte(body, at);
        return true;
    }
    body->json.json.swallow = false;
    tw_sink_diagnostic(body->sink, code, offset);
    return true;
}

/* What stands in front of |to| behind the whole arguments. */
static void read_behind(tw_harmony_body *body, const uint8_t *to, bool last)
{
    tw_view view = {body->window->at, to, last};
    while (body->call.fail == 0 && body->junk == 0 && view.at < to &&
           behind(body, &view)) {
    }
    while (body->call.fail == 0 && body->junk > 0 && view.at < to) {
        add_junk(body, *view.at++);
    }
    tw_window_skip(body->window, (size_t)(view.at - body->window->at));
}

/* The arguments go out as far as |to|. */
static void read_arguments(tw_harmony_body *body, const uint8_t *to, bool last)
{
    tw_body_end end = TW_BODY_GOES_ON;
    while (end == TW_BODY_GOES_ON && body->window->at < to &&
           body->sink->error.code == TW_OK) {
        end = tw_json_body_step_to(&body->json, to, last);
    }
    body->whole = end == TW_BODY_DONE;
    if (end == TW_BODY_BROKEN) {
        tw_open_call_fail(&body->call, body->json.common.reason,
                          body->json.common.reason_at);
    }
}

static void json_data(tw_harmony_body *body, const uint8_t *to, bool last)
{
    bool pause = false;
    if (body->call.fail == 0 && !body->whole) {
        read_arguments(body, to, last);
        pause = body->pauses;
    }
    if (body->whole && !pause) {
        read_behind(body, to, last);
    }
    if (body->call.fail != 0) {
        tw_window_skip(body->window, (size_t)(to - body->window->at));
    }
}

/* ---- data --------------------------------------------------------------- */

static tw_event_type visible_type(const tw_harmony_body *body)
{
    return body->kind == TW_BODY_REASONING ? TW_EVENT_REASONING
                                           : TW_EVENT_TEXT;
}

static void number(tw_harmony_body *body)
{
    if (!body->numbered) {
        body->numbered = true;
        body->segment = tw_sink_segment(body->sink);
    }
}

static size_t visible_data(tw_harmony_body *body, size_t size, bool open)
{
    number(body);
    return tw_sink_text(body->sink, visible_type(body), body->segment,
                        body->window->at, size, open);
}

void tw_harmony_body_data(tw_harmony_body *body, const uint8_t *to, bool last)
{
    tw_window *window = body->window;
    size_t size = (size_t)(to - window->at);
    const bool open = !last && to == window->limit && !window->eof;
    if (size == 0) {
        return;
    }
    body->empty = false;
    switch (body->kind) {
    case TW_BODY_CALL: json_data(body, to, last); return;
    case TW_BODY_TEXT:
    case TW_BODY_REASONING: size = visible_data(body, size, open); break;
    case TW_BODY_CUSTOM:
        size = tw_open_call_text(&body->call, window->at, size, open);
        break;
    default: break;
    }
    tw_window_skip(window, size);
}

const uint8_t *tw_harmony_body_advance(tw_harmony_body *body,
                                       tw_advanced *advanced)
{
    const tw_window *window = body->window;
    const uint8_t *at = window->at;
    if (body->kind != TW_BODY_TEXT && body->kind != TW_BODY_REASONING) {
        return at;
    }
    const uint8_t *end = tw_skip_prose(at, window->limit);
    if (!body->numbered && end > at) {
        body->empty = false;
        number(body);
    }
    advanced->type = visible_type(body);
    advanced->index = body->segment;
    if (end == window->limit) {
        advanced->run_class = TW_PLAIN_PROSE;
    }
    return end;
}

/* ---- ends --------------------------------------------------------------- */

/* Words stood behind the arguments: a marker shows that they are over. */
static void end_junk(tw_harmony_body *body, tw_harmony_close close)
{
    if (close != TW_CLOSE_OUTPUT) {
        tw_sink_diagnostic(body->sink, TW_DIAGNOSTIC_JUNK_AFTER_OBJECT,
                           body->junk_at);
    } else {
        tw_open_call_fail(&body->call, TW_DIAGNOSTIC_SYNTAX_ERROR,
                          body->junk_at);
    }
}

/* The JSON of a call is over: is it whole?  What of it was not told apart
 * stands between the window and |to|. */
static void end_json(tw_harmony_body *body, tw_harmony_close close,
                     const uint8_t *to)
{
    tw_body *json = &body->json.common;
    const bool marker = close != TW_CLOSE_IMPLIED && close != TW_CLOSE_OUTPUT;
    const bool clean = body->window->at == to;
    if (body->whole && clean && body->junk > 0) {
        end_junk(body, close);
        return;
    }
    if (body->whole && clean) {
        return;
    }
    tw_window_skip(body->window, (size_t)(to - body->window->at));
    if (marker && clean && json->codec->closable(json, TW_CUT_CLOSE)) {
        json->codec->close(json);
        body->whole = true;
        return;
    }
    const bool cut = close == TW_CLOSE_OUTPUT || close == TW_CLOSE_STOP;
    tw_open_call_fail(&body->call,
                      cut ? TW_DIAGNOSTIC_TRUNCATED_CALL
                          : TW_DIAGNOSTIC_SYNTAX_ERROR,
                      body->window->offset);
}

/* Half a code point at the end of a string. */
static void end_string(tw_harmony_body *body, const uint8_t *to)
{
    const tw_window *window = body->window;
    size_t size;
    if (tw_harmony_body_in_string(body) && window->at < to &&
        *window->at >= 0x80 &&
        tw_utf8_next(window->at, to, &size) != TW_UTF8_GOOD) {
        tw_sink_diagnostic(body->sink, TW_DIAGNOSTIC_INVALID_UTF8,
                           window->offset);
    }
}

void tw_harmony_body_list(tw_harmony_body *body)
{
    tw_open_call_list(&body->call);
    body->window->recording = false;
}

static bool end_call(tw_harmony_body *body, tw_harmony_close close,
                     bool in_string)
{
    tw_open_call *call = &body->call;
    if (close == TW_CLOSE_ODD_MARKER && body->kind != TW_BODY_CUSTOM) {
        tw_sink_diagnostic(body->sink, TW_DIAGNOSTIC_ODD_TERMINATOR,
                           body->window->offset);
    }
    if (call->fail == 0) {
        tw_open_call_end(call);
        body->window->recording = false;
        return false;
    }
    tw_open_call_abandon(call, call->fail == TW_DIAGNOSTIC_TRUNCATED_CALL
                                   ? TW_CALL_INCOMPLETE
                                   : TW_CALL_MALFORMED);
    if (!in_string) {
        tw_harmony_body_list(body);
    }
    return in_string;
}

bool tw_harmony_body_close(tw_harmony_body *body, tw_harmony_close close,
                           const uint8_t *to)
{
    tw_window *window = body->window;
    const bool marker =
        close == TW_CLOSE_MARKER || close == TW_CLOSE_ODD_MARKER;
    tw_harmony_body_data(body, to, true);
    if (body->kind == TW_BODY_CALL) {
        const bool in_string = tw_harmony_body_in_string(body);
        end_string(body, to);
        body->json.common.codec->cut(&body->json.common);
        if (body->call.fail == 0) {
            end_json(body, close, to);
        }
        return end_call(body, close, in_string && marker);
    }
    if (body->kind == TW_BODY_CUSTOM) {
        if (close == TW_CLOSE_OUTPUT) {
            tw_open_call_fail(&body->call, TW_DIAGNOSTIC_TRUNCATED_CALL,
                              window->offset);
        }
        end_call(body, close, false);
    } else if (body->kind == TW_BODY_FOREIGN) {
        tw_sink_dropped(body->sink, TW_DIAGNOSTIC_FOREIGN_MESSAGE, body->begin,
                        window->offset - body->begin);
    } else if (body->kind == TW_BODY_JUNK) {
        tw_harmony_body_list(body);
    }
    return false;
}
