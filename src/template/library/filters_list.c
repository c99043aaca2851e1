/* SPDX-License-Identifier: MIT
 *
 * Filters of lists and dicts.  What jinja2 makes one value after another is an
 * iterator here, too: its values can be had once, and it has no length.
 */
#include "core/sort.h"
#include "template/library/filter.h"
#include "template/machine/words.h"

static tw_item new_list(tw_machine *machine, tw_item_kind kind)
{
    return tw_item_list(&machine->arena, kind, 0);
}

/* Nothing behind a failure: what was made before is given (tw_put_off()). */
static void add(tw_machine *machine, tw_item list, tw_item item)
{
    if (tw_charge(machine, 1)) {
        tw_list_add(&machine->arena, list.of.list, item);
    }
}

static bool is_given(tw_item item)
{
    return item.kind != TW_ITEM_UNSET && item.kind != TW_ITEM_NONE;
}

/* ---- ends and sizes ----------------------------------------------------- */

tw_item tw_filter_first(tw_machine *machine, tw_item item, const tw_item *more,
                        const tw_passed *all)
{
    (void)more;
    (void)all;
    if (item.kind == TW_ITEM_ITERATOR &&
        item.of.list->next < item.of.list->count) {
        return tw_next_item(machine, item.of.list);
    }
    if (item.kind == TW_ITEM_STRING && item.of.string->size > 0) {
        return tw_get_item(machine, item, tw_item_int(0));
    }
    const tw_item list = tw_list_of(machine, item);
    if (!tw_works(machine)) {
        return tw_none();
    }
    return list.of.list->count > 0
               ? list.of.list->items[0]
               : tw_undefined_hint(machine,
                                   "No first item, sequence was empty.");
}

tw_item tw_filter_last(tw_machine *machine, tw_item item, const tw_item *more,
                       const tw_passed *all)
{
    (void)more;
    (void)all;
    if (item.kind == TW_ITEM_STRING && item.of.string->size > 0) {
        return tw_get_item(machine, item, tw_item_int(-1));
    }
    if (item.kind == TW_ITEM_ITERATOR || tw_item_is_number(item) ||
        item.kind == TW_ITEM_NONE) {
        tw_fail(machine, "'%t' object is not reversible", item);
        return tw_none();
    }
    const tw_item list = tw_list_of(machine, item);
    if (!tw_works(machine)) {
        return tw_none();
    }
    return list.of.list->count > 0
               ? list.of.list->items[list.of.list->count - 1]
               : tw_undefined_hint(machine,
                                   "No last item, sequence was empty.");
}

tw_item tw_filter_length(tw_machine *machine, tw_item item,
                         const tw_item *more, const tw_passed *all)
{
    (void)more;
    (void)all;
    switch (item.kind) {
    case TW_ITEM_STRING: return tw_item_int((int64_t)item.of.string->points);
    case TW_ITEM_LIST:
    case TW_ITEM_TUPLE:
    case TW_ITEM_VIEW: return tw_item_int((int64_t)item.of.list->count);
    case TW_ITEM_DICT: return tw_item_int((int64_t)item.of.dict->count);
    case TW_ITEM_RANGE: return tw_item_int(item.of.range->count);
    case TW_ITEM_LOOP: return tw_item_int((int64_t)item.of.loop->items.count);
    case TW_ITEM_UNSET:
    case TW_ITEM_UNDEFINED: return tw_item_int(0);
    default:
        tw_fail(machine, "object of type '%t' has no len()", item);
        return tw_none();
    }
}

tw_item tw_filter_random(tw_machine *machine, tw_item item,
                         const tw_item *more, const tw_passed *all)
{
    (void)more;
    (void)all;
    const tw_item list = tw_list_of(machine, item);
    if (!tw_works(machine) || list.of.list->count == 0) {
        return tw_undefined_hint(machine,
                                 "No random item, sequence was empty.");
    }
    machine->seed = machine->seed * UINT64_C(6364136223846793005) + 1;
    return list.of.list
        ->items[(size_t)(machine->seed >> 33) % list.of.list->count];
}

tw_item tw_filter_list(tw_machine *machine, tw_item item, const tw_item *more,
                       const tw_passed *all)
{
    (void)more;
    (void)all;
    return tw_list_of(machine, item);
}

