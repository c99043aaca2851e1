/* SPDX-License-Identifier: MIT
 *
 * Files: where bytes come from and where they go.
 */
#ifndef TOOLWIRE_CLI_IO_H
#define TOOLWIRE_CLI_IO_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* The command's exit codes. */
enum {
    CLI_FINE = 0,
    CLI_BAD = 1, /* an error, or something could not be parsed */
    CLI_USAGE = 2,
    CLI_IO = 3
};

/* Opens /dev/null where stdin, stdout or stderr is closed, so that no file of
 * ours takes its number; reading or writing there still fails. */
void cli_guard_standard_files(void);

/* ---- output ------------------------------------------------------------- */

/* Collects bytes and writes them when full or flushed.  A failure is said
 * once on stderr; from then on nothing is written and |failed| is set. */
typedef struct cli_output {
    int file;
    const char *name;
    char *buffer;
    size_t size;
    size_t capacity;
    bool failed;
    bool silent;  /* a failure is not said: this is stderr itself */
    bool memory;  /* nothing is written: it grows */
    char *target; /* with -o: what |temporary| is renamed to */
    char *temporary;
} cli_output;

/* |path| NULL or "-": stdout.  A regular file, or one that is not there yet,
 * is written under another name beside it until it is closed; anything else
 * (a device, a pipe) is written as it is. */
int cli_output_open(cli_output *, const char *path);
void cli_put(cli_output *, const void *data, size_t size);
/* An output that only collects; closed with cli_output_drop(). */
void cli_output_collect(cli_output *);
/* All that |from| has collected, which is empty then. */
void cli_output_pour(cli_output *to, cli_output *from);
void cli_output_drop(cli_output *);
bool cli_output_flush(cli_output *);
/* Where |keep|, a file given with -o takes its name; else it is removed. */
int cli_output_close(cli_output *, bool keep);

/* ---- input -------------------------------------------------------------- */

/* A file, read as it comes or record by record: a record is a line without
 * its line feed or, where |whole|, everything. */
typedef struct cli_input {
    int file;
    const char *name;
    bool whole;
    bool ended;    /* of the file */
    bool skipping; /* the rest of a record that is too long */
    size_t most;   /* a record's size */
    uint64_t line; /* of the last record, from 1 */
    char *buffer;
    size_t capacity;
    size_t begin;   /* of the next record */
    size_t scanned; /* so much of it holds no line feed */
    size_t end;
} cli_input;

typedef enum cli_read {
    CLI_READ_FAILED = -1, /* and it was said why */
    CLI_READ_END = 0,
    CLI_READ_RECORD = 1,
    CLI_READ_TOO_LONG = 2 /* longer than |most|; it is passed over */
} cli_read;

/* |path| NULL or "-": stdin. */
int cli_input_open(cli_input *, const char *path, bool whole, size_t most);
/* What read(2) gives: as much as is there.  0: the end, negative: failed. */
ptrdiff_t cli_input_read(cli_input *, char *to, size_t size);
/* The next record, which lives until the next call.  |output| is flushed
 * before a read may block: who writes a line and waits for its answer gets
 * it. */
cli_read cli_input_record(cli_input *, cli_output *output, const char **data,
                          size_t *size);
void cli_input_close(cli_input *);

#endif
