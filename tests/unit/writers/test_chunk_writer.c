/* SPDX-License-Identifier: MIT
 *
 * C1 to C16 are what clients of streamed chunks were found to need.
 */
#include <criterion/criterion.h>
#include <stdio.h>
#include <string.h>

#include "writing.h"

Test(chunks, of_nothing)
{
    tw_writer *writer = chunk_writer();
    expect_nothing(writer);
    GIVE(writer, over(TW_FINISH_STOP));
    EXPECT(writer, ROLE, FINISH("stop"));
    tw_writer_free(writer);
}

Test(chunks, c1_role_first_and_once)
{
    tw_writer *writer = chunk_writer();
    GIVE(writer, framing());
    EXPECT(writer, ROLE);
    GIVE(writer, diagnostic(TW_DIAGNOSTIC_BOM, 0, 0), framing());
    expect_nothing(writer);
    GIVE(writer, text(0, "Hi"));
    EXPECT(writer, CONTENT("Hi"));
    GIVE(writer, over(TW_FINISH_STOP));
    EXPECT(writer, FINISH("stop"));
    tw_writer_free(writer);
}

Test(chunks, c2_to_c5_a_call_opens_once)
{
    tw_writer *writer = chunk_writer();
    GIVE(writer, begin(0, "call_0", "f\"\n"));
    EXPECT(writer, ROLE, OPEN("0", "call_0", "f\\'\\n"));
    GIVE(writer, arguments(0, "{\"a\":"));
    EXPECT(writer, PIECE("0", "{\\'a\\':"));
    GIVE(writer, arguments(0, "\"\\\"\""));
    EXPECT(writer, PIECE("0", "\\'\\\\\\'\\'"));
    GIVE(writer, arguments(0, "}"), call_end(0, TW_CALL_COMPLETE));
    EXPECT(writer, PIECE("0", "}"));
    GIVE(writer, over(TW_FINISH_STOP));
    EXPECT(writer, FINISH("tool_calls"));
    tw_writer_free(writer);
}

Test(chunks, c6_indexes_are_dense)
{
    tw_writer *writer = chunk_writer();
    GIVE(writer, begin(3, "a", "f"), arguments(3, "{}"),
         call_end(3, TW_CALL_COMPLETE), begin(7, "b", "g"), arguments(7, "{"),
         call_end(7, TW_CALL_MALFORMED), begin(9, "c", "h"),
         arguments(9, "{}"), call_end(9, TW_CALL_COMPLETE),
         over(TW_FINISH_STOP));
    EXPECT(writer, ROLE, OPEN("0", "a", "f"), PIECE("0", "{}"),
           OPEN("1", "b", "g"), PIECE("1", "{"), OPEN("2", "c", "h"),
           PIECE("2", "{}"), FINISH("tool_calls"));
    tw_writer_free(writer);
}

Test(chunks, c7_c8_c9_calls_side_by_side)
{
    tw_writer *writer = chunk_writer();
    GIVE(writer, begin(0, "a", "f"), arguments(0, "{}"),
         call_end(0, TW_CALL_COMPLETE), begin(1, "b", "f"), arguments(1, "{}"),
         call_end(1, TW_CALL_COMPLETE));
    EXPECT(writer, ROLE, OPEN("0", "a", "f"), PIECE("0", "{}"),
           OPEN("1", "b", "f"), PIECE("1", "{}"));
    tw_writer_free(writer);
}

Test(chunks, c10_c11_calls_are_left_open)
{
    tw_writer *writer = chunk_writer();
    GIVE(writer, begin(0, "a", "f"), arguments(0, "{\"x\":\"y"),
         call_end(0, TW_CALL_MALFORMED),
         unparsed(TW_DIAGNOSTIC_NO_VALUE, 4, "<x>", "f"), text(0, "after"),
         over(TW_FINISH_STOP));
    EXPECT(writer, ROLE, OPEN("0", "a", "f"), PIECE("0", "{\\'x\\':\\'y"),
           CONTENT("after"),
           CHUNK("", "'stop'",
                 ",'toolwire':{'unparsed':[{'text':'<x>',"
                 "'reason':'no_value','offset':4,'name':'f'}]}"));
    tw_writer_free(writer);
}

