/* SPDX-License-Identifier: MIT
 *
 * A case put to another parser in several ways, and made smaller while what
 * is wrong stays wrong.
 */
#ifndef TOOLWIRE_KIT_TRIAL_H
#define TOOLWIRE_KIT_TRIAL_H

#include "kit/judge.h"
#include "kit/peer.h"

/* Of a question on which something was wrong. */
typedef struct kit_evidence {
    tw_buffer line;  /* what was sent */
    tw_buffer got;   /* what was answered, a line without its end */
    tw_buffer whole; /* of a variance, the answer to the uncut wire */
    char ended[24];  /* how the command ended if it did, else empty */
} kit_evidence;

typedef struct kit_trial {
    kit_maker *maker;
    kit_peer *peer;
    const tw_memory *memory;
    unsigned long long questions;
    char id[KIT_ID + 24]; /* of the last question */
    tw_json_out line;     /* what was sent last */
    tw_buffer got;        /* what was answered last, a line without its end */
    tw_buffer whole;      /* the answer to the whole wire, in words ... */
    tw_tree first;        /* ... and read */
    tw_tree other;        /* the answer to one that was cut */
    char ended[24];       /* how the command ended if it did, else empty */
    int hangs;            /* while it is made smaller */
    kit_evidence evidence;
    bool repeats; /* what kit_shrink() left was as wrong again */
    bool failed;  /* it cannot go on: |why| */
    const char *why;
} kit_trial;

void kit_trial_init(kit_trial *, kit_maker *, kit_peer *, const tw_memory *);
void kit_trial_free(kit_trial *);
/* Puts the case: whole, by its cuts, byte by byte. */
kit_verdict kit_try(kit_trial *, kit_case *);
/* Makes it smaller as long as the verdict is the same. */
void kit_shrink(kit_trial *, kit_case *, kit_verdict);

#endif
