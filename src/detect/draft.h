/* SPDX-License-Identifier: MIT
 *
 * A description of a format from what a template writes.
 */
#ifndef TOOLWIRE_CONVERT_DRAFT_H
#define TOOLWIRE_CONVERT_DRAFT_H

#include "detect/probes.h"
#include "core/memory.h"

/* What the template writes for a probe, from where the model goes on; nothing:
 * the template refuses it. */
typedef struct tw_draft_turn {
    const char *text;
    size_t size;
} tw_draft_turn;

/* Writes a description of the turns' differences, which nothing has proved
 * yet.  False: they tell none, or there is no memory, which sets *failed. */
bool tw_draft_make(tw_buffer *json, const tw_memory *memory,
                   const tw_draft_turn turns[TW_PROBES], bool *failed);

#endif
