/* SPDX-License-Identifier: MIT
 *
 * R10: set_prompt says that the prompt ended inside reasoning, inside a
 * header, or inside a forced call.  Nothing of the prompt's text is
 * delivered, offsets count from the completion, and its spans add up.
 */
#include <criterion/criterion.h>
#include <string.h>

#include "support/decoding.h"

static void decode_behind(event_log *log, tw_decoder *decoder,
                          const char *prompt, size_t prompt_size,
                          const char *text, size_t size, size_t chunk)
{
    const feeding how = {chunk, NULL, 0};
    event_log_run(log, decoder, text, size, &how, prompt, prompt_size);
}

/* What is raw of a block is left out: it has the prompt's part, too. */
static tw_decoder *new_decoder(const char *format)
{
    tw_decoder *decoder = decoder_of(format);
    tw_decoder_set(decoder, TW_OPTION_KEEP_RAW, 0);
    return decoder;
}

/* ---- tails -------------------------------------------------------------- */

typedef struct primed {
    const char *format;
    const char *prompt;
    const char *text;
    const char *words;
} primed;

static void check(const primed *row)
{
    static const size_t chunks[] = {1, 2, 7};
    tw_decoder *decoder = new_decoder(row->format);
    event_log whole = {0};
    event_log other = {0};
    const size_t size = strlen(row->text);
    decode_behind(&whole, decoder, row->prompt, strlen(row->prompt), row->text,
                  size, 0);
    cr_expect(log_is(&whole, row->words), "%s%s", row->prompt, row->text);
    const char *wrong = event_log_check(&whole, size);
    cr_expect_null(wrong, "%s%s: %s", row->prompt, row->text, wrong);
    for (size_t i = 0; i < 3; i++) {
        decode_behind(&other, decoder, row->prompt, strlen(row->prompt),
                      row->text, size, chunks[i]);
        cr_expect(event_log_same(&whole, &other), "%s%s by %zu", row->prompt,
                  row->text, chunks[i]);
    }
    event_log_free(&whole);
    event_log_free(&other);
    tw_decoder_free(decoder);
}

#define CHECK_ALL(rows)                                       \
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) { \
        check(&rows[i]);                                      \
    }

#define IM                                               \
    "<|im_start|>user\n<think>x <tool_call><|im_end|>\n" \
    "<|im_start|>assistant\n"
#define CLOSE "\n</tool_call>"

