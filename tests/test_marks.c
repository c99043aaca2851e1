/* SPDX-License-Identifier: MIT
 *
 * Section 3, marks, of all formats: CONTROL is exactly one marker.
 */
#include <criterion/criterion.h>
#include <string.h>

#include "each_format.h"
#include "support/cases.h"
#include "support/decoding.h"

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
