/* SPDX-License-Identifier: MIT
 *
 * Statements at work.
 */
#include "template/machine/machine.h"

static const tw_node *node_at(const tw_machine *machine, uint32_t at)
{
    return tw_node_at(machine->program, at);
}

/* One level deeper: false, too deep, or out of steps.  Each use is paired with
 * leave(). */
static bool enter(tw_machine *machine)
{
    if (++machine->depth > TW_MACHINE_DEPTH) {
        tw_fail(machine, "maximum recursion depth exceeded");
    }
    return tw_charge(machine, 1);
}

static void leave(tw_machine *machine)
{
    machine->depth--;
}

static void run(tw_machine *, const tw_node *);

void tw_run_body(tw_machine *machine, uint32_t first)
{
    while (first != 0 && machine->signal == TW_SIGNAL_NONE &&
           tw_works(machine)) {
        const tw_node *node = node_at(machine, first);
        run(machine, node);
        first = node->next;
    }
}

/* ---- what is set -------------------------------------------------------- */

static void assign(tw_machine *, const tw_node *, tw_item);

static void unpack(tw_machine *machine, const tw_node *target, tw_item item)
{
    size_t wanted = 0;
    for (uint32_t at = target->a; at != 0; at = node_at(machine, at)->next) {
        wanted++;
    }
    if (tw_item_is_number(item) || item.kind == TW_ITEM_NONE) {
        tw_fail(machine, "cannot unpack non-iterable %t object", item);
        return;
    }
    const tw_item list = tw_list_of(machine, item);
    if (!tw_works(machine)) {
        return;
    }
    if (list.of.list->count > wanted) {
        tw_fail(machine, "too many values to unpack (expected %d)",
                (int64_t)wanted);
        return;
    }
    if (list.of.list->count < wanted) {
        tw_fail(machine, "not enough values to unpack (expected %d, got %d)",
                (int64_t)wanted, (int64_t)list.of.list->count);
        return;
    }
    size_t i = 0;
    for (uint32_t at = target->a; at != 0; at = node_at(machine, at)->next) {
        assign(machine, node_at(machine, at), list.of.list->items[i++]);
    }
}

static void assign_part(tw_machine *machine, const tw_node *target,
                        tw_item item)
{
    const tw_item of = tw_evaluate(machine, target->a);
    if (of.kind != TW_ITEM_NAMESPACE) {
        tw_fail(machine, "cannot assign attribute on non-namespace object");
        return;
    }
    tw_dict_put(&machine->arena, of.of.dict,
                tw_constant_at(machine->program, target->b), item);
}

static void assign(tw_machine *machine, const tw_node *target, tw_item item)
{
    if (target->type == TW_NODE_STORE) {
        machine->frame->places[target->b] = item;
    } else if (target->type == TW_NODE_TUPLE) {
        unpack(machine, target, item);
    } else {
        assign_part(machine, target, item);
    }
}

/* Python looks at all of these before it looks at the value. */
static void check_namespaces(tw_machine *machine, const tw_node *target)
{
    if (target->type == TW_NODE_TUPLE) {
        for (uint32_t at = target->a; at != 0;
             at = node_at(machine, at)->next) {
            check_namespaces(machine, node_at(machine, at));
        }
    } else if (target->type == TW_NODE_STORE_PART &&
               tw_evaluate(machine, target->a).kind != TW_ITEM_NAMESPACE) {
        tw_fail(machine, "cannot assign attribute on non-namespace object");
    }
}

static void clear_places(tw_machine *machine, const tw_node *scope)
{
    tw_charge(machine, (size_t)(scope->end_place - scope->first_place) / 16);
    for (size_t i = scope->first_place; i < scope->end_place; i++) {
        machine->frame->places[i] = tw_item_of(TW_ITEM_UNSET);
    }
}

/* ---- what is captured --------------------------------------------------- */

