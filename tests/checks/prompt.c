/* SPDX-License-Identifier: MIT
 *
 * Rows of a prompt's tail, a completion, and what both say together.
 */
#include "prompt.h"

#include <string.h>

void decode_behind(event_log *log, tw_decoder *decoder, const char *prompt,
                   size_t prompt_size, const char *text, size_t size,
                   size_t chunk)
{
    const feeding how = {chunk, NULL, 0};
    event_log_run(log, decoder, text, size, &how, prompt, prompt_size);
}

tw_decoder *prompt_decoder(const char *format)
{
    tw_decoder *decoder = decoder_of(format);
    tw_decoder_set(decoder, TW_OPTION_KEEP_RAW, 0);
    return decoder;
}

static void check(const primed *row)
{
    static const size_t chunks[] = {1, 2, 7};
    tw_decoder *decoder = prompt_decoder(row->format);
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

void check_prompts(const primed *rows, size_t count)
{
    cr_expect_gt(count, 0);
    for (size_t i = 0; i < count; i++) {
        check(&rows[i]);
    }
}

static void check_behind(const primed *row)
{
    const size_t size = strlen(row->text);
    tw_decoder *decoder = prompt_decoder(row->format);
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

void check_marks_behind(const primed *rows, size_t count)
{
    cr_expect_gt(count, 0);
    for (size_t i = 0; i < count; i++) {
        check_behind(&rows[i]);
    }
}
