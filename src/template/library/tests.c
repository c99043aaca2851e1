/* SPDX-License-Identifier: MIT
 *
 * Jinja's tests: what stands behind `is`.
 */
#include "template/library/library.h"
#include "template/machine/machine.h"
#include "template/machine/words.h"

typedef bool test(tw_machine *, tw_item, const tw_item *);

/* `item % 2`, which fills in a text's `%d`. */
static tw_item rest_by_two(tw_machine *machine, tw_item item)
{
    return tw_binary(machine, TW_MODULO, item, tw_item_int(2));
}

static bool is_boolean(tw_machine *machine, tw_item item, const tw_item *more)
{
    (void)machine;
    (void)more;
    return item.kind == TW_ITEM_BOOL;
}

static bool is_callable(tw_machine *machine, tw_item item, const tw_item *more)
{
    (void)machine;
    (void)more;
    return tw_item_is_undefined(item) || item.kind == TW_ITEM_FUNCTION ||
           item.kind == TW_ITEM_METHOD || item.kind == TW_ITEM_MACRO ||
           item.kind == TW_ITEM_LOOP || item.kind == TW_ITEM_JOINER;
}

static bool is_defined(tw_machine *machine, tw_item item, const tw_item *more)
{
    (void)machine;
    (void)more;
    return !tw_item_is_undefined(item);
}

static bool is_undefined(tw_machine *machine, tw_item item,
                         const tw_item *more)
{
    return !is_defined(machine, item, more);
}

static bool is_divisible(tw_machine *machine, tw_item item,
                         const tw_item *more)
{
    const tw_item rest = tw_binary(machine, TW_MODULO, item, more[0]);
    return tw_item_equals(rest, tw_item_int(0));
}

static bool is_escaped(tw_machine *machine, tw_item item, const tw_item *more)
{
    (void)machine;
    (void)more;
    return item.kind == TW_ITEM_STRING && item.flavour == TW_MARKUP;
}

static bool is_even(tw_machine *machine, tw_item item, const tw_item *more)
{
    (void)more;
    return tw_item_equals(rest_by_two(machine, item), tw_item_int(0));
}

static bool is_odd(tw_machine *machine, tw_item item, const tw_item *more)
{
    (void)more;
    return tw_item_equals(rest_by_two(machine, item), tw_item_int(1));
}

static bool is_false(tw_machine *machine, tw_item item, const tw_item *more)
{
    (void)machine;
    (void)more;
    return item.kind == TW_ITEM_BOOL && !item.of.flag;
}

static bool is_true(tw_machine *machine, tw_item item, const tw_item *more)
{
    (void)machine;
    (void)more;
    return item.kind == TW_ITEM_BOOL && item.of.flag;
}

static bool is_key(tw_machine *machine, tw_item item)
{
    if (!tw_item_is_hashable(item)) {
        tw_fail(machine, "unhashable type: '%t'", item);
    }
    return item.kind == TW_ITEM_STRING;
}

static bool is_filter(tw_machine *machine, tw_item item, const tw_item *more)
{
    (void)more;
    return is_key(machine, item) &&
           machine->doors->find_filter(item.of.string->data,
                                       item.of.string->size) != SIZE_MAX;
}

static bool is_test(tw_machine *machine, tw_item item, const tw_item *more)
{
    (void)more;
    return is_key(machine, item) &&
           machine->doors->find_test(item.of.string->data,
                                     item.of.string->size) != SIZE_MAX;
}

static bool is_float(tw_machine *machine, tw_item item, const tw_item *more)
{
    (void)machine;
    (void)more;
    return item.kind == TW_ITEM_FLOAT;
}

static bool is_integer(tw_machine *machine, tw_item item, const tw_item *more)
{
    (void)machine;
    (void)more;
    return item.kind == TW_ITEM_INT || item.kind == TW_ITEM_BIG;
}

static bool is_number(tw_machine *machine, tw_item item, const tw_item *more)
{
    (void)machine;
    (void)more;
    return tw_item_is_number(item) || item.kind == TW_ITEM_BIG;
}

static bool is_iterable(tw_machine *machine, tw_item item, const tw_item *more)
{
    (void)machine;
    (void)more;
    switch (item.kind) {
    case TW_ITEM_NONE:
    case TW_ITEM_BOOL:
    case TW_ITEM_INT:
    case TW_ITEM_BIG:
    case TW_ITEM_FLOAT:
    case TW_ITEM_NAMESPACE:
    case TW_ITEM_FUNCTION:
    case TW_ITEM_METHOD:
    case TW_ITEM_MACRO:
    case TW_ITEM_JOINER:
    case TW_ITEM_CYCLER: return false;
    default: return true;
    }
}

static bool is_lower(tw_machine *machine, tw_item item, const tw_item *more)
{
    (void)more;
    return tw_is_lower(machine, tw_str(machine, item));
}

