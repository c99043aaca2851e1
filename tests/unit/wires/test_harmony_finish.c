/* SPDX-License-Identifier: MIT
 *
 * Harmony: how an output ends (checks/finish.h).
 */
#include "checks/finish.h"

#define PYTHON "<|channel|>analysis to=python code<|message|>"
#define NO_PYTHON(size)                                                       \
    "call[python call_0] diag[truncated_call@" #size "] incomplete unparsed[" \
    "truncated_call@0+" #size " python]"
#define HEADER                                               \
    "<|channel|>commentary to=functions.f <|constrain|>json" \
    "<|message|>"

static const ending endings[] = {
    /* Free text for a tool. */
    {"harmony", PYTHON "print(1)",
     "call[python call_0] args[print(1)] complete", NO_PYTHON(53)},
    {"harmony", PYTHON, "call[python call_0] complete", NO_PYTHON(45)},
    {"harmony", PYTHON "print(1)<|ca", NO_PYTHON(57), NO_PYTHON(57)},
    /* Arguments that only lack closers, and none. */
    {"harmony", HEADER "{\"a\":1",
     "call[f call_0] args[{\"a\":1] diag[missing_closer@71] args[}] complete",
     CUT(71)},
    {"harmony", HEADER,
     "call[f call_0] diag[empty_arguments@65] args[{}] complete", CUT(65)},
    {"harmony", HEADER "{\"a\":1,", CUT(72), CUT(72)},
    {"harmony", HEADER "{\"a\":\"1", CUT(72), CUT(72)},
    {"harmony", HEADER "{\"a\":1<|ca",
     "call[f call_0] args[{\"a\":1] diag[partial_terminator@71] "
     "diag[missing_closer@71] args[}] complete",
     "call[f call_0] diag[partial_terminator@71] diag[truncated_call@71] "
     "incomplete unparsed[truncated_call@0+71 f]"},
    {"harmony", HEADER "{\"a\":\"1<|ca", CUT(76), CUT(76)},
    /* It may have been half of <|channel|>. */
    {"harmony", HEADER "{\"a\":1<|c",
     "call[f call_0] diag[partial_terminator@71] diag[truncated_call@71] "
     "incomplete unparsed[truncated_call@0+71 f]",
     "call[f call_0] diag[partial_terminator@71] diag[truncated_call@71] "
     "incomplete unparsed[truncated_call@0+71 f]"},
    /* A header says nothing yet. */
    {"harmony", "<|channel|>comm", "drop[truncated_header@0+15]",
     "drop[truncated_header@0+15]"},
};

Test(finish, harmony)
{
    check_endings(endings, sizeof endings / sizeof *endings);
}