tw_item tw_filter_reverse(tw_machine *machine, tw_item item,
                          const tw_item *more, const tw_passed *all)
{
    (void)more;
    (void)all;
    const tw_item list =
        tw_list_or(machine, item, "argument must be iterable");
    tw_item result = new_list(machine, TW_ITEM_ITERATOR);
    result.flavour = TW_REVERSED;
    for (size_t i = tw_works(machine) ? list.of.list->count : 0; i-- > 0;) {
        add(machine, result, list.of.list->items[i]);
    }
    return item.kind == TW_ITEM_STRING
               ? tw_item_string(tw_join(machine,
                                        tw_string_word(&machine->arena, ""),
                                        result.of.list))
               : result;
}

/* ---- groups of a size --------------------------------------------------- */

tw_item tw_filter_batch(tw_machine *machine, tw_item item, const tw_item *more,
                        const tw_passed *all)
{
    (void)all;
    const tw_item list = tw_list_of(machine, item);
    const double size =
        tw_item_is_number(more[0]) ? tw_item_double(more[0]) : -1;
    const tw_item result = new_list(machine, TW_ITEM_ITERATOR);
    tw_item part = new_list(machine, TW_ITEM_LIST);
    for (size_t i = 0; tw_works(machine) && i < list.of.list->count; i++) {
        if ((double)part.of.list->count == size) {
            add(machine, result, part);
            part = new_list(machine, TW_ITEM_LIST);
        }
        add(machine, part, list.of.list->items[i]);
    }
    if (part.of.list->count > 0) {
        if (is_given(more[1]) && !tw_item_is_number(more[0])) {
            tw_fail(machine,
                    "'<' not supported between instances of 'int' and '%t'",
                    more[0]);
        }
        while (is_given(more[1]) && (double)part.of.list->count < size &&
               tw_works(machine)) {
            add(machine, part, more[1]);
        }
        add(machine, result, part);
    }
    return result;
}

tw_item tw_filter_slice(tw_machine *machine, tw_item item, const tw_item *more,
                        const tw_passed *all)
{
    (void)all;
    const tw_item list = tw_list_of(machine, item);
    const int64_t count = tw_whole(machine, more[0], 0);
    const tw_item result = new_list(machine, TW_ITEM_ITERATOR);
    if (count == 0) {
        tw_fail(machine, "integer division or modulo by zero");
    }
    if (!tw_works(machine) || count < 0) {
        return result;
    }
    const size_t each = list.of.list->count / (size_t)count;
    const size_t longer = list.of.list->count % (size_t)count;
    size_t at = 0;
    for (size_t i = 0; i < (size_t)count && tw_charge(machine, 1); i++) {
        const tw_item part = new_list(machine, TW_ITEM_LIST);
        for (size_t n = each + (i < longer); n > 0; n--) {
            add(machine, part, list.of.list->items[at++]);
        }
        if (is_given(more[1]) && i >= longer) {
            add(machine, part, more[1]);
        }
        add(machine, result, part);
    }
    return result;
}

/* ---- dicts -------------------------------------------------------------- */

static tw_item pair_of(tw_machine *machine, tw_item key, tw_item value)
{
    const tw_item pair = new_list(machine, TW_ITEM_TUPLE);
    tw_list_add(&machine->arena, pair.of.list, key);
    tw_list_add(&machine->arena, pair.of.list, value);
    return pair;
}

tw_item tw_filter_items(tw_machine *machine, tw_item item, const tw_item *more,
                        const tw_passed *all)
{
    (void)more;
    (void)all;
    const tw_item result = new_list(machine, TW_ITEM_ITERATOR);
    if (tw_item_is_undefined(item)) {
        return result;
    }
    if (item.kind != TW_ITEM_DICT) {
        tw_fail(machine, "Can only get item pairs from a mapping.");
        return result;
    }
    for (size_t i = 0; i < item.of.dict->count && tw_works(machine); i++) {
        add(machine, result,
            pair_of(machine, item.of.dict->entries[i].key,
                    item.of.dict->entries[i].value));
    }
    return result;
}

/* ---- order -------------------------------------------------------------- */

typedef struct keyed {
    tw_item key;
    tw_item item;
} keyed;

typedef struct order {
    tw_machine *machine;
    bool reverse;
    bool listed; /* the keys are lists, whose equal items have no order */
} order;

static bool before(const void *context, const void *left, const void *right)
{
    const order *by = context;
    const keyed *a = by->reverse ? right : left;
    const keyed *b = by->reverse ? left : right;
    return tw_works(by->machine) &&
           !(by->listed && tw_same(by->machine, a->key, b->key)) &&
           tw_order(by->machine, a->key, b->key, "<") < 0;
}

