/* SPDX-License-Identifier: MIT
 *
 * Faults of a stream that are said of a line, as often as a code is.
 */
#define _POSIX_C_SOURCE 200809L

#include "cli/files/print.h"
#include "cli/served/served.h"

static const char *const faults[SERVED_FAULTS] = {
    [SERVED_NO_FIELD] = "no field of server-sent events",
    [SERVED_FAILURE] = "the server reports an error"};

void served_say(served *self, served_fault fault, uint64_t line)
{
    const uint64_t most = self->options->show;
    const uint64_t count = ++self->faults[fault];
    if (count <= most) {
        cli_say("%s:%llu: %s", self->input.name, (unsigned long long)line,
                faults[fault]);
    } else if (count == most + 1) {
        cli_say("`%s` was shown %llu times: from here on it is only counted "
                "(--show N: N times)",
                faults[fault], (unsigned long long)most);
    }
}

void served_say_counts(const served *self)
{
    for (size_t i = 0; i < SERVED_FAULTS; i++) {
        if (self->faults[i] > self->options->show) {
            cli_say("in all: `%s` %llu times", faults[i],
                    (unsigned long long)self->faults[i]);
        }
    }
}
