/* SPDX-License-Identifier: MIT
 *
 * How far a run is: one line on a terminal, written over and over.
 */
#ifndef TOOLWIRE_CLI_RECORDS_PROGRESS_H
#define TOOLWIRE_CLI_RECORDS_PROGRESS_H

#include <time.h>

#include "cli/options/options.h"

typedef struct cli_progress {
    bool on;
    bool shown;
    bool ended;
    uint64_t records;
    uint64_t done;  /* bytes */
    uint64_t total; /* 0: not known */
    struct timespec begun;
    struct timespec last;
    size_t width; /* of the line that was shown */
} cli_progress;

/* On where stderr is a terminal, and the output does not go to one. */
void cli_progress_begin(cli_progress *progress, const cli_options *options);
void cli_progress_add(cli_progress *progress, uint64_t records,
                      uint64_t bytes);
/* Shows what was done in all and how long it took, if there was much of it,
 * and ends the line.  |whole|: all was read. */
void cli_progress_end(cli_progress *progress, bool whole);

#endif
