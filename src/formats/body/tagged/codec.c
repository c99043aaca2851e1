/* SPDX-License-Identifier: MIT
 *
 * The arguments of a call between tags, read while they arrive:
 *
 *     <parameter=k> LF v LF </parameter> </function>
 *     <arg_key>k</arg_key> <arg_value>v</arg_value> </tool_call>
 *
 * opens.c says whether a body begins, end.c where a value ends,
 * opening.c how one begins, and typed_value.c what it is; pass.c lets text out
 * in bulk.
 */
#include "formats/body/tagged/tagged.h"

#include <string.h>

#include "core/bytes.h"
#include "core/skip.h"
#include "core/utf8.h"
#include "formats/body/entities.h"
#include "formats/body/tagged/end.h"
#include "json/write.h"
#include "events/tools.h"

enum state { NEXT, FRONT, VALUE };

static tw_tagged_body *of(tw_body *common)
{
    return (tw_tagged_body *)common;
}

static void init(tw_body *common)
{
    tw_typed_init(&of(common)->value, common->call, common->format);
}

static void clear(tw_body *common)
{
    const tw_memory *memory = common->call->memory;
    tw_tagged_body *body = of(common);
    tw_buffer_free(&body->given, memory);
    tw_buffer_free(&body->others.keys, memory);
    tw_buffer_free(&body->key, memory);
    tw_buffer_free(&body->text, memory);
    tw_typed_free(&body->value);
}

bool tw_tagged_in_value(const tw_body *common)
{
    return ((const tw_tagged_body *)common)->argument != NULL;
}

static tw_window *window_of(const tw_tagged_body *body)
{
    return body->common.call->window;
}

static void diagnose(const tw_tagged_body *body, uint32_t code,
                     uint64_t offset)
{
    if (!body->passes) {
        tw_sink_diagnostic(body->common.call->sink, code, offset);
    }
}

static void emit(tw_tagged_body *body, const void *text, size_t size,
                 uint64_t offset)
{
    if (body->common.call->fail == 0) {
        tw_arguments_text(&body->common.call->arguments, text, size, offset,
                          true);
    }
}

static void start(tw_body *common)
{
    tw_tagged_body *body = of(common);
    const tw_tools *tools = common->call->sink->tools;
    body->state = NEXT;
    body->any = body->closed = body->cdata = body->passes = false;
    body->argument = NULL;
    body->value.level = 1;
    body->value.aside = NULL;
    body->given.size = 0;
    tw_given_clear(&body->others);
    if (!common->call->has_name) {
        tw_open_call_fail(common->call, TW_DIAGNOSTIC_NO_NAME,
                          common->call->begin);
    }
    if (common->call->fail == 0) {
        tw_open_call_begin(common->call);
    }
    body->tool = tw_tools_find(tools, (const char *)common->call->name.data,
                               common->call->name.size);
    const size_t bytes = body->tool != NULL ? body->tool->count / 8 + 1 : 0;
    if (!tw_buffer_reserve(&body->given, common->call->memory, bytes)) {
        tw_open_call_no_memory(body->common.call);
        body->tool = NULL;
    } else if (bytes > 0) {
        memset(body->given.data, 0, bytes);
    }
}

/* ---- parameters --------------------------------------------------------- */

/* The key is given: was it before? */
static bool give(tw_tagged_body *body, const tw_parameter *declared)
{
    if (declared == NULL) {
        bool failed = false;
        const bool was = tw_given_before(
            &body->others, body->common.call->memory,
            (const char *)body->key.data, body->key.size, &failed);
        if (failed) {
            tw_open_call_no_memory(body->common.call);
        }
        return was;
    }
    uint8_t *bits = &body->given.data[declared->bit / 8];
    const uint8_t bit = (uint8_t)(1U << declared->bit % 8);
    const bool before = (*bits & bit) != 0;
    *bits |= bit;
    return before;
}

