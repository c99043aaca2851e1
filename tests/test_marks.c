/* SPDX-License-Identifier: MIT
 *
 * Section 3, marks: TEXT holds no marker, but the JSON or DSL inside a call
 * is read as usual; CONTROL is exactly one marker; where a marker is ordinary
 * text to the model's tokenizer, TEXT counts as UNKNOWN for it.
 */
#include <criterion/criterion.h>
#include <stdio.h>
#include <string.h>

#include "support/decoding.h"
#include "support/fragments.h"

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

/* ---- calls without their opening marker --------------------------------- */

#define BARE "{\"name\": \"f\", \"arguments\": {}}"

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
    {"harmony",
     "diag[missing_message@14] call[f call_0] args[{}] complete",
     {U("to=functions.f{}")}},
    {"harmony",
     "diag[missing_header@0] text[to=functions.f{}]",
     {T("to=functions.f{}")}},
    {"harmony",
     "diag[missing_header@0] text[to=functions.f{}]",
     {U("to=functions.f"), T("{"), U("}")}},
    {"harmony", "diag[missing_header@0] text[to=f.g]", {T("to=f.g")}},
    {"harmony",
     "text[a] diag[missing_header@35] text[ to=functions.f{}]",
     {C("<|channel|>"), T("final"), C("<|message|>"), T("a"), C("<|end|>"),
      T(" to=functions.f{}")}},
    /* A header's marker is one. */
    {"harmony",
     "diag[missing_message@37] call[f call_0] args[{}] complete",
     {C("<|channel|>"), T("commentary to=functions.f {}")}},
    {"harmony",
     "call[f call_0] args[{}] complete",
     {T(" to=functions.f"), C("<|channel|>"), T("commentary json"),
      C("<|message|>"), T("{}"), C("<|call|>")}},
    {"hermes",
     "diag[missing_call_open@0] call[f call_0] args[{}] complete",
     {U(BARE "</tool_call>")}},
    {"hermes", "text[" BARE "</tool_call>]", {T(BARE "</tool_call>")}},
    {"hermes", "text[" BARE "</tool_call>]", {U(BARE), C("</tool_call>")}},
    {"hermes", "text[" BARE "</tool_call>]", {U(BARE "</tool_call"), T(">")}},
    {"hermes",
     "text[ " BARE "</tool_call>]",
     {T(" "), U(BARE "</tool_call>")}},
    {"hermes",
     "diag[missing_call_open@0] call[f call_0] args[{}] complete text[ Hi]",
     {U(BARE "</tool_call>"), T(" Hi")}},
    {"nemotron", "text[[" BARE "]</TOOLCALL>]", {T("[" BARE "]</TOOLCALL>")}},
    {"mistral", "text[f[ARGS]{}]", {T("f"), C("[ARGS]"), T("{}")}},
};

Test(marks, bare_calls)
{
    CHECK_ALL(bare, false);
}

/* Behind a prompt that opened the call, nothing is missing. */
Test(marks, a_call_that_the_prompt_opened)
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

/* An option that asks for them has them. */
Test(marks, stripped)
{
    static const marked pieces[] = {T("assistant to=functions.f{}")};
    tw_decoder *decoder = decoder_of("harmony");
    event_log log = {0};
    tw_decoder_set(decoder, TW_OPTION_RECOVER_STRIPPED, 1);
    decode_marked(&log, decoder, pieces, 1, 0);
    cr_expect(log_is(&log, "diag[stripped_markers@0] diag[missing_message@24] "
                           "call[f call_0] args[{}] complete"));
    event_log_free(&log);
    tw_decoder_free(decoder);
}

/* ---- soups -------------------------------------------------------------- */

enum { SOUPS = 3000, PARTS = 10 };

static uint32_t below(uint64_t *state, uint32_t count)
{
    *state =
        *state * UINT64_C(6364136223846793005) + UINT64_C(1442695040888963407);
    return (uint32_t)(*state >> 33) % count;
}

static bool is_marker(const tw_format *format, const char *text)
{
    const tw_marker *marker;
    bool found = false;
    for (size_t i = 0; tw_format_marker(format, i, &marker) == 1; i++) {
        found |= strcmp(marker->text, text) == 0;
    }
    return found;
}

/* Some pieces of a set; returns the offset of the first that is not UNKNOWN.
 */
static size_t cook(const fragments *set, uint64_t *state, bool all_text,
                   marked *pieces, size_t *count)
{
    const tw_format *format = tw_format_find(set->wire);
    size_t first = SIZE_MAX;
    size_t at = 0;
    *count = 1 + below(state, PARTS);
    for (size_t i = 0; i < *count; i++) {
        const char *text = below(state, 2) == 0
                               ? set->texts[below(state, set->text_count)]
                               : set->parts[below(state, set->part_count)];
        const uint32_t kind = all_text ? 1 : below(state, 6);
        pieces[i].text = text;
        pieces[i].mark = kind == 1 ? TW_MARK_TEXT
                         : kind < 4 && is_marker(format, text)
                             ? TW_MARK_CONTROL
                             : TW_MARK_UNKNOWN;
        if (pieces[i].mark != TW_MARK_UNKNOWN && first == SIZE_MAX) {
            first = at;
        }
        at += strlen(text);
    }
    return first;
}

