/* SPDX-License-Identifier: MIT
 *
 * Python's operators.  Integers are of 64 bits: what goes beyond is an error,
 * and no wrong number.
 */
#include "template/machine/machine.h"

static const char *const signs[] = {[TW_ADD] = "+",
                                    [TW_SUBTRACT] = "-",
                                    [TW_MULTIPLY] = "*",
                                    [TW_DIVIDE] = "/",
                                    [TW_FLOOR_DIVIDE] = "//",
                                    [TW_MODULO] = "%",
                                    [TW_POWER] = "** or pow()",
                                    [TW_NEGATE] = "-",
                                    [TW_POSITIVE] = "+",
                                    [TW_EQUAL] = "==",
                                    [TW_NOT_EQUAL] = "!=",
                                    [TW_LESS] = "<",
                                    [TW_LESS_EQUAL] = "<=",
                                    [TW_GREATER] = ">",
                                    [TW_GREATER_EQUAL] = ">=",
                                    [TW_IN] = "in",
                                    [TW_NOT_IN] = "not in"};

static tw_item too_large(tw_machine *machine)
{
    tw_fail(machine, "an integer of more than 64 bits is not calculated here");
    return tw_none();
}

/* ---- integers ----------------------------------------------------------- */

static tw_item power_of(tw_machine *machine, int64_t base, int64_t exponent)
{
    int64_t result = 1;
    for (; exponent > 0; exponent >>= 1) {
        if ((exponent & 1) != 0 &&
            __builtin_mul_overflow(result, base, &result)) {
            return too_large(machine);
        }
        if (exponent > 1 && __builtin_mul_overflow(base, base, &base)) {
            return too_large(machine);
        }
    }
    return tw_item_int(result);
}

static int64_t floor_divide(int64_t left, int64_t right)
{
    const int64_t quotient = left / right;
    return quotient - (left % right != 0 && (left < 0) != (right < 0));
}

static tw_item integers(tw_machine *machine, tw_operator operator_,
                        int64_t left, int64_t right)
{
    int64_t result = 0;
    bool large = false;
    switch (operator_) {
    case TW_ADD: large = __builtin_add_overflow(left, right, &result); break;
    case TW_SUBTRACT:
        large = __builtin_sub_overflow(left, right, &result);
        break;
    case TW_MULTIPLY:
        large = __builtin_mul_overflow(left, right, &result);
        break;
    case TW_POWER: return power_of(machine, left, right);
    default:
        if (right == 0) {
            tw_fail(machine, operator_ == TW_MODULO
                                 ? "integer modulo by zero"
                                 : "integer division or modulo by zero");
            return tw_none();
        }
        if (right == -1) { /* the one that may not fit */
            large = operator_ == TW_FLOOR_DIVIDE &&
                    __builtin_sub_overflow(0, left, &result);
        } else {
            result = floor_divide(left, right);
            result =
                operator_ == TW_FLOOR_DIVIDE ? result : left - result * right;
        }
        break;
    }
    return large ? too_large(machine) : tw_item_int(result);
}

/* ---- doubles ------------------------------------------------------------ */

/* floor() of what has a fraction; all others are their own. */
static double floor_of(double number)
{
    if (number >= 4503599627370496.0 || number <= -4503599627370496.0 ||
        number != number) {
        return number;
    }
    const double whole = (double)(int64_t)number;
    return whole > number ? whole - 1 : whole;
}

/* fmod(), without a loss: |left| loses doubled |right|s, the largest first.
 * They are doubled 2,100 times at most. */
static double modulo(double left, double right)
{
    double rest = left < 0 ? -left : left;
    const double by = right < 0 ? -right : right;
    double part = by;
    if (left - left != 0 || by != by) {
        return left - left + by; /* not a number */
    }
    while (part <= rest / 2) {
        part *= 2;
    }
    for (; rest >= by; part /= 2) {
        rest -= rest >= part ? part : 0;
    }
    rest = left < 0 ? -rest : rest;
    if (rest == 0) {
        return right < 0 ? -0.0 : 0.0;
    }
    return (rest < 0) != (right < 0) ? rest + right : rest;
}

