/* SPDX-License-Identifier: MIT
 *
 * One character of a string in each notation, with its escapes.
 */
#include "grammars/make.h"

/* ---- characters --------------------------------------------------------- */

static const tw_rule_range hexes[] = {{'0', '9'}, {'A', 'F'}, {'a', 'f'}};

static uint32_t hex(tw_grammar_maker *maker, uint32_t count)
{
    return tw_rule_repeat(&maker->rules,
                          tw_rule_set(&maker->rules, hexes, 3, false), count,
                          count);
}

/* \uXXXX, of a character or of both halves of one. */
static uint32_t unicode_escape(tw_grammar_maker *maker)
{
    static const tw_rule_range others[] = {
        {'0', '9'}, {'A', 'C'}, {'E', 'F'}, {'a', 'c'}, {'e', 'f'}};
    static const tw_rule_range d[] = {{'D', 'D'}, {'d', 'd'}};
    static const tw_rule_range low[] = {{'0', '7'}};
    static const tw_rule_range first[] = {{'8', '9'}, {'A', 'B'}, {'a', 'b'}};
    static const tw_rule_range second[] = {{'C', 'F'}, {'c', 'f'}};
    tw_rules *rules = &maker->rules;
    const uint32_t plain = tw_rule_sequence(
        rules, tw_rule_set(rules, others, 5, false), hex(maker, 3), 0, 0);
    const uint32_t below =
        tw_rule_sequence(rules, tw_rule_set(rules, d, 2, false),
                         tw_rule_set(rules, low, 1, false), hex(maker, 2), 0);
    const uint32_t pair =
        tw_rule_sequence(rules, tw_rule_set(rules, d, 2, false),
                         tw_rule_set(rules, first, 3, false), hex(maker, 2),
                         tw_rule_words(rules, "\\u"));
    tw_rule_add(rules, pair, tw_rule_set(rules, d, 2, false));
    tw_rule_add(rules, pair, tw_rule_set(rules, second, 2, false));
    tw_rule_add(rules, pair, hex(maker, 2));
    return tw_rule_sequence(rules, tw_rule_words(rules, "\\u"),
                            tw_rule_choice(rules, plain, below, pair), 0, 0);
}

/* What a notation writes otherwise than it stands, sorted. */
enum { LEADS_MOST = 40 };

typedef struct escaped {
    tw_rule_range list[LEADS_MOST];
    size_t count;
} escaped;

static void add_escaped(escaped *all, uint32_t least, uint32_t most)
{
    size_t at = all->count;
    if (all->count == LEADS_MOST) {
        return;
    }
    for (size_t i = 0; i < all->count; i++) {
        if (all->list[i].least == least) {
            return;
        }
    }
    while (at > 0 && all->list[at - 1].least > least) {
        all->list[at] = all->list[at - 1];
        at--;
    }
    all->list[at].least = least;
    all->list[at].most = most;
    all->count++;
}

/* The first characters of all that free text does not hold. */
static void add_leads(const tw_grammar_maker *maker, escaped *all,
                      uint32_t number)
{
    const tw_rule_free *free = tw_rule_free_at(&maker->rules, number);
    const uint32_t words = maker->rules.code == TW_OK ? free->count : 0;
    for (uint32_t i = 0; i < words; i++) {
        const char *word = tw_rule_word(&maker->rules, free, i);
        size_t size;
        const uint32_t point =
            tw_regex_point(word, word + strlen(word), &size);
        add_escaped(all, point, point);
    }
}

static void list_escaped(tw_grammar_maker *maker, tw_notation_kind notation,
                         escaped *all)
{
    all->count = 0;
    switch (notation) {
    case TW_NOTATION_TAGGED:
        add_leads(maker, all, maker->string_tag.free);
        break;
    case TW_NOTATION_ELEMENT:
        add_leads(maker, all, maker->element_free);
        break;
    case TW_NOTATION_GEMMA:
        add_leads(maker, all, tw_grammar_quoted(maker));
        break;
    case TW_NOTATION_PYTHON:
    case TW_NOTATION_MIXED:
        add_escaped(all, 0, 0x1F);
        add_escaped(all, '\'', '\'');
        add_escaped(all, '\\', '\\');
        break;
    default:
        add_escaped(all, 0, 0x1F);
        add_escaped(all, '"', '"');
        add_escaped(all, '\\', '\\');
        break;
    }
}

