/* SPDX-License-Identifier: MIT
 *
 * Strings, numbers and words in each notation, and values as they are.
 */
#include "grammars/make.h"
#include "messages/pytext.h"
#include "schema/decimal.h"
#include "schema/regex_code.h"

/* ---- strings ------------------------------------------------------------ */

uint32_t tw_grammar_in_quotes(tw_grammar_maker *maker,
                              tw_notation_kind notation, uint32_t inside)
{
    tw_rules *rules = &maker->rules;
    const char plain[2] = {tw_grammar_quote(maker, notation)};
    const char *quote = notation == TW_NOTATION_GEMMA ? maker->quote : plain;
    return tw_rule_sequence(rules, tw_rule_words(rules, quote), inside,
                            tw_rule_words(rules, quote), 0);
}

uint32_t tw_grammar_any_string(tw_grammar_maker *maker,
                               tw_notation_kind notation)
{
    tw_rules *rules = &maker->rules;
    const uint32_t before =
        tw_grammar_shared(maker, notation, TW_SHARED_STRING);
    if (before != 0) {
        return before;
    }
    const char quote = tw_grammar_quote(maker, notation);
    uint32_t body = tw_grammar_in_quotes(
        maker, notation,
        notation == TW_NOTATION_GEMMA
            ? tw_rule_free_text(rules, tw_grammar_plain(maker, notation))
            : tw_grammar_in_quotes_of(maker, notation, quote));
    if (notation == TW_NOTATION_PYTHON) {
        const char other[2] = {quote == '"' ? '\'' : '"'};
        body =
            tw_rule_choice(rules, body,
                           tw_rule_sequence(rules, tw_rule_words(rules, other),
                                            tw_grammar_in_quotes_of(
                                                maker, notation, other[0]),
                                            tw_rule_words(rules, other), 0),
                           0);
    }
    return tw_grammar_share(maker, notation, TW_SHARED_STRING, "string", true,
                            body);
}

static uint32_t sized_string(tw_grammar_maker *maker, const tw_value *schema,
                             tw_notation_kind notation, uint32_t least,
                             uint32_t most)
{
    tw_rules *rules = &maker->rules;
    const uint32_t first =
        tw_notation_is_plain(notation) && most > 0
            ? tw_grammar_first_apart(maker, schema, notation)
            : 0;
    const bool apart = first != 0;
    const uint32_t from = least - (apart && least > 0);
    const uint32_t others =
        most == TW_RULE_ENDLESS
            ? tw_grammar_from_size(maker, notation, from)
            : tw_rule_repeat(rules, tw_grammar_character(maker, notation),
                             from, most - apart);
    const uint32_t some = tw_rule_sequence(rules, first, others, 0, 0);
    return apart && least == 0 ? tw_rule_maybe(rules, some) : some;
}

/* What a pattern or the lengths say; 0: nothing. */
static uint32_t some_string(tw_grammar_maker *maker, const tw_value *schema,
                            tw_notation_kind notation)
{
    const tw_value *pattern = tw_keyword_of(schema, "pattern");
    const uint32_t least = tw_grammar_count(maker, schema, "minLength", 0);
    const uint32_t most =
        tw_grammar_count(maker, schema, "maxLength", TW_RULE_ENDLESS);
    const bool sized = least > 0 || most != TW_RULE_ENDLESS;
    if (least > most) {
        return tw_grammar_nothing(maker, tw_keyword_of(schema, "minLength"));
    }
    if (pattern != NULL) {
        if (tw_notation_is_plain(notation) &&
            (maker->apart & TW_APART_LOOKS) != 0) {
            tw_grammar_cannot(maker, pattern,
                              "between tags the text may be read as a value "
                              "of another type that does not fit");
        }
        return tw_grammar_pattern(maker, pattern, least, most, notation);
    }
    return sized ? sized_string(maker, schema, notation, least, most) : 0;
}

uint32_t tw_grammar_string(tw_grammar_maker *maker, const tw_value *schema,
                           tw_notation_kind notation)
{
    if (notation == TW_NOTATION_WORDS || notation == TW_NOTATION_STRINGS) {
        notation = notation == TW_NOTATION_WORDS ? TW_NOTATION_JSON : notation;
    }
    const uint32_t some = some_string(maker, schema, notation);
    if (notation == TW_NOTATION_ELEMENT) {
        return tw_grammar_element_string(maker, schema, some);
    }
    if (notation == TW_NOTATION_TAGGED) {
        return some != 0 ? tw_grammar_tagged_string(maker, schema, some)
                         : tw_grammar_tagged_text(maker, schema);
    }
    return some != 0 ? tw_rule_of(&maker->rules, "string", true,
                                  tw_grammar_in_quotes(maker, notation, some))
                     : tw_grammar_any_string(maker, notation);
}