/* No cut matters, and no call lacks its opening marker behind a mark. */
static const char *soup_fault(const event_log *whole, const event_log *other,
                              size_t first)
{
    if (!event_log_same(whole, other)) {
        return "a cut changes the events";
    }
    for (size_t i = 0; i < whole->count; i++) {
        const event_record *event = &whole->events[i];
        if (event->type == TW_EVENT_DIAGNOSTIC &&
            event->code == TW_DIAGNOSTIC_MISSING_CALL_OPEN &&
            event->offset >= first) {
            return "a bare call behind a mark";
        }
    }
    return NULL;
}

/* Text makes no block where no tokenizer matches a marker in it. */
static const char *text_fault(const fragments *set, const event_log *log)
{
    const bool literal =
        strcmp(set->wire, "hermes") == 0 || strcmp(set->wire, "nemotron") == 0;
    for (size_t i = 0; i < log->count && !literal && !set->stripped; i++) {
        if (log->events[i].type == TW_EVENT_CALL_BEGIN ||
            log->events[i].type == TW_EVENT_UNPARSED) {
            return "text makes a block";
        }
    }
    return NULL;
}

static void check_soups(const char *name)
{
    const fragments *set = fragments_of(name);
    tw_decoder *decoder = decoder_of(set->wire);
    event_log whole = {0};
    event_log other = {0};
    uint64_t state = 1;
    marked pieces[PARTS];
    size_t count;
    tw_decoder_set(decoder, TW_OPTION_START_REASONING, set->reasoning);
    tw_decoder_set(decoder, TW_OPTION_RECOVER_STRIPPED, set->stripped);
    for (size_t i = 0; i < SOUPS; i++) {
        const bool all_text = i % 4 == 0;
        const size_t first = cook(set, &state, all_text, pieces, &count);
        decode_marked(&whole, decoder, pieces, count, 0);
        decode_marked(&other, decoder, pieces, count, 1 + i % 3);
        const char *wrong = soup_fault(&whole, &other, first);
        wrong = wrong == NULL && all_text ? text_fault(set, &whole) : wrong;
        for (size_t at = 0; at < count && wrong != NULL; at++) {
            fprintf(stderr, "%d %s\n", (int)pieces[at].mark, pieces[at].text);
        }
        if (wrong != NULL) {
            event_log_print(&whole);
            event_log_print(&other);
        }
        cr_assert_null(wrong, "%s, soup %zu: %s", name, i, wrong);
    }
    event_log_free(&whole);
    event_log_free(&other);
    tw_decoder_free(decoder);
}

Test(marks, soups)
{
    static const char *const sets[] = {
        "gemma4",   "gemma4-reasoning",   "hermes",  "hermes-reasoning",
        "nemotron", "nemotron-reasoning", "mistral", "mistral-reasoning",
        "harmony",  "harmony-stripped"};
    for (size_t i = 0; i < sizeof sets / sizeof *sets; i++) {
        check_soups(sets[i]);
    }
}

/* ---- CONTROL ------------------------------------------------------------ */

/* Fed as CONTROL or as UNKNOWN, a marker means the same, whatever stands
 * around it. */
static void check_control(const rich_text *row)
{
    const tw_format *format = tw_format_find(row->format);
    tw_decoder *decoder = decoder_of(row->format);
    event_log whole = {0};
    event_log other = {0};
    const size_t size = strlen(row->text);
    decode(&whole, decoder, row->text, size, 0);
    tw_decoder_reset(decoder);
    for (size_t at = 0; at < size;) {
        const tw_marker *marker = NULL;
        size_t step = 0;
        for (size_t i = 0;
             step == 0 && tw_format_marker(format, i, &marker) == 1; i++) {
            if (strncmp(row->text + at, marker->text, marker->size) == 0) {
                step = marker->size;
            }
        }
        cr_assert_eq(
            tw_decoder_feed(decoder, row->text + at, step > 0 ? step : 1,
                            step > 0 ? TW_MARK_CONTROL : TW_MARK_TEXT),
            TW_OK);
        event_log_drain(&other, decoder);
        at += step > 0 ? step : 1;
    }
    tw_decoder_finish(decoder, TW_FINISH_STOP);
    event_log_drain(&other, decoder);
    cr_expect(event_log_same(&whole, &other), "%s", row->format);
    event_log_free(&whole);
    event_log_free(&other);
    tw_decoder_free(decoder);
}

Test(marks, control)
{
    for (size_t i = 0; i < RICH_TEXTS; i++) {
        check_control(&rich_texts[i]);
    }
}
