/* SPDX-License-Identifier: MIT
 *
 * A format's description is read from a file, loaded, and what is wrong in it
 * said with its place.
 */
#define _POSIX_C_SOURCE 200809L

#include <string.h>
#include <unistd.h>

#include "cli/options/format_file.h"
#include "cli/files/io.h"
#include "cli/files/print.h"

/* The library takes no longer one. */
enum { LONGEST = 16 << 20 };

static bool ends_in(const char *text, const char *end)
{
    const size_t size = strlen(text), end_size = strlen(end);
    return size > end_size && strcmp(text + size - end_size, end) == 0;
}

static bool begins_with(const char *text, const char *begin)
{
    return strncmp(text, begin, strlen(begin)) == 0;
}

bool cli_is_format_file(const char *value)
{
    return tw_format_find(value) == NULL &&
           (ends_in(value, ".json") || begins_with(value, "/") ||
            begins_with(value, "./") || begins_with(value, "../") ||
            (strchr(value, '/') != NULL && access(value, F_OK) == 0));
}

static uint64_t line_of(const char *text, uint64_t offset)
{
    uint64_t line = 1;
    for (uint64_t i = 0; i < offset; i++) {
        line += text[i] == '\n';
    }
    return line;
}

static void complain(const char *path, const char *json, size_t size,
                     const tw_format_error *error)
{
    char buffer[512];
    cli_output output = cli_standard_error(buffer, sizeof buffer);
    const char *name = tw_error_name(error->code);
    const bool in_text = error->code == TW_ERROR_JSON && error->offset <= size;
    cli_put_at(&output, path, in_text ? line_of(json, error->offset) : 1,
               error->offset, name != NULL ? name : "error", NULL,
               error->message);
    cli_output_flush(&output);
}

int cli_format_load(const char *path, tw_format **format)
{
    cli_input input;
    const char *json;
    size_t size;
    int result = cli_input_open(&input, path, CLI_INPUT_JSON, LONGEST);
    if (result != CLI_FINE) {
        return result;
    }
    const cli_read got = cli_input_record(&input, NULL, &json, &size);
    if (got == CLI_READ_RECORD) {
        tw_format_error error;
        if (tw_format_load(json, size, NULL, format, &error) != TW_OK) {
            complain(input.name, json, size, &error);
            result = CLI_BAD;
        }
    } else if (got == CLI_READ_TOO_LONG) {
        cli_say("%s: too long for a description", input.name);
        result = CLI_BAD;
    } else {
        result = cli_input_code(got);
    }
    cli_input_close(&input);
    return result;
}
