/* SPDX-License-Identifier: MIT
 *
 * Mistral: what soups and fuzzing found (checks/found.h).
 */
#include "checks/found.h"

static const found rows[] = {
    /* What is in a bad call's string nobody reads, in either quotes. */
    {"mistral",
     "[TOOL_CALLS]f[CALL_ID]" TWENTY TWENTY TWENTY TWENTY "[ARGS]{}"},
    {"mistral", "[TOOL_CALLS]f[CALL_ID]" TWENTY TWENTY TWENTY "aaaa"
                "[ARGS]{}"},
    {"mistral", "[TOOL_CALLS]" LONG_NAME "[ARGS]{}[TOOL_CALLS]g[ARGS]{}"},
    /* A head that is too long to be waited for, but no head in the end. */
    {"mistral", "[TOOL_CALLS]" LONG_NAME LONG_NAME LONG_NAME LONG_NAME " x"},
    {"mistral", "[TOOL_CALLS]" LONG_NAME LONG_NAME LONG_NAME LONG_NAME},
    {"mistral",
     "[TOOL_CALLS]f[CALL_ID]" LONG_NAME LONG_NAME LONG_NAME LONG_NAME
     "[ARGS]{}"},
    {"mistral", "[TOOL_CALLS]" TWENTY TWENTY LONG_NAME LONG_NAME LONG_NAME
                "                                                        "
                "                                                        "
                "                                                        "
                "                                                        "
                "x"},
    /* Blanks that a marker parts. */
    {"mistral", B60 B60 "[/THINK]" B60 B60 "[/THINK]" B60 "x"},
    {"mistral", "x" B60 B60 "[/THINK]" B60 B60 "[/THINK]" B60 "x"},
};

Test(regressions, mistral_soups)
{
    check_found(rows, sizeof rows / sizeof *rows);
}
