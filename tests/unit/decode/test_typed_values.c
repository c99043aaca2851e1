/* SPDX-License-Identifier: MIT
 *
 * Values between tags, whose type the declared tool says, and what the other
 * holes of a description read and write: each by every chunk size.
 */
#include <criterion/criterion.h>
#include <stdio.h>
#include <string.h>

#include "loading.h"
#include "support/cases.h"
#include "support/decoding.h"

/* The arguments of all calls in |text| are |expected|, however it is cut. */
static void reads(const tw_format *format, const char *schema,
                  const char *text, const char *expected)
{
    char tools[512];
    tw_decoder *decoder = tw_decoder_new(format, NULL);
    event_log whole = {0};
    event_log cut = {0};
    snprintf(tools, sizeof tools,
             "[{\"type\":\"function\",\"function\":{\"name\":\"f\","
             "\"parameters\":{\"type\":\"object\",\"properties\":{\"a\":%s}}}}"
             "]",
             schema);
    cr_assert_eq(tw_decoder_set_tools(decoder, tools, strlen(tools)), TW_OK);
    decode(&whole, decoder, text, strlen(text), 0);
    naive_bytes arguments = log_text(&whole, TW_EVENT_CALL_ARGUMENTS);
    naive_add(&arguments, "", 1);
    cr_expect_str_eq(arguments.data, expected, "%s as %s: %s", text, schema,
                     arguments.data);
    naive_release(&arguments);
    for (size_t chunk = 1; chunk < strlen(text); chunk++) {
        decode(&cut, decoder, text, strlen(text), chunk);
        cr_expect(event_log_same(&whole, &cut), "%s by %zu", text, chunk);
    }
    event_log_free(&whole);
    event_log_free(&cut);
    tw_decoder_free(decoder);
}

#define TAGS                                                             \
    "{\"format\":1,\"call\":\"<f={name}>{arguments}</f>\",\"argument\":" \
    "\"<p={key}>{value}</p>\""

Test(typed_values, are_of_the_type_that_is_declared)
{
    static const struct {
        const char *schema;
        const char *value;
        const char *read;
    } rows[] = {
        {"{\"type\":\"string\"}", "12", "\"12\""},
        {"{\"type\":\"integer\"}", " 12 ", "12"},
        {"{\"type\":\"number\"}", "1.5e3", "1.5e3"},
        {"{\"type\":\"number\"}", "\"12\"", "\"12\""},
        {"{\"type\":\"number\"}", "twelve", "\"twelve\""},
        {"{\"type\":\"boolean\"}", "True", "true"},
        {"{\"type\":\"boolean\"}", "false", "false"},
        {"{\"type\":[\"string\",\"boolean\"]}", "true", "true"},
        {"{\"type\":[\"string\",\"boolean\"]}", "false", "false"},
        {"{\"type\":[\"string\",\"boolean\"]}", "truth", "\"truth\""},
        {"{\"type\":[\"string\",\"boolean\"]}", "fa", "\"fa\""},
        {"{\"type\":[\"string\",\"null\"]}", "null", "null"},
        {"{\"type\":[\"string\",\"null\"]}", "nullify", "\"nullify\""},
        {"{\"type\":[\"string\",\"integer\"]}", "1.5", "\"1.5\""},
        {"{\"type\":[\"string\",\"number\"]}", "-1.5", "-1.5"},
        {"{\"type\":[\"string\",\"array\"]}", "[1, 2]", "[1, 2]"},
        {"{\"type\":[\"string\",\"array\"]}", "[1, 2", "\"[1, 2\""},
        {"{\"type\":\"object\"}", " {\"b\": [1]} ", "{\"b\": [1]}"},
        {"{\"type\":[\"object\",\"number\"]}", "{\"b\": 1}", "{\"b\": 1}"},
        {"{\"type\":\"array\"}", "('x', 1)", "[\"x\",1]"},
        {"{\"type\":\"array\"}", "", "\"\""},
        {"{\"type\":\"integer\"}", "+5", "5"},
        {"{\"type\":\"integer\"}", " 007\n", "7"},
        {"{\"type\":\"integer\"}", "-007", "-7"},
        {"{\"type\":\"integer\"}", "+000", "0"},
        {"{\"type\":\"number\"}", ".5", "0.5"},
        {"{\"type\":\"number\"}", "-.5e3", "-0.5e3"},
        {"{\"type\":\"number\"}", "+00.50E+1", "0.50E+1"},
        {"{\"type\":\"number\"}", "5.", "\"5.\""},
        {"{\"type\":\"number\"}", ".", "\".\""},
        {"{\"type\":\"number\"}", "+", "\"+\""},
        {"{\"type\":\"number\"}", "+-5", "\"+-5\""},
        {"{\"type\":\"number\"}", "+.e5", "\"+.e5\""},
        {"{\"type\":\"number\"}", "+5e", "\"+5e\""},
        {"{\"type\":\"number\"}", "+5e+", "\"+5e+\""},
        {"{\"type\":\"number\"}", "007a", "\"007a\""},
        {"{\"type\":\"boolean\"}", "TRUE", "true"},
        {"{\"type\":\"boolean\"}", "FALSE", "false"},
        {"{\"type\":[\"integer\",\"null\"]}", "NULL", "null"},
        {"{\"type\":\"boolean\"}", "tRUE", "\"tRUE\""},
        {"{\"type\":[\"string\",\"integer\"]}", "+5", "\"+5\""},
        {"{\"type\":[\"string\",\"boolean\"]}", "TRUE", "\"TRUE\""},
        {"{\"type\":\"float\"}", "1.5", "1.5"},
        {"{\"type\":\"any\"}", "[1]", "[1]"},
        {"{\"type\":\"any\"}", "word", "\"word\""},
        {"{\"type\":\"text\"}", "5", "\"5\""},
        {"{\"type\":[\"string\",\"null\"],\"enum\":[\"null\"]}", "null",
         "\"null\""},
        {"{\"type\":[\"string\",\"null\"],\"const\":\"null\"}", "null",
         "\"null\""},
        {"{\"allOf\":[{\"type\":[\"string\",\"null\"]},"
         "{\"type\":\"string\"}]}",
         "null", "\"null\""},
    };
    tw_format *format = loaded_from(TAGS "}");
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        char text[128];
        char expected[128];
        snprintf(text, sizeof text, "<f=f><p=a>%s</p></f>", rows[i].value);
        snprintf(expected, sizeof expected, "{\"a\":%s}", rows[i].read);
        reads(format, rows[i].schema, text, expected);
    }
    tw_format_free(format);
}

