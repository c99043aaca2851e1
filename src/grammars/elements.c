/* SPDX-License-Identifier: MIT
 *
 * Arguments as nested elements, each named after its key, with a mark in front
 * of each tag.  What an element is called stands in |tag| of the maker, since
 * one schema may be that of several members.
 *
 *     X<tides>X<item>X<at>BrestX</at>X</item>X</tides>
 */
#include "grammars/make.h"

static void check_key(tw_grammar_maker *maker, const tw_value *member)
{
    bool good = member->key_size > 0 && member->key[0] != '/';
    for (size_t i = 0; i < member->key_size && good; i++) {
        const uint8_t c = (uint8_t)member->key[i];
        good = c >= ' ' && c != '<' && c != '>';
    }
    if (!good) {
        tw_grammar_fail(maker, TW_ERROR_CANNOT_CARRY, member,
                        "the format cannot write this key");
    }
}

static uint32_t named(tw_grammar_maker *maker, const tw_value *schema,
                      const char *tag, size_t size)
{
    const char *before = maker->tag;
    const size_t before_size = maker->tag_size;
    maker->tag = tag;
    maker->tag_size = size;
    const uint32_t node = tw_grammar_value(maker, schema, TW_NOTATION_ELEMENT);
    maker->tag = before;
    maker->tag_size = before_size;
    return node;
}

static bool is_required(const tw_value *required, const tw_value *member)
{
    const tw_value *at = required != NULL && required->kind == TW_VALUE_ARRAY
                             ? required->first
                             : NULL;
    while (at != NULL &&
           !(at->kind == TW_VALUE_STRING && at->size == member->key_size &&
             memcmp(at->text, member->key, at->size) == 0)) {
        at = at->next;
    }
    return at != NULL;
}

static bool is_null(const tw_value *schema)
{
    const tw_value *only = tw_keyword_of(schema, "const");
    return tw_value_is(tw_keyword_of(schema, "type"), "null") ||
           (only != NULL && only->kind == TW_VALUE_NULL);
}

uint32_t tw_grammar_elements(tw_grammar_maker *maker, const tw_value *schema)
{
    tw_rules *rules = &maker->rules;
    const tw_value *properties = tw_keyword_of(schema, "properties");
    const tw_value *required = tw_keyword_of(schema, "required");
    const tw_value *at =
        properties != NULL && properties->kind == TW_VALUE_OBJECT
            ? properties->first
            : NULL;
    const uint32_t all = tw_rule_put(rules, TW_RULE_SEQUENCE, 0, 0, 0);
    tw_grammar_check_required(maker, schema, true);
    for (; at != NULL; at = at->next) {
        const bool due = is_required(required, at);
        /* What is null is left out. */
        if (at->kind == TW_VALUE_FALSE || (is_null(at) && !due)) {
            continue;
        }
        check_key(maker, at);
        const uint32_t one = named(maker, at, at->key, at->key_size);
        tw_rule_add(rules, all, due ? one : tw_rule_maybe(rules, one));
    }
    return all;
}

uint32_t tw_grammar_element_list(tw_grammar_maker *maker,
                                 const tw_value *schema)
{
    static const char item[] = "item";
    const tw_value *items = tw_keyword_of(schema, "items");
    const uint32_t least = tw_grammar_count(maker, schema, "minItems", 0);
    const uint32_t most =
        tw_grammar_count(maker, schema, "maxItems", TW_RULE_ENDLESS);
    if (tw_keyword_of(schema, "prefixItems") != NULL) {
        tw_grammar_cannot(maker, tw_keyword_of(schema, "prefixItems"),
                          "no grammar says these in elements");
    }
    if (least > most) {
        tw_grammar_fail(maker, TW_ERROR_CANNOT_CARRY,
                        tw_keyword_of(schema, "minItems"),
                        "no value fits this schema");
        return 0;
    }
    return tw_rule_repeat(&maker->rules,
                          named(maker, items, item, sizeof item - 1), least,
                          most);
}
