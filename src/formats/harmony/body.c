/* SPDX-License-Identifier: MIT
 *
 * A message's body up to its marker: text and reasoning go out as they are, a
 * call's JSON as arguments, what is neither is reported.
 */
#include "formats/harmony/body.h"

#include <string.h>

#include "core/skip.h"
#include "core/utf8.h"
#include "json/advance.h"

void tw_harmony_body_init(tw_harmony_body *body, const tw_memory *memory,
                          tw_window *window, tw_sink *sink)
{
    memset(body, 0, sizeof *body);
    body->memory = memory;
    body->window = window;
    body->sink = sink;
    tw_json_init(&body->json, memory, 1, true);
    tw_arguments_init(&body->arguments, memory, sink);
}

void tw_harmony_body_free(tw_harmony_body *body)
{
    tw_json_free(&body->json);
    tw_arguments_free(&body->arguments);
    tw_buffer_free(&body->name, body->memory);
}

void tw_harmony_body_open(tw_harmony_body *body, tw_harmony_kind kind,
                          uint64_t begin)
{
    body->kind = kind;
    body->empty = true;
    body->numbered = false;
    body->begin = begin;
    body->begun = false;
    body->fail = 0;
    body->name.size = 0;
}

bool tw_harmony_body_in_string(const tw_harmony_body *body)
{
    return body->kind == TW_BODY_CALL && body->fail == 0 && !body->whole &&
           tw_json_in_string(&body->json);
}

/* ---- calls -------------------------------------------------------------- */

static void fail(tw_harmony_body *body, uint32_t code, uint64_t offset)
{
    if (body->fail == 0) {
        body->fail = code;
        tw_sink_diagnostic(body->sink, code, offset);
    }
}

static void no_memory(tw_harmony_body *body)
{
    tw_sink_fail(body->sink, TW_ERROR_MEMORY, body->window->offset,
                 "no memory");
}

/* The name as valid UTF-8. */
void tw_harmony_body_name(tw_harmony_body *body, tw_slice name)
{
    const uint8_t *at = name.from;
    while (at < name.to) {
        const uint8_t *good = tw_skip_well_formed(at, name.to, TW_PLAIN_ASCII);
        bool kept = tw_buffer_append(&body->name, body->memory, at,
                                     (size_t)(good - at));
        at = good;
        if (kept && at < name.to) {
            size_t size;
            tw_utf8_next(at, name.to, &size);
            kept = tw_buffer_append(&body->name, body->memory, TW_REPLACEMENT,
                                    TW_REPLACEMENT_SIZE);
            at += size;
        }
        if (!kept) {
            no_memory(body);
            return;
        }
    }
}

void tw_harmony_body_open_call(tw_harmony_body *body, tw_harmony_kind kind,
                               tw_slice name, tw_slice id, uint64_t begin)
{
    const bool custom = kind == TW_BODY_CUSTOM;
    tw_sink *sink = body->sink;
    tw_harmony_body_open(body, kind, begin);
    tw_json_reset(&body->json, sink->limits.depth);
    tw_arguments_reset(&body->arguments);
    body->in_value = body->whole = body->unwrapping = false;
    body->block = body->window->offset;
    tw_harmony_body_name(body, name);
    const uint32_t refused = tw_sink_call_refused(sink, body->name.size);
    if (refused != 0) {
        fail(body, refused, body->block);
        body->name.size =
            refused == TW_DIAGNOSTIC_LIMIT_NAME ? 0 : body->name.size;
        return;
    }
    body->index = tw_sink_call_begin(
        sink, (const char *)body->name.data, body->name.size,
        (const char *)id.from, (size_t)(id.to - id.from),
        custom ? TW_EVENT_CUSTOM : 0, body->block);
    body->begun = true;
    tw_arguments_begin(&body->arguments, body->index);
}

/* ---- JSON --------------------------------------------------------------- */

