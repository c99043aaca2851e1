/* SPDX-License-Identifier: MIT
 *
 * A text in strict mode must come out as one run of text.
 */
#include "strict.h"

#include <string.h>

#include "support/cases.h"
#include "support/decoding.h"

void expect_strict_text(const char *format, const char *text)
{
    tw_decoder *decoder = decoder_of(format);
    tw_decoder_set(decoder, TW_OPTION_STRICT, 1);
    for (size_t chunk = 0; chunk < 3; chunk++) {
        event_log log = {0};
        decode(&log, decoder, text, strlen(text), chunk);
        naive_bytes said = log_text(&log, TW_EVENT_TEXT);
        cr_expect_eq(log.error, 0, "%s: %d", text, log.error);
        cr_expect_str_eq(said.data, text);
        naive_release(&said);
        event_log_free(&log);
    }
    tw_decoder_free(decoder);
}
