/* SPDX-License-Identifier: MIT
 *
 * Lines on stderr about what is read: of one code not more than so many, the
 * rest is counted.
 */
#ifndef TOOLWIRE_CLI_RECORDS_MESSAGES_H
#define TOOLWIRE_CLI_RECORDS_MESSAGES_H

#include "cli/options/options.h"

enum { CLI_CODES = 256 };

/* How often a code came: of a diagnostic, or (negative) of an error. */
typedef struct cli_code_count {
    int64_t code;
    uint64_t count;
    uint64_t more; /* that nobody keeps */
} cli_code_count;

typedef struct cli_messages {
    size_t most;      /* lines of one code */
    bool collects;    /* a worker's: they are poured into those of all */
    cli_output lines; /* of text */
    cli_output marks; /* if it collects: whose lines they are */
    cli_code_count counts[CLI_CODES];
    size_t count;
    char buffer[512];
} cli_messages;

/* To stderr; it stays where it is. */
void cli_messages_init(cli_messages *messages, const cli_options *options);
void cli_messages_collect(cli_messages *messages, const cli_options *options);
/* Of those that collect. */
void cli_messages_drop(cli_messages *messages);

/* "file:line: offset: code: text", unless there were enough of this code;
 * |format| is the other format that a diagnostic speaks of, or NULL. */
void cli_messages_diagnostic(cli_messages *messages, const char *file,
                             uint64_t line, uint64_t offset, uint32_t code,
                             const char *format);
/* |count| more of the record have this code, and are only counted. */
void cli_messages_more(cli_messages *messages, uint32_t code, uint64_t count);
void cli_messages_error(cli_messages *messages, const char *file,
                        uint64_t line, const tw_error *error);
/* All that |from| has collected, in its order, as if it were said now; |from|
 * is empty then. */
void cli_messages_pour(cli_messages *to, cli_messages *from);
/* Says how often the codes came of which not all was said. */
void cli_messages_end(cli_messages *messages);

#endif
