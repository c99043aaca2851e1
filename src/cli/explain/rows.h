/* SPDX-License-Identifier: MIT
 *
 * The tables of explanations, and the remedies that many codes have.
 */
#ifndef TOOLWIRE_CLI_EXPLAIN_ROWS_H
#define TOOLWIRE_CLI_EXPLAIN_ROWS_H

#include <stddef.h>

#include "cli/explain/explanations.h"
#include "toolwire.h"

/* Each ends with a row whose code is 0. */
extern const cli_explanation cli_explained_text[];
extern const cli_explanation cli_explained_blocks[];
extern const cli_explanation cli_explained_headers[];
extern const cli_explanation cli_explained_values[];
extern const cli_explanation cli_explained_schemas[];
extern const cli_explanation cli_explained_unparsed[];
extern const cli_explanation cli_explained_losses[];
extern const cli_explanation cli_explained_errors[];

extern const char cli_remedy_safe[];
extern const char cli_remedy_none[];
extern const char cli_remedy_tokens[];
extern const char cli_remedy_retry[];
extern const char cli_remedy_markers[];
extern const char cli_remedy_format[];
extern const char cli_remedy_shape[];
extern const char cli_remedy_mend[];
extern const char cli_remedy_same[];

#endif
