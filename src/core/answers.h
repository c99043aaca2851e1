/* SPDX-License-Identifier: MIT
 *
 * Which of a message's calls each of the results behind it answers, where the
 * wire tells only the function's name: the next one of that name.
 */
#ifndef TOOLWIRE_CORE_ANSWERS_H
#define TOOLWIRE_CORE_ANSWERS_H

#include "core/memory.h"

typedef struct tw_answers {
    const tw_memory *memory;
    tw_buffer calls; /* see answers.c */
    tw_buffer order; /* size_t: the calls by name */
    size_t round;    /* of results */
} tw_answers;

void tw_answers_init(tw_answers *answers, const tw_memory *memory);
void tw_answers_free(tw_answers *answers);

/* Forgets all calls. */
void tw_answers_reset(tw_answers *answers);
/* The next call; its name, which lives on, may be NULL.  False: no memory. */
bool tw_answers_add(tw_answers *answers, const char *name, size_t size);
/* All calls were added.  False: no memory. */
bool tw_answers_begin(tw_answers *answers);
/* Other results follow: no call is answered yet. */
void tw_answers_again(tw_answers *answers);
/* The number of the call that the next result answers, |otherwise| if no call
 * of that name is left. */
size_t tw_answers_next(tw_answers *answers, const char *name, size_t size,
                       size_t otherwise);

#endif
