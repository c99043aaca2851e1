/* SPDX-License-Identifier: MIT
 *
 * What the Gemma 4 encoder knows of a dialect.
 */
#ifndef TOOLWIRE_FORMATS_GEMMA4_DIALECT_H
#define TOOLWIRE_FORMATS_GEMMA4_DIALECT_H

#include "formats/body/gemma/put.h"
#include "formats/encode.h"
#include "formats/gemma4/tokens.h"

/* Where the dialects' templates differ. */
typedef struct tw_gemma4_dialect {
    bool thinking;         /* what enable_thinking and preserve_thinking are
                              where the request does not say */
    bool empty_thought;    /* with thinking off the generation prompt has an
                              empty thought */
    bool opens_thought;    /* with thinking on a prompt that ends in a result
                              has a thought begun */
    bool answers_thought;  /* an answer without calls keeps its reasoning */
    bool closes_results;   /* a turn that ends in results is closed when
                              another follows */
    bool feed_joins_texts; /* between two texts of the model, nothing else */
    bool media_ends_calls; /* a call beside media is not pending */
    bool url_parts;        /* `image_url` and `input_audio` are media */
    bool needs_types;      /* a schema without a type is written with an empty
                              one, and breaks its braces outermost */
    bool needs_names;      /* it fails on a result whose name is unknown */
} tw_gemma4_dialect;

static inline void tw_gemma4_no_memory(tw_segments *out)
{
    tw_segments_refuse(out, TW_ERROR_MEMORY, NULL, 0, "no memory");
}

#endif
