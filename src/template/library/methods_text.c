/* SPDX-License-Identifier: MIT
 *
 * The methods of Python's str.  Not here: those that make bytes (`encode`) or
 * want tables (`translate`, `maketrans`).
 */
#include "core/ascii.h"
#include "template/library/filter.h"
#include "template/library/method.h"
#include "template/values/unicode.h"
#include "template/machine/words.h"

static tw_item text(const tw_string *string)
{
    return tw_item_string(string);
}

/* A string, NULL where it is not given; all else is an error in these words,
 * with its type for %t. */
static const tw_string *string_of(tw_machine *machine, tw_item item,
                                  const char *refusal)
{
    if (item.kind == TW_ITEM_UNSET || item.kind == TW_ITEM_NONE) {
        return NULL;
    }
    if (item.kind != TW_ITEM_STRING) {
        tw_fail(machine, refusal, item);
        return NULL;
    }
    return item.of.string;
}

/* The string of an item that must be given. */
static const tw_string *needed(tw_machine *machine, tw_item item,
                               const char *refusal)
{
    const tw_string *string = string_of(machine, item, refusal);
    if (string == NULL) {
        tw_fail(machine, refusal, item);
        return tw_item_string(NULL).of.string;
    }
    return string;
}

/* ---- strip and case ----------------------------------------------------- */

static tw_item strip(tw_machine *machine, tw_item self, tw_item chars,
                     const char *refusal, unsigned sides)
{
    const tw_string *set = string_of(machine, chars, refusal);
    return text(tw_strip(machine, self.of.string, set, sides));
}

tw_item tw_str_strip(tw_machine *machine, tw_item self, const tw_item *more,
                     const tw_passed *all)
{
    (void)all;
    return strip(machine, self, more[0], "strip arg must be None or str",
                 TW_LEFT | TW_RIGHT);
}

tw_item tw_str_lstrip(tw_machine *machine, tw_item self, const tw_item *more,
                      const tw_passed *all)
{
    (void)all;
    return strip(machine, self, more[0], "lstrip arg must be None or str",
                 TW_LEFT);
}

tw_item tw_str_rstrip(tw_machine *machine, tw_item self, const tw_item *more,
                      const tw_passed *all)
{
    (void)all;
    return strip(machine, self, more[0], "rstrip arg must be None or str",
                 TW_RIGHT);
}

#define CASE_METHOD(name, to)                                            \
    tw_item name(tw_machine *machine, tw_item self, const tw_item *more, \
                 const tw_passed *all)                                   \
    {                                                                    \
        (void)more;                                                      \
        (void)all;                                                       \
        return text(tw_change_case(machine, self.of.string, to));        \
    }

CASE_METHOD(tw_str_lower, TW_CASE_LOWER)
CASE_METHOD(tw_str_upper, TW_CASE_UPPER)
CASE_METHOD(tw_str_casefold, TW_CASE_FOLD)
CASE_METHOD(tw_str_swapcase, TW_CASE_SWAP)
CASE_METHOD(tw_str_title, TW_CASE_TITLE)
CASE_METHOD(tw_str_capitalize, TW_CASE_CAPITALIZE)

/* ---- find --------------------------------------------------------------- */

/* A bound as told; not given or None: |otherwise|. */
static int64_t bound_of(tw_machine *machine, tw_item item, int64_t otherwise)
{
    if (item.kind != TW_ITEM_UNSET && item.kind != TW_ITEM_NONE &&
        !tw_item_is_integral(item)) {
        tw_fail(machine, "slice indices must be integers or None or have an "
                         "__index__ method");
    }
    return tw_whole(machine, item, otherwise);
}

/* [start, end) of a search in code points, as bytes. */
static void bounds(tw_machine *machine, const tw_string *string,
                   const tw_item *more, size_t *begin, size_t *end)
{
    const int64_t count = (int64_t)string->points;
    int64_t from = bound_of(machine, more[0], 0);
    int64_t to = bound_of(machine, more[1], count);
    from = from < 0 ? from + count : from;
    to = to < 0 ? to + count : to;
    from = from < 0 ? 0 : from;
    to = to < 0 ? 0 : to > count ? count : to;
    tw_charge(machine, tw_string_is_ascii(string) ? 0 : string->size / 16);
    *begin = from > count ? string->size + 1
                          : tw_string_place(string, (size_t)from);
    *end = tw_string_place(string, (size_t)to);
}

