/* SPDX-License-Identifier: MIT
 *
 * Equality and keys, which are paid for by what they look at.
 */
#include "template/machine/machine.h"

static bool pay(tw_machine *, tw_item, size_t depth);

static bool pay_for_list(tw_machine *machine, const tw_list *list,
                         size_t depth)
{
    for (size_t i = 0; i < list->count; i++) {
        if (!tw_charge(machine, 1) || !pay(machine, list->items[i], depth)) {
            return false;
        }
    }
    return true;
}

/* What is within |item| is counted, and how deep: two values are compared, and
 * one is hashed, by functions that call themselves and count nothing.  A list
 * that holds another twice, which holds another twice, ... is a few items that
 * are gone through without end. */
static bool pay(tw_machine *machine, tw_item item, size_t depth)
{
    if (machine->depth + depth > TW_MACHINE_DEPTH) {
        tw_fail(machine, "maximum recursion depth exceeded in comparison");
    }
    switch (item.kind) {
    case TW_ITEM_STRING:
    case TW_ITEM_BIG: return tw_charge(machine, item.of.string->size / 64);
    case TW_ITEM_LIST:
    case TW_ITEM_TUPLE:
    case TW_ITEM_VIEW: return pay_for_list(machine, item.of.list, depth + 1);
    case TW_ITEM_DICT:
        for (size_t i = 0; i < item.of.dict->count; i++) {
            const tw_entry *entry = &item.of.dict->entries[i];
            if (!tw_charge(machine, 1) ||
                !pay(machine, entry->key, depth + 1) ||
                !pay(machine, entry->value, depth + 1)) {
                return false;
            }
        }
        return true;
    default: return tw_works(machine);
    }
}

/* Do they differ, or not, without a look at what they hold? */
static bool is_decided(tw_item left, tw_item right)
{
    if (left.kind != right.kind) {
        return true;
    }
    switch (left.kind) {
    case TW_ITEM_STRING: return left.of.string->size != right.of.string->size;
    case TW_ITEM_LIST:
    case TW_ITEM_TUPLE:
    case TW_ITEM_VIEW:
        return left.of.list == right.of.list ||
               left.of.list->count != right.of.list->count;
    case TW_ITEM_DICT:
        return left.of.dict == right.of.dict ||
               left.of.dict->count != right.of.dict->count;
    default: return false;
    }
}

bool tw_same(tw_machine *machine, tw_item left, tw_item right)
{
    return (is_decided(left, right) || pay(machine, left, 0)) &&
           tw_item_equals(left, right);
}

bool tw_is_key(tw_machine *machine, tw_item item)
{
    return item.kind == TW_ITEM_STRING
               ? tw_charge(machine, item.of.string->size / 64)
               : pay(machine, item, 0) && tw_item_is_hashable(item);
}
