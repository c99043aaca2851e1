/* SPDX-License-Identifier: MIT
 *
 * Lines on stderr, and how any bytes are shown to people.
 */
#ifndef TOOLWIRE_CLI_FILES_SAY_H
#define TOOLWIRE_CLI_FILES_SAY_H

#include <stdbool.h>
#include <stddef.h>

/* One line on stderr, "toolwire: ...".  Whatever the arguments hold, it is
 * one line: control characters are escaped. */
#if defined(__GNUC__)
__attribute__((format(printf, 1, 2)))
#endif
void cli_say(const char *format, ...);

/* Says that there is none: CLI_BAD. */
int cli_no_memory(void);

/* Writes all of it, also to a file that does not block. */
bool cli_write_all(int file, const char *data, size_t size);

/* Stands the cursor behind a line of progress?  What else goes to stderr, from
 * wherever, is to begin a line. */
void cli_line_is_open(bool open);
void cli_end_open_line(void);

/* How long the code point at |at| is (|size| > 0).  |*whole| tells whether it
 * is well formed; if not, it is as much as one U+FFFD stands for (the Unicode
 * Standard, table 3-7 and section 3.9). */
size_t cli_code_point(const unsigned char *at, size_t size, bool *whole);
/* What terminals take for commands, and no JSON needs to escape: DEL, and C1
 * in UTF-8.  |at| is a whole code point. */
bool cli_is_command(const unsigned char *at);

enum { CLI_SHOWN_MOST = 16 };
/* The code point at |at| (|size| > 0), of |*length| bytes, as people are shown
 * it: a name can hold line feeds, and what terminals take for commands, C0
 * with them, and any byte that is not UTF-8.  These are \xNN each.  How long
 * that is. */
size_t cli_shown(const unsigned char *at, size_t size,
                 char shown[CLI_SHOWN_MOST], size_t *length);

#endif
