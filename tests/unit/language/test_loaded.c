/* SPDX-License-Identifier: MIT
 *
 * Formats from descriptions at run time: what they do as formats, and what
 * tw_format_load() says of those that it refuses.
 */
#include <criterion/criterion.h>
#include <stdlib.h>
#include <string.h>

#include "allocator.h"
#include "json_lines.h"
#include "loading.h"

#define MINE                                                               \
    "{\"format\":1,\"name\":\"mine\",\"about\":\"a format of mine\","      \
    "\"call\":\"<do>{name}<with>{arguments}</do>\",\"reasoning\":"         \
    "\"<mind>{text}</mind>\",\"stops\":\"<|stop|>\",\"end\":\"<|stop|>\"," \
    "\"example\":\"Hm.<do>tide<with>{\\\"at\\\":\\\"Brest\\\"}</do>\"}"
#define TEXT "<mind>Why.</mind>Hm.<do>tide<with>{\"at\": 1}</do><|stop|>"
#define MESSAGE                                                          \
    "{'role':'assistant','content':'Hm.','reasoning_content':'Why.',"    \
    "'tool_calls':[{'id':'call_0','type':'function','function':{'name':" \
    "'tide','arguments':'{\\'at\\': 1}'}}]}"

static void reads(const tw_format *format, const char *text,
                  const char *expected)
{
    const char *line;
    size_t size;
    tw_decoder *decoder = tw_decoder_new(format, NULL);
    tw_writer *writer = tw_writer_new(TW_SHAPE_MESSAGE, NULL);
    cr_assert_eq(
        tw_decode_message(decoder, writer, text, strlen(text), &line, &size),
        TW_OK);
    expect_line(expected, line, size);
    tw_decoder_free(decoder);
    tw_writer_free(writer);
}

Test(loaded, is_a_format_like_any_other)
{
    tw_format *format = loaded_from(MINE);
    const tw_marker *marker;
    cr_expect_str_eq(tw_format_name(format), "mine");
    cr_expect_str_eq(tw_format_about(format), "a format of mine");
    cr_expect_eq(tw_format_has_prompts(format), 0);
    cr_expect_null(tw_format_find("mine"));
    cr_assert_eq(tw_format_marker(format, 0, &marker), 1);
    cr_expect_str_eq(marker->text, "<do>");
    cr_expect_eq(marker->role, TW_MARKER_CALL_OPEN);
    reads(format, TEXT, MESSAGE);
    tw_format_free(format);
    tw_format_free(NULL);
    tw_format_free((tw_format *)tw_format_find("hermes")); /* it stays */
    cr_expect_str_eq(tw_format_name(tw_format_find("hermes")), "hermes/qwen3");
}

static const char message[] =
    "{\"role\":\"assistant\",\"content\":\"Hm.\",\"reasoning_content\":"
    "\"Why.\",\"tool_calls\":[{\"id\":\"call_0\",\"type\":\"function\","
    "\"function\":{\"name\":\"tide\",\"arguments\":\"{\\\"at\\\": 1}\"}}]}";

/* A letter that opens calls is text wherever no call follows. */
Test(loaded, opens_calls_with_one_byte)
{
    tw_format *format = loaded_from("{\"format\":1,\"call\":\"@{object}\"}");
    reads(format, "a@b, @{\"x\":1} @{\"name\":\"f\",\"arguments\":{}} @",
          "{'role':'assistant','content':'a@b, @{\\'x\\':1} \\n @',"
          "'tool_calls':[{'id':'call_0','type':'function','function':{"
          "'name':'f','arguments':'{}'}}]}");
    tw_format_free(format);
}

/* A whole object behind a longer marker than its own is none of its kind. */
Test(loaded, tells_a_marker_from_one_that_goes_on)
{
    tw_format *format = loaded_from(
        "{\"format\":1,\"call\":[\"<c>{object}</c>\","
        "\"<c> f={name}>{arguments}</c>\"],\"argument\":\"<k={key}>{value}"
        "</k>\"}");
    reads(format, "<c> f={\"name\":\"g\",\"arguments\":{}}</c>",
          "{'role':'assistant','content':"
          "'<c> f={\\'name\\':\\'g\\',\\'arguments\\':{}}</c>',"
          "'toolwire':{'diagnostics':[{'code':'call_like_text','offset':0,"
          "'size':0}]}}");
    tw_format_free(format);
}

