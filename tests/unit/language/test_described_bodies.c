/* SPDX-License-Identifier: MIT
 *
 * Bodies of described formats at their edges: limits, what is too long to be
 * held, and what few models write.  Each text is read by every chunk size.
 */
#include <criterion/criterion.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "loading.h"
#include "support/cases.h"
#include "support/decoding.h"

enum { HELD = 64 * 1024 }; /* bytes of a value at most, until it is decided */

#define PYTHON "{\"format\":1,\"call\":\"<c>{python}</c>\"}"
#define TAGS                                                             \
    "{\"format\":1,\"call\":\"<f={name}>{arguments}</f>\",\"argument\":" \
    "\"<p={key}>{value}</p>\",\"stops\":\"<|stop|>\""

static tw_decoder *decoder_for(const tw_format *format, const char *schema)
{
    tw_decoder *decoder = tw_decoder_new(format, NULL);
    if (schema != NULL) {
        char tools[512];
        snprintf(tools, sizeof tools,
                 "[{\"type\":\"function\",\"function\":{\"name\":\"f\","
                 "\"parameters\":{\"type\":\"object\",\"properties\":"
                 "{\"a\":%s}}}}]",
                 schema);
        cr_assert_eq(tw_decoder_set_tools(decoder, tools, strlen(tools)),
                     TW_OK);
    }
    return decoder;
}

/* |text| gives |words|, however it is cut. */
static void gives_of(tw_decoder *decoder, const char *text, size_t size,
                     const char *words)
{
    event_log whole = {0};
    decode(&whole, decoder, text, size, 0);
    cr_expect(log_is(&whole, words), "%s", text);
    for (size_t chunk = 1; chunk < size; chunk++) {
        event_log cut = {0};
        decode(&cut, decoder, text, size, chunk);
        cr_expect(event_log_same(&whole, &cut), "%s by %zu", text, chunk);
        event_log_free(&cut);
    }
    event_log_free(&whole);
}

static void gives(tw_decoder *decoder, const char *text, const char *words)
{
    gives_of(decoder, text, strlen(text), words);
}

static void reads(const char *description, const char *schema,
                  const char *text, const char *words)
{
    tw_format *format = loaded_from(description);
    tw_decoder *decoder = decoder_for(format, schema);
    gives(decoder, text, words);
    tw_decoder_free(decoder);
    tw_format_free(format);
}

/* ---- Python ------------------------------------------------------------- */

/* A quote ends its string where Python could go on behind it. */
Test(described_bodies, quotes_end_where_python_goes_on)
{
    static const char *const rows[][2] = {
        {"<c>[f(a='x' != 'y')]</c>",
         "call[f call_0] diag[not_a_literal@12] malformed "
         "unparsed[not_a_literal@0+19 f]"},
        {"<c>[f(a='x' and 'y')]</c>",
         "call[f call_0] diag[not_a_literal@12] malformed "
         "unparsed[not_a_literal@0+20 f]"},
        {"<c>[f(a='x' !y')]</c>",
         "call[f call_0] args[{\"a\":\"x] "
         "diag[bare_quote@10] args[' !y\"}] complete"},
        {"<c>[f(a='x'!", "call[f call_0] diag[bare_quote@10] "
                         "diag[truncated_call@12] incomplete "
                         "unparsed[truncated_call@0+12 f]"},
        {"<c>[f(a=1]x</c>", "call[f call_0] diag[syntax_error@9] malformed "
                            "unparsed[syntax_error@0+15 f]"},
        {"<c>[f(a=1]</c>", "call[f call_0] args[{\"a\":1] "
                           "diag[missing_closer@9] args[}] complete"},
        {"<c>[f(a=1}]</c>", "call[f call_0] diag[syntax_error@9] malformed "
                            "unparsed[syntax_error@0+15 f]"},
    };
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        reads(PYTHON, NULL, rows[i][0], rows[i][1]);
    }
}

/* A call that is passed over, escapes in its strings and all, holds up nothing
 * behind it. */
