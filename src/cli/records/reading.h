/* SPDX-License-Identifier: MIT
 *
 * What a format makes of a text: for those who compare formats.
 */
#ifndef TOOLWIRE_CLI_RECORDS_READING_H
#define TOOLWIRE_CLI_RECORDS_READING_H

#include "cli/files/io.h"
#include "toolwire.h"

typedef struct cli_reading {
    cli_output content;
    cli_output reasoning;
    cli_output calls; /* names and arguments, without white space that JSON
                         does not need */
    size_t call_count;
    size_t unparsed;
    size_t deviations;
    const tw_diagnostic *first; /* of these, or of a warning that a setting is
                                   wrong; NULL: none */
    bool misfits;  /* another format's call, or a close of reasoning that
                      nothing opened, is text */
    bool started;  /* the text begins inside reasoning */
    bool orphaned; /* it closes reasoning that nothing opened */
    bool failed;   /* no memory */
} cli_reading;

/* All of |text|, which the model ended by itself.  Where it closes reasoning
 * that nothing opened, the prompt had: it is read again as from there. */
void cli_reading_make(cli_reading *reading, const tw_format *format,
                      const char *text, size_t size);
void cli_reading_drop(cli_reading *reading);

/* Is the message the same, white space around its texts aside? */
bool cli_reading_same(const cli_reading *one, const cli_reading *other);
/* Everything was read as the format has it. */
bool cli_reading_is_clean(const cli_reading *reading);

#endif
