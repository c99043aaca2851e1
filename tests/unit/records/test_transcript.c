/* SPDX-License-Identifier: MIT
 *
 * Transcripts cut into turns: what an encoder wrote belongs to turns, all of
 * it.
 */
#include <criterion/criterion.h>

#include "allocator.h"
#include "checks/transcripts.h"
#include "support/random_request.h"

static tw_memory memory;

static void set_up(void)
{
    memory = tw_memory_from(NULL);
}

TestSuite(transcript, .init = set_up);

/* ---- what encoders write ------------------------------------------------ */

static void check_written(tw_encoder *encoder, const tw_format *format,
                          const tw_buffer *request)
{
    raw_transcript raw;
    const char *text;
    size_t size;
    cr_assert_eq(tw_encode(encoder, (const char *)request->data, request->size,
                           &text, &size),
                 TW_OK);
    read_raw(&raw, format, &memory, text, size);
    const size_t lost = (size_t)raw.transcript.reader.lost;
    cr_expect_eq(lost, 0, "%s: %zu bytes of %.*s", tw_format_name(format),
                 lost, (int)size, text);
    free_raw(&raw, &memory);
}

Test(transcript, loses_nothing_of_what_was_written)
{
    const tw_format *format;
    random_seed(3);
    for (size_t f = 0; (format = tw_format_at(f)) != NULL; f++) {
        tw_encoder *encoder = tw_encoder_new(format, NULL);
        for (int i = 0; i < 50 && tw_format_reads_transcripts(format); i++) {
            tw_json_out request = {.memory = &memory};
            random_plain_request(&request);
            check_written(encoder, format, &request.out);
            tw_buffer_free(&request.out, &memory);
        }
        tw_encoder_free(encoder);
    }
}

/* ---- results that come in turns ----------------------------------------- */

/* How often is allocated for a long message with the same turns behind it. */
static size_t allocations(bool results_together)
{
    static const char user[] = "<|im_start|>user\nx<|im_end|>\n";
    static const char result[] =
        "<|im_start|>user\n<tool_response>\n1\n</tool_response><|im_end|>\n";
    enum { LONG = 100000, TURNS = 3 };
    test_memory counted = {0};
    const tw_allocator allocator = {test_resize, &counted};
    const tw_memory own = tw_memory_from(&allocator);
    tw_json_out wire = {.memory = &memory};
    raw_transcript raw;
    tw_json_put(&wire, "<|im_start|>assistant\n");
    for (size_t i = 0; i < LONG; i++) {
        tw_json_put(&wire, "y");
    }
    tw_json_put(&wire, "<|im_end|>\n");
    for (size_t i = 0; i < 2 * TURNS; i++) {
        const bool is_user = results_together ? i < TURNS : i % 2 == 0;
        tw_json_put(&wire, is_user ? user : result);
    }
    read_raw(&raw, tw_format_find("hermes"), &own, (const char *)wire.out.data,
             wire.out.size);
    free_raw(&raw, &own);
    tw_buffer_free(&wire.out, &memory);
    return counted.count;
}

Test(transcript, reads_a_message_once_however_often_results_follow)
{
    const size_t once = allocations(true);
    const size_t often = allocations(false);
    cr_expect_eq(once, often, "%zu and %zu", once, often);
}
