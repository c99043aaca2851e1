/* SPDX-License-Identifier: MIT
 *
 * Section 3, marks, of all formats: CONTROL is exactly one marker, and behind
 * a mark no call lacks its opening marker.
 */
#include <criterion/criterion.h>
#include <stdio.h>
#include <string.h>

#include "each_format.h"
#include "formats/description.h"
#include "formats/format.h"
#include "support/cases.h"
#include "support/decoding.h"
#include "support/fragments.h"

/* ---- soups -------------------------------------------------------------- */

enum { SOUPS = 3000, PARTS = 10 };

static uint32_t below(uint64_t *state, uint32_t count)
{
    *state =
        *state * UINT64_C(6364136223846793005) + UINT64_C(1442695040888963407);
    return (uint32_t)(*state >> 33) % count;
}

static bool is_marker(const tw_format *format, const char *text)
{
    const tw_marker *marker;
    bool found = false;
    for (size_t i = 0; tw_format_marker(format, i, &marker) == 1; i++) {
        found |= strcmp(marker->text, text) == 0;
    }
    return found;
}

/* Some pieces of a set; returns the offset of the first that is not UNKNOWN.
 */
static size_t cook(const fragments *set, uint64_t *state, bool all_text,
                   marked *pieces, size_t *count)
{
    size_t first = SIZE_MAX;
    size_t at = 0;
    *count = 1 + below(state, PARTS);
    for (size_t i = 0; i < *count; i++) {
        const char *text = below(state, 2) == 0
                               ? set->texts[below(state, set->text_count)]
                               : set->parts[below(state, set->part_count)];
        const uint32_t kind = all_text ? 1 : below(state, 6);
        pieces[i].text = text;
        pieces[i].mark = kind == 1 ? TW_MARK_TEXT
                         : kind < 4 && is_marker(set->format, text)
                             ? TW_MARK_CONTROL
                             : TW_MARK_UNKNOWN;
        if (pieces[i].mark != TW_MARK_UNKNOWN && first == SIZE_MAX) {
            first = at;
        }
        at += strlen(text);
    }
    return first;
}

/* Is there a call, from |first| on, that lacks its opening marker? */
static bool has_bare_call(const event_log *log, uint64_t first)
{
    bool found = false;
    for (size_t i = 0; i < log->count; i++) {
        found |= log->events[i].type == TW_EVENT_DIAGNOSTIC &&
                 log->events[i].code == TW_DIAGNOSTIC_MISSING_CALL_OPEN &&
                 log->events[i].offset >= first;
    }
    return found;
}

/* No cut matters, and no call lacks its opening marker behind a mark. */
static const char *soup_fault(const event_log *whole, const event_log *other,
                              size_t first)
{
    return !event_log_same(whole, other) ? "a cut changes the events"
           : has_bare_call(whole, first) ? "a bare call behind a mark"
                                         : NULL;
}

/* Text makes no block where no tokenizer matches a marker in it. */
static const char *text_fault(const fragments *set, const event_log *log)
{
    for (size_t i = 0; i < log->count && !fragments_text_may_call(set); i++) {
        if (log->events[i].type == TW_EVENT_CALL_BEGIN ||
            log->events[i].type == TW_EVENT_UNPARSED) {
            return "text makes a block";
        }
    }
    return NULL;
}

static void check_soups(const fragments *set)
{
    tw_decoder *decoder = fragments_decoder(set);
    event_log whole = {0};
    event_log other = {0};
    uint64_t state = 1;
    marked pieces[PARTS];
    size_t count;
    for (size_t i = 0; i < SOUPS; i++) {
        const bool all_text = i % 4 == 0;
        const size_t first = cook(set, &state, all_text, pieces, &count);
        decode_marked(&whole, decoder, pieces, count, 0);
        decode_marked(&other, decoder, pieces, count, 1 + i % 3);
        const char *wrong = soup_fault(&whole, &other, first);
        wrong = wrong == NULL && all_text ? text_fault(set, &whole) : wrong;
        for (size_t at = 0; at < count && wrong != NULL; at++) {
            fprintf(stderr, "%d %s\n", (int)pieces[at].mark, pieces[at].text);
        }
        if (wrong != NULL) {
            event_log_print(&whole);
            event_log_print(&other);
        }
        cr_assert_null(wrong, "%s, soup %zu: %s", set->name, i, wrong);
    }
    event_log_free(&whole);
    event_log_free(&other);
    tw_decoder_free(decoder);
}

