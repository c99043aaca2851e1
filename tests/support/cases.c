/* SPDX-License-Identifier: MIT
 *
 * Reads a line of a conformance file, decodes its input and compares with what
 * it expects.
 */
#include "cases.h"

#include <dirent.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "json/dump.h"

static const tw_memory *memory(void)
{
    static tw_memory heap;
    heap = tw_memory_from(NULL);
    return &heap;
}

static void *room(size_t count, size_t each)
{
    void *block = calloc(count > 0 ? count : 1, each);
    if (block == NULL) {
        abort();
    }
    return block;
}

/* ---- files -------------------------------------------------------------- */

static naive_bytes read_all(FILE *file)
{
    naive_bytes text = {0};
    char piece[4096];
    size_t size;
    while ((size = fread(piece, 1, sizeof piece, file)) > 0) {
        naive_add(&text, piece, size);
    }
    return text;
}

json_lines json_lines_read(FILE *file)
{
    json_lines read = {0};
    naive_bytes text = read_all(file);
    for (size_t i = 0; i < text.size; i++) {
        read.count += text.data[i] == '\n';
    }
    read.lines = room(read.count, sizeof *read.lines);
    const char *at = text.data;
    for (size_t i = 0; i < read.count; i++) {
        const char *end = strchr(at, '\n');
        tw_tree_init(&read.lines[i], memory());
        if (end == NULL || tw_tree_read(&read.lines[i], at, (size_t)(end - at),
                                        false) != TW_OK) {
            fprintf(stderr, "line %zu is not JSON\n", i + 1);
            abort();
        }
        at = end + 1;
    }
    naive_release(&text);
    return read;
}

void json_lines_free(json_lines *read)
{
    for (size_t i = 0; i < read->count; i++) {
        tw_tree_free(&read->lines[i]);
    }
    free(read->lines);
}

/* ---- cases -------------------------------------------------------------- */

static const char *text_of(const tw_value *object, const char *key)
{
    const tw_value *value = tw_value_member(object, key);
    return value != NULL && value->kind == TW_VALUE_STRING ? value->text
                                                           : NULL;
}

static bool flag_of(const tw_value *object, const char *key)
{
    const tw_value *value = tw_value_member(object, key);
    return value != NULL && value->kind == TW_VALUE_TRUE;
}

static char from_hex(const char *digits)
{
    const char two[] = {digits[0], digits[1], 0};
    return (char)strtol(two, NULL, 16);
}

static void read_input(conformance_case *one, const tw_value *line)
{
    const tw_value *text = tw_value_member(line, "input");
    const tw_value *hex = tw_value_member(line, "input_hex");
    text = text != NULL ? text : tw_value_member(line, "expect_text");
    one->size = text != NULL ? text->size : hex->size / 2;
    one->text = room(one->size + 1, 1);
    for (size_t i = 0; i < one->size; i++) {
        one->text[i] =
            text != NULL ? text->text[i] : from_hex(hex->text + 2 * i);
    }
}

/* Compact JSON, ended by a NUL. */
static char *json_of(const tw_value *value)
{
    static const char end = 0;
    tw_json_out json = {.memory = memory()};
    tw_json_put_value(&json, value);
    tw_json_put_text(&json, &end, 1);
    char *text = room(json.out.size, 1);
    memcpy(text, json.out.data, json.out.size);
    tw_buffer_free(&json.out, memory());
    return text;
}

/* A name by itself, or that of a function's declaration. */
static const char *tool_name(const tw_value *tool)
{
    return tool->kind == TW_VALUE_STRING
               ? tool->text
               : text_of(tw_value_member(tool, "function"), "name");
}

static void read_tools(conformance_case *one, const tw_value *tools)
{
    size_t count = 0;
    for (const tw_value *tool = tools->first; tool != NULL;
         tool = tool->next) {
        count++;
    }
    const char **names = room(count, sizeof *names);
    count = 0;
    for (const tw_value *tool = tools->first; tool != NULL;
         tool = tool->next) {
        names[count++] = tool_name(tool);
    }
    one->tools = json_of(tools);
    one->options.declared = one->tools;
    one->options.has_tools = true;
    one->options.tools = names;
    one->options.tool_count = count;
}

