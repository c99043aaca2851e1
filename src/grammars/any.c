/* SPDX-License-Identifier: MIT
 *
 * A value, and any value at all.
 */
#include "grammars/make.h"

uint32_t tw_grammar_key(tw_grammar_maker *maker, tw_notation_kind notation)
{
    static const tw_rule_range letters[] = {
        {'A', 'Z'}, {'_', '_'}, {'a', 'z'}};
    static const tw_rule_range more[] = {
        {'-', '.'}, {'0', '9'}, {'A', 'Z'}, {'_', '_'}, {'a', 'z'}};
    tw_rules *rules = &maker->rules;
    uint32_t key = tw_grammar_shared(maker, notation, TW_SHARED_KEY);
    if (key != 0) {
        return key;
    }
    if (notation == TW_NOTATION_GEMMA) {
        key = tw_rule_sequence(
            rules, tw_rule_set(rules, letters, 3, false),
            tw_rule_repeat(rules, tw_rule_set(rules, more, 5, false), 0,
                           TW_RULE_ENDLESS),
            tw_rule_words(rules, ":"), 0);
    } else {
        key = tw_rule_sequence(rules, tw_grammar_any_string(maker, notation),
                               tw_grammar_colon(maker, ":"), 0, 0);
    }
    return tw_grammar_share(maker, notation, TW_SHARED_KEY, "key", true, key);
}

static uint32_t list_of(tw_grammar_maker *maker, const char *open,
                        uint32_t rule, const char *close,
                        tw_notation_kind notation)
{
    tw_rules *rules = &maker->rules;
    const uint32_t more = tw_rule_repeat(
        rules,
        tw_rule_sequence(rules, tw_grammar_comma(maker, notation),
                         tw_rule_call(rules, rule), 0, 0),
        0, TW_RULE_ENDLESS);
    const uint32_t some =
        tw_rule_sequence(rules, tw_rule_call(rules, rule), more, 0, 0);
    const uint32_t node = tw_rule_sequence(
        rules, tw_rule_words(rules, open), tw_grammar_line(maker),
        tw_rule_maybe(rules, some), tw_grammar_line(maker));
    tw_rule_add(rules, node, tw_rule_words(rules, close));
    return node;
}

/* `member` of an object whose values are |any|. */
static uint32_t member_of(tw_grammar_maker *maker, uint32_t any,
                          tw_notation_kind notation)
{
    tw_rules *rules = &maker->rules;
    const uint32_t member = tw_rule_new(rules, "member", false);
    tw_rule_is(rules, member,
               tw_rule_sequence(rules, tw_grammar_key(maker, notation),
                                tw_rule_call(rules, any), 0, 0));
    return member;
}

static uint32_t any_in(tw_grammar_maker *, tw_notation_kind);

/* The rule of any value inside a list or an object. */
static uint32_t any_rule(tw_grammar_maker *maker, tw_notation_kind notation)
{
    (void)any_in(maker, notation);
    return maker->shared[notation][TW_SHARED_ANY];
}

static uint32_t any_in(tw_grammar_maker *maker, tw_notation_kind notation)
{
    tw_rules *rules = &maker->rules;
    const uint32_t before = tw_grammar_shared(maker, notation, TW_SHARED_ANY);
    if (before != 0) {
        return before;
    }
    const bool mixed = notation == TW_NOTATION_MIXED;
    const tw_notation_kind out = mixed ? TW_NOTATION_PYTHON : notation;
    const tw_notation_kind in = mixed ? TW_NOTATION_STRINGS : notation;
    const uint32_t any = tw_rule_new(rules, "any", false);
    maker->shared[notation][TW_SHARED_ANY] = any;
    const uint32_t listed = mixed ? any_rule(maker, out) : any;
    const uint32_t member =
        member_of(maker, mixed ? any_rule(maker, in) : any, in);
    const uint32_t node =
        tw_rule_choice(rules, tw_grammar_any_string(maker, out),
                       tw_grammar_any_number(maker, false),
                       tw_grammar_word(maker, out, TW_SHARED_BOOLEAN));
    tw_rule_add(rules, node, tw_grammar_word(maker, out, TW_SHARED_NULL));
    tw_rule_add(rules, node, list_of(maker, "[", listed, "]", out));
    tw_rule_add(rules, node, list_of(maker, "{", member, "}", in));
    tw_rule_is(rules, any, node);
    return tw_rule_call(rules, any);
}

/* A value of each type, where the tags say which: with the text, all. */
static uint32_t any_of_types(tw_grammar_maker *maker, uint32_t text)
{
    const tw_notation_kind json = TW_NOTATION_JSON;
    tw_rules *rules = &maker->rules;
    const uint32_t any = any_rule(maker, json);
    const struct {
        uint32_t value;
        const char *type;
    } rows[] = {{tw_grammar_any_number(maker, false), "number"},
                {tw_grammar_word(maker, json, TW_SHARED_BOOLEAN), "boolean"},
                {tw_grammar_word(maker, json, TW_SHARED_NULL), "null"},
                {list_of(maker, "[", any, "]", json), "array"},
                {list_of(maker, "{", member_of(maker, any, json), "}", json),
                 "object"}};
    const uint32_t node = tw_rule_choice(rules, text, 0, 0);
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        tw_rule_add(
            rules, node,
            tw_grammar_between(maker, NULL, rows[i].value, rows[i].type));
    }
    return node;
}

/* What no type is said of is text or, where the tags tell, JSON. */
static uint32_t any_between(tw_grammar_maker *maker)
{
    const tw_pattern *pattern = maker->other_tag.pattern;
    const uint32_t text = tw_grammar_tagged_text(maker, NULL);
    if (pattern != NULL && tw_grammar_says_type(pattern)) {
        return any_of_types(maker, text);
    }
    if (pattern == NULL ||
        tw_pattern_hole(pattern)->kind != TW_PATTERN_VALUE_JSON) {
        return text;
    }
    return tw_rule_choice(&maker->rules, text,
                          tw_grammar_between(maker, NULL,
                                             any_in(maker, TW_NOTATION_JSON),
                                             "object"),
                          0);
}

uint32_t tw_grammar_any(tw_grammar_maker *maker, tw_notation_kind notation)
{
    switch (notation) {
    case TW_NOTATION_TAGGED: return any_between(maker);
    case TW_NOTATION_ELEMENT: return tw_grammar_element_string(maker, NULL, 0);
    case TW_NOTATION_WORDS: return any_in(maker, TW_NOTATION_JSON);
    default: return any_in(maker, notation);
    }
}

uint32_t tw_grammar_value(tw_grammar_maker *maker, const tw_value *schema,
                          tw_notation_kind notation)
{
    if (tw_value_is_a(schema, TW_VALUE_FALSE)) {
        return tw_grammar_nothing(maker, schema);
    }
    return !tw_value_is_a(schema, TW_VALUE_OBJECT)
               ? tw_grammar_any(maker, notation)
               : tw_grammar_want(maker, schema, notation);
}
