/* SPDX-License-Identifier: MIT
 *
 * Which call each result of a conversation answers, and the ids of calls that
 * have none: they are made here alone.
 */
#ifndef TOOLWIRE_MESSAGES_PAIRS_H
#define TOOLWIRE_MESSAGES_PAIRS_H

#include "messages/conversation.h"
#include "core/answers.h"
#include "json/make.h"

#define TW_NO_CALL SIZE_MAX

typedef struct tw_pairs {
    const tw_memory *memory;
    tw_tree *made;   /* where ids are made */
    bool by_message; /* made-up ids count the calls of their message, as those
                        of decoders do; else of the record */
    const tw_conversation *conversation;
    tw_buffer answered; /* size_t: of each message its call, or TW_NO_CALL */
    tw_buffer ids;      /* const tw_value *: of each call */
    tw_buffer orphans;  /* tw_conversation_find_orphans(), if ids are made */
    tw_buffer closed;   /* uint8_t: may results without ids not answer it, and
                           has it a result? */
    tw_answers answers; /* of the turn */
} tw_pairs;

void tw_pairs_init(tw_pairs *pairs, tw_tree *made, const tw_memory *memory);
void tw_pairs_free(tw_pairs *pairs);

/* A result answers the call that has its id; without an id, of the calls of
 * the last turn with calls the next one of its name that has no result, else
 * the next one that has none.  What APIs refuse is reported: results without a
 * call or elsewhere than behind it, calls without a result in front of other
 * messages, and ids that several calls have.  False: no memory. */
bool tw_pairs_find(tw_pairs *pairs, const tw_conversation *conversation,
                   tw_losses *losses);

/* The number among all calls of the one that the message answers, or
 * TW_NO_CALL. */
static inline size_t tw_pairs_answered(const tw_pairs *pairs, size_t message)
{
    return ((const size_t *)(const void *)pairs->answered.data)[message];
}

/* The call's own id or one that is made, `call_N`, which is no other call's.
 */
static inline const tw_value *tw_pairs_call_id(const tw_pairs *pairs,
                                               size_t call)
{
    return ((const tw_value *const *)(const void *)pairs->ids.data)[call];
}

/* The id of the call that the message answers, else its own; NULL: it has
 * none. */
const tw_value *tw_pairs_result_id(const tw_pairs *pairs, size_t message);

#endif