static void read_case(conformance_case *one, const tw_value *line)
{
    const tw_value *options = tw_value_member(line, "options");
    const tw_value *message = tw_value_member(line, "message");
    const tw_value *tools =
        tw_value_member(message != NULL ? line : options, "tools");
    const tw_value *listed = tw_value_member(line, "diagnostics");
    one->id = text_of(line, "id");
    one->format_name = text_of(line, "format");
    one->kind = text_of(line, "class");
    one->expect = tw_value_member(line, "expect");
    one->options.start_reasoning = text_of(options, "start") != NULL;
    one->options.recover_stripped = flag_of(options, "recover_stripped");
    const char *finish = text_of(options, "finish");
    one->says_finish = finish != NULL;
    one->options.length = finish != NULL ? strcmp(finish, "length") == 0
                                         : case_is(one, "truncated");
    one->options.untyped_json = text_of(options, "untyped") != NULL;
    one->diagnosed = listed != NULL && listed->first != NULL;
    one->message = message != NULL ? json_of(message) : NULL;
    read_input(one, line);
    if (tools != NULL) {
        read_tools(one, tools);
    }
}

conformance conformance_read_file(const char *path,
                                  const tw_format *(*find)(const char *name))
{
    conformance read = {0};
    FILE *file = fopen(path, "rb");
    if (file == NULL) {
        fprintf(stderr, "cannot read %s\n", path);
        abort();
    }
    read.lines = json_lines_read(file);
    fclose(file);
    read.count = read.lines.count;
    read.cases = room(read.count, sizeof *read.cases);
    for (size_t i = 0; i < read.count; i++) {
        read_case(&read.cases[i], read.lines.lines[i].root);
        read.cases[i].format = find(read.cases[i].format_name);
    }
    return read;
}

conformance conformance_read(const char *folder, const char *format)
{
    char path[4096];
    format_path(path, sizeof path, folder, "decode", format);
    conformance read = conformance_read_file(path, tw_format_find);
    for (size_t i = 0; i < read.count; i++) {
        conformance_case *one = &read.cases[i];
        if (one->format == NULL) {
            fprintf(stderr, "%s: no such format\n", one->id);
            abort();
        }
    }
    return read;
}

void conformance_free(conformance *read)
{
    for (size_t i = 0; i < read->count; i++) {
        free(read->cases[i].text);
        free(read->cases[i].tools);
        free(read->cases[i].message);
        free((void *)(uintptr_t)read->cases[i].options.tools);
    }
    free(read->cases);
    json_lines_free(&read->lines);
}

void conformance_each(const char *folder, const char *format,
                      void (*check)(const conformance_case *))
{
    conformance file = conformance_read(folder, format);
    for (size_t i = 0; i < file.count; i++) {
        check(&file.cases[i]);
    }
    conformance_free(&file);
}

static void each_of_file(const char *path,
                         void (*check)(const conformance_case *))
{
    conformance file = conformance_read_file(path, tw_format_find);
    for (size_t i = 0; i < file.count; i++) {
        if (file.cases[i].format != NULL) {
            check(&file.cases[i]);
        }
    }
    conformance_free(&file);
}

size_t conformance_each_described(const char *folder,
                                  void (*check)(const conformance_case *))
{
    char path[1024];
    const struct dirent *entry;
    size_t files = 0;
    snprintf(path, sizeof path, "%s/formats", folder);
    DIR *described = opendir(path);
    while (described != NULL && (entry = readdir(described)) != NULL) {
        if (strstr(entry->d_name, ".jsonl") != NULL) {
            snprintf(path, sizeof path, "%s/formats/%s", folder,
                     entry->d_name);
            each_of_file(path, check);
            files++;
        }
    }
    if (described != NULL) {
        closedir(described);
    }
    return files;
}

bool case_is(const conformance_case *one, const char *kind)
{
    return strcmp(one->kind, kind) == 0;
}

char *case_expectation(const conformance_case *one)
{
    return json_of(one->expect);
}

tw_decoder *case_decoder(const conformance_case *one, bool strict)
{
    tw_decoder *decoder = tw_decoder_new(one->format, NULL);
    const naive_options *options = &one->options;
    if (tw_decoder_set(decoder, TW_OPTION_FRAMING, 1) != TW_OK ||
        tw_decoder_set(decoder, TW_OPTION_KEEP_RAW, 1) != TW_OK ||
        tw_decoder_set(decoder, TW_OPTION_STRICT, strict) != TW_OK ||
        tw_decoder_set(decoder, TW_OPTION_START_REASONING,
                       options->start_reasoning) != TW_OK ||
        tw_decoder_set(decoder, TW_OPTION_RECOVER_STRIPPED,
                       options->recover_stripped) != TW_OK ||
        tw_decoder_set(decoder, TW_OPTION_UNTYPED, options->untyped_json) !=
            TW_OK ||
        (one->tools != NULL &&
         tw_decoder_set_tools(decoder, one->tools, strlen(one->tools)) !=
             TW_OK)) {
        abort();
    }
    return decoder;
}

