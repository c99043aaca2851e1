/* SPDX-License-Identifier: MIT
 *
 * Harmony: marks (checks/marks.h).
 */
#include "checks/marks.h"

#define HEADER                                                    \
    "<|channel|>commentary to=functions.lookup <|constrain|>json" \
    "<|message|>"

static const marked_text rows[] = {
    /* The case h-m11: with the quoted marker as TEXT, the call is right. */
    {"harmony",
     "call[lookup call_0] args[{\"q\":\"see <|call|> token\"}] complete",
     {U(HEADER "{\"q\":\"see "), T("<|call|>"), U(" token\"}<|call|>")}},
    {"harmony",
     "call[lookup call_0] args[{\"q\":\"see <|call|> token\"}] complete",
     {C("<|channel|>"), T("commentary to=functions.lookup "),
      C("<|constrain|>"), T("json"), C("<|message|>"),
      T("{\"q\":\"see <|call|> token\"}"), C("<|call|>")}},
    {"harmony",
     "text[<|start|>assistant<|channel|>analysis<|message|>a<|end|>]",
     {C("<|channel|>"), T("final"), C("<|message|>"),
      T("<|start|>assistant<|channel|>analysis<|message|>a<|end|>"),
      C("<|return|>")}},
    {"harmony",
     "reasoning[a<|end|>] text[b]",
     {U("<|channel|>analysis<|message|>a"), T("<|end|>"),
      U("<|end|><|start|>assistant<|channel|>final<|message|>b<|return|>")}},
    {"harmony",
     "call[lookup call_0] args[{\"q\": 1] diag[trailing_comma@77] args[}] "
     "complete",
     {U(HEADER), T("{\"q\": 1,}"), C("<|call|>")}},
    /* A free text tool. */
    {"harmony",
     "call[python call_0] args[print('<|call|>')] complete",
     {U("<|channel|>analysis to=python code<|message|>"),
      T("print('<|call|>')"), C("<|call|>")}},
    /* Words of a header. */
    {"harmony",
     "call[lookup call_0] args[{}] complete",
     {C("<|channel|>"), T("commentary to=functions.lookup <|channel|>final"),
      C("<|message|>"), T("{}"), C("<|call|>")}},
    /* The output ends in text that looks like half a marker. */
    {"harmony",
     "text[a <|en]",
     {C("<|channel|>"), T("final"), C("<|message|>"), T("a <|en")}},
    /* Half a marker of each kind. */
    {"harmony",
     "text[a <|end|> b]",
     {U("<|channel|>final<|message|>a <|en"), T("d|> b"), C("<|end|>")}},
};

Test(marks, harmony)
{
    check_marks(rows, sizeof rows / sizeof *rows, false);
}
