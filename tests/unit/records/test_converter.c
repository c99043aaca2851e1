/* SPDX-License-Identifier: MIT
 *
 * Whole outputs and records, by way of Gemma 4.
 */
#include <criterion/criterion.h>
#include <string.h>

#include "allocator.h"
#include "converting.h"
#include "loading.h"

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
    cr_assert_not_null(
        strstr(tw_converter_error(NULL)->message, "NULL is no converter"));
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

static const char *text_of(const char *line, size_t size)
{
    static char text[1 << 20];
    cr_assert_lt(size, sizeof text);
    memcpy(text, line, size);
    text[size] = '\0';
    return text;
}

/* A text may have a diagnostic for each of its bytes: of one code some are
 * kept, and the rest is counted; another code stands beside them. */
static void expect_counted(tw_converter *converter)
{
    enum { ALL = 4 * TW_DIAGNOSTICS_KEPT };
    static char bad[ALL + sizeof BAD_TEXT];
    const char *line;
    size_t size;
    uint32_t code;
    uint64_t offset;
    memset(bad, 0xFF, ALL);
    memcpy(bad + ALL, BAD_TEXT, sizeof BAD_TEXT);
    for (int again = 0; again < 2; again++) {
        cr_assert_eq(tw_converter_text(converter, bad, strlen(bad), &line,
                                       &size),
                     TW_OK);
        cr_expect_not_null(
            strstr(text_of(line, size),
                   "],\"more_diagnostics\":{\"invalid_utf8\":3000},"));
        cr_expect_eq(tw_converter_diagnostic_count(
                         converter, TW_DIAGNOSTIC_INVALID_UTF8),
                     ALL);
        cr_expect_eq(tw_converter_diagnostic_count(
                         converter, TW_DIAGNOSTIC_TRAILING_COMMA),
                     1);
        cr_assert_eq(tw_converter_diagnostic(converter, TW_DIAGNOSTICS_KEPT,
                                             &code, &offset),
                     1);
        cr_expect_eq(code, TW_DIAGNOSTIC_TRAILING_COMMA);
        cr_expect_eq(tw_converter_diagnostic(
                         converter, TW_DIAGNOSTICS_KEPT + 2, &code, &offset),
                     0);
    }
    cr_assert_eq(tw_converter_text(converter, "x", 1, &line, &size), TW_OK);
    cr_expect_null(strstr(text_of(line, size), "more"));
    cr_expect_eq(tw_converter_diagnostic_count(converter,
                                               TW_DIAGNOSTIC_INVALID_UTF8),
                 0);
    cr_expect_eq(tw_converter_diagnostic_count(converter, UINT32_MAX), 0);
    cr_expect_eq(tw_converter_diagnostic_count(NULL, 1), 0);
    tw_converter_free(converter);
}

