/* SPDX-License-Identifier: MIT
 *
 * Gemma's strings: between delimiters, and in the quotes that models write in
 * their place.
 */
#ifndef TOOLWIRE_FORMATS_BODY_GEMMA_STRING_H
#define TOOLWIRE_FORMATS_BODY_GEMMA_STRING_H

#include "formats/body/gemma/call_state.h"

typedef enum tw_gemma_ended {
    TW_GEMMA_GOES_ON,
    TW_GEMMA_ENDED,
    TW_GEMMA_STARVED,
    TW_GEMMA_CUT,   /* the input ends inside it */
    TW_GEMMA_BROKEN /* |reason| is set */
} tw_gemma_ended;

/* One step inside a string that stands between delimiters. */
tw_gemma_ended tw_gemma_read_delimited(tw_gemma_call *call);
/* One step inside a string in quotes, apostrophes or backticks. */
tw_gemma_ended tw_gemma_read_quoted(tw_gemma_call *call);
/* Delivers a held text that stood in quotes or apostrophes. */
void tw_gemma_quoted_text(tw_gemma_call *call, const uint8_t *from,
                          const uint8_t *to, uint8_t quote);
/* If the text is exactly one JSON object, delivers what stands in its
 * braces. */
bool tw_gemma_unwrap(tw_gemma_call *call, const uint8_t *from,
                     const uint8_t *to, uint8_t quote);

#endif
