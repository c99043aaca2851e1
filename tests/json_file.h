/* SPDX-License-Identifier: MIT
 *
 * Files of the folder conformance/ with a line for each case.
 */
#ifndef TESTS_JSON_FILE_H
#define TESTS_JSON_FILE_H

#include <criterion/criterion.h>
#include <stdio.h>

#include "messages/pytext.h"
#include "support/cases.h"

/* The lines of a file, which has some. */
static inline json_lines lines_of(const char *name)
{
    char path[4096];
    snprintf(path, sizeof path, "%s/%s", CONFORMANCE_FOLDER, name);
    FILE *file = fopen(path, "rb");
    cr_assert_not_null(file, "%s", path);
    const json_lines lines = json_lines_read(file);
    fclose(file);
    cr_assert_gt(lines.count, 0);
    return lines;
}

static inline void check_lines(const char *name,
                               void (*check)(const tw_value *))
{
    json_lines lines = lines_of(name);
    for (size_t i = 0; i < lines.count; i++) {
        check(lines.lines[i].root);
    }
    json_lines_free(&lines);
}

/* A value as JSON text, as it was written but for blanks. */
static inline naive_bytes json_text(const tw_value *value)
{
    const tw_memory memory = tw_memory_from(NULL);
    tw_buffer out = {0};
    naive_bytes text = {0};
    cr_assert(tw_python_dump(&out, &memory, value, &tw_dump_spaced, false));
    naive_add(&text, (const char *)out.data, out.size);
    tw_buffer_free(&out, &memory);
    return text;
}

#endif
