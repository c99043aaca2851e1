/* SPDX-License-Identifier: MIT
 *
 * A whole message as rules: reasoning, text that holds no opener, calls, the
 * end.
 *
 * Targets with a lexer see one terminal at a time and do not go back, so that
 * free text and the marker behind it are one terminal.
 */
#include "grammars/frame.h"

/* ---- text and calls ----------------------------------------------------- */

/* The calls, which no free text stands in front of; |apart|: their layout is
 * no part of the token that opens them, since other layout stands there. */
static void add_calls(tw_grammar_maker *maker, const tw_grammar_frame *all,
                      uint32_t choice, bool apart)
{
    tw_rules *rules = &maker->rules;
    for (size_t i = 0; i < all->count; i++) {
        const tw_grammar_calls *calls = &all->calls[i];
        const uint32_t open =
            tw_grammar_opener(maker, all, apart ? "" : calls->front,
                              calls->open, calls->open_size, all->first);
        tw_rule_add(rules, choice,
                    tw_rule_sequence(
                        rules,
                        apart ? tw_grammar_layout(maker, calls->front) : 0,
                        open, tw_rule_call(rules, all->rests[i]),
                        tw_rule_call(rules, all->end)));
    }
}

/* ... and which free text stands in front of. */
static void add_text_and_calls(tw_grammar_maker *maker,
                               const tw_grammar_frame *all, uint32_t choice)
{
    tw_rules *rules = &maker->rules;
    for (size_t i = 0; i < all->count; i++) {
        const tw_grammar_calls *calls = &all->calls[i];
        if (calls->open_size > 0) {
            tw_rule_add(rules, choice,
                        tw_rule_sequence(
                            rules,
                            tw_grammar_text_to(maker, all->free, calls->open,
                                               calls->open_size, all->marked),
                            tw_rule_call(rules, all->rests[i]),
                            tw_rule_call(rules, all->end), 0));
        } else {
            tw_rule_add(rules, choice,
                        tw_rule_sequence(rules,
                                         tw_rule_call(rules, all->rests[i]),
                                         tw_rule_call(rules, all->end), 0, 0));
        }
    }
}

/* Text in a wrapper: what opens it, and what closes it, or NULL. */
static const tw_part *wrapper_of(const tw_pattern *text, const tw_part **close)
{
    const size_t first = text != NULL ? text->first : 0;
    const tw_part *open =
        text != NULL ? tw_pattern_literal(text, first) : NULL;
    *close = open == NULL
                 ? NULL
                 : tw_pattern_literal(text, tw_pattern_next(text, text->hole));
    return open;
}

/* What stands in the wrapper, and its close. */
static uint32_t text_and_close(tw_grammar_maker *maker,
                               const tw_grammar_frame *all,
                               const tw_pattern *text, const tw_part *close)
{
    return tw_pattern_hole(text)->kind == TW_PATTERN_TEXT_JSON
               ? tw_rule_sequence(
                     &maker->rules,
                     tw_grammar_any_string(maker, TW_NOTATION_JSON),
                     tw_rule_sized(&maker->rules, close->text, close->size), 0,
                     0)
               : tw_grammar_text_to(maker, all->free, close->text, close->size,
                                    true);
}

/* The end, which may be missing. */
static uint32_t end_of_message(tw_grammar_maker *maker)
{
    tw_rules *rules = &maker->rules;
    const char *end = maker->description->end;
    const uint32_t stops = tw_grammar_stops(maker, end);
    return stops != 0 && !tw_grammar_is_blank(end)
               ? tw_rule_maybe(
                     rules,
                     tw_rule_sequence(
                         rules, tw_rule_of(rules, "end", true, stops),
                         tw_grammar_layout(maker, tw_grammar_tail(end)), 0, 0))
               : tw_rule_put(rules, TW_RULE_SEQUENCE, 0, 0, 0);
}

