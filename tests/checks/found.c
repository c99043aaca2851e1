/* SPDX-License-Identifier: MIT
 *
 * Each text is decoded in pieces of every size, and beside the naive decoder.
 */
#include "found.h"

#include <string.h>

#include "support/agree.h"
#include "support/decoding.h"
#include "support/fragments.h"

static void check(const found *row)
{
    const fragments *set = fragments_of(row->set);
    const naive_options options = {.start_reasoning = set->reasoning,
                                   .recover_stripped = set->stripped};
    tw_decoder *decoder = fragments_decoder(set);
    const size_t size = strlen(row->text);
    naive_message message = {0};
    event_log whole = {0};
    event_log other = {0};
    decode(&whole, decoder, row->text, size, 0);
    const char *wrong = event_log_check(&whole, size);
    cr_expect_null(wrong, "%s: %s", row->text, wrong);
    for (size_t chunk = 1; chunk < size; chunk++) {
        decode(&other, decoder, row->text, size, chunk);
        cr_expect(event_log_same(&whole, &other), "%s: pieces of %zu",
                  row->text, chunk);
    }
    naive_decode(set->naive, &options, row->text, size, &message);
    wrong = disagreement(&whole, &message);
    cr_expect_null(wrong, "%s: the naive decoder says another thing of %s",
                   row->text, wrong);
    naive_message_release(&message);
    event_log_free(&whole);
    event_log_free(&other);
    tw_decoder_free(decoder);
}

void check_found(const found *rows, size_t count)
{
    cr_expect_gt(count, 0);
    for (size_t i = 0; i < count; i++) {
        check(&rows[i]);
    }
}
