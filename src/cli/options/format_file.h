/* SPDX-License-Identifier: MIT
 *
 * Formats that come from files.
 */
#ifndef TOOLWIRE_CLI_OPTIONS_FORMAT_FILE_H
#define TOOLWIRE_CLI_OPTIONS_FORMAT_FILE_H

#include <stdbool.h>

#include "toolwire.h"

/* Does the value of -f name a file?  A format's name comes first; else what
 * ends in .json or holds a slash is one, if it is there or only could be. */
bool cli_is_format_file(const char *value);

/* Anything but CLI_FINE: it was said why there is no format. */
int cli_format_load(const char *path, tw_format **format);

#endif
