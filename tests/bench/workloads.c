/* SPDX-License-Identifier: MIT
 *
 * Makes each workload from its period, which is written by hand in the
 * format's own wire.
 */
#include "workloads.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "hostile_patterns.h"

const char *const workload_names[WORKLOADS] = {"W1", "W1u", "W2", "W2d",
                                               "W3", "W4",  "W5"};
const char *const format_names[FORMATS] = {"gemma4", "harmony", "hermes"};

enum { CALL_EVERY = 20000, LARGEST_CALL = 150 };

int find_name(const char *name, const char *const *names, int count)
{
    for (int i = 0; i < count; i++) {
        if (strcmp(names[i], name) == 0) {
            return i;
        }
    }
    return -1;
}

static void end_message(workload *its, const char *tag)
{
    const size_t count = its->count + 1;
    if ((its->count & (its->count - 1)) == 0) { /* 0 or a power of 2 */
        its->messages =
            need(realloc(its->messages, 2 * count * sizeof(message)));
    }
    message *one = &its->messages[its->count];
    memset(one, 0, sizeof *one);
    one->end = its->bytes.size;
    one->tag = tag;
    its->count = count;
}

/* ---- calls -------------------------------------------------------------- */

static void open_call(text *to, int format)
{
    static const char *const heads[FORMATS] = {
        "<|tool_call>call:get_weather{",
        ("<|start|>assistant<|channel|>commentary to=functions.get_weather "
         "<|constrain|>json<|message|>{"),
        "<tool_call>\n{\"name\": \"get_weather\", \"arguments\": {"};
    put(to, heads[format]);
}

static void close_call(text *to, int format)
{
    static const char *const tails[FORMATS] = {"}<tool_call|>", "}<|call|>",
                                               "}}\n</tool_call>\n"};
    put(to, tails[format]);
}

static void put_small_call(text *to, int format)
{
    open_call(to, format);
    put(to, format == GEMMA4
                ? "city:<|\"|>Oslo<|\"|>,days:3,detail:true"
                : "\"city\": \"Oslo\", \"days\": 3, \"detail\": true");
    close_call(to, format);
}

static void put_key(text *to, int format)
{
    put(to, format == GEMMA4 ? "a:" : "\"a\": ");
}

static void put_quote(text *to, int format)
{
    put(to, format == GEMMA4 ? "<|\"|>" : "\"");
}

static void put_prose_and_call(text *to, int format, size_t size, bool scripts)
{
    if (format == HARMONY) {
        put(to, "<|start|>assistant<|channel|>final<|message|>");
    }
    put_prose(to, size - LARGEST_CALL, scripts);
    put(to, format == HARMONY ? "<|end|>" : "\n");
    put_small_call(to, format);
}

/* ---- workloads ---------------------------------------------------------- */

static void make_prose(workload *its, size_t size, bool scripts)
{
    const size_t calls = size < CALL_EVERY ? 1 : size / CALL_EVERY;
    for (its->calls = 0; its->calls < calls; its->calls++) {
        put_prose_and_call(&its->bytes, its->format, size / calls, scripts);
    }
    end_message(its, workload_names[its->kind]);
}

static void make_string(workload *its, size_t size, bool lost)
{
    put_quote(&its->bytes, its->format);
    put_code(&its->bytes, size, its->format != GEMMA4, lost);
    put_quote(&its->bytes, its->format);
    const size_t string_end = its->bytes.size;
    if (its->format != GEMMA4) {
        return;
    }
    /* What was written as it is, in JSON. */
    put(&its->arguments, "{\"a\":\"");
    for (size_t at = its->begin + strlen("{a:<|\"|>");
         at < string_end - strlen("<|\"|>"); at++) {
        put_escaped(&its->arguments, its->bytes.data[at]);
    }
    put(&its->arguments, "\"}");
}

static void make_call(workload *its, size_t size)
{
    open_call(&its->bytes, its->format);
    its->begin = its->bytes.size - 1;
    put_key(&its->bytes, its->format);
    if (its->kind == W3) {
        const size_t rows = its->bytes.size;
        put_rows(&its->bytes, size, DEPTH);
        if (its->format == GEMMA4) {
            put(&its->arguments, "{\"a\":");
            add(&its->arguments, its->bytes.data + rows,
                its->bytes.size - rows);
            put(&its->arguments, "}");
        }
    } else {
        make_string(its, size, its->kind == W2D);
    }
    close_call(&its->bytes, its->format);
    if (its->format != GEMMA4) { /* JSON as it is */
        const char *begin = its->bytes.data + its->begin;
        const char *end = its->bytes.data + its->bytes.size;
        while (*--end != '}') {
        }
        end -= its->format == HERMES; /* the call's own brace */
        add(&its->arguments, begin, (size_t)(end - begin) + 1);
    }
    its->calls = 1;
    end_message(its, workload_names[its->kind]);
}

