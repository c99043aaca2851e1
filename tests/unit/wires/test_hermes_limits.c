/* SPDX-License-Identifier: MIT
 *
 * Hermes: limits (checks/limits.h).
 */
#include <criterion/criterion.h>
#include <string.h>

#include "checks/limits.h"
#include "support/decoding.h"

#define H_CALL "<tool_call>\n{\"name\": \"f\", \"arguments\": "
#define H_NEXT \
    "<tool_call>\n{\"name\": \"g\", \"arguments\": {}}\n</tool_call>"

static const limited rows[] = {
    /* The arguments' own brace is depth 1. */
    {"lists", "hermes", DEPTH, 5, 128, 1, 1, H_CALL "{\"a\": ", "[", "1", "]",
     "}}\n</tool_call>", H_NEXT},
    {"lists", "hermes", DEPTH, 0, 128, 1, 1, H_CALL "{\"a\": ", "[", "1", "]",
     "}}\n</tool_call>", H_NEXT},
    {"objects", "hermes", DEPTH, 10000, 128, 1, 1,
     H_CALL "{\"a\": ", "{\"b\":", "1", "}", "}}\n</tool_call>", H_NEXT},
    {"in a string", "hermes", DEPTH, 6, 128, 1, 1,
     H_CALL "\"{\\\"a\\\": ", "[", "1", "]", "}\"}\n</tool_call>", H_NEXT},
    {"before the name", "hermes", DEPTH, 6, 128, 1, 1,
     "<tool_call>\n{\"arguments\": {\"a\": ", "[", "1", "]",
     "}, \"name\": \"f\"}\n</tool_call>", H_NEXT},
    {"name", "hermes", NAME, 3, 256, 0, 1, "<tool_call>\n{\"name\": \"", "f",
     "", "", "\", \"arguments\": {}}\n</tool_call>", H_NEXT},
    {"name", "hermes", NAME, 0, 256, 0, 1, "<tool_call>\n{\"name\": \"", "f",
     "", "", "\", \"arguments\": {}}\n</tool_call>", H_NEXT},
    {"name of escapes", "hermes", NAME, 8, 256, 0, 2,
     "<tool_call>\n{\"name\": \"", "\\u00e9", "", "",
     "\", \"arguments\": {}}\n</tool_call>", H_NEXT},
    {"name behind", "hermes", NAME, 1000, 256, 0, 2,
     "<tool_call>\n{\"arguments\": {}, \"name\": \"", "\xC3\xA9", "", "",
     "\"}\n</tool_call>", H_NEXT},
    {"string", "hermes", SIZE, 64, 0, 9, 1, H_CALL "{\"a\": \"", "x", "", "",
     "\"}}\n</tool_call>", H_NEXT},
    {"blanks", "hermes", SIZE, 64, 0, 7, 1, H_CALL "{\"a\":", " ", "", "",
     "1}}\n</tool_call>", H_NEXT},
    {"escapes", "hermes", SIZE, 21, 0, 9, 6, H_CALL "{\"a\": \"", "\\u00e9",
     "", "", "\"}}\n</tool_call>", H_NEXT},
    {"in a string", "hermes", SIZE, 64, 0, 9, 1, H_CALL "\"{\\\"a\\\": \\\"",
     "x", "", "", "\\\"}\"}\n</tool_call>", H_NEXT},
    {"before the name", "hermes", SIZE, 64, 0, 9, 1,
     "<tool_call>\n{\"arguments\": {\"a\": \"", "x", "", "",
     "\"}, \"name\": \"f\"}\n</tool_call>", H_NEXT},
    {"letters in a string", "hermes", SIZE, 30, 0, 9, 3,
     H_CALL "\"{\\\"a\\\": \\\"", "\xE2\x82\xAC", "", "",
     "\\\"}\"}\n</tool_call>", H_NEXT},
    {"letters before the name", "hermes", SIZE, 30, 0, 9, 3,
     "<tool_call>\n{\"arguments\": {\"a\": \"", "\xE2\x82\xAC", "", "",
     "\"}, \"name\": \"f\"}\n</tool_call>", H_NEXT},
    {"tag body", "hermes", SIZE, 64, 0, 8, 1,
     "<tool_call>\n<function=f>\n<parameter=a>\n", "x", "", "",
     "\n</parameter>\n</function>\n</tool_call>", H_NEXT},
    {"string", "hermes", SIZE, 0, 16 << 20, 9, 1024, H_CALL "{\"a\": \"", NULL,
     "", "", "\"}}\n</tool_call>", H_NEXT},
};

Test(limits, hermes_of_a_call)
{
    check_limits(rows, sizeof rows / sizeof *rows);
}

Test(limits, hermes_calls)
{
    check_call_limits("hermes", H_NEXT "\n");
}

Test(limits, hermes_escapes)
{
    check_escape_limits(
        "hermes", "<tool_call>\n{\"name\": \"f\", \"arguments\": {\"a\": "
                  "\"x\x01y\"}}\n</tool_call>");
    check_escape_limits(
        "hermes", "<tool_call>\n{\"name\": \"f\", \"arguments\": \"{\\\"a\\\":"
                  " \\\"x\x01y\\\"}\"}\n</tool_call>");
}

