/* SPDX-License-Identifier: MIT
 *
 * The formats that a test of all formats runs over.  They come from the
 * library's registry and from the files of cases, so that a new format is
 * tested without being named anywhere else.
 */
#ifndef TOOLWIRE_TESTS_FORMATS_H
#define TOOLWIRE_TESTS_FORMATS_H

#include <stdbool.h>
#include <stddef.h>

#include "toolwire.h"

enum { FORMAT_NAME_SIZE = 64 };

/* A name that needs no pointer, since Criterion hands parameters to another
 * process. */
typedef struct format_name {
    char text[FORMAT_NAME_SIZE];
} format_name;

/* The alias, or the name of a format that has none. */
const char *format_short_name(const tw_format *);

/* A wire is what one decoder reads.  Dialects with the same decoder and the
 * same markers are one wire, for which its first format stands.  Wire |i|;
 * NULL behind the last. */
const tw_format *wire_at(size_t i);
const tw_format *wire_of(const tw_format *);

/* Does the format have a marker of that role that decoders read? */
bool format_reads(const tw_format *, uint32_t role);
/* Does its decoder read output that lost its markers? */
bool format_recovers_stripped(const tw_format *);

/* Writes BEFORE, NAME and BEHIND, with `-` for the slash of |name|. */
void format_file(char *path, size_t size, const char *before, const char *name,
                 const char *behind);
/* Writes FOLDER/KIND-NAME.jsonl, with `-` for the slash of |name|. */
void format_path(char *path, size_t size, const char *folder, const char *kind,
                 const char *name);
/* Format |i| of those that have such a file, by the name that the file has;
 * false behind the last. */
bool format_with_cases(format_name *, const char *folder, const char *kind,
                       size_t i);

#endif
