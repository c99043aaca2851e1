/* SPDX-License-Identifier: MIT
 *
 * Options of grammars alone.
 */
#define _POSIX_C_SOURCE 200809L

#include <stddef.h>

#include "cli/options/options.h"
#include "cli/options/take.h"

#define MEMBER(name) offsetof(cli_options, name)

const cli_option cli_grammar_rows[CLI_GRAMMAR_ROWS] = {
    {"target", 't', "lark|gbnf|structural-tag", CLI_GRAMMAR | CLI_TEST,
     cli_take_choice, MEMBER(target),
     "for llguidance; for llama.cpp; for vLLM, SGLang and\n"
     "XGrammar (lark)"},
    {"choice", 0, "WORD", CLI_GRAMMAR, cli_take_string, MEMBER(choice),
     "auto, required, none, or the name of the tool that is\n"
     "to be called (auto)"},
    {"parallel", 0, "0|1", CLI_GRAMMAR, cli_take_choice, MEMBER(parallel),
     "1: several calls may stand in a message (1)"},
    {"wider", 0, NULL, CLI_GRAMMAR, cli_take_flag, MEMBER(wider),
     "what the target cannot say of a schema is left out,\n"
     "and told in a comment; else it is an error"},
    {"special-tokens", 0, "FILE", CLI_GRAMMAR, cli_take_string,
     MEMBER(special_tokens),
     "markers are tokens of this vocabulary, by number: the\n"
     "model's tokenizer.json (they are bytes)"},
};
