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
    tw_grammar_start start = TW_GRAMMAR_ANYWHERE;
    for (size_t i = 0; i < options->setting_count; i++) {
        if (options->settings[i].option == TW_OPTION_START_REASONING) {
            start = options->settings[i].value != 0 ? TW_GRAMMAR_REASONING
                                                    : TW_GRAMMAR_TEXT;
        }
    }
    return start;
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
    const tw_grammar_options asked = {
        cli_grammar_target(options), start_of(options), options->choice,
        options->parallel == NULL || options->parallel[0] != '0',
        options->wider};
    cli_tools tools;
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
    const int code = tw_grammar_make(options->format, tools.json, tools.size,
                                     &asked, NULL, &grammar, &error);
    if (code == TW_OK) {
        result = put_grammar(options, grammar);
        tw_grammar_free(grammar);
    } else {
        cli_say("%s: %s: %s", tools.input.name, tw_error_name(code),
                error.message);
        result = code == TW_ERROR_ARGUMENT ? CLI_USAGE : CLI_BAD;
    }
    cli_tools_close(&tools);
    return result;
}