/* The string that |put| writes. */
static tw_item capture(tw_machine *machine,
                       void (*put)(tw_machine *, const void *),
                       const void *context)
{
    tw_builder *kept = machine->out;
    tw_builder text;
    tw_builder_init(&text, &machine->arena);
    machine->out = &text;
    put(machine, context);
    machine->out = kept;
    tw_item item = tw_item_string(tw_builder_string(&text));
    item.flavour = machine->autoescape ? TW_MARKUP : TW_PLAIN_ITEM;
    tw_builder_free(&text);
    return item;
}

static void put_body(tw_machine *machine, const void *first)
{
    tw_run_body(machine, *(const uint32_t *)first);
}

/* What the filters of |filter| make of a captured text. */
static tw_item filter_body(tw_machine *machine, uint32_t filter, tw_item text)
{
    const tw_item kept = machine->body;
    machine->body = text;
    const tw_item item = tw_evaluate(machine, filter);
    machine->body = kept;
    return item;
}

/* What it makes is joined with what else is written, and so is a text. */
static void run_filter_block(tw_machine *machine, const tw_node *node)
{
    const tw_item item =
        filter_body(machine, node->a, capture(machine, put_body, &node->b));
    if (item.kind != TW_ITEM_STRING) {
        tw_fail(machine, "sequence item 0: expected str instance, %t found",
                item);
    }
    tw_print(machine, machine->out, item);
}

static void run_capture(tw_machine *machine, const tw_node *node)
{
    tw_item text = capture(machine, put_body, &node->b);
    if (node->c != 0) {
        text = filter_body(machine, node->c, text);
    }
    assign(machine, node_at(machine, node->a), text);
}

/* ---- loops -------------------------------------------------------------- */

/* The items for which the loop's condition holds. */
static tw_item filter_items(tw_machine *machine, const tw_node *node,
                            const tw_node *parts, const tw_list *items)
{
    const tw_item kept = tw_item_list(&machine->arena, TW_ITEM_LIST, 0);
    for (size_t i = 0; i < items->count && tw_works(machine); i++) {
        clear_places(machine, node);
        assign(machine, node_at(machine, parts->a), items->items[i]);
        if (tw_item_is_true(tw_evaluate(machine, parts->c))) {
            tw_list_add(&machine->arena, kept.of.list, items->items[i]);
        }
    }
    return kept;
}

/* What is written from here on is of this message, which began at
 * |begin|. */
static void set_turn(tw_machine *machine, size_t turn, size_t begin)
{
    const size_t at = machine->written->text.size;
    const tw_turn_mark mark = {at, turn, begin < at};
    if (turn != machine->turn && machine->out == machine->written &&
        !tw_buffer_append(&machine->turns, machine->arena.memory, &mark,
                          sizeof mark)) {
        machine->arena.state = TW_ARENA_NO_MEMORY;
    }
    machine->turn = turn;
    machine->turn_begin = begin;
}

/* One time through a loop, at |item|. */
static void run_item(tw_machine *machine, const tw_node *node, tw_item item)
{
    const size_t turn = machine->turn;
    const size_t begin = machine->turn_begin;
    if (item.kind == TW_ITEM_DICT && item.of.dict->turn > 0) {
        set_turn(machine, item.of.dict->turn, machine->written->text.size);
    }
    tw_run_body(machine, node->b);
    set_turn(machine, turn, begin);
}

/* False: no time ended without `break` or `continue`; jinja2 runs `else`
 * then. */
static bool run_items(tw_machine *machine, const tw_node *node, tw_loop *loop)
{
    const tw_node *parts = node_at(machine, node->a);
    const tw_node *target = node_at(machine, parts->a);
    const tw_item self = {.kind = TW_ITEM_LOOP, .of.loop = loop};
    bool whole = false;
    for (; loop->at < loop->items.count && tw_charge(machine, 1); loop->at++) {
        clear_places(machine, node);
        machine->frame->places[node->first_place] = self;
        const tw_item item = loop->items.items[loop->at];
        assign(machine, target, item);
        run_item(machine, node, item);
        const bool ends = machine->signal == TW_SIGNAL_BREAK;
        whole |= machine->signal == TW_SIGNAL_NONE;
        machine->signal = TW_SIGNAL_NONE;
        if (ends) {
            break;
        }
    }
    return whole;
}

