/* SPDX-License-Identifier: MIT
 *
 * Is reasoning closed behind a block in it?  Each block may have
 * to look TW_HOLD_BLOCK bytes ahead; what one of them saw serves the next, so
 * that all of them together see each byte once.
 */
#ifndef TOOLWIRE_FORMATS_GEMMA4_AHEAD_H
#define TOOLWIRE_FORMATS_GEMMA4_AHEAD_H

#include "formats/gemma4/gemma4.h"

typedef struct tw_gemma4_ahead {
    uint64_t from; /* offsets: [from, to) was looked at */
    uint64_t to;
    tw_buffer delimiters; /* where they stand */
    /* Where the channel or the output ends, behind an even and behind an odd
     * number of delimiters: twice the offset, 1 more for the channel. */
    tw_buffer ends[2];
} tw_gemma4_ahead;

typedef enum tw_gemma4_found {
    TW_GEMMA4_FOUND_MORE,   /* not without more bytes */
    TW_GEMMA4_FOUND_CLOSED, /* the channel ends, at *where */
    TW_GEMMA4_FOUND_OPEN,   /* the output ends */
    TW_GEMMA4_FOUND_FAR     /* neither within TW_HOLD_BLOCK */
} tw_gemma4_found;

void tw_gemma4_ahead_reset(tw_gemma4_ahead *);
void tw_gemma4_ahead_free(tw_gemma4_ahead *, const tw_memory *);

/* Looks on for the block at |at|, behind its marker at |from|.  MORE, and a
 * failed sink, where there is no memory. */
tw_gemma4_found tw_gemma4_look_ahead(tw_gemma4_ahead *, const tw_window *,
                                     tw_sink *, const uint8_t *at,
                                     const uint8_t *from, uint64_t *where);

#endif
