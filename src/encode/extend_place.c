/* SPDX-License-Identifier: MIT
 *
 * Where a model's turn ends in the prompt that goes on behind it: its data say
 * from where on to look, its stop or what the completion ends with says where.
 */
#include "encode/extend_place.h"

#include "core/skip.h"
#include "core/sort.h"

#define NOWHERE SIZE_MAX

/* The size of the marker at |at|; 0: none stands there. */
static size_t marker_size(const tw_extending *work, size_t at)
{
    size_t size;
    const char *found =
        at < work->size
            ? tw_segments_marker(&work->encoder->segments, work->at + at,
                                 work->at + work->size, &size)
            : NULL;
    return found == work->at + at ? size : 0;
}

static size_t behind_blanks(const tw_extending *work, size_t at)
{
    while (at < work->size && tw_is_ws(work->at[at])) {
        at++;
    }
    return at;
}

/* Where the words behind the turn's data end: the next data begin. */
static size_t end_of_words(const tw_extending *work)
{
    const tw_buffer *list = &work->encoder->segments.runs;
    const tw_run *runs = (const tw_run *)(const void *)list->data;
    tw_halves halves = {.high = list->size / sizeof *runs};
    while (tw_halve(&halves)) {
        tw_halves_take(&halves, runs[halves.middle].begin < work->turn.data);
    }
    return halves.low < list->size / sizeof *runs ? runs[halves.low].begin
                                                  : work->size;
}

static bool is_letter(char byte)
{
    return (unsigned char)byte >= 0x80 || (byte >= '0' && byte <= '9') ||
           (byte >= 'A' && byte <= 'Z') || (byte >= 'a' && byte <= 'z');
}

/* Is byte |at| within a word or a marker of [|from|, |end|) of a text? */
static bool splits(const tw_extending *work, const char *text, size_t from,
                   size_t at, size_t end)
{
    size_t size;
    const tw_segments *segments = &work->encoder->segments;
    const char *limit = text + end;
    const char *found =
        tw_segments_marker(segments, text + from, limit, &size);
    while (found != NULL && found < text + at) {
        if (found + size >= text + at) {
            return found + size > text + at;
        }
        found = tw_segments_marker(segments, found + size, limit, &size);
    }
    return text[at - 1] == '<' || text[at - 1] == '[' ||
           (at < end && is_letter(text[at - 1]) && is_letter(text[at]));
}

/* The size of the completion without blanks at its end. */
static size_t stripped(const tw_extending *work)
{
    size_t size = work->completion_size;
    while (size > 0 && tw_is_ws(work->completion[size - 1])) {
        size--;
    }
    return size;
}

/* Behind those blanks at |at| that are among the blanks with which the
 * completion ends. */
static size_t behind_own_blanks(const tw_extending *work, size_t at)
{
    const size_t begin = stripped(work);
    const tw_string own = {.data = work->completion + begin,
                           .size = work->completion_size - begin};
    tw_string part = {.data = work->at + at,
                      .size = behind_blanks(work, at) - at};
    while (part.size > 0 && tw_string_find(&own, 0, &part) == NOWHERE) {
        part.size--;
    }
    return at + part.size;
}

/* What looks like a marker at the end of the completion: its size; 0: nothing
 * does. */
static size_t last_lexeme(const tw_extending *work, size_t size)
{
    enum { LONGEST = 100 };
    const char *end = work->completion + size;
    size_t at = 0;
    if (size > 0 && end[-1] == '>') {
        do {
            at++;
        } while (at < size && at < LONGEST && end[-(ptrdiff_t)at] != '<' &&
                 !tw_is_ws(end[-(ptrdiff_t)at]));
    }
    return at > 0 && end[-(ptrdiff_t)at] == '<' ? at : 0;
}

/* How much of what stands before |at| of a text is as before |size| of the
 * completion, blanks aside. */
static size_t same_before(const tw_extending *work, const char *text,
                          size_t at, size_t size)
{
    enum { MOST = 256 };
    const size_t prompt = work->encoder->prompt.size;
    size_t same = 0;
    while (same < MOST && at > prompt && size > 0) {
        if (tw_is_ws(text[at - 1])) {
            at--;
        } else if (tw_is_ws(work->completion[size - 1])) {
            size--;
        } else if (text[--at] == work->completion[--size]) {
            same++;
        } else {
            break;
        }
    }
    return same;
}

/* Where the words [|begin|, |end|) behind the turn's data go on behind the
 * completion: there most of what stands before, |*most|, is the same.
 * NOWHERE: nothing is. */