Test(report, keeps_some_diagnostics_of_a_code)
{
    expect_counted(to_message());
    expect_counted(to_report());
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

static tw_converter *validating(void)
{
    tw_converter *converter = tw_converter_new("openai", "hermes", NULL);
    cr_assert_eq(
        tw_converter_set(converter, TW_OPTION_VALIDATE, TW_VALIDATE_REPORT),
        TW_OK);
    return converter;
}

/* The path leads through the record to the value in the call's arguments. */
Test(report, of_a_call_that_does_not_fit)
{
    tw_converter *converter = validating();
    const char *text;
    size_t size;
    uint32_t code;
    uint64_t offset;
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

/* Tools that are set are those of every record, until they are taken away. */
Test(report, of_a_call_that_does_not_fit_what_was_set)
{
    static const char tools[] =
        "[{\"name\":\"f\",\"parameters\":{\"properties\":{\"a\":{\"type\":"
        "\"string\"}}}}]";
    static const char record[] =
        "{\"messages\":[{\"role\":\"assistant\",\"tool_calls\":[{\"id\":\"c\","
        "\"type\":\"function\",\"function\":{\"name\":\"f\",\"arguments\":"
        "\"{\\\"a\\\":1}\"}}]}]}";
    tw_converter *converter = validating();
    const char *text;
    size_t size;
    uint32_t code;
    uint64_t offset;
    for (int given = 1; given >= 0; given--) {
        cr_assert_eq(tw_converter_set_tools(converter, given ? tools : NULL,
                                            given ? sizeof tools - 1 : 0),
                     TW_OK);
        cr_assert_eq(tw_converter_record(converter, record, sizeof record - 1,
                                         &text, &size),
                     TW_OK);
        cr_assert_eq(tw_converter_diagnostic(converter, 0, &code, &offset), 1);
        cr_expect_eq(code, given ? TW_DIAGNOSTIC_PARAMETER_TYPE
                                 : TW_DIAGNOSTIC_UNCHECKED_CALL);
    }
    tw_converter_free(converter);
}

#define DECLARED(type)                                                       \
    ",'tools':[{'type':'function','function':{'name':'f','parameters':{"     \
    "'type':'object','properties':{'n':{'type':'" type "'}}}}}]"
#define NUMBER_TEXT                                                \
    "<f=f><p=n>3</p></f>"
#define TAGS                                                             \
    "{\"format\":1,\"call\":\"<f={name}>{arguments}</f>\",\"argument\":" \
    "\"<p={key}>{value}</p>\"}"
#define NUMBER_MESSAGE(value)                                              \
    "{'role':'assistant','content':null,'tool_calls':[{'id':'call_0',"     \
    "'type':'function','function':{'name':'f','arguments':'{\\'n\\':" value \
    "}'}}]}"

/* |record| and |expected| with ' for ". */
static void expect_quoted(tw_converter *converter, const char *record,
                          const char *expected)
{
    char json[1024];
    const char *line = NULL;
    size_t size = 0;
    for (size_t i = 0; i <= strlen(record); i++) {
        json[i] = (char)(record[i] == '\'' ? '"' : record[i]);
    }
    cr_assert_eq(
        tw_converter_record(converter, json, strlen(json), &line, &size),
        TW_OK, "%s", tw_converter_error(converter)->message);
    expect_line(expected, line, size);
}

/* Each record's own tools, and no other's, say what its values are. */
Test(converter, types_values_by_the_tools_of_the_record)
{
    tw_format *format = loaded_from(TAGS);
    tw_converter *converter =
        tw_converter_between(format, NULL, NULL, "openai", NULL);
    cr_assert_eq(
        tw_converter_set(converter, TW_OPTION_UNIT_COMPLETION, 1), TW_OK);
    for (int i = 0; i < 2; i++) {
        expect_quoted(converter,
                      "{'text':'" NUMBER_TEXT "'" DECLARED("integer") "}",
                      "{'messages':[" NUMBER_MESSAGE("3") "]" DECLARED(
                          "integer") "}");
        expect_quoted(converter, "{'text':'" NUMBER_TEXT "'}",
                      "{'messages':[" NUMBER_MESSAGE("\\'3\\'") "]}");
        expect_quoted(converter,
                      "{'text':'" NUMBER_TEXT "'" DECLARED("string") "}",
                      "{'messages':[" NUMBER_MESSAGE("\\'3\\'") "]" DECLARED(
                          "string") "}");
    }
    tw_converter_free(converter);
    tw_format_free(format);
}

/* The same for texts that stand in records of a shape. */
Test(converter, types_values_of_a_shape_by_the_tools_of_the_record)
{
    tw_format *format = loaded_from(TAGS);
    tw_converter *converter = tw_converter_new("openai", "openai", NULL);
    cr_assert_eq(tw_converter_set_wire(converter, format), TW_OK);
    expect_quoted(converter,
                  "{'messages':[" PLAIN("'" NUMBER_TEXT "'") "]" DECLARED(
                      "integer") "}",
                  "{'messages':[" NUMBER_MESSAGE("3") "]" DECLARED(
                      "integer") "}");
    expect_quoted(converter,
                  "{'messages':[" PLAIN("'" NUMBER_TEXT "'") "]}",
                  "{'messages':[" NUMBER_MESSAGE("\\'3\\'") "]}");
    tw_converter_free(converter);
    tw_format_free(format);
}

/* What a path does not find in the record is made. */
Test(converter, writes_a_field_in_objects)
{
    tw_converter *converter = tw_converter_new("openai", "hermes", NULL);
    cr_assert_eq(set_text(converter, TW_TEXT_FIELD, "a.b.c"), TW_OK);
    expect_record(
        converter,
        "{\"messages\":[{\"role\":\"user\",\"content\":\"x\"}],\"a\":{\"n\":1}"
        "}",
        "{'a':{'b':{'c':'<|im_start|>user\\nx<|im_end|>\\n'},'n':1}}");
    tw_converter_free(converter);
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
    cr_expect_eq(
        tw_converter_set(converter, TW_OPTION_VALIDATE, TW_VALIDATE_REPORT),
        TW_OK);
    expect_record(converter, "{\"text\":\"x\"}", PLAIN("'x'"));
    tw_converter_free(converter);
}
