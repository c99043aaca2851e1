/* SPDX-License-Identifier: MIT
 *
 * Hermes: how an output ends (checks/finish.h).
 */
#include "checks/finish.h"

#define HERMES "<tool_call>{\"name\": \"f\", \"arguments\": "

static const ending endings[] = {
    /* <|im_end|> completes what lacks its last brace, no more. */
    {"hermes", HERMES "{\"a\": 1", CUT(45), CUT(45)},
    {"hermes", HERMES "{\"a\": 1}",
     "call[f call_0] args[{\"a\": 1] diag[missing_closer@46] args[}] complete "
     "diag[missing_call_close@46]",
     "call[f call_0] args[{\"a\": 1] diag[missing_closer@46] args[}] complete "
     "diag[missing_call_close@46]"},
};

Test(finish, hermes)
{
    check_endings(endings, sizeof endings / sizeof *endings);
}
