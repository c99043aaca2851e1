/* SPDX-License-Identifier: MIT
 *
 * The functions that every template has.
 */
#include "template/library/clock.h"
#include "template/library/library.h"
#include "template/machine/machine.h"

typedef tw_item function(tw_machine *, const tw_passed *);

/* ---- dicts -------------------------------------------------------------- */

static void add_pairs(tw_machine *machine, tw_dict *dict, tw_item from)
{
    if (from.kind == TW_ITEM_DICT) {
        const tw_entry *entry = from.of.dict->entries;
        for (size_t i = 0; i < from.of.dict->count; i++, entry++) {
            if (tw_charge(machine, 1) && tw_is_key(machine, entry->key)) {
                tw_dict_put(&machine->arena, dict, entry->key, entry->value);
            }
        }
        return;
    }
    if (tw_item_is_undefined(from)) {
        tw_fail_undefined(machine, from);
    }
    const tw_item list = tw_list_of(machine, from);
    for (size_t i = 0; tw_works(machine) && i < list.of.list->count; i++) {
        const tw_item pair = tw_list_of(machine, list.of.list->items[i]);
        if (!tw_works(machine)) {
            return;
        }
        if (pair.of.list->count != 2) {
            tw_fail(machine,
                    "dictionary update sequence element #%d has length %d; 2 "
                    "is required",
                    (int64_t)i, (int64_t)pair.of.list->count);
            return;
        }
        const tw_item *both = pair.of.list->items;
        tw_charge(machine, 1);
        if (!tw_is_key(machine, both[0])) {
            tw_fail(machine, "unhashable type: '%t'", both[0]);
            return;
        }
        tw_dict_put(&machine->arena, dict, both[0], both[1]);
    }
}

static tw_item make_dict(tw_machine *machine, const tw_passed *arguments)
{
    const tw_item dict = tw_item_dict(&machine->arena, 0);
    if (arguments->count > 1) {
        tw_fail(machine, "dict expected at most 1 argument, got %d",
                (int64_t)arguments->count);
    }
    if (arguments->count == 1) {
        add_pairs(machine, dict.of.dict, arguments->at[0]);
    }
    for (size_t i = 0; i < arguments->named_count; i++) {
        tw_dict_put(&machine->arena, dict.of.dict,
                    tw_item_string(arguments->named[i].name),
                    arguments->named[i].value);
    }
    return dict;
}

static tw_item make_namespace(tw_machine *machine, const tw_passed *arguments)
{
    tw_item item = make_dict(machine, arguments);
    item.kind = TW_ITEM_NAMESPACE;
    return item;
}

/* ---- range -------------------------------------------------------------- */

static tw_item make_range(tw_machine *machine, const tw_passed *arguments)
{
    int64_t bounds[] = {0, 0, 1};
    tw_item told[TW_PARAMETERS];
    if (!tw_bind(machine, arguments, "safe_range: *", told) ||
        !tw_bind(machine, arguments, "type.range/: start |stop step", told)) {
        return tw_none();
    }
    for (size_t i = 0; i < arguments->count; i++) {
        const tw_item bound = arguments->at[i];
        if (!tw_item_is_integral(bound)) {
            tw_fail(machine, "'%t' object cannot be interpreted as an integer",
                    bound);
            return tw_none();
        }
        bounds[arguments->count == 1 ? 1 : i] = tw_item_integer(bound);
    }
    const int64_t step = bounds[2];
    if (step == 0) {
        tw_fail(machine, "range() arg 3 must not be zero");
        return tw_none();
    }
    const bool up = step > 0;
    const uint64_t distance = up ? (uint64_t)bounds[1] - (uint64_t)bounds[0]
                                 : (uint64_t)bounds[0] - (uint64_t)bounds[1];
    const uint64_t stride = up ? (uint64_t)step : 0 - (uint64_t)step;
    const bool empty = up ? bounds[0] >= bounds[1] : bounds[0] <= bounds[1];
    const uint64_t count = empty ? 0 : (distance - 1) / stride + 1;
    tw_number_range *range = tw_arena_get(&machine->arena, sizeof *range);
    if (count > TW_RANGE_LIMIT || range == NULL) {
        tw_fail(machine,
                "Range too big. The sandbox blocks ranges larger than "
                "MAX_RANGE (%d).",
                (int64_t)TW_RANGE_LIMIT);
        return tw_none();
    }
    *range = (tw_number_range){bounds[0], bounds[1], step, (int64_t)count};
    return (tw_item){.kind = TW_ITEM_RANGE, .of.range = range};
}

/* ---- cyclers ------------------------------------------------------------ */

static tw_item make_cycler(tw_machine *machine, const tw_passed *arguments)
{
    tw_item told[TW_PARAMETERS];
    tw_cycler *cycler = tw_arena_get(&machine->arena, sizeof *cycler);
    if (!tw_bind(machine, arguments, "Cycler.__init__ self: *", told)) {
        return tw_none();
    }
    if (arguments->count == 0 || cycler == NULL) {
        tw_fail(machine, "at least one item has to be provided");
        return tw_none();
    }
    *cycler = (tw_cycler){
        .items = {arguments->at, arguments->count, arguments->count, 0}};
    return (tw_item){.kind = TW_ITEM_CYCLER, .of.cycler = cycler};
}

