/* SPDX-License-Identifier: MIT
 *
 * `x.name` and `x[key]`, as Jinja's sandbox finds them: an attribute asks for
 * methods first, an item for members first.
 */
#include "template/machine/machine.h"

/* ---- attributes --------------------------------------------------------- */

static tw_item loop_neighbour(tw_machine *machine, const tw_loop *loop,
                              bool next)
{
    if (next ? loop->at + 1 >= loop->items.count : loop->at == 0) {
        return tw_undefined_hint(machine, next ? "there is no next item"
                                               : "there is no previous item");
    }
    return loop->items.items[next ? loop->at + 1 : loop->at - 1];
}

static bool loop_attribute(tw_machine *machine, const tw_loop *loop,
                           const tw_string *name, tw_item *out)
{
    const int64_t at = (int64_t)loop->at;
    const int64_t count = (int64_t)loop->items.count;
    const struct {
        const char *name;
        int64_t value;
    } numbers[] = {
        {"index", at + 1},
        {"index0", at},
        {"revindex", count - at},
        {"revindex0", count - at - 1},
        {"length", count},
        {"depth", (int64_t)loop->depth + 1},
        {"depth0", (int64_t)loop->depth},
    };
    for (size_t i = 0; i < sizeof numbers / sizeof *numbers; i++) {
        if (tw_string_is(name, numbers[i].name)) {
            *out = tw_item_int(numbers[i].value);
            return true;
        }
    }
    if (tw_string_is(name, "first")) {
        *out = tw_item_bool(at == 0);
    } else if (tw_string_is(name, "last")) {
        *out = tw_item_bool(at + 1 == count);
    } else if (tw_string_is(name, "previtem")) {
        *out = loop_neighbour(machine, loop, false);
    } else if (tw_string_is(name, "nextitem")) {
        *out = loop_neighbour(machine, loop, true);
    } else {
        return false;
    }
    return true;
}

static bool number_attribute(tw_item of, const tw_string *name, tw_item *out)
{
    const bool whole = tw_item_is_integral(of);
    const int64_t integer = whole ? tw_item_integer(of) : 0;
    if (tw_string_is(name, "real")) {
        *out = whole ? tw_item_int(integer) : of;
    } else if (tw_string_is(name, "imag")) {
        *out = whole ? tw_item_int(0) : tw_item_float(0);
    } else if (whole && tw_string_is(name, "numerator")) {
        *out = tw_item_int(integer);
    } else if (whole && tw_string_is(name, "denominator")) {
        *out = tw_item_int(1);
    } else {
        return false;
    }
    return true;
}

static bool macro_attribute(tw_machine *machine, const tw_macro *macro,
                            const tw_string *name, tw_item *out)
{
    const tw_function *function = macro->function;
    if (tw_string_is(name, "name")) {
        *out = function->name;
    } else if (tw_string_is(name, "catch_kwargs")) {
        *out = tw_item_bool((function->named & 1U << TW_KWARGS) != 0);
    } else if (tw_string_is(name, "catch_varargs")) {
        *out = tw_item_bool((function->named & 1U << TW_VARARGS) != 0);
    } else if (tw_string_is(name, "caller")) {
        *out = tw_item_bool((function->named & 1U << TW_CALLER) != 0);
    } else if (tw_string_is(name, "arguments")) {
        *out = tw_item_list(&machine->arena, TW_ITEM_TUPLE, 0);
        for (uint32_t at = function->parameters; at != 0;) {
            const tw_node *node = tw_node_at(machine->program, at);
            tw_list_add(&machine->arena, out->of.list,
                        tw_item_string(tw_name_at(machine->program, node->a)));
            at = node->next;
        }
    } else {
        return false;
    }
    return true;
}

