/* SPDX-License-Identifier: MIT
 *
 * R3, strict mode: the events up to the first diagnostic that is no warning,
 * then TW_ERROR_DEVIATION there; loose heads are text.
 */
#include <criterion/criterion.h>
#include <string.h>

#include "each_format.h"
#include "support/cases.h"
#include "support/decoding.h"

/* The first diagnostic that is no warning; |count| if there is none. */
static size_t first_deviation(const event_log *log)
{
    size_t i = 0;
    while (i < log->count && (log->events[i].type != TW_EVENT_DIAGNOSTIC ||
                              log->events[i].flags & TW_EVENT_WARNING)) {
        i++;
    }
    return i;
}

/* What makes a block a call although its head is not canonical: without
 * these heads the block is text. */
static bool is_loose(uint32_t code)
{
    return code == TW_DIAGNOSTIC_PAREN_ARGS ||
           code == TW_DIAGNOSTIC_MISSING_CALL_OPEN ||
           code == TW_DIAGNOSTIC_QWEN3_CODER_BODY ||
           code == TW_DIAGNOSTIC_GLM_BODY ||
           code == TW_DIAGNOSTIC_CODE_FENCE ||
           code == TW_DIAGNOSTIC_JUNK_BEFORE_OBJECT;
}

/* A blank that JSON does not know makes a head loose where it stands in one,
 * and is a deviation like others elsewhere.  A block without a head is text,
 * a message that names no tool is refused, and so is an object that a loose
 * pattern reads. */
static bool may_be_loose(uint32_t code)
{
    return code == TW_DIAGNOSTIC_LOOSE_HEAD ||
           code == TW_DIAGNOSTIC_UNKNOWN_HEAD || code == TW_DIAGNOSTIC_BOM ||
           code == TW_DIAGNOSTIC_ODD_WHITESPACE ||
           code == TW_DIAGNOSTIC_LITERAL_BACKSLASH_N;
}

static bool same_event(const event_log *a, const event_log *b, size_t i)
{
    const event_record *x = &a->events[i];
    const event_record *y = &b->events[i];
    return x->type == y->type && x->index == y->index && x->code == y->code &&
           x->flags == y->flags && x->offset == y->offset &&
           x->span == y->span && x->size == y->size &&
           memcmp(a->bytes + x->data, b->bytes + y->data, x->size) == 0;
}

/* NULL, or how |strict| is not |lenient| up to event |end| and the error of
 * that event. */
static const char *refusal_differs(const event_log *strict,
                                   const event_log *lenient, size_t end,
                                   const tw_error *error)
{
    const event_record *deviation = &lenient->events[end];
    if (strict->error != TW_ERROR_DEVIATION ||
        error->code != TW_ERROR_DEVIATION) {
        return "no error";
    }
    /* A second call in a block has a loose head: it is something else. */
    if (error->detail != (int32_t)deviation->code &&
        deviation->code != TW_DIAGNOSTIC_CALLS_SHARE_BLOCK) {
        return "another deviation";
    }
    if (error->offset != deviation->offset) {
        return "another offset";
    }
    if (strict->count != end) {
        return strict->count < end ? "events are missing" : "more events";
    }
    for (size_t i = 0; i < end; i++) {
        if (!same_event(strict, lenient, i)) {
            return "another event";
        }
    }
    return NULL;
}

/* A loose head: no call of it, no error by it. */
static const char *loose_differs(const event_log *strict,
                                 const event_log *lenient, size_t end)
{
    const uint64_t from = lenient->events[end].offset;
    for (size_t i = 0; i < strict->count; i++) {
        const event_record *event = &strict->events[i];
        if (event->type == TW_EVENT_TEXT && event->offset <= from &&
            event->offset + event->span > from) {
            return NULL;
        }
    }
    return "a loose head is no text";
}

static void expect_refused(const conformance_case *one, tw_decoder *decoder,
                           const event_log *lenient, size_t end, size_t chunk)
{
    event_log strict = {0};
    decode(&strict, decoder, one->text, one->size, chunk);
    const uint32_t code = lenient->events[end].code;
    const char *wrong =
        is_loose(code) || (may_be_loose(code) && strict.error == 0)
            ? loose_differs(&strict, lenient, end)
            : refusal_differs(&strict, lenient, end,
                              tw_decoder_error(decoder));
    if (wrong == NULL) {
        wrong = event_log_check(&strict, one->size);
    }
    if (wrong != NULL) {
        event_log_print(lenient);
        event_log_print(&strict);
    }
    cr_expect_null(wrong, "%s, chunk %zu, %s: %s", one->id, chunk,
                   tw_diagnostic_get(code)->name, wrong);
    event_log_free(&strict);
}

