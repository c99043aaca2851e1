/* SPDX-License-Identifier: MIT
 *
 * Decodes an output with its stop marker, without it and with half of it, and
 * compares.
 */
#include "stopped.h"

#include <stdlib.h>
#include <string.h>

#include "cases.h"
#include "core/skip.h"
#include "formats/format.h"

/* ---- markers ------------------------------------------------------------ */

static bool ends_with(const char *text, size_t size, const tw_marker *marker)
{
    return size >= marker->size &&
           memcmp(text + size - marker->size, marker->text, marker->size) == 0;
}

size_t without_stop_marker(const tw_format *format, const char *text,
                           size_t size)
{
    const tw_marker *marker;
    for (size_t i = 0; tw_format_marker(format, i, &marker) == 1; i++) {
        if (marker->stop == 1 && ends_with(text, size, marker)) {
            return size - marker->size;
        }
    }
    return size;
}

/* How many bytes at the end of |text| begin a marker without ending it. */
static size_t half_marker(const tw_format *format, const char *text,
                          size_t size)
{
    const tw_marker *marker;
    size_t most = 0;
    for (size_t i = 0; tw_format_marker(format, i, &marker) == 1; i++) {
        for (size_t half = marker->size - 1; half > most; half--) {
            if (half <= size &&
                memcmp(text + size - half, marker->text, half) == 0) {
                most = half;
            }
        }
    }
    return most;
}

/* ---- what a message says ------------------------------------------------ */

typedef struct summary {
    naive_bytes text, reasoning;
    naive_bytes calls; /* their events, but for offsets */
    size_t call_count;
    naive_bytes codes; /* of the diagnostics, in order */
    size_t unparsed;
    bool cut, named; /* the last of these is a call that is cut, with a name */
} summary;

static void summary_free(summary *its)
{
    naive_release(&its->text);
    naive_release(&its->reasoning);
    naive_release(&its->calls);
    naive_release(&its->codes);
}

/* The call that ends at |end|. */
static void add_call(summary *its, const event_log *log,
                     const event_record *end)
{
    for (const event_record *event = log->events; event < end; event++) {
        if (event->index == end->index &&
            (event->type == TW_EVENT_CALL_BEGIN ||
             event->type == TW_EVENT_CALL_ARGUMENTS)) {
            naive_add(&its->calls, log->bytes + event->data, event->size);
            naive_add(&its->calls, log->bytes + event->id, event->id_size);
            naive_add_text(&its->calls,
                           event->type == TW_EVENT_CALL_ARGUMENTS ? ""
                           : event->flags & TW_EVENT_CUSTOM       ? " custom "
                                                                  : " ");
        }
    }
    naive_add_text(&its->calls, "\n");
    its->call_count++;
}

static summary summary_of(const event_log *log)
{
    summary its = {.text = log_text(log, TW_EVENT_TEXT),
                   .reasoning = log_text(log, TW_EVENT_REASONING)};
    naive_add_text(&its.calls, "");
    naive_add_text(&its.codes, "");
    for (size_t i = 0; i < log->count; i++) {
        const event_record *event = &log->events[i];
        if (event->type == TW_EVENT_CALL_END &&
            event->code == TW_CALL_COMPLETE) {
            add_call(&its, log, event);
        } else if (event->type == TW_EVENT_DIAGNOSTIC) {
            naive_add_text(&its.codes, tw_diagnostic_get(event->code)->name);
            naive_add_text(&its.codes, "\n");
        }
        if (event->type == TW_EVENT_UNPARSED) {
            its.unparsed++;
            its.cut = event->code == TW_DIAGNOSTIC_TRUNCATED_CALL ||
                      event->code == TW_DIAGNOSTIC_NO_NAME;
            its.named = event->id_size > 0;
        }
    }
    return its;
}

static summary decoded(tw_decoder *decoder, const char *text, size_t size)
{
    static const feeding all = {0, NULL, 0};
    event_log log = {0};
    event_log_run_to(&log, decoder, text, size, &all, TW_FINISH_STOP);
    const summary its = summary_of(&log);
    event_log_free(&log);
    return its;
}

static bool same_bytes(const naive_bytes *a, const naive_bytes *b)
{
    return a->size == b->size && memcmp(a->data, b->data, a->size) == 0;
}

/* ---- the comparison ----------------------------------------------------- */

static size_t count_of(const naive_bytes *codes, const char *code)
{
    size_t count = 0;
    for (const char *at = codes->data; (at = strstr(at, code)) != NULL; at++) {
        count++;
    }
    return count;
}

/* The output ends in half a marker or in a header, which tells nothing yet; a
 * marker there would make it whole, or content. */
static bool is_cut_header(const summary *bare, const summary *marked)
{
    return count_of(&bare->codes, "half_marker\n") > 0 ||
           count_of(&bare->codes, "truncated_header\n") > 0 ||
           count_of(&bare->codes, "missing_message\n") <
               count_of(&marked->codes, "missing_message\n");
}