/* ---- numbers and words -------------------------------------------------- */

static const tw_rule_range digits[] = {{'0', '9'}};

static uint32_t digits_of(tw_grammar_maker *maker, uint32_t least)
{
    return tw_rule_repeat(&maker->rules,
                          tw_rule_set(&maker->rules, digits, 1, false), least,
                          TW_RULE_ENDLESS);
}

static uint32_t any_integer(tw_grammar_maker *maker)
{
    static const tw_rule_range from_1[] = {{'1', '9'}};
    tw_rules *rules = &maker->rules;
    const uint32_t long_one =
        tw_rule_sequence(rules, tw_rule_set(rules, from_1, 1, false),
                         digits_of(maker, 0), 0, 0);
    return tw_rule_sequence(
        rules, tw_rule_maybe(rules, tw_rule_words(rules, "-")),
        tw_rule_choice(rules, tw_rule_words(rules, "0"), long_one, 0), 0, 0);
}

static uint32_t any_number(tw_grammar_maker *maker)
{
    static const tw_rule_range e[] = {{'E', 'E'}, {'e', 'e'}};
    static const tw_rule_range sign[] = {{'+', '+'}, {'-', '-'}};
    tw_rules *rules = &maker->rules;
    const uint32_t fraction = tw_rule_sequence(
        rules, tw_rule_words(rules, "."), digits_of(maker, 1), 0, 0);
    const uint32_t exponent = tw_rule_sequence(
        rules, tw_rule_set(rules, e, 2, false),
        tw_rule_maybe(rules, tw_rule_set(rules, sign, 2, false)),
        tw_rule_repeat(rules, tw_rule_set(rules, digits, 1, false), 1, 2), 0);
    return tw_rule_sequence(rules, any_integer(maker),
                            tw_rule_maybe(rules, fraction),
                            tw_rule_maybe(rules, exponent), 0);
}

uint32_t tw_grammar_any_number(tw_grammar_maker *maker, bool integer)
{
    const int which = integer ? TW_SHARED_INTEGER : TW_SHARED_NUMBER;
    const uint32_t before = tw_grammar_shared(maker, TW_NOTATION_JSON, which);
    return before != 0 ? before
                       : tw_grammar_share(maker, TW_NOTATION_JSON, which,
                                          integer ? "integer" : "number", true,
                                          integer ? any_integer(maker)
                                                  : any_number(maker));
}

/* Is every integer a multiple of this? */
static bool divides_all(const tw_value *divisor)
{
    const tw_decimal one = {"1", 1, 0, false};
    const tw_decimal by = tw_value_is_a(divisor, TW_VALUE_NUMBER)
                              ? tw_decimal_of(divisor)
                              : (tw_decimal){0};
    return tw_decimal_is_multiple(&one, &by) == 1;
}

/* Does |above|, which is no value itself, leave less than |least|, which is
 * one?  |sign|: -1 of a maximum. */
static bool is_tighter(const tw_value *above, const tw_value *least, int sign)
{
    if (!tw_value_is_a(above, TW_VALUE_NUMBER) ||
        !tw_value_is_a(least, TW_VALUE_NUMBER)) {
        return tw_value_is_a(above, TW_VALUE_NUMBER);
    }
    const tw_decimal left = tw_decimal_of(above);
    const tw_decimal right = tw_decimal_of(least);
    return tw_decimal_compare(&left, &right) * sign >= 0;
}

uint32_t tw_grammar_number(tw_grammar_maker *maker, const tw_value *schema,
                           tw_notation_kind notation, bool integer)
{
    (void)notation;
    const tw_value *least = tw_keyword_of(schema, "minimum");
    const tw_value *most = tw_keyword_of(schema, "maximum");
    const tw_value *above = tw_keyword_of(schema, "exclusiveMinimum");
    const tw_value *below = tw_keyword_of(schema, "exclusiveMaximum");
    const tw_value *multiple = tw_keyword_of(schema, "multipleOf");
    if (multiple != NULL && !(integer && divides_all(multiple))) {
        tw_grammar_cannot(maker, multiple, "no grammar says multiples");
    }
    const bool over = is_tighter(above, least, 1);
    const bool under = is_tighter(below, most, -1);
    /* In earlier drafts they say of the bound whether it counts. */
    const bool is_above = over || tw_value_is_a(above, TW_VALUE_TRUE);
    const bool is_below = under || tw_value_is_a(below, TW_VALUE_TRUE);
    least = over                                    ? above
            : tw_value_is_a(least, TW_VALUE_NUMBER) ? least
                                                    : NULL;
    most = under ? below : tw_value_is_a(most, TW_VALUE_NUMBER) ? most : NULL;
    if (least == NULL && most == NULL) {
        return tw_grammar_any_number(maker, integer);
    }
    return tw_rule_of(&maker->rules, "range", true,
                      tw_grammar_between_numbers(maker, least, is_above, most,
                                                 is_below, integer));
}