const naive_oracle *case_naive(const conformance_case *one)
{
    return naive_of(tw_format_name(one->format));
}

/* ---- what is expected --------------------------------------------------- */

static bool same_text(const tw_value *value, const char *data, size_t size)
{
    return value->size == size &&
           (size == 0 || memcmp(value->text, data, size) == 0);
}

static bool has_members(const tw_value *a, const tw_value *b)
{
    for (const tw_value *at = a->first; at != NULL; at = at->next) {
        const tw_value *mine = tw_value_member_sized(a, at->key, at->key_size);
        const tw_value *other =
            tw_value_member_sized(b, at->key, at->key_size);
        if (other == NULL || !same_json(mine, other)) {
            return false;
        }
    }
    return true;
}

bool same_json(const tw_value *a, const tw_value *b)
{
    if (a->kind != b->kind) {
        return false;
    }
    if (a->kind == TW_VALUE_OBJECT) {
        return has_members(a, b) && has_members(b, a);
    }
    if (a->kind == TW_VALUE_NUMBER) {
        return same_text(a, b->text, b->size) ||
               strtod(a->text, NULL) == strtod(b->text, NULL);
    }
    if (a->kind == TW_VALUE_STRING) {
        return same_text(a, b->text, b->size);
    }
    const tw_value *x = a->first;
    const tw_value *y = b->first;
    for (; x != NULL && y != NULL && same_json(x, y); x = x->next) {
        y = y->next;
    }
    return x == NULL && y == NULL;
}

naive_bytes log_text(const event_log *log, uint32_t type)
{
    naive_bytes text = {0};
    uint32_t segment = TW_NO_INDEX;
    naive_add(&text, "", 0);
    for (size_t i = 0; i < log->count; i++) {
        const event_record *event = &log->events[i];
        if (event->type == type) {
            if (segment != TW_NO_INDEX && segment != event->index) {
                naive_add(&text, "\n", 1);
            }
            segment = event->index;
            naive_add(&text, log->bytes + event->data, event->size);
        }
    }
    return text;
}

/* The call that ends at |end|: its begin, and its arguments. */
static const event_record *call_of(const event_log *log, size_t end,
                                   naive_bytes *arguments)
{
    const event_record *begin = NULL;
    for (size_t i = 0; i < end; i++) {
        const event_record *event = &log->events[i];
        if (event->index != log->events[end].index) {
            continue;
        }
        if (event->type == TW_EVENT_CALL_BEGIN) {
            begin = event;
        } else if (event->type == TW_EVENT_CALL_ARGUMENTS) {
            naive_add(arguments, log->bytes + event->data, event->size);
        }
    }
    return begin;
}

static const char *call_differs(const event_log *log,
                                const event_record *begin,
                                const naive_bytes *arguments,
                                const tw_value *call)
{
    const tw_value *text = tw_value_member(call, "arguments_text");
    const tw_value *expected = tw_value_member(call, "arguments");
    const tw_value *input = tw_value_member(call, "input");
    const tw_value *id = tw_value_member(call, "id");
    if (id != NULL && !same_text(id, log->bytes + begin->id, begin->id_size)) {
        return "an id";
    }
    if (!same_text(tw_value_member(call, "name"), log->bytes + begin->data,
                   begin->size)) {
        return "a name";
    }
    if (text != NULL && !same_text(text, arguments->data, arguments->size)) {
        return "the text of the arguments";
    }
    if (input != NULL) {
        return same_text(input, arguments->data, arguments->size)
                   ? NULL
                   : "the input";
    }
    tw_tree tree;
    tw_tree_init(&tree, memory());
    const bool same = tw_tree_read(&tree, arguments->data, arguments->size,
                                   false) == TW_OK &&
                      (expected == NULL || expected->kind == TW_VALUE_NULL ||
                       same_json(tree.root, expected));
    tw_tree_free(&tree);
    return same ? NULL : "the arguments";
}

static const char *some_calls_differ(const event_log *log, bool custom,
                                     const tw_value *calls)
{
    const tw_value *next = calls != NULL ? calls->first : NULL;
    for (size_t i = 0; i < log->count; i++) {
        const event_record *event = &log->events[i];
        naive_bytes arguments = {0};
        const char *wrong = NULL;
        if (event->type != TW_EVENT_CALL_END ||
            event->code != TW_CALL_COMPLETE) {
            continue;
        }
        const event_record *begin = call_of(log, i, &arguments);
        if (((begin->flags & TW_EVENT_CUSTOM) != 0) == custom) {
            wrong = next == NULL ? "a call too many"
                                 : call_differs(log, begin, &arguments, next);
            next = next != NULL ? next->next : NULL;
        }
        naive_release(&arguments);
        if (wrong != NULL) {
            return wrong;
        }
    }
    return next == NULL ? NULL : "a call is missing";
}

