/* SPDX-License-Identifier: MIT
 *
 * An explanation is found in the tables.
 */
#include "cli/explain/rows.h"

const cli_explanation *cli_explanation_get(int64_t code)
{
    static const cli_explanation *const tables[] = {
        cli_explained_text,   cli_explained_blocks,  cli_explained_headers,
        cli_explained_values, cli_explained_schemas, cli_explained_unparsed,
        cli_explained_losses, cli_explained_errors};
    for (size_t i = 0; i < sizeof tables / sizeof tables[0]; i++) {
        for (const cli_explanation *row = tables[i]; row->code != 0; row++) {
            if (row->code == code) {
                return row;
            }
        }
    }
    return NULL;
}
