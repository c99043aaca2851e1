/* SPDX-License-Identifier: MIT
 *
 * Arguments as nested elements, each named after its key, with a mark in front
 * of each tag.  What an element is called stands in |tag| of the maker, since
 * one schema may be that of several members.
 *
 *     X<tides>X<item>X<at>BrestX</at>X</item>X</tides>
 */
#include "core/options.h"
#include "grammars/make.h"

static void check_key(tw_grammar_maker *maker, const tw_value *member)
{
    bool good = member->key_size > 0 && member->key_size <= TW_NAME_SIZE &&
                member->key[0] != '/';
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
    const unsigned before_apart = maker->apart;
    maker->apart = tw_grammar_apart(maker, schema);
    maker->tag = tag;
    maker->tag_size = size;
    const uint32_t node = tw_grammar_value(maker, schema, TW_NOTATION_ELEMENT);
    maker->tag = before;
    maker->tag_size = before_size;
    maker->apart = before_apart;
    return node;
}

static bool is_required(const tw_value *required, const tw_value *member)
{
    const tw_value *at =
        tw_value_is_a(required, TW_VALUE_ARRAY) ? required->first : NULL;
    while (at != NULL &&
           !(at->kind == TW_VALUE_STRING && at->size == member->key_size &&
             memcmp(at->text, member->key, at->size) == 0)) {
        at = at->next;
    }
    return at != NULL;
}

bool tw_grammar_is_null(const tw_value *schema)
{
    const tw_value *only = tw_keyword_of(schema, "const");
    return tw_value_is(tw_keyword_of(schema, "type"), "null") ||
           tw_value_is_a(only, TW_VALUE_NULL);
}

/* Has the object members of any names?  Each element closes with the name that
 * it opened with, which no grammar says: such objects are JSON. */
static bool has_any_names(const tw_value *schema)
{
    const tw_value *others = tw_keyword_of(schema, "additionalProperties");
    const tw_value *properties = tw_keyword_of(schema, "properties");
    return (properties == NULL || properties->first == NULL) &&
           (!tw_value_is_a(others, TW_VALUE_FALSE) ||
            tw_grammar_one_pattern(schema) != NULL);
}

uint32_t tw_grammar_elements(tw_grammar_maker *maker, const tw_value *schema,
                             bool closed)
{
    tw_rules *rules = &maker->rules;
    const tw_value *properties = tw_keyword_of(schema, "properties");
    const tw_value *required = tw_keyword_of(schema, "required");
    const tw_value *at =
        tw_value_is_a(properties, TW_VALUE_OBJECT) ? properties->first : NULL;
    const uint32_t all = tw_rule_put(rules, TW_RULE_SEQUENCE, 0, 0, 0);
    /* Where there may be text, an element that holds nothing is that. */
    const bool text = (maker->apart & TW_TYPE_STRING) != 0;
    bool empty = true;
    size_t needed = 0;
    size_t count = 0;
    if (!closed && has_any_names(schema)) {
        const uint32_t json =
            tw_grammar_object(maker, schema, TW_NOTATION_JSON);
        return !text && (required == NULL || required->first == NULL) &&
                       tw_grammar_count(maker, schema, "minProperties", 0) == 0
                   ? tw_rule_maybe(rules, json)
                   : json;
    }
    tw_grammar_check_required(maker, schema);
    for (; at != NULL; at = at->next) {
        const bool due = is_required(required, at);
        /* What is null is left out. */
        if (tw_grammar_is_null(at) && !due) {
            continue;
        }
        empty &= !due;
        needed += due;
        count++;
        check_key(maker, at);
        const uint32_t one = named(maker, at, at->key, at->key_size);
        tw_rule_add(rules, all, due ? one : tw_rule_maybe(rules, one));
    }
    tw_grammar_check_counts(maker, schema, needed, count);
    if (text && empty) {
        tw_grammar_cannot(maker, schema,
                          "an object without members is read as text");
    }
    return all;
}

uint32_t tw_grammar_element_list(tw_grammar_maker *maker,
                                 const tw_value *schema)
{
    static const char item[] = "item";
    const tw_value *items = tw_keyword_of(schema, "items");
    const uint32_t said = tw_grammar_count(maker, schema, "minItems", 0);
    const uint32_t most =
        tw_grammar_count(maker, schema, "maxItems", TW_RULE_ENDLESS);
    /* An empty one is text where there may be some. */
    const uint32_t least =
        said == 0 && most > 0 && (maker->apart & TW_TYPE_STRING) != 0 ? 1
                                                                      : said;
    if (tw_keyword_of(schema, "prefixItems") != NULL) {
        tw_grammar_cannot(maker, tw_keyword_of(schema, "prefixItems"),
                          "no grammar says these in elements");
    }
    if (least > most) {
        return tw_grammar_nothing(maker, tw_keyword_of(schema, "minItems"));
    }
    return tw_rule_repeat(&maker->rules,
                          named(maker, items, item, sizeof item - 1), least,
                          most);
}
