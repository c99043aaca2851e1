/* SPDX-License-Identifier: MIT
 *
 * What elements become: JSON, as far as it is known.
 *
 * An element that nobody declared, or that is a list, may be the first of
 * several of its name.  A value is kept as text until the next tag tells; what
 * holds elements itself is kept aside as JSON, so that a bracket can be put in
 * front of it.
 */
#include "formats/body/elements/elements.h"

#include <string.h>

#include "core/skip.h"
#include "json/write.h"

enum {
    CONTAINERS = TW_TYPE_OBJECT | TW_TYPE_ARRAY | TW_TYPE_ANY,
    EITHER = TW_TYPE_STRING | TW_TYPE_ANY
};

static tw_window *window_of(const tw_elements_body *body)
{
    return body->common.call->window;
}

static void diagnose(const tw_elements_body *body, uint32_t code,
                     uint64_t offset)
{
    tw_sink_diagnostic(body->common.call->sink, code, offset);
}

/* ---- going out ---------------------------------------------------------- */

/* What is held aside goes out: no list begins in front of it. */
static void release(tw_elements_body *body)
{
    tw_open_call *call = body->common.call;
    body->holding = false;
    body->value.aside = NULL;
    if (call->fail == 0) {
        tw_arguments_text(&call->arguments, (const char *)body->aside.data,
                          body->aside.size, window_of(body)->offset, true);
    }
    body->aside.size = 0;
}

/* What is set aside is released, and the repair given up, where it is too
 * much. */
static void bound(tw_elements_body *body)
{
    if (body->aside.size > TW_HOLD_VALUE) {
        diagnose(body, TW_DIAGNOSTIC_REPAIR_GIVEN_UP, window_of(body)->offset);
        release(body);
    }
}

static void emit(tw_elements_body *body, const void *text, size_t size)
{
    tw_open_call *call = body->common.call;
    if (body->holding) {
        if (!tw_buffer_append(&body->aside, call->memory, text, size)) {
            tw_open_call_no_memory(body->common.call);
        }
        bound(body);
    } else if (call->fail == 0) {
        tw_arguments_text(&call->arguments, text, size,
                          window_of(body)->offset, true);
    }
}

/* How many containers are open. */
static size_t level_of(const tw_elements_body *body)
{
    return tw_elements_depth(body) + body->lists;
}

/* A whole value, the text that is held. */
static void emit_value(tw_elements_body *body, const tw_known *known)
{
    static const char *const empty[] = {"{}", "[]"};
    tw_typed *value = &body->value;
    const unsigned types = known->types != 0           ? known->types
                           : body->common.untyped_json ? EITHER
                                                       : TW_TYPE_STRING;
    if (body->blank && (types & CONTAINERS) != 0 &&
        (types & TW_TYPE_STRING) == 0) {
        emit(body, empty[(types & TW_TYPE_ARRAY) != 0], 2);
        return;
    }
    value->level = level_of(body);
    if (!tw_typed_whole(value, types, body->text.data, body->text.size,
                        body->text_at)) {
        tw_open_call_fail(body->common.call, value->code, value->broken_at);
    }
    bound(body);
}

/* ---- lists that a name makes -------------------------------------------- */

static bool may_repeat(const tw_known *known)
{
    return known->types == 0 || (known->types & TW_TYPE_ARRAY) != 0;
}

static tw_known part_of(tw_elements_body *body, const tw_element *whole,
                        const uint8_t *key, size_t size)
{
    return tw_known_part(&whole->known, (const char *)key, size, &body->work);
}

/* What one of such a list is. */
static tw_known repeated(tw_elements_body *body, const tw_element *whole,
                         const uint8_t *key, size_t size)
{
    const tw_known known = part_of(body, whole, key, size);
    return known.types != 0 ? tw_known_part(&known, NULL, 0, &body->work)
                            : known;
}

static const uint8_t *last_key(const tw_elements_body *body,
                               const tw_element *whole)
{
    return body->keys.data + whole->key + whole->key_size;
}

static bool follows_its_like(const tw_elements_body *body,
                             const tw_element *whole,
                             const tw_element_tag *tag)
{
    return (whole->list || whole->movable || body->pending) &&
           whole->last_size == tag->key_size &&
           memcmp(last_key(body, whole), tag->key, tag->key_size) == 0;
}

