/* SPDX-License-Identifier: MIT
 *
 * Expressions at work.
 */
#include "template/machine/machine.h"

static const tw_node *node_at(const tw_machine *machine, uint32_t at)
{
    return tw_node_at(machine->program, at);
}

static tw_item find_name(tw_machine *machine, const tw_node *node)
{
    const tw_place_of *at =
        (const tw_place_of *)(const void *)machine->program->places.data +
        node->b;
    const tw_names *frame = machine->frame;
    unsigned up = 0;
    for (; at->place < TW_UNSET_PLACE; at++) {
        for (; up < at->up; up++) {
            frame = frame->outer;
        }
        if (frame->places[at->place].kind != TW_ITEM_UNSET) {
            return frame->places[at->place];
        }
    }
    const tw_item given = machine->given[node->a];
    return given.kind != TW_ITEM_UNSET && at->place == TW_NO_PLACE
               ? given
               : tw_undefined_name(machine,
                                   tw_name_at(machine->program, node->a));
}

/* ---- displays ----------------------------------------------------------- */

static tw_item make_list(tw_machine *machine, const tw_node *node,
                         tw_item_kind kind)
{
    const tw_item list = tw_item_list(&machine->arena, kind, 0);
    for (uint32_t at = node->a; at != 0 && tw_works(machine);
         at = node_at(machine, at)->next) {
        tw_list_add(&machine->arena, list.of.list, tw_evaluate(machine, at));
    }
    return list;
}

static tw_item make_dict(tw_machine *machine, const tw_node *node)
{
    const tw_item dict = tw_item_dict(&machine->arena, 0);
    for (uint32_t at = node->a; at != 0 && tw_works(machine);) {
        const tw_item key = tw_evaluate(machine, at);
        at = node_at(machine, at)->next;
        const tw_item value = tw_evaluate(machine, at);
        at = node_at(machine, at)->next;
        if (!tw_is_key(machine, key)) {
            tw_fail(machine, "unhashable type: '%t'", key);
        } else if (tw_works(machine)) {
            tw_dict_put(&machine->arena, dict.of.dict, key, value);
        }
    }
    return dict;
}

static tw_item make_slice(tw_machine *machine, const tw_node *node)
{
    const uint32_t bounds[] = {node->a, node->b, node->c};
    const tw_item slice = tw_item_list(&machine->arena, TW_ITEM_SLICE, 3);
    for (size_t i = 0; i < 3; i++) {
        tw_list_add(&machine->arena, slice.of.list,
                    bounds[i] != 0 ? tw_evaluate(machine, bounds[i])
                                   : tw_none());
    }
    return slice;
}

/* ---- operators ---------------------------------------------------------- */

static tw_item compare_all(tw_machine *machine, const tw_node *node)
{
    tw_item left = tw_evaluate(machine, node->a);
    for (uint32_t at = node->b; at != 0; at = node_at(machine, at)->next) {
        const tw_node *operand = node_at(machine, at);
        const tw_item right = tw_evaluate(machine, operand->a);
        machine->node = node;
        if (!tw_compare(machine, (tw_operator)operand->number, left, right)) {
            return tw_item_bool(false);
        }
        left = right;
    }
    return tw_item_bool(true);
}

static tw_item concatenate(tw_machine *machine, const tw_node *node)
{
    const tw_item list = make_list(machine, node, TW_ITEM_LIST);
    bool markup = false;
    for (size_t i = 0; i < list.of.list->count; i++) {
        markup |= list.of.list->items[i].flavour == TW_MARKUP;
    }
    markup &= machine->autoescape;
    tw_builder text;
    tw_builder_init(&text, &machine->arena);
    for (size_t i = 0; i < list.of.list->count && tw_works(machine); i++) {
        const tw_item item = list.of.list->items[i];
        if (markup && item.flavour != TW_MARKUP) {
            tw_build_string(&text,
                            tw_escape_html(machine, tw_str(machine, item)));
        } else {
            tw_print(machine, &text, item);
        }
    }
    tw_item result = tw_item_string(tw_builder_string(&text));
    result.flavour = markup ? TW_MARKUP : TW_PLAIN_ITEM;
    tw_builder_free(&text);
    return result;
}

static tw_item choose(tw_machine *machine, const tw_node *node)
{
    if (tw_item_is_true(tw_evaluate(machine, node->a))) {
        return tw_evaluate(machine, node->b);
    }
    return node->c != 0 ? tw_evaluate(machine, node->c)
                        : tw_undefined_choice(machine, node->line);
}

/* ---- calls -------------------------------------------------------------- */

