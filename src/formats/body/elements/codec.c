/* SPDX-License-Identifier: MIT
 *
 * Nested elements, read while they arrive.
 *
 * What can only be a scalar or a string goes out as it comes, up to its own
 * close: other tags in it are text.  All else is held up to the next tag, which
 * tells whether it is a value or holds elements.
 */
#include "formats/body/elements/elements.h"

#include <string.h>

#include "core/skip.h"

static tw_elements_body *of(tw_body *common)
{
    return (tw_elements_body *)common;
}

static tw_window *window_of(const tw_elements_body *body)
{
    return body->common.call->window;
}

static tw_body_end is_no_element(tw_elements_body *body)
{
    return tw_body_break(&body->common, TW_DIAGNOSTIC_SYNTAX_ERROR,
                         window_of(body)->offset);
}

static tw_body_end at_limit(const tw_elements_body *body)
{
    return window_of(body)->eof ? TW_BODY_CUT : TW_BODY_STARVED;
}

/* ---- its life ----------------------------------------------------------- */

static void init(tw_body *common)
{
    tw_typed_init(&of(common)->value, common->call, common->format);
}

static void clear(tw_body *common)
{
    const tw_memory *memory = common->call->memory;
    tw_elements_body *body = of(common);
    tw_buffer_free(&body->given.keys, memory);
    tw_buffer_free(&body->keys, memory);
    tw_buffer_free(&body->stack, memory);
    tw_buffer_free(&body->text, memory);
    tw_buffer_free(&body->aside, memory);
    tw_buffer_free(&body->escaped, memory);
    tw_typed_free(&body->value);
}

/* ---- between tags ------------------------------------------------------- */

/* A marker of the format may look like an element, but for what its name goes
 * on with: `X<invoke name="f">` is none of |invoke_id|. */
static bool is_element(const tw_found *marker, const tw_element_tag *tag,
                       const uint8_t *at)
{
    return tag->found == TW_MATCH_WHOLE && !tag->close &&
           (marker->roles == 0 ||
            (marker->size < tag->size && !tw_is_ws(at[marker->size])));
}

/* Outside of all elements the format's markers stand, too. */
static tw_body_end read_outside(tw_elements_body *body,
                                const tw_element_tag *tag)
{
    const tw_window *window = window_of(body);
    const tw_found found =
        tw_marker_at(body->common.marks, window, window->at);
    if (found.roles == TW_AT_MORE || tag->found == TW_MATCH_MORE) {
        return TW_BODY_STARVED;
    }
    if (tag->found == TW_MATCH_CUT) {
        return TW_BODY_CUT;
    }
    if (is_element(&found, tag, window->at)) {
        tw_elements_open(body, tag);
        return TW_BODY_GOES_ON;
    }
    is_no_element(body);
    if (found.roles == 0) {
        return tw_marker_is_cut(body->common.marks, window, window->at,
                                UINT16_MAX)
                   ? TW_BODY_CUT
                   : TW_BODY_BROKEN;
    }
    if ((found.roles & (TW_AT_CALL | TW_AT_SECTION)) != 0 &&
        !tw_element_top(body)->filled) {
        body->common.reason = TW_DIAGNOSTIC_TRUNCATED_CALL;
    }
    return TW_BODY_AT_MARKER;
}

static void start_held(tw_elements_body *body)
{
    body->text.size = 0;
    body->blank = true;
    body->text_at = window_of(body)->offset;
    body->state = TW_ELEMENTS_HELD;
}

static tw_body_end read_tag(tw_elements_body *body, const tw_element_tag *tag)
{
    if (!tag->close) {
        tw_elements_open(body, tag);
        return TW_BODY_GOES_ON;
    }
    if (!tw_element_is_named(body, tw_element_top(body), tag)) {
        return is_no_element(body);
    }
    tw_elements_close_container(body);
    tw_window_skip(window_of(body), tag->size);
    return TW_BODY_GOES_ON;
}

