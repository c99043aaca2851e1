/* SPDX-License-Identifier: MIT
 *
 * Whole outputs and records, by way of Gemma 4.
 */
#include <criterion/criterion.h>
#include <string.h>

#include "allocator.h"
#include "json_lines.h"

#define CALL_TEXT "Hi<|tool_call>call:f{a:1}<tool_call|>"
#define CALL_MESSAGE                                                   \
    "{'role':'assistant','content':'Hi','tool_calls':[{'id':'call_0'," \
    "'type':'function','function':{'name':'f',"                        \
    "'arguments':'{\\'a\\':1}'}}]}"
/* A repaired call, and one that is cut off. */
#define BAD_TEXT \
    "<|tool_call>call:f{a:1,}<tool_call|>x<|tool_call>call:g{a:<|\"|>"
#define BAD_REPORT                                                    \
    "{'diagnostics':[{'code':'trailing_comma','offset':22,'size':0}," \
    "{'code':'truncated_call','offset':63,'size':0}],'unparsed':1}"

static tw_converter *to_message(void)
{
    return tw_converter_new("gemma4", "message", NULL);
}

static tw_converter *to_report(void)
{
    return tw_converter_new("gemma4", "report", NULL);
}

static void expect_text(tw_converter *converter, const char *text,
                        const char *expected)
{
    const char *line = NULL;
    size_t size = 0;
    cr_assert_eq(
        tw_converter_text(converter, text, strlen(text), &line, &size), TW_OK);
    expect_line(expected, line, size);
}

static void expect_record(tw_converter *converter, const char *record,
                          const char *expected)
{
    const char *line = NULL;
    size_t size = 0;
    cr_assert_eq(
        tw_converter_record(converter, record, strlen(record), &line, &size),
        TW_OK);
    expect_line(expected, line, size);
}

static const tw_error *expect_error(tw_converter *converter,
                                    const char *record, int code)
{
    const char *line = "";
    size_t size = 1;
    cr_assert_eq(
        tw_converter_record(converter, record, strlen(record), &line, &size),
        code);
    cr_assert_null(line);
    cr_assert_eq(size, 0);
    const tw_error *error = tw_converter_error(converter);
    cr_assert_eq(error->code, code);
    cr_assert_not_null(error->message);
    return error;
}

static int set_text(tw_converter *converter, tw_text text, const char *data)
{
    return tw_converter_set_text(converter, text, data, strlen(data));
}

#define PLAIN(content) "{'role':'assistant','content':" content "}"

/* ---- ends --------------------------------------------------------------- */

Test(converter, has_two_ends)
{
    static const char *const ends[][2] = {
        {"openai", "message"}, {"message", "report"}, {"gemma5", "message"},
        {"gemma4", ""},        {"gemma4", NULL},      {NULL, "message"},
        {"message", "openai"}, {"openai", "report"},  {"openai", "openai5"}};
    for (size_t i = 0; i < sizeof ends / sizeof *ends; i++) {
        cr_assert_null(tw_converter_new(ends[i][0], ends[i][1], NULL));
    }
}

Test(converter, null)
{
    const char *line;
    size_t size;
    uint32_t code;
    uint64_t offset;
    tw_converter_free(NULL);
    cr_assert_eq(tw_converter_set(NULL, TW_OPTION_STRICT, 1),
                 TW_ERROR_ARGUMENT);
    cr_assert_eq(tw_converter_set_text(NULL, TW_TEXT_FIELD, "", 0),
                 TW_ERROR_ARGUMENT);
    cr_assert_eq(tw_converter_set_tools(NULL, "[]", 2), TW_ERROR_ARGUMENT);
    cr_assert_eq(tw_converter_set_prompt(NULL, "", 0), TW_ERROR_ARGUMENT);
    cr_assert_eq(tw_converter_set_finish(NULL, TW_FINISH_STOP),
                 TW_ERROR_ARGUMENT);
    cr_assert_eq(tw_converter_set_chunk(NULL, 1), TW_ERROR_ARGUMENT);
    cr_assert_eq(tw_converter_record(NULL, "7", 1, &line, &size),
                 TW_ERROR_ARGUMENT);
    cr_assert_eq(tw_converter_text(NULL, "7", 1, &line, &size),
                 TW_ERROR_ARGUMENT);
    cr_assert_eq(tw_converter_unparsed(NULL), 0);
    cr_assert_eq(tw_converter_diagnostic(NULL, 0, &code, &offset), 0);
    cr_assert_eq(tw_converter_error(NULL)->code, TW_OK);
}

