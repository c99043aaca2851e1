/* SPDX-License-Identifier: MIT
 *
 * The arrays that a grammar stands in.
 */
#include "grammars/rules/rules.h"

void tw_rules_init(tw_rules *rules, const tw_memory *memory)
{
    static const tw_rule_node nothing = {0};
    memset(rules, 0, sizeof *rules);
    rules->memory = memory;
    if (!tw_buffer_append(&rules->nodes, memory, &nothing, sizeof nothing) ||
        !tw_buffer_append(&rules->texts, memory, "", 1)) {
        tw_rules_no_memory(rules);
    }
}

void tw_rules_free(tw_rules *rules)
{
    tw_buffer *const all[] = {&rules->nodes,   &rules->rules,  &rules->texts,
                              &rules->ranges,  &rules->words,  &rules->frees,
                              &rules->special, &rules->message};
    for (size_t i = 0; i < sizeof all / sizeof *all; i++) {
        tw_buffer_free(all[i], rules->memory);
    }
}

void tw_rules_no_memory(tw_rules *rules)
{
    rules->code = rules->code == TW_OK ? TW_ERROR_MEMORY : rules->code;
}

static bool append(tw_rules *rules, tw_buffer *to, const void *data,
                   size_t size)
{
    const bool good = rules->code == TW_OK && to->size + size < UINT32_MAX &&
                      tw_buffer_append(to, rules->memory, data, size);
    if (!good && rules->code == TW_OK) {
        tw_rules_no_memory(rules);
    }
    return good;
}

/* ---- rules -------------------------------------------------------------- */

uint32_t tw_rule_new(tw_rules *rules, const char *name, bool token)
{
    const tw_rule rule = {name, 0, 0, false, token};
    const uint32_t number = tw_rules_count(rules);
    return append(rules, &rules->rules, &rule, sizeof rule) ? number : 0;
}

void tw_rule_is(tw_rules *rules, uint32_t rule, uint32_t body)
{
    if (rules->code == TW_OK) {
        tw_rule_at(rules, rule)->body = body;
    }
}

uint32_t tw_rule_of(tw_rules *rules, const char *name, bool token,
                    uint32_t body)
{
    const uint32_t rule = tw_rule_new(rules, name, token);
    tw_rule_is(rules, rule, body);
    return tw_rule_call(rules, rule);
}

/* Marks what a node names; a rule that was not met before waits in |wanted|.
 */
static void reach(tw_rules *rules, tw_buffer *wanted, const tw_rule_node *node)
{
    if (node->kind == TW_RULE_FREE) {
        tw_rule_free_at(rules, node->a)->used = true;
    }
    if (node->kind == TW_RULE_CALL && !tw_rule_at(rules, node->a)->used) {
        tw_rule_at(rules, node->a)->used = true;
        append(rules, wanted, &tw_rule_at(rules, node->a)->body,
               sizeof(uint32_t));
    }
    for (uint32_t at = node->first; at != 0;
         at = tw_rule_node_at(rules, at)->next) {
        append(rules, wanted, &at, sizeof at);
    }
}

void tw_rules_reach(tw_rules *rules)
{
    tw_buffer wanted = {0}; /* uint32_t: nodes */
    tw_rule_at(rules, 0)->used = true;
    append(rules, &wanted, &tw_rule_at(rules, 0)->body, sizeof(uint32_t));
    while (rules->code == TW_OK && wanted.size > 0) {
        wanted.size -= sizeof(uint32_t);
        const uint32_t node =
            *(const uint32_t *)(const void *)(wanted.data + wanted.size);
        reach(rules, &wanted, tw_rule_node_at(rules, node));
    }
    tw_buffer_free(&wanted, rules->memory);
}

/* XGrammar needs 60 ms a token in a repetition of up to 128 rules, and 700 in
 * one of 400, or as many states of an automaton; llama.cpp takes no 2000 of
 * anything. */
enum { BLOCK = 32, CALLS_MOST = 64, SETS_MOST = 1999 };

/* The node once more, with the parts that it has. */
static uint32_t copy_of(tw_rules *rules, tw_rule_node node)
{
    const uint32_t copy = (uint32_t)(rules->nodes.size / sizeof(tw_rule_node));
    node.next = 0;
    return append(rules, &rules->nodes, &node, sizeof node) ? copy : 0;
}

