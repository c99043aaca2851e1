/* SPDX-License-Identifier: MIT
 *
 * Objects and arrays, and the arguments of a call, which are one.  Members
 * stand in the order in which they are declared; those that are not declared
 * are written only where none is.
 */
#include "core/ascii.h"
#include "grammars/make.h"
#include "messages/pytext.h"

/* ---- members ------------------------------------------------------------ */

typedef struct declared {
    const char *key;
    size_t size;
    const tw_value *member; /* its schema; NULL: it is only required */
    bool required;
} declared;

typedef struct members {
    tw_buffer list; /* declared */
    size_t count;
} members;

static declared *declared_at(const members *all, size_t i)
{
    return (declared *)(void *)all->list.data + i;
}

static void add_declared(tw_grammar_maker *maker, members *all,
                         const declared *one)
{
    if (!tw_buffer_append(&all->list, maker->memory, one, sizeof *one)) {
        tw_rules_no_memory(&maker->rules);
    } else {
        all->count++;
    }
}

/* All properties that may be, in order; false: no memory. */
static void list_properties(tw_grammar_maker *maker, members *all,
                            const tw_value *properties,
                            tw_notation_kind notation)
{
    const tw_value **sorted = NULL;
    size_t count = 0;
    if (!tw_value_is_a(properties, TW_VALUE_OBJECT) ||
        properties->first == NULL) {
        return;
    }
    if (notation == TW_NOTATION_GEMMA &&
        !tw_python_dictsort(properties, maker->memory, &sorted, &count)) {
        tw_rules_no_memory(&maker->rules);
        return;
    }
    const tw_value *at = sorted != NULL ? sorted[0] : properties->first;
    for (size_t i = 1; at != NULL; i++) {
        const declared one = {at->key, at->key_size, at, false};
        add_declared(maker, all, &one);
        at = sorted == NULL ? at->next : i < count ? sorted[i] : NULL;
    }
    tw_python_dictsort_free(maker->memory, sorted, count);
}

/* Names that are required are found one behind the other, mostly.  Of one that
 * is not declared the value is one of the |others|. */
static void mark_required(tw_grammar_maker *maker, members *all,
                          const tw_value *required, const tw_value *others)
{
    size_t from = 0;
    const size_t count = all->count;
    const tw_value *at =
        tw_value_is_a(required, TW_VALUE_ARRAY) ? required->first : NULL;
    for (; at != NULL; at = at->next) {
        size_t tried = 0;
        while (at->kind == TW_VALUE_STRING && tried < count) {
            declared *one = declared_at(all, (from + tried) % count);
            if (one->size == at->size &&
                memcmp(one->key, at->text, at->size) == 0) {
                one->required = true;
                from = (from + tried + 1) % count;
                break;
            }
            tried++;
        }
        if (at->kind == TW_VALUE_STRING && tried == count) {
            const declared one = {at->text, at->size, others, true};
            add_declared(maker, all, &one);
        }
    }
}

/* May a key stand without quotes? */
static bool is_bare(const declared *one, bool keyword)
{
    bool good =
        tw_grammar_is_key(one->key, one->size) && !tw_is_digit(one->key[0]);
    for (size_t i = 0; i < one->size && good; i++) {
        const uint8_t c = (uint8_t)one->key[i];
        good = tw_is_alnum(c) || c == '_' || c >= 0x80 ||
               (!keyword && (c == '-' || c == '.'));
    }
    return good;
}

