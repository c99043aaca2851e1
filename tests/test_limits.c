/* SPDX-License-Identifier: MIT
 *
 * R13: the limits that can be set are exact, spoil one call only and decide
 * alike however the input is cut.
 */
#include <criterion/criterion.h>
#include <string.h>

#include "support/decoding.h"

static naive_bytes repeated(const char *before, const char *unit, size_t count,
                            const char *middle, const char *back,
                            const char *after)
{
    naive_bytes text = {0};
    naive_add_text(&text, before);
    for (size_t i = 0; i < count; i++) {
        naive_add_text(&text, unit);
    }
    naive_add_text(&text, middle);
    for (size_t i = 0; i < count; i++) {
        naive_add_text(&text, back);
    }
    naive_add_text(&text, after);
    return text;
}

/* The events, which no chunking may change and whose spans add up. */
static void decode_all_ways(event_log *log, tw_decoder *decoder,
                            const naive_bytes *text, const char *what)
{
    static const size_t chunks[] = {1, 7, 64, 1000};
    event_log other = {0};
    decode(log, decoder, text->data, text->size, 0);
    const char *wrong = event_log_check(log, text->size);
    cr_assert_null(wrong, "%s: %s", what, wrong);
    for (size_t i = 0; i < sizeof chunks / sizeof *chunks; i++) {
        decode(&other, decoder, text->data, text->size, chunks[i]);
        cr_expect(event_log_same(log, &other), "%s: pieces of %zu differ",
                  what, chunks[i]);
    }
    event_log_free(&other);
}

/* ---- limits of a call --------------------------------------------------- */

typedef struct limited {
    const char *what;
    const char *format;
    tw_option option;
    uint32_t code;
    size_t limit; /* the option's value; 0: |standard| by default */
    size_t standard;
    size_t base; /* how much of the limit is used with no unit */
    size_t each; /* by each unit */
    const char *before, *unit, *middle, *back, *after;
    const char *next; /* a good call */
} limited;

#define G_CALL "<|tool_call>call:"
#define G_NEXT "<|tool_call>call:g{}<tool_call|>"
#define H_CALL "<tool_call>\n{\"name\": \"f\", \"arguments\": "
#define H_NEXT \
    "<tool_call>\n{\"name\": \"g\", \"arguments\": {}}\n</tool_call>"
#define Y_CALL "<|channel|>commentary to=functions.f json<|message|>"
#define Y_NEXT                                                    \
    "<|start|>assistant<|channel|>commentary to=functions.g json" \
    "<|message|>{}<|call|>"
#define DEPTH TW_OPTION_LIMIT_DEPTH, TW_DIAGNOSTIC_LIMIT_DEPTH
#define NAME TW_OPTION_LIMIT_NAME, TW_DIAGNOSTIC_LIMIT_NAME
#define SIZE TW_OPTION_LIMIT_ARGUMENTS, TW_DIAGNOSTIC_LIMIT_ARGUMENTS

