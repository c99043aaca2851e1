/* SPDX-License-Identifier: MIT
 *
 * Filters of numbers and of any value.
 */
#include "messages/pytext.h"
#include "template/library/filter.h"
#include "template/library/json_text.h"
#include "template/machine/words.h"

tw_item tw_filter_abs(tw_machine *machine, tw_item item, const tw_item *more,
                      const tw_passed *all)
{
    (void)more;
    (void)all;
    if (!tw_item_is_number(item)) {
        tw_fail(machine, "bad operand type for abs(): '%t'", item);
        return tw_none();
    }
    const double number = tw_item_double(item);
    if (item.kind == TW_ITEM_FLOAT && number == 0) {
        return tw_item_float(0);
    }
    return tw_unary(machine, number < 0 ? TW_NEGATE : TW_POSITIVE, item);
}

/* The attribute alone, and never an item. */
tw_item tw_filter_attr(tw_machine *machine, tw_item item, const tw_item *more,
                       const tw_passed *all)
{
    (void)all;
    if (tw_item_is_undefined(item)) {
        tw_fail_undefined(machine, item);
        return tw_none();
    }
    if (more[0].kind != TW_ITEM_STRING) {
        tw_fail(machine,
                tw_item_is_hashable(more[0])
                    ? "attribute name must be string, not '%t'"
                    : "unhashable type: '%t'",
                more[0]);
        return tw_none();
    }
    const tw_string *name = more[0].of.string;
    if (item.kind == TW_ITEM_DICT &&
        machine->doors->find_method(item, name) == SIZE_MAX) {
        return tw_undefined_member(machine, item, name);
    }
    return tw_get_attribute(machine, item, name);
}

tw_item tw_filter_default(tw_machine *machine, tw_item item,
                          const tw_item *more, const tw_passed *all)
{
    (void)all;
    const bool replaced = tw_item_is_undefined(item) ||
                          (tw_flag(more[1], false) && !tw_item_is_true(item));
    return !replaced                       ? item
           : more[0].kind == TW_ITEM_UNSET ? tw_word(machine, "")
                                           : more[0];
}

tw_item tw_filter_from_json(tw_machine *machine, tw_item item,
                            const tw_item *more, const tw_passed *all)
{
    (void)more;
    (void)all;
    return tw_json_value(machine, tw_str(machine, item));
}

/* ---- JSON --------------------------------------------------------------- */

static const tw_string *indent_of(tw_machine *machine, tw_item item)
{
    if (item.kind == TW_ITEM_STRING) {
        return item.of.string;
    }
    if (!tw_item_is_integral(item)) {
        return NULL;
    }
    return tw_pad(machine, tw_string_word(&machine->arena, ""),
                  tw_item_integer(item), 0,
                  tw_string_word(&machine->arena, " "));
}

tw_item tw_filter_tojson(tw_machine *machine, tw_item item,
                         const tw_item *more, const tw_passed *all)
{
    (void)all;
    tw_json_layout layout = {tw_flag(more[0], false), tw_flag(more[3], false),
                             indent_of(machine, more[1]), NULL, NULL};
    layout.comma =
        tw_string_word(&machine->arena, layout.indent != NULL ? "," : ", ");
    layout.colon = tw_string_word(&machine->arena, ": ");
    if (more[2].kind == TW_ITEM_TUPLE || more[2].kind == TW_ITEM_LIST) {
        const tw_list *both = more[2].of.list;
        if (both->count != 2) {
            tw_fail(machine,
                    "not enough values to unpack (expected 2, got %d)",
                    (int64_t)both->count);
            return tw_none();
        }
        layout.comma = tw_str(machine, both->items[0]);
        layout.colon = tw_str(machine, both->items[1]);
    }
    return tw_works(machine) ? tw_json_text(machine, item, &layout)
                             : tw_none();
}

/* ---- numbers ------------------------------------------------------------ */

static double limit(bool negative)
{
    return negative ? -9223372036854775808.0 : 9223372036854775808.0;
}

/* int() of a double; false: it has none of 64 bits. */
static bool truncate(double number, int64_t *out)
{
    if (!(number > limit(true) && number < limit(false))) {
        return false;
    }
    *out = (int64_t)number;
    return true;
}