/* What is no method. */
static bool find_attribute(tw_machine *machine, tw_item of,
                           const tw_string *name, tw_item *out)
{
    switch (of.kind) {
    case TW_ITEM_NAMESPACE: {
        const tw_item *found = tw_dict_find(of.of.dict, tw_item_string(name));
        *out = found != NULL ? *found : *out;
        return found != NULL;
    }
    case TW_ITEM_LOOP: return loop_attribute(machine, of.of.loop, name, out);
    case TW_ITEM_MACRO:
        return macro_attribute(machine, of.of.macro, name, out);
    case TW_ITEM_CYCLER:
        *out = of.of.cycler->items.items[of.of.cycler->at];
        return tw_string_is(name, "current");
    case TW_ITEM_TUPLE:
        if (of.flavour != TW_GROUP) {
            return false;
        }
        *out = of.of.list->items[tw_string_is(name, "list")];
        return tw_string_is(name, "list") || tw_string_is(name, "grouper");
    case TW_ITEM_BOOL:
    case TW_ITEM_INT:
    case TW_ITEM_FLOAT: return number_attribute(of, name, out);
    default: return false;
    }
}

static bool is_dunder(const tw_string *name)
{
    return name->size > 4 && memcmp(name->data, "__", 2) == 0 &&
           memcmp(name->data + name->size - 2, "__", 2) == 0;
}

static tw_item hidden(tw_machine *machine, tw_item of, const tw_string *name)
{
    tw_undefined *what = tw_arena_get(&machine->arena, sizeof *what);
    if (what == NULL) {
        return tw_none();
    }
    *what = (tw_undefined){.name = name, .of = of, .unsafe = true};
    return (tw_item){.kind = TW_ITEM_UNDEFINED, .of.undefined = what};
}

/* An attribute that Python's object has; false: none. */
static bool python_attribute(tw_machine *machine, tw_item of,
                             const tw_string *name, tw_item *out)
{
    const size_t method = machine->doors->find_method(of, name);
    if (is_dunder(name) ||
        (method != SIZE_MAX && machine->doors->hides_method(method))) {
        *out = hidden(machine, of, name);
        return true;
    }
    if (method == SIZE_MAX) {
        return find_attribute(machine, of, name, out);
    }
    tw_method *bound = tw_arena_get(&machine->arena, sizeof *bound);
    if (bound != NULL) {
        bound->self = of;
        bound->number = (uint16_t)method;
        *out = (tw_item){.kind = TW_ITEM_METHOD, .of.method = bound};
    }
    return true;
}

/* ---- items -------------------------------------------------------------- */

/* `slice.indices()`: |*start|, and how many follow by |*step|. */
static size_t slice_of(tw_machine *machine, const tw_list *slice, size_t size,
                       int64_t *start, int64_t *step)
{
    const int64_t count = (int64_t)size;
    int64_t bounds[2];
    for (size_t i = 0; i < 3; i++) {
        if (slice->items[i].kind != TW_ITEM_NONE &&
            !tw_item_is_integral(slice->items[i])) {
            tw_fail(machine, "slice indices must be integers or None or have "
                             "an __index__ method");
            return 0;
        }
    }
    *step = slice->items[2].kind == TW_ITEM_NONE
                ? 1
                : tw_item_integer(slice->items[2]);
    if (*step == 0) {
        tw_fail(machine, "slice step cannot be zero");
        return 0;
    }
    const int64_t low = *step < 0 ? -1 : 0;
    const int64_t high = *step < 0 ? count - 1 : count;
    for (size_t i = 0; i < 2; i++) {
        if (slice->items[i].kind == TW_ITEM_NONE) {
            bounds[i] = (*step < 0) == (i == 0) ? high : low;
            continue;
        }
        int64_t bound = tw_item_integer(slice->items[i]);
        if (bound < 0) {
            bound = bound < -count ? low : bound + count;
            bound = bound < low ? low : bound;
        }
        bounds[i] = bound > high ? high : bound;
    }
    *start = bounds[0];
    const int64_t distance =
        *step > 0 ? bounds[1] - bounds[0] : bounds[0] - bounds[1];
    const uint64_t stride = *step > 0 ? (uint64_t)*step : 0 - (uint64_t)*step;
    return distance <= 0 ? 0 : (size_t)(((uint64_t)distance - 1) / stride + 1);
}

