/* SPDX-License-Identifier: MIT
 *
 * What opens a part of a message, and free text up to it.
 */
#include "formats/name_bytes.h"
#include "grammars/frame.h"

/* ---- tokens ------------------------------------------------------------- */

/* How much of |words|, which begin a message, the format's prompt ends with.
 */
size_t tw_grammar_written(const tw_grammar_maker *maker, const char *words,
                          size_t size)
{
    const char *turn = maker->description->turns[0];
    const size_t most = turn != NULL ? strlen(turn) : 0;
    size_t n = size < most ? size : most;
    while (n > 0 && memcmp(turn + most - n, words, n) != 0) {
        n--;
    }
    return n;
}

/* How much of |words| opens calls by itself: a lexer that takes all of it
 * could not go back to a call. */
static size_t shared(const tw_grammar_frame *all, const char *words,
                     size_t size)
{
    size_t found = 0;
    for (size_t i = 0; i < all->count; i++) {
        const size_t most = all->calls[i].open_size;
        if (most < size && most > found &&
            memcmp(all->calls[i].open, words, most) == 0) {
            found = most;
        }
    }
    return found;
}

/* Words that begin something, with their layout in front, which may be
 * missing.  |first|: what the prompt has of them may be, too. */
uint32_t tw_grammar_opener(tw_grammar_maker *maker,
                           const tw_grammar_frame *all, const char *front,
                           const char *words, size_t size, bool first)
{
    tw_rules *rules = &maker->rules;
    const size_t there = first ? tw_grammar_written(maker, words, size) : 0;
    const size_t part = shared(all, words, size);
    const size_t to = part > there ? part : size;
    const uint32_t begin =
        tw_rule_maybe(rules, tw_rule_sized(rules, words, there));
    uint32_t node = tw_rule_of(
        rules, "open", true,
        tw_rule_sequence(rules, tw_grammar_layout(maker, front), begin,
                         tw_rule_sized(rules, words + there, to - there), 0));
    if (there == size) {
        node = tw_rule_maybe(rules, node);
    }
    return to == size
               ? node
               : tw_rule_sequence(
                     rules, node,
                     tw_rule_of(rules, "open", true,
                                tw_rule_sized(rules, words + to, size - to)),
                     0, 0);
}

/* The first character of a text that is no call, which nothing marks. */
uint32_t tw_grammar_plain_first(tw_grammar_maker *maker, uint32_t number)
{
    enum { MOST = 64, OPENERS = 5 };
    tw_rule_range never[MOST] = {
        {'\t', '\n'}, {'\r', '\r'}, {' ', ' '}, {'[', '['}, {'{', '{'}};
    size_t count = OPENERS;
    const tw_rule_free *free = tw_rule_free_at(&maker->rules, number);
    const uint32_t words = maker->rules.code == TW_OK ? free->count : 0;
    for (uint32_t i = 0; i < words && count < MOST; i++) {
        const char *word = tw_rule_word(&maker->rules, free, i);
        size_t size;
        const uint32_t point =
            tw_regex_point(word, word + strlen(word), &size);
        bool known = false;
        for (size_t k = 0; k < count; k++) {
            known |= point >= never[k].least && point <= never[k].most;
        }
        never[count].least = never[count].most = point;
        count += !known;
    }
    return tw_rule_set(&maker->rules, never, count, true);
}

/* Free text up to and with |words|; not |marked|: it does not begin as calls
 * do. */
uint32_t tw_grammar_text_to(tw_grammar_maker *maker, uint32_t free,
                            const char *words, size_t size, bool marked)
{
    tw_rules *rules = &maker->rules;
    uint32_t text = tw_rule_free_text(rules, free);
    if (!marked) {
        text = tw_rule_maybe(
            rules, tw_rule_sequence(rules, tw_grammar_plain_first(maker, free),
                                    text, 0, 0));
    }
    return tw_rule_of(rules, "text", true,
                      tw_rule_sequence(rules, text,
                                       tw_rule_sized(rules, words, size), 0,
                                       0));
}

uint32_t tw_grammar_parts(tw_grammar_maker *maker, const tw_pattern *pattern,
                          size_t from, size_t to)
{
    const uint32_t node =
        tw_rule_put(&maker->rules, TW_RULE_SEQUENCE, 0, 0, 0);
    tw_grammar_add_parts(maker, node, pattern, from, to);
    return node;
}

/* Do words of calls, or of reasoning, begin with these? */
static bool opens_others(const tw_grammar_maker *maker,
                         const tw_grammar_frame *all, const char *words,
                         size_t size)
{
    char other[TW_GRAMMAR_RUN];
    size_t next;
    const tw_pattern *reasoning =
        tw_grammar_canonical(&maker->description->reasoning);
    bool found =
        reasoning != NULL &&
        tw_grammar_run(reasoning, reasoning->first, other, &next) > size &&
        memcmp(other, words, size) == 0;
    for (size_t i = 0; i < all->count; i++) {
        found |= all->calls[i].open_size > size &&
                 memcmp(all->calls[i].open, words, size) == 0;
    }
    return found;
}

uint32_t tw_grammar_front(tw_grammar_maker *maker, const tw_grammar_frame *all,
                          const tw_pattern *pattern, bool begins)
{
    char words[TW_GRAMMAR_RUN];
    size_t next;
    const size_t first = pattern->first;
    const size_t size = tw_grammar_run(pattern, first, words, &next);
    const uint32_t open =
        tw_grammar_opener(maker, all, first > 0 ? pattern->parts[0].text : "",
                          words, size, begins);
    const char *layout = tw_pattern_layout(pattern, next - 1);
    /* Where the prompt has all words, or calls begin with them, too, or a name
     * could go on with them, the layout alone tells. */
    if (layout[0] != 0 &&
        ((begins && tw_grammar_written(maker, words, size) == size) ||
         (size > 0 && tw_is_name_byte((uint8_t)words[size - 1])) ||
         opens_others(maker, all, words, size))) {
        return tw_rule_sequence(
            &maker->rules, open, tw_rule_words(&maker->rules, layout),
            tw_grammar_parts(maker, pattern, next + 1, pattern->hole), 0);
    }
    return tw_rule_sequence(
        &maker->rules, open,
        tw_grammar_parts(maker, pattern, next, pattern->hole), 0, 0);
}
