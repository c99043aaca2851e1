/* SPDX-License-Identifier: MIT
 *
 * Harmony: memory that does not grow (checks/memory.h).
 */
#include "checks/memory.h"

#define Y_CALL "<|channel|>commentary to=functions.f json<|message|>"

static const amplified rows[] = {
    {"harmony", false, "<|channel|>final<|message|>", "\xFF"},
    {"harmony", false, "<|channel|>analysis to=python code<|message|>",
     "\xFF"},
    {"harmony", false, Y_CALL "{\"a\": [", "True,,"},
    {"harmony", false, Y_CALL "{\"a\": \"", "\xFF"},
    {"harmony", false, Y_CALL "\"{\\\"a\\\": \\\"", "x"},
    {"harmony", false, Y_CALL "{}", "}"},
};

Test(memory, harmony_one_chunk)
{
    check_memory(rows, sizeof rows / sizeof *rows);
}
