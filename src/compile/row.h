/* SPDX-License-Identifier: MIT
 *
 * A format under way: what the files of the descriptions' compiler share.
 */
#ifndef TOOLWIRE_COMPILE_ROW_H
#define TOOLWIRE_COMPILE_ROW_H

#include <stddef.h>

#include "formats/description.h"

typedef struct compile_row {
    tw_loaded loaded;
    char *prompt; /* its template, NUL-ended; NULL: there is none */
    size_t prompt_size;
    size_t given;  /* the row's number as it was given */
    size_t number; /* among all formats, dialects among them */
} compile_row;

/* All of a file, to be freed, with room for a NUL; NULL: it cannot be read. */
char *compile_read_file(const char *path, size_t *size);

#endif