static tw_item without_case(tw_machine *machine, tw_item item, bool sensitive)
{
    return sensitive || item.kind != TW_ITEM_STRING
               ? item
               : tw_item_string(
                     tw_change_case(machine, item.of.string, TW_CASE_LOWER));
}

/* By an attribute or several, `a,b`. */
static tw_item key_of(tw_machine *machine, tw_item item, tw_item attribute,
                      bool sensitive)
{
    if (attribute.kind != TW_ITEM_STRING ||
        memchr(attribute.of.string->data, ',', attribute.of.string->size) ==
            NULL) {
        return without_case(
            machine,
            is_given(attribute) ? tw_get_path(machine, item, attribute) : item,
            sensitive);
    }
    const tw_item names =
        tw_split(machine, attribute.of.string,
                 tw_string_word(&machine->arena, ","), -1, false);
    const tw_item key = new_list(machine, TW_ITEM_LIST);
    for (size_t i = 0; i < names.of.list->count; i++) {
        add(machine, key,
            without_case(machine,
                         tw_get_path(machine, item, names.of.list->items[i]),
                         sensitive));
    }
    return key;
}

/* The items of a list with their keys, and as much room behind them. */
static keyed *keys_of(tw_machine *machine, const tw_list *list,
                      tw_item attribute, bool sensitive)
{
    keyed *items =
        tw_arena_get(&machine->arena, 2 * list->count * sizeof *items);
    for (size_t i = 0; items != NULL && i < list->count; i++) {
        items[i].item = list->items[i];
        items[i].key = key_of(machine, list->items[i], attribute, sensitive);
    }
    return items;
}

static void sort(keyed *items, size_t count, const order *by)
{
    if (items != NULL && tw_charge(by->machine, 16 * count)) {
        tw_sort_items(items, items + count, count, sizeof *items, before, by);
    }
}

static tw_item list_of_keyed(tw_machine *machine, const keyed *items,
                             size_t count)
{
    const tw_item result = new_list(machine, TW_ITEM_LIST);
    for (size_t i = 0; items != NULL && i < count; i++) {
        tw_list_add(&machine->arena, result.of.list, items[i].item);
    }
    return result;
}

tw_item tw_filter_sort(tw_machine *machine, tw_item item, const tw_item *more,
                       const tw_passed *all)
{
    (void)all;
    const tw_item list = tw_list_of(machine, item);
    if (!tw_works(machine)) {
        return tw_none();
    }
    const size_t count = list.of.list->count;
    keyed *items =
        keys_of(machine, list.of.list, more[2], tw_flag(more[1], false));
    const order how = {machine, tw_number(machine, more[0], 0) != 0, true};
    sort(items, count, &how);
    return list_of_keyed(machine, items, count);
}

tw_item tw_filter_dictsort(tw_machine *machine, tw_item item,
                           const tw_item *more, const tw_passed *all)
{
    (void)all;
    const tw_string *by =
        more[1].kind == TW_ITEM_UNSET ? NULL : tw_str(machine, more[1]);
    const bool by_value = by != NULL && tw_string_is(by, "value");
    if (by != NULL && !by_value && !tw_string_is(by, "key")) {
        tw_fail(machine, "You can only sort by either \"key\" or \"value\"");
        return tw_none();
    }
    if (item.kind != TW_ITEM_DICT) {
        if (tw_item_is_undefined(item)) {
            tw_fail_undefined(machine, item);
        }
        tw_fail(machine, "'%t' object has no attribute 'items'", item);
        return tw_none();
    }
    const tw_dict *dict = item.of.dict;
    keyed *items =
        tw_arena_get(&machine->arena, 2 * dict->count * sizeof *items);
    for (size_t i = 0; items != NULL && i < dict->count; i++) {
        const tw_entry *entry = &dict->entries[i];
        items[i].key =
            without_case(machine, by_value ? entry->value : entry->key,
                         tw_flag(more[0], false));
        items[i].item = pair_of(machine, entry->key, entry->value);
    }
    const order how = {machine, tw_flag(more[2], false), false};
    sort(items, dict->count, &how);
    return list_of_keyed(machine, items, dict->count);
}

