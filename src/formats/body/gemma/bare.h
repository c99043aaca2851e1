/* SPDX-License-Identifier: MIT
 *
 * Gemma's values without delimiters, which are held until their end is known.
 */
#ifndef TOOLWIRE_FORMATS_BODY_GEMMA_BARE_H
#define TOOLWIRE_FORMATS_BODY_GEMMA_BARE_H

#include "formats/body/gemma/call_state.h"

tw_step tw_gemma_begin_bare(tw_gemma_call *call);
tw_step tw_gemma_read_bare(tw_gemma_call *call);
tw_step tw_gemma_read_number(tw_gemma_call *call);

#endif