Test(converter, refuses_no_text)
{
    tw_converter *converter = to_message();
    const char *line;
    size_t size;
    cr_assert_eq(tw_converter_record(converter, NULL, 1, &line, &size),
                 TW_ERROR_ARGUMENT);
    cr_assert_eq(tw_converter_text(converter, NULL, 1, &line, &size),
                 TW_ERROR_ARGUMENT);
    cr_assert_eq(tw_converter_text(converter, "", 0, NULL, &size),
                 TW_ERROR_ARGUMENT);
    cr_assert_eq(tw_converter_text(converter, "", 0, &line, NULL),
                 TW_ERROR_ARGUMENT);
    cr_assert_eq(tw_converter_error(converter)->code, TW_ERROR_ARGUMENT);
    cr_assert_eq(tw_converter_text(converter, NULL, 0, &line, &size), TW_OK);
    expect_line(PLAIN("null"), line, size);
    cr_assert_eq(tw_converter_error(converter)->code, TW_OK);
    tw_converter_free(converter);
}

/* ---- records ------------------------------------------------------------ */

Test(record, is_a_string)
{
    tw_converter *converter = to_message();
    expect_record(converter, "\"" CALL_TEXT "\"", CALL_MESSAGE);
    expect_record(converter, " \"a\\u0000\\n\\u00e9\" ",
                  PLAIN("'a\\u0000\\n\xC3\xA9'"));
    expect_record(converter, "\"\"", PLAIN("null"));
    tw_converter_free(converter);
}

Test(record, is_an_object)
{
    tw_converter *converter = to_message();
    expect_record(converter, "{\"a\":1,\"text\":\"" CALL_TEXT "\",\"b\":[]}",
                  CALL_MESSAGE);
    expect_record(converter, "{\"text\":\"a\",\"text\":\"b\"}", PLAIN("'b'"));
    tw_converter_free(converter);
}

Test(record, has_its_text_in_a_field)
{
    tw_converter *converter = to_message();
    cr_assert_eq(set_text(converter, TW_TEXT_FIELD, "a.b"), TW_OK);
    expect_record(converter, "{\"a\":{\"b\":\"x\"}}", PLAIN("'x'"));
    expect_record(converter, "\"y\"", PLAIN("'y'"));
    expect_error(converter, "{\"a.b\":\"x\"}", TW_ERROR_SCHEMA);
    expect_error(converter, "{\"a\":\"x\"}", TW_ERROR_SCHEMA);
    expect_error(converter, "{\"a\":{}}", TW_ERROR_SCHEMA);
    cr_assert_eq(set_text(converter, TW_TEXT_FIELD, ""), TW_OK);
    cr_assert_null(tw_converter_error(converter)->path); /* it is gone */
    expect_record(converter, "{\"\":\"x\"}", PLAIN("'x'"));
    cr_assert_eq(set_text(converter, TW_TEXT_FIELD, "a."), TW_OK);
    expect_record(converter, "{\"a\":{\"\":\"x\"}}", PLAIN("'x'"));
    tw_converter_free(converter);
}

Test(record, of_another_shape)
{
    static const char *const records[] = {
        "{}", "{\"text\":null}", "{\"text\":{\"text\":\"x\"}}",
        "7",  "[\"x\"]",         "null"};
    tw_converter *converter = to_message();
    for (size_t i = 0; i < sizeof records / sizeof *records; i++) {
        const tw_error *error =
            expect_error(converter, records[i], TW_ERROR_SCHEMA);
        cr_assert_str_eq(error->path, "text");
        expect_record(converter, "\"x\"", PLAIN("'x'"));
    }
    tw_converter_free(converter);
}

