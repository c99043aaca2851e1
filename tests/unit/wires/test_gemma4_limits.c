/* SPDX-License-Identifier: MIT
 *
 * Gemma 4: limits (checks/limits.h).
 */
#include <criterion/criterion.h>

#include "checks/limits.h"
#include "support/decoding.h"

#define G_CALL "<|tool_call>call:"
#define G_NEXT "<|tool_call>call:g{}<tool_call|>"

static const limited rows[] = {
    /* The arguments' own brace is depth 1. */
    {"lists", "gemma4", DEPTH, 5, 128, 1, 1, G_CALL "f{a:", "[", "", "]",
     "}<tool_call|>", G_NEXT},
    {"lists", "gemma4", DEPTH, 0, 128, 1, 1, G_CALL "f{a:", "[", "", "]",
     "}<tool_call|>", G_NEXT},
    {"objects", "gemma4", DEPTH, 9, 128, 1, 1, G_CALL "f{", "a:{", "", "}",
     "}<tool_call|>", G_NEXT},
    {"name", "gemma4", NAME, 3, 256, 0, 1, G_CALL, "f", "", "",
     "{a:1}<tool_call|>", G_NEXT},
    {"name", "gemma4", NAME, 0, 256, 0, 1, G_CALL, "f", "", "",
     "{a:1}<tool_call|>", G_NEXT},
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
};

Test(limits, gemma4_of_a_call)
{
    check_limits(rows, sizeof rows / sizeof *rows);
}

Test(limits, gemma4_calls)
{
    check_call_limits("gemma4", G_NEXT);
}

Test(limits, gemma4_escapes)
{
    check_escape_limits(
        "gemma4", "<|tool_call>call:f{ab:<|\"|>x\x01y<|\"|>}<tool_call|>");
}

/* ---- what is held ------------------------------------------------------- */

#define SIXTY "                                                            "
#define F_CALL "<|tool_call>call:f{a:"

typedef struct held_blanks {
    const char *before;
    size_t blanks;
    const char *after;
    size_t complete; /* calls */
    size_t text;     /* bytes of it */
    uint32_t code;   /* of the last diagnostic */
} held_blanks;

/* R8, Gemma 4: more blanks than are held. */
static const held_blanks held_rows[] = {
    {SIXTY SIXTY "<tool_call|>" SIXTY SIXTY "<tool_call|>", 60, "x", 0, 1,
     TW_DIAGNOSTIC_ORPHAN_CLOSE_TAG},
    {F_CALL "1}", 300, "<tool_call|>", 1, 0, TW_DIAGNOSTIC_NONE},
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

Test(limits, gemma4_held_blanks)
{
    tw_decoder *decoder = decoder_of("gemma4");
    event_log log = {0};
    for (size_t i = 0; i < sizeof held_rows / sizeof *held_rows; i++) {
        const held_blanks *row = &held_rows[i];
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

/* Of many blocks in one reasoning, none is a call: its close stands behind
 * them. */
Test(limits, gemma4_long_reasoning)
{
    static const char block[] =
        "<|channel>thought\nhm "
        "<|tool_call>call:f{a:<|\"|>x<|\"|>}<tool_call|>";
    enum { BLOCKS = 12000 };
    naive_bytes text =
        repeated("<|channel>thought\n", block, BLOCKS, "<channel|>Hi", "", "");
    tw_decoder *decoder = decoder_of("gemma4");
    event_log log = {0};
    event_log other = {0};
    decode(&log, decoder, text.data, text.size, 0);
    cr_assert_null(event_log_check(&log, text.size));
    cr_expect_eq(count_of(&log, TW_EVENT_CALL_END, TW_CALL_COMPLETE), 0);
    for (size_t chunk = 1000; chunk < 100000; chunk *= 9) {
        decode(&other, decoder, text.data, text.size, chunk);
        cr_expect(event_log_same(&log, &other), "by %zu", chunk);
    }
    event_log_free(&log);
    event_log_free(&other);
    tw_decoder_free(decoder);
    naive_release(&text);
}