/* No other of its name follows the last element in the innermost one. */
static void close_last(tw_elements_body *body)
{
    tw_element *whole = tw_element_top(body);
    if (body->pending) {
        const tw_known known =
            part_of(body, whole, last_key(body, whole), whole->last_size);
        body->pending = false;
        emit_value(body, &known);
    }
    if (whole->list) {
        emit(body, "]", 1);
        body->lists--;
    }
    whole->list = whole->movable = false;
    if (body->holding && tw_element_at(body, body->owner) == whole) {
        release(body);
    }
}

/* One does: they are a list, whose bracket stands in front of it. */
static void open_list(tw_elements_body *body)
{
    tw_element *whole = tw_element_top(body);
    whole->list = true;
    if (body->pending) {
        const tw_known known =
            repeated(body, whole, last_key(body, whole), whole->last_size);
        body->pending = false;
        emit(body, "[", 1);
        body->lists++;
        emit_value(body, &known);
        return;
    }
    body->lists++;
    if (!tw_buffer_append(&body->aside, body->common.call->memory, "[", 1)) {
        tw_open_call_no_memory(body->common.call);
        return;
    }
    uint8_t *from = body->aside.data + whole->value_at;
    memmove(from + 1, from, body->aside.size - 1 - whole->value_at);
    *from = '[';
    if (tw_element_at(body, body->owner) == whole) {
        release(body);
    }
}

/* ---- elements ----------------------------------------------------------- */

static void emit_key(tw_elements_body *body, const tw_element_tag *tag)
{
    body->escaped.size = 0;
    if (!tw_json_write_raw(&body->escaped, body->common.call->memory,
                           (const char *)tag->key, tag->key_size)) {
        tw_open_call_no_memory(body->common.call);
    }
    emit(body, "\"", 1);
    emit(body, body->escaped.data, body->escaped.size);
    emit(body, "\":", 2);
}

static void warn_of_second(tw_elements_body *body, const tw_element_tag *tag)
{
    bool failed = false;
    if (tw_given_before(&body->given, body->common.call->memory,
                        (const char *)tag->key, tag->key_size, &failed)) {
        diagnose(body, TW_DIAGNOSTIC_DUPLICATE_PARAMETER,
                 window_of(body)->offset);
    }
    if (failed) {
        tw_open_call_no_memory(body->common.call);
    }
}

static void push(tw_elements_body *body, const tw_element_tag *tag,
                 const tw_known *known)
{
    const tw_memory *memory = body->common.call->memory;
    tw_element *whole = tw_element_top(body);
    const tw_element added = {.known = *known,
                              .key = whole->key + whole->key_size,
                              .key_size = tag->key_size};
    whole->last_size = tag->key_size;
    whole->filled = true;
    whole->movable = false;
    body->keys.size = added.key;
    if (!tw_buffer_append(&body->keys, memory, tag->key, tag->key_size) ||
        !tw_buffer_append(&body->stack, memory, &added, sizeof added)) {
        tw_open_call_no_memory(body->common.call);
        body->stack.size = 0; /* nothing more is read */
    }
}

/* Back in what the innermost element stands in. */
static void pop(tw_elements_body *body)
{
    const tw_element *top = tw_element_top(body);
    body->keys.size = top->key + top->key_size;
    body->stack.size -= sizeof *top;
    body->state = TW_ELEMENTS_NEXT;
}

/* What can only be a scalar or a string, and is the latter if all else
 * fails, ends at its own close. */
static bool is_stream(unsigned types)
{
    return (types & TW_TYPE_STRING) != 0 && (types & CONTAINERS) == 0;
}

static void start_stream(tw_elements_body *body)
{
    if (body->holding) {
        release(body);
    }
    body->value.level = level_of(body) - 1;
    tw_typed_start(&body->value, tw_element_top(body)->known.types,
                   window_of(body)->offset);
    body->state = TW_ELEMENTS_STREAM;
}

