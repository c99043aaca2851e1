/* SPDX-License-Identifier: MIT
 *
 * A format's own template, and what its comments tell.
 */
#ifndef TOOLWIRE_COMPILE_TEMPLATE_H
#define TOOLWIRE_COMPILE_TEMPLATE_H

#include "compile/row.h"

/* Puts the template beside the description, whose path is |stem| and its
 * ending, if there is one. */
void compile_put_prompt(const char *stem, size_t format, compile_row *row);
/* The family whose functions go with its format, as a name that a line feed
 * ends; NULL: the frame's. */
const char *compile_family_of(const compile_row *row);
void compile_put_family(const compile_row *row);
/* What is told of the first dialect behind |at|, NAME (MODEL, ...): ABOUT;
 * NULL: there is none. */
const char *compile_next_dialect(const char *at);

#endif
