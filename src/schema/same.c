/* SPDX-License-Identifier: MIT
 *
 * Values that are equal as JSON is: numbers by what they are, objects without
 * the order of their members.
 */
#include "core/sort.h"
#include "schema/decimal.h"
#include "schema/steps.h"

typedef struct pair {
    const tw_value *left;
    const tw_value *right;
} pair;

static bool add_pair(tw_schema *schema, const tw_value *left,
                     const tw_value *right)
{
    const pair fresh = {left, right};
    const bool good =
        tw_buffer_append(&schema->pairs, schema->memory, &fresh, sizeof fresh);
    schema->failed |= !good;
    return good;
}

/* Parts of two containers that are as long as each other. */
static bool add_parts(tw_schema *schema, const tw_value *left,
                      const tw_value *right)
{
    const bool object = left->kind == TW_VALUE_OBJECT;
    const tw_value *b = right->first;
    bool good = true;
    for (const tw_value *a = left->first; a != NULL && good; a = a->next) {
        const tw_value *other =
            object ? tw_value_member_sized(right, a->key, a->key_size) : b;
        good = other != NULL &&
               tw_schema_work(schema,
                              object ? 1 + tw_value_length(right) / 8 : 1) &&
               add_pair(schema, a, other);
        b = b->next;
    }
    return good;
}

static bool is_same_alone(const tw_value *left, const tw_value *right)
{
    if (left->kind != right->kind) {
        return false;
    }
    switch (left->kind) {
    case TW_VALUE_NUMBER: {
        const tw_decimal a = tw_decimal_of(left);
        const tw_decimal b = tw_decimal_of(right);
        return tw_decimal_compare(&a, &b) == 0;
    }
    case TW_VALUE_STRING: return tw_value_is_same_text(left, right);
    case TW_VALUE_ARRAY:
    case TW_VALUE_OBJECT:
        return tw_value_length(left) == tw_value_length(right);
    default: return true;
    }
}

bool tw_schema_same(tw_schema *schema, const tw_value *left,
                    const tw_value *right)
{
    schema->pairs.size = 0;
    bool same = add_pair(schema, left, right);
    while (same && schema->pairs.size > 0) {
        schema->pairs.size -= sizeof(pair);
        const pair last = *(const pair *)(const void *)(schema->pairs.data +
                                                        schema->pairs.size);
        same = tw_schema_work(schema, 1 + last.left->size / 64) &&
               is_same_alone(last.left, last.right) &&
               add_parts(schema, last.left, last.right);
    }
    return same;
}

/* ---- lists -------------------------------------------------------------- */

static uint64_t hash_bytes(uint64_t hash, const char *data, size_t size)
{
    for (size_t i = 0; i < size; i++) {
        hash = (hash ^ (uint8_t)data[i]) * UINT64_C(0x100000001B3);
    }
    return hash;
}

static uint64_t hash_alone(const tw_value *value, size_t depth)
{
    uint64_t hash = 7 + (uint64_t)value->kind + 31 * depth;
    if (value->kind == TW_VALUE_NUMBER) {
        const tw_decimal number = tw_decimal_of(value);
        return hash * 1000003 + tw_decimal_hash(&number);
    }
    return hash_bytes(hash, value->text, value->size);
}

/* Of equal values the same: a sum, whatever the order of members. */
static uint64_t hash_of(tw_schema *schema, const tw_value *value)
{
    const tw_value *at = value;
    uint64_t hash = 0;
    size_t depth = 0;
    while (at != NULL && tw_schema_work(schema, 1)) {
        const uint64_t own = hash_alone(at, depth);
        hash += depth > 0 && at->key != NULL
                    ? hash_bytes(own, at->key, at->key_size)
                    : own;
        if (at->first != NULL) {
            at = at->first;
            depth++;
            continue;
        }
        while (at != value && at->next == NULL) {
            at = at->parent;
            depth--;
        }
        at = at != value ? at->next : NULL;
    }
    return hash;
}

typedef struct hashed {
    uint64_t hash;
    const tw_value *value;
} hashed;

static bool is_before(const void *context, size_t left, size_t right)
{
    const hashed *list = context;
    return list[left].hash != list[right].hash
               ? list[left].hash < list[right].hash
               : left < right;
}

static bool repeats_in_order(tw_schema *schema, const hashed *list,
                             const size_t *order, size_t count)
{
    for (size_t i = 0; i < count; i++) {
        for (size_t k = i + 1;
             k < count && list[order[k]].hash == list[order[i]].hash; k++) {
            if (tw_schema_same(schema, list[order[i]].value,
                               list[order[k]].value)) {
                return true;
            }
            if (schema->failed || schema->abandoned) {
                return false;
            }
        }
    }
    return false;
}

bool tw_schema_repeats(tw_schema *schema, const tw_value *list)
{
    const tw_memory *memory = schema->memory;
    tw_buffer values = {0};
    tw_buffer order = {0};
    bool good = true;
    for (const tw_value *at = list->first; at != NULL && good; at = at->next) {
        const hashed one = {hash_of(schema, at), at};
        good = tw_buffer_append(&values, memory, &one, sizeof one) &&
               tw_buffer_append(&order, memory, &at->index, sizeof at->index);
    }
    good = good && tw_sort(&order, memory, is_before, values.data);
    const bool repeats =
        good &&
        repeats_in_order(schema, (const hashed *)(const void *)values.data,
                         (const size_t *)(const void *)order.data,
                         order.size / sizeof(size_t));
    schema->failed |= !good;
    tw_buffer_free(&values, memory);
    tw_buffer_free(&order, memory);
    return repeats;
}
