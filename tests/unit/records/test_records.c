/* SPDX-License-Identifier: MIT
 *
 * Records as others write them, and what becomes of them, is reported or
 * refused: conformance/records/.  Each of them survives every failed
 * allocation.
 */
#define _POSIX_C_SOURCE 200809L

#include <criterion/criterion.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "allocator.h"
#include "messages/pytext.h"
#include "support/cases.h"

static json_lines read_rows(void)
{
    FILE *files = popen("cat '" CONFORMANCE_FOLDER "/records/'*.jsonl", "r");
    cr_assert_not_null(files);
    const json_lines lines = json_lines_read(files);
    cr_assert_eq(pclose(files), 0);
    cr_assert_gt(lines.count, 0);
    return lines;
}

static naive_bytes record_of(const tw_value *row)
{
    const tw_memory memory = tw_memory_from(NULL);
    tw_buffer out = {0};
    naive_bytes text = {0};
    cr_assert(tw_python_dump(&out, &memory, tw_value_member(row, "record"),
                             &tw_dump_spaced, false));
    naive_add(&text, (const char *)out.data, out.size);
    tw_buffer_free(&out, &memory);
    return text;
}

static const char *member(const tw_value *row, const char *key)
{
    return tw_value_member(row, key)->text;
}

static const char *shown(const char *text)
{
    return text != NULL ? text : "";
}

/* NULL: no memory. */
static tw_converter *converter_of(const tw_value *row,
                                  const tw_allocator *allocator)
{
    tw_converter *converter =
        tw_converter_new(member(row, "from"), member(row, "to"), allocator);
    const tw_value *wire = tw_value_member(row, "wire");
    if (converter != NULL && wire != NULL) {
        const int result =
            tw_converter_set_wire(converter, tw_format_find(wire->text));
        if (result == TW_ERROR_MEMORY && allocator != NULL) {
            tw_converter_free(converter);
            return NULL;
        }
        cr_assert_eq(result, TW_OK);
    }
    if (converter != NULL && tw_value_member(row, "completion") != NULL) {
        cr_assert_eq(tw_converter_set(converter, TW_OPTION_UNIT_COMPLETION, 1),
                     TW_OK);
    }
    if (converter != NULL && tw_value_member(row, "object") != NULL) {
        cr_assert_eq(
            tw_converter_set(converter, TW_OPTION_ARGUMENTS_OBJECT, 1), TW_OK);
    }
    return converter;
}

/* |wanted| is [NAME, PATH]; the name "loss" stands for any. */
static void check_report(const tw_error *report, const tw_value *wanted,
                         const char *id)
{
    const char *name = wanted->first->text;
    cr_expect_eq(report->code, TW_OK, "%s: %d", id, report->code);
    cr_expect_eq(report->offset, 0, "%s", id);
    cr_expect_str_eq(shown(report->path), wanted->last->text, "%s", id);
    if (strcmp(name, "loss") != 0) {
        cr_expect_str_eq(tw_loss_get((uint32_t)report->detail)->name, name,
                         "%s", id);
    }
}

static void check_reports(tw_converter *converter, const tw_value *row)
{
    const char *id = member(row, "id");
    const tw_value *wanted = tw_value_member(row, "reports")->first;
    const tw_error *report;
    for (size_t i = 0; tw_converter_report(converter, i, &report) == 1; i++) {
        cr_assert_not_null(wanted, "%s: also %s", id, shown(report->path));
        check_report(report, wanted, id);
        wanted = wanted->next;
    }
    cr_expect_null(wanted, "%s: no %s", id,
                   wanted != NULL ? wanted->first->next->text : "");
}

static void check_result(tw_converter *converter, const tw_value *row,
                         int result, const char *out, size_t size)
{
    const char *id = member(row, "id");
    const tw_value *refused = tw_value_member(row, "refused");
    const tw_error *error = tw_converter_error(converter);
    if (refused != NULL) {
        cr_expect_str_eq(shown(tw_error_name(result)), refused->first->text,
                         "%s", id);
        cr_expect_str_eq(shown(error->path), refused->first->next->text, "%s",
                         id);
        return;
    }
    const tw_value *wanted = tw_value_member(row, "expect");
    cr_assert_eq(result, TW_OK, "%s: %s", id, error->message);
    cr_expect(size == wanted->size && memcmp(out, wanted->text, size) == 0,
              "%s: %.*s", id, (int)size, out);
    check_reports(converter, row);
}

