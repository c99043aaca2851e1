/* SPDX-License-Identifier: MIT
 *
 * What --help prints.
 */
#ifndef TOOLWIRE_CLI_HELP_H
#define TOOLWIRE_CLI_HELP_H

#include "cli/options/options.h"

/* Into the file |path|; NULL: stdout.  |commands| ends with a row whose name
 * is NULL. */
int cli_help(const cli_command *commands, const char *path);
int cli_command_help(const cli_command *command, const char *path);

#endif
