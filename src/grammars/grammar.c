/* SPDX-License-Identifier: MIT
 *
 * The front door of grammars: a format, tools and options in, text out.
 */
#include "events/tools.h"
#include "grammars/make.h"
#include "grammars/rules/print.h"
#include "json/dump.h"

struct tw_grammar {
    tw_memory memory;
    tw_buffer text;
};

static void say(tw_format_error *error, int code, const void *text,
                size_t size)
{
    const size_t room = sizeof error->message - 1;
    error->code = code;
    size = size < room ? size : room;
    if (size > 0) {
        memcpy(error->message, text, size);
    }
    error->message[size] = 0;
}

static int fail(tw_format_error *error, int code, const char *text)
{
    say(error, code, text, strlen(text));
    return code;
}

/* ---- printing ----------------------------------------------------------- */

/* What vLLM, SGLang and XGrammar take as one JSON text. */
static void print_tag(tw_rules *rules, tw_buffer *out)
{
    tw_buffer inner = {0};
    tw_json_out json = {*out, rules->memory, false};
    tw_rules_print_dispatch(rules, &inner);
    tw_json_put(&json, "{\"type\":\"structural_tag\",\"format\":"
                       "{\"type\":\"grammar\",\"grammar\":");
    tw_json_put_string(&json, (const char *)inner.data, inner.size);
    tw_json_put(&json, "}}\n");
    if (json.failed) {
        tw_rules_no_memory(rules);
    }
    *out = json.out;
    tw_buffer_free(&inner, rules->memory);
}

static void print(tw_rules *rules, tw_grammar_target target, tw_buffer *out)
{
    switch (target) {
    case TW_GRAMMAR_LARK: tw_rules_print_lark(rules, out); break;
    case TW_GRAMMAR_GBNF: tw_rules_print_gbnf(rules, out); break;
    default: print_tag(rules, out); break;
    }
}

/* ---- making ------------------------------------------------------------- */

/* Special tokens, if any are named. */
static int read_special(tw_rules *rules, const tw_grammar_options *options,
                        tw_format_error *error)
{
    tw_tree tree;
    if (options->special_tokens == NULL) {
        return TW_OK;
    }
    if (options->target == TW_GRAMMAR_STRUCTURAL_TAG) {
        return fail(error, TW_ERROR_ARGUMENT,
                    "special tokens: a structural tag names them by their "
                    "text");
    }
    tw_tree_init(&tree, rules->memory);
    int code = tw_tree_read(&tree, options->special_tokens,
                            options->special_size, false);
    if (code != TW_OK) {
        error->offset = tree.offset;
        fail(error, code, "special tokens: no JSON");
    } else if (!tw_rules_add_special(rules, tree.root)) {
        code = fail(error, TW_ERROR_SCHEMA,
                    "special tokens: neither added tokens of a tokenizer nor "
                    "numbers by text");
    }
    tw_tree_free(&tree);
    return code;
}

static bool names_a_tool(const tw_grammar_maker *maker)
{
    static const char *const words[] = {"auto", "required", "none", NULL};
    const char *choice = maker->options->choice;
    bool found = choice == NULL;
    for (size_t i = 0; words[i] != NULL && !found; i++) {
        found = strcmp(choice, words[i]) == 0;
    }
    for (const tw_value *tool = maker->tools->first; tool != NULL && !found;
         tool = tool->next) {
        found = tw_value_is(tw_tool_name(tool), choice);
    }
    return found;
}

static void make(tw_grammar_maker *maker, tw_buffer *out)
{
    tw_schema_begin(&maker->schema);
    tw_grammar_message(maker);
    tw_grammar_leave_out(maker);
    if (maker->options->target == TW_GRAMMAR_LARK) {
        tw_rules_set_special_apart(&maker->rules);
    } else {
        tw_rules_shape(&maker->rules);
    }
    if (maker->rules.code == TW_OK) {
        tw_rules_reach(&maker->rules);
        tw_grammar_check_loops(maker);
    }
    if (maker->rules.code == TW_OK) {
        print(&maker->rules, maker->options->target, out);
    }
}

static void drop(tw_grammar_maker *maker)
{
    tw_buffer_free(&maker->impossible, maker->memory);
    tw_buffer_free(&maker->called, maker->memory);
    tw_buffer_free(&maker->wanted, maker->memory);
    tw_buffer_free(&maker->places, maker->memory);
    tw_buffer_free(&maker->text, maker->memory);
    tw_schema_free(&maker->schema);
    tw_rules_free(&maker->rules);
    tw_memory_free(maker->memory, maker, sizeof *maker);
}

