/* SPDX-License-Identifier: MIT
 *
 * A description as C.  All of this room prints C to stdout.
 */
#ifndef TOOLWIRE_COMPILE_TABLES_H
#define TOOLWIRE_COMPILE_TABLES_H

#include <stddef.h>

#include "formats/description.h"

/* A C string. */
void compile_put_sized(const char *text, size_t size);
void compile_put_text(const char *text);
/* |kind| and the description's own name: the name of a table. */
void compile_put_symbol(const char *kind, const tw_description *d);
/* The tables of the |format|-th description, and what points to them. */
void compile_put_description(size_t format, const tw_description *d);

#endif
