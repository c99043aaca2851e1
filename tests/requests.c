/* SPDX-License-Identifier: MIT
 *
 * Random requests, with schemas, contents and calls of all forms, in every
 * dialect that writes prompts: segments add up to the text and hold no marker
 * in data, the prompt reads back as JSON, and so does any prompt with a few
 * bytes changed; every allocation may fail.
 *
 *     requests COUNT SEED
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "json/dump.h"
#include "support/segments.h"
#include "toolwire.h"

enum { SHOWN = 5, DEPTH = 3 };

static uint64_t state;
static unsigned long done;
static unsigned long bad;
static unsigned long written;

static uint32_t below(uint32_t count)
{
    state += UINT64_C(0x9E3779B97F4A7C15);
    uint64_t z = state;
    z = (z ^ (z >> 30)) * UINT64_C(0xBF58476D1CE4E5B9);
    z = (z ^ (z >> 27)) * UINT64_C(0x94D049BB133111EB);
    return (uint32_t)((z ^ (z >> 31)) >> 32) % count;
}

#define PICK(list) (list)[below(sizeof(list) / sizeof *(list))]

/* ---- values ------------------------------------------------------------- */

static void jot_text(tw_jotter *out)
{
    static const char *const texts[] = {
        "",
        "Hi.",
        " a ",
        "\n\nb\n",
        "caf\xC3\xA9",
        "\"q\"",
        "a\\b",
        "{x}",
        "<|im_end|>",
        "a</think>b",
        "<think>\nx\n</think>\n\ny",
        "\r",
        "\t",
        "<|channel>thought\nx<channel|>y",
        "call:f{a:1}",
        "x: y",
        "// z",
        "a\n// b\nc",
        "\xF0\x9F\x98\x80",
        "<tool_response>\nx\n</tool_response>",
        "\n\n    Args:\n",
        "long text that goes on and on, over many words",
    };
    const char *text = PICK(texts);
    tw_jot_string(out, text, strlen(text));
}

static void jot_scalar(tw_jotter *out)
{
    static const char *const scalars[] = {
        "null",
        "true",
        "false",
        "0",
        "-1.50",
        "1e3",
        "\"s\"",
        "\"a b\"",
        "12345678901234567890",
        "[]",
        "{}",
        "[1,\"b\",null]",
        "{\"k\":\"v\"}",
        "1E400",
        "\"\"",
        "[[1],[{\"a\":[]}]]",
    };
    tw_jot(out, PICK(scalars));
}

static void jot_schema(tw_jotter *out, int depth);

static void jot_list(tw_jotter *out, int depth, const char *key)
{
    tw_jot(out, ",\"");
    tw_jot(out, key);
    tw_jot(out, "\":[");
    for (uint32_t count = below(4), i = 0; i < count; i++) {
        tw_jot(out, i > 0 ? "," : "");
        jot_schema(out, depth - 1);
    }
    tw_jot(out, "]");
}

static void jot_properties(tw_jotter *out, int depth)
{
    static const char *const names[] = {"a", "b_c",  "x-y", "\\u00e9",
                                        "B", "type", "p q"};
    const uint32_t count = below(4);
    const uint32_t first = below(7);
    tw_jot(out, ",\"properties\":{");
    for (uint32_t i = 0; i < count; i++) {
        tw_jot(out, i > 0 ? ",\"" : "\"");
        tw_jot(out, names[(first + i) % 7]);
        tw_jot(out, "\":");
        jot_schema(out, depth - 1);
    }
    tw_jot(out, "}");
    if (below(2) == 0) {
        tw_jot(out, ",\"required\":[");
        for (uint32_t i = 0; i < count; i++) {
            if (below(2) == 0) {
                tw_jot(out, "\"");
                tw_jot(out, names[(first + i) % 7]);
                tw_jot(out, "\",");
            }
        }
        tw_jot(out, below(3) == 0 ? "1]" : "\"a\"]");
    }
}

