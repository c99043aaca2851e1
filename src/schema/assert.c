/* SPDX-License-Identifier: MIT
 *
 * Keywords that look at a value alone.
 */
#include "schema/decimal.h"
#include "schema/steps.h"

static bool fault(tw_schema *schema, tw_schema_frame *frame, uint32_t code)
{
    tw_schema_fault_here(schema, frame, code, frame->value, NULL);
    return false;
}

/* ---- types and values --------------------------------------------------- */

static bool is_of_type(const tw_value *value, const tw_value *type)
{
    static const char *const names[] = {
        [TW_VALUE_NULL] = "null",     [TW_VALUE_FALSE] = "boolean",
        [TW_VALUE_TRUE] = "boolean",  [TW_VALUE_NUMBER] = "number",
        [TW_VALUE_STRING] = "string", [TW_VALUE_ARRAY] = "array",
        [TW_VALUE_OBJECT] = "object"};
    if (tw_value_is(type, "integer") && value->kind == TW_VALUE_NUMBER) {
        const tw_decimal number = tw_decimal_of(value);
        return tw_decimal_is_integer(&number);
    }
    return tw_value_is(type, names[value->kind]);
}

/* `nullable` is of OpenAPI, and common in tools. */
static bool is_nullable(const tw_schema_frame *frame)
{
    const tw_value *nullable = tw_value_member(frame->schema, "nullable");
    return frame->value->kind == TW_VALUE_NULL &&
           tw_value_is_a(nullable, TW_VALUE_TRUE);
}

static bool type(tw_schema *schema, tw_schema_frame *frame)
{
    const bool list = frame->keyword->kind == TW_VALUE_ARRAY;
    const tw_value *one = list ? frame->keyword->first : frame->keyword;
    bool is = is_nullable(frame);
    for (; one != NULL && !is; one = list ? one->next : NULL) {
        is = is_of_type(frame->value, one);
    }
    return !is && fault(schema, frame, TW_DIAGNOSTIC_PARAMETER_TYPE);
}

static bool enumeration(tw_schema *schema, tw_schema_frame *frame)
{
    const tw_value *one = frame->keyword->first;
    while (one != NULL && !tw_schema_same(schema, one, frame->value)) {
        one = one->next;
    }
    return one == NULL && !is_nullable(frame) &&
           fault(schema, frame, TW_DIAGNOSTIC_PARAMETER_VALUE);
}

static bool constant(tw_schema *schema, tw_schema_frame *frame)
{
    return !tw_schema_same(schema, frame->keyword, frame->value) &&
           fault(schema, frame, TW_DIAGNOSTIC_PARAMETER_VALUE);
}

/* ---- ranges ------------------------------------------------------------- */

/* Compares the value with the keyword's; false: it is no number. */
static bool compare(const tw_schema_frame *frame, int *order)
{
    if (frame->value->kind != TW_VALUE_NUMBER) {
        return false;
    }
    const tw_decimal left = tw_decimal_of(frame->value);
    const tw_decimal right = tw_decimal_of(frame->keyword);
    *order = tw_decimal_compare(&left, &right);
    return true;
}

static bool range(tw_schema *schema, tw_schema_frame *frame, bool bad)
{
    return bad && fault(schema, frame, TW_DIAGNOSTIC_PARAMETER_RANGE);
}

static bool minimum(tw_schema *schema, tw_schema_frame *frame)
{
    int order;
    return range(schema, frame, compare(frame, &order) && order < 0);
}

static bool maximum(tw_schema *schema, tw_schema_frame *frame)
{
    int order;
    return range(schema, frame, compare(frame, &order) && order > 0);
}

static bool exclusive_minimum(tw_schema *schema, tw_schema_frame *frame)
{
    int order;
    return range(schema, frame, compare(frame, &order) && order <= 0);
}

static bool exclusive_maximum(tw_schema *schema, tw_schema_frame *frame)
{
    int order;
    return range(schema, frame, compare(frame, &order) && order >= 0);
}

static bool multiple_of(tw_schema *schema, tw_schema_frame *frame)
{
    if (frame->value->kind != TW_VALUE_NUMBER) {
        return false;
    }
    const tw_decimal number = tw_decimal_of(frame->value);
    const tw_decimal divisor = tw_decimal_of(frame->keyword);
    const int is = tw_decimal_is_multiple(&number, &divisor);
    if (is < 0) {
        tw_schema_skip(schema,
                       divisor.count == 0 ? TW_DIAGNOSTIC_SCHEMA_BROKEN
                                          : TW_DIAGNOSTIC_SCHEMA_LIMIT,
                       frame->keyword);
    }
    return range(schema, frame, is == 0);
}

/* ---- sizes -------------------------------------------------------------- */

static size_t points_of(const tw_value *text)
{
    size_t count = 0;
    for (size_t i = 0; i < text->size; i++) {
        count += ((uint8_t)text->text[i] & 0xC0) != 0x80;
    }
    return count;
}