/* Elements without a mark in front of their tags are XML: what is no tag of
 * that form is text. */
Test(loaded, reads_elements_without_a_mark)
{
    tw_format *format = loaded_from(
        "{\"format\":1,\"call\":\"<f n=\\\"{name}\\\">{elements:}</f>\"}");
    reads(format,
          "<f n=\"g\"><a>1 < 2</a> <b><c>x</c><c>y</c></b></f>",
          "{'role':'assistant','content':null,'tool_calls':[{'id':'call_0',"
          "'type':'function','function':{'name':'g','arguments':"
          "'{\\'a\\':\\'1 < 2\\',\\'b\\':{\\'c\\':[\\'x\\',\\'y\\']}}'}}]}");
    tw_format_free(format);
}

/* Any suffix, learned from the first marker, in a stream of bytes, too. */
Test(loaded, learns_a_suffix)
{
    tw_format *format = loaded_from(
        "{\"format\":1,\"suffix\":\"#a\",\"call\":\"<c#a>{object}</c#a>\","
        "\"reasoning\":\"<t#a>{text}</t#a>\"}");
    reads(format,
          "<t#b>Hm.</t#a></t#b><t#> Ok.<c#b>{\"name\":\"f\",\"arguments\":{}}"
          "</c#b>",
          "{'role':'assistant','content':'<t#> Ok.','reasoning_content':"
          "'Hm.</t#a>','tool_calls':[{'id':'call_0','type':'function',"
          "'function':{'name':'f','arguments':'{}'}}]}");
    tw_format_free(format);
}

/* A tag may begin with several words; its attributes come behind them. */
Test(loaded, reads_tags_with_blanks_in_their_names)
{
    tw_format *format = loaded_from(
        "{\"format\":1,\"call\":\"<x y name=\\\"{name}\\\">{arguments}</x y>\","
        "\"argument\":\"<p q name=\\\"{key}\\\" type=\\\"a b\\\">{value}</p q>\","
        "\"example\":\"<x y name=\\\"tide\\\"><p q name=\\\"at\\\" "
        "type=\\\"a b\\\">Brest</p q></x y>\"}");
    reads(format,
          "<x y name='tide'><p q  type=\"a b\" name=\"at\">4</p q></x y>",
          "{'role':'assistant','content':null,'tool_calls':[{'id':'call_0',"
          "'type':'function','function':{'name':'tide','arguments':"
          "'{\\'at\\':\\'4\\'}'}}],'toolwire':{'diagnostics':[{'code':"
          "'attribute_quotes','offset':0,'size':0}]}}");
    tw_format_free(format);
}

/* Words match in ordinary text, too; tokens never do, wherever they stand. */
Test(loaded, shows_which_markers_are_tokens)
{
    static const struct {
        const char *text;
        uint32_t role;
        bool token;
    } rows[] = {{"<do>", TW_MARKER_CALL_OPEN, false},
                {"<|to|>", TW_MARKER_CALL_OPEN, true},
                {"<|stop|>", TW_MARKER_END, true},
                {"<|turn|>", TW_MARKER_TURN, true},
                {"<f=", TW_MARKER_CALL_OPEN, false},
                {"<k=", TW_MARKER_BODY, false}};
    tw_format *format =
        loaded_from("{\"format\":1,\"call\":[\"<do>{object}</do>\","
                    "\"<|to|>{object}\",\"<f={name}>{arguments}</f>\"],"
                    "\"argument\":\"<k={key}>{value}</k>\","
                    "\"stops\":\"<|stop|>\","
                    "\"tokens\":[\"<|to|>\",\"<|stop|>\",\"<|turn|>\"]}");
    for (size_t row = 0; row < sizeof rows / sizeof *rows; row++) {
        const tw_marker *marker = NULL;
        size_t i = 0;
        while (tw_format_marker(format, i, &marker) == 1 &&
               strcmp(marker->text, rows[row].text) != 0) {
            i++;
        }
        cr_assert_str_eq(marker->text, rows[row].text);
        cr_expect_eq(marker->role, rows[row].role, "%s", marker->text);
        cr_expect_eq(marker->literal, !rows[row].token, "%s", marker->text);
    }
    tw_format_free(format);
}

