/* SPDX-License-Identifier: MIT
 *
 * Gemma 4: what soups and fuzzing found (checks/found.h).
 */
#include "checks/found.h"

static const found rows[] = {
    /* Behind half a pair stands a cut-off escape that cannot be the other. */
    {"gemma4", "<|tool_call>call:f{k:'\\ud96d\\u96d"},
    /* A body that is an empty string. */
    {"gemma4", "<|tool_call>call:f{\"\"}<tool_call|>"},
    /* A closer behind a scalar is one where what follows it says so; a comma
     * in a string is no key's; a doubled brace inside the arguments. */
    {"gemma4", "<|tool_call>call:f{a:[1]x,2]}<tool_call|>"},
    {"gemma4", "<|tool_call>call:f{a:<|\"|>x,b<c:<|\"|>,d:1}<tool_call|>"},
    /* Blanks that a marker parts. */
    {"gemma4", "Hi" BLANKS "<tool_call|>" BLANKS "<tool_call|>" BLANKS "x"},
    {"gemma4", "x" B60 B60 "<tool_call|>" B60 B60 "<tool_call|>" B60 "x"},
    /* Behind a call stand many blanks, or closers of doubled openers. */
    {"gemma4", "<|tool_call>call:f{a:1}" BLANKS "x"},
    {"gemma4", "<|tool_call>call:f{{a:1} }<tool_call|>"},
    {"gemma4", "<|tool_call>call:f{{a:1}} }<tool_call|>"},
    {"gemma4", "<|tool_call>call:f{{{a:1}<tool_call|>"},
    /* What may be a key, and is too long for one. */
    {"gemma4", "<|tool_call>call:f{a:x, " LONG_NAME ":1}<tool_call|>"},
    {"gemma4", "<|tool_call>call:f{a:x, <|\"|>" LONG_NAME LONG_NAME
               "<|\"|>:1}<tool_call|>"},
    {"gemma4", "<|tool_call>call:f{a:<|\"|>x, " LONG_NAME ":1}<tool_call|>"},
    {"gemma4", "<|tool_call>call:f{a:<|\"|>x, <|\"|>" LONG_NAME LONG_NAME
               "<|\"|>:1}<tool_call|>"},
    {"gemma4", "<|tool_call>call:f{a:<|\"|>x," BLANKS BLANKS BLANKS BLANKS
               "b:1}<tool_call|>"},
    {"gemma4",
     "<|tool_call>call:f{a:x," BLANKS BLANKS BLANKS BLANKS "b:1}<tool_call|>"},
    /* Strings in quotes. */
    {"gemma4", "<|tool_call>call:f{a:\"\\ud800x\",b:'\\udc00'}<tool_call|>"},
    {"gemma4", "<|tool_call>call:f{a:\"x\"<|\"|>,b:1}<tool_call|>"},
    {"gemma4", "<|tool_call>call:f{a:\"x\"<|\"|>}<tool_call|>"},
    {"gemma4",
     "<|tool_call>call:f{a:\"x<tool_call|>" BLANKS "y\"}<tool_call|>"},
    {"gemma4", "<|tool_call>call:f{<|\"|> {\"a\":1} <|\"|>}<tool_call|>"},
    {"gemma4", "<|tool_call>call:f{<|\"|>{\"a\":1} x<|\"|>}<tool_call|>"},
    {"gemma4", "<|tool_call>call:f{\"{\\\"a\\\":1}\"}<tool_call|>"},
    {"gemma4", "<|tool_call>call:f{<|\"|>{\"a\" true}<|\"|>}<tool_call|>"},
    {"gemma4", "<|tool_call>call:f{<|\"|>{\"a\":True}<|\"|>}<tool_call|>"},
    /* What is ill-formed UTF-8 is no object, whatever the quotes are. */
    {"gemma4", "<|tool_call>call:f{'{\"\xED\xA0\x80z\": 1}'}<tool_call|>"},
    {"gemma4",
     "<|tool_call>call:f{\"{\\\"a\\\": \\\"\xFF\\\"}\"}<tool_call|>"},
    {"gemma4", "<|tool_call>call:f{<|\"|>{\"\xFF\":1}<|\"|>}<tool_call|>"},
};

Test(regressions, gemma4_soups)
{
    check_found(rows, sizeof rows / sizeof *rows);
}