Test(record, is_strict_json)
{
    static const struct {
        const char *record;
        uint64_t offset;
    } cases[] = {{"", 0},         {"{\"text\":\"x\"", 11},
                 {"\"x\" y", 4},  {"{'text':'x'}", 1},
                 {"\"\xFF\"", 1}, {"{\"text\":\"x\",}", 12},
                 {"\"\n\"", 1}};
    tw_converter *converter = to_message();
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        const tw_error *error =
            expect_error(converter, cases[i].record, TW_ERROR_JSON);
        cr_assert_eq(error->offset, cases[i].offset, "%s: %d", cases[i].record,
                     (int)error->offset);
        cr_assert_null(error->path);
        expect_record(converter, "\"x\"", PLAIN("'x'"));
    }
    tw_converter_free(converter);
}

/* ---- reports ------------------------------------------------------------ */

Test(report, of_what_is_fine)
{
    tw_converter *converter = to_report();
    expect_text(converter, CALL_TEXT, "{'diagnostics':[],'unparsed':0}");
    tw_converter_free(converter);
}

Test(report, of_what_is_not)
{
    tw_converter *converter = to_report();
    expect_text(converter, BAD_TEXT, BAD_REPORT);
    expect_text(converter, "x", "{'diagnostics':[],'unparsed':0}");
    expect_text(converter, BAD_TEXT, BAD_REPORT);
    tw_converter_free(converter);
}

Test(report, is_to_be_had_of_messages_too)
{
    tw_converter *converter = to_message();
    const char *line;
    size_t size;
    uint32_t code;
    uint64_t offset;
    expect_text(converter, "x", PLAIN("'x'"));
    cr_assert_eq(tw_converter_diagnostic(converter, 0, &code, &offset), 0);
    cr_assert_eq(
        tw_converter_text(converter, BAD_TEXT, strlen(BAD_TEXT), &line, &size),
        TW_OK);
    expect_line("{'role':'assistant','content':'x','tool_calls':["
                "{'id':'call_0','type':'function','function':{'name':'f',"
                "'arguments':'{\\'a\\':1}'}}],'toolwire':{'diagnostics':["
                "{'code':'trailing_comma','offset':22,'size':0},"
                "{'code':'truncated_call','offset':63,'size':0}],'unparsed':["
                "{'text':'<|tool_call>call:g{a:<|\\'|>',"
                "'reason':'truncated_call','offset':37,'name':'g'}]}}",
                line, size);
    cr_assert_eq(tw_converter_unparsed(converter), 1);
    cr_assert_eq(tw_converter_diagnostic(converter, 0, &code, &offset), 1);
    cr_assert_eq(code, TW_DIAGNOSTIC_TRAILING_COMMA);
    cr_assert_eq(offset, 22);
    cr_assert_eq(tw_converter_diagnostic(converter, 1, &code, &offset), 1);
    cr_assert_eq(code, TW_DIAGNOSTIC_TRUNCATED_CALL);
    cr_assert_eq(offset, 63);
    cr_assert_eq(tw_converter_diagnostic(converter, 2, &code, &offset), 0);
    tw_converter_free(converter);
}

Test(report, is_forgotten_with_the_next_record)
{
    tw_converter *converter = to_message();
    const char *line;
    size_t size;
    uint32_t code;
    uint64_t offset;
    tw_converter_text(converter, BAD_TEXT, strlen(BAD_TEXT), &line, &size);
    expect_error(converter, "{}", TW_ERROR_SCHEMA);
    cr_assert_eq(tw_converter_unparsed(converter), 0);
    cr_assert_eq(tw_converter_diagnostic(converter, 0, &code, &offset), 0);
    tw_converter_free(converter);
}

/* Half of a surrogate pair in the record's JSON, and what no turn of a
 * transcript holds: no decoder sees either. */
