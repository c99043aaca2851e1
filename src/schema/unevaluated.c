/* SPDX-License-Identifier: MIT
 *
 * `unevaluatedProperties` and `unevaluatedItems`: what no other keyword has
 * looked at, of the schema itself and of all that apply to the same value.
 * Those are found when the keyword is in turn, which is why others keep no
 * account:
 *
 *     {"allOf": [{"properties": {"a": ...}}],     {"a": 1, "b": 2}
 *      "unevaluatedProperties": false}                     ^ is left
 *
 * A frame has a list of schemas and a mark for each part of its value, both
 * behind those of the frames below.  Only where a schema may fit or not
 * (`anyOf`, `oneOf`, `if`, `contains`) it is asked once more.  Where one has
 * to fit and does not the value is wrong anyway.
 */
#include "schema/steps.h"

/* In |count| of a frame: the schemas were looked through. */
#define REST SIZE_MAX

static bool is(const tw_value *keyword, const char *name)
{
    return tw_value_has_key(keyword, name);
}

/* ---- marks and the list ------------------------------------------------- */

static void mark(const tw_schema *schema, const tw_schema_frame *frame,
                 const tw_value *part)
{
    schema->marks.data[frame->marks + part->index] = 1;
}

static bool is_marked(const tw_schema *schema, const tw_schema_frame *frame,
                      const tw_value *part)
{
    return schema->marks.data[frame->marks + part->index] != 0;
}

/* The first |count| parts. */
static void mark_first(tw_schema *schema, const tw_schema_frame *frame,
                       size_t count)
{
    const tw_value *part = frame->value->first;
    for (; part != NULL && count > 0 && tw_schema_work(schema, 1);
         part = part->next) {
        mark(schema, frame, part);
        count--;
    }
}

static void mark_all(tw_schema *schema, const tw_schema_frame *frame)
{
    mark_first(schema, frame, SIZE_MAX);
}

static const tw_value *const *list_of(const tw_schema *schema,
                                      const tw_schema_frame *frame)
{
    return (const tw_value *const *)(const void *)(schema->applied.data +
                                                   frame->applied);
}

static size_t count_of(const tw_schema *schema, const tw_schema_frame *frame)
{
    return (schema->applied.size - frame->applied) / sizeof(tw_value *);
}

/* One more schema that applies to the value, unless it is there. */
static void add(tw_schema *schema, const tw_schema_frame *frame,
                const tw_value *one)
{
    const size_t count = count_of(schema, frame);
    if (!tw_is_schema(one) || !tw_schema_work(schema, 1 + count)) {
        return;
    }
    for (size_t i = 0; i < count; i++) {
        if (list_of(schema, frame)[i] == one) {
            return;
        }
    }
    schema->failed |=
        !tw_buffer_append(&schema->applied, schema->memory, &one, sizeof one);
}

static void begin(tw_schema *schema, tw_schema_frame *frame)
{
    const size_t count = tw_value_length(frame->value);
    if (!tw_schema_work(schema, count)) {
        return;
    }
    if (!tw_buffer_reserve(&schema->marks, schema->memory, count)) {
        schema->failed = true;
        return;
    }
    if (count > 0) {
        memset(schema->marks.data + frame->marks, 0, count);
    }
    schema->marks.size += count;
    frame->count = 1;
    add(schema, frame, frame->schema);
}

/* ---- what a schema looks at --------------------------------------------- */

static void mark_named(tw_schema *schema, const tw_schema_frame *frame,
                       const tw_value *named)
{
    const tw_value *part = frame->value->first;
    for (; part != NULL &&
           tw_schema_work(schema, 1 + tw_value_length(named) / 8);
         part = part->next) {
        if (tw_value_member_sized(named, part->key, part->key_size) != NULL) {
            mark(schema, frame, part);
        }
    }
}

/* A pattern that is not read may match: nothing is said to be left then. */
static void mark_matched(tw_schema *schema, const tw_schema_frame *frame,
                         const tw_value *patterns)
{
    const tw_value *part = frame->value->first;
    for (; part != NULL; part = part->next) {
        for (const tw_value *one = patterns->first;
             one != NULL && tw_schema_work(schema, 1); one = one->next) {
            if (tw_schema_matches_key(schema, one, part, true)) {
                mark(schema, frame, part);
            }
        }
    }
}

static void see_members(tw_schema *schema, const tw_schema_frame *frame,
                        const tw_value *keyword)
{
    const bool object = keyword->kind == TW_VALUE_OBJECT;
    if (object && is(keyword, "properties")) {
        mark_named(schema, frame, keyword);
    } else if (object && is(keyword, "patternProperties")) {
        mark_matched(schema, frame, keyword);
    } else if (tw_is_schema(keyword) &&
               (is(keyword, "additionalProperties") ||
                is(keyword, "unevaluatedProperties"))) {
        mark_all(schema, frame);
    }
}

static void see_elements(tw_schema *schema, const tw_schema_frame *frame,
                         const tw_value *keyword)
{
    const bool items = is(keyword, "items");
    if (keyword->kind == TW_VALUE_ARRAY &&
        (items || is(keyword, "prefixItems"))) {
        mark_first(schema, frame, tw_value_length(keyword));
    } else if (tw_is_schema(keyword) &&
               (items || is(keyword, "unevaluatedItems"))) {
        mark_all(schema, frame);
    }
}

/* `anyOf` of one. */
static bool is_lone(const tw_value *keyword)
{
    return is(keyword, "anyOf") && tw_value_length(keyword) == 1;
}

