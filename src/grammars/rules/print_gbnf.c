/* SPDX-License-Identifier: MIT
 *
 * Rules as GBNF: what llama.cpp takes, and XGrammar as EBNF.
 */
#include "grammars/rules/print.h"
#include "schema/regex_code.h"

/* ---- names -------------------------------------------------------------- */

static void put_name(const tw_rule_out *out, uint32_t number)
{
    if (number == 0) {
        tw_rule_out_text(out, "root");
        return;
    }
    tw_rule_out_text(out, tw_rule_at(out->rules, number)->name);
    tw_rule_out_text(out, "-");
    tw_rule_out_number(out, number);
}

static void put_words(const tw_rule_out *out, const char *text, size_t size)
{
    const char *end = text + size;
    tw_rule_out_text(out, "\"");
    while (text < end) {
        size_t bytes;
        const uint32_t point = tw_regex_point(text, end, &bytes);
        tw_rule_out_gbnf_point(out, point, "\"\\");
        text += bytes;
    }
    tw_rule_out_text(out, "\"");
}

/* ---- nodes -------------------------------------------------------------- */

static void put_node(const tw_rule_out *out, uint32_t number, size_t depth);

/* In brackets where what stands around would bind tighter. */
static void put_group(const tw_rule_out *out, const tw_rule_node *node,
                      size_t depth)
{
    const bool alone = node->first == node->last;
    tw_rule_out_text(out, alone ? "" : "(");
    tw_rule_out_parts(out, node, depth, put_node);
    tw_rule_out_text(out, alone ? "" : ")");
}

static void put_repeat(const tw_rule_out *out, const tw_rule_node *node,
                       size_t depth)
{
    const tw_rule_node *part = tw_rule_node_at(out->rules, node->first);
    const bool alone = part->kind == TW_RULE_SET || part->kind == TW_RULE_CALL;
    tw_rule_out_text(out, alone ? "" : "(");
    put_node(out, node->first, depth + 1);
    tw_rule_out_text(out, alone ? "" : ")");
    tw_rule_out_times(out, node);
}

static void put_node(const tw_rule_out *out, uint32_t number, size_t depth)
{
    const tw_rules *rules = out->rules;
    const tw_rule_node *node = tw_rule_node_at(rules, number);
    if (depth > TW_RULE_DEPTH) {
        out->rules->code = TW_ERROR_LIMIT;
        return;
    }
    switch (node->kind) {
    case TW_RULE_WORDS: tw_rule_out_words(out, node, put_words); break;
    case TW_RULE_SET:
        tw_rule_out_gbnf_set(out, tw_rule_ranges(rules, node), node->b,
                             node->c != 0);
        break;
    case TW_RULE_FREE:
        tw_rule_out_text(out, "free-");
        tw_rule_out_number(out, node->a);
        break;
    case TW_RULE_CALL: put_name(out, node->a); break;
    case TW_RULE_REPEAT: put_repeat(out, node, depth); break;
    default: put_group(out, node, depth); break;
    }
}

void tw_rules_print_gbnf(tw_rules *rules, tw_buffer *text)
{
    static const tw_rule_style style = {"# ", " ::= ", put_name, put_node,
                                        tw_rules_print_free};
    const tw_rule_out out = {rules, text};
    tw_rule_out_all(&out, &style);
}

/* ---- for XGrammar ------------------------------------------------------- */

/* What a string cannot hold between its escapes. */
static void put_apart(const tw_rule_out *out, char quote)
{
    const char ends[] = {quote, '\\'};
    for (size_t i = 0; i < sizeof ends; i++) {
        tw_rule_out_text(out, i == 0 ? "" : ", ");
        put_words(out, &ends[i], 1);
    }
    for (char control = 0; control < 0x20; control++) {
        tw_rule_out_text(out, ", ");
        put_words(out, &control, 1);
    }
}

/* XGrammar looks for words by itself, and masks its vocabulary for that some
 * thirty times as fast as for the automaton's rules. */
static void put_dispatch(const tw_rule_out *out, uint32_t number)
{
    const tw_rule_free *free = tw_rule_free_at(out->rules, number);
    if (free->looks != 0 || (free->count == 0 && free->quote == 0)) {
        tw_rules_print_free(out, number);
        return;
    }
    tw_rule_out_text(out, "free-");
    tw_rule_out_number(out, number);
    tw_rule_out_text(out,
                     " ::= TagDispatch(loop_after_dispatch=false, excludes=(");
    for (uint32_t i = 0; i < free->count; i++) {
        const char *word = tw_rule_word(out->rules, free, i);
        tw_rule_out_text(out, i == 0 ? "" : ", ");
        put_words(out, word, strlen(word));
    }
    if (free->quote != 0) {
        tw_rule_out_text(out, free->count > 0 ? ", " : "");
        put_apart(out, (char)free->quote);
    }
    tw_rule_out_text(out, "))\n");
}

void tw_rules_print_dispatch(tw_rules *rules, tw_buffer *text)
{
    static const tw_rule_style style = {"# ", " ::= ", put_name, put_node,
                                        put_dispatch};
    const tw_rule_out out = {rules, text};
    tw_rule_out_all(&out, &style);
}