#define LONE "\"Hi\\ud83d<|tool_call>call:f{a:1,}<tool_call|>\""
#define STRAY "<|turn>user\na<turn|>\nxx<|turn>user\nb<turn|>\nyyy"

Test(report, of_half_a_pair)
{
    tw_converter *converter = to_report();
    expect_record(converter, LONE,
                  "{'diagnostics':[{'code':'invalid_utf8','offset':2,'size':0}"
                  ",{'code':'trailing_comma','offset':27,'size':0}],"
                  "'unparsed':0}");
    tw_converter_free(converter);
}

Test(report, of_what_no_turn_holds)
{
    tw_converter *converter = tw_converter_new("gemma4", "openai", NULL);
    uint32_t code;
    uint64_t offset;
    expect_text(converter, STRAY,
                "{'messages':[{'role':'user','content':'a'},"
                "{'role':'user','content':'b'}]}");
    cr_assert_eq(tw_converter_diagnostic(converter, 0, &code, &offset), 1);
    cr_expect_eq(code, TW_DIAGNOSTIC_STRAY_TEXT);
    cr_expect_eq(offset, 21);
    cr_expect_eq(tw_converter_diagnostic(converter, 1, &code, &offset), 0);
    expect_text(converter, "<|turn>user\na<turn|>\n",
                "{'messages':[{'role':'user','content':'a'}]}");
    cr_expect_eq(tw_converter_diagnostic(converter, 0, &code, &offset), 0);
    tw_converter_free(converter);
}

#define PARAMETERS                                                 \
    "{\"type\":\"object\",\"properties\":{\"a\":{\"properties\":{" \
    "\"b\":{\"type\":\"integer\"}}}}}"
#define MISFIT                                                              \
    "{\"messages\":[{\"role\":\"assistant\",\"tool_calls\":[{\"id\":\"c\"," \
    "\"type\":\"function\",\"function\":{\"name\":\"f\",\"arguments\":"     \
    "\"{\\\"a\\\":{\\\"b\\\":true}}\"}}]}],\"tools\":[{\"type\":"           \
    "\"function\","                                                         \
    "\"function\":{\"name\":\"f\",\"parameters\":" PARAMETERS "}}]}"

/* The path leads through the record to the value in the call's arguments. */
Test(report, of_a_call_that_does_not_fit)
{
    tw_converter *converter = tw_converter_new("openai", "hermes", NULL);
    const char *text;
    size_t size;
    uint32_t code;
    uint64_t offset;
    cr_assert_eq(
        tw_converter_set(converter, TW_OPTION_VALIDATE, TW_VALIDATE_REPORT),
        TW_OK);
    cr_assert_eq(
        tw_converter_record(converter, MISFIT, strlen(MISFIT), &text, &size),
        TW_OK);
    cr_assert_eq(tw_converter_diagnostic(converter, 0, &code, &offset), 1);
    cr_expect_eq(code, TW_DIAGNOSTIC_PARAMETER_TYPE);
    cr_expect_str_eq(tw_converter_diagnostic_format(converter, 0),
                     "messages[0].tool_calls[0].function.arguments.a.b");
    cr_expect_eq(tw_converter_diagnostic(converter, 1, &code, &offset), 0);
    tw_converter_free(converter);
}

/* ---- options ------------------------------------------------------------ */

Test(options, of_the_decoder)
{
    tw_converter *converter = to_message();
    cr_assert_eq(tw_converter_set(converter, TW_OPTION_FIRST_CALL, 7), TW_OK);
    cr_assert_eq(set_text(converter, TW_TEXT_CALL_ID_PREFIX, "id-"), TW_OK);
    for (int i = 0; i < 2; i++) {
        expect_text(converter, "<|tool_call>call:f{}<tool_call|>",
                    "{'role':'assistant','content':null,'tool_calls':["
                    "{'id':'id-7','type':'function','function':{"
                    "'name':'f','arguments':'{}'}}]}");
    }
    tw_converter_free(converter);
}

