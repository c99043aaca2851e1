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

#include "support/random_request.h"
#include "support/segments.h"
#include "toolwire.h"

enum { SHOWN = 5 };

static unsigned long done;
static unsigned long bad;
static unsigned long written;

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
        const size_t from = random_below((uint32_t)size);
        size_t count = 1 + random_below(30);
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
            copy[from] = (char)random_below(256);
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
                   random_below(2) == 0 ? TW_CONTROL_TEXT_REJECT
                                        : TW_CONTROL_TEXT_BREAK);
    tw_encoder_set(encoder, TW_OPTION_PYTHON_NUMBERS, random_below(2));
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
    memory.countdown = 1 + random_below(60);
    int result = tw_encode(poor, (const char *)request->data, request->size,
                           &found, &found_size);
    check_failed(format, result, found, found_size, wanted, text, size);
    if (wanted == TW_OK) {
        const int read =
            tw_decode_transcript(converter, text, size, &json, &json_size);
        memory.countdown = 1 + random_below(60);
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
    memory.countdown = 1 + random_below(60);
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
    const tw_memory memory = tw_memory_from(NULL);
    size_t formats = 0;
    tw_json_out request = {.memory = &memory};
    const tw_format *format;
    if (count != 3) {
        fprintf(stderr, "usage: requests COUNT SEED\n");
        return 2;
    }
    const unsigned long requests = strtoul(arguments[1], NULL, 10);
    random_seed(strtoull(arguments[2], NULL, 10));
    while (tw_format_at(formats) != NULL) {
        formats++;
    }
    tw_encoder **encoders = calloc(formats, sizeof *encoders);
    tw_converter **converters = calloc(formats, sizeof *converters);
    if (encoders == NULL || converters == NULL) {
        abort();
    }
    for (size_t i = 0; (format = tw_format_at(i)) != NULL; i++) {
        encoders[i] = tw_encoder_new(format, NULL);
        converters[i] =
            tw_converter_new(tw_format_name(format), "openai", NULL);
    }
    for (unsigned long n = 0; n < requests; n++) {
        request.out.size = 0;
        random_request(&request);
        check_shape("sharegpt", &request.out);
        check_shape("anthropic", &request.out);
        for (size_t i = 0; (format = tw_format_at(i)) != NULL; i++) {
            if (tw_format_reads_transcripts(format)) {
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
    free(encoders);
    free(converters);
    tw_buffer_free(&request.out, &memory);
    printf("%lu requests in all dialects, %lu prompts\n", requests, written);
    printf("%lu passed, %lu failed\n", bad > 0 ? 0 : done, bad);
    return bad > 0 || written == 0;
}
