/* SPDX-License-Identifier: MIT
 *
 * Jinja's statements.
 */
#include "template/language/compile.h"

typedef const char *const words[];

static uint32_t read_body(tw_compiler *, const char *const *ends);

static void fail(tw_compiler *compiler, const tw_token *at,
                 const char *message)
{
    const char *const parts[] = {message, NULL};
    tw_compile_fail(compiler, at, parts);
}

static tw_node *node_at(tw_compiler *compiler, uint32_t at)
{
    return tw_compile_node_at(compiler, at);
}

/* A body in a scope of its own. */
static uint32_t read_scope(tw_compiler *compiler, const char *const *ends)
{
    const tw_token token = compiler->token;
    const uint32_t node = tw_compile_node(compiler, TW_NODE_WITH, &token);
    const uint32_t first = tw_scope_open(compiler);
    const uint32_t body = read_body(compiler, ends);
    tw_scope_close(compiler, first, node);
    node_at(compiler, node)->c = body;
    return node;
}

static void end_block(tw_compiler *compiler)
{
    tw_compile_expect(compiler, TW_LEX_BLOCK_END);
}

/* ---- for and if --------------------------------------------------------- */

/* `TARGET in EXPRESSION [if CONDITION] [recursive]`, the scope of the loop
 * being open. */
static uint32_t read_for_parts(tw_compiler *compiler, uint32_t loop)
{
    const uint32_t inner = compiler->scope;
    const tw_scope *scope =
        (const tw_scope *)(const void *)compiler->scopes.data + inner;
    const uint32_t outer = scope->outer;
    const tw_token token = compiler->token;
    const uint32_t target = tw_compile_target(compiler, false);
    if (!tw_compile_takes_word(compiler, "in")) {
        tw_compile_expected(compiler, "expected token 'in', got '");
    }
    /* What is gone through is named outside of the loop. */
    compiler->scope = outer;
    const uint32_t through = tw_compile_plain_tuple(compiler);
    compiler->scope = inner;
    const uint32_t condition = tw_compile_takes_word(compiler, "if")
                                   ? tw_compile_expression(compiler)
                                   : 0;
    node_at(compiler, loop)->number =
        tw_compile_takes_word(compiler, "recursive");
    const uint32_t parts =
        tw_compile_node(compiler, TW_NODE_FOR_PARTS, &token);
    tw_node *node = node_at(compiler, parts);
    node->a = target;
    node->b = through;
    node->c = condition;
    return parts;
}

static uint32_t read_for(tw_compiler *compiler, const tw_token *token)
{
    static words body_ends = {"endfor", "else", NULL};
    static words else_ends = {"endfor", NULL};
    const uint32_t at = tw_compile_node(compiler, TW_NODE_FOR, token);
    const uint32_t first = tw_scope_open(compiler);
    tw_scope_store(compiler, compiler->program->loop_name);
    compiler->loops++;
    const uint32_t parts = read_for_parts(compiler, at);
    end_block(compiler);
    const uint32_t body = read_body(compiler, body_ends);
    compiler->loops--;
    tw_scope_close(compiler, first, at);
    uint32_t otherwise = 0;
    if (tw_compile_takes_word(compiler, "else")) {
        end_block(compiler);
        otherwise = read_scope(compiler, else_ends);
    }
    tw_compile_takes_word(compiler, "endfor");
    tw_node *node = node_at(compiler, at);
    node->a = parts;
    node->b = body;
    node->c = otherwise;
    return at;
}

/* The rest of an `if` behind its word, up to `endif`: a chain of nodes, each
 * the else of the one before. */
static uint32_t read_if(tw_compiler *compiler, const tw_token *token)
{
    static words ends = {"elif", "else", "endif", NULL};
    static words else_ends = {"endif", NULL};
    uint32_t first = 0;
    uint32_t before = 0;
    compiler->perhaps++;
    do {
        const uint32_t at = tw_compile_node(compiler, TW_NODE_IF, token);
        const uint32_t condition = tw_compile_plain_tuple(compiler);
        end_block(compiler);
        const uint32_t body = read_body(compiler, ends);
        node_at(compiler, at)->a = condition;
        node_at(compiler, at)->b = body;
        if (before != 0) {
            node_at(compiler, before)->c = at;
        }
        first = first == 0 ? at : first;
        before = at;
    } while (compiler->code == TW_OK &&
             tw_compile_takes_word(compiler, "elif"));
    if (tw_compile_takes_word(compiler, "else")) {
        end_block(compiler);
        const uint32_t otherwise = read_body(compiler, else_ends);
        node_at(compiler, before)->c = otherwise;
    }
    tw_compile_takes_word(compiler, "endif");
    compiler->perhaps--;
    return first;
}

