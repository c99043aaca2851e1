/* SPDX-License-Identifier: MIT
 *
 * Which call each result of a conversation answers, and the ids of calls that
 * have none: they are made here alone.
 */
#ifndef TOOLWIRE_RECORDS_PAIRS_H
#define TOOLWIRE_RECORDS_PAIRS_H

#include "conversation.h"
#include "core/answers.h"
#include "json/dump.h"

#define TW_NO_CALL SIZE_MAX

typedef struct tw_pairs {
    const tw_memory *memory;
    const tw_conversation *conversation;
    tw_buffer answered; /* size_t: of each message its call, or TW_NO_CALL */
    tw_buffer made;     /* size_t: of each call what its made-up id counts, or
                           TW_NO_CALL: it has its own */
    tw_buffer closed;   /* uint8_t: has each call its result? */
    tw_answers answers; /* of the turn */
} tw_pairs;

void tw_pairs_init(tw_pairs *, const tw_memory *);
void tw_pairs_free(tw_pairs *);

/* A result answers the call that has its id; without an id, of the calls of
 * the last turn with calls the next one of its name that has no result, else
 * the next one that has none.  A result without id that finds none is
 * reported.  False: no memory. */
bool tw_pairs_find(tw_pairs *, const tw_conversation *, tw_losses *);

/* The number among all calls of the one that the message answers, or
 * TW_NO_CALL. */
static inline size_t tw_pairs_answered(const tw_pairs *pairs, size_t message)
{
    return ((const size_t *)(const void *)pairs->answered.data)[message];
}

/* An id as JSON: the call's own or one that is made, `call_N`, which counts on
 * through the record and is no other call's. */
void tw_pairs_put_call_id(const tw_pairs *, tw_json_out *, size_t call);
/* `"KEY":` and the id of the call that the message answers, else its own;
 * false: it has none, and nothing was jotted. */
bool tw_pairs_put_result_id(const tw_pairs *, tw_json_out *, size_t message,
                            const char *key, bool first);

#endif
