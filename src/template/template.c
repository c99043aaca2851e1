/* SPDX-License-Identifier: MIT
 *
 * One use of a program after another.
 */
#include "template/template.h"

#include "template/library/library.h"

static const tw_doors doors = {
    tw_filter_find, tw_test_find, tw_method_find, tw_method_is_unsafe,
    tw_filter_call, tw_test_call, tw_method_call, tw_function_call,
    tw_macro_call,  tw_loop_call, tw_print_repr};

enum { STEPS = 50 * 1000 * 1000, BYTES = 256 * 1024 * 1024 };

void tw_rendering_init(tw_rendering *rendering, const tw_program *program,
                       const tw_memory *memory)
{
    memset(rendering, 0, sizeof *rendering);
    rendering->memory = *memory;
    rendering->step_limit = STEPS;
    rendering->byte_limit = BYTES;
    rendering->machine.program = program;
    rendering->machine.doors = &doors;
    tw_arena_init(&rendering->machine.arena, &rendering->memory, BYTES);
    tw_builder_init(&rendering->text, &rendering->machine.arena);
    tw_tree_init(&rendering->machine.parsed, &rendering->memory);
}

void tw_rendering_free(tw_rendering *rendering)
{
    tw_builder_free(&rendering->text);
    tw_tree_free(&rendering->machine.parsed);
    tw_buffer_free(&rendering->machine.generated, &rendering->memory);
    tw_buffer_free(&rendering->machine.turns, &rendering->memory);
    tw_buffer_free(&rendering->machine.origins, &rendering->memory);
    tw_arena_free(&rendering->machine.arena);
}

static tw_item *new_items(tw_machine *machine, size_t count)
{
    tw_item *items =
        tw_arena_get(&machine->arena, (count + 1) * sizeof *items);
    if (items != NULL) {
        memset(items, 0, (count + 1) * sizeof *items);
    }
    return items;
}

/* The functions that every template has, where it names them. */
static void give_functions(tw_machine *machine)
{
    const char *name;
    for (size_t i = 0; (name = tw_function_name(i)) != NULL; i++) {
        tw_rendering_give(
            machine, name,
            (tw_item){.kind = TW_ITEM_FUNCTION, .of.function = i});
    }
}

void tw_rendering_begin(tw_rendering *rendering)
{
    tw_machine *machine = &rendering->machine;
    tw_arena_reset(&machine->arena);
    machine->arena.limit = rendering->byte_limit;
    tw_builder_reset(&rendering->text);
    tw_tree_begin(&machine->parsed, false);
    machine->generated.size = 0;
    machine->turns.size = 0;
    machine->origins.size = 0;
    machine->turn = machine->turn_begin = 0;
    machine->out = &rendering->text;
    machine->written = &rendering->text;
    machine->signal = TW_SIGNAL_NONE;
    machine->caller = tw_item_of(TW_ITEM_UNSET);
    machine->body = tw_none();
    machine->autoescape = false;
    machine->steps = 0;
    machine->step_limit = rendering->step_limit;
    machine->depth = 0;
    machine->node = NULL;
    machine->code = TW_OK;
    machine->refused = NULL;
    machine->message = NULL;
    machine->line = 0;
    machine->column = 0;
    machine->frame = NULL;
    const tw_program *program = machine->program;
    machine->given =
        new_items(machine, program->names.size / sizeof(const tw_string *));
    if (machine->given != NULL) {
        give_functions(machine);
    }
}

void tw_rendering_give_sized(tw_machine *machine, const char *name,
                             size_t size, tw_item item)
{
    const size_t number = tw_program_name(machine->program, name, size);
    if (number != SIZE_MAX && machine->given != NULL) {
        machine->given[number] = item;
    }
}

int tw_rendering_run(tw_rendering *rendering)
{
    tw_machine *machine = &rendering->machine;
    const tw_function *function = tw_function_at(machine->program, 0);
    tw_names frame = {NULL, new_items(machine, function->places)};
    if (tw_works(machine) && frame.places != NULL) {
        machine->frame = &frame;
        tw_run_body(machine, function->body);
    }
    if (machine->code == TW_OK && machine->arena.state != TW_ARENA_GOOD) {
        machine->code = machine->arena.state == TW_ARENA_FULL
                            ? TW_ERROR_LIMIT
                            : TW_ERROR_MEMORY;
    }
    return machine->code;
}
