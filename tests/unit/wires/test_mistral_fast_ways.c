/* SPDX-License-Identifier: MIT
 *
 * Mistral: fast ways (checks/fast_ways.h).
 */
#include <criterion/criterion.h>

#include "checks/fast_ways.h"

static const kit kits[] = {
    /* Long strings, and what may end one that is not closed. */
    {"mistral",
     {"[TOOL_CALLS]f[ARGS]{", "[CALL_ID]abcdefghi", "\"a\": 1", "}", "{}",
      "Some prose [x], a < b. ", "[THINK]Hm[/THINK]", "\n"},
     {" ", "\n", "[", "\xC3", "}", "{", "\"", "]", "</s>"}},
};

Test(fast_ways, mistral_do_what_the_plain_ones_do)
{
    check_fast_ways(kits, sizeof kits / sizeof *kits);
}
