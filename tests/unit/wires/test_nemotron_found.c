/* SPDX-License-Identifier: MIT
 *
 * Nemotron: what soups and fuzzing found (checks/found.h).
 */
#include "checks/found.h"

static const found rows[] = {
    /* Where a body of tags may end: in its name, between tags, in a key; and
     * what in it may be too long.  Coverage had these lines as not run. */
    {"nemotron", "<TOOLCALL>[{\"name\": \"f\"}, <SPECIAL_12>"},
    /* What is in a bad call's string nobody reads, in either quotes. */
    {"nemotron", "<TOOLCALL>[{\"name\": \"a\\u0000\", \"arguments\": "
                 "'{\"x\": 2}}'}]</TOOLCALL>"},
};

Test(regressions, nemotron_soups)
{
    check_found(rows, sizeof rows / sizeof *rows);
}