static tw_item make_joiner(tw_machine *machine, const tw_passed *arguments)
{
    tw_item separator[TW_PARAMETERS];
    tw_cycler *joiner = tw_arena_get(&machine->arena, sizeof *joiner);
    if (!tw_bind(machine, arguments, "Joiner.__init__ self: |sep",
                 separator) ||
        joiner == NULL) {
        return tw_none();
    }
    *joiner =
        (tw_cycler){.separator = separator[0].kind == TW_ITEM_UNSET
                                     ? tw_string_word(&machine->arena, ", ")
                                     : tw_str(machine, separator[0])};
    return (tw_item){.kind = TW_ITEM_JOINER, .of.cycler = joiner};
}

/* ---- what transformers adds --------------------------------------------- */

static tw_item raise(tw_machine *machine, const tw_passed *arguments)
{
    tw_item message[TW_PARAMETERS];
    if (tw_bind(machine, arguments, "raise_exception: message", message)) {
        tw_fail(machine, "%S", tw_str(machine, message[0]));
    }
    return tw_none();
}

static tw_item now(tw_machine *machine, const tw_passed *arguments)
{
    tw_item format[TW_PARAMETERS];
    if (!tw_bind(machine, arguments, "strftime_now: format", format)) {
        return tw_none();
    }
    if (format[0].kind != TW_ITEM_STRING) {
        tw_fail(machine, "strftime() argument 1 must be str, not %t",
                format[0]);
        return tw_none();
    }
    tw_builder out;
    tw_builder_init(&out, &machine->arena);
    tw_clock_print(&out, format[0].of.string, machine->now);
    const tw_item text = tw_item_string(tw_builder_string(&out));
    tw_builder_free(&out);
    return text;
}

/* `self` has the blocks of a template as members, none of which is made here.
 */
static tw_item call_self(tw_machine *machine, const tw_passed *arguments)
{
    (void)arguments;
    tw_fail(machine, "'TemplateReference' object is not callable");
    return tw_none();
}

/* ---- what toolwire adds ------------------------------------------------- */

/* Losses keep a message as long as the encoder does: a literal stays. */
static const char *literal(const tw_machine *machine, tw_item message)
{
    const tw_buffer *constants = &machine->program->constants;
    const tw_item *all = (const tw_item *)(const void *)constants->data;
    const size_t count =
        tw_item_is_string(message) ? constants->size / sizeof *all : 0;
    for (size_t i = 0; i < count; i++) {
        if (tw_item_is_string(all[i]) &&
            all[i].of.string == message.of.string) {
            return message.of.string->data;
        }
    }
    return NULL;
}

/* The value of the request that an item is, or was cut out of; or NULL. */
static const tw_value *value_of(const tw_machine *machine, tw_item item)
{
    const bool cut = item.origin == 0 && tw_item_is_string(item) &&
                     item.of.string->run_count > 0;
    return cut ? item.of.string->runs[0].of : tw_item_value(machine, item);
}

/* A member of a message that is dropped may have a loss of its own. */
static uint32_t loss_of(uint32_t code, const tw_value *value)
{
    return code == TW_LOSS_MEMBER_DROPPED && value != NULL
               ? tw_loss_of_member(value)
               : code;
}

/* toolwire_loss('template_defect', value, 'What the template does.'): empty
 * text.  The encoder reports that of the value. */
static tw_item tell_loss(tw_machine *machine, const tw_passed *arguments)
{
    tw_item told[TW_PARAMETERS];
    if (!tw_bind(machine, arguments, "toolwire_loss: code value|message",
                 told)) {
        return tw_none();
    }
    const tw_loss *loss = tw_loss_find(literal(machine, told[0]));
    if (loss == NULL) {
        tw_fail(machine, "toolwire_loss() knows no loss %r", told[0]);
    } else if (machine->losses != NULL) {
        const tw_value *value = value_of(machine, told[1]);
        tw_losses_add(machine->losses, loss_of(loss->code, value), value, 0,
                      literal(machine, told[2]));
    }
    return tw_item_string(NULL);
}

/* toolwire_refuse(value, 'Why.'): as raise_exception(), but the encoder names
 * the value. */
static tw_item refuse(tw_machine *machine, const tw_passed *arguments)
{
    tw_item told[TW_PARAMETERS];
    if (tw_bind(machine, arguments, "toolwire_refuse: value message", told)) {
        machine->refused = value_of(machine, told[0]);
        tw_fail(machine, "%S", tw_str(machine, told[1]));
    }
    return tw_none();
}

/* toolwire_unsafe(value, 'Why.'): the same, unless unsafe bytes are wanted;
 * then it is empty text. */
static tw_item refuse_unsafe(tw_machine *machine, const tw_passed *arguments)
{
    return machine->guard != NULL ? refuse(machine, arguments)
                                  : tw_item_string(NULL);
}

static const struct {
    const char *name;
    function *call;
} functions[] = {
    {"range", make_range},
    {"dict", make_dict},
    {"namespace", make_namespace},
    {"cycler", make_cycler},
    {"joiner", make_joiner},
    {"raise_exception", raise},
    {"strftime_now", now},
    {"self", call_self},
    {"toolwire_loss", tell_loss},
    {"toolwire_refuse", refuse},
    {"toolwire_unsafe", refuse_unsafe},
};

const char *tw_function_name(size_t number)
{
    return number < sizeof functions / sizeof *functions
               ? functions[number].name
               : NULL;
}

tw_item tw_function_call(tw_machine *machine, size_t number,
                         const tw_passed *arguments)
{
    return functions[number].call(machine, arguments);
}
