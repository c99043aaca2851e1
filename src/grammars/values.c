/* SPDX-License-Identifier: MIT
 *
 * Schemas as rules: which keywords say what, by the types that are meant.
 */
#include "grammars/make.h"
#include "schema/steps.h"

/* ---- types -------------------------------------------------------------- */

static const struct {
    const char *name;
    unsigned bit;
} type_names[] = {{"string", TW_TYPE_STRING},   {"number", TW_TYPE_NUMBER},
                  {"integer", TW_TYPE_INTEGER}, {"boolean", TW_TYPE_BOOLEAN},
                  {"null", TW_TYPE_NULL},       {"array", TW_TYPE_ARRAY},
                  {"object", TW_TYPE_OBJECT}};

static unsigned type_bit(tw_grammar_maker *maker, const tw_value *type)
{
    for (size_t i = 0; i < sizeof type_names / sizeof *type_names; i++) {
        if (tw_value_is(type, type_names[i].name)) {
            return type_names[i].bit;
        }
    }
    tw_grammar_cannot(maker, type, "this is no type of JSON Schema");
    return TW_GRAMMAR_TYPES;
}

static unsigned types_of(tw_grammar_maker *maker, const tw_value *schema)
{
    const tw_value *type = tw_keyword_of(schema, "type");
    unsigned types = 0;
    if (type == NULL) {
        return tw_grammar_meant_types(schema);
    }
    if (type->kind != TW_VALUE_ARRAY) {
        return type_bit(maker, type);
    }
    for (const tw_value *at = type->first; at != NULL; at = at->next) {
        types |= type_bit(maker, at);
    }
    return types;
}

/* Where no type is said, choices and listed values tell more than keywords
 * that are meant for a type. */
static unsigned allowed_types(tw_grammar_maker *maker, const tw_value *schema)
{
    size_t work = TW_KNOWN_WORK;
    const unsigned known =
        tw_keyword_of(schema, "type") != NULL
            ? 0
            : tw_known_types(schema, maker->schema.root, &work);
    return known != 0 ? known : types_of(maker, schema);
}

static unsigned type_of_value(const tw_value *value)
{
    static const unsigned types[] = {
        TW_TYPE_NULL,   TW_TYPE_BOOLEAN, TW_TYPE_BOOLEAN, TW_TYPE_NUMBER,
        TW_TYPE_STRING, TW_TYPE_ARRAY,   TW_TYPE_OBJECT};
    return types[value->kind];
}

/* Notations of what stands inside brackets. */
static tw_notation_kind inner(const tw_grammar_maker *maker,
                              tw_notation_kind notation, unsigned type)
{
    const uint8_t values = maker->description->values;
    const bool container = type == TW_TYPE_ARRAY || type == TW_TYPE_OBJECT;
    if (notation == TW_NOTATION_MIXED) {
        return type == TW_TYPE_OBJECT ? TW_NOTATION_STRINGS
                                      : TW_NOTATION_PYTHON;
    }
    if (notation == TW_NOTATION_ELEMENT) {
        return TW_NOTATION_JSON;
    }
    if (notation != TW_NOTATION_TAGGED) {
        return notation;
    }
    return values == TW_VALUES_REPR                ? TW_NOTATION_PYTHON
           : values == TW_VALUES_STR && !container ? TW_NOTATION_WORDS
                                                   : TW_NOTATION_JSON;
}

static bool has_tags(tw_notation_kind notation)
{
    return notation == TW_NOTATION_TAGGED || notation == TW_NOTATION_ELEMENT;
}

/* Of an element, what stands between its tags; null is nothing. */
static uint32_t element_of_type(tw_grammar_maker *maker,
                                const tw_value *schema, unsigned type)
{
    uint32_t value = 0;
    switch (type) {
    case TW_TYPE_ARRAY: value = tw_grammar_element_list(maker, schema); break;
    case TW_TYPE_OBJECT:
        value = tw_grammar_elements(maker, schema, false);
        break;
    case TW_TYPE_BOOLEAN:
        value = tw_grammar_word(maker, TW_NOTATION_JSON, TW_SHARED_BOOLEAN);
        break;
    case TW_TYPE_NULL: return 0; /* nothing in an element is no null */
    default:
        value = tw_grammar_number(maker, schema, TW_NOTATION_JSON,
                                  type == TW_TYPE_INTEGER);
        break;
    }
    return (maker->apart & TW_APART_LOOKS) != 0 && type != TW_TYPE_ARRAY &&
                   type != TW_TYPE_OBJECT
               ? tw_grammar_element_string(maker, schema, value)
               : tw_grammar_element(maker, value);
}