Test(options, of_the_writer)
{
    tw_converter *converter = to_message();
    cr_assert_eq(tw_converter_set(converter, TW_OPTION_CUSTOM_FUNCTION, 1),
                 TW_OK);
    cr_assert_eq(set_text(converter, TW_TEXT_REASONING_KEY, "reasoning"),
                 TW_OK);
    cr_assert_eq(tw_converter_set(converter, TW_OPTION_START_REASONING, 1),
                 TW_OK);
    for (int i = 0; i < 2; i++) {
        expect_text(converter, "a<channel|>b",
                    "{'role':'assistant','content':'b','reasoning':'a'}");
        cr_assert_eq(tw_converter_set(converter, TW_OPTION_HOLD_CALLS, 1),
                     TW_OK);
    }
    tw_converter_free(converter);
}

Test(options, of_neither)
{
    tw_converter *converter = to_message();
    tw_converter *report = to_report();
    cr_assert_eq(tw_converter_set(converter, (tw_option)99, 1),
                 TW_ERROR_ARGUMENT);
    cr_assert_eq(tw_converter_error(converter)->code, TW_ERROR_ARGUMENT);
    cr_assert_eq(tw_converter_set(converter, TW_OPTION_STRICT, 2),
                 TW_ERROR_ARGUMENT);
    cr_assert_eq(set_text(converter, (tw_text)99, "x"), TW_ERROR_ARGUMENT);
    cr_assert_eq(set_text(converter, TW_TEXT_FIELD, "\xFF"),
                 TW_ERROR_ARGUMENT);
    cr_assert_eq(tw_converter_set_text(converter, TW_TEXT_FIELD, NULL, 1),
                 TW_ERROR_ARGUMENT);
    cr_assert_eq(tw_converter_set_text(converter, TW_TEXT_FIELD, "text\0x", 6),
                 TW_ERROR_ARGUMENT);
    cr_assert_eq(set_text(converter, TW_TEXT_REASONING_KEY, "content"),
                 TW_ERROR_ARGUMENT);
    cr_assert_eq(tw_converter_set(report, TW_OPTION_HOLD_CALLS, 1),
                 TW_ERROR_ARGUMENT);
    cr_assert_eq(set_text(report, TW_TEXT_REASONING_KEY, "x"),
                 TW_ERROR_ARGUMENT);
    expect_text(converter, "x", PLAIN("'x'"));
    tw_converter_free(converter);
    tw_converter_free(report);
}

Test(options, strict)
{
    tw_converter *converter = to_message();
    cr_assert_eq(tw_converter_set(converter, TW_OPTION_STRICT, 1), TW_OK);
    const tw_error *error =
        expect_error(converter, "\"<|tool_call>call:f{a:1,}<tool_call|>\"",
                     TW_ERROR_DEVIATION);
    cr_assert_eq(error->detail, TW_DIAGNOSTIC_TRAILING_COMMA);
    cr_assert_eq(error->offset, 22);
    expect_text(converter, CALL_TEXT, CALL_MESSAGE);
    cr_assert_eq(tw_converter_set(converter, TW_OPTION_STRICT, 0), TW_OK);
    expect_text(converter, CALL_TEXT, CALL_MESSAGE);
    tw_converter_free(converter);
}