static void argument_text(tw_harmony_body *body, const char *text, size_t size,
                          uint64_t offset, bool copied)
{
    tw_arguments_text(&body->arguments, text, size, offset, copied);
    if (body->arguments.fail != 0) {
        fail(body, body->arguments.fail, body->arguments.fail_at);
    }
}

static void not_object(tw_harmony_body *body, uint64_t offset)
{
    fail(body, TW_DIAGNOSTIC_ARGUMENTS_NOT_OBJECT, offset);
}

/* `null` or an empty string: no arguments. */
static void no_arguments(tw_harmony_body *body, uint64_t offset)
{
    tw_sink_diagnostic(body->sink, TW_DIAGNOSTIC_EMPTY_ARGUMENTS, offset);
    argument_text(body, "{", 1, offset, false);
    tw_arguments_close(&body->arguments, offset);
    body->whole = true;
}

static void string_ended(tw_harmony_body *body, uint64_t offset)
{
    body->unwrapping = false;
    switch (tw_arguments_string_end(&body->arguments, offset)) {
    case TW_UNWRAPPED_NOTHING: no_arguments(body, body->value_at); break;
    case TW_UNWRAPPED_OBJECT:
        tw_sink_diagnostic(body->sink, TW_DIAGNOSTIC_ARGUMENTS_STRING,
                           body->value_at);
        body->whole = true;
        break;
    default: not_object(body, body->value_at); break;
    }
}

/* A step outside the object. */
static void outer_step(tw_harmony_body *body, const tw_json_step *step,
                       uint64_t offset)
{
    switch (step->kind) {
    case TW_JSON_STEP_OPEN:
        if (step->text[0] != '{') {
            not_object(body, offset);
            break;
        }
        body->in_value = true;
        body->json.floor = 1;
        argument_text(body, "{", 1, offset, false);
        break;
    case TW_JSON_STEP_CLOSE:
        body->in_value = false;
        body->whole = true;
        body->json.floor = 0;
        tw_arguments_close(&body->arguments, offset);
        break;
    case TW_JSON_STEP_STRING:
        body->unwrapping = true;
        body->value_at = offset;
        tw_arguments_string(&body->arguments);
        break;
    case TW_JSON_STEP_STRING_END: string_ended(body, offset); break;
    case TW_JSON_STEP_LITERAL:
        if (step->text[0] == 'n') {
            no_arguments(body, offset);
        } else {
            not_object(body, offset);
        }
        break;
    case TW_JSON_STEP_NUMBER: not_object(body, offset); break;
    default:
        if (body->unwrapping) {
            tw_arguments_string_piece(&body->arguments, step, offset);
            if (body->arguments.fail != 0) {
                fail(body, body->arguments.fail, body->arguments.fail_at);
            }
        }
        break;
    }
}

static void take_step(tw_harmony_body *body, const tw_json_step *step,
                      bool inside)
{
    const tw_window *window = body->window;
    const uint64_t offset = tw_window_offset(window, step->from);
    if (step->kind == TW_JSON_STEP_ERROR || step->kind == TW_JSON_STEP_LT) {
        if (step->kind == TW_JSON_STEP_ERROR && step->code == 0) {
            no_memory(body);
        }
        fail(body,
             step->kind == TW_JSON_STEP_ERROR ? step->code
                                              : TW_DIAGNOSTIC_SYNTAX_ERROR,
             offset);
        return;
    }
    const bool refused = !inside && step->kind == TW_JSON_STEP_LITERAL &&
                         step->text[0] != 'n'; /* True: no object anyway */
    if (step->code != 0 && !refused) {
        tw_sink_diagnostic(body->sink, step->code, offset);
    }
    if (inside && body->json.depth > 0) {
        argument_text(body, step->text, step->text_size, offset,
                      step->text != (const char *)step->from);
    } else {
        outer_step(body, step, offset);
    }
}

