/* SPDX-License-Identifier: MIT
 *
 * The options of converters, each in what it changes.
 */
#include "converting.h"

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

/* A list of messages is looked for in OpenAI's records alone. */
Test(options, messages)
{
    tw_converter *message = to_message();
    cr_assert_eq(set_text(message, TW_TEXT_MESSAGES, "a"), TW_ERROR_ARGUMENT);
    tw_converter_free(message);
    tw_converter *openai = tw_converter_new("sharegpt", "openai", NULL);
    cr_assert_eq(set_text(openai, TW_TEXT_MESSAGES, "a"), TW_ERROR_ARGUMENT);
    tw_converter_free(openai);
    openai = tw_converter_new("openai", "sharegpt", NULL);
    cr_assert_eq(set_text(openai, TW_TEXT_MESSAGES, "a"), TW_OK);
    tw_converter_free(openai);
}

/* ---- what a record says of its own text ---------------------------------- */

#define CUT "<|tool_call>call:f{a:1"

static size_t calls_of(tw_converter *converter, const char *record)
{
    const char *line;
    size_t size;
    cr_assert_eq(tw_converter_record(converter, record, strlen(record), &line,
                                     &size),
                 TW_OK, "%s", tw_converter_error(converter)->message);
    return tw_converter_unparsed(converter) == 0;
}

/* What logs usually call it is read unasked: a `prompt` in which a turn of the
 * format begins, and a word of an API.  What the caller says counts first. */
Test(options, of_each_record_unasked)
{
    static const char thinks[] =
        "{\"text\":\"a<channel|>b\",\"prompt\":"
        "\"<|turn>model\\n<|channel>thought\\n\"}";
    static const char both[] =
        "{'role':'assistant','content':'b','reasoning_content':'a'}";
    tw_converter *converter = to_message();
    expect_record(converter, thinks, both);
    expect_record(converter, "{\"text\":\"b\",\"prompt\":\"A question?\"}",
                  PLAIN("'b'"));
    expect_record(converter, "{\"text\":\"b\",\"prompt\":[7]}", PLAIN("'b'"));
    cr_expect_eq(
        calls_of(converter,
                 "{\"text\":\"" CUT "\",\"finish_reason\":\"tool_calls\"}"),
        1);
    cr_expect_eq(calls_of(converter, "{\"text\":\"" CUT
                                     "\",\"finish_reason\":\"length\"}"),
                 0);
    cr_expect_eq(
        calls_of(converter, "{\"text\":\"" CUT "\",\"finish_reason\":7}"),
        0);
    cr_assert_eq(tw_converter_set_finish(converter, TW_FINISH_STOP), TW_OK);
    cr_expect_eq(calls_of(converter, "{\"text\":\"" CUT
                                     "\",\"finish_reason\":\"length\"}"),
                 1);
    tw_converter_free(converter);
    converter = to_message();
    cr_assert_eq(tw_converter_set(converter, TW_OPTION_START_REASONING, 1),
                 TW_OK);
    expect_record(converter,
                  "{\"text\":\"a<channel|>b\",\"prompt\":\"<|turn>model\\n\"}",
                  both);
    tw_converter_free(converter);
    converter = to_message();
    cr_assert_eq(set_text(converter, TW_TEXT_FINISH_FIELD, ""), TW_OK);
    cr_expect_eq(calls_of(converter, "{\"text\":\"" CUT
                                     "\",\"finish_reason\":\"stop\"}"),
                 0);
    tw_converter_free(converter);
}

/* Each record says it of itself; one that does not is as all are. */
Test(options, of_each_record)
{
    tw_converter *converter = to_message();
    const char *line;
    size_t size;
    cr_assert_eq(set_text(converter, TW_TEXT_PROMPT_FIELD, "a.prompt"), TW_OK);
    cr_assert_eq(set_text(converter, TW_TEXT_FINISH_FIELD, "why.0"), TW_OK);
    expect_record(converter,
                  "{\"text\":\"a<channel|>b\",\"a\":{\"prompt\":"
                  "\"<|turn>model\\n<|channel>thought\\n\"}}",
                  "{'role':'assistant','content':'b',"
                  "'reasoning_content':'a'}");
    expect_record(converter, "{\"text\":\"b\",\"a\":{\"prompt\":null}}",
                  PLAIN("'b'"));
    expect_record(converter, "\"b\"", PLAIN("'b'"));
    cr_expect_eq(calls_of(converter,
                          "{\"text\":\"" CUT "\",\"why\":[\"tool_calls\"]}"),
                 1);
    cr_expect_eq(calls_of(converter,
                          "{\"text\":\"" CUT "\",\"why\":[\"max_tokens\"]}"),
                 0);
    static const char odd[] = "{\"text\":\"\",\"why\":[7]}";
    cr_assert_eq(tw_converter_record(converter, odd, sizeof odd - 1, &line,
                                     &size),
                 TW_ERROR_SCHEMA);
    cr_expect_str_eq(tw_converter_error(converter)->path, "why.0");
    cr_assert_eq(set_text(converter, TW_TEXT_FINISH_FIELD, ""), TW_OK);
    cr_assert_eq(tw_converter_set_finish(converter, TW_FINISH_STOP), TW_OK);
    cr_expect_eq(calls_of(converter, "{\"text\":\"" CUT "\",\"why\":[7]}"), 1);
    tw_converter_free(converter);
    converter = tw_converter_new("openai", "anthropic", NULL);
    cr_expect_eq(set_text(converter, TW_TEXT_PROMPT_FIELD, "a"),
                 TW_ERROR_ARGUMENT);
    tw_converter_free(converter);
}
