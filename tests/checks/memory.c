/* SPDX-License-Identifier: MIT
 *
 * Two megabytes in one chunk: the most memory that is held stays below half of
 * that.
 */
#include "memory.h"

#include "allocator.h"
#include "support/decoding.h"

enum { SIZE = 1 << 21, MOST = 1 << 20 };

static void check(const amplified *row, size_t number)
{
    test_memory memory = {0};
    const tw_allocator allocator = test_allocator(&memory);
    tw_decoder *decoder =
        tw_decoder_new(tw_format_find(row->format), &allocator);
    naive_bytes text = {0};
    const tw_event *event;
    size_t events = 0;
    naive_add_text(&text, row->before);
    while (text.size < SIZE) {
        naive_add_text(&text, row->unit);
    }
    tw_decoder_set(decoder, TW_OPTION_START_REASONING, row->reasoning);
    cr_assert_eq(
        tw_decoder_feed(decoder, text.data, text.size, TW_MARK_UNKNOWN),
        TW_OK);
    while (tw_decoder_next(decoder, &event) == 1) {
        events++;
    }
    cr_expect_gt(events, 0);
    cr_expect_leq(memory.peak, MOST, "%zu (%s): %zu bytes", number,
                  row->format, memory.peak);
    tw_decoder_free(decoder);
    cr_expect_eq(memory.live, 0);
    naive_release(&text);
}

void check_memory(const amplified *rows, size_t count)
{
    cr_expect_gt(count, 0);
    for (size_t i = 0; i < count; i++) {
        check(&rows[i], i);
    }
}