/* Where |part| is within the bounds; SIZE_MAX: nowhere. */
static size_t find_within(tw_machine *machine, const tw_string *string,
                          const tw_item *more, bool last)
{
    size_t begin;
    size_t end;
    bounds(machine, string, more + 1, &begin, &end);
    const tw_string *part = needed(machine, more[0], "must be str, not %t");
    tw_charge(machine, string->size / 16);
    if (begin > end || part->size > end - begin) {
        return SIZE_MAX;
    }
    const size_t at = last ? tw_string_find_last(string, end, part)
                           : tw_string_find(string, begin, part);
    return at != SIZE_MAX && at >= begin && at + part->size <= end ? at
                                                                   : SIZE_MAX;
}

static tw_item find(tw_machine *machine, tw_item self, const tw_item *more,
                    bool last, bool must)
{
    const size_t at = find_within(machine, self.of.string, more, last);
    if (at == SIZE_MAX && must) {
        tw_fail(machine, "substring not found");
    }
    return tw_item_int(
        at == SIZE_MAX ? -1
                       : (int64_t)tw_string_points_before(self.of.string, at));
}

tw_item tw_str_find(tw_machine *machine, tw_item self, const tw_item *more,
                    const tw_passed *all)
{
    (void)all;
    return find(machine, self, more, false, false);
}

tw_item tw_str_rfind(tw_machine *machine, tw_item self, const tw_item *more,
                     const tw_passed *all)
{
    (void)all;
    return find(machine, self, more, true, false);
}

tw_item tw_str_index(tw_machine *machine, tw_item self, const tw_item *more,
                     const tw_passed *all)
{
    (void)all;
    return find(machine, self, more, false, true);
}

tw_item tw_str_rindex(tw_machine *machine, tw_item self, const tw_item *more,
                      const tw_passed *all)
{
    (void)all;
    return find(machine, self, more, true, true);
}

tw_item tw_str_count(tw_machine *machine, tw_item self, const tw_item *more,
                     const tw_passed *all)
{
    (void)all;
    const tw_string *string = self.of.string;
    size_t begin;
    size_t end;
    int64_t count = 0;
    bounds(machine, string, more + 1, &begin, &end);
    const tw_string *part = needed(machine, more[0], "must be str, not %t");
    tw_charge(machine, string->size / 8);
    if (part->size == 0) {
        return tw_item_int(
            begin > end ? 0
                        : 1 + (int64_t)tw_string_points_before(string, end) -
                              (int64_t)tw_string_points_before(string, begin));
    }
    while (begin <= end && tw_works(machine)) {
        const size_t at = tw_string_find(string, begin, part);
        if (at == SIZE_MAX || at + part->size > end) {
            break;
        }
        count++;
        begin = at + part->size;
    }
    return tw_item_int(count);
}

/* Does one of |parts|, a string or a tuple of them, stand at that end? */
static tw_item ends(tw_machine *machine, tw_item self, const tw_item *more,
                    bool at_end)
{
    const tw_string *string = self.of.string;
    size_t begin;
    size_t end;
    bounds(machine, string, more + 1, &begin, &end);
    const bool several = more[0].kind == TW_ITEM_TUPLE;
    const size_t count = several ? more[0].of.list->count : 1;
    for (size_t i = 0; i < count && tw_works(machine); i++) {
        const tw_item item = several ? more[0].of.list->items[i] : more[0];
        if (item.kind != TW_ITEM_STRING) {
            tw_fail(machine,
                    several
                        ? "tuple for %s must only contain str, not %t"
                        : "%s first arg must be str or a tuple of str, not %t",
                    at_end ? "endswith" : "startswith", item);
            break;
        }
        const tw_string *part = item.of.string;
        if (begin <= end && part->size <= end - begin &&
            tw_charge(machine, 1 + part->size / 64) &&
            memcmp(string->data + (at_end ? end - part->size : begin),
                   part->data, part->size) == 0) {
            return tw_item_bool(true);
        }
    }
    return tw_item_bool(false);
}

tw_item tw_str_startswith(tw_machine *machine, tw_item self,
                          const tw_item *more, const tw_passed *all)
{
    (void)all;
    return ends(machine, self, more, false);
}

