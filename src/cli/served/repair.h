/* SPDX-License-Identifier: MIT
 *
 * stream --from-sse: the door of this room.
 */
#ifndef TOOLWIRE_CLI_REPAIR_H
#define TOOLWIRE_CLI_REPAIR_H

#include "cli/options/options.h"

int cli_repair(const cli_options *options);

#endif
