/* SPDX-License-Identifier: MIT
 *
 * Mistral: prompts' ends (checks/prompt.h).
 */
#include "checks/prompt.h"

#define INST "[INST]a [TOOL_CALLS]x[ARGS]{[/INST]"

static const primed rows[] = {
    {"mistral", INST, "Hi", "text[Hi]"},
    {"mistral", "[TOOL_RESULTS]f[TOOL_CONTENT]x [THINK][/TOOL_RESULTS]", "Hi",
     "text[Hi]"},
    {"mistral", INST "[THINK]", "hm[/THINK]Hi", "reasoning[hm] text[Hi]"},
    {"mistral", INST "[TOOL_CALLS]", "f[ARGS]{}",
     "call[f call_0] args[{}] complete"},
    {"mistral", INST "[TOOL_CALLS]f[ARGS]{\"a\": ", "1}",
     "call[f call_0] args[{\"a\": 1}] complete"},
    {"mistral", INST "[TOOL_CALLS]f[CALL_ID]abc", "DEF[ARGS]{}",
     "call[f abcDEF] args[{}] complete"},
};

Test(prompt, mistral)
{
    check_prompts(rows, sizeof rows / sizeof *rows);
}