/* |part| and the rule again, as one more way of |choice|. */
static void add_again(tw_rules *rules, uint32_t choice, tw_rule_node part,
                      uint32_t again)
{
    tw_rule_add(rules, choice,
                tw_rule_sequence(rules, copy_of(rules, part),
                                 tw_rule_call(rules, again), 0, 0));
}

/* The node is what the sequence is. */
static void become(tw_rules *rules, uint32_t number, uint32_t sequence)
{
    if (rules->code == TW_OK) {
        tw_rule_node *node = tw_rule_node_at(rules, number);
        const uint32_t next = node->next;
        *node = *tw_rule_node_at(rules, sequence);
        node->next = next;
    }
}

/* A repetition as a rule that leads back to itself, each way by its own:
 *
 *     (a | b){2,}    (a | b){2} again    again ::= "" | a again | b again
 */
static void recur(tw_rules *rules, uint32_t number)
{
    const tw_rule_node node = *tw_rule_node_at(rules, number);
    const uint32_t again = tw_rule_new(rules, "again", false);
    const uint32_t choice =
        tw_rule_choice(rules, tw_rule_sequence(rules, 0, 0, 0, 0), 0, 0);
    const uint32_t call = tw_rule_call(rules, again);
    if (rules->code != TW_OK) {
        return;
    }
    tw_rule_is(rules, again, choice);
    tw_rule_node part = *tw_rule_node_at(rules, node.first);
    if (part.kind == TW_RULE_CALL && tw_rule_at(rules, part.a)->token) {
        part = *tw_rule_node_at(rules, tw_rule_at(rules, part.a)->body);
    }
    if (part.kind == TW_RULE_CHOICE) {
        for (uint32_t at = part.first; at != 0 && rules->code == TW_OK;
             at = tw_rule_node_at(rules, at)->next) {
            add_again(rules, choice, *tw_rule_node_at(rules, at), again);
        }
    } else {
        add_again(rules, choice, part, again);
    }
    become(rules, number,
           tw_rule_sequence(rules,
                            tw_rule_repeat(rules, node.b > 0 ? node.first : 0,
                                           node.b, node.b),
                            call, 0, 0));
}

/* Many times: in blocks, and one by one at the end.
 *
 *     a{70,1000}    block{2} a{6} block{0,28} a{0,34}    block ::= a{32}
 */
static void split(tw_rules *rules, uint32_t number)
{
    const tw_rule_node *node = tw_rule_node_at(rules, number);
    const uint32_t first = node->first;
    const uint32_t least = node->b;
    const uint32_t more = node->c - least;
    const uint32_t blocks = more < 2 * BLOCK ? 0 : more / BLOCK - 1;
    const uint32_t counts[][2] = {{least / BLOCK, least / BLOCK},
                                  {least % BLOCK, least % BLOCK},
                                  {0, blocks},
                                  {0, more - blocks * BLOCK}};
    tw_rule_node part = *tw_rule_node_at(rules, first);
    if (part.kind != TW_RULE_SET && part.kind != TW_RULE_CALL) {
        part = *tw_rule_node_at(rules, tw_rule_of(rules, "one", false, first));
    }
    const uint32_t block = tw_rule_new(rules, "block", false);
    const uint32_t all = tw_rule_sequence(rules, 0, 0, 0, 0);
    tw_rule_is(rules, block,
               tw_rule_repeat(rules, copy_of(rules, part), BLOCK, BLOCK));
    for (size_t i = 0; i < 4; i++) {
        if (counts[i][1] > 0) {
            const uint32_t of =
                i % 2 == 0 ? tw_rule_call(rules, block) : copy_of(rules, part);
            tw_rule_add(rules, all,
                        tw_rule_repeat(rules, of, counts[i][0], counts[i][1]));
        }
    }
    become(rules, number, all);
}

void tw_rules_shape(tw_rules *rules)
{
    for (uint32_t i = 1;
         rules->code == TW_OK && i < rules->nodes.size / sizeof(tw_rule_node);
         i++) {
        const tw_rule_node *node = tw_rule_node_at(rules, i);
        const bool set =
            node->kind == TW_RULE_REPEAT &&
            tw_rule_node_at(rules, node->first)->kind == TW_RULE_SET;
        const uint32_t most = set ? SETS_MOST : CALLS_MOST;
        if (node->kind != TW_RULE_REPEAT ||
            (set && node->c == TW_RULE_ENDLESS && node->b <= most)) {
            continue;
        }
        if (node->c == TW_RULE_ENDLESS) {
            recur(rules, i);
        } else if (node->c > most) {
            split(rules, i);
        }
    }
}

