/* SPDX-License-Identifier: MIT
 *
 * Results by the names of their calls: as a plain search finds them, and as
 * fast for many as for few.
 */
#include <criterion/criterion.h>
#include <string.h>

#include "core/answers.h"

enum { CALLS = 12, RESULTS = 20 };

static uint32_t state = 1;

static uint32_t draw(uint32_t below)
{
    state = state * 1664525u + 1013904223u;
    return (state >> 16) % below;
}

static const char *const names[] = {"f", "g", "ff", "", "h"};

/* The |rank|-th call of the name. */
static size_t searched(const uint32_t *calls, size_t count, uint32_t name,
                       size_t rank, size_t otherwise)
{
    for (size_t i = 0; i < count; i++) {
        if (calls[i] == name && rank-- == 0) {
            return i;
        }
    }
    return otherwise;
}

Test(answers, next)
{
    const tw_memory memory = tw_memory_from(NULL);
    tw_answers answers;
    tw_answers_init(&answers, &memory);
    for (int round = 0; round < 5000; round++) {
        uint32_t calls[CALLS];
        size_t ranks[5] = {0};
        const size_t count = draw(CALLS + 1);
        tw_answers_reset(&answers);
        for (size_t i = 0; i < count; i++) {
            calls[i] = draw(5);
            const char *name = calls[i] == 4 ? NULL : names[calls[i]];
            cr_assert(tw_answers_add(&answers, name,
                                     name != NULL ? strlen(name) : 0));
        }
        cr_assert(tw_answers_begin(&answers));
        for (size_t i = 0; i < RESULTS; i++) {
            const uint32_t name = draw(5);
            const size_t wanted =
                name == 4 ? 99 : searched(calls, count, name, ranks[name], 99);
            cr_assert_eq(tw_answers_next(&answers, names[name],
                                         strlen(names[name]), 99),
                         wanted);
            ranks[name]++;
        }
    }
    tw_answers_free(&answers);
}
