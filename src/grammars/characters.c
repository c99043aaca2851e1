/* SPDX-License-Identifier: MIT
 *
 * One character of a string in each notation, with its escapes.
 */
#include "grammars/make.h"

#include "core/utf8.h"

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
enum { LEADS_MOST = 40, ESCAPE_MOST = 12 };

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

uint32_t tw_grammar_plain(tw_grammar_maker *maker, tw_notation_kind notation)
{
    return notation == TW_NOTATION_GEMMA     ? tw_grammar_quoted(maker)
           : notation == TW_NOTATION_ELEMENT ? maker->element_free
                                             : maker->string_tag.free;
}

static void list_escaped(tw_grammar_maker *maker, tw_notation_kind notation,
                         escaped *all)
{
    const char quote = tw_grammar_quote(maker, notation);
    all->count = 0;
    if (tw_notation_is_plain(notation)) {
        add_leads(maker, all, tw_grammar_plain(maker, notation));
        return;
    }
    add_escaped(all, 0, 0x1F);
    add_escaped(all, (uint8_t)quote, (uint8_t)quote);
    add_escaped(all, '\\', '\\');
    if (maker->marks) {
        add_leads(maker, all, maker->in_strings);
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

/* A character in quotes. */
static uint32_t character_in(tw_grammar_maker *maker,
                             tw_notation_kind notation, const escaped *all,
                             uint32_t quote)
{
    tw_rules *rules = &maker->rules;
    return tw_rule_choice(
        rules, tw_rule_set(rules, all->list, all->count, true),
        short_escape(maker, notation, quote), unicode_escape(maker));
}

uint32_t tw_grammar_in_quotes_of(tw_grammar_maker *maker,
                                 tw_notation_kind notation, char quote)
{
    tw_rules *rules = &maker->rules;
    if (!maker->marks) {
        const escaped all = {
            {{0, 0x1F}, {(uint8_t)quote, (uint8_t)quote}, {'\\', '\\'}}, 3};
        return tw_rule_repeat(
            rules,
            tw_rule_of(rules, "character", true,
                       character_in(maker, notation, &all, (uint8_t)quote)),
            0, TW_RULE_ENDLESS);
    }
    const uint32_t free = tw_rule_free_quoted(rules, maker->in_strings, quote);
    const uint32_t escape = tw_rule_of(
        rules, "escape", true,
        tw_rule_choice(rules, short_escape(maker, notation, (uint8_t)quote),
                       unicode_escape(maker), 0));
    return tw_rule_sequence(
        rules, tw_rule_free_text(rules, free),
        tw_rule_repeat(rules,
                       tw_rule_sequence(rules, escape,
                                        tw_rule_free_text(rules, free), 0, 0),
                       0, TW_RULE_ENDLESS),
        0, 0);
}

uint32_t tw_grammar_character(tw_grammar_maker *maker,
                              tw_notation_kind notation)
{
    const uint32_t before =
        tw_grammar_shared(maker, notation, TW_SHARED_CHARACTER);
    if (before != 0) {
        return before;
    }
    escaped all;
    list_escaped(maker, notation, &all);
    return tw_grammar_share(
        maker, notation, TW_SHARED_CHARACTER, "character", true,
        tw_notation_is_plain(notation)
            ? tw_rule_set(&maker->rules, all.list, all.count, true)
            : character_in(maker, notation, &all,
                           (uint8_t)tw_grammar_quote(maker, notation)));
}

/* |lead|, with which words that text does not hold begin, and what goes on as
 * none of them does; 0: there is no such character. */
static uint32_t lead_of_none(tw_grammar_maker *maker, escaped leads,
                             uint32_t lead, uint32_t number)
{
    tw_rules *rules = &maker->rules;
    const tw_rule_free *free = tw_rule_free_at(rules, number);
    const tw_rule_range one = {lead, lead};
    bool found = false;
    bool good = rules->code == TW_OK;
    for (uint32_t i = 0; good && i < free->count; i++) {
        const char *word = tw_rule_word(rules, free, i);
        const char *end = word + strlen(word);
        size_t size;
        if (tw_regex_point(word, end, &size) == lead) {
            found = true;
            good = word + size < end && leads.count < LEADS_MOST;
            const uint32_t next = tw_regex_point(word + size, end, &size);
            add_escaped(&leads, next, next);
        }
    }
    return good && found
               ? tw_rule_sequence(
                     rules, tw_rule_set(rules, &one, 1, false),
                     tw_rule_set(rules, leads.list, leads.count, true), 0, 0)
               : 0;
}

/* A character that begins no marker, or two that begin with one that may. */
static uint32_t begin_text(tw_grammar_maker *maker, tw_notation_kind notation)
{
    const uint32_t before =
        tw_grammar_shared(maker, notation, TW_SHARED_BEGIN);
    if (before != 0) {
        return before;
    }
    escaped leads;
    list_escaped(maker, notation, &leads);
    const uint32_t choice = tw_rule_choice(
        &maker->rules, tw_grammar_character(maker, notation), 0, 0);
    for (size_t i = 0; i < leads.count; i++) {
        tw_rule_add(&maker->rules, choice,
                    lead_of_none(maker, leads, leads.list[i].least,
                                 tw_notation_is_plain(notation)
                                     ? tw_grammar_plain(maker, notation)
                                     : maker->in_strings));
    }
    return tw_grammar_share(maker, notation, TW_SHARED_BEGIN, "begin", true,
                            choice);
}

uint32_t tw_grammar_from_size(tw_grammar_maker *maker,
                              tw_notation_kind notation, uint32_t least)
{
    tw_rules *rules = &maker->rules;
    const bool plain = tw_notation_is_plain(notation);
    if (!plain && !maker->marks) {
        return tw_rule_repeat(rules, tw_grammar_character(maker, notation),
                              least, TW_RULE_ENDLESS);
    }
    const uint32_t first =
        least == 0
            ? 0
            : tw_rule_repeat(rules, begin_text(maker, notation), least, least);
    uint32_t rest = tw_grammar_shared(maker, notation, TW_SHARED_REST);
    if (rest == 0) {
        rest = tw_grammar_share(
            maker, notation, TW_SHARED_REST, "rest", true,
            plain ? tw_rule_free_text(rules, tw_grammar_plain(maker, notation))
                  : tw_grammar_in_quotes_of(
                        maker, notation, tw_grammar_quote(maker, notation)));
    }
    return tw_rule_sequence(rules, first, rest, 0, 0);
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

/* \uXXXX, of a character or of both halves of one: its size. */
static size_t put_unicode(char *out, uint32_t point)
{
    static const char digits_of[] = "0123456789abcdef";
    size_t size = 0;
    if (point > 0xFFFF) {
        size = put_unicode(out, tw_high_of(point));
        point = tw_low_of(point);
    }
    out[size++] = '\\';
    out[size++] = 'u';
    for (unsigned shift = 16; shift > 0; shift -= 4) {
        out[size++] = digits_of[point >> (shift - 4) & 15];
    }
    return size;
}

/* How one character is written that does not stand for itself. */
static uint32_t escape_of(tw_grammar_maker *maker, uint32_t point)
{
    static const char letters[] = "bfnrt\"'\\";
    static const char meanings[] = "\b\f\n\r\t\"'\\";
    const char *letter =
        point != 0 && point < 0x80 ? strchr(meanings, (char)point) : NULL;
    char text[ESCAPE_MOST] = "\\";
    size_t size = 2;
    if (letter != NULL) {
        text[1] = letters[letter - meanings];
    } else {
        size = put_unicode(text, point);
    }
    return tw_rule_sized(&maker->rules, text, size);
}

/* A marker at |text|, or a word that a string in quotes does not hold, or
 * begins to. */
static bool is_word_at(const tw_grammar_maker *maker, const char *text,
                       size_t size)
{
    const tw_rules *rules = &maker->rules;
    const tw_rule_free *free = tw_rule_free_at(rules, maker->in_strings);
    const tw_description *d = maker->description;
    bool found = false;
    for (size_t i = 0; i < d->public_count && !found; i++) {
        const tw_marker *marker = &d->public_markers[i];
        found = marker->size <= size && !tw_marker_is_plain(marker) &&
                memcmp(marker->text, text, marker->size) == 0;
    }
    for (uint32_t i = 0; maker->marks && i < free->count && !found; i++) {
        const char *word = tw_rule_word(rules, free, i);
        const size_t length = strcspn(word, "\"'\\");
        found =
            length > 0 && length <= size && memcmp(word, text, length) == 0;
    }
    return found;
}

void tw_grammar_hide_markers(tw_grammar_maker *maker)
{
    const char *at = (const char *)maker->text.data;
    const char *end = at + maker->text.size;
    tw_buffer out = {0};
    bool good = maker->rules.code == TW_OK;
    while (at < end && good) {
        size_t size = 1;
        if (is_word_at(maker, at, (size_t)(end - at))) {
            char escape[ESCAPE_MOST];
            const size_t written =
                put_unicode(escape, tw_regex_point(at, end, &size));
            good = tw_buffer_append(&out, maker->memory, escape, written);
        } else {
            good = tw_buffer_append(&out, maker->memory, at, 1);
        }
        at += size;
    }
    maker->text.size = 0;
    if (!good ||
        !tw_buffer_append(&maker->text, maker->memory, out.data, out.size)) {
        tw_rules_no_memory(&maker->rules);
    }
    tw_buffer_free(&out, maker->memory);
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
