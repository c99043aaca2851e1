/* SPDX-License-Identifier: MIT
 *
 * The conformance cases of formats, put to the naive decoder with the
 * descriptions of grammar/.  Prints a line for each case that is not right and
 * a count for each file.
 *
 *     naive_frame_cases GRAMMAR [-ID...] FILE.jsonl...
 *
 * The cases ID are expected to fail: one that does not is wrong.
 */
#include <toolwire.h>

#include "naive/naive_frame.h"
#include "naive/naive_frame_back.h"
#include "naive/naive_frame_emit.h"
#include "toolwire.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

typedef struct named_format {
    naive_bytes name;
    frame_description format;
    bool loaded;
} named_format;

static char **excepted;
static size_t excepted_count;
static named_format formats[128];
static size_t format_count;
static const char *folder;

/* --- files ------------------------------------------------------------- */

static bool read_file(const char *path, naive_bytes *out)
{
    FILE *file = fopen(path, "rb");
    char buffer[4096];
    size_t size;

    if (!file)
        return false;
    naive_add(out, "", 0);
    while ((size = fread(buffer, 1, sizeof buffer, file)) > 0)
        naive_add(out, buffer, size);
    fclose(file);
    return true;
}

static void show(const char *label, const naive_bytes *bytes)
{
    printf("  %s \"", label);
    for (size_t i = 0; i < bytes->size; i++) {
        const char c = bytes->data[i];

        if (c == '\n')
            printf("\\n");
        else
            putchar(c);
    }
    printf("\"\n");
}

/* An example is canonical and holds one call. */
static void check_example(const named_format *named)
{
    const frame_description *format = &named->format;
    const frame_options options = {0};
    naive_message message = {0};

    if (!format->example) {
        printf("%s: no example\n", named->name.data);
        return;
    }
    naive_frame(format, &options, format->example, strlen(format->example),
                &message);
    if (message.call_count != 1 || message.unparsed_count ||
        message.diagnostic_count) {
        printf("%s: the example has %zu calls, %zu unparsed, %zu diagnostics",
               named->name.data, message.call_count, message.unparsed_count,
               message.diagnostic_count);
        for (size_t i = 0; i < message.diagnostic_count; i++)
            printf(" %s", message.diagnostics[i].code);
        printf("\n");
    }
    naive_message_release(&message);
}

static void describe(const char *name, naive_bytes *out)
{
    const tw_format *format = tw_format_find(name);
    const size_t size = format ? tw_format_describe(format, NULL, 0) : 0;

    if (size > 0) {
        out->data = naive_grow(NULL, size + 1);
        out->size = tw_format_describe(format, out->data, size + 1);
    }
}

static const frame_description *format_named(const char *name)
{
    named_format *named;
    naive_bytes path = {0}, json = {0};
    const char *error;

    for (size_t i = 0; i < format_count; i++)
        if (strcmp(formats[i].name.data, name) == 0)
            return formats[i].loaded ? &formats[i].format : NULL;
    named = &formats[format_count++];
    naive_add_text(&named->name, name);
    naive_add_text(&path, folder);
    naive_add_text(&path, "/");
    /* A family's plain name means one of its dialects. */
    const tw_format *format = tw_format_find(name);
    for (const char *at = format ? tw_format_name(format) : name; *at; at++)
        naive_add(&path, *at == '/' ? "-" : at, 1);
    naive_add_text(&path, ".json");
    read_file(path.data, &json);
    if (!json.data)
        describe(name, &json); /* by its short name */
    if (!json.data)
        printf("%s: no description\n", name);
    else if (!frame_load(json.data, json.size, &named->format, &error))
        printf("%s: %s\n", path.data, error);
    else
        named->loaded = true;
    naive_release(&path);
    naive_release(&json);
    if (named->loaded)
        check_example(named);
    return named->loaded ? &named->format : NULL;
}

/* --- one case ---------------------------------------------------------- */

static bool is_blank(const char *text)
{
    return !text || text[strspn(text, " \t\r\n")] == 0;
}

/* null and blank are equal. */
static bool same_text(const naive_tree *expected, const naive_bytes *got,
                      bool has)
{
    const char *want = naive_tree_text(expected);

    if (is_blank(want))
        return !has || is_blank(got->data);
    return has && got->size == expected->text.size &&
           memcmp(want, got->data, got->size) == 0;
}

static size_t distinct_keys(const naive_tree *object)
{
    size_t count = 0;

    for (size_t i = 0; i < object->count; i++)
        count += naive_tree_get(object, object->children[i].key.data) ==
                 &object->children[i];
    return count;
}