static tw_item extreme(tw_machine *machine, tw_item item, const tw_item *more,
                       bool largest)
{
    const tw_item list = tw_list_of(machine, item);
    if (!tw_works(machine) || list.of.list->count == 0) {
        return tw_undefined_hint(machine,
                                 "No aggregated item, sequence was empty.");
    }
    const keyed *items =
        keys_of(machine, list.of.list, more[1], tw_flag(more[0], false));
    size_t best = 0;
    for (size_t i = 1; items != NULL && i < list.of.list->count; i++) {
        tw_charge(machine, 1);
        const int way = tw_order(machine, items[i].key, items[best].key,
                                 largest ? ">" : "<");
        best = (largest ? way > 0 : way < 0) ? i : best;
    }
    return items != NULL ? items[best].item : tw_none();
}

tw_item tw_filter_max(tw_machine *machine, tw_item item, const tw_item *more,
                      const tw_passed *all)
{
    (void)all;
    return extreme(machine, item, more, true);
}

tw_item tw_filter_min(tw_machine *machine, tw_item item, const tw_item *more,
                      const tw_passed *all)
{
    (void)all;
    return extreme(machine, item, more, false);
}

tw_item tw_filter_unique(tw_machine *machine, tw_item item,
                         const tw_item *more, const tw_passed *all)
{
    (void)all;
    const tw_item list = tw_list_of(machine, item);
    const tw_item result = new_list(machine, TW_ITEM_ITERATOR);
    const tw_item seen = tw_item_dict(&machine->arena, 0);
    for (size_t i = 0; tw_works(machine) && i < list.of.list->count; i++) {
        const tw_item key = key_of(machine, list.of.list->items[i], more[1],
                                   tw_flag(more[0], false));
        if (!tw_is_key(machine, key)) {
            tw_fail(machine, "unhashable type: '%t'", key);
        } else if (tw_dict_find(seen.of.dict, key) == NULL) {
            tw_dict_put(&machine->arena, seen.of.dict, key, key);
            add(machine, result, list.of.list->items[i]);
        }
    }
    return result;
}

tw_item tw_filter_groupby(tw_machine *machine, tw_item item,
                          const tw_item *more, const tw_passed *all)
{
    (void)all;
    const tw_item list = tw_list_of(machine, item);
    const tw_item result = new_list(machine, TW_ITEM_LIST);
    if (!tw_works(machine)) {
        return result;
    }
    const size_t count = list.of.list->count;
    const bool sensitive = tw_flag(more[2], false);
    keyed *items = keys_of(machine, list.of.list, more[0], sensitive);
    for (size_t i = 0; items != NULL && i < count; i++) {
        if (tw_item_is_undefined(items[i].key) && is_given(more[1])) {
            items[i].key = without_case(machine, more[1], sensitive);
        }
    }
    const order how = {machine, false, false};
    sort(items, count, &how);
    tw_item group = tw_none();
    for (size_t i = 0; items != NULL && i < count && tw_works(machine); i++) {
        if (i == 0 || !tw_same(machine, items[i - 1].key, items[i].key)) {
            group = new_list(machine, TW_ITEM_LIST);
            tw_item name = is_given(more[0])
                               ? tw_get_path(machine, items[i].item, more[0])
                               : items[i].key;
            name = tw_item_is_undefined(name) && is_given(more[1]) ? more[1]
                                                                   : name;
            tw_item pair = pair_of(machine, name, group);
            pair.flavour = TW_GROUP;
            add(machine, result, pair);
        }
        add(machine, group, items[i].item);
    }
    return result;
}

tw_item tw_filter_sum(tw_machine *machine, tw_item item, const tw_item *more,
                      const tw_passed *all)
{
    (void)all;
    const tw_item list = tw_list_of(machine, item);
    tw_item sum = more[1].kind == TW_ITEM_UNSET ? tw_item_int(0) : more[1];
    if (sum.kind == TW_ITEM_STRING) {
        tw_fail(machine, "sum() can't sum strings [use ''.join(seq) instead]");
    }
    for (size_t i = 0; tw_works(machine) && i < list.of.list->count; i++) {
        const tw_item part = list.of.list->items[i];
        sum = tw_binary(machine, TW_ADD, sum,
                        is_given(more[0]) ? tw_get_path(machine, part, more[0])
                                          : part);
        tw_charge(machine, 1);
    }
    return sum;
}

/* ---- map, select, reject ------------------------------------------------ */

/* The arguments behind the first |count| ones. */
static tw_passed rest_of(const tw_passed *all, size_t count)
{
    tw_passed rest = *all;
    rest.at = count > 0 ? rest.at + count : rest.at; /* it may be NULL */
    rest.count -= count;
    return rest;
}

