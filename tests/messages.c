/* SPDX-License-Identifier: MIT
 *
 * Random messages, written in each described format and read back by the naive
 * decoder, which shares no code with the library: what was written with an
 * empty report is the same message (M3 of the rules of framed formats).  Texts
 * are made of pieces of the format itself.
 *
 *     messages COUNT SEED [NAME...]
 *
 * Prints, for each format, how many messages were carried whole, how many with
 * a report, and how many were refused.
 */
#include <dirent.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "naive/naive_frame.h"
#include "naive/naive_frame_back.h"
#include "support/loaded.h"
#include "support/random_request.h"

typedef struct named_format {
    char *json;
    size_t size;
    loaded_format made;
    frame_description naive;
} named_format;

#define PICK(list) (list)[random_below(sizeof(list) / sizeof *(list))]

static bool once_in(uint32_t count)
{
    return random_below(count) == 0;
}

/* ---- messages ----------------------------------------------------------- */

/* Tools with parameters of all types, and one without. */
static const char tools[] =
    "[{\"type\":\"function\",\"function\":{\"name\":\"save\",\"parameters\":{"
    "\"type\":\"object\",\"properties\":{"
    "\"text\":{\"type\":\"string\"},\"count\":{\"type\":\"integer\"},"
    "\"ratio\":{\"type\":\"number\"},\"on\":{\"type\":\"boolean\"},"
    "\"tags\":{\"type\":\"array\"},\"meta\":{\"type\":\"object\"},"
    "\"note\":{\"type\":[\"string\",\"null\"]},"
    "\"any\":{\"description\":\"x\"},"
    "\"ref\":{\"anyOf\":[{\"type\":\"integer\"},{\"type\":\"string\"}]}}}}},"
    "{\"type\":\"function\",\"function\":{\"name\":\"now\",\"parameters\":{"
    "\"type\":\"object\",\"properties\":{}}}}]";

static const char *const pieces[] = {
    "Hi.",
    "a b",
    " ",
    "\n",
    "\n\n",
    "\r\n",
    "\t",
    "\"",
    "'",
    "\\",
    "{",
    "}",
    "[",
    "]",
    "<",
    ">",
    "/",
    ":",
    ",",
    "=",
    "(",
    ")",
    "null",
    "5",
    "True",
    "None",
    "{\"a\":1}",
    "[1]",
    "\xC3\xA9",
    "\xF0\x9F\x98\x80",
    "&amp;",
    "]]>",
    "<b>",
    "f(a=1)",
    "[f(a=1)]",
    "{\"name\": \"save\", \"arguments\": {}}",
    "{\"name\": \"save\", \"parameters\": {\"text\": \"x\"}}",
    "```json\n",
    "```",
    "#",
    "$",
    "%",
    "-",
    "0.5",
    "1e3",
    "007",
    "True ",
    "nul",
    "NaN",
    "(1,)",
    "'x'",
    "\"x\"",
    "\'\'\'",
    "\\\"",
    "\\u00e9",
    "\x01",
    "\x7F",
    "\xC2\xA0",
    "\xE2\x80\xA8",
    "\xEF\xBB\xBF",
    "\xEF\xBD\x9C",
    "  lead",
    "trail\n",
    "#!/bin/sh\ncd \"$x\" | grep 'a'\n",
    "</s>"};

/* Of objects inside of arguments. */
static const char *const keys_inside[] = {
    "\"a b\":", "\"\":", "\"k'\":", "\"k\\\"\":", "\"<k>\":", "\"\xC3\xA9\":"};

/* A piece of a text; seldom a word of the format, whole or in part.  Plain
 * words, such as `functools`, are left out: of two in a row the naive decoder
 * takes the first for a doubled opener, and its text is lost. */