static uint32_t key_of(tw_grammar_maker *maker, const declared *one,
                       tw_notation_kind notation, bool keyword)
{
    tw_rules *rules = &maker->rules;
    tw_value key = {
        .kind = TW_VALUE_STRING, .text = one->key, .size = one->size};
    tw_buffer *text = &maker->text;
    text->size = 0;
    const bool bare = keyword || notation == TW_NOTATION_GEMMA;
    if (bare && (!is_bare(one, keyword) ||
                 (keyword && tw_grammar_has_odd_blank(&key)))) {
        tw_grammar_fail(maker, TW_ERROR_CANNOT_CARRY, one->member,
                        "the format cannot write this key");
        return 0;
    }
    const bool good =
        (bare ? tw_buffer_append(text, maker->memory, one->key, one->size)
              : tw_grammar_dump(maker, &key, notation)) &&
        tw_buffer_append(text, maker->memory, keyword ? "=" : ":", 1);
    if (!good) {
        tw_rules_no_memory(rules);
        return 0;
    }
    const uint32_t words =
        tw_rule_said(rules, (const char *)text->data, text->size);
    return bare ? words
                : tw_rule_sequence(
                      rules, words,
                      tw_rule_maybe(rules, tw_rule_words(rules, " ")), 0, 0);
}

static uint32_t member_of(tw_grammar_maker *maker, const declared *one,
                          tw_notation_kind notation, bool keyword)
{
    const tw_notation_kind inside = notation == TW_NOTATION_MIXED && !keyword
                                        ? TW_NOTATION_JSON
                                        : notation;
    return tw_rule_sequence(&maker->rules, key_of(maker, one, inside, keyword),
                            tw_grammar_value(maker, one->member, inside), 0,
                            0);
}

/* A member behind others. */
static uint32_t further(tw_grammar_maker *maker, const declared *one,
                        tw_notation_kind notation, bool keyword)
{
    const uint32_t part = tw_rule_sequence(
        &maker->rules,
        tw_grammar_comma(maker, keyword ? TW_NOTATION_PYTHON : notation),
        member_of(maker, one, notation, keyword), 0, 0);
    return one->required ? part : tw_rule_maybe(&maker->rules, part);
}

/* Some members, of which the first one has no comma in front of it:
 *
 *     first-0 ::= A rest-1 | first-1         where A may be missing
 *     first-1 ::= B (comma C)? comma D       B is required
 *     rest-1 ::= comma B (comma C)? comma D
 */
static uint32_t chain(tw_grammar_maker *maker, const members *all,
                      tw_notation_kind notation, bool keyword)
{
    tw_rules *rules = &maker->rules;
    size_t needed = 0;
    while (needed < all->count && !declared_at(all, needed)->required) {
        needed++;
    }
    /* What stands behind the first one that is required. */
    const uint32_t tail = tw_rule_put(rules, TW_RULE_SEQUENCE, 0, 0, 0);
    for (size_t i = needed + 1; i < all->count; i++) {
        tw_rule_add(rules, tail,
                    further(maker, declared_at(all, i), notation, keyword));
    }
    uint32_t first = 0;
    uint32_t rest = tw_rule_new(rules, "members", false);
    tw_rule_is(rules, rest, tail);
    if (needed < all->count) {
        first = tw_rule_sequence(
            rules,
            member_of(maker, declared_at(all, needed), notation, keyword),
            tw_rule_call(rules, rest), 0, 0);
        const uint32_t behind = tw_rule_new(rules, "members", false);
        tw_rule_is(rules, behind,
                   tw_rule_sequence(rules,
                                    further(maker, declared_at(all, needed),
                                            notation, keyword),
                                    tw_rule_call(rules, rest), 0, 0));
        rest = behind;
    }
    for (size_t i = needed; i-- > 0;) {
        const declared *one = declared_at(all, i);
        const uint32_t here =
            tw_rule_sequence(rules, member_of(maker, one, notation, keyword),
                             tw_rule_call(rules, rest), 0, 0);
        first = tw_rule_of(rules, "first", false,
                           tw_rule_choice(rules, here, first, 0));
        if (i > 0) {
            const uint32_t behind = tw_rule_new(rules, "members", false);
            tw_rule_is(rules, behind,
                       tw_rule_sequence(rules,
                                        further(maker, one, notation, keyword),
                                        tw_rule_call(rules, rest), 0, 0));
            rest = behind;
        }
    }
    return needed < all->count ? first : tw_rule_maybe(rules, first);
}

