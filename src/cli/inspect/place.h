/* SPDX-License-Identifier: MIT
 *
 * Where on the wire a call's name and arguments stand, and markers.
 */
#ifndef TOOLWIRE_CLI_INSPECT_PLACE_H
#define TOOLWIRE_CLI_INSPECT_PLACE_H

#include "cli/inspect/wire.h"

/* Of events that came when |fed| bytes had been fed. */
void cli_place_name(cli_wire *wire, const tw_event *event, size_t fed);
void cli_place_arguments(cli_wire *wire, const tw_event *event, size_t fed);
/* What else a call has of bytes |from| to |to|. */
void cli_place_rest(cli_wire *wire, uint64_t from, uint64_t to);
/* Among all that is structure. */
void cli_place_markers(cli_wire *wire, const tw_format *format);

#endif