static void add_piece(const named_format *format, tw_json_out *text)
{
    const tw_description *description = &format->made.loaded.description;
    const size_t count = description->public_count;
    const tw_marker *marker =
        count > 0 ? &description->public_markers[random_below((uint32_t)count)]
                  : NULL;
    if (!once_in(6) || marker == NULL ||
        (marker->text[0] != '<' && marker->text[0] != '[')) {
        tw_json_put(text, PICK(pieces));
        return;
    }
    const size_t size =
        once_in(2) ? marker->size : random_below((uint32_t)marker->size + 1);
    tw_json_put_text(text, marker->text, size);
}

static void add_text(const named_format *format, tw_json_out *out)
{
    tw_json_out text = {.memory = out->memory};
    for (uint32_t left = random_below(6); left > 0; left--) {
        add_piece(format, &text);
    }
    tw_json_put_string(out, (const char *)text.out.data, text.out.size);
    tw_buffer_free(&text.out, out->memory);
}

static void add_value(const named_format *format, tw_json_out *out, int depth)
{
    static const char *const scalars[] = {"null",
                                          "true",
                                          "false",
                                          "0",
                                          "-1.50",
                                          "1e3",
                                          "12345678901234567890",
                                          "-0",
                                          "1E+400",
                                          "5e-324",
                                          "9007199254740993"};
    const uint32_t kind = random_below(depth > 0 ? 8 : 5);
    if (kind < 2) {
        tw_json_put(out, PICK(scalars));
    } else if (kind < 5) {
        add_text(format, out);
    } else {
        const bool object = once_in(2);
        tw_json_put(out, object ? "{" : "[");
        for (uint32_t i = 0, count = random_below(3); i < count; i++) {
            tw_json_put(out, i > 0 ? "," : "");
            tw_json_put(out, !object ? ""
                             : i > 0 ? "\"k\":"
                                     : PICK(keys_inside));
            add_value(format, out, depth - 1);
        }
        tw_json_put(out, object ? "}" : "]");
    }
}

static void add_arguments(const named_format *format, tw_json_out *out)
{
    static const char *const keys[] = {"text", "count", "ratio", "on",
                                       "tags", "meta",  "note",  "any",
                                       "ref",  "other"};
    enum { KEYS = sizeof keys / sizeof *keys };
    const uint32_t first = random_below(KEYS);
    tw_json_put(out, "{");
    for (uint32_t i = 0, count = random_below(4); i < count; i++) {
        tw_json_put_key(out, keys[(first + i) % KEYS], i == 0);
        add_value(format, out, 2);
    }
    tw_json_put(out, "}");
}

static void add_call(const named_format *format, tw_json_out *out)
{
    static const char *const names[] = {"save", "save", "now", "a.b", "x y"};
    const char *raw = format->made.loaded.description.raw_name;
    if (raw[0] != 0 && once_in(4)) {
        tw_json_put(out, "{\"type\":\"custom\",\"custom\":{\"name\":");
        tw_json_put_string(out, raw, strlen(raw));
        tw_json_put(out, ",\"input\":");
        add_text(format, out);
        tw_json_put(out, "}}");
        return;
    }
    tw_json_put(out, "{\"type\":\"function\",\"function\":{\"name\":");
    const char *name = once_in(9) ? names[4] : PICK(names);
    tw_json_put_string(out, name, strlen(name));
    tw_json_put(out, ",\"arguments\":");
    add_arguments(format, out);
    tw_json_put(out, "}}");
}

static void add_message(const named_format *format, tw_json_out *out)
{
    tw_json_put(out, "{\"role\":\"assistant\",\"content\":");
    if (once_in(3)) {
        tw_json_put(out, "null");
    } else {
        add_text(format, out);
    }
    if (once_in(3)) {
        tw_json_put(out, ",\"reasoning_content\":");
        add_text(format, out);
    }
    const uint32_t count = once_in(4) ? 0 : 1 + random_below(3);
    tw_json_put(out, count > 0 ? ",\"tool_calls\":[" : "");
    for (uint32_t i = 0; i < count; i++) {
        tw_json_put(out, i > 0 ? "," : "");
        add_call(format, out);
    }
    tw_json_put(out, count > 0 ? "]}" : "}");
}

