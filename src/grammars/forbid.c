/* SPDX-License-Identifier: MIT
 *
 * What free text does not hold: openers of calls, what ends the message, and
 * between tags what closes a value.
 */
#include "grammars/frame.h"

/* ---- what free text does not hold --------------------------------------- */

static void forbid_words(tw_grammar_maker *maker, const char *const *words)
{
    for (; *words != NULL; words++) {
        tw_rule_free_add(&maker->rules, *words, strlen(*words));
    }
}

/* The openers of all calls, as they are written. */
static void forbid_calls(tw_grammar_maker *maker)
{
    const tw_description *description = maker->description;
    const tw_patterns *const both[] = {&description->calls,
                                       &description->call};
    for (size_t k = 0; k < 2; k++) {
        for (size_t i = 0; i < both[k]->count; i++) {
            const tw_pattern *pattern = &both[k]->all[i];
            const size_t first = tw_pattern_first(pattern);
            const tw_part *open = tw_pattern_literal(pattern, first);
            if (open != NULL && !pattern->loose) {
                tw_rule_free_add(&maker->rules, open->text,
                                 pattern->plain
                                     ? open->size
                                     : tw_pattern_marker(pattern, first));
            }
        }
    }
    tw_grammar_forbid(maker, TW_AT_CALL | TW_AT_SECTION);
}

static void forbid_end(tw_grammar_maker *maker)
{
    const tw_description *description = maker->description;
    const char *const ends[] = {description->end, description->end_of_call,
                                description->between};
    forbid_words(maker, description->stops);
    for (size_t i = 0; i < 3; i++) {
        const char *at = ends[i] + strspn(ends[i], " \t\r\n");
        size_t size = strlen(at);
        while (size > 0 && strchr(" \t\r\n", at[size - 1]) != NULL) {
            size--;
        }
        if (at[0] == '<' || at[0] == '[') {
            tw_rule_free_add(&maker->rules, at, size);
        }
    }
}

void tw_grammar_find_free(tw_grammar_maker *maker, tw_grammar_frame *all)
{
    all->text_free = tw_rule_free_new(&maker->rules);
    forbid_calls(maker);
    forbid_end(maker);
    tw_grammar_forbid(maker, TW_AT_OUTSIDE | TW_AT_STOP);
    forbid_words(maker, maker->description->tokens);
    all->reasoning_free = tw_rule_free_new(&maker->rules);
    forbid_calls(maker);
    forbid_end(maker);
    tw_grammar_forbid(maker, TW_AT_REASONING_END | TW_AT_STOP);
}

/* What a value between tags does not hold: its close, another's open, what
 * ends the message.  All else in it is its own. */
void tw_grammar_find_tags(tw_grammar_maker *maker)
{
    const tw_patterns *all = &maker->description->argument;
    const uint32_t free = tw_rule_free_new(&maker->rules);
    maker->string_tag.free = maker->other_tag.free = free;
    for (size_t i = 0; i < all->count; i++) {
        const tw_pattern *pattern = &all->all[i];
        const uint8_t hole = tw_pattern_hole(pattern)->kind;
        const tw_part *close = tw_pattern_literal(
            pattern, tw_pattern_next(pattern, pattern->hole));
        const size_t first = tw_pattern_first(pattern);
        const tw_part *open = tw_pattern_literal(pattern, first);
        if (pattern->loose) {
            continue;
        }
        if (close != NULL) {
            tw_rule_free_add(&maker->rules, close->text, close->size);
        }
        if (open != NULL) {
            tw_rule_free_add(&maker->rules, open->text,
                             tw_pattern_marker(pattern, first));
        }
        if (hole != TW_PATTERN_VALUE_JSON &&
            maker->string_tag.pattern == NULL) {
            maker->string_tag.pattern = pattern;
        }
        if (hole != TW_PATTERN_VALUE_TEXT &&
            maker->other_tag.pattern == NULL) {
            maker->other_tag.pattern = pattern;
        }
    }
    if (maker->description->entities == TW_ENTITIES_ALL) {
        tw_rule_free_add(&maker->rules, "<", 1);
        tw_rule_free_add(&maker->rules, "&", 1);
    }
    forbid_end(maker);
    tw_grammar_forbid(maker, TW_AT_STOP);
    for (size_t i = 0; i < maker->description->call.count; i++) {
        const tw_part *hole =
            tw_pattern_hole(&maker->description->call.all[i]);
        if (hole->kind == TW_PATTERN_ELEMENTS && maker->mark == NULL) {
            maker->mark = hole->text;
            maker->element_free = tw_rule_free_new(&maker->rules);
            tw_rule_free_add(&maker->rules, hole->text, hole->size);
            forbid_end(maker);
        }
    }
    maker->cdata = tw_rule_free_new(&maker->rules);
    tw_rule_free_add(&maker->rules, "]]>", 3);
    forbid_end(maker);
}