static void add_named(tw_machine *machine, tw_passed *arguments,
                      const tw_string *name, tw_item value)
{
    const size_t count = arguments->named_count;
    for (size_t i = 0; i < count; i++) {
        if (tw_string_equals(arguments->named[i].name, name)) {
            tw_fail(machine,
                    "function got multiple values for keyword argument '%S'",
                    name);
        }
    }
    if ((count & (count - 1)) == 0) { /* full: as many as a power of two */
        tw_named *named = tw_arena_get(
            &machine->arena, (count == 0 ? 1 : 2 * count) * sizeof *named);
        if (named == NULL) {
            return;
        }
        if (count > 0) {
            memcpy(named, arguments->named, count * sizeof *named);
        }
        arguments->named = named;
    }
    arguments->named[arguments->named_count++] = (tw_named){name, value};
}

static void add_dict(tw_machine *machine, tw_passed *arguments, tw_item value)
{
    if (tw_item_is_undefined(value)) {
        tw_fail_undefined(machine, value);
        return;
    }
    if (value.kind != TW_ITEM_DICT) {
        tw_fail(machine, "argument after ** must be a mapping, not %t", value);
        return;
    }
    const tw_dict *dict = value.of.dict;
    for (size_t i = 0; i < dict->count && tw_works(machine); i++) {
        if (!tw_item_is_string(dict->entries[i].key)) {
            tw_fail(machine, "keywords must be strings");
            return;
        }
        add_named(machine, arguments, dict->entries[i].key.of.string,
                  dict->entries[i].value);
    }
}

/* Evaluates |first| and those that follow it. */
static tw_passed read_arguments(tw_machine *machine, uint32_t first)
{
    tw_list plain = {NULL, 0, 0, 0};
    tw_passed arguments = {NULL, 0, NULL, 0};
    for (uint32_t at = first; at != 0 && tw_works(machine);
         at = node_at(machine, at)->next) {
        const tw_node *node = node_at(machine, at);
        const tw_item value = tw_evaluate(machine, node->a);
        if (!tw_works(machine)) {
            break;
        }
        switch ((tw_argument_kind)node->number) {
        case TW_ARGUMENT_PLAIN:
            tw_list_add(&machine->arena, &plain, value);
            break;
        case TW_ARGUMENT_NAMED:
            add_named(machine, &arguments,
                      tw_constant_at(machine->program, node->b).of.string,
                      value);
            break;
        case TW_ARGUMENT_LIST: {
            const tw_item list = tw_list_or(
                machine, value, "Value after * must be an iterable, not %t");
            for (size_t i = 0; tw_works(machine) && i < list.of.list->count;
                 i++) {
                tw_list_add(&machine->arena, &plain, list.of.list->items[i]);
            }
            break;
        }
        case TW_ARGUMENT_DICT: add_dict(machine, &arguments, value); break;
        }
    }
    arguments.at = plain.items;
    arguments.count = plain.count;
    return arguments;
}

static tw_item call_item(tw_machine *machine, tw_item callee,
                         const tw_passed *arguments)
{
    switch (callee.kind) {
    case TW_ITEM_FUNCTION:
        return machine->doors->call_function(machine, callee.of.function,
                                             arguments);
    case TW_ITEM_METHOD:
        return machine->doors->call_method(machine, callee.of.method->self,
                                           callee.of.method->number,
                                           arguments);
    case TW_ITEM_MACRO:
        return machine->doors->call_macro(machine, callee.of.macro, arguments);
    case TW_ITEM_LOOP:
        if (arguments->count != 1) {
            tw_fail(machine, "a loop is called with what it goes through");
            return tw_none();
        }
        return machine->doors->call_loop(machine, callee.of.loop,
                                         arguments->at[0]);
    case TW_ITEM_JOINER: {
        tw_cycler *joiner = callee.of.cycler;
        const bool used = joiner->used;
        joiner->used = true;
        return used ? tw_item_string(joiner->separator) : tw_word(machine, "");
    }
    case TW_ITEM_UNSET:
    case TW_ITEM_UNDEFINED:
        tw_fail_undefined(machine, callee);
        return tw_none();
    default:
        tw_fail(machine, "'%t' object is not callable", callee);
        return tw_none();
    }
}