/* Calls, or the end, stand behind the text. */
static uint32_t wrapped_text(tw_grammar_maker *maker,
                             const tw_grammar_frame *all,
                             const tw_pattern *text, const tw_part *close)
{
    tw_grammar_frame behind = *all;
    behind.first = false;
    tw_rules *rules = &maker->rules;
    const uint32_t choice = tw_rule_put(rules, TW_RULE_CHOICE, 0, 0, 0);
    const char *gap = maker->description->gap;
    if (close == NULL && !tw_grammar_is_blank(gap)) {
        const uint32_t calls = tw_rule_put(rules, TW_RULE_CHOICE, 0, 0, 0);
        add_calls(maker, &behind, calls, true);
        if (!all->none) {
            tw_rule_add(
                rules, choice,
                tw_rule_sequence(rules,
                                 tw_grammar_text_to(maker, all->free, gap,
                                                    strlen(gap), true),
                                 calls, 0, 0));
        }
        if (!all->due) {
            tw_grammar_add_last_text(maker, choice, all->free, true);
        }
        return tw_rule_sequence(rules,
                                tw_grammar_front(maker, all, text, all->first),
                                choice, 0, 0);
    }
    if (close == NULL) { /* it ends where calls begin, or the message ends */
        if (!all->none && !maker->description->calls_alone) {
            add_text_and_calls(maker, all, choice);
        }
        if (!all->due) {
            tw_grammar_add_last_text(maker, choice, all->free, true);
        }
        return tw_rule_sequence(rules,
                                tw_grammar_front(maker, all, text, all->first),
                                choice, 0, 0);
    }
    const size_t at = tw_pattern_next(text, text->hole);
    const uint32_t closed = tw_rule_sequence(
        rules, tw_grammar_front(maker, all, text, all->first),
        text_and_close(maker, all, text, close),
        tw_grammar_parts(maker, text, at + 1, text->count), 0);
    if (tw_grammar_is_stop(maker, close)) {
        return closed;
    }
    if (!all->none && !maker->description->calls_alone) {
        tw_rule_add(rules, closed,
                    tw_grammar_is_blank(gap) ? tw_grammar_layout(maker, gap)
                                             : 0);
        add_calls(maker, &behind, choice, true);
    }
    if (!all->due) {
        tw_rule_add(rules, choice, end_of_message(maker));
    }
    tw_rule_add(rules, closed, choice);
    return closed;
}

/* All behind reasoning. */
static uint32_t answer_of(tw_grammar_maker *maker, const tw_grammar_frame *all)
{
    tw_rules *rules = &maker->rules;
    const tw_pattern *text = tw_grammar_canonical(&maker->description->text);
    const tw_part *close;
    const bool wrapped = wrapper_of(text, &close) != NULL;
    const uint32_t choice = tw_rule_put(rules, TW_RULE_CHOICE, 0, 0, 0);
    if (wrapped) {
        for (size_t i = 0; i < maker->description->text.count; i++) {
            const tw_pattern *one = &maker->description->text.all[i];
            const bool opens = wrapper_of(one, &close) != NULL;
            const bool ends = maker->description->calls_alone ||
                              (close != NULL && /* no call stands behind */
                               tw_grammar_is_stop(maker, close));
            if (!one->loose && opens && !(all->due && ends)) {
                tw_rule_add(rules, choice,
                            wrapped_text(maker, all, one, close));
            }
        }
        if (!all->none) {
            add_calls(maker, all, choice, true);
        }
        if (!all->due && !all->first) { /* reasoning may be all */
            tw_rule_add(rules, choice, end_of_message(maker));
        }
        return choice;
    }
    if (!all->none && maker->description->calls_alone) {
        add_calls(maker, all, choice, false);
    } else if (!all->none) {
        add_text_and_calls(maker, all, choice);
    }
    if (!all->due) {
        tw_grammar_add_last_text(maker, choice, all->free, all->marked);
    }
    return choice;
}

/* ---- reasoning ---------------------------------------------------------- */

/* Reasoning from behind what opens it. */
static uint32_t inside_of(tw_grammar_maker *maker, const tw_grammar_frame *all,
                          const tw_pattern *pattern)
{
    tw_rules *rules = &maker->rules;
    const size_t at = tw_pattern_next(pattern, pattern->hole);
    const tw_part *close = tw_pattern_literal(pattern, at);
    return close == NULL
               ? 0
               : tw_rule_sequence(
                     rules,
                     tw_grammar_text_to(maker, all->free, close->text,
                                        close->size, true),
                     tw_grammar_parts(maker, pattern, at + 1, pattern->count),
                     0, 0);
}