Test(chunks, c12_finish_reasons)
{
    static const struct {
        tw_call_status status;
        tw_finish finish;
        const char *line;
    } cases[] = {
        {TW_CALL_INCOMPLETE, TW_FINISH_STOP, FINISH("length")},
        {TW_CALL_COMPLETE, TW_FINISH_STOP, FINISH("tool_calls")},
        {TW_CALL_COMPLETE, TW_FINISH_LENGTH, FINISH("length")},
        {TW_CALL_MALFORMED, TW_FINISH_STOP, FINISH("stop")},
        {TW_CALL_MALFORMED, TW_FINISH_LENGTH, FINISH("length")},
        {TW_CALL_INCOMPLETE, TW_FINISH_LENGTH, FINISH("length")},
    };
    tw_writer *writer = chunk_writer();
    for (size_t i = 0; i < SIZE_OF(cases); i++) {
        tw_writer_reset(writer);
        GIVE(writer, begin(0, "a", "f"), call_end(0, cases[i].status));
        EXPECT(writer, ROLE, OPEN("0", "a", "f"));
        GIVE(writer, over(cases[i].finish));
        EXPECT(writer, cases[i].line);
    }
    tw_writer_free(writer);
}

Test(chunks, c12_complete_and_incomplete_calls)
{
    tw_writer *writer = chunk_writer();
    GIVE(writer, begin(0, "a", "f"), call_end(0, TW_CALL_COMPLETE),
         begin(1, "b", "g"), call_end(1, TW_CALL_INCOMPLETE),
         over(TW_FINISH_STOP));
    EXPECT(writer, ROLE, OPEN("0", "a", "f"), OPEN("1", "b", "g"),
           FINISH("length"));
    tw_writer_reset(writer);
    GIVE(writer, begin(0, "a", "f"), over(TW_FINISH_STOP));
    EXPECT(writer, ROLE, OPEN("0", "a", "f"), FINISH("length"));
    tw_writer_free(writer);
}

/* It was cut off before its name was known: no less incomplete. */
Test(chunks, c12_a_call_cut_off_early)
{
    tw_writer *writer = chunk_writer();
    GIVE(writer, unparsed(TW_DIAGNOSTIC_TRUNCATED_CALL, 0, NULL, NULL),
         over(TW_FINISH_STOP));
    EXPECT(writer, ROLE,
           CHUNK("", "'length'",
                 ",'toolwire':{'unparsed':[{'reason':'truncated_call',"
                 "'offset':0}]}"));
    tw_writer_free(writer);
}

Test(chunks, c15_reasoning_has_a_key_of_its_own)
{
    tw_writer *writer = chunk_writer();
    GIVE(writer, reasoning(0, "a\n"), text(1, "b"), over(TW_FINISH_STOP));
    EXPECT(writer, ROLE, DELTA("'reasoning_content':'a\\n'"), CONTENT("b"),
           FINISH("stop"));
    tw_writer_reset(writer);
    cr_assert_eq(
        tw_writer_set_text(writer, TW_TEXT_REASONING_KEY, "reasoning", 9),
        TW_OK);
    GIVE(writer, reasoning(0, "a"));
    EXPECT(writer, ROLE, DELTA("'reasoning':'a'"));
    tw_writer_free(writer);
}

Test(chunks, join_segments_of_a_kind)
{
    tw_writer *writer = chunk_writer();
    GIVE(writer, reasoning(0, "a"), text(1, "b"), text(1, "c"),
         reasoning(2, "d"), text(3, "e"), text(3, "f"), over(TW_FINISH_STOP));
    EXPECT(writer, ROLE, DELTA("'reasoning_content':'a'"), CONTENT("b"),
           CONTENT("c"), DELTA("'reasoning_content':'\\nd'"), CONTENT("\\ne"),
           CONTENT("f"), FINISH("stop"));
    tw_writer_reset(writer);
    GIVE(writer, text(4, "x"));
    EXPECT(writer, ROLE, CONTENT("x"));
    tw_writer_free(writer);
}

Test(chunks, send_nothing_of_nothing)
{
    tw_writer *writer = chunk_writer();
    GIVE(writer, text(0, ""), text(1, "a"), reasoning(2, ""));
    EXPECT(writer, ROLE, CONTENT("a"));
    tw_writer_free(writer);
}

