/* SPDX-License-Identifier: MIT
 *
 * The list of what is wanted: each schema that is met becomes a rule, which
 * waits there for its body, so that what refers to itself ends, and nesting
 * costs no C stack.  And what cannot be said.
 */
#include "grammars/make.h"
#include "messages/segments.h"

/* ---- failing ------------------------------------------------------------ */

static void put_message(tw_grammar_maker *maker, tw_buffer *out,
                        const tw_value *where, const char *why)
{
    bool good = true;
    if (where != NULL) {
        good = tw_buffer_append(out, maker->memory, "tools", 5) &&
               tw_value_path(out, maker->memory, where) &&
               tw_buffer_append(out, maker->memory, ": ", 2);
    }
    if (!good || !tw_buffer_append(out, maker->memory, why, strlen(why))) {
        tw_rules_no_memory(&maker->rules);
    }
}

void tw_grammar_fail(tw_grammar_maker *maker, int code, const tw_value *where,
                     const char *why)
{
    if (maker->rules.code == TW_OK) {
        maker->rules.code = code;
        put_message(maker, &maker->rules.message, where, why);
    }
}

void tw_grammar_cannot(tw_grammar_maker *maker, const tw_value *where,
                       const char *why)
{
    static const char remedy[] = " (`wider` leaves it out)";
    tw_rules *rules = &maker->rules;
    if (rules->code != TW_OK) {
        return;
    }
    if (!maker->options->wider) {
        tw_grammar_fail(maker, TW_ERROR_CANNOT_CARRY, where, why);
        tw_buffer_append(&rules->message, maker->memory, remedy,
                         sizeof remedy - 1);
        return;
    }
    /* Lines behind those that are there, if they are the last text. */
    tw_rule *rule = tw_rule_at(rules, maker->rule);
    tw_buffer text = {0};
    if (rule->about != 0) {
        const char *before = tw_rule_text(rules, rule->about);
        if (!tw_buffer_append(&text, maker->memory, before, strlen(before))) {
            tw_rules_no_memory(rules);
        }
    }
    if (!tw_buffer_append(&text, maker->memory, "wider: ", 7)) {
        tw_rules_no_memory(rules);
    }
    put_message(maker, &text, where, why);
    const uint32_t at = (uint32_t)rules->texts.size;
    if (rules->code == TW_OK &&
        tw_buffer_append(&text, maker->memory, "\n", 2) &&
        tw_buffer_append(&rules->texts, maker->memory, text.data, text.size)) {
        rule->about = at;
    } else {
        tw_rules_no_memory(rules);
    }
    tw_buffer_free(&text, maker->memory);
}

/* The member of that name; those behind |*last|, which was found before, come
 * first, since names stand in the same order, mostly. */
static const tw_value *find_property(const tw_value *properties,
                                     const tw_value *name,
                                     const tw_value **last)
{
    const tw_value *from = *last != NULL ? (*last)->next : NULL;
    for (size_t turn = 0; turn < 2; turn++) {
        for (; from != NULL; from = from->next) {
            if (from->key_size == name->size &&
                memcmp(from->key, name->text, name->size) == 0) {
                *last = from;
                return from;
            }
        }
        from = properties->first;
    }
    return NULL;
}

void tw_grammar_check_required(tw_grammar_maker *maker, const tw_value *schema)
{
    const tw_value *properties = tw_keyword_of(schema, "properties");
    const tw_value *required = tw_keyword_of(schema, "required");
    const tw_value *last = NULL;
    const bool declared = tw_value_is_a(properties, TW_VALUE_OBJECT);
    const tw_value *at =
        tw_value_is_a(required, TW_VALUE_ARRAY) ? required->first : NULL;
    for (; at != NULL && maker->rules.code == TW_OK; at = at->next) {
        if (at->kind == TW_VALUE_STRING &&
            !(declared && find_property(properties, at, &last) != NULL)) {
            tw_grammar_cannot(maker, at, "no property has this name");
        }
    }
}

/* ---- the list of what is wanted ----------------------------------------- */

static tw_wanted *wanted_at(const tw_grammar_maker *maker, size_t i)
{
    return (tw_wanted *)(void *)maker->wanted.data + i;
}

static size_t wanted_count(const tw_grammar_maker *maker)
{
    return maker->wanted.size / sizeof(tw_wanted);
}

static bool is_same(const tw_wanted *left, const tw_wanted *right)
{
    return left->schema == right->schema && left->tag == right->tag &&
           left->notation == right->notation && left->apart == right->apart;
}

/* Where it stands in the table, or an empty place for it. */
static uint32_t *place_of(const tw_grammar_maker *maker,
                          const tw_wanted *wanted)
{
    uint32_t *places = (uint32_t *)(void *)maker->places.data;
    const size_t room = maker->places.size / sizeof *places;
    size_t at = ((size_t)(uintptr_t)wanted->schema / sizeof(void *) * 31 +
                 (size_t)(uintptr_t)wanted->tag * 7 + wanted->notation) %
                room;
    while (places[at] != 0 &&
           !is_same(wanted_at(maker, places[at] - 1), wanted)) {
        at = (at + 1) % room;
    }
    return &places[at];
}

/* Room for one more; false: no memory. */
static bool grow(tw_grammar_maker *maker)
{
    enum { SMALLEST = 64 };
    const size_t count = wanted_count(maker);
    const size_t room = maker->places.size / sizeof(uint32_t);
    const size_t more = room == 0 ? SMALLEST : room * 2;
    if (count * 2 < room) {
        return true;
    }
    maker->places.size = 0;
    if (!tw_buffer_reserve(&maker->places, maker->memory,
                           more * sizeof(uint32_t))) {
        return false;
    }
    memset(maker->places.data, 0, more * sizeof(uint32_t));
    maker->places.size = more * sizeof(uint32_t);
    for (size_t i = 0; i < count; i++) {
        *place_of(maker, wanted_at(maker, i)) = (uint32_t)i + 1;
    }
    return true;
}

uint32_t tw_grammar_want(tw_grammar_maker *maker, const tw_value *schema,
                         tw_notation_kind notation)
{
    const bool element = notation == TW_NOTATION_ELEMENT;
    const bool apart = element || notation == TW_NOTATION_TAGGED;
    tw_wanted made = {schema,
                      notation,
                      element ? maker->tag : NULL,
                      maker->tag_size,
                      apart ? maker->apart : 0,
                      0};
    if (maker->rules.code != TW_OK || !grow(maker)) {
        tw_rules_no_memory(&maker->rules);
        return 0;
    }
    uint32_t *place = place_of(maker, &made);
    if (*place == 0) {
        made.rule = tw_rule_new(
            &maker->rules,
            notation == TW_NOTATION_TAGGED ? "argument" : "value", false);
        if (maker->rules.code != TW_OK ||
            !tw_buffer_append(&maker->wanted, maker->memory, &made,
                              sizeof made)) {
            tw_rules_no_memory(&maker->rules);
            return 0;
        }
        *place = (uint32_t)wanted_count(maker);
    }
    return tw_rule_call(&maker->rules, wanted_at(maker, *place - 1)->rule);
}
