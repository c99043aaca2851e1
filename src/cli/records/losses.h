/* SPDX-License-Identifier: MIT
 *
 * What encode and convert lose: written to a report, counted, or said in one
 * line where nobody asked.
 */
#ifndef TOOLWIRE_CLI_RECORDS_LOSSES_H
#define TOOLWIRE_CLI_RECORDS_LOSSES_H

#include "cli/options/options.h"

enum { CLI_SEVERITIES = 4, CLI_PATH = 200 };

/* How much was lost in a run; all 0 at its start. */
typedef struct cli_losses {
    uint64_t counts[CLI_SEVERITIES];
    /* The first loss of content or of a call. */
    uint64_t line;
    const char *file;
    uint32_t code; /* 0: there was none */
    char path[CLI_PATH];
} cli_losses;

/* Counts one report of a record, and writes it to |report| unless that is
 * NULL. */
void cli_losses_add(cli_losses *losses, cli_output *report, const char *file,
                    uint64_t line, const tw_error *loss);
/* Adds what another run lost behind this one. */
void cli_losses_pour(cli_losses *losses, const cli_losses *more);
/* One line on stderr if content or a call was lost, and neither a report nor
 * a policy was asked for. */
void cli_losses_say(const cli_losses *losses, const cli_options *options);

#endif