Test(chunks, have_their_envelope)
{
    tw_writer *writer = chunk_writer();
    cr_assert_eq(tw_writer_set_text(writer, TW_TEXT_ID, "i\"d", 3), TW_OK);
    cr_assert_eq(tw_writer_set_text(writer, TW_TEXT_MODEL, "m\n", 2), TW_OK);
    cr_assert_eq(tw_writer_set(writer, TW_OPTION_CREATED, INT64_MAX), TW_OK);
    GIVE(writer, text(0, "x"));
    EXPECT(writer,
           "{'id':'i\\'d','object':'chat.completion.chunk',"
           "'created':9223372036854775807,'model':'m\\n','choices':["
           "{'index':0,'delta':{'role':'assistant'},'finish_reason':null}]}",
           "{'id':'i\\'d','object':'chat.completion.chunk',"
           "'created':9223372036854775807,'model':'m\\n','choices':["
           "{'index':0,'delta':{'content':'x'},'finish_reason':null}]}");
    tw_writer_reset(writer);
    cr_assert_eq(tw_writer_set_text(writer, TW_TEXT_ID, NULL, 0), TW_OK);
    cr_assert_eq(tw_writer_set_text(writer, TW_TEXT_MODEL, "m", 1), TW_OK);
    cr_assert_eq(tw_writer_set(writer, TW_OPTION_CREATED, 0), TW_OK);
    GIVE(writer, framing());
    EXPECT(writer,
           "{'id':'','object':'chat.completion.chunk','created':0,"
           "'model':'m','choices':[{'index':0,'delta':{'role':'assistant'},"
           "'finish_reason':null}]}");
    tw_writer_free(writer);
}

Test(chunks, have_a_choice_and_a_fingerprint)
{
    tw_writer *writer = chunk_writer();
    cr_assert_eq(tw_writer_set(writer, TW_OPTION_CHOICE, INT32_MAX), TW_OK);
    cr_assert_eq(
        tw_writer_set_text(writer, TW_TEXT_SYSTEM_FINGERPRINT, "f\"p", 3),
        TW_OK);
    for (int i = 0; i < 2; i++) {
        GIVE(writer, over(TW_FINISH_STOP));
        EXPECT(writer,
               "{'id':'chatcmpl-0','object':'chat.completion.chunk',"
               "'created':0,'model':'toolwire','system_fingerprint':'f\\'p',"
               "'choices':[{'index':2147483647,'delta':{'role':'assistant'},"
               "'finish_reason':null}]}",
               "{'id':'chatcmpl-0','object':'chat.completion.chunk',"
               "'created':0,'model':'toolwire','system_fingerprint':'f\\'p',"
               "'choices':[{'index':2147483647,'delta':{},"
               "'finish_reason':'stop'}]}");
        tw_writer_reset(writer);
    }
    cr_assert_eq(tw_writer_set(writer, TW_OPTION_CHOICE, 0), TW_OK);
    cr_assert_eq(
        tw_writer_set_text(writer, TW_TEXT_SYSTEM_FINGERPRINT, NULL, 0),
        TW_OK);
    GIVE(writer, framing());
    EXPECT(writer, ROLE);
    tw_writer_free(writer);
}