static const limited rows[] = {
    /* The arguments' own brace is depth 1. */
    {"lists", "gemma4", DEPTH, 5, 128, 1, 1, G_CALL "f{a:", "[", "", "]",
     "}<tool_call|>", G_NEXT},
    {"lists", "gemma4", DEPTH, 0, 128, 1, 1, G_CALL "f{a:", "[", "", "]",
     "}<tool_call|>", G_NEXT},
    {"objects", "gemma4", DEPTH, 9, 128, 1, 1, G_CALL "f{", "a:{", "", "}",
     "}<tool_call|>", G_NEXT},
    {"lists", "harmony", DEPTH, 5, 128, 1, 1, Y_CALL "{\"a\": ", "[", "1", "]",
     "}<|call|>", Y_NEXT},
    {"lists", "harmony", DEPTH, 0, 128, 1, 1, Y_CALL "{\"a\": ", "[", "1", "]",
     "}<|call|>", Y_NEXT},
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
    {"name", "gemma4", NAME, 3, 256, 0, 1, G_CALL, "f", "", "",
     "{a:1}<tool_call|>", G_NEXT},
    {"name", "gemma4", NAME, 0, 256, 0, 1, G_CALL, "f", "", "",
     "{a:1}<tool_call|>", G_NEXT},
    {"name", "harmony", NAME, 3, 256, 0, 1,
     "<|channel|>commentary to=functions.", "f", "", "",
     " json<|message|>{}<|call|>", Y_NEXT},
    {"name", "harmony", NAME, 0, 256, 0, 1,
     "<|channel|>commentary to=functions.", "f", "", "",
     " json<|message|>{}<|call|>", Y_NEXT},
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
    {"string", "gemma4", SIZE, 64, 0, 8, 1, G_CALL "f{a:<|\"|>", "x", "", "",
     "<|\"|>}<tool_call|>", G_NEXT},
    {"escapes", "gemma4", SIZE, 32, 0, 8, 6, G_CALL "f{a:<|\"|>", "\x01", "",
     "", "<|\"|>}<tool_call|>", G_NEXT},
    {"letters", "gemma4", SIZE, 28, 0, 8, 2, G_CALL "f{a:<|\"|>", "\xC3\xA9",
     "", "", "<|\"|>}<tool_call|>", G_NEXT},
    {"number", "gemma4", SIZE, 64, 0, 6, 1, G_CALL "f{a:", "1", "", "",
     "}<tool_call|>", G_NEXT},
    {"list", "gemma4", SIZE, 64, 0, 9, 2, G_CALL "f{a:[1", ",1", "", "",
     "]}<tool_call|>", G_NEXT},
    {"string", "harmony", SIZE, 64, 0, 9, 1, Y_CALL "{\"a\": \"", "x", "", "",
     "\"}<|call|>", Y_NEXT},
    {"free text", "harmony", SIZE, 64, 0, 0, 1,
     "<|channel|>commentary to=python<|message|>", "x", "", "", "<|call|>",
     Y_NEXT},
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

static size_t count_of(const event_log *log, uint32_t type, uint32_t code)
{
    size_t count = 0;
    for (size_t i = 0; i < log->count; i++) {
        count += log->events[i].type == type && log->events[i].code == code;
    }
    return count;
}

/* |over|: the first call passes the limit, which spoils it alone. */
static void expect_limited(const limited *row, const event_log *log, bool over)
{
    const size_t complete = count_of(log, TW_EVENT_CALL_END, TW_CALL_COMPLETE);
    size_t unparsed = 0;
    size_t visible = 0;
    for (size_t i = 0; i < log->count; i++) {
        unparsed += log->events[i].type == TW_EVENT_UNPARSED;
        visible += log->events[i].type == TW_EVENT_TEXT ||
                   log->events[i].type == TW_EVENT_REASONING;
    }
    cr_expect_eq(complete, over ? 1 : 2, "%s %s: %zu complete calls",
                 row->format, row->what, complete);
    cr_expect_eq(unparsed, over ? 1 : 0, "%s %s", row->format, row->what);
    cr_expect_eq(count_of(log, TW_EVENT_UNPARSED, row->code), over ? 1 : 0,
                 "%s %s, over: %d: another reason", row->format, row->what,
                 over);
    cr_expect_eq(visible, 0, "%s %s: text", row->format, row->what);
}

static void check_limit(const limited *row)
{
    char kilobyte[1025];
    memset(kilobyte, 'x', 1024);
    kilobyte[1024] = 0;
    tw_decoder *decoder = decoder_of(row->format);
    event_log log = {0};
    const size_t limit = row->limit > 0 ? row->limit : row->standard;
    if (row->limit > 0) {
        cr_assert_eq(tw_decoder_set(decoder, row->option, (int64_t)row->limit),
                     TW_OK);
    }
    const size_t fits = (limit - row->base) / row->each;
    for (size_t count = fits; count <= fits + 1; count++) {
        naive_bytes text =
            repeated(row->before, row->unit != NULL ? row->unit : kilobyte,
                     count, row->middle, row->back, row->after);
        naive_add_text(&text, row->next);
        if (text.size < 1 << 20) {
            decode_all_ways(&log, decoder, &text, row->what);
        } else {
            decode(&log, decoder, text.data, text.size, 1 << 16);
        }
        expect_limited(row, &log, count > fits);
        naive_release(&text);
    }
    event_log_free(&log);
    tw_decoder_free(decoder);
}

/* R13: L is accepted, L + 1 makes the call malformed, with the limit as the
 * reason, and the next call is fine. */
Test(limits, of_a_call)
{
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        check_limit(&rows[i]);
    }
}

/* ---- the number of calls ------------------------------------------------ */

