/* SPDX-License-Identifier: MIT
 *
 * Real input, which the project does not hold: TOOLWIRE_DATA is where it is.
 */
#ifndef TESTS_REAL_DATA_H
#define TESTS_REAL_DATA_H

#include <criterion/criterion.h>
#include <stdio.h>
#include <stdlib.h>

#include "support/cases.h"

/* Without it, the test is skipped, which is said. */
static inline const char *data_folder(void)
{
    const char *folder = getenv("TOOLWIRE_DATA");
    if (folder == NULL || *folder == 0) {
        fprintf(stderr, "\n*** SKIPPED: TOOLWIRE_DATA is not set ***\n\n");
        cr_skip_test("TOOLWIRE_DATA is not set");
    }
    return folder;
}

static inline json_lines read_compressed(const char *name)
{
    char command[4096];
    snprintf(command, sizeof command, "gzip -dc '%s/%s'", data_folder(), name);
    FILE *pipe = popen(command, "r");
    cr_assert_not_null(pipe);
    const json_lines lines = json_lines_read(pipe);
    cr_assert_eq(pclose(pipe), 0);
    return lines;
}

#endif
