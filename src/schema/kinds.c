/* SPDX-License-Identifier: MIT
 *
 * What keywords may have as values.  A part of a schema that is none is told
 * of and skipped: nobody is to think that it was checked.
 */
#include "schema/steps.h"

static bool is_type(const tw_value *type)
{
    static const char *const names[] = {"null",  "boolean", "number", "string",
                                        "array", "object",  "integer"};
    bool is = false;
    for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
        is |= tw_value_is(type, names[i]);
    }
    return is;
}

static bool is_boolean(const tw_value *value)
{
    return value->kind == TW_VALUE_TRUE || value->kind == TW_VALUE_FALSE;
}

/* What the elements of such a list are. */
static tw_keyword_kind kind_of_elements(tw_keyword_kind kind)
{
    switch (kind) {
    case TW_KEYWORD_STRINGS: return TW_KEYWORD_STRING;
    case TW_KEYWORD_TYPE: return TW_KEYWORD_TYPE;
    case TW_KEYWORD_SCHEMAS:
    case TW_KEYWORD_ITEMS: return TW_KEYWORD_SCHEMA;
    default: return TW_KEYWORD_ANY;
    }
}

/* ... where that is no list. */
static bool is_single(tw_keyword_kind kind, const tw_value *value)
{
    switch (kind) {
    case TW_KEYWORD_ANY: return true;
    case TW_KEYWORD_BOOLEAN: return is_boolean(value);
    case TW_KEYWORD_NUMBER: return value->kind == TW_VALUE_NUMBER;
    case TW_KEYWORD_STRING: return value->kind == TW_VALUE_STRING;
    case TW_KEYWORD_OBJECT: return value->kind == TW_VALUE_OBJECT;
    case TW_KEYWORD_TYPE: return is_type(value);
    case TW_KEYWORD_SCHEMA:
    case TW_KEYWORD_ITEMS:
        return value->kind == TW_VALUE_OBJECT || is_boolean(value);
    default: return false;
    }
}

static bool may_be_list(tw_keyword_kind kind)
{
    return kind == TW_KEYWORD_LIST || kind_of_elements(kind) != TW_KEYWORD_ANY;
}

/* The first one of the list that is not of that kind, or NULL; a walk is
 * work. */
static const tw_value *find_wrong(tw_schema *schema, tw_keyword_kind each,
                                  const tw_value *list)
{
    const tw_value *one = list->first;
    if (each == TW_KEYWORD_ANY ||
        !tw_schema_work(schema, tw_value_length(list) / 8)) {
        return NULL;
    }
    while (one != NULL && is_single(each, one)) {
        one = one->next;
    }
    return one;
}

bool tw_schema_is(tw_schema *schema, tw_keyword_kind kind,
                  const tw_value *part)
{
    const tw_value *wrong =
        part->kind == TW_VALUE_ARRAY && may_be_list(kind)
            ? find_wrong(schema, kind_of_elements(kind), part)
        : is_single(kind, part) ? NULL
                                : part;
    if (wrong != NULL) {
        tw_schema_skip(schema, TW_DIAGNOSTIC_SCHEMA_BROKEN, wrong);
    }
    return wrong == NULL;
}
