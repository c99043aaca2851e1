/* SPDX-License-Identifier: MIT
 *
 * R10: how much of a prompt counts, and how often.
 */
#include "checks/prompt.h"

#include <criterion/criterion.h>
#include <string.h>

#define IM                                               \
    "<|im_start|>user\n<think>x <tool_call><|im_end|>\n" \
    "<|im_start|>assistant\n"

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
    cr_expect(
        log_is(&log, "text[hm</think>Hi] diag[orphan_reasoning_close@2]"));
    naive_release(&tail);
    event_log_free(&log);
    tw_decoder_free(decoder);
}

/* A head that ends with the opener of reasoning begins it. */
Test(prompt, heads_that_open_reasoning)
{
    static const primed rows[] = {
        {"kimi-k2/2.5", "<|im_assistant|>assistant<|im_middle|><think>",
         "hm</think>Hi", "reasoning[hm] text[Hi]"},
        {"kimi-k2/2.5", "<|im_assistant|>assistant<|im_middle|><think>",
         "</think>Hi", "text[Hi]"},
        {"kimi-k2/2.5",
         "<|im_assistant|>assistant<|im_middle|><think></think>", "Hi",
         "text[Hi]"},
        {"kimi-k2/2.5", "<|im_assistant|>assistant<|im_middle|><think>So",
         " hm</think>Hi", "reasoning[ hm] text[Hi]"},
        {"ernie-4.5", "<|im_start|>assistant\n<think>\n", "hm\n</think>\n\nHi",
         "reasoning[hm] text[Hi]"},
        {"deepseek/v3.1-thinking",
         "<\xEF\xBD\x9C"
         "Assistant\xEF\xBD\x9C>"
         "<think>",
         "hm</think>Hi", "reasoning[hm] text[Hi]"},
        {"deepseek/v3.1-thinking",
         "<\xEF\xBD\x9C"
         "Assistant\xEF\xBD\x9C>"
         "</think>",
         "Hi", "text[Hi]"},
    };
    check_prompts(rows, sizeof rows / sizeof *rows);
}

/* For one message only; once. */
Test(prompt, once_for_one_message)
{
    naive_bytes tail = {0};
    event_log log = {0};
    tw_decoder *decoder = prompt_decoder("hermes");
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
