/* SPDX-License-Identifier: MIT
 *
 * The texts of help.
 */
#ifndef TOOLWIRE_CLI_NOTES_H
#define TOOLWIRE_CLI_NOTES_H

typedef struct cli_note_text {
    unsigned command; /* its bit */
    const char *examples;
    const char *text;
} cli_note_text;

/* One for each command. */
extern const cli_note_text cli_help_notes[];
/* The examples of the page of all, and what stands at the end of each page. */
extern const char cli_help_examples[];
extern const char cli_help_end[];

#endif
