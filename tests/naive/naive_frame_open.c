/* SPDX-License-Identifier: MIT
 *
 * What opens and closes text and reasoning, and what stands at the end.
 */
#include "naive_frame_text.h"

#include <string.h>

/* --- what the prompt has written --------------------------------------- */

size_t frame_prompt_overlap(const frame_reader *reader, const char *opener)
{
    size_t best = 0;

    for (size_t i = 0;
         opener && !reader->started && i < reader->format->turn.count; i++) {
        const char *turn = reader->format->turn.items[i];
        size_t size = strlen(turn);

        while (size > 0 && frame_is_blank(turn[size - 1]))
            size--;
        for (size_t n = strlen(opener); n > best; n--)
            if (n <= size && memcmp(turn + size - n, opener, n) == 0)
                best = n;
    }
    return best;
}

/* --- wrappers and reasoning: what opens them --------------------------- */

static size_t overlap(const frame_reader *reader, const frame_pattern *pattern)
{
    const char *opener = frame_opener(pattern);
    size_t best = frame_prompt_overlap(reader, opener);

    /* Something must be left to read. */
    if (opener && best == strlen(opener) && pattern->hole <= 2) {
        for (size_t i = 1; i < pattern->hole; i++)
            if (pattern->parts[i].kind != FRAME_LAYOUT)
                return best;
        return 0;
    }
    return best;
}

/* The longest pattern that opens at |at|; |*end| is behind its markers. */
const frame_pattern *frame_opened_by(const frame_reader *reader,
                                     const frame_patterns *patterns, size_t at,
                                     size_t *end)
{
    const frame_pattern *best = NULL;

    *end = at;
    for (size_t i = 0; i < patterns->count; i++) {
        const frame_pattern *pattern = &patterns->items[i];
        size_t skips[2] = {0, overlap(reader, pattern)};

        for (int n = 0; n < 2 && frame_opener(pattern); n++) {
            frame_match match = {0};
            size_t hole = pattern->hole;

            if (n > 0 && skips[1] == 0)
                continue;
            while (hole > 0 && pattern->parts[hole - 1].kind == FRAME_LAYOUT)
                hole--;
            frame_match_parts(reader, pattern, 0, hole, skips[n], at, &match);
            if (match.answer == FRAME_YES && match.end > at &&
                (!best || match.end > *end ||
                 (match.end == *end && best->loose && !pattern->loose))) {
                best = pattern;
                *end = match.end;
            }
            frame_match_release(&match);
        }
    }
    return best;
}

/* The longest close of any of the patterns that stands at |at|. */
const frame_pattern *frame_closed_by(const frame_reader *reader,
                                     const frame_patterns *patterns, size_t at)
{
    const frame_pattern *best = NULL;

    for (size_t i = 0; i < patterns->count; i++) {
        const char *closer = frame_closer(&patterns->items[i], 0);

        if (frame_starts(reader, at, closer) &&
            (!best || strlen(closer) > strlen(frame_closer(best, 0))))
            best = &patterns->items[i];
    }
    return best;
}

/* Where the first stop stands in |word|, or its size. */
static size_t stop_in(const frame_description *format, const char *word)
{
    size_t first = strlen(word);

    for (size_t i = 0; i < format->stops.count; i++) {
        const char *found = strstr(word, format->stops.items[i]);

        if (found && (size_t)(found - word) < first)
            first = (size_t)(found - word);
    }
    return first;
}

/* Markers that the template writes before its stop, or where one message of a
 * completion ends: how long they are. */
size_t frame_end_marker_at(const frame_reader *reader, size_t at)
{
    const char *between = reader->format->between;

    for (size_t i = 0; i < reader->format->tokens.count; i++)
        if (strcmp(between, reader->format->tokens.items[i]) == 0 &&
            frame_starts(reader, at, between))
            return strlen(between);
    for (size_t i = 0; i < reader->format->end.count; i++) {
        const char *word = reader->format->end.items[i];
        size_t size;

        word += strspn(word, " \t\r\n");
        size = stop_in(reader->format, word);
        if (size > 0 && reader->size - at >= size &&
            memcmp(reader->text + at, word, size) == 0)
            return size;
    }
    return 0;
}

bool frame_opens_call(frame_reader *reader, size_t at)
{
    return frame_section_open_at(reader, at) || frame_call_open_at(reader, at);
}
