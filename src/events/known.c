/* SPDX-License-Identifier: MIT
 *
 * The schemas of a part: those that all schemas of the whole have for it.
 */
#include "events/known.h"

#include "events/tools.h"

/* A part that is asked for. */
typedef struct asked_part {
    const char *key; /* of a member; NULL: an element */
    size_t size;
    tw_known found;
    tw_known others; /* what is said of members that are not named */
} asked_part;

static void add(tw_known *known, const tw_value *schema)
{
    if (schema != NULL && schema->kind == TW_VALUE_OBJECT &&
        known->count < TW_KNOWN_SCHEMAS) {
        known->all[known->count++] = schema;
    }
}

static void visit(void *context, const tw_value *schema, size_t *work)
{
    asked_part *part = context;
    const tw_value *members = tw_value_member(schema, "properties");
    const tw_value *named = NULL;
    if (part->key == NULL) {
        add(&part->found, tw_value_member(schema, "items"));
        return;
    }
    const size_t cost = members != NULL ? 1 + tw_value_length(members) : 1;
    if (cost <= *work && members != NULL &&
        members->kind == TW_VALUE_OBJECT) {
        named = tw_value_member_sized(members, part->key, part->size);
    }
    *work -= cost <= *work ? cost : *work;
    add(&part->found, named);
    if (named == NULL) {
        add(&part->others, tw_value_member(schema, "additionalProperties"));
    }
}

tw_known tw_known_arguments(const tw_value *schema)
{
    tw_known known = {.root = schema, .types = TW_TYPE_OBJECT};
    add(&known, schema);
    return known;
}

tw_known tw_known_part(const tw_known *whole, const char *key, size_t size,
                       size_t *work)
{
    asked_part part = {.key = key,
                       .size = size,
                       .found = {.root = whole->root},
                       .others = {.root = whole->root}};
    for (size_t i = 0; i < whole->count; i++) {
        tw_known_visit(whole->all[i], whole->root, work, visit, &part);
    }
    tw_known known = part.found.count > 0 ? part.found : part.others;
    for (size_t i = 0; i < known.count; i++) {
        known.types |=
            (uint8_t)tw_known_types(known.all[i], known.root, work);
    }
    return known;
}
