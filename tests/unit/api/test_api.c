/* SPDX-License-Identifier: MIT
 *
 * The decoder's manual, sentence by sentence: errors, order of calls, reset.
 */
#include <criterion/criterion.h>
#include <stdlib.h>
#include <string.h>

#include "allocator.h"
#include "each_format.h"
#include "support/cases.h"
#include "support/decoding.h"

/* The call of a tool f that most tests feed. */
static const char call[] =
    "<tool_call>\n{\"name\": \"f\", \"arguments\": {}}\n</tool_call>";

static int feed(tw_decoder *decoder, const char *text)
{
    return tw_decoder_feed(decoder, text, strlen(text), TW_MARK_UNKNOWN);
}

/* ---- errors ------------------------------------------------------------- */

static void expect_refusal(tw_decoder *decoder, int result, int code)
{
    cr_assert_eq(result, code);
    cr_assert_eq(tw_decoder_error(decoder)->code, code);
    cr_assert_not_null(tw_decoder_error(decoder)->message);
}

static void refuse_everything(tw_decoder *decoder, bool drained)
{
    const char *const marker = "<|start|>";
    expect_refusal(decoder, tw_decoder_set(decoder, TW_OPTION_STRICT, 1),
                   TW_ERROR_STATE);
    expect_refusal(
        decoder, tw_decoder_set_text(decoder, TW_TEXT_CALL_ID_PREFIX, "x", 1),
        TW_ERROR_STATE);
    expect_refusal(decoder, tw_decoder_set_tools(decoder, "[]", 2),
                   TW_ERROR_STATE);
    expect_refusal(decoder, tw_decoder_set_prompt(decoder, marker, 9),
                   TW_ERROR_STATE);
    expect_refusal(decoder, tw_decoder_feed(decoder, NULL, 1, TW_MARK_UNKNOWN),
                   TW_ERROR_ARGUMENT);
    expect_refusal(decoder, tw_decoder_feed(decoder, "x", 1, (tw_mark)3),
                   TW_ERROR_ARGUMENT);
    expect_refusal(decoder, tw_decoder_finish(decoder, (tw_finish)-1),
                   TW_ERROR_ARGUMENT);
    expect_refusal(decoder, tw_decoder_finish(decoder, (tw_finish)3),
                   TW_ERROR_ARGUMENT);
    expect_refusal(decoder, tw_decoder_next(decoder, NULL), TW_ERROR_ARGUMENT);
    if (drained) {
        expect_refusal(decoder,
                       tw_decoder_feed(decoder, "x", 1, TW_MARK_CONTROL),
                       TW_ERROR_ARGUMENT);
        expect_refusal(decoder,
                       tw_decoder_feed(decoder, NULL, 0, TW_MARK_CONTROL),
                       TW_ERROR_ARGUMENT);
    } else {
        expect_refusal(decoder, feed(decoder, "x"), TW_ERROR_STATE);
        expect_refusal(decoder, tw_decoder_finish(decoder, TW_FINISH_STOP),
                       TW_ERROR_STATE);
    }
}

/* Section 3, errors: ARGUMENT and STATE change nothing and do not stick. */
static void refuse_between_bytes(const conformance_case *one)
{
    tw_decoder *decoder = case_decoder(one, false);
    event_log whole = {0};
    event_log disturbed = {0};
    decode(&whole, decoder, one->text, one->size, 0);
    cr_assert_null(event_log_check(&whole, one->size));
    tw_decoder_reset(decoder);
    for (size_t at = 0; at < one->size; at++) {
        cr_assert_eq(
            tw_decoder_feed(decoder, one->text + at, 1, TW_MARK_UNKNOWN),
            TW_OK);
        refuse_everything(decoder, false);
        event_log_drain(&disturbed, decoder);
        refuse_everything(decoder, true);
    }
    cr_assert_eq(tw_decoder_finish(decoder, TW_FINISH_STOP), TW_OK);
    refuse_everything(decoder, false);
    event_log_drain(&disturbed, decoder);
    cr_assert(event_log_same(&whole, &disturbed), "%s", one->id);
    event_log_free(&whole);
    event_log_free(&disturbed);
    tw_decoder_free(decoder);
}

