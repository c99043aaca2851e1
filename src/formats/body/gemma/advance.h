/* SPDX-License-Identifier: MIT
 *
 * The fast ways over a Gemma call's content: keys, strings between delimiters,
 * rows of scalars, and a short body as a whole.  What they cannot decide at
 * once they leave to string.c and value.c, whose references they are.
 */
#ifndef TOOLWIRE_FORMATS_BODY_GEMMA_ADVANCE_H
#define TOOLWIRE_FORMATS_BODY_GEMMA_ADVANCE_H

#include "formats/body/gemma/call_state.h"

/* The body at |at|, behind the call's brace, as JSON in |run|, braces and all,
 * if it is short and written as the template does: returns its `}`, with
 * which the call's close marker stands whole in view.  NULL: it may not be,
 * and the call must be started again. */
const uint8_t *tw_gemma_write_body(tw_gemma_call *call, const uint8_t *at);

/* See tw_decoding. */
const uint8_t *tw_gemma_call_advance(tw_gemma_call *call,
                                     tw_advanced *advanced);

#endif
