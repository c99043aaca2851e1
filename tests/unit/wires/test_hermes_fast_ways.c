/* SPDX-License-Identifier: MIT
 *
 * Hermes: fast ways (checks/fast_ways.h).
 */
#include <criterion/criterion.h>

#include "checks/fast_ways.h"

static const kit kits[] = {
    {"hermes",
     {"<tool_call>\n",
      "<tool_call>",
      "{\"name\": \"f\", \"arguments\": ",
      "<tool_call>\n{\"name\": \"get_weather\", \"arguments\": {",
      "{\"name\":\"g\",\"arguments\":{",
      "{",
      "}",
      "}}\n</tool_call>",
      "}}",
      "}}\n</tool_call>\n",
      "\n</tool_call>",
      "</tool_call>",
      "\"city\": \"Oslo\", \"days\": 3",
      "\"a\": [1, {\"b\": null}]",
      "{\"a\": 1}",
      "{}",
      ", ",
      ", \"id\": \"x\"",
      "Some prose, a < b. ",
      "\n",
      "<think>\nHm\n</think>\n\n",
      "<tool_call>{\"name\":\"g\",\"arguments\":{\"a\":\"</tool_call>\"}}"
      "</tool_call>",
      "<tool_call>\n{\"name\": \"f\", \"arguments\": {\"a\": \"x\"}}\n"
      "</tool_call>"},
     {" ", "\n", "<", "\xC3", "}", "{", "\"", ",", ":", "\\", "]",
      "</tool_call>", "<tool_call>", "e", "\r", "<|im_end|>"}},
    /* Long strings, and what may end one that is not closed. */
    {"hermes",
     {"<tool_call>\n{\"name\": \"f\", \"arguments\": {\"a\": \"",
      "<tool_call>\n{\"name\": \"f\", \"arguments\": {\"a\": \"",
      "\"}}\n</tool_call>", "\"}}\n</tool_call>", "\", \"b\": \"",
      "for (i = 0; i < n; i++) {\\n", "    puts(\\\"one\\\");\\n", "\\\\",
      "\\\"", "\\n\\t\\/\\b\\f\\r", "\\u00e9", "\\ud83d\\ude00", "\\ud83d",
      "\xC3\xA9t\xC3\xA9", "\xE4\xB8\xAD\xE6\x96\x87", "\xF0\x9F\x98\x80",
      "plain words of a string", " "},
     {"\\", "\"", "\n", "\xC3", "\x80", "\x01", "u", "\\x", "'"}},
};

Test(fast_ways, hermes_do_what_the_plain_ones_do)
{
    check_fast_ways(kits, sizeof kits / sizeof *kits);
}

Test(fast_ways, hermes_short_call_is_one_piece)
{
    static const char *const calls[] = {
        ("<tool_call>\n{\"name\": \"tide\", \"arguments\": {\"at\": "
         "\"Brest\"}}\n</tool_call>"),
        ("<tool_call>{\"name\":\"tide\",\"arguments\":{}}</tool_call>"),
    };
    for (size_t i = 0; i < sizeof calls / sizeof *calls; i++) {
        expect_one_piece("hermes", calls[i]);
    }
}