/* Has the format calls that a stop marker ends and the output's end does not:
 * it is all that closes them (D5, G1), or they are Python's (P6)? */
static bool stop_closes(const tw_format *format)
{
    const tw_description *d = format->description;
    bool closes = false;
    for (size_t i = 0; d != NULL && i < d->call.count; i++) {
        const uint8_t kind = tw_pattern_hole(&d->call.all[i])->kind;
        closes |= tw_call_ends_message(d, &d->call.all[i]) ||
                  kind == TW_PATTERN_PYTHON ||
                  kind == TW_PATTERN_PYTHON_LINES ||
                  kind == TW_PATTERN_PYTHON_CALL;
    }
    return closes;
}

/* |code|, up to its line feed, is one of |codes|. */
static bool is_one_of(const char *code, const char *const *codes)
{
    const size_t size = strcspn(code, "\n");
    while (*codes != NULL &&
           (strlen(*codes) != size || memcmp(*codes, code, size) != 0)) {
        codes++;
    }
    return *codes != NULL;
}

/* |bare| says what |marked| says, and perhaps once that a marker is missing;
 * |marked| may say that its marker ends nothing. */
static bool same_codes(const naive_bytes *bare, const naive_bytes *marked)
{
    static const char *const missing[] = {"missing_call_close",
                                          "partial_terminator", NULL};
    static const char *const too_many[] = {
        "stray_terminator", "output_after_end", "after_return", NULL};
    const char *a = bare->data;
    const char *b = marked->data;
    bool said = false;
    while (*a != 0 || *b != 0) {
        const size_t size = strcspn(a, "\n") + 1;
        if (*a != 0 && strncmp(a, b, size) == 0) {
            a += size;
            b += size;
        } else if (*b != 0 && is_one_of(b, too_many)) {
            b += strcspn(b, "\n") + 1;
        } else if (*a != 0 && !said && is_one_of(a, missing)) {
            said = true;
            a += size;
        } else {
            return false;
        }
    }
    return true;
}

/* The same text, or |marked| took the marker for a part of it: inside a string
 * of a block that turns out to be none.  Blanks in front of it, an edge
 * without it, are text then, too. */
static bool same_text(const naive_bytes *bare, const naive_bytes *marked,
                      const tw_marker *marker)
{
    size_t end = marked->size;
    if (ends_with(marked->data, end, marker)) {
        end -= marker->size;
        while (end > bare->size &&
               tw_is_ws((unsigned char)marked->data[end - 1])) {
            end--;
        }
    }
    return end == bare->size && memcmp(marked->data, bare->data, end) == 0;
}

static bool says_as_much(const summary *bare, const summary *marked,
                         const tw_marker *marker)
{
    return same_bytes(&bare->calls, &marked->calls) &&
           same_text(&bare->text, &marked->text, marker) &&
           same_text(&bare->reasoning, &marked->reasoning, marker) &&
           bare->unparsed == marked->unparsed &&
           (bare->unparsed > 0 || same_codes(&bare->codes, &marked->codes));
}

/* With each stop marker behind it.  Half a head is none in front of one (D2).
 */
static const char *with_markers(tw_decoder *decoder, const tw_format *format,
                                const char *text, size_t size,
                                const summary *bare, unsigned long *unjudged)
{
    const tw_marker *marker;
    const bool is_head = bare->cut && !bare->named;
    const bool is_closed = bare->cut && stop_closes(format);
    bool same = is_head || is_closed;
    bool fewer = false;
    size_t stops = 0;
    *unjudged += same;
    for (size_t i = 0; tw_format_marker(format, i, &marker) == 1; i++) {
        if (marker->stop != 1) {
            continue;
        }
        stops++;
        naive_bytes whole = {0};
        naive_add(&whole, text, size);
        naive_add(&whole, marker->text, marker->size);
        summary marked = decoded(decoder, whole.data, whole.size);
        same |= is_cut_header(bare, &marked) ||
                says_as_much(bare, &marked, marker);
        fewer |= !is_closed && bare->call_count < marked.call_count;
        summary_free(&marked);
        naive_release(&whole);
    }
    return fewer                ? "a stop marker would complete a call"
           : !same && stops > 0 ? "no stop marker gives the same"
                                : NULL;
}

const char *stop_differs(tw_decoder *decoder, const tw_format *format,
                         const char *text, size_t size,
                         unsigned long *unjudged)
{
    if (half_marker(format, text, size) > 0) {
        ++*unjudged;
        return NULL;
    }
    summary bare = decoded(decoder, text, size);
    const char *wrong =
        with_markers(decoder, format, text, size, &bare, unjudged);
    summary_free(&bare);
    return wrong;
}