Test(described_bodies, what_python_passes_over_is_not_held)
{
    static const char text[] = "<c>[f(1, 'a\\'b'), g(b=2)]</c>x";
    tw_format *format = loaded_from(PYTHON);
    tw_decoder *decoder = decoder_for(format, NULL);
    size_t complete = 0;
    const tw_event *event;
    cr_assert_eq(
        tw_decoder_feed(decoder, text, sizeof text - 1, TW_MARK_UNKNOWN),
        TW_OK);
    while (tw_decoder_next(decoder, &event) == 1) {
        complete += event->type == TW_EVENT_CALL_END &&
                    event->code == TW_CALL_COMPLETE;
    }
    cr_expect_eq(complete, 1);
    tw_decoder_free(decoder);
    tw_format_free(format);
}

/* As far as a quote looks, a string may begin that is cut in two. */
Test(described_bodies, quotes_look_over_many_blanks)
{
    char text[400];
    snprintf(text, sizeof text, "<c>[f(a='x'%256sr'y')]</c>", "");
    reads(PYTHON, NULL, text, "call[f call_0] args[{\"a\":\"xy\"}] complete");
}

/* Behind more blanks than a quote looks over, nothing says that a string ends
 * there: the quote is a part of it. */
Test(described_bodies, quotes_look_no_further)
{
    char text[800];
    snprintf(text, sizeof text, "<c>[f(a='x'%256s)]</c>", "");
    reads(PYTHON, NULL, text, "call[f call_0] args[{\"a\":\"x\"}] complete");
    snprintf(text, sizeof text, "<c>[f(a='x'%257s, b='y')]</c>", "");
    reads(PYTHON, NULL, text,
          "call[f call_0] diag[bare_quote@10] diag[inner_quote@274] malformed "
          "unparsed[inner_quote@0+281 f]");
}

/* A bare list whose first call takes nothing is one only where a list goes on:
 * a marker of other calls behind it says that it is text. */
Test(described_bodies, calls_end_no_bare_list)
{
    reads("{\"format\":1,\"call\":[\"{python}\",\"<p>{python}</p>\"]}", NULL,
          "[f()<p>[g()]</p>", "text[[f()] call[g call_0] args[{}] complete");
}

/* A key too long to be kept is not told from others. */
Test(described_bodies, long_keys_repeat_unseen)
{
    char text[1200];
    char words[1200];
    char key[257];
    memset(key, 'k', sizeof key - 1);
    key[sizeof key - 1] = 0;
    snprintf(text, sizeof text, "<c>[f(%s=1, %s=2)]</c>", key, key);
    snprintf(words, sizeof words,
             "call[f call_0] args[{\"%s\":1,\"%s\":2}] complete", key, key);
    reads(PYTHON, NULL, text, words);
}

/* ---- what is held too long ---------------------------------------------- */

/* |unit| again and again, more of it than is held, is what |code| says. */
static void too_long(const char *description, const char *schema,
                     const char *front, const char *unit, const char *behind,
                     uint32_t code, bool whole)
{
    const size_t size = strlen(unit);
    const size_t count = HELD + 2;
    naive_bytes text = {0};
    tw_format *format = loaded_from(description);
    tw_decoder *decoder = decoder_for(format, schema);
    naive_add(&text, front, strlen(front));
    for (size_t i = 0; i < count; i++) {
        naive_add(&text, unit, size);
    }
    naive_add(&text, behind, strlen(behind));
    event_log once = {0};
    decode(&once, decoder, text.data, text.size, 0);
    const event_record *said = NULL;
    const event_record *end = NULL;
    for (size_t i = 0; i < once.count; i++) {
        const event_record *one = &once.events[i];
        said = one->type == TW_EVENT_DIAGNOSTIC && said == NULL ? one : said;
        end = one->type == TW_EVENT_CALL_END ? one : end;
    }
    cr_assert(said != NULL && end != NULL, "%s %s", front, unit);
    cr_expect_eq(said->code, code, "%s %s: %u", front, unit, said->code);
    cr_expect_eq(end->code,
                 (uint32_t)(whole ? TW_CALL_COMPLETE : TW_CALL_MALFORMED),
                 "%s %s", front, unit);
    static const size_t chunks[] = {1, 1000, 4096, 65535};
    for (size_t i = 0; i < sizeof chunks / sizeof *chunks; i++) {
        event_log cut = {0};
        decode(&cut, decoder, text.data, text.size, chunks[i]);
        cr_expect(event_log_same(&once, &cut), "%s %s by %zu", front, unit,
                  chunks[i]);
        event_log_free(&cut);
    }
    event_log_free(&once);
    naive_release(&text);
    tw_decoder_free(decoder);
    tw_format_free(format);
}