static const primed hermes[] = {
    {"hermes", IM, "Hi", "text[Hi]"},
    {"hermes", "", "Hi", "text[Hi]"},
    {"hermes", IM "<think>\n", "hm\n</think>\n\nHi", "reasoning[hm] text[Hi]"},
    {"hermes", IM "<think>\nSo ", "hm\n</think>\n\nHi",
     "reasoning[hm] text[Hi]"},
    {"hermes", IM "<think>\n\n</think>\n\n", "Hi <think>", "text[Hi <think>]"},
    {"hermes", IM "<think>\n\n</think>\n\n",
     "<tool_call>\n{\"name\": \"f\", \"arguments\": {}}" CLOSE,
     "call[f call_0] args[{}] complete"},
    {"hermes", IM "Say ", "Hi", "text[Hi]"},
    {"hermes", IM "<tool_call>\n{\"name\": \"f\", \"arguments\": ",
     "{\"a\": 1}}" CLOSE, "call[f call_0] args[{\"a\": 1}] complete"},
    {"hermes", IM "<tool_call>\n{\"name\": \"f\", \"arguments\": {\"a\": [1, ",
     "2]}}" CLOSE " Hi",
     "call[f call_0] args[{\"a\": [1, 2]}] complete text[ Hi]"},
    {"hermes", IM "<tool_call>\n{\"name\": \"",
     "f\", \"arguments\": {}}" CLOSE, "call[f call_0] args[{}] complete"},
    {"hermes", IM "<tool_call>\n{\"name\": \"get_",
     "f\", \"arguments\": {}}" CLOSE, "call[get_f call_0] args[{}] complete"},
    {"hermes", IM "<tool_call>\n",
     "{\"name\": \"f\", \"arguments\": {}}" CLOSE,
     "call[f call_0] args[{}] complete"},
    {"hermes", IM "<tool_call>",
     "\n{\"name\": \"f\", \"arguments\": {}}" CLOSE,
     "call[f call_0] args[{}] complete"},
    {"hermes", IM "<tool_call>\n{\"name\": \"f\", \"arguments\": {\"a\": \"x",
     "y\"}}" CLOSE, "call[f call_0] args[{\"a\": \"xy\"}] complete"},
    {"hermes", IM "<tool_call>\n{\"name\": \"f\", \"arguments\": {\"a\": 1",
     "2}}" CLOSE, "call[f call_0] args[{\"a\": 12}] complete"},
    {"hermes",
     IM "<tool_call>\n{\"name\": \"f\", \"arguments\": {\"a\": \"\\u",
     "00e9\"}}" CLOSE, "call[f call_0] args[{\"a\": \"\\u00e9\"}] complete"},
    {"hermes", IM "<tool_call>\n{\"name\": \"f\", \"arguments\": ", "{\"a\": ",
     "call[f call_0] diag[truncated_call@6] incomplete "
     "unparsed[truncated_call@0+6 f]"},
    /* A deviation of the completion is where it stands there. */
    {"hermes", IM "<tool_call>\n{\"name\": \"f\", \"arguments\": {\"a\": 1",
     ",}}" CLOSE,
     "call[f call_0] args[{\"a\": 1] diag[trailing_comma@0] args[}] "
     "complete"},
    {"hermes/rnj-1",
     "<|start_header_id|>assistant<|end_header_id|>\n<tool_call>\n",
     "{\"name\": \"f\", \"arguments\": {}}" CLOSE,
     "call[f call_0] args[{}] complete"},
};

Test(prompt, hermes)
{
    CHECK_ALL(hermes);
}

#define NEMOTRON "<SPECIAL_10>System\nx <TOOLCALL>\n<SPECIAL_11>Assistant\n"
#define LIST "[{\"name\": \"f\", \"arguments\": "

static const primed nemotron[] = {
    {"nemotron", NEMOTRON, "Hi", "text[Hi]"},
    {"nemotron",
     "<|start_header_id|>user<|end_header_id|>\n\n<TOOLCALL><|eot_id|>"
     "<|start_header_id|>assistant<|end_header_id|>\n\n",
     "Hi", "text[Hi]"},
    {"nemotron", NEMOTRON "<think>\n", "hm\n</think>\n\nHi",
     "reasoning[hm] text[Hi]"},
    {"nemotron", NEMOTRON "<TOOLCALL>", LIST "{}}]</TOOLCALL>",
     "call[f call_0] args[{}] complete"},
    {"nemotron", NEMOTRON "<TOOLCALL>" LIST, "{\"a\": 1}}]</TOOLCALL>Hi",
     "call[f call_0] args[{\"a\": 1}] complete text[Hi]"},
    {"nemotron", NEMOTRON "<TOOLCALL>" LIST "{}}, {\"name\": \"",
     "g\", \"arguments\": {}}]</TOOLCALL>",
     "call[g call_1] args[{}] complete"},
};

Test(prompt, nemotron)
{
    CHECK_ALL(nemotron);
}

#define INST "[INST]a [TOOL_CALLS]x[ARGS]{[/INST]"

static const primed mistral[] = {
    {"mistral", INST, "Hi", "text[Hi]"},
    {"mistral", "[TOOL_RESULTS]f[TOOL_CONTENT]x [THINK][/TOOL_RESULTS]", "Hi",
     "text[Hi]"},
    {"mistral", INST "[THINK]", "hm[/THINK]Hi", "reasoning[hm] text[Hi]"},
    {"mistral", INST "[TOOL_CALLS]", "f[ARGS]{}",
     "call[f call_0] args[{}] complete"},
    {"mistral", INST "[TOOL_CALLS]f[ARGS]{\"a\": ", "1}",
     "call[f call_0] args[{\"a\": 1}] complete"},
    {"mistral", INST "[TOOL_CALLS]f[CALL_ID]abc", "DEF[ARGS]{}",
     "call[f abcDEF] args[{}] complete"},
};

