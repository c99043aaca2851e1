/* SPDX-License-Identifier: MIT
 *
 * Names: each scope's own have places in the frame of its function.  Jinja
 * looks a name up where it stands: in the scopes around, from the inside, as
 * far as one has set it by then; else among the variables that are given.
 */
#include "template/language/compile.h"

static tw_scope *scope_at(const tw_compiler *compiler, uint32_t scope)
{
    return (tw_scope *)(void *)compiler->scopes.data + scope;
}

static tw_function *function_at(const tw_compiler *compiler, uint32_t function)
{
    return (tw_function *)(void *)compiler->program->functions.data + function;
}

static void no_memory(tw_compiler *compiler)
{
    if (compiler->code == TW_OK) {
        compiler->code = TW_ERROR_MEMORY;
    }
}

uint32_t tw_compile_name(tw_compiler *compiler, const char *data, size_t size)
{
    tw_program *program = compiler->program;
    const tw_item *known =
        tw_dict_find_text(compiler->program->named, data, size);
    if (known != NULL) {
        return (uint32_t)known->of.integer;
    }
    const uint32_t number =
        (uint32_t)(program->names.size / sizeof(const tw_string *));
    const tw_string *name = tw_string_of(&program->arena, data, size);
    if (name == NULL || !tw_buffer_append(&program->names, &program->memory,
                                          &name, sizeof name)) {
        no_memory(compiler);
        return 0;
    }
    tw_dict_put(&program->arena, compiler->program->named,
                tw_item_string(name), tw_item_int(number));
    return number;
}

uint32_t tw_scope_open(tw_compiler *compiler)
{
    const tw_scope scope = {compiler->scope, compiler->function,
                            compiler->perhaps, false};
    const size_t count = compiler->scopes.size / sizeof scope;
    if (!tw_buffer_append(&compiler->scopes, &compiler->program->memory,
                          &scope, sizeof scope)) {
        no_memory(compiler);
        return compiler->scope;
    }
    compiler->scope = (uint32_t)count;
    return function_at(compiler, compiler->function)->places;
}

void tw_scope_close(tw_compiler *compiler, uint32_t first, uint32_t node)
{
    if (compiler->code == TW_OK) {
        tw_node *closed = tw_compile_node_at(compiler, node);
        closed->first_place = (uint16_t)first;
        closed->end_place = function_at(compiler, compiler->function)->places;
    }
    compiler->scope = scope_at(compiler, compiler->scope)->outer;
}

static tw_item key_of(uint32_t scope, uint32_t name)
{
    return tw_item_int((int64_t)((uint64_t)scope << 32 | name));
}

uint16_t tw_scope_store(tw_compiler *compiler, uint32_t name)
{
    const tw_item key = key_of(compiler->scope, name);
    const tw_item *known = tw_dict_find(compiler->stored, key);
    if (known != NULL) {
        return (uint16_t)known->of.integer;
    }
    tw_function *function = function_at(compiler, compiler->function);
    if (function->places == TW_UNSET_PLACE) {
        static const char *const parts[] = {"too many names", NULL};
        tw_compile_fail(compiler, &compiler->token, parts);
        return 0;
    }
    tw_dict_put(&compiler->program->arena, compiler->stored, key,
                tw_item_int(function->places));
    return function->places++;
}

static void meet(tw_compiler *compiler, uint32_t name, int64_t how)
{
    const tw_item key = key_of(compiler->scope, name);
    if (tw_dict_find(compiler->met, key) == NULL) {
        tw_dict_put(&compiler->program->arena, compiler->met, key,
                    tw_item_int(how));
    }
}

void tw_scope_reads(tw_compiler *compiler, uint32_t name)
{
    meet(compiler, name, TW_MET_READ);
}

bool tw_scope_is_certain(const tw_compiler *compiler)
{
    return compiler->perhaps == scope_at(compiler, compiler->scope)->perhaps;
}

