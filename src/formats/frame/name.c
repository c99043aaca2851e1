/* SPDX-License-Identifier: MIT
 *
 * The name in an id that is made of name and index, `functions.NAME:0`, where
 * the model wrote it otherwise: clients that allow no dots and colons in ids
 * teach it `functionsNAME0` and `functions_NAME_0`.
 */
#include <string.h>

#include "formats/frame/frame.h"

static bool is_declared(const tw_frame *state, tw_piece name)
{
    return name.size > 0 &&
           tw_tools_find(state->sink->tools, (const char *)name.from,
                         name.size) != NULL;
}

static bool is_mark(uint8_t c)
{
    return c == '.' || c == '_' || c == ':';
}

/* The name without an index behind it. */
static tw_piece without_index(tw_piece name)
{
    while (name.size > 0 && name.from[name.size - 1] >= '0' &&
           name.from[name.size - 1] <= '9') {
        name.size--;
    }
    return name;
}

/* |word|, which no tool is called, behind the prefix: as it is, or without one
 * mark in front, without an index, and without the mark in front of that. */
static tw_piece declared_in(const tw_frame *state, tw_piece word)
{
    const size_t marks = word.size > 0 && is_mark(*word.from) ? 2 : 1;
    for (size_t i = 0; i < marks; i++) {
        const tw_piece named = {word.from + i, word.size - i};
        const tw_piece bare = without_index(named);
        const bool marked = bare.size > 0 && bare.size < named.size &&
                            is_mark(bare.from[bare.size - 1]);
        const tw_piece tries[] = {
            named, bare, {bare.from, bare.size - (marked ? 1 : 0)}};
        for (size_t k = 0; k < sizeof tries / sizeof *tries; k++) {
            if (is_declared(state, tries[k])) {
                return tries[k];
            }
        }
    }
    return (tw_piece){NULL, 0};
}

tw_piece tw_frame_name_in(const tw_frame *state, const tw_head *head)
{
    const tw_piece name = {head->name, head->name_size};
    const tw_part *first = state->description->id.all->parts;
    const size_t whole = first->kind == TW_PATTERN_LITERAL ? first->size : 0;
    size_t size = whole;
    if (whole == 0 || !head->pattern->loose || name.size <= whole) {
        return name;
    }
    if (memcmp(name.from, first->text, whole) == 0) {
        return (tw_piece){name.from + whole, name.size - whole};
    }
    while (size > 0 && is_mark((uint8_t)first->text[size - 1])) {
        size--;
    }
    if (tw_tools_count(state->sink->tools) == 0 || is_declared(state, name) ||
        memcmp(name.from, first->text, size) != 0) {
        return name;
    }
    const tw_piece found =
        declared_in(state, (tw_piece){name.from + size, name.size - size});
    return found.from != NULL ? found : name;
}
