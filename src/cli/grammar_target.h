/* SPDX-License-Identifier: MIT
 *
 * For whom a grammar is that is asked for.
 */
#ifndef TOOLWIRE_CLI_GRAMMAR_TARGET_H
#define TOOLWIRE_CLI_GRAMMAR_TARGET_H

#include <string.h>

#include "cli/options/options.h"

static inline const char *cli_grammar_target_name(const cli_options *options)
{
    return options->target != NULL ? options->target : "lark";
}

static inline tw_grammar_target cli_grammar_target(const cli_options *options)
{
    const char *name = cli_grammar_target_name(options);
    return strcmp(name, "lark") == 0   ? TW_GRAMMAR_LARK
           : strcmp(name, "gbnf") == 0 ? TW_GRAMMAR_GBNF
                                       : TW_GRAMMAR_STRUCTURAL_TAG;
}

#endif
