/* SPDX-License-Identifier: MIT
 *
 * Special tokens of a vocabulary: markers that a model writes as one token
 * each.  Grammars name such a token by its number, since a target may keep it
 * apart from the bytes of its text.
 */
#include "grammars/rules/print.h"
#include "json/tree.h"

/* ---- the vocabulary ----------------------------------------------------- */

static bool add(tw_rules *rules, const char *text, size_t size,
                const char *digits, size_t count)
{
    enum { DIGITS = 9 };
    tw_rule_special one = {(uint32_t)rules->texts.size, (uint32_t)size, 0};
    if (size == 0 || count == 0 || count > DIGITS) {
        return false;
    }
    for (size_t i = 0; i < count; i++) {
        if (digits[i] < '0' || digits[i] > '9') {
            return false;
        }
        one.id = one.id * 10 + (uint32_t)(digits[i] - '0');
    }
    if (rules->texts.size + size >= UINT32_MAX ||
        !tw_buffer_append(&rules->texts, rules->memory, text, size) ||
        !tw_buffer_append(&rules->special, rules->memory, &one, sizeof one)) {
        tw_rules_no_memory(rules);
    }
    rules->begins[(uint8_t)text[0]] = true;
    return true;
}

static bool add_value(tw_rules *rules, const tw_value *text,
                      const tw_value *id)
{
    return tw_value_is_a(text, TW_VALUE_STRING) &&
           tw_value_is_a(id, TW_VALUE_NUMBER) &&
           add(rules, text->text, text->size, id->text, id->size);
}

/* |added_tokens| of tokenizer.json. */
static bool add_list(tw_rules *rules, const tw_value *list)
{
    bool good = list->kind == TW_VALUE_ARRAY;
    for (const tw_value *at = good ? list->first : NULL; at != NULL && good;
         at = at->next) {
        good = at->kind == TW_VALUE_OBJECT &&
               add_value(rules, tw_value_member(at, "content"),
                         tw_value_member(at, "id"));
    }
    return good;
}

/* |added_tokens_decoder| of tokenizer_config.json, by number; or numbers by
 * text. */
static bool add_object(tw_rules *rules, const tw_value *object, bool by_number)
{
    bool good = object->kind == TW_VALUE_OBJECT;
    for (const tw_value *at = good ? object->first : NULL; at != NULL && good;
         at = at->next) {
        const tw_value *content = by_number && at->kind == TW_VALUE_OBJECT
                                      ? tw_value_member(at, "content")
                                      : NULL;
        good = by_number
                   ? tw_value_is_a(content, TW_VALUE_STRING) &&
                         add(rules, content->text, content->size, at->key,
                             at->key_size)
                   : at->kind == TW_VALUE_NUMBER &&
                         add(rules, at->key, at->key_size, at->text, at->size);
    }
    return good;
}

bool tw_rules_add_special(tw_rules *rules, const tw_value *vocabulary)
{
    const bool object = vocabulary->kind == TW_VALUE_OBJECT;
    const tw_value *list =
        object ? tw_value_member(vocabulary, "added_tokens") : NULL;
    const tw_value *decoder =
        object ? tw_value_member(vocabulary, "added_tokens_decoder") : NULL;
    return list != NULL      ? add_list(rules, list)
           : decoder != NULL ? add_object(rules, decoder, true)
                             : add_object(rules, vocabulary, false);
}

/* The longest token that |text| begins with, or NULL. */
static const tw_rule_special *special_at(const tw_rules *rules,
                                         const char *text, size_t size)
{
    const tw_rule_special *all =
        (const tw_rule_special *)(const void *)rules->special.data;
    const size_t count = rules->begins[(uint8_t)text[0]]
                             ? rules->special.size / sizeof *all
                             : 0;
    const tw_rule_special *found = NULL;
    for (size_t i = 0; i < count; i++) {
        if (all[i].size <= size &&
            (found == NULL || all[i].size > found->size) &&
            memcmp(tw_rule_text(rules, all[i].text), text, all[i].size) == 0) {
            found = &all[i];
        }
    }
    return found;
}