static void run_loop(tw_machine *machine, const tw_node *node, tw_item through,
                     size_t depth)
{
    const tw_node *parts = node_at(machine, node->a);
    if (through.kind == TW_ITEM_NONE || tw_item_is_number(through)) {
        tw_fail(machine, "'%t' object is not iterable", through);
        return;
    }
    tw_item list = tw_list_of(machine, through);
    if (parts->c != 0 && tw_works(machine)) {
        list = filter_items(machine, node, parts, list.of.list);
    }
    tw_loop *loop = tw_arena_get(&machine->arena, sizeof *loop);
    if (loop == NULL || !tw_works(machine)) {
        return;
    }
    *loop = (tw_loop){.node = node,
                      .items = *list.of.list,
                      .depth = depth,
                      .frame = machine->frame};
    if (!run_items(machine, node, loop)) {
        tw_run_body(machine, node->c);
    }
}

typedef struct again {
    const tw_loop *loop;
    tw_item through;
} again;

static void put_loop(tw_machine *machine, const void *context)
{
    const again *what = context;
    run_loop(machine, what->loop->node, what->through, what->loop->depth + 1);
}

tw_item tw_loop_call(tw_machine *machine, const tw_loop *loop, tw_item through)
{
    const tw_node *node = loop->node;
    tw_item *places = loop->frame->places + node->first_place;
    const size_t size =
        (size_t)(node->end_place - node->first_place) * sizeof *places;
    if (node->number == 0) {
        tw_fail(machine, "The loop must have the 'recursive' marker to be "
                         "called recursively.");
        return tw_none();
    }
    tw_item *kept = tw_arena_get(&machine->arena, size);
    if (kept == NULL || !enter(machine)) {
        leave(machine);
        return tw_none();
    }
    memcpy(kept, places, size);
    tw_names *frame = machine->frame;
    machine->frame = loop->frame;
    const again what = {loop, through};
    const tw_item text = capture(machine, put_loop, &what);
    machine->frame = frame;
    memcpy(places, kept, size);
    leave(machine);
    return text;
}

/* ---- macros ------------------------------------------------------------- */

static tw_item make_macro(tw_machine *machine, uint16_t number)
{
    tw_macro *macro = tw_arena_get(&machine->arena, sizeof *macro);
    if (macro == NULL) {
        return tw_item_of(TW_ITEM_UNSET);
    }
    *macro =
        (tw_macro){tw_function_at(machine->program, number), machine->frame};
    return (tw_item){.kind = TW_ITEM_MACRO, .of.macro = macro};
}

static tw_names *make_frame(tw_machine *machine, tw_names *outer,
                            size_t places)
{
    tw_names *frame = tw_arena_get(
        &machine->arena, sizeof *frame + places * sizeof *frame->places);
    if (frame != NULL) {
        frame->outer = outer;
        frame->places = (tw_item *)(void *)(frame + 1);
        memset(frame->places, 0, places * sizeof *frame->places);
    }
    return frame;
}

/* Gives the named arguments that are no parameters to `caller` and `kwargs`.
 */
static void take_other(tw_machine *machine, const tw_function *function,
                       const tw_named *named, tw_item *places)
{
    const bool caller = tw_string_is(named->name, "caller");
    if (caller && (function->named & 1U << TW_CALLER) != 0) {
        places[TW_CALLER] = named->value;
    } else if ((function->named & 1U << TW_KWARGS) != 0) {
        tw_dict_put(&machine->arena, places[TW_KWARGS].of.dict,
                    tw_item_string(named->name), named->value);
    } else if (caller) {
        tw_fail(machine,
                "macro %r was invoked with two values for the special caller "
                "argument. This is most likely a bug.",
                function->name);
    } else {
        tw_fail(machine, "macro %r takes no keyword argument %r",
                function->name, tw_item_string(named->name));
    }
}