/* What is said in band beats the schema. */
static unsigned types_of(const tw_tagged_body *body, const tw_opening *opening,
                         const tw_parameter *declared)
{
    static const char *const others[] = {"number", "integer", "boolean",
                                         "null",   "object",  "array"};
    const uint8_t hole = tw_pattern_hole(opening->pattern)->kind;
    if (hole == TW_PATTERN_VALUE_TEXT ||
        tw_bytes_are(opening->type.from, opening->type.size, "string")) {
        return TW_TYPE_STRING;
    }
    bool said = hole == TW_PATTERN_VALUE_JSON;
    for (size_t i = 0; i < sizeof others / sizeof others[0]; i++) {
        said |=
            tw_bytes_are(opening->type.from, opening->type.size, others[i]);
    }
    if (said) {
        return TW_TYPE_ANY;
    }
    if (declared != NULL && declared->types != 0) {
        return declared->types;
    }
    /* Where the caller wants JSON, Python's words for it, too. */
    const uint8_t words = TW_TYPE_BOOLEAN | TW_TYPE_NULL;
    return body->common.untyped_json ? TW_TYPE_STRING | TW_TYPE_ANY | words
           : hole == TW_PATTERN_VALUE_GUESS ? TW_TYPE_STRING | TW_TYPE_ANY
                                            : TW_TYPE_STRING;
}

/* The key, its entities decoded where the format has some in attributes. */
static void read_key(tw_tagged_body *body, tw_piece key)
{
    const tw_memory *memory = body->common.call->memory;
    bool more = false;
    body->key.size = 0;
    for (size_t i = 0; i < key.size;) {
        char byte = (char)key.from[i];
        size_t size = 0;
        if (byte == '&' && body->common.format->entities != TW_ENTITIES_NONE) {
            size = tw_entity_at(window_of(body), key.from + i, &byte, &more);
        }
        byte = size > 0 ? byte : (char)key.from[i];
        i += size > 0 ? size : 1;
        if (!tw_buffer_append(&body->key, memory, &byte, 1)) {
            tw_open_call_no_memory(body->common.call);
            return;
        }
    }
}

/* The key stands at |at|, and its tag ends in front of |end|. */
static void emit_key(tw_tagged_body *body, uint64_t at, uint64_t end)
{
    body->text.size = 0;
    if (!tw_json_write_raw(&body->text, body->common.call->memory,
                           (const char *)body->key.data, body->key.size)) {
        tw_open_call_no_memory(body->common.call);
    }
    emit(body, body->any ? ",\"" : "{\"", 2, end - 1);
    emit(body, body->text.data, body->text.size, at);
    emit(body, "\":", 2, end - 1);
    body->any = true;
}

/* The value begins behind the opening at the window. */
static void begin_value(tw_tagged_body *body, const tw_opening *opening,
                        unsigned types)
{
    tw_window *window = window_of(body);
    body->argument = opening->pattern;
    body->depth = body->opened = 0;
    body->due = UINT64_MAX;
    body->doubt = false;
    body->unopened = opening->code == TW_DIAGNOSTIC_MISSING_VALUE_OPEN;
    memset(&body->next_close, 0, sizeof body->next_close);
    memset(&body->next_end, 0, sizeof body->next_end);
    body->string.seen = 0;
    body->line = true;
    body->cdata = false;
    tw_window_skip(window, (size_t)(opening->end - window->at));
    tw_typed_start(&body->value, types, window->offset - 1);
    body->state = FRONT;
}

tw_match tw_tagged_pass_value(tw_body *common)
{
    tw_tagged_body *body = of(common);
    const tw_window *window = window_of(body);
    tw_opening opening;
    const tw_match found =
        tw_opening_at(window, common->format, window->at, &opening);
    if (found == TW_MATCH_WHOLE) {
        body->passes = true;
        begin_value(body, &opening, TW_TYPE_STRING);
    }
    return found;
}

static tw_body_end begin_parameter(tw_tagged_body *body,
                                   const tw_opening *opening)
{
    const tw_window *window = window_of(body);
    const uint64_t offset = window->offset;
    if (opening->code != 0 && (opening->code != TW_DIAGNOSTIC_LOOSE_MARKER ||
                               !body->common.pattern->loose)) {
        diagnose(body, opening->code, offset);
    }
    read_key(body, opening->key);
    const tw_parameter *declared =
        tw_tagged_declared(body, (const char *)body->key.data, body->key.size);
    if (give(body, declared)) {
        diagnose(body, TW_DIAGNOSTIC_DUPLICATE_PARAMETER, offset);
    }
    const unsigned types = types_of(body, opening, declared);
    emit_key(body, tw_window_offset(window, opening->key.from),
             tw_window_offset(window, opening->end));
    begin_value(body, opening, types);
    return TW_BODY_GOES_ON;
}