EachFormat(marks, soups, "decode")
{
    char all[FORMAT_NAME_SIZE + 1];
    const fragments *set;
    snprintf(all, sizeof all, "%s*", format->text);
    for (size_t i = 0; (set = fragments_like(all, i)) != NULL; i++) {
        check_soups(set);
    }
}

/* ---- CONTROL ------------------------------------------------------------ */

/* Half a token: nobody who feeds tokens sees one. */
static bool ends_in_half(const conformance_case *one)
{
    const tw_marker *marker;
    for (size_t i = 0; tw_format_marker(one->format, i, &marker) == 1; i++) {
        for (size_t half = 2; half < marker->size && half <= one->size;
             half++) {
            if (memcmp(one->text + one->size - half, marker->text, half) ==
                0) {
                return true;
            }
        }
    }
    return false;
}

static bool has_code(const event_log *log, uint32_t code)
{
    bool found = false;
    for (size_t i = 0; i < log->count; i++) {
        found |= log->events[i].code == code;
    }
    return found;
}

/* Does a call quote a marker?  Fed as CONTROL it would be one. */
static bool quotes_marker(const event_log *log)
{
    bool call = false;
    bool found = false;
    for (size_t i = 0; i < log->count; i++) {
        const event_record *event = &log->events[i];
        call = event->type == TW_EVENT_CALL_BEGIN ||
               (call && event->type != TW_EVENT_CALL_END);
        found |= call && event->type == TW_EVENT_DIAGNOSTIC &&
                 event->code == TW_DIAGNOSTIC_MARKER_IN_BODY;
    }
    return found;
}

/* Fed as CONTROL or as UNKNOWN, a marker means the same, whatever stands
 * around it; but a block that only its marks tell from prose is listed, and of
 * what looks like a call only UNKNOWN bytes are told.  Where none is, only
 * UNKNOWN bytes make a call. */
static void check_control(const conformance_case *one)
{
    if (one->message != NULL || ends_in_half(one)) {
        return;
    }
    const tw_description *description = one->format->description;
    if (description != NULL && description->suffix[0] != 0 &&
        strstr(one->text, description->suffix) == NULL) {
        return; /* the markers in it have another suffix than the format's */
    }
    enum {
        UNKNOWN = TW_DIAGNOSTIC_UNKNOWN_HEAD,
        LIKE = TW_DIAGNOSTIC_CALL_LIKE_TEXT
    };
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
    cr_expect(has_bare_call(&whole, 0)
                  ? !has_bare_call(&other, 0)
                  : quotes_marker(&whole) || event_log_same(&whole, &other) ||
                        has_code(&other, UNKNOWN) || has_code(&whole, LIKE),
              "%s", one->id);
    event_log_free(&whole);
    event_log_free(&other);
    tw_decoder_free(decoder);
}

EachFormat(marks, control, "decode")
{
    conformance_each(CONFORMANCE_FOLDER, format->text, check_control);
}

Test(marks, control_of_described, .timeout = 1200)
{
    cr_assert_gt(conformance_each_described(CONFORMANCE_FOLDER, check_control),
                 60);
}

/* ---- TEXT --------------------------------------------------------------- */

/* The token that begins at |at|, which ordinary text never is, or NULL. */
static const tw_marker *token_at(const tw_format *format, const char *at)
{
    const tw_marker *marker;
    const tw_marker *best = NULL;
    for (size_t i = 0; tw_format_marker(format, i, &marker) == 1; i++) {
        if (marker->token && !marker->literal &&
            (best == NULL || marker->size > best->size) &&
            strncmp(at, marker->text, marker->size) == 0) {
            best = marker;
        }
    }
    return best;
}

/* The event from |at| on that is no warning, or NULL: of markers that belong
 * to no place some warn, and of other letters none does. */