static void jot_keyword(tw_jotter *out, int depth)
{
    switch (below(14)) {
    case 0:
        tw_jot(out, ",\"description\":");
        jot_text(out);
        break;
    case 1:
        tw_jot(out, ",\"default\":");
        jot_scalar(out);
        break;
    case 2: tw_jot(out, ",\"enum\":[\"a\",\"b\"]"); break;
    case 3:
        tw_jot(out, ",\"enum\":");
        jot_scalar(out);
        break;
    case 4: tw_jot(out, ",\"nullable\":true"); break;
    case 5:
        tw_jot(out, ",\"title\":");
        jot_text(out);
        break;
    case 6:
        tw_jot(out, ",\"examples\":");
        jot_scalar(out);
        break;
    case 7: tw_jot(out, ",\"examples\":[\"a\",1,null]"); break;
    case 8: jot_list(out, depth, "oneOf"); break;
    case 9: jot_list(out, depth, "anyOf"); break;
    case 10:
        tw_jot(out, ",\"items\":");
        jot_schema(out, depth - 1);
        break;
    case 11: tw_jot(out, ",\"additionalProperties\":false"); break;
    case 12: tw_jot(out, ",\"format\":\"date\",\"$ref\":\"#/x\""); break;
    default: jot_properties(out, depth); break;
    }
}

static void jot_schema(tw_jotter *out, int depth)
{
    static const char *const types[] = {
        "\"string\"",    "\"integer\"", "\"number\"", "\"boolean\"",
        "\"object\"",    "\"array\"",   "\"null\"",   "[\"string\",\"null\"]",
        "[\"integer\"]", "[]",          "\"odd\"",    "7"};
    if (depth < 0 || below(30) == 0) {
        jot_scalar(out);
        return;
    }
    tw_jot(out, "{\"type\":");
    tw_jot(out, PICK(types));
    for (uint32_t left = below(4); left > 0; left--) {
        jot_keyword(out, depth);
    }
    tw_jot(out, "}");
}

/* ---- requests ----------------------------------------------------------- */

static void jot_tool(tw_jotter *out)
{
    const bool wrapped = below(4) > 0;
    tw_jot(out, wrapped ? "{\"type\":\"function\",\"function\":{\"name\":\""
                        : "{\"name\":\"");
    tw_jot(out, below(2) == 0 ? "f" : "get_weather");
    tw_jot(out, "\"");
    if (below(4) > 0) {
        tw_jot(out, ",\"description\":");
        jot_text(out);
    }
    if (below(6) > 0) {
        tw_jot(out, ",\"parameters\":");
        if (below(5) > 0) {
            tw_jot(out, "{\"type\":\"object\"");
            jot_properties(out, DEPTH);
            tw_jot(out, "}");
        } else {
            jot_schema(out, DEPTH);
        }
    }
    if (below(5) == 0) {
        tw_jot(out, below(2) == 0 ? ",\"return\":{\"type\":\"string\","
                                    "\"description\":\"d\"}"
                                  : ",\"response\":{\"type\":\"OBJECT\"},"
                                    "\"strict\":true");
    }
    tw_jot(out, wrapped ? "}}" : "}");
}

static void jot_content(tw_jotter *out)
{
    switch (below(8)) {
    case 0: tw_jot(out, "null"); break;
    case 1:
        tw_jot(out, "[{\"type\":\"text\",\"text\":");
        jot_text(out);
        tw_jot(out, "},{\"type\":\"image_url\"},\"s\",{\"type\":\"text\"}]");
        break;
    case 2: jot_scalar(out); break;
    case 3: tw_jot(out, "[{\"type\":\"text\",\"text\":\"a\"}]"); break;
    default: jot_text(out); break;
    }
}

static void jot_arguments(tw_jotter *out)
{
    static const char *const forms[] = {
        "\"{}\"",
        "\"{\\\"b\\\":1,\\\"a\\\":\\\"x\\\"}\"",
        "\"\"",
        "null",
        "{\"z\":[1,{\"y\":null}],\"a\":true}",
        "{}",
        "\"{\\\"a\\\": 1.0}\"",
        "{\"k k\":\"v\"}",
        "\"no JSON\""};
    tw_jot(out, PICK(forms));
}

static void jot_calls(tw_jotter *out)
{
    static const char *const names[] = {
        "f", "get_weather", "python", "browser.search", "a b", ""};
    tw_jot(out, ",\"tool_calls\":[");
    for (uint32_t count = below(3), i = 0; i <= count; i++) {
        tw_jot(out, i > 0 ? ",{" : "{");
        if (below(3) > 0) {
            tw_jot(out, below(2) == 0 ? "\"id\":\"call_" : "\"id\":\"x");
            tw_jot_number(out, i);
            tw_jot(out, "\",");
        }
        tw_jot(out, below(8) == 0 ? "\"type\":\"custom\",\"custom\":{\"name\":"
                                    "\"python\",\"input\":\"1\",\"x\":0}"
                                  : "\"type\":\"function\"");
        if (below(12) > 0) {
            tw_jot(out, ",\"function\":{\"name\":\"");
            tw_jot(out, PICK(names));
            tw_jot(out, "\"");
            if (below(8) > 0) {
                tw_jot(out, ",\"arguments\":");
                jot_arguments(out);
            }
            tw_jot(out, "}");
        }
        tw_jot(out, "}");
    }
    tw_jot(out, "]");
}