void tw_scope_sets(tw_compiler *compiler, uint32_t target)
{
    const bool always = tw_scope_is_certain(compiler);
    while (target != 0 && compiler->code == TW_OK) {
        const tw_node *node = tw_compile_node_at(compiler, target);
        target = node->next;
        if (node->type == TW_NODE_TUPLE) {
            tw_scope_sets(compiler, node->a);
        } else if (node->type == TW_NODE_STORE) {
            meet(compiler, node->a, always ? TW_MET_SET : TW_MET_READ);
        }
    }
}

/* The parameter `caller` of the macro where it has no default, or NULL. */
static const tw_node *asked_caller(tw_compiler *compiler,
                                   const tw_function *macro)
{
    uint32_t at = macro->parameters;
    for (int i = macro->default_count; i < macro->parameter_count; i++) {
        const tw_node *parameter = tw_compile_node_at(compiler, at);
        if (parameter->b == TW_CALLER) {
            return parameter;
        }
        at = parameter->next;
    }
    return NULL;
}

/* A macro takes such arguments where it names them. */
static void note_special(tw_compiler *compiler, uint32_t function,
                         uint16_t place)
{
    static const char *const parts[] = {
        "When defining macros or call blocks the special \"caller\" argument "
        "must be omitted or be given a default.",
        NULL};
    tw_function *macro = function_at(compiler, function);
    if (function == 0 || place >= TW_SPECIAL_NAMES) {
        return;
    }
    macro->named |= (uint8_t)(1U << place);
    const tw_node *caller =
        place == TW_CALLER ? asked_caller(compiler, macro) : NULL;
    if (caller != NULL) {
        const tw_token at = {.line = caller->line, .column = caller->column};
        tw_compile_fail(compiler, &at, parts);
    }
}

static void resolve(tw_compiler *compiler, tw_node *node)
{
    tw_program *program = compiler->program;
    tw_place_of at = {0, TW_NO_PLACE};
    uint32_t scope = node->b;
    const uint32_t first =
        (uint32_t)(program->places.size / sizeof(tw_place_of));
    uint32_t function = scope_at(compiler, scope)->function;
    bool in_block = false;
    uint16_t end = TW_NO_PLACE;
    for (; scope != 0; scope = scope_at(compiler, scope)->outer) {
        const tw_item *met =
            tw_dict_find(compiler->met, key_of(scope, node->a));
        if (met != NULL && !in_block) {
            end = met->of.integer == TW_MET_SET ? TW_UNSET_PLACE : TW_NO_PLACE;
        }
        /* Of what stands around a block, the outermost names are seen. */
        const bool hidden = in_block && scope_at(compiler, scope)->outer != 0;
        in_block |= scope_at(compiler, scope)->is_block;
        const uint32_t of = scope_at(compiler, scope)->function;
        at.up = (uint16_t)(at.up + (of != function));
        function = of;
        const tw_item *found =
            tw_dict_find(compiler->stored, key_of(scope, node->a));
        if (found != NULL && !hidden) {
            at.place = (uint16_t)found->of.integer;
            note_special(compiler, of, at.place);
            if (!tw_buffer_append(&program->places, &program->memory, &at,
                                  sizeof at)) {
                no_memory(compiler);
            }
        }
    }
    at.place = end;
    if (!tw_buffer_append(&program->places, &program->memory, &at,
                          sizeof at)) {
        no_memory(compiler);
    }
    node->b = first;
}

void tw_scope_resolve(tw_compiler *compiler)
{
    const tw_program *program = compiler->program;
    const size_t count = program->nodes.size / sizeof(tw_node);
    for (size_t i = 1; i < count && compiler->code == TW_OK; i++) {
        tw_node *node = tw_compile_node_at(compiler, (uint32_t)i);
        if (node->type == TW_NODE_NAME) {
            resolve(compiler, node);
        }
    }
}
