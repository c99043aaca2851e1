/* SPDX-License-Identifier: MIT
 *
 * The arguments of a call as a whole: an object, whatever a schema says.
 */
#include "events/tools.h"
#include "grammars/make.h"

/* Is this a keyword with several schemas or values, of which one fits? */
static bool is_choice(const tw_value *keyword)
{
    static const char *const words[] = {"anyOf", "oneOf", "allOf",
                                        "enum",  "const", NULL};
    return tw_value_is_named(keyword, words);
}

static bool has_choices(const tw_value *schema)
{
    const tw_value *at =
        tw_value_is_a(schema, TW_VALUE_OBJECT) ? schema->first : NULL;
    while (at != NULL && !is_choice(at)) {
        at = at->next;
    }
    return at != NULL;
}

static bool is_object(const tw_value *type)
{
    return type->kind != TW_VALUE_ARRAY
               ? tw_value_is(type, "object")
               : type->first != NULL && type->first->next == NULL &&
                     tw_value_is(type->first, "object");
}

/* The schema behind its references. */
static const tw_value *resolve(tw_grammar_maker *maker, const tw_value *schema)
{
    schema = tw_grammar_resolve(maker, schema);
    const tw_value *type = tw_keyword_of(schema, "type");
    if (type != NULL && !is_object(type)) {
        tw_grammar_cannot(maker, type, "arguments are an object");
    }
    return schema;
}

const tw_value *tw_grammar_arguments(tw_grammar_maker *maker,
                                     const tw_value *schema, bool counted)
{
    static const char *const counts[] = {"minProperties", "maxProperties",
                                         NULL};
    static const char *const names[] = {"patternProperties", NULL};
    schema = resolve(maker, schema);
    if (!tw_value_is_a(schema, TW_VALUE_OBJECT)) {
        return schema;
    }
    tw_grammar_check_keywords(maker, schema);
    for (const tw_value *at = schema->first; at != NULL; at = at->next) {
        if (is_choice(at)) {
            tw_grammar_cannot(maker, at,
                              "the format's grammar does not say this of all "
                              "arguments");
        } else if (!counted && tw_value_is_named(at, counts)) {
            tw_grammar_cannot(maker, at, "no grammar counts members");
        } else if (tw_value_is_named(at, names) && at->first != NULL) {
            tw_grammar_cannot(maker, at,
                              "the format's grammar writes declared "
                              "arguments alone");
        }
    }
    return schema;
}

uint32_t tw_grammar_json_arguments(tw_grammar_maker *maker,
                                   const tw_value *schema,
                                   tw_notation_kind notation)
{
    const tw_value *target = resolve(maker, schema);
    const tw_value *type = tw_keyword_of(target, "type");
    if (has_choices(target)) {
        size_t work = TW_KNOWN_WORK;
        if (tw_known_types(target, maker->schema.root, &work) !=
            TW_TYPE_OBJECT) {
            tw_grammar_cannot(maker, target, "arguments are an object");
        }
        return tw_grammar_value(maker, target, notation);
    }
    if (type != NULL && is_object(type)) {
        return tw_grammar_value(maker, target, notation);
    }
    if (tw_value_is_a(target, TW_VALUE_OBJECT)) {
        tw_grammar_check_keywords(maker, target);
    }
    return tw_grammar_object(maker, target, notation);
}
