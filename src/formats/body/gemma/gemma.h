/* SPDX-License-Identifier: MIT
 *
 * Arguments in Gemma's notation behind a name, in a format that a description
 * tells: {gemma:X} has what stands around strings.
 */
#ifndef TOOLWIRE_FORMATS_BODY_GEMMA_GEMMA_H
#define TOOLWIRE_FORMATS_BODY_GEMMA_GEMMA_H

#include "formats/body/body.h"
#include "formats/body/gemma/value.h"

typedef struct tw_gemma_body {
    tw_body common;
    tw_gemma_wire wire;
    tw_gemma_call value;
    uint8_t state;
    bool quoted; /* what is skipped is in a string */
} tw_gemma_body;

extern const tw_body_codec tw_gemma_codec;

/* Is a string or a key open, which may hold any text? */
bool tw_gemma_body_in_string(const tw_body *common);
/* Has the format a stop that is written behind calls alone? */
bool tw_gemma_has_call_stop(const tw_markers *table);

#endif
