/* SPDX-License-Identifier: MIT */
#include <criterion/criterion.h>
#include <string.h>

#include "json_lines.h"
#include "toolwire.h"

#define CALL_TEXT "Hi<|tool_call>call:f{a:1}<tool_call|>"
#define CALL_MESSAGE                                                   \
    "{'role':'assistant','content':'Hi','tool_calls':[{'id':'call_0'," \
    "'type':'function','function':{'name':'f',"                        \
    "'arguments':'{\\'a\\':1}'}}]}"

static int decode(tw_decoder *decoder, tw_writer *writer, const char *text,
                  const char *expected)
{
    const char *line = "";
    size_t size = 1;
    const int result =
        tw_decode_message(decoder, writer, text, strlen(text), &line, &size);
    if (result == TW_OK) {
        expect_line(expected, line, size);
    } else {
        cr_assert_null(line);
        cr_assert_eq(size, 0);
    }
    return result;
}

Test(one_shot, decodes_a_message)
{
    tw_decoder *decoder = tw_decoder_new(tw_format_find("gemma4"), NULL);
    tw_writer *writer = tw_writer_new(TW_SHAPE_MESSAGE, NULL);
    for (int i = 0; i < 2; i++) {
        cr_assert_eq(decode(decoder, writer, CALL_TEXT, CALL_MESSAGE), TW_OK);
        cr_assert_eq(tw_decoder_feed(decoder, "x", 1, TW_MARK_UNKNOWN),
                     TW_ERROR_STATE);
        tw_decoder_reset(decoder); /* what is half done is dropped */
        tw_decoder_feed(decoder, "x", 1, TW_MARK_UNKNOWN);
    }
    cr_assert_eq(decode(decoder, writer, "<|tool_call>call:f{a:",
                        "{'role':'assistant','content':null,'toolwire':{"
                        "'diagnostics':[{'code':'truncated_call',"
                        "'offset':21,'size':0}],'unparsed':[{'text':"
                        "'<|tool_call>call:f{a:','reason':'truncated_call',"
                        "'offset':0,'name':'f'}]}}"),
                 TW_OK);
    tw_decoder_free(decoder);
    tw_writer_free(writer);
}

Test(one_shot, gives_no_line_with_an_error)
{
    tw_decoder *decoder = tw_decoder_new(tw_format_find("gemma4"), NULL);
    tw_writer *writer = tw_writer_new(TW_SHAPE_MESSAGE, NULL);
    cr_assert_eq(tw_decoder_set(decoder, TW_OPTION_STRICT, 1), TW_OK);
    cr_assert_eq(
        decode(decoder, writer, "<|tool_call>call:f{a:1,}<tool_call|>", ""),
        TW_ERROR_DEVIATION);
    cr_assert_eq(tw_decoder_error(decoder)->offset, 22);
    cr_assert_eq(decode(decoder, writer, CALL_TEXT, CALL_MESSAGE), TW_OK);
    tw_decoder_free(decoder);
    tw_writer_free(writer);
}

Test(one_shot, refuses_bad_arguments)
{
    tw_decoder *decoder = tw_decoder_new(tw_format_find("gemma4"), NULL);
    tw_writer *chunks = tw_writer_new(TW_SHAPE_CHUNKS, NULL);
    tw_writer *message = tw_writer_new(TW_SHAPE_MESSAGE, NULL);
    const char *line;
    size_t size;
    cr_assert_eq(tw_decode_message(decoder, chunks, "", 0, &line, &size),
                 TW_ERROR_ARGUMENT);
    cr_assert_eq(tw_decode_message(NULL, message, "", 0, &line, &size),
                 TW_ERROR_ARGUMENT);
    cr_assert_eq(tw_decode_message(decoder, NULL, "", 0, &line, &size),
                 TW_ERROR_ARGUMENT);
    cr_assert_eq(tw_decode_message(decoder, message, NULL, 1, &line, &size),
                 TW_ERROR_ARGUMENT);
    cr_assert_eq(tw_decode_message(decoder, message, "", 0, NULL, &size),
                 TW_ERROR_ARGUMENT);
    cr_assert_eq(tw_decode_message(decoder, message, NULL, 0, &line, &size),
                 TW_OK);
    expect_line("{'role':'assistant','content':null}", line, size);
    tw_decoder_free(decoder);
    tw_writer_free(chunks);
    tw_writer_free(message);
}
