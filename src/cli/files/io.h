/* SPDX-License-Identifier: MIT
 *
 * Files: where bytes come from and where they go.
 */
#ifndef TOOLWIRE_CLI_FILES_IO_H
#define TOOLWIRE_CLI_FILES_IO_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "toolwire.h"

/* How the command went; of two the greater one counts.  main() has the exit
 * codes. */
enum {
    CLI_FINE,
    CLI_BAD,     /* an error, or something could not be parsed */
    CLI_PARTLY,  /* an input is something else; others were read */
    CLI_REFUSED, /* what was to be read is something else; no file is kept */
    CLI_USAGE,
    CLI_STOPPED, /* a signal asked to */
    CLI_IO
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
    bool silent;  /* this is stderr: a failure cannot be said */
    bool memory;  /* nothing is written: it grows */
    char *target; /* with -o: what |temporary| is renamed to */
    char *temporary;
    struct cli_packer *packer; /* or NULL */
} cli_output;

/* |path| NULL or "-": stdout.  A regular file, or one that is not there yet,
 * is written under another name beside it until it is closed; anything else
 * (a device, a pipe) is written as it is.  A name for which cli_packs() holds
 * is packed. */
int cli_output_open(cli_output *output, const char *path);
void cli_put(cli_output *output, const void *data, size_t size);
/* An output that only collects; closed with cli_output_drop(). */
void cli_output_collect(cli_output *output);
/* All that |from| has collected, which is empty then. */
void cli_output_pour(cli_output *to, cli_output *from);
void cli_output_drop(cli_output *output);
bool cli_output_flush(cli_output *output);
/* Of stderr, whose line is written over by the next such flush, and ended in
 * front of anything else. */
void cli_output_flush_open(cli_output *output);
/* Where |keep|, a file given with -o takes its name; else it is removed. */
int cli_output_close(cli_output *output, bool keep);

/* ---- input ------------------------------------------------------------- */

typedef enum cli_input_kind {
    CLI_INPUT_TEXT,    /* all of it is one record: what a model wrote */
    CLI_INPUT_JSON,    /* ... one JSON text */
    CLI_INPUT_RECORDS, /* each line is one, a JSON text; blank ones at the end
                          are none */
    CLI_INPUT_LINES    /* each line is one, ended by a line feed, a carriage
                          return or both */
} cli_input_kind;

typedef enum cli_read {
    CLI_READ_STOPPED = -3, /* a signal asked to: cli_signals_hold() */
    CLI_READ_REFUSED =
        -2,               /* it is no such input, and it was said what it is */
    CLI_READ_FAILED = -1, /* and it was said why */
    CLI_READ_END = 0,
    CLI_READ_RECORD = 1,
    CLI_READ_TOO_LONG = 2 /* longer than |most|: the beginning of it */
} cli_read;

/* A file, read as it comes or record by record.  Lines are without their line
 * feeds.  A byte order mark at the beginning of a file is no part of it.  What
 * is compressed is unpacked, if the command was built to. */
typedef struct cli_input {
    int file;
    struct cli_packed *packed; /* or NULL */
    const char *name;
    cli_input_kind kind;
    cli_read state;     /* STOPPED, REFUSED or FAILED: from now on */
    bool begun;         /* the first bytes were looked at */
    const tw_record_shape *shape; /* of RECORDS, or NULL: a file may be one */
    bool ended;         /* of the file */
    bool rest;          /* there is one of a line that is too long */
    bool behind_return; /* a carriage return ended the last line */
    size_t most;        /* a record's size */
    uint64_t line;      /* of the last record, from 1 */
    char *buffer;
    size_t capacity;
    size_t begin;   /* of the next record */
    size_t scanned; /* so much of it holds no line feed */
    size_t solid;   /* behind a byte that is no blank; 0: none is known */
    size_t end;
} cli_input;

/* |path| NULL or "-": stdin. */
int cli_input_open(cli_input *input, const char *path, cli_input_kind kind,
                   size_t most);
/* As much as is there.  0: the end; below 0: a cli_read. */
ptrdiff_t cli_input_read(cli_input *input, char *to, size_t size);
/* The next record, which lives until the next call.  |output| is flushed
 * before a read may block: who writes a line and waits for its answer gets
 * it. */
cli_read cli_input_record(cli_input *input, cli_output *output,
                          const char **data, size_t *size);
/* Reads what else there is of a line that is too long, into |to| as it comes;
 * NULL: it is passed over, as the next record's reading would do.  So many
 * bytes. */
uint64_t cli_input_rest(cli_input *input, cli_output *output, cli_output *to);
/* The exit code for what ended the reading. */
int cli_input_code(cli_read read);
void cli_input_close(cli_input *input);

static inline bool cli_is_blank(char c)
{
    return c == ' ' || c == '\t' || c == '\r' || c == '\n';
}

#endif
