/* SPDX-License-Identifier: MIT
 *
 * Regular expressions of ECMA 262, as far as they are regular: what a schema's
 * `pattern` says.  Not read are look-around, back references and properties of
 * code points (\p).  A match takes time by the product of both sizes, whatever
 * they are.
 */
#ifndef TOOLWIRE_SCHEMA_REGEX_H
#define TOOLWIRE_SCHEMA_REGEX_H

#include "core/memory.h"

typedef struct tw_regex {
    const tw_memory *memory;
    tw_buffer code;   /* see regex_read.c */
    tw_buffer ranges; /* of classes */
    bool failed;      /* there was no memory */
} tw_regex;

/* A zeroed one is none.  False: it is not read, or |failed|. */
bool tw_regex_read(tw_regex *pattern, const tw_memory *memory,
                   const char *text, size_t size);
void tw_regex_free(tw_regex *pattern);

/* Room for matches with all patterns. */
typedef struct tw_match_room {
    tw_buffer now;
    tw_buffer next;
    tw_buffer stack;
    tw_buffer seen;
} tw_match_room;

void tw_match_room_free(tw_match_room *room, const tw_memory *memory);
/* Does some part of the text, which is UTF-8, match?  *work is what that took;
 * *failed: there was no memory. */
bool tw_regex_matches(const tw_regex *pattern, tw_match_room *room,
                      const char *text, size_t size, uint64_t *work,
                      bool *failed);

#endif
