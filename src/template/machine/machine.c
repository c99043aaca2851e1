/* SPDX-License-Identifier: MIT
 *
 * Errors, budgets and arguments of a rendering.
 */
#include "template/machine/machine.h"

#include <stdarg.h>

/* ---- errors ------------------------------------------------------------- */

void tw_fail(tw_machine *machine, const char *format, ...)
{
    if (!tw_works(machine)) {
        return;
    }
    tw_builder text;
    va_list arguments;
    tw_builder_init(&text, &machine->arena);
    va_start(arguments, format);
    for (const char *at = format; *at != 0; at++) {
        if (*at != '%') {
            tw_build_words(&text, at, 1);
            continue;
        }
        switch (*++at) {
        case 's': tw_build(&text, va_arg(arguments, const char *)); break;
        case 'S':
            tw_build_string(&text, va_arg(arguments, const tw_string *));
            break;
        case 't':
            tw_build(&text, tw_item_type(va_arg(arguments, tw_item)));
            break;
        case 'r':
            machine->doors->print_repr(machine, &text,
                                       va_arg(arguments, tw_item));
            break;
        default: /* d */
            tw_build_int(&text, va_arg(arguments, int64_t));
            break;
        }
    }
    va_end(arguments);
    machine->message = tw_builder_string(&text);
    machine->code = TW_ERROR_TEMPLATE;
    if (machine->node != NULL) {
        machine->line = machine->node->line;
        machine->column = machine->node->column;
    }
    tw_builder_free(&text);
}

/* The module of a type that is not Python's own. */
static const char *module_of(tw_item item)
{
    switch (item.kind) {
    case TW_ITEM_NAMESPACE:
    case TW_ITEM_CYCLER:
    case TW_ITEM_JOINER: return "jinja2.utils.";
    case TW_ITEM_MACRO:
    case TW_ITEM_LOOP: return "jinja2.runtime.";
    default: return item.flavour == TW_MARKUP ? "markupsafe." : "";
    }
}

void tw_fail_undefined(tw_machine *machine, tw_item item)
{
    const tw_undefined *what =
        item.kind == TW_ITEM_UNDEFINED ? item.of.undefined : NULL;
    const bool none = what != NULL && what->of.kind == TW_ITEM_NONE;
    const char *type = what == NULL ? ""
                       : none       ? "None"
                                    : tw_item_type(what->of);
    const char *object = none ? "" : " object";
    if (what == NULL) {
        tw_fail(machine, "a value is undefined");
    } else if (what->unsafe) {
        tw_fail(machine, "access to attribute %r of '%t' object is unsafe.",
                tw_item_string(what->name), what->of);
    } else if (what->line > 0) {
        tw_fail(machine,
                "the inline if-expression on line %d evaluated to false and "
                "no else section was defined.",
                (int64_t)what->line);
    } else if (what->hint != NULL) {
        tw_fail(machine, "%s", what->hint);
    } else if (what->of.kind == TW_ITEM_UNSET) {
        tw_fail(machine, "%r is undefined", tw_item_string(what->name));
    } else if (what->element) {
        tw_fail(machine, "%s%s%s has no element %S", module_of(what->of), type,
                object, what->name);
    } else {
        tw_fail(machine, "'%s%s%s' has no attribute %r", module_of(what->of),
                type, object, tw_item_string(what->name));
    }
}

void tw_fail_limit(tw_machine *machine)
{
    if (tw_works(machine)) {
        machine->code = TW_ERROR_LIMIT;
        if (machine->node != NULL) {
            machine->line = machine->node->line;
            machine->column = machine->node->column;
        }
    }
}

/* ---- values ------------------------------------------------------------- */

static tw_item make_undefined(tw_machine *machine, tw_undefined what)
{
    tw_undefined *undefined = tw_arena_get(&machine->arena, sizeof *undefined);
    if (undefined == NULL) {
        return tw_item_of(TW_ITEM_UNSET);
    }
    *undefined = what;
    return (tw_item){.kind = TW_ITEM_UNDEFINED, .of.undefined = undefined};
}

tw_item tw_undefined_hint(tw_machine *machine, const char *hint)
{
    return make_undefined(machine, (tw_undefined){.hint = hint});
}

tw_item tw_undefined_choice(tw_machine *machine, uint32_t line)
{
    return make_undefined(machine, (tw_undefined){.line = line});
}

tw_item tw_undefined_name(tw_machine *machine, const tw_string *name)
{
    return make_undefined(machine, (tw_undefined){.name = name});
}

tw_item tw_undefined_member(tw_machine *machine, tw_item of,
                            const tw_string *name)
{
    return make_undefined(machine, (tw_undefined){.name = name, .of = of});
}

tw_item tw_undefined_element(tw_machine *machine, tw_item of, tw_item key)
{
    tw_builder name;
    tw_builder_init(&name, &machine->arena);
    machine->doors->print_repr(machine, &name, key);
    const tw_string *repr = tw_builder_string(&name);
    tw_builder_free(&name);
    return make_undefined(
        machine, (tw_undefined){.name = repr, .of = of, .element = true});
}

tw_item tw_word(tw_machine *machine, const char *word)
{
    return tw_item_string(tw_string_word(&machine->arena, word));
}

static tw_item points_of(tw_machine *machine, const tw_string *string)
{
    const tw_item list =
        tw_item_list(&machine->arena, TW_ITEM_LIST, string->points);
    size_t at = 0;
    while (at < string->size && tw_charge(machine, 1)) {
        size_t size;
        tw_point_at(string->data + at, string->data + string->size, &size);
        tw_list_add(&machine->arena, list.of.list,
                    tw_item_string(tw_string_part(&machine->arena, string, at,
                                                  at + size)));
        at += size;
    }
    return list;
}

