/* SPDX-License-Identifier: MIT
 *
 * A file of the grammar as it is read.
 */
#include "compile/row.h"

#include <stdio.h>
#include <stdlib.h>

char *compile_read_file(const char *path, size_t *size)
{
    enum { MOST = 1 << 20 };
    FILE *file = fopen(path, "rb");
    char *data = malloc(MOST + 1);
    if (file == NULL || data == NULL) {
        free(data);
        data = NULL;
    } else {
        *size = fread(data, 1, MOST, file);
    }
    if (file != NULL) {
        fclose(file);
    }
    return data;
}
