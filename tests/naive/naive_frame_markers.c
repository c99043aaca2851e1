/* SPDX-License-Identifier: MIT
 *
 * Which marker of a format stands at a place: the longest counts (D3).
 */
#include "naive_frame.h"
#include <string.h>

static const char *longer(const frame_reader *reader, size_t at,
                          const char *word, const char *best)
{
    if (!word || !frame_starts(reader, at, word))
        return best;
    return !best || strlen(word) > strlen(best) ? word : best;
}

const char *frame_stop_at(const frame_reader *reader, size_t at)
{
    const frame_words *stops = &reader->format->stops;
    const char *best = NULL;

    for (size_t i = 0; i < stops->count; i++)
        best = longer(reader, at, stops->items[i], best);
    return best;
}

/* The longest of what opens a section, reasoning or a text wins (D3). */
size_t frame_longest_opener(const frame_reader *reader, size_t at)
{
    const frame_description *format = reader->format;
    const frame_patterns *const all[] = {&format->calls, &format->reasoning,
                                         &format->text};
    const char *best = NULL;

    for (size_t k = 0; k < sizeof all / sizeof *all; k++)
        for (size_t i = 0; i < all[k]->count; i++)
            best = longer(reader, at, frame_opener(&all[k]->items[i]), best);
    return best ? strlen(best) : 0;
}

/* The same words may begin a longer opener, of reasoning or text. */
const char *frame_section_word_at(const frame_reader *reader, size_t at)
{
    const frame_patterns *calls = &reader->format->calls;
    const char *best = NULL;

    for (size_t i = 0; i < calls->count; i++)
        best = longer(reader, at, frame_opener(&calls->items[i]), best);
    return best;
}

const char *frame_section_open_at(const frame_reader *reader, size_t at)
{
    const char *best = frame_section_word_at(reader, at);

    return best && strlen(best) == frame_longest_opener(reader, at) ? best
                                                                    : NULL;
}

/* The token here with which a call opens, or NULL. */
const char *frame_open_token_at(const frame_reader *reader, size_t at)
{
    const frame_patterns *calls = &reader->format->call;
    const char *best = NULL;

    for (size_t i = 0; i < calls->count; i++)
        best = longer(reader, at,
                      frame_token_alone(reader, &calls->items[i], at), best);
    return best;
}

const char *frame_section_close_at(const frame_reader *reader, size_t at)
{
    const frame_patterns *calls = &reader->format->calls;
    const char *best = NULL;

    for (size_t i = 0; i < calls->count; i++)
        best = longer(reader, at, frame_closer(&calls->items[i], 0), best);
    return best;
}

const char *frame_call_close_at(const frame_reader *reader, size_t at)
{
    const frame_patterns *call = &reader->format->call;
    const char *best = NULL, *closer;

    for (size_t i = 0; i < call->count; i++)
        for (size_t n = 0; (closer = frame_closer(&call->items[i], n)); n++)
            if (!reader->behind_body && closer[1] == 0 &&
                strchr("}]", *closer))
                continue; /* JSON has it, too */
            else if (frame_is_plain(closer) && frame_closer(&call->items[i], n + 1))
                continue; /* one bracket of several is none */
            else if (!reader->call || reader->call == &call->items[i] ||
                     (!frame_is_plain(closer) &&
                      !frame_closer(&call->items[i], n + 1)))
                best = longer(reader, at, closer, best);
    for (size_t i = 0; i < call->count && best; i++)
        if (!frame_is_common_fence(frame_opener(&call->items[i])) &&
            longer(reader, at, frame_opener(&call->items[i]), best) != best)
            return NULL; /* an open marker is longer (D3) */
    return best;
}

/* A longer word than |opener| opens text here. */
static bool longer_word(const frame_reader *reader, size_t at,
                        const char *opener)
{
    const size_t size = frame_longest_opener(reader, at);

    return size > strlen(opener) && !frame_goes_on_as_name(reader, at + size);
}

const char *frame_call_open_at(frame_reader *reader, size_t at)
{
    const frame_patterns *call = &reader->format->call;
    const char *best = NULL;

    for (size_t i = 0; i < call->count; i++) {
        const char *opener = frame_opener(&call->items[i]);
        frame_head head = {0};

        if (!longer(reader, at, opener, NULL))
            continue;
        if (frame_is_plain(opener) && !longer_word(reader, at, opener))
            frame_read_head(reader, at, true, &head);
        if (!frame_is_plain(opener) ||
            (head.answer == FRAME_YES && head.match.holes[HOLE_NAME].size))
            best = longer(reader, at, opener, best);
        frame_head_release(&head);
    }
    return best;
}

