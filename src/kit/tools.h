/* SPDX-License-Identifier: MIT
 *
 * The tools that a message's calls were made of.
 */
#ifndef TOOLWIRE_KIT_TOOLS_H
#define TOOLWIRE_KIT_TOOLS_H

#include "kit/case.h"

/* OpenAI's list of tools: each name that |message| (JSON, read into |tree|)
 * calls, with the types of its arguments, and one that nobody calls.  Without
 * a message it is that one alone. */
void kit_jot_tools(tw_json_out *json_out, tw_tree *tree,
                   const tw_buffer *message);
/* The tools that a turn is put with. */
void kit_jot_turn_tools(tw_json_out *json_out, tw_tree *scratch,
                        const kit_turn *turn);

#endif