Test(described_bodies, what_is_held_has_an_end)
{
    too_long(PYTHON, NULL, "<c>[f(a=('", "\xC3\xA9", "', 1))]</c>",
             TW_DIAGNOSTIC_LIMIT_LOOKAHEAD, false);
    too_long(PYTHON, NULL, "<c>[f(a=('x", "\xE6\xBD\xAE", "', 1))]</c>",
             TW_DIAGNOSTIC_LIMIT_LOOKAHEAD, false);
    too_long(PYTHON, NULL, "<c>[f(a=('", "\\n", "', 1))]</c>",
             TW_DIAGNOSTIC_LIMIT_LOOKAHEAD, false);
    too_long(PYTHON, NULL, "<c>[f(a=", "1", ")]</c>",
             TW_DIAGNOSTIC_LIMIT_NUMBER, false);
    too_long(TAGS "}", "{\"type\":\"number\"}", "<f=f><p=a>", "1", "</p></f>",
             TW_DIAGNOSTIC_REPAIR_GIVEN_UP, true);
    too_long(TAGS ",\"entities\":\"all\"}", "{\"type\":\"object\"}",
             "<f=f><p=a>[", "&lt;", "</p></f>", TW_DIAGNOSTIC_REPAIR_GIVEN_UP,
             true);
}

/* ---- limits ------------------------------------------------------------- */

/* Arguments of any size are cut off at the same byte, and the events are the
 * same, wherever the limit and the cuts lie. */
static void limits_hold(const char *description, const char *schema,
                        const char *text)
{
    tw_format *format = loaded_from(description);
    tw_decoder *decoder = decoder_for(format, schema);
    for (uint32_t limit = 1; limit < strlen(text); limit++) {
        event_log whole = {0};
        tw_decoder_reset(decoder);
        cr_assert_eq(tw_decoder_set(decoder, TW_OPTION_LIMIT_ARGUMENTS, limit),
                     TW_OK);
        decode(&whole, decoder, text, strlen(text), 0);
        naive_bytes arguments = log_text(&whole, TW_EVENT_CALL_ARGUMENTS);
        cr_expect_leq(arguments.size, limit, "%s: %u", text, limit);
        naive_release(&arguments);
        for (size_t chunk = 1; chunk < strlen(text); chunk++) {
            event_log cut = {0};
            decode(&cut, decoder, text, strlen(text), chunk);
            cr_expect(event_log_same(&whole, &cut), "%s: %u by %zu", text,
                      limit, chunk);
            event_log_free(&cut);
        }
        event_log_free(&whole);
    }
    tw_decoder_free(decoder);
    tw_format_free(format);
}

Test(described_bodies, limits_cut_arguments_alike)
{
    static const char *const types[] = {"{\"type\":\"string\"}",
                                        "{\"type\":\"object\"}",
                                        "{\"type\":[\"string\",\"object\"]}"};
    for (size_t i = 0; i < sizeof types / sizeof *types; i++) {
        limits_hold(TAGS "}", types[i],
                    "<f=f><p=a> {\"k\": \"caf\xC3\xA9\", \"n\": 12}</p></f>");
        limits_hold(TAGS ",\"entities\":\"all\"}", types[i],
                    "<f=f><p=a>{&quot;k&quot;: 1, \"caf\xC3\xA9\": "
                    "&quot;&lt;&quot;}</p></f>x");
    }
    limits_hold(PYTHON, NULL,
                "<c>[f(a='caf\xC3\xA9 \\x41', b={'k': ('x', 1)})]</c>");
}

/* Of a call too many the first closer is its end, though no other marker
 * begins as that one does. */
Test(described_bodies, a_call_too_many_ends_at_its_closer)
{
    tw_format *format = loaded_from(
        "{\"format\":1,\"call\":\"<c>{name}\\n{arguments}(/f)\\n[/c]\","
        "\"argument\":\"(a={key}){value}(/a)\"}");
    tw_decoder *decoder = decoder_for(format, NULL);
    cr_assert_eq(tw_decoder_set(decoder, TW_OPTION_LIMIT_CALLS, 1), TW_OK);
    gives(decoder, "<c>f\n(a=k)1(/a)(/f)\n[/c]<c>g\n(a=k)2(/a)(/f)x(/a)y",
          "call[f call_0] args[{\"k\":\"1\"}] complete "
          "diag[limit_calls@24] diag[missing_call_close@43] "
          "unparsed[limit_calls@24+19 g] text[x(/a)y]");
    tw_decoder_free(decoder);
    tw_format_free(format);
}

