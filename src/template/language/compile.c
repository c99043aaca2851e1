/* SPDX-License-Identifier: MIT
 *
 * Tokens and nodes of the compiler.
 */
#include "template/language/compile.h"

#include "core/ascii.h"

void tw_compile_fail(tw_compiler *compiler, const tw_token *at,
                     const char *const *parts)
{
    if (compiler->code != TW_OK) {
        return;
    }
    size_t size = 0;
    for (; *parts != NULL; parts++) {
        for (const char *part = *parts;
             *part != 0 && size < TW_COMPILE_MESSAGE - 1; part++) {
            compiler->message[size++] = *part;
        }
    }
    compiler->message[size] = 0;
    compiler->code = TW_ERROR_TEMPLATE;
    compiler->line = at->line;
    compiler->column = at->column;
}

void tw_compile_fail_here(tw_compiler *compiler, const char *message)
{
    const char *const parts[] = {message, NULL};
    tw_compile_fail(compiler, &compiler->token, parts);
}

/* What a message says of a token, in |text|. */
static void describe(const tw_token *token, char text[40])
{
    const char *word = NULL;
    switch (token->type) {
    case TW_LEX_END: word = "end of template"; break;
    case TW_LEX_PRINT_END: word = "end of print statement"; break;
    case TW_LEX_BLOCK_END: word = "end of statement block"; break;
    case TW_LEX_TEXT: word = "template data / text"; break;
    case TW_LEX_STRING: word = "string"; break;
    case TW_LEX_INTEGER: word = "integer"; break;
    case TW_LEX_FLOAT: word = "float"; break;
    default: break;
    }
    const size_t size = word != NULL       ? strlen(word)
                        : token->size < 39 ? token->size
                                           : 39;
    memcpy(text, word != NULL ? word : token->at, size);
    text[size] = 0;
}

void tw_compile_expected(tw_compiler *compiler, const char *what)
{
    char text[40];
    describe(&compiler->token, text);
    const char *const parts[] = {what, text, "'", NULL};
    tw_compile_fail(compiler, &compiler->token, parts);
}

void tw_compile_unexpected(tw_compiler *compiler)
{
    tw_compile_expected(compiler, "unexpected '");
}

/* ---- tokens ------------------------------------------------------------- */

/* A character that no lexeme begins with, and how many stand before it. */
static void fail_character(tw_compiler *compiler)
{
    const tw_lexer *lexer = &compiler->lexer;
    const char *at = compiler->token.at;
    const char *quote = *at == '\'' ? "\"" : "'";
    char there[8] = "";
    char place[24] = "";
    size_t width;
    size_t before = 0;
    for (const char *c = lexer->source; c < at; c += width, before++) {
        tw_point_at(c, lexer->limit, &width);
    }
    tw_point_at(at, lexer->limit, &width);
    memcpy(there, at, width < sizeof there ? width : 0);
    there[1] = *at == '\\' ? '\\' : there[1];
    const char *digit = tw_spell(place + sizeof place - 1, before);
    const char *const parts[] = {lexer->fault, quote, there, quote,
                                 " at ",       digit, NULL};
    tw_compile_fail(compiler, &compiler->token, parts);
}

/* What the lexer found wrong, with the character that is there, and the one
 * that should be. */
static void fail_lexeme(tw_compiler *compiler)
{
    const tw_lexer *lexer = &compiler->lexer;
    if (strcmp(lexer->fault, TW_LEX_CHARACTER) == 0) {
        fail_character(compiler);
        return;
    }
    const char there[] = {*compiler->token.at, 0};
    const char due[] = {lexer->expected, 0};
    const bool bracket = strcmp(lexer->fault, TW_LEX_BRACKET) == 0;
    const char *const parts[] = {lexer->fault,
                                 bracket ? there : "",
                                 bracket ? "'" : "",
                                 bracket && due[0] != 0 ? ", expected '" : "",
                                 bracket ? due : "",
                                 bracket && due[0] != 0 ? "'" : "",
                                 NULL};
    tw_compile_fail(compiler, &compiler->token, parts);
}

void tw_compile_next(tw_compiler *compiler)
{
    compiler->token = compiler->ahead;
    if (compiler->code != TW_OK) {
        compiler->token.type = TW_LEX_END;
        return;
    }
    if (compiler->token.type == TW_LEX_WRONG) {
        fail_lexeme(compiler);
        compiler->token.type = TW_LEX_END;
        return;
    }
    compiler->ahead = tw_lexer_next(&compiler->lexer);
}

bool tw_token_is(const tw_token *token, const char *word)
{
    const size_t size = strlen(word);
    return token->type == TW_LEX_NAME && token->size == size &&
           memcmp(token->at, word, size) == 0;
}

