/* SPDX-License-Identifier: MIT
 *
 * Makes a seed of each conformance case: its text, and parameters behind it
 * (fuzz.h) that name its format and cut it in the middle; of a request some,
 * for fuzz_records.
 *
 *     make_seeds FOLDER CASES.jsonl...
 *
 * writes FOLDER/FORMAT/ID and FOLDER/records/ID; these folders must be there.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "fuzz.h"
#include "json/dump.h"

enum { LINE_SIZE = 1 << 20, PATH_SIZE = 4096 };

static int hex(char c)
{
    return c <= '9' ? c - '0' : (c | 0x20) - 'a' + 10;
}

/* A dialect's family: what stands in front of the slash. */
static int family_size(const tw_value *format)
{
    return (int)strcspn(format->text, "/");
}

static char set_number(const tw_value *format, const tw_value *options)
{
    const tw_value *start = tw_value_member(options, "start");
    const tw_value *strip = tw_value_member(options, "recover_stripped");
    char name[64];
    snprintf(name, sizeof name, "%.*s%s%s", family_size(format), format->text,
             start != NULL ? "-reasoning" : "",
             strip != NULL ? "-stripped" : "");
    for (size_t i = 0; i < sizeof fuzz_sets / sizeof fuzz_sets[0]; i++) {
        if (strcmp(fuzz_sets[i], name) == 0) {
            return (char)('0' + i);
        }
    }
    return '0';
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

static int write_seed(const char *folder, const tw_value *record)
{
    const tw_value *id = tw_value_member(record, "id");
    const tw_value *format = tw_value_member(record, "format");
    char path[PATH_SIZE];
    if (id == NULL || format == NULL) {
        fprintf(stderr, "make_seeds: a case without id or format\n");
        return 1;
    }
    snprintf(path, sizeof path, "%s/%.*s/%.*s", folder, family_size(format),
             format->text, (int)id->size, id->text);
    FILE *out = fopen(path, "wb");
    if (out == NULL) {
        perror(path);
        return 1;
    }
    write_text(out, record);
    /* prefix, cuts, chunk, options (none), set */
    fprintf(out, " 0 000@%c",
            set_number(format, tw_value_member(record, "options")));
    return fclose(out) != 0;
}

/* A request, and what fuzz_records converts it to: the two bytes in front. */
static int write_request(const char *folder, const tw_value *record, char to)
{
    const tw_memory memory = tw_memory_from(NULL);
    const tw_value *id = tw_value_member(record, "id");
    tw_jotter jotter = {.memory = &memory};
    char path[PATH_SIZE];
    tw_jot_value(&jotter, tw_value_member(record, "request"));
    snprintf(path, sizeof path, "%s/records/%.*s-%c", folder, (int)id->size,
             id->text, to);
    FILE *out = fopen(path, "wb");
    if (out == NULL || jotter.failed) {
        perror(path);
        return 1;
    }
    fprintf(out, "0%c", to); /* 0: from openai */
    fwrite(jotter.out.data, 1, jotter.out.size, out);
    tw_buffer_free(&jotter.out, &memory);
    return fclose(out) != 0;
}

static int write_seeds(const char *folder, const tw_value *record)
{
    if (tw_value_member(record, "request") == NULL) {
        return write_seed(folder, record);
    }
    int failed = 0;
    for (char to = '1'; to <= '6' && !failed; to++) {
        failed = write_request(folder, record, to);
    }
    return failed;
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
