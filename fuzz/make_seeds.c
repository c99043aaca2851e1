/* SPDX-License-Identifier: MIT
 *
 * Makes a seed of each conformance case: its text, and parameters behind it
 * (fuzz.h) that name its format and cut it in the middle; of a request some,
 * for fuzz_records, and its tools, for fuzz_grammar; and of a chat template
 * its text, for fuzz_template.
 *
 *     make_seeds FOLDER CASES.jsonl...
 *
 * writes FOLDER/ID and FOLDER/ID-END; the folder must be there.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "ends.h"
#include "fuzz.h"
#include "json/dump.h"

enum { LINE_SIZE = 1 << 20, PATH_SIZE = 4096 };

static int hex(char c)
{
    return c <= '9' ? c - '0' : (c | 0x20) - 'a' + 10;
}

/* The number in fuzz.h of the set that reads the case. */
static uint32_t set_number(const tw_format *format, const tw_value *options)
{
    const bool reasoning = tw_value_member(options, "start") != NULL;
    const bool stripped = tw_value_member(options, "recover_stripped") != NULL;
    static uint32_t known[FUZZ_SET_NUMBERS]; /* one more; 0: not yet */
    const fragments *set;
    for (size_t i = 0; (set = fragments_at(i)) != NULL; i++) {
        if (set->format == wire_of(format) && set->reasoning == reasoning &&
            set->stripped == stripped) {
            if (known[i] == 0) {
                known[i] = 1 + fuzz_number(fuzz_set_name, i, FUZZ_SET_NUMBERS);
            }
            return known[i] - 1;
        }
    }
    return 0;
}

static void write_text(FILE *out, const tw_value *record)
{
    const tw_value *text = tw_value_member(record, "input");
    const tw_value *digits = tw_value_member(record, "input_hex");
    if (text != NULL) {
        fwrite(text->text, 1, text->size, out);
        return;
    }
    for (size_t i = 0; digits != NULL && i + 1 < digits->size; i += 2) {
        fputc(hex(digits->text[i]) * 16 + hex(digits->text[i + 1]), out);
    }
}

/* An id may have a format's name with its slash. */
static FILE *open_seed(const char *folder, const tw_value *id,
                       const char *what)
{
    char path[PATH_SIZE];
    snprintf(path, sizeof path, "%s/%.*s%s", folder, (int)id->size, id->text,
             what);
    for (char *at = path + strlen(folder) + 1; *at != '\0'; at++) {
        *at = *at == '/' ? '-' : *at;
    }
    FILE *out = fopen(path, "wbx"); /* no two of a name */
    if (out == NULL) {
        perror(path);
    }
    return out;
}

static int write_seed(const char *folder, const tw_value *record)
{
    const tw_value *id = tw_value_member(record, "id");
    const tw_value *name = tw_value_member(record, "format");
    const tw_format *format = tw_format_find(name != NULL ? name->text : NULL);
    if (id == NULL || format == NULL) {
        fprintf(stderr, "make_seeds: a case without id or format\n");
        return 1;
    }
    const uint32_t set =
        set_number(format, tw_value_member(record, "options"));
    FILE *out = open_seed(folder, id, "");
    if (out == NULL) {
        return 1;
    }
    write_text(out, record);
    /* prefix, cuts, chunk; no options */
    fprintf(out, " 0 000%c%c", (int)(set / 256 * FUZZ_OPTIONS),
            (int)(set % 256));
    return fclose(out) != 0;
}

static void put_end(FILE *out, size_t end)
{
    const uint32_t number = fuzz_number(fuzz_end, end, FUZZ_END_NUMBERS);
    fputc((int)(number % 256), out);
    fputc((int)(number / 256), out);
}

/* A record, and what fuzz_records converts it from and to. */
static int write_record(const char *folder, const tw_value *id, size_t from,
                        size_t to, const char *record, size_t size)
{
    char ends[32];
    snprintf(ends, sizeof ends, "-%zu-%zu", from, to);
    FILE *out = open_seed(folder, id, ends);
    if (out == NULL) {
        return 1;
    }
    put_end(out, from);
    put_end(out, to);
    fputc((int)((from + to) % 256), out);
    fwrite(record, 1, size, out);
    return fclose(out) != 0;
}

/* An OpenAI request in another shape or format, and what is written there as
 * the input of the way back. */