/* ---- reading back ------------------------------------------------------- */

/* Null and empty text are equal. */
static bool same_text(const naive_tree *given, const naive_bytes *got)
{
    const size_t size =
        given != NULL && given->kind == NAIVE_STRING ? given->text.size : 0;
    return size == got->size &&
           (size == 0 || memcmp(given->text.data, got->data, size) == 0);
}

static const char *compare_call(const naive_tree *given, const naive_call *got)
{
    const naive_tree *custom = naive_tree_get(given, "custom");
    const naive_tree *function =
        custom != NULL ? custom : naive_tree_get(given, "function");
    naive_tree arguments;
    if (got->custom != (custom != NULL) ||
        !same_text(naive_tree_get(function, "name"), &got->name)) {
        return "another call";
    }
    if (custom != NULL) {
        return same_text(naive_tree_get(custom, "input"), &got->arguments)
                   ? NULL
                   : "other free text";
    }
    if (!naive_tree_read(got->arguments.data, got->arguments.size,
                         &arguments)) {
        return "arguments that are not JSON";
    }
    const bool same =
        naive_tree_same(naive_tree_get(function, "arguments"), &arguments);
    naive_tree_release(&arguments);
    return same ? NULL : "other arguments";
}

static const char *compare(const naive_tree *given, const naive_message *got)
{
    const naive_tree *calls = naive_tree_get(given, "tool_calls");
    const size_t count = calls != NULL ? calls->count : 0;
    const char *wrong = NULL;
    if (!same_text(naive_tree_get(given, "content"), &got->content)) {
        return "other content";
    }
    if (!same_text(naive_tree_get(given, "reasoning_content"),
                   &got->reasoning)) {
        return "other reasoning";
    }
    if (got->unparsed_count > 0 || got->call_count != count) {
        return "other calls";
    }
    for (size_t i = 0; i < count && wrong == NULL; i++) {
        wrong = compare_call(&calls->children[i], &got->calls[i]);
    }
    return wrong;
}

/* What is wrong with |text|, written for the message |json|; NULL: nothing. */
static const char *read_back(const named_format *format, const tw_buffer *json,
                             const char *text, size_t size)
{
    naive_tree message;
    naive_tree declared;
    naive_message got = {0};
    frame_options options = {.tools = &declared};
    if (!naive_tree_read((const char *)json->data, json->size, &message) ||
        !naive_tree_read(tools, sizeof tools - 1, &declared)) {
        abort();
    }
    const naive_tree *thought = naive_tree_get(&message, "reasoning_content");
    options.start_reasoning = frame_starts_inside(&format->naive) &&
                              thought != NULL && thought->text.size > 0;
    naive_frame(&format->naive, &options, text, size, &got);
    const char *wrong = compare(&message, &got);
    naive_message_release(&got);
    naive_tree_release(&message);
    naive_tree_release(&declared);
    return wrong;
}

/* ---- a format ----------------------------------------------------------- */

static void show(const char *label, const void *data, size_t size)
{
    const unsigned char *at = data;
    printf("    %-8s ", label);
    for (size_t i = 0; i < size; i++) {
        printf(at[i] < ' ' ? "\\x%02x" : "%c", at[i]);
    }
    printf("\n");
}

/* {"messages":[|message|],"tools":...} */
static void make_request(tw_json_out *out, const tw_buffer *message)
{
    tw_json_put(out, "{\"messages\":[");
    tw_json_put_text(out, (const char *)message->data, message->size);
    tw_json_put(out, "],\"tools\":");
    tw_json_put(out, tools);
    tw_json_put(out, "}");
}

