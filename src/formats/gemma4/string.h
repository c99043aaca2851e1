/* SPDX-License-Identifier: MIT
 *
 * Gemma's strings: between delimiters, and in the quotes that models write in
 * their place.
 */
#ifndef TOOLWIRE_FORMATS_GEMMA4_STRING_H
#define TOOLWIRE_FORMATS_GEMMA4_STRING_H

#include "formats/gemma4/gemma4.h"

typedef enum tw_gemma4_ended {
    TW_GEMMA4_GOES_ON,
    TW_GEMMA4_ENDED,
    TW_GEMMA4_STARVED,
    TW_GEMMA4_CUT,   /* the input ends inside it */
    TW_GEMMA4_BROKEN /* |reason| is set */
} tw_gemma4_ended;

/* One step inside a string that stands between delimiters. */
tw_gemma4_ended tw_gemma4_read_delimited(tw_gemma4_call *);
/* One step inside a string in quotes, apostrophes or backticks. */
tw_gemma4_ended tw_gemma4_read_quoted(tw_gemma4_call *);
/* Delivers a held text that stood in quotes or apostrophes. */
void tw_gemma4_quoted_text(tw_gemma4_call *, const uint8_t *from,
                           const uint8_t *to, uint8_t quote);
/* If the text is exactly one JSON object, delivers what stands in its
 * braces (DESIGN R11). */
bool tw_gemma4_unwrap(tw_gemma4_call *, const uint8_t *from, const uint8_t *to,
                      uint8_t quote);

#endif
