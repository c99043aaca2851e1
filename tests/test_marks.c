/* SPDX-License-Identifier: MIT
 *
 * Section 3, marks: TEXT holds no marker, but the JSON or DSL inside a call
 * is read as usual; CONTROL is exactly one marker; where a marker is ordinary
 * text to the model's tokenizer, TEXT counts as UNKNOWN for it.
 */
#include <criterion/criterion.h>
#include <string.h>

#include "each_format.h"
#include "support/cases.h"
#include "support/decoding.h"

enum { PIECES = 12 };

#define T(text)            \
    {                      \
        TW_MARK_TEXT, text \
    }
#define U(text)               \
    {                         \
        TW_MARK_UNKNOWN, text \
    }
#define C(text)               \
    {                         \
        TW_MARK_CONTROL, text \
    }

typedef struct marked_text {
    const char *format;
    const char *words;
    marked pieces[PIECES]; /* up to the first without a text */
} marked_text;

static size_t count_of(const marked_text *row)
{
    size_t count = 0;
    while (count < PIECES && row->pieces[count].text != NULL) {
        count++;
    }
    return count;
}

static size_t size_of(const marked_text *row)
{
    size_t size = 0;
    for (size_t i = 0; i < count_of(row); i++) {
        size += strlen(row->pieces[i].text);
    }
    return size;
}

static void check(const marked_text *row, size_t number, bool reasoning)
{
    tw_decoder *decoder = decoder_of(row->format);
    event_log whole = {0};
    event_log other = {0};
    tw_decoder_set(decoder, TW_OPTION_START_REASONING, reasoning);
    decode_marked(&whole, decoder, row->pieces, count_of(row), 0);
    cr_expect(log_is(&whole, row->words), "%s %zu", row->format, number);
    const char *wrong = event_log_check(&whole, size_of(row));
    cr_expect_null(wrong, "%s %zu: %s", row->format, number, wrong);
    for (size_t chunk = 1; chunk < 24; chunk++) {
        decode_marked(&other, decoder, row->pieces, count_of(row), chunk);
        cr_expect(event_log_same(&whole, &other), "%s %zu: pieces of %zu",
                  row->format, number, chunk);
    }
    event_log_free(&whole);
    event_log_free(&other);
    tw_decoder_free(decoder);
}

#define CHECK_ALL(rows, reasoning)                            \
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) { \
        check(&rows[i], i, reasoning);                        \
    }

/* ---- Gemma -------------------------------------------------------------- */

static const marked_text gemma4[] = {
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
    CHECK_ALL(gemma4, false);
}

/* A block in open reasoning is held: its marks with it (R10). */
static const marked_text gemma4_reasoning[] = {
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
    CHECK_ALL(gemma4_reasoning, true);
}

/* ---- Harmony ------------------------------------------------------------ */

#define HEADER                                                    \
    "<|channel|>commentary to=functions.lookup <|constrain|>json" \
    "<|message|>"

static const marked_text harmony[] = {
    /* The case h-m11: with the quoted marker as TEXT, the call is right. */
    {"harmony",
     "call[lookup call_0] args[{\"q\":\"see <|call|> token\"}] complete",
     {U(HEADER "{\"q\":\"see "), T("<|call|>"), U(" token\"}<|call|>")}},
    {"harmony",
     "call[lookup call_0] args[{\"q\":\"see <|call|> token\"}] complete",
     {C("<|channel|>"), T("commentary to=functions.lookup "),
      C("<|constrain|>"), T("json"), C("<|message|>"),
      T("{\"q\":\"see <|call|> token\"}"), C("<|call|>")}},
    {"harmony",
     "text[<|start|>assistant<|channel|>analysis<|message|>a<|end|>]",
     {C("<|channel|>"), T("final"), C("<|message|>"),
      T("<|start|>assistant<|channel|>analysis<|message|>a<|end|>"),
      C("<|return|>")}},
    {"harmony",
     "reasoning[a<|end|>] text[b]",
     {U("<|channel|>analysis<|message|>a"), T("<|end|>"),
      U("<|end|><|start|>assistant<|channel|>final<|message|>b<|return|>")}},
    {"harmony",
     "call[lookup call_0] args[{\"q\": 1] diag[trailing_comma@77] args[}] "
     "complete",
     {U(HEADER), T("{\"q\": 1,}"), C("<|call|>")}},
    /* A free text tool. */
    {"harmony",
     "call[python call_0] args[print('<|call|>')] complete",
     {U("<|channel|>analysis to=python code<|message|>"),
      T("print('<|call|>')"), C("<|call|>")}},
    /* Words of a header. */
    {"harmony",
     "call[lookup call_0] args[{}] complete",
     {C("<|channel|>"), T("commentary to=functions.lookup <|channel|>final"),
      C("<|message|>"), T("{}"), C("<|call|>")}},
    /* The output ends in text that looks like half a marker. */
    {"harmony",
     "text[a <|en]",
     {C("<|channel|>"), T("final"), C("<|message|>"), T("a <|en")}},
    /* Half a marker of each kind. */
    {"harmony",
     "text[a <|end|> b]",
     {U("<|channel|>final<|message|>a <|en"), T("d|> b"), C("<|end|>")}},
};

