/* SPDX-License-Identifier: MIT
 *
 * Markers among a template's words, and which of them stops a turn.
 */
#include "core/skip.h"
#include "core/sort.h"
#include "template/spans_work.h"

/* The last special token in [from, to) that was given; false: there is none.
 */
static bool token_in(const tw_marking *work, size_t from, size_t to,
                     tw_generated *found)
{
    const tw_buffer *tokens = &work->spans->tokens;
    const tw_generated *all = (const tw_generated *)(const void *)tokens->data;
    tw_halves halves = {.high = tokens->size / sizeof *all};
    while (tw_halve(&halves)) {
        tw_halves_take(&halves, all[halves.middle].end <= to);
    }
    if (halves.low == 0 || all[halves.low - 1].begin < from) {
        return false;
    }
    *found = all[halves.low - 1];
    return true;
}

/* The first marker in the template's words [from, to). */
bool tw_spans_marker_in(const tw_marking *work, size_t from, size_t to,
                        tw_generated *found)
{
    size_t size;
    const char *at = tw_segments_marker(
        work->prompt->segments, work->text + from, work->text + to, &size);
    if (at != NULL) {
        const size_t place = (size_t)(at - work->text);
        *found = (tw_generated){place, place + size};
    }
    return at != NULL;
}

static bool is_marker(const tw_marking *work, const char *text, size_t size)
{
    const tw_segments *segments = work->prompt->segments;
    for (size_t i = 0; i < segments->marker_count; i++) {
        if (segments->markers[i].size == size &&
            memcmp(segments->markers[i].text, text, size) == 0) {
            return true;
        }
    }
    return false;
}

enum { LONGEST = 80 }; /* marker that has a partner */

/* Of `<|word>` it is `<word|>`, of `<word>` `</word>`: its size; 0: it has
 * none. */
static size_t closer_of(const char *text, size_t size, char closer[LONGEST])
{
    if (size < 4 || size + 1 > LONGEST || text[0] != '<' ||
        text[size - 1] != '>') {
        return 0;
    }
    closer[0] = '<';
    if (text[1] == '|') {
        memcpy(closer + 1, text + 2, size - 3);
        memcpy(closer + size - 2, "|>", 2);
        return size;
    }
    closer[1] = '/';
    memcpy(closer + 2, text + 1, size - 1);
    return size + 1;
}

/* A marker that begins what another one ends is no stop. */
static bool is_opener(const tw_marking *work, const tw_generated *marker)
{
    char closer[LONGEST];
    const size_t size = closer_of(work->text + marker->begin,
                                  marker->end - marker->begin, closer);
    return size > 0 && is_marker(work, closer, size);
}

/* Ends |marker| what began behind the head? */
bool tw_spans_closes(const tw_marking *work, const tw_generated *marker)
{
    char closer[LONGEST];
    tw_generated at = {work->head, work->head};
    while (tw_spans_marker_in(work, at.end, marker->begin, &at)) {
        const size_t size =
            closer_of(work->text + at.begin, at.end - at.begin, closer);
        if (size > 0 && size == marker->end - marker->begin &&
            memcmp(closer, work->text + marker->begin, size) == 0) {
            return true;
        }
    }
    return false;
}

size_t tw_spans_behind_blanks(const tw_marking *work, size_t at, size_t limit)
{
    while (at < limit && tw_is_ws(work->text[at])) {
        at++;
    }
    return at;
}

/* The stop of what ends somewhere in [from, to), its last marker that opens
 * nothing or, if it does not |last|, the last one in front of an opener.
 * False: there is none. */
bool tw_spans_stop_in(const tw_marking *work, size_t from, size_t to,
                      bool last, tw_generated *stop)
{
    tw_generated found;
    bool any = false;
    while (tw_spans_marker_in(work, from, to, &found)) {
        if (!is_opener(work, &found)) {
            *stop = found;
            any = true;
        } else if (any && !last) {
            return true;
        }
        from = found.end;
    }
    if (token_in(work, any ? stop->end : from, to, &found)) {
        *stop = found;
        any = true;
    }
    return any;
}

/* The stop where a region ends: all but blanks is the stop, where there is no
 * marker but what closes a call. */
tw_generated tw_spans_last_stop(const tw_marking *work, size_t from, size_t to)
{
    tw_generated stop = {from, from};
    tw_generated next;
    const bool any = tw_spans_stop_in(work, from, to, true, &stop);
    while (to > from && tw_is_ws(work->text[to - 1])) {
        to--;
    }
    if (any && (to <= stop.end || !tw_spans_closes(work, &stop) ||
                tw_spans_marker_in(work, stop.end, to, &next))) {
        return stop;
    }
    return (tw_generated){tw_spans_behind_blanks(work, stop.end, to), to};
}