static void jot_message(tw_jotter *out)
{
    static const char *const roles[] = {
        "user",   "assistant", "assistant", "assistant", "tool", "tool",
        "system", "developer", "function",  "odd",       "model"};
    static const char *const reasoning[] = {"reasoning", "reasoning_content",
                                            "thinking"};
    const char *role = PICK(roles);
    tw_jot(out, "{\"role\":\"");
    tw_jot(out, role);
    tw_jot(out, "\"");
    if (below(10) > 0) {
        tw_jot(out, ",\"content\":");
        jot_content(out);
    }
    if (below(8) == 0) {
        tw_jot(out, ",\"name\":\"f\"");
    }
    if (role[0] == 'a' && below(2) == 0) {
        jot_calls(out);
    }
    if (role[0] == 'a' && below(16) == 0) {
        tw_jot(out,
               ",\"function_call\":{\"name\":\"f\",\"arguments\":\"{}\"}");
    }
    if (role[0] == 'a' && below(3) == 0) {
        tw_jot(out, ",\"");
        tw_jot(out, PICK(reasoning));
        tw_jot(out, "\":");
        jot_text(out);
    }
    if (role[0] == 'a' && below(12) == 0) {
        tw_jot(out, ",\"tool_responses\":[{\"name\":\"f\",\"response\":");
        jot_scalar(out);
        tw_jot(out, "}]");
    }
    if (role[0] == 't' && below(3) > 0) {
        tw_jot(out, ",\"tool_call_id\":\"");
        tw_jot(out, below(2) == 0 ? "call_0\"" : "x1\"");
    }
    tw_jot(out, "}");
}

static void jot_request(tw_jotter *out)
{
    static const char *const settings[] = {
        "\"enable_thinking\":false",
        "\"enable_thinking\":true",
        "\"preserve_thinking\":true",
        "\"reasoning_effort\":\"high\"",
        "\"model_identity\":\"I\"",
        "\"builtin_tools\":[\"browser\",\"python\"]",
        "\"date\":\"2026-01-02\"",
        "\"preserve_thinking\":false"};
    tw_jot(out, "{\"messages\":[");
    for (uint32_t count = below(6), i = 0; i < count; i++) {
        tw_jot(out, i > 0 ? "," : "");
        jot_message(out);
    }
    tw_jot(out, "]");
    if (below(3) > 0) {
        tw_jot(out, ",\"tools\":[");
        for (uint32_t count = below(3), i = 0; i <= count; i++) {
            tw_jot(out, i > 0 ? "," : "");
            jot_tool(out);
        }
        tw_jot(out, "]");
    }
    if (below(3) == 0) {
        tw_jot(out, ",\"add_generation_prompt\":true");
    }
    if (below(2) == 0) {
        tw_jot(out, ",\"chat_template_kwargs\":{");
        tw_jot(out, PICK(settings));
        tw_jot(out, "}");
    }
    tw_jot(out, "}");
}

/* ---- what must hold ----------------------------------------------------- */

static void wrong(const char *what, const char *format, const char *text,
                  size_t size)
{
    if (bad++ < SHOWN) {
        fprintf(stderr, "%s (%s):\n%.*s\n", what, format, (int)size, text);
    }
}

/* |changed|: a tool may have lost its name, which is a refusal. */
static void check_back(tw_converter *converter, const tw_format *format,
                       const char *text, size_t size, bool changed)
{
    const tw_memory memory = tw_memory_from(NULL);
    const char *json;
    size_t json_size;
    tw_tree tree;
    tw_tree_init(&tree, &memory);
    const int result =
        tw_decode_transcript(converter, text, size, &json, &json_size);
    if (result != TW_OK
            ? !changed || result != TW_ERROR_SCHEMA
            : tw_tree_read(&tree, json, json_size, false) != TW_OK) {
        wrong("it does not read back", tw_format_name(format), text, size);
    }
    tw_tree_free(&tree);
}

