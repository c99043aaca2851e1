/* SPDX-License-Identifier: MIT
 *
 * Are two of a command's files one?
 */
#ifndef TOOLWIRE_CLI_OPTIONS_SAME_FILE_H
#define TOOLWIRE_CLI_OPTIONS_SAME_FILE_H

#include "cli/options/options.h"

/* Refuses two outputs, or an input and an output, that are one file: the last
 * to be closed would destroy the other one. */
int cli_paths_check(const cli_options *options);
/* May what was written, with this |result|, take the name of -o?  Not that of
 * an input in which something was bad: it would be gone, which is said. */
bool cli_may_replace(const cli_options *options, int result);

#endif
