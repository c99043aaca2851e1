/* SPDX-License-Identifier: MIT
 *
 * What stands in the braces of a call in Gemma's notation, as JSON text.
 */
#ifndef TOOLWIRE_FORMATS_BODY_GEMMA_VALUE_H
#define TOOLWIRE_FORMATS_BODY_GEMMA_VALUE_H

#include "formats/body/gemma/call_state.h"

/* Begins behind the opening bracket. */
bool tw_gemma_call_start(tw_gemma_call *call, uint32_t index, bool paren);
/* Reads on.  TW_STEP_DONE: the root is closed, or |reason| is set. */
tw_step tw_gemma_call_step(tw_gemma_call *call);

#endif
