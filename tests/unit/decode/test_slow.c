/* SPDX-License-Identifier: MIT
 *
 * Fast ways may be turned off, inside the library: what they do, the steps by
 * themselves do, too.  The soups (soup.c) look for it in random text.
 */
#include <criterion/criterion.h>

#include "decode/state.h"
#include "each_format.h"
#include "support/cases.h"
#include "support/events.h"

static void check_slow(const conformance_case *one)
{
    tw_decoder *decoder = case_decoder(one, false);
    event_log fast = {0};
    event_log slow = {0};
    for (size_t chunk = 0; chunk < 20; chunk += 1 + chunk / 2) {
        const feeding chunks = {chunk, NULL, 0};
        decoder->options.slow = false;
        event_log_run(&fast, decoder, one->text, one->size, &chunks, NULL, 0);
        decoder->options.slow = true;
        event_log_run(&slow, decoder, one->text, one->size, &chunks, NULL, 0);
        cr_expect(event_log_same(&fast, &slow), "%s by %zu", one->id, chunk);
    }
    event_log_free(&fast);
    event_log_free(&slow);
    tw_decoder_free(decoder);
}

EachFormat(slow, steps_do_what_fast_ways_do, "decode")
{
    conformance_each(CONFORMANCE_FOLDER, format->text, check_slow);
}
