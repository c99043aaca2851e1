/* SPDX-License-Identifier: MIT
 *
 * Gemma 4: what look-ahead may hold (checks/hold.h).
 */
#include "checks/hold.h"

#define G_CALL "<|tool_call>call:f{"
#define G_NEXT "<|tool_call>call:g{}<tool_call|>"
#define UP TW_DIAGNOSTIC_REPAIR_GIVEN_UP
#define FAR TW_DIAGNOSTIC_LIMIT_LOOKAHEAD

static const held near_rows[] = {
    {"comma", "gemma4", 0, NEVER, G_CALL "a:1", ",", " ", "",
     "}<tool_call|>" G_NEXT},
    {"head", "gemma4", UP, 1024, "Hi ", "<|tool_call>", " ", "call:f",
     "{}<tool_call|>"},
    {"head in a bad call", "gemma4", 0, 1024, G_CALL "a b", "<|tool_call>",
     " ", "call:g", "{}<tool_call|>" G_NEXT},
    {"head in reasoning", "gemma4-reasoning", 0, 1024, "hm ", "<|tool_call>",
     " ", "call:f", "{}<tool_call|> no<channel|>Hi"},
    {"junk", "gemma4", TW_DIAGNOSTIC_MISSING_CALL_CLOSE, 256, G_CALL "}", "",
     "x", "", "<tool_call|>" G_NEXT},
    {"blanks before a call", "gemma4", 0, 256, "Hi", "", " ", "", G_NEXT},
    {"blanks behind a call", "gemma4", 0, 256, G_NEXT, "", "\n", "", "Hi"},
    {"blanks at the end", "gemma4", 0, 256, "Hi", "", " ", "", ""},
    {"blanks alone", "gemma4", 0, 256, "", "", "\n", "", ""},
    {"closers in a string", "gemma4", 0, 1024, G_CALL "a:<|\"|>b", "", "}",
     "<tool_call|>", G_NEXT},
    {"a next key", "gemma4", 0, 1024, G_CALL "a:<|\"|>b", ",", "k", ":",
     "<|\"|>c<|\"|>}<tool_call|>" G_NEXT},
    {"close marker in a string", "gemma4", 0, 1024, G_CALL "a:<|\"|>b",
     "}<tool_call|>", "x", "", "<|\"|>}<tool_call|>" G_NEXT},
    {"blanks behind a string", "gemma4", 0, 256, G_CALL "a:<|\"|>b<|\"|>", "",
     " ", "", "x<|\"|>}<tool_call|>" G_NEXT},
    {"key behind a quote", "gemma4", 0, 64, G_CALL "a:\"b\"", " ", "k", "",
     ":1}<tool_call|>" G_NEXT},
    {"key behind a quote", "gemma4", 0, 1024, G_CALL "a:\"b\"", " ", "k", "",
     ":1}<tool_call|>" G_NEXT},
};

Test(hold, gemma4_near)
{
    check_held(near_rows, sizeof near_rows / sizeof *near_rows, HELD_NEAR);
}

/* Held up to 64 KiB. */
static const held far_rows[] = {
    {"bare value", "gemma4", FAR, 65536, G_CALL "a:", "", "x", "",
     ",b:2}<tool_call|>" G_NEXT},
    {"bare words", "gemma4", FAR, 65536, G_CALL "a:", "", "x ", "y",
     "}<tool_call|>" G_NEXT},
    {"in a list", "gemma4", FAR, 65536, G_CALL "a:[1,", "", "x", "",
     "]}<tool_call|>" G_NEXT},
    {"number", "gemma4", FAR, NEVER, G_CALL "a:", "", "1", "",
     ",b:2}<tool_call|>" G_NEXT},
    {"no number at last", "gemma4", TW_DIAGNOSTIC_NO_COMMA, 65536,
     G_CALL "a:", "", "1", "x", ",b:2}<tool_call|>" G_NEXT},
    {"fraction", "gemma4", FAR, NEVER, G_CALL "a:-1.", "", "0", "e+7",
     "}<tool_call|>" G_NEXT},
    {"key", "gemma4", FAR, 65536, G_CALL, "", "k", "",
     ":2}<tool_call|>" G_NEXT},
    {"call in reasoning", "gemma4-reasoning", 0, NEVER, "hm ",
     G_CALL "a:<|\"|>", "x", "<|\"|>}<tool_call|>", ""},
    {"reasoning closed", "gemma4-reasoning", 0, NEVER, "hm ",
     G_CALL "a:<|\"|>", "x", "<|\"|>}<tool_call|> no", "<channel|>Hi"},
};

Test(hold, gemma4_far)
{
    check_held(far_rows, sizeof far_rows / sizeof *far_rows, HELD_FAR);
}