static const event_record *next_of(const event_log *log, size_t at)
{
    while (at < log->count && log->events[at].type == TW_EVENT_DIAGNOSTIC &&
           (log->events[at].flags & TW_EVENT_WARNING) != 0) {
        at++;
    }
    return at < log->count ? &log->events[at] : NULL;
}

/* Events but for their data: where, what, how much. */
static bool same_structure(const event_log *a, const event_log *b)
{
    const event_record *left = next_of(a, 0);
    const event_record *right = next_of(b, 0);
    bool same = a->error == b->error;
    while (same && left != NULL && right != NULL) {
        same = left->type == right->type && left->index == right->index &&
               left->code == right->code && left->offset == right->offset &&
               left->span == right->span && left->size == right->size;
        left = next_of(a, (size_t)(left - a->events) + 1);
        right = next_of(b, (size_t)(right - b->events) + 1);
    }
    return same && left == NULL && right == NULL;
}

static void decode_around(event_log *log, tw_decoder *decoder,
                          const conformance_case *one, size_t at,
                          const char *token, size_t size)
{
    tw_decoder_reset(decoder);
    event_log_free(log);
    cr_assert_eq(tw_decoder_feed(decoder, one->text, at, TW_MARK_UNKNOWN),
                 TW_OK);
    event_log_drain(log, decoder);
    cr_assert_eq(tw_decoder_feed(decoder, token, size, TW_MARK_TEXT), TW_OK);
    event_log_drain(log, decoder);
    cr_assert_eq(tw_decoder_feed(decoder, one->text + at + size,
                                 one->size - at - size, TW_MARK_UNKNOWN),
                 TW_OK);
    event_log_drain(log, decoder);
    tw_decoder_finish(decoder, TW_FINISH_STOP);
    event_log_drain(log, decoder);
}

/* Does each marker of the description that has the token begin with it?  A
 * mark is asked of the token that begins one, and not of those inside. */
static bool begins_markers(const tw_format *format, const tw_marker *token)
{
    static char described[1 << 16];
    const size_t size =
        tw_format_describe(format, described, sizeof described - 1);
    bool begins = true;
    cr_assert_lt(size, sizeof described);
    described[size] = '\0';
    const char *at = strstr(described, "\"call\""); /* behind the example */
    while (at != NULL && (at = strstr(at, token->text)) != NULL) {
        const bool first = at[-1] == '"' && at[-2] != '\\';
        const bool next = at[-1] == '}' || at[-1] == ' ' || at[-1] == '>' ||
                          (at[-1] == 'n' && at[-2] == '\\');
        begins &= first || next;
        at += token->size;
    }
    return begins;
}

/* A token that a mark calls text is read as the same text with other letters,
 * wherever it stands. */
static void check_text(const conformance_case *one)
{
    tw_decoder *decoder = case_decoder(one, false);
    event_log marked_one = {0};
    event_log other = {0};
    for (size_t at = 0; at < one->size; at++) {
        const tw_marker *marker = token_at(one->format, one->text + at);
        char letters[256];
        if (marker == NULL || !begins_markers(one->format, marker)) {
            continue;
        }
        for (size_t i = 0; i < marker->size; i++) {
            const char c = marker->text[i];
            letters[i] = (c >= 'a' && c <= 'z') ? 'z'
                         : c >= 'A' && c <= 'Z' ? 'Z'
                                                : c;
        }
        decode_around(&marked_one, decoder, one, at, marker->text,
                      marker->size);
        decode_around(&other, decoder, one, at, letters, marker->size);
        cr_expect(same_structure(&marked_one, &other), "%s: %s at %zu",
                  one->id, marker->text, at);
        if (!same_structure(&marked_one, &other)) {
            event_log_print(&marked_one);
            event_log_print(&other);
        }
    }
    event_log_free(&marked_one);
    event_log_free(&other);
    tw_decoder_free(decoder);
}

EachFormat(marks, text, "decode")
{
    conformance_each(CONFORMANCE_FOLDER, format->text, check_text);
}

Test(marks, text_of_described, .timeout = 1200)
{
    cr_assert_gt(conformance_each_described(CONFORMANCE_FOLDER, check_text),
                 60);
}
