/* SPDX-License-Identifier: MIT
 *
 * What decode, check and encode have in common: files of records.
 */
#ifndef TOOLWIRE_CLI_RECORDS_RECORDS_H
#define TOOLWIRE_CLI_RECORDS_RECORDS_H

#include "cli/records/messages.h"

typedef struct cli_record {
    int result;            /* TW_OK, or ... */
    const tw_error *error; /* ... what went wrong */
    const char *text;      /* if TW_OK */
    size_t size;
} cli_record;

/* As it was read. */
typedef struct cli_source {
    const char *name; /* of the file */
    uint64_t line;
    const char *data;
    size_t size;
    cli_input *longer; /* NULL, or it is too long: where the rest comes from */
} cli_source;

/* What reads them: one of the two. */
typedef struct cli_reader {
    tw_converter *converter;
    tw_encoder *encoder;
} cli_reader;

typedef void cli_record_handler(void *context, const cli_reader *,
                                const cli_source *, const cli_record *);

/* One record: what deviates is said to |messages|.  true: it is bad, or has
 * unparsed blocks. */
bool cli_record_run(const cli_options *options, const cli_reader *reader,
                    const cli_source *source, cli_messages *messages,
                    cli_record_handler *handler, void *context);

/* The shape whose records convert reads; NULL: it reads a format's. */
const tw_record_shape *cli_record_shape(const cli_options *options);

/* Says how far a log was read when a signal asked to stop, and how to go on;
 * |got| is why no more was read. */
void cli_records_left(const cli_options *options, const cli_input *input,
                      cli_read got);

/* Files that are read one behind the other: one that is something else, or
 * cannot be read, does not keep the others from being read. */
typedef struct cli_files {
    int count; /* of those that are done */
    int worst;
    bool read; /* one could be read to its end */
    bool over; /* a signal, or the output, ended it */
} cli_files;

/* What came of the next file.  If that ends it, the rest is said not to be
 * read. */
void cli_files_add(cli_files *files, const cli_options *options, int result,
                   const cli_output *output);
int cli_files_result(const cli_files *files);

/* Reads all files and gives each record to |handler|; where it deviates is
 * said on stderr.  CLI_BAD if one was an error or had unparsed blocks. */
int cli_records(const cli_options *options, const cli_reader *reader,
                cli_output *output, cli_record_handler *handler,
                void *context);

/* The next code, from the *i-th on, of which the last record has more
 * diagnostics than are kept: how many. */
bool cli_record_more(const tw_converter *converter, size_t *i, uint32_t *code,
                     uint64_t *more);

#endif
