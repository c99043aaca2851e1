/* SPDX-License-Identifier: MIT
 *
 * A case put to another parser in several ways, and made smaller while what
 * is wrong stays wrong.
 */
#ifndef TOOLWIRE_KIT_TRIAL_H
#define TOOLWIRE_KIT_TRIAL_H

#include "kit/judge.h"
#include "kit/peer.h"

typedef struct kit_trial {
    kit_maker *maker;
    kit_peer *peer;
    const tw_memory *memory;
    tw_jotter line; /* what was sent last */
    tw_buffer got;  /* what was answered last, a line without its end */
    tw_tree first;  /* the answer to the whole wire */
    tw_tree other;  /* ... to one that was cut */
    bool failed;    /* no memory, or the command cannot be started */
} kit_trial;

void kit_trial_init(kit_trial *, kit_maker *, kit_peer *, const tw_memory *);
void kit_trial_free(kit_trial *);
/* Puts the case: whole, by its cuts, byte by byte. */
kit_verdict kit_try(kit_trial *, kit_case *);
/* Makes it smaller as long as the verdict is the same. */
void kit_shrink(kit_trial *, kit_case *, kit_verdict);

#endif
