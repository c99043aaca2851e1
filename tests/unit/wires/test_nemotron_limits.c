/* SPDX-License-Identifier: MIT
 *
 * R13: the limit on arguments, in values between tags.
 */
#include <criterion/criterion.h>

#include "checks/limits.h"

/* Text that needs escapes goes out in runs, near the limit, too: not a byte at
 * a time, behind each of which all that follows would be written in vain. */
Test(nemotron_limits, runs_of_escapes)
{
    enum { LIMIT = 4000, RUNS_LEAST = 2, RUNS_MOST = 64 };
    tw_decoder *decoder = decoder_of("nemotron/3");
    naive_bytes text =
        repeated("<tool_call>\n<function=f>\n<parameter=a>\n", "\"\n", 20000,
                 "", "", "x\n</parameter>\n</function>\n</tool_call>");
    const tw_event *event;
    size_t runs = 0;
    cr_assert_eq(tw_decoder_set(decoder, TW_OPTION_LIMIT_ARGUMENTS, LIMIT),
                 TW_OK);
    cr_assert_eq(tw_decoder_feed(decoder, text.data, text.size, 0), TW_OK);
    while (tw_decoder_next(decoder, &event) == 1) {
        runs += event->type == TW_EVENT_CALL_ARGUMENTS;
    }
    cr_expect(runs >= RUNS_LEAST && runs <= RUNS_MOST, "%zu runs", runs);
    naive_release(&text);
    tw_decoder_free(decoder);
}
