/* SPDX-License-Identifier: MIT
 *
 * Do the options that were read go together?
 */
#ifndef TOOLWIRE_CLI_OPTIONS_CHECK_H
#define TOOLWIRE_CLI_OPTIONS_CHECK_H

#include "cli/options/options.h"

enum { CLI_MAX_RECORD = 64 << 20 }; /* --max-record's default */

/* Anything but CLI_FINE: it was said what is wrong. */
int cli_options_check(cli_options *);

#endif