EachFormat(api, refusals_change_nothing, "decode")
{
    conformance_each(CONFORMANCE_FOLDER, format->text, refuse_between_bytes);
}

/* With an event taken, but not all, nothing more may be fed. */
Test(api, feed_before_all_is_taken)
{
    tw_decoder *decoder = tw_decoder_new(tw_format_find("hermes"), NULL);
    const tw_event *event;
    cr_assert_eq(feed(decoder, call), TW_OK);
    cr_assert_eq(tw_decoder_next(decoder, &event), 1);
    cr_assert_eq(feed(decoder, "x"), TW_ERROR_STATE);
    while (tw_decoder_next(decoder, &event) == 1) {
        cr_assert_eq(feed(decoder, "x"), TW_ERROR_STATE);
    }
    cr_assert_eq(feed(decoder, "x"), TW_OK);
    tw_decoder_free(decoder);
}

Test(api, null)
{
    const tw_event *event;
    cr_assert_null(tw_decoder_new(NULL, NULL));
    tw_decoder_free(NULL);
    tw_decoder_reset(NULL);
    cr_assert_eq(tw_decoder_set(NULL, TW_OPTION_STRICT, 1), TW_ERROR_ARGUMENT);
    cr_assert_eq(tw_decoder_set_text(NULL, TW_TEXT_CALL_ID_PREFIX, "", 0),
                 TW_ERROR_ARGUMENT);
    cr_assert_eq(tw_decoder_set_tools(NULL, "[]", 2), TW_ERROR_ARGUMENT);
    cr_assert_eq(tw_decoder_set_prompt(NULL, "", 0), TW_ERROR_ARGUMENT);
    cr_assert_eq(tw_decoder_feed(NULL, "", 0, TW_MARK_UNKNOWN),
                 TW_ERROR_ARGUMENT);
    cr_assert_eq(tw_decoder_finish(NULL, TW_FINISH_STOP), TW_ERROR_ARGUMENT);
    cr_assert_eq(tw_decoder_next(NULL, &event), TW_ERROR_ARGUMENT);
    cr_assert_eq(tw_decoder_error(NULL)->code, TW_OK);
    cr_assert_not_null(
        strstr(tw_decoder_error(NULL)->message, "NULL is no decoder"));
    tw_decoder *decoder = tw_decoder_new(tw_format_find("hermes"), NULL);
    expect_refusal(decoder, tw_decoder_set_tools(decoder, NULL, 1),
                   TW_ERROR_ARGUMENT);
    expect_refusal(decoder, tw_decoder_set_prompt(decoder, NULL, 1),
                   TW_ERROR_ARGUMENT);
    expect_refusal(
        decoder, tw_decoder_set_text(decoder, TW_TEXT_CALL_ID_PREFIX, NULL, 1),
        TW_ERROR_ARGUMENT);
    expect_refusal(decoder, tw_decoder_set_text(decoder, TW_TEXT_ID, "x", 1),
                   TW_ERROR_ARGUMENT);
    tw_decoder_free(decoder);
}

/* No text is a text of no bytes; nothing is added to a null pointer, which
 * clang's -fsanitize=undefined would say. */
Test(api, no_text)
{
    tw_decoder *decoder = tw_decoder_new(tw_format_find("hermes"), NULL);
    const tw_event *event;
    cr_assert_eq(tw_decoder_set_text(decoder, TW_TEXT_CALL_ID_PREFIX, NULL, 0),
                 TW_OK);
    cr_assert_eq(tw_decoder_set_tools(decoder, NULL, 0), TW_OK);
    cr_assert_eq(tw_decoder_set_prompt(decoder, NULL, 0), TW_OK);
    cr_assert_eq(tw_decoder_next(decoder, &event), 0);
    cr_assert_eq(tw_decoder_feed(decoder, NULL, 0, TW_MARK_UNKNOWN), TW_OK);
    cr_assert_eq(tw_decoder_next(decoder, &event), 0);
    tw_decoder_free(decoder);
}

/* ---- options ------------------------------------------------------------ */

typedef struct setting {
    tw_option option;
    int64_t good;
    int64_t bad[3];
} setting;