/* What the caller knows counts, but of calls the message knows better. */
Test(chunks, end_for_the_reason_that_is_given)
{
    static const struct {
        const char *given;
        tw_call_status status; /* 0: no call */
        tw_finish finish;
        const char *reason;
    } rows[] = {
        {"content_filter", 0, TW_FINISH_STOP, "content_filter"},
        {"content_filter", TW_CALL_COMPLETE, TW_FINISH_STOP, "content_filter"},
        {"content_filter", TW_CALL_INCOMPLETE, TW_FINISH_STOP,
         "content_filter"},
        {"content_filter", 0, TW_FINISH_LENGTH, "content_filter"},
        {"length", TW_CALL_COMPLETE, TW_FINISH_STOP, "length"},
        {"stop", 0, TW_FINISH_STOP, "stop"},
        {"stop", TW_CALL_COMPLETE, TW_FINISH_STOP, "tool_calls"},
        {"stop", TW_CALL_INCOMPLETE, TW_FINISH_STOP, "length"},
        {"stop", 0, TW_FINISH_LENGTH, "length"},
        {"tool_calls", 0, TW_FINISH_STOP, "tool_calls"},
        {"tool_calls", TW_CALL_COMPLETE, TW_FINISH_STOP, "tool_calls"},
        {"tool_calls", TW_CALL_INCOMPLETE, TW_FINISH_STOP, "length"},
        {"tool_calls", TW_CALL_COMPLETE, TW_FINISH_LENGTH, "length"},
        {"", TW_CALL_COMPLETE, TW_FINISH_STOP, "tool_calls"},
        {"a\"b", 0, TW_FINISH_STOP, "a\\'b"},
    };
    tw_writer *writer = chunk_writer();
    for (size_t i = 0; i < SIZE_OF(rows); i++) {
        const char *why = rows[i].given;
        char line[200];
        GIVE(writer, framing());
        EXPECT(writer, ROLE);
        if (rows[i].status != 0) {
            GIVE(writer, begin(0, "a", "f"), call_end(0, rows[i].status));
            EXPECT(writer, OPEN("0", "a", "f"));
        }
        cr_assert_eq(tw_writer_set_text(writer, TW_TEXT_FINISH_REASON, why,
                                        strlen(why)),
                     TW_OK);
        GIVE(writer, over(rows[i].finish));
        snprintf(line, sizeof line, FINISH("%s"), rows[i].reason);
        EXPECT(writer, line);
        tw_writer_reset(writer);
    }
    GIVE(writer, over(TW_FINISH_STOP));
    EXPECT(writer, ROLE, FINISH("stop"));
    tw_writer_free(writer);
}

#define USAGE(usage)                                                   \
    "{'id':'chatcmpl-0','object':'chat.completion.chunk','created':0," \
    "'model':'toolwire','choices':[],'usage':" usage "}"

/* C13: usage stands last, beside no choices; a server knows it only then. */
Test(chunks, c13_usage_last)
{
    static const char usage[] = "{\"total_tokens\" :1.50,\n\"x\":[]}";
    static const char other[] = "{}";
    tw_writer *writer = chunk_writer();
    cr_assert_eq(tw_writer_set_text(writer, TW_TEXT_USAGE, other, 2), TW_OK);
    GIVE(writer, text(0, "Hi"));
    EXPECT(writer, ROLE, CONTENT("Hi"));
    cr_assert_eq(
        tw_writer_set_text(writer, TW_TEXT_USAGE, usage, sizeof usage - 1),
        TW_OK);
    GIVE(writer, over(TW_FINISH_STOP));
    EXPECT(writer, FINISH("stop"), USAGE("{'total_tokens':1.50,'x':[]}"));
    cr_assert_eq(tw_writer_set_text(writer, TW_TEXT_USAGE, other, 2),
                 TW_ERROR_STATE);
    /* It is of that message. */
    tw_writer_reset(writer);
    cr_assert_eq(tw_writer_set_text(writer, TW_TEXT_USAGE, other, 2), TW_OK);
    cr_assert_eq(tw_writer_set_text(writer, TW_TEXT_USAGE, NULL, 0), TW_OK);
    GIVE(writer, over(TW_FINISH_STOP));
    EXPECT(writer, ROLE, FINISH("stop"));
    tw_writer_reset(writer);
    cr_assert_eq(tw_writer_set_text(writer, TW_TEXT_USAGE, other, 2), TW_OK);
    tw_writer_reset(writer);
    GIVE(writer, over(TW_FINISH_STOP));
    EXPECT(writer, ROLE, FINISH("stop"));
    tw_writer_free(writer);
}

/* ---- held calls --------------------------------------------------------- */

Test(hold_calls, sends_a_call_when_it_is_complete)
{
    tw_writer *writer = chunk_writer();
    cr_assert_eq(tw_writer_set(writer, TW_OPTION_HOLD_CALLS, 1), TW_OK);
    GIVE(writer, begin(0, "a", "f"), arguments(0, "{\"a\":"),
         arguments(0, "1"));
    EXPECT(writer, ROLE);
    GIVE(writer, arguments(0, "}"), call_end(0, TW_CALL_COMPLETE));
    EXPECT(writer, OPEN("0", "a", "f"), PIECE("0", "{\\'a\\':1}"));
    GIVE(writer, over(TW_FINISH_STOP));
    EXPECT(writer, FINISH("tool_calls"));
    tw_writer_free(writer);
}

