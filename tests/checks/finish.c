/* SPDX-License-Identifier: MIT
 *
 * Rows of a text, how it finished and what comes out.
 */
#include "finish.h"

#include <string.h>

static void check(const ending *row)
{
    static const feeding ways[] = {{0, NULL, 0}, {1, NULL, 0}, {3, NULL, 0}};
    const size_t size = strlen(row->text);
    tw_decoder *decoder = decoder_of(row->format);
    event_log log = {0};
    for (size_t i = 0; i < 2 * sizeof ways / sizeof *ways; i++) {
        const bool stop = i % 2 == 0;
        event_log_run_to(&log, decoder, row->text, size, &ways[i / 2],
                         stop ? TW_FINISH_STOP : TW_FINISH_LENGTH);
        cr_expect(log_is(&log, stop ? row->stop : row->length), "%s: %s",
                  stop ? "stop" : "length", row->text);
        const char *wrong = event_log_check(&log, size);
        cr_expect_null(wrong, "%s: %s", row->text, wrong);
    }
    event_log_free(&log);
    tw_decoder_free(decoder);
}

void check_endings(const ending *rows, size_t count)
{
    cr_expect_gt(count, 0);
    for (size_t i = 0; i < count; i++) {
        check(&rows[i]);
    }
}
