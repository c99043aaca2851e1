/* SPDX-License-Identifier: MIT
 *
 * Texts and records that a converter takes, by way of Gemma 4, and the lines
 * that are due.
 */
#ifndef TESTS_CONVERTING_H
#define TESTS_CONVERTING_H

#include <criterion/criterion.h>
#include <string.h>

#include "json_lines.h"
#include "toolwire.h"

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

static inline tw_converter *to_message(void)
{
    return tw_converter_new("gemma4", "message", NULL);
}

static inline tw_converter *to_report(void)
{
    return tw_converter_new("gemma4", "report", NULL);
}

static inline void expect_text(tw_converter *converter, const char *text,
                               const char *expected)
{
    const char *line = NULL;
    size_t size = 0;
    cr_assert_eq(
        tw_converter_text(converter, text, strlen(text), &line, &size), TW_OK);
    expect_line(expected, line, size);
}

static inline void expect_record(tw_converter *converter, const char *record,
                                 const char *expected)
{
    const char *line = NULL;
    size_t size = 0;
    cr_assert_eq(
        tw_converter_record(converter, record, strlen(record), &line, &size),
        TW_OK);
    expect_line(expected, line, size);
}

static inline const tw_error *expect_error(tw_converter *converter,
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

static inline int set_text(tw_converter *converter, tw_text text,
                           const char *data)
{
    return tw_converter_set_text(converter, text, data, strlen(data));
}

/* Half of a surrogate pair in the record's JSON, and what no turn of a
 * transcript holds: no decoder sees either. */
#define LONE "\"Hi\\ud83d<|tool_call>call:f{a:1,}<tool_call|>\""
#define STRAY "<|turn>user\na<turn|>\nxx<|turn>user\nb<turn|>\nyyy"

#define PLAIN(content) "{'role':'assistant','content':" content "}"

#endif
