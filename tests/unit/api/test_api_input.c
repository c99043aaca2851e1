/* SPDX-License-Identifier: MIT
 *
 * The decoder's manual on input: reset, empty feeds, the limit on the whole
 * input, decoders side by side.
 */
#include <criterion/criterion.h>
#include <stdlib.h>
#include <string.h>

#include "each_format.h"
#include "support/cases.h"
#include "support/decoding.h"

/* ---- reset -------------------------------------------------------------- */

static bool has_options(const conformance_case *one)
{
    return one->tools != NULL || one->options.start_reasoning ||
           one->options.recover_stripped;
}

/* Leaves the decoder in the middle of something. */
static void disturb(tw_decoder *decoder, const conformance_case *one,
                    size_t number)
{
    const tw_event *event;
    tw_decoder_reset(decoder);
    if (number % 3 == 0) {
        tw_decoder_set_prompt(decoder, one->text, one->size / 3);
    }
    tw_decoder_feed(decoder, one->text, one->size * 2 / 3, TW_MARK_TEXT);
    for (size_t i = 0; i < number % 5; i++) {
        tw_decoder_next(decoder, &event);
    }
    if (number % 2 == 0) {
        while (tw_decoder_next(decoder, &event) == 1) {
        }
        tw_decoder_finish(decoder, TW_FINISH_LENGTH);
        tw_decoder_next(decoder, &event);
    }
}

/* Section 7: reset equals new. */
EachFormat(api_input, reset_is_new, "decode")
{
    conformance file = conformance_read(CONFORMANCE_FOLDER, format->text);
    tw_decoder *old = decoder_of(format->text);
    event_log logs[2] = {0};
    for (size_t i = 0; i < file.count; i++) {
        const conformance_case *one = &file.cases[i];
        if (has_options(one)) {
            continue;
        }
        tw_decoder *fresh = decoder_of(format->text);
        disturb(old, &file.cases[(i * 7 + 3) % file.count], i);
        decode(&logs[0], old, one->text, one->size, 0);
        decode(&logs[1], fresh, one->text, one->size, 0);
        cr_assert(event_log_same(&logs[0], &logs[1]), "%s", one->id);
        decode(&logs[0], old, one->text, one->size, 1 + i % 4);
        cr_assert(event_log_same(&logs[0], &logs[1]), "%s", one->id);
        tw_decoder_free(fresh);
    }
    event_log_free(&logs[0]);
    event_log_free(&logs[1]);
    tw_decoder_free(old);
    conformance_free(&file);
}

/* ---- empty feeds -------------------------------------------------------- */

/* R1: "any cut is fine, 0 bytes too", of whatever mark. */
static void feed_nothing(const conformance_case *one)
{
    tw_decoder *decoder = case_decoder(one, false);
    event_log whole = {0};
    decode(&whole, decoder, one->text, one->size, 0);
    for (int mark = TW_MARK_UNKNOWN; mark <= TW_MARK_TEXT; mark++) {
        event_log other = {0};
        tw_decoder_reset(decoder);
        for (size_t at = 0; at < one->size; at++) {
            tw_decoder_feed(decoder, at % 2 ? "" : NULL, 0, (tw_mark)mark);
            event_log_drain(&other, decoder);
            tw_decoder_feed(decoder, one->text + at, 1, TW_MARK_UNKNOWN);
            event_log_drain(&other, decoder);
        }
        tw_decoder_finish(decoder, TW_FINISH_STOP);
        event_log_drain(&other, decoder);
        cr_expect(event_log_same(&whole, &other), "%s, mark %d", one->id,
                  mark);
        event_log_free(&other);
    }
    event_log_free(&whole);
    tw_decoder_free(decoder);
}

EachFormat(api_input, empty_feeds, "decode")
{
    conformance_each(CONFORMANCE_FOLDER, format->text, feed_nothing);
}

/* ---- side by side ------------------------------------------------------- */

/* Threads: the library has no shared state.  What an event points to lives
 * until the next call on its decoder, whatever others do. */
static void decode_side_by_side(const conformance_case *one)
{
    tw_decoder *mine = case_decoder(one, false);
    tw_decoder *other = case_decoder(one, false);
    event_log log = {0};
    const tw_event *event;
    tw_decoder_feed(mine, one->text, one->size, TW_MARK_UNKNOWN);
    while (tw_decoder_next(mine, &event) == 1) {
        const tw_event seen = *event;
        naive_bytes bytes = {0};
        naive_add(&bytes, seen.data, seen.size);
        naive_add(&bytes, seen.id, seen.id_size);
        decode(&log, other, one->text, one->size, 3);
        cr_assert_eq(memcmp(&seen, event, sizeof seen), 0);
        cr_assert(seen.size == 0 ||
                  memcmp(bytes.data, event->data, seen.size) == 0);
        cr_assert(seen.id_size == 0 || memcmp(bytes.data + seen.size,
                                              event->id, seen.id_size) == 0);
        naive_release(&bytes);
    }
    event_log_free(&log);
    tw_decoder_free(mine);
    tw_decoder_free(other);
}