static tw_body_end read_next(tw_elements_body *body)
{
    tw_window *window = window_of(body);
    const uint8_t *at = tw_behind_ws(window->at, window->limit);
    tw_window_skip(window, (size_t)(at - window->at));
    if (at == window->limit) {
        return at_limit(body);
    }
    const tw_element_tag tag = tw_element_tag_at(body, window->at);
    if (tw_elements_depth(body) == 1) {
        return read_outside(body, &tag);
    }
    switch (tag.found) {
    case TW_MATCH_MORE: return TW_BODY_STARVED;
    case TW_MATCH_CUT: return TW_BODY_CUT;
    case TW_MATCH_WHOLE: return read_tag(body, &tag);
    default: break;
    }
    if (tag.marked || tw_element_top(body)->kind != TW_ELEMENT_LIST) {
        return is_no_element(body);
    }
    start_held(body);
    return TW_BODY_GOES_ON;
}

/* ---- values ------------------------------------------------------------- */

static uint8_t lead_of(const tw_elements_body *body)
{
    return body->mark_size > 0 ? (uint8_t)body->mark[0] : '<';
}

/* An empty list or object whose close is missing, in front of that of what it
 * stands in. */
static bool is_left_open(const tw_elements_body *body,
                         const tw_element_tag *tag)
{
    const size_t depth = tw_elements_depth(body);
    const unsigned types =
        tw_element_top(body)->known.types & ~(unsigned)TW_TYPE_NULL;
    return depth > 2 && body->blank &&
           (types == TW_TYPE_ARRAY || types == TW_TYPE_OBJECT) &&
           tw_element_is_named(body, tw_element_at(body, depth - 2), tag);
}

static void say_unclosed(const tw_elements_body *body)
{
    tw_sink_diagnostic(body->common.call->sink,
                       TW_DIAGNOSTIC_MISSING_VALUE_CLOSE,
                       window_of(body)->offset);
}

/* May the text that is held be a string that quotes a call? */
static bool may_quote(const tw_elements_body *body)
{
    const tw_element *top = tw_element_top(body);
    return top->kind == TW_ELEMENT_VALUE &&
           (top->known.types == 0 || (top->known.types & TW_TYPE_STRING) != 0);
}

/* A call begins in the text that is held. */
static tw_body_end quote(tw_elements_body *body)
{
    tw_elements_stream_string(body);
    body->doubt = true;
    return TW_BODY_GOES_ON;
}

static tw_body_end close_held(tw_elements_body *body,
                              const tw_element_tag *tag)
{
    const bool own = tw_element_is_named(body, tw_element_top(body), tag);
    if (!own && !is_left_open(body, tag)) {
        return is_no_element(body);
    }
    if (!own) {
        say_unclosed(body);
    }
    tw_elements_close_held(body);
    tw_window_skip(window_of(body), own ? tag->size : 0);
    return TW_BODY_GOES_ON;
}

/* A tag ends the text that is held. */
static tw_body_end end_held(tw_elements_body *body, const tw_element_tag *tag)
{
    const tw_window *window = window_of(body);
    if (tw_element_top(body)->kind == TW_ELEMENT_LIST) {
        tw_elements_add_text(body);
        body->state = TW_ELEMENTS_NEXT;
        return TW_BODY_GOES_ON;
    }
    const tw_match call =
        may_quote(body) ? tw_elements_call_at(body) : TW_MATCH_NONE;
    if (call != TW_MATCH_NONE) {
        return call == TW_MATCH_MORE ? TW_BODY_STARVED : quote(body);
    }
    const tw_match ends =
        body->blank ? TW_MATCH_NONE : tw_elements_end_value(body, tag);
    if (ends == TW_MATCH_MORE) {
        return TW_BODY_STARVED;
    }
    if (ends == TW_MATCH_WHOLE) {
        say_unclosed(body);
        tw_elements_close_held(body);
        return TW_BODY_GOES_ON;
    }
    if (tag->close) {
        return close_held(body, tag);
    }
    if (!tw_elements_become_container(body, tag)) {
        return tw_body_break(&body->common, TW_DIAGNOSTIC_LIMIT_DEPTH,
                             window->offset);
    }
    body->state = TW_ELEMENTS_NEXT;
    if (body->blank) {
        return TW_BODY_GOES_ON;
    }
    if (tw_element_top(body)->kind != TW_ELEMENT_LIST) {
        return is_no_element(body);
    }
    tw_elements_add_text(body);
    return TW_BODY_GOES_ON;
}

