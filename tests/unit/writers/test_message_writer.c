/* SPDX-License-Identifier: MIT
 *
 * The writer of one assistant message: what events become in JSON, when it is
 * ready, and what it escapes.
 */
#include <criterion/criterion.h>
#include <stdio.h>
#include <string.h>

#include "writing.h"

Test(message, of_nothing)
{
    tw_writer *writer = message_writer();
    expect_nothing(writer);
    GIVE(writer, over(TW_FINISH_STOP));
    EXPECT(writer, "{'role':'assistant','content':null}");
    tw_writer_free(writer);
}

Test(message, is_ready_at_the_end_only)
{
    tw_writer *writer = message_writer();
    GIVE(writer, text(0, "Hi"));
    expect_nothing(writer);
    GIVE(writer, text(0, " there"), over(TW_FINISH_LENGTH));
    EXPECT(writer, "{'role':'assistant','content':'Hi there'}");
    tw_writer_free(writer);
}

Test(message, escapes_no_more_than_it_must)
{
    tw_writer *writer = message_writer();
    GIVE(writer,
         text(0, "\"\\/\b\t\n\f\r\v\x1f\x7f \xC3\xA9 <tool_call> "
                 "\xF0\x9F\x98\x80 12345678\x01"),
         over(TW_FINISH_STOP));
    EXPECT(writer, "{'role':'assistant','content':'\\'\\\\/\\b\\t\\n\\f\\r"
                   "\\u000b\\u001f\x7f \xC3\xA9 <tool_call> "
                   "\xF0\x9F\x98\x80 12345678\\u0001'}");
    tw_writer_free(writer);
}

/* How JSON spells one ASCII character, written the simple way. */
static const char *spelled(int c)
{
    static char spelling[8];
    static const char *const pairs[] = {"\bb", "\ff",  "\nn", "\rr",
                                        "\tt", "\"\"", "\\\\"};
    for (size_t i = 0; i < SIZE_OF(pairs); i++) {
        if (pairs[i][0] == c) {
            snprintf(spelling, sizeof spelling, "\\%c", pairs[i][1]);
            return spelling;
        }
    }
    snprintf(spelling, sizeof spelling, c < 0x20 ? "\\u%04x" : "%c", c);
    return spelling;
}

/* Bytes are looked at eight at a time: each at each place among them. */
Test(message, escapes_at_every_place)
{
    static const char dots[] = "....................";
    tw_writer *writer = message_writer();
    for (int place = 0; place < 20; place++) {
        for (int c = 1; c < 0x80; c++) {
            char data[sizeof dots];
            char expected[80];
            const char *line;
            size_t size;
            memcpy(data, dots, sizeof dots);
            data[place] = (char)c;
            snprintf(expected, sizeof expected,
                     "{\"role\":\"assistant\",\"content\":\"%.*s%s%s\"}",
                     place, dots, spelled(c), dots + place + 1);
            tw_writer_reset(writer);
            GIVE(writer, text(0, data), over(TW_FINISH_STOP));
            cr_assert_eq(tw_writer_take(writer, &line, &size), 1);
            cr_assert_eq(size, strlen(expected));
            cr_assert_eq(memcmp(line, expected, size), 0);
        }
    }
    tw_writer_free(writer);
}

Test(message, holds_nul)
{
    tw_writer *writer = message_writer();
    tw_event event = text(0, "a");
    event.data = "a\0b";
    event.size = 3;
    GIVE(writer, event, over(TW_FINISH_STOP));
    EXPECT(writer, "{'role':'assistant','content':'a\\u0000b'}");
    tw_writer_free(writer);
}

Test(message, of_one_byte_each)
{
    tw_writer *writer = message_writer();
    GIVE(writer, reasoning(0, "a"), text(1, "b"), over(TW_FINISH_STOP));
    EXPECT(writer, "{'role':'assistant','content':'b',"
                   "'reasoning_content':'a'}");
    tw_writer_free(writer);
}

Test(message, joins_segments_of_a_kind)
{
    tw_writer *writer = message_writer();
    GIVE(writer, reasoning(0, "a"), text(1, "b"), text(1, "c"),
         reasoning(2, "d"), reasoning(2, "f"), text(3, "e"),
         over(TW_FINISH_STOP));
    EXPECT(writer, "{'role':'assistant','content':'bc\\ne',"
                   "'reasoning_content':'a\\ndf'}");
    tw_writer_free(writer);
}

Test(message, names_the_reasoning_as_asked)
{
    tw_writer *writer = message_writer();
    cr_assert_eq(tw_writer_set_text(writer, TW_TEXT_REASONING_KEY, "a\"b", 3),
                 TW_OK);
    GIVE(writer, reasoning(0, "x"), over(TW_FINISH_STOP));
    EXPECT(writer, "{'role':'assistant','content':null,'a\\'b':'x'}");
    tw_writer_free(writer);
}

Test(message, lists_complete_calls)
{
    tw_writer *writer = message_writer();
    GIVE(writer, begin(0, "call_0", "f"), arguments(0, "{\"a\":"),
         arguments(0, "\"\\n\"}"), call_end(0, TW_CALL_COMPLETE), text(0, "x"),
         begin(1, "call_1", "g"), arguments(1, "{}"),
         call_end(1, TW_CALL_COMPLETE), over(TW_FINISH_STOP));
    EXPECT(writer, "{'role':'assistant','content':'x','tool_calls':["
                   "{'id':'call_0','type':'function','function':{'name':'f',"
                   "'arguments':'{\\'a\\':\\'\\\\n\\'}'}},"
                   "{'id':'call_1','type':'function','function':{'name':'g',"
                   "'arguments':'{}'}}]}");
    tw_writer_free(writer);
}