static int write_there_and_back(const char *folder, const tw_value *id,
                                size_t to, const tw_json_out *request)
{
    const char *text = (const char *)request->out.data;
    const char *out;
    size_t size;
    int failed = write_record(folder, id, 0, to, text, request->out.size);
    tw_converter *converter =
        tw_converter_new(fuzz_end(0), fuzz_end(to), NULL);
    if (!failed && converter != NULL &&
        tw_converter_record(converter, text, request->out.size, &out, &size) ==
            TW_OK) {
        failed = write_record(folder, id, to, 0, out, size);
    }
    tw_converter_free(converter);
    return failed;
}

/* Each request to a few of all, taken in turn: shapes, and any. */
static int write_requests(const char *folder, const tw_value *record)
{
    enum { EACH = 3 };
    static size_t shape;
    static size_t to;
    const tw_memory memory = tw_memory_from(NULL);
    const tw_value *id = tw_value_member(record, "id");
    tw_json_out request = {.memory = &memory};
    tw_json_put_value(&request, tw_value_member(record, "request"));
    int failed = request.failed;
    for (int i = 0; i < EACH && !failed; i++) {
        shape = tw_record_shape_at(shape + 1) != NULL ? shape + 1 : 1;
        do {
            to = fuzz_end(to + 1) != NULL ? to + 1 : 1;
        } while (tw_record_shape_find(fuzz_end(to)) != NULL);
        failed = write_there_and_back(folder, id, shape, &request) ||
                 write_there_and_back(folder, id, to, &request);
    }
    tw_buffer_free(&request.out, &memory);
    return failed;
}

/* A chat template, for fuzz_template. */
static int write_template(const char *folder, const tw_value *text)
{
    static size_t count;
    char path[PATH_SIZE];
    snprintf(path, sizeof path, "%s/template-%zu", folder, ++count);
    FILE *out = fopen(path, "wbx");
    if (out == NULL) {
        perror(path);
        return 1;
    }
    fwrite(text->text, 1, text->size, out);
    return fclose(out) != 0;
}

/* The tools of a request, for fuzz_grammar: each format in its turn. */
static int write_tools(const char *folder, const tw_value *record)
{
    static unsigned turn;
    const tw_memory memory = tw_memory_from(NULL);
    const tw_value *tools =
        tw_value_member(tw_value_member(record, "request"), "tools");
    tw_json_out text = {.memory = &memory};
    int failed = 0;
    if (tools == NULL) {
        return 0;
    }
    tw_json_put_value(&text, tools);
    FILE *out = open_seed(folder, tw_value_member(record, "id"), "-tools");
    if (out == NULL || text.failed) {
        failed = 1;
    } else {
        turn += 3;
        fwrite(text.out.data, 1, text.out.size, out);
        /* A format, text in front of calls, and a walk. */
        fprintf(out, "%c%c%c12345", (int)(turn % 256), (int)(turn / 256), 24);
    }
    failed |= out != NULL && fclose(out) != 0;
    tw_buffer_free(&text.out, &memory);
    return failed;
}

static int write_seeds(const char *folder, const tw_value *record)
{
    if (tw_value_member(record, "variables") != NULL) {
        return 0; /* of the rows of templates */
    }
    const tw_value *text = tw_value_member(record, "template");
    if (text != NULL) {
        return write_template(folder, text);
    }
    return tw_value_member(record, "request") != NULL
               ? write_requests(folder, record) || write_tools(folder, record)
               : write_seed(folder, record);
}

int main(int count, char **arguments)
{
    char *line = malloc(LINE_SIZE);
    const tw_memory memory = tw_memory_from(NULL);
    int failed = line == NULL || count < 3;
    for (int i = 2; i < count && !failed; i++) {
        FILE *in = fopen(arguments[i], "rb");
        failed = in == NULL;
        while (!failed && fgets(line, LINE_SIZE, in) != NULL) {
            tw_tree tree;
            tw_tree_init(&tree, &memory);
            failed = tw_tree_read(&tree, line, strlen(line), false) != TW_OK ||
                     write_seeds(arguments[1], tree.root);
            tw_tree_free(&tree);
        }
        if (in != NULL) {
            fclose(in);
        }
    }
    free(line);
    if (failed) {
        fprintf(stderr, "make_seeds: failed\n");
    }
    return failed;
}