static uint32_t value_of_type(tw_grammar_maker *maker, const tw_value *schema,
                              tw_notation_kind notation, unsigned type)
{
    const tw_notation_kind in = inner(maker, notation, type);
    uint32_t value = 0;
    const char *name = "";
    if (type == TW_TYPE_STRING) {
        return tw_grammar_string(maker, schema,
                                 has_tags(notation) ? notation : in);
    }
    if (notation == TW_NOTATION_ELEMENT) {
        return element_of_type(maker, schema, type);
    }
    switch (type) {
    case TW_TYPE_NUMBER:
    case TW_TYPE_INTEGER:
        value = tw_grammar_number(maker, schema, in, type == TW_TYPE_INTEGER);
        name = "number";
        break;
    case TW_TYPE_BOOLEAN:
        value = tw_grammar_word(maker, in, TW_SHARED_BOOLEAN);
        name = "boolean";
        break;
    case TW_TYPE_NULL:
        value = tw_grammar_word(maker, in, TW_SHARED_NULL);
        name = "null";
        break;
    case TW_TYPE_ARRAY:
        value = tw_grammar_array(maker, schema, in);
        name = "array";
        break;
    default:
        value = tw_grammar_object(maker, schema, in);
        name = "object";
        break;
    }
    return notation == TW_NOTATION_TAGGED
               ? tw_grammar_between(maker, schema, value, name)
               : value;
}

/* Is there any value that the notation writes? */
static void check_some(tw_grammar_maker *maker, const tw_value *where,
                       uint32_t node)
{
    if (maker->rules.code == TW_OK &&
        tw_rule_node_at(&maker->rules, node)->first == 0) {
        tw_grammar_fail(maker, TW_ERROR_CANNOT_CARRY, where,
                        "the format cannot write such a value");
    }
}

/* What stands between tags that tell no type is read as text, where the schema
 * says no type, whichever its keywords are meant for. */
static bool is_read_as_text(const tw_grammar_maker *maker,
                            const tw_value *schema, tw_notation_kind notation)
{
    const tw_pattern *pattern = maker->string_tag.pattern;
    const bool tagged = notation == TW_NOTATION_TAGGED;
    bool tells =
        tagged && (pattern == NULL || pattern != maker->other_tag.pattern);
    for (size_t i = 0; tagged && !tells && i < pattern->count; i++) {
        tells = pattern->parts[i].kind == TW_PATTERN_TYPE;
    }
    size_t work = TW_KNOWN_WORK;
    return has_tags(notation) && !tells &&
           tw_known_types(schema, maker->schema.root, &work) == 0;
}

static uint32_t values_of_types(tw_grammar_maker *maker,
                                const tw_value *schema,
                                tw_notation_kind notation)
{
    unsigned types = allowed_types(maker, schema);
    if ((types & TW_TYPE_STRING) != 0 &&
        is_read_as_text(maker, schema, notation)) {
        types = TW_TYPE_STRING;
    }
    const uint32_t node = tw_rule_put(&maker->rules, TW_RULE_CHOICE, 0, 0, 0);
    if ((types & TW_TYPE_NUMBER) != 0) {
        types &= ~(unsigned)TW_TYPE_INTEGER;
    }
    for (size_t i = 0; i < sizeof type_names / sizeof *type_names; i++) {
        if ((types & type_names[i].bit) != 0) {
            tw_rule_add(
                &maker->rules, node,
                value_of_type(maker, schema, notation, type_names[i].bit));
        }
    }
    check_some(maker, schema, node);
    return node;
}

/* ---- enum, const, choices ----------------------------------------------- */

static uint32_t literal_of(tw_grammar_maker *maker, const tw_value *value,
                           tw_notation_kind notation)
{
    static const char *const names[] = {
        "null", "boolean", "boolean", "number", "string", "array", "object"};
    const tw_notation_kind in = inner(maker, notation, type_of_value(value));
    if (notation == TW_NOTATION_ELEMENT && value->kind != TW_VALUE_STRING) {
        if (value->kind >= TW_VALUE_ARRAY) {
            tw_grammar_fail(maker, TW_ERROR_CANNOT_CARRY, value,
                            "no grammar says such a value in elements");
        }
        return value->kind == TW_VALUE_NULL ? 0
               : (maker->apart & TW_APART_LOOKS) != 0
                   ? tw_grammar_element_string(
                         maker, value, tw_grammar_literal(maker, value, in))
                   : tw_grammar_element(maker,
                                        tw_grammar_literal(maker, value, in));
    }
    if (notation == TW_NOTATION_TAGGED && value->kind != TW_VALUE_STRING) {
        return tw_grammar_between(maker, value,
                                  tw_grammar_listed(maker, value, in),
                                  names[value->kind]);
    }
    return tw_grammar_listed(maker, value, has_tags(notation) ? notation : in);
}

