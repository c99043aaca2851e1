/* SPDX-License-Identifier: MIT
 *
 * Makes a seed of each conformance case: its text, and parameters behind it
 * (fuzz.h) that name its format and cut it in the middle; of a request some,
 * for fuzz_records.
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

static FILE *open_seed(const char *folder, const tw_value *id,
                       const char *what)
{
    char path[PATH_SIZE];
    snprintf(path, sizeof path, "%s/%.*s%s", folder, (int)id->size, id->text,
             what);
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

/* The two bytes in front of an OpenAI record that is to become |to|. */
static void choose_ends(uint8_t two[2], size_t to)
{
    static uint32_t known[FUZZ_SET_NUMBERS]; /* one more; 0: not yet */
    uint32_t number = known[to];
    do {
        number = known[to] != 0 ? known[to] - 1 : number;
        two[0] = (uint8_t)(number % 256);
        two[1] = (uint8_t)(number / 256);
        number++;
    } while (known[to] == 0 && number < 65536 &&
             (fuzz_from(two) != 0 || fuzz_to(two) != to));
    known[to] = number;
}

/* A request, and what fuzz_records converts it to. */
static int write_request(const char *folder, const tw_value *record, size_t to)
{
    const tw_memory memory = tw_memory_from(NULL);
    tw_json_out json_out = {.memory = &memory};
    uint8_t two[2];
    char number[16];
    snprintf(number, sizeof number, "-%zu", to);
    FILE *out = open_seed(folder, tw_value_member(record, "id"), number);
    tw_json_put_value(&json_out, tw_value_member(record, "request"));
    if (out == NULL || json_out.failed) {
        return 1;
    }
    choose_ends(two, to);
    fwrite(two, 1, sizeof two, out);
    fwrite(json_out.out.data, 1, json_out.out.size, out);
    tw_buffer_free(&json_out.out, &memory);
    return fclose(out) != 0;
}

/* Each request to a few of all, taken in turn. */
static int write_requests(const char *folder, const tw_value *record)
{
    enum { EACH = 6 };
    static size_t to;
    int failed = 0;
    for (int i = 0; i < EACH && !failed; i++) {
        to = fuzz_end(to + 1) != NULL ? to + 1 : 1;
        failed = write_request(folder, record, to);
    }
    return failed;
}

static int write_seeds(const char *folder, const tw_value *record)
{
    return tw_value_member(record, "request") != NULL
               ? write_requests(folder, record)
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