static unsigned try_format(const named_format *format, unsigned count,
                           uint64_t seed)
{
    const tw_memory memory = tw_memory_from(NULL);
    tw_encoder *encoder = tw_encoder_new(&format->made.format, NULL);
    unsigned whole = 0, reported = 0, refused = 0, bad = 0;
    for (unsigned i = 0; i < count; i++) {
        tw_json_out message = {.memory = &memory};
        tw_json_out request = {.memory = &memory};
        const tw_error *report;
        const char *text;
        size_t size;
        random_seed(seed + i);
        add_message(format, &message);
        make_request(&request, &message.out);
        const int result = tw_encode(encoder, (const char *)request.out.data,
                                     request.out.size, &text, &size);
        const bool lossy = tw_encoder_report(encoder, 0, &report) == 1;
        refused += result != TW_OK;
        reported += result == TW_OK && lossy;
        if (result == TW_OK && !lossy) {
            const char *wrong = read_back(format, &message.out, text, size);
            whole++;
            if (wrong != NULL && bad++ == 0) {
                printf("%s: seed %llu: %s\n", format->made.format.name,
                       (unsigned long long)(seed + i), wrong);
                show("message", message.out.data, message.out.size);
                show("written", text, size);
            }
        } else if (result != TW_OK && result != TW_ERROR_CANNOT_CARRY &&
                   result != TW_ERROR_CONTROL_TEXT) {
            printf("%s: seed %llu: %s\n", format->made.format.name,
                   (unsigned long long)(seed + i),
                   tw_encoder_error(encoder)->message);
            bad++;
        }
        tw_buffer_free(&message.out, &memory);
        tw_buffer_free(&request.out, &memory);
    }
    printf("%-24s %u whole, %u with a report, %u refused, %u wrong\n",
           format->made.format.name, whole, reported, refused, bad);
    tw_encoder_free(encoder);
    return bad;
}

/* ---- descriptions ------------------------------------------------------- */

static char *read_file(const char *path, size_t *size)
{
    enum { MOST = 64 * 1024 };
    FILE *file = fopen(path, "rb");
    char *data = malloc(MOST);
    if (file == NULL || data == NULL) {
        abort();
    }
    *size = fread(data, 1, MOST, file);
    fclose(file);
    return data;
}

static bool is_wanted(const char *name, int count, char **names)
{
    bool wanted = count == 0;
    for (int i = 0; i < count; i++) {
        wanted |= strcmp(names[i], name) == 0;
    }
    return wanted;
}

static unsigned try_file(const char *folder, const char *file, unsigned count,
                         uint64_t seed)
{
    char path[4096];
    const char *error;
    named_format format = {0};
    unsigned bad = 0;
    snprintf(path, sizeof path, "%s/%s", folder, file);
    format.json = read_file(path, &format.size);
    if (!loaded_make(&format.made, file, format.json, format.size)) {
        printf("%s: %s\n", file, format.made.loaded.message);
    } else if (!frame_load(format.json, format.size, &format.naive, &error)) {
        printf("%s: %s\n", file, error);
    } else {
        bad = try_format(&format, count, seed);
        frame_release(&format.naive);
    }
    loaded_free(&format.made);
    free(format.json);
    return bad;
}

static unsigned try_folder(const char *folder, char **arguments, int count)
{
    unsigned bad = 0;
    DIR *entries = opendir(folder);
    for (struct dirent *entry;
         entries != NULL && (entry = readdir(entries)) != NULL;) {
        if (strstr(entry->d_name, ".json") != NULL &&
            is_wanted(entry->d_name, count - 3, arguments + 3)) {
            bad += try_file(folder, entry->d_name,
                            (unsigned)strtoul(arguments[1], NULL, 10),
                            strtoull(arguments[2], NULL, 10));
        }
    }
    closedir(entries);
    return bad;
}

int main(int count, char **arguments)
{
    if (count < 3) {
        fprintf(stderr, "usage: messages COUNT SEED [NAME.json...]\n");
        return 2;
    }
    return try_folder(GRAMMAR_FOLDER, arguments, count) > 0;
}