/* As parsers see them: of a key that stands twice the last one counts. */
static bool same_value(const naive_tree *want, const naive_tree *got)
{
    if (want->kind != got->kind)
        return false;
    if (want->kind == NAIVE_OBJECT) {
        if (distinct_keys(want) != distinct_keys(got))
            return false;
        for (size_t i = 0; i < want->count; i++) {
            const char *key = want->children[i].key.data;
            const naive_tree *other = naive_tree_get(got, key);

            if (!other || !same_value(naive_tree_get(want, key), other))
                return false;
        }
        return true;
    }
    if (want->kind != NAIVE_ARRAY)
        return naive_tree_same(want, got);
    for (size_t i = 0; i < want->count && i < got->count; i++)
        if (!same_value(&want->children[i], &got->children[i]))
            return false;
    return want->count == got->count;
}

static const char *compare_arguments(const naive_tree *want,
                                     const naive_call *got)
{
    const naive_tree *arguments = naive_tree_get(want, "arguments");
    const char *text = naive_tree_text(naive_tree_get(want, "arguments_text"));
    naive_tree tree;
    bool same;

    if (text && strcmp(text, got->arguments.data) != 0)
        return "arguments_text";
    if (!naive_tree_read(got->arguments.data, got->arguments.size, &tree))
        return "arguments are not JSON";
    same = !arguments || arguments->kind == NAIVE_NULL ||
           same_value(arguments, &tree);
    naive_tree_release(&tree);
    return same ? NULL : "arguments";
}

static const char *compare_calls(const naive_tree *expected,
                                 const naive_message *got)
{
    const naive_tree *calls = naive_tree_get(expected, "tool_calls");
    const naive_tree *customs = naive_tree_get(expected, "custom_calls");
    size_t next = 0, next_custom = 0;

    for (size_t i = 0; i < got->call_count; i++) {
        const naive_call *call = &got->calls[i];
        const naive_tree *list = call->custom ? customs : calls;
        size_t *at = call->custom ? &next_custom : &next;
        const char *name, *id, *wrong;

        if (!list || *at == list->count)
            return "a call too many";
        name = naive_tree_text(naive_tree_get(&list->children[*at], "name"));
        id = naive_tree_text(naive_tree_get(&list->children[*at], "id"));
        if (!name || strcmp(name, call->name.data) != 0)
            return "name";
        if (id && strcmp(id, call->id.data) != 0)
            return "id";
        if (call->custom) {
            const char *input =
                naive_tree_text(naive_tree_get(&list->children[*at], "input"));

            if (input && strcmp(input, call->arguments.data) != 0)
                return "input";
        } else {
            wrong = compare_arguments(&list->children[*at], call);
            if (wrong)
                return wrong;
        }
        ++*at;
    }
    if (next < (calls ? calls->count : 0) ||
        next_custom < (customs ? customs->count : 0))
        return "a call is missing";
    return NULL;
}

/* The spellings that must survive. */
static const char *compare_lexemes(const naive_tree *expected,
                                   const naive_message *got)
{
    const naive_tree *lexemes = naive_tree_get(expected, "lexemes");

    for (size_t i = 0; lexemes && i < lexemes->count; i++) {
        bool found = false;

        for (size_t c = 0; c < got->call_count; c++)
            found = found || strstr(got->calls[c].arguments.data,
                                    lexemes->children[i].text.data);
        if (!found)
            return "a lexeme is missing";
    }
    return NULL;
}

/* A canonical input is not diagnosed, but for warnings. */
static const char *compare_diagnostics(const naive_tree *kase,
                                       const naive_message *got)
{
    static const char *const warnings[] = {"lone_surrogate", "undeclared_tool",
                                           "name_whitespace"};
    const char *kind = naive_tree_text(naive_tree_get(kase, "class"));

    if (!kind || strcmp(kind, "canonical") != 0)
        return NULL;
    for (size_t i = 0; i < got->diagnostic_count; i++) {
        bool warning = false;

        for (size_t w = 0; w < 3; w++)
            warning =
                warning || strcmp(warnings[w], got->diagnostics[i].code) == 0;
        if (!warning)
            return got->diagnostics[i].code;
    }
    return NULL;
}