/* Do keywords beside `type` and the listed values say something? */
static bool is_listed_beside(const tw_value *schema)
{
    static const char *const listed[] = {"type", "enum", NULL};
    const bool only = tw_value_member(schema, "const") != NULL;
    const tw_value *at = schema->first;
    while (at != NULL &&
           (!tw_grammar_is_said(at) || tw_value_has_key(at, "const") ||
            (tw_value_is_named(at, listed) &&
             !(only && tw_value_has_key(at, "enum"))))) {
        at = at->next;
    }
    return at != NULL;
}

/* Does a value that is listed fit all of the schema? */
static bool fits(tw_grammar_maker *maker, const tw_value *schema,
                 const tw_value *value, bool beside)
{
    const tw_value *root = maker->schema.root;
    const unsigned types = types_of(maker, schema);
    const unsigned type = type_of_value(value);
    /* 1.0 is an integer, and 1.5 is none. */
    beside |= type == TW_TYPE_NUMBER && (types & TW_TYPE_NUMBER) == 0 &&
              value->text[strcspn(value->text, ".eE")] != 0;
    const bool good =
        beside
            ? tw_schema_check_part(&maker->schema, root, schema, value)
            : tw_keyword_of(schema, "type") == NULL || (types & type) != 0 ||
                  (type == TW_TYPE_NUMBER && (types & TW_TYPE_INTEGER) != 0);
    maker->schema.root = root;
    if (maker->schema.failed) {
        tw_rules_no_memory(&maker->rules);
    }
    return good;
}

/* Parsers follow each choice by itself, and some 2000 are too many: where all
 * values of a long list are strings, or numbers, they are one token. */
static bool is_token(const tw_grammar_maker *maker, const tw_value *list,
                     tw_notation_kind notation)
{
    enum { CHOSEN_MOST = 256 };
    bool alike = tw_value_length(list) > CHOSEN_MOST &&
                 (maker->apart & TW_APART_LOOKS) == 0;
    const tw_value *at = alike && has_tags(notation) ? list->first : NULL;
    for (; at != NULL && alike; at = at->next) {
        alike = at->kind == list->first->kind &&
                (at->kind == TW_VALUE_NUMBER ||
                 (at->kind == TW_VALUE_STRING && at->size > 0 &&
                  !tw_grammar_has_edges(at)));
    }
    return alike;
}

/* What stands in the token. */
static uint32_t listed_words(tw_grammar_maker *maker, const tw_value *value,
                             tw_notation_kind notation)
{
    if (!has_tags(notation) || value->kind != TW_VALUE_STRING) {
        return tw_grammar_literal(
            maker, value, inner(maker, notation, type_of_value(value)));
    }
    return tw_grammar_plain_words(maker, value, notation);
}

/* The token, with its tags. */
static uint32_t listed_token(tw_grammar_maker *maker, const tw_value *list,
                             uint32_t choice, tw_notation_kind notation)
{
    const uint32_t token = tw_rule_of(&maker->rules, "listed", true, choice);
    const bool string = list->first->kind == TW_VALUE_STRING;
    return notation == TW_NOTATION_TAGGED
               ? tw_grammar_between(maker, list, token,
                                    string ? "string" : "number")
           : notation == TW_NOTATION_ELEMENT ? tw_grammar_element(maker, token)
                                             : token;
}

/* The values of an enum, or a const, that fit. */
static uint32_t listed_of(tw_grammar_maker *maker, const tw_value *schema,
                          const tw_value *first, const tw_value *where,
                          tw_notation_kind notation)
{
    enum { CHECKED_MOST = 256 };
    const uint32_t node = tw_rule_put(&maker->rules, TW_RULE_CHOICE, 0, 0, 0);
    const bool list = first != where;
    const bool token = list && is_token(maker, where, notation);
    const bool beside = is_listed_beside(schema);
    bool any = false;
    if (beside && list && tw_value_length(where) > CHECKED_MOST) {
        tw_grammar_cannot(maker, where,
                          "no grammar says both this and what stands beside "
                          "it");
    }
    for (const tw_value *at = first; at != NULL; at = list ? at->next : NULL) {
        if (fits(maker, schema, at, beside)) {
            tw_rule_add(&maker->rules, node,
                        token ? listed_words(maker, at, notation)
                              : literal_of(maker, at, notation));
            any = true;
        }
    }
    if (!any) {
        return tw_grammar_nothing(maker, where);
    }
    check_some(maker, where, node);
    return token ? listed_token(maker, where, node, notation) : node;
}

static uint32_t choice_of(tw_grammar_maker *maker, const tw_value *list,
                          tw_notation_kind notation)
{
    const uint32_t node = tw_rule_put(&maker->rules, TW_RULE_CHOICE, 0, 0, 0);
    bool any = false;
    for (const tw_value *at = list->first; at != NULL; at = at->next) {
        if (tw_is_schema(at) &&
            !(notation == TW_NOTATION_ELEMENT && tw_grammar_is_null(at))) {
            tw_rule_add(&maker->rules, node,
                        tw_grammar_value(maker, at, notation));
            any = true;
        }
    }
    return any ? node : tw_grammar_nothing(maker, list);
}

