/* SPDX-License-Identifier: MIT
 *
 * What a reference means inside its own schema: `#`, `#/a/b`, `#anchor`.  A
 * dynamic one is another only where schemas with names of their own stand in
 * it.
 */
#include "json/escape.h"
#include "schema/steps.h"

static const tw_value *point(tw_schema *schema, const char *at,
                             const char *end)
{
    const tw_value *to = schema->root;
    while (at < end && to != NULL) {
        const char *slash = memchr(at + 1, '/', (size_t)(end - at - 1));
        const char *stop = slash != NULL ? slash : end;
        schema->pairs.size = 0;
        for (at++; at < stop;) {
            const char c = tw_json_pointer_byte(&at);
            if (!tw_buffer_append(&schema->pairs, schema->memory, &c, 1)) {
                schema->failed = true;
                return NULL;
            }
        }
        const size_t size = schema->pairs.size;
        const char *token = size > 0 ? (const char *)schema->pairs.data : "";
        if (!tw_schema_work(schema, 1 + tw_value_length(to))) {
            return NULL;
        }
        to = tw_value_part(to, token, size);
    }
    return to;
}

static bool is_anchor(const tw_value *value, const char *name, size_t size)
{
    return value->kind == TW_VALUE_STRING &&
           (tw_value_has_key(value, "$anchor") ||
            tw_value_has_key(value, "$dynamicAnchor")) &&
           value->size == size && memcmp(value->text, name, size) == 0;
}

static const tw_value *find_anchor(tw_schema *schema, const char *name,
                                   size_t size)
{
    const tw_value *at = schema->root;
    while (at != NULL && tw_schema_work(schema, 1)) {
        if (is_anchor(at, name, size)) {
            return at->parent;
        }
        at = tw_value_after(at, schema->root);
    }
    return NULL;
}

/* Is there a schema with a name of its own inside? */
static bool has_others(tw_schema *schema)
{
    const tw_value *at = schema->root;
    while (at != NULL && tw_schema_work(schema, 1)) {
        if (tw_value_has_key(at, "$id") && at->parent != schema->root) {
            return true;
        }
        at = tw_value_after(at, schema->root);
    }
    return at != NULL; /* there was no work left */
}

static const tw_value *follow(tw_schema *schema, const tw_value *reference)
{
    const char *at = reference->text;
    const char *end = at + reference->size;
    if (reference->kind != TW_VALUE_STRING || at == end || *at != '#') {
        return NULL;
    }
    at++;
    return at == end || *at == '/'
               ? point(schema, at, end)
               : find_anchor(schema, at, (size_t)(end - at));
}

const tw_value *tw_schema_target(tw_schema *schema, const tw_value *reference)
{
    return tw_value_has_key(reference, "$dynamicRef") && has_others(schema)
               ? NULL
               : follow(schema, reference);
}
