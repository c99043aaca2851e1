/* SPDX-License-Identifier: MIT
 *
 * Whose the bytes of a prompt are, and which of them the model would have
 * sampled.
 */
#ifndef TOOLWIRE_TEMPLATE_SPANS_H
#define TOOLWIRE_TEMPLATE_SPANS_H

#include "messages/segments.h"
#include "template/loaded.h"

typedef struct tw_spans {
    tw_buffer list;    /* tw_span, of what was made last */
    tw_buffer atoms;   /* data of messages and tools */
    tw_buffer tokens;  /* tw_generated: special tokens that were given */
    tw_buffer pieces;  /* what the list is made of */
    tw_buffer sampled; /* tw_generated */
    tw_buffer prompt;  /* a shorter one */
    tw_buffer usual;   /* the first generation prompt that was found */
    tw_rendering trial;
} tw_spans;

void tw_spans_init(tw_spans *, const struct tw_template *);
void tw_spans_free(tw_spans *);

/* What spans are of. */
typedef struct tw_prompt {
    const struct tw_template *template_;
    const tw_rendering *rendering; /* as it was written */
    const tw_conversation *conversation;
    const tw_segments *segments; /* its markers, and its text with breaks */
} tw_prompt;

/* Fills |list|.  TW_OK, LIMIT or MEMORY. */
int tw_spans_make(tw_spans *, const tw_prompt *);

#endif
