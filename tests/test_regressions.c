/* SPDX-License-Identifier: MIT
 *
 * What random soups and fuzzing once found, cut everywhere and as the naive
 * decoder says.
 */
#include <criterion/criterion.h>
#include <string.h>

#include "support/agree.h"
#include "support/decoding.h"
#include "support/fragments.h"

#define TWENTY "aaaaaaaaaaaaaaaaaaaa"
#define B60 TWENTY_BLANKS TWENTY_BLANKS TWENTY_BLANKS
#define TWENTY_BLANKS "                    "
#define BLANKS B60 B60 B60 B60 B60 /* more than are held beside a call */
#define LONG_NAME                                                         \
    TWENTY TWENTY TWENTY TWENTY TWENTY TWENTY TWENTY TWENTY TWENTY TWENTY \
        TWENTY TWENTY TWENTY

typedef struct found {
    const char *set; /* of fragments */
    const char *text;
} found;

static const found rows[] = {
    /* A backslash in front of a stripped header waited for what it escapes,
     * which no longer came. */
    {"harmony-stripped",
     "assistant to=functions.f0{}\\assistant to=functions.fanalysis"
     "<|channel|>analysis<|message|>a<|call|>"},
    {"harmony-stripped", "assistant to=functions.f{}\xEF\xBB"
                         "assistantfinal b"},
    /* Half a terminator behind what may have become a stripped header. */
    {"harmony-stripped",
     "assistantcommentary to=functions.fjson{\"a\": 1}assista<|sta"},
    /* Behind half a pair stands a cut-off escape that cannot be the other. */
    {"gemma4", "<|tool_call>call:f{k:'\\ud96d\\u96d"},
    /* A body that is an empty string. */
    {"gemma4", "<|tool_call>call:f{\"\"}<tool_call|>"},
    /* A closer behind a scalar is one where what follows it says so; a comma
     * in a string is no key's; a doubled brace inside the arguments. */
    {"gemma4", "<|tool_call>call:f{a:[1]x,2]}<tool_call|>"},
    {"gemma4", "<|tool_call>call:f{a:<|\"|>x,b<c:<|\"|>,d:1}<tool_call|>"},
    {"hermes", "<tool_call>\n{\"name\": \"f\", \"arguments\": "
               "{\"x\":{\"a\":{{\"b\":1}},\"c\":2}}}\n</tool_call>"},
    /* Is the text over with the name?  Both are ill-formed UTF-8. */
    {"harmony",
     " to=functions.g 007tool to=\xFF<|start|>\xFF\"a\": 1to=functions.f"
     "\"\\d<|\\'\xE2\x82"},
    {"harmony", "\x0Btruecomment\"a\",}<|call|> to=assistant<|start|>word \xFF"
                "to=functions.f to=\xE2\x82\xE2\x80\x8B\xC2\xA0\xC3"},
    /* A call that a limit refuses may end oddly, too. */
    {"harmony", "<|channel|>commentary to=functions." LONG_NAME
                "<|message|>{\"a\": 1}<|end|>"},
    /* A string is not empty because a bad call's is not looked at. */
    {"hermes", "<tool_call>\n{\"name\": \"" LONG_NAME
               "\", \"arguments\": \"bhr{u\"aro\"}\n</tool_call>"},
    /* Nor is it read a second time for what is odd in it. */
    {"hermes", "<tool_call>\n{\"name\": \"" LONG_NAME
               "\", \"arguments\": \"{\\\"\x01r\\\":\xFF"},
    /* A name that is too long is not known. */
    {"hermes", "<tool_call>\n{\"name\": \"" LONG_NAME
               "\", \"arguments\": {}}\n</tool_call>"},
    /* Where a body of tags may end: in its name, between tags, in a key; and
     * what in it may be too long.  Coverage had these lines as not run. */
    {"hermes", "<tool_call>\n<function=f<|im_end|>"},
    {"hermes", "<tool_call>\n<function=f</tool_ca"},
    {"hermes", "<tool_call>\n<function=f<x>"},
    {"hermes", "<tool_call>\n<function=f>\n<|im_end|>"},
    {"hermes", "<tool_call>\n<function=f>\n</tool_"},
    {"hermes", "<tool_call>\n<function=f>\n<parameter=a>\n1\n</parameter>"
               "\n<|eot_id|>"},
    {"hermes", "<tool_call>\n<function=" LONG_NAME ">\n</function>"
               "</tool_call>"},
    {"hermes", "<tool_call>\n<function=f>\n<parameter=" LONG_NAME LONG_NAME
               ">1</parameter></function></tool_call>"},
    {"hermes", "<tool_call>f\n<arg_key>" LONG_NAME "</arg_key>"
               "<arg_value>1</arg_value></tool_call>"},
    {"hermes", "<tool_call>f\n<arg_key>a</arg_key>\n<|im_end|>"},
    {"nemotron", "<TOOLCALL>[{\"name\": \"f\"}, <SPECIAL_12>"},
    /* A word begins a value only when it is complete. */
    {"hermes", "<tool_call>{\"name\":\"f\",\"parameters\":F{}}</tool_call>"},
    {"hermes", "<tool_call>{\"name\":\"f\",\"parameters\":tru</tool_call>"},
    {"hermes", "<tool_call>{\"name\":\"f\",\"parameters\":null}</tool_call>"},
    /* What is in a bad call's string nobody reads, in either quotes. */
    {"nemotron", "<TOOLCALL>[{\"name\": \"a\\u0000\", \"arguments\": "
                 "'{\"x\": 2}}'}]</TOOLCALL>"},
    {"mistral",
     "[TOOL_CALLS]f[CALL_ID]" TWENTY TWENTY TWENTY TWENTY "[ARGS]{}"},
    {"mistral", "[TOOL_CALLS]f[CALL_ID]" TWENTY TWENTY TWENTY "aaaa"
                "[ARGS]{}"},
    {"mistral", "[TOOL_CALLS]" LONG_NAME "[ARGS]{}[TOOL_CALLS]g[ARGS]{}"},
    /* A head that is too long to be waited for, but no head in the end. */
    {"mistral", "[TOOL_CALLS]" LONG_NAME LONG_NAME LONG_NAME LONG_NAME " x"},
    {"mistral", "[TOOL_CALLS]" LONG_NAME LONG_NAME LONG_NAME LONG_NAME},
    {"mistral",
     "[TOOL_CALLS]f[CALL_ID]" LONG_NAME LONG_NAME LONG_NAME LONG_NAME
     "[ARGS]{}"},
    {"mistral", "[TOOL_CALLS]" TWENTY TWENTY LONG_NAME LONG_NAME LONG_NAME
                "                                                        "
                "                                                        "
                "                                                        "
                "                                                        "
                "x"},
    /* A second name, in front of the arguments and behind them. */
    {"hermes", "<tool_call>\n{\"name\": \"f\", \"arguments\": {\"a\": 1}, "
               "\"name\": \"f\"}\n</tool_call>"},
    {"hermes", "<tool_call>\n{\"name\": \"f\", \"arguments\": {\"a\": 1}, "
               "\"name\": \"g\"}\n</tool_call>"},
    {"hermes", "<tool_call>\n{\"name\": \"f\", \"arguments\": {}, "
               "\"name\": \"\"}\n</tool_call>"},
    {"hermes", "<tool_call>\n{\"name\": \"f\", \"name\": \"g\", "
               "\"arguments\": {}}\n</tool_call>"},
    {"hermes", "<tool_call>\n{\"name\": \"a\\u0000b\", \"arguments\": {}}"
               "\n</tool_call>"},
    {"hermes",
     "<tool_call>\n{\"id\": \"" LONG_NAME LONG_NAME LONG_NAME LONG_NAME
     "\", \"name\": \"f\", \"arguments\": {}}\n</tool_call>"},
    {"hermes",
     "<tool_call>\n{\"name\": \"f\", \"arguments\": 7\n</tool_call>"},
    {"hermes", "<tool_call>\n{\"arguments\": {}, \"name\": 7\n</tool_call>"},
    {"hermes", "<tool_call>\n{\"name\": \"f\", \"arguments\": {\"a\": [1"
               "\n</tool_call>"},
    {"hermes", "<tool_call>\n{\"name\": \"f\", \"arguments\": \"{\\\"a\\\":"
               " [[1\"}\n</tool_call>"},
    {"hermes", "<tool_call>\n{\"name\": \"f\", \"arguments\": {}, \"n\": 1"
               "</tool_call>"},
    {"hermes",
     "<tool_call>\n{\"id\": \"" LONG_NAME LONG_NAME LONG_NAME LONG_NAME
     "\", \"name\": \"f\"\n</tool_call>"},
    {"hermes", "<tool_call> \n x\n{\"name\": \"f\", \"arguments\": {}}"
               "</tool_call>"},
    {"hermes", "<tool_call>\n \t Sure: \n{\"name\": \"f\"}</tool_call>"},
    {"hermes", "<tool_call>{\"name\": \"f\", \"arguments\": {\"a\" true}}"
               "</tool_call>"},
    {"hermes", "<tool_call>{\"name\": \"f\", \"arguments\": {True: 1}}"
               "</tool_call>"},
    {"hermes", "<tool_call>{\"name\": \"f\", \"arguments\": {\"a\": [1 null]}}"
               "</tool_call>"},
    /* Blanks that a marker parts. */
    {"hermes", "Hi" BLANKS "</tool_call>" BLANKS "</tool_call>" BLANKS "x"},
    {"hermes", BLANKS "</tool_call>" BLANKS "x"},
    {"gemma4", "Hi" BLANKS "<tool_call|>" BLANKS "<tool_call|>" BLANKS "x"},
    {"gemma4", "x" B60 B60 "<tool_call|>" B60 B60 "<tool_call|>" B60 "x"},
    {"hermes", B60 B60 "</tool_call>" B60 B60 "</tool_call>" B60 "x"},
    {"mistral", B60 B60 "[/THINK]" B60 B60 "[/THINK]" B60 "x"},
    {"mistral", "x" B60 B60 "[/THINK]" B60 B60 "[/THINK]" B60 "x"},
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
    /* Arguments in doubled braces, and what stands behind arguments. */
    {"harmony", "<|channel|>commentary to=functions.f<|message|>{{\"a\": 1}}"
                "<|call|>"},
    {"harmony", "<|channel|>commentary to=functions.f<|message|>{{\"a\": 1} }"
                "<|call|>"},
    {"harmony", "<|channel|>commentary to=functions.f<|message|>{} \xE2\x80"
                "<|call|>"},
    {"harmony", "<|channel|>commentary to=functions.f<|message|>{}\xE2\x80"},
    {"harmony", "<|channel|>commentary to=functions.f<|message|>{}\\"},
    {"harmony", "<|channel|>final<|message|>a<|start|><|start|><|start|>"
                "<|start|><|start|><|start|><|start|><|start|><|start|>"
                "<|start|><|start|><|start|><|start|><|start|><|start|>"
                "<|start|><|start|><|start|><|start|><|start|><|start|>"
                "<|start|><|start|><|start|><|start|><|start|><|start|>"
                "<|start|><|start|><|start|><|start|><|start|><|start|>"
                "<|start|><|start|><|start|><|start|><|start|><|start|>b"},
    {"harmony", "<|start|>assistant<|start|>a to=functions.f<|message|>{}"},
};

static void check(const found *row)
{
    const fragments *set = fragments_of(row->set);
    const naive_options options = {.start_reasoning = set->reasoning,
                                   .recover_stripped = set->stripped};
    tw_decoder *decoder = fragments_decoder(set);
    const size_t size = strlen(row->text);
    naive_message message = {0};
    event_log whole = {0};
    event_log other = {0};
    decode(&whole, decoder, row->text, size, 0);
    const char *wrong = event_log_check(&whole, size);
    cr_expect_null(wrong, "%s: %s", row->text, wrong);
    for (size_t chunk = 1; chunk < size; chunk++) {
        decode(&other, decoder, row->text, size, chunk);
        cr_expect(event_log_same(&whole, &other), "%s: pieces of %zu",
                  row->text, chunk);
    }
    set->naive(&options, row->text, size, &message);
    wrong = disagreement(&whole, &message);
    cr_expect_null(wrong, "%s: the naive decoder says another thing of %s",
                   row->text, wrong);
    naive_message_release(&message);
    event_log_free(&whole);
    event_log_free(&other);
    tw_decoder_free(decoder);
}

Test(regressions, soups)
{
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        check(&rows[i]);
    }
}