static const char *compare(const naive_tree *kase, const naive_message *got)
{
    const naive_tree *expected = naive_tree_get(kase, "expect");
    const naive_tree *unparsed = naive_tree_get(expected, "unparsed");
    size_t due = unparsed ? strtoul(unparsed->text.data, NULL, 10) : 0;
    const char *wrong = NULL;

    if (!same_text(naive_tree_get(expected, "content"), &got->content,
                   got->has_content))
        return "content";
    if (!same_text(naive_tree_get(expected, "reasoning"), &got->reasoning,
                   got->has_reasoning))
        return "reasoning";
    wrong = compare_calls(expected, got);
    if (!wrong && due != got->unparsed_count)
        wrong = "unparsed";
    wrong = wrong ? wrong : compare_lexemes(expected, got);
    return wrong ? wrong : compare_diagnostics(kase, got);
}

static void read_hex(const char *hex, naive_bytes *out)
{
    for (; hex[0] && hex[1]; hex += 2) {
        char digits[3] = {hex[0], hex[1], 0};
        char byte = (char)strtoul(digits, NULL, 16);

        naive_add(out, &byte, 1);
    }
}

static void explain(const naive_tree *kase, const naive_message *got,
                    const char *wrong, const naive_bytes *input)
{
    const naive_tree *expected = naive_tree_get(kase, "expect");
    const naive_tree *content = naive_tree_get(expected, "content");

    printf("%s: %s\n", naive_tree_text(naive_tree_get(kase, "id")), wrong);
    show("input    ", input);
    if (content)
        show("expected ", &content->text);
    show("content  ", &got->content);
    if (got->reasoning.size)
        show("reasoning", &got->reasoning);
    for (size_t i = 0; i < got->call_count; i++) {
        show("call     ", &got->calls[i].name);
        show("         ", &got->calls[i].arguments);
    }
    for (size_t i = 0; i < got->unparsed_count; i++)
        printf("  unparsed  %s [%zu, +%zu)\n", got->unparsed[i].reason,
               got->unparsed[i].offset, got->unparsed[i].size);
    for (size_t i = 0; i < got->diagnostic_count; i++)
        printf("  said      %s %zu\n", got->diagnostics[i].code,
               got->diagnostics[i].offset);
    printf("  note      %s\n", naive_tree_text(naive_tree_get(kase, "note")));
}

static bool run_decode(const frame_description *format, const naive_tree *kase)
{
    const naive_tree *options = naive_tree_get(kase, "options");
    const char *start = naive_tree_text(naive_tree_get(options, "start"));
    const char *kind = naive_tree_text(naive_tree_get(kase, "class"));
    const char *finish = naive_tree_text(naive_tree_get(options, "finish"));
    const char *untyped = naive_tree_text(naive_tree_get(options, "untyped"));
    const frame_options given = {
        .start_reasoning = start && strcmp(start, "reasoning") == 0,
        .length = strcmp(finish ? finish : kind, "length") == 0 ||
                  (!finish && strcmp(kind, "truncated") == 0),
        .untyped_json = untyped && strcmp(untyped, "json") == 0,
        .tools = naive_tree_get(options, "tools")};
    const naive_tree *hex = naive_tree_get(kase, "input_hex");
    const naive_tree *text = naive_tree_get(kase, "input");
    naive_bytes input = {0};
    naive_message message = {0};
    const char *wrong;

    naive_add(&input, "", 0);
    if (hex)
        read_hex(hex->text.data, &input);
    else
        naive_add(&input, text->text.data, text->text.size);
    naive_frame(format, &given, input.data, input.size, &message);
    wrong = compare(kase, &message);
    wrong = wrong ? wrong : frame_compare_back(format, &given, &message);
    if (wrong)
        explain(kase, &message, wrong, &input);
    naive_message_release(&message);
    naive_release(&input);
    return !wrong;
}

/* Without the declared tools a tagged value is a string. */
static bool keeps_types(const frame_description *format)
{
    return format->argument.count == 0 &&
           (format->call.count == 0 ||
            frame_body(&format->call.items[0]) != HOLE_ELEMENTS);
}