static double floor_divide_doubles(double left, double right)
{
    const double times = (left - modulo(left, right)) / right;
    const double whole = floor_of(times);
    return times == 0           ? left / right * 0 /* with its sign */
           : times - whole > .5 ? whole + 1
                                : whole;
}

static tw_item float_power(tw_machine *machine, double base, double exponent)
{
    const bool inverse = exponent < 0;
    const double left = inverse ? -exponent : exponent;
    double result = 1;
    if (left != floor_of(left) || left > 100000) {
        tw_fail(machine, "a power with a fraction is not calculated here");
        return tw_none();
    }
    if (base == 0 && inverse) {
        tw_fail(machine, "0.0 cannot be raised to a negative power");
        return tw_none();
    }
    const double limit = 9007199254740992.0; /* of what is exact */
    const bool whole = base == floor_of(base);
    bool exact = true;
    for (double n = left; n >= 1 && exact && tw_charge(machine, 1); n--) {
        result *= base;
        exact = left <= 2 || (whole && result <= limit && result >= -limit);
    }
    if (!exact) {
        tw_fail(machine, "a power with a fraction is not calculated here");
    }
    return tw_item_float(inverse ? 1 / result : result);
}

static tw_item doubles(tw_machine *machine, tw_operator operator_, double left,
                       double right)
{
    if (right == 0 &&
        (operator_ == TW_DIVIDE || operator_ == TW_FLOOR_DIVIDE ||
         operator_ == TW_MODULO)) {
        tw_fail(machine, operator_ == TW_DIVIDE ? "float division by zero"
                         : operator_ == TW_MODULO
                             ? "float modulo"
                             : "float floor division by zero");
        return tw_none();
    }
    tw_charge(machine, operator_ == TW_MODULO || operator_ == TW_FLOOR_DIVIDE
                           ? 64 /* see modulo() */
                           : 0);
    switch (operator_) {
    case TW_ADD: return tw_item_float(left + right);
    case TW_SUBTRACT: return tw_item_float(left - right);
    case TW_MULTIPLY: return tw_item_float(left * right);
    case TW_DIVIDE: return tw_item_float(left / right);
    case TW_MODULO: return tw_item_float(modulo(left, right));
    case TW_FLOOR_DIVIDE:
        return tw_item_float(floor_divide_doubles(left, right));
    default: return float_power(machine, left, right);
    }
}

static tw_item numbers(tw_machine *machine, tw_operator operator_,
                       tw_item left, tw_item right)
{
    const bool whole = tw_item_is_integral(left) && tw_item_is_integral(right);
    if (whole && operator_ == TW_DIVIDE) {
        if (tw_item_integer(right) == 0) {
            tw_fail(machine, "division by zero");
            return tw_none();
        }
        return tw_item_float(tw_item_double(left) / tw_item_double(right));
    }
    if (whole && !(operator_ == TW_POWER && tw_item_integer(right) < 0)) {
        return integers(machine, operator_, tw_item_integer(left),
                        tw_item_integer(right));
    }
    return doubles(machine, operator_, tw_item_double(left),
                   tw_item_double(right));
}

/* ---- strings and lists -------------------------------------------------- */

static const tw_string *escaped(tw_machine *machine, tw_item item)
{
    return item.flavour == TW_MARKUP ? item.of.string
                                     : tw_escape_html(machine, item.of.string);
}

static tw_item join(tw_machine *machine, tw_item left, tw_item right)
{
    tw_arena *arena = &machine->arena;
    if (left.flavour != TW_MARKUP && right.flavour != TW_MARKUP) {
        return tw_item_string(
            tw_string_join(arena, left.of.string, right.of.string));
    }
    tw_item result = tw_item_string(tw_string_join(
        arena, escaped(machine, left), escaped(machine, right)));
    result.flavour = TW_MARKUP;
    return result;
}

static tw_item join_lists(tw_machine *machine, tw_item left, tw_item right)
{
    const tw_list *parts[] = {left.of.list, right.of.list};
    const tw_item result =
        tw_item_list(&machine->arena, (tw_item_kind)left.kind,
                     parts[0]->count + parts[1]->count);
    for (size_t p = 0; p < 2; p++) {
        tw_charge(machine, parts[p]->count);
        for (size_t i = 0; i < parts[p]->count; i++) {
            tw_list_add(&machine->arena, result.of.list, parts[p]->items[i]);
        }
    }
    return result;
}