const char *calls_differ(const event_log *log, const tw_value *calls)
{
    return some_calls_differ(log, false, calls);
}

/* Null and blank text are the same. */
static bool is_text(const event_log *log, uint32_t type,
                    const tw_value *expected)
{
    naive_bytes text = log_text(log, type);
    const bool blank = strspn(text.data, " \t\r\n") == text.size;
    const bool none = expected == NULL || expected->kind == TW_VALUE_NULL ||
                      strspn(expected->text, " \t\r\n") == expected->size;
    const bool same = (none && blank) ||
                      (!none && same_text(expected, text.data, text.size));
    naive_release(&text);
    return same;
}

/* Does a number of that spelling stand in the text? */
static bool holds(const naive_bytes *text, const tw_value *lexeme)
{
    const size_t size = lexeme->size;
    bool found = false;
    for (size_t at = 0; at + size <= text->size && !found; at++) {
        const char behind = at + size < text->size ? text->data[at + size] : 0;
        found = memcmp(text->data + at, lexeme->text, size) == 0 &&
                strchr("+-.0123456789Ee", behind) == NULL;
    }
    return found;
}

/* Is there a member |key| of that spelling in any call?  Where it has no key,
 * any value. */
static bool has_lexeme(const event_log *log, const tw_value *lexeme)
{
    bool found = false;
    for (size_t i = 0; i < log->count && !found; i++) {
        naive_bytes arguments = {0};
        tw_tree tree;
        tw_tree_init(&tree, memory());
        if (log->events[i].type == TW_EVENT_CALL_END &&
            call_of(log, i, &arguments) != NULL &&
            tw_tree_read(&tree, arguments.data, arguments.size, false) ==
                TW_OK) {
            const tw_value *value =
                lexeme->key != NULL ? tw_value_member(tree.root, lexeme->key)
                                    : NULL;
            found = lexeme->key == NULL
                        ? holds(&arguments, lexeme)
                        : value != NULL &&
                              same_text(lexeme, value->text, value->size);
        }
        tw_tree_free(&tree);
        naive_release(&arguments);
    }
    return found;
}

static const char *lexemes_differ(const event_log *log,
                                  const tw_value *lexemes)
{
    const tw_value *lexeme = lexemes != NULL ? lexemes->first : NULL;
    for (; lexeme != NULL; lexeme = lexeme->next) {
        if (!has_lexeme(log, lexeme)) {
            return "a lexeme";
        }
    }
    return NULL;
}

static bool is_unparsed_count(const event_log *log, const tw_value *expected)
{
    long count = 0;
    for (size_t i = 0; i < log->count; i++) {
        count += log->events[i].type == TW_EVENT_UNPARSED;
    }
    return count == (expected != NULL ? strtol(expected->text, NULL, 10) : 0);
}

const char *case_differs(const conformance_case *one, const event_log *log)
{
    const tw_value *expect = one->expect;
    if (log->error != 0) {
        return "an error";
    }
    if (!is_text(log, TW_EVENT_TEXT, tw_value_member(expect, "content"))) {
        return "the content";
    }
    if (!is_text(log, TW_EVENT_REASONING,
                 tw_value_member(expect, "reasoning"))) {
        return "the reasoning";
    }
    if (!is_unparsed_count(log, tw_value_member(expect, "unparsed"))) {
        return "the number of unparsed blocks";
    }
    const char *wrong =
        calls_differ(log, tw_value_member(expect, "tool_calls"));
    if (wrong == NULL) {
        wrong = some_calls_differ(log, true,
                                  tw_value_member(expect, "custom_calls"));
    }
    return wrong != NULL
               ? wrong
               : lexemes_differ(log, tw_value_member(expect, "lexemes"));
}

const char *case_diagnosis_differs(const conformance_case *one,
                                   const event_log *log)
{
    const bool canonical = case_is(one, "canonical");
    bool diagnosed = false;
    for (size_t i = 0; i < log->count; i++) {
        const event_record *event = &log->events[i];
        const tw_diagnostic *said = event->type == TW_EVENT_DIAGNOSTIC
                                        ? tw_diagnostic_get(event->code)
                                        : NULL;
        diagnosed |= said != NULL;
        if (canonical && said != NULL && !said->warning) {
            return said->name;
        }
    }
    return one->diagnosed && !canonical && !diagnosed
               ? "a deviation is not diagnosed"
               : NULL;
}