/* An entity counts as the character that it names. */
Test(typed_values, entities_are_decoded_first)
{
    tw_format *format = loaded_from(TAGS ",\"entities\":\"all\"}");
    reads(format, "{\"type\":\"string\"}", "<f=f><p=a>a&lt;&quot;</p></f>",
          "{\"a\":\"a<\\\"\"}");
    reads(format, "{\"type\":[\"string\",\"object\"]}",
          "<f=f><p=a>{&quot;b&quot;: 1}</p></f>", "{\"a\":{\"b\": 1}}");
    reads(format, "{\"type\":\"object\"}",
          "<f=f><p=a>{&quot;b&quot;: 1}</p></f>", "{\"a\":{\"b\": 1}}");
    reads(format, "{\"type\":[\"string\",\"boolean\"]}",
          "<f=f><p=a>t&amp;c</p></f>", "{\"a\":\"t&c\"}");
    tw_format_free(format);
}

Test(typed_values, holes_for_types_and_numbers)
{
    tw_format *format =
        loaded_from("{\"format\":1,\"call\":\"<f={name}>{arguments}</f>\","
                    "\"argument\":\"<p={key}:{type}>{value:guess}</p>\"}");
    reads(format, "{}", "<f=f><p=a:int>12</p></f>", "{\"a\":12}");
    tw_format_free(format);
    format =
        loaded_from("{\"format\":1,\"call\":\"<c {index}>{name}<a>{arguments}"
                    "</c>\"}");
    reads(format, "{}", "<c 0>f<a>{\"a\":1}</c><c 12>f<a>{\"a\":2}</c>",
          "{\"a\":1}\n{\"a\":2}");
    tw_format_free(format);
}

/* ---- writing ------------------------------------------------------------ */

static void writes(const char *description, const char *message,
                   const char *expected)
{
    tw_format *format = loaded_from(description);
    tw_encoder *encoder = tw_encoder_new(format, NULL);
    const char *text;
    size_t size;
    cr_assert_eq(
        tw_encode_completion(encoder, message, strlen(message), &text, &size),
        TW_OK, "%s", tw_encoder_error(encoder)->message);
    cr_expect(size == strlen(expected) && memcmp(text, expected, size) == 0,
              "%.*s", (int)size, text);
    tw_encoder_free(encoder);
    tw_format_free(format);
}

/* As its parts together, or nothing where it is no text. */
Test(typed_values, content_is_trimmed)
{
    static const char trims[] =
        "{\"format\":1,\"call\":\"<c>{object}</c>\",\"text\":"
        "\"{text:trim}\"}";
    writes(trims,
           "{\"role\":\"assistant\",\"content\":[{\"type\":\"text\",\"text\":"
           "\" x \"},{\"type\":\"text\",\"text\":\" y \"}]}",
           "x \n y");
    writes(trims, "{\"role\":\"assistant\",\"content\":7}", "");
}

Test(typed_values, reasoning_of_a_line_lies_between_its_marks)
{
    writes("{\"format\":1,\"call\":\"<c>{object}</c>\",\"reasoning\":"
           "\"<t>\\n{text:line}\\n</t>\"}",
           "{\"role\":\"assistant\",\"content\":\"x\","
           "\"reasoning_content\":\"\\n\\n why \\n\"}",
           "<t>\n why \n</t>x");
    writes("{\"format\":1,\"call\":\"<c>{object}</c>\",\"reasoning\":"
           "\"<t>{text:trim}</t>\"}",
           "{\"role\":\"assistant\",\"content\":\"x\","
           "\"reasoning_content\":\"\\n why \\n\"}",
           "<t>why</t>x");
}