static uint32_t elements(tw_grammar_maker *maker, uint32_t rule,
                         uint32_t least, uint32_t most,
                         tw_notation_kind notation)
{
    tw_rules *rules = &maker->rules;
    if (most == 0) {
        return 0;
    }
    const uint32_t more = tw_rule_repeat(
        rules,
        tw_rule_sequence(rules, tw_grammar_comma(maker, notation),
                         tw_rule_call(rules, rule), 0, 0),
        least > 0 ? least - 1 : 0, most == TW_RULE_ENDLESS ? most : most - 1);
    const uint32_t some = tw_rule_sequence(rules, tw_rule_call(rules, rule),
                                           most == 1 ? 0 : more, 0, 0);
    return least > 0 ? some : tw_rule_maybe(rules, some);
}

/* Keys that match the pattern that is the name of |member|. */
static uint32_t matched_names(tw_grammar_maker *maker, const tw_value *member,
                              tw_notation_kind notation)
{
    const tw_value pattern = {.kind = TW_VALUE_STRING,
                              .text = member->key,
                              .size = member->key_size,
                              .key = member->key,
                              .key_size = member->key_size,
                              .parent = member->parent};
    if (notation == TW_NOTATION_GEMMA) {
        tw_grammar_cannot(maker, member, "no grammar says these names");
        return tw_grammar_key(maker, notation);
    }
    const uint32_t name =
        tw_grammar_pattern(maker, &pattern, 0, TW_RULE_ENDLESS, notation);
    if (name == 0) {
        return tw_grammar_key(maker, notation);
    }
    return tw_rule_sequence(
        &maker->rules,
        tw_rule_of(&maker->rules, "name", true,
                   tw_grammar_in_quotes(maker, notation, name)),
        tw_grammar_colon(maker, ":"), 0, 0);
}

/* A key, and what stands behind it. */
static uint32_t names_of(tw_grammar_maker *maker, const tw_value *schema,
                         tw_notation_kind notation)
{
    const tw_value *matched = tw_grammar_one_pattern(schema);
    if (matched != NULL) {
        return matched_names(maker, matched, notation);
    }
    size_t work = TW_KNOWN_WORK;
    const tw_value *names = tw_grammar_said_of_names(schema);
    if (names == NULL) {
        return tw_grammar_key(maker, notation);
    }
    unsigned types = tw_known_types(names, maker->schema.root, &work);
    types = types != 0 ? types : tw_grammar_meant_types(names);
    if (types != TW_TYPE_STRING || notation == TW_NOTATION_GEMMA) {
        tw_grammar_cannot(maker, names, "no grammar says these names");
        return tw_grammar_key(maker, notation);
    }
    return tw_rule_sequence(&maker->rules,
                            tw_grammar_value(maker, names, notation),
                            tw_grammar_colon(maker, ":"), 0, 0);
}

/* Members of any names. */
static uint32_t free_members(tw_grammar_maker *maker, const tw_value *schema,
                             const tw_value *value, tw_notation_kind notation)
{
    tw_rules *rules = &maker->rules;
    const uint32_t least = tw_grammar_count(maker, schema, "minProperties", 0);
    const uint32_t most =
        tw_grammar_count(maker, schema, "maxProperties", TW_RULE_ENDLESS);
    if (least > most) {
        return tw_grammar_nothing(maker,
                                  tw_keyword_of(schema, "minProperties"));
    }
    if (most == 0) {
        return 0;
    }
    const uint32_t rule = tw_rule_new(rules, "member", false);
    const uint32_t key = names_of(maker, schema, notation);
    tw_rule_is(rules, rule,
               tw_rule_sequence(rules, key,
                                tw_grammar_value(maker, value, notation), 0,
                                0));
    return elements(maker, rule, least, most, notation);
}

void tw_grammar_check_counts(tw_grammar_maker *maker, const tw_value *schema,
                             size_t needed, size_t count)
{
    if (tw_grammar_count(maker, schema, "minProperties", 0) > needed) {
        tw_grammar_cannot(maker, tw_keyword_of(schema, "minProperties"),
                          "no grammar counts members");
    }
    if (tw_grammar_count(maker, schema, "maxProperties", TW_RULE_ENDLESS) <
        count) {
        tw_grammar_cannot(maker, tw_keyword_of(schema, "maxProperties"),
                          "no grammar counts members");
    }
}

