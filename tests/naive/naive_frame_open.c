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

/* How much of the opener the prompt has written, if nothing stands in front of
 * |at|. */
static size_t overlap(const frame_reader *reader, const frame_pattern *pattern,
                      size_t at)
{
    const char *opener = frame_opener(pattern);
    size_t best = frame_skip(reader, 0) < at
                      ? 0
                      : frame_prompt_overlap(reader, opener);

    /* Something must be left to read. */
    if (opener && best == strlen(opener) && pattern->hole <= 2) {
        for (size_t i = 1; i < pattern->hole; i++)
            if (pattern->parts[i].kind != FRAME_LAYOUT)
                return best;
        return 0;
    }
    return best;
}

bool frame_goes_on_as_name(const frame_reader *reader, size_t at)
{
    const char last = reader->text[at - 1];

    /* Words end in letters; a sign that is none ends itself. */
    return !(last & 0x80) && frame_is_name_byte(last) && at < reader->size &&
           frame_is_name_byte(reader->text[at]);
}

/* Where a longer marker that opens calls stands, a shorter one does not (D3). */
static bool is_longer_call(const frame_reader *reader, size_t at,
                           const char *opener)
{
    const frame_patterns *calls = &reader->format->call;
    bool longer = false;

    for (size_t i = 0; i < calls->count; i++) {
        const char *call = frame_opener(&calls->items[i]);

        longer |= call && strlen(call) > strlen(opener) &&
                  frame_starts(reader, at, call) &&
                  strncmp(call, opener, strlen(opener)) == 0;
    }
    return longer;
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
        size_t skips[2] = {0, overlap(reader, pattern, at)};

        for (int n = 0; n < 2 && frame_opener(pattern); n++) {
            frame_match match = {0};
            size_t hole = pattern->hole;

            if (n > 0 && skips[1] == 0)
                continue;
            if (n == 0 && pattern->parts[hole].hole != HOLE_UNREAD &&
                (strlen(frame_opener(pattern)) <
                               frame_longest_opener(reader, at) ||
                           is_longer_call(reader, at, frame_opener(pattern))))
                continue;
            while (hole > 0 && pattern->parts[hole - 1].kind == FRAME_LAYOUT)
                hole--;
            frame_match_parts(reader, pattern, 0, hole, skips[n], at, &match);
            if (match.answer == FRAME_YES && match.end > at &&
                !(frame_is_plain(frame_opener(pattern)) &&
                  frame_goes_on_as_name(reader, match.end)) &&
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

    if (frame_is_token(reader->format, between) &&
        frame_starts(reader, at, between))
        return strlen(between);
    for (size_t i = 0; i < reader->format->end.count; i++) {
        const char *word = reader->format->end.items[i];
        size_t size;

        word += strspn(word, " \t\r\n");
        size = stop_in(reader->format, word);
        if (size > 0) {
            naive_bytes begin = {0};

            naive_add(&begin, word, size);
            size = frame_size(reader, at, begin.data);
            naive_release(&begin);
        }
        if (size > 0)
            return size;
    }
    return 0;
}

bool frame_ends_message(const frame_reader *reader, const frame_pattern *call)
{
    return !frame_closer(call, 0) && reader->format->calls.count == 0 &&
           frame_is_token(reader->format, reader->format->between);
}

const char *frame_message_end_at(const frame_reader *reader,
                                 const frame_pattern *call, size_t at)
{
    const char *between = reader->format->between;

    if (!frame_ends_message(reader, call))
        return NULL;
    return frame_starts(reader, at, between) ? between
                                             : frame_stop_at(reader, at);
}

/* The longest last marker of a call here, or NULL: what stands in front of
 * that belongs to bodies. */
const char *frame_last_close_at(const frame_reader *reader, size_t at)
{
    const frame_patterns *calls = &reader->format->call;
    const char *best = NULL;

    for (size_t i = 0; i < calls->count; i++) {
        const char *last = NULL, *closer;

        for (size_t n = 0; (closer = frame_closer(&calls->items[i], n)); n++)
            last = closer;
        if (last && frame_starts(reader, at, last) &&
            (!best || strlen(last) > strlen(best)))
            best = last;
    }
    return best;
}

/* A marker of the format that no free text holds. */
bool frame_is_in_no_hole(const frame_reader *reader, size_t at)
{
    const frame_patterns *calls = &reader->format->call;
    const char *closer = frame_last_close_at(reader, at);
    bool found = frame_longest_opener(reader, at) > 0 ||
                 frame_section_close_at(reader, at) ||
                 (closer && !frame_is_plain(closer));

    for (size_t i = 0; i < calls->count; i++) {
        const char *opener = frame_opener(&calls->items[i]);

        found = found || (opener && !frame_is_plain(opener) &&
                          frame_starts(reader, at, opener));
    }
    return found;
}

bool frame_outside_at(const frame_reader *reader, size_t at)
{
    const frame_description *format = reader->format;
    const frame_patterns *const all[] = {&format->reasoning, &format->text};
    const size_t end = frame_end_marker_at(reader, at);
    bool found = false;

    for (size_t k = 0; k < 2; k++)
        for (size_t i = 0; i < all[k]->count; i++) {
            const char *opener = frame_opener(&all[k]->items[i]);
            const char *closer = frame_closer(&all[k]->items[i], 0);

            found |= opener && frame_is_token(format, opener) &&
                     frame_starts(reader, at, opener);
            found |= k > 0 && closer && frame_is_token(format, closer) &&
                     frame_starts(reader, at, closer);
        }
    return found || (end && frame_is_token(format, reader->text + at));
}

/* --- a token and words behind it --------------------------------------- */

/* Up to the next token, the texts are the same. */
static bool is_same(const frame_description *format, const char *a,
                    const char *b)
{
    size_t size = strlen(a);

    for (size_t i = 0; i < format->tokens.count; i++) {
        const char *token = strstr(a + 1, format->tokens.items[i]);

        if (token && (size_t)(token - a) < size)
            size = (size_t)(token - a);
    }
    if (strncmp(a, b, size) != 0)
        return false;
    for (size_t i = 0; i < format->tokens.count; i++)
        if (strncmp(b + size, format->tokens.items[i],
                    strlen(format->tokens.items[i])) == 0)
            return true;
    return b[size] == 0;
}

static bool goes_on(const frame_part *part, const char *token)
{
    return (part->kind == FRAME_MARKER || part->kind == FRAME_TAG) &&
           strncmp(part->text.data, token, strlen(token)) == 0 &&
           part->text.data[strlen(token)];
}

/* Three words or more stand behind the token: it is none of them by itself. */
bool frame_is_shared(const frame_description *format, const char *token)
{
    const frame_patterns *const all[] = {&format->call, &format->argument,
                                         &format->calls, &format->reasoning,
                                         &format->text};
    const char *found[3];
    size_t count = 0;

    for (size_t k = 0; k < sizeof all / sizeof *all; k++)
        for (size_t i = 0; i < all[k]->count; i++)
            for (size_t n = 0; n < all[k]->items[i].count; n++) {
                const frame_part *part = &all[k]->items[i].parts[n];
                bool known = !goes_on(part, token);

                for (size_t m = 0; m < count; m++)
                    known =
                        known || is_same(format, found[m], part->text.data);
                if (!known && count < 3)
                    found[count++] = part->text.data;
            }
    return count == 3;
}

size_t frame_behind_token(const frame_reader *reader, size_t at,
                          const char *marker, const char **rest)
{
    const frame_words *tokens = &reader->format->tokens;

    *rest = marker;
    for (size_t i = 0; i < tokens->count; i++) {
        const char *token = tokens->items[i];
        const size_t size = strlen(token);

        if (strncmp(marker, token, size) == 0 && marker[size] &&
            frame_starts(reader, at, token) &&
            !frame_is_shared(reader->format, token)) {
            *rest = marker + size;
            return frame_skip(reader, at + size);
        }
    }
    return at;
}

/* Nothing but a stop can begin with what is left. */
bool frame_half_stop_at(const frame_reader *reader, size_t at)
{
    const frame_description *format = reader->format;
    bool stop = false, other = false;

    for (size_t i = 0; i < format->stops.count; i++)
        stop |= frame_is_cut(reader, at, format->stops.items[i]);
    for (size_t i = 0; i < format->tokens.count; i++) {
        const char *token = format->tokens.items[i];
        bool is_stop = false;

        for (size_t n = 0; n < format->stops.count; n++)
            is_stop |= strcmp(format->stops.items[n], token) == 0;
        other |= !is_stop && frame_is_cut(reader, at, token);
    }
    return stop && !other && frame_cut_marker_at(reader, at);
}

bool frame_opens_call(frame_reader *reader, size_t at)
{
    return frame_section_open_at(reader, at) || frame_call_open_at(reader, at);
}
