/* SPDX-License-Identifier: MIT
 *
 * Each row is decoded with a text that just fits its limit, and with one that
 * does not.
 */
#include "limits.h"

#include <string.h>

naive_bytes repeated(const char *before, const char *unit, size_t count,
                     const char *middle, const char *back, const char *after)
{
    naive_bytes text = {0};
    naive_add_text(&text, before);
    for (size_t i = 0; i < count; i++) {
        naive_add_text(&text, unit);
    }
    naive_add_text(&text, middle);
    for (size_t i = 0; i < count; i++) {
        naive_add_text(&text, back);
    }
    naive_add_text(&text, after);
    return text;
}

void decode_all_ways(event_log *log, tw_decoder *decoder,
                     const naive_bytes *text, const char *what)
{
    static const size_t chunks[] = {1, 7, 64, 1000};
    event_log other = {0};
    decode(log, decoder, text->data, text->size, 0);
    const char *wrong = event_log_check(log, text->size);
    cr_assert_null(wrong, "%s: %s", what, wrong);
    for (size_t i = 0; i < sizeof chunks / sizeof *chunks; i++) {
        decode(&other, decoder, text->data, text->size, chunks[i]);
        cr_expect(event_log_same(log, &other), "%s: pieces of %zu differ",
                  what, chunks[i]);
    }
    event_log_free(&other);
}

size_t count_of(const event_log *log, uint32_t type, uint32_t code)
{
    size_t count = 0;
    for (size_t i = 0; i < log->count; i++) {
        count += log->events[i].type == type && log->events[i].code == code;
    }
    return count;
}

/* |over|: the first call passes the limit, which spoils it alone. */
static void expect_limited(const limited *row, const event_log *log, bool over)
{
    const size_t complete = count_of(log, TW_EVENT_CALL_END, TW_CALL_COMPLETE);
    size_t unparsed = 0;
    size_t visible = 0;
    for (size_t i = 0; i < log->count; i++) {
        unparsed += log->events[i].type == TW_EVENT_UNPARSED;
        visible += log->events[i].type == TW_EVENT_TEXT ||
                   log->events[i].type == TW_EVENT_REASONING;
    }
    cr_expect_eq(complete, over ? 1 : 2, "%s %s: %zu complete calls",
                 row->format, row->what, complete);
    cr_expect_eq(unparsed, over ? 1 : 0, "%s %s", row->format, row->what);
    cr_expect_eq(count_of(log, TW_EVENT_UNPARSED, row->code), over ? 1 : 0,
                 "%s %s, over: %d: another reason", row->format, row->what,
                 over);
    cr_expect_eq(visible, 0, "%s %s: text", row->format, row->what);
}

static void check_limit(const limited *row)
{
    char kilobyte[1025];
    memset(kilobyte, 'x', 1024);
    kilobyte[1024] = 0;
    tw_decoder *decoder = decoder_of(row->format);
    event_log log = {0};
    const size_t limit = row->limit > 0 ? row->limit : row->standard;
    if (row->limit > 0) {
        cr_assert_eq(tw_decoder_set(decoder, row->option, (int64_t)row->limit),
                     TW_OK);
    }
    const size_t fits = (limit - row->base) / row->each;
    for (size_t count = fits; count <= fits + 1; count++) {
        naive_bytes text =
            repeated(row->before, row->unit != NULL ? row->unit : kilobyte,
                     count, row->middle, row->back, row->after);
        naive_add_text(&text, row->next);
        if (text.size < 1 << 20) {
            decode_all_ways(&log, decoder, &text, row->what);
        } else {
            decode(&log, decoder, text.data, text.size, 1 << 16);
        }
        expect_limited(row, &log, count > fits);
        naive_release(&text);
    }
    event_log_free(&log);
    tw_decoder_free(decoder);
}

void check_limits(const limited *rows, size_t count)
{
    cr_expect_gt(count, 0);
    for (size_t i = 0; i < count; i++) {
        check_limit(&rows[i]);
    }
}

/* ---- the number of calls ------------------------------------------------ */

/* R13: call L is accepted, each one behind it is malformed. */
static void expect_calls(const char *format, const char *call, size_t limit,
                         bool set)
{
    tw_decoder *decoder = decoder_of(format);
    event_log log = {0};
    if (set) {
        tw_decoder_set(decoder, TW_OPTION_LIMIT_CALLS, (int64_t)limit);
    }
    for (size_t more = 0; more <= 2; more++) {
        naive_bytes text = repeated("", call, limit + more, "", "", "");
        decode_all_ways(&log, decoder, &text, format);
        cr_expect_eq(count_of(&log, TW_EVENT_CALL_END, TW_CALL_COMPLETE),
                     limit, "%s", format);
        cr_expect_eq(
            count_of(&log, TW_EVENT_UNPARSED, TW_DIAGNOSTIC_LIMIT_CALLS), more,
            "%s", format);
        naive_release(&text);
    }
    event_log_free(&log);
    tw_decoder_free(decoder);
}

void check_call_limits(const char *format, const char *call)
{
    expect_calls(format, call, 1, true);
    expect_calls(format, call, 3, true);
    expect_calls(format, call, 1024, false);
}

/* ---- escapes ------------------------------------------------------------ */

void check_escape_limits(const char *format, const char *call)
{
    static const size_t front = sizeof "{\"a\": \"x" - 1;
    static const size_t escape = sizeof "\\u0001" - 1;
    naive_bytes text = {0};
    naive_add_text(&text, call);
    for (size_t limit = front - 1; limit < front + escape + 2; limit++) {
        tw_decoder *decoder = decoder_of(format);
        event_log log = {0};
        tw_decoder_set(decoder, TW_OPTION_LIMIT_ARGUMENTS, (int64_t)limit);
        decode_all_ways(&log, decoder, &text, format);
        const size_t wanted = limit < front            ? limit
                              : limit < front + escape ? front
                                                       : limit;
        size_t delivered = 0;
        for (size_t k = 0; k < log.count; k++) {
            delivered += log.events[k].type == TW_EVENT_CALL_ARGUMENTS
                             ? log.events[k].size
                             : 0;
        }
        cr_expect_eq(delivered, wanted, "%s, limit %zu: %zu", format, limit,
                     delivered);
        event_log_free(&log);
        tw_decoder_free(decoder);
    }
    naive_release(&text);
}
