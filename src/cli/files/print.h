/* SPDX-License-Identifier: MIT
 *
 * Text, numbers and JSON strings into an output, and lines on stderr.
 */
#ifndef TOOLWIRE_CLI_FILES_PRINT_H
#define TOOLWIRE_CLI_FILES_PRINT_H

#include "cli/files/io.h"
#include "cli/files/say.h"

void cli_put_text(cli_output *output, const char *text);
/* Several texts, one behind the other; cli_put_list() has them with NULL
 * behind the last. */
#define cli_put_texts(output, ...) \
    cli_put_list(output, (const char *const[]){__VA_ARGS__, NULL})
void cli_put_list(cli_output *output, const char *const *texts);
void cli_put_number(cli_output *output, uint64_t number);
/* With its quotes.  Any bytes: what is not UTF-8 becomes U+FFFD. */
void cli_put_json(cli_output *output, const char *data, size_t size);
/* For people: nothing in it is a command to a terminal, see cli_shown(). */
void cli_put_shown_json(cli_output *output, const char *data, size_t size);
void cli_put_shown(cli_output *output, const char *text);
void cli_put_string(cli_output *output, const char *text); /* the same */
/* |text|, then blanks up to |width| in all. */
void cli_put_column(cli_output *output, const char *text, size_t width);

/* stderr, with |buffer|: to be flushed, not closed. */
cli_output cli_standard_error(char *buffer, size_t size);

/* May |file| be written in colours: is it a terminal that can, and does
 * NO_COLOR not forbid it? */
bool cli_has_colours(int file);

/* A line for stderr, "file:line: offset: code: text"; |detail| (or NULL)
 * stands before |text|, with a colon.  The code is coloured if stderr
 * may be. */
void cli_put_at(cli_output *output, const char *file, uint64_t line,
                uint64_t offset, const char *code, const char *detail,
                const char *text);

#endif
