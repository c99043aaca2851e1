/* SPDX-License-Identifier: MIT
 *
 * Which file a path means, also if it is not there yet.
 */
#ifndef TOOLWIRE_CLI_FILES_PATHS_H
#define TOOLWIRE_CLI_FILES_PATHS_H

#include <limits.h>
#include <stdbool.h>
#include <stddef.h>

/* Is |path| stdin or stdout: NULL or "-"? */
bool cli_path_is_standard(const char *path);
bool cli_path_is_folder(const char *path);

/* Where the symbolic links lead that |path| is; nothing need be there.  false:
 * errno says why. */
bool cli_path_follow(const char *path, char target[PATH_MAX]);

/* How much of |path| is the folder, its slash with it. */
size_t cli_path_folder(const char *path);

#endif