/* |of|, a string or list, |times| times. */
static tw_item repeat(tw_machine *machine, tw_item of, int64_t times)
{
    tw_builder text;
    tw_item result = of;
    if (of.kind != TW_ITEM_STRING) {
        result = tw_item_list(&machine->arena, (tw_item_kind)of.kind, 0);
        for (int64_t n = 0; n < times && of.of.list->count > 0; n++) {
            for (size_t i = 0; i < of.of.list->count && tw_charge(machine, 1);
                 i++) {
                tw_list_add(&machine->arena, result.of.list,
                            of.of.list->items[i]);
            }
            if (!tw_works(machine)) {
                break;
            }
        }
        return result;
    }
    tw_builder_init(&text, &machine->arena);
    for (int64_t n = 0; n < times && of.of.string->size > 0 &&
                        tw_charge(machine, 1) && !text.failed;
         n++) {
        tw_build_string(&text, of.of.string);
    }
    result = tw_item_string(tw_builder_string(&text));
    result.flavour = of.flavour;
    tw_builder_free(&text);
    return result;
}

static bool is_sequence(tw_item item)
{
    return item.kind == TW_ITEM_STRING || item.kind == TW_ITEM_LIST ||
           item.kind == TW_ITEM_TUPLE;
}

/* ---- the door ----------------------------------------------------------- */

static tw_item unsupported(tw_machine *machine, tw_operator operator_,
                           tw_item left, tw_item right)
{
    if (operator_ == TW_ADD && is_sequence(left) &&
        left.flavour != TW_MARKUP) {
        tw_fail(machine, "can only concatenate %t (not \"%t\") to %t", left,
                right, left);
    } else if (operator_ == TW_MULTIPLY && is_sequence(left)) {
        tw_fail(machine, "can't multiply sequence by non-int of type '%t'",
                right);
    } else if (operator_ == TW_MULTIPLY && is_sequence(right)) {
        tw_fail(machine, "can't multiply sequence by non-int of type '%t'",
                left);
    } else {
        tw_fail(machine, "unsupported operand type(s) for %s: '%t' and '%t'",
                signs[operator_], left, right);
    }
    return tw_none();
}

tw_item tw_binary(tw_machine *machine, tw_operator operator_, tw_item left,
                  tw_item right)
{
    if (!tw_works(machine)) {
        return tw_none();
    }
    if (operator_ == TW_MODULO && left.kind == TW_ITEM_STRING) {
        return tw_format_percent(machine, left.of.string, right);
    }
    if (tw_item_is_undefined(left) || tw_item_is_undefined(right)) {
        tw_fail_undefined(machine, tw_item_is_undefined(left) ? left : right);
        return tw_none();
    }
    if (tw_item_is_number(left) && tw_item_is_number(right)) {
        return numbers(machine, operator_, left, right);
    }
    if (left.kind == TW_ITEM_BIG || right.kind == TW_ITEM_BIG) {
        return too_large(machine);
    }
    if (operator_ == TW_ADD && left.kind == right.kind && is_sequence(left)) {
        return left.kind == TW_ITEM_STRING ? join(machine, left, right)
                                           : join_lists(machine, left, right);
    }
    if (operator_ == TW_MULTIPLY && is_sequence(left) &&
        tw_item_is_integral(right)) {
        return repeat(machine, left, tw_item_integer(right));
    }
    if (operator_ == TW_MULTIPLY && is_sequence(right) &&
        tw_item_is_integral(left)) {
        return repeat(machine, right, tw_item_integer(left));
    }
    return unsupported(machine, operator_, left, right);
}

tw_item tw_unary(tw_machine *machine, tw_operator operator_, tw_item item)
{
    if (tw_item_is_undefined(item)) {
        tw_fail_undefined(machine, item);
        return tw_none();
    }
    if (item.kind == TW_ITEM_BIG) {
        return operator_ == TW_POSITIVE ? item : too_large(machine);
    }
    if (!tw_item_is_number(item)) {
        tw_fail(machine, "bad operand type for unary %s: '%t'",
                signs[operator_], item);
        return tw_none();
    }
    if (item.kind == TW_ITEM_FLOAT) {
        return operator_ == TW_NEGATE ? tw_item_float(-item.of.number) : item;
    }
    const int64_t integer = tw_item_integer(item);
    if (operator_ == TW_POSITIVE) {
        return tw_item_int(integer);
    }
    return integer == INT64_MIN ? too_large(machine) : tw_item_int(-integer);
}

