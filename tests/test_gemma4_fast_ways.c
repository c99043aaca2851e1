/* SPDX-License-Identifier: MIT
 *
 * Gemma 4: fast ways (checks/fast_ways.h).
 */
#include <criterion/criterion.h>

#include "checks/fast_ways.h"

static const kit kits[] = {
    {"gemma4",
     {"<|tool_call>call:f{",
      "<|tool_call>call:get_weather{",
      "<|tool_call>call:1.a-b{",
      "}<tool_call|>",
      "}<tool_call|>",
      "a:",
      ",b:",
      ",key_2:",
      "k.v-w:",
      "<|\"|>",
      "<|\"|>",
      "<|\"|>Oslo<|\"|>",
      "<|\"|>x, y }] \"q\" \xC3\xA9\n<|\"|>",
      "1",
      "-2.5e3",
      "true",
      "null",
      "city:<|\"|>Oslo<|\"|>,days:3,detail:true",
      "{",
      "}",
      "[",
      "]",
      "[1,2]",
      "[<|\"|>a<|\"|>,<|\"|>b<|\"|>]",
      "{x:{y:[{z:null}]}}",
      "{}",
      "[]",
      ",",
      "Some prose, a < b. ",
      "\n",
      "<|channel>thought\nHm<channel|>",
      "<|tool_call>call:f{a:<|\"|>x<|\"|>}<tool_call|>"},
     {" ", "\n", ",", ":", "}", "]", "<", "\xC3", "<|\"|>", "c", "=", "{",
      "call:f{", "<tool_call|>", "\"", "http://"}},
    /* Long strings, and what may end one that is not closed. */
    {"gemma4",
     {"<|tool_call>call:f{a:<|\"|>",
      "<|tool_call>call:f{a:<|\"|>for (i = 0; i < n; i++) {\n",
      "<|tool_call>call:f{a:[<|\"|>",
      "<|\"|>}<tool_call|>",
      "<|\"|>}<tool_call|>",
      "<|\"|>]}<tool_call|>",
      "}<tool_call|>",
      "<|\"|>,b:<|\"|>",
      "a word ",
      "print(\"%s, %d\", left, right);\n",
      "    }\n\n        }",
      "if x in {1: 2, 3: 4}:\n",
      ", ",
      ",",
      ",\n  ",
      ",key:",
      ", key: ",
      ",\n key:",
      ", one two: ",
      ":",
      ")",
      "]",
      "}",
      "<",
      " < ",
      "<t",
      "\xC3\xA9t\xC3\xA9",
      "\xE4\xB8\xAD\xE6\x96\x87, ",
      "\\n\"\t",
      "\x01",
      "key_of_some_length_without_end"},
     {" ", "\n", ",", ":", "}", "]", "<", "\xC3", "<|\"|>", ")", "=", "{",
      "\"", "<tool_call|>", "\r", "\x80"}},
};

Test(fast_ways, gemma4_do_what_the_plain_ones_do)
{
    check_fast_ways(kits, sizeof kits / sizeof *kits);
}

Test(fast_ways, gemma4_short_call_is_one_piece)
{
    static const char *const calls[] = {
        ("<|tool_call>call:tide{at:<|\"|>Brest<|\"|>,days:2}<tool_call|>"),
    };
    for (size_t i = 0; i < sizeof calls / sizeof *calls; i++) {
        expect_one_piece("gemma4", calls[i]);
    }
}
