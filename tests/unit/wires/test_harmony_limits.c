/* SPDX-License-Identifier: MIT
 *
 * Harmony: limits (checks/limits.h).
 */
#include <criterion/criterion.h>

#include "checks/limits.h"

#define Y_CALL "<|channel|>commentary to=functions.f json<|message|>"
#define Y_NEXT                                                    \
    "<|start|>assistant<|channel|>commentary to=functions.g json" \
    "<|message|>{}<|call|>"

static const limited rows[] = {
    /* The arguments' own brace is depth 1. */
    {"lists", "harmony", DEPTH, 5, 128, 1, 1, Y_CALL "{\"a\": ", "[", "1", "]",
     "}<|call|>", Y_NEXT},
    {"lists", "harmony", DEPTH, 0, 128, 1, 1, Y_CALL "{\"a\": ", "[", "1", "]",
     "}<|call|>", Y_NEXT},
    {"name", "harmony", NAME, 3, 256, 0, 1,
     "<|channel|>commentary to=functions.", "f", "", "",
     " json<|message|>{}<|call|>", Y_NEXT},
    {"name", "harmony", NAME, 0, 256, 0, 1,
     "<|channel|>commentary to=functions.", "f", "", "",
     " json<|message|>{}<|call|>", Y_NEXT},
    {"string", "harmony", SIZE, 64, 0, 9, 1, Y_CALL "{\"a\": \"", "x", "", "",
     "\"}<|call|>", Y_NEXT},
    {"free text", "harmony", SIZE, 64, 0, 0, 1,
     "<|channel|>commentary to=python<|message|>", "x", "", "", "<|call|>",
     Y_NEXT},
};

Test(limits, harmony_of_a_call)
{
    check_limits(rows, sizeof rows / sizeof *rows);
}

Test(limits, harmony_calls)
{
    check_call_limits("harmony", Y_NEXT);
}

Test(limits, harmony_escapes)
{
    check_escape_limits("harmony",
                        "<|channel|>commentary to=functions.f json<|message|>"
                        "{\"a\": \"x\x01y\"}<|call|>");
}
