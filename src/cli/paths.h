/* SPDX-License-Identifier: MIT
 *
 * Which file a path means, also if it is not there yet.
 */
#ifndef TOOLWIRE_CLI_PATHS_H
#define TOOLWIRE_CLI_PATHS_H

#include <limits.h>

#include "cli/options.h"

/* Is |path| stdin or stdout: NULL or "-"? */
bool cli_path_is_standard(const char *path);

/* Where the symbolic links lead that |path| is; nothing need be there.  false:
 * errno says why. */
bool cli_path_follow(const char *path, char target[PATH_MAX]);

/* Refuses two outputs, or an input and a report, that are one file: the last
 * to be closed would destroy the other one. */
int cli_paths_check(const cli_options *);

#endif
