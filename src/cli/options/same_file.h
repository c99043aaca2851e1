/* SPDX-License-Identifier: MIT
 *
 * Are two of a command's files one?
 */
#ifndef TOOLWIRE_CLI_OPTIONS_SAME_FILE_H
#define TOOLWIRE_CLI_OPTIONS_SAME_FILE_H

#include "cli/options/options.h"

/* Refuses two outputs, or an input and a report, that are one file: the last
 * to be closed would destroy the other one. */
int cli_paths_check(const cli_options *);

#endif
