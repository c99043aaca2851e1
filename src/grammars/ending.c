/* SPDX-License-Identifier: MIT
 *
 * What stands at the end of a message.
 */
#include "grammars/frame.h"

/* ---- the end ------------------------------------------------------------ */

/* What stands at the end: |words| without white space, or a stop. */
uint32_t tw_grammar_stops(tw_grammar_maker *maker, const char *words)
{
    tw_rules *rules = &maker->rules;
    const tw_description *description = maker->description;
    const uint32_t choice = tw_rule_put(rules, TW_RULE_CHOICE, 0, 0, 0);
    const char *at = words + strspn(words, " \t\r\n");
    size_t size = strlen(at);
    while (size > 0 && strchr(" \t\r\n", at[size - 1]) != NULL) {
        size--;
    }
    bool same = size == 0;
    tw_rule_add(rules, choice, tw_rule_sized(rules, at, size));
    for (size_t i = 0; description->stops[i] != NULL; i++) {
        const char *stop = description->stops[i];
        same = strlen(stop) == size && memcmp(stop, at, size) == 0;
        tw_rule_add(rules, choice, same ? 0 : tw_rule_words(rules, stop));
    }
    return rules->code == TW_OK && tw_rule_node_at(rules, choice)->first != 0
               ? choice
               : 0;
}

/* The white space behind the last word. */
const char *tw_grammar_tail(const char *words)
{
    const char *at = words + strlen(words);
    while (at > words && strchr(" \t\r\n", at[-1]) != NULL) {
        at--;
    }
    return at;
}

bool tw_grammar_is_stop(const tw_grammar_maker *maker, const tw_part *close)
{
    const char *const *stop = maker->description->stops;
    while (*stop != NULL && strcmp(*stop, close->text) != 0) {
        stop++;
    }
    return *stop != NULL;
}

/* Is the last word of calls a stop? */
static bool ends_with_stop(const tw_grammar_maker *maker)
{
    const tw_description *description = maker->description;
    const tw_pattern *pattern = tw_grammar_canonical(&description->calls);
    pattern =
        pattern != NULL ? pattern : tw_grammar_canonical(&description->call);
    const tw_part *last =
        pattern != NULL ? &pattern->parts[pattern->count - 1] : NULL;
    return last != NULL && last->kind == TW_PATTERN_LITERAL &&
           tw_grammar_is_stop(maker, last);
}

/* Behind calls; 0: nothing may stand there. */
uint32_t tw_grammar_end_of_calls(tw_grammar_maker *maker)
{
    tw_rules *rules = &maker->rules;
    const char *words = maker->description->end_of_call;
    const uint32_t stops =
        ends_with_stop(maker) ? 0 : tw_grammar_stops(maker, words);
    if (stops == 0) {
        return tw_grammar_layout(maker, words);
    }
    const size_t blank = strspn(words, " \t\r\n");
    const uint32_t front =
        words[blank] == 0
            ? 0
            : tw_rule_maybe(rules, tw_rule_sized(rules, words, blank));
    const uint32_t end =
        tw_rule_sequence(rules, front, tw_rule_of(rules, "end", true, stops),
                         tw_grammar_layout(maker, tw_grammar_tail(words)), 0);
    const tw_pattern *call = tw_grammar_canonical(&maker->description->call);
    /* Where a stop alone closes a call, one is due. */
    return call != NULL && tw_call_ends_message(maker->description, call)
               ? end
               : tw_rule_maybe(rules, end);
}

/* Behind calls, where text may stand. */
uint32_t tw_grammar_text_behind(tw_grammar_maker *maker,
                                const tw_grammar_frame *all)
{
    tw_rules *rules = &maker->rules;
    const uint32_t stops =
        tw_grammar_stops(maker, maker->description->end_of_call);
    const uint32_t choice = tw_rule_put(rules, TW_RULE_CHOICE, 0, 0, 0);
    tw_rule_add(
        rules, choice,
        tw_rule_of(rules, "text", true, tw_rule_free_text(rules, all->free)));
    tw_rule_add(
        rules, choice,
        tw_rule_of(rules, "text", true,
                   tw_rule_sequence(rules, tw_rule_free_text(rules, all->free),
                                    stops, 0, 0)));
    return choice;
}

/* Text that is the last of its message, |first| in front of it. */
void tw_grammar_add_last_text(tw_grammar_maker *maker, uint32_t choice,
                              uint32_t free, bool marked)
{
    tw_rules *rules = &maker->rules;
    const char *words = maker->description->end;
    const uint32_t first = marked ? 0 : tw_grammar_plain_first(maker, free);
    const uint32_t again = marked ? 0 : tw_grammar_plain_first(maker, free);
    const uint32_t stops = tw_grammar_stops(maker, words);
    const uint32_t whole =
        tw_rule_sequence(rules, first, tw_rule_free_text(rules, free), 0, 0);
    tw_rule_add(rules, choice,
                tw_rule_of(rules, "text", true,
                           marked ? whole : tw_rule_maybe(rules, whole)));
    if (stops == 0) {
        return;
    }
    const uint32_t text =
        tw_rule_sequence(rules, again, tw_rule_free_text(rules, free), 0, 0);
    tw_rule_add(
        rules, choice,
        tw_rule_sequence(
            rules,
            tw_rule_of(rules, "text", true,
                       tw_rule_sequence(
                           rules, marked ? text : tw_rule_maybe(rules, text),
                           stops, 0, 0)),
            tw_grammar_layout(maker, tw_grammar_tail(words)), 0, 0));
}
