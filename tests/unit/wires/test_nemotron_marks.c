/* SPDX-License-Identifier: MIT
 *
 * Nemotron: marks (checks/marks.h).
 */
#include "checks/marks.h"

#define BARE "{\"name\": \"f\", \"arguments\": {}}"

/* What is read as a call without its marker only where nothing is marked. */
static const marked_text bare[] = {
    {"nemotron", "text[[" BARE "]</TOOLCALL>]", {T("[" BARE "]</TOOLCALL>")}},
};

Test(marks, nemotron_bare_calls)
{
    check_marks(bare, sizeof bare / sizeof *bare, false);
}