static tw_item named(const tw_passed *all, const char *name)
{
    for (size_t i = 0; i < all->named_count; i++) {
        if (tw_string_is(all->named[i].name, name)) {
            return all->named[i].value;
        }
    }
    return tw_item_of(TW_ITEM_UNSET);
}

static tw_item map_attribute(tw_machine *machine, const tw_list *list,
                             tw_item attribute, tw_item otherwise)
{
    const tw_item result = new_list(machine, TW_ITEM_ITERATOR);
    for (size_t i = 0; i < list->count && tw_works(machine); i++) {
        const tw_item part = tw_get_path(machine, list->items[i], attribute);
        add(machine, result,
            tw_item_is_undefined(part) && is_given(otherwise) ? otherwise
                                                              : part);
    }
    return result;
}

tw_item tw_filter_map(tw_machine *machine, tw_item item, const tw_item *more,
                      const tw_passed *all)
{
    (void)more;
    const tw_item result = new_list(machine, TW_ITEM_ITERATOR);
    if (!tw_item_is_true(item)) { /* None is as empty as a list */
        return result;
    }
    const tw_item list = tw_list_of(machine, item);
    if (!tw_works(machine)) {
        return result;
    }
    const tw_item attribute = named(all, "attribute");
    if (all->count == 0 && attribute.kind != TW_ITEM_UNSET) {
        return map_attribute(machine, list.of.list, attribute,
                             named(all, "default"));
    }
    if (all->count == 0) {
        tw_fail(machine, "map requires a filter argument");
        return result;
    }
    const tw_string *name = tw_str(machine, all->at[0]);
    const size_t filter = machine->doors->find_filter(name->data, name->size);
    if (filter == SIZE_MAX) {
        tw_fail(machine, "No filter named %r.", all->at[0]);
        return result;
    }
    const tw_passed rest = rest_of(all, 1);
    for (size_t i = 0; i < list.of.list->count && tw_works(machine); i++) {
        add(machine, result,
            machine->doors->call_filter(machine, filter,
                                        list.of.list->items[i], &rest));
    }
    return result;
}

/* The items of which the test, or the test of an |attribute| that the first
 * argument names, is |wanted|. */
static tw_item choose(tw_machine *machine, tw_item item, const tw_passed *all,
                      bool attribute, bool wanted)
{
    const tw_item result = new_list(machine, TW_ITEM_ITERATOR);
    size_t test = SIZE_MAX;
    if (!tw_item_is_true(item)) {
        return result;
    }
    const tw_item list = tw_list_of(machine, item);
    if (!tw_works(machine)) {
        return result;
    }
    if (attribute && all->count == 0) {
        tw_fail(machine, "Missing parameter for attribute name");
        return result;
    }
    const bool tested = all->count > attribute;
    const tw_passed rest = rest_of(all, attribute + tested);
    if (tested) {
        const tw_string *name = tw_str(machine, all->at[attribute]);
        test = machine->doors->find_test(name->data, name->size);
        if (test == SIZE_MAX) {
            tw_fail(machine, "No test named %r.", all->at[attribute]);
        }
    }
    for (size_t i = 0; i < list.of.list->count && tw_works(machine); i++) {
        const tw_item part = list.of.list->items[i];
        const tw_item value = attribute && all->at[0].kind != TW_ITEM_NONE
                                  ? tw_get_path(machine, part, all->at[0])
                                  : part;
        const bool holds =
            tested ? machine->doors->call_test(machine, test, value, &rest)
                   : tw_item_is_true(value);
        tw_charge(machine, 1);
        if (holds == wanted) {
            add(machine, result, part);
        }
    }
    return result;
}

tw_item tw_filter_select(tw_machine *machine, tw_item item,
                         const tw_item *more, const tw_passed *all)
{
    (void)more;
    return choose(machine, item, all, false, true);
}

tw_item tw_filter_reject(tw_machine *machine, tw_item item,
                         const tw_item *more, const tw_passed *all)
{
    (void)more;
    return choose(machine, item, all, false, false);
}

tw_item tw_filter_selectattr(tw_machine *machine, tw_item item,
                             const tw_item *more, const tw_passed *all)
{
    (void)more;
    return choose(machine, item, all, true, true);
}

tw_item tw_filter_rejectattr(tw_machine *machine, tw_item item,
                             const tw_item *more, const tw_passed *all)
{
    (void)more;
    return choose(machine, item, all, true, false);
}
