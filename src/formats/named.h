/* SPDX-License-Identifier: MIT
 *
 * Names of declared tools in what is no call.
 */
#ifndef TOOLWIRE_FORMATS_NAMED_H
#define TOOLWIRE_FORMATS_NAMED_H

#include "events/tools.h"

/* Does the name of a declared tool stand in [at, to)? */
bool tw_names_tool(const tw_tools *tools, const uint8_t *at,
                   const uint8_t *to);

#endif
