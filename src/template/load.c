/* SPDX-License-Identifier: MIT
 *
 * Loading a template: its text alone, or the JSON of a model's folder that has
 * it.
 */
#include "template/loaded.h"

#include "core/skip.h"
#include "core/utf8.h"

static int fail(tw_format_error *error, int code, const char *message)
{
    if (error != NULL) {
        const size_t size = strlen(message);
        error->code = code;
        error->offset = 0;
        memcpy(error->message, message, size + 1);
    }
    return code;
}

/* Appends to a message that has room. */
static void say(tw_format_error *error, const char *text)
{
    const size_t used = strlen(error->message);
    const size_t size = strlen(text);
    const size_t room = sizeof error->message - 1 - used;
    memcpy(error->message + used, text, size < room ? size : room);
    error->message[used + (size < room ? size : room)] = 0;
}

static void say_number(tw_format_error *error, uint32_t number)
{
    char digits[12];
    size_t at = sizeof digits - 1;
    digits[at] = 0;
    do {
        digits[--at] = (char)('0' + number % 10);
        number /= 10;
    } while (number > 0);
    say(error, digits + at);
}

/* `line 3, column 14: ...`. */
static int fail_at(tw_format_error *error, int code,
                   const tw_program_fault *fault)
{
    if (code == TW_ERROR_MEMORY) {
        return fail(error, code, "no memory");
    }
    fail(error, code, "line ");
    if (error != NULL) {
        say_number(error, fault->line);
        say(error, ", column ");
        say_number(error, fault->column);
        say(error, ": ");
        say(error, fault->message);
    }
    return code;
}

/* ---- JSON --------------------------------------------------------------- */

/* A template may begin with `{{`, `{%` or `{#`; JSON's object does not. */
static bool is_json(const char *text, size_t size)
{
    size_t at = 0;
    while (at < size && tw_is_ws(text[at])) {
        at++;
    }
    if (at == size || text[at] != '{') {
        return false;
    }
    do {
        at++;
    } while (at < size && tw_is_ws(text[at]));
    return at < size && (text[at] == '"' || text[at] == '}');
}

/* Of several templates the one that |name| names, or `default`; a template
 * alone needs no name. */
static const tw_value *named_template(const tw_value *list, const char *name)
{
    const char *wanted = name != NULL ? name : "default";
    for (const tw_value *at = list->first; at != NULL; at = at->next) {
        if (at->kind == TW_VALUE_STRING && tw_value_has_key(at, wanted)) {
            return at;
        }
        if (tw_value_is(tw_value_member(at, "name"), wanted)) {
            return tw_value_member(at, "template");
        }
    }
    return NULL;
}

static const tw_value *template_in(const tw_value *config, const char *name)
{
    const tw_value *found = tw_value_member(config, "chat_template");
    if (found != NULL &&
        (found->kind == TW_VALUE_ARRAY || found->kind == TW_VALUE_OBJECT)) {
        found = named_template(found, name);
    }
    return found != NULL && found->kind == TW_VALUE_STRING ? found : NULL;
}

/* ---- loading ------------------------------------------------------------ */

static int read_config(tw_template *template_, const char *json, size_t size,
                       tw_format_error *error)
{
    const int code = tw_tree_read(&template_->config, json, size, false);
    if (code == TW_OK && template_->config.root->kind == TW_VALUE_OBJECT) {
        return TW_OK;
    }
    return fail(error, code == TW_OK ? TW_ERROR_JSON : code,
                code == TW_ERROR_MEMORY ? "no memory"
                                        : "the configuration is not a JSON "
                                          "object");
}

/* A template without a tag is rare, and a path in its place is not. */
static bool is_path(const char *text, size_t size)
{
    bool named = size > 6 && memcmp(text + size - 6, ".jinja", 6) == 0;
    for (size_t i = 0; i < size; i++) {
        if (strchr("{ \t\r\n", text[i]) != NULL) {
            return false;
        }
        named = named || text[i] == '/';
    }
    return named;
}

static int load(tw_template *template_, const tw_template_source *source,
                tw_format_error *error)
{
    const char *text = source->text;
    size_t size = source->size;
    int code = TW_OK;
    const bool whole = text != NULL && is_json(text, size);
    if (whole || source->config != NULL) {
        code = read_config(template_, whole ? text : source->config,
                           whole ? size : source->config_size, error);
    }
    if (code == TW_OK && (whole || text == NULL)) {
        const tw_value *found =
            template_in(template_->config.root, source->name);
        if (found == NULL) {
            return fail(error, TW_ERROR_SCHEMA,
                        "there is no `chat_template` of that name in it");
        }
        text = found->text;
        size = found->size;
    }
    if (code != TW_OK) {
        return code;
    }
    if (!tw_utf8_is_valid(text, size)) {
        return fail(error, TW_ERROR_TEMPLATE, "the template is not UTF-8");
    }
    if (is_path(text, size)) {
        return fail(error, TW_ERROR_TEMPLATE,
                    "this is a path or a name, and the template's text is "
                    "wanted");
    }
    tw_program_fault fault;
    tw_program_free(&template_->program);
    code = tw_program_make(&template_->program, &template_->memory, text, size,
                           &fault);
    if (code != TW_OK) {
        return fail_at(error, code, &fault);
    }
    template_->facts.nine_in_ids = tw_template_says(template_, "length 9");
    template_->facts.reads_own = tw_template_says(template_, "toolwire_call");
    template_->facts.tells_losses =
        tw_template_says(template_, "toolwire_loss");
    template_->facts.reads_documents =
        tw_template_says(template_, "in documents");
    return tw_template_find_markers(template_) && tw_template_probe(template_)
               ? TW_OK
               : fail(error, TW_ERROR_MEMORY, "no memory");
}

int tw_template_load(const tw_template_source *source,
                     const tw_allocator *allocator, tw_template **template_,
                     tw_format_error *error)
{
    const tw_memory memory = tw_memory_from(allocator);
    if (template_ == NULL || source == NULL ||
        (source->text == NULL && source->config == NULL)) {
        return fail(error, TW_ERROR_ARGUMENT, "no template");
    }
    *template_ = NULL;
    tw_template *made = tw_memory_new(&memory, sizeof *made);
    if (made == NULL) {
        return fail(error, TW_ERROR_MEMORY, "no memory");
    }
    made->memory = memory;
    made->program.memory = memory;
    tw_arena_init(&made->program.arena, &made->memory, 0);
    tw_tree_init(&made->config, &made->memory);
    const int code = load(made, source, error);
    if (code != TW_OK) {
        tw_template_free(made);
        return code;
    }
    *template_ = made;
    return TW_OK;
}

void tw_template_free(tw_template *template_)
{
    if (template_ != NULL) {
        const tw_memory memory = template_->memory;
        tw_program_free(&template_->program);
        tw_tree_free(&template_->config);
        tw_buffer_free(&template_->markers, &memory);
        tw_memory_free(&memory, template_, sizeof *template_);
    }
}

bool tw_template_says(const tw_template *template_, const char *words)
{
    const char *at = template_->program.source;
    const char *end = at + template_->program.source_size;
    const size_t size = strlen(words);
    for (; at != NULL && (size_t)(end - at) >= size; at++) {
        if (memcmp(at, words, size) == 0) {
            return true;
        }
    }
    return false;
}