/* Schemas that have to fit where this one does. */
static void see_others(tw_schema *schema, const tw_schema_frame *frame,
                       const tw_value *keyword)
{
    const bool all = keyword->kind == TW_VALUE_ARRAY &&
                     (is(keyword, "allOf") || is_lone(keyword));
    const bool dependent =
        keyword->kind == TW_VALUE_OBJECT && is(keyword, "dependentSchemas");
    if (tw_is_reference(keyword)) {
        const tw_value *to = tw_schema_target(schema, keyword);
        add(schema, frame, to);
        if (!tw_is_schema(to)) { /* who knows what it looks at */
            mark_all(schema, frame);
        }
    }
    for (const tw_value *one = all || dependent ? keyword->first : NULL;
         one != NULL; one = one->next) {
        if (all || tw_value_member_sized(frame->value, one->key,
                                         one->key_size) != NULL) {
            add(schema, frame, one);
        }
    }
}

static void see(tw_schema *schema, const tw_schema_frame *frame,
                const tw_value *one)
{
    const bool members = frame->value->kind == TW_VALUE_OBJECT;
    for (const tw_value *at = one->first; at != NULL; at = at->next) {
        if (at != frame->keyword && members) {
            see_members(schema, frame, at);
        } else if (at != frame->keyword) {
            see_elements(schema, frame, at);
        }
        see_others(schema, frame, at);
    }
}

/* ---- what is asked ------------------------------------------------------ */

/* What the keyword has first that may fit or not; NULL: nothing. */
static const tw_value *first_question(const tw_schema_frame *frame)
{
    const tw_value *keyword = frame->other;
    const bool list =
        (is(keyword, "anyOf") && !is_lone(keyword)) || is(keyword, "oneOf");
    const bool parts = is(keyword, "contains") && tw_is_schema(keyword) &&
                       frame->value->kind == TW_VALUE_ARRAY;
    return parts                                        ? frame->value->first
           : list && keyword->kind == TW_VALUE_ARRAY    ? keyword->first
           : is(keyword, "if") && tw_is_schema(keyword) ? keyword
                                                        : NULL;
}

static const tw_value *next_question(const tw_schema_frame *frame)
{
    return frame->part == frame->other ? NULL : frame->part->next;
}

static bool ask(tw_schema *schema, tw_schema_frame *frame)
{
    const bool parts = is(frame->other, "contains");
    frame->begun = true;
    return tw_schema_ask(schema, frame, parts ? frame->other : frame->part,
                         parts ? frame->part : frame->value, true);
}

static void take(tw_schema *schema, tw_schema_frame *frame)
{
    const tw_value *one = list_of(schema, frame)[frame->count - 1];
    if (is(frame->other, "contains")) {
        if (schema->result) {
            mark(schema, frame, frame->part);
        }
        return;
    }
    if (schema->result) {
        add(schema, frame, frame->part);
    }
    if (frame->part == frame->other) { /* `if` */
        add(schema, frame,
            tw_value_member(one, schema->result ? "then" : "else"));
    }
}

/* The keywords of a schema in turn; true: one asks. */
static bool look_through(tw_schema *schema, tw_schema_frame *frame)
{
    while (frame->other != NULL) {
        while (frame->part != NULL && !is(frame->other, "contains") &&
               !tw_is_schema(frame->part)) {
            frame->part = next_question(frame);
        }
        if (frame->part != NULL) {
            return ask(schema, frame);
        }
        frame->other = frame->other->next;
        frame->part = frame->other != NULL ? first_question(frame) : NULL;
    }
    return false;
}

/* The schemas in turn; true: one asks. */
static bool gather(tw_schema *schema, tw_schema_frame *frame)
{
    if (frame->begun) {
        take(schema, frame);
        frame->begun = false;
        frame->part = next_question(frame);
        if (look_through(schema, frame)) {
            return true;
        }
        frame->count++;
    }
    for (; frame->count <= count_of(schema, frame); frame->count++) {
        const tw_value *one = list_of(schema, frame)[frame->count - 1];
        see(schema, frame, one);
        frame->other = one->first;
        frame->part = frame->other != NULL ? first_question(frame) : NULL;
        if (look_through(schema, frame)) {
            return true;
        }
    }
    frame->count = REST;
    frame->part = NULL;
    return false;
}

/* ---- what is left ------------------------------------------------------- */

static bool ask_of_rest(tw_schema *schema, tw_schema_frame *frame)
{
    const bool names = frame->value->kind == TW_VALUE_OBJECT &&
                       frame->keyword->kind == TW_VALUE_FALSE;
    frame->fits &= !frame->begun || schema->result;
    const tw_value *part =
        frame->begun ? frame->part->next : frame->value->first;
    for (; part != NULL; part = part->next) {
        if (is_marked(schema, frame, part)) {
            continue;
        }
        if (!names) {
            break;
        }
        tw_schema_fault_here(schema, frame, TW_DIAGNOSTIC_UNKNOWN_PARAMETER,
                             part, NULL);
    }
    frame->part = part;
    frame->begun = part != NULL;
    return part != NULL &&
           tw_schema_ask(schema, frame, frame->keyword, part, false);
}

bool tw_schema_unevaluated(tw_schema *schema, tw_schema_frame *frame)
{
    const tw_value_kind kind = is(frame->keyword, "unevaluatedItems")
                                   ? TW_VALUE_ARRAY
                                   : TW_VALUE_OBJECT;
    if (frame->value->kind != kind || !tw_is_schema(frame->keyword)) {
        return false;
    }
    if (frame->count == 0) {
        begin(schema, frame);
    }
    if (schema->failed || schema->abandoned ||
        (frame->count != REST && gather(schema, frame))) {
        return !schema->failed && !schema->abandoned;
    }
    return ask_of_rest(schema, frame);
}
