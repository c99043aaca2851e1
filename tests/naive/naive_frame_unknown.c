/* SPDX-License-Identifier: MIT
 *
 * A block that opens and closes as a call does and is none (D21).
 */
#include "naive_frame.h"

#include <string.h>

static bool is_named(const frame_reader *reader, const char *word, size_t size)
{
    naive_bytes name = {0};
    bool found = false;

    while (size > 0 && frame_among(".:/", word[size - 1]))
        size--; /* `NAME: 5` */
    for (size_t i = 0; i < size && !found; i++)
        if (i == 0 || frame_among(".:/", word[i - 1])) {
            naive_release(&name);
            naive_add(&name, word + i, size - i);
            found = frame_tool(reader, &name) != NULL;
        }
    naive_release(&name);
    return found;
}

/* The name of a declared tool stands in [at, to). */
static bool names_tool(const frame_reader *reader, size_t at, size_t to)
{
    while (at < to) {
        size_t end = at;

        while (end < to && frame_is_name_byte(reader->text[end]))
            end++;
        if (end > at && is_named(reader, reader->text + at, end - at))
            return true;
        at = end > at ? end : at + 1;
    }
    return false;
}

/* What opens a call here, a token of it at least; or NULL. */
const char *frame_bad_call_at(frame_reader *reader, size_t at)
{
    const char *word = frame_call_open_at(reader, at);

    return word && !frame_is_plain(word) ? word
                                         : frame_open_token_at(reader, at);
}

/* A parameter stands behind white space, of a call without a name. */
static bool begins_parameter(const frame_reader *reader, size_t at)
{
    const frame_pattern *pattern;
    frame_match match;
    bool begins;

    frame_match_parameter(reader, frame_skip(reader, at), &pattern, &match);
    begins = match.answer == FRAME_YES;
    frame_match_release(&match);
    return begins;
}

/* Where the block that opens at |at| and is no call ends, if its close stands
 * in reach, and a parameter stands first or a declared tool is named in it
 * (D21); else 0. */
size_t frame_unknown_block(frame_reader *reader, size_t at)
{
    const char *section = frame_section_open_at(reader, at);
    const char *call = frame_bad_call_at(reader, at);
    const char *open = section && (!call || strlen(section) > strlen(call))
                           ? section
                           : call;
    const size_t inside = at + frame_size(reader, at, open);
    const bool gemma =
        frame_body(&reader->format->call.items[0]) == HOLE_GEMMA;
    const bool parameter = open && begins_parameter(reader, inside);

    if (!open || !(parameter || frame_has_tools(reader)) ||
        (!gemma && frame_head_opens(reader, at)))
        return 0;
    for (size_t to = inside; to < reader->size && to - inside <= FRAME_HEAD;
         to++) {
        const char *close = section ? frame_section_close_at(reader, to) : NULL;

        if (!close && (!section || call))
            close = frame_last_close_at(reader, to);
        if (close && frame_is_plain(close))
            close = NULL; /* any text has a fence */
        if (frame_stop_at(reader, to) ||
            (gemma ? frame_call_open_at(reader, to) != NULL
                   : frame_call_begins(reader, to)))
            return 0;
        if (close)
            return parameter || names_tool(reader, inside, to)
                       ? to + frame_size(reader, to, close)
                       : 0;
    }
    return 0;
}

/* The same of a call in an open section, which the next one ends. */
size_t frame_unknown_call(frame_reader *reader, size_t at)
{
    const char *token = frame_open_token_at(reader, at);
    const char *word = token ? token : frame_bad_call_at(reader, at);
    const size_t inside = at + (word ? strlen(word) : 0);

    if (!word)
        return 0;
    for (size_t to = inside; to < reader->size && to - inside <= FRAME_HEAD;
         to++) {
        const char *close = frame_last_close_at(reader, to);

        if (close && !frame_is_plain(close))
            return to + strlen(close);
        if (frame_stop_at(reader, to) || frame_section_close_at(reader, to) ||
            frame_section_open_at(reader, to) || frame_bad_call_at(reader, to))
            return 0;
    }
    return 0;
}
