/* SPDX-License-Identifier: MIT
 *
 * Lines that a session has twice, since it was taken up again, and those of
 * branches that its user left.
 */
#include "core/sort.h"
#include "records/sessions/session.h"

typedef struct keyed {
    const tw_value *line;
    const tw_value *key; /* NULL: it has none */
} keyed;

typedef struct judging {
    tw_recoder *recoder;
    tw_buffer lines; /* keyed */
    tw_buffer order; /* size_t: lines with keys, sorted by them */
    unsigned char *judged;
    bool good;
} judging;

static keyed *line_at(const judging *state, size_t i)
{
    return (keyed *)(void *)state->lines.data + i;
}

static size_t ordered(const judging *state, size_t i)
{
    return ((const size_t *)(const void *)state->order.data)[i];
}

static size_t ordered_count(const judging *state)
{
    return state->order.size / sizeof(size_t);
}

static bool is_before(const void *context, size_t left, size_t right)
{
    const judging *state = context;
    return tw_value_order(line_at(state, left)->key,
                          line_at(state, right)->key) < 0;
}

/* Sorts the lines that are their own by a member; those alike stay in their
 * order. */
static void sort_by(judging *state, const char *key,
                    bool (*has_key)(const tw_value *line))
{
    const size_t count = state->lines.size / sizeof(keyed);
    state->order.size = 0;
    for (size_t i = 0; i < count; i++) {
        keyed *each = line_at(state, i);
        each->key = tw_value_member(each->line, key);
        if (tw_value_is_a(each->key, TW_VALUE_STRING) &&
            state->judged[i] == TW_LINE_ITS_OWN &&
            (has_key == NULL || has_key(each->line))) {
            state->good =
                state->good &&
                tw_buffer_append(&state->order, state->recoder->memory, &i,
                                 sizeof i);
        }
    }
    state->good = state->good && tw_sort(&state->order, state->recoder->memory,
                                         is_before, state);
}

static bool is_alike(const judging *state, size_t i)
{
    return i > 0 && i < ordered_count(state) &&
           tw_value_order(line_at(state, ordered(state, i - 1))->key,
                          line_at(state, ordered(state, i))->key) == 0;
}

/* A copy may be another session's, and otherwise the same. */
static bool says_same(const judging *state, size_t left, size_t right)
{
    const tw_value *lines[] = {line_at(state, left)->line,
                               line_at(state, right)->line};
    const tw_value *said[] = {tw_value_member(lines[0], "message"),
                              tw_value_member(lines[1], "message")};
    const bool both = said[0] != NULL && said[1] != NULL;
    return tw_is_same_value(state->recoder, both ? said[0] : lines[0],
                            both ? said[1] : lines[1]);
}

static void find_again(judging *state)
{
    sort_by(state, "uuid", NULL);
    for (size_t i = 1; state->good && i < ordered_count(state); i++) {
        if (is_alike(state, i) &&
            says_same(state, ordered(state, i - 1), ordered(state, i))) {
            state->judged[ordered(state, i)] = TW_LINE_AGAIN;
        }
    }
}

/* From the first prompt behind a line to the last one all is left.  Of
 * branches inside others the outermost ends last: |until| is its end. */
static void find_left(judging *state, bool (*is_prompt)(const tw_value *line))
{
    const size_t count = state->lines.size / sizeof(keyed);
    tw_buffer ends = {0}; /* size_t: of the branch that begins at a line */
    const size_t none = 0;
    size_t until = 0;
    sort_by(state, "parentUuid", is_prompt);
    for (size_t i = 0; state->good && i < count; i++) {
        state->good = tw_buffer_append(&ends, state->recoder->memory, &none,
                                       sizeof none);
    }
    size_t *end = (size_t *)(void *)ends.data;
    for (size_t i = 0, first = 0; state->good && i < ordered_count(state);
         i++) {
        first = is_alike(state, i) ? first : i;
        end[ordered(state, first)] = ordered(state, i);
    }
    for (size_t i = 0; state->good && i < count; i++) {
        until = end[i] > until ? end[i] : until;
        if (i < until && state->judged[i] == TW_LINE_ITS_OWN) {
            state->judged[i] = TW_LINE_LEFT;
        }
    }
    tw_buffer_free(&ends, state->recoder->memory);
}

void tw_session_judge(tw_recoder *recoder, const tw_value *lines,
                      bool (*is_prompt)(const tw_value *line),
                      tw_buffer *judged)
{
    judging state = {.recoder = recoder, .good = true};
    const unsigned char own = TW_LINE_ITS_OWN;
    for (const tw_value *at = lines->first; at != NULL; at = at->next) {
        const keyed each = {at, NULL};
        state.good = state.good &&
                     tw_buffer_append(&state.lines, recoder->memory, &each,
                                      sizeof each) &&
                     tw_buffer_append(judged, recoder->memory, &own, 1);
    }
    state.judged = judged->data;
    if (state.good) {
        find_again(&state);
        find_left(&state, is_prompt);
    }
    recoder->json_out.failed |= !state.good;
    tw_buffer_free(&state.lines, recoder->memory);
    tw_buffer_free(&state.order, recoder->memory);
}
