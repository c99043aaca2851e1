/* SPDX-License-Identifier: MIT
 *
 * tw_decode_message(): one text in, one message out, and the decoder fit for
 * the next.
 */
#include <criterion/criterion.h>
#include <string.h>

#include "allocator.h"
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

/* Where the writer fails, the decoder does not go on in a text that is gone. */
Test(one_shot, lets_go_of_the_text)
{
    static const char text[] = CALL_TEXT "Hi" CALL_TEXT;
    tw_decoder *decoder = tw_decoder_new(tw_format_find("gemma4"), NULL);
    test_memory memory = {0};
    const tw_allocator allocator = test_allocator(&memory);
    const tw_event *event;
    const char *line;
    size_t size;
    size_t failed = 0;
    int result = TW_ERROR_MEMORY;
    for (size_t i = 1; result != TW_OK; i++) {
        tw_writer *writer = tw_writer_new(TW_SHAPE_MESSAGE, &allocator);
        char *copy = malloc(sizeof text - 1);
        cr_assert_not_null(copy);
        memcpy(copy, text, sizeof text - 1);
        memory.fail_at = memory.count + i;
        result = tw_decode_message(decoder, writer, copy, sizeof text - 1,
                                   &line, &size);
        memory.fail_at = 0;
        free(copy);
        if (result != TW_OK) {
            failed++;
            cr_assert_eq(result, TW_ERROR_MEMORY);
            cr_assert_eq(tw_decoder_next(decoder, &event), 0);
            cr_assert_eq(tw_decoder_finish(decoder, TW_FINISH_STOP), TW_OK);
            cr_assert_eq(tw_decoder_next(decoder, &event), 1);
            cr_assert_eq(event->type, TW_EVENT_END);
            cr_assert_eq(event->offset, 0);
        }
        tw_writer_free(writer);
    }
    cr_assert_gt(failed, 0);
    tw_decoder_free(decoder);
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