/* What is written where there is no reasoning. */
static void add_no_reasoning(tw_grammar_maker *maker, uint32_t choice,
                             const char *words)
{
    tw_rules *rules = &maker->rules;
    const tw_pattern *pattern =
        tw_grammar_canonical(&maker->description->reasoning);
    const tw_part *open = pattern != NULL ? tw_pattern_open(pattern) : NULL;
    const size_t blank = strspn(words, " \t\r\n");
    /* Reasoning that is empty is written so, too. */
    const bool same =
        open != NULL && strncmp(words + blank, open->text, open->size) == 0;
    if (words[0] != 0 && !tw_grammar_is_blank(words) && !same) {
        const char *tail = tw_grammar_tail(words);
        const uint32_t front = tw_rule_sized(rules, words, blank);
        tw_rule_add(
            rules, choice,
            tw_rule_sequence(
                rules,
                tw_rule_of(rules, "open", true,
                           tw_rule_sequence(
                               rules, tw_rule_maybe(rules, front),
                               tw_rule_sized(rules, words + blank,
                                             (size_t)(tail - words) - blank),
                               0, 0)),
                tw_grammar_layout(maker, tail), 0, 0));
    }
}

/* Does the prompt end inside reasoning, of which the format has some? */
static bool is_inside(const tw_grammar_maker *maker,
                      const tw_grammar_frame *all)
{
    return tw_grammar_canonical(&maker->description->reasoning) != NULL &&
           (maker->options->start == TW_GRAMMAR_REASONING ||
            (maker->options->start == TW_GRAMMAR_ANYWHERE &&
             all->starts_inside));
}

/* Reasoning; 0: the format has none. */
static uint32_t reasoning_of(tw_grammar_maker *maker,
                             const tw_grammar_frame *all)
{
    tw_rules *rules = &maker->rules;
    const tw_description *description = maker->description;
    const tw_patterns *patterns = &description->reasoning;
    const uint32_t choice = tw_rule_put(rules, TW_RULE_CHOICE, 0, 0, 0);
    const bool inside = is_inside(maker, all);
    for (size_t i = 0; i < patterns->count; i++) {
        const tw_pattern *pattern = &patterns->all[i];
        const bool open = tw_pattern_open(pattern) == NULL;
        if (pattern->loose || (inside && i > 0) || (open && !inside)) {
            continue;
        }
        const uint32_t body = inside_of(maker, all, pattern);
        /* What the prompt has opened is not closed before it begins. */
        char words[TW_GRAMMAR_RUN];
        size_t next;
        const size_t size =
            tw_grammar_run(pattern, pattern->first, words, &next);
        const bool begins = tw_grammar_written(maker, words, size) < size ||
                            tw_pattern_next(pattern, next - 1) < pattern->hole;
        if (body != 0) {
            tw_rule_add(
                rules, choice,
                inside
                    ? body
                    : tw_rule_sequence(
                          rules, tw_grammar_front(maker, all, pattern, begins),
                          body, 0, 0));
        }
    }
    if (!inside) {
        add_no_reasoning(maker, choice, description->no_reasoning);
        add_no_reasoning(maker, choice, description->no_reasoning_of_call);
    }
    if (rules->code != TW_OK || tw_rule_node_at(rules, choice)->first == 0) {
        return 0;
    }
    return choice;
}

/* Rules that several ways to the calls have in common. */
static void share_calls(tw_grammar_maker *maker, tw_grammar_frame *all)
{
    tw_rules *rules = &maker->rules;
    for (size_t i = 0; i < all->count; i++) {
        all->rests[i] = tw_rule_new(rules, "calls", false);
        tw_rule_is(rules, all->rests[i], all->calls[i].rest);
    }
    const uint32_t end = maker->text_behind
                             ? tw_grammar_text_behind(maker, all)
                             : tw_grammar_end_of_calls(maker);
    all->end = tw_rule_new(rules, "end", false);
    tw_rule_is(rules, all->end,
               end != 0 ? end : tw_rule_put(rules, TW_RULE_SEQUENCE, 0, 0, 0));
}

/* ---- the message -------------------------------------------------------- */

