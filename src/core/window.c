/* SPDX-License-Identifier: MIT
 *
 * How chunks come into view, how held bytes go in front of the next chunk, and
 * which bytes the caller has marked.
 */
#include "core/window.h"

#include <string.h>

#include "core/sort.h"

/* What is borrowed at a time from a chunk to follow held bytes: as much as is
 * held, so that all borrowing together is linear. */
enum { BORROW_LEAST = 64, STEP_BYTES = 2048 };

/* What an empty window points to. */
static const uint8_t nothing[1] = {0};

void tw_window_init(tw_window *window, const tw_memory *memory)
{
    memset(window, 0, sizeof *window);
    window->memory = memory;
    tw_window_reset(window);
}

void tw_window_free(tw_window *window)
{
    tw_buffer_free(&window->hold, window->memory);
    tw_buffer_free(&window->marks, window->memory);
    tw_buffer_free(&window->record, window->memory);
}

void tw_window_reset(tw_window *window)
{
    window->at = window->limit = window->chunk = window->chunk_end = nothing;
    window->offset = 0;
    window->eof = window->finished = window->in_hold = false;
    window->stops = window->stopped = false;
    window->says_stop = window->surely = false;
    window->borrowed = 0;
    window->hold.size = window->marks.size = window->record.size = 0;
    window->mark = TW_MARK_UNKNOWN;
    window->marked_at = window->control_at = UINT64_MAX;
    window->recording = window->record_full = false;
    window->record_failed = false;
}

/* Remembers |mark| for what comes from |offset| on, and forgets the runs that
 * are released. */
static bool mark_from(tw_window *window, uint64_t offset, tw_mark mark)
{
    const size_t count = window->marks.size / sizeof(tw_mark_run);
    const tw_mark_run *runs = (const tw_mark_run *)(void *)window->marks.data;
    size_t old = 0;
    while (old + 1 < count && runs[old + 1].offset <= window->offset) {
        old++;
    }
    tw_buffer_drop(&window->marks, old * sizeof(tw_mark_run));
    const tw_mark_run run = {offset, mark};
    window->mark = mark;
    return tw_buffer_append(&window->marks, window->memory, &run, sizeof run);
}

/* false: no memory. */
static bool borrow(tw_window *window)
{
    const size_t left = (size_t)(window->chunk_end - window->chunk);
    size_t size = window->hold.size;
    if (size < BORROW_LEAST) {
        size = BORROW_LEAST;
    }
    if (size > left) {
        size = left;
    }
    if (!tw_buffer_append(&window->hold, window->memory, window->chunk,
                          size)) {
        return false;
    }
    window->chunk += size;
    window->borrowed += size;
    window->in_hold = true;
    window->at = window->hold.data;
    window->limit = window->hold.data + window->hold.size;
    return true;
}

bool tw_window_feed_behind(tw_window *window, const uint8_t *data, size_t size,
                           tw_mark mark)
{
    if (mark != window->mark &&
        !mark_from(window, window->offset + window->hold.size, mark)) {
        return false;
    }
    window->chunk = data;
    window->chunk_end = data + size;
    window->borrowed = 0;
    window->in_hold = window->hold.size > 0;
    if (!window->in_hold) {
        window->at = data;
        window->limit = window->chunk = window->chunk_end;
        return true;
    }
    window->at = window->hold.data;
    window->limit = window->hold.data + window->hold.size;
    return borrow(window);
}

/* Copies what is in view and not released to |hold|. */
static bool keep(tw_window *window)
{
    const size_t size = tw_window_size(window);
    if (window->in_hold) {
        tw_buffer_drop(&window->hold,
                       (size_t)(window->at - window->hold.data));
    } else {
        window->hold.size = 0;
        if (!tw_buffer_append(&window->hold, window->memory, window->at,
                              size)) {
            return false;
        }
    }
    window->in_hold = size > 0;
    window->at = size > 0 ? window->hold.data : nothing;
    window->limit = window->at + size;
    return true;
}

int tw_window_extend(tw_window *window)
{
    if (!keep(window)) {
        return -1;
    }
    if (window->chunk < window->chunk_end) {
        return borrow(window) ? 1 : -1;
    }
    window->borrowed = 0;
    if (window->finished && !window->eof) {
        window->eof = true;
        window->stopped = window->stops;
        window->surely = window->says_stop;
        return 1;
    }
    return 0;
}

void tw_window_leave_hold(tw_window *window)
{
    const size_t left = tw_window_size(window);
    if (window->borrowed == 0 || left > window->borrowed) {
        return;
    }
    window->at = window->chunk - left;
    window->limit = window->chunk_end;
    window->chunk = window->chunk_end;
    window->in_hold = false;
    window->borrowed = 0;
    window->hold.size = 0;
}

const uint8_t *tw_window_reach(const tw_window *window, const uint8_t *from)
{
    if ((size_t)(window->limit - from) <= STEP_BYTES) {
        return window->limit;
    }
    const uint8_t *to = from + STEP_BYTES;
    for (int i = 0; i < 3 && to < window->limit && (*to & 0xC0) == 0x80; i++) {
        to++;
    }
    return to;
}

void tw_window_copy_record(tw_window *window, const uint8_t *from, size_t size)
{
    if (window->record_full) {
        return;
    }
    if (size > window->record_limit - window->record.size) {
        window->record_full = true;
    } else if (!tw_buffer_append(&window->record, window->memory, from,
                                 size)) {
        window->record_full = window->record_failed = true;
    }
}

void tw_window_record(tw_window *window, size_t limit)
{
    window->recording = true;
    window->record_full = false;
    window->record_limit = limit;
    window->record.size = 0;
}

bool tw_window_is_marked_text(const tw_window *window, const uint8_t *from,
                              size_t size)
{
    const tw_buffer *marks =
        window->marked_by != NULL ? &window->marked_by->marks : &window->marks;
    const size_t count = marks->size / sizeof(tw_mark_run);
    const tw_mark_run *runs = (const tw_mark_run *)(void *)marks->data;
    const uint64_t begin = tw_window_offset(window, from);
    /* By halves: a long look-ahead may hold as many runs as tokens. */
    tw_halves halves = {.high = count};
    while (tw_halve(&halves)) {
        tw_halves_take(&halves, runs[halves.middle].offset < begin + size);
    }
    for (size_t i = halves.low; i-- > 0;) {
        if (runs[i].mark == TW_MARK_TEXT) {
            return true;
        }
        if (runs[i].offset <= begin) {
            return false;
        }
    }
    return false;
}
