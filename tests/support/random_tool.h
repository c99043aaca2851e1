/* SPDX-License-Identifier: MIT
 *
 * Random tools whose texts look like parts of declarations.
 */
#ifndef TOOLWIRE_TESTS_RANDOM_TOOL_H
#define TOOLWIRE_TESTS_RANDOM_TOOL_H

#include "random_request.h"

/* Adds a request with one or two to |out|. */
void random_tool_request(tw_json_out *out);

#endif