/* ---- between parameters ------------------------------------------------- */

static tw_body_end finish(tw_tagged_body *body)
{
    tw_open_call *call = body->common.call;
    if (!body->any) {
        emit(body, "{", 1, window_of(body)->offset);
    }
    if (!tw_open_call_is_spoiled(call)) { /* else its closes are bad, too */
        tw_arguments_close(&call->arguments, window_of(body)->offset);
        tw_open_call_end(call);
    }
    return TW_BODY_DONE;
}

/* Nothing of a parameter stands at the window. */
static tw_body_end read_other(tw_tagged_body *body, bool cut)
{
    tw_window *window = window_of(body);
    const tw_tagged_seen seen = tw_tagged_look(body, window->at);
    bool more;
    const uint8_t *behind = tw_tagged_behind_skip(body, &more);
    if (seen.more || more) {
        return TW_BODY_STARVED;
    }
    if (cut) {
        return TW_BODY_CUT;
    }
    if (behind > window->at) {
        tw_window_skip(window, (size_t)(behind - window->at));
        return TW_BODY_GOES_ON;
    }
    if (seen.size[TW_TAGGED_CALL_CLOSE] > 0) {
        return finish(body);
    }
    if (seen.size[TW_TAGGED_VALUE_CLOSE] > 0) {
        diagnose(body, TW_DIAGNOSTIC_EXTRA_CLOSER, window->offset);
        tw_window_skip(window, seen.size[TW_TAGGED_VALUE_CLOSE]);
        return TW_BODY_GOES_ON;
    }
    if (seen.size[TW_TAGGED_SECTION_CLOSE] > 0 ||
        (seen.size[TW_TAGGED_OUTSIDE] > 0 && body->closed)) {
        return finish(body);
    }
    if (seen.cut) {
        return TW_BODY_CUT;
    }
    const bool may =
        tw_markers_may_begin(body->common.marks, window->at, window->limit);
    tw_body_break(&body->common, TW_DIAGNOSTIC_SYNTAX_ERROR, window->offset);
    if (!may) {
        return TW_BODY_BROKEN;
    }
    const tw_found found =
        tw_marker_at(body->common.marks, window, window->at);
    if ((found.roles & (TW_AT_CALL | TW_AT_SECTION)) != 0 && !body->closed) {
        body->common.reason = TW_DIAGNOSTIC_TRUNCATED_CALL;
    }
    return TW_BODY_AT_MARKER;
}

static tw_body_end read_next(tw_tagged_body *body)
{
    tw_window *window = window_of(body);
    const uint8_t *at = tw_behind_ws(window->at, window->limit);
    tw_opening opening;
    tw_window_skip(window, (size_t)(at - window->at));
    if (at == window->limit) {
        return window->eof ? TW_BODY_CUT : TW_BODY_STARVED;
    }
    body->argument = NULL;
    body->cdata = false;
    tw_match found =
        tw_opening_at(window, body->common.format, window->at, &opening);
    if (found == TW_MATCH_NONE) {
        found = tw_tagged_bare_opening(body, window->at, &opening);
    }
    switch (found) {
    case TW_MATCH_MORE: return TW_BODY_STARVED;
    case TW_MATCH_WHOLE: return begin_parameter(body, &opening);
    default: return read_other(body, found == TW_MATCH_CUT);
    }
}

/* ---- values ------------------------------------------------------------- */

static bool is_feed(const char *layout)
{
    return layout[0] == '\n';
}

/* The value ends in front of |to|, behind |feed| bytes of a line's end, and
 * the call goes on at |next|. */
