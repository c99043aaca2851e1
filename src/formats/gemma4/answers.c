/* SPDX-License-Identifier: MIT
 *
 * Which of a message's calls a result answers: its calls, sorted by id.  A
 * search through all of them for each result would be quadratic.
 */
#include <string.h>

#include "formats/gemma4/encode.h"

/* No id is an id, too: an empty one. */
static int compare(const tw_value *left, const tw_value *right)
{
    const size_t left_size = left != NULL ? left->size : 0;
    const size_t right_size = right != NULL ? right->size : 0;
    const size_t least = left_size < right_size ? left_size : right_size;
    const int order = least > 0 ? memcmp(left->text, right->text, least) : 0;
    return order != 0               ? order
           : left_size < right_size ? -1
                                    : left_size > right_size;
}

/* Of calls with one id, the last in the message comes last. */
static bool is_less(const tw_call *left, const tw_call *right)
{
    const int order = compare(left->id, right->id);
    return order != 0 ? order < 0 : left < right;
}

static void sift(const tw_call **calls, size_t count, size_t at)
{
    const tw_call *moved = calls[at];
    for (size_t child = 2 * at + 1; child < count; child = 2 * at + 1) {
        if (child + 1 < count && is_less(calls[child], calls[child + 1])) {
            child++;
        }
        if (!is_less(moved, calls[child])) {
            break;
        }
        calls[at] = calls[child];
        at = child;
    }
    calls[at] = moved;
}

/* A heap sort: no memory, no bad case. */
static void sort(const tw_call **calls, size_t count)
{
    for (size_t i = count / 2; i-- > 0;) {
        sift(calls, count, i);
    }
    while (count-- > 1) {
        const tw_call *last = calls[count];
        calls[count] = calls[0];
        calls[0] = last;
        sift(calls, count, 0);
    }
}

bool tw_gemma4_answers_begin(tw_gemma4_answers *answers,
                             const tw_conversation *conversation,
                             const tw_message *message,
                             const tw_memory *memory)
{
    answers->count = 0;
    answers->calls =
        tw_memory_new(memory, message->call_count * sizeof *answers->calls);
    if (answers->calls == NULL) {
        return false;
    }
    answers->count = message->call_count;
    for (size_t i = 0; i < answers->count; i++) {
        answers->calls[i] = tw_call_of(conversation, message, i);
    }
    sort(answers->calls, answers->count);
    return true;
}

void tw_gemma4_answers_end(tw_gemma4_answers *answers, const tw_memory *memory)
{
    tw_memory_free(memory, answers->calls,
                   answers->count * sizeof *answers->calls);
}

const tw_call *tw_gemma4_answered(const tw_gemma4_answers *answers,
                                  const tw_value *id)
{
    size_t from = 0;
    size_t to = answers->count; /* the first call with a greater id */
    while (from < to) {
        const size_t middle = from + (to - from) / 2;
        if (compare(answers->calls[middle]->id, id) <= 0) {
            from = middle + 1;
        } else {
            to = middle;
        }
    }
    return to > 0 && compare(answers->calls[to - 1]->id, id) == 0
               ? answers->calls[to - 1]
               : NULL;
}