Test(hold_calls, drops_others)
{
    tw_writer *writer = chunk_writer();
    cr_assert_eq(tw_writer_set(writer, TW_OPTION_HOLD_CALLS, 1), TW_OK);
    GIVE(writer, begin(0, "a", "f"), arguments(0, "{\"a\":"),
         call_end(0, TW_CALL_MALFORMED), begin(1, "b", "g"),
         arguments(1, "{}"), call_end(1, TW_CALL_COMPLETE), begin(2, "c", "h"),
         arguments(2, "{"), call_end(2, TW_CALL_INCOMPLETE),
         over(TW_FINISH_STOP));
    EXPECT(writer, ROLE, OPEN("0", "b", "g"), PIECE("0", "{}"),
           FINISH("length"));
    tw_writer_free(writer);
}

Test(hold_calls, holds_custom_calls)
{
    tw_writer *writer = chunk_writer();
    cr_assert_eq(tw_writer_set(writer, TW_OPTION_HOLD_CALLS, 1), TW_OK);
    GIVE(writer, begin_custom(0, "a", "f"), arguments(0, "x"),
         arguments(0, "y"), call_end(0, TW_CALL_INCOMPLETE),
         begin_custom(1, "b", "g"), arguments(1, "x"), arguments(1, "y"),
         call_end(1, TW_CALL_COMPLETE));
    EXPECT(writer, ROLE, OPEN("0", "b", "g"),
           PIECE("0", "{\\'input\\':\\'xy\\'}"));
    tw_writer_free(writer);
}

/* ---- joined chunks ------------------------------------------------------ */

static tw_writer *joining_writer(void)
{
    tw_writer *writer = chunk_writer();
    cr_assert_eq(tw_writer_set(writer, TW_OPTION_JOIN_CHUNKS, 1), TW_OK);
    return writer;
}

Test(join, adjacent_deltas_of_a_kind)
{
    tw_writer *writer = joining_writer();
    GIVE(writer, reasoning(0, "a"), reasoning(0, "b"), text(1, "c"),
         text(1, "\""), diagnostic(TW_DIAGNOSTIC_BOM, 0, 0), text(2, "d"),
         begin(0, "i", "f"), arguments(0, "{"), arguments(0, ""),
         arguments(0, "\"a\":1"), arguments(0, "}"),
         call_end(0, TW_CALL_COMPLETE), begin(1, "j", "g"), arguments(1, "{"),
         arguments(1, "}"), call_end(1, TW_CALL_COMPLETE), text(3, "e"),
         over(TW_FINISH_STOP));
    EXPECT(writer, ROLE, DELTA("'reasoning_content':'ab'"),
           CONTENT("c\\'\\nd"), OPEN("0", "i", "f"), PIECE("0", "{\\'a\\':1}"),
           OPEN("1", "j", "g"), PIECE("1", "{}"), CONTENT("\\ne"),
           FINISH("tool_calls"));
    tw_writer_free(writer);
}

/* What was taken is not written to any more. */
Test(join, until_a_line_is_taken)
{
    tw_writer *writer = joining_writer();
    GIVE(writer, text(0, "a"), text(0, "b"));
    EXPECT(writer, ROLE, CONTENT("ab"));
    expect_nothing(writer);
    GIVE(writer, text(0, "c"));
    EXPECT(writer, CONTENT("c"));
    GIVE(writer, text(0, "d"), framing());
    EXPECT(writer, CONTENT("d"));
    GIVE(writer, begin(0, "i", "f"), arguments(0, "{"));
    EXPECT(writer, OPEN("0", "i", "f"), PIECE("0", "{"));
    GIVE(writer, arguments(0, "}"), call_end(0, TW_CALL_COMPLETE));
    EXPECT(writer, PIECE("0", "}"));
    tw_writer_free(writer);
}

