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
/* For people: nothing in it is a command to a terminal.  Of |text| what would
 * be is \xNN, and so are line feeds and bytes that are not UTF-8. */
void cli_put_shown_json(cli_output *, const char *data, size_t size);
void cli_put_shown(cli_output *, const char *text);
/* How long the code point at |at| is (|size| > 0).  |*whole| tells whether it
 * is well formed; if not, it is as much as one U+FFFD stands for (the Unicode
 * Standard, table 3-7 and section 3.9). */
size_t cli_code_point(const unsigned char *at, size_t size, bool *whole);
void cli_put_string(cli_output *, const char *text); /* the same */
/* |text|, then blanks up to |width| in all. */
void cli_put_column(cli_output *, const char *text, size_t width);

/* One line on stderr, "toolwire: ...".  Whatever the arguments hold, it is
 * one line: control characters are escaped. */
#if defined(__GNUC__)
__attribute__((format(printf, 1, 2)))
#endif
void cli_say(const char *format, ...);

/* Says that there is none: CLI_BAD. */
int cli_no_memory(void);

/* stderr, with |buffer|: to be flushed, not closed. */
cli_output cli_standard_error(char *buffer, size_t size);

/* May |file| be written in colours: is it a terminal that can, and does
 * NO_COLOR not forbid it? */
bool cli_has_colours(int file);

/* A line for stderr, "file:line: offset: code: text"; |detail| (or NULL)
 * stands before |text|, with a colon.  The code is coloured if stderr
 * may be. */
void cli_put_at(cli_output *, const char *file, uint64_t line, uint64_t offset,
                const char *code, const char *detail, const char *text);

#endif
