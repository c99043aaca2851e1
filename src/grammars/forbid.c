/* SPDX-License-Identifier: MIT
 *
 * What free text does not hold: openers of calls, what ends the message, and
 * between tags what closes a value.
 */
#include "grammars/frame.h"

enum {
    MARKERS = TW_AT_CALL | TW_AT_CALL_END | TW_AT_SECTION | TW_AT_SECTION_END |
              TW_AT_OUTSIDE | TW_AT_REASONING_END | TW_AT_STOP
};

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
            const size_t first = pattern->first;
            const tw_part *open = tw_pattern_literal(pattern, first);
            if (open != NULL && !pattern->loose) {
                tw_rule_free_add(&maker->rules, open->text,
                                 pattern->plain
                                     ? open->size
                                     : pattern->parts[first].marker);
            }
        }
    }
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

/* No marker stands in text or reasoning: one that closes nothing is framing
 * for a reader, too. */
void tw_grammar_find_free(tw_grammar_maker *maker, tw_grammar_frame *all)
{
    all->free = tw_rule_free_new(&maker->rules);
    forbid_calls(maker);
    forbid_end(maker);
    tw_grammar_forbid(maker, MARKERS);
    forbid_words(maker, maker->description->tokens);
    tw_rule_free_end(&maker->rules);
    maker->in_strings = all->free;
}

/* What a value between tags does not hold: its close, another's open, what
 * ends the message.  All else in it is its own. */
static uint32_t free_of_tags(tw_grammar_maker *maker, bool entities)
{
    const tw_patterns *all = &maker->description->argument;
    const uint32_t free = tw_rule_free_new(&maker->rules);
    for (size_t i = 0; i < all->count; i++) {
        const tw_pattern *pattern = &all->all[i];
        const tw_part *close = tw_pattern_literal(
            pattern, tw_pattern_next(pattern, pattern->hole));
        const size_t first = pattern->first;
        const tw_part *open = tw_pattern_literal(pattern, first);
        if (close != NULL && !pattern->loose) {
            tw_rule_free_add(&maker->rules, close->text, close->size);
        }
        if (open != NULL && !pattern->loose) {
            tw_rule_free_add(&maker->rules, open->text,
                             pattern->parts[first].marker);
        }
    }
    if (entities) {
        tw_rule_free_add(&maker->rules, "<", 1);
        tw_rule_free_add(&maker->rules, "&", 1);
    }
    forbid_end(maker);
    tw_grammar_forbid(maker, TW_AT_STOP);
    tw_rule_free_end(&maker->rules);
    return free;
}

static void find_tag_patterns(tw_grammar_maker *maker)
{
    const tw_patterns *all = &maker->description->argument;
    for (size_t i = 0; i < all->count; i++) {
        const tw_pattern *pattern = &all->all[i];
        const uint8_t hole = tw_pattern_hole(pattern)->kind;
        if (pattern->loose) {
            continue;
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
}

void tw_grammar_find_tags(tw_grammar_maker *maker)
{
    const tw_description *description = maker->description;
    const bool entities = description->entities == TW_ENTITIES_ALL;
    const uint32_t free = free_of_tags(maker, entities);
    find_tag_patterns(maker);
    maker->string_tag.free = maker->other_tag.free = free;
    if (maker->string_tag.pattern != NULL && description->call.count > 0 &&
        tw_pattern_hole(&description->call.all[0])->kind ==
            TW_PATTERN_ARGUMENTS) {
        maker->marks = true;
        maker->in_strings = entities ? free_of_tags(maker, false) : free;
    }
    for (size_t i = 0; i < maker->description->call.count; i++) {
        const tw_part *hole =
            tw_pattern_hole(&maker->description->call.all[i]);
        if (hole->kind == TW_PATTERN_ELEMENTS && maker->mark == NULL) {
            maker->mark = hole->text;
            maker->element_free = tw_rule_free_new(&maker->rules);
            tw_rule_free_add(&maker->rules, hole->text, hole->size);
            forbid_end(maker);
            tw_rule_free_end(&maker->rules);
            maker->marks = true;
            maker->in_strings = maker->element_free;
        }
    }
    maker->cdata = tw_rule_free_new(&maker->rules);
    tw_rule_free_add(&maker->rules, TW_CDATA_CLOSE, strlen(TW_CDATA_CLOSE));
    forbid_end(maker);
    tw_rule_free_end(&maker->rules);
}
