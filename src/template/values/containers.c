/* SPDX-License-Identifier: MIT
 *
 * Lists and dicts of templates, and what Python asks any value: bool(), `==`,
 * hash(), type().
 */
#include "template/values/item.h"
#include "template/values/string.h"

/* ---- lists -------------------------------------------------------------- */

tw_item tw_item_list(tw_arena *arena, tw_item_kind kind, size_t room)
{
    static const tw_list none; /* it has no room, and gets none */
    tw_list *list = tw_arena_get(arena, sizeof *list);
    if (list != NULL) {
        list->items =
            room > 0 ? tw_arena_get(arena, room * sizeof *list->items) : NULL;
        list->count = 0;
        list->next = 0;
        list->room = list->items != NULL ? room : 0;
    }
    return (tw_item){.kind = (uint8_t)kind,
                     .of.list =
                         list != NULL ? list : (tw_list *)(uintptr_t)&none};
}

void tw_list_add(tw_arena *arena, tw_list *list, tw_item item)
{
    if (list->count == list->room) {
        const size_t room = list->room < 4 ? 4 : 2 * list->room;
        tw_item *items = tw_arena_get(arena, room * sizeof *items);
        if (items == NULL) {
            return;
        }
        if (list->count > 0) {
            memcpy(items, list->items, list->count * sizeof *items);
        }
        list->items = items;
        list->room = room;
    }
    list->items[list->count++] = item;
}

/* ---- hashes ------------------------------------------------------------- */

static uint32_t hash_bytes(const char *data, size_t size)
{
    uint32_t hash = 2166136261U;
    for (size_t i = 0; i < size; i++) {
        hash = (hash ^ (uint8_t)data[i]) * 16777619U;
    }
    return hash;
}

static uint32_t hash_of(tw_item item)
{
    uint32_t hash = item.kind;
    switch (item.kind) {
    case TW_ITEM_STRING:
    case TW_ITEM_BIG:
        return hash_bytes(item.of.string->data, item.of.string->size);
    case TW_ITEM_BOOL:
    case TW_ITEM_INT:
    case TW_ITEM_FLOAT: { /* 1, 1.0 and True are one key */
        const double number = tw_item_double(item);
        return hash_bytes((const char *)&number, sizeof number);
    }
    case TW_ITEM_TUPLE:
        for (size_t i = 0; i < item.of.list->count; i++) {
            hash = hash * 31 + hash_of(item.of.list->items[i]);
        }
        return hash;
    default: return hash;
    }
}

bool tw_item_is_hashable(tw_item item)
{
    if (item.kind == TW_ITEM_TUPLE) {
        for (size_t i = 0; i < item.of.list->count; i++) {
            if (!tw_item_is_hashable(item.of.list->items[i])) {
                return false;
            }
        }
    }
    return item.kind != TW_ITEM_LIST && item.kind != TW_ITEM_DICT &&
           item.kind != TW_ITEM_VIEW && item.kind != TW_ITEM_SLICE;
}

/* ---- dicts -------------------------------------------------------------- */

enum { FEW = 8 };

tw_item tw_item_dict(tw_arena *arena, size_t room)
{
    static const tw_dict none;
    tw_dict *dict = tw_arena_get(arena, sizeof *dict);
    if (dict != NULL) {
        memset(dict, 0, sizeof *dict);
        dict->entries = room > 0
                            ? tw_arena_get(arena, room * sizeof *dict->entries)
                            : NULL;
        dict->room = dict->entries != NULL ? room : 0;
    }
    return (tw_item){.kind = TW_ITEM_DICT,
                     .of.dict =
                         dict != NULL ? dict : (tw_dict *)(uintptr_t)&none};
}

static bool is_key(const tw_entry *entry, tw_item key)
{
    return entry->key.kind == TW_ITEM_STRING && key.kind == TW_ITEM_STRING
               ? tw_string_equals(entry->key.of.string, key.of.string)
               : tw_item_equals(entry->key, key);
}

