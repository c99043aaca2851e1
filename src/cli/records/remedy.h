/* SPDX-License-Identifier: MIT
 *
 * What a user does about an error, where the command knows more than the
 * library.
 */
#ifndef TOOLWIRE_CLI_RECORDS_REMEDY_H
#define TOOLWIRE_CLI_RECORDS_REMEDY_H

#include "cli/records/messages.h"

typedef struct cli_remedy {
    tw_error error;
    char message[300];
} cli_remedy;

/* What a record came to, and what it was. */
typedef struct cli_outcome {
    int result;
    const tw_error *error;
    tw_encoder *encoder; /* that wrote its prompt, or NULL */
    const char *data;
    size_t size;
    uint64_t line;
} cli_outcome;

/* An error whose message names the remedy; NULL: there is none.  A prompt that
 * lost what another shape of records holds is an error, too. */
const tw_error *cli_remedy_find(cli_remedy *remedy, const cli_options *options,
                                const cli_outcome *its);

#endif