/* How many there may be is known of declared ones. */
static void check_counts(tw_grammar_maker *maker, const tw_value *schema,
                         const members *all)
{
    size_t needed = 0;
    for (size_t i = 0; i < all->count; i++) {
        needed += declared_at(all, i)->required;
    }
    tw_grammar_check_counts(maker, schema, needed, all->count);
}

static bool has_patterns(const tw_value *schema)
{
    const tw_value *patterns = tw_keyword_of(schema, "patternProperties");
    return patterns != NULL && patterns->first != NULL;
}

static uint32_t members_of(tw_grammar_maker *maker, const tw_value *schema,
                           tw_notation_kind notation, bool keyword)
{
    members all = {{0}, 0};
    const tw_value *others = tw_keyword_of(schema, "additionalProperties");
    const tw_value *matched = tw_grammar_one_pattern(schema);
    uint32_t node;
    if (matched != NULL || has_patterns(schema)) {
        others = matched; /* with several patterns any, which was told */
    }
    list_properties(maker, &all, tw_keyword_of(schema, "properties"),
                    notation);
    mark_required(maker, &all, tw_keyword_of(schema, "required"), others);
    const bool open =
        all.count == 0 && !keyword &&
        (others != NULL ? others->kind != TW_VALUE_FALSE
                        : has_patterns(schema) ||
                              tw_keyword_of(schema, "properties") == NULL);
    if (open) {
        node = free_members(maker, schema, others, notation);
    } else {
        check_counts(maker, schema, &all);
        node = all.count > 0 ? chain(maker, &all, notation, keyword) : 0;
    }
    tw_buffer_free(&all.list, maker->memory);
    return node;
}

/* ---- brackets ----------------------------------------------------------- */

static uint32_t in_brackets(tw_grammar_maker *maker, const char *open,
                            uint32_t inside, const char *close)
{
    tw_rules *rules = &maker->rules;
    const uint32_t node = tw_rule_sequence(rules, tw_rule_words(rules, open),
                                           tw_grammar_line(maker), inside,
                                           tw_grammar_line(maker));
    tw_rule_add(rules, node, tw_rule_words(rules, close));
    return node;
}

uint32_t tw_grammar_object(tw_grammar_maker *maker, const tw_value *schema,
                           tw_notation_kind notation)
{
    return in_brackets(maker, "{", members_of(maker, schema, notation, false),
                       "}");
}

uint32_t tw_grammar_members(tw_grammar_maker *maker, const tw_value *schema,
                            tw_notation_kind notation)
{
    return members_of(maker, schema, notation, true);
}

/* Elements that are declared one by one, of which |least| are due, and behind
 * them those of |item|, if it is one: A (comma B (comma C (comma I)*)?)? */
static uint32_t tuple(tw_grammar_maker *maker, const tw_value *schema,
                      const tw_value *prefix, const tw_value *item,
                      uint32_t least, uint32_t most, tw_notation_kind notation)
{
    tw_rules *rules = &maker->rules;
    const uint32_t all = tw_rule_put(rules, TW_RULE_SEQUENCE, 0, 0, 0);
    uint32_t holder = all;
    uint32_t i = 0;
    const tw_value *at = prefix->first;
    for (; at != NULL && i < most; i++) {
        const uint32_t part = tw_rule_sequence(
            rules, i > 0 ? tw_grammar_comma(maker, notation) : 0,
            tw_grammar_value(maker, at, notation), 0, 0);
        at = at->next;
        if (i < least) {
            tw_rule_add(rules, holder, part);
            continue;
        }
        /* All behind it is of a rule of its own, so that nothing nests. */
        const uint32_t rule = tw_rule_new(rules, "elements", false);
        tw_rule_add(rules, holder,
                    tw_rule_maybe(rules, tw_rule_call(rules, rule)));
        tw_rule_is(rules, rule, part);
        holder = part;
    }
    if (item == NULL && least > i) {
        tw_rule_add(
            rules, holder,
            tw_grammar_nothing(maker, tw_keyword_of(schema, "minItems")));
    } else if (item != NULL && i < most) {
        const uint32_t more =
            tw_rule_sequence(rules, tw_grammar_comma(maker, notation),
                             tw_grammar_value(maker, item, notation), 0, 0);
        tw_rule_add(rules, holder,
                    tw_rule_repeat(rules, more, least > i ? least - i : 0,
                                   most == TW_RULE_ENDLESS ? most : most - i));
    }
    return all;
}

