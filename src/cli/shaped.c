/* SPDX-License-Identifier: MIT
 *
 * A record is what `convert -f auto` finds a shape for; its messages are those
 * that come out of it.
 */
#define _POSIX_C_SOURCE 200809L

#include "cli/shaped.h"

#include <string.h>

#include "cli/files/print.h"
#include "cli/records/reading.h"
#include "kit/record.h"

typedef struct reader {
    tw_converter *converter;
    kit_record record;
    cli_shaped *shaped;
    cli_detection *found;
    size_t most; /* texts */
} reader;

static bool read_answers(reader *to, const char *json, size_t size)
{
    const char *text;
    size_t text_size;
    if (!kit_record_open(&to->record, json, size)) {
        return false;
    }
    while (to->found->texts < to->most &&
           kit_record_next_answer(&to->record, &text, &text_size)) {
        cli_detection_read(to->found, text, text_size);
    }
    return true;
}

/* False: it is of no shape. */
static bool read_one(reader *to, const char *json, size_t size)
{
    cli_shaped *shaped = to->shaped;
    const char *out;
    size_t out_size;
    const int result =
        tw_converter_record(to->converter, json, size, &out, &out_size);
    const char *shape = tw_converter_shape(to->converter);
    if (result == TW_OK && !read_answers(to, out, out_size)) {
        to->found->failed = true;
    }
    to->found->failed |= result == TW_ERROR_MEMORY;
    if (shaped->records == 0 && shape == NULL) {
        return false;
    }
    shaped->records++;
    shaped->refused += result != TW_OK;
    if (shaped->shape == NULL) {
        shaped->shape = shape;
    } else if (shape != NULL && strcmp(shape, shaped->shape) != 0) {
        shaped->other = shape;
    }
    return true;
}

static bool is_blank(const char *text, size_t size)
{
    size_t i = 0;
    while (i < size && memchr(" \t\r", text[i], 3) != NULL) {
        i++;
    }
    return i == size;
}

static void read_lines(reader *to, const char *text, size_t size)
{
    const char *end = text + size;
    while (text < end && to->shaped->records < to->most) {
        const char *stop = memchr(text, '\n', (size_t)(end - text));
        const size_t line = (size_t)((stop != NULL ? stop : end) - text);
        if (!is_blank(text, line) && !read_one(to, text, line)) {
            return;
        }
        text += line + (stop != NULL);
    }
}

bool cli_shaped_read(cli_shaped *shaped, cli_detection *found,
                     const char *text, size_t size, size_t most)
{
    reader to = {.shaped = shaped, .found = found, .most = most};
    memset(shaped, 0, sizeof *shaped);
    to.converter = tw_converter_new("auto", "openai", NULL);
    if (to.converter == NULL) {
        found->failed = true;
        return false;
    }
    kit_record_init(&to.record);
    if (tw_record_is_file(tw_record_shape_find("auto"), text, size) == 0) {
        read_lines(&to, text, size);
    }
    if (shaped->records == 0) { /* one that is broken into lines */
        read_one(&to, text, size);
    }
    kit_record_free(&to.record);
    tw_converter_free(to.converter);
    return shaped->shape != NULL;
}

/* Is the object no text to the format, as {"response"} is none to llama.cpp's
 * JSON? */
static bool is_its_own(const tw_format *format, const cli_source *source)
{
    cli_reading reading;
    cli_reading_make(&reading, format, source->data, source->size);
    const bool own = !reading.failed && (reading.content.size == 0 ||
                                         reading.content.buffer[0] != '{');
    cli_reading_drop(&reading);
    return own;
}

/* The shape of the record that the first line is; NULL: it is none. */
static const char *shape_of_first(const char *text, size_t size)
{
    const char *stop = memchr(text, '\n', size);
    const char *out;
    size_t out_size;
    const char *shape = NULL;
    tw_converter *converter = tw_converter_new("auto", "openai", NULL);
    if (converter != NULL &&
        tw_converter_record(converter, text,
                            stop != NULL ? (size_t)(stop - text) : size, &out,
                            &out_size) == TW_OK) {
        shape = tw_converter_shape(converter);
    }
    tw_converter_free(converter);
    return shape;
}

bool cli_shaped_array(kit_record *record, const char *text, size_t size)
{
    const char *first;
    size_t first_size;
    return kit_record_first(record, text, size, &first, &first_size) &&
           (shape_of_first(first, first_size) != NULL ||
            kit_record_field(record, first, first_size) != NULL);
}

static void say_shape(const cli_options *options, const cli_source *source)
{
    const char *shape = source->size > 0 && source->data[0] == '{'
                            ? shape_of_first(source->data, source->size)
                            : NULL;
    if (shape != NULL) {
        cli_say("%s: warning: %s: its lines are records of the shape %s, but "
                "it is read as one text: `toolwire convert -f %s -t openai "
                "--wire %s` reads the texts in them",
                options->command->name, source->name, shape, shape,
                tw_format_name(options->format));
    }
}

void cli_shaped_say(const cli_options *options, const cli_source *source)
{
    kit_record record;
    if (options->jsonl) {
        return;
    }
    kit_record_init(&record);
    const char *field =
        kit_record_field(&record, source->data, source->size);
    if (field != NULL && !is_its_own(options->format, source)) {
        const bool usual = strcmp(field, "text") == 0;
        cli_say("%s: warning: %s: its lines are JSON records, but it is read "
                "as one text: --jsonl%s%s reads the text of each",
                options->command->name, source->name,
                usual ? "" : " --field ", usual ? "" : field);
    } else if (field == NULL &&
               cli_shaped_array(&record, source->data, source->size)) {
        cli_say("%s: warning: %s: " CLI_SHAPED_ARRAY, options->command->name,
                source->name);
    } else if (field == NULL) {
        say_shape(options, source);
    }
    kit_record_free(&record);
}