tw_item tw_str_endswith(tw_machine *machine, tw_item self, const tw_item *more,
                        const tw_passed *all)
{
    (void)all;
    return ends(machine, self, more, true);
}

/* ---- split and join ----------------------------------------------------- */

tw_item tw_str_split(tw_machine *machine, tw_item self, const tw_item *more,
                     const tw_passed *all)
{
    (void)all;
    return tw_split(machine, self.of.string,
                    string_of(machine, more[0], "must be str or None, not %t"),
                    tw_number(machine, more[1], -1), false);
}

tw_item tw_str_rsplit(tw_machine *machine, tw_item self, const tw_item *more,
                      const tw_passed *all)
{
    (void)all;
    return tw_split(machine, self.of.string,
                    string_of(machine, more[0], "must be str or None, not %t"),
                    tw_number(machine, more[1], -1), true);
}

tw_item tw_str_splitlines(tw_machine *machine, tw_item self,
                          const tw_item *more, const tw_passed *all)
{
    (void)all;
    return tw_split_lines(machine, self.of.string,
                          tw_number(machine, more[0], 0) != 0);
}

static tw_item partition(tw_machine *machine, tw_item self, tw_item separator,
                         bool last)
{
    const tw_string *string = self.of.string;
    const tw_string *part = needed(machine, separator, "must be str, not %t");
    const tw_item result = tw_item_list(&machine->arena, TW_ITEM_TUPLE, 3);
    const tw_string *empty = tw_string_word(&machine->arena, "");
    if (part->size == 0) {
        tw_fail(machine, "empty separator");
        return result;
    }
    const size_t at = last ? tw_string_find_last(string, string->size, part)
                           : tw_string_find(string, 0, part);
    const bool found = at != SIZE_MAX;
    const tw_string *left =
        found ? tw_string_part(&machine->arena, string, 0, at) : string;
    const tw_string *right =
        found ? tw_string_part(&machine->arena, string, at + part->size,
                               string->size)
              : empty;
    tw_charge(machine, string->size / 16);
    tw_list_add(&machine->arena, result.of.list,
                text(found || !last ? left : empty));
    tw_list_add(&machine->arena, result.of.list, text(found ? part : empty));
    tw_list_add(&machine->arena, result.of.list,
                text(found || !last ? right : string));
    return result;
}

tw_item tw_str_partition(tw_machine *machine, tw_item self,
                         const tw_item *more, const tw_passed *all)
{
    (void)all;
    return partition(machine, self, more[0], false);
}

tw_item tw_str_rpartition(tw_machine *machine, tw_item self,
                          const tw_item *more, const tw_passed *all)
{
    (void)all;
    return partition(machine, self, more[0], true);
}

/* A text that is safe makes what it joins safe. */
static tw_item escaped_all(tw_machine *machine, const tw_list *items)
{
    const tw_item list =
        tw_item_list(&machine->arena, TW_ITEM_LIST, items->count);
    for (size_t i = 0; i < items->count && tw_charge(machine, 1); i++) {
        tw_list_add(&machine->arena, list.of.list,
                    tw_filter_escape(machine, items->items[i], NULL, NULL));
    }
    return list;
}

tw_item tw_str_join(tw_machine *machine, tw_item self, const tw_item *more,
                    const tw_passed *all)
{
    (void)all;
    tw_item list = tw_list_or(machine, more[0], "can only join an iterable");
    if (self.flavour == TW_MARKUP && tw_works(machine)) {
        list = escaped_all(machine, list.of.list);
    }
    return tw_works(machine)
               ? text(tw_join(machine, self.of.string, list.of.list))
               : tw_none();
}

tw_item tw_str_replace(tw_machine *machine, tw_item self, const tw_item *more,
                       const tw_passed *all)
{
    (void)all;
    return text(tw_replace(
        machine, self.of.string,
        needed(machine, more[0], "replace() argument 1 must be str, not %t"),
        needed(machine, more[1], "replace() argument 2 must be str, not %t"),
        tw_number(machine, more[2], -1)));
}

tw_item tw_str_removeprefix(tw_machine *machine, tw_item self,
                            const tw_item *more, const tw_passed *all)
{
    (void)all;
    const tw_string *string = self.of.string;
    const tw_string *part = needed(
        machine, more[0], "removeprefix() argument must be str, not %t");
    tw_charge(machine, part->size / 64);
    return part->size <= string->size &&
                   memcmp(string->data, part->data, part->size) == 0
               ? text(tw_string_part(&machine->arena, string, part->size,
                                     string->size))
               : self;
}