/* The same with a few bytes cut out, doubled or changed. */
static void check_changed(tw_converter *converter, const tw_format *format,
                          const char *text, size_t size)
{
    char *copy = malloc(size * 2 + 1);
    if (copy == NULL) {
        abort();
    }
    for (int i = 0; i < 3 && size > 0; i++) {
        const size_t from = below((uint32_t)size);
        size_t count = 1 + below(30);
        count = count < size - from ? count : size - from;
        memcpy(copy, text, size);
        size_t length = size;
        if (i == 0) {
            memmove(copy + from, copy + from + count, size - from - count);
            length -= count;
        } else if (i == 1) {
            memmove(copy + from + count, copy + from, size - from);
            length += count;
        } else {
            copy[from] = (char)below(256);
        }
        check_back(converter, format, copy, length, true);
    }
    free(copy);
}

static void check(tw_encoder *encoder, tw_converter *converter,
                  const tw_format *format, const tw_buffer *request)
{
    const char *text;
    size_t size;
    tw_encoder_set(encoder, TW_OPTION_CONTROL_TEXT,
                   below(2) == 0 ? TW_CONTROL_TEXT_REJECT
                                 : TW_CONTROL_TEXT_BREAK);
    tw_encoder_set(encoder, TW_OPTION_PYTHON_NUMBERS, below(2));
    const int result = tw_encode(encoder, (const char *)request->data,
                                 request->size, &text, &size);
    done++;
    if (result == TW_OK) {
        written++;
        const char *fault = segments_fault(encoder, format, text, size, false);
        if (fault != NULL) {
            wrong(fault, tw_format_name(format), text, size);
        }
        check_back(converter, format, text, size, false);
        check_changed(converter, format, text, size);
    } else if (result != TW_ERROR_CONTROL_TEXT &&
               result != TW_ERROR_CANNOT_CARRY && result != TW_ERROR_SCHEMA) {
        wrong(tw_error_name(result), tw_format_name(format),
              (const char *)request->data, request->size);
    } else if (tw_encoder_error(encoder)->path == NULL) {
        wrong("a refusal without a path", tw_format_name(format),
              (const char *)request->data, request->size);
    }
}

/* ---- memory that fails -------------------------------------------------- */

typedef struct failing {
    size_t countdown;
    size_t live;
} failing;

static void *resize(void *context, void *block, size_t old_size, size_t size)
{
    failing *its = context;
    (void)old_size;
    if (size == 0) {
        its->live -= block != NULL;
        free(block);
        return NULL;
    }
    if (its->countdown > 0 && --its->countdown == 0) {
        return NULL;
    }
    its->live += block == NULL;
    return realloc(block, size);
}

/* What |result| and its text come to where an allocation failed, or none did:
 * MEMORY, or the same as ever. */
static void check_failed(const tw_format *format, int result, const char *text,
                         size_t size, int wanted, const char *whole,
                         size_t whole_size)
{
    const bool same = result == wanted &&
                      (result != TW_OK ||
                       (size == whole_size && memcmp(text, whole, size) == 0));
    if (!same && result != TW_ERROR_MEMORY) {
        wrong("a failed allocation", tw_format_name(format), whole,
              whole_size);
    }
}

/* One allocation of encoding, and of reading back, fails. */
static void check_failing(tw_encoder *encoder, tw_converter *converter,
                          const tw_format *format, const tw_buffer *request)
{
    failing memory = {0, 0};
    const tw_allocator allocator = {resize, &memory};
    tw_encoder *poor = tw_encoder_new(format, &allocator);
    tw_converter *other =
        tw_converter_new(tw_format_name(format), "openai", &allocator);
    const char *text = "";
    const char *json = "";
    const char *found = "";
    size_t size = 0;
    size_t json_size = 0;
    size_t found_size = 0;
    if (poor == NULL || other == NULL) {
        abort();
    }
    tw_encoder_set(encoder, TW_OPTION_CONTROL_TEXT, TW_CONTROL_TEXT_BREAK);
    tw_encoder_set(encoder, TW_OPTION_PYTHON_NUMBERS, 0);
    tw_encoder_set(poor, TW_OPTION_CONTROL_TEXT, TW_CONTROL_TEXT_BREAK);
    const int wanted = tw_encode(encoder, (const char *)request->data,
                                 request->size, &text, &size);
    memory.countdown = 1 + below(60);
    int result = tw_encode(poor, (const char *)request->data, request->size,
                           &found, &found_size);
    check_failed(format, result, found, found_size, wanted, text, size);
    if (wanted == TW_OK) {
        const int read =
            tw_decode_transcript(converter, text, size, &json, &json_size);
        memory.countdown = 1 + below(60);
        result = tw_decode_transcript(other, text, size, &found, &found_size);
        check_failed(format, result, found, found_size, read, json, json_size);
    }
    memory.countdown = 0;
    tw_encoder_free(poor);
    tw_converter_free(other);
    if (memory.live != 0) {
        wrong("a leak", tw_format_name(format), (const char *)request->data,
              request->size);
    }
}

