/* SPDX-License-Identifier: MIT
 *
 * Gemma 4: marks (checks/marks.h).
 */
#include "checks/marks.h"

#include <string.h>

static const marked_text rows[] = {
    /* Markers in text are text. */
    {"gemma4",
     "text[Write <|tool_call>call:f{a:1}<tool_call|> or <turn|>, <eos>.]",
     {T("Write <|tool_call>call:f{a:1}<tool_call|> or <turn|>, <eos>.")}},
    {"gemma4",
     "text[<|channel>thought\nhm<channel|>Hi]",
     {T("<|channel>thought\nhm<channel|>Hi")}},
    {"gemma4", "text[<|turn>model\nHi]", {T("<|turn>model\nHi")}},
    {"gemma4", "text[Hi <|tool_ca]", {T("Hi <|tool_ca")}},
    /* The DSL of a call is read as usual. */
    {"gemma4",
     "call[f call_0] args[{\"a\":1,\"b\":[true,\"x\"]}] complete",
     {C("<|tool_call>"), T("call:f{a:1,b:[true,"), C("<|\"|>"), T("x"),
      C("<|\"|>"), T("]}"), C("<tool_call|>")}},
    /* Delimiters, close markers and stop markers inside a string are data. */
    {"gemma4",
     "call[f call_0] args[{\"a\":\"x <|\\\"|>,b:<|\\\"|>y}<tool_call|>"
     "<turn|>\"}] complete",
     {C("<|tool_call>"), T("call:f{a:"), C("<|\"|>"),
      T("x <|\"|>,b:<|\"|>y}<tool_call|><turn|>"), C("<|\"|>"), T("}"),
      C("<tool_call|>")}},
    {"gemma4",
     "call[f call_0] args[{\"a\":\"x\"}] complete call[g call_1] "
     "args[{\"b\":\"<|tool_call>call:h{}\"}] complete",
     {C("<|tool_call>"), U("call:f{a:<|\"|>x<|\"|>}<tool_call|>"),
      C("<|tool_call>"), U("call:g{b:<|\"|>"), T("<|tool_call>call:h{}"),
      U("<|\"|>}<tool_call|>")}},
    {"gemma4",
     "reasoning[hm <channel|> hm] text[Hi]",
     {U("<|channel>thought\nhm "), T("<channel|>"), U(" hm<channel|>Hi")}},
    /* Half a marker of each kind is none. */
    {"gemma4",
     "text[<|tool_call>call:f{} a]",
     {U("<|tool_"), T("call>call:f{} a"), C("<turn|>")}},
    {"gemma4",
     "text[<|tool_call>call:f{} a]",
     {T("<|tool_"), U("call>call:f{} a")}},
    /* A repair needs its markers, too. */
    {"gemma4",
     "call[f call_0] args[{\"a\":1] diag[trailing_comma@22] args[}] complete",
     {C("<|tool_call>"), T("call:f{a:1,}"), C("<tool_call|>")}},
};

Test(marks, gemma4)
{
    check_marks(rows, sizeof rows / sizeof *rows, false);
}

/* A block in open reasoning is held: its marks with it (R10). */
static const marked_text in_reasoning[] = {
    {"gemma4",
     "reasoning[hm] diag[call_in_reasoning@3] call[f call_0] "
     "args[{\"a\":\"<channel|>\"}] complete",
     {T("hm "), C("<|tool_call>"), T("call:f{a:"), C("<|\"|>"),
      T("<channel|>"), C("<|\"|>"), T("}"), C("<tool_call|>")}},
    {"gemma4",
     "reasoning[hm <|tool_call>call:f{a:<|\"|>x<|\"|>}<tool_call|>] text[Hi]",
     {T("hm <|tool_call>call:f{a:<|\"|>x<|\"|>}<tool_call|>"), C("<channel|>"),
      T("Hi")}},
};

Test(marks, gemma4_in_reasoning)
{
    check_marks(in_reasoning, sizeof in_reasoning / sizeof *in_reasoning,
                true);
}

/* Who says of a byte in front of or in a call's head what it is knows that
 * the marker was not there. */
static const marked_text bare[] = {
    {"gemma4",
     "diag[missing_call_open@0] call[f call_0] args[{}] complete "
     "diag[missing_call_close@8]",
     {U("call:f{}")}},
    {"gemma4", "text[call:f{}]", {T("call:f{}")}},
    {"gemma4", "text[call:f{}]", {U("call:"), T("f{}")}},
    {"gemma4", "text[call:f{}]", {U("call:f"), T("{"), U("}")}},
    {"gemma4", "text[call:f{}]", {T("cal"), U("l:f{}")}},
    {"gemma4",
     "reasoning[hm] text[call:f{}]",
     {C("<|channel>"), U("thought\nhm<channel|>call:f{}")}},
    {"gemma4",
     "call[f call_0] args[{}] complete text[call:g{}]",
     {C("<|tool_call>"), T("call:f{}"), C("<tool_call|>"), T("call:g{}")}},
    /* What comes behind the head is the call's. */
    {"gemma4",
     "diag[missing_call_open@0] call[f call_0] args[{\"a\":1}] complete "
     "diag[missing_call_close@11]",
     {U("call:f{"), T("a:1}")}},
    /* The marker of the block opens all calls in it. */
    {"gemma4",
     "call[f call_0] args[{}] complete diag[calls_share_block@20] "
     "call[g call_1] args[{}] complete",
     {C("<|tool_call>"), T("call:f{}call:g{}"), C("<tool_call|>")}},
};

Test(marks, gemma4_bare_calls)
{
    check_marks(bare, sizeof bare / sizeof *bare, false);
}

/* Behind a prompt that opened the call, nothing is missing. */
Test(marks, gemma4_a_call_that_the_prompt_opened)
{
    static const marked pieces[] = {T("f{a:1}"), C("<tool_call|>")};
    static const char tail[] = "<|turn>model\n<|tool_call>call:";
    tw_decoder *decoder = decoder_of("gemma4");
    event_log log = {0};
    tw_decoder_set(decoder, TW_OPTION_KEEP_RAW, 0);
    cr_assert_eq(tw_decoder_set_prompt(decoder, tail, sizeof tail - 1), TW_OK);
    for (size_t i = 0; i < 2; i++) {
        cr_assert_eq(tw_decoder_feed(decoder, pieces[i].text,
                                     strlen(pieces[i].text), pieces[i].mark),
                     TW_OK);
        event_log_drain(&log, decoder);
    }
    tw_decoder_finish(decoder, TW_FINISH_STOP);
    event_log_drain(&log, decoder);
    cr_expect(log_is(&log, "call[f call_0] args[{\"a\":1}] complete"));
    event_log_free(&log);
    tw_decoder_free(decoder);
}