/* A bad call is spoiled with what its values quote: a quoted call does not
 * run. */
Test(described_bodies, a_spoiled_call_keeps_what_it_quotes)
{
    tw_format *format = loaded_from(TAGS "}");
    tw_decoder *decoder = decoder_for(format, NULL);
    cr_assert_eq(tw_decoder_set(decoder, TW_OPTION_LIMIT_NAME, 2), TW_OK);
    gives(decoder, "<f=long><p=a>x<f=g><p=k>v</p></f></p></f>y",
          "diag[limit_name@0] diag[closer_in_value@25] "
          "unparsed[limit_name@0+41] text[y]");
    gives(decoder, "<f=f>!<p=a>x<f=g><p=k>v</p></f></p></f>y",
          "call[f call_0] diag[syntax_error@5] malformed "
          "unparsed[syntax_error@0+39 f] text[y]");
    tw_decoder_free(decoder);
    tw_format_free(format);
}

/* A token of one byte is one like any other: half a head that it begins is a
 * call, and what a mark calls text is no half of a marker. */
Test(described_bodies, a_token_may_be_one_byte)
{
    static const marked pieces[] = {{TW_MARK_UNKNOWN, "<c>{\"name\":\"f\"}"},
                                    {TW_MARK_TEXT, "~<"}};
    tw_format *format = loaded_from(
        "{\"format\":1,\"call\":\"<c>{object}~</c>\",\"tokens\":[\"~\"],"
        "\"loose\":{\"call\":[\"~{name}\\n{arguments:json}</c>\"]}}");
    tw_decoder *decoder = decoder_for(format, NULL);
    gives(decoder, "~f",
          "diag[loose_head@0] diag[truncated_call@2] "
          "unparsed[truncated_call@0+2]");
    event_log log = {0};
    decode_marked(&log, decoder, pieces, 2, 0);
    cr_expect(log_is(&log, "diag[empty_arguments@14] call[f call_0] args[{}] "
                           "complete diag[missing_call_close@15] text[~<]"));
    event_log_free(&log);
    tw_decoder_free(decoder);
    tw_format_free(format);
}

/* ---- heads and openings ------------------------------------------------- */

Test(described_bodies, what_a_tag_says_that_is_odd)
{
    char text[700];
    char type[600];
    memset(type, 't', sizeof type - 1);
    type[sizeof type - 1] = 0;
    snprintf(text, sizeof text, "<f=f><p=a:%s>1</p></f>", type);
    char words[700];
    snprintf(
        words, sizeof words,
        "call[f call_0] diag[missing_value_open@5] args[{\"a\":\"%s>1\"}] "
        "complete",
        type);
    reads("{\"format\":1,\"call\":\"<f={name}>{arguments}</f>\",\"argument\":"
          "\"<p={key}:{type}>{value}</p>\"}",
          NULL, text, words);
    /* An index that is no number makes no id. */
    reads("{\"format\":1,\"call\":\"<f name=\\\"{name}\\\" "
          "i=\\\"{index}\\\">{arguments}</f>\",\"id\":\"{name}:{index}\"}",
          NULL, "<f name=\"g\" i=\"7\">{}</f><f name=\"g\" i=\"x\">{}</f>",
          "call[g g:7] args[{}] complete call[g call_1] args[{}] complete");
}

/* Only behind a line feed a parameter's open ends a value that no marker
 * closed, also where the value came in many pieces. */
Test(described_bodies, a_parameter_opens_behind_a_line_feed)
{
    static const char lines[] =
        "{\"format\":1,\"call\":\"<f={name}>\\n{arguments}</f>\",\"argument\":"
        "\"<p={key}>\\n{value}\\n</p>\\n\"}";
    static const char both[] = "{\"type\":\"string\"},\"b\":{\"type\":"
                               "\"string\"}";
    reads(lines, both, "<f=f>\n<p=a>\nxy<p=b>\n1\n</p>\n</f>",
          "call[f call_0] args[{\"a\":\"xy<p=b>\\n1\"}] complete");
    reads(lines, both, "<f=f>\n<p=a>\nxy\n<p=b>\n1\n</p>\n</f>",
          "call[f call_0] args[{\"a\":\"xy] diag[missing_value_close@15] "
          "args[\",\"b\":\"1\"}] complete");
}

