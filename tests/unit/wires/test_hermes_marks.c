/* SPDX-License-Identifier: MIT
 *
 * Hermes: marks (checks/marks.h).
 */
#include "checks/marks.h"

#define CALL                                                      \
    "<tool_call>\n{\"name\": \"f\", \"arguments\": {\"a\": 1}}\n" \
    "</tool_call>"

static const marked_text rows[] = {
    /* Tokenizers match these tags in ordinary text, too. */
    {"hermes",
     "reasoning[hm] text[Hi] call[f call_0] args[{\"a\": 1}] complete",
     {T("<think>\nhm\n</think>\n\nHi\n" CALL)}},
    {"hermes",
     "call[f call_0] args[{\"a\": 1}] complete",
     {T("<tool_"), U("call>\n{\"name\": \"f\", \"arguments\": {\"a\": 1}}\n<"),
      T("/tool_call>"), C("<|im_end|>")}},
    {"hermes",
     "call[f call_0] args[{\"a\": 1}] complete",
     {C("<tool_call>"), T("\n{\"name\": \"f\", \"arguments\": {\"a\": 1}}\n"),
      C("</tool_call>"), C("<|im_end|>")}},
    /* But not the stop markers. */
    {"hermes",
     "text[a <|im_end|> b <|endoftext|> c <|eot_id|>]",
     {T("a <|im_end|> b <|endoftext|> c <|eot_id|>"), C("<|im_end|>")}},
    {"hermes", "text[a] drop[output_after_end@12+1]", {U("a<|im_end|> b")}},
    {"hermes",
     "reasoning[hm <|im_end|> hm] text[b]",
     {T("<think>\nhm <|im_end|> hm\n</think>\n\nb")}},
    {"hermes",
     "call[f call_0] args[{\"a\": \"<|im_end|>\"}] complete",
     {T("<tool_call>\n{\"name\": \"f\", \"arguments\": {\"a\": "
        "\"<|im_end|>\"}}\n</tool_call>"),
      C("<|im_end|>")}},
};

Test(marks, hermes)
{
    check_marks(rows, sizeof rows / sizeof *rows, false);
}

/* A block in open reasoning is held: its marks with it (R10). */
static const marked_text in_reasoning[] = {
    {"hermes",
     "reasoning[hm ] diag[call_in_reasoning@3] call[f call_0] "
     "args[{\"a\": \"<|im_end|>\"}] complete",
     {T("hm <tool_call>\n{\"name\": \"f\", \"arguments\": {\"a\": "
        "\"<|im_end|>\"}}\n</tool_call>"),
      C("<|im_end|>")}},
    {"hermes",
     "reasoning[hm <|im_end|>" CALL "] text[Hi]",
     {T("hm <|im_end|>" CALL "</think>Hi")}},
    /* What looks ahead knows the marks, too: the output does not end here. */
    {"hermes",
     "reasoning[hm " CALL "<|im_end|> no] text[Hi]",
     {U("hm " CALL), T("<|im_end|>"), U(" no</think>Hi")}},
    {"hermes",
     "reasoning[hm " CALL "<|im_end|> no] diag[unclosed_reasoning@77]",
     {U("hm " CALL), T("<|im_end|>"), U(" no")}},
};

Test(marks, hermes_in_reasoning)
{
    check_marks(in_reasoning, sizeof in_reasoning / sizeof *in_reasoning,
                true);
}

#define BARE "{\"name\": \"f\", \"arguments\": {}}"

/* Who says of a byte in front of or in a call's head what it is knows that
 * the marker was not there. */
static const marked_text bare[] = {
    {"hermes",
     "diag[missing_call_open@0] call[f call_0] args[{}] complete",
     {U(BARE "</tool_call>")}},
    {"hermes",
     "diag[missing_call_open@0] call[f call_0] args[{}] complete "
     "diag[literal_backslash_n@30]",
     {U(BARE "\\n</tool_call>")}},
    {"hermes", "text[" BARE "</tool_call>]", {T(BARE "</tool_call>")}},
    {"hermes", "text[" BARE "</tool_call>]", {U(BARE), C("</tool_call>")}},
    {"hermes", "text[" BARE "</tool_call>]", {U(BARE "</tool_call"), T(">")}},
    {"hermes",
     "text[ " BARE "</tool_call>]",
     {T(" "), U(BARE "</tool_call>")}},
    {"hermes",
     "diag[missing_call_open@0] call[f call_0] args[{}] complete text[ Hi]",
     {U(BARE "</tool_call>"), T(" Hi")}},
};

Test(marks, hermes_bare_calls)
{
    check_marks(bare, sizeof bare / sizeof *bare, false);
}
