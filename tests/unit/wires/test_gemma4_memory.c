/* SPDX-License-Identifier: MIT
 *
 * Gemma 4: memory that does not grow (checks/memory.h).
 */
#include "checks/memory.h"

static const amplified rows[] = {
    {"gemma4", false, "Hi ", "\xFF"},
    {"gemma4", true, "Hi ", "\xFF "},
    {"gemma4", false, "<|tool_call>call:f{a:<|\"|>", "\xFF"},
    {"gemma4", false, "<|tool_call>call:f{a:<|\"|>", "\xE2\x82x"},
    {"gemma4", false, "<|tool_call>call:f{a:<|\"|>", "\""},
    {"gemma4", false, "<|tool_call>call:f{a:\"", "\xFF"},
    {"gemma4", false, "<|tool_call>call:f{a:\"", "\\q"},
};

Test(memory, gemma4_one_chunk)
{
    check_memory(rows, sizeof rows / sizeof *rows);
}
