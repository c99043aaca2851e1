/* SPDX-License-Identifier: MIT
 *
 * Gemma 4: prompts' ends (checks/prompt.h).
 */
#include "checks/prompt.h"

#define TURN "<|turn>user\n<|channel>thought\n<turn|>\n<|turn>model\n"

static const primed rows[] = {
    {"gemma4", TURN, "Hi", "text[Hi]"},
    {"gemma4", TURN "<|channel>thought\n", "hm<channel|>Hi",
     "reasoning[hm] text[Hi]"},
    {"gemma4", TURN "<|channel>", "thought\nhm<channel|>Hi",
     "reasoning[hm] text[Hi]"},
    {"gemma4", TURN "<|channel>thought\n<channel|>", "Hi", "text[Hi]"},
    /* Behind a result the turn goes on, and a text begins. */
    {"gemma4", TURN "<|tool_response>response:f{value:1}<tool_response|>",
     "\n\nHi\n", "text[Hi]"},
    {"gemma4", TURN "<|tool_response>response:f{value:1}<tool_response|>",
     "<|channel>thought\nhm<channel|>Hi", "reasoning[hm] text[Hi]"},
    {"gemma4", TURN "<|tool_call>call:f{", "a:1}<tool_call|>",
     "call[f call_0] args[{\"a\":1}] complete"},
    {"gemma4", TURN "<|tool_call>", "call:f{a:1}<tool_call|>",
     "call[f call_0] args[{\"a\":1}] complete"},
    {"gemma4", TURN "<|tool_call>call:", "f{a:1}<tool_call|>",
     "call[f call_0] args[{\"a\":1}] complete"},
    {"gemma4", TURN "<|tool_call>call:f{a:<|\"|>x", "y<|\"|>}<tool_call|>",
     "call[f call_0] args[{\"a\":\"xy\"}] complete"},
    {"gemma4", TURN "<|tool_call>call:f{a:<|\"|>x<|\"|>,b:", "2}<tool_call|>",
     "call[f call_0] args[{\"a\":\"x\",\"b\":2}] complete"},
    {"gemma4", TURN "<|tool_call>call:f{a:1", "2}<tool_call|>",
     "call[f call_0] args[{\"a\":12}] complete"},
    {"gemma4", TURN "<|tool_call>call:f{a", "b:2}<tool_call|>",
     "call[f call_0] args[{\"ab\":2}] complete"},
    {"gemma4", TURN "<|tool_call>call:f{", "a:",
     "call[f call_0] diag[truncated_call@2] incomplete "
     "unparsed[truncated_call@0+2 f]"},
    {"gemma4", TURN "<|tool_call>call:f{", "a:1",
     "call[f call_0] args[{\"a\":1] diag[missing_closer@3] args[}] complete "
     "diag[missing_call_close@3]"},
    {"gemma4", TURN "<|tool_call>call:f{a:1}<tool_call|>", "Hi", "text[Hi]"},
    {"gemma4", TURN "Say ", "Hi", "text[Hi]"},
    /* The model's turn was not closed, and is over where another begins. */
    {"gemma4", "<|turn>model\nSay <|turn>user\nHm", "Hi",
     "diag[no_generation_prompt@0] text[Hi]"},
    {"gemma4", "<|turn>model\nSay <|tool_call>call:f{", "}<tool_call|>Hi",
     "call[f call_0] args[{}] complete text[Hi]"},
};

Test(prompt, gemma4)
{
    check_prompts(rows, sizeof rows / sizeof *rows);
}

/* Inside something that is not decided yet. */
static const primed undecided[] = {
    {"gemma4", TURN "<|tool_call>call:f{a:1}", "call:g{}<tool_call|>",
     "call[f call_0] args[{\"a\":1}] complete diag[calls_share_block@0] "
     "call[g call_1] args[{}] complete"},
    {"gemma4", TURN "<|tool_call>call:f{a:<|\"|>x<|\"|>", ",b:1}<tool_call|>",
     "call[f call_0] args[{\"a\":\"x\",\"b\":1}] complete"},
    {"gemma4", TURN "<|tool_call>call:f{a:<|\"|>x, b", ":y<|\"|>}<tool_call|>",
     "call[f call_0] args[{\"a\":\"x, b:y\"}] complete"},
};

Test(prompt, gemma4_undecided, .timeout = 1200)
{
    check_prompts(undecided, sizeof undecided / sizeof *undecided);
}

/* The prompt's markers stay markers where ordinary tokens follow. */
Test(prompt, gemma4_marks_behind)
{
    static const primed as_text[] = {
        {"gemma4", TURN "<|tool_call>", "call:f{a:1}",
         "call[f call_0] args[{\"a\":1}] complete "
         "diag[missing_call_close@11]"},
        {"gemma4", TURN "<|tool_call>call:", "f{a:1}",
         "call[f call_0] args[{\"a\":1}] complete "
         "diag[missing_call_close@6]"},
        {"gemma4", TURN "<|tool_call>call:f{a:<|\"|>x", "<|\"|>",
         "call[f call_0] diag[truncated_call@5] incomplete "
         "unparsed[truncated_call@0+5 f]"},
    };
    check_marks_behind(as_text, sizeof as_text / sizeof *as_text);
}