/* What stands where anything may is passed over, in a tag, too. */
Test(described_bodies, a_tag_may_hold_anything)
{
    reads("{\"format\":1,\"call\":\"<f name=\\\"{name}\\\" "
          "x=\\\"{skip}\\\">{arguments}</f>\"}",
          NULL, "<f name=\"g\" x=\"7\">{}</f>",
          "call[g call_0] args[{}] complete");
}

/* Which other format writes its arguments so is told by where the name is. */
Test(described_bodies, tags_in_place_of_objects)
{
    static const char both[] =
        "{\"format\":1,\"call\":\"<c>{object}</c>\",\"loose\":{\"call\":["
        "\"<c><f={name}>{arguments}</f></c>\","
        "\"<c>{name}\\n{arguments}</c>\"],\"argument\":["
        "\"<p={key}>{value}</p>\",\"<k>{key}</k><v>{value}</v>\"]}}";
    reads(both, NULL, "<c><f=g><p=a>1</p></f></c>",
          "diag[qwen3_coder_body@0] call[g call_0] args[{\"a\":\"1\"}] "
          "complete");
    reads(both, NULL, "<c>g\n<k>a</k><v>1</v></c>",
          "diag[glm_body@0] call[g call_0] args[{\"a\":\"1\"}] complete");
}

/* In apostrophes one that is escaped is no fault; in quotes it is. */
Test(described_bodies, apostrophes_are_escaped)
{
    static const char object[] = "{\"format\":1,\"call\":\"<c>{object}</c>\"}";
    reads(object, NULL, "<c>{\"name\":\"f\",\"arguments\":{\"a\":'\\''}}</c>",
          "call[f call_0] args[{\"a\":] diag[single_quoted@32] args[\"'\"}] "
          "complete");
    reads(object, NULL,
          "<c>{\"name\":\"f\",\"arguments\":{\"a\":\"\\'\"}}</c>",
          "call[f call_0] args[{\"a\":\"] diag[bad_escape@33] args['\"}] "
          "complete");
}

/* A name behind arguments that are a number is the call's. */
Test(described_bodies, numbers_are_no_arguments)
{
    reads("{\"format\":1,\"call\":\"<c>{object}</c>\"}", NULL,
          "<c>{\"arguments\":12,\"name\":\"f\"}</c>",
          "diag[arguments_not_object@16] "
          "unparsed[arguments_not_object@0+30 f]");
}

/* A marker that begins with a byte of JSON, half of it or whole, behind half a
 * word of JSON; and the output's end where an object is due. */
Test(described_bodies, objects_are_cut_off)
{
    static const char bracket[] =
        "{\"format\":1,\"call\":\"<c>{object}[/c]\"}";
    reads(bracket, NULL, "<c>{\"name\":\"f\",\"arguments\":{\"a\":tr[/",
          "call[f call_0] diag[truncated_call@36] incomplete "
          "unparsed[truncated_call@0+36 f]");
    reads(bracket, NULL, "<c>{\"name\":\"f\",\"arguments\":{\"a\":tr[/c]",
          "call[f call_0] diag[syntax_error@34] malformed "
          "unparsed[syntax_error@0+38 f]");
    reads("{\"format\":1,\"call\":\"<f={name}>{object}</f>\"}", NULL, "<f=g>",
          "diag[truncated_call@5] unparsed[truncated_call@0+5]");
}

/* Blanks of other alphabets stand in front of the calls of a second list. */
Test(described_bodies, lists_follow_lists)
{
    reads(PYTHON, NULL, "<c>[f(a=1)][\xC2\xA0g(b=2)]</c>",
          "call[f call_0] args[{\"a\":1}] complete diag[missing_comma@14] "
          "call[g call_1] args[{\"b\":2}] complete");
}

