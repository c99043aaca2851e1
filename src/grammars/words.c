/* SPDX-License-Identifier: MIT
 *
 * What stands between values and around them: layout, commas, counts, and what
 * free text does not hold.
 */
#include "grammars/make.h"

/* ---- layout ------------------------------------------------------------- */

uint32_t tw_grammar_layout(tw_grammar_maker *maker, const char *text)
{
    return text[0] == 0 ? 0
           : tw_grammar_is_blank(text)
               ? tw_rule_maybe(&maker->rules,
                               tw_rule_words(&maker->rules, text))
               : tw_rule_words(&maker->rules, text);
}

void tw_grammar_add_parts(tw_grammar_maker *maker, uint32_t node,
                          const tw_pattern *pattern, size_t from, size_t to)
{
    for (size_t i = from; i < to; i++) {
        const tw_part *part = &pattern->parts[i];
        tw_rule_add(&maker->rules, node,
                    part->kind == TW_PATTERN_LITERAL
                        ? tw_rule_words(&maker->rules, part->text)
                    : part->kind == TW_PATTERN_LAYOUT
                        ? tw_grammar_layout(maker, part->text)
                        : 0);
    }
}

size_t tw_grammar_run(const tw_pattern *pattern, size_t at,
                      char out[TW_GRAMMAR_RUN], size_t *next)
{
    size_t size = 0;
    while (at < pattern->count &&
           pattern->parts[at].kind == TW_PATTERN_LITERAL &&
           size + pattern->parts[at].size < TW_GRAMMAR_RUN) {
        memcpy(out + size, pattern->parts[at].text, pattern->parts[at].size);
        size += pattern->parts[at++].size;
    }
    out[size] = 0;
    *next = at;
    return size;
}

void tw_grammar_forbid(tw_grammar_maker *maker, unsigned roles)
{
    const tw_markers *markers = &maker->description->markers;
    for (size_t i = 0; i < markers->count; i++) {
        if ((markers->all[i].roles & roles) != 0) {
            tw_rule_free_add(&maker->rules, markers->all[i].text,
                             markers->all[i].size);
        }
    }
}

uint32_t tw_grammar_quoted(tw_grammar_maker *maker)
{
    if (maker->quoted == 0) {
        const uint32_t free = tw_rule_free_new(&maker->rules);
        tw_rule_free_add(&maker->rules, maker->quote, strlen(maker->quote));
        tw_grammar_forbid(maker, TW_AT_STOP);
        tw_rule_free_end(&maker->rules);
        maker->quoted = free + 1;
    }
    return maker->quoted - 1;
}

/* ---- rules that are made once ------------------------------------------- */

uint32_t tw_grammar_shared(tw_grammar_maker *maker, tw_notation_kind notation,
                           int shared)
{
    const uint32_t rule = maker->shared[notation][shared];
    return rule != 0 ? tw_rule_call(&maker->rules, rule) : 0;
}

uint32_t tw_grammar_share(tw_grammar_maker *maker, tw_notation_kind notation,
                          int shared, const char *name, bool token,
                          uint32_t body)
{
    const uint32_t rule = tw_rule_new(&maker->rules, name, token);
    tw_rule_is(&maker->rules, rule, body);
    maker->shared[notation][shared] = rule;
    return tw_rule_call(&maker->rules, rule);
}

/* ---- what stands between values ----------------------------------------- */

uint32_t tw_grammar_line(tw_grammar_maker *maker)
{
    enum { BLANKS = 64 };
    tw_rules *rules = &maker->rules;
    if (!maker->lines) {
        return 0;
    }
    const uint32_t blanks =
        tw_rule_repeat(rules, tw_rule_words(rules, " "), 0, BLANKS);
    return tw_rule_maybe(
        rules,
        tw_rule_sequence(rules, tw_rule_words(rules, "\n"), blanks, 0, 0));
}

uint32_t tw_grammar_comma(tw_grammar_maker *maker, tw_notation_kind notation)
{
    tw_rules *rules = &maker->rules;
    const uint32_t before =
        tw_grammar_shared(maker, notation, TW_SHARED_COMMA);
    if (before != 0) {
        return before;
    }
    const bool json = notation == TW_NOTATION_JSON;
    uint32_t blank = notation == TW_NOTATION_GEMMA
                         ? 0
                         : tw_rule_maybe(rules, tw_rule_words(rules, " "));
    if (json && maker->lines) {
        blank = tw_rule_choice(rules, blank, tw_grammar_line(maker), 0);
    }
    return tw_grammar_share(
        maker, notation, TW_SHARED_COMMA, "comma", true,
        tw_rule_sequence(rules, tw_rule_words(rules, ","), blank, 0, 0));
}

uint32_t tw_grammar_colon(tw_grammar_maker *maker, const char *colon)
{
    tw_rules *rules = &maker->rules;
    return tw_rule_sequence(rules, tw_rule_words(rules, colon),
                            tw_rule_maybe(rules, tw_rule_words(rules, " ")), 0,
                            0);
}

uint32_t tw_grammar_count(tw_grammar_maker *maker, const tw_value *schema,
                          const char *name, uint32_t missing)
{
    enum { DIGITS = 7 };
    const tw_value *count = tw_keyword_of(schema, name);
    uint32_t number = 0;
    if (count == NULL) {
        return missing;
    }
    bool good = count->kind == TW_VALUE_NUMBER && count->size <= DIGITS;
    for (size_t i = 0; good && i < count->size; i++) {
        good = count->text[i] >= '0' && count->text[i] <= '9';
        number = number * 10 + (uint32_t)(count->text[i] - '0');
    }
    if (!good) {
        tw_grammar_cannot(maker, count, "no grammar counts so far");
        return missing;
    }
    return number;
}
