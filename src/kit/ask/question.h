/* SPDX-License-Identifier: MIT
 *
 * Cases as JSON: as a line of its own, and as the question that a parser is
 * asked.
 */
#ifndef TOOLWIRE_KIT_QUESTION_H
#define TOOLWIRE_KIT_QUESTION_H

#include "kit/case.h"

/* The case, with what is fine and what is not. */
void kit_jot_case(tw_json_out *json_out, tw_tree *scratch,
                  const kit_case *one);
/* The question |id|: its wire in the pieces between the cuts. */
void kit_jot_question(tw_json_out *json_out, tw_tree *scratch,
                      const kit_case *one, const char *id, const size_t *cuts,
                      size_t cut_count);

#endif
