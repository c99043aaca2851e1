/* SPDX-License-Identifier: MIT
 *
 * What decode and check have in common: files of records through a converter.
 */
#ifndef TOOLWIRE_CLI_RECORDS_H
#define TOOLWIRE_CLI_RECORDS_H

#include "cli/options.h"

typedef struct cli_record {
    int result;            /* TW_OK, or ... */
    const tw_error *error; /* ... what went wrong */
    const char *json;      /* if TW_OK */
    size_t size;
} cli_record;

typedef void cli_record_handler(void *context, tw_converter *,
                                const cli_record *);

/* Reads all files and gives each record to |handler|; where it deviates is
 * said on stderr.  CLI_BAD if one was an error or had unparsed blocks;
 * CLI_IO, and no more is read, if reading or |output| failed. */
int cli_records(const cli_options *, tw_converter *, cli_output *output,
                cli_record_handler *handler, void *context);

#endif
