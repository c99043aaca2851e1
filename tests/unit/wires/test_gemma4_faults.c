/* SPDX-License-Identifier: MIT
 *
 * Gemma 4: failed allocations (checks/faults.h).
 */
#include <criterion/criterion.h>

#include "checks/faults.h"

#define BLOCK(body) "<|tool_call>" body "<tool_call|>"
#define BLANKS                                                 \
    "                                                        " \
    "                                                        "

/* clang-format off */
static const rich texts[] = {
    {"gemma4", false, NULL,
     "<|channel>thought\nhm<channel|>Hi \xFF" BLANKS "!"
     BLOCK("call:f{a:1,b:[<|\"|>x \"y\"\n<|\"|>,true],c:{d:{e:null}}}")
     BLOCK("call:g{a:Paris, France,b=2,\"c\":\"d\\n\",e:'f',g:`h`,}")
     BLOCK("call:h{a:<|\"|>x}, b:<|\"|>y<|\"|>,c:<|\"|>z}]<|\"|>}")
     BLOCK("call:i{a:<|\"|>never closed}") BLOCK("call:j(a:1)")
     BLOCK("call:k{a b}") BLOCK("l{}") BLOCK("call:m")
     BLOCK("call:t{\"{\\\"a\\\":1}\"}") BLOCK("call:n{<|\"|>{\"a\":1}<|\"|>}") BLOCK("call:o{a:1}call:p{}")
     BLOCK("call:q{} junk") BLOCK("call:r{a:[1,{b:2},[3,[4]]],007:NaN}")
     "Bye<|tool_call>call:s{key:<|\"|>x"},
    {"gemma4", true, NULL,
     "hm " BLOCK("call:f{a:<|\"|>x<|\"|>}") "hm " BLOCK("call:g{b:[1,2]}")},
    {"gemma4", false, NULL, "call:f{a:1}call:g{b:word}"},
    {"gemma4", false, NULL, BLOCK("call:f{a:[ [ [ [ [ [ 1 ] ] ] ] ] ]}")},
    {"gemma4", false, "<|turn>model\n<|tool_call>call:f{a:<|\"|>x",
     "y<|\"|>}<tool_call|>Hi"},
};
/* clang-format on */

enum { TEXTS = sizeof texts / sizeof *texts };

Test(faults, gemma4_once, .timeout = 1200)
{
    check_faults(texts, TEXTS, false);
}

Test(faults, gemma4_for_ever, .timeout = 1200)
{
    check_faults(texts, TEXTS, true);
}

Test(faults, gemma4_second_message_allocates_nothing)
{
    check_second_messages(texts, TEXTS);
}