/* The nearest double may take long to find. */
static void pay_for_digits(tw_machine *machine, const tw_string *string)
{
    enum { DOUBLE = 32 };
    tw_charge(machine, DOUBLE + string->size / 2);
}

tw_item tw_filter_int(tw_machine *machine, tw_item item, const tw_item *more,
                      const tw_passed *all)
{
    (void)all;
    int64_t whole;
    double number = item.kind == TW_ITEM_FLOAT ? item.of.number : 0;
    bool has_number = item.kind == TW_ITEM_FLOAT;
    if (item.kind == TW_ITEM_BIG) {
        return item;
    }
    if (tw_item_is_integral(item)) {
        return tw_item_int(tw_item_integer(item));
    }
    if (item.kind == TW_ITEM_STRING) {
        pay_for_digits(machine, item.of.string);
        const int64_t base = more[1].kind == TW_ITEM_UNSET ? 10
                             : tw_item_is_integral(more[1])
                                 ? tw_item_integer(more[1])
                                 : -1; /* which is none */
        if (base >= 0 && base <= 36 && base != 1 &&
            tw_text_to_int(item.of.string, base, &whole)) {
            return tw_item_int(whole);
        }
        has_number = tw_text_to_float(item.of.string, &number);
    }
    if (has_number && truncate(number, &whole)) {
        return tw_item_int(whole);
    }
    if (item.kind == TW_ITEM_UNDEFINED) {
        tw_fail_undefined(machine, item);
    }
    if (has_number && number - number == 0) {
        tw_fail(machine,
                "an integer of more than 64 bits is not calculated here");
    }
    if (item.kind == TW_ITEM_FLOAT && number == number) {
        tw_fail(machine, "cannot convert float infinity to integer");
    }
    return more[0].kind == TW_ITEM_UNSET ? tw_item_int(0) : more[0];
}

tw_item tw_filter_float(tw_machine *machine, tw_item item, const tw_item *more,
                        const tw_passed *all)
{
    (void)all;
    double number;
    if (tw_item_is_number(item)) {
        return tw_item_float(tw_item_double(item));
    }
    if (item.kind == TW_ITEM_STRING || item.kind == TW_ITEM_BIG) {
        pay_for_digits(machine, item.of.string);
        if (tw_text_to_float(item.of.string, &number)) {
            return tw_item_float(number);
        }
    }
    if (item.kind == TW_ITEM_UNDEFINED) {
        tw_fail_undefined(machine, item);
    }
    return more[0].kind == TW_ITEM_UNSET ? tw_item_float(0) : more[0];
}

/* Of |places| or -|places|; those of a double end long before 400. */
static double power_of_ten(int64_t places)
{
    double power = 1;
    for (int64_t i = 0;
         (places < 0 ? i > places : i < places) && power - power == 0;
         i += places < 0 ? -1 : 1) {
        power *= 10;
    }
    return power;
}

/* Rounded to so many places, half to even, as Python's round() does. */
static double rounded(tw_machine *machine, double number, int64_t places)
{
    tw_buffer text = {0};
    double result = number;
    if (number - number != 0 || places > TW_PYTHON_PLACES) {
        return number;
    }
    if (places < 0) {
        const double power = power_of_ten(places);
        /* All of it is less than that. */
        return power - power != 0
                   ? 0 * number
                   : rounded(machine, number / power, 0) * power;
    }
    if (tw_python_fixed(&text, machine->arena.memory, number,
                        (unsigned)places)) {
        result = tw_python_double((const char *)text.data, text.size);
    } else {
        machine->arena.state = TW_ARENA_NO_MEMORY;
    }
    tw_buffer_free(&text, machine->arena.memory);
    return result;
}

