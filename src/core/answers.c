/* SPDX-License-Identifier: MIT
 *
 * Results in the order of their calls: the calls are sorted by name once, and
 * each result takes the next one of its name.
 */
#include "core/answers.h"

#include <string.h>

#include "core/sort.h"

typedef struct named_call {
    const char *name;
    size_t size;
    size_t answered; /* of the first of its name: how many were ... */
    size_t round;    /* ... in that round */
} named_call;

void tw_answers_init(tw_answers *answers, const tw_memory *memory)
{
    memset(answers, 0, sizeof *answers);
    answers->memory = memory;
}

void tw_answers_free(tw_answers *answers)
{
    tw_buffer_free(&answers->calls, answers->memory);
    tw_buffer_free(&answers->order, answers->memory);
}

void tw_answers_reset(tw_answers *answers)
{
    answers->calls.size = answers->order.size = 0;
    answers->round = 0;
}

void tw_answers_again(tw_answers *answers)
{
    answers->round++;
}

bool tw_answers_add(tw_answers *answers, const char *name, size_t size)
{
    const named_call call = {name, size, 0, 0};
    const size_t number = answers->calls.size / sizeof call;
    return tw_buffer_append(&answers->calls, answers->memory, &call,
                            sizeof call) &&
           (name == NULL || tw_buffer_append(&answers->order, answers->memory,
                                             &number, sizeof number));
}

static int compare(const named_call *call, const char *name, size_t size)
{
    return tw_bytes_order(call->name, call->size, name, size);
}

static bool is_before(const void *context, size_t left, size_t right)
{
    const named_call *calls = context;
    return compare(&calls[left], calls[right].name, calls[right].size) < 0;
}

bool tw_answers_begin(tw_answers *answers)
{
    return tw_sort(&answers->order, answers->memory, is_before,
                   answers->calls.data);
}

size_t tw_answers_next(tw_answers *answers, const char *name, size_t size,
                       size_t otherwise)
{
    named_call *calls = (named_call *)(void *)answers->calls.data;
    const size_t *order = (const size_t *)(const void *)answers->order.data;
    const size_t count = answers->order.size / sizeof *order;
    tw_halves halves = {.high = count};
    while (tw_halve(&halves)) {
        tw_halves_take(&halves,
                       compare(&calls[order[halves.middle]], name, size) < 0);
    }
    if (halves.low == count ||
        compare(&calls[order[halves.low]], name, size) != 0) {
        return otherwise;
    }
    named_call *first = &calls[order[halves.low]];
    if (first->round != answers->round) {
        first->round = answers->round;
        first->answered = 0;
    }
    const size_t next = halves.low + first->answered;
    if (next == count || compare(&calls[order[next]], name, size) != 0) {
        return otherwise;
    }
    first->answered++;
    return order[next];
}