static bool is_upper(tw_machine *machine, tw_item item, const tw_item *more)
{
    (void)more;
    return tw_is_upper(machine, tw_str(machine, item));
}

static bool is_mapping(tw_machine *machine, tw_item item, const tw_item *more)
{
    (void)machine;
    (void)more;
    return item.kind == TW_ITEM_DICT;
}

static bool is_none(tw_machine *machine, tw_item item, const tw_item *more)
{
    (void)machine;
    (void)more;
    return item.kind == TW_ITEM_NONE;
}

/* `is`: of values that Python keeps once, equality. */
static bool is_same(tw_machine *machine, tw_item item, const tw_item *more)
{
    const tw_item other = more[0];
    if (item.kind != other.kind) {
        return false;
    }
    switch (item.kind) {
    case TW_ITEM_NONE:
    case TW_ITEM_BOOL:
    case TW_ITEM_INT:
    case TW_ITEM_STRING: return tw_same(machine, item, other);
    default: return item.of.list == other.of.list;
    }
}

static bool is_sequence(tw_machine *machine, tw_item item, const tw_item *more)
{
    (void)machine;
    (void)more;
    return item.kind == TW_ITEM_STRING || item.kind == TW_ITEM_LIST ||
           item.kind == TW_ITEM_TUPLE || item.kind == TW_ITEM_DICT ||
           item.kind == TW_ITEM_RANGE || tw_item_is_undefined(item);
}

static bool is_string(tw_machine *machine, tw_item item, const tw_item *more)
{
    (void)machine;
    (void)more;
    return item.kind == TW_ITEM_STRING;
}

static bool is_in(tw_machine *machine, tw_item item, const tw_item *more)
{
    return tw_compare(machine, TW_IN, item, more[0]);
}

static bool is_equal(tw_machine *machine, tw_item item, const tw_item *more)
{
    return tw_compare(machine, TW_EQUAL, item, more[0]);
}

static bool is_not_equal(tw_machine *machine, tw_item item,
                         const tw_item *more)
{
    return tw_compare(machine, TW_NOT_EQUAL, item, more[0]);
}

static bool is_less(tw_machine *machine, tw_item item, const tw_item *more)
{
    return tw_compare(machine, TW_LESS, item, more[0]);
}

static bool is_less_equal(tw_machine *machine, tw_item item,
                          const tw_item *more)
{
    return tw_compare(machine, TW_LESS_EQUAL, item, more[0]);
}

static bool is_greater(tw_machine *machine, tw_item item, const tw_item *more)
{
    return tw_compare(machine, TW_GREATER, item, more[0]);
}

static bool is_greater_equal(tw_machine *machine, tw_item item,
                             const tw_item *more)
{
    return tw_compare(machine, TW_GREATER_EQUAL, item, more[0]);
}

static const struct {
    const char *name;
    const char *parameters;
    test *holds;
} tests[] = {
    {"boolean", "", is_boolean},
    {"callable", "", is_callable},
    {"defined", "", is_defined},
    {"divisibleby", "num", is_divisible},
    {"eq", "other", is_equal},
    {"equalto", "other", is_equal},
    {"==", "other", is_equal},
    {"escaped", "", is_escaped},
    {"even", "", is_even},
    {"false", "", is_false},
    {"filter", "", is_filter},
    {"float", "", is_float},
    {"ge", "other", is_greater_equal},
    {">=", "other", is_greater_equal},
    {"gt", "other", is_greater},
    {"greaterthan", "other", is_greater},
    {">", "other", is_greater},
    {"in", "seq", is_in},
    {"integer", "", is_integer},
    {"iterable", "", is_iterable},
    {"le", "other", is_less_equal},
    {"<=", "other", is_less_equal},
    {"lower", "", is_lower},
    {"lt", "other", is_less},
    {"lessthan", "other", is_less},
    {"<", "other", is_less},
    {"mapping", "", is_mapping},
    {"ne", "other", is_not_equal},
    {"!=", "other", is_not_equal},
    {"none", "", is_none},
    {"number", "", is_number},
    {"odd", "", is_odd},
    {"sameas", "other", is_same},
    {"sequence", "", is_sequence},
    {"string", "", is_string},
    {"test", "", is_test},
    {"true", "", is_true},
    {"undefined", "", is_undefined},
    {"upper", "", is_upper},
};

size_t tw_test_find(const char *name, size_t size)
{
    for (size_t i = 0; i < sizeof tests / sizeof *tests; i++) {
        if (strlen(tests[i].name) == size &&
            memcmp(tests[i].name, name, size) == 0) {
            return i;
        }
    }
    return SIZE_MAX;
}

bool tw_test_call(tw_machine *machine, size_t number, tw_item item,
                  const tw_passed *arguments)
{
    tw_item more[TW_PARAMETERS];
    return tw_bind(machine, arguments, tests[number].name,
                   tests[number].parameters, more) &&
           tests[number].holds(machine, item, more);
}