tw_item tw_str_removesuffix(tw_machine *machine, tw_item self,
                            const tw_item *more, const tw_passed *all)
{
    (void)all;
    const tw_string *string = self.of.string;
    const tw_string *part = needed(
        machine, more[0], "removesuffix() argument must be str, not %t");
    tw_charge(machine, part->size / 64);
    return part->size > 0 && part->size <= string->size &&
                   memcmp(string->data + string->size - part->size, part->data,
                          part->size) == 0
               ? text(tw_string_part(&machine->arena, string, 0,
                                     string->size - part->size))
               : self;
}

/* ---- padding ------------------------------------------------------------ */

static const tw_string *fill_of(tw_machine *machine, tw_item item)
{
    const tw_string *fill =
        string_of(machine, item,
                  "The fill character must be a unicode character, not %t");
    if (fill != NULL && fill->points != 1) {
        tw_fail(machine,
                "The fill character must be exactly one character long");
    }
    return fill != NULL ? fill : tw_string_word(&machine->arena, " ");
}

/* How many code points it is shorter than |width|. */
static int64_t missing_of(tw_machine *machine, tw_item self, tw_item width)
{
    const int64_t wanted = tw_number(machine, width, 0);
    const int64_t points = (int64_t)self.of.string->points;
    return wanted > points ? wanted - points : 0;
}

tw_item tw_str_center(tw_machine *machine, tw_item self, const tw_item *more,
                      const tw_passed *all)
{
    (void)all;
    return text(tw_center(machine, self.of.string,
                          tw_number(machine, more[0], 0),
                          fill_of(machine, more[1])));
}

tw_item tw_str_ljust(tw_machine *machine, tw_item self, const tw_item *more,
                     const tw_passed *all)
{
    (void)all;
    return text(tw_pad(machine, self.of.string, 0,
                       missing_of(machine, self, more[0]),
                       fill_of(machine, more[1])));
}

tw_item tw_str_rjust(tw_machine *machine, tw_item self, const tw_item *more,
                     const tw_passed *all)
{
    (void)all;
    return text(tw_pad(machine, self.of.string,
                       missing_of(machine, self, more[0]), 0,
                       fill_of(machine, more[1])));
}

tw_item tw_str_zfill(tw_machine *machine, tw_item self, const tw_item *more,
                     const tw_passed *all)
{
    (void)all;
    const tw_string *string = self.of.string;
    const int64_t missing = missing_of(machine, self, more[0]);
    const size_t sign =
        string->size > 0 && (string->data[0] == '-' || string->data[0] == '+');
    tw_builder out;
    tw_builder_init(&out, &machine->arena);
    tw_build_part(&out, string, 0, sign);
    for (int64_t i = 0; i < missing && tw_charge(machine, 1); i++) {
        tw_build(&out, "0");
    }
    tw_build_part(&out, string, sign, string->size);
    const tw_item result = text(tw_builder_string(&out));
    tw_builder_free(&out);
    return result;
}

tw_item tw_str_expandtabs(tw_machine *machine, tw_item self,
                          const tw_item *more, const tw_passed *all)
{
    (void)all;
    const tw_string *string = self.of.string;
    const int64_t width = tw_number(machine, more[0], 8);
    int64_t column = 0;
    tw_builder out;
    tw_builder_init(&out, &machine->arena);
    for (size_t at = 0; at < string->size && tw_charge(machine, 1); at++) {
        const char c = string->data[at];
        if (c != '\t') {
            tw_build_part(&out, string, at, at + 1);
            column =
                c == '\n' || c == '\r' ? 0 : column + ((c & 0xC0) != 0x80);
            continue;
        }
        for (int64_t i = width > 0 ? width - column % width : 0;
             i > 0 && tw_charge(machine, 1); i--) {
            tw_build_changed(&out, string, at, " ", 1);
            column++;
        }
    }
    const tw_item result = text(tw_builder_string(&out));
    tw_builder_free(&out);
    return result;
}

/* ---- format ------------------------------------------------------------- */

