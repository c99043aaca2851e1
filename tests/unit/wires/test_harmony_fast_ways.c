/* SPDX-License-Identifier: MIT
 *
 * Harmony: fast ways (checks/fast_ways.h).
 */
#include <criterion/criterion.h>

#include "checks/fast_ways.h"

static const kit kits[] = {
    {"harmony",
     {"<|start|>assistant",
      "<|channel|>analysis",
      "<|channel|>commentary",
      "<|channel|>final",
      " to=functions.f",
      " to=functions.get_weather",
      " to=functions.",
      " <|constrain|>json",
      " json",
      "<|constrain|>json",
      "<|message|>",
      "<|message|>",
      "<|message|>",
      "<|end|>",
      "<|call|>",
      "<|return|>",
      "<|channel|>final<|message|>",
      "<|channel|>analysis<|message|>",
      "<|start|>assistant<|channel|>commentary to=functions.f "
      "<|constrain|>json<|message|>",
      "<|start|>assistant to=functions.g<|channel|>commentary json"
      "<|message|>",
      "<|channel|>commentary to=functions.h <|constrain|>json<|message|>",
      "<|start|>assistant<|channel|>commentary to=functions.f "
      "<|constrain|>json<|message|>{\"a\": [1, {\"b\": \"c\"}]}<|call|>",
      "{\"a\": 1, \"b\": [true]}",
      "{\"a\": \"x <|end|> y\"}",
      "{}",
      "Some prose, a < b. ",
      "\n"},
     {" ", "\n", "<", "\xC3", "<|start|>", "to=", ".", "functions.", "user",
      "<|channel|>", "json", "\xE2\x80\x8B", "final", "{", "python", ":"}},
};

Test(fast_ways, harmony_do_what_the_plain_ones_do)
{
    check_fast_ways(kits, sizeof kits / sizeof *kits);
}

Test(fast_ways, harmony_short_call_is_one_piece)
{
    static const char *const calls[] = {
        ("<|start|>assistant<|channel|>commentary to=functions.tide "
         "<|constrain|>json<|message|>{\"at\":\"Brest\"}<|call|>"),
        ("<|channel|>commentary to=functions.tide <|constrain|>json<|message|>"
         "{\"at\":\"Brest\"}<|call|>"),
        (" to=functions.tide<|channel|>commentary json<|message|>{}<|call|>"),
    };
    for (size_t i = 0; i < sizeof calls / sizeof *calls; i++) {
        expect_one_piece("harmony", calls[i]);
    }
}
