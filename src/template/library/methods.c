/* SPDX-License-Identifier: MIT
 *
 * The methods of Python's types that templates may call, by their names.
 */
#include "core/sort.h"
#include "template/library/library.h"
#include "template/library/method.h"

/* ---- dicts and lists ---------------------------------------------------- */

static tw_item do_get(tw_machine *machine, tw_item self, const tw_item *more,
                      const tw_passed *all)
{
    (void)all;
    if (!tw_is_key(machine, more[0])) {
        tw_fail(machine, "unhashable type: '%t'", more[0]);
        return tw_none();
    }
    const tw_item *found = tw_dict_find(self.of.dict, more[0]);
    return found != NULL                   ? *found
           : more[1].kind == TW_ITEM_UNSET ? tw_none()
                                           : more[1];
}

static tw_item view(tw_machine *machine, tw_item self, tw_flavour flavour)
{
    const tw_dict *dict = self.of.dict;
    tw_item result = tw_item_list(&machine->arena, TW_ITEM_VIEW, dict->count);
    result.flavour = (uint8_t)flavour;
    tw_charge(machine, dict->count);
    for (size_t i = 0; i < dict->count; i++) {
        const tw_entry *entry = &dict->entries[i];
        tw_item item = flavour == TW_KEYS ? entry->key : entry->value;
        if (flavour == TW_ITEMS) {
            item = tw_item_list(&machine->arena, TW_ITEM_TUPLE, 2);
            tw_list_add(&machine->arena, item.of.list, entry->key);
            tw_list_add(&machine->arena, item.of.list, entry->value);
        }
        tw_list_add(&machine->arena, result.of.list, item);
    }
    return result;
}

static tw_item do_items(tw_machine *machine, tw_item self, const tw_item *more,
                        const tw_passed *all)
{
    (void)more;
    (void)all;
    return view(machine, self, TW_ITEMS);
}

static tw_item do_keys(tw_machine *machine, tw_item self, const tw_item *more,
                       const tw_passed *all)
{
    (void)more;
    (void)all;
    return view(machine, self, TW_KEYS);
}

static tw_item do_values(tw_machine *machine, tw_item self,
                         const tw_item *more, const tw_passed *all)
{
    (void)more;
    (void)all;
    return view(machine, self, TW_VALUES);
}

/* Nothing changes a dict or list: it is its own copy. */
static tw_item do_copy(tw_machine *machine, tw_item self, const tw_item *more,
                       const tw_passed *all)
{
    (void)machine;
    (void)more;
    (void)all;
    return self;
}

static tw_item do_list_count(tw_machine *machine, tw_item self,
                             const tw_item *more, const tw_passed *all)
{
    (void)all;
    const tw_item list = tw_list_of(machine, self);
    int64_t count = 0;
    for (size_t i = 0; i < list.of.list->count && tw_charge(machine, 1); i++) {
        count += tw_same(machine, list.of.list->items[i], more[0]);
    }
    return tw_item_int(count);
}

/* An end of a part of |count| elements, as slices count. */
static int64_t bound_of(tw_machine *machine, tw_item item, int64_t count,
                        int64_t otherwise)
{
    if (item.kind != TW_ITEM_UNSET && !tw_item_is_integral(item)) {
        tw_fail(machine,
                "slice indices must be integers or have an __index__ method");
    }
    const int64_t at = tw_number(machine, item, otherwise);
    const int64_t from_start = at < 0 ? at + count : at;
    return from_start < 0 ? 0 : from_start > count ? count : from_start;
}

static tw_item do_list_index(tw_machine *machine, tw_item self,
                             const tw_item *more, const tw_passed *all)
{
    (void)all;
    const tw_item list = tw_list_of(machine, self);
    const int64_t count = (int64_t)list.of.list->count;
    const int64_t end = bound_of(machine, more[2], count, count);
    for (int64_t i = bound_of(machine, more[1], count, 0);
         i < end && tw_charge(machine, 1); i++) {
        if (tw_same(machine, list.of.list->items[i], more[0])) {
            return tw_item_int(i);
        }
    }
    if (self.kind == TW_ITEM_TUPLE) {
        tw_fail(machine, "tuple.index(x): x not in tuple");
    }
    tw_fail(machine, "%r is not in %t", more[0], self);
    return tw_none();
}

/* ---- numbers ------------------------------------------------------------ */