Test(records, rows)
{
    json_lines lines = read_rows();
    for (size_t i = 0; i < lines.count; i++) {
        const tw_value *row = lines.lines[i].root;
        naive_bytes record = record_of(row);
        tw_converter *converter = converter_of(row, NULL);
        const char *out = "";
        size_t size = 0;
        cr_assert_not_null(converter, "%s", member(row, "id"));
        const int result = tw_converter_record(converter, record.data,
                                               record.size, &out, &size);
        check_result(converter, row, result, out, size);
        tw_converter_free(converter);
        naive_release(&record);
    }
    json_lines_free(&lines);
}

/* What is found by itself is the shape that it is, or none. */
Test(records, auto_guesses_nothing)
{
    json_lines lines = read_rows();
    size_t found = 0;
    for (size_t i = 0; i < lines.count; i++) {
        const tw_value *row = lines.lines[i].root;
        naive_bytes record = record_of(row);
        const bool shape = tw_record_shape_find(member(row, "from")) != NULL &&
                           tw_value_member(row, "refused") == NULL;
        tw_converter *converter =
            shape ? tw_converter_new("auto", member(row, "to"), NULL) : NULL;
        const char *out = "";
        size_t size = 0;
        if (converter != NULL && tw_value_member(row, "object") == NULL &&
            tw_value_member(row, "completion") == NULL &&
            tw_value_member(row, "wire") == NULL &&
            tw_converter_record(converter, record.data, record.size, &out,
                                &size) == TW_OK) {
            check_result(converter, row, TW_OK, out, size);
            found++;
        }
        tw_converter_free(converter);
        naive_release(&record);
    }
    cr_expect_gt(found, 150, "%zu", found);
    json_lines_free(&lines);
}

static bool is_refused_with(const char *record, const char *words)
{
    tw_converter *converter = tw_converter_new("auto", "openai", NULL);
    const char *out;
    size_t size;
    cr_assert_eq(
        tw_converter_record(converter, record, strlen(record), &out, &size),
        TW_ERROR_SCHEMA);
    const char *message = tw_converter_error(converter)->message;
    const bool found = strstr(message, words) != NULL;
    cr_expect(found, "%s", message);
    tw_converter_free(converter);
    return found;
}

/* Of two roles the last one counts, and the other one is reported. */
Test(records, role_twice)
{
    static const char record[] =
        "{\"messages\":[{\"role\":\"user\",\"role\":\"assistant\","
        "\"content\":\"x\"}]}";
    static const char *const ends[] = {"openai", "anthropic", "hermes"};
    for (size_t i = 0; i < sizeof ends / sizeof *ends; i++) {
        tw_converter *converter = tw_converter_new("openai", ends[i], NULL);
        const tw_error *report;
        const char *out;
        size_t size;
        cr_assert_eq(tw_converter_record(converter, record, sizeof record - 1,
                                         &out, &size),
                     TW_OK);
        cr_assert_eq(tw_converter_report(converter, 0, &report), 1, "%s",
                     ends[i]);
        cr_expect_eq(report->detail, TW_LOSS_MEMBER_DROPPED);
        cr_expect_str_eq(report->path, "messages[0].role");
        tw_converter_free(converter);
    }
}

/* Glaive's text has one of two names. */
Test(records, glaive_is_found)
{
    static const char *const found[] = {"{\"chat\":\"USER: q\"}",
                                        "{\"sample\":\"USER: q\"}"};
    for (size_t i = 0; i < sizeof found / sizeof *found; i++) {
        tw_converter *converter = tw_converter_new("auto", "openai", NULL);
        const char *out;
        size_t size;
        cr_expect_eq(tw_converter_record(converter, found[i], strlen(found[i]),
                                         &out, &size),
                     TW_OK, "%s", found[i]);
        tw_converter_free(converter);
    }
}