/* What was written reads back as the message (M3). */
static const char *compare_back(const frame_description *format,
                                const naive_tree *message,
                                const naive_bytes *text)
{
    const naive_tree *calls = naive_tree_get(message, "tool_calls");
    const char *thought =
        naive_tree_text(naive_tree_get(message, "reasoning_content"));
    const frame_options options = {.start_reasoning =
                                       frame_starts_inside(format) && thought};
    const size_t due = calls ? calls->count : 0;
    naive_message back = {0};
    const char *wrong = NULL;

    naive_frame(format, &options, text->data, text->size, &back);
    if (back.unparsed_count || back.diagnostic_count)
        wrong = "diagnosed when read back";
    if (back.call_count != due || back.has_reasoning != !is_blank(thought))
        wrong = "another message when read back";
    for (size_t i = 0; !wrong && i < due; i++) {
        const naive_tree *function =
            naive_tree_get(&calls->children[i], "function");
        const naive_tree *arguments = naive_tree_get(function, "arguments");
        naive_tree want, got;

        if (!function)
            continue;
        if (strcmp(back.calls[i].name.data,
                   naive_tree_text(naive_tree_get(function, "name"))) != 0)
            wrong = "another name when read back";
        if (!keeps_types(format) || arguments->kind != NAIVE_STRING)
            continue;
        naive_tree_read(arguments->text.data, arguments->text.size, &want);
        naive_tree_read(back.calls[i].arguments.data,
                        back.calls[i].arguments.size, &got);
        if (!same_value(&want, &got))
            wrong = "other arguments when read back";
        naive_tree_release(&want);
        naive_tree_release(&got);
    }
    naive_message_release(&back);
    return wrong;
}

static bool run_emit(const frame_description *format, const naive_tree *kase)
{
    const naive_tree *expected = naive_tree_get(kase, "expect_text");
    naive_bytes text = {0};
    const char *wrong;

    naive_add(&text, "", 0);
    naive_frame_emit(format, naive_tree_get(kase, "message"), &text);
    wrong = compare_back(format, naive_tree_get(kase, "message"), &text);
    if (strcmp(text.data, expected->text.data) != 0)
        wrong = "emit";
    if (wrong) {
        printf("%s: %s\n", naive_tree_text(naive_tree_get(kase, "id")), wrong);
        show("expected ", &expected->text);
        show("written  ", &text);
    }
    naive_release(&text);
    return !wrong;
}

static bool is_excepted(const naive_tree *kase)
{
    const char *id = naive_tree_text(naive_tree_get(kase, "id"));

    for (size_t i = 0; id && i < excepted_count; i++)
        if (strcmp(excepted[i] + 1, id) == 0)
            return true;
    return false;
}

/* --- a file of cases --------------------------------------------------- */

static size_t run_file(const char *path, size_t *wrong)
{
    naive_bytes file = {0};
    size_t count = 0, bad = 0;

    if (!read_file(path, &file)) {
        printf("%s: cannot be read\n", path);
        ++*wrong;
        return 0;
    }
    if (file.size && file.data[file.size - 1] != '\n')
        naive_add_text(&file, "\n");
    for (char *line = file.data, *end; (end = strchr(line, '\n')) != NULL;
         line = end + 1) {
        naive_tree kase;
        const frame_description *format;
        const char *name;
        bool good;

        if (!naive_tree_read(line, (size_t)(end - line), &kase)) {
            printf("%s: a line is not JSON\n", path);
            bad++;
            continue;
        }
        name = naive_tree_text(naive_tree_get(&kase, "format"));
        format = name ? format_named(name) : NULL;
        count++;
        good = format && (naive_tree_get(&kase, "expect_text")
                              ? run_emit(format, &kase)
                              : run_decode(format, &kase));
        if (is_excepted(&kase)) {
            printf("%s\n", good ? "  it is right, but expected to fail"
                                : "  as expected");
            good = !good;
        }
        bad += !good;
        naive_tree_release(&kase);
    }
    printf("%s: %zu of %zu\n",
           strrchr(path, '/') ? strrchr(path, '/') + 1 : path, count - bad,
           count);
    naive_release(&file);
    *wrong += bad;
    return count;
}

int main(int count, char **arguments)
{
    size_t cases = 0, wrong = 0;

    if (count < 3) {
        fprintf(stderr, "usage: naive_frame_cases GRAMMAR FILE.jsonl...\n");
        return 2;
    }
    folder = arguments[1];
    excepted = arguments + 2;
    while (excepted_count + 2 < (size_t)count &&
           excepted[excepted_count][0] == '-')
        excepted_count++;
    for (int i = 2 + (int)excepted_count; i < count; i++)
        cases += run_file(arguments[i], &wrong);
    for (size_t i = 0; i < format_count; i++) {
        if (formats[i].loaded)
            frame_release(&formats[i].format);
        naive_release(&formats[i].name);
    }
    printf("%zu of %zu cases\n", cases - wrong, cases);
    return wrong > 0;
}