/* Where no string can hold it, a whole head opens a call whatever its opener
 * looks like. */
bool frame_head_opens(frame_reader *reader, size_t at)
{
    frame_head head;
    bool opens;

    frame_read_head(reader, at, true, &head);
    opens = head.answer == FRAME_YES && frame_opener(head.call);
    frame_head_release(&head);
    return opens;
}

size_t frame_marker_at(frame_reader *reader, size_t at)
{
    const char *const found[] = {
        frame_stop_at(reader, at),         frame_section_close_at(reader, at),
        frame_section_open_at(reader, at), frame_call_close_at(reader, at),
        frame_call_open_at(reader, at),    frame_open_token_at(reader, at)};
    size_t longest = 0;

    for (size_t i = 0; i < sizeof found / sizeof *found; i++)
        if (found[i] && frame_size(reader, at, found[i]) > longest)
            longest = frame_size(reader, at, found[i]);
    return longest;
}

bool frame_cut_marker_at(const frame_reader *reader, size_t at)
{
    const frame_description *format = reader->format;
    const frame_patterns *const all[] = {&format->call, &format->calls};
    bool found = false;

    for (size_t i = 0; i < format->stops.count; i++)
        found |= frame_is_cut(reader, at, format->stops.items[i]);
    for (size_t k = 0; k < 2; k++) {
        for (size_t i = 0; i < all[k]->count; i++) {
            const frame_pattern *pattern = &all[k]->items[i];
            const char *opener = frame_opener(pattern), *closer;

            found |= opener && !frame_is_plain(opener) &&
                     frame_is_cut(reader, at, opener);
            for (size_t n = 0; (closer = frame_closer(pattern, n)); n++)
                found |= (reader->call == pattern ||
                          (!frame_is_plain(closer) &&
                           !frame_closer(pattern, n + 1))) &&
                         frame_is_cut(reader, at, closer);
        }
    }
    return found;
}

/* The output ends in |word|, behind a token in it; |*whole|: all of it is
 * there. */
static bool is_half(const frame_reader *reader, size_t at, const char *word,
                    bool *whole)
{
    const frame_words *tokens = &reader->format->tokens;
    bool found = false;

    *whole |= word && *word && frame_starts(reader, at, word);
    for (size_t i = 0; word && i < tokens->count; i++) {
        const char *token = strstr(word, tokens->items[i]);

        found |= token &&
                 reader->size - at >=
                     (size_t)(token - word) + strlen(tokens->items[i]) &&
                 frame_is_cut(reader, at, word);
    }
    return found;
}

bool frame_half_marker_at(const frame_reader *reader, size_t at)
{
    const frame_description *format = reader->format;
    const frame_patterns *const all[] = {&format->call, &format->calls,
                                         &format->reasoning, &format->text};
    bool whole = frame_open_token_at(reader, at) != NULL;
    bool found = is_half(reader, at, format->between, &whole);

    for (size_t i = 0; i < format->stops.count; i++)
        found |= is_half(reader, at, format->stops.items[i], &whole);
    for (size_t i = 0; i < format->end.count; i++)
        found |= is_half(reader, at,
                         format->end.items[i] +
                             strspn(format->end.items[i], " \t\r\n"),
                         &whole);
    for (size_t k = 0; k < sizeof all / sizeof *all; k++)
        for (size_t i = 0; i < all[k]->count; i++) {
            const frame_pattern *pattern = &all[k]->items[i];
            const char *closer;

            found |= is_half(reader, at, frame_opener(pattern), &whole);
            for (size_t n = 0; (closer = frame_closer(pattern, n)); n++)
                found |= !frame_closer(pattern, n + 1) &&
                         is_half(reader, at, closer, &whole);
        }
    return found && !whole;
}

size_t frame_body_end(frame_reader *reader, size_t at)
{
    size_t end = frame_next_marker(reader, at);

    if (end == reader->size)
        for (end = at;
             end < reader->size && !frame_cut_marker_at(reader, end);)
            end++;
    return end;
}

bool frame_is_end(const frame_reader *reader, size_t at)
{
    return at == reader->size || frame_cut_marker_at(reader, at);
}

size_t frame_next_marker(frame_reader *reader, size_t at)
{
    while (at < reader->size && !frame_marker_at(reader, at))
        at++;
    return at;
}