static tw_item do_is_integer(tw_machine *machine, tw_item self,
                             const tw_item *more, const tw_passed *all)
{
    (void)more;
    (void)all;
    return tw_item_bool(
        self.of.number - self.of.number == 0 &&
        tw_item_equals(tw_binary(machine, TW_MODULO, self, tw_item_int(1)),
                       tw_item_int(0)));
}

static tw_item do_bit_length(tw_machine *machine, tw_item self,
                             const tw_item *more, const tw_passed *all)
{
    (void)machine;
    (void)more;
    (void)all;
    const int64_t number = tw_item_integer(self);
    uint64_t left = number < 0 ? 0 - (uint64_t)number : (uint64_t)number;
    int64_t bits = 0;
    for (; left > 0; left >>= 1) {
        bits++;
    }
    return tw_item_int(bits);
}

static tw_item do_conjugate(tw_machine *machine, tw_item self,
                            const tw_item *more, const tw_passed *all)
{
    (void)more;
    (void)all;
    return tw_unary(machine, TW_POSITIVE, self);
}

/* ---- loops and cyclers -------------------------------------------------- */

static tw_item do_cycle(tw_machine *machine, tw_item self, const tw_item *more,
                        const tw_passed *all)
{
    (void)more;
    if (all->count == 0) {
        tw_fail(machine, "no items for cycling given");
        return tw_none();
    }
    return all->at[self.of.loop->at % all->count];
}

static tw_item do_changed(tw_machine *machine, tw_item self,
                          const tw_item *more, const tw_passed *all)
{
    (void)more;
    const tw_item now =
        tw_item_list(&machine->arena, TW_ITEM_TUPLE, all->count);
    for (size_t i = 0; i < all->count; i++) {
        tw_list_add(&machine->arena, now.of.list, all->at[i]);
    }
    const bool changed = !tw_same(machine, self.of.loop->last, now);
    self.of.loop->last = now;
    return tw_item_bool(changed);
}

static tw_item do_next(tw_machine *machine, tw_item self, const tw_item *more,
                       const tw_passed *all)
{
    (void)machine;
    (void)more;
    (void)all;
    tw_cycler *cycler = self.of.cycler;
    const tw_item item = cycler->items.items[cycler->at];
    cycler->at = (cycler->at + 1) % cycler->items.count;
    return item;
}

static tw_item do_reset(tw_machine *machine, tw_item self, const tw_item *more,
                        const tw_passed *all)
{
    (void)machine;
    (void)more;
    (void)all;
    self.of.cycler->at = 0;
    return tw_none();
}

/* ---- all ---------------------------------------------------------------- */

