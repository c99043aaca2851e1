/* SPDX-License-Identifier: MIT
 *
 * What decode, check and encode have in common: files of records.
 */
#ifndef TOOLWIRE_CLI_RECORDS_H
#define TOOLWIRE_CLI_RECORDS_H

#include "cli/options.h"

typedef struct cli_record {
    int result;            /* TW_OK, or ... */
    const tw_error *error; /* ... what went wrong */
    const char *text;      /* if TW_OK */
    size_t size;
    const char *data; /* as it was read; NULL: it was too long */
    size_t data_size;
} cli_record;

/* What reads them: one of the two. */
typedef struct cli_reader {
    tw_converter *converter;
    tw_encoder *encoder;
} cli_reader;

typedef void cli_record_handler(void *context, const cli_reader *,
                                const cli_input *, const cli_record *);

/* Reads all files and gives each record to |handler|; where it deviates is
 * said on stderr.  CLI_BAD if one was an error or had unparsed blocks;
 * CLI_IO, and no more is read, if reading or |output| failed. */
int cli_records(const cli_options *, const cli_reader *, cli_output *output,
                cli_record_handler *handler, void *context);

#endif