/* ---- names -------------------------------------------------------------- */

static uint32_t read_set(tw_compiler *compiler, const tw_token *token)
{
    static words ends = {"endset", NULL};
    const uint32_t target = tw_compile_target(compiler, true);
    if (tw_compile_takes(compiler, TW_LEX_ASSIGN)) {
        const uint32_t value = tw_compile_tuple(compiler);
        tw_scope_sets(compiler, target);
        const uint32_t at = tw_compile_node(compiler, TW_NODE_SET, token);
        node_at(compiler, at)->a = target;
        node_at(compiler, at)->b = value;
        return at;
    }
    const uint32_t at = tw_compile_node(compiler, TW_NODE_CAPTURE, token);
    uint32_t filter = 0;
    if (tw_compile_sees(compiler, TW_LEX_PIPE)) {
        const uint32_t body = tw_compile_node(compiler, TW_NODE_BODY, token);
        filter = tw_compile_filters(compiler, body, false);
    }
    end_block(compiler);
    tw_scope_sets(compiler, target);
    const uint32_t body = read_scope(compiler, ends);
    tw_compile_takes_word(compiler, "endset");
    tw_node *node = node_at(compiler, at);
    node->a = target;
    node->b = body;
    node->c = filter;
    return at;
}

static uint32_t read_with(tw_compiler *compiler, const tw_token *token)
{
    static words ends = {"endwith", NULL};
    const uint32_t at = tw_compile_node(compiler, TW_NODE_WITH, token);
    const uint32_t outer = compiler->scope;
    const uint32_t first = tw_scope_open(compiler);
    const uint32_t inner = compiler->scope;
    tw_node_list targets = {0, 0, 0};
    tw_node_list values = {0, 0, 0};
    while (compiler->code == TW_OK &&
           !tw_compile_sees(compiler, TW_LEX_BLOCK_END)) {
        if (targets.count > 0) {
            tw_compile_expect(compiler, TW_LEX_COMMA);
        }
        tw_compile_add(compiler, &targets, tw_compile_target(compiler, false));
        tw_compile_expect(compiler, TW_LEX_ASSIGN);
        compiler->scope = outer; /* no value sees a name of this statement */
        tw_compile_add(compiler, &values, tw_compile_expression(compiler));
        compiler->scope = inner;
    }
    end_block(compiler);
    const uint32_t body = read_body(compiler, ends);
    tw_compile_takes_word(compiler, "endwith");
    tw_scope_close(compiler, first, at);
    tw_node *node = node_at(compiler, at);
    node->a = targets.first;
    node->b = values.first;
    node->c = body;
    return at;
}

/* ---- macros ------------------------------------------------------------- */

static tw_function *function_at(tw_compiler *compiler, uint32_t at)
{
    return (tw_function *)(void *)compiler->program->functions.data + at;
}

uint32_t tw_compile_function(tw_compiler *compiler)
{
    tw_program *program = compiler->program;
    const tw_function function = {.name = {.kind = TW_ITEM_NONE}};
    const size_t number = program->functions.size / sizeof function;
    if (!tw_buffer_append(&program->functions, &program->memory, &function,
                          sizeof function)) {
        compiler->code = TW_ERROR_MEMORY;
        return 0;
    }
    return (uint32_t)number;
}

/* `(a, b=1)`. */
static void read_signature(tw_compiler *compiler, uint32_t number)
{
    tw_node_list parameters = {0, 0, 0};
    tw_node_list defaults = {0, 0, 0};
    tw_compile_expect(compiler, TW_LEX_LEFT_PAREN);
    while (compiler->code == TW_OK &&
           !tw_compile_sees(compiler, TW_LEX_RIGHT_PAREN)) {
        if (parameters.count > 0) {
            tw_compile_expect(compiler, TW_LEX_COMMA);
        }
        tw_compile_add(compiler, &parameters,
                       tw_compile_target_name(compiler));
        if (tw_compile_takes(compiler, TW_LEX_ASSIGN)) {
            tw_compile_add(compiler, &defaults,
                           tw_compile_expression(compiler));
        } else if (defaults.count > 0) {
            fail(compiler, &compiler->token,
                 "non-default argument follows default argument");
        }
    }
    tw_compile_expect(compiler, TW_LEX_RIGHT_PAREN);
    tw_function *function = function_at(compiler, number);
    function->parameters = parameters.first;
    function->parameter_count = (uint16_t)parameters.count;
    function->defaults = defaults.first;
    function->default_count = (uint16_t)defaults.count;
}