/* A byte behind the whole arguments. */
static void behind_byte(tw_harmony_body *body, const uint8_t *at)
{
    const bool swallowed = body->json.swallow && *at == '}';
    body->json.swallow = false;
    if (*at == ' ' || *at == '\t' || *at == '\r' || *at == '\n' || swallowed) {
        return;
    }
    const uint64_t offset = tw_window_offset(body->window, at);
    if (*at == '}' || *at == ']') {
        tw_sink_diagnostic(body->sink, TW_DIAGNOSTIC_EXTRA_CLOSER, offset);
    } else {
        fail(body, TW_DIAGNOSTIC_SYNTAX_ERROR, offset);
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
    case TW_JSON_WS: body->json.swallow = false; return true;
    case TW_JSON_NONSTANDARD_WS: code = TW_DIAGNOSTIC_ODD_WHITESPACE; break;
    case TW_JSON_BOM: code = TW_DIAGNOSTIC_BOM; break;
    case TW_JSON_LITERAL_WS: code = TW_DIAGNOSTIC_LITERAL_BACKSLASH_N; break;
    case TW_JSON_NOTHING: return false;
    default:
        view->at = at + 1;
        behind_byte(body, at);
        return true;
    }
    body->json.swallow = false;
    tw_sink_diagnostic(body->sink, code, offset);
    return true;
}

static void json_data(tw_harmony_body *body, const uint8_t *to, bool last)
{
    tw_window *window = body->window;
    tw_view view = {window->at, to, last};
    const bool pause = body->pauses && !body->whole;
    while (body->fail == 0 && view.at < to && !(pause && body->whole)) {
        if (body->whole) {
            if (!behind(body, &view)) {
                break;
            }
            continue;
        }
        tw_json_step step;
        const bool inside = body->in_value;
        tw_json_next(&body->json, &view, &step);
        if (inside) {
            argument_text(body, (const char *)step.before, step.before_size,
                          tw_window_offset(window, step.before), false);
        }
        if (body->fail != 0) {
            break;
        }
        if (step.kind == TW_JSON_STEP_MORE || step.kind == TW_JSON_STEP_END) {
            break;
        }
        if (step.kind == TW_JSON_STEP_LT || step.kind == TW_JSON_STEP_ERROR) {
            step.from = view.at;
        }
        take_step(body, &step, inside);
        if (body->sink->error.code != TW_OK) {
            break;
        }
    }
    const uint8_t *at = body->fail != 0 ? to : view.at;
    tw_window_skip(window, (size_t)(at - window->at));
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

static size_t custom_data(tw_harmony_body *body, size_t size, bool open)
{
    if (body->fail != 0) {
        return size;
    }
    const size_t taken = tw_sink_arguments_text(body->sink, body->index,
                                                body->window->at, size, open);
    if (body->sink->overflow) {
        fail(body, TW_DIAGNOSTIC_LIMIT_ARGUMENTS, body->sink->overflow_at);
    }
    return taken;
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
    case TW_BODY_CUSTOM: size = custom_data(body, size, open); break;
    default: break;
    }
    tw_window_skip(window, size);
}

static bool may_pass_arguments(const tw_harmony_body *body, size_t size)
{
    return body->in_value && body->begun && body->fail == 0 &&
           size <= tw_sink_arguments_left(body->sink);
}

const uint8_t *tw_harmony_body_advance(tw_harmony_body *body,
                                       const uint8_t *to,
                                       tw_advanced *advanced)
{
    const uint8_t *at = body->window->at;
    if (body->kind == TW_BODY_CALL) {
        advanced->type = TW_EVENT_CALL_ARGUMENTS;
        advanced->index = body->index;
        if (!may_pass_arguments(body, (size_t)(to - at))) {
            return at;
        }
        const uint8_t *end = tw_json_advance(&body->json, at, to);
        advanced->starved = end == at && at < to &&
                            to == body->window->limit &&
                            tw_json_is_half(&body->json, at, to);
        return end;
    }
    if (body->kind != TW_BODY_TEXT && body->kind != TW_BODY_REASONING) {
        return at;
    }
    const uint8_t *end = tw_skip_prose(at, to);
    if (!body->numbered && end > at) {
        body->empty = false;
        number(body);
    }
    advanced->type = visible_type(body);
    advanced->index = body->segment;
    return end;
}