static const char *const good_calls[][2] = {
    {"gemma4", G_NEXT}, {"harmony", Y_NEXT}, {"hermes", H_NEXT "\n"}};

/* R13: call L is accepted, each one behind it is malformed. */
static void expect_calls(const char *format, const char *call, size_t limit,
                         bool set)
{
    tw_decoder *decoder = decoder_of(format);
    event_log log = {0};
    if (set) {
        tw_decoder_set(decoder, TW_OPTION_LIMIT_CALLS, (int64_t)limit);
    }
    for (size_t more = 0; more <= 2; more++) {
        naive_bytes text = repeated("", call, limit + more, "", "", "");
        decode_all_ways(&log, decoder, &text, format);
        cr_expect_eq(count_of(&log, TW_EVENT_CALL_END, TW_CALL_COMPLETE),
                     limit, "%s", format);
        cr_expect_eq(
            count_of(&log, TW_EVENT_UNPARSED, TW_DIAGNOSTIC_LIMIT_CALLS), more,
            "%s", format);
        naive_release(&text);
    }
    event_log_free(&log);
    tw_decoder_free(decoder);
}

Test(limits, calls)
{
    for (size_t i = 0; i < 3; i++) {
        expect_calls(good_calls[i][0], good_calls[i][1], 1, true);
        expect_calls(good_calls[i][0], good_calls[i][1], 3, true);
        expect_calls(good_calls[i][0], good_calls[i][1], 1024, false);
    }
}

/* ---- what is held ------------------------------------------------------- */

typedef struct held {
    const char *before;
    size_t blanks;
    const char *after;
    size_t complete; /* calls */
    size_t text;     /* bytes of it */
    uint32_t code;   /* of the last diagnostic */
} held;

#define SIXTY "                                                            "
#define F_CALL "<|tool_call>call:f{a:"

/* R8, Gemma 4: more blanks than are held. */
static const held held_rows[] = {
    {SIXTY SIXTY "<tool_call|>" SIXTY SIXTY "<tool_call|>", 60, "x", 0, 1,
     TW_DIAGNOSTIC_STRAY_MARKER},
    {F_CALL "1}", 300, "<tool_call|>", 1, 312,
     TW_DIAGNOSTIC_MISSING_CALL_CLOSE},
    {F_CALL "1}", 256, "<tool_call|>", 1, 0, TW_DIAGNOSTIC_NONE},
    {F_CALL "\"x<tool_call|>", 300, "", 0, 0, TW_DIAGNOSTIC_TRUNCATED_CALL},
    {F_CALL "x,", 66100, "}<tool_call|>", 0, 0, TW_DIAGNOSTIC_LIMIT_LOOKAHEAD},
    {F_CALL "x}", 66100, "y}<tool_call|>", 0, 0,
     TW_DIAGNOSTIC_LIMIT_LOOKAHEAD},
    {"<|tool_call>call:f{abc", 66100, ":1}<tool_call|>", 0, 0,
     TW_DIAGNOSTIC_LIMIT_LOOKAHEAD},
    {F_CALL "x, <|\"|>k<|\"|>", 66100, ":1}<tool_call|>", 0, 0,
     TW_DIAGNOSTIC_NO_COMMA},
    {F_CALL "<|\"|>x<|\"|>, <|\"|>k<|\"|>", 66100, ":1}<tool_call|>", 0, 0,
     TW_DIAGNOSTIC_LIMIT_LOOKAHEAD},
    {F_CALL "<|\"|>x, <|\"|>k<|\"|>", 66100, ":<|\"|>y<|\"|>}<tool_call|>", 0,
     0, TW_DIAGNOSTIC_NO_COMMA},
};

Test(limits, held_blanks)
{
    tw_decoder *decoder = decoder_of("gemma4");
    event_log log = {0};
    for (size_t i = 0; i < sizeof held_rows / sizeof *held_rows; i++) {
        const held *row = &held_rows[i];
        size_t text = 0;
        uint32_t code = TW_DIAGNOSTIC_NONE;
        naive_bytes input =
            repeated(row->before, " ", row->blanks, "", "", row->after);
        decode_all_ways(&log, decoder, &input, row->before);
        for (size_t k = 0; k < log.count; k++) {
            const event_record *event = &log.events[k];
            text += event->type == TW_EVENT_TEXT ? event->size : 0;
            code = event->type == TW_EVENT_DIAGNOSTIC ? event->code : code;
        }
        cr_expect_eq(count_of(&log, TW_EVENT_CALL_END, TW_CALL_COMPLETE),
                     row->complete, "%zu", i);
        cr_expect_eq(text, row->text, "%zu: %zu bytes of text", i, text);
        cr_expect_eq(code, row->code, "%zu: %s", i,
                     code != 0 ? tw_diagnostic_get(code)->name : "none");
        naive_release(&input);
    }
    event_log_free(&log);
    tw_decoder_free(decoder);
}