static tw_item keys_of(tw_machine *machine, const tw_dict *dict)
{
    const tw_item list =
        tw_item_list(&machine->arena, TW_ITEM_LIST, dict->count);
    for (size_t i = 0; i < dict->count; i++) {
        tw_list_add(&machine->arena, list.of.list, dict->entries[i].key);
    }
    return list;
}

static tw_item numbers_of(tw_machine *machine, const tw_number_range *range)
{
    const tw_item list =
        tw_item_list(&machine->arena, TW_ITEM_LIST, (size_t)range->count);
    for (int64_t i = 0; i < range->count; i++) {
        tw_list_add(&machine->arena, list.of.list,
                    tw_item_int(range->start + i * range->step));
    }
    return list;
}

tw_item tw_list_of(tw_machine *machine, tw_item item)
{
    tw_item list = {.kind = TW_ITEM_UNSET};
    switch (item.kind) {
    case TW_ITEM_UNSET:
    case TW_ITEM_UNDEFINED:
        return tw_item_list(&machine->arena, TW_ITEM_LIST, 0);
    case TW_ITEM_STRING: return points_of(machine, item.of.string);
    case TW_ITEM_DICT:
        tw_charge(machine, item.of.dict->count);
        return keys_of(machine, item.of.dict);
    case TW_ITEM_RANGE:
        tw_charge(machine, (size_t)item.of.range->count);
        return numbers_of(machine, item.of.range);
    case TW_ITEM_LIST:
    case TW_ITEM_TUPLE:
    case TW_ITEM_VIEW:
        return (tw_item){.kind = TW_ITEM_LIST, .of.list = item.of.list};
    case TW_ITEM_ITERATOR: {
        tw_list *from = item.of.list;
        list = tw_item_list(&machine->arena, TW_ITEM_LIST,
                            from->count - from->next);
        while (from->next < from->count && tw_charge(machine, 1)) {
            tw_list_add(&machine->arena, list.of.list,
                        from->items[from->next++]);
        }
        return list;
    }
    default:
        tw_fail(machine, "'%t' object is not iterable", item);
        return list;
    }
}

/* ---- arguments ---------------------------------------------------------- */

/* The number of the parameter |name|; SIZE_MAX: there is none. */
static size_t find_parameter(const char *parameters, const tw_string *name)
{
    const char *at = parameters;
    for (size_t number = 0; *at != 0; number++) {
        at += strspn(at, " |");
        const size_t size = strcspn(at, " |");
        if (size == name->size && memcmp(at, name->data, size) == 0) {
            return number;
        }
        at += size;
    }
    return SIZE_MAX;
}

/* How many there are, and how many must be given. */
static size_t count_parameters(const char *parameters, size_t *needed)
{
    size_t count = 0;
    *needed = SIZE_MAX;
    for (const char *at = parameters; *at != 0;) {
        if (*at == '|') {
            *needed = count;
        }
        if (*at == ' ' || *at == '|') {
            at++;
            continue;
        }
        at += strcspn(at, " |");
        count++;
    }
    *needed = *needed == SIZE_MAX ? count : *needed;
    return count;
}

bool tw_bind(tw_machine *machine, const tw_passed *arguments, const char *name,
             const char *parameters, tw_item out[TW_PARAMETERS])
{
    size_t needed;
    const size_t count = count_parameters(parameters, &needed);
    for (size_t i = 0; i < TW_PARAMETERS; i++) {
        out[i] = i < arguments->count && i < count ? arguments->at[i]
                                                   : tw_item_of(TW_ITEM_UNSET);
    }
    if (arguments->count > count) {
        tw_fail(machine, "%s() takes at most %d arguments (%d given)", name,
                (int64_t)count, (int64_t)arguments->count);
        return false;
    }
    for (size_t i = 0; i < arguments->named_count; i++) {
        const tw_named *named = &arguments->named[i];
        const size_t at = find_parameter(parameters, named->name);
        if (at == SIZE_MAX) {
            tw_fail(machine, "%s() got an unexpected keyword argument '%S'",
                    name, named->name);
            return false;
        }
        if (at < arguments->count || out[at].kind != TW_ITEM_UNSET) {
            tw_fail(machine, "%s() got multiple values for argument '%S'",
                    name, named->name);
            return false;
        }
        out[at] = named->value;
    }
    for (size_t i = 0; i < needed; i++) {
        if (out[i].kind == TW_ITEM_UNSET) {
            tw_fail(machine, "%s() misses a required argument", name);
            return false;
        }
    }
    return tw_works(machine);
}

int64_t tw_whole(tw_machine *machine, tw_item item, int64_t otherwise)
{
    if (item.kind == TW_ITEM_UNSET || item.kind == TW_ITEM_NONE) {
        return otherwise;
    }
    if (!tw_item_is_integral(item)) {
        tw_fail(machine, "'%t' object cannot be interpreted as an integer",
                item);
        return otherwise;
    }
    return tw_item_integer(item);
}

int64_t tw_number(tw_machine *machine, tw_item item, int64_t otherwise)
{
    if (item.kind == TW_ITEM_NONE) {
        tw_fail(machine, "'%t' object cannot be interpreted as an integer",
                item);
    }
    return tw_whole(machine, item, otherwise);
}
