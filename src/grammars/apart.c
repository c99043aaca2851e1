/* SPDX-License-Identifier: MIT
 *
 * Strings between tags, which stand there as they are, beside values of other
 * types: a reader takes what looks like another type for it.
 *
 *     {"anyOf": [{"type": "string"}, {"type": "integer", "minimum": 10}]}
 *
 * 5 is read as a number there, which does not fit: so it is no string of the
 * grammar either.  A type whose values all fit needs no such care.
 */
#include "events/tools.h"
#include "grammars/make.h"

/* ---- types that are not allowed in full --------------------------------- */

typedef struct open_types {
    unsigned types;  /* of which one schema allows all values */
    bool restricted; /* something is said beside choices */
    bool bounded;    /* a string is counted or matched */
} open_types;

/* The types of which the keyword says something. */
static unsigned types_restricted(const tw_value *keyword)
{
    static const char *const of_numbers[] = {
        "minimum",          "maximum",    "exclusiveMinimum",
        "exclusiveMaximum", "multipleOf", NULL};
    static const char *const of_lists[] = {
        "items",    "prefixItems", "minItems", "maxItems",
        "contains", "uniqueItems", NULL};
    static const char *const of_objects[] = {
        "properties",           "required",
        "additionalProperties", "minProperties",
        "maxProperties",        "patternProperties",
        "propertyNames",        NULL};
    const bool says_all =
        keyword->kind == TW_VALUE_TRUE ||
        (keyword->kind == TW_VALUE_OBJECT && keyword->first == NULL);
    return tw_value_is_named(keyword, of_numbers)
               ? TW_TYPE_NUMBER | TW_TYPE_INTEGER
           : says_all                               ? 0
           : tw_value_is_named(keyword, of_lists)   ? TW_TYPE_ARRAY
           : tw_value_is_named(keyword, of_objects) ? TW_TYPE_OBJECT
                                                    : 0;
}

/* Is one of the list the schema that all values fit? */
static bool has_true(const tw_value *list)
{
    const tw_value *at = list->first;
    while (at != NULL && at->kind != TW_VALUE_TRUE) {
        at = at->next;
    }
    return at != NULL;
}

static void add_open(void *context, const tw_value *schema, size_t *work)
{
    static const char *const choices[] = {"$ref", "anyOf", "oneOf", "allOf",
                                          NULL};
    static const char *const values[] = {"enum", "const", NULL};
    static const char *const bounds[] = {"minLength", "maxLength", "pattern",
                                         NULL};
    open_types *open = context;
    size_t own = TW_KNOWN_WORK;
    unsigned restricted = 0;
    bool has_choices = false;
    (void)work;
    for (const tw_value *at = schema->first; at != NULL; at = at->next) {
        const bool choice = tw_value_is_named(at, choices);
        has_choices |= choice;
        open->bounded |= tw_value_is_named(at, bounds);
        open->types |= choice && has_true(at) ? TW_TYPE_JSON : 0;
        restricted |= tw_value_is_named(at, values) ? TW_TYPE_JSON
                                                    : types_restricted(at);
    }
    if (has_choices) {
        open->restricted |= restricted != 0;
        return;
    }
    const unsigned types = tw_known_types(schema, NULL, &own);
    unsigned all = types != 0 ? types : TW_TYPE_JSON;
    all |= (all & TW_TYPE_NUMBER) != 0 ? TW_TYPE_INTEGER : 0;
    open->types |= all & ~restricted;
}

bool tw_grammar_says_type(const tw_pattern *pattern)
{
    bool said = false;
    for (size_t i = 0; i < pattern->count; i++) {
        said |= pattern->parts[i].kind == TW_PATTERN_TYPE;
    }
    return said;
}

/* Does the tag say that its value is a string? */
static bool says_string(const tw_pattern *pattern)
{
    return tw_pattern_hole(pattern)->kind == TW_PATTERN_VALUE_TEXT ||
           tw_grammar_says_type(pattern);
}

