/* SPDX-License-Identifier: MIT
 *
 * Inputs that are not what they ought to be, known by their first bytes: what
 * they are, and what makes text of them.
 */
#ifndef TOOLWIRE_CLI_FILES_FOREIGN_H
#define TOOLWIRE_CLI_FILES_FOREIGN_H

#include <stdbool.h>
#include <stddef.h>

#include "cli/files/packed.h"

typedef struct cli_foreign {
    const char *what; /* NULL: a byte order mark, which is passed over */
    const char *remedy;
    const char *bytes; /* it begins with them; ? is any but NUL */
    size_t size;
    bool json; /* only where JSON is due: text may hold NUL */
    cli_packing packing;
} cli_foreign;

/* Looks at the first bytes of an input.  *found is NULL if it is what it ought
 * to be.  false: there must be more to tell, unless it has |ended|. */
bool cli_foreign_look(const char *data, size_t size, bool ended, bool json,
                      const cli_foreign **found);
/* Looks at the first line where each is to be a JSON text. */
const cli_foreign *cli_foreign_line(const char *line, size_t size);

/* One line on stderr; |name| is the input's. */
void cli_foreign_say(const cli_foreign *found, const char *name);

#endif
