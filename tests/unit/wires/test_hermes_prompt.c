/* SPDX-License-Identifier: MIT
 *
 * Hermes: prompts' ends (checks/prompt.h).
 */
#include "checks/prompt.h"

#define IM                                               \
    "<|im_start|>user\n<think>x <tool_call><|im_end|>\n" \
    "<|im_start|>assistant\n"
#define CLOSE "\n</tool_call>"

static const primed rows[] = {
    {"hermes", IM, "Hi", "text[Hi]"},
    {"hermes", "", "Hi", "text[Hi]"},
    {"hermes", IM "<think>\n", "hm\n</think>\n\nHi", "reasoning[hm] text[Hi]"},
    {"hermes", IM "<think>\nSo ", "hm\n</think>\n\nHi",
     "reasoning[hm] text[Hi]"},
    {"hermes", IM "<think>\n\n</think>\n\n", "Hi <think>", "text[Hi <think>]"},
    {"hermes", IM "<think>\n\n</think>\n\n",
     "<tool_call>\n{\"name\": \"f\", \"arguments\": {}}" CLOSE,
     "call[f call_0] args[{}] complete"},
    {"hermes", IM "Say ", "Hi", "text[Hi]"},
    {"hermes", IM "<tool_call>\n{\"name\": \"f\", \"arguments\": ",
     "{\"a\": 1}}" CLOSE, "call[f call_0] args[{\"a\": 1}] complete"},
    {"hermes", IM "<tool_call>\n{\"name\": \"f\", \"arguments\": {\"a\": [1, ",
     "2]}}" CLOSE " Hi",
     "call[f call_0] args[{\"a\": [1, 2]}] complete text[ Hi]"},
    {"hermes", IM "<tool_call>\n{\"name\": \"",
     "f\", \"arguments\": {}}" CLOSE, "call[f call_0] args[{}] complete"},
    {"hermes", IM "<tool_call>\n{\"name\": \"get_",
     "f\", \"arguments\": {}}" CLOSE, "call[get_f call_0] args[{}] complete"},
    {"hermes", IM "<tool_call>\n",
     "{\"name\": \"f\", \"arguments\": {}}" CLOSE,
     "call[f call_0] args[{}] complete"},
    {"hermes", IM "<tool_call>",
     "\n{\"name\": \"f\", \"arguments\": {}}" CLOSE,
     "call[f call_0] args[{}] complete"},
    {"hermes", IM "<tool_call>\n{\"name\": \"f\", \"arguments\": {\"a\": \"x",
     "y\"}}" CLOSE, "call[f call_0] args[{\"a\": \"xy\"}] complete"},
    {"hermes", IM "<tool_call>\n{\"name\": \"f\", \"arguments\": {\"a\": 1",
     "2}}" CLOSE, "call[f call_0] args[{\"a\": 12}] complete"},
    {"hermes",
     IM "<tool_call>\n{\"name\": \"f\", \"arguments\": {\"a\": \"\\u",
     "00e9\"}}" CLOSE, "call[f call_0] args[{\"a\": \"\\u00e9\"}] complete"},
    {"hermes", IM "<tool_call>\n{\"name\": \"f\", \"arguments\": ", "{\"a\": ",
     "call[f call_0] diag[truncated_call@6] incomplete "
     "unparsed[truncated_call@0+6 f]"},
    /* A deviation of the completion is where it stands there. */
    {"hermes", IM "<tool_call>\n{\"name\": \"f\", \"arguments\": {\"a\": 1",
     ",}}" CLOSE,
     "call[f call_0] args[{\"a\": 1] diag[trailing_comma@0] args[}] "
     "complete"},
    {"hermes/rnj-1",
     "<|start_header_id|>assistant<|end_header_id|>\n<tool_call>\n",
     "{\"name\": \"f\", \"arguments\": {}}" CLOSE,
     "call[f call_0] args[{}] complete"},
};

Test(prompt, hermes)
{
    check_prompts(rows, sizeof rows / sizeof *rows);
}

/* Inside something that is not decided yet. */
static const primed undecided[] = {
    {"hermes",
     IM "<think>a <tool_call>{\"name\": \"f\", \"arguments\": {}}" CLOSE " b",
     "c</think>Hi", "reasoning[c] text[Hi]"},
    {"hermes",
     IM "<think>a <tool_call>{\"name\": \"f\", \"arguments\": {}}" CLOSE,
     "\nb</think>Hi", "reasoning[\nb] text[Hi]"},
};

Test(prompt, hermes_undecided, .timeout = 1200)
{
    check_prompts(undecided, sizeof undecided / sizeof *undecided);
}

/* The prompt's markers stay markers where ordinary tokens follow. */
Test(prompt, hermes_marks_behind)
{
    static const primed as_text[] = {
        {"hermes", IM "<think>\n", "hm<|im_end|>",
         "reasoning[hm<|im_end|>] diag[unclosed_reasoning@12]"},
    };
    check_marks_behind(as_text, sizeof as_text / sizeof *as_text);
}