/* Escapes of two bytes. */
static uint32_t short_escape(tw_grammar_maker *maker,
                             tw_notation_kind notation, uint32_t quote)
{
    static const tw_rule_range json[] = {{'"', '"'}, {'/', '/'}, {'\\', '\\'},
                                         {'b', 'b'}, {'f', 'f'}, {'n', 'n'},
                                         {'r', 'r'}, {'t', 't'}};
    const tw_rule_range python[] = {
        {quote, quote}, {'\\', '\\'}, {'n', 'n'}, {'r', 'r'}, {'t', 't'}};
    tw_rules *rules = &maker->rules;
    const bool is_json = notation == TW_NOTATION_JSON;
    return tw_rule_sequence(rules, tw_rule_words(rules, "\\"),
                            is_json ? tw_rule_set(rules, json, 8, false)
                                    : tw_rule_set(rules, python, 5, false),
                            0, 0);
}

/* A character in quotes, of which there is another kind. */
uint32_t tw_grammar_character_in(tw_grammar_maker *maker,
                                 tw_notation_kind notation, uint32_t quote)
{
    tw_rules *rules = &maker->rules;
    const tw_rule_range others[] = {{0, 0x1F}, {quote, quote}, {'\\', '\\'}};
    return tw_rule_choice(rules, tw_rule_set(rules, others, 3, true),
                          short_escape(maker, notation, quote),
                          unicode_escape(maker));
}

uint32_t tw_grammar_character(tw_grammar_maker *maker,
                              tw_notation_kind notation)
{
    tw_rules *rules = &maker->rules;
    const uint32_t before =
        tw_grammar_shared(maker, notation, TW_SHARED_CHARACTER);
    if (before != 0) {
        return before;
    }
    uint32_t body;
    if (tw_notation_is_plain(notation)) {
        escaped all;
        list_escaped(maker, notation, &all);
        body = tw_rule_set(rules, all.list, all.count, true);
    } else {
        body = tw_grammar_character_in(
            maker, notation, notation == TW_NOTATION_PYTHON ? '\'' : '"');
    }
    return tw_grammar_share(maker, notation, TW_SHARED_CHARACTER, "character",
                            true, body);
}

static bool holds(const tw_rule_range *ranges, size_t count, bool others,
                  uint32_t point)
{
    bool in = false;
    for (size_t i = 0; i < count; i++) {
        in |= point >= ranges[i].least && point <= ranges[i].most;
    }
    return in != others;
}

/* How one character is written that does not stand for itself. */
static uint32_t escape_of(tw_grammar_maker *maker, uint32_t point)
{
    static const char digits_of[] = "0123456789abcdef";
    static const char letters[] = "bfnrt";
    static const char meanings[] = "\b\f\n\r\t";
    tw_rules *rules = &maker->rules;
    const char *letter = point != 0 ? strchr(meanings, (char)point) : NULL;
    char text[7] = "\\u00";
    text[4] = digits_of[point >> 4 & 15];
    text[5] = digits_of[point & 15];
    if (letter != NULL) {
        text[1] = letters[letter - meanings];
        text[2] = 0;
    } else if (point >= 0x20) {
        text[1] = (char)point;
        text[2] = 0;
    }
    return tw_rule_words(rules, text);
}

uint32_t tw_grammar_one_of(tw_grammar_maker *maker, tw_notation_kind notation,
                           const tw_rule_range *ranges, size_t count,
                           bool others)
{
    tw_rules *rules = &maker->rules;
    escaped all;
    tw_buffer list = {0};
    bool good = true;
    list_escaped(maker, notation, &all);
    const uint32_t node = tw_rule_put(rules, TW_RULE_CHOICE, 0, 0, 0);
    if (others) {
        good = tw_buffer_append(&list, maker->memory, ranges,
                                count * sizeof *ranges) &&
               tw_buffer_append(&list, maker->memory, all.list,
                                all.count * sizeof *all.list);
    }
    for (size_t i = 0; i < count && good && !others; i++) {
        tw_rule_range left = ranges[i];
        for (size_t k = 0; k < all.count && good; k++) {
            if (all.list[k].most < left.least ||
                all.list[k].least > left.most || left.least > left.most) {
                continue;
            }
            const tw_rule_range before = {left.least, all.list[k].least - 1};
            if (all.list[k].least > left.least) {
                good = tw_buffer_append(&list, maker->memory, &before,
                                        sizeof before);
            }
            left.least = all.list[k].most + 1;
        }
        if (good && left.least <= left.most) {
            good = tw_buffer_append(&list, maker->memory, &left, sizeof left);
        }
    }
    if (!good) {
        tw_rules_no_memory(rules);
    } else if (list.size > 0) {
        tw_rule_add(rules, node,
                    tw_rule_set(rules,
                                (const tw_rule_range *)(const void *)list.data,
                                list.size / sizeof *ranges, others));
    }
    tw_buffer_free(&list, maker->memory);
    for (size_t k = 0; k < all.count && !tw_notation_is_plain(notation); k++) {
        for (uint32_t c = all.list[k].least; c <= all.list[k].most; c++) {
            if (holds(ranges, count, others, c)) {
                tw_rule_add(rules, node, escape_of(maker, c));
            }
        }
    }
    return node;
}
