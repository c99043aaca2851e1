/* SPDX-License-Identifier: MIT
 *
 * What must be said on a command line, and what excludes what.
 */
#ifndef TOOLWIRE_CLI_OPTIONS_RULES_H
#define TOOLWIRE_CLI_OPTIONS_RULES_H

#include "cli/options/options.h"

enum { CLI_MAX_RECORD = 64 << 20 };

/* Anything but CLI_FINE: it was said what is wrong. */
int cli_options_check(cli_options *options);

#endif