uint32_t tw_grammar_word(tw_grammar_maker *maker, tw_notation_kind notation,
                         int shared)
{
    tw_rules *rules = &maker->rules;
    const bool python =
        notation == TW_NOTATION_PYTHON || notation == TW_NOTATION_WORDS;
    if (shared == TW_SHARED_NULL) {
        return tw_rule_words(rules, python ? "None" : "null");
    }
    return tw_rule_choice(rules,
                          tw_rule_words(rules, python ? "True" : "true"),
                          tw_rule_words(rules, python ? "False" : "false"), 0);
}

/* ---- values as they are ------------------------------------------------- */

uint32_t tw_grammar_plain_words(tw_grammar_maker *maker,
                                const tw_value *string,
                                tw_notation_kind notation)
{
    tw_rules *rules = &maker->rules;
    const bool cdata =
        notation == TW_NOTATION_TAGGED &&
        tw_goes_into_cdata(maker->description, string->text, string->size);
    const uint32_t number =
        cdata ? maker->cdata : tw_grammar_plain(maker, notation);
    const tw_rule_free *free = tw_rule_free_at(rules, number);
    bool plain = tw_grammar_is_apart(maker, string);
    for (uint32_t i = 0; plain && rules->code == TW_OK && i < free->count;
         i++) {
        plain = strstr(string->text, tw_rule_word(rules, free, i)) == NULL;
    }
    const uint32_t words =
        plain ? tw_rule_said(rules, string->text, string->size) : 0;
    return cdata && plain ? tw_grammar_cdata(maker, words) : words;
}

bool tw_grammar_has_edges(const tw_value *value)
{
    return value->size > 0 &&
           (strchr(" \t\r\n", value->text[0]) != NULL ||
            strchr(" \t\r\n", value->text[value->size - 1]) != NULL);
}

bool tw_grammar_dump(tw_grammar_maker *maker, const tw_value *value,
                     tw_notation_kind notation)
{
    tw_buffer *text = &maker->text;
    const bool python =
        notation == TW_NOTATION_PYTHON ||
        (notation == TW_NOTATION_WORDS && value->kind != TW_VALUE_STRING);
    text->size = 0;
    bool good =
        tw_value_dump(text, maker->memory, value,
                      python ? tw_grammar_python(maker) : &tw_dump_spaced);
    /* Between tags containers are read as JSON, which has no such escape. */
    if (good && python && maker->other_tag.pattern != NULL &&
        tw_python_has_hex(text->data, text->size)) {
        text->size = 0;
        good = tw_value_dump(text, maker->memory, value, &tw_dump_spaced);
    }
    tw_grammar_hide_markers(maker);
    return good;
}

uint32_t tw_grammar_literal(tw_grammar_maker *maker, const tw_value *value,
                            tw_notation_kind notation)
{
    tw_rules *rules = &maker->rules;
    if (tw_notation_is_plain(notation) && value->kind == TW_VALUE_STRING) {
        const uint32_t words = tw_grammar_plain_words(maker, value, notation);
        if (words == 0 && value->size > 0) {
            return 0;
        }
        if (notation == TW_NOTATION_ELEMENT) {
            return tw_grammar_element(maker, words);
        }
        if (notation == TW_NOTATION_TAGGED && tw_grammar_has_edges(value)) {
            return tw_grammar_tagged_string(maker, value, words);
        }
        return notation == TW_NOTATION_TAGGED
                   ? tw_grammar_between(maker, value, words, "string")
                   : tw_grammar_in_quotes(maker, notation, words);
    }
    if (!tw_grammar_dump(maker, value, notation)) {
        tw_rules_no_memory(rules);
        return 0;
    }
    return tw_rule_said(rules, (const char *)maker->text.data,
                        maker->text.size);
}
