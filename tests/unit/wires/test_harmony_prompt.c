/* SPDX-License-Identifier: MIT
 *
 * Harmony: prompts' ends (checks/prompt.h).
 */
#include "checks/prompt.h"

#define START                                                     \
    "<|start|>user<|message|><|channel|>final<|message|>?<|end|>" \
    "<|start|>assistant"
#define TO "<|channel|>commentary to=functions.f <|constrain|>json"

static const primed rows[] = {
    {"harmony", START, "<|channel|>final<|message|>Hi<|return|>", "text[Hi]"},
    {"harmony", START "<|channel|>analysis<|message|>",
     "hm<|end|><|start|>assistant<|channel|>final<|message|>Hi<|return|>",
     "reasoning[hm] text[Hi]"},
    {"harmony", START "<|channel|>analysis<|message|>So ", "hm<|end|>",
     "reasoning[hm]"},
    {"harmony", START "<|channel|>final<|message|>", "Hi<|return|>",
     "text[Hi]"},
    {"harmony", START "<|channel|>", "final<|message|>Hi<|return|>",
     "text[Hi]"},
    {"harmony", START "<|channel|>fi", "nal<|message|>Hi<|return|>",
     "text[Hi]"},
    {"harmony", START, TO "<|message|>{\"a\": 1}<|call|>",
     "call[f call_0] args[{\"a\": 1}] complete"},
    {"harmony", START TO, "<|message|>{\"a\": 1}<|call|>",
     "call[f call_0] args[{\"a\": 1}] complete"},
    {"harmony", START TO "<|message|>", "{\"a\": 1}<|call|>",
     "call[f call_0] args[{\"a\": 1}] complete"},
    {"harmony", START TO "<|message|>{\"a\": ", "1}<|call|>",
     "call[f call_0] args[{\"a\": 1}] complete"},
    {"harmony", START "<|channel|>commentary to=functions.",
     "f json<|message|>{}<|call|>", "call[f call_0] args[{}] complete"},
    {"harmony", START " to=functions.f",
     "<|channel|>commentary json<|message|>{}<|call|>",
     "call[f call_0] args[{}] complete"},
    {"harmony", START "<|channel|>analysis to=python code<|message|>print(",
     "1)<|call|>", "call[python call_0] args[print(1)] complete"},
    {"harmony", START TO "<|message|>", "{\"a\": ",
     "call[f call_0] diag[truncated_call@6] incomplete "
     "unparsed[truncated_call@0+6 f]"},
    {"harmony",
     "<|start|>assistant<|channel|>analysis<|message|>a<|end|>"
     "<|start|>assistant",
     "<|channel|>final<|message|>Hi<|return|>", "text[Hi]"},
};

Test(prompt, harmony)
{
    check_prompts(rows, sizeof rows / sizeof *rows);
}

/* Inside something that is not decided yet. */
static const primed undecided[] = {
    {"harmony", START "<|channel|>final<|message|>a<|start|>", "b<|return|>",
     "text[b]"},
    {"harmony", START "<|channel|>final<|message|>a<|channel|> x",
     "b<|return|>", "text[b]"},
    {"harmony", START "<|channel|>final{", "\"a\":1}<|return|>",
     "text[\"a\":1}]"},
    {"harmony", START TO "<|message|>{\"a\": \"<|start|>", "b\"}<|call|>",
     "call[f call_0] args[{\"a\": \"<|start|>b\"}] complete"},
};

Test(prompt, harmony_undecided, .timeout = 1200)
{
    check_prompts(undecided, sizeof undecided / sizeof *undecided);
}

/* The prompt's markers stay markers where ordinary tokens follow. */
Test(prompt, harmony_marks_behind)
{
    static const primed as_text[] = {
        {"harmony", START "<|channel|>", "final <|message|>", ""},
    };
    check_marks_behind(as_text, sizeof as_text / sizeof *as_text);
}