/* A block counts as a call if its reasoning is not closed within 64 KiB: of
 * many, those far in front of the end. */
Test(limits, long_reasoning)
{
    static const char block[] =
        "<|channel>thought\nhm "
        "<|tool_call>call:f{a:<|\"|>x<|\"|>}<tool_call|>";
    enum { BLOCKS = 12000, HELD = 65536 };
    naive_bytes text =
        repeated("<|channel>thought\n", block, BLOCKS, "<channel|>Hi", "", "");
    const size_t size = sizeof block - 1;
    tw_decoder *decoder = decoder_of("gemma4");
    event_log log = {0};
    event_log other = {0};
    tw_decoder_set(decoder, TW_OPTION_LIMIT_CALLS, BLOCKS);
    decode(&log, decoder, text.data, text.size, 0);
    cr_assert_null(event_log_check(&log, text.size));
    const size_t calls = count_of(&log, TW_EVENT_CALL_END, TW_CALL_COMPLETE);
    cr_expect(calls * size + HELD <= text.size &&
                  (calls + 2) * size + HELD > text.size,
              "%zu calls", calls);
    for (size_t chunk = 1000; chunk < 100000; chunk *= 9) {
        decode(&other, decoder, text.data, text.size, chunk);
        cr_expect(event_log_same(&log, &other), "by %zu", chunk);
    }
    event_log_free(&log);
    event_log_free(&other);
    tw_decoder_free(decoder);
    naive_release(&text);
}

/* Behind more blanks than are held, too, a call may stand without its tag;
 * what was looked at for that is not gone back to. */
Test(limits, bare_call_behind_blanks)
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
Test(limits, json_for_tags)
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

/* So does the escape of a byte that JSON cannot hold. */
Test(limits, escapes)
{
    static const char *const calls[][2] = {
        {"hermes", "<tool_call>\n{\"name\": \"f\", \"arguments\": {\"a\": "
                   "\"x\x01y\"}}\n</tool_call>"},
        {"hermes",
         "<tool_call>\n{\"name\": \"f\", \"arguments\": \"{\\\"a\\\":"
         " \\\"x\x01y\\\"}\"}\n</tool_call>"},
        {"harmony", "<|channel|>commentary to=functions.f json<|message|>"
                    "{\"a\": \"x\x01y\"}<|call|>"},
        {"gemma4", "<|tool_call>call:f{ab:<|\"|>x\x01y<|\"|>}<tool_call|>"},
    };
    static const size_t front = sizeof "{\"a\": \"x" - 1;
    static const size_t escape = sizeof "\\u0001" - 1;
    for (size_t i = 0; i < sizeof calls / sizeof *calls; i++) {
        naive_bytes text = {0};
        naive_add_text(&text, calls[i][1]);
        for (size_t limit = front - 1; limit < front + escape + 2; limit++) {
            tw_decoder *decoder = decoder_of(calls[i][0]);
            event_log log = {0};
            tw_decoder_set(decoder, TW_OPTION_LIMIT_ARGUMENTS, (int64_t)limit);
            decode_all_ways(&log, decoder, &text, calls[i][0]);
            const size_t wanted = limit < front            ? limit
                                  : limit < front + escape ? front
                                                           : limit;
            size_t delivered = 0;
            for (size_t k = 0; k < log.count; k++) {
                delivered += log.events[k].type == TW_EVENT_CALL_ARGUMENTS
                                 ? log.events[k].size
                                 : 0;
            }
            cr_expect_eq(delivered, wanted, "%s %zu, limit %zu: %zu",
                         calls[i][0], i, limit, delivered);
            event_log_free(&log);
            tw_decoder_free(decoder);
        }
        naive_release(&text);
    }
}

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