void tw_elements_open(tw_elements_body *body, const tw_element_tag *tag)
{
    tw_window *window = window_of(body);
    tw_element *whole = tw_element_top(body);
    const bool items = whole->kind == TW_ELEMENT_LIST;
    const bool again = follows_its_like(body, whole, tag);
    if (again && !whole->list) {
        open_list(body);
    } else if (!again) {
        close_last(body);
    }
    const tw_known known =
        again ? repeated(body, whole, tag->key, tag->key_size)
              : part_of(body, whole, items ? NULL : tag->key, tag->key_size);
    emit(body, whole->filled ? "," : items ? "[" : "{", 1);
    if (!items && !again) {
        if (tw_elements_depth(body) == 1) {
            warn_of_second(body, tag);
        }
        emit_key(body, tag);
    }
    push(body, tag, &known);
    tw_window_skip(window, tag->size);
    body->text.size = 0;
    body->blank = true;
    body->text_at = window->offset;
    body->nest = 0;
    body->doubt = false;
    body->state = TW_ELEMENTS_HELD;
    if (body->stack.size > 0 && is_stream(known.types)) {
        start_stream(body);
    }
}

void tw_elements_close_held(tw_elements_body *body)
{
    const tw_known known = tw_element_top(body)->known;
    pop(body);
    const tw_element *whole = tw_element_top(body);
    body->pending = whole->kind == TW_ELEMENT_OBJECT && !whole->list &&
                    may_repeat(&known);
    if (!body->pending) {
        emit_value(body, &known);
    }
}

void tw_elements_close_stream(tw_elements_body *body)
{
    pop(body);
}

void tw_elements_close_container(tw_elements_body *body)
{
    const tw_element *top = tw_element_top(body);
    const bool declared = top->known.types != 0;
    close_last(body);
    emit(body, top->kind == TW_ELEMENT_LIST ? "]" : "}", 1);
    pop(body);
    tw_element *whole = tw_element_top(body);
    whole->movable = !declared && body->holding && !whole->list &&
                     whole->kind == TW_ELEMENT_OBJECT;
}

/* A list where one is declared; where nobody says, by the first name. */
static bool is_list(unsigned types, const tw_element_tag *tag)
{
    static const char item[] = "item";
    const bool list = (types & TW_TYPE_ARRAY) != 0;
    const bool object = (types & TW_TYPE_OBJECT) != 0;
    return list != object ? list
                          : tag->key_size == sizeof item - 1 &&
                                memcmp(tag->key, item, tag->key_size) == 0;
}

bool tw_elements_become_container(tw_elements_body *body,
                                  const tw_element_tag *tag)
{
    tw_element *top = tw_element_top(body);
    const size_t in = tw_elements_depth(body) - 2;
    tw_element *whole = tw_element_at(body, in);
    const unsigned types = top->known.types;
    if (level_of(body) > body->common.call->sink->limits.depth) {
        return false;
    }
    if (types != 0 && (types & CONTAINERS) == 0) {
        diagnose(body, TW_DIAGNOSTIC_TYPE_MISMATCH, body->text_at);
    }
    top->kind = is_list(types, tag) ? TW_ELEMENT_LIST : TW_ELEMENT_OBJECT;
    if (types == 0 && whole->kind == TW_ELEMENT_OBJECT && !whole->list) {
        if (!body->holding) {
            body->holding = true;
            body->owner = in;
            body->value.aside = &body->aside;
        }
        whole->value_at = body->aside.size;
    }
    return true;
}

void tw_elements_add_text(tw_elements_body *body)
{
    tw_element *top = tw_element_top(body);
    const tw_known known = part_of(body, top, NULL, 0);
    while (body->text.size > 0 &&
           tw_is_ws(body->text.data[body->text.size - 1])) {
        body->text.size--;
    }
    diagnose(body, TW_DIAGNOSTIC_MISSING_VALUE_OPEN, body->text_at);
    emit(body, top->filled ? "," : "[", 1);
    emit_value(body, &known);
    top->filled = true;
    body->text.size = 0;
}

void tw_elements_stream_json(tw_elements_body *body)
{
    body->text.size = 0;
    start_stream(body);
}

void tw_elements_stream_string(tw_elements_body *body)
{
    if (body->holding) {
        release(body);
    }
    tw_typed_start_string(&body->value, body->text.data, body->text.size,
                          body->text_at);
    body->text.size = 0;
    body->state = TW_ELEMENTS_STREAM;
}

void tw_elements_finish(tw_elements_body *body)
{
    tw_open_call *call = body->common.call;
    close_last(body);
    if (!tw_element_top(body)->filled) {
        emit(body, "{", 1);
    }
    tw_arguments_close(&call->arguments, window_of(body)->offset);
    tw_open_call_end(call);
}