unsigned tw_grammar_apart(tw_grammar_maker *maker, const tw_value *schema)
{
    enum { CONTAINERS = TW_TYPE_ARRAY | TW_TYPE_OBJECT };
    const tw_pattern *pattern = maker->string_tag.pattern;
    size_t work = TW_KNOWN_WORK;
    open_types open = {0, false, false};
    if (!tw_value_is_a(schema, TW_VALUE_OBJECT) ||
        (pattern != NULL && says_string(pattern))) {
        return 0;
    }
    unsigned types = tw_known_types(schema, maker->schema.root, &work);
    if (types == 0 && pattern != NULL &&
        tw_pattern_hole(pattern)->kind == TW_PATTERN_VALUE_GUESS) {
        types = TW_TYPE_JSON;
    }
    if ((types & TW_TYPE_STRING) == 0) {
        return 0;
    }
    tw_known_visit(schema, maker->schema.root, &work, add_open, &open);
    const unsigned fit =
        open.restricted ? TW_TYPE_STRING : open.types | TW_TYPE_STRING;
    const unsigned apart = types & ~fit & ~(unsigned)TW_TYPE_NULL;
    return apart | ((types & CONTAINERS) != 0 ? TW_TYPE_STRING : 0) |
           (open.bounded && types != TW_TYPE_STRING ? TW_APART_BOUNDED : 0);
}

/* ---- strings ------------------------------------------------------------ */

unsigned tw_grammar_looks(tw_grammar_maker *maker, const tw_value *of)
{
    const unsigned apart = maker->apart;
    if ((apart & TW_TYPE_BOOLEAN) != 0) {
        tw_grammar_cannot(maker, of,
                          "between tags the text may be read as a boolean "
                          "that does not fit");
    }
    return ((apart & TW_TYPE_NUMBER) != 0    ? TW_LOOK_NUMBER
            : (apart & TW_TYPE_INTEGER) != 0 ? TW_LOOK_INTEGER
                                             : 0) |
           ((apart & TW_TYPE_ARRAY) != 0 ? TW_LOOK_LIST : 0) |
           ((apart & TW_TYPE_OBJECT) != 0 ? TW_LOOK_OBJECT : 0);
}

uint32_t tw_grammar_first_apart(tw_grammar_maker *maker, const tw_value *of,
                                tw_notation_kind notation)
{
    static const tw_rule_range first[] = {
        {'-', '-'}, {'0', '9'}, {'[', '['}, {'{', '{'}};
    /* A lexer would not go back from a string that goes on as a list. */
    const bool lexer = maker->options->target == TW_GRAMMAR_LARK &&
                       notation == TW_NOTATION_TAGGED &&
                       (maker->apart & TW_TYPE_STRING) != 0;
    const unsigned looks = tw_grammar_looks(maker, of) |
                           (lexer ? TW_LOOK_LIST | TW_LOOK_OBJECT : 0U);
    tw_rule_range without[4];
    size_t count = 0;
    for (size_t i = 0; i < 4; i++) {
        const unsigned look = i < 2    ? TW_LOOK_NUMBER | TW_LOOK_INTEGER
                              : i == 2 ? TW_LOOK_LIST
                                       : TW_LOOK_OBJECT;
        if ((looks & look) != 0) {
            without[count++] = first[i];
        }
    }
    return count == 0
               ? 0
               : tw_grammar_one_of(maker, notation, without, count, true);
}

bool tw_grammar_is_apart(tw_grammar_maker *maker, const tw_value *string)
{
    static const unsigned types[] = {[TW_VALUE_NULL] = TW_TYPE_NULL,
                                     [TW_VALUE_FALSE] = TW_TYPE_BOOLEAN,
                                     [TW_VALUE_TRUE] = TW_TYPE_BOOLEAN,
                                     [TW_VALUE_NUMBER] = TW_TYPE_NUMBER,
                                     [TW_VALUE_STRING] = 0,
                                     [TW_VALUE_ARRAY] = TW_TYPE_ARRAY,
                                     [TW_VALUE_OBJECT] = TW_TYPE_OBJECT};
    tw_tree tree;
    unsigned apart = maker->apart & TW_APART_LOOKS;
    if (apart == 0) {
        return true;
    }
    if ((apart & TW_TYPE_BOOLEAN) != 0 &&
        (tw_value_is(string, "True") || tw_value_is(string, "False"))) {
        return false;
    }
    tw_tree_init(&tree, maker->memory);
    const int code = tw_tree_read(&tree, string->text, string->size, false);
    unsigned type = code == TW_OK ? types[tree.root->kind] : 0;
    if (type == TW_TYPE_NUMBER &&
        string->text[strcspn(string->text, ".eE")] == 0) {
        type |= TW_TYPE_INTEGER;
    }
    const bool fits = (type & apart) == 0;
    tw_tree_free(&tree);
    if (code == TW_ERROR_MEMORY) {
        tw_rules_no_memory(&maker->rules);
    }
    return fits;
}