/* JSON in place of elements goes out as it comes. */
static bool begins_json(const tw_elements_body *body, uint8_t c)
{
    enum {
        OTHERS = TW_TYPE_STRING | TW_TYPE_NUMBER | TW_TYPE_INTEGER |
                 TW_TYPE_BOOLEAN
    };
    const tw_element *top = tw_element_top(body);
    return (c == '{' || c == '[') && body->blank &&
           top->kind == TW_ELEMENT_VALUE && top->known.types != 0 &&
           (top->known.types & OTHERS) == 0 &&
           top->known.types != TW_TYPE_NULL;
}

/* Bytes of the text up to |to|, all white space or none in front. */
static tw_body_end hold(tw_elements_body *body, const uint8_t *to)
{
    tw_window *window = window_of(body);
    const size_t size = (size_t)(to - window->at);
    body->blank = body->blank && tw_is_ws(*window->at);
    if (!tw_buffer_append(&body->text, body->common.call->memory, window->at,
                          size)) {
        tw_open_call_no_memory(body->common.call);
    }
    tw_window_skip(window, size);
    return TW_BODY_GOES_ON;
}

/* Is the text too long to be held?  No code point is cut. */
static bool is_full(const tw_elements_body *body, uint8_t next)
{
    enum { MOST = TW_HOLD_VALUE, BEHIND = 3 };
    return body->text.size >= MOST + BEHIND ||
           (body->text.size >= MOST && (next & 0xC0) != 0x80);
}

/* The next bytes that are text, as many as there is room for. */
static tw_body_end hold_more(tw_elements_body *body)
{
    const tw_window *window = window_of(body);
    const uint8_t *at = window->at;
    const size_t held = body->text.size;
    const size_t room = held < TW_HOLD_VALUE ? TW_HOLD_VALUE - held : 1;
    const uint8_t *reach = tw_window_reach(window, at + 1);
    const uint8_t *to = at + 1;
    if ((size_t)(reach - at) > room) {
        reach = at + room;
    }
    if (body->blank && tw_is_ws(*at)) {
        to = tw_behind_ws(to, reach);
    } else {
        while (to < reach && *to != lead_of(body)) {
            to++;
        }
    }
    return hold(body, to);
}

/* The mark of a tag that is none, in the text that is held. */
static tw_body_end read_marked(tw_elements_body *body)
{
    const tw_match call =
        may_quote(body) ? tw_elements_call_at(body) : TW_MATCH_NONE;
    return call == TW_MATCH_MORE    ? TW_BODY_STARVED
           : call == TW_MATCH_WHOLE ? quote(body)
                                    : is_no_element(body);
}

static tw_body_end read_held(tw_elements_body *body)
{
    const tw_window *window = window_of(body);
    const uint8_t *at = window->at;
    if (at == window->limit) {
        return at_limit(body);
    }
    if (*at == lead_of(body)) {
        const tw_element_tag tag = tw_element_tag_at(body, at);
        switch (tag.found) {
        case TW_MATCH_MORE: return TW_BODY_STARVED;
        case TW_MATCH_CUT: return TW_BODY_CUT;
        case TW_MATCH_WHOLE: return end_held(body, &tag);
        default: break;
        }
        if (tag.marked) {
            return read_marked(body);
        }
    }
    if (begins_json(body, *at)) {
        tw_elements_stream_json(body);
        return TW_BODY_GOES_ON;
    }
    if (!is_full(body, *at)) {
        return hold_more(body);
    }
    if (tw_element_top(body)->kind == TW_ELEMENT_LIST) {
        return is_no_element(body);
    }
    tw_sink_diagnostic(body->common.call->sink, TW_DIAGNOSTIC_REPAIR_GIVEN_UP,
                       window->offset);
    tw_elements_stream_string(body);
    return TW_BODY_GOES_ON;
}