static const setting settings[] = {
    {TW_OPTION_STRICT, 0, {-1, 2, INT64_MAX}},
    {TW_OPTION_START_REASONING, 0, {-1, 2, INT64_MIN}},
    {TW_OPTION_CALLS_IN_REASONING, 1, {-1, 2, 256}},
    {TW_OPTION_RECOVER_STRIPPED, 0, {-1, 2, INT64_MAX}},
    {TW_OPTION_KEEP_RAW, 1, {-1, 2, INT64_MIN}},
    {TW_OPTION_FRAMING, 1, {-1, 2, 256}},
    {TW_OPTION_FIRST_CALL, 7, {-1, INT64_MIN, -2}},
    {TW_OPTION_UNTYPED, TW_UNTYPED_JSON, {-1, 2, INT64_MAX}},
    {TW_OPTION_VALIDATE, TW_VALIDATE_REPORT, {-1, 4, INT64_MIN}},
    {TW_OPTION_LIMIT_DEPTH, 3, {-1, 10001, INT64_MIN}},
    {TW_OPTION_LIMIT_NAME, 10, {-1, 1001, INT64_MIN}},
    {TW_OPTION_LIMIT_ARGUMENTS, 40, {-1, INT64_MIN, -2}},
    {TW_OPTION_LIMIT_CALLS, 2, {-1, INT64_MIN, -2}},
    {TW_OPTION_LIMIT_INPUT, 1000, {-1, INT64_MIN, -2}},
};

/* The greatest, of those that are no flags. */
static const struct {
    tw_option option;
    int64_t most;
} greatest[] = {
    {TW_OPTION_LIMIT_DEPTH, 10000},
    {TW_OPTION_LIMIT_NAME, 1000},
    {TW_OPTION_LIMIT_CALLS, UINT32_MAX - INT64_C(1)},
};

Test(api, greatest_values)
{
    tw_decoder *decoder = decoder_of("hermes");
    for (size_t i = 0; i < sizeof greatest / sizeof *greatest; i++) {
        cr_assert_eq(
            tw_decoder_set(decoder, greatest[i].option, greatest[i].most),
            TW_OK);
        cr_assert_eq(
            tw_decoder_set(decoder, greatest[i].option, greatest[i].most + 1),
            TW_ERROR_ARGUMENT);
    }
    tw_decoder_free(decoder);
}

/* A value out of range is refused and the old one stays. */
static void set_badly(const conformance_case *one)
{
    tw_decoder *decoder = case_decoder(one, false);
    event_log before = {0};
    event_log after = {0};
    naive_bytes text = {0};
    for (size_t s = 0; s < sizeof settings / sizeof *settings; s++) {
        cr_assert_eq(
            tw_decoder_set(decoder, settings[s].option, settings[s].good),
            TW_OK);
    }
    while (text.size <= 1000) {
        naive_add(&text, one->text, one->size);
        naive_add_text(&text, "\n");
    }
    decode(&before, decoder, text.data, text.size, 0);
    cr_assert_eq(before.error, TW_ERROR_LIMIT);
    for (size_t s = 0; s < sizeof settings / sizeof *settings; s++) {
        for (size_t v = 0; v < 3; v++) {
            tw_decoder_reset(decoder);
            expect_refusal(decoder,
                           tw_decoder_set(decoder, settings[s].option,
                                          settings[s].bad[v]),
                           TW_ERROR_ARGUMENT);
            decode(&after, decoder, text.data, text.size, 0);
            cr_expect(event_log_same(&before, &after),
                      "%s: option %d: %lld is kept", one->id,
                      settings[s].option, (long long)settings[s].bad[v]);
            tw_decoder_reset(decoder);
            tw_decoder_set(decoder, settings[s].option, settings[s].good);
        }
    }
    naive_release(&text);
    event_log_free(&before);
    event_log_free(&after);
    tw_decoder_free(decoder);
}

EachFormat(api, options_out_of_range, "decode")
{
    conformance_each(CONFORMANCE_FOLDER, format->text, set_badly);
}