tw_item tw_str_format(tw_machine *machine, tw_item self, const tw_item *more,
                      const tw_passed *all)
{
    (void)more;
    return tw_format_braces(machine, self.of.string, all);
}

tw_item tw_str_format_map(tw_machine *machine, tw_item self,
                          const tw_item *more, const tw_passed *all)
{
    (void)all;
    tw_passed arguments = {NULL, 0, NULL, 0};
    if (more[0].kind != TW_ITEM_DICT) {
        tw_fail(machine, "format_map() takes a mapping, not %t", more[0]);
        return tw_none();
    }
    const tw_dict *dict = more[0].of.dict;
    arguments.named =
        tw_arena_get(&machine->arena, dict->count * sizeof(tw_named));
    for (size_t i = 0; arguments.named != NULL && i < dict->count; i++) {
        arguments.named[i] = (tw_named){tw_str(machine, dict->entries[i].key),
                                        dict->entries[i].value};
        arguments.named_count++;
    }
    return tw_format_braces(machine, self.of.string, &arguments);
}

/* ---- tests -------------------------------------------------------------- */

static bool is_alpha(uint32_t point)
{
    return tw_point_has(point, TW_ALPHA);
}

static bool is_decimal(uint32_t point)
{
    return tw_point_has(point, TW_DECIMAL);
}

static bool is_digit(uint32_t point)
{
    return is_decimal(point) || tw_point_has(point, TW_DIGIT);
}

static bool is_numeric(uint32_t point)
{
    return is_digit(point) || tw_point_has(point, TW_NUMERIC);
}

static bool is_printable(uint32_t point)
{
    return !tw_point_has(point, TW_UNPRINTABLE);
}

static bool is_name(uint32_t point)
{
    return tw_point_is_word(point) || point == '_';
}

#define POINT_METHOD(name, holds)                                           \
    tw_item name(tw_machine *machine, tw_item self, const tw_item *more,    \
                 const tw_passed *all)                                      \
    {                                                                       \
        (void)more;                                                         \
        (void)all;                                                          \
        return tw_item_bool(tw_all_points(machine, self.of.string, holds)); \
    }

POINT_METHOD(tw_str_isalpha, is_alpha)
POINT_METHOD(tw_str_isalnum, tw_point_is_word)
POINT_METHOD(tw_str_isdecimal, is_decimal)
POINT_METHOD(tw_str_isdigit, is_digit)
POINT_METHOD(tw_str_isnumeric, is_numeric)
POINT_METHOD(tw_str_isspace, tw_point_is_space)

tw_item tw_str_isprintable(tw_machine *machine, tw_item self,
                           const tw_item *more, const tw_passed *all)
{
    (void)more;
    (void)all;
    return tw_item_bool(self.of.string->size == 0 ||
                        tw_all_points(machine, self.of.string, is_printable));
}

tw_item tw_str_isidentifier(tw_machine *machine, tw_item self,
                            const tw_item *more, const tw_passed *all)
{
    (void)more;
    (void)all;
    const tw_string *string = self.of.string;
    return tw_item_bool(tw_all_points(machine, string, is_name) &&
                        !tw_is_digit(string->data[0]));
}

tw_item tw_str_isascii(tw_machine *machine, tw_item self, const tw_item *more,
                       const tw_passed *all)
{
    (void)machine;
    (void)more;
    (void)all;
    return tw_item_bool(tw_string_is_ascii(self.of.string));
}

tw_item tw_str_islower(tw_machine *machine, tw_item self, const tw_item *more,
                       const tw_passed *all)
{
    (void)more;
    (void)all;
    return tw_item_bool(tw_is_lower(machine, self.of.string));
}

tw_item tw_str_isupper(tw_machine *machine, tw_item self, const tw_item *more,
                       const tw_passed *all)
{
    (void)more;
    (void)all;
    return tw_item_bool(tw_is_upper(machine, self.of.string));
}

tw_item tw_str_istitle(tw_machine *machine, tw_item self, const tw_item *more,
                       const tw_passed *all)
{
    (void)more;
    (void)all;
    const tw_string *titled =
        tw_change_case(machine, self.of.string, TW_CASE_TITLE);
    const tw_string *lower =
        tw_change_case(machine, self.of.string, TW_CASE_LOWER);
    return tw_item_bool(tw_string_equals(titled, self.of.string) &&
                        !tw_string_equals(lower, self.of.string));
}
