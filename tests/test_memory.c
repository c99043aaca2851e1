/* SPDX-License-Identifier: MIT
 *
 * Section 7: what a decoder holds does not grow with the size of a chunk,
 * not even where each byte of it makes events.
 */
#include <criterion/criterion.h>
#include <string.h>

#include "allocator.h"
#include "support/decoding.h"

typedef struct amplified {
    const char *format;
    bool reasoning;
    const char *before;
    const char *unit;
} amplified;

#define Y_CALL "<|channel|>commentary to=functions.f json<|message|>"

static const amplified rows[] = {
    {"gemma4", false, "Hi ", "\xFF"},
    {"gemma4", true, "Hi ", "\xFF "},
    {"gemma4", false, "<|tool_call>call:f{a:<|\"|>", "\xFF"},
    {"gemma4", false, "<|tool_call>call:f{a:<|\"|>", "\xE2\x82x"},
    {"gemma4", false, "<|tool_call>call:f{a:<|\"|>", "\""},
    {"gemma4", false, "<|tool_call>call:f{a:\"", "\xFF"},
    {"gemma4", false, "<|tool_call>call:f{a:\"", "\\q"},
    {"harmony", false, "<|channel|>final<|message|>", "\xFF"},
    {"harmony", false, "<|channel|>analysis to=python code<|message|>",
     "\xFF"},
    {"harmony", false, Y_CALL "{\"a\": [", "True,,"},
    {"harmony", false, Y_CALL "{\"a\": \"", "\xFF"},
    {"harmony", false, Y_CALL "\"{\\\"a\\\": \\\"", "x"},
    {"harmony", false, Y_CALL "{}", "}"},
    {"hermes", false, "Hi ", "\xFF"},
    {"hermes", true, "Hi ", "\xFF"},
    {"hermes", false, "<tool_call>{\"name\": \"f\", \"arguments\": {\"a\": \"",
     "\xFF"},
    {"hermes", false,
     "<tool_call>{\"name\": \"f\", \"arguments\": \"{\\\"a\\\": \\\"", "x"},
    {"hermes", false, "<tool_call><function=f><parameter=a>", "\xFF"},
};

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

Test(memory, one_chunk)
{
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        check(&rows[i], i);
    }
}