/* ---- records of other shapes -------------------------------------------- */

/* The request as a record of another shape, and back: JSON, or refused; with
 * memory that fails, the same or MEMORY. */
static void check_shape(const char *shape, const tw_buffer *request)
{
    const tw_memory heap = tw_memory_from(NULL);
    failing memory = {0, 0};
    const tw_allocator allocator = {resize, &memory};
    tw_converter *there = tw_converter_new("openai", shape, NULL);
    tw_converter *back = tw_converter_new(shape, "openai", NULL);
    tw_converter *poor = tw_converter_new("openai", shape, &allocator);
    const char *record = "";
    const char *other = "";
    size_t size = 0;
    size_t other_size = 0;
    tw_tree tree;
    if (there == NULL || back == NULL || poor == NULL) {
        abort();
    }
    tw_tree_init(&tree, &heap);
    const int wanted = tw_converter_record(there, (const char *)request->data,
                                           request->size, &record, &size);
    memory.countdown = 1 + below(60);
    const int result = tw_converter_record(poor, (const char *)request->data,
                                           request->size, &other, &other_size);
    const bool same = result == wanted &&
                      (result != TW_OK || (size == other_size &&
                                           memcmp(record, other, size) == 0));
    if (!same && result != TW_ERROR_MEMORY) {
        wrong("a failed allocation", shape, record, size);
    }
    if (wanted == TW_OK &&
        (tw_tree_read(&tree, record, size, false) != TW_OK ||
         tw_converter_record(back, record, size, &other, &other_size) !=
             TW_OK ||
         tw_tree_read(&tree, other, other_size, false) != TW_OK)) {
        wrong("it does not come back", shape, record, size);
    }
    tw_tree_free(&tree);
    memory.countdown = 0;
    tw_converter_free(there);
    tw_converter_free(back);
    tw_converter_free(poor);
    if (memory.live != 0) {
        wrong("a leak", shape, record, 0);
    }
}

int main(int count, char **arguments)
{
    enum { DIALECTS = 32 };
    const tw_memory memory = tw_memory_from(NULL);
    tw_encoder *encoders[DIALECTS] = {NULL};
    tw_converter *converters[DIALECTS] = {NULL};
    tw_jotter request = {.memory = &memory};
    const tw_format *format;
    if (count != 3) {
        fprintf(stderr, "usage: requests COUNT SEED\n");
        return 2;
    }
    const unsigned long requests = strtoul(arguments[1], NULL, 10);
    state = strtoull(arguments[2], NULL, 10);
    for (size_t i = 0; (format = tw_format_at(i)) != NULL; i++) {
        encoders[i] = tw_encoder_new(format, NULL);
        converters[i] =
            tw_converter_new(tw_format_name(format), "openai", NULL);
    }
    for (unsigned long n = 0; n < requests; n++) {
        request.out.size = 0;
        jot_request(&request);
        check_shape("sharegpt", &request.out);
        check_shape("anthropic", &request.out);
        for (size_t i = 0; (format = tw_format_at(i)) != NULL; i++) {
            if (tw_format_has_prompts(format) == 1) {
                check(encoders[i], converters[i], format, &request.out);
                check_failing(encoders[i], converters[i], format,
                              &request.out);
            }
        }
    }
    for (size_t i = 0; tw_format_at(i) != NULL; i++) {
        tw_encoder_free(encoders[i]);
        tw_converter_free(converters[i]);
    }
    tw_buffer_free(&request.out, &memory);
    printf("%lu requests in all dialects, %lu prompts\n", requests, written);
    printf("%lu passed, %lu failed\n", bad > 0 ? 0 : done, bad);
    return bad > 0 || written == 0;
}