/* One line is taken, and the one behind it is being written. */
Test(join, between_two_lines)
{
    tw_writer *writer = joining_writer();
    const char *line;
    size_t size;
    GIVE(writer, text(0, "a"));
    cr_assert_eq(tw_writer_take(writer, &line, &size), 1);
    cr_assert(is_line(ROLE, line, size));
    GIVE(writer, text(0, "b"), reasoning(1, "c"), reasoning(1, "d"));
    EXPECT(writer, CONTENT("ab"), DELTA("'reasoning_content':'cd'"));
    tw_writer_reset(writer);
    GIVE(writer, text(0, "a"));
    tw_writer_reset(writer);
    GIVE(writer, text(0, "b"));
    EXPECT(writer, ROLE, CONTENT("b"));
    tw_writer_free(writer);
}

Test(join, of_custom_and_held_calls)
{
    tw_writer *writer = joining_writer();
    GIVE(writer, begin_custom(0, "a", "f"), arguments(0, "x"),
         arguments(0, "y"), call_end(0, TW_CALL_COMPLETE));
    EXPECT(writer, ROLE, OPEN("0", "a", "f"),
           PIECE("0", "{\\'input\\':\\'xy\\'}"));
    tw_writer_reset(writer);
    cr_assert_eq(tw_writer_set(writer, TW_OPTION_HOLD_CALLS, 1), TW_OK);
    GIVE(writer, text(0, "a"), begin(0, "a", "f"), arguments(0, "{"),
         call_end(0, TW_CALL_MALFORMED), text(1, "b"), begin(1, "b", "g"),
         arguments(1, "{}"), call_end(1, TW_CALL_COMPLETE));
    EXPECT(writer, ROLE, CONTENT("a\\nb"), OPEN("0", "b", "g"),
           PIECE("0", "{}"));
    tw_writer_free(writer);
}

/* ---- custom calls in chunks --------------------------------------------- */

Test(custom, is_a_function_that_streams)
{
    tw_writer *writer = chunk_writer();
    GIVE(writer, begin_custom(0, "a", "python"));
    EXPECT(writer, ROLE, OPEN("0", "a", "python"));
    GIVE(writer, arguments(0, "a\n"));
    EXPECT(writer, PIECE("0", "{\\'input\\':\\'a\\\\n"));
    GIVE(writer, arguments(0, "\""));
    EXPECT(writer, PIECE("0", "\\\\\\'"));
    GIVE(writer, call_end(0, TW_CALL_COMPLETE));
    EXPECT(writer, PIECE("0", "\\'}"));
    tw_writer_free(writer);
}

Test(custom, of_no_input)
{
    tw_writer *writer = chunk_writer();
    GIVE(writer, begin_custom(0, "a", "python"), call_end(0, TW_CALL_COMPLETE),
         over(TW_FINISH_STOP));
    EXPECT(writer, ROLE, OPEN("0", "a", "python"),
           PIECE("0", "{\\'input\\':\\'\\'}"), FINISH("tool_calls"));
    tw_writer_free(writer);
}

Test(custom, is_not_closed_where_it_is_cut_off)
{
    tw_writer *writer = chunk_writer();
    GIVE(writer, begin_custom(0, "a", "python"), arguments(0, "x"),
         call_end(0, TW_CALL_INCOMPLETE), over(TW_FINISH_STOP));
    EXPECT(writer, ROLE, OPEN("0", "a", "python"),
           PIECE("0", "{\\'input\\':\\'x"), FINISH("length"));
    tw_writer_free(writer);
}

Test(custom, as_custom)
{
    tw_writer *writer = chunk_writer();
    cr_assert_eq(tw_writer_set(writer, TW_OPTION_CUSTOM_FUNCTION, 0), TW_OK);
    GIVE(writer, begin_custom(0, "a", "python"), arguments(0, "x\n"),
         arguments(0, "y"), call_end(0, TW_CALL_COMPLETE), begin(1, "b", "f"),
         arguments(1, "{}"), call_end(1, TW_CALL_COMPLETE),
         over(TW_FINISH_STOP));
    EXPECT(writer, ROLE,
           CALL("'index':0,'id':'a','type':'custom','custom':{"
                "'name':'python','input':''}"),
           CALL("'index':0,'custom':{'input':'x\\n'}"),
           CALL("'index':0,'custom':{'input':'y'}"), OPEN("1", "b", "f"),
           PIECE("1", "{}"), FINISH("tool_calls"));
    tw_writer_free(writer);
}