static const struct {
    uint8_t kind; /* of its values */
    const char *name;
    const char *signature;  /* NULL: any, which the method reads itself */
    tw_method_body *call;   /* NULL: the sandbox hides it */
} methods[] = {
    {TW_ITEM_BOOL, "bit_length", "bool.bit_length/:", do_bit_length},
    {TW_ITEM_BOOL, "conjugate", "bool.conjugate/:", do_conjugate},
    {TW_ITEM_INT, "bit_length", "int.bit_length/:", do_bit_length},
    {TW_ITEM_INT, "conjugate", "int.conjugate/:", do_conjugate},
    {TW_ITEM_FLOAT, "conjugate", "float.conjugate/:", do_conjugate},
    {TW_ITEM_FLOAT, "is_integer", "float.is_integer/:", do_is_integer},
    {TW_ITEM_STRING, "capitalize", "str.capitalize/:", tw_str_capitalize},
    {TW_ITEM_STRING, "casefold", "str.casefold/:", tw_str_casefold},
    {TW_ITEM_STRING, "center", "str.center/: width |fillchar", tw_str_center},
    {TW_ITEM_STRING, "count", "count/: sub |start end", tw_str_count},
    {TW_ITEM_STRING, "endswith", "endswith/: suffix |start end",
     tw_str_endswith},
    {TW_ITEM_STRING, "expandtabs", "expandtabs=: |tabsize", tw_str_expandtabs},
    {TW_ITEM_STRING, "find", "find/: sub |start end", tw_str_find},
    {TW_ITEM_STRING, "format", NULL, tw_str_format},
    {TW_ITEM_STRING, "format_map", "format_map/: mapping", tw_str_format_map},
    {TW_ITEM_STRING, "index", "index/: sub |start end", tw_str_index},
    {TW_ITEM_STRING, "isalnum", "str.isalnum/:", tw_str_isalnum},
    {TW_ITEM_STRING, "isalpha", "str.isalpha/:", tw_str_isalpha},
    {TW_ITEM_STRING, "isascii", "str.isascii/:", tw_str_isascii},
    {TW_ITEM_STRING, "isdecimal", "str.isdecimal/:", tw_str_isdecimal},
    {TW_ITEM_STRING, "isdigit", "str.isdigit/:", tw_str_isdigit},
    {TW_ITEM_STRING, "isidentifier",
     "str.isidentifier/:", tw_str_isidentifier},
    {TW_ITEM_STRING, "islower", "str.islower/:", tw_str_islower},
    {TW_ITEM_STRING, "isnumeric", "str.isnumeric/:", tw_str_isnumeric},
    {TW_ITEM_STRING, "isprintable", "str.isprintable/:", tw_str_isprintable},
    {TW_ITEM_STRING, "isspace", "str.isspace/:", tw_str_isspace},
    {TW_ITEM_STRING, "istitle", "str.istitle/:", tw_str_istitle},
    {TW_ITEM_STRING, "isupper", "str.isupper/:", tw_str_isupper},
    {TW_ITEM_STRING, "join", "str.join/: iterable", tw_str_join},
    {TW_ITEM_STRING, "ljust", "str.ljust/: width |fillchar", tw_str_ljust},
    {TW_ITEM_STRING, "lower", "str.lower/:", tw_str_lower},
    {TW_ITEM_STRING, "lstrip", "str.lstrip/: |chars", tw_str_lstrip},
    {TW_ITEM_STRING, "partition", "str.partition/: sep", tw_str_partition},
    {TW_ITEM_STRING, "removeprefix", "str.removeprefix/: prefix",
     tw_str_removeprefix},
    {TW_ITEM_STRING, "removesuffix", "str.removesuffix/: suffix",
     tw_str_removesuffix},
    {TW_ITEM_STRING, "replace", "str.replace/: old new |count",
     tw_str_replace},
    {TW_ITEM_STRING, "rfind", "rfind/: sub |start end", tw_str_rfind},
    {TW_ITEM_STRING, "rindex", "rindex/: sub |start end", tw_str_rindex},
    {TW_ITEM_STRING, "rjust", "str.rjust/: width |fillchar", tw_str_rjust},
    {TW_ITEM_STRING, "rpartition", "str.rpartition/: sep", tw_str_rpartition},
    {TW_ITEM_STRING, "rsplit", "rsplit=: |sep maxsplit", tw_str_rsplit},
    {TW_ITEM_STRING, "rstrip", "str.rstrip/: |chars", tw_str_rstrip},
    {TW_ITEM_STRING, "split", "split=: |sep maxsplit", tw_str_split},
    {TW_ITEM_STRING, "splitlines", "splitlines=: |keepends",
     tw_str_splitlines},
    {TW_ITEM_STRING, "startswith", "startswith/: prefix |start end",
     tw_str_startswith},
    {TW_ITEM_STRING, "strip", "str.strip/: |chars", tw_str_strip},
    {TW_ITEM_STRING, "swapcase", "str.swapcase/:", tw_str_swapcase},
    {TW_ITEM_STRING, "title", "str.title/:", tw_str_title},
    {TW_ITEM_STRING, "upper", "str.upper/:", tw_str_upper},
    {TW_ITEM_STRING, "zfill", "str.zfill/: width", tw_str_zfill},
    {TW_ITEM_LIST, "append", "", NULL},
    {TW_ITEM_LIST, "clear", "", NULL},
    {TW_ITEM_LIST, "copy", "list.copy/:", do_copy},
    {TW_ITEM_LIST, "count", "list.count/: value", do_list_count},
    {TW_ITEM_LIST, "extend", "", NULL},
    {TW_ITEM_LIST, "index", "list.index/: value |start stop", do_list_index},
    {TW_ITEM_LIST, "insert", "", NULL},
    {TW_ITEM_LIST, "pop", "", NULL},
    {TW_ITEM_LIST, "remove", "", NULL},
    {TW_ITEM_LIST, "reverse", "", NULL},
    {TW_ITEM_LIST, "sort", "", NULL},
    {TW_ITEM_TUPLE, "count", "tuple.count/: value", do_list_count},
    {TW_ITEM_TUPLE, "index", "tuple.index/: value |start stop", do_list_index},
    {TW_ITEM_RANGE, "count", "range.count/: value", do_list_count},
    {TW_ITEM_RANGE, "index", "range.index/: value", do_list_index},
    {TW_ITEM_DICT, "clear", "", NULL},
    {TW_ITEM_DICT, "copy", "dict.copy/:", do_copy},
    {TW_ITEM_DICT, "get", "dict.get/: key |default", do_get},
    {TW_ITEM_DICT, "items", "dict.items/:", do_items},
    {TW_ITEM_DICT, "keys", "dict.keys/:", do_keys},
    {TW_ITEM_DICT, "pop", "", NULL},
    {TW_ITEM_DICT, "popitem", "", NULL},
    {TW_ITEM_DICT, "setdefault", "", NULL},
    {TW_ITEM_DICT, "update", "", NULL},
    {TW_ITEM_DICT, "values", "dict.values/:", do_values},
    {TW_ITEM_LOOP, "changed", "LoopContext.changed self: *", do_changed},
    {TW_ITEM_LOOP, "cycle", "LoopContext.cycle self: *", do_cycle},
    {TW_ITEM_CYCLER, "next", "Cycler.next self:", do_next},
    {TW_ITEM_CYCLER, "reset", "Cycler.reset self:", do_reset},
};