bool tw_compile_sees_word(const tw_compiler *compiler, const char *word)
{
    return tw_token_is(&compiler->token, word);
}

bool tw_compile_takes(tw_compiler *compiler, tw_lexeme type)
{
    const bool there = compiler->token.type == type;
    if (there) {
        tw_compile_next(compiler);
    }
    return there;
}

bool tw_compile_takes_word(tw_compiler *compiler, const char *word)
{
    const bool there = tw_compile_sees_word(compiler, word);
    if (there) {
        tw_compile_next(compiler);
    }
    return there;
}

void tw_compile_expect(tw_compiler *compiler, tw_lexeme type)
{
    static const char *const names[] = {
        [TW_LEX_PRINT_END] = "end of print statement",
        [TW_LEX_BLOCK_END] = "end of statement block",
        [TW_LEX_NAME] = "name",
        [TW_LEX_ASSIGN] = "=",
        [TW_LEX_COMMA] = ",",
        [TW_LEX_COLON] = ":",
        [TW_LEX_LEFT_PAREN] = "(",
        [TW_LEX_RIGHT_PAREN] = ")",
        [TW_LEX_RIGHT_BRACKET] = "]",
        [TW_LEX_RIGHT_BRACE] = "}",
    };
    if (compiler->token.type == TW_LEX_END &&
        !tw_compile_takes(compiler, type)) {
        const char *const parts[] = {"unexpected end of template, expected '",
                                     names[type], "'.", NULL};
        tw_compile_fail(compiler, &compiler->token, parts);
        return;
    }
    if (!tw_compile_takes(compiler, type)) {
        char text[40];
        describe(&compiler->token, text);
        const char *const parts[] = {
            "expected token '", names[type], "', got '", text, "'", NULL};
        tw_compile_fail(compiler, &compiler->token, parts);
    }
}

bool tw_compile_enter(tw_compiler *compiler)
{
    static const char *const parts[] = {"nested too deeply", NULL};
    if (compiler->depth >= TW_COMPILE_DEPTH) {
        tw_compile_fail(compiler, &compiler->token, parts);
    }
    compiler->depth++;
    return compiler->code == TW_OK;
}

/* ---- nodes -------------------------------------------------------------- */

static void append(tw_compiler *compiler, tw_buffer *buffer, const void *data,
                   size_t size)
{
    if (!tw_buffer_append(buffer, &compiler->program->memory, data, size) &&
        compiler->code == TW_OK) {
        compiler->code = TW_ERROR_MEMORY;
    }
}

uint32_t tw_compile_node(tw_compiler *compiler, tw_node_type type,
                         const tw_token *at)
{
    tw_buffer *nodes = &compiler->program->nodes;
    const uint32_t number = (uint32_t)(nodes->size / sizeof(tw_node));
    const tw_node node = {
        .type = (uint16_t)type, .line = at->line, .column = at->column};
    append(compiler, nodes, &node, sizeof node);
    return compiler->code == TW_OK ? number : 0;
}

uint32_t tw_compile_pair(tw_compiler *compiler, tw_node_type type,
                         const tw_token *token, uint32_t a, uint32_t b)
{
    const uint32_t at = tw_compile_node(compiler, type, token);
    tw_node *node = tw_compile_node_at(compiler, at);
    node->a = a;
    node->b = b;
    return at;
}

tw_node *tw_compile_node_at(tw_compiler *compiler, uint32_t at)
{
    return (tw_node *)(void *)compiler->program->nodes.data + at;
}

void tw_compile_add(tw_compiler *compiler, tw_node_list *list, uint32_t node)
{
    if (compiler->code != TW_OK || node == 0) {
        return;
    }
    if (list->last == 0) {
        list->first = node;
    } else {
        tw_compile_node_at(compiler, list->last)->next = node;
    }
    list->last = node;
    list->count++;
}

uint32_t tw_compile_constant(tw_compiler *compiler, tw_item item)
{
    tw_buffer *constants = &compiler->program->constants;
    const uint32_t number = (uint32_t)(constants->size / sizeof item);
    append(compiler, constants, &item, sizeof item);
    return number;
}

uint32_t tw_compile_word(tw_compiler *compiler, const char *data, size_t size)
{
    tw_arena *arena = &compiler->program->arena;
    char *copy = tw_arena_get(arena, size + 1);
    const tw_string *string = NULL;
    if (copy != NULL) {
        memcpy(copy, size > 0 ? data : "", size);
        copy[size] = 0;
        string = tw_string_of(arena, copy, size);
    }
    if (string == NULL && compiler->code == TW_OK) {
        compiler->code = TW_ERROR_MEMORY;
    }
    return tw_compile_constant(compiler, tw_item_string(string));
}