/* ---- ends --------------------------------------------------------------- */

static void add_closers(tw_harmony_body *body)
{
    tw_json *json = &body->json;
    const uint64_t offset = body->window->offset;
    tw_sink_diagnostic(body->sink, TW_DIAGNOSTIC_MISSING_CLOSER, offset);
    while (json->depth > 1) {
        argument_text(body, tw_json_add_closer(json), 1, offset, false);
    }
    tw_json_add_closer(json);
    tw_arguments_close(&body->arguments, offset);
    body->whole = true;
}

/* The JSON of a call is over: is it whole?  What of it was not told apart
 * stands between the window and |to|. */
static void end_json(tw_harmony_body *body, tw_harmony_close close,
                     const uint8_t *to)
{
    const bool marker = close != TW_CLOSE_IMPLIED && close != TW_CLOSE_OUTPUT;
    const bool clean = body->window->at == to;
    if (body->whole && clean) {
        return;
    }
    tw_window_skip(body->window, (size_t)(to - body->window->at));
    const uint64_t offset = body->window->offset;
    if (marker && clean && !body->unwrapping && !body->in_value) {
        no_arguments(body, body->begin);
    } else if (marker && clean && body->in_value &&
               tw_json_closable(&body->json, true)) {
        add_closers(body);
    } else if (close == TW_CLOSE_OUTPUT || close == TW_CLOSE_STOP) {
        fail(body, TW_DIAGNOSTIC_TRUNCATED_CALL, offset);
    } else {
        fail(body, TW_DIAGNOSTIC_SYNTAX_ERROR, offset);
    }
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
    const uint64_t end = body->window->offset;
    const size_t size = (size_t)(end - body->block);
    tw_sink_unparsed(body->sink, body->begun ? body->index : TW_NO_INDEX,
                     body->fail, body->block, end,
                     tw_sink_recorded(body->sink, size), size,
                     (const char *)body->name.data, body->name.size);
    body->window->recording = false;
}

static bool end_call(tw_harmony_body *body, tw_harmony_close close,
                     bool in_string)
{
    tw_sink *sink = body->sink;
    const bool custom = body->kind == TW_BODY_CUSTOM;
    if (close == TW_CLOSE_ODD_MARKER && !custom) {
        tw_sink_diagnostic(sink, TW_DIAGNOSTIC_ODD_TERMINATOR,
                           body->window->offset);
    }
    if (body->fail == 0 && !custom) {
        tw_arguments_finish(&body->arguments);
        if (body->arguments.fail != 0) {
            fail(body, body->arguments.fail, body->arguments.fail_at);
        }
    }
    if (body->fail == 0) {
        tw_sink_call_end(sink, body->index, TW_CALL_COMPLETE, body->block,
                         body->window->offset);
        body->window->recording = false;
        return false;
    }
    if (body->begun) {
        tw_sink_call_end(sink, body->index,
                         body->fail == TW_DIAGNOSTIC_TRUNCATED_CALL
                             ? TW_CALL_INCOMPLETE
                             : TW_CALL_MALFORMED,
                         body->block, body->block);
    }
    if (in_string) {
        return true;
    }
    tw_harmony_body_list(body);
    return false;
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
        if (in_string && body->unwrapping) {
            tw_arguments_string_cut(&body->arguments);
        }
        if (body->fail == 0) {
            end_json(body, close, to);
        }
        return end_call(body, close, in_string && marker);
    }
    if (body->kind == TW_BODY_CUSTOM) {
        if (close == TW_CLOSE_OUTPUT) {
            fail(body, TW_DIAGNOSTIC_TRUNCATED_CALL, window->offset);
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