Test(message, lists_only_complete_calls)
{
    tw_writer *writer = message_writer();
    GIVE(writer, begin(0, "call_0", "f"), arguments(0, "{\"a\":1"),
         call_end(0, TW_CALL_MALFORMED), begin(1, "call_1", "g"),
         arguments(1, "{}"), call_end(1, TW_CALL_COMPLETE),
         begin(2, "call_2", "h"), arguments(2, "{"),
         call_end(2, TW_CALL_INCOMPLETE), over(TW_FINISH_STOP));
    EXPECT(writer, "{'role':'assistant','content':null,'tool_calls':["
                   "{'id':'call_1','type':'function','function':{'name':'g',"
                   "'arguments':'{}'}}]}");
    tw_writer_free(writer);
}

Test(message, never_closes_a_call)
{
    tw_writer *writer = message_writer();
    GIVE(writer, begin(0, "call_0", "f"), arguments(0, "{}"),
         over(TW_FINISH_STOP));
    EXPECT(writer, "{'role':'assistant','content':null}");
    tw_writer_free(writer);
}

Test(message, custom_call)
{
    tw_writer *writer = message_writer();
    GIVE(writer, begin_custom(0, "call_0", "python"), arguments(0, "a\n"),
         arguments(0, "\"b\""), call_end(0, TW_CALL_COMPLETE),
         over(TW_FINISH_STOP));
    EXPECT(writer, "{'role':'assistant','content':null,'tool_calls':["
                   "{'id':'call_0','type':'custom','custom':{"
                   "'name':'python','input':'a\\n\\'b\\''}}]}");
    tw_writer_free(writer);
}

Test(message, custom_call_as_function)
{
    tw_writer *writer = message_writer();
    cr_assert_eq(tw_writer_set(writer, TW_OPTION_CUSTOM_FUNCTION, 1), TW_OK);
    GIVE(writer, begin_custom(0, "call_0", "python"), arguments(0, "a\n"),
         arguments(0, "\"\\"), call_end(0, TW_CALL_COMPLETE),
         begin_custom(1, "call_1", "python"), call_end(1, TW_CALL_COMPLETE),
         over(TW_FINISH_STOP));
    EXPECT(writer,
           "{'role':'assistant','content':null,'tool_calls':["
           "{'id':'call_0','type':'function','function':{'name':'python',"
           "'arguments':'{\\'input\\':\\'a\\\\n\\\\\\'\\\\\\\\\\'}'}},"
           "{'id':'call_1','type':'function','function':{'name':'python',"
           "'arguments':'{\\'input\\':\\'\\'}'}}]}");
    tw_writer_free(writer);
}

Test(message, lists_diagnostics)
{
    tw_writer *writer = message_writer();
    tw_event last = over(TW_FINISH_STOP);
    last.offset = UINT64_MAX;
    GIVE(writer, diagnostic(TW_DIAGNOSTIC_TRAILING_COMMA, 7, 0), framing(),
         diagnostic(TW_DIAGNOSTIC_OUTPUT_AFTER_END, UINT64_MAX - 12, 12),
         last);
    EXPECT(writer, "{'role':'assistant','content':null,'toolwire':{"
                   "'diagnostics':[{'code':'trailing_comma','offset':7,"
                   "'size':0},{'code':'output_after_end',"
                   "'offset':18446744073709551603,'size':12}]}}");
    tw_writer_free(writer);
}

Test(message, lists_unparsed_blocks)
{
    tw_writer *writer = message_writer();
    GIVE(writer, unparsed(TW_DIAGNOSTIC_TRUNCATED_CALL, 0, "<x>{\"a", "f"),
         unparsed(TW_DIAGNOSTIC_EMPTY_CALL, 5, NULL, NULL),
         over(TW_FINISH_STOP));
    EXPECT(writer, "{'role':'assistant','content':null,'toolwire':{"
                   "'unparsed':[{'text':'<x>{\\'a',"
                   "'reason':'truncated_call','offset':0,'name':'f'},"
                   "{'reason':'empty_call','offset':5}]}}");
    tw_writer_free(writer);
}

Test(message, lists_both)
{
    tw_writer *writer = message_writer();
    GIVE(writer, unparsed(TW_DIAGNOSTIC_NO_NAME, 0, NULL, NULL),
         diagnostic(TW_DIAGNOSTIC_BOM, 1, 0), over(TW_FINISH_STOP));
    EXPECT(writer, "{'role':'assistant','content':null,'toolwire':{"
                   "'diagnostics':[{'code':'bom','offset':1,'size':0}],"
                   "'unparsed':[{'reason':'no_name','offset':0}]}}");
    tw_writer_free(writer);
}

#define BAD "\xEF\xBF\xBD"

/* Each maximal subpart of what is ill-formed becomes one U+FFFD. */
Test(message, makes_raw_bytes_utf8)
{
    tw_writer *writer = message_writer();
    GIVE(writer,
         unparsed(TW_DIAGNOSTIC_NO_NAME, 0,
                  "a\xFF\xC3(\xE2\x82\n\xF0\x9F\x98\x80\xED\xA0\x80\xC3",
                  "n\xE2"),
         over(TW_FINISH_STOP));
    EXPECT(writer, "{'role':'assistant','content':null,'toolwire':{"
                   "'unparsed':[{'text':'a" BAD BAD "(" BAD
                   "\\n\xF0\x9F\x98\x80" BAD BAD BAD BAD
                   "','reason':'no_name','offset':0,'name':'n" BAD "'}]}}");
    tw_writer_free(writer);
}