static tw_body_end end_value(tw_tagged_body *body, const uint8_t *to,
                             size_t feed, const tw_value_end *end)
{
    tw_window *window = window_of(body);
    const tw_pattern *argument = body->argument;
    const bool missing = end->code == TW_DIAGNOSTIC_MISSING_VALUE_CLOSE;
    const bool strips =
        missing || is_feed(tw_pattern_layout(argument, argument->hole));
    if (feed > 0 && !strips) {
        tw_typed_put(&body->value, window->at, feed, false);
    }
    if (end->code != 0) {
        diagnose(body, end->code, tw_window_offset(window, to));
    }
    const bool good = tw_typed_end(
        &body->value, tw_window_offset(window, end->next) - (end->next > to));
    tw_window_skip(window, (size_t)(end->next - window->at));
    body->closed = !missing;
    body->argument = NULL;
    body->cdata = false;
    body->state = NEXT;
    return good ? TW_BODY_GOES_ON
                : tw_body_break(&body->common, body->value.code,
                                body->value.broken_at);
}

/* No marker opened a value, and behind white space at |at| the call is over:
 * the key has none. */
static tw_match has_no_value(const tw_tagged_body *body, const uint8_t *at)
{
    const tw_window *window = window_of(body);
    if (!body->unopened) {
        return TW_MATCH_NONE;
    }
    at = tw_behind_some_ws(at, window->limit);
    const tw_tagged_seen seen = tw_tagged_look(body, at);
    return seen.more || (at == window->limit && !window->eof) ? TW_MATCH_MORE
           : seen.size[TW_TAGGED_CALL_CLOSE] > 0 ||
                   seen.size[TW_TAGGED_SECTION_CLOSE] > 0
               ? TW_MATCH_WHOLE
               : TW_MATCH_NONE;
}

/* The layout in front of a value, and the opening of CDATA. */
static tw_body_end read_front(tw_tagged_body *body)
{
    tw_window *window = window_of(body);
    const tw_pattern *argument = body->argument;
    const tw_part *before = &argument->parts[argument->hole - 1];
    const uint8_t *at = window->at;
    if (at == window->limit) {
        return window->eof ? TW_BODY_CUT : TW_BODY_STARVED;
    }
    const tw_match cdata = tw_tagged_cdata_at(body, at);
    if (cdata == TW_MATCH_MORE) {
        return TW_BODY_STARVED;
    }
    body->cdata = cdata == TW_MATCH_WHOLE;
    at += body->cdata ? strlen(TW_CDATA_OPEN) : 0;
    if (before->kind == TW_PATTERN_LAYOUT && is_feed(before->text)) {
        if (*at == '\r' && at + 1 == window->limit && !window->eof) {
            return TW_BODY_STARVED;
        }
        const bool two =
            *at == '\r' && window->limit - at > 1 && at[1] == '\n';
        at += two ? 2 : *at == '\n';
    } else if (before->kind == TW_PATTERN_LAYOUT && before->text[0] == ' ') {
        at += *at == ' ';
    }
    const tw_match none = has_no_value(body, at);
    if (none == TW_MATCH_MORE) {
        return TW_BODY_STARVED;
    }
    tw_window_skip(window, (size_t)(at - window->at));
    body->value.begin = window->offset;
    body->state = VALUE;
    const tw_value_end end = {none, window->at,
                              TW_DIAGNOSTIC_MISSING_VALUE_CLOSE};
    return none == TW_MATCH_WHOLE ? end_value(body, window->at, 0, &end)
                                  : TW_BODY_GOES_ON;
}

/* Bytes of the value up to |to|, which is behind the window's |at|. */
static tw_body_end put(tw_tagged_body *body, const uint8_t *to)
{
    tw_window *window = window_of(body);
    while (to < window->limit && (*to & 0xC0) == 0x80) {
        to++; /* no code point is cut in two */
    }
    const bool open = to == window->limit;
    const size_t taken = tw_typed_put(&body->value, window->at,
                                      (size_t)(to - window->at), open);
    if (taken > 0) {
        body->line = window->at[taken - 1] == '\n';
    }
    tw_window_skip(window, taken);
    return taken > 0     ? TW_BODY_GOES_ON
           : window->eof ? TW_BODY_CUT
                         : TW_BODY_STARVED;
}