static tw_body_end put(tw_elements_body *body, const uint8_t *to)
{
    tw_window *window = window_of(body);
    while (to < window->limit && (*to & 0xC0) == 0x80) {
        to++; /* no code point is cut in two */
    }
    const size_t taken =
        tw_typed_put(&body->value, window->at, (size_t)(to - window->at),
                     to == window->limit);
    tw_window_skip(window, taken);
    return taken > 0 ? TW_BODY_GOES_ON : at_limit(body);
}

static tw_body_end end_stream(tw_elements_body *body, size_t size)
{
    tw_window *window = window_of(body);
    const bool good =
        tw_typed_end(&body->value, window->offset + (uint64_t)size - 1);
    tw_elements_close_stream(body);
    tw_window_skip(window, size);
    return good ? TW_BODY_GOES_ON
                : tw_body_break(&body->common, body->value.code,
                                body->value.broken_at);
}

/* A tag of the value's own name: one that is opened in it is closed there,
 * too, but not one that is written twice. */
static tw_body_end read_own(tw_elements_body *body, const tw_element_tag *tag)
{
    const tw_window *window = window_of(body);
    const bool nested =
        body->mark_size > 0 && (tag->close || window->offset > body->text_at);
    if (tag->close && body->nest == 0) {
        return end_stream(body, tag->size);
    }
    const tw_body_end end = put(body, window->at + 1);
    if (end == TW_BODY_GOES_ON && nested) {
        body->nest += tag->close ? (size_t)-1 : 1;
    }
    return end;
}

/* A tag of another name, or the mark alone. */
static tw_match read_other(tw_elements_body *body, const tw_element_tag *tag)
{
    body->doubt |= tag->found != TW_MATCH_WHOLE && tag->marked;
    return tag->found == TW_MATCH_WHOLE ? tw_elements_end_value(body, tag)
                                        : TW_MATCH_NONE;
}

/* Goes on to the next byte that may end the value, or may be its close. */
static tw_body_end pass_text(tw_elements_body *body)
{
    const tw_window *window = window_of(body);
    const uint8_t *at = window->at;
    const uint8_t *reach = tw_window_reach(window, at + 1);
    const uint8_t *to = at + 1;
    const tw_match close =
        body->mark_size > 0
            ? tw_elements_bare_close_at(body, at, window->limit)
            : TW_MATCH_NONE;
    if (close == TW_MATCH_MORE && !window->eof) {
        return TW_BODY_STARVED;
    }
    body->doubt |= close == TW_MATCH_WHOLE;
    while (to < reach && *to != lead_of(body) && *to != '<') {
        to++;
    }
    return put(body, to);
}

static tw_body_end read_stream(tw_elements_body *body)
{
    const tw_window *window = window_of(body);
    const uint8_t *at = window->at;
    if (at == window->limit) {
        return at_limit(body);
    }
    if (*at != lead_of(body)) {
        return pass_text(body);
    }
    const tw_element_tag tag = tw_element_tag_at(body, at);
    if (tag.found == TW_MATCH_MORE) {
        return TW_BODY_STARVED;
    }
    if (tag.found == TW_MATCH_WHOLE &&
        tw_element_is_named(body, tw_element_top(body), &tag)) {
        return read_own(body, &tag);
    }
    switch (read_other(body, &tag)) {
    case TW_MATCH_MORE: return TW_BODY_STARVED;
    case TW_MATCH_WHOLE: say_unclosed(body); return end_stream(body, 0);
    default: return pass_text(body);
    }
}

