/* SPDX-License-Identifier: MIT
 *
 * Of each code that a report may have: how it comes about, an example, what
 * helps.  explanations.txt has them.
 */
#ifndef TOOLWIRE_CLI_EXPLAIN_EXPLANATIONS_H
#define TOOLWIRE_CLI_EXPLAIN_EXPLANATIONS_H

typedef struct cli_explanation {
    const char *name; /* of a diagnostic, a loss or an error */
    const char *cause;
    const char *example;
    const char *remedy;
} cli_explanation;

/* Ends with a row without a name, whose texts are empty. */
extern const cli_explanation cli_explanations[];

/* Every code of this version has one. */
const cli_explanation *cli_explanation_get(const char *name);

#endif