/* In front of a digit of 0x and its like one line may stand. */
Test(described_bodies, numbers_have_lines)
{
    reads(PYTHON, NULL, "<c>[f(a=0x1_F, b=0x_1, c=0b1_0_1)]</c>",
          "call[f call_0] args[{\"a\":31,\"b\":1,\"c\":5}] complete");
    reads(PYTHON, NULL, "<c>[f(a=0x1__F)]</c>",
          "call[f call_0] diag[not_a_literal@8] malformed "
          "unparsed[not_a_literal@0+15 f]");
}

/* A name may have any digit behind its first letter. */
Test(described_bodies, names_have_digits)
{
    reads(PYTHON, NULL, "<c>[f0129(a=1)]</c>",
          "call[f0129 call_0] args[{\"a\":1}] complete");
}

/* A stop cuts a call off, wherever it stands in it. */
Test(described_bodies, a_stop_cuts_gemmas_call_off)
{
    static const char text[] = "<start_function_call>call:f{a:1<end_of_turn>";
    tw_decoder *decoder =
        tw_decoder_new(tw_format_find("functiongemma"), NULL);
    gives(decoder, text,
          "call[f call_0] diag[truncated_call@31] incomplete "
          "unparsed[truncated_call@0+31 f]");
    tw_decoder_free(decoder);
}

/* Where a value begins, a tag stands as on a line of its own. */
Test(described_bodies, a_tag_where_a_text_is_due)
{
    tw_decoder *decoder = decoder_for(tw_format_find("qwen3-coder"),
                                      "{\"type\":\"string\"},\"b\":{}");
    gives(
        decoder,
        "<tool_call>\n<function=f>\n<parameter=a><parameter=b>z</parameter>\n"
        "</function>\n</tool_call>",
        "call[f call_0] args[{\"a\":\"] diag[missing_value_close@38] "
        "args[\",\"b\":\"z\"}] complete");
    tw_decoder_free(decoder);
}

/* Behind a value without delimiters, a NUL in a key is one of its bytes. */
Test(described_bodies, a_key_of_gemmas_may_hold_a_nul)
{
    static const char text[] = "<start_function_call>call:f{x:a b,<escape>"
                               "k\0y<escape>:1}<end_function_call>";
    tw_decoder *decoder =
        tw_decoder_new(tw_format_find("functiongemma"), NULL);
    gives_of(decoder, text, sizeof text - 1,
             "call[f call_0] args[{\"x\":] diag[bare_string@30] "
             "args[\"a b\"] diag[quoted_key@34] args[,\"k\\u0000y\":1}] "
             "complete");
    tw_decoder_free(decoder);
}

/* ---- writing ------------------------------------------------------------ */

#define ASSISTANT(members) "{\"role\":\"assistant\"," members "}"
#define CALL(function) \
    ASSISTANT("\"content\":null,\"tool_calls\":[{" function "}]")
#define FUNCTION(arguments)                                             \
    "\"type\":\"function\",\"function\":{\"name\":\"f\",\"arguments\":" \
    "\"" arguments "\"}"

/* |text|, or why there is none; |loss| is the only report, if there is one. */
static void writes(const tw_format *format, const char *message,
                   const char *text, const char *loss)
{
    tw_encoder *encoder = tw_encoder_new(format, NULL);
    const char *got;
    size_t size;
    const tw_error *report = NULL;
    const int result =
        tw_encode_completion(encoder, message, strlen(message), &got, &size);
    if (result == TW_OK) {
        cr_expect(size == strlen(text) && memcmp(got, text, size) == 0,
                  "%s: %.*s", message, (int)size, got);
    } else {
        cr_expect_str_eq(tw_encoder_error(encoder)->message, text, "%s: %s",
                         message, tw_encoder_error(encoder)->message);
    }
    const char *name = tw_encoder_report(encoder, 0, &report) == 1
                           ? tw_loss_get((uint32_t)report->detail)->name
                           : "none";
    cr_expect_str_eq(name, loss != NULL ? loss : "none", "%s: %s", message,
                     name);
    tw_encoder_free(encoder);
}

static void described(const char *description, const char *message,
                      const char *text, const char *loss)
{
    tw_format *format = loaded_from(description);
    writes(format, message, text, loss);
    tw_format_free(format);
}