/* Compares a size of the value, if that is of this kind, with the keyword. */
static bool compare_size(const tw_schema_frame *frame, tw_value_kind kind,
                         int *order)
{
    if (frame->value->kind != kind) {
        return false;
    }
    const tw_decimal limit = tw_decimal_of(frame->keyword);
    *order = tw_decimal_compare_size(kind == TW_VALUE_STRING
                                         ? points_of(frame->value)
                                         : tw_value_length(frame->value),
                                     &limit);
    return true;
}

static bool at_least(tw_schema *schema, tw_schema_frame *frame,
                     tw_value_kind kind)
{
    int order;
    return range(schema, frame,
                 compare_size(frame, kind, &order) && order < 0);
}

static bool at_most(tw_schema *schema, tw_schema_frame *frame,
                    tw_value_kind kind)
{
    int order;
    return range(schema, frame,
                 compare_size(frame, kind, &order) && order > 0);
}

static bool min_length(tw_schema *schema, tw_schema_frame *frame)
{
    return at_least(schema, frame, TW_VALUE_STRING);
}

static bool max_length(tw_schema *schema, tw_schema_frame *frame)
{
    return at_most(schema, frame, TW_VALUE_STRING);
}

static bool min_items(tw_schema *schema, tw_schema_frame *frame)
{
    return at_least(schema, frame, TW_VALUE_ARRAY);
}

static bool max_items(tw_schema *schema, tw_schema_frame *frame)
{
    return at_most(schema, frame, TW_VALUE_ARRAY);
}

static bool min_properties(tw_schema *schema, tw_schema_frame *frame)
{
    return at_least(schema, frame, TW_VALUE_OBJECT);
}

static bool max_properties(tw_schema *schema, tw_schema_frame *frame)
{
    return at_most(schema, frame, TW_VALUE_OBJECT);
}

/* ---- others ------------------------------------------------------------- */

static bool pattern(tw_schema *schema, tw_schema_frame *frame)
{
    const tw_value *keyword = frame->keyword;
    return frame->value->kind == TW_VALUE_STRING &&
           !tw_schema_matches(schema, keyword->text, keyword->size, keyword,
                              frame->value, true) &&
           fault(schema, frame, TW_DIAGNOSTIC_PARAMETER_PATTERN);
}

static bool unique_items(tw_schema *schema, tw_schema_frame *frame)
{
    return frame->value->kind == TW_VALUE_ARRAY &&
           frame->keyword->kind == TW_VALUE_TRUE &&
           tw_schema_repeats(schema, frame->value) &&
           fault(schema, frame, TW_DIAGNOSTIC_PARAMETER_RULE);
}

static void need(tw_schema *schema, tw_schema_frame *frame,
                 const tw_value *list)
{
    for (const tw_value *one = list->first; one != NULL; one = one->next) {
        if (tw_schema_work(schema, 1) &&
            tw_value_member_sized(frame->value, one->text, one->size) ==
                NULL) {
            tw_schema_fault_here(schema, frame,
                                 TW_DIAGNOSTIC_MISSING_PARAMETER, frame->value,
                                 one);
        }
    }
}

static bool required(tw_schema *schema, tw_schema_frame *frame)
{
    if (frame->value->kind == TW_VALUE_OBJECT) {
        need(schema, frame, frame->keyword);
    }
    return false;
}

static bool dependent_required(tw_schema *schema, tw_schema_frame *frame)
{
    const tw_value *one =
        frame->value->kind == TW_VALUE_OBJECT ? frame->keyword->first : NULL;
    for (; one != NULL; one = one->next) {
        if (tw_value_member_sized(frame->value, one->key, one->key_size) !=
                NULL &&
            tw_schema_is(schema, TW_KEYWORD_STRINGS, one)) {
            need(schema, frame, one);
        }
    }
    return false;
}

const tw_keyword_row tw_schema_assertions[] = {
    {"type", type, TW_KEYWORD_TYPE},
    {"enum", enumeration, TW_KEYWORD_LIST},
    {"const", constant, TW_KEYWORD_ANY},
    {"minimum", minimum, TW_KEYWORD_NUMBER},
    {"maximum", maximum, TW_KEYWORD_NUMBER},
    {"exclusiveMinimum", exclusive_minimum, TW_KEYWORD_NUMBER},
    {"exclusiveMaximum", exclusive_maximum, TW_KEYWORD_NUMBER},
    {"multipleOf", multiple_of, TW_KEYWORD_NUMBER},
    {"minLength", min_length, TW_KEYWORD_NUMBER},
    {"maxLength", max_length, TW_KEYWORD_NUMBER},
    {"minItems", min_items, TW_KEYWORD_NUMBER},
    {"maxItems", max_items, TW_KEYWORD_NUMBER},
    {"minProperties", min_properties, TW_KEYWORD_NUMBER},
    {"maxProperties", max_properties, TW_KEYWORD_NUMBER},
    {"pattern", pattern, TW_KEYWORD_STRING},
    {"uniqueItems", unique_items, TW_KEYWORD_BOOLEAN},
    {"required", required, TW_KEYWORD_STRINGS},
    {"dependentRequired", dependent_required, TW_KEYWORD_OBJECT},
    {NULL, NULL, TW_KEYWORD_ANY},
};
