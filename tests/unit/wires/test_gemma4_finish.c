/* SPDX-License-Identifier: MIT
 *
 * Gemma 4: how an output ends (checks/finish.h).
 */
#include "checks/finish.h"

static const ending endings[] = {
    /* The marker that stops Gemma in a call is the one of a result. */
    {"gemma4", "<|tool_call>call:f{a:1",
     "call[f call_0] args[{\"a\":1] diag[missing_closer@22] args[}] complete "
     "diag[missing_call_close@22]",
     CUT(22)},
    {"gemma4", "<|tool_call>call:f{a:[1,",
     "call[f call_0] args[{\"a\":[1] diag[missing_closer@24] "
     "diag[trailing_comma@23] args[]}] complete diag[missing_call_close@24]",
     CUT(24)},
    {"gemma4", "<|tool_call>call:f{a:", CUT(21), CUT(21)},
    {"gemma4", "<|tool_call>call:f{a:<|\"|>x", CUT(27), CUT(27)},
    {"gemma4", "<|channel>thought\nhm",
     "reasoning[hm] diag[unclosed_reasoning@20]", "reasoning[hm]"},
    /* Half of that marker, and of no other. */
    {"gemma4", "<|tool_call>call:f{a:1<|tool_r",
     "call[f call_0] args[{\"a\":1] diag[missing_closer@22] args[}] complete "
     "diag[missing_call_close@30]",
     CUT(30)},
    {"gemma4", "<|tool_call>call:f{a:<|\"|>x<|\"|><|tool_r",
     "call[f call_0] args[{\"a\":\"x\"] diag[missing_closer@32] args[}] "
     "complete diag[missing_call_close@40]",
     "call[f call_0] diag[interior_delimiter@27] diag[truncated_call@40] "
     "incomplete unparsed[truncated_call@0+40 f]"},
    {"gemma4", "<|tool_call>call:f{a:1<|tool_", CUT(29), CUT(29)},
    {"gemma4", "<|tool_call>call:f{a:[1<eo", CUT(26), CUT(26)},
    {"gemma4", "<|tool_call>call:f{a:<|\"|>x<|tool_r", CUT(35), CUT(35)},
    /* Half of the call's own close, behind a closed value. */
    {"gemma4", "<|tool_call>call:f{a:<|\"|>x<|\"|><to",
     "call[f call_0] args[{\"a\":\"x\"] diag[missing_closer@32] args[}] "
     "complete diag[missing_call_close@35]",
     "call[f call_0] diag[interior_delimiter@27] diag[truncated_call@35] "
     "incomplete unparsed[truncated_call@0+35 f]"},
    {"gemma4", "<|tool_call>call:f{a:5,<tool_call|",
     "call[f call_0] args[{\"a\":5] diag[missing_closer@23] "
     "diag[trailing_comma@22] args[}] complete diag[missing_call_close@34]",
     CUT(34)},
    {"gemma4", "<|tool_call>call:f{a:5<t", CUT(24), CUT(24)},
};

Test(finish, gemma4)
{
    check_endings(endings, sizeof endings / sizeof *endings);
}
