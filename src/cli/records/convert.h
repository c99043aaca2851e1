/* SPDX-License-Identifier: MIT
 *
 * Records that are converted, one after another or, by jobs.c, many at a time:
 * what was written and said of them, and how many they were.
 */
#ifndef TOOLWIRE_CLI_RECORDS_CONVERT_H
#define TOOLWIRE_CLI_RECORDS_CONVERT_H

#include "cli/records/losses.h"
#include "cli/records/progress.h"
#include "cli/records/records.h"

enum { REASONS = 256, SHAPES = 32 };

/* How often something was said, by what was said: constant texts. */
typedef struct reason {
    const char *text;
    uint64_t count;
} reason;

typedef struct convert_state {
    cli_output output;
    cli_output rejects;
    cli_output report;
    bool has_rejects;
    bool has_report;
    cli_progress progress;
    uint64_t written;
    uint64_t unparsed;
    cli_losses losses;
    reason reasons[REASONS];
    size_t reason_count;
    reason shapes[SHAPES];
    size_t shape_count;
} convert_state;

/* A record's answer; |context| is a convert_state. */
void cli_convert_answer(void *context, const cli_reader *reader,
                        const cli_source *source, const cli_record *record);
/* What |part| has collected, which is empty then. */
void cli_convert_add(convert_state *all, convert_state *part);

/* All files, with |options->jobs| threads; the order is kept. */
int cli_convert_jobs(const cli_options *options, tw_converter *converter,
                     convert_state *all);

#endif