typedef struct outside {
    uint32_t function;
    uint32_t scope;
    size_t loops;
} outside;

/* The compiler goes on in a new function, in which the special names are. */
static outside begin_function(tw_compiler *compiler, uint32_t number)
{
    static const char *const special[TW_SPECIAL_NAMES] = {
        [TW_CALLER] = "caller",
        [TW_VARARGS] = "varargs",
        [TW_KWARGS] = "kwargs"};
    const outside kept = {compiler->function, compiler->scope,
                          compiler->loops};
    compiler->function = number;
    compiler->loops = 0;
    tw_scope_open(compiler);
    for (size_t i = 0; i < TW_SPECIAL_NAMES; i++) {
        tw_scope_store(compiler, tw_compile_name(compiler, special[i],
                                                 strlen(special[i])));
    }
    return kept;
}

static void end_function(tw_compiler *compiler, const outside *kept)
{
    compiler->function = kept->function;
    compiler->scope = kept->scope;
    compiler->loops = kept->loops;
}

static uint32_t read_macro(tw_compiler *compiler, const tw_token *token)
{
    static words ends = {"endmacro", NULL};
    const tw_token name = compiler->token;
    const uint32_t target = tw_compile_target_name(compiler);
    tw_scope_sets(compiler, target);
    const uint32_t at = tw_compile_node(compiler, TW_NODE_MACRO, token);
    const uint32_t number = tw_compile_function(compiler);
    const outside kept = begin_function(compiler, number);
    read_signature(compiler, number);
    end_block(compiler);
    const uint32_t body = read_body(compiler, ends);
    tw_compile_takes_word(compiler, "endmacro");
    end_function(compiler, &kept);
    function_at(compiler, number)->body = body;
    function_at(compiler, number)->name = tw_item_string(
        tw_string_of(&compiler->program->arena, name.at, name.size));
    node_at(compiler, at)->a = target;
    node_at(compiler, at)->number = (uint16_t)number;
    return at;
}

static uint32_t read_call_block(tw_compiler *compiler, const tw_token *token)
{
    static words ends = {"endcall", NULL};
    const uint32_t at = tw_compile_node(compiler, TW_NODE_CALL_BLOCK, token);
    const uint32_t number = tw_compile_function(compiler);
    const outside kept = begin_function(compiler, number);
    if (tw_compile_sees(compiler, TW_LEX_LEFT_PAREN)) {
        read_signature(compiler, number);
    }
    const outside inner = {compiler->function, compiler->scope, 0};
    end_function(compiler, &kept); /* the call stands outside of the body */
    const uint32_t call = tw_compile_expression(compiler);
    if (node_at(compiler, call)->type != TW_NODE_CALL) {
        fail(compiler, token, "expected call");
    }
    end_block(compiler);
    end_function(compiler, &inner);
    const uint32_t body = read_body(compiler, ends);
    tw_compile_takes_word(compiler, "endcall");
    end_function(compiler, &kept);
    function_at(compiler, number)->body = body;
    function_at(compiler, number)->name = tw_item_of(TW_ITEM_NONE);
    node_at(compiler, at)->a = call;
    node_at(compiler, at)->number = (uint16_t)number;
    return at;
}

/* ---- others ------------------------------------------------------------- */

static uint32_t read_filter_block(tw_compiler *compiler, const tw_token *token)
{
    static words ends = {"endfilter", NULL};
    const uint32_t at = tw_compile_node(compiler, TW_NODE_FILTER_BLOCK, token);
    const uint32_t value = tw_compile_node(compiler, TW_NODE_BODY, token);
    const uint32_t filter = tw_compile_filters(compiler, value, true);
    end_block(compiler);
    const uint32_t body = read_scope(compiler, ends);
    tw_compile_takes_word(compiler, "endfilter");
    node_at(compiler, at)->a = filter;
    node_at(compiler, at)->b = body;
    return at;
}

static uint32_t read_generation(tw_compiler *compiler, const tw_token *token)
{
    static words ends = {"endgeneration", NULL};
    const uint32_t at = tw_compile_node(compiler, TW_NODE_GENERATION, token);
    end_block(compiler);
    const uint32_t body = read_scope(compiler, ends);
    tw_compile_takes_word(compiler, "endgeneration");
    node_at(compiler, at)->b = body;
    return at;
}