enum { METHODS = sizeof methods / sizeof *methods };

/* Less than 0: the row stands in front of the method; 0: this is it. */
static int compare_row(size_t row, uint8_t kind, const tw_string *name)
{
    if (methods[row].kind != kind) {
        return methods[row].kind < kind ? -1 : 1;
    }
    const char *known = methods[row].name;
    const int first = (uint8_t)known[0] - (uint8_t)name->data[0];
    if (first != 0 || name->size == 0) {
        return first;
    }
    const int order = strncmp(known, name->data, name->size);
    return order != 0 ? order : known[name->size] != 0;
}

size_t tw_method_find(tw_item self, const tw_string *name)
{
    tw_halves halves = {.high = METHODS};
    while (tw_halve(&halves)) { /* they are sorted by kind and name */
        const int order = compare_row(halves.middle, self.kind, name);
        if (order == 0) {
            return halves.middle;
        }
        tw_halves_take(&halves, order < 0);
    }
    return SIZE_MAX;
}

bool tw_method_is_name(const char *name, size_t size)
{
    bool found = size > 1 && memcmp(name, "__", 2) == 0;
    for (size_t i = 0; i < METHODS && !found; i++) {
        found = strlen(methods[i].name) == size &&
                memcmp(methods[i].name, name, size) == 0;
    }
    return found;
}

bool tw_method_is_unsafe(size_t number)
{
    return methods[number].call == NULL;
}

/* Texts that are made of a text that is safe are safe. */
static tw_item made_safe(tw_item item)
{
    const bool several =
        item.kind == TW_ITEM_LIST || item.kind == TW_ITEM_TUPLE;
    for (size_t i = 0; several && i < item.of.list->count; i++) {
        item.of.list->items[i].flavour = TW_MARKUP;
    }
    if (item.kind == TW_ITEM_STRING) {
        item.flavour = TW_MARKUP;
    }
    return item;
}

tw_item tw_method_call(tw_machine *machine, tw_item self, size_t number,
                       const tw_passed *arguments)
{
    tw_item more[TW_PARAMETERS];
    if (methods[number].call == NULL) {
        tw_fail(machine, "access to attribute '%s' of '%t' object is unsafe.",
                methods[number].name, self);
        return tw_none();
    }
    if (methods[number].signature != NULL &&
        !tw_bind(machine, arguments, methods[number].signature, more)) {
        return tw_none();
    }
    if (self.kind != TW_ITEM_STRING || self.flavour != TW_MARKUP) {
        return methods[number].call(machine, self, more, arguments);
    }
    /* What fills a text that is safe, or replaces a part, is escaped. */
    if (methods[number].signature != NULL && more[1].kind == TW_ITEM_STRING &&
        more[1].flavour != TW_MARKUP) {
        more[1].of.string = tw_escape_html(machine, more[1].of.string);
    }
    return made_safe(methods[number].call(machine, self, more, arguments));
}
