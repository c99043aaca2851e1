/* SPDX-License-Identifier: MIT
 *
 * Hermes: memory that does not grow (checks/memory.h).
 */
#include "checks/memory.h"

static const amplified rows[] = {
    {"hermes", false, "Hi ", "\xFF"},
    {"hermes", true, "Hi ", "\xFF"},
    {"hermes", false, "<tool_call>{\"name\": \"f\", \"arguments\": {\"a\": \"",
     "\xFF"},
    {"hermes", false,
     "<tool_call>{\"name\": \"f\", \"arguments\": \"{\\\"a\\\": \\\"", "x"},
    {"hermes", false, "<tool_call><function=f><parameter=a>", "\xFF"},
};

Test(memory, hermes_one_chunk)
{
    check_memory(rows, sizeof rows / sizeof *rows);
}