/* Few keys are compared: that costs less than a hash. */
static tw_entry *find_entry(const tw_dict *dict, tw_item key)
{
    if (dict->slots == NULL) {
        for (size_t i = 0; i < dict->count; i++) {
            if (is_key(&dict->entries[i], key)) {
                return &dict->entries[i];
            }
        }
        return NULL;
    }
    const size_t mask = dict->slot_count - 1;
    for (size_t at = hash_of(key) & mask; dict->slots[at] != 0;
         at = (at + 1) & mask) {
        tw_entry *entry = &dict->entries[dict->slots[at] - 1];
        if (is_key(entry, key)) {
            return entry;
        }
    }
    return NULL;
}

tw_item *tw_dict_find(const tw_dict *dict, tw_item key)
{
    tw_entry *entry = find_entry(dict, key);
    return entry != NULL ? &entry->value : NULL;
}

tw_item *tw_dict_find_text(const tw_dict *dict, const char *key, size_t size)
{
    const tw_string string = {.data = key, .size = size};
    return tw_dict_find(dict, tw_item_string(&string));
}

static void slot_in(tw_dict *dict, size_t number)
{
    const size_t mask = dict->slot_count - 1;
    size_t at = hash_of(dict->entries[number].key) & mask;
    while (dict->slots[at] != 0) {
        at = (at + 1) & mask;
    }
    dict->slots[at] = (uint32_t)number + 1;
}

/* Room for one more, in the list and among the slots. */
static bool grow(tw_arena *arena, tw_dict *dict)
{
    if (dict->count == dict->room) {
        const size_t room = dict->room < 4 ? 4 : 2 * dict->room;
        tw_entry *entries = tw_arena_get(arena, room * sizeof *entries);
        if (entries == NULL) {
            return false;
        }
        if (dict->count > 0) {
            memcpy(entries, dict->entries, dict->count * sizeof *entries);
        }
        dict->entries = entries;
        dict->room = room;
    }
    if (dict->count < FEW || 2 * dict->count < dict->slot_count) {
        return true;
    }
    const size_t count = dict->slot_count > 0 ? 2 * dict->slot_count : 4 * FEW;
    uint32_t *slots = tw_arena_get(arena, count * sizeof *slots);
    if (slots == NULL) {
        return false;
    }
    memset(slots, 0, count * sizeof *slots);
    dict->slots = slots;
    dict->slot_count = count;
    for (size_t i = 0; i < dict->count; i++) {
        slot_in(dict, i);
    }
    return true;
}

void tw_dict_put(tw_arena *arena, tw_dict *dict, tw_item key, tw_item value)
{
    tw_entry *known = find_entry(dict, key);
    if (known != NULL) { /* the first key stays, as in Python */
        known->value = value;
        return;
    }
    if (!grow(arena, dict)) {
        return;
    }
    dict->entries[dict->count] = (tw_entry){key, value};
    dict->count++;
    if (dict->slots != NULL) {
        slot_in(dict, dict->count - 1);
    }
}

/* ---- asking ------------------------------------------------------------- */

bool tw_item_is_true(tw_item item)
{
    switch (item.kind) {
    case TW_ITEM_UNSET:
    case TW_ITEM_UNDEFINED:
    case TW_ITEM_NONE: return false;
    case TW_ITEM_BOOL: return item.of.flag;
    case TW_ITEM_INT: return item.of.integer != 0;
    case TW_ITEM_FLOAT: return item.of.number != 0;
    case TW_ITEM_STRING: return item.of.string->size > 0;
    case TW_ITEM_LIST:
    case TW_ITEM_TUPLE:
    case TW_ITEM_VIEW: return item.of.list->count > 0;
    case TW_ITEM_DICT: return item.of.dict->count > 0;
    case TW_ITEM_RANGE: return item.of.range->count > 0;
    default: /* an iterator, too, even if it has nothing */ return true;
    }
}