/* ---- nodes -------------------------------------------------------------- */

uint32_t tw_rule_put(tw_rules *rules, tw_rule_kind kind, uint32_t a,
                     uint32_t b, uint32_t c)
{
    const tw_rule_node node = {.kind = (uint8_t)kind, .a = a, .b = b, .c = c};
    const uint32_t number =
        (uint32_t)(rules->nodes.size / sizeof(tw_rule_node));
    return append(rules, &rules->nodes, &node, sizeof node) ? number : 0;
}

void tw_rule_add(tw_rules *rules, uint32_t node, uint32_t part)
{
    if (rules->code != TW_OK || node == 0 || part == 0) {
        return;
    }
    tw_rule_node *holder = tw_rule_node_at(rules, node);
    if (holder->last != 0) {
        tw_rule_node_at(rules, holder->last)->next = part;
    } else {
        holder->first = part;
    }
    holder->last = part;
}

uint32_t tw_rule_sized(tw_rules *rules, const char *text, size_t size)
{
    const uint32_t at = (uint32_t)rules->texts.size;
    if (size == 0 || !append(rules, &rules->texts, text, size) ||
        !append(rules, &rules->texts, "", 1)) {
        return 0;
    }
    return tw_rule_put(rules, TW_RULE_WORDS, at, (uint32_t)size, 0);
}

uint32_t tw_rule_said(tw_rules *rules, const char *text, size_t size)
{
    const uint32_t node = tw_rule_sized(rules, text, size);
    if (node != 0) {
        tw_rule_node_at(rules, node)->c = 1;
    }
    return node;
}

uint32_t tw_rule_set(tw_rules *rules, const tw_rule_range *ranges,
                     size_t count, bool others)
{
    const uint32_t at = (uint32_t)(rules->ranges.size / sizeof(tw_rule_range));
    if (!append(rules, &rules->ranges, ranges, count * sizeof *ranges)) {
        return 0;
    }
    return tw_rule_put(rules, TW_RULE_SET, at, (uint32_t)count, others);
}

uint32_t tw_rule_repeat(tw_rules *rules, uint32_t part, uint32_t least,
                        uint32_t most)
{
    if (part == 0) {
        return 0;
    }
    if (most == 0) {
        return tw_rule_put(rules, TW_RULE_SEQUENCE, 0, 0, 0);
    }
    const uint32_t node = tw_rule_put(rules, TW_RULE_REPEAT, 0, least, most);
    tw_rule_add(rules, node, part);
    return node;
}

uint32_t tw_rule_sequence(tw_rules *rules, uint32_t first, uint32_t second,
                          uint32_t third, uint32_t fourth)
{
    const uint32_t node = tw_rule_put(rules, TW_RULE_SEQUENCE, 0, 0, 0);
    tw_rule_add(rules, node, first);
    tw_rule_add(rules, node, second);
    tw_rule_add(rules, node, third);
    tw_rule_add(rules, node, fourth);
    return node;
}

uint32_t tw_rule_choice(tw_rules *rules, uint32_t first, uint32_t second,
                        uint32_t third)
{
    const uint32_t node = tw_rule_put(rules, TW_RULE_CHOICE, 0, 0, 0);
    tw_rule_add(rules, node, first);
    tw_rule_add(rules, node, second);
    tw_rule_add(rules, node, third);
    return node;
}

/* ---- free text ---------------------------------------------------------- */

uint32_t tw_rule_free_new(tw_rules *rules)
{
    const tw_rule_free made = {
        (uint32_t)(rules->words.size / sizeof(uint32_t)), 0, false, 0, 0};
    const uint32_t number =
        (uint32_t)(rules->frees.size / sizeof(tw_rule_free));
    return append(rules, &rules->frees, &made, sizeof made) ? number : 0;
}

