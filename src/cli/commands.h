/* SPDX-License-Identifier: MIT
 *
 * The commands.  Each returns an exit code, and has said what went wrong.
 */
#ifndef TOOLWIRE_CLI_COMMANDS_H
#define TOOLWIRE_CLI_COMMANDS_H

#include "cli/options/options.h"

int cli_decode(const cli_options *options);
int cli_stream(const cli_options *options);
int cli_encode(const cli_options *options);
int cli_convert(const cli_options *options);
int cli_check(const cli_options *options);
int cli_formats(const cli_options *options);
int cli_check_format(const cli_options *options);
int cli_detect(const cli_options *options);
int cli_inspect(const cli_options *options);
int cli_explain(const cli_options *options);
int cli_explain_for_model(const cli_options *options);
int cli_grammar(const cli_options *options);
int cli_gen(const cli_options *options);
int cli_test(const cli_options *options);
int cli_test_grammar(const cli_options *options);
int cli_test_templates(const cli_options *options);
/* |commands|: all, the last with no name. */
int cli_completion(const cli_options *options, const cli_command *commands);

#endif
