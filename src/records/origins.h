/* SPDX-License-Identifier: MIT
 *
 * Where the messages, parts, calls and tools of a conversation stood in the
 * record that it was read from, so that what a writer or an encoder reports of
 * the conversation has a path in that record.
 */
#ifndef TOOLWIRE_RECORDS_ORIGINS_H
#define TOOLWIRE_RECORDS_ORIGINS_H

#include "json/tree.h"

typedef struct tw_origins {
    const tw_memory *memory;
    const tw_value *record; /* NULL: the conversation is the record itself */
    size_t only;            /* it is this message of it, or SIZE_MAX */
    tw_buffer messages;     /* see origins.c */
    tw_buffer parts;        /* const tw_value *, of all messages */
    tw_buffer calls;        /* the same */
    tw_buffer tools;        /* const tw_value * */
    bool failed;            /* there was no memory */
} tw_origins;

void tw_origins_free(tw_origins *);
void tw_origins_begin(tw_origins *, const tw_value *record);

size_t tw_origins_message_count(const tw_origins *);
/* The next message of the conversation. */
void tw_origins_message(tw_origins *, const tw_value *source);
/* Of the last message its reasoning, the next part of its content, its next
 * call. */
void tw_origins_reasoning(tw_origins *, const tw_value *source);
void tw_origins_part(tw_origins *, const tw_value *source);
void tw_origins_call(tw_origins *, const tw_value *source);
/* The next message and all of that in it, which the conversation has as they
 * are. */
void tw_origins_whole(tw_origins *, const tw_value *message);
/* The next tool. */
void tw_origins_tool(tw_origins *, const tw_value *source);

/* What is asked for is in a conversation of message |i| alone. */
void tw_origins_only(tw_origins *, size_t i);

/* What |where|, a value of the conversation's request, was read from, or what
 * holds that; |where| itself if it is the record's. */
const tw_value *tw_origins_of(const tw_origins *, const tw_value *where);

#endif