Test(api, no_such_option)
{
    static const int none[] = {0,  15, TW_OPTION_HOLD_CALLS,     33,
                               99, -1, TW_OPTION_CUSTOM_FUNCTION};
    tw_decoder *decoder = tw_decoder_new(tw_format_find("hermes"), NULL);
    for (size_t i = 0; i < sizeof none / sizeof *none; i++) {
        expect_refusal(decoder, tw_decoder_set(decoder, (tw_option)none[i], 1),
                       TW_ERROR_ARGUMENT);
    }
    /* A format that has no such reading. */
    expect_refusal(decoder,
                   tw_decoder_set(decoder, TW_OPTION_RECOVER_STRIPPED, 1),
                   TW_ERROR_ARGUMENT);
    tw_decoder_free(decoder);
}

/* Which of the two it was: no such option, or not such a value. */
Test(api, says_what_is_wrong_with_an_option)
{
    static const struct {
        int option;
        int64_t value;
        const char *message;
    } rows[] = {
        {99, 0, "there is no such option"},
        {TW_OPTION_HOLD_CALLS, 0, "decoders have no such option"},
        {TW_OPTION_HOLD_CALLS, 2, "the value is neither 0 nor 1"},
        {TW_OPTION_STRICT, 2, "the value is neither 0 nor 1"},
        {TW_OPTION_LIMIT_DEPTH, 0, "the depth is not one from 1 to 10000"},
        {TW_OPTION_RECOVER_STRIPPED, 1,
         "the format cannot be read without its markers"},
    };
    tw_decoder *decoder = decoder_of("hermes");
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        cr_assert_eq(
            tw_decoder_set(decoder, (tw_option)rows[i].option, rows[i].value),
            TW_ERROR_ARGUMENT);
        cr_assert_str_eq(tw_decoder_error(decoder)->message, rows[i].message);
    }
    cr_assert_eq(tw_decoder_set_text(decoder, TW_TEXT_MODEL, "x", 1),
                 TW_ERROR_ARGUMENT);
    cr_assert_str_eq(tw_decoder_error(decoder)->message,
                     "decoders have no such text");
    cr_assert_eq(
        tw_decoder_set_text(decoder, TW_TEXT_CALL_ID_PREFIX, "\xFF", 1),
        TW_ERROR_ARGUMENT);
    cr_assert_str_eq(tw_decoder_error(decoder)->message,
                     "the text is not UTF-8");
    tw_decoder_free(decoder);
}

/* What came before it, if it comes too late. */
Test(api, says_why_it_is_too_late)
{
    static const char given[] = "a prompt was given already: set this "
                                "before, or behind a reset";
    static const char fed[] = "something was fed already: set this "
                              "before, or behind a reset";
    tw_decoder *decoder = decoder_of("hermes");
    const tw_event *event;
    cr_assert_eq(tw_decoder_set_prompt(decoder, "<think>", 7), TW_OK);
    expect_refusal(decoder, tw_decoder_set_prompt(decoder, "<think>", 7),
                   TW_ERROR_STATE);
    cr_assert_str_eq(tw_decoder_error(decoder)->message, given);
    expect_refusal(decoder, tw_decoder_set(decoder, TW_OPTION_STRICT, 1),
                   TW_ERROR_STATE);
    cr_assert_str_eq(tw_decoder_error(decoder)->message, given);
    while (tw_decoder_next(decoder, &event) == 1) {
    }
    cr_assert_eq(feed(decoder, "x"), TW_OK);
    expect_refusal(decoder, tw_decoder_set_prompt(decoder, "<think>", 7),
                   TW_ERROR_STATE);
    cr_assert_str_eq(tw_decoder_error(decoder)->message, fed);
    expect_refusal(decoder, tw_decoder_set_tools(decoder, "[]", 2),
                   TW_ERROR_STATE);
    cr_assert_str_eq(tw_decoder_error(decoder)->message, fed);
    tw_decoder_free(decoder);
}

/* Options and texts are kept over resets; R12: ids by prefix and number. */
Test(api, options_outlive_reset)
{
    tw_decoder *decoder = decoder_of("hermes");
    event_log log = {0};
    cr_assert_eq(
        tw_decoder_set_text(decoder, TW_TEXT_CALL_ID_PREFIX, "id-", 3), TW_OK);
    cr_assert_eq(tw_decoder_set(decoder, TW_OPTION_FIRST_CALL, 41), TW_OK);
    for (int i = 0; i < 2; i++) {
        decode(&log, decoder, call, sizeof call - 1, 0);
        cr_assert(log_is(&log, "call[f id-41] args[{}] complete"));
    }
    event_log_free(&log);
    tw_decoder_free(decoder);
}