static bool is_choice(const tw_grammar_maker *maker, const char *word)
{
    return maker->options->choice != NULL &&
           strcmp(maker->options->choice, word) == 0;
}

static bool has_id(const tw_pattern *pattern)
{
    bool found = false;
    for (size_t i = 0; i < pattern->count; i++) {
        found |= pattern->parts[i].kind == TW_PATTERN_ID;
    }
    return found;
}

/* Do both open with the same words? */
static bool is_same(const tw_pattern *left, const tw_pattern *right)
{
    char one[TW_GRAMMAR_RUN];
    char other[TW_GRAMMAR_RUN];
    size_t next;
    tw_grammar_run(left, left->first, one, &next);
    tw_grammar_run(right, right->first, other, &next);
    return strcmp(one, other) == 0;
}

/* Is an earlier pattern written in place of the |i|-th one?  It is if it opens
 * alike, unless one of them alone has an id. */
static bool is_hidden(const tw_patterns *patterns, size_t i)
{
    const tw_pattern *pattern = &patterns->all[i];
    bool hidden = pattern->loose;
    for (size_t k = 0; k < i; k++) {
        const tw_pattern *before = &patterns->all[k];
        hidden |= is_same(before, pattern) &&
                  tw_pattern_hole(before)->kind != TW_PATTERN_RAW &&
                  has_id(before) == has_id(pattern);
    }
    return hidden;
}

/* Does something open the calls of the pattern? */
static bool is_marked(const tw_grammar_maker *maker, const tw_pattern *pattern)
{
    char words[TW_GRAMMAR_RUN];
    size_t next;
    const tw_pattern *around =
        tw_grammar_canonical(&maker->description->calls);
    pattern = around != NULL ? around : pattern;
    return tw_grammar_run(pattern, pattern->first, words, &next) > 0;
}

static void find_calls(tw_grammar_maker *maker, tw_grammar_frame *all)
{
    const tw_patterns *patterns = &maker->description->call;
    all->marked = true;
    /* Text that is no call does not begin as one where tools are declared. */
    for (size_t i = 0;
         all->none && i < patterns->count && maker->tools->first != NULL;
         i++) {
        all->marked &=
            patterns->all[i].loose || is_marked(maker, &patterns->all[i]);
    }
    for (size_t i = 0; i < patterns->count && !all->none; i++) {
        tw_grammar_calls *calls = &all->calls[all->count];
        if (!is_hidden(patterns, i) && tw_grammar_calls_of(maker, i, calls)) {
            all->marked &= calls->open_size > 0;
            all->count++;
        }
    }
}

void tw_grammar_message(tw_grammar_maker *maker)
{
    tw_rules *rules = &maker->rules;
    tw_grammar_frame all = {0};
    const uint32_t root = tw_rule_new(rules, "root", false);
    all.none = is_choice(maker, "none") || maker->tools->first == NULL;
    all.due = maker->options->choice != NULL && !is_choice(maker, "auto") &&
              !is_choice(maker, "none");
    all.starts_inside = tw_frame_starts_inside(maker->description);
    maker->lines = maker->description->json == TW_JSON_LINES ||
                   maker->description->json == TW_JSON_INDENTED;
    if (maker->options->start == TW_GRAMMAR_REASONING &&
        tw_grammar_canonical(&maker->description->reasoning) == NULL) {
        tw_grammar_fail(maker, TW_ERROR_CANNOT_CARRY, NULL,
                        "start: the format has no reasoning");
        return;
    }
    tw_grammar_find_free(maker, &all);
    tw_grammar_find_tags(maker);
    find_calls(maker, &all);
    share_calls(maker, &all);
    const uint32_t reasoning = reasoning_of(maker, &all);
    const uint32_t choice = tw_rule_put(rules, TW_RULE_CHOICE, 0, 0, 0);
    if (reasoning != 0) {
        tw_rule_add(
            rules, choice,
            tw_rule_sequence(rules, reasoning, answer_of(maker, &all), 0, 0));
    }
    if (!is_inside(maker, &all)) {
        all.first = true;
        tw_rule_add(rules, choice, answer_of(maker, &all));
    }
    tw_rule_is(rules, root, choice);
}