static void make_completions(workload *its, size_t size)
{
    text *to = &its->bytes;
    text call = {0};
    put_small_call(&call, its->format);
    for (its->calls = 0; its->calls * COMPLETION_SIZE < size; its->calls++) {
        if (its->format == HARMONY) {
            put(to, "<|channel|>final<|message|>");
            put_prose(to, COMPLETION_SIZE - 60 - call.size, false);
            put(to, "<|end|>");
        } else {
            put_prose(to, COMPLETION_SIZE - 20 - call.size, false);
        }
        add(to, call.data, call.size);
        /* Line feeds make it the same size everywhere. */
        while (to->size < (its->calls + 1) * COMPLETION_SIZE) {
            add(to, "\n", 1);
        }
        end_message(its, workload_names[its->kind]);
    }
    text_free(&call);
}

static bool is_wanted(const hostile_pattern *pattern, const char *name,
                      const char *format)
{
    return strncmp(pattern->format, format, strlen(format)) == 0 &&
           (name == NULL || strcmp(pattern->name, name) == 0);
}

/* |name| NULL: all. */
static void make_hostile(workload *its, const char *name, size_t size)
{
    static hostile_pattern pattern;
    FILE *file = hostile_open();
    const size_t length = strlen(format_names[its->format]);
    while (hostile_read(file, &pattern)) {
        if (!is_wanted(&pattern, name, format_names[its->format])) {
            continue;
        }
        size_t all;
        char *bytes = hostile_text(&pattern, size, &all);
        add(&its->bytes, bytes, all);
        free(bytes);
        const size_t room = strlen(pattern.name) + 1;
        end_message(its, memcpy(need(malloc(room)), pattern.name, room));
        message *last = &its->messages[its->count - 1];
        last->reasoning = strcmp(pattern.format + length, "-reasoning") == 0;
        last->stripped = strcmp(pattern.format + length, "-stripped") == 0;
    }
    fclose(file);
}

static void start_workload(workload *its, int kind, int format)
{
    memset(its, 0, sizeof *its);
    its->kind = kind;
    its->format = format;
    its->known = kind != W5;
    random_start(1);
}

void make_pattern(workload *its, const char *name, int format, size_t size)
{
    start_workload(its, W5, format);
    make_hostile(its, name, size);
}

void make_workload(workload *its, int kind, int format, size_t size)
{
    start_workload(its, kind, format);
    switch (kind) {
    case W1:
    case W1U: make_prose(its, size, kind == W1U); break;
    case W4: make_completions(its, size); break;
    case W5: make_hostile(its, NULL, size); break;
    default: make_call(its, size);
    }
}

void workload_free(workload *its)
{
    for (size_t i = 0; its->kind == W5 && i < its->count; i++) {
        free((char *)its->messages[i].tag);
    }
    free(its->messages);
    text_free(&its->bytes);
    text_free(&its->arguments);
}

void make_period(text *head, text *unit, int kind, int format)
{
    enum { PERIOD = 2000 };
    random_start(1);
    if (kind == W1 || kind == W1U) {
        put_prose_and_call(unit, format, PERIOD, kind == W1U);
        return;
    }
    open_call(head, format);
    put_key(head, format);
    if (kind == W3) {
        for (int i = 0; i < DEPTH - 1; i++) {
            put(head, "[");
        }
        put_rows(unit, PERIOD, 1);
        put(unit, ",");
    } else {
        put_quote(head, format);
        put_code(unit, PERIOD, format != GEMMA4, kind == W2D);
    }
}

/* ---- decoders ----------------------------------------------------------- */

tw_decoder *format_decoder(int format, const tw_allocator *allocator)
{
    return need(
        tw_decoder_new(tw_format_find(format_names[format]), allocator));
}

void start_message(tw_decoder *decoder, const message *its)
{
    tw_decoder_reset(decoder);
    tw_decoder_set(decoder, TW_OPTION_START_REASONING, its->reasoning);
    tw_decoder_set(decoder, TW_OPTION_RECOVER_STRIPPED, its->stripped);
}
