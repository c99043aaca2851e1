/* SPDX-License-Identifier: MIT
 *
 * Makes requests and logs of any size, and repeats real ones up to it.
 */
#define _POSIX_C_SOURCE 200809L

#include "requests.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static void put_string(text *to, const char *data, size_t size)
{
    put(to, "\"");
    for (size_t i = 0; i < size; i++) {
        put_escaped(to, data[i]);
    }
    put(to, "\"");
}

static void put_prose_string(text *to, size_t size)
{
    text prose = {0};
    put_prose(&prose, size, false);
    put_string(to, prose.data, prose.size);
    text_free(&prose);
}

/* ---- made --------------------------------------------------------------- */

static void put_tool(text *to, unsigned number)
{
    char head[128];
    snprintf(head, sizeof head,
             "{\"type\": \"function\", \"function\": {\"name\": "
             "\"get_weather_%u\", \"description\": ",
             number);
    put(to, head);
    put_prose_string(to, 60 + below(100));
    put(to, ", \"parameters\": {\"type\": \"object\", \"properties\": {"
            "\"city\": {\"type\": \"string\", \"description\": ");
    put_prose_string(to, 30 + below(80));
    put(to, "}, \"days\": {\"type\": \"integer\", \"description\": ");
    put_prose_string(to, 30 + below(40));
    put(to, "}, \"unit\": {\"type\": \"string\", \"enum\": [\"celsius\", "
            "\"fahrenheit\"]}}, \"required\": [\"city\"]}}}");
}

/* A question, a call, its result, an answer. */
static void put_turn(text *to, unsigned number)
{
    static const char result[] = "{\"rain\": 3.5, \"wind\": [1, 2, 3]}";
    char call[512];
    put(to, "{\"role\": \"user\", \"content\": ");
    put_prose_string(to, 50 + below(300));
    snprintf(call, sizeof call,
             "}, {\"role\": \"assistant\", \"content\": null, \"tool_calls\": "
             "[{\"id\": \"call_%u\", \"type\": \"function\", \"function\": "
             "{\"name\": \"get_weather_0\", \"arguments\": \"{\\\"city\\\": "
             "\\\"Oslo\\\", \\\"days\\\": %u}\"}}]}, {\"role\": \"tool\", "
             "\"tool_call_id\": \"call_%u\", \"content\": ",
             number, 1 + below(9), number);
    put(to, call);
    put_string(to, result, strlen(result));
    put(to, "}, {\"role\": \"assistant\", \"content\": ");
    put_prose_string(to, 100 + below(600));
    put(to, "}");
}

void make_requests(lines *its, size_t count)
{
    random_start(1);
    for (; its->count < count; its->count++) {
        const unsigned tools = 1 + below(8);
        const unsigned turns = 1 + below(6);
        put(&its->bytes,
            "{\"messages\": [{\"role\": \"system\", \"content\": ");
        put_prose_string(&its->bytes, 200);
        put(&its->bytes, "}");
        for (unsigned i = 0; i < turns; i++) {
            put(&its->bytes, ", ");
            put_turn(&its->bytes, i);
        }
        put(&its->bytes, ", {\"role\": \"user\", \"content\": \"And now?\"}], "
                         "\"tools\": [");
        for (unsigned i = 0; i < tools; i++) {
            put(&its->bytes, i > 0 ? ", " : "");
            put_tool(&its->bytes, i);
        }
        put(&its->bytes, "], \"add_generation_prompt\": true}\n");
    }
}

void make_log(lines *its, int format, size_t size)
{
    workload all;
    size_t begin = 0;
    make_workload(&all, W4, format, size);
    for (; its->count < all.count; its->count++) {
        const size_t end = all.messages[its->count].end;
        char id[64];
        snprintf(id, sizeof id,
                 "{\"id\": \"made-%zu\", \"text\": ", its->count);
        put(&its->bytes, id);
        put_string(&its->bytes, all.bytes.data + begin, end - begin);
        put(&its->bytes, "}\n");
        begin = end;
    }
    workload_free(&all);
}

/* ---- real --------------------------------------------------------------- */

/* The end of the JSON value at |at|: a string, an object or an array. */
static const char *value_end(const char *at)
{
    int depth = 0;
    bool string = false;
    for (; *at != 0; at++) {
        if (string && *at == '\\' && at[1] != 0) {
            at++;
        } else if (*at == '"') {
            string = !string;
        } else if (!string && (*at == '{' || *at == '[')) {
            depth++;
        } else if (!string && (*at == '}' || *at == ']')) {
            depth--;
        }
        if (depth == 0 && !string) {
            return at + 1;
        }
    }
    return NULL;
}

typedef void use_line(lines *, const char *line, const void *context);

static bool read_lines(lines *its, const char *file, use_line *use,
                       const void *context)
{
    const char *folder = getenv("TOOLWIRE_DATA");
    char command[4096];
    char *line = NULL;
    size_t room = 0;
    if (folder == NULL || *folder == 0) {
        return false;
    }
    snprintf(command, sizeof command, "gzip -dc '%s/%s'", folder, file);
    FILE *pipe = popen(command, "r");
    if (pipe == NULL) {
        return false;
    }
    while (getline(&line, &room, pipe) > 0) {
        use(its, line, context);
    }
    free(line);
    return pclose(pipe) == 0 && its->count > 0;
}

static void use_request(lines *its, const char *line, const void *context)
{
    static const char key[] = "\"request\": ";
    const char *at = strstr(line, key);
    const char *end = at != NULL ? value_end(at + strlen(key)) : NULL;
    (void)context;
    if (end != NULL) {
        at += strlen(key);
        add(&its->bytes, at, (size_t)(end - at));
        put(&its->bytes, "\n");
        its->count++;
    }
}

/* {"id": ..., "format": "hermes", "input": "...", "tool_calls": ...} */
static void use_completion(lines *its, const char *line, const void *format)
{
    static const char key[] = "\"input\": ";
    char wanted[64];
    snprintf(wanted, sizeof wanted, "\"format\": \"%s\"",
             (const char *)format);
    const char *at = strstr(line, wanted);
    const char *input = at != NULL ? strstr(at, key) : NULL;
    const char *end = input != NULL ? value_end(input + strlen(key)) : NULL;
    if (end != NULL) {
        input += strlen(key);
        put(&its->bytes, "{\"text\": ");
        add(&its->bytes, input, (size_t)(end - input));
        put(&its->bytes, "}\n");
        its->count++;
    }
}

static void repeat(lines *its, size_t size)
{
    const size_t once = its->bytes.size;
    const size_t count = its->count;
    text copy = {0};
    add(&copy, its->bytes.data, once);
    while (its->bytes.size < size) {
        add(&its->bytes, copy.data, once);
        its->count += count;
    }
    text_free(&copy);
}

bool real_requests(lines *its, size_t size)
{
    if (!read_lines(its, "prompts.jsonl.gz", use_request, NULL)) {
        return false;
    }
    repeat(its, size);
    return true;
}

bool real_log(lines *its, int format, size_t size)
{
    if (!read_lines(its, "completions.jsonl.gz", use_completion,
                    format_names[format])) {
        return false;
    }
    repeat(its, size);
    return true;
}