Test(loaded, writes_what_it_reads)
{
    tw_format *format = loaded_from(MINE);
    tw_encoder *encoder = tw_encoder_new(format, NULL);
    const char *text;
    size_t size;
    cr_assert_eq(
        tw_encode_completion(encoder, message, strlen(message), &text, &size),
        TW_OK);
    cr_expect_eq(size, strlen(TEXT));
    cr_expect_eq(memcmp(text, TEXT, size), 0, "%.*s", (int)size, text);
    tw_encoder_free(encoder);
    tw_format_free(format);
}

/* A message that is nothing is an empty text, not none. */
Test(loaded, writes_nothing)
{
    static const char empty[] = "{\"role\":\"assistant\",\"content\":null}";
    tw_format *format =
        loaded_from("{\"format\":1,\"call\":\"<c>{object}</c>\"}");
    tw_encoder *encoder = tw_encoder_new(format, NULL);
    const char *text = NULL;
    size_t size = 1;
    cr_assert_eq(
        tw_encode_completion(encoder, empty, strlen(empty), &text, &size),
        TW_OK);
    cr_expect_eq(size, 0);
    cr_expect_not_null(text);
    tw_encoder_free(encoder);
    tw_format_free(format);
}

static void converts(tw_converter *converter, const char *record,
                     const char *expected)
{
    const char *out;
    size_t size;
    cr_assert_not_null(converter);
    cr_assert_eq(tw_converter_set(converter, TW_OPTION_UNIT_COMPLETION, 1),
                 TW_OK);
    cr_assert_eq(
        tw_converter_record(converter, record, strlen(record), &out, &size),
        TW_OK, "%s", tw_converter_error(converter)->message);
    cr_expect_eq(size, strlen(expected));
    cr_expect_eq(strncmp(out, expected, size), 0, "%.*s", (int)size, out);
    tw_converter_free(converter);
}

Test(loaded, is_an_end_of_a_converter)
{
    tw_format *format = loaded_from(MINE);
    converts(tw_converter_between(format, NULL, NULL, "openai", NULL),
             "{\"text\":\"Hm.<|stop|>\"}",
             "{\"messages\":[{\"role\":\"assistant\",\"content\":\"Hm.\"}]}");
    converts(tw_converter_between(NULL, "openai", format, NULL, NULL),
             "{\"messages\":[{\"role\":\"assistant\",\"content\":\"Hm.\"}]}",
             "{\"text\":\"Hm.<|stop|>\",\"messages\":[]}");
    cr_expect_null(tw_converter_between(NULL, "openai", NULL, NULL, NULL));
    cr_expect_null(tw_converter_between(NULL, NULL, format, NULL, NULL));
    cr_expect_null(tw_converter_between(NULL, "nowhere", format, NULL, NULL));
    tw_format_free(format);
}

/* Where each of its calls has an id, any is written, that which it makes or
 * that of the message. */
