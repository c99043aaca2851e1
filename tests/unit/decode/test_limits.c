/* SPDX-License-Identifier: MIT
 *
 * R13: limits that cannot be set, or that bound what is kept.
 */
#include <criterion/criterion.h>

#include "checks/limits.h"

/* ---- ids ---------------------------------------------------------------- */

/* An id of the wire is kept up to 1 KiB; in the place of a longer one stands
 * what stands where there is none. */
Test(limits, ids)
{
    tw_decoder *decoder = decoder_of("hermes");
    for (size_t size = 1022; size <= 1026; size++) {
        event_log log = {0};
        naive_bytes text =
            repeated("<tool_call>\n{\"id\": \"", "x", size, "", "",
                     "\", \"name\": \"f\", \"arguments\": {}}\n"
                     "</tool_call>");
        decode_all_ways(&log, decoder, &text, "id");
        cr_assert_eq(count_of(&log, TW_EVENT_CALL_END, TW_CALL_COMPLETE), 1);
        for (size_t i = 0; i < log.count; i++) {
            if (log.events[i].type == TW_EVENT_CALL_BEGIN) {
                cr_expect_eq(log.events[i].id_size,
                             size <= 1024 ? size : sizeof "call_0" - 1,
                             "an id of %zu bytes", size);
            }
        }
        naive_release(&text);
        event_log_free(&log);
    }
    tw_decoder_free(decoder);
}

/* ---- brackets ----------------------------------------------------------- */

/* Of an element that is no object, the end is seen up to a depth of 256; with
 * one that goes deeper all is lost up to the tag that closes the list. */
Test(limits, brackets_of_a_bad_element)
{
    tw_decoder *decoder = decoder_of("hermes");
    for (size_t depth = 255; depth <= 257; depth++) {
        event_log log = {0};
        naive_bytes text =
            repeated("<tool_call>\n[", "[", depth, "", "]",
                     ", {\"name\": \"f\", \"arguments\": {}}]\n</tool_call>");
        decode_all_ways(&log, decoder, &text, "brackets");
        cr_expect_eq(count_of(&log, TW_EVENT_CALL_END, TW_CALL_COMPLETE),
                     depth <= 256, "%zu brackets", depth);
        naive_release(&text);
        event_log_free(&log);
    }
    tw_decoder_free(decoder);
}

/* ---- raw blocks --------------------------------------------------------- */

/* What is kept of a bad block is all of it, up to the limit on arguments, and
 * nothing beyond. */
Test(limits, raw_blocks)
{
    enum { LIMIT = 100 };
    tw_decoder *decoder = decoder_of("hermes");
    tw_decoder_set(decoder, TW_OPTION_LIMIT_ARGUMENTS, LIMIT);
    for (size_t size = LIMIT - 2; size <= LIMIT + 2; size++) {
        static const char front[] = "<tool_call>\n{\"name\": \"f\", \"x";
        static const char back[] = "\": 1, 7}\n</tool_call>";
        event_log log = {0};
        size_t blocks = 0;
        naive_bytes text = repeated(
            front, "x", size - (sizeof front + sizeof back - 2), "", "", back);
        cr_assert_eq(text.size, size);
        decode_all_ways(&log, decoder, &text, "raw");
        for (size_t i = 0; i < log.count; i++) {
            const event_record *event = &log.events[i];
            if (event->type == TW_EVENT_UNPARSED) {
                blocks++;
                cr_expect_eq(event->span, size);
                cr_expect_eq(event->size, size <= LIMIT ? size : 0,
                             "of %zu bytes %zu are kept", size, event->size);
            }
        }
        cr_expect_eq(blocks, 1);
        naive_release(&text);
        event_log_free(&log);
    }
    tw_decoder_free(decoder);
}