static tw_item slice_string(tw_machine *machine, tw_item of,
                            const tw_list *slice)
{
    const tw_string *string = of.of.string;
    int64_t start;
    int64_t step;
    const size_t count =
        slice_of(machine, slice, string->points, &start, &step);
    tw_item result = tw_word(machine, "");
    if (count == 0) {
        return result;
    }
    if (step == 1) {
        const size_t begin = tw_string_place(string, (size_t)start);
        const size_t end = tw_string_place(string, (size_t)start + count);
        tw_charge(machine, tw_string_is_ascii(string) ? 0 : end / 16);
        result = tw_item_string(
            tw_string_part(&machine->arena, string, begin, end));
    } else {
        const tw_item points = tw_list_of(machine, of);
        tw_builder text;
        tw_builder_init(&text, &machine->arena);
        for (size_t i = 0; i < count && tw_works(machine); i++) {
            const size_t at = (size_t)(start + (int64_t)i * step);
            tw_build_string(&text, points.of.list->items[at].of.string);
        }
        result = tw_item_string(tw_builder_string(&text));
        tw_builder_free(&text);
    }
    result.flavour = of.flavour;
    return result;
}

static tw_item slice_list(tw_machine *machine, tw_item of,
                          const tw_list *slice)
{
    int64_t start;
    int64_t step;
    const size_t count =
        slice_of(machine, slice, of.of.list->count, &start, &step);
    const tw_item result =
        tw_item_list(&machine->arena, (tw_item_kind)of.kind, count);
    tw_charge(machine, count);
    for (size_t i = 0; i < count && tw_works(machine); i++) {
        tw_list_add(&machine->arena, result.of.list,
                    of.of.list->items[start + (int64_t)i * step]);
    }
    return result;
}

static tw_item slice_range(tw_machine *machine, const tw_number_range *range,
                           const tw_list *slice)
{
    int64_t start;
    int64_t step;
    tw_number_range *part = tw_arena_get(&machine->arena, sizeof *part);
    if (part == NULL) {
        return tw_none();
    }
    part->count =
        (int64_t)slice_of(machine, slice, (size_t)range->count, &start, &step);
    int64_t whole;
    if (__builtin_mul_overflow(start, range->step, &part->start) ||
        __builtin_add_overflow(range->start, part->start, &part->start) ||
        __builtin_mul_overflow(range->step, step, &part->step) ||
        __builtin_mul_overflow(part->count, part->step, &whole) ||
        __builtin_add_overflow(part->start, whole, &part->stop)) {
        tw_fail(machine,
                "an integer of more than 64 bits is not calculated here");
        return tw_none();
    }
    return (tw_item){.kind = TW_ITEM_RANGE, .of.range = part};
}

/* The place of |key| among |count|; false: it is out of range. */
static bool index_of(tw_item key, size_t count, size_t *out)
{
    const int64_t index = tw_item_integer(key);
    const int64_t at = index < 0 ? index + (int64_t)count : index;
    *out = (size_t)at;
    return at >= 0 && at < (int64_t)count;
}

static tw_item string_item(tw_machine *machine, tw_item of, size_t at)
{
    const tw_string *string = of.of.string;
    const size_t begin = tw_string_place(string, at);
    const size_t end = tw_string_place(string, at + 1);
    tw_charge(machine, tw_string_is_ascii(string) ? 0 : end / 16);
    return tw_item_string(tw_string_part(&machine->arena, string, begin, end));
}