Test(prompt, mistral)
{
    CHECK_ALL(mistral);
}

#define TURN "<|turn>user\n<|channel>thought\n<turn|>\n<|turn>model\n"

static const primed gemma4[] = {
    {"gemma4", TURN, "Hi", "text[Hi]"},
    {"gemma4", TURN "<|channel>thought\n", "hm<channel|>Hi",
     "reasoning[hm] text[Hi]"},
    {"gemma4", TURN "<|channel>", "thought\nhm<channel|>Hi",
     "reasoning[hm] text[Hi]"},
    {"gemma4", TURN "<|channel>thought\n<channel|>", "Hi", "text[Hi]"},
    /* Behind a result the turn goes on, and a text begins. */
    {"gemma4", TURN "<|tool_response>response:f{value:1}<tool_response|>",
     "\n\nHi\n", "text[Hi]"},
    {"gemma4", TURN "<|tool_response>response:f{value:1}<tool_response|>",
     "<|channel>thought\nhm<channel|>Hi", "reasoning[hm] text[Hi]"},
    {"gemma4", TURN "<|tool_call>call:f{", "a:1}<tool_call|>",
     "call[f call_0] args[{\"a\":1}] complete"},
    {"gemma4", TURN "<|tool_call>", "call:f{a:1}<tool_call|>",
     "call[f call_0] args[{\"a\":1}] complete"},
    {"gemma4", TURN "<|tool_call>call:", "f{a:1}<tool_call|>",
     "call[f call_0] args[{\"a\":1}] complete"},
    {"gemma4", TURN "<|tool_call>call:f{a:<|\"|>x", "y<|\"|>}<tool_call|>",
     "call[f call_0] args[{\"a\":\"xy\"}] complete"},
    {"gemma4", TURN "<|tool_call>call:f{a:<|\"|>x<|\"|>,b:", "2}<tool_call|>",
     "call[f call_0] args[{\"a\":\"x\",\"b\":2}] complete"},
    {"gemma4", TURN "<|tool_call>call:f{a:1", "2}<tool_call|>",
     "call[f call_0] args[{\"a\":12}] complete"},
    {"gemma4", TURN "<|tool_call>call:f{a", "b:2}<tool_call|>",
     "call[f call_0] args[{\"ab\":2}] complete"},
    {"gemma4", TURN "<|tool_call>call:f{", "a:",
     "call[f call_0] diag[truncated_call@2] incomplete "
     "unparsed[truncated_call@0+2 f]"},
    {"gemma4", TURN "<|tool_call>call:f{", "a:1",
     "call[f call_0] args[{\"a\":1] diag[missing_closer@3] args[}] complete "
     "diag[missing_call_close@3]"},
    {"gemma4", TURN "<|tool_call>call:f{a:1}<tool_call|>", "Hi", "text[Hi]"},
    {"gemma4", TURN "Say ", "Hi", "text[Hi]"},
    {"gemma4", "<|turn>model\nSay <|tool_call>call:f{", "}<tool_call|>Hi",
     "call[f call_0] args[{}] complete text[Hi]"},
};

Test(prompt, gemma4)
{
    CHECK_ALL(gemma4);
}

#define START                                                     \
    "<|start|>user<|message|><|channel|>final<|message|>?<|end|>" \
    "<|start|>assistant"
#define TO "<|channel|>commentary to=functions.f <|constrain|>json"