/* ---- comparisons -------------------------------------------------------- */

static int order_of(int64_t left, int64_t right)
{
    return left < right ? -1 : left > right;
}

static int order_lists(tw_machine *machine, const tw_list *left,
                       const tw_list *right, const char *sign)
{
    for (size_t i = 0; i < left->count && i < right->count; i++) {
        if (!tw_same(machine, left->items[i], right->items[i])) {
            return tw_order(machine, left->items[i], right->items[i], sign);
        }
    }
    return order_of((int64_t)left->count, (int64_t)right->count);
}

int tw_order(tw_machine *machine, tw_item left, tw_item right,
             const char *sign)
{
    if (!tw_works(machine)) {
        return 0;
    }
    if (tw_item_is_number(left) && tw_item_is_number(right)) {
        if (left.kind != TW_ITEM_FLOAT && right.kind != TW_ITEM_FLOAT) {
            return order_of(tw_item_integer(left), tw_item_integer(right));
        }
        const double a = tw_item_double(left);
        const double b = tw_item_double(right);
        return a < b ? -1 : a > b;
    }
    if (tw_item_is_undefined(left) || tw_item_is_undefined(right)) {
        tw_fail_undefined(machine, tw_item_is_undefined(left) ? left : right);
        return 0;
    }
    if (left.kind == TW_ITEM_STRING && right.kind == TW_ITEM_STRING) {
        const tw_string *a = left.of.string;
        const tw_string *b = right.of.string;
        const size_t size = a->size < b->size ? a->size : b->size;
        tw_charge(machine, size / 64);
        const int order = memcmp(a->data, b->data, size);
        return order != 0 ? order
                          : order_of((int64_t)a->size, (int64_t)b->size);
    }
    if (left.kind == right.kind &&
        (left.kind == TW_ITEM_LIST || left.kind == TW_ITEM_TUPLE)) {
        return order_lists(machine, left.of.list, right.of.list, sign);
    }
    tw_fail(machine, "'%s' not supported between instances of '%t' and '%t'",
            sign, left, right);
    return 0;
}

static bool contains(tw_machine *machine, tw_item part, tw_item in)
{
    switch (in.kind) {
    case TW_ITEM_STRING:
        if (part.kind != TW_ITEM_STRING) {
            tw_fail(machine,
                    "'in <string>' requires string as left operand, not %t",
                    part);
            return false;
        }
        tw_charge(machine, in.of.string->size / 16);
        return tw_string_find(in.of.string, 0, part.of.string) != SIZE_MAX;
    case TW_ITEM_DICT:
        if (!tw_is_key(machine, part)) {
            tw_fail(machine, "unhashable type: '%t'", part);
            return false;
        }
        return tw_dict_find(in.of.dict, part) != NULL;
    default: break;
    }
    const tw_item list =
        tw_list_or(machine, in, "argument of type '%t' is not iterable");
    for (size_t i = 0; tw_works(machine) && i < list.of.list->count; i++) {
        tw_charge(machine, 1);
        if (tw_same(machine, list.of.list->items[i], part)) {
            return true;
        }
    }
    return false;
}

bool tw_compare(tw_machine *machine, tw_operator operator_, tw_item left,
                tw_item right)
{
    if (!tw_works(machine)) {
        return false;
    }
    switch (operator_) {
    case TW_EQUAL: return tw_same(machine, left, right);
    case TW_NOT_EQUAL: return !tw_same(machine, left, right);
    case TW_LESS: return tw_order(machine, left, right, "<") < 0;
    case TW_LESS_EQUAL: return tw_order(machine, left, right, "<=") <= 0;
    case TW_GREATER: return tw_order(machine, left, right, ">") > 0;
    case TW_GREATER_EQUAL: return tw_order(machine, left, right, ">=") >= 0;
    case TW_IN: return contains(machine, left, right);
    default: return !contains(machine, left, right);
    }
}