/* The value that is given for the parameter |name|; UNSET: none is. */
static tw_item named_value(const tw_machine *machine,
                           const tw_passed *arguments, uint32_t name)
{
    const tw_string *wanted = tw_name_at(machine->program, name);
    for (size_t i = 0; i < arguments->named_count; i++) {
        if (tw_string_equals(arguments->named[i].name, wanted)) {
            return arguments->named[i].value;
        }
    }
    return tw_item_of(TW_ITEM_UNSET);
}

/* Is |name| the name of a parameter behind the first |given| ones? */
static bool is_parameter(const tw_machine *machine,
                         const tw_function *function, size_t given,
                         const tw_string *name)
{
    for (uint32_t at = function->parameters; at != 0;
         at = node_at(machine, at)->next, given -= given > 0) {
        if (given == 0 &&
            tw_string_equals(
                tw_name_at(machine->program, node_at(machine, at)->a), name)) {
            return true;
        }
    }
    return false;
}

/* What was given beside the parameters. */
static void take_rest(tw_machine *machine, const tw_function *function,
                      const tw_passed *arguments)
{
    tw_item *places = machine->frame->places;
    const size_t known = function->parameter_count;
    const tw_string *caller = tw_string_word(&machine->arena, "caller");
    if (caller == NULL) { /* no memory, which ends the rendering */
        return;
    }
    if (!is_parameter(machine, function, 0, caller)) {
        places[TW_CALLER] = tw_undefined_hint(machine, "No caller defined");
    }
    places[TW_KWARGS] = tw_item_dict(&machine->arena, 0);
    tw_charge(machine, arguments->named_count * known / 8);
    for (size_t i = 0; i < arguments->named_count; i++) {
        if (!is_parameter(machine, function, arguments->count,
                          arguments->named[i].name)) {
            take_other(machine, function, &arguments->named[i], places);
        }
    }
    if ((function->named & 1U << TW_VARARGS) != 0) {
        places[TW_VARARGS] = tw_item_list(&machine->arena, TW_ITEM_TUPLE, 0);
        for (size_t i = known; i < arguments->count; i++) {
            tw_list_add(&machine->arena, places[TW_VARARGS].of.list,
                        arguments->at[i]);
        }
    } else if (arguments->count > known) {
        tw_fail(machine, "macro %r takes not more than %d argument(s)",
                function->name, (int64_t)known);
    }
}

static void take_parameters(tw_machine *machine, const tw_function *function,
                            const tw_passed *arguments)
{
    tw_item *places = machine->frame->places;
    const size_t without = function->parameter_count - function->default_count;
    uint32_t value = function->defaults;
    size_t i = 0;
    for (uint32_t at = function->parameters; at != 0 && tw_works(machine);
         at = node_at(machine, at)->next, i++) {
        const tw_node *parameter = node_at(machine, at);
        tw_item item = i < arguments->count
                           ? arguments->at[i]
                           : named_value(machine, arguments, parameter->a);
        if (item.kind == TW_ITEM_UNSET && i >= without) {
            item = tw_evaluate(machine, value);
        } else if (item.kind == TW_ITEM_UNSET) {
            item = tw_undefined_parameter(
                machine, tw_name_at(machine->program, parameter->a));
        }
        places[parameter->b] = item;
        value = i >= without ? node_at(machine, value)->next : value;
    }
}

tw_item tw_macro_call(tw_machine *machine, const tw_macro *macro,
                      const tw_passed *arguments)
{
    const tw_function *function = macro->function;
    tw_names *kept = machine->frame;
    tw_names *frame = make_frame(machine, macro->frame, function->places);
    tw_item text = tw_none();
    if (frame != NULL && enter(machine)) {
        machine->frame = frame;
        take_rest(machine, function, arguments);
        take_parameters(machine, function, arguments);
        text = capture(machine, put_body, &function->body);
        machine->frame = kept;
    }
    leave(machine);
    return text;
}

/* ---- the others --------------------------------------------------------- */