/* ... of what no decoder sees, too; and no other option is that one. */
Test(options, strict_about_records)
{
    static const tw_option others[] = {
        TW_OPTION_CALLS_IN_REASONING, TW_OPTION_ARGUMENTS_OBJECT,
        TW_OPTION_LIMIT_CALLS, TW_OPTION_FIRST_CALL};
    tw_converter *converter = tw_converter_new("gemma4", "openai", NULL);
    tw_converter *message = to_message();
    const char *line;
    size_t size;
    for (size_t i = 0; i < sizeof others / sizeof *others; i++) {
        cr_assert_eq(tw_converter_set(converter, others[i], 1), TW_OK);
        cr_expect_eq(
            tw_converter_text(converter, STRAY, strlen(STRAY), &line, &size),
            TW_OK);
    }
    for (int i = 0; i < 2; i++) {
        cr_assert_eq(tw_converter_set(converter, TW_OPTION_STRICT, 1), TW_OK);
        cr_assert_eq(tw_converter_set(message, TW_OPTION_STRICT, 1), TW_OK);
        cr_expect_eq(
            tw_converter_text(converter, STRAY, strlen(STRAY), &line, &size),
            TW_ERROR_DEVIATION);
        const tw_error *error = tw_converter_error(converter);
        cr_expect_eq(error->detail, TW_DIAGNOSTIC_STRAY_TEXT);
        cr_expect_eq(error->offset, 21);
        error = expect_error(message, LONE, TW_ERROR_DEVIATION);
        cr_expect_eq(error->detail, TW_DIAGNOSTIC_INVALID_UTF8);
        cr_expect_eq(error->offset, 2);
        cr_assert_eq(tw_converter_set(converter, TW_OPTION_STRICT, 0), TW_OK);
        cr_assert_eq(tw_converter_set(message, TW_OPTION_STRICT, 0), TW_OK);
        cr_expect_eq(
            tw_converter_text(converter, STRAY, strlen(STRAY), &line, &size),
            TW_OK);
    }
    tw_converter_free(converter);
    tw_converter_free(message);
}

Test(options, limit)
{
    tw_converter *converter = to_message();
    cr_assert_eq(tw_converter_set(converter, TW_OPTION_LIMIT_INPUT, 5), TW_OK);
    expect_text(converter, "12345", PLAIN("'12345'"));
    cr_assert_eq(expect_error(converter, "\"123456\"", TW_ERROR_LIMIT)->offset,
                 5);
    expect_text(converter, "12345", PLAIN("'12345'"));
    tw_converter_free(converter);
}

Test(options, in_error)
{
    static const struct {
        int option;
        int64_t value;
        const char *message;
    } rows[] = {
        {99, 0, "there is no such option"},
        {TW_OPTION_CONTROL_TEXT, 0, "the converter has no such option"},
        {TW_OPTION_HOLD_CALLS, 2, "the value is neither 0 nor 1"},
        {TW_OPTION_LIMIT_NAME, 0, "the size is not one from 1 to 1000"},
    };
    tw_converter *converter = to_message();
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        cr_assert_eq(tw_converter_set(converter, (tw_option)rows[i].option,
                                      rows[i].value),
                     TW_ERROR_ARGUMENT);
        cr_assert_str_eq(tw_converter_error(converter)->message,
                         rows[i].message);
    }
    tw_converter_free(converter);
}

Test(options, tools)
{
    static const char tools[] = "[\"g\"]";
    tw_converter *converter = to_report();
    for (int i = 0; i < 2; i++) {
        cr_assert_eq(
            tw_converter_set_tools(converter, tools, sizeof tools - 1), TW_OK);
        expect_text(converter, CALL_TEXT,
                    "{'diagnostics':[{'code':'undeclared_tool','offset':2,"
                    "'size':0}],'unparsed':0}");
    }
    cr_assert_eq(tw_converter_set_tools(converter, "[", 1), TW_ERROR_JSON);
    cr_assert_eq(tw_converter_error(converter)->code, TW_ERROR_JSON);
    cr_assert_eq(tw_converter_set_tools(converter, "[7]", 3), TW_ERROR_SCHEMA);
    cr_assert_str_eq(tw_converter_error(converter)->path, "tools[0]");
    cr_assert_eq(tw_converter_set_tools(converter, NULL, 0), TW_OK);
    expect_text(converter, CALL_TEXT, "{'diagnostics':[],'unparsed':0}");
    tw_converter_free(converter);
}

Test(options, prompt)
{
    static const char prompt[] = "<|turn>model\n<|channel>thought\n";
    tw_converter *converter = to_message();
    cr_assert_eq(tw_converter_set_prompt(converter, prompt, sizeof prompt - 1),
                 TW_OK);
    for (int i = 0; i < 2; i++) {
        expect_text(converter, "a<channel|>b",
                    "{'role':'assistant','content':'b',"
                    "'reasoning_content':'a'}");
    }
    cr_assert_eq(tw_converter_set_prompt(converter, NULL, 1),
                 TW_ERROR_ARGUMENT);
    cr_assert_eq(tw_converter_set_prompt(converter, NULL, 0), TW_OK);
    expect_text(converter, "b", PLAIN("'b'"));
    tw_converter_free(converter);
}

