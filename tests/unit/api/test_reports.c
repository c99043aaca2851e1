/* SPDX-License-Identifier: MIT
 *
 * E1, E4: odd requests, and what is written, reported or refused of them, by
 * its path: conformance/reports.jsonl.  Each of them survives every failed
 * allocation.
 */
#include <criterion/criterion.h>
#include <string.h>

#include "allocator.h"
#include "json_file.h"

static const char *member(const tw_value *row, const char *key)
{
    return tw_value_member(row, key)->text;
}

/* NULL: no memory. */
static tw_encoder *encoder_of(const tw_value *row,
                              const tw_allocator *allocator)
{
    tw_encoder *encoder =
        tw_encoder_new(tw_format_find(member(row, "format")), allocator);
    if (encoder != NULL && tw_value_member(row, "python_numbers") != NULL) {
        cr_assert_eq(tw_encoder_set(encoder, TW_OPTION_PYTHON_NUMBERS, 1),
                     TW_OK);
    }
    return encoder;
}

static const char *shown(const char *path)
{
    return path != NULL ? path : "";
}

static const char *kind_of(const tw_error *report)
{
    return report->detail == TW_LOSS_TEMPLATE_DEFECT ? "template_defect"
                                                     : "loss";
}

static void check_reports(tw_encoder *encoder, const tw_value *row)
{
    const char *id = member(row, "id");
    const tw_value *wanted = tw_value_member(row, "reports")->first;
    const tw_error *report;
    for (size_t i = 0; tw_encoder_report(encoder, i, &report) == 1; i++) {
        cr_assert_not_null(wanted, "%s: also %s of %s", id, kind_of(report),
                           shown(report->path));
        cr_expect_str_eq(kind_of(report), wanted->first->text, "%s", id);
        cr_expect_str_eq(shown(report->path), wanted->first->next->text, "%s",
                         id);
        wanted = wanted->next;
    }
    cr_expect_null(wanted, "%s: no %s of %s", id,
                   wanted != NULL ? wanted->first->text : "",
                   wanted != NULL ? wanted->first->next->text : "");
}

static void check_result(tw_encoder *encoder, const tw_value *row, int result,
                         const char *text, size_t size)
{
    const char *id = member(row, "id");
    const tw_value *refused = tw_value_member(row, "refused");
    const tw_error *error = tw_encoder_error(encoder);
    if (refused != NULL) {
        cr_expect_str_eq(shown(tw_error_name(result)), refused->first->text,
                         "%s", id);
        cr_expect_str_eq(shown(error->path), refused->first->next->text, "%s",
                         id);
        return;
    }
    const tw_value *wanted = tw_value_member(row, "expect_text");
    cr_assert_eq(result, TW_OK, "%s: %s at %s", id, error->message,
                 shown(error->path));
    cr_expect(size == wanted->size && memcmp(text, wanted->text, size) == 0,
              "%s: %.*s", id, (int)size, text);
    check_reports(encoder, row);
}

Test(reports, rows)
{
    json_lines lines = lines_of("reports.jsonl");
    for (size_t i = 0; i < lines.count; i++) {
        const tw_value *row = lines.lines[i].root;
        naive_bytes request = json_text(tw_value_member(row, "request"));
        tw_encoder *encoder = encoder_of(row, NULL);
        const char *text = "";
        size_t size = 0;
        const int result =
            tw_encode(encoder, request.data, request.size, &text, &size);
        check_result(encoder, row, result, text, size);
        tw_encoder_free(encoder);
        naive_release(&request);
    }
    json_lines_free(&lines);
}

/* False: there are not so many allocations. */
static bool survives(const tw_value *row, const naive_bytes *request,
                     size_t fail_at, bool for_ever)
{
    test_memory state = {0};
    const tw_allocator allocator = test_allocator(&state);
    tw_encoder *encoder = encoder_of(row, &allocator);
    const char *text = "";
    size_t size = 0;
    cr_assert_not_null(encoder);
    state.fail_at = state.count + fail_at;
    state.for_ever = for_ever;
    int result =
        tw_encode(encoder, request->data, request->size, &text, &size);
    const bool failed = state.count >= state.fail_at;
    state.fail_at = 0;
    /* The path of a refusal is the last that takes memory. */
    if (result == TW_OK) { /* reading back can do without some */
        check_result(encoder, row, result, text, size);
    } else if (failed && tw_value_member(row, "refused") == NULL) {
        cr_expect_eq(result, TW_ERROR_MEMORY, "%s, allocation %zu: %d",
                     member(row, "id"), fail_at, result);
    }
    result = tw_encode(encoder, request->data, request->size, &text, &size);
    check_result(encoder, row, result, text, size);
    tw_encoder_free(encoder);
    cr_expect_eq(state.live, 0, "%s, allocation %zu", member(row, "id"),
                 fail_at);
    return failed;
}

Test(reports, faults)
{
    json_lines lines = lines_of("reports.jsonl");
    for (size_t i = 0; i < lines.count; i++) {
        const tw_value *row = lines.lines[i].root;
        naive_bytes request = json_text(tw_value_member(row, "request"));
        for (int for_ever = 0; for_ever < 2; for_ever++) {
            size_t fail_at = 1 + (i + (size_t)for_ever) % TESTS_SHARE;
            while (survives(row, &request, fail_at, for_ever == 1)) {
                fail_at += TESTS_SHARE;
            }
            cr_assert_gt(fail_at, 2);
        }
        naive_release(&request);
    }
    json_lines_free(&lines);
}
