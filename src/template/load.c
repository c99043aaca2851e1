/* SPDX-License-Identifier: MIT
 *
 * Loading a template: its text alone, or the JSON of a model's folder that has
 * it.
 */
#include "template/loaded.h"

#include "core/ascii.h"
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
    char digits[TW_DIGITS + 1] = "";
    say(error, tw_spell(digits + TW_DIGITS, number));
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

static size_t skip_blanks(const char *text, size_t size, size_t at)
{
    while (at < size && tw_is_ws(text[at])) {
        at++;
    }
    return at;
}

/* A template may begin with `{{`, `{%` or `{#`; JSON's object does not. */
static bool begins_object(const char *text, size_t size)
{
    size_t at = skip_blanks(text, size, 0);
    if (at == size || text[at] != '{') {
        return false;
    }
    at = skip_blanks(text, size, at + 1);
    return at < size && (text[at] == '"' || text[at] == '}');
}

static bool holds(const char *text, size_t size, const char *words)
{
    const size_t length = strlen(words);
    for (size_t i = 0; i + length <= size; i++) {
        if (memcmp(text + i, words, length) == 0) {
            return true;
        }
    }
    return false;
}

/* Is what begins as an object, and is no JSON, a broken configuration?  It
 * names its template, or begins with a key and has no tags: templates that
 * write an object have some. */
static bool is_broken(const char *text, size_t size)
{
    size_t at = skip_blanks(text, size, skip_blanks(text, size, 0) + 1);
    if (holds(text, size, "\"chat_template\"")) {
        return true;
    }
    const char *close = memchr(text + at + 1, '"', size - at - 1);
    at = text[at] == '"' && close != NULL ? (size_t)(close - text) + 1 : size;
    at = skip_blanks(text, size, at);
    return at < size && text[at] == ':' && !holds(text, size, "{{") &&
           !holds(text, size, "{%");
}

/* Of several templates the one that is |wanted|. */
static const tw_value *named_template(const tw_value *list, const char *wanted)
{
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

/* A template alone is `default`. */
static const tw_value *template_in(const tw_value *config, const char *wanted)
{
    const tw_value *found = tw_value_member(config, "chat_template");
    if (found != NULL &&
        (found->kind == TW_VALUE_ARRAY || found->kind == TW_VALUE_OBJECT)) {
        found = named_template(found, wanted);
    } else if (strcmp(wanted, "default") != 0) {
        found = NULL;
    }
    return tw_value_is_a(found, TW_VALUE_STRING) ? found : NULL;
}

/* ---- loading ------------------------------------------------------------ */

static int read_config(tw_template *template_, const char *json, size_t size,
                       tw_format_error *error)
{
    const int code = tw_tree_read(&template_->config, json, size, false);
    if (code == TW_OK && template_->config.root->kind == TW_VALUE_OBJECT) {
        return TW_OK;
    }
    fail(error, code == TW_OK ? TW_ERROR_JSON : code,
         code == TW_ERROR_MEMORY ? "no memory"
                                 : "the configuration is not a JSON object");
    if (error != NULL && code == TW_ERROR_JSON) {
        error->offset = template_->config.offset;
        say(error, ": byte ");
        say_number(error, (uint32_t)error->offset);
    }
    return code == TW_OK ? TW_ERROR_JSON : code;
}

/* Reads the configuration that |source| has; *whole: its text is one. */
static int read_source(tw_template *template_,
                       const tw_template_source *source, bool *whole,
                       tw_format_error *error)
{
    const char *text = source->text;
    if (text != NULL && begins_object(text, source->size)) {
        const int code = read_config(template_, text, source->size, error);
        *whole = code == TW_OK;
        if (code != TW_ERROR_JSON || is_broken(text, source->size)) {
            return code;
        }
        tw_tree_begin(&template_->config, false); /* a template, then */
    }
    return source->config != NULL ? read_config(template_, source->config,
                                                source->config_size, error)
                                  : TW_OK;
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

/* Do these words stand in it? */
static bool says(const tw_template *template_, const char *words)
{
    return template_->program.source != NULL &&
           holds(template_->program.source, template_->program.source_size,
                 words);
}

static int load(tw_template *template_, const tw_template_source *source,
                tw_format_error *error)
{
    const char *text = source->text;
    size_t size = source->size;
    bool whole = false;
    const char *name = source->name != NULL ? source->name : "default";
    int code = read_source(template_, source, &whole, error);
    if (code == TW_OK && (whole || text == NULL)) {
        const tw_value *found = template_in(template_->config.root, name);
        if (found == NULL) {
            return fail(error, TW_ERROR_SCHEMA,
                        source->name != NULL
                            ? "there is no `chat_template` of that name in it"
                            : "there is no `chat_template` in it");
        }
        text = found->text;
        size = found->size;
    } else if (code == TW_OK && strcmp(name, "default") != 0) {
        return fail(error, TW_ERROR_SCHEMA,
                    "this is one template, and none of that name");
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
    template_->facts.nine_in_ids = says(template_, "length 9");
    template_->facts.reads_own = says(template_, "toolwire_call");
    template_->facts.tells_losses = says(template_, "toolwire_loss");
    template_->facts.reads_documents = says(template_, "in documents");
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
