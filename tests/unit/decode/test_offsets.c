/* SPDX-License-Identifier: MIT
 *
 * Where events stand: an event's offset is that of its first byte in the
 * input.  In canonical text that byte is the one delivered, but for what a
 * notation with markers around strings writes in another way.
 */
#include <criterion/criterion.h>
#include <string.h>

#include "each_format.h"
#include "support/cases.h"
#include "support/decoding.h"

typedef struct place {
    const conformance_case *one;
    bool quoted;        /* markers stand around strings */
    uint64_t begun[64]; /* of each call */
    uint64_t last;      /* of the arguments before */
    size_t checked;
} place;

static bool is_piece(const tw_event *event)
{
    return (event->type == TW_EVENT_TEXT ||
            event->type == TW_EVENT_REASONING ||
            event->type == TW_EVENT_CALL_ARGUMENTS) &&
           event->size > 0;
}

/* Quotes, commas and the ends of keys are JSON's own. */
static bool is_own(const tw_event *event)
{
    return event->type == TW_EVENT_CALL_ARGUMENTS &&
           (event->data[0] == '"' || event->data[0] == ',' ||
            event->data[0] == '\\');
}

static void check_piece(place *at, const tw_event *event)
{
    const char *text = at->one->text;
    const bool own = at->quoted && is_own(event);
    cr_assert_lt(event->offset, at->one->size, "%s", at->one->id);
    cr_expect(own || text[event->offset] == event->data[0],
              "%s: `%.*s' does not stand at %d", at->one->id, (int)event->size,
              event->data, (int)event->offset);
    at->checked += !own;
    if (event->type != TW_EVENT_CALL_ARGUMENTS) {
        return;
    }
    cr_expect_geq(event->offset, at->last, "%s", at->one->id);
    at->last = event->offset;
    if (!at->quoted) { /* JSON on the wire goes through as it is */
        cr_expect(event->offset + event->size <= at->one->size &&
                      memcmp(text + event->offset, event->data, event->size) ==
                          0,
                  "%s: `%.*s' does not stand at %d", at->one->id,
                  (int)event->size, event->data, (int)event->offset);
    }
}

static void check_event(place *at, const tw_event *event)
{
    if (is_piece(event)) {
        check_piece(at, event);
    } else if (event->type == TW_EVENT_CALL_BEGIN) {
        cr_assert_lt(event->index, 64);
        at->begun[event->index] = event->offset;
        at->last = event->offset;
    } else if (event->type == TW_EVENT_CALL_END &&
               event->code == TW_CALL_COMPLETE) {
        cr_expect_eq(event->offset, at->begun[event->index], "%s",
                     at->one->id);
        cr_expect_lt(at->last, event->offset + event->span, "%s", at->one->id);
    } else if (event->type == TW_EVENT_END) {
        cr_expect_eq(event->offset, at->one->size, "%s", at->one->id);
    }
}

static void drain(place *at, tw_decoder *decoder)
{
    const tw_event *event;
    while (tw_decoder_next(decoder, &event) == 1) {
        check_event(at, event);
    }
}

static void check_case(place *at, tw_decoder *decoder, size_t chunk)
{
    const conformance_case *one = at->one;
    at->last = 0;
    tw_decoder_reset(decoder);
    for (size_t i = 0; i < one->size; i += chunk) {
        const size_t left = one->size - i;
        cr_assert_eq(tw_decoder_feed(decoder, one->text + i,
                                     left < chunk ? left : chunk,
                                     TW_MARK_UNKNOWN),
                     TW_OK);
        drain(at, decoder);
    }
    tw_decoder_finish(decoder, TW_FINISH_STOP);
    drain(at, decoder);
}

static void check_format(const char *format)
{
    conformance file = conformance_read(CONFORMANCE_FOLDER, format);
    size_t checked = 0;
    size_t canonical = 0;
    for (size_t i = 0; i < file.count; i++) {
        place at = {.one = &file.cases[i],
                    .quoted =
                        format_reads(file.cases[i].format, TW_MARKER_STRING)};
        if (!case_is(at.one, "canonical")) {
            continue;
        }
        tw_decoder *decoder = case_decoder(at.one, false);
        check_case(&at, decoder, at.one->size + 1);
        check_case(&at, decoder, 1);
        check_case(&at, decoder, 7);
        checked += at.checked;
        canonical++;
        tw_decoder_free(decoder);
    }
    cr_expect_gt(canonical, 0);
    cr_expect_gt(checked, 10 * canonical);
    conformance_free(&file);
}

EachFormat(offsets, canonical, "decode")
{
    check_format(format->text);
}
