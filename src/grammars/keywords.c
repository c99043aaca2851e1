/* SPDX-License-Identifier: MIT
 *
 * Keywords of schemas: which of them a grammar says.
 */
#include "grammars/make.h"
#include "schema/steps.h"

const tw_value *tw_grammar_resolve(tw_grammar_maker *maker,
                                   const tw_value *schema)
{
    enum { STEPS = 64 };
    static const char beside[] = "no grammar says both the reference and what "
                                 "stands beside it";
    const tw_value *reference;
    for (size_t i = 0; i < STEPS; i++) {
        reference = tw_keyword_of(schema, "$ref");
        if (reference == NULL) {
            return schema;
        }
        if (i > 0 && tw_grammar_says_more(schema, "$ref")) {
            tw_grammar_cannot(maker, reference, beside);
        }
        schema = tw_schema_target(&maker->schema, reference);
        if (maker->schema.failed) {
            tw_rules_no_memory(&maker->rules);
        }
        if (!tw_is_schema(schema)) {
            break;
        }
    }
    tw_grammar_cannot(maker, reference, "the reference leads nowhere");
    return NULL;
}

/* Keywords that say nothing here: notes, names, and what objects without
 * undeclared members fit anyway. */
static bool says_nothing(const tw_value *keyword)
{
    static const char *const notes[] = {"title",
                                        "description",
                                        "default",
                                        "examples",
                                        "deprecated",
                                        "readOnly",
                                        "writeOnly",
                                        "format",
                                        "$schema",
                                        "$id",
                                        "$defs",
                                        "definitions",
                                        "$comment",
                                        "$anchor",
                                        "nullable",
                                        "contentEncoding",
                                        "contentMediaType",
                                        "contentSchema",
                                        "strict",
                                        "example",
                                        NULL};
    return tw_value_is_named(keyword, notes) ||
           (keyword->key_size > 1 && keyword->key[0] == 'x' &&
            keyword->key[1] == '-') ||
           (keyword->kind == TW_VALUE_FALSE &&
            (tw_value_has_key(keyword, "uniqueItems") ||
             (tw_value_has_key(keyword, "unevaluatedProperties") &&
              (tw_value_member(keyword->parent, "properties") != NULL ||
               tw_value_member(keyword->parent, "additionalProperties") !=
                   NULL))));
}

bool tw_grammar_is_said(const tw_value *keyword)
{
    static const char *const words[] = {"type",
                                        "properties",
                                        "required",
                                        "items",
                                        "additionalProperties",
                                        "enum",
                                        "const",
                                        "anyOf",
                                        "oneOf",
                                        "allOf",
                                        "$ref",
                                        "minimum",
                                        "maximum",
                                        "exclusiveMinimum",
                                        "exclusiveMaximum",
                                        "minLength",
                                        "maxLength",
                                        "pattern",
                                        "minItems",
                                        "maxItems",
                                        "prefixItems",
                                        "minProperties",
                                        "maxProperties",
                                        "multipleOf",
                                        "patternProperties",
                                        "propertyNames",
                                        NULL};
    return tw_value_is_named(keyword, words);
}

const tw_value *tw_grammar_said_of_names(const tw_value *schema)
{
    const tw_value *names = tw_keyword_of(schema, "propertyNames");
    const tw_value *at =
        tw_value_is_a(names, TW_VALUE_OBJECT) ? names->first : NULL;
    while (at != NULL && tw_value_has_key(at, "type") &&
           tw_value_is(at, "string")) {
        at = at->next;
    }
    return at != NULL || tw_value_is_a(names, TW_VALUE_FALSE) ? names : NULL;
}

/* Has the object that is the keyword's value no member? */
static bool is_bare(const tw_value *keyword)
{
    return keyword == NULL || keyword->first == NULL;
}

const tw_value *tw_grammar_one_pattern(const tw_value *schema)
{
    const tw_value *all = tw_keyword_of(schema, "patternProperties");
    return tw_value_is_a(all, TW_VALUE_OBJECT) && all->first != NULL &&
                   all->first == all->last &&
                   is_bare(tw_keyword_of(schema, "properties")) &&
                   is_bare(tw_keyword_of(schema, "required")) &&
                   tw_grammar_said_of_names(schema) == NULL
               ? all->first
               : NULL;
}

void tw_grammar_check_keywords(tw_grammar_maker *maker, const tw_value *schema)
{
    static const char *const others[] = {"not",
                                         "if",
                                         "then",
                                         "else",
                                         "uniqueItems",
                                         "contains",
                                         "minContains",
                                         "maxContains",
                                         "dependentRequired",
                                         "dependentSchemas",
                                         "dependencies",
                                         "unevaluatedItems",
                                         "unevaluatedProperties",
                                         "$dynamicRef",
                                         "$recursiveRef",
                                         "additionalItems",
                                         NULL};
    for (const tw_value *at = schema->first; at != NULL; at = at->next) {
        if (!says_nothing(at) && !tw_grammar_is_said(at) &&
            tw_value_is_named(at, others)) {
            tw_grammar_cannot(maker, at, "no grammar says this keyword");
        }
    }
    const tw_value *patterns = tw_keyword_of(schema, "patternProperties");
    if (!is_bare(patterns) && tw_grammar_one_pattern(schema) == NULL) {
        tw_grammar_cannot(maker, patterns,
                          "no grammar says this beside other names");
    }
    const tw_value *names = tw_grammar_said_of_names(schema);
    if (names != NULL && !(is_bare(tw_keyword_of(schema, "properties")) &&
                           is_bare(tw_keyword_of(schema, "required")))) {
        tw_grammar_cannot(maker, names,
                          "no grammar says this of declared names");
    }
}

bool tw_grammar_says_more(const tw_value *schema, const char *but)
{
    for (const tw_value *at = schema->first; at != NULL; at = at->next) {
        if (tw_grammar_is_said(at) && !tw_value_has_key(at, but)) {
            return true;
        }
    }
    return false;
}

/* Where no type is said, keywords tell for which one they were meant. */
unsigned tw_grammar_meant_types(const tw_value *schema)
{
    static const struct {
        const char *name;
        unsigned types;
    } rows[] = {{"properties", TW_TYPE_OBJECT},
                {"required", TW_TYPE_OBJECT},
                {"additionalProperties", TW_TYPE_OBJECT},
                {"patternProperties", TW_TYPE_OBJECT},
                {"propertyNames", TW_TYPE_OBJECT},
                {"minProperties", TW_TYPE_OBJECT},
                {"maxProperties", TW_TYPE_OBJECT},
                {"items", TW_TYPE_ARRAY},
                {"prefixItems", TW_TYPE_ARRAY},
                {"minItems", TW_TYPE_ARRAY},
                {"maxItems", TW_TYPE_ARRAY},
                {"pattern", TW_TYPE_STRING},
                {"minLength", TW_TYPE_STRING},
                {"maxLength", TW_TYPE_STRING},
                {"minimum", TW_TYPE_NUMBER},
                {"maximum", TW_TYPE_NUMBER},
                {"exclusiveMinimum", TW_TYPE_NUMBER},
                {"exclusiveMaximum", TW_TYPE_NUMBER},
                {"multipleOf", TW_TYPE_NUMBER}};
    unsigned types = 0;
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        types |=
            tw_value_member(schema, rows[i].name) != NULL ? rows[i].types : 0;
    }
    return types != 0 ? types : TW_GRAMMAR_TYPES;
}