uint32_t tw_rule_free_without(tw_rules *rules, uint32_t free, unsigned looks)
{
    const uint32_t count =
        (uint32_t)(rules->frees.size / sizeof(tw_rule_free));
    if (looks == 0 || rules->code != TW_OK) {
        return free;
    }
    tw_rule_free made = *tw_rule_free_at(rules, free);
    made.looks = (uint8_t)looks;
    made.used = false;
    for (uint32_t i = 0; i < count; i++) {
        const tw_rule_free *other = tw_rule_free_at(rules, i);
        if (other->first == made.first && other->count == made.count &&
            other->looks == made.looks) {
            return i;
        }
    }
    return append(rules, &rules->frees, &made, sizeof made) ? count : 0;
}

const char *tw_rule_word(const tw_rules *rules, const tw_rule_free *free,
                         uint32_t i)
{
    const uint32_t *words = (const uint32_t *)(const void *)rules->words.data;
    return tw_rule_text(rules, words[free->first + i]);
}

void tw_rule_free_add(tw_rules *rules, const char *word, size_t size)
{
    if (rules->code != TW_OK || size == 0) {
        return;
    }
    const size_t count = rules->frees.size / sizeof(tw_rule_free);
    tw_rule_free *free =
        (tw_rule_free *)(void *)rules->frees.data + (count - 1);
    for (uint32_t i = 0; i < free->count; i++) {
        const char *other = tw_rule_word(rules, free, i);
        if (strlen(other) == size && memcmp(other, word, size) == 0) {
            return;
        }
    }
    const uint32_t at = (uint32_t)rules->texts.size;
    if (append(rules, &rules->texts, word, size) &&
        append(rules, &rules->texts, "", 1) &&
        append(rules, &rules->words, &at, sizeof at)) {
        free->count++;
    }
}

uint32_t tw_rule_free_quoted(tw_rules *rules, uint32_t free, char quote)
{
    /* A word ends with the string at the latest. */
    const char ends[] = {quote, '\\', 0};
    const uint32_t made = tw_rule_free_new(rules);
    for (uint32_t i = 0;
         rules->code == TW_OK && i < tw_rule_free_at(rules, free)->count;
         i++) {
        const char *word =
            tw_rule_word(rules, tw_rule_free_at(rules, free), i);
        const size_t size = strcspn(word, ends);
        tw_buffer copy = {0}; /* texts move */
        if (!tw_buffer_append(&copy, rules->memory, word, size)) {
            tw_rules_no_memory(rules);
        }
        tw_rule_free_add(rules, (const char *)copy.data, size);
        tw_buffer_free(&copy, rules->memory);
    }
    if (rules->code == TW_OK) {
        tw_rule_free_at(rules, made)->quote = (uint8_t)quote;
    }
    return made;
}

/* How much of the word is left in front of an end of it that begins one of the
 * words; all, if none is. */
static size_t size_apart(const tw_rules *rules, const tw_rule_free *free,
                         const bool leads[256], const char *word)
{
    const size_t size = strlen(word);
    for (size_t at = 1; at < size; at++) {
        for (uint32_t i = 0; leads[(uint8_t)word[at]] && i < free->count;
             i++) {
            if (strncmp(tw_rule_word(rules, free, i), word + at, size - at) ==
                0) {
                return at;
            }
        }
    }
    return size;
}

void tw_rule_free_end(tw_rules *rules)
{
    tw_buffer sizes = {0}; /* size_t: all words are whole until the last is
                              measured */
    bool leads[256] = {false};
    const size_t count = rules->frees.size / sizeof(tw_rule_free);
    const tw_rule_free *free =
        rules->code == TW_OK ? tw_rule_free_at(rules, (uint32_t)count - 1)
                             : NULL;
    const uint32_t words = free != NULL ? free->count : 0;
    for (uint32_t i = 0; i < words; i++) {
        leads[(uint8_t)tw_rule_word(rules, free, i)[0]] = true;
    }
    for (uint32_t i = 0; i < words; i++) {
        const size_t size =
            size_apart(rules, free, leads, tw_rule_word(rules, free, i));
        append(rules, &sizes, &size, sizeof size);
    }
    for (uint32_t i = 0; i < words && rules->code == TW_OK; i++) {
        const uint32_t *at =
            (const uint32_t *)(const void *)rules->words.data + free->first;
        rules->texts
            .data[at[i] + ((const size_t *)(const void *)sizes.data)[i]] = 0;
    }
    tw_buffer_free(&sizes, rules->memory);
}