static int make_of(tw_grammar *grammar, const tw_format *format,
                   const tw_description *description, const tw_value *tools,
                   const tw_grammar_options *options, tw_format_error *error)
{
    tw_grammar_maker *maker = tw_memory_new(&grammar->memory, sizeof *maker);
    if (maker == NULL) {
        return fail(error, TW_ERROR_MEMORY, "no memory");
    }
    maker->memory = &grammar->memory;
    maker->description = description;
    maker->text_behind = format->family->text_behind;
    maker->marks = format->description == NULL;
    maker->options = options;
    maker->tools = tools;
    tw_rules_init(&maker->rules, maker->memory);
    tw_schema_init(&maker->schema, maker->memory);
    int code = read_special(&maker->rules, options, error);
    if (code != TW_OK) {
        drop(maker);
        return code;
    }
    if (!names_a_tool(maker)) {
        tw_grammar_fail(maker, TW_ERROR_ARGUMENT, NULL,
                        "choice: no tool has this name");
    } else {
        make(maker, &grammar->text);
    }
    code = maker->rules.code;
    const tw_buffer *message = &maker->rules.message;
    if (code != TW_OK && message->size > 0) {
        say(error, code, message->data, message->size);
    } else if (code != TW_OK) {
        fail(error, code,
             code == TW_ERROR_MEMORY ? "no memory"
                                     : "a schema is nested too deeply");
    }
    drop(maker);
    return code;
}

/* ---- the front door ----------------------------------------------------- */

static int read_tools(tw_tree *tree, const char *json, size_t size,
                      bool sorted, tw_format_error *error)
{
    tw_tools tools;
    const tw_value *where = NULL;
    bool moved = false;
    tw_tools_init(&tools, tree->memory);
    const int code = tw_tools_read(&tools, tree, size > 0 ? json : "[]",
                                   size > 0 ? size : 2, &where);
    tw_tools_free(&tools);
    if (code == TW_ERROR_JSON) {
        error->offset = tree->offset;
        return fail(error, code, "tools: no JSON");
    }
    if (code != TW_OK) {
        return fail(error, code, tw_tools_fault(code, where));
    }
    if (sorted && !tw_value_sort(tree->root, tree->memory, &moved)) {
        return fail(error, TW_ERROR_MEMORY, "no memory");
    }
    return TW_OK;
}

/* Of a format that is a program, what it writes is described. */
static int make_for(tw_grammar *made, const tw_format *format,
                    const char *tools, size_t size,
                    const tw_grammar_options *options, tw_format_error *error)
{
    tw_loaded loaded = {.memory = NULL};
    tw_tree tree;
    const tw_description *description = format->description;
    if (description == NULL) {
        const int code =
            tw_description_load(&loaded, &made->memory, format->canonical,
                                strlen(format->canonical));
        description = &loaded.description;
        if (code != TW_OK) {
            tw_description_free(&loaded);
            return fail(error, code, loaded.message);
        }
    }
    tw_tree_init(&tree, &made->memory);
    int code = read_tools(&tree, tools, size, description->sorted, error);
    if (code == TW_OK) {
        code = make_of(made, format, description, tree.root, options, error);
    }
    tw_tree_free(&tree);
    if (description != format->description) {
        tw_description_free(&loaded);
    }
    return code;
}

int tw_grammar_make(const tw_format *format, const char *tools, size_t size,
                    const tw_grammar_options *options,
                    const tw_allocator *allocator, tw_grammar **grammar,
                    tw_format_error *error)
{
    static const tw_grammar_options defaults = {.parallel = 1};
    tw_format_error unwanted;
    error = error != NULL ? error : &unwanted;
    memset(error, 0, sizeof *error);
    if (format == NULL || grammar == NULL || (tools == NULL && size > 0)) {
        return fail(error, TW_ERROR_ARGUMENT,
                    "no format, no tools or no place for the grammar");
    }
    *grammar = NULL;
    options = options != NULL ? options : &defaults;
    if (options->target > TW_GRAMMAR_STRUCTURAL_TAG ||
        options->start > TW_GRAMMAR_TEXT) {
        return fail(error, TW_ERROR_ARGUMENT, "no such target or start");
    }
    const tw_memory memory = tw_memory_from(allocator);
    tw_grammar *made = tw_memory_new(&memory, sizeof *made);
    if (made == NULL) {
        return fail(error, TW_ERROR_MEMORY, "no memory");
    }
    made->memory = memory;
    const int code = make_for(made, format, tools, size, options, error);
    if (code == TW_OK) {
        *grammar = made;
    } else {
        tw_grammar_free(made);
    }
    return code;
}

const char *tw_grammar_text(const tw_grammar *grammar, size_t *size)
{
    *size = grammar->text.size;
    return (const char *)grammar->text.data;
}

void tw_grammar_free(tw_grammar *grammar)
{
    if (grammar != NULL) {
        const tw_memory memory = grammar->memory;
        tw_buffer_free(&grammar->text, &memory);
        tw_memory_free(&memory, grammar, sizeof *grammar);
    }
}