Test(marks, harmony)
{
    CHECK_ALL(harmony, false);
}

/* ---- Hermes ------------------------------------------------------------- */

#define CALL                                                      \
    "<tool_call>\n{\"name\": \"f\", \"arguments\": {\"a\": 1}}\n" \
    "</tool_call>"

static const marked_text hermes[] = {
    /* Tokenizers match these tags in ordinary text, too. */
    {"hermes",
     "reasoning[hm] text[Hi] call[f call_0] args[{\"a\": 1}] complete",
     {T("<think>\nhm\n</think>\n\nHi\n" CALL)}},
    {"hermes",
     "call[f call_0] args[{\"a\": 1}] complete",
     {T("<tool_"), U("call>\n{\"name\": \"f\", \"arguments\": {\"a\": 1}}\n<"),
      T("/tool_call>"), C("<|im_end|>")}},
    {"hermes",
     "call[f call_0] args[{\"a\": 1}] complete",
     {C("<tool_call>"), T("\n{\"name\": \"f\", \"arguments\": {\"a\": 1}}\n"),
      C("</tool_call>"), C("<|im_end|>")}},
    /* But not the stop markers. */
    {"hermes",
     "text[a <|im_end|> b <|endoftext|> c <|eot_id|>]",
     {T("a <|im_end|> b <|endoftext|> c <|eot_id|>"), C("<|im_end|>")}},
    {"hermes", "text[a] drop[output_after_end@12+1]", {U("a<|im_end|> b")}},
    {"hermes",
     "reasoning[hm <|im_end|> hm] text[b]",
     {T("<think>\nhm <|im_end|> hm\n</think>\n\nb")}},
    {"hermes",
     "call[f call_0] args[{\"a\": \"<|im_end|>\"}] complete",
     {T("<tool_call>\n{\"name\": \"f\", \"arguments\": {\"a\": "
        "\"<|im_end|>\"}}\n</tool_call>"),
      C("<|im_end|>")}},
};

Test(marks, hermes)
{
    CHECK_ALL(hermes, false);
}

static const marked_text hermes_reasoning[] = {
    {"hermes",
     "reasoning[hm ] diag[call_in_reasoning@3] call[f call_0] "
     "args[{\"a\": \"<|im_end|>\"}] complete",
     {T("hm <tool_call>\n{\"name\": \"f\", \"arguments\": {\"a\": "
        "\"<|im_end|>\"}}\n</tool_call>"),
      C("<|im_end|>")}},
    {"hermes",
     "reasoning[hm <|im_end|>" CALL "] text[Hi]",
     {T("hm <|im_end|>" CALL "</think>Hi")}},
    /* What looks ahead knows the marks, too: the output does not end here. */
    {"hermes",
     "reasoning[hm " CALL "<|im_end|> no] text[Hi]",
     {U("hm " CALL), T("<|im_end|>"), U(" no</think>Hi")}},
    {"hermes",
     "reasoning[hm " CALL "<|im_end|> no]",
     {U("hm " CALL), T("<|im_end|>"), U(" no")}},
};

Test(marks, hermes_in_reasoning)
{
    CHECK_ALL(hermes_reasoning, true);
}

/* ---- CONTROL ------------------------------------------------------------ */

/* Fed as CONTROL or as UNKNOWN, a marker means the same, whatever stands
 * around it. */
static void check_control(const conformance_case *one)
{
    tw_decoder *decoder = case_decoder(one, false);
    event_log whole = {0};
    event_log other = {0};
    decode(&whole, decoder, one->text, one->size, 0);
    tw_decoder_reset(decoder);
    for (size_t at = 0; at < one->size;) {
        const tw_marker *marker = NULL;
        size_t step = 0;
        for (size_t i = 0;
             step == 0 && tw_format_marker(one->format, i, &marker) == 1;
             i++) {
            if (strncmp(one->text + at, marker->text, marker->size) == 0) {
                step = marker->size;
            }
        }
        cr_assert_eq(
            tw_decoder_feed(decoder, one->text + at, step > 0 ? step : 1,
                            step > 0 ? TW_MARK_CONTROL : TW_MARK_TEXT),
            TW_OK);
        event_log_drain(&other, decoder);
        at += step > 0 ? step : 1;
    }
    tw_decoder_finish(decoder, TW_FINISH_STOP);
    event_log_drain(&other, decoder);
    cr_expect(event_log_same(&whole, &other), "%s", one->id);
    event_log_free(&whole);
    event_log_free(&other);
    tw_decoder_free(decoder);
}

EachFormat(marks, control, "decode")
{
    conformance_each(CONFORMANCE_FOLDER, format->text, check_control);
}
