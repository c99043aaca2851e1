/* SPDX-License-Identifier: MIT
 *
 * Mistral: how an output ends (checks/finish.h).
 */
#include "checks/finish.h"

static const ending endings[] = {
    {"mistral", "[TOOL_CALLS]f[ARGS]{\"a\":1",
     "call[f call_0] args[{\"a\":1] diag[missing_closer@25] args[}] complete",
     CUT(25)},
    {"mistral", "[TOOL_CALLS]f[ARGS]",
     "call[f call_0] diag[empty_arguments@19] args[{}] complete", CUT(19)},
    {"mistral", "[TOOL_CALLS]f[ARGS]{\"a\":1</",
     "call[f call_0] args[{\"a\":1] diag[missing_closer@25] args[}] complete "
     "text[</]",
     CUT(27)},
    {"mistral", "[TOOL_CALLS]f[ARGS]{\"a\":\"</", CUT(27), CUT(27)},
    /* A stop marker cuts a head as the end of output does. */
    {"mistral", "[TOOL_CALLS]f</s>",
     "diag[truncated_call@13] unparsed[truncated_call@0+13]",
     "diag[truncated_call@13] unparsed[truncated_call@0+13]"},
    {"mistral", "[TOOL_CALLS]f[CALL_ID]a</s>b",
     "diag[truncated_call@23] unparsed[truncated_call@0+23] "
     "drop[output_after_end@27+1]",
     "diag[truncated_call@23] unparsed[truncated_call@0+23] "
     "drop[output_after_end@27+1]"},
    {"mistral", "[TOOL_CALLS] is it.</s>", "text[[TOOL_CALLS] is it.]",
     "text[[TOOL_CALLS] is it.]"},
};

Test(finish, mistral)
{
    check_endings(endings, sizeof endings / sizeof *endings);
}

/* Half a stop marker that the caller marked as text is none. */
Test(finish, mistral_half_a_marker_as_text)
{
    static const marked pieces[] = {
        {TW_MARK_UNKNOWN, "[TOOL_CALLS]f[ARGS]{\"a\":1"},
        {TW_MARK_TEXT, "</"}};
    tw_decoder *decoder = decoder_of("mistral");
    event_log log = {0};
    decode_marked(&log, decoder, pieces, 2, 0);
    cr_expect(log_is(&log, "call[f call_0] diag[syntax_error@25] malformed "
                           "unparsed[syntax_error@0+27 f]"));
    event_log_free(&log);
    tw_decoder_free(decoder);
}
