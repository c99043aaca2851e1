/* SPDX-License-Identifier: MIT
 *
 * The list of formats, and of how their calls begin.
 */
#ifndef TOOLWIRE_COMPILE_LIST_H
#define TOOLWIRE_COMPILE_LIST_H

#include <stdbool.h>

#include "compile/row.h"

/* Where a text could be of several formats, the first of the list is named:
 * what is best known stands in front.  Each is numbered with its dialects. */
void compile_order_formats(compile_row *rows, int count);
void compile_put_formats(const compile_row *rows, int count);
/* How calls begin, of all formats, each text once.  False: no memory. */
bool compile_put_heads(const compile_row *rows, int count);

#endif