uint32_t tw_grammar_array(tw_grammar_maker *maker, const tw_value *schema,
                          tw_notation_kind notation)
{
    tw_rules *rules = &maker->rules;
    const tw_value *prefix = tw_keyword_of(schema, "prefixItems");
    const tw_value *item = tw_keyword_of(schema, "items");
    const uint32_t least = tw_grammar_count(maker, schema, "minItems", 0);
    const uint32_t most =
        tw_grammar_count(maker, schema, "maxItems", TW_RULE_ENDLESS);
    if (least > most) {
        return tw_grammar_nothing(maker, tw_keyword_of(schema, "minItems"));
    }
    if (tw_value_is_a(item, TW_VALUE_ARRAY)) { /* earlier drafts */
        prefix = item;
        item = NULL;
    }
    if (tw_value_is_a(prefix, TW_VALUE_ARRAY) && prefix->first != NULL) {
        return in_brackets(
            maker, "[",
            tuple(maker, schema, prefix, item, least, most, notation), "]");
    }
    const uint32_t rule = tw_rule_new(rules, "element", false);
    tw_rule_is(rules, rule, tw_grammar_value(maker, item, notation));
    return in_brackets(maker, "[",
                       elements(maker, rule, least, most, notation), "]");
}

static uint32_t listed_elements(tw_grammar_maker *maker, const tw_value *value,
                                tw_notation_kind notation)
{
    tw_rules *rules = &maker->rules;
    const uint32_t parts = tw_rule_put(rules, TW_RULE_SEQUENCE, 0, 0, 0);
    for (const tw_value *at = value->first; at != NULL; at = at->next) {
        tw_rule_add(rules, parts,
                    at != value->first ? tw_grammar_comma(maker, notation)
                                       : 0);
        tw_rule_add(rules, parts, tw_grammar_listed(maker, at, notation));
    }
    return parts;
}

/* The members of a value, which stand in the order of declared ones. */
static uint32_t listed_members(tw_grammar_maker *maker, const tw_value *value,
                               tw_notation_kind notation)
{
    tw_rules *rules = &maker->rules;
    const uint32_t parts = tw_rule_put(rules, TW_RULE_SEQUENCE, 0, 0, 0);
    members all = {{0}, 0};
    list_properties(maker, &all, value, notation);
    for (size_t i = 0; i < all.count; i++) {
        const declared one = *declared_at(&all, i);
        tw_rule_add(rules, parts,
                    i > 0 ? tw_grammar_comma(maker, notation) : 0);
        tw_rule_add(rules, parts, key_of(maker, &one, notation, false));
        tw_rule_add(rules, parts,
                    tw_grammar_listed(maker, one.member, notation));
    }
    tw_buffer_free(&all.list, maker->memory);
    return parts;
}

uint32_t tw_grammar_listed(tw_grammar_maker *maker, const tw_value *value,
                           tw_notation_kind notation)
{
    tw_rules *rules = &maker->rules;
    const bool list = value->kind == TW_VALUE_ARRAY;
    /* Python's between tags may have to be written as JSON. */
    if ((!list && value->kind != TW_VALUE_OBJECT) ||
        (notation == TW_NOTATION_PYTHON && maker->other_tag.pattern != NULL)) {
        return tw_grammar_literal(maker, value, notation);
    }
    const uint32_t parts = list ? listed_elements(maker, value, notation)
                                : listed_members(maker, value, notation);
    return tw_rule_of(
        rules, "listed", false,
        in_brackets(maker, list ? "[" : "{", parts, list ? "]" : "}"));
}