/* A block stands where it is: no template extends another here. */
static uint32_t read_block(tw_compiler *compiler, const tw_token *token)
{
    static words ends = {"endblock", NULL};
    (void)token;
    const tw_token name = compiler->token;
    tw_compile_expect(compiler, TW_LEX_NAME);
    const bool scoped = tw_compile_takes_word(compiler, "scoped");
    tw_compile_takes_word(compiler, "required");
    end_block(compiler);
    const size_t scope = compiler->scopes.size / sizeof(tw_scope);
    const uint32_t body = read_scope(compiler, ends);
    if (compiler->code == TW_OK) {
        ((tw_scope *)(void *)compiler->scopes.data)[scope].is_block = !scoped;
    }
    tw_compile_takes_word(compiler, "endblock");
    if (compiler->token.type == TW_LEX_NAME &&
        compiler->token.size == name.size &&
        memcmp(compiler->token.at, name.at, name.size) == 0) {
        tw_compile_next(compiler);
    }
    return body;
}

static uint32_t read_autoescape(tw_compiler *compiler, const tw_token *token)
{
    static words ends = {"endautoescape", NULL};
    const uint32_t at = tw_compile_node(compiler, TW_NODE_AUTOESCAPE, token);
    const uint32_t value = tw_compile_expression(compiler);
    end_block(compiler);
    const uint32_t body = read_scope(compiler, ends);
    tw_compile_takes_word(compiler, "endautoescape");
    node_at(compiler, at)->a = value;
    node_at(compiler, at)->b = body;
    return at;
}

static uint32_t read_print(tw_compiler *compiler, const tw_token *token)
{
    tw_node_list list = {0, 0, 0};
    while (compiler->code == TW_OK &&
           !tw_compile_sees(compiler, TW_LEX_BLOCK_END)) {
        if (list.count > 0) {
            tw_compile_expect(compiler, TW_LEX_COMMA);
        }
        const uint32_t value = tw_compile_expression(compiler);
        const uint32_t at = tw_compile_node(compiler, TW_NODE_PRINT, token);
        node_at(compiler, at)->a = value;
        tw_compile_add(compiler, &list, at);
    }
    return list.first;
}

static uint32_t read_break(tw_compiler *compiler, const tw_token *token)
{
    const bool ends = tw_token_is(token, "break");
    if (compiler->loops == 0) {
        fail(compiler, token,
             ends ? "'break' outside loop"
                  : "'continue' not properly in loop");
    }
    return tw_compile_node(compiler, ends ? TW_NODE_BREAK : TW_NODE_CONTINUE,
                           token);
}

/* `include`, `import`, `from` and `extends` name other templates, of which
 * there are none: jinja2 says so when the statement is reached. */
static uint32_t read_other_template(tw_compiler *compiler,
                                    const tw_token *token)
{
    const uint32_t value = tw_compile_expression(compiler);
    while (compiler->code == TW_OK && (compiler->token.type == TW_LEX_NAME ||
                                       compiler->token.type == TW_LEX_COMMA)) {
        tw_compile_next(compiler); /* with context, ignore missing, as x */
    }
    const uint32_t at = tw_compile_node(compiler, TW_NODE_NO_LOADER, token);
    node_at(compiler, at)->a = value;
    return at;
}

static bool is_one_of(const tw_token *token, const char *const *list)
{
    while (*list != NULL && !tw_token_is(token, *list)) {
        list++;
    }
    return *list != NULL;
}

/* The text of a token, cut off where it is long. */
static void copy_name(const tw_token *token, char name[64])
{
    const size_t size = token->size < 64 ? token->size : 63;
    memcpy(name, token->at, size);
    name[size] = 0;
}

/* At |at| stands no tag, or the template ends: |what| with what Jinja says of
 * the tag that is open. */
static void fail_tag(tw_compiler *compiler, const tw_token *at,
                     const char *what)
{
    const tw_open_tag *open = compiler->open;
    char name[64];
    char begun[64];
    bool due = false;
    for (const tw_open_tag *tag = open; tag != NULL; tag = tag->outer) {
        due |= is_one_of(at, tag->ends);
    }
    copy_name(at, name);
    const bool unknown = at->type == TW_LEX_NAME;
    const char *parts[14] = {what, unknown ? name : "", unknown ? "'." : ""};
    size_t count = 3;
    if (open != NULL) {
        copy_name(&open->token, begun);
        parts[count++] =
            due ? " You probably made a nesting mistake. Jinja is expecting "
                  "this tag, but currently looking for '"
                : " Jinja was looking for the following tags: '";
        for (size_t i = 0; open->ends[i] != NULL; i++) {
            parts[count++] = i > 0 ? "' or '" : "";
            parts[count++] = open->ends[i];
        }
        parts[count++] = "'. The innermost block that needs to be closed is '";
        parts[count++] = begun;
        parts[count++] = "'.";
    }
    parts[count] = NULL;
    tw_compile_fail(compiler, at, parts);
}