/* A byte that may be no part of the value. */
static bool is_special(const tw_tagged_body *body, uint8_t c)
{
    return c == '\n' || c == '\r' || tw_tagged_may_begin(body, c) ||
           (c == '&' && tw_tagged_has_entities(body));
}

static tw_body_end read_entity(tw_tagged_body *body)
{
    tw_window *window = window_of(body);
    bool more = false;
    char byte;
    const size_t size = tw_entity_at(window, window->at, &byte, &more);
    if (size == 0) {
        return more ? TW_BODY_STARVED : put(body, window->at + 1);
    }
    tw_typed_put_byte(&body->value, (uint8_t)byte, window->offset);
    tw_window_skip(window, size);
    body->line = false;
    return TW_BODY_GOES_ON;
}

/* A line's end at the window, which may be framing; its size, or 0. */
static size_t feed_at(const uint8_t *at, const uint8_t *limit)
{
    return *at == '\n'                                      ? 1
           : *at == '\r' && limit - at > 1 && at[1] == '\n' ? 2
                                                            : 0;
}

static tw_body_end read_special(tw_tagged_body *body)
{
    const tw_window *window = window_of(body);
    const uint8_t *at = window->at;
    const size_t feed = feed_at(at, window->limit);
    const uint8_t *mark = at + feed;
    if (*at == '\r' && feed == 0) {
        return window->limit - at == 1 && !window->eof ? TW_BODY_STARVED
                                                       : put(body, at + 1);
    }
    if (mark == window->limit) {
        return window->eof ? put(body, mark) : TW_BODY_STARVED;
    }
    if (!tw_tagged_may_begin(body, *mark)) {
        return feed > 0 ? put(body, mark) : read_entity(body);
    }
    const tw_value_end end =
        tw_tagged_end_at(body, mark, feed > 0 || body->line);
    switch (end.found) {
    case TW_MATCH_MORE: return TW_BODY_STARVED;
    case TW_MATCH_WHOLE: return end_value(body, mark, feed, &end);
    default: return put(body, end.next);
    }
}

static tw_body_end read_value(tw_tagged_body *body)
{
    const tw_window *window = window_of(body);
    const uint8_t *at = window->at;
    if (at == window->limit) {
        return window->eof ? TW_BODY_CUT : TW_BODY_STARVED;
    }
    if (is_special(body, *at)) {
        return read_special(body);
    }
    const uint8_t *reach = tw_window_reach(window, at + 1);
    const uint8_t *to = at + 1;
    while (to < reach && !is_special(body, *to)) {
        to++;
    }
    return put(body, to);
}

/* ---- the codec ---------------------------------------------------------- */

static tw_body_end step(tw_body *common)
{
    tw_tagged_body *body = of(common);
    const tw_body_end end = body->state == NEXT    ? read_next(body)
                            : body->state == FRONT ? read_front(body)
                                                   : read_value(body);
    if (end == TW_BODY_GOES_ON) {
        tw_open_call_fail_arguments(common->call);
    }
    return end;
}

static const uint8_t *advance(tw_body *common, tw_advanced *advanced)
{
    tw_tagged_body *body = of(common);
    return body->state == VALUE && !common->slow
               ? tw_tagged_pass(body, advanced)
               : common->call->window->at;
}

static bool closable(const tw_body *common, tw_body_cut by)
{
    const tw_tagged_body *body = (const tw_tagged_body *)common;
    if (body->state != NEXT || by == TW_CUT_LENGTH) {
        return false;
    }
    const bool over = tw_window_size(common->call->window) == 0;
    /* D5: a stop that was taken off is all that closes some calls. */
    const bool whole = !body->any && over && by == TW_CUT_STRIPPED &&
                       tw_call_ends_message(common->format, common->pattern);
    return by == TW_CUT_CLOSE || by == TW_CUT_SECTION_END || whole ||
           (body->closed && (by == TW_CUT_CALL || by == TW_CUT_STOP || over));
}

static void close_body(tw_body *common)
{
    finish(of(common));
}

const tw_body_codec tw_tagged_codec = {
    .size = sizeof(tw_tagged_body),
    .init = init,
    .clear = clear,
    .opens = tw_tagged_opens,
    .start = start,
    .step = step,
    .advance = advance,
    .closable = closable,
    .close = close_body,
};