Test(loaded, writes_ids)
{
#define RECORD(id)                                                \
    "{\"messages\":[{\"role\":\"assistant\",\"tool_calls\":[{" id \
    "\"function\":{\"name\":\"f\",\"arguments\":{}}}]}]}"
    tw_format *own = loaded_from("{\"format\":1,\"call\":\"<c>{name}<i>{id}<a>"
                                 "{arguments}</c>\"}");
    tw_format *made =
        loaded_from("{\"format\":1,\"call\":\"<c>{name}<i>{id}<a>"
                    "{arguments}</c>\",\"id\":\"{name}-{index:1}\"}");
    converts(tw_converter_between(NULL, "openai", own, NULL, NULL),
             RECORD("\"id\":\"call_0\","),
             "{\"text\":\"<c>f<i>call_0<a>{}</c>\",\"messages\":[]}");
    converts(tw_converter_between(NULL, "openai", made, NULL, NULL),
             RECORD("\"id\":\"f-7\","),
             "{\"text\":\"<c>f<i>f-7<a>{}</c>\",\"messages\":[]}");
    converts(tw_converter_between(NULL, "openai", made, NULL, NULL),
             RECORD(""), "{\"text\":\"<c>f<i>f-1<a>{}</c>\",\"messages\":[]}");
    tw_format_free(own);
    tw_format_free(made);
}

/* Its own description counts, not that of a format built in. */
Test(loaded, may_have_the_name_of_another)
{
    tw_format *format = loaded_from("{\"format\":1,\"name\":\"hermes/qwen3\","
                                    "\"call\":\"<do>{object}</do>\"}");
    reads(format, "<do>{\"name\":\"now\",\"arguments\":{}}</do>",
          "{'role':'assistant','content':null,'tool_calls':[{'id':'call_0',"
          "'type':'function','function':{'name':'now','arguments':'{}'}}]}");
    tw_format_free(format);
}

/* What looks like a call of its own, and is known to be text, is not another
 * format's. */
Test(loaded, may_write_calls_as_another)
{
    static const char call[] = "<tool_call>\n{\"name\":1}";
    tw_format *format = loaded_from(
        "{\"format\":1,\"call\":\"<tool_call>\\n{object}\\n</tool_call>"
        "\",\"tokens\":[\"<tool_call>\"]}");
    const tw_event *event;
    tw_decoder *decoder = tw_decoder_new(format, NULL);
    cr_expect_str_eq(tw_format_name(format), "unnamed");
    tw_decoder_feed(decoder, call, sizeof call - 1, TW_MARK_TEXT);
    for (int i = 0; i < 2; i++) {
        while (tw_decoder_next(decoder, &event) == 1) {
            cr_expect_neq(event->type, TW_EVENT_DIAGNOSTIC);
        }
        tw_decoder_finish(decoder, TW_FINISH_STOP);
    }
    tw_decoder_free(decoder);
    tw_format_free(format);
}

static void refuses(const char *json, int32_t code, uint64_t offset,
                    const char *why)
{
    tw_format *format;
    tw_format_error error;
    cr_expect_eq(tw_format_load(json, json != NULL ? strlen(json) : 1, NULL,
                                &format, &error),
                 code, "%s", json);
    cr_expect_eq(error.code, code);
    cr_expect_eq(error.offset, offset, "%s: %d", json, (int)error.offset);
    cr_expect_str_eq(error.message, why);
    cr_expect_null(format);
}

#define CALL "{\"format\":1,\"call\":\"<c>{object}</c>\","

