/* SPDX-License-Identifier: MIT
 *
 * toolwire grammar: what holds a model to calls of the tools.
 */
#define _POSIX_C_SOURCE 200809L

#include "cli/commands.h"
#include "cli/files/print.h"
#include "cli/grammar_target.h"
#include "cli/records/session.h"

static tw_grammar_start start_of(const cli_options *options)
{
    const cli_setting *start = &options->settings[TW_OPTION_START_REASONING];
    return start->name == NULL ? TW_GRAMMAR_ANYWHERE
           : start->value != 0 ? TW_GRAMMAR_REASONING
                               : TW_GRAMMAR_TEXT;
}

static int put_grammar(const cli_options *options, const tw_grammar *grammar)
{
    cli_output output;
    size_t size;
    const char *text = tw_grammar_text(grammar, &size);
    if (cli_output_open(&output, options->output) != CLI_FINE) {
        return CLI_IO;
    }
    cli_put(&output, text, size);
    return cli_output_close(&output, true);
}

int cli_grammar(const cli_options *options)
{
    tw_grammar_options asked = {.target = cli_grammar_target(options),
                                .start = start_of(options),
                                .choice = options->choice,
                                .parallel = options->parallel == NULL ||
                                            options->parallel[0] != '0',
                                .wider = options->wider};
    cli_tools tools;
    cli_tools special;
    tw_format_error error;
    tw_grammar *grammar;
    if (options->tools == NULL) {
        cli_say("grammar: --tools FILE is missing: name a JSON array of "
                "tools");
        return CLI_USAGE;
    }
    int result = cli_tools_open(options, &tools);
    if (result != CLI_FINE) {
        return result;
    }
    result = cli_json_open(options, options->special_tokens,
                           "the special tokens", &special);
    if (result != CLI_FINE) {
        cli_tools_close(&tools);
        return result;
    }
    asked.special_tokens = special.json;
    asked.special_size = special.size;
    const int code = tw_grammar_make(options->format, tools.json, tools.size,
                                     &asked, NULL, &grammar, &error);
    if (code == TW_OK) {
        result = put_grammar(options, grammar);
        tw_grammar_free(grammar);
    } else {
        const bool of_tokens = strncmp(error.message, "special tokens",
                                       strlen("special tokens")) == 0;
        cli_say("%s: %s: %s",
                of_tokens ? special.input.name : tools.input.name,
                tw_error_name(code), error.message);
        result = code == TW_ERROR_ARGUMENT ? CLI_USAGE : CLI_BAD;
    }
    cli_tools_close(&special);
    cli_tools_close(&tools);
    return result;
}