/* A record of no shape is named by its first eight members. */
Test(records, of_no_shape)
{
    cr_expect(is_refused_with(
        "{\"a\":1,\"b\":1,\"c\":1,\"d\":1,\"e\":1,\"f\":1,\"g\":1,\"h\":1}",
        "it has a, b, c, d, e, f, g, h; where"));
    cr_expect(is_refused_with(
        "{\"a\":1,\"b\":1,\"c\":1,\"d\":1,\"e\":1,\"f\":1,\"g\":1,\"h\":1,"
        "\"i\":1}",
        "it has a, b, c, d, e, f, g, h, ...; where"));
    cr_expect(is_refused_with("{\"run_type\":1}",
                              "the record is a run of LangSmith, which"));
    cr_expect(is_refused_with("{\"trace_id\":1}", "it has trace_id; where"));
    cr_expect(
        is_refused_with("{\"trace_id\":1,\"observations\":2}",
                        "the record is an observation of Langfuse, which"));
}

/* Nothing of one record is left in the next. */
Test(records, rows_behind_others)
{
    json_lines lines = read_rows();
    naive_bytes *records = calloc(lines.count, sizeof *records);
    cr_assert_not_null(records);
    for (size_t i = 0; i < lines.count; i++) {
        records[i] = record_of(lines.lines[i].root);
    }
    for (size_t i = 0; i < lines.count; i++) {
        const tw_value *row = lines.lines[i].root;
        tw_converter *converter = converter_of(row, NULL);
        cr_assert_not_null(converter, "%s", member(row, "id"));
        for (size_t k = 0; k < 2 * lines.count; k++) {
            const naive_bytes *record = &records[k % 2 == 0 ? k / 2 : i];
            const char *out = "";
            size_t size = 0;
            const int result = tw_converter_record(converter, record->data,
                                                   record->size, &out, &size);
            if (k % 2 == 1) {
                check_result(converter, row, result, out, size);
            }
        }
        tw_converter_free(converter);
    }
    for (size_t i = 0; i < lines.count; i++) {
        naive_release(&records[i]);
    }
    free(records);
    json_lines_free(&lines);
}

/* False: there are not so many allocations. */
static bool survives(const tw_value *row, const naive_bytes *record,
                     size_t fail_at, bool for_ever)
{
    const char *id = member(row, "id");
    test_memory state = {.fail_at = fail_at, .for_ever = for_ever};
    const tw_allocator allocator = test_allocator(&state);
    tw_converter *converter = converter_of(row, &allocator);
    const char *out = "";
    size_t size = 0;
    if (converter == NULL) {
        cr_assert_eq(state.live, 0, "%s", id);
        return true;
    }
    int result = tw_converter_record(converter, record->data, record->size,
                                     &out, &size);
    const bool failed = state.count >= state.fail_at;
    state.fail_at = 0;
    /* A shorter way that finds no memory leaves the text to the longer one,
     * which gives what it would have given. */
    if (failed && result == TW_OK && !for_ever &&
        (tw_value_member(row, "wire") != NULL ||
         tw_value_member(row, "completion") != NULL)) {
        check_result(converter, row, result, out, size);
    } else if (failed && tw_value_member(row, "refused") == NULL) {
        cr_expect_eq(result, TW_ERROR_MEMORY, "%s, allocation %zu: %d", id,
                     fail_at, result);
    }
    result = tw_converter_record(converter, record->data, record->size, &out,
                                 &size);
    check_result(converter, row, result, out, size);
    tw_converter_free(converter);
    cr_expect_eq(state.live, 0, "%s, allocation %zu", id, fail_at);
    return failed;
}

Test(records, faults)
{
    json_lines lines = read_rows();
    for (size_t i = 0; i < lines.count; i++) {
        const tw_value *row = lines.lines[i].root;
        naive_bytes record = record_of(row);
        for (int for_ever = 0; for_ever < 2; for_ever++) {
            size_t fail_at = 1 + (i + (size_t)for_ever) % TESTS_SHARE;
            while (survives(row, &record, fail_at, for_ever == 1)) {
                fail_at += TESTS_SHARE;
            }
            cr_assert_gt(fail_at, 2);
        }
        naive_release(&record);
    }
    json_lines_free(&lines);
}