static void run_if(tw_machine *machine, const tw_node *node)
{
    while (!tw_item_is_true(tw_evaluate(machine, node->a))) {
        const tw_node *otherwise = node_at(machine, node->c);
        if (otherwise->type != TW_NODE_IF || otherwise->next != 0 ||
            !tw_charge(machine, 1)) {
            tw_run_body(machine, node->c);
            return;
        }
        node = otherwise; /* an `elif`, however many there are */
    }
    tw_run_body(machine, node->b);
}

static void run_with(tw_machine *machine, const tw_node *node)
{
    const tw_item values = tw_item_list(&machine->arena, TW_ITEM_LIST, 0);
    for (uint32_t at = node->b; at != 0; at = node_at(machine, at)->next) {
        tw_list_add(&machine->arena, values.of.list, tw_evaluate(machine, at));
    }
    clear_places(machine, node);
    size_t i = 0;
    for (uint32_t at = node->a; at != 0 && i < values.of.list->count;
         at = node_at(machine, at)->next) {
        assign(machine, node_at(machine, at), values.of.list->items[i++]);
    }
    tw_run_body(machine, node->c);
}

static void run_call_block(tw_machine *machine, const tw_node *node)
{
    const tw_item kept = machine->caller;
    machine->caller = make_macro(machine, node->number);
    const tw_item text = tw_evaluate(machine, node->a);
    machine->caller = kept;
    tw_print(machine, machine->out, text);
}

static void run_generation(tw_machine *machine, const tw_node *node)
{
    const bool told = machine->out == machine->written;
    tw_generated part = {machine->out->text.size, 0};
    tw_run_body(machine, node->b);
    part.end = machine->out->text.size;
    if (told && !tw_buffer_append(&machine->generated, machine->arena.memory,
                                  &part, sizeof part)) {
        machine->arena.state = TW_ARENA_NO_MEMORY;
    }
}

static void run_autoescape(tw_machine *machine, const tw_node *node)
{
    const bool kept = machine->autoescape;
    machine->autoescape = tw_item_is_true(tw_evaluate(machine, node->a));
    tw_run_body(machine, node->b);
    machine->autoescape = kept;
}

static void run_print(tw_machine *machine, const tw_node *node)
{
    tw_item item = tw_evaluate(machine, node->a);
    if (machine->autoescape && item.flavour != TW_MARKUP &&
        tw_works(machine)) {
        item = tw_item_string(tw_escape_html(machine, tw_str(machine, item)));
    }
    machine->node = node;
    tw_print(machine, machine->out, item);
}

static void run(tw_machine *machine, const tw_node *node)
{
    machine->node = node;
    if (!enter(machine)) {
        leave(machine);
        return;
    }
    switch ((tw_node_type)node->type) {
    case TW_NODE_DATA:
        tw_build_string(machine->out,
                        tw_constant_at(machine->program, node->a).of.string);
        break;
    case TW_NODE_PRINT: run_print(machine, node); break;
    case TW_NODE_FOR:
        run_loop(machine, node,
                 tw_evaluate(machine, node_at(machine, node->a)->b), 0);
        break;
    case TW_NODE_IF: run_if(machine, node); break;
    case TW_NODE_SET:
        check_namespaces(machine, node_at(machine, node->a));
        assign(machine, node_at(machine, node->a),
               tw_evaluate(machine, node->b));
        break;
    case TW_NODE_CAPTURE: run_capture(machine, node); break;
    case TW_NODE_WITH: run_with(machine, node); break;
    case TW_NODE_MACRO:
        assign(machine, node_at(machine, node->a),
               make_macro(machine, node->number));
        break;
    case TW_NODE_CALL_BLOCK: run_call_block(machine, node); break;
    case TW_NODE_FILTER_BLOCK: run_filter_block(machine, node); break;
    case TW_NODE_GENERATION: run_generation(machine, node); break;
    case TW_NODE_AUTOESCAPE: run_autoescape(machine, node); break;
    case TW_NODE_BREAK: machine->signal = TW_SIGNAL_BREAK; break;
    case TW_NODE_CONTINUE: machine->signal = TW_SIGNAL_CONTINUE; break;
    default:
        tw_fail(machine, "no loader for this environment specified");
        break;
    }
    leave(machine);
}
