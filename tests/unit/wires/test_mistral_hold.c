/* SPDX-License-Identifier: MIT
 *
 * Mistral: what look-ahead may hold (checks/hold.h).
 */
#include "checks/hold.h"

#define M_NEXT "[TOOL_CALLS]g[ARGS]{}"

static const held near_rows[] = {
    {"head", "mistral", 0, 1024, "Hi ", "[TOOL_CALLS]", " ", "f[ARGS]",
     "{\"a\": 1}"},
    {"head", "mistral", 0, 1024, "Hi ", "[TOOL_CALLS]f", " ", "[ARGS]",
     "{\"a\": 1}"},
    {"name", "mistral", 0, 256, "[TOOL_CALLS]", "", "f", "", "[ARGS]{}"},
    {"id", "mistral", 0, 64, "[TOOL_CALLS]f[CALL_ID]", "", "x", "",
     "[ARGS]{\"a\": 1}"},
    {"blanks before arguments", "mistral", 0, 256, "[TOOL_CALLS]f[ARGS]", "",
     " ", "", "{\"a\": 1}"},
    {"blanks before a call", "mistral", 0, 256, "Hi", "", " ", "", M_NEXT},
    {"blanks behind a call", "mistral", 0, 256, M_NEXT, "", " ", "", "Hi"},
    {"blanks between calls", "mistral", 0, 256, M_NEXT, "", "\n", "", M_NEXT},
    {"blanks at the end", "mistral", 0, 256, M_NEXT, "", " ", "", "</s>"},
    {"comma", "mistral", 0, 256, "[TOOL_CALLS]f[ARGS]{\"a\": 1", ",", " ", "",
     "}" M_NEXT},
};

Test(hold, mistral_near)
{
    check_held(near_rows, sizeof near_rows / sizeof *near_rows, HELD_NEAR);
}
