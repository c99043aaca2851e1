/* SPDX-License-Identifier: MIT
 *
 * Keywords that look at a value, or parts of it, with other schemas.
 */
#include "json/make.h"
#include "schema/decimal.h"
#include "schema/steps.h"

static bool is_schema(tw_schema *schema, const tw_value *value)
{
    return value != NULL && tw_schema_is(schema, TW_KEYWORD_SCHEMA, value);
}

static bool break_rule(tw_schema *schema, tw_schema_frame *frame)
{
    tw_schema_fault_here(schema, frame, TW_DIAGNOSTIC_PARAMETER_RULE,
                         frame->value, NULL);
    return false;
}

/* Asks of a part; its own faults are told. */
static bool ask(tw_schema *schema, tw_schema_frame *frame,
                const tw_value *what, const tw_value *value)
{
    frame->begun = true;
    return tw_schema_ask(schema, frame, what, value, false);
}

/* Only its answer counts. */
static bool try(tw_schema *schema, tw_schema_frame *frame,
                const tw_value *what, const tw_value *value)
{
    frame->begun = true;
    return tw_schema_ask(schema, frame, what, value, true);
}

static void take_answer(const tw_schema *schema, tw_schema_frame *frame)
{
    frame->fits &= !frame->begun || schema->result;
}

/* The next element of |list|, the first one at the begin. */
static const tw_value *next_of(const tw_value **at, bool begun,
                               const tw_value *list)
{
    *at = begun ? (*at)->next : list->first;
    return *at;
}

/* ---- the same value ----------------------------------------------------- */

static const tw_value *next_schema(tw_schema_frame *frame)
{
    return next_of(&frame->other, frame->begun, frame->keyword);
}

static bool all_of(tw_schema *schema, tw_schema_frame *frame)
{
    take_answer(schema, frame);
    const tw_value *one = next_schema(frame);
    return one != NULL && ask(schema, frame, one, frame->value);
}

static bool any_of(tw_schema *schema, tw_schema_frame *frame)
{
    const bool lone = tw_value_length(frame->keyword) == 1;
    if (lone) {
        return all_of(schema, frame); /* which tells more */
    }
    if (frame->begun && schema->result) {
        return false;
    }
    const tw_value *one = next_schema(frame);
    return one != NULL ? try(schema, frame, one, frame->value)
                       : break_rule(schema, frame);
}

static bool one_of(tw_schema *schema, tw_schema_frame *frame)
{
    frame->count += frame->begun && schema->result ? 1 : 0;
    const tw_value *one = next_schema(frame);
    if (one != NULL && frame->count < 2) {
        return try(schema, frame, one, frame->value);
    }
    return frame->count != 1 && break_rule(schema, frame);
}

static bool not(tw_schema * schema, tw_schema_frame *frame)
{
    if (!frame->begun) {
        return try(schema, frame, frame->keyword, frame->value);
    }
    return schema->result && break_rule(schema, frame);
}

static bool if_then_else(tw_schema *schema, tw_schema_frame *frame)
{
    if (!frame->begun) {
        return try(schema, frame, frame->keyword, frame->value);
    }
    if (frame->count++ > 0) {
        take_answer(schema, frame);
        return false;
    }
    const tw_value *way =
        tw_value_member(frame->schema, schema->result ? "then" : "else");
    return is_schema(schema, way) && ask(schema, frame, way, frame->value);
}

static bool reference(tw_schema *schema, tw_schema_frame *frame)
{
    if (frame->begun) {
        take_answer(schema, frame);
        return false;
    }
    const tw_value *to = tw_schema_target(schema, frame->keyword);
    if (to == NULL) {
        tw_schema_skip(schema, TW_DIAGNOSTIC_SCHEMA_UNREAD, frame->keyword);
        return false;
    }
    return is_schema(schema, to) && ask(schema, frame, to, frame->value);
}

static bool dependent_schemas(tw_schema *schema, tw_schema_frame *frame)
{
    take_answer(schema, frame);
    if (frame->value->kind != TW_VALUE_OBJECT) {
        return false;
    }
    const tw_value *one = next_of(&frame->other, frame->begun, frame->keyword);
    while (one != NULL && (tw_value_member_sized(frame->value, one->key,
                                                 one->key_size) == NULL ||
                           !is_schema(schema, one))) {
        one = one->next;
    }
    frame->other = one;
    return one != NULL && ask(schema, frame, one, frame->value);
}

