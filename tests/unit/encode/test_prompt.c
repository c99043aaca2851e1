/* SPDX-License-Identifier: MIT
 *
 * R10: how much of a prompt counts, and how often.
 */
#include "checks/prompt.h"

#include <criterion/criterion.h>
#include <stdio.h>
#include <string.h>

#include "support/loaded.h"

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
    cr_expect(log_is(&log, "diag[no_generation_prompt@0] text[hm</think>Hi] "
                           "diag[orphan_reasoning_close@2]"));
    naive_release(&tail);
    event_log_free(&log);
    tw_decoder_free(decoder);
}

/* ---- a head that ends with the opener of reasoning ---------------------- */

static void check_opened(const char *turn, const char *prompt,
                         const char *text, const char *words)
{
    char json[512];
    loaded_format draft;
    event_log log = {0};
    snprintf(json, sizeof json,
             "{\"format\":1,\"call\":\"<c>{object}</c>\",\"turn\":\"%s\","
             "\"reasoning\":\"<think>\\n{text}\\n</think>\\n\"}",
             turn);
    cr_assert(loaded_make(&draft, "test", json, strlen(json)), "%s",
              draft.loaded.message);
    tw_decoder *decoder = tw_decoder_new(&draft.format, NULL);
    tw_decoder_set(decoder, TW_OPTION_FRAMING, 1);
    for (size_t chunk = 0; chunk < 4; chunk++) {
        decode_behind(&log, decoder, prompt, strlen(prompt), text,
                      strlen(text), chunk);
        cr_expect(log_is(&log, words), "%s|%s by %zu", prompt, text, chunk);
        cr_expect_null(event_log_check(&log, strlen(text)));
    }
    event_log_free(&log);
    tw_decoder_free(decoder);
    loaded_free(&draft);
}

Test(prompt, heads_that_open_reasoning)
{
    static const char *const turns[] = {"<a>", "<a><think>", "<a><think>\\n"};
    for (size_t i = 0; i < 3; i++) {
        check_opened(turns[i], "<u>x<a><think>\n", "hm\n</think>\nHi",
                     "reasoning[hm] text[Hi]");
        check_opened(turns[i], "<u>x<a><think>", "\nhm</think>Hi",
                     "reasoning[hm] text[Hi]");
        check_opened(turns[i], "<u>x<a><think>\nSo", " hm</think>Hi",
                     "reasoning[ hm] text[Hi]");
        check_opened(turns[i], "<u>x<a><think>\n\n</think>\n", "Hi",
                     "text[Hi]");
        check_opened(turns[i], "<u>x<a>", "Hi", "text[Hi]");
        check_opened(turns[i], "<u>x<a>", "<think>hm</think>Hi",
                     "reasoning[hm] text[Hi]");
    }
    check_opened("<think>", "<u>x<think>", "hm</think>Hi",
                 "reasoning[hm] text[Hi]");
}

/* The head of a turn has another suffix in its marker. */
Test(prompt, ends_with_a_head_of_any_suffix)
{
    static const char text[] = "hm</t#a></t#b>Hi";
    static const char *const prompts[] = {"<t#b>", "<me#b><t#b>",
                                          "<me#b>a</t#a>.<stop#b><me#b><t#b>"};
    static const char json[] =
        "{\"format\":1,\"suffix\":\"#a\",\"call\":\"<c#a>{object}</c#a>\","
        "\"reasoning\":\"<t#a>{text}</t#a>\",\"turn\":\"<me#a>\","
        "\"stops\":\"<stop#a>\"}";
    loaded_format draft;
    cr_assert(loaded_make(&draft, "test", json, sizeof json - 1), "%s",
              draft.loaded.message);
    for (size_t i = 0; i < sizeof prompts / sizeof *prompts; i++) {
        event_log log = {0};
        tw_decoder *decoder = tw_decoder_new(&draft.format, NULL);
        decode_behind(&log, decoder, prompts[i], strlen(prompts[i]), text,
                      sizeof text - 1, 0);
        cr_expect(log_is(&log, "reasoning[hm</t#a>] text[Hi]"));
        event_log_free(&log);
        tw_decoder_free(decoder);
    }
    loaded_free(&draft);
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