static bool lists_equal(const tw_list *left, const tw_list *right)
{
    if (left == right) {
        return true;
    }
    if (left->count != right->count) {
        return false;
    }
    for (size_t i = 0; i < left->count; i++) {
        if (!tw_item_equals(left->items[i], right->items[i])) {
            return false;
        }
    }
    return true;
}

static bool dicts_equal(const tw_dict *left, const tw_dict *right)
{
    if (left == right) {
        return true;
    }
    if (left->count != right->count) {
        return false;
    }
    for (size_t i = 0; i < left->count; i++) {
        const tw_item *other = tw_dict_find(right, left->entries[i].key);
        if (other == NULL || !tw_item_equals(left->entries[i].value, *other)) {
            return false;
        }
    }
    return true;
}

static bool ranges_equal(const tw_number_range *left,
                         const tw_number_range *right)
{
    return left->count == right->count &&
           (left->count == 0 ||
            (left->start == right->start &&
             (left->count == 1 || left->step == right->step)));
}

bool tw_item_equals(tw_item left, tw_item right)
{
    if (tw_item_is_number(left) && tw_item_is_number(right)) {
        return left.kind == TW_ITEM_FLOAT || right.kind == TW_ITEM_FLOAT
                   ? tw_item_double(left) == tw_item_double(right)
                   : tw_item_integer(left) == tw_item_integer(right);
    }
    if (tw_item_is_undefined(left) && tw_item_is_undefined(right)) {
        return true;
    }
    if (left.kind != right.kind) {
        return false;
    }
    switch (left.kind) {
    case TW_ITEM_NONE: return true;
    case TW_ITEM_STRING:
    case TW_ITEM_BIG: return tw_string_equals(left.of.string, right.of.string);
    case TW_ITEM_LIST:
    case TW_ITEM_TUPLE: return lists_equal(left.of.list, right.of.list);
    case TW_ITEM_VIEW:
        return left.of.list == right.of.list ||
               (left.flavour == right.flavour && left.flavour != TW_VALUES &&
                lists_equal(left.of.list, right.of.list));
    case TW_ITEM_DICT: return dicts_equal(left.of.dict, right.of.dict);
    case TW_ITEM_RANGE: return ranges_equal(left.of.range, right.of.range);
    case TW_ITEM_FUNCTION: return left.of.function == right.of.function;
    default: return left.of.list == right.of.list;
    }
}

const char *tw_item_type(tw_item item)
{
    static const char *const names[] = {
        [TW_ITEM_UNSET] = "Undefined",
        [TW_ITEM_UNDEFINED] = "Undefined",
        [TW_ITEM_NONE] = "NoneType",
        [TW_ITEM_BOOL] = "bool",
        [TW_ITEM_INT] = "int",
        [TW_ITEM_BIG] = "int",
        [TW_ITEM_FLOAT] = "float",
        [TW_ITEM_STRING] = "str",
        [TW_ITEM_LIST] = "list",
        [TW_ITEM_TUPLE] = "tuple",
        [TW_ITEM_VIEW] = "dict_items",
        [TW_ITEM_ITERATOR] = "generator",
        [TW_ITEM_RANGE] = "range",
        [TW_ITEM_DICT] = "dict",
        [TW_ITEM_NAMESPACE] = "Namespace",
        [TW_ITEM_FUNCTION] = "function",
        [TW_ITEM_METHOD] = "builtin_function_or_method",
        [TW_ITEM_MACRO] = "Macro",
        [TW_ITEM_LOOP] = "LoopContext",
        [TW_ITEM_CYCLER] = "Cycler",
        [TW_ITEM_JOINER] = "Joiner",
        [TW_ITEM_SLICE] = "slice",
    };
    switch (item.flavour) {
    case TW_KEYS: return "dict_keys";
    case TW_VALUES: return "dict_values";
    case TW_REVERSED: return "list_reverseiterator";
    case TW_MARKUP: return "Markup";
    default: return names[item.kind];
    }
}
