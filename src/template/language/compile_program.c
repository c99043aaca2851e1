/* SPDX-License-Identifier: MIT
 *
 * The door of the compiler: from a text to a program.
 */
#include "template/language/compile.h"

/* The source with its line ends as `\n`, and without the last one. */
static bool take_source(tw_program *program, const char *source, size_t size)
{
    program->source = tw_memory_new(&program->memory, size + 1);
    if (program->source == NULL) {
        return false;
    }
    program->source_room = size + 1;
    char *out = program->source;
    for (size_t i = 0; i < size; i++) {
        *out++ = source[i] == '\r' ? '\n' : source[i];
        i += source[i] == '\r' && i + 1 < size && source[i + 1] == '\n';
    }
    out -= out > program->source && out[-1] == '\n';
    *out = 0;
    program->source_size = (size_t)(out - program->source);
    return true;
}

/* The first of all that is counted from 1, and what the template's own
 * function is. */
static void begin_program(tw_compiler *compiler)
{
    const tw_token none = {0};
    const tw_scope scope = {0, 0, 0, false};
    tw_program *program = compiler->program;
    compiler->stored = tw_item_dict(&program->arena, 0).of.dict;
    compiler->met = tw_item_dict(&program->arena, 0).of.dict;
    program->named = tw_item_dict(&program->arena, 0).of.dict;
    tw_compile_node(compiler, TW_NODE_NONE, &none);
    if (!tw_buffer_append(&compiler->scopes, &program->memory, &scope,
                          sizeof scope)) {
        compiler->code = TW_ERROR_MEMORY;
    }
    tw_compile_function(compiler);
    if (compiler->code == TW_OK) {
        tw_scope_open(compiler);
        program->loop_name = tw_compile_name(compiler, "loop", 4);
    }
}

static void compile(tw_compiler *compiler)
{
    tw_program *program = compiler->program;
    begin_program(compiler);
    if (compiler->code != TW_OK) {
        return;
    }
    tw_lexer_init(&compiler->lexer, program->source, program->source_size);
    compiler->ahead = tw_lexer_next(&compiler->lexer);
    tw_compile_next(compiler);
    const uint32_t body = tw_compile_body(compiler);
    tw_compile_fail_refused(compiler);
    if (compiler->code == TW_OK) {
        ((tw_function *)(void *)program->functions.data)->body = body;
        tw_scope_resolve(compiler);
    }
    if (program->arena.state != TW_ARENA_GOOD && compiler->code == TW_OK) {
        compiler->code = TW_ERROR_MEMORY;
    }
}

enum { PROGRAM_BYTES = 1 << 28 }; /* of constants and names */

int tw_program_make(tw_program *program, const tw_memory *memory,
                    const char *source, size_t size, tw_program_fault *fault)
{
    memset(program, 0, sizeof *program);
    program->memory = *memory;
    tw_arena_init(&program->arena, &program->memory, PROGRAM_BYTES);
    if (!take_source(program, source, size)) {
        return TW_ERROR_MEMORY;
    }
    tw_compiler compiler = {.program = program};
    compile(&compiler);
    tw_buffer_free(&compiler.scopes, &program->memory);
    memcpy(fault->message, compiler.message, sizeof fault->message);
    fault->line = compiler.line;
    fault->column = compiler.column;
    return compiler.code;
}

void tw_program_free(tw_program *program)
{
    const tw_memory memory = program->memory;
    tw_arena_free(&program->arena);
    tw_buffer_free(&program->nodes, &memory);
    tw_buffer_free(&program->constants, &memory);
    tw_buffer_free(&program->names, &memory);
    tw_buffer_free(&program->places, &memory);
    tw_buffer_free(&program->functions, &memory);
    tw_memory_free(&memory, program->source, program->source_room);
}
