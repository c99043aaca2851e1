/* SPDX-License-Identifier: MIT
 *
 * Each row is decoded with its look-ahead filled up to the limit, a little
 * less and a little more.
 */
#include "hold.h"

#include <string.h>

#include "support/agree.h"
#include "support/decoding.h"
#include "support/fragments.h"

static bool has_code(const event_log *log, uint32_t code)
{
    for (size_t i = 0; i < log->count; i++) {
        const uint32_t type = log->events[i].type;
        if (log->events[i].code == code &&
            (type == TW_EVENT_DIAGNOSTIC || type == TW_EVENT_UNPARSED)) {
            return true;
        }
    }
    return false;
}

static naive_bytes text_of(const held *row, size_t count)
{
    naive_bytes text = {0};
    naive_add_text(&text, row->lead);
    naive_add_text(&text, row->before);
    for (size_t i = 0; i < count; i++) {
        naive_add_text(&text, row->unit);
    }
    naive_add_text(&text, row->after);
    naive_add_text(&text, row->rest);
    return text;
}

static void show(const held *row, size_t count, const char *what)
{
    cr_expect(what == NULL, "%s, %s, %zu times: %s", row->format, row->what,
              count, what);
}

/* |far|: is the limit passed? */
static bool check_one(const held *row, tw_decoder *decoder, size_t count,
                      bool far)
{
    enum { STEP = TESTS_SHARE > 4 ? 3 : 1 }; /* under sanitizers some */
    static const size_t chunks[] = {1, 7, 64, 1000};
    const fragments *set = fragments_of(row->format);
    const naive_options options = {.start_reasoning = set->reasoning};
    naive_bytes text = text_of(row, count);
    naive_message message = {0};
    event_log log = {0};
    event_log other = {0};
    decode(&log, decoder, text.data, text.size, 0);
    const char *wrong = event_log_check(&log, text.size);
    for (size_t i = 0; i < sizeof chunks / sizeof *chunks; i += STEP) {
        decode(&other, decoder, text.data, text.size, chunks[i]);
        if (!event_log_same(&log, &other)) {
            wrong = "a chunking differs";
        }
    }
    if (wrong == NULL && row->code != 0 && has_code(&log, row->code) != far) {
        wrong = far ? "more than the limit is held" : "less is held";
    }
    naive_decode(set->naive, &options, text.data, text.size, &message);
    const char *differs = disagreement(&log, &message);
    show(row, count, wrong);
    if (differs != NULL) {
        cr_expect(false,
                  "%s, %s, %zu times: the naive decoder says another "
                  "thing of %s",
                  row->format, row->what, count, differs);
    }
    naive_message_release(&message);
    event_log_free(&log);
    event_log_free(&other);
    naive_release(&text);
    return wrong == NULL && differs == NULL;
}

/* How often the unit may stand for L bytes to be held, and a few more and
 * less. */
static void check_row(const held *row, size_t around)
{
    const fragments *set = fragments_of(row->format);
    tw_decoder *decoder = fragments_decoder(set);
    const size_t limit = row->limit == NEVER ? 65536 : row->limit;
    const size_t fits =
        (limit - strlen(row->before) - strlen(row->after)) / strlen(row->unit);
    bool good = true;
    for (size_t count = fits - around; count <= fits + around && good;
         count++) {
        good = check_one(row, decoder, count,
                         row->limit != NEVER && count > fits);
    }
    tw_decoder_free(decoder);
}

void check_held(const held *rows, size_t count, size_t around)
{
    cr_expect_gt(count, 0);
    for (size_t i = 0; i < count; i++) {
        check_row(&rows[i], around);
    }
}
