/* SPDX-License-Identifier: MIT
 *
 * An explanation is found by the name of its code.
 */
#include <string.h>

#include "cli/explain/explanations.h"

const cli_explanation *cli_explanation_get(const char *name)
{
    const cli_explanation *row = cli_explanations;
    while (row->name != NULL && strcmp(row->name, name) != 0) {
        row++;
    }
    return row;
}
