/* SPDX-License-Identifier: MIT
 *
 * What the files of the descriptions' compiler share.  All of them print C to
 * stdout.
 */
#ifndef TOOLWIRE_COMPILE_COMPILE_H
#define TOOLWIRE_COMPILE_COMPILE_H

#include <stdbool.h>
#include <stddef.h>

#include "formats/description.h"

/* A format under way. */
typedef struct format_row {
    tw_loaded loaded;
    char *prompt; /* its template, NUL-ended; NULL: there is none */
    size_t prompt_size;
    size_t given;  /* the row's number as it was given */
    size_t number; /* among all formats, dialects among them */
} format_row;

/* tables.c: a C string, ... */
void put_sized(const char *text, size_t size);
void put_text(const char *text);
/* ... and |kind| and the description's own name, for those that have more
 * around them. */
void put_symbol(const char *kind, const tw_description *d);
/* The tables of the |format|-th description, and what points to them. */
void put_description(size_t format, const tw_description *d);

/* All of a file, to be freed, with room for a NUL; NULL: it cannot be read. */
char *read_file(const char *path, size_t *size);

/* template.c: puts the template beside the description, whose path is |stem|
 * and its ending, if there is one. */
void put_prompt(const char *stem, size_t format, format_row *row);
/* The family whose functions go with its format, as a name that a line feed
 * ends; NULL: the frame's. */
const char *family_of(const format_row *row);
void put_family(const format_row *row);
/* What is told of the first dialect behind |at|, NAME (MODEL, ...): ABOUT;
 * NULL: there is none. */
const char *next_dialect(const char *at);

#endif
