/* SPDX-License-Identifier: MIT
 *
 * What --help prints.
 */
#ifndef TOOLWIRE_CLI_HELP_H
#define TOOLWIRE_CLI_HELP_H

#include "cli/options.h"

/* |commands| ends with a row whose name is NULL. */
int cli_help(const cli_command *commands);
int cli_command_help(const cli_command *);

#endif
