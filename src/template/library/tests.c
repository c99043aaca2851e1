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
    const char *signature;
    test *holds;
} tests[] = {
    {"boolean", "test_boolean value:", is_boolean},
    {"callable", "callable/ obj:", is_callable},
    {"defined", "test_defined value:", is_defined},
    {"divisibleby", "test_divisibleby value: num", is_divisible},
    {"eq", "_operator.eq/ a: other", is_equal},
    {"equalto", "_operator.eq/ a: other", is_equal},
    {"==", "_operator.eq/ a: other", is_equal},
    {"escaped", "test_escaped value:", is_escaped},
    {"even", "test_even value:", is_even},
    {"false", "test_false value:", is_false},
    {"filter", "test_filter env value:", is_filter},
    {"float", "test_float value:", is_float},
    {"ge", "_operator.ge/ a: other", is_greater_equal},
    {">=", "_operator.ge/ a: other", is_greater_equal},
    {"gt", "_operator.gt/ a: other", is_greater},
    {"greaterthan", "_operator.gt/ a: other", is_greater},
    {">", "_operator.gt/ a: other", is_greater},
    {"in", "test_in value: seq", is_in},
    {"integer", "test_integer value:", is_integer},
    {"iterable", "test_iterable value:", is_iterable},
    {"le", "_operator.le/ a: other", is_less_equal},
    {"<=", "_operator.le/ a: other", is_less_equal},
    {"lower", "test_lower value:", is_lower},
    {"lt", "_operator.lt/ a: other", is_less},
    {"lessthan", "_operator.lt/ a: other", is_less},
    {"<", "_operator.lt/ a: other", is_less},
    {"mapping", "test_mapping value:", is_mapping},
    {"ne", "_operator.ne/ a: other", is_not_equal},
    {"!=", "_operator.ne/ a: other", is_not_equal},
    {"none", "test_none value:", is_none},
    {"number", "test_number value:", is_number},
    {"odd", "test_odd value:", is_odd},
    {"sameas", "test_sameas value: other", is_same},
    {"sequence", "test_sequence value:", is_sequence},
    {"string", "test_string value:", is_string},
    {"test", "test_test env value:", is_test},
    {"true", "test_true value:", is_true},
    {"undefined", "test_undefined value:", is_undefined},
    {"upper", "test_upper value:", is_upper},
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
    return tw_bind(machine, arguments, tests[number].signature, more) &&
           tests[number].holds(machine, item, more);
}