Test(api, tools)
{
    static const char known[] = "call[f call_0] args[{}] complete";
    static const char unknown[] =
        "diag[undeclared_tool@0] call[f call_0] args[{}] complete";
    static const struct {
        const char *json;
        int result;
        const char *words;
    } rows[] = {
        {"[\"f\"]", TW_OK, known},
        {"[\"g\", \"F\"]", TW_OK, unknown},
        {"[]", TW_OK, unknown},
        {"[{\"name\":\"f\",\"parameters\":{}}]", TW_OK, known},
        {"[{\"type\":\"function\",\"function\":{\"name\":\"f\"}}]", TW_OK,
         known},
        /* MCP's answer to tools/list, alone and in its envelope */
        {"{\"tools\":[{\"name\":\"f\",\"inputSchema\":{}}]}", TW_OK, known},
        {"{\"jsonrpc\":\"2.0\",\"result\":{\"tools\":[\"g\"]}}", TW_OK,
         unknown},
        /* After an error no tools are declared. */
        {"[", TW_ERROR_JSON, known},
        {"['f']", TW_ERROR_JSON, known},
        {"", TW_ERROR_JSON, known},
        {"{}", TW_ERROR_SCHEMA, known},
        {"[1]", TW_ERROR_SCHEMA, known},
        {"[{\"name\":1}]", TW_ERROR_SCHEMA, known},
    };
    tw_decoder *decoder = decoder_of("hermes");
    event_log log = {0};
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        tw_decoder_reset(decoder);
        const int result =
            tw_decoder_set_tools(decoder, rows[i].json, strlen(rows[i].json));
        cr_assert_eq(result, rows[i].result, "%s", rows[i].json);
        for (int again = 0; again < 2; again++) {
            decode(&log, decoder, call, sizeof call - 1, 0);
            cr_assert(log_is(&log, rows[i].words), "%s", rows[i].json);
        }
    }
    tw_decoder_reset(decoder);
    cr_assert_eq(tw_decoder_set_tools(decoder, NULL, 0), TW_OK);
    decode(&log, decoder, call, sizeof call - 1, 0);
    cr_assert(log_is(&log, known));
    event_log_free(&log);
    tw_decoder_free(decoder);
}

/* An error in them has the place that a request's would have. */
Test(api, tools_in_error)
{
    static const struct {
        const char *json;
        int code;
        uint64_t offset;
        const char *path;
        const char *message;
    } rows[] = {
        {"[\"f\",}]", TW_ERROR_JSON, 5, NULL, "the tools are not JSON"},
        {"tide", TW_ERROR_JSON, 0, NULL, "the tools are not JSON"},
        {"\"tide\"", TW_ERROR_SCHEMA, 0, "tools",
         "the tools are not a list, but a string; one name stands in [ ], "
         "too, and JSON is no string"},
        {"{\"name\":\"tide\"}", TW_ERROR_SCHEMA, 0, "tools",
         "the tools are not a list; one tool stands in [ ], too"},
        {"{\"f\":{}}", TW_ERROR_SCHEMA, 0, "tools",
         "the object has no `tools`, which list them"},
        {"{\"tools\":5}", TW_ERROR_SCHEMA, 0, "tools.tools",
         "the tools are not a list"},
        {"[{\"nam\":1}]", TW_ERROR_SCHEMA, 0, "tools[0]",
         "a tool without a name (leave out those that are no functions)"},
        {"[\"f\",{\"function\":{}}]", TW_ERROR_SCHEMA, 0, "tools[1]",
         "a tool without a name (leave out those that are no functions)"},
    };
    tw_decoder *decoder = decoder_of("hermes");
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        const char *json = rows[i].json;
        expect_refusal(decoder,
                       tw_decoder_set_tools(decoder, json, strlen(json)),
                       rows[i].code);
        const tw_error *error = tw_decoder_error(decoder);
        cr_expect_eq(error->offset, rows[i].offset, "%s: %llu", json,
                     (unsigned long long)error->offset);
        cr_expect_str_eq(error->message, rows[i].message);
        cr_expect(rows[i].path == NULL
                      ? error->path == NULL
                      : error->path != NULL &&
                            strcmp(error->path, rows[i].path) == 0,
                  "%s", json);
    }
    tw_decoder_free(decoder);
}