/* ---- printing ----------------------------------------------------------- */

void tw_rule_out_words(const tw_rule_out *out, const tw_rule_node *words,
                       void (*put)(const tw_rule_out *, const char *, size_t))
{
    const char *at = tw_rule_text(out->rules, words->a);
    const char *end = at + words->b;
    const char *from = at;
    bool first = true;
    while (at < end) {
        const tw_rule_special *token =
            words->c == 0 ? special_at(out->rules, at, (size_t)(end - at))
                          : NULL;
        if (token == NULL) {
            at++;
            continue;
        }
        if (at > from) {
            tw_rule_out_text(out, first ? "" : " ");
            put(out, from, (size_t)(at - from));
            first = false;
        }
        tw_rule_out_text(out, first ? "<[" : " <[");
        tw_rule_out_number(out, token->id);
        tw_rule_out_text(out, "]>");
        first = false;
        from = at += token->size;
    }
    if (at > from || first) {
        tw_rule_out_text(out, first ? "" : " ");
        put(out, from, (size_t)(at - from));
    }
}

/* ---- what a lexer cannot hold ------------------------------------------- */

/* Finds which nodes hold special tokens, and which hold sets or free text. */
static void look(tw_rules *rules, uint32_t number, size_t depth)
{
    tw_rule_node *node = tw_rule_node_at(rules, number);
    const char *text = tw_rule_text(rules, node->a);
    node->open = node->kind == TW_RULE_SET || node->kind == TW_RULE_FREE;
    node->special =
        node->kind == TW_RULE_CALL && !tw_rule_at(rules, node->a)->token;
    for (uint32_t i = 0;
         node->kind == TW_RULE_WORDS && node->c == 0 && i < node->b; i++) {
        node->special |= special_at(rules, text + i, node->b - i) != NULL;
    }
    for (uint32_t at = depth < TW_RULE_DEPTH ? node->first : 0; at != 0;) {
        const tw_rule_node *part = tw_rule_node_at(rules, at);
        look(rules, at, depth + 1);
        node->special |= part->special;
        node->open |= part->open;
        at = part->next;
    }
}

/* Parts of the node without special tokens become terminals. */
static void set_parts_apart(tw_rules *rules, uint32_t number)
{
    uint32_t at = tw_rule_node_at(rules, number)->first;
    while (at != 0 && rules->code == TW_OK) {
        const tw_rule_node copied = *tw_rule_node_at(rules, at);
        const tw_rule_node *copy = &copied; /* nodes move */
        if (copy->special && copy->first != 0) {
            set_parts_apart(rules, at);
        } else if (!copy->special && copy->open && copy->first != 0) {
            const uint32_t body = tw_rule_put(rules, (tw_rule_kind)copy->kind,
                                              copy->a, copy->b, copy->c);
            const uint32_t rule = tw_rule_new(rules, "part", true);
            if (rules->code == TW_OK) {
                tw_rule_node_at(rules, body)->first = copy->first;
                tw_rule_node_at(rules, body)->last = copy->last;
                tw_rule_is(rules, rule, body);
                tw_rule_node *node = tw_rule_node_at(rules, at);
                node->kind = TW_RULE_CALL;
                node->a = rule;
                node->first = node->last = 0;
            }
        }
        at = copy->next;
    }
}

void tw_rules_set_special_apart(tw_rules *rules)
{
    const uint32_t count = rules->special.size > 0 ? tw_rules_count(rules) : 0;
    for (uint32_t i = 0; i < count && rules->code == TW_OK; i++) {
        const uint32_t body = tw_rule_at(rules, i)->body;
        if (!tw_rule_at(rules, i)->token) {
            continue;
        }
        look(rules, body, 0);
        if (tw_rule_node_at(rules, body)->special) {
            tw_rule_at(rules, i)->token = false;
            set_parts_apart(rules, body);
        }
    }
}
