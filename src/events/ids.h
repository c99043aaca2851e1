/* SPDX-License-Identifier: MIT
 *
 * The ids of a message's calls: was one given before?
 */
#ifndef TOOLWIRE_EVENTS_IDS_H
#define TOOLWIRE_EVENTS_IDS_H

#include "events/tools.h"

typedef struct tw_ids {
    tw_buffer table; /* hashes of 64 bits, more than half of them 0: free */
    size_t count;
} tw_ids;

/* |id| is given; *had: it was before.  Two ids with one hash count as one.
 * False: no memory. */
bool tw_ids_put(tw_ids *ids, const tw_memory *memory, tw_name id, bool *had);

#endif