EachFormat(api_input, side_by_side, "decode")
{
    conformance_each(CONFORMANCE_FOLDER, format->text, decode_side_by_side);
}

/* An event's data is not NULL where it has a size, and diagnostics carry
 * their names. */
static void check_fields(const conformance_case *one)
{
    tw_decoder *decoder = case_decoder(one, false);
    const tw_event *event;
    tw_decoder_feed(decoder, one->text, one->size, TW_MARK_UNKNOWN);
    while (tw_decoder_next(decoder, &event) == 1) {
        const bool call = event->type >= TW_EVENT_CALL_BEGIN &&
                          event->type <= TW_EVENT_CALL_END;
        cr_assert(event->size == 0 || event->data != NULL);
        cr_assert(event->id_size == 0 || event->id != NULL);
        cr_assert(!call || event->index != TW_NO_INDEX);
        if (event->type == TW_EVENT_DIAGNOSTIC) {
            const tw_diagnostic *row = tw_diagnostic_get(event->code);
            cr_assert_not_null(row);
            cr_assert_eq(event->size, strlen(row->name));
            cr_assert_eq(memcmp(event->data, row->name, event->size), 0);
            cr_assert_eq((event->flags & TW_EVENT_WARNING) != 0,
                         row->warning != 0);
        }
    }
    tw_decoder_free(decoder);
}

EachFormat(api_input, event_fields, "decode")
{
    conformance_each(CONFORMANCE_FOLDER, format->text, check_fields);
}

/* ---- the limit on the whole input --------------------------------------- */

static void set_limit(tw_decoder *decoder, size_t limit)
{
    tw_decoder_reset(decoder);
    cr_assert_eq(
        tw_decoder_set(decoder, TW_OPTION_LIMIT_INPUT, (int64_t)limit), TW_OK);
}

static void expect_sticky(tw_decoder *decoder)
{
    const tw_event *event;
    for (int i = 0; i < 2; i++) {
        cr_assert_eq(tw_decoder_next(decoder, &event), TW_ERROR_LIMIT);
        cr_assert_eq(tw_decoder_feed(decoder, "x", 1, TW_MARK_UNKNOWN),
                     TW_ERROR_LIMIT);
        cr_assert_eq(tw_decoder_finish(decoder, TW_FINISH_STOP),
                     TW_ERROR_LIMIT);
        cr_assert_eq(tw_decoder_error(decoder)->code, TW_ERROR_LIMIT);
    }
}

/* R13: L bytes are accepted, the next one is an error at offset L, the same
 * for every chunking; what stood before is decoded, and the decoder is usable
 * after a reset. */
static void expect_limit(const conformance_case *one)
{
    const char *text = one->text;
    const size_t size = one->size;
    tw_decoder *decoder = case_decoder(one, false);
    event_log full = {0};
    event_log whole = {0};
    event_log other = {0};
    if (size == 0) {
        tw_decoder_free(decoder);
        return;
    }
    decode(&full, decoder, text, size, 0);
    for (size_t limit = 1; limit < size; limit++) {
        set_limit(decoder, limit);
        decode(&whole, decoder, text, size, 0);
        cr_assert_eq(whole.error, TW_ERROR_LIMIT, "%zu", limit);
        cr_assert_eq(whole.error_offset, limit);
        cr_assert(event_log_extends(&whole, &full), "%zu", limit);
        cr_assert_null(event_log_check(&whole, limit));
        expect_sticky(decoder);
        static const size_t chunks[] = {1, 2, 7, 64};
        for (size_t i = 0; i < 4; i++) {
            decode(&other, decoder, text, size, chunks[i]);
            cr_assert(event_log_same(&whole, &other), "%zu by %zu", limit,
                      chunks[i]);
        }
        const feeding at_limit = {0, &limit, 1};
        event_log_run(&other, decoder, text, size, &at_limit, NULL, 0);
        cr_assert(event_log_same(&whole, &other), "cut at %zu", limit);
        decode(&other, decoder, text, limit, 0);
        cr_assert_eq(other.error, 0);
        cr_assert_null(event_log_check(&other, limit));
    }
    set_limit(decoder, size);
    decode(&other, decoder, text, size, 0);
    cr_assert(event_log_same(&full, &other));
    decode(&other, decoder, text, size, 1);
    cr_assert(event_log_same(&full, &other));
    event_log_free(&full);
    event_log_free(&whole);
    event_log_free(&other);
    tw_decoder_free(decoder);
}

EachFormat(api_input, limit, "decode")
{
    conformance_each(CONFORMANCE_FOLDER, format->text, expect_limit);
}
