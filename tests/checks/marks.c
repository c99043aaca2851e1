/* SPDX-License-Identifier: MIT
 *
 * Rows of marked pieces, and what they say.
 */
#include "marks.h"

#include <string.h>

static size_t count_of(const marked_text *row)
{
    size_t count = 0;
    while (count < PIECES && row->pieces[count].text != NULL) {
        count++;
    }
    return count;
}

static size_t size_of(const marked_text *row)
{
    size_t size = 0;
    for (size_t i = 0; i < count_of(row); i++) {
        size += strlen(row->pieces[i].text);
    }
    return size;
}

static void check(const marked_text *row, size_t number, bool reasoning)
{
    tw_decoder *decoder = decoder_of(row->format);
    event_log whole = {0};
    event_log other = {0};
    tw_decoder_set(decoder, TW_OPTION_START_REASONING, reasoning);
    decode_marked(&whole, decoder, row->pieces, count_of(row), 0);
    cr_expect(log_is(&whole, row->words), "%s %zu", row->format, number);
    const char *wrong = event_log_check(&whole, size_of(row));
    cr_expect_null(wrong, "%s %zu: %s", row->format, number, wrong);
    for (size_t chunk = 1; chunk < 24; chunk++) {
        decode_marked(&other, decoder, row->pieces, count_of(row), chunk);
        cr_expect(event_log_same(&whole, &other), "%s %zu: pieces of %zu",
                  row->format, number, chunk);
    }
    event_log_free(&whole);
    event_log_free(&other);
    tw_decoder_free(decoder);
}

void check_marks(const marked_text *rows, size_t count, bool reasoning)
{
    cr_expect_gt(count, 0);
    for (size_t i = 0; i < count; i++) {
        check(&rows[i], i, reasoning);
    }
}