/* `of[key]` as Python has it; false: TypeError or LookupError. */
static bool python_item(tw_machine *machine, tw_item of, tw_item key,
                        tw_item *out)
{
    size_t at;
    if (of.kind == TW_ITEM_DICT) {
        const tw_item *found =
            tw_is_key(machine, key) ? tw_dict_find(of.of.dict, key) : NULL;
        *out = found != NULL ? *found : *out;
        return found != NULL;
    }
    if (key.kind == TW_ITEM_SLICE) {
        switch (of.kind) {
        case TW_ITEM_STRING:
            *out = slice_string(machine, of, key.of.list);
            return true;
        case TW_ITEM_LIST:
        case TW_ITEM_TUPLE:
            *out = slice_list(machine, of, key.of.list);
            return true;
        case TW_ITEM_RANGE:
            *out = slice_range(machine, of.of.range, key.of.list);
            return true;
        default: return false;
        }
    }
    if (!tw_item_is_integral(key)) {
        return false;
    }
    switch (of.kind) {
    case TW_ITEM_STRING:
        if (!index_of(key, of.of.string->points, &at)) {
            return false;
        }
        *out = string_item(machine, of, at);
        return true;
    case TW_ITEM_LIST:
    case TW_ITEM_TUPLE:
        if (!index_of(key, of.of.list->count, &at)) {
            return false;
        }
        *out = of.of.list->items[at];
        return true;
    case TW_ITEM_RANGE:
        if (!index_of(key, (size_t)of.of.range->count, &at)) {
            return false;
        }
        *out =
            tw_item_int(of.of.range->start + (int64_t)at * of.of.range->step);
        return true;
    default: return false;
    }
}

/* ---- both --------------------------------------------------------------- */

static tw_item get_attribute(tw_machine *machine, tw_item of,
                             const tw_string *name, bool method)
{
    tw_item found = tw_none();
    if (tw_item_is_undefined(of)) {
        tw_fail_undefined(machine, of);
        return found;
    }
    if (of.kind == TW_ITEM_DICT && !method) { /* as most are */
        tw_charge(machine, name->size / 64);
        const tw_item *member = tw_dict_find(of.of.dict, tw_item_string(name));
        return member != NULL ? *member
                              : tw_undefined_member(machine, of, name);
    }
    if ((method ? python_attribute(machine, of, name, &found)
                : find_attribute(machine, of, name, &found)) ||
        python_item(machine, of, tw_item_string(name), &found)) {
        return found;
    }
    return tw_undefined_member(machine, of, name);
}

tw_item tw_get_attribute(tw_machine *machine, tw_item of,
                         const tw_string *name)
{
    return get_attribute(machine, of, name, true);
}

tw_item tw_get_member(tw_machine *machine, tw_item of, const tw_string *name)
{
    return get_attribute(machine, of, name, false);
}

tw_item tw_get_item(tw_machine *machine, tw_item of, tw_item key)
{
    tw_item found = tw_none();
    if (tw_item_is_undefined(of)) {
        tw_fail_undefined(machine, of);
        return found;
    }
    if (key.kind == TW_ITEM_SLICE) { /* Jinja leaves it to Python alone */
        if (!python_item(machine, of, key, &found)) {
            tw_fail(machine,
                    of.kind == TW_ITEM_DICT
                        ? "unhashable type: 'slice'"
                        : "'%t' object is not subscriptable",
                    of);
        }
        return found;
    }
    if (python_item(machine, of, key, &found) ||
        (tw_item_is_string(key) &&
         python_attribute(machine, of, key.of.string, &found))) {
        return found;
    }
    return tw_item_is_string(key)
               ? tw_undefined_member(machine, of, key.of.string)
               : tw_undefined_element(machine, of, key);
}

/* A part of a path that is all digits is an index. */
static tw_item part_of(tw_machine *machine, const tw_string *part)
{
    int64_t number = 0;
    for (size_t i = 0; i < part->size; i++) {
        if (part->data[i] < '0' || part->data[i] > '9' || number > INT32_MAX) {
            return tw_item_string(part);
        }
        number = number * 10 + (part->data[i] - '0');
    }
    (void)machine;
    return part->size > 0 ? tw_item_int(number) : tw_item_string(part);
}

tw_item tw_get_path(tw_machine *machine, tw_item of, tw_item path)
{
    if (!tw_item_is_string(path)) {
        return tw_get_item(machine, of, path);
    }
    const tw_string *text = path.of.string;
    size_t from = 0;
    while (tw_works(machine)) {
        const char *dot = memchr(text->data + from, '.', text->size - from);
        const size_t end =
            dot != NULL ? (size_t)(dot - text->data) : text->size;
        of = tw_get_item(machine, of,
                         part_of(machine, tw_string_part(&machine->arena, text,
                                                         from, end)));
        if (dot == NULL) {
            break;
        }
        from = end + 1;
    }
    return of;
}