/* ---- order -------------------------------------------------------------- */

Test(api, after_the_end)
{
    tw_decoder *decoder = tw_decoder_new(tw_format_find("hermes"), NULL);
    const tw_event *event;
    for (int i = 0; i < 2; i++) {
        cr_assert_eq(tw_decoder_next(decoder, &event), 0);
        cr_assert_eq(tw_decoder_finish(decoder, TW_FINISH_LENGTH), TW_OK);
        cr_assert_eq(tw_decoder_finish(decoder, TW_FINISH_STOP),
                     TW_ERROR_STATE);
        cr_assert_eq(tw_decoder_next(decoder, &event), 1);
        cr_assert_eq(event->type, TW_EVENT_END);
        cr_assert_eq(event->code, TW_FINISH_LENGTH);
        cr_assert_eq(event->offset, 0);
        cr_assert_eq(tw_decoder_next(decoder, &event), 0);
        cr_assert_eq(tw_decoder_finish(decoder, TW_FINISH_STOP),
                     TW_ERROR_STATE);
        cr_expect_str_eq(tw_decoder_error(decoder)->message,
                         "the output is finished already: reset for the next");
        cr_assert_eq(feed(decoder, "x"), TW_ERROR_STATE);
        cr_expect_str_eq(tw_decoder_error(decoder)->message,
                         "the output is finished: reset for the next");
        cr_assert_eq(tw_decoder_feed(decoder, NULL, 0, TW_MARK_UNKNOWN),
                     TW_ERROR_STATE);
        cr_assert_eq(tw_decoder_next(decoder, &event), 0);
        tw_decoder_reset(decoder);
    }
    tw_decoder_free(decoder);
}

/* ---- memory ------------------------------------------------------------- */

/* A server has one for each answer under way: what only some need (tools,
 * validation, the words of tags) is not there before somebody asks for it. */
Test(api, a_new_decoder_takes_little_memory)
{
    const tw_format *format;
    for (size_t i = 0; (format = tw_format_at(i)) != NULL; i++) {
        test_memory memory = {0};
        const tw_allocator allocator = test_allocator(&memory);
        tw_decoder *decoder = tw_decoder_new(format, &allocator);
        cr_assert_not_null(decoder);
        cr_expect_leq(memory.peak, 3000, "%s: %zu bytes",
                      tw_format_name(format), memory.peak);
        tw_decoder_free(decoder);
        cr_expect_eq(memory.live, 0);
    }
}

/* Each allocation of a decoder, of its tools and of its policy fails in turn.
 */
static void fail_allocations(const tw_format *format)
{
    static const char tools[] =
        "[{\"type\":\"function\",\"function\":{\"name\":\"f\"}}]";
    bool failed = true;
    for (size_t fail_at = 1; failed; fail_at++) {
        test_memory memory = {.fail_at = fail_at};
        const tw_allocator allocator = test_allocator(&memory);
        tw_decoder *decoder = tw_decoder_new(format, &allocator);
        int result = TW_ERROR_MEMORY;
        if (decoder != NULL) {
            result = tw_decoder_set(decoder, TW_OPTION_VALIDATE,
                                    TW_VALIDATE_REPORT);
        }
        if (result == TW_OK) {
            result = tw_decoder_set_tools(decoder, tools, sizeof tools - 1);
        }
        failed = memory.count >= fail_at;
        cr_expect_eq(result, failed ? TW_ERROR_MEMORY : TW_OK,
                     "%s, allocation %zu: %d", tw_format_name(format), fail_at,
                     result);
        tw_decoder_free(decoder);
        cr_expect_eq(memory.live, 0, "%s, allocation %zu",
                     tw_format_name(format), fail_at);
    }
}

Test(api, a_decoder_without_memory)
{
    const tw_format *format;
    for (size_t i = 0; (format = tw_format_at(i)) != NULL; i++) {
        fail_allocations(format);
    }
}