/* An integer without its last |places| digits, half to even. */
static tw_item rounded_int(tw_machine *machine, int64_t number, int64_t places)
{
    const uint64_t size = number < 0 ? 0 - (uint64_t)number : (uint64_t)number;
    uint64_t power = 1;
    if (places > 19) { /* 64 bits are less than half of it */
        return tw_item_int(0);
    }
    for (; places > 0; places--) {
        power *= 10;
    }
    const uint64_t rest = size % power;
    const bool odd = (size / power & 1) != 0;
    const bool up = rest > power - rest || (rest == power - rest && odd);
    const uint64_t result = size - rest + (up ? power : 0);
    if (result > INT64_MAX) {
        tw_fail(machine,
                "an integer of more than 64 bits is not calculated here");
        return tw_none();
    }
    return tw_item_int(number < 0 ? -(int64_t)result : (int64_t)result);
}

/* Up or down to a whole number. */
static double whole_of(double number, bool up)
{
    int64_t whole;
    if (!truncate(number, &whole)) {
        return number;
    }
    const double result = (double)whole;
    return up && result < number    ? result + 1
           : !up && result > number ? result - 1
                                    : result;
}

tw_item tw_filter_round(tw_machine *machine, tw_item item, const tw_item *more,
                        const tw_passed *all)
{
    (void)all;
    const tw_string *method =
        more[1].kind == TW_ITEM_UNSET ? NULL : tw_str(machine, more[1]);
    const bool common = method == NULL || tw_string_is(method, "common");
    const bool up = method != NULL && tw_string_is(method, "ceil");
    if (!common && !up && !tw_string_is(method, "floor")) {
        tw_fail(machine, "method must be common, ceil or floor");
        return tw_none();
    }
    if (!tw_item_is_number(item)) {
        tw_fail(machine, "type %t doesn't define __round__ method", item);
        return tw_none();
    }
    const int64_t places = tw_whole(machine, more[0], 0);
    if (common && tw_item_is_integral(item)) {
        return rounded_int(machine, tw_item_integer(item),
                           places >= 0          ? 0
                           : places < -INT8_MAX ? INT8_MAX
                                                : -places);
    }
    const double number = tw_item_double(item);
    if (common) {
        return tw_item_float(rounded(machine, number, places));
    }
    const double power = power_of_ten(places);
    return tw_item_float(places < 0 ? whole_of(number / power, up) * power
                                    : whole_of(number * power, up) / power);
}

tw_item tw_filter_filesizeformat(tw_machine *machine, tw_item item,
                                 const tw_item *more, const tw_passed *all)
{
    static const char *const decimal[] = {"kB", "MB", "GB", "TB",
                                          "PB", "EB", "ZB", "YB"};
    static const char *const binary[] = {"KiB", "MiB", "GiB", "TiB",
                                         "PiB", "EiB", "ZiB", "YiB"};
    const bool is_binary = tw_flag(more[0], false);
    const double base = is_binary ? 1024 : 1000;
    const tw_item none = tw_none();
    const tw_item number = tw_filter_float(machine, item, &none, all);
    if (number.kind != TW_ITEM_FLOAT) {
        tw_fail(machine,
                item.kind == TW_ITEM_STRING
                    ? "could not convert string to float: %r"
                    : "float() argument must be a string or a real number, "
                      "not '%t'",
                item);
        return tw_none();
    }
    const double bytes = number.of.number;
    tw_builder out;
    tw_builder_init(&out, &machine->arena);
    if (bytes == 1) {
        tw_build(&out, "1 Byte");
    } else if (bytes < base) {
        int64_t whole = 0;
        if (!truncate(bytes, &whole)) {
            tw_fail(machine,
                    "an integer of more than 64 bits is not calculated here");
        }
        tw_print_number(machine, &out, tw_item_int(whole));
        tw_build(&out, " Bytes");
    } else {
        double unit = base * base;
        size_t i = 0;
        for (; i < 7 && bytes >= unit; i++) {
            unit *= base;
        }
        tw_buffer text = {0};
        if (!tw_python_fixed(&text, machine->arena.memory, base * bytes / unit,
                             1)) {
            machine->arena.state = TW_ARENA_NO_MEMORY;
        }
        tw_build_words(&out, (const char *)text.data, text.size);
        tw_build(&out, " ");
        tw_build(&out, is_binary ? binary[i] : decimal[i]);
        tw_buffer_free(&text, machine->arena.memory);
    }
    const tw_item result = tw_item_string(tw_builder_string(&out));
    tw_builder_free(&out);
    return result;
}
