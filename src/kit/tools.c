/* SPDX-License-Identifier: MIT
 *
 * Schemas are made of the values: each key gets the types that it has in the
 * calls of that name.
 */
#include "kit/tools.h"

#include <string.h>

static const char *const types[] = {"string", "integer", "number", "boolean",
                                    "null",   "array",   "object"};
enum { STRING, INTEGER, NUMBER, BOOLEAN, NOTHING, ARRAY, OBJECT, TYPES };

static unsigned type_of(const tw_value *value)
{
    switch (value->kind) {
    case TW_VALUE_STRING: return 1U << STRING;
    case TW_VALUE_NUMBER:
        return memchr(value->text, '.', value->size) == NULL &&
                       memchr(value->text, 'e', value->size) == NULL &&
                       memchr(value->text, 'E', value->size) == NULL
                   ? 1U << INTEGER
                   : 1U << NUMBER;
    case TW_VALUE_TRUE:
    case TW_VALUE_FALSE: return 1U << BOOLEAN;
    case TW_VALUE_NULL: return 1U << NOTHING;
    case TW_VALUE_ARRAY: return 1U << ARRAY;
    default: return 1U << OBJECT;
    }
}

/* One type, or a list of them. */
static void jot_types(tw_json_out *json_out, unsigned found)
{
    const bool one = (found & (found - 1)) == 0;
    bool first = true;
    if ((found & 1U << NUMBER) != 0) {
        found &= ~(1U << INTEGER); /* of which it is a part */
    }
    tw_json_put(json_out, one ? "\"type\":" : "\"type\":[");
    for (int i = 0; i < TYPES; i++) {
        if ((found & 1U << i) != 0) {
            tw_json_put(json_out, first ? "\"" : ",\"");
            tw_json_put(json_out, types[i]);
            tw_json_put(json_out, "\"");
            first = false;
        }
    }
    tw_json_put(json_out, one ? "" : "]");
}

static const tw_value *function_of(const tw_value *call)
{
    return tw_value_member(call, "function");
}

static bool same_name(const tw_value *a, const tw_value *b)
{
    const tw_value *x = tw_value_member(function_of(a), "name");
    const tw_value *y = tw_value_member(function_of(b), "name");
    return x->size == y->size && memcmp(x->text, y->text, x->size) == 0;
}

/* Of the argument |key| in all calls named as |first|, which begins them. */
static void jot_property(tw_json_out *json_out, const tw_value *first,
                         const tw_value *key)
{
    unsigned found = 0;
    unsigned items = 0;
    for (const tw_value *call = first; call != NULL; call = call->next) {
        const tw_value *value =
            same_name(call, first)
                ? tw_value_member_sized(
                      tw_value_member(function_of(call), "arguments"),
                      key->key, key->key_size)
                : NULL;
        found |= value != NULL ? type_of(value) : 0;
        if (tw_value_is_a(value, TW_VALUE_ARRAY)) {
            for (const tw_value *at = value->first; at != NULL;
                 at = at->next) {
                items |= type_of(at);
            }
        }
    }
    tw_json_put_string(json_out, key->key, key->key_size);
    tw_json_put(json_out, ":{");
    jot_types(json_out, found);
    if (items != 0) {
        tw_json_put(json_out, ",\"items\":{");
        jot_types(json_out, items);
        tw_json_put(json_out, "}");
    }
    tw_json_put(json_out, "}");
}

/* Is there such an argument in a call of the name, from |first| to |last|? */
static bool has_before(const tw_value *first, const tw_value *last,
                       const tw_value *key)
{
    for (; first != last; first = first->next) {
        if (same_name(first, last) &&
            tw_value_member_sized(
                tw_value_member(function_of(first), "arguments"), key->key,
                key->key_size) != NULL) {
            return true;
        }
    }
    return false;
}

static void jot_tool(tw_json_out *json_out, const tw_value *first)
{
    const tw_value *name = tw_value_member(function_of(first), "name");
    bool begins = true;
    tw_json_put(json_out, "{\"type\":\"function\",\"function\":{\"name\":");
    tw_json_put_string(json_out, name->text, name->size);
    tw_json_put(json_out,
                ",\"parameters\":{\"type\":\"object\",\"properties\":{");
    for (const tw_value *call = first; call != NULL; call = call->next) {
        const tw_value *key =
            same_name(call, first)
                ? tw_value_member(function_of(call), "arguments")->first
                : NULL;
        for (; key != NULL; key = key->next) {
            if (!has_before(first, call, key)) {
                tw_json_put(json_out, begins ? "" : ",");
                jot_property(json_out, first, key);
                begins = false;
            }
        }
    }
    tw_json_put(json_out, "}}}}");
}

void kit_jot_tools(tw_json_out *json_out, tw_tree *tree,
                   const tw_buffer *message)
{
    const tw_value *calls = NULL;
    if (message->size > 0) {
        const int read = tw_tree_read(tree, (const char *)message->data,
                                      message->size, false);
        json_out->failed |= read == TW_ERROR_MEMORY;
        calls =
            read == TW_OK ? tw_value_member(tree->root, "tool_calls") : NULL;
    }
    const tw_value *first = calls != NULL ? calls->first : NULL;
    tw_json_put(json_out, "[");
    for (const tw_value *call = first; call != NULL; call = call->next) {
        const tw_value *before = first;
        while (before != call && !same_name(before, call)) {
            before = before->next;
        }
        if (before == call) {
            jot_tool(json_out, call);
            tw_json_put(json_out, ",");
        }
    }
    tw_json_put(json_out,
                "{\"type\":\"function\",\"function\":{\"name\":\"forged\","
                "\"parameters\":{\"type\":\"object\",\"properties\":{\"a\":"
                "{\"type\":\"integer\"}}}}}]");
}

void kit_jot_turn_tools(tw_json_out *json_out, tw_tree *scratch,
                        const kit_turn *turn)
{
    static const tw_buffer nothing = {0};
    if (turn->tools.size > 0) {
        tw_json_put_text(json_out, (const char *)turn->tools.data,
                         turn->tools.size);
    } else {
        kit_jot_tools(json_out, scratch,
                      turn->undeclared ? &nothing : &turn->message);
    }
}