/* ---- the codec ---------------------------------------------------------- */

/* Does the format read JSON in place of the elements, too? */
static bool has_json(const tw_description *format)
{
    bool found = false;
    for (size_t i = 0; i < format->call.count; i++) {
        found |= tw_pattern_hole(&format->call.all[i])->kind ==
                 TW_PATTERN_JSON_ARGUMENTS;
    }
    return found;
}

/* Does a marker in front of the body end the name? */
static bool is_name_ended(const tw_pattern *call)
{
    size_t part = call->hole;
    while (part > 0 && call->parts[part - 1].kind == TW_PATTERN_LAYOUT) {
        part--;
    }
    return part > 0 && call->parts[part - 1].kind == TW_PATTERN_LITERAL;
}

/* A name that no marker ends is one in front of a tag. */
static tw_body_opens opens(const tw_body *common, const tw_body_head *head,
                           const uint8_t *at)
{
    const tw_window *window = common->call->window;
    const tw_part *hole = tw_pattern_hole(head->pattern);
    const bool json = has_json(common->format);
    if (!is_name_ended(head->pattern)) {
        return tw_body_opens_of(
            hole->size > 0 ? tw_text_at(window, at, hole->text, hole->size)
                           : tw_text_at(window, at, "<", 1));
    }
    if (at == window->limit) {
        return json && !window->eof ? TW_BODY_IS_MORE : TW_BODY_IS_HERE;
    }
    return json && *at == '{' ? TW_BODY_IS_NONE : TW_BODY_IS_HERE;
}

static void start(tw_body *common)
{
    tw_elements_body *body = of(common);
    const tw_open_call *call = common->call;
    const tw_part *hole = tw_pattern_hole(common->pattern);
    body->tool = tw_tools_find(call->sink->tools,
                               (const char *)call->name.data, call->name.size);
    const tw_element root = {
        .known =
            tw_known_arguments(body->tool != NULL ? body->tool->schema : NULL),
        .kind = TW_ELEMENT_OBJECT};
    body->mark = hole->text;
    body->mark_size = hole->size;
    body->state = TW_ELEMENTS_NEXT;
    body->work = TW_KNOWN_WORK;
    body->pending = body->holding = false;
    body->value.aside = NULL;
    body->lists = 0;
    body->keys.size = body->stack.size = body->aside.size = 0;
    tw_given_clear(&body->given);
    if (!tw_buffer_append(&body->stack, call->memory, &root, sizeof root)) {
        tw_open_call_no_memory(body->common.call);
    }
}

static tw_body_end step(tw_body *common)
{
    tw_elements_body *body = of(common);
    if (body->stack.size == 0) { /* there was no memory */
        return is_no_element(body);
    }
    const tw_body_end end = body->state == TW_ELEMENTS_NEXT   ? read_next(body)
                            : body->state == TW_ELEMENTS_HELD ? read_held(body)
                                                              : read_stream(body);
    if (end == TW_BODY_GOES_ON) {
        tw_open_call_fail_arguments(common->call);
    }
    return end;
}

static bool closable(const tw_body *common, tw_body_cut by)
{
    const tw_elements_body *body = (const tw_elements_body *)common;
    if (body->state != TW_ELEMENTS_NEXT || tw_elements_depth(body) != 1 ||
        by == TW_CUT_LENGTH) {
        return false;
    }
    return by == TW_CUT_CLOSE || by == TW_CUT_SECTION_END ||
           (tw_element_top(body)->filled &&
            (by == TW_CUT_CALL || by == TW_CUT_STOP ||
             tw_window_size(common->call->window) == 0));
}

static void close_body(tw_body *common)
{
    tw_elements_finish(of(common));
}

const tw_body_codec tw_elements_codec = {
    .size = sizeof(tw_elements_body),
    .init = init,
    .clear = clear,
    .opens = opens,
    .start = start,
    .step = step,
    .closable = closable,
    .close = close_body,
};
