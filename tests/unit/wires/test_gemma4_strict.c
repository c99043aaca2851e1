/* SPDX-License-Identifier: MIT
 *
 * Gemma 4: strict mode (checks/strict.h).
 */
#include <criterion/criterion.h>

#include "checks/strict.h"

/* Section 2: loose heads are a table, and off in strict. */
Test(strict, gemma4_loose_heads_are_text)
{
    static const char *const rows[] = {
        "<|tool_call> call:f{a:1}",       "<|tool_call>f{a:1}",
        "<|tool_call>call:f (a:1)",       "call:f{a:1}",
        "<|tool_call>call:f<tool_call|>",
    };
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        expect_strict_text("gemma4", rows[i]);
    }
}