/* Of arguments in a string, what stands behind the limit is not looked at:
 * nothing is told of it, wherever the string is cut.  The last of the 32
 * bytes, the closer, goes out with the call's end. */
Test(limits, hermes_deviations_in_a_string)
{
    static const char call[] =
        H_CALL "\"{'a': True, 'b': None, 'c': 'x'}}\"}\n</tool_call>";
    tw_decoder *decoder = decoder_of("hermes");
    naive_bytes text = {0};
    naive_add(&text, call, sizeof call - 1);
    for (int limit = 1; limit <= 32; limit++) {
        event_log log = {0};
        tw_decoder_reset(decoder);
        cr_assert_eq(tw_decoder_set(decoder, TW_OPTION_LIMIT_ARGUMENTS, limit),
                     TW_OK);
        decode_all_ways(&log, decoder, &text, "string");
        cr_expect_eq(
            count_of(&log, TW_EVENT_DIAGNOSTIC, TW_DIAGNOSTIC_EXTRA_CLOSER),
            limit >= 31, "%d", limit);
        event_log_free(&log);
    }
    naive_release(&text);
    tw_decoder_free(decoder);
}

/* Behind more blanks than are held, too, a call may stand without its tag;
 * what was looked at for that is not gone back to. */
Test(limits, hermes_bare_call_behind_blanks)
{
    static const char call[] = "{\"name\": \"f\", \"arguments\": {}}\n"
                               "</tool_call>";
    static const char other[] =
        "{x<tool_call>\n{\"name\": \"f\", \"arguments\": {}}\n</tool_call>"
        "<think><tool_call>\n{\"name\": \"g\", \"arguments\": {}}\n"
        "</tool_call>";
    tw_decoder *decoder = decoder_of("hermes");
    event_log log = {0};
    for (size_t count = 255; count <= 258; count++) {
        naive_bytes text = repeated("", "\n", count, "", "", call);
        decode_all_ways(&log, decoder, &text, call);
        /* One blank more is text by itself, and ends the beginning. */
        cr_expect_eq(count_of(&log, TW_EVENT_CALL_END, TW_CALL_COMPLETE),
                     count <= 257, "behind %zu", count);
        naive_release(&text);
        text = repeated("", "\n", count, "", "", other);
        decode_all_ways(&log, decoder, &text, other);
        cr_expect_eq(count_of(&log, TW_EVENT_CALL_END, TW_CALL_COMPLETE), 2,
                     "behind %zu", count);
        naive_release(&text);
    }
    event_log_free(&log);
    tw_decoder_free(decoder);
}

/* What the library writes for a tag goes out whole or not at all, and counts
 * from the tag on. */
Test(limits, hermes_json_for_tags)
{
    static const char call[] =
        "<tool_call>\n<function=f>\n<parameter=a>\n1\n</parameter>\n"
        "<parameter=b>\n2\n</parameter>\n</function>\n</tool_call>";
    static const struct {
        int64_t limit;
        const char *delivered;
        uint64_t offset; /* of what is too long */
    } tags[] = {
        {3, "{\"a", 37},
        {4, "{\"a", 37},
        {5, "{\"a\":", 37},
        {6, "{\"a\":\"", 39},
        {7, "{\"a\":\"1", 52},
        {8, "{\"a\":\"1\"", 66},
        {9, "{\"a\":\"1\"", 66},
        {10, "{\"a\":\"1\",\"", 65},
        {11, "{\"a\":\"1\",\"b", 66},
    };
    tw_decoder *decoder = decoder_of("hermes");
    naive_bytes text = {0};
    naive_add(&text, call, sizeof call - 1);
    for (size_t row = 0; row < sizeof tags / sizeof *tags; row++) {
        const int limit = (int)tags[row].limit;
        event_log log = {0};
        tw_decoder_reset(decoder);
        cr_assert_eq(tw_decoder_set(decoder, TW_OPTION_LIMIT_ARGUMENTS, limit),
                     TW_OK);
        decode_all_ways(&log, decoder, &text, "tag");
        cr_expect_eq(
            count_of(&log, TW_EVENT_DIAGNOSTIC, TW_DIAGNOSTIC_LIMIT_ARGUMENTS),
            1);
        for (size_t i = 0; i < log.count; i++) {
            const event_record *event = &log.events[i];
            if (event->type == TW_EVENT_CALL_ARGUMENTS) {
                cr_expect(event->size == strlen(tags[row].delivered) &&
                              memcmp(log.bytes + event->data,
                                     tags[row].delivered, event->size) == 0,
                          "%d: %.*s", limit, (int)event->size,
                          log.bytes + event->data);
            } else if (event->code == TW_DIAGNOSTIC_LIMIT_ARGUMENTS) {
                cr_expect(event->type == TW_EVENT_UNPARSED ||
                              event->offset == tags[row].offset,
                          "%d: at %d", limit, (int)event->offset);
            }
        }
        event_log_free(&log);
    }
    naive_release(&text);
    tw_decoder_free(decoder);
}