/* ---- schemas ------------------------------------------------------------ */

static bool is_list(const tw_value *value)
{
    return tw_value_is_a(value, TW_VALUE_ARRAY) && value->first != NULL;
}

/* Does a keyword beside the |list| of choices keep out what a choice allows?
 * Types do not, if each choice has no others. */
static bool is_narrowed_beside(tw_grammar_maker *maker, const tw_value *schema,
                               const tw_value *list)
{
    for (const tw_value *at = schema->first; at != NULL; at = at->next) {
        if (at != list && tw_grammar_is_said(at) &&
            !tw_value_has_key(at, "type")) {
            return true;
        }
    }
    if (tw_keyword_of(schema, "type") == NULL) {
        return false;
    }
    unsigned types = types_of(maker, schema);
    types |= (types & TW_TYPE_NUMBER) != 0 ? TW_TYPE_INTEGER : 0;
    for (const tw_value *at = list->first; at != NULL; at = at->next) {
        const tw_value *choice = tw_grammar_resolve(maker, at);
        if (!tw_value_is_a(choice, TW_VALUE_OBJECT) ||
            (allowed_types(maker, choice) & ~types) != 0) {
            return true;
        }
    }
    return false;
}

/* The list of schemas of which a value fits one, or all if there is but one;
 * NULL: the schema is not of that kind. */
static const tw_value *choices_in(tw_grammar_maker *maker,
                                  const tw_value *schema,
                                  tw_notation_kind notation)
{
    static const char *const names[] = {"anyOf", "oneOf", "allOf"};
    const tw_value *found = NULL;
    for (size_t i = 0; i < 3; i++) {
        const tw_value *list = tw_keyword_of(schema, names[i]);
        if (!is_list(list)) {
            found =
                i < 2 && tw_value_is_a(list, TW_VALUE_ARRAY) ? list : found;
            continue;
        }
        if ((i == 2 && list->first != list->last) || found != NULL) {
            tw_grammar_cannot(maker, list, "no grammar says all of these");
            continue;
        }
        if (i == 1) {
            tw_grammar_check_one_of(maker, schema, list, has_tags(notation));
        }
        if (is_narrowed_beside(maker, schema, list)) {
            tw_grammar_cannot(maker, list,
                              "no grammar says both this and what stands "
                              "beside it");
            continue;
        }
        found = list;
    }
    return found;
}

static uint32_t body_of(tw_grammar_maker *maker, const tw_value *schema,
                        tw_notation_kind notation)
{
    if (!tw_value_is_a(schema, TW_VALUE_OBJECT)) {
        return tw_grammar_any(maker, notation);
    }
    if (notation == TW_NOTATION_TAGGED) {
        tw_grammar_check_brackets(maker, schema);
    }
    tw_grammar_check_keywords(maker, schema);
    const tw_value *choices = choices_in(maker, schema, notation);
    const tw_value *only = tw_keyword_of(schema, "const");
    const tw_value *list = tw_keyword_of(schema, "enum");
    if (tw_keyword_of(schema, "$ref") != NULL) {
        const tw_value *target = tw_grammar_resolve(maker, schema);
        if (tw_grammar_says_more(schema, "$ref")) {
            tw_grammar_cannot(maker, tw_keyword_of(schema, "$ref"),
                              "no grammar says both the reference and what "
                              "stands beside it");
        }
        return target != NULL ? tw_grammar_value(maker, target, notation)
                              : tw_grammar_any(maker, notation);
    }
    if (only != NULL) {
        return listed_of(maker, schema, only, only, notation);
    }
    if (tw_value_is_a(list, TW_VALUE_ARRAY)) {
        return listed_of(maker, schema, list->first, list, notation);
    }
    if (choices != NULL) {
        return choice_of(maker, choices, notation);
    }
    return tw_grammar_says_more(schema, "")
               ? values_of_types(maker, schema, notation)
               : tw_grammar_any(maker, notation);
}

void tw_grammar_fill(tw_grammar_maker *maker)
{
    while (maker->rules.code == TW_OK &&
           maker->filled < maker->wanted.size / sizeof(tw_wanted)) {
        const tw_wanted wanted = ((const tw_wanted *)(const void *)
                                      maker->wanted.data)[maker->filled++];
        maker->rule = wanted.rule;
        maker->tag = wanted.tag;
        maker->tag_size = wanted.tag_size;
        maker->apart = wanted.apart;
        tw_rule_is(
            &maker->rules, wanted.rule,
            body_of(maker, wanted.schema, (tw_notation_kind)wanted.notation));
    }
}
