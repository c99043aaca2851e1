/* SPDX-License-Identifier: MIT
 *
 * Of each code that a report may have: how it comes about, an example, what
 * helps.
 */
#ifndef TOOLWIRE_CLI_EXPLAIN_EXPLANATIONS_H
#define TOOLWIRE_CLI_EXPLAIN_EXPLANATIONS_H

#include <stdint.h>

typedef struct cli_explanation {
    int64_t code; /* of a diagnostic, a loss or (negative) an error */
    const char *cause;
    const char *example; /* a command whose output has the code; of an error
                            that only programs meet, a line of C */
    const char *remedy;
} cli_explanation;

/* NULL: there is no such code. */
const cli_explanation *cli_explanation_get(int64_t code);

#endif