static const primed harmony[] = {
    {"harmony", START, "<|channel|>final<|message|>Hi<|return|>", "text[Hi]"},
    {"harmony", START "<|channel|>analysis<|message|>",
     "hm<|end|><|start|>assistant<|channel|>final<|message|>Hi<|return|>",
     "reasoning[hm] text[Hi]"},
    {"harmony", START "<|channel|>analysis<|message|>So ", "hm<|end|>",
     "reasoning[hm]"},
    {"harmony", START "<|channel|>final<|message|>", "Hi<|return|>",
     "text[Hi]"},
    {"harmony", START "<|channel|>", "final<|message|>Hi<|return|>",
     "text[Hi]"},
    {"harmony", START "<|channel|>fi", "nal<|message|>Hi<|return|>",
     "text[Hi]"},
    {"harmony", START, TO "<|message|>{\"a\": 1}<|call|>",
     "call[f call_0] args[{\"a\": 1}] complete"},
    {"harmony", START TO, "<|message|>{\"a\": 1}<|call|>",
     "call[f call_0] args[{\"a\": 1}] complete"},
    {"harmony", START TO "<|message|>", "{\"a\": 1}<|call|>",
     "call[f call_0] args[{\"a\": 1}] complete"},
    {"harmony", START TO "<|message|>{\"a\": ", "1}<|call|>",
     "call[f call_0] args[{\"a\": 1}] complete"},
    {"harmony", START "<|channel|>commentary to=functions.",
     "f json<|message|>{}<|call|>", "call[f call_0] args[{}] complete"},
    {"harmony", START " to=functions.f",
     "<|channel|>commentary json<|message|>{}<|call|>",
     "call[f call_0] args[{}] complete"},
    {"harmony", START "<|channel|>analysis to=python code<|message|>print(",
     "1)<|call|>", "call[python call_0] args[print(1)] complete"},
    {"harmony", START TO "<|message|>", "{\"a\": ",
     "call[f call_0] diag[truncated_call@6] incomplete "
     "unparsed[truncated_call@0+6 f]"},
    {"harmony",
     "<|start|>assistant<|channel|>analysis<|message|>a<|end|>"
     "<|start|>assistant",
     "<|channel|>final<|message|>Hi<|return|>", "text[Hi]"},
};

Test(prompt, harmony)
{
    CHECK_ALL(harmony);
}

/* Inside something that is not decided yet. */
static const primed undecided[] = {
    {"harmony", START "<|channel|>final<|message|>a<|start|>", "b<|return|>",
     "text[b]"},
    {"harmony", START "<|channel|>final<|message|>a<|channel|> x",
     "b<|return|>", "text[b]"},
    {"harmony", START "<|channel|>final{", "\"a\":1}<|return|>",
     "text[\"a\":1}]"},
    {"harmony", START TO "<|message|>{\"a\": \"<|start|>", "b\"}<|call|>",
     "call[f call_0] args[{\"a\": \"<|start|>b\"}] complete"},
    {"gemma4", TURN "<|tool_call>call:f{a:1}", "call:g{}<tool_call|>",
     "call[f call_0] args[{\"a\":1}] complete diag[calls_share_block@0] "
     "call[g call_1] args[{}] complete"},
    {"gemma4", TURN "<|tool_call>call:f{a:<|\"|>x<|\"|>", ",b:1}<tool_call|>",
     "call[f call_0] args[{\"a\":\"x\",\"b\":1}] complete"},
    {"gemma4", TURN "<|tool_call>call:f{a:<|\"|>x, b", ":y<|\"|>}<tool_call|>",
     "call[f call_0] args[{\"a\":\"x, b:y\"}] complete"},
    {"hermes",
     IM "<think>a <tool_call>{\"name\": \"f\", \"arguments\": {}}" CLOSE " b",
     "c</think>Hi", "reasoning[c] text[Hi]"},
    {"hermes",
     IM "<think>a <tool_call>{\"name\": \"f\", \"arguments\": {}}" CLOSE,
     "\nb</think>Hi", "reasoning[\nb] text[Hi]"},
};

Test(prompt, undecided, .timeout = 20)
{
    CHECK_ALL(undecided);
}

/* ---- what a prompt is not ----------------------------------------------- */

