/* SPDX-License-Identifier: MIT
 *
 * Nemotron: prompts' ends (checks/prompt.h).
 */
#include "checks/prompt.h"

#define NEMOTRON "<SPECIAL_10>System\nx <TOOLCALL>\n<SPECIAL_11>Assistant\n"
#define LIST "[{\"name\": \"f\", \"arguments\": "

static const primed rows[] = {
    {"nemotron", NEMOTRON, "Hi", "text[Hi]"},
    {"nemotron",
     "<|start_header_id|>user<|end_header_id|>\n\n<TOOLCALL><|eot_id|>"
     "<|start_header_id|>assistant<|end_header_id|>\n\n",
     "Hi", "text[Hi]"},
    {"nemotron", NEMOTRON "<think>\n", "hm\n</think>\n\nHi",
     "reasoning[hm] text[Hi]"},
    {"nemotron", NEMOTRON "<TOOLCALL>", LIST "{}}]</TOOLCALL>",
     "call[f call_0] args[{}] complete"},
    {"nemotron", NEMOTRON "<TOOLCALL>" LIST, "{\"a\": 1}}]</TOOLCALL>Hi",
     "call[f call_0] args[{\"a\": 1}] complete text[Hi]"},
    {"nemotron", NEMOTRON "<TOOLCALL>" LIST "{}}, {\"name\": \"",
     "g\", \"arguments\": {}}]</TOOLCALL>",
     "call[g call_1] args[{}] complete"},
};

Test(prompt, nemotron)
{
    check_prompts(rows, sizeof rows / sizeof *rows);
}