Test(described_bodies, values_that_no_pattern_holds_are_refused)
{
    static const char text[] =
        "{\"format\":1,\"call\":\"<f={name}>{arguments}</f>\",\"argument\":"
        "\"<p={key}>{value:text}</p>\"}";
    described(text, CALL(FUNCTION("{\\\"a\\\": \\\"x\\\"}")),
              "<f=f><p=a>x</p></f>", "arguments_spelling");
    described(text, CALL(FUNCTION("{\\\"a\\\": 1}")),
              "the format cannot write such a value", NULL);
}

Test(described_bodies, arguments_as_json_where_others_are_tags)
{
    described("{\"format\":1,\"call\":\"<f={name}>{arguments:json}</f>\"}",
              CALL(FUNCTION("{\\\"a\\\": 1}")), "<f=f>{\"a\": 1}</f>", NULL);
}

/* The first letter of a name is as any other. */
Test(described_bodies, names_begin_with_a_byte_of_names)
{
    static const char text[] =
        "{\"format\":1,\"call\":\"<f {name}>{arguments}</f>\"}";
    described(text,
              CALL("\"type\":\"function\",\"function\":{\"name\":\"(f\","
                   "\"arguments\":\"{}\"}"),
              "the format cannot write this name", NULL);
}

/* An id that reads back as what is made of name and index is no loss. */
Test(described_bodies, ids_are_made_of_an_index)
{
    static const char counted[] =
        "{\"format\":1,\"call\":\"<f {index:1}>{name}<a>{arguments}</f>\","
        "\"id\":\"{name}-{index:1}\"}";
    described(counted, CALL("\"id\":\"f-1\"," FUNCTION("{}")),
              "<f 1>f<a>{}</f>", NULL);
    described(counted, CALL("\"id\":\"call_0\"," FUNCTION("{}")),
              "<f 1>f<a>{}</f>", "call_id");
}

Test(described_bodies, free_text_is_of_one_tool)
{
    const tw_format *format = tw_format_find("functionary/3.1");
    writes(format,
           CALL("\"type\":\"custom\",\"custom\":{\"name\":\"python\","
                "\"input\":\"1+1\"}"),
           "<|python_tag|>1+1<|eom_id|>", NULL);
    writes(format,
           CALL("\"type\":\"custom\",\"custom\":{\"name\":\"ruby\","
                "\"input\":\"1+1\"}"),
           "the format's calls with free text have another name", NULL);
}

/* An id with a number of up to 18 digits is written as it is. */
Test(described_bodies, numbers_of_ids)
{
    static const char *const rows[][3] = {
        {"999999999999999999", "999999999999999999", NULL},
        {"9999999999999999999", "0", "call_id"},
    };
    tw_format *format = loaded_from("{\"format\":1,\"call\":\"<c>functions.{"
                                    "name}:{index}<a>{arguments}</c>\",\"id\":"
                                    "\"functions.{name}:{index}\"}");
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        char message[400];
        char text[400];
        snprintf(message, sizeof message,
                 CALL("\"id\":\"functions.f:%s\"," FUNCTION("{}")),
                 rows[i][0]);
        snprintf(text, sizeof text, "<c>functions.f:%s<a>{}</c>", rows[i][1]);
        writes(format, message, text, rows[i][2]);
    }
    tw_format_free(format);
}

Test(described_bodies, text_may_be_in_parts_or_end_in_a_return)
{
    writes(tw_format_find("gemma3"),
           ASSISTANT("\"content\":[{\"type\":\"text\",\"text\":\" hi \"}]"),
           "hi<end_of_turn>\n", "outer_whitespace");
    described("{\"format\":1,\"call\":\"<c>{object}</c>\",\"text\":"
              "\"{text}\\n\"}",
              ASSISTANT("\"content\":\"hi\\r\""), "hi\r\n",
              "outer_whitespace");
}

/* A description may have as many markers as a table of them. */
Test(described_bodies, many_markers_are_all_known)
{
    char json[2000] = "{\"format\":1,\"call\":\"<f={name}>{arguments}</f>\","
                      "\"argument\":[";
    for (unsigned i = 0; i < 32; i++) {
        char one[60];
        snprintf(one, sizeof one, "%s\"<p%02u={key}>{value}</q%02u>\"",
                 i > 0 ? "," : "", i, i);
        strcat(json, one);
    }
    strcat(json, "]}");
    reads(json, NULL, "<f=f><p31=a>x</q31></f>",
          "call[f call_0] args[{\"a\":\"x\"}] complete");
}