Test(options, prompt_that_begins_a_call)
{
    static const char prompt[] = "<|turn>model\n<|tool_call>call:f{a:";
    tw_converter *converter = to_message();
    cr_assert_eq(tw_converter_set_prompt(converter, prompt, sizeof prompt - 1),
                 TW_OK);
    for (int i = 0; i < 2; i++) {
        expect_text(converter, "1}<tool_call|>",
                    "{'role':'assistant','content':null,'tool_calls':["
                    "{'id':'call_0','type':'function','function':{"
                    "'name':'f','arguments':'{\\'a\\':1}'}}]}");
    }
    tw_converter_free(converter);
}

Test(options, finish)
{
    tw_converter *converter = to_message();
    cr_assert_eq(tw_converter_set_finish(converter, (tw_finish)-1),
                 TW_ERROR_ARGUMENT);
    cr_assert_eq(tw_converter_set_finish(converter, (tw_finish)3),
                 TW_ERROR_ARGUMENT);
    cr_assert_eq(tw_converter_set_finish(converter, TW_FINISH_LENGTH), TW_OK);
    expect_text(converter, CALL_TEXT, CALL_MESSAGE);
    tw_converter_free(converter);
}

Test(options, chunk_changes_nothing)
{
    tw_converter *message = to_message();
    tw_converter *report = to_report();
    for (size_t chunk = 0; chunk < 80; chunk++) {
        cr_assert_eq(tw_converter_set_chunk(message, chunk), TW_OK);
        cr_assert_eq(tw_converter_set_chunk(report, chunk), TW_OK);
        expect_text(message, CALL_TEXT, CALL_MESSAGE);
        expect_text(report, BAD_TEXT, BAD_REPORT);
    }
    cr_assert_eq(tw_converter_set_chunk(message, SIZE_MAX), TW_OK);
    expect_text(message, CALL_TEXT, CALL_MESSAGE);
    tw_converter_free(message);
    tw_converter_free(report);
}

/* ---- memory ------------------------------------------------------------- */

/* Sets, and converts one record twice; the result of what fails first. */
static int run_all(tw_converter *converter, const char *expected)
{
    static const char prompt[] = "<|turn>model\n<|channel>thought\n";
    static const char record[] =
        "{\"a\":[1,{\"b\":null}],\"text\":\"hm<channel|>" CALL_TEXT
        "<|tool_call>call:f{a:1,}<tool_call|>\"}";
    const char *line = NULL;
    size_t size = 0;
    int result = tw_converter_set_tools(converter, "[\"f\"]", 5);
    if (result == TW_OK) {
        result = tw_converter_set_prompt(converter, prompt, sizeof prompt - 1);
    }
    if (result == TW_OK) {
        result = tw_converter_set_chunk(converter, 5);
    }
    for (int i = 0; i < 2 && result == TW_OK; i++) {
        result = tw_converter_record(converter, record, sizeof record - 1,
                                     &line, &size);
        cr_assert(result == TW_OK || line == NULL);
    }
    if (result == TW_OK) {
        expect_line(expected, line, size);
    } else {
        cr_assert_eq(result, TW_ERROR_MEMORY);
        cr_assert_eq(tw_converter_error(converter)->code, TW_ERROR_MEMORY);
    }
    return result;
}

static bool survives(const char *to, size_t fail_at, bool for_ever,
                     const char *expected)
{
    test_memory memory = {.fail_at = fail_at, .for_ever = for_ever};
    const tw_allocator allocator = test_allocator(&memory);
    tw_converter *converter = tw_converter_new("gemma4", to, &allocator);
    bool unharmed = false;
    if (converter != NULL) {
        unharmed = run_all(converter, expected) == TW_OK;
        memory.fail_at = 0;
        cr_assert_eq(run_all(converter, expected), TW_OK);
    }
    tw_converter_free(converter);
    cr_assert_eq(memory.live, 0);
    return unharmed;
}

