/* SPDX-License-Identifier: MIT
 *
 * Text, numbers and JSON strings into an output, and lines on stderr.
 */
#ifndef TOOLWIRE_CLI_FILES_PRINT_H
#define TOOLWIRE_CLI_FILES_PRINT_H

#include "cli/files/io.h"

void cli_put_text(cli_output *, const char *text);
void cli_put_number(cli_output *, uint64_t number);
/* With its quotes.  Any bytes: what is not UTF-8 becomes U+FFFD. */
void cli_put_json(cli_output *, const char *data, size_t size);
/* |text|, then blanks up to |width| in all. */
void cli_put_column(cli_output *, const char *text, size_t width);

/* One line on stderr, "toolwire: ...".  Whatever the arguments hold, it is
 * one line: control characters are escaped. */
#if defined(__GNUC__)
__attribute__((format(printf, 1, 2)))
#endif
void cli_say(const char *format, ...);

/* stderr, with |buffer|: to be flushed, not closed. */
cli_output cli_standard_error(char *buffer, size_t size);

/* A line for stderr, "file:line: offset: code: text"; |detail| (or NULL)
 * stands before |text|, with a colon.  The code is coloured if stderr is a
 * terminal that can, and NO_COLOR does not forbid it. */
void cli_put_at(cli_output *, const char *file, uint64_t line, uint64_t offset,
                const char *code, const char *detail, const char *text);

#endif
