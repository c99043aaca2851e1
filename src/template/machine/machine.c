/* SPDX-License-Identifier: MIT
 *
 * Errors and budgets of a rendering.
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
        tw_fail(machine, what->hint, tw_item_string(what->name));
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

tw_item tw_item_from(tw_machine *machine, tw_item item, const tw_value *value)
{
    if (!tw_arena_charge(&machine->arena, sizeof value)) {
        return item;
    }
    if (!tw_buffer_append(&machine->origins, machine->arena.memory, &value,
                          sizeof value)) {
        machine->arena.state = TW_ARENA_NO_MEMORY;
        return item;
    }
    item.origin = (uint32_t)(machine->origins.size / sizeof value);
    return item;
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

tw_item tw_undefined_parameter(tw_machine *machine, const tw_string *name)
{
    return make_undefined(machine,
                          (tw_undefined){.name = name,
                                         .hint = "parameter %r was not "
                                                 "provided"});
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

void tw_put_off(tw_machine *machine, tw_list *made)
{
    const tw_item failure = {.kind = TW_ITEM_UNSET,
                             .of.string = machine->message};
    machine->code = TW_OK;
    machine->message = NULL;
    tw_list_add(&machine->arena, made, failure);
}

tw_item tw_next_item(tw_machine *machine, tw_list *from)
{
    const tw_item item = from->items[from->next++];
    if (item.kind == TW_ITEM_UNSET && tw_works(machine)) {
        tw_fail(machine, "%S", item.of.string);
    }
    return item;
}

tw_item tw_list_or(tw_machine *machine, tw_item item, const char *refusal)
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
                        tw_next_item(machine, from));
        }
        return list;
    }
    default: tw_fail(machine, refusal, item); return list;
    }
}

tw_item tw_list_of(tw_machine *machine, tw_item item)
{
    return tw_list_or(machine, item, "'%t' object is not iterable");
}

/* ---- numbers ------------------------------------------------------------ */

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