static void check_cases(const char *format)
{
    conformance file = conformance_read(CONFORMANCE_FOLDER, format);
    for (size_t i = 0; i < file.count; i++) {
        const conformance_case *one = &file.cases[i];
        tw_decoder *decoder = case_decoder(one, false);
        tw_decoder *strict = case_decoder(one, true);
        event_log lenient = {0};
        event_log log = {0};
        decode(&lenient, decoder, one->text, one->size, 0);
        const size_t end = first_deviation(&lenient);
        for (size_t chunk = 0; chunk < 4; chunk++) {
            if (end < lenient.count) {
                expect_refused(one, strict, &lenient, end, chunk);
                continue;
            }
            decode(&log, strict, one->text, one->size, chunk);
            cr_expect(event_log_same(&lenient, &log), "%s, chunk %zu", one->id,
                      chunk);
        }
        cr_expect(end == lenient.count || !case_is(one, "canonical"));
        event_log_free(&lenient);
        event_log_free(&log);
        tw_decoder_free(decoder);
        tw_decoder_free(strict);
    }
    conformance_free(&file);
}

EachFormat(strict, cases, "decode")
{
    check_cases(format->text);
}

/* ---- the error ---------------------------------------------------------- */

/* Section 3: it sticks until reset; events before it come first. */
Test(strict, sticks_until_reset)
{
    static const char bad[] =
        "Hi <tool_call>\n{\"name\": \"f\", \"arguments\": {\"a\": 1,}}\n"
        "</tool_call> Ho";
    static const char good[] =
        "<tool_call>\n{\"name\": \"f\", \"arguments\": {\"a\": 1}}\n"
        "</tool_call>";
    tw_decoder *decoder = decoder_of("hermes");
    event_log log = {0};
    const tw_event *event;
    tw_decoder_set(decoder, TW_OPTION_STRICT, 1);
    cr_assert_eq(
        tw_decoder_feed(decoder, bad, sizeof bad - 1, TW_MARK_UNKNOWN), TW_OK);
    event_log_drain(&log, decoder);
    cr_assert(log_is(&log, "text[Hi ] call[f call_0] args[{\"a\": 1] "
                           "error[-11@49]"));
    for (int i = 0; i < 2; i++) {
        cr_assert_eq(tw_decoder_next(decoder, &event), TW_ERROR_DEVIATION);
        cr_assert_eq(tw_decoder_feed(decoder, "", 0, TW_MARK_UNKNOWN),
                     TW_ERROR_DEVIATION);
        cr_assert_eq(tw_decoder_finish(decoder, TW_FINISH_STOP),
                     TW_ERROR_DEVIATION);
        cr_assert_eq(tw_decoder_error(decoder)->detail,
                     TW_DIAGNOSTIC_TRAILING_COMMA);
    }
    decode(&log, decoder, good, sizeof good - 1, 0);
    cr_assert(log_is(&log, "call[f call_0] args[{\"a\": 1}] complete"));
    event_log_free(&log);
    tw_decoder_free(decoder);
}

/* The families' README, 11: warnings are not refused. */
Test(strict, warnings_pass)
{
    static const char text[] = "<tool_call>\n{\"name\": \" f\", "
                               "\"arguments\": {\"a\": \"\\ud83d\"}}\n"
                               "</tool_call>";
    tw_decoder *decoder = decoder_of("hermes");
    event_log log = {0};
    tw_decoder_set(decoder, TW_OPTION_STRICT, 1);
    tw_decoder_set_tools(decoder, "[\"g\"]", 5);
    decode(&log, decoder, text, sizeof text - 1, 0);
    cr_assert_eq(log.error, 0);
    cr_assert(log_is(&log,
                     "diag[name_whitespace@21] diag[undeclared_tool@0] "
                     "call[ f call_0] args[{\"a\": \"] "
                     "diag[lone_surrogate@47] args[\\ud83d\"}] complete"));
    event_log_free(&log);
    tw_decoder_free(decoder);
}