/* At most 64 KiB count: the end of the tail. */
Test(prompt, end_counts)
{
    enum { COUNTS = 64 * 1024 };
    naive_bytes tail = {0};
    event_log log = {0};
    tw_decoder *decoder = decoder_of("hermes");
    naive_add_text(&tail, IM "<think>\n");
    const size_t head = strlen(IM);
    while (tail.size - head < COUNTS) {
        naive_add_text(&tail, "x");
    }
    decode_behind(&log, decoder, tail.data, tail.size, "hm</think>Hi", 12, 0);
    cr_expect(log_is(&log, "reasoning[hm] text[Hi]"));
    naive_add_text(&tail, "x");
    decode_behind(&log, decoder, tail.data, tail.size, "hm</think>Hi", 12, 0);
    cr_expect(log_is(&log, "text[hm</think>Hi]"));
    naive_release(&tail);
    event_log_free(&log);
    tw_decoder_free(decoder);
}

/* For one message only; once. */
Test(prompt, once_for_one_message)
{
    naive_bytes tail = {0};
    event_log log = {0};
    tw_decoder *decoder = new_decoder("hermes");
    naive_add_text(&tail, IM "<think>\n");
    for (size_t i = 0; i < 100000; i++) {
        naive_add_text(&tail, "x");
    }
    naive_add_text(&tail, "<|im_end|>\n" IM "<think>\nSo");
    decode_behind(&log, decoder, tail.data, tail.size, " hm</think>Hi", 13, 0);
    cr_expect(log_is(&log, "reasoning[ hm] text[Hi]"));
    decode(&log, decoder, "Hi", 2, 0);
    cr_expect(log_is(&log, "text[Hi]"));
    tw_decoder_reset(decoder);
    cr_assert_eq(tw_decoder_set_prompt(decoder, IM, strlen(IM)), TW_OK);
    cr_assert_eq(tw_decoder_set_prompt(decoder, IM, strlen(IM)),
                 TW_ERROR_STATE);
    tw_decoder_reset(decoder);
    cr_assert_eq(tw_decoder_set_prompt(decoder, NULL, 0), TW_OK);
    naive_release(&tail);
    event_log_free(&log);
    tw_decoder_free(decoder);
}

/* The prompt's markers stay markers where ordinary tokens follow. */
Test(prompt, marks_behind)
{
    static const primed rows[] = {
        {"gemma4", TURN "<|tool_call>", "call:f{a:1}",
         "call[f call_0] args[{\"a\":1}] complete "
         "diag[missing_call_close@11]"},
        {"gemma4", TURN "<|tool_call>call:", "f{a:1}",
         "call[f call_0] args[{\"a\":1}] complete "
         "diag[missing_call_close@6]"},
        {"gemma4", TURN "<|tool_call>call:f{a:<|\"|>x", "<|\"|>",
         "call[f call_0] diag[truncated_call@5] incomplete "
         "unparsed[truncated_call@0+5 f]"},
        {"harmony", START "<|channel|>", "final <|message|>", ""},
        {"hermes", IM "<think>\n", "hm<|im_end|>", "reasoning[hm<|im_end|>]"},
    };
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        const primed *row = &rows[i];
        const size_t size = strlen(row->text);
        tw_decoder *decoder = new_decoder(row->format);
        event_log log = {0};
        tw_decoder_set_prompt(decoder, row->prompt, strlen(row->prompt));
        event_log_drain(&log, decoder);
        for (size_t at = 0; at < size; at++) {
            tw_decoder_feed(decoder, row->text + at, 1, TW_MARK_TEXT);
            event_log_drain(&log, decoder);
        }
        tw_decoder_finish(decoder, TW_FINISH_STOP);
        event_log_drain(&log, decoder);
        cr_expect(row->words[0] == 0 || log_is(&log, row->words), "%s%s",
                  row->prompt, row->text);
        cr_expect_null(event_log_check(&log, size));
        event_log_free(&log);
        tw_decoder_free(decoder);
    }
}
