/* SPDX-License-Identifier: MIT
 *
 * What a part of an object or a list has to fit: the schemas that each way to
 * read the whole has for it.
 */
#include "schema/steps.h"

/* A value that leads to more schemas than these says nothing. */
enum { WAITING_MOST = 32, SEEN_MOST = 128 };

typedef struct part_walk {
    tw_schema *schema;
    const tw_value *key; /* the name of the member; NULL: an element ... */
    size_t index;        /* ... at this place */
    const tw_value *told; /* the member's value, a string; NULL: unknown */
    tw_schemas *part;
    const tw_value *waiting[WAITING_MOST];
    size_t depth;
    size_t seen;
    bool lost; /* there was no room or no work */
} part_walk;

static void visit_later(part_walk *walk, const tw_value *one)
{
    walk->lost |= walk->depth == WAITING_MOST || walk->seen == SEEN_MOST;
    if (!walk->lost && tw_is_schema(one)) {
        walk->waiting[walk->depth++] = one;
        walk->seen++;
    }
}

static void add(part_walk *walk, const tw_value *one)
{
    tw_schemas *part = walk->part;
    if (one == NULL || !tw_is_schema(one)) {
        return;
    }
    walk->lost |= part->count == TW_SCHEMAS_MOST;
    if (!walk->lost) {
        part->all[part->count++] = one;
    }
}

/* ---- choices ------------------------------------------------------------ */

/* Is no value of this kind, an object or a list, among those that `type` or
 * `enum` names?  Where nothing is said, one may be. */
static bool names_others(tw_schema *schema, const tw_value *one, bool object)
{
    const tw_value *named = tw_value_member(one, "type");
    const tw_value *values =
        tw_value_if(tw_value_member(one, "enum"), TW_VALUE_ARRAY);
    const tw_value *at = named;
    bool others = named != NULL && tw_schema_is(schema, TW_KEYWORD_TYPE, named);
    if (tw_value_is_a(named, TW_VALUE_ARRAY)) {
        at = named->first;
    }
    for (; at != NULL && others; at = at != named ? at->next : NULL) {
        others = !tw_value_is(at, object ? "object" : "array");
    }
    if (others || values == NULL ||
        !tw_schema_work(schema, tw_value_length(values) / 8)) {
        return others;
    }
    at = values->first;
    while (at != NULL &&
           at->kind != (object ? TW_VALUE_OBJECT : TW_VALUE_ARRAY)) {
        at = at->next;
    }
    return at == NULL;
}

static const tw_value *target_of(part_walk *walk, const tw_value *one,
                                 const char *keyword)
{
    const tw_value *to = tw_value_member(one, keyword);
    return tw_value_is_a(to, TW_VALUE_STRING)
               ? tw_schema_target(walk->schema, to)
               : NULL;
}

/* Can no value of this kind fit?  When in doubt, one can. */
static bool excludes(part_walk *walk, const tw_value *one)
{
    enum { REFERENCES = 16 };
    for (size_t i = 0; i < REFERENCES && one != NULL; i++) {
        if (names_others(walk->schema, one, walk->key != NULL)) {
            return true;
        }
        one = target_of(walk, one, "$ref");
    }
    return false;
}

/* Are strings alone named for the member, and its value is none of them?  No
 * other reading of the value is one of them, either. */
static bool names_other_texts(part_walk *walk, const tw_value *one)
{
    const tw_value *member = tw_value_member_sized(
        tw_value_member(one, "properties"), walk->key->text, walk->key->size);
    const tw_value *only = tw_value_member(member, "const");
    const tw_value *values =
        tw_value_if(tw_value_member(member, "enum"), TW_VALUE_ARRAY);
    if (only != NULL) {
        return only->kind == TW_VALUE_STRING &&
               !tw_value_is_same_text(only, walk->told);
    }
    if (values == NULL ||
        !tw_schema_work(walk->schema, tw_value_length(values) / 8)) {
        return false;
    }
    const tw_value *at = values->first;
    while (tw_value_is_a(at, TW_VALUE_STRING) &&
           !tw_value_is_same_text(at, walk->told)) {
        at = at->next;
    }
    return at == NULL;
}

static bool tells_another(part_walk *walk, const tw_value *one)
{
    enum { REFERENCES = 16 };
    for (size_t i = 0;
         i < REFERENCES && one != NULL && tw_schema_work(walk->schema, 1);
         i++) {
        if (names_other_texts(walk, one)) {
            return true;
        }
        one = target_of(walk, one, "$ref");
    }
    return false;
}

/* Of several ways the only one that is open to such a value: where there are
 * more, none is sure. */