Test(loaded, says_what_is_wrong)
{
    refuses("{\"format\":1,}", TW_ERROR_JSON, 12,
            "not JSON here (which has no comments, and no comma behind the "
            "last of a list)");
    refuses("hermes", TW_ERROR_JSON, 0,
            "not JSON, which a description is (no name or path of one)");
    refuses("{\"format\":1,\"call\":[\"<a>{object}\",\"<c>{nme}\"]}",
            TW_ERROR_SCHEMA, 0, "call[1]: 3: {nme} is no hole here");
    refuses(CALL "\"loose\":{\"call\":[\"<d>{object}\",\"<e>{arguments}\"]}}",
            TW_ERROR_SCHEMA, 0, "loose.call[1]: {arguments} without {name}");
    refuses(CALL "\"example\":\"Hello.\"}", TW_ERROR_SCHEMA, 0,
            "example: no call is read in it: no marker of call stands there");
    refuses("{\"format\":1,\"call\":\"<c>{name}<a>{arguments}</c>\","
            "\"example\":\"See <c>f<b>{}</c>\"}",
            TW_ERROR_SCHEMA, 4,
            "example: no call is read in it: what stands behind this marker "
            "is not as in call: <c>");
    refuses(CALL "\"example\":\"Hello.<c>{}</c>\"}", TW_ERROR_SCHEMA, 6,
            "example: not canonical: A call has no name.");
    refuses("{\"format\":1,\"call\":\"<c>{name} #{id} {arguments}</c>\"}",
            TW_ERROR_SCHEMA, 0, "call: no marker ends {id}");
    refuses("{\"format\":1,\"call\":\"<c>{skip}{object}</c>\"}",
            TW_ERROR_SCHEMA, 0, "call: no marker ends {skip}");
    refuses("{\"format\":1,\"call\":\"<c>{name}_with{arguments}</c>\"}",
            TW_ERROR_SCHEMA, 0,
            "call: what stands behind {name} may be part of a name, as "
            "letters, digits and _-.:/ are");
    refuses("{\"format\":1,\"call\":\"<c>{id}<d>{list}</c>\"}",
            TW_ERROR_SCHEMA, 0,
            "call: {id} and {index} are of one call, and the body holds "
            "several");
    refuses(CALL "\"reasoning\":\"<t></t>\"}", TW_ERROR_SCHEMA, 0,
            "reasoning: it has no hole for what it is for: {text}");
    refuses("{\"format\":1,\"call\":\"<c>\\u0000{object}</c>\"}",
            TW_ERROR_SCHEMA, 0, "call: 0: it holds a NUL");
    refuses("{\"format\":1,\"call\":\"<c>{name}{gemma:<q>}[end]\"}",
            TW_ERROR_SCHEMA, 0,
            "call: what {gemma:} names, and a marker behind it, begin with <");
    refuses("{\"format\":1,\"call\":\"<c>{gemma:<d>}</c>\"}", TW_ERROR_SCHEMA,
            0, "call: {gemma:} without {name}");
    refuses("{\"format\":1,\"call\":\"<c>{elements:}</c>\"}", TW_ERROR_SCHEMA,
            0, "call: {elements:} without {name}");
    refuses("{\"format\":1,\"call\":\"<c f=\\\"{name}\\\">{elements:@}</c>\"}",
            TW_ERROR_SCHEMA, 0,
            "call: no </ with what {elements:} names in front ends it");
    refuses("{\"format\":1,\"suffix\":\"x\",\"call\":\"<c>{object}</c>\"}",
            TW_ERROR_SCHEMA, 0,
            "suffix: a separator and up to 63 letters, digits and _-. are "
            "due");
    const size_t large = 16 * 1024 * 1024 + 1;
    char *blank = malloc(large + 1);
    cr_assert_not_null(blank);
    memset(blank, ' ', large);
    blank[large] = 0;
    refuses(blank, TW_ERROR_SCHEMA, 0, "the document is longer than 16 MiB");
    free(blank);
    tw_format_error error;
    tw_format *format;
    cr_expect_eq(tw_format_load("{}", 2, NULL, NULL, &error),
                 TW_ERROR_ARGUMENT);
    cr_expect_eq(tw_format_load(NULL, 1, NULL, &format, &error),
                 TW_ERROR_ARGUMENT);
    cr_expect_eq(tw_format_load(NULL, 0, NULL, &format, NULL), TW_ERROR_JSON);
}

Test(loaded, memory_may_end_anywhere)
{
    test_memory memory = {0, 0, false, 0, 0, 0};
    const tw_allocator allocator = test_allocator(&memory);
    tw_format *format = NULL;
    tw_format_error error;
    size_t failures = 0;
    while (format == NULL) {
        memory.count = 0;
        memory.fail_at = ++failures;
        const int result =
            tw_format_load(MINE, sizeof MINE - 1, &allocator, &format, &error);
        cr_assert_eq(result, format == NULL ? TW_ERROR_MEMORY : TW_OK);
        cr_assert(format != NULL || memory.live == 0, "%zu", failures);
    }
    cr_expect_gt(failures, 10);
    tw_format_free(format);
    cr_expect_eq(memory.live, 0);
}