static tw_item call_node(tw_machine *machine, const tw_node *node)
{
    const tw_node *callee = node_at(machine, node->a);
    const tw_item caller = machine->caller;
    machine->caller = tw_item_of(TW_ITEM_UNSET); /* that of this call alone */
    size_t method = SIZE_MAX;
    tw_item self;
    if (callee->type == TW_NODE_ATTRIBUTE) { /* no method is made for it */
        self = tw_evaluate(machine, callee->a);
        machine->node = callee;
        const tw_string *name =
            tw_constant_at(machine->program, callee->b).of.string;
        method = machine->doors->find_method(self, name);
        if (method == SIZE_MAX) {
            self = tw_get_attribute(machine, self, name);
        }
    } else {
        self = tw_evaluate(machine, node->a);
    }
    tw_passed arguments = read_arguments(machine, node->b);
    if (caller.kind != TW_ITEM_UNSET) {
        add_named(machine, &arguments,
                  tw_string_word(&machine->arena, "caller"), caller);
    }
    machine->node = node;
    if (!tw_works(machine)) {
        return tw_none();
    }
    return method != SIZE_MAX
               ? machine->doors->call_method(machine, self, method, &arguments)
               : call_item(machine, self, &arguments);
}

static tw_item filter_node(tw_machine *machine, const tw_node *node)
{
    const tw_item value = tw_evaluate(machine, node->a);
    const tw_passed arguments = read_arguments(machine, node->b);
    machine->node = node;
    return tw_works(machine) ? machine->doors->call_filter(
                                   machine, node->number, value, &arguments)
                             : tw_none();
}

static tw_item test_node(tw_machine *machine, const tw_node *node)
{
    const tw_item value = tw_evaluate(machine, node->a);
    const tw_passed arguments = read_arguments(machine, node->b);
    machine->node = node;
    return tw_item_bool(
        tw_works(machine) &&
        machine->doors->call_test(machine, node->number, value, &arguments));
}

/* ---- all ---------------------------------------------------------------- */

static tw_item evaluate(tw_machine *machine, const tw_node *node)
{
    tw_item left;
    tw_item right;
    switch ((tw_node_type)node->type) {
    case TW_NODE_BODY: return machine->body;
    case TW_NODE_TUPLE: return make_list(machine, node, TW_ITEM_TUPLE);
    case TW_NODE_LIST: return make_list(machine, node, TW_ITEM_LIST);
    case TW_NODE_DICT: return make_dict(machine, node);
    case TW_NODE_CHOICE: return choose(machine, node);
    case TW_NODE_OR:
        left = tw_evaluate(machine, node->a);
        return tw_item_is_true(left) ? left : tw_evaluate(machine, node->b);
    case TW_NODE_AND:
        left = tw_evaluate(machine, node->a);
        return tw_item_is_true(left) ? tw_evaluate(machine, node->b) : left;
    case TW_NODE_NOT:
        return tw_item_bool(!tw_item_is_true(tw_evaluate(machine, node->a)));
    case TW_NODE_COMPARE: return compare_all(machine, node);
    case TW_NODE_BINARY:
        left = tw_evaluate(machine, node->a);
        right = tw_evaluate(machine, node->b);
        machine->node = node;
        return tw_binary(machine, (tw_operator)node->number, left, right);
    case TW_NODE_CONCAT: return concatenate(machine, node);
    case TW_NODE_UNARY:
        left = tw_evaluate(machine, node->a);
        return tw_unary(machine, (tw_operator)node->number, left);
    case TW_NODE_ATTRIBUTE:
        left = tw_evaluate(machine, node->a);
        machine->node = node;
        return (node->number != 0 ? tw_get_attribute : tw_get_member)(
            machine, left,
            tw_constant_at(machine->program, node->b).of.string);
    case TW_NODE_ITEM:
        left = tw_evaluate(machine, node->a);
        right = tw_evaluate(machine, node->b);
        machine->node = node;
        return tw_get_item(machine, left, right);
    case TW_NODE_SLICE: return make_slice(machine, node);
    case TW_NODE_CALL: return call_node(machine, node);
    case TW_NODE_FILTER: return filter_node(machine, node);
    case TW_NODE_TEST: return test_node(machine, node);
    default: /* MISSING */
        tw_fail(machine, "%S found.",
                tw_constant_at(machine->program, node->a).of.string);
        return tw_none();
    }
}

tw_item tw_evaluate(tw_machine *machine, uint32_t at)
{
    const tw_node *node = node_at(machine, at);
    machine->node = node;
    if (!tw_charge(machine, 1)) {
        return tw_none();
    }
    if (node->type == TW_NODE_NAME) { /* as most are */
        return find_name(machine, node);
    }
    if (node->type == TW_NODE_CONSTANT) {
        return tw_constant_at(machine->program, node->a);
    }
    if (machine->depth == TW_MACHINE_DEPTH) {
        tw_fail(machine, "maximum recursion depth exceeded");
        return tw_none();
    }
    machine->depth++;
    const tw_item item = evaluate(machine, node);
    machine->depth--;
    return item;
}