static void visit_only_way(part_walk *walk, const tw_value *ways)
{
    const tw_value *found = NULL;
    size_t count = 0;
    bool told = false; /* closed by what was told */
    const tw_value *at = ways != NULL ? ways->first : NULL;
    for (; at != NULL && count < 2 && tw_schema_work(walk->schema, 1);
         at = at->next) {
        if (excludes(walk, at)) {
            continue;
        }
        if (walk->told != NULL && tells_another(walk, at)) {
            told = true;
        } else {
            found = at;
            count++;
        }
    }
    walk->part->several |= count > 1;
    if (count == 1) {
        visit_later(walk, found);
        add(walk, told ? found : NULL);
    }
}

/* ---- parts -------------------------------------------------------------- */

static void add_element(part_walk *walk, const tw_value *one)
{
    const tw_value *rest = tw_value_member(one, "items");
    const tw_value *prefix = tw_value_member(one, "prefixItems");
    prefix = prefix != NULL ? prefix : rest;
    const tw_value *at =
        tw_value_is_a(prefix, TW_VALUE_ARRAY) ? prefix->first : NULL;
    size_t index = walk->index;
    const size_t steps = at != NULL ? tw_value_length(prefix) : 0;
    if (!tw_schema_work(walk->schema,
                        1 + (index < steps ? index : steps) / 8)) {
        return;
    }
    for (; at != NULL && index > 0; index--) {
        at = at->next;
    }
    add(walk, at != NULL ? at : rest);
}

static void add_member(part_walk *walk, const tw_value *one)
{
    const tw_value *named = tw_value_member(one, "properties");
    const tw_value *patterns = tw_value_member(one, "patternProperties");
    const tw_value *own = NULL;
    bool matched = false;
    const tw_value *at = patterns != NULL ? patterns->first : NULL;
    const size_t length = named != NULL ? tw_value_length(named) : 0;
    if (!tw_schema_work(walk->schema, 1 + length / 8)) {
        return;
    }
    if (named != NULL) {
        own = tw_value_member_sized(named, walk->key->text, walk->key->size);
        add(walk, own);
    }
    for (; at != NULL && at->key != NULL && !walk->schema->abandoned;
         at = at->next) {
        const bool is = tw_schema_matches(walk->schema, at->key, at->key_size,
                                          at, walk->key, false);
        matched |= is || tw_schema_matches(walk->schema, at->key, at->key_size,
                                           at, walk->key, true);
        add(walk, is ? at : NULL);
    }
    if (own == NULL && !matched) {
        add(walk, tw_value_member(one, "additionalProperties"));
    }
}

static void visit(part_walk *walk, const tw_value *one)
{
    const tw_value *all =
        tw_value_if(tw_value_member(one, "allOf"), TW_VALUE_ARRAY);
    if (walk->told != NULL) {
        /* parts are asked for later */
    } else if (walk->key != NULL) {
        add_member(walk, one);
    } else {
        add_element(walk, one);
    }
    visit_later(walk, target_of(walk, one, "$ref"));
    visit_later(walk, target_of(walk, one, "$dynamicRef"));
    for (const tw_value *at = all != NULL ? all->first : NULL;
         at != NULL && !walk->lost; at = at->next) {
        visit_later(walk, at);
    }
    visit_only_way(walk,
                   tw_value_if(tw_value_member(one, "anyOf"), TW_VALUE_ARRAY));
    visit_only_way(walk,
                   tw_value_if(tw_value_member(one, "oneOf"), TW_VALUE_ARRAY));
}

/* All that |whole| leads to; false: not all of them could be seen. */
static bool visit_all(part_walk *walk, const tw_value *root,
                      const tw_schemas *whole)
{
    tw_schema *schema = walk->schema;
    schema->root = root;
    schema->abandoned = false;
    for (size_t i = 0; i < whole->count; i++) {
        visit_later(walk, whole->all[i]);
    }
    while (walk->depth > 0 && !walk->lost && !schema->abandoned) {
        visit(walk, walk->waiting[--walk->depth]);
    }
    return !walk->lost && !schema->abandoned;
}

void tw_schema_part(tw_schema *schema, const tw_value *root,
                    const tw_schemas *whole, const tw_value *key, size_t index,
                    tw_schemas *part)
{
    part_walk walk = {
        .schema = schema, .key = key, .index = index, .part = part};
    part->count = 0;
    part->several = false;
    if (!visit_all(&walk, root, whole)) {
        part->count = 0;
    }
}

void tw_schema_tell(tw_schema *schema, const tw_value *root, tw_schemas *whole,
                    const tw_value *key, const tw_value *value)
{
    tw_schemas more = *whole;
    part_walk walk = {
        .schema = schema, .key = key, .told = value, .part = &more};
    if (visit_all(&walk, root, whole)) {
        *whole = more;
    }
}