static size_t behind_same(const tw_extending *work, const char *text,
                          size_t begin, size_t end, size_t *most)
{
    enum { LONGEST = 1024 };
    const size_t size = stripped(work);
    const size_t lexeme = last_lexeme(work, size);
    const size_t limit = end - begin < LONGEST ? end : begin + LONGEST;
    size_t found = size > 0 ? NOWHERE : begin;
    *most = 0;
    for (size_t at = begin; at <= limit; at++) {
        if (at > begin && tw_is_ws(text[at - 1])) {
            continue;
        }
        const size_t same = same_before(work, text, at, size);
        if (same > *most && same >= lexeme &&
            (at == begin || !splits(work, text, begin, at, end))) {
            *most = same;
            found = at;
        }
    }
    return found;
}

/* Behind the stop that begins at |stop| of the wanted text, as far as the
 * completion has that; |stop|: it ends without one. */
static size_t behind_stop(const tw_extending *work, size_t stop, size_t size)
{
    size_t limit = behind_blanks(work, stop + size);
    for (; size > 0 && limit >= stop + size; limit--) {
        if (tw_extend_ends(work->completion, work->completion_size,
                           work->at + stop, limit - stop)) {
            return limit;
        }
    }
    /* The blanks in front of it are the template's where the model, which
     * wrote no stop, did not write them. */
    while (stop > work->turn.data && tw_is_ws(work->at[stop - 1])) {
        stop--;
    }
    return behind_own_blanks(work, stop);
}

/* The marker that stops a turn in this format with which the completion ends;
 * NULL: there is none. */
static const tw_marker *own_stop(const tw_extending *work)
{
    const tw_segments *segments = &work->encoder->segments;
    for (size_t i = 0; i < segments->marker_count; i++) {
        const tw_marker *marker = &segments->markers[i];
        if (marker->stop == 1 && !tw_marker_is_plain(marker) &&
            tw_extend_ends(work->completion, work->completion_size,
                           marker->text, marker->size)) {
            return marker;
        }
    }
    return NULL;
}

/* The stop of the turn where the wanted text has it. */
static tw_generated find_stop(tw_extending *work, size_t same)
{
    tw_spans *spans = &work->encoder->spans;
    const tw_generated stop =
        tw_turn_stop(spans, &work->prompt, &work->turn, same);
    if (marker_size(work, stop.begin) == stop.end - stop.begin) {
        return stop;
    }
    const tw_generated last =
        tw_turn_stop(spans, &work->prompt, &work->turn, SIZE_MAX);
    const size_t begin =
        last.begin < same ? last.begin : behind_blanks(work, work->turn.data);
    const size_t marker = marker_size(work, begin);
    return marker > 0 ? (tw_generated){begin, begin + marker} : stop;
}

/* Finds the place behind a completion that is spelled otherwise than the
 * template spells it. */
static int find_odd_place(tw_extending *work, size_t same)
{
    const tw_buffer *turn = &work->encoder->turn;
    size_t most;
    size_t most_as_last;
    const size_t at = behind_same(work, work->at, work->turn.data,
                                  end_of_words(work), &most);
    const size_t as_last =
        behind_same(work, (const char *)turn->data, work->turn.data,
                    turn->size, &most_as_last);
    if (most_as_last > most && as_last > same) {
        return tw_extend_break_at(work, as_last);
    }
    if (at != NOWHERE) {
        work->from = behind_own_blanks(work, at);
    } else {
        const tw_generated stop = find_stop(work, same);
        work->from = behind_stop(work, stop.begin, stop.end - stop.begin);
    }
    const tw_marker *marker = own_stop(work);
    if (marker != NULL &&
        !tw_extend_ends(work->at, work->from, marker->text, marker->size)) {
        return tw_extend_unstable(
            work, tw_extend_message(work, work->own),
            "the completion stops otherwise than the template "
            "ends the turn");
    }
    return TW_OK;
}

int tw_extend_find_place(tw_extending *work, size_t same)
{
    const size_t prompt = work->encoder->prompt.size;
    const size_t written = prompt + work->completion_size;
    if (!tw_extend_begins(work->at + prompt, work->size - prompt,
                          work->completion, work->completion_size)) {
        return find_odd_place(work, same);
    }
    work->from = written;
    return written >= work->turn.data
               ? TW_OK
               : tw_encoder_fail(work->encoder, TW_ERROR_SCHEMA,
                                 tw_extend_message(work, work->own), 0,
                                 "the message says more than the completion");
}
