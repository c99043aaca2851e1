/* SPDX-License-Identifier: MIT
 *
 * R10: set_prompt says that the prompt ended inside reasoning, inside a
 * header, or inside a forced call.  Nothing of the prompt's text is
 * delivered, offsets count from the completion, and its spans add up.
 */
#include <criterion/criterion.h>
#include <stdlib.h>
#include <string.h>

#include "support/cases.h"
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

/* ---- tails ----------------------------------------------------------------------- */

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
    decode_behind(&whole, decoder, row->prompt, strlen(row->prompt),
                  row->text, size, 0);
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

#define IM "<|im_start|>user\n<think>x <tool_call><|im_end|>\n" \
           "<|im_start|>assistant\n"
#define CLOSE "\n</tool_call>"

static const primed hermes[] = {
    {"hermes", IM, "Hi", "text[Hi]"},
    {"hermes", "", "Hi", "text[Hi]"},
    {"hermes", IM "<think>\n", "hm\n</think>\n\nHi",
     "reasoning[hm] text[Hi]"},
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
    {"hermes", IM "<tool_call>\n{\"name\": \"", "f\", \"arguments\": {}}" CLOSE,
     "call[f call_0] args[{}] complete"},
    {"hermes", IM "<tool_call>\n{\"name\": \"get_",
     "f\", \"arguments\": {}}" CLOSE,
     "call[get_f call_0] args[{}] complete"},
    {"hermes", IM "<tool_call>\n", "{\"name\": \"f\", \"arguments\": {}}" CLOSE,
     "call[f call_0] args[{}] complete"},
    {"hermes", IM "<tool_call>", "\n{\"name\": \"f\", \"arguments\": {}}" CLOSE,
     "call[f call_0] args[{}] complete"},
    {"hermes", IM "<tool_call>\n{\"name\": \"f\", \"arguments\": {\"a\": \"x",
     "y\"}}" CLOSE, "call[f call_0] args[{\"a\": \"xy\"}] complete"},
    {"hermes", IM "<tool_call>\n{\"name\": \"f\", \"arguments\": {\"a\": 1",
     "2}}" CLOSE, "call[f call_0] args[{\"a\": 12}] complete"},
    {"hermes", IM "<tool_call>\n{\"name\": \"f\", \"arguments\": {\"a\": \"\\u",
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

#define TURN "<|turn>user\n<|channel>thought\n<turn|>\n<|turn>model\n"

static const primed gemma4[] = {
    {"gemma4", TURN, "Hi", "text[Hi]"},
    {"gemma4", TURN "<|channel>thought\n", "hm<channel|>Hi",
     "reasoning[hm] text[Hi]"},
    {"gemma4", TURN "<|channel>", "thought\nhm<channel|>Hi",
     "reasoning[hm] text[Hi]"},
    {"gemma4", TURN "<|channel>thought\n<channel|>", "Hi", "text[Hi]"},
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
    {"gemma4", TURN "<|tool_call>call:f{", "a:1",
     "call[f call_0] diag[truncated_call@3] incomplete "
     "unparsed[truncated_call@0+3 f]"},
    {"gemma4", TURN "<|tool_call>call:f{a:1}<tool_call|>", "Hi", "text[Hi]"},
    {"gemma4", TURN "Say ", "Hi", "text[Hi]"},
    {"gemma4", "<|turn>model\nSay <|tool_call>call:f{", "}<tool_call|>Hi",
     "call[f call_0] args[{}] complete text[Hi]"},
};

Test(prompt, gemma4)
{
    CHECK_ALL(gemma4);
}

#define START "<|start|>user<|message|><|channel|>final<|message|>?<|end|>" \
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

/* ---- what a prompt is not ------------------------------------------------------------ */

/* At most 64 KiB count: the end of the tail; for one message only; once. */
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

/* ---- every case, its beginning as the prompt's end ----------------------------------- */

static bool is_end(const naive_bytes *end, const naive_bytes *whole)
{
    return end->size <= whole->size &&
           memcmp(end->data, whole->data + whole->size - end->size,
                  end->size) == 0;
}

/* The text is the end of what the whole output says. */
static bool says_the_rest(const event_log *log, const event_log *whole,
                          uint32_t type)
{
    naive_bytes rest = log_text(log, type);
    naive_bytes all = log_text(whole, type);
    const bool good = is_end(&rest, &all);
    naive_release(&rest);
    naive_release(&all);
    return good;
}

/* Names and arguments of complete calls that end behind |from|. */
static naive_bytes calls_behind(const event_log *log, size_t from)
{
    naive_bytes words = {0};
    naive_add(&words, "", 0);
    for (size_t end = 0; end < log->count; end++) {
        const event_record *last = &log->events[end];
        if (last->type != TW_EVENT_CALL_END ||
            last->code != TW_CALL_COMPLETE ||
            last->offset + last->span <= from) {
            continue;
        }
        for (size_t i = 0; i < end; i++) {
            const event_record *event = &log->events[i];
            if (event->index == last->index &&
                (event->type == TW_EVENT_CALL_BEGIN ||
                 event->type == TW_EVENT_CALL_ARGUMENTS)) {
                naive_add(&words, log->bytes + event->data, event->size);
            }
        }
        naive_add_text(&words, "\n");
    }
    return words;
}

/* NULL, or what differs. */
static const char *cut_differs(const conformance_case *one,
                               const event_log *whole, const event_log *log,
                               size_t cut)
{
    const char *wrong = event_log_check(log, one->size - cut);
    if (wrong == NULL && !says_the_rest(log, whole, TW_EVENT_TEXT)) {
        wrong = "the text";
    }
    if (wrong == NULL && !says_the_rest(log, whole, TW_EVENT_REASONING)) {
        wrong = "the reasoning";
    }
    naive_bytes mine = calls_behind(log, 0);
    naive_bytes calls = calls_behind(whole, cut);
    if (wrong == NULL && strcmp(mine.data, calls.data) != 0) {
        wrong = "the calls";
    }
    naive_release(&mine);
    naive_release(&calls);
    return wrong;
}

static bool check_cut(const conformance_case *one, tw_decoder *decoder,
                      const event_log *whole, const char *head, size_t cut)
{
    const size_t size = one->size - cut;
    event_log log = {0};
    event_log bytes = {0};
    naive_bytes prompt = {0};
    naive_add_text(&prompt, head);
    naive_add(&prompt, one->text, cut);
    decode_behind(&log, decoder, prompt.data, prompt.size, one->text + cut,
                  size, 0);
    decode_behind(&bytes, decoder, prompt.data, prompt.size, one->text + cut,
                  size, 1);
    const char *wrong = event_log_same(&log, &bytes)
                            ? cut_differs(one, whole, &log, cut)
                            : "a chunking";
    cr_expect_null(wrong, "%s behind a prompt of %zu bytes: %s", one->id, cut,
                   wrong);
    naive_release(&prompt);
    event_log_free(&log);
    event_log_free(&bytes);
    return wrong == NULL;
}

/* Section 7: what a decoder says does not depend on who wrote the beginning
 * of the turn. */
static void check_cases(const char *format, const char *head)
{
    conformance file = conformance_read(CONFORMANCE_FOLDER, format);
    for (size_t i = 0; i < file.count; i++) {
        const conformance_case *one = &file.cases[i];
        if (one->options.start_reasoning) {
            continue;
        }
        tw_decoder *decoder = case_decoder(&file, one, false);
        tw_decoder_set(decoder, TW_OPTION_KEEP_RAW, 0);
        event_log whole = {0};
        decode(&whole, decoder, one->text, one->size, 0);
        size_t cut = 0;
        while (cut <= one->size &&
               check_cut(one, decoder, &whole, head, cut)) {
            cut++;
        }
        event_log_free(&whole);
        tw_decoder_free(decoder);
    }
    conformance_free(&file);
}

Test(prompt, gemma4_cases)
{
    check_cases("gemma4", "<|turn>model\n");
}

Test(prompt, hermes_cases)
{
    check_cases("hermes", "<|im_start|>assistant\n");
}

Test(prompt, harmony_cases)
{
    check_cases("harmony", "");
}