/* ---- elements ----------------------------------------------------------- */

/* The list that says what the first elements are: as earlier drafts had it,
 * under `items`, too. */
static const tw_value *prefix_of(const tw_value *schema)
{
    const tw_value *prefix = tw_value_member(schema, "prefixItems");
    return prefix != NULL ? prefix : tw_value_member(schema, "items");
}

static bool prefix_items(tw_schema *schema, tw_schema_frame *frame)
{
    take_answer(schema, frame);
    if (frame->value->kind != TW_VALUE_ARRAY) {
        return false;
    }
    const tw_value *what =
        next_of(&frame->other, frame->begun, frame->keyword);
    const tw_value *part = next_of(&frame->part, frame->begun, frame->value);
    return what != NULL && part != NULL && ask(schema, frame, what, part);
}

static bool items(tw_schema *schema, tw_schema_frame *frame)
{
    const tw_value *prefix = prefix_of(frame->schema);
    if (frame->keyword->kind == TW_VALUE_ARRAY) {
        return prefix == frame->keyword && prefix_items(schema, frame);
    }
    take_answer(schema, frame);
    if (frame->value->kind != TW_VALUE_ARRAY) {
        return false;
    }
    const tw_value *part = next_of(&frame->part, frame->begun, frame->value);
    if (!frame->begun && tw_value_is_a(prefix, TW_VALUE_ARRAY)) {
        for (size_t i = tw_value_length(prefix); i > 0 && part != NULL; i--) {
            part = part->next;
        }
    }
    frame->part = part;
    return part != NULL && ask(schema, frame, frame->keyword, part);
}

static void count_contained(tw_schema *schema, tw_schema_frame *frame)
{
    const tw_value *least = tw_value_member(frame->schema, "minContains");
    const tw_value *most = tw_value_member(frame->schema, "maxContains");
    bool good = frame->count > 0;
    if (tw_value_is_a(least, TW_VALUE_NUMBER)) {
        const tw_decimal limit = tw_decimal_of(least);
        good = tw_decimal_compare_size(frame->count, &limit) >= 0;
    }
    if (tw_value_is_a(most, TW_VALUE_NUMBER)) {
        const tw_decimal limit = tw_decimal_of(most);
        good &= tw_decimal_compare_size(frame->count, &limit) <= 0;
    }
    if (!good) {
        break_rule(schema, frame);
    }
}

static bool contains(tw_schema *schema, tw_schema_frame *frame)
{
    if (frame->value->kind != TW_VALUE_ARRAY) {
        return false;
    }
    frame->count += frame->begun && schema->result ? 1 : 0;
    const tw_value *part = next_of(&frame->part, frame->begun, frame->value);
    if (part != NULL) {
        return try(schema, frame, frame->keyword, part);
    }
    count_contained(schema, frame);
    return false;
}

/* ---- members ------------------------------------------------------------ */

static const tw_value *own_schema(tw_schema *schema, const tw_value *list,
                                  const tw_value *member)
{
    if (!tw_value_is_a(list, TW_VALUE_OBJECT) ||
        !tw_schema_work(schema, 1 + tw_value_length(list) / 8)) {
        return NULL;
    }
    return tw_value_member_sized(list, member->key, member->key_size);
}

static bool properties(tw_schema *schema, tw_schema_frame *frame)
{
    take_answer(schema, frame);
    if (frame->value->kind != TW_VALUE_OBJECT) {
        return false;
    }
    const tw_value *part = next_of(&frame->part, frame->begun, frame->value);
    const tw_value *what = NULL;
    while (
        part != NULL &&
        !is_schema(schema, what = own_schema(schema, frame->keyword, part))) {
        part = part->next;
    }
    frame->part = part;
    return part != NULL && ask(schema, frame, what, part);
}

/* A member's name as a value, whose path is the member's; NULL: no memory. */
static const tw_value *name_of(tw_schema *schema, const tw_value *member)
{
    tw_value *name =
        tw_make_text(&schema->made, NULL, NULL, member->key, member->key_size);
    if (name != NULL) {
        name->origin = member;
    }
    schema->failed |= name == NULL;
    return name;
}

/* Each member with each pattern that its name matches: none that is not
 * read, but such a one may have matched what is additional. */
