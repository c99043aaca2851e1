/* SPDX-License-Identifier: MIT
 *
 * Reads on behind a block in reasoning, once for all blocks, and keeps where
 * the next close marker stands.
 */
#include "formats/gemma4/ahead.h"

#include "formats/body/gemma/look.h"

void tw_gemma4_ahead_reset(tw_gemma4_ahead *ahead)
{
    ahead->from = ahead->to = 0;
    ahead->delimiters.size = 0;
    ahead->ends[0].size = ahead->ends[1].size = 0;
}

void tw_gemma4_ahead_free(tw_gemma4_ahead *ahead, const tw_memory *memory)
{
    tw_buffer_free(&ahead->delimiters, memory);
    tw_buffer_free(&ahead->ends[0], memory);
    tw_buffer_free(&ahead->ends[1], memory);
}

/* How many of the numbers, which ascend, are less than |limit|. */
static size_t count_below(const tw_buffer *numbers, uint64_t limit)
{
    const uint64_t *all = (const uint64_t *)(const void *)numbers->data;
    size_t low = 0;
    size_t high = numbers->size / sizeof *all;
    while (low < high) {
        const size_t middle = low + (high - low) / 2;
        if (all[middle] < limit) {
            low = middle + 1;
        } else {
            high = middle;
        }
    }
    return low;
}

/* Forgets what stands in front of |offset|; of delimiters an even number, so
 * that the others stay even or odd. */
static void forget(tw_gemma4_ahead *ahead, uint64_t offset)
{
    const size_t delimiters = count_below(&ahead->delimiters, offset);
    tw_buffer_drop(&ahead->delimiters,
                   (delimiters & ~(size_t)1) * sizeof(uint64_t));
    for (size_t i = 0; i < 2; i++) {
        tw_buffer_drop(&ahead->ends[i],
                       count_below(&ahead->ends[i], 2 * offset) *
                           sizeof(uint64_t));
    }
    ahead->from = offset;
}

static bool add(tw_buffer *numbers, tw_sink *sink, uint64_t number)
{
    if (tw_buffer_append(numbers, sink->memory, &number, sizeof number)) {
        return true;
    }
    tw_sink_fail(sink, TW_ERROR_MEMORY, sink->window->offset, "no memory");
    return false;
}

static tw_gemma4_found found_at(uint64_t end, uint64_t *where)
{
    *where = end / 2;
    return end % 2 == 1 ? TW_GEMMA4_FOUND_CLOSED : TW_GEMMA4_FOUND_OPEN;
}

/* The byte at |look| is in view; what it begins is remembered.  0: more are
 * needed; else the size of that. */
static size_t remember(tw_gemma4_ahead *ahead, const tw_window *window,
                       tw_sink *sink, const uint8_t *look)
{
    const uint64_t offset = tw_window_offset(window, look);
    const size_t parity = ahead->delimiters.size / sizeof(uint64_t) % 2;
    size_t size = 1;
    const tw_gemma_marker marker =
        *look == '<' ? tw_gemma4_marker_at(window, look, &size)
                     : TW_GEMMA_NONE;
    bool good = marker != TW_GEMMA_MORE;
    if (marker == TW_GEMMA_DELIMITER) {
        good = add(&ahead->delimiters, sink, offset);
    } else if (marker == TW_GEMMA_CHANNEL_END || tw_gemma_is_stop(marker)) {
        good = add(&ahead->ends[parity], sink,
                   2 * offset + (marker == TW_GEMMA_CHANNEL_END));
        size = 1;
    } else {
        size = 1;
    }
    return good ? size : 0;
}

tw_gemma4_found tw_gemma4_look_ahead(tw_gemma4_ahead *ahead,
                                     const tw_window *window, tw_sink *sink,
                                     const uint8_t *at, const uint8_t *from,
                                     uint64_t *where)
{
    const uint64_t begin = tw_window_offset(window, from);
    const uint64_t last = tw_window_offset(window, at) + TW_HOLD_BLOCK;
    if (ahead->to < begin || ahead->from > begin) {
        tw_gemma4_ahead_reset(ahead);
        ahead->from = ahead->to = begin;
    } else if (begin - ahead->from > (uint64_t)4 * TW_HOLD_BLOCK) {
        forget(ahead, begin);
    }
    const size_t parity = count_below(&ahead->delimiters, begin) % 2;
    const tw_buffer *ends = &ahead->ends[parity];
    size_t next = count_below(ends, 2 * begin);
    for (;;) {
        if (next < ends->size / sizeof(uint64_t)) {
            const uint64_t end =
                ((const uint64_t *)(const void *)ends->data)[next];
            return end / 2 <= last ? found_at(end, where)
                                   : TW_GEMMA4_FOUND_FAR;
        }
        const uint8_t *look = window->at + (ahead->to - window->offset);
        if (ahead->to > last + 1 ||
            (ahead->to > last && look < window->limit)) {
            return TW_GEMMA4_FOUND_FAR;
        }
        if (look == window->limit) {
            return window->eof ? TW_GEMMA4_FOUND_OPEN : TW_GEMMA4_FOUND_MORE;
        }
        const size_t size = remember(ahead, window, sink, look);
        if (size == 0) {
            return TW_GEMMA4_FOUND_MORE;
        }
        ahead->to += size;
    }
}