typedef uint32_t statement(tw_compiler *, const tw_token *);

static statement *statement_of(const tw_token *token)
{
    static const struct {
        const char *word;
        statement *read;
    } known[] = {
        {"for", read_for},
        {"if", read_if},
        {"set", read_set},
        {"macro", read_macro},
        {"call", read_call_block},
        {"with", read_with},
        {"filter", read_filter_block},
        {"generation", read_generation},
        {"block", read_block},
        {"autoescape", read_autoescape},
        {"print", read_print},
        {"break", read_break},
        {"continue", read_break},
        {"include", read_other_template},
        {"import", read_other_template},
        {"from", read_other_template},
        {"extends", read_other_template},
    };
    for (size_t i = 0; i < sizeof known / sizeof *known; i++) {
        if (tw_token_is(token, known[i].word)) {
            return known[i].read;
        }
    }
    return NULL;
}

static uint32_t read_statement(tw_compiler *compiler)
{
    const tw_token token = compiler->token;
    statement *read = statement_of(&token);
    if (token.type != TW_LEX_NAME) {
        fail(compiler, &token, "tag name expected");
        return 0;
    }
    if (read == NULL) {
        fail_tag(compiler, &token, "Encountered unknown tag '");
        return 0;
    }
    if (compiler->depth >= TW_COMPILE_DEPTH) {
        fail(compiler, &token, "nested too deeply");
        return 0;
    }
    tw_open_tag open = {compiler->open, token, NULL};
    tw_compile_next(compiler);
    compiler->depth++;
    compiler->open = &open;
    const uint32_t node = read(compiler, &token);
    compiler->open = open.outer;
    compiler->depth--;
    end_block(compiler);
    return node;
}

/* ---- bodies ------------------------------------------------------------- */

static uint32_t read_data(tw_compiler *compiler)
{
    const tw_token token = compiler->token;
    const tw_string *text =
        tw_string_of(&compiler->program->arena, token.at, token.size);
    const uint32_t at = tw_compile_node(compiler, TW_NODE_DATA, &token);
    const uint32_t constant =
        tw_compile_constant(compiler, tw_item_string(text));
    node_at(compiler, at)->a = constant;
    tw_compile_next(compiler);
    return at;
}

static uint32_t read_expression_tag(tw_compiler *compiler)
{
    const tw_token token = compiler->token;
    tw_compile_next(compiler);
    const uint32_t value = tw_compile_tuple(compiler);
    const uint32_t at = tw_compile_node(compiler, TW_NODE_PRINT, &token);
    node_at(compiler, at)->a = value;
    tw_compile_expect(compiler, TW_LEX_PRINT_END);
    return at;
}

/* A list of one node or of those that follow it. */
static void add_all(tw_compiler *compiler, tw_node_list *list, uint32_t node)
{
    while (node != 0 && compiler->code == TW_OK) {
        const uint32_t next = node_at(compiler, node)->next;
        tw_compile_add(compiler, list, node);
        node = next;
    }
}

/* Statements and text up to a tag of one of |ends|, whose name is then the
 * token; NULL: up to the end. */
static uint32_t read_body(tw_compiler *compiler, const char *const *ends)
{
    tw_node_list list = {0, 0, 0};
    if (ends != NULL) {
        compiler->open->ends = ends;
    }
    while (compiler->code == TW_OK) {
        switch (compiler->token.type) {
        case TW_LEX_TEXT:
            tw_compile_add(compiler, &list, read_data(compiler));
            continue;
        case TW_LEX_PRINT:
            tw_compile_add(compiler, &list, read_expression_tag(compiler));
            continue;
        case TW_LEX_BLOCK:
            tw_compile_next(compiler);
            if (ends != NULL && is_one_of(&compiler->token, ends)) {
                return list.first;
            }
            add_all(compiler, &list, read_statement(compiler));
            continue;
        default: break;
        }
        if (ends != NULL) {
            fail_tag(compiler, &compiler->token,
                     "Unexpected end of template.");
        }
        return list.first;
    }
    return 0;
}

uint32_t tw_compile_body(tw_compiler *compiler)
{
    return read_body(compiler, NULL);
}