static bool pattern_properties(tw_schema *schema, tw_schema_frame *frame)
{
    take_answer(schema, frame);
    if (frame->value->kind != TW_VALUE_OBJECT) {
        return false;
    }
    const tw_value *part = frame->begun ? frame->part : frame->value->first;
    const tw_value *what =
        frame->begun ? frame->other->next : frame->keyword->first;
    while (part != NULL &&
           (what == NULL ||
            !tw_schema_matches_key(schema, what, part, false) ||
            !is_schema(schema, what))) {
        part = what == NULL ? part->next : part;
        what = what == NULL ? frame->keyword->first : what->next;
        if (!tw_schema_work(schema, 1)) {
            return false;
        }
    }
    frame->part = part;
    frame->other = what;
    return part != NULL && ask(schema, frame, what, part);
}

static bool is_matched(tw_schema *schema, const tw_value *patterns,
                       const tw_value *member)
{
    const tw_value *one =
        tw_value_is_a(patterns, TW_VALUE_OBJECT) ? patterns->first : NULL;
    while (one != NULL && !tw_schema_matches_key(schema, one, member, true)) {
        one = one->next;
    }
    return one != NULL;
}

static bool additional_properties(tw_schema *schema, tw_schema_frame *frame)
{
    const tw_value *named = tw_value_member(frame->schema, "properties");
    const tw_value *patterns =
        tw_value_member(frame->schema, "patternProperties");
    take_answer(schema, frame);
    if (frame->value->kind != TW_VALUE_OBJECT) {
        return false;
    }
    const tw_value *part = next_of(&frame->part, frame->begun, frame->value);
    for (; part != NULL; part = part->next) {
        if (own_schema(schema, named, part) != NULL ||
            is_matched(schema, patterns, part)) {
            continue;
        }
        if (frame->keyword->kind != TW_VALUE_FALSE) {
            break;
        }
        tw_schema_fault_here(schema, frame, TW_DIAGNOSTIC_UNKNOWN_PARAMETER,
                             part, NULL);
    }
    frame->part = part;
    return part != NULL && ask(schema, frame, frame->keyword, part);
}

static bool property_names(tw_schema *schema, tw_schema_frame *frame)
{
    take_answer(schema, frame);
    if (frame->value->kind != TW_VALUE_OBJECT) {
        return false;
    }
    const tw_value *part = next_of(&frame->part, frame->begun, frame->value);
    const tw_value *name = part != NULL ? name_of(schema, part) : NULL;
    return name != NULL && ask(schema, frame, frame->keyword, name);
}

const tw_keyword_row tw_schema_applicators[] = {
    {"properties", properties, TW_KEYWORD_OBJECT},
    {"patternProperties", pattern_properties, TW_KEYWORD_OBJECT},
    {"additionalProperties", additional_properties, TW_KEYWORD_SCHEMA},
    {"propertyNames", property_names, TW_KEYWORD_SCHEMA},
    {"items", items, TW_KEYWORD_ITEMS},
    {"prefixItems", prefix_items, TW_KEYWORD_SCHEMAS},
    {"contains", contains, TW_KEYWORD_SCHEMA},
    {"allOf", all_of, TW_KEYWORD_SCHEMAS},
    {"anyOf", any_of, TW_KEYWORD_SCHEMAS},
    {"oneOf", one_of, TW_KEYWORD_SCHEMAS},
    {"not", not, TW_KEYWORD_SCHEMA},
    {"if", if_then_else, TW_KEYWORD_SCHEMA},
    {"dependentSchemas", dependent_schemas, TW_KEYWORD_OBJECT},
    {"$ref", reference, TW_KEYWORD_STRING},
    {"$dynamicRef", reference, TW_KEYWORD_STRING},
    {"unevaluatedItems", tw_schema_unevaluated, TW_KEYWORD_SCHEMA},
    {"unevaluatedProperties", tw_schema_unevaluated, TW_KEYWORD_SCHEMA},
    {"minContains", NULL, TW_KEYWORD_NUMBER},
    {"maxContains", NULL, TW_KEYWORD_NUMBER},
    {"then", NULL, TW_KEYWORD_SCHEMA},
    {"else", NULL, TW_KEYWORD_SCHEMA},
    {NULL, NULL, TW_KEYWORD_ANY},
};
