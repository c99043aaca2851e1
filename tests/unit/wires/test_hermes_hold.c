/* SPDX-License-Identifier: MIT
 *
 * Hermes: what look-ahead may hold (checks/hold.h).
 */
#include "checks/hold.h"

#define H_CALL "<tool_call>\n{\"name\": \"f\", \"arguments\": "
#define H_NEXT "<tool_call>{\"name\": \"g\", \"arguments\": {}}</tool_call>"
#define H_REST "{\"name\": \"f\", \"arguments\": {}}\n</tool_call>"
#define UP TW_DIAGNOSTIC_REPAIR_GIVEN_UP

static const held near_rows[] = {
    {"comma", "hermes", UP, 256, H_CALL "{\"a\": 1", ",", " ", "",
     "}}\n</tool_call>" H_NEXT},
    {"good comma", "hermes", UP, 256, H_CALL "{\"a\": 1", ",", "\n", "",
     "\"b\": 2}}\n</tool_call>" H_NEXT},
    {"comma in a string", "hermes", UP, 256, H_CALL "\"{\\\"a\\\": 1", ",",
     " ", "", "}\"}\n</tool_call>" H_NEXT},
    {"head", "hermes", UP, 1024, "Hi ", "<tool_call>", " ", "", H_REST},
    {"head behind prose", "hermes", 0, 64, "", "<tool_call>\n", "x", "",
     H_REST},
    {"junk", "hermes", TW_DIAGNOSTIC_MISSING_CALL_CLOSE, 256, H_CALL "{}}", "",
     "x", "", "</tool_call>" H_NEXT},
    {"blanks before a call", "hermes", 0, 256, "Hi", "", " ", "", H_NEXT},
    {"blanks behind a call", "hermes", 0, 256, H_NEXT, "", "\n", "", "Hi"},
    {"blanks at the end", "hermes", 0, 256, "Hi", "", " ", "", ""},
    {"blanks alone", "hermes", 0, 256, "", "", "\n", "", ""},
    {"key", "hermes", 0, 16, "<tool_call>\n{\"", "", "n", "",
     "\": 1, \"name\": \"f\", \"arguments\": {}}\n</tool_call>"},
};

Test(hold, hermes_near)
{
    check_held(near_rows, sizeof near_rows / sizeof *near_rows, HELD_NEAR);
}

/* Held up to 64 KiB. */
static const held far_rows[] = {
    {"call in reasoning", "hermes-reasoning", UP, 65536, "hm ",
     H_CALL "{\"a\": \"", "x", "\"}}\n</tool_call>", ""},
    {"reasoning closed", "hermes-reasoning", UP, 65536, "hm ",
     H_CALL "{\"a\": \"", "x", "\"}}\n</tool_call>x", "</think>Hi"},
    {"without opener", "hermes", UP, 65536, "",
     "{\"name\": \"f\", \"arguments\": {\"a\": \"", "x", "\"}}\n</tool_call>",
     ""},
    {"JSON answer", "hermes", 0, NEVER, "", "{\"a\": \"", "x", "\"}", ""},
};

Test(hold, hermes_far)
{
    check_held(far_rows, sizeof far_rows / sizeof *far_rows, HELD_FAR);
}