static void sweep(const char *to, const char *expected)
{
    for (int for_ever = 0; for_ever < 2; for_ever++) {
        size_t n = 1;
        while (!survives(to, n, for_ever == 1, expected)) {
            n++;
        }
        cr_assert_gt(n, 10);
    }
}

Test(memory, failing)
{
    sweep("message",
          "{'role':'assistant','content':'Hi','reasoning_content':'hm',"
          "'tool_calls':[{'id':'call_0','type':'function','function':{"
          "'name':'f','arguments':'{\\'a\\':1}'}},{'id':'call_1',"
          "'type':'function','function':{'name':'f',"
          "'arguments':'{\\'a\\':1}'}}],'toolwire':{'diagnostics':["
          "{'code':'trailing_comma','offset':71,'size':0}]}}");
    sweep("report", "{'diagnostics':[{'code':'trailing_comma','offset':71,"
                    "'size':0}],'unparsed':0}");
}

/* A text that there is no memory for leaves the old one. */
Test(memory, failing_field)
{
    test_memory memory = {0};
    const tw_allocator allocator = test_allocator(&memory);
    tw_converter *converter =
        tw_converter_new("gemma4", "message", &allocator);
    char field[200];
    memset(field, 'k', sizeof field - 1);
    field[sizeof field - 1] = '\0';
    memory.fail_at = memory.count + 1;
    cr_assert_eq(set_text(converter, TW_TEXT_FIELD, field), TW_ERROR_MEMORY);
    expect_record(converter, "{\"text\":\"x\"}", PLAIN("'x'"));
    memory.fail_at = memory.count + 1;
    cr_assert_eq(set_text(converter, TW_TEXT_REASONING_KEY, field),
                 TW_ERROR_MEMORY);
    expect_record(converter, "{\"text\":\"x\"}", PLAIN("'x'"));
    tw_converter_free(converter);
    cr_assert_eq(memory.live, 0);
}

Test(memory, second_text_allocates_nothing)
{
    static const char *const ends[] = {"message", "report"};
    for (int i = 0; i < 2; i++) {
        test_memory memory = {0};
        const tw_allocator allocator = test_allocator(&memory);
        tw_converter *converter =
            tw_converter_new("gemma4", ends[i], &allocator);
        const char *line;
        size_t size;
        tw_converter_text(converter, BAD_TEXT, strlen(BAD_TEXT), &line, &size);
        const size_t before = memory.count;
        cr_assert_eq(tw_converter_text(converter, BAD_TEXT, strlen(BAD_TEXT),
                                       &line, &size),
                     TW_OK);
        cr_assert_eq(memory.count, before);
        tw_converter_free(converter);
        cr_assert_eq(memory.live, 0);
    }
}

Test(converter, no_wire_where_no_record_holds_text)
{
    tw_converter *converter = tw_converter_new("gemma4", "message", NULL);
    const tw_format *wire = tw_format_find("hermes");
    cr_expect_eq(tw_converter_set_wire(NULL, wire), TW_ERROR_ARGUMENT);
    cr_expect_eq(tw_converter_set_wire(converter, wire), TW_ERROR_ARGUMENT);
    cr_expect_str_eq(tw_converter_error(converter)->message,
                     "no format, or no record that holds its text");
    tw_converter_free(converter);
}

/* Between two records its decoder takes options as at first. */
Test(converter, checks_are_switched_behind_a_record)
{
    tw_converter *converter = tw_converter_new("gemma4", "message", NULL);
    expect_record(converter, "{\"text\":\"x\"}", PLAIN("'x'"));
    cr_expect_eq(tw_converter_set(converter, TW_OPTION_VALIDATE,
                                  TW_VALIDATE_REPORT),
                 TW_OK);
    expect_record(converter, "{\"text\":\"x\"}", PLAIN("'x'"));
    tw_converter_free(converter);
}
