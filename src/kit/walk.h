/* SPDX-License-Identifier: MIT
 *
 * Texts at random that a grammar allows: GBNF, as far as grammars here are
 * written in it.
 */
#ifndef TOOLWIRE_KIT_WALK_H
#define TOOLWIRE_KIT_WALK_H

#include "core/memory.h"

typedef struct kit_walker {
    const tw_memory *memory;
    tw_buffer nodes;  /* of expressions */
    tw_buffer ranges; /* of sets */
    tw_buffer rules;  /* names and bodies */
    tw_buffer places; /* of rules, by their names' hashes */
    const char *at;   /* what is being read */
    const char *end;
    bool failed; /* it is no such grammar, or there is no memory */
} kit_walker;

void kit_walker_init(kit_walker *its, const tw_memory *memory);
void kit_walker_free(kit_walker *its);
/* Reads a grammar, whose text stays where it is.  False: no memory, or it is
 * no such grammar. */
bool kit_walker_read(kit_walker *its, const char *text, size_t size);
/* Puts a text of the grammar into |out|; behind |most| characters it ends as
 * soon as it can.  False: no memory, or no text is so short that it would be
 * written. */
bool kit_walk(const kit_walker *its, uint64_t *state, size_t most,
              tw_buffer *out);

#endif
