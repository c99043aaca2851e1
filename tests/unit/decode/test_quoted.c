/* SPDX-License-Identifier: MIT
 *
 * A call whose head or first parameter is damaged does not run what a value of
 * it quotes, in every format whose values stand between tags.
 */
#include <criterion/criterion.h>
#include <stdlib.h>
#include <string.h>

#include "formats/description.h"
#include "formats/format.h"
#include "support/cases.h"
#include "support/decoding.h"

/* A text of one call: where that begins behind its first marker, where a value
 * stands that is text, and where the last marker ends. */
typedef struct outer {
    const conformance_case *one;
    tw_decoder *decoder;
    const char *arguments;
    const char *begin, *head, *value, *end;
    size_t value_size;
} outer;

static bool is_between_tags(const tw_format *format)
{
    const tw_description *d = format->description;
    const uint8_t kind = d != NULL && d->call.count > 0
                             ? tw_pattern_hole(d->call.all)->kind
                             : 0;
    return (kind == TW_PATTERN_ARGUMENTS && d->argument.count > 0) ||
           kind == TW_PATTERN_ELEMENTS || kind == TW_PATTERN_GEMMA;
}

/* The markers around the call. */
static void find_markers(outer *its)
{
    const tw_format *format = its->one->format;
    for (size_t i = 0; i < *format->marker_count; i++) {
        const tw_marker *marker = &format->markers[i];
        const char *at = its->one->text;
        while ((marker->role == TW_MARKER_CALL_OPEN ||
                marker->role == TW_MARKER_CALL_CLOSE) &&
               (at = strstr(at, marker->text)) != NULL) {
            const bool opens = marker->role == TW_MARKER_CALL_OPEN;
            if (opens && (its->begin == NULL || at < its->begin)) {
                its->begin = at;
                its->head = at + marker->size;
            }
            at += marker->size;
            its->end = !opens && at > its->end ? at : its->end;
        }
    }
}

/* A value that stands once in the call, as it is, and in no JSON. */
static void find_value(outer *its, const tw_value *arguments)
{
    const tw_value *value = arguments->first;
    for (; value != NULL && its->value == NULL; value = value->next) {
        const char *at = value->kind == TW_VALUE_STRING && value->size > 1
                             ? strstr(its->head, value->text)
                             : NULL;
        if (at != NULL && at < its->end && at[-1] != '"' &&
            strstr(at + 1, value->text) == NULL) {
            its->value = at;
            its->value_size = value->size;
        }
    }
}

/* The call that the value quotes does not run, where |added| stands in the
 * place of |taken| bytes at |at|. */
static void check_runs_not(const outer *its, const char *at, size_t taken,
                           const char *added)
{
    const char *text = its->one->text;
    const char *behind = its->value + its->value_size;
    naive_bytes out = {0};
    event_log log = {0};
    bool found = false;
    naive_add(&out, text, (size_t)(at - text));
    naive_add_text(&out, added);
    naive_add(&out, at + taken, (size_t)(its->value - at) - taken);
    naive_add_text(&out, "see: ");
    naive_add(&out, its->begin, (size_t)(its->end - its->begin));
    naive_add_text(&out, behind);
    decode(&log, its->decoder, out.data, out.size, 0);
    for (size_t i = 0; i < log.count; i++) {
        const event_record *event = &log.events[i];
        found |=
            event->type == TW_EVENT_CALL_ARGUMENTS &&
            event->size == strlen(its->arguments) &&
            memcmp(log.bytes + event->data, its->arguments, event->size) == 0;
    }
    cr_expect(!found, "%s: %s: %s", its->one->format_name, its->one->id,
              out.data);
    event_log_free(&log);
    naive_release(&out);
}

static size_t damaged;

static void check_case(const conformance_case *one, bool strict)
{
    const tw_value *calls = tw_value_member(one->expect, "tool_calls");
    outer its = {.one = one};
    if (!case_is(one, "canonical") || !is_between_tags(one->format) ||
        calls == NULL || calls->first == NULL || calls->first->next != NULL) {
        return;
    }
    const tw_value *text = tw_value_member(calls->first, "arguments_text");
    find_markers(&its);
    if (its.begin != NULL && its.end > its.head && text != NULL) {
        its.arguments = text->text;
        find_value(&its, tw_value_member(calls->first, "arguments"));
    }
    if (its.value == NULL) {
        return;
    }
    its.decoder = case_decoder(one, strict);
    for (const char *at = its.head; at < its.value; at++) {
        check_runs_not(&its, at, 1, "");
        check_runs_not(&its, at, 0, "x");
        damaged++;
    }
    tw_decoder_free(its.decoder);
}

static void check_damage(const conformance_case *one)
{
    check_case(one, false);
    check_case(one, true);
}

Test(quoted, a_damaged_call_runs_nothing_that_it_quotes)
{
    conformance_each_described(CONFORMANCE_FOLDER, check_damage);
    cr_expect_gt(damaged, 1000, "%zu", damaged);
}
