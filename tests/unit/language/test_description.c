/* SPDX-License-Identifier: MIT
 *
 * The loader of descriptions: what it makes of a good one, and where it says
 * that a bad one is wrong.
 */
#include <criterion/criterion.h>
#include <stdio.h>
#include <string.h>

#include "formats/format.h"
#include "formats/hermes/hermes.h"

static tw_loaded loaded;

static int load(const char *json)
{
    static tw_memory memory;
    memory = tw_memory_from(NULL);
    return tw_description_load(&loaded, &memory, json, strlen(json));
}

static void is_refused(const char *json, const char *message)
{
    cr_expect(load(json) == TW_ERROR_SCHEMA, "%s loads", json);
    cr_expect_str_eq(loaded.message, message, "%s: %s", json, loaded.message);
}

Test(description, errors_name_their_place)
{
    is_refused("[]", "a description is an object");
    is_refused("{\"call\":\"<c>{object}\"}",
               "format: missing; 1 is the version that is known");
    is_refused("{\"format\":2,\"call\":\"<c>{object}\"}",
               "format: 1 is the version that is known");
    is_refused("{\"format\":1}", "call: missing");
    is_refused("{\"format\":1,\"color\":1}", "color: no such key");
    is_refused("{\"format\":1,\"call\":\"<c>{object}\",\"call\":\"x\"}",
               "call: the key stands twice");
    is_refused("{\"format\":1,\"call\":[\"<c>{nme}\"]}",
               "call[0]: 3: {nme} is no hole here");
    is_refused("{\"format\":1,\"call\":\"<c>{object\"}",
               "call: 3: a brace is not closed ({{ is a brace)");
    is_refused("{\"format\":1,\"call\":\"<c>}{object}\"}",
               "call: 3: a lone } (}} is a brace)");
    is_refused("{\"format\":1,\"call\":\"<c>{name}{id}<a>{arguments}\"}",
               "call: no marker stands behind {name}, where another hole "
               "begins (white space there is layout)");
    is_refused("{\"format\":1,\"call\":\"<c>{object}\",\"id\":\"nein\"}",
               "id: {name} or {index} is due, or the word nine");
    is_refused("{\"format\":1,\"call\":[\"<c>{object}\",\"<d>{arguments}\"]}",
               "call[1]: {arguments} without {name}");
    is_refused("{\"format\":1,\"call\":\"<c>{raw}\"}",
               "call: {raw} without raw_name, which names its calls");
    is_refused("{\"format\":1,\"call\":\"<c>{name}<d>{raw}\","
               "\"raw_name\":\"r\"}",
               "call: {name} in front of {raw}, which raw_name names");
    is_refused("{\"format\":1,\"call\":\"<c>{raw}</c>\",\"raw_name\":\"r\"}",
               "call: a marker behind {raw}, which goes on to the end");
    is_refused("{\"format\":1,\"call\":\"<c>{object}{list}\"}",
               "call: 11: {list} is one body too many");
    is_refused("{\"format\":1,\"call\":\"<c>{name}\"}",
               "call: it has no hole for what it is for: {object}, {list}, "
               "{arguments} or another body");
    is_refused("{\"format\":1,\"call\":\"<c>{object}\",\"reasoning\":"
               "\"<t>{text}\"}",
               "reasoning: no marker ends {text}");
    is_refused("{\"format\":1,\"call\":\"<c>{name}<a>{arguments}\","
               "\"argument\":\"<k>{key}</k>{value}</v>\"}",
               "call: no marker ends the arguments");
    is_refused("{\"format\":1,\"call\":\"<c>{object}\",\"stops\":\"<c>\"}",
               "stops: <c> also begins a call");
    is_refused("{\"format\":1,\"call\":\"<c>{object}\",\"loose\":{\"stops\":"
               "\"x\"}}",
               "loose.stops: no such key");
    is_refused("{\"format\":1,\"call\":\"<c>{object}\",\"json\":\"wide\"}",
               "json: no such word: wide");
    cr_expect(load("{") == TW_ERROR_JSON);
}

/* What is written and would be read as something else. */
Test(description, words_of_its_own_are_framing)
{
    is_refused("{\"format\":1,\"call\":\"<c>{object}</c>{index}\"}",
               "call: {index} stands behind what it belongs to, where nothing "
               "reads it");
    is_refused("{\"format\":1,\"call\":\"<c>{name}<a>{arguments}<i>{id}\"}",
               "call: {id} stands behind what it belongs to, where nothing "
               "reads it");
#define CALL "{\"format\":1,\"call\":\"<c>{object}</c>\","
    is_refused(CALL "\"stops\":\"<e>\",\"end\":\"<x>\"}",
               "end: no stop stands in it: it reads as text");
    is_refused(CALL "\"stops\":\"<e>\",\"end\":[\"\",\"<e>x\"]}",
               "end: behind its stop nothing is read");
    is_refused(CALL "\"stops\":[\"<e>\",\"<end>\"],\"end\":\"<e><end>\"}",
               "end: behind its stop nothing is read");
    is_refused(CALL "\"reasoning\":\"<t>{text}</t>\","
                    "\"no_reasoning\":\"<t>a</t>\"}",
               "no_reasoning: no pattern with an empty text: it is read");
    is_refused(CALL "\"reasoning\":\"<t>{text}</t>\","
                    "\"no_reasoning\":\"<t>\"}",
               "no_reasoning: no pattern with an empty text: it is read");
    is_refused(CALL "\"no_text\":\"none\"}",
               "no_text: no pattern with an empty text: it is read");
    cr_expect_eq(load(CALL "\"stops\":[\"<e>\",\"<e>>\"],\"end\":\"\\n<m>"
                           "\\n<e>>\\n\",\"reasoning\":\"<t>\\n{text}</t>\","
                           "\"no_reasoning\":[\"<t>\\n\\n</t>\",\"</t>\"],"
                           "\"no_text\":\" \"}"),
                 TW_OK, "%s", loaded.message);
    tw_description_free(&loaded);
#undef CALL
}

#define CALL "{\"format\":1,\"call\":\"<c>{object}</c>\","

Test(description, values_of_keys_are_of_their_kind)
{
    is_refused(CALL "\"name\":1}", "name: a string is due");
    is_refused(CALL "\"name\":\"a\\u0000b\"}", "name: it holds a NUL");
    is_refused(CALL "\"models\":[\"a\",\"\"]}", "models[1]: an empty text");
    is_refused(CALL "\"models\":[\"a\",1]}", "models[1]: a string is due");
    is_refused(CALL "\"json\":1}", "json: a string is due");
    is_refused(CALL "\"text\":[\"{text}\",1]}",
               "text[1]: a pattern is a string");
    is_refused(CALL "\"end\":[]}",
               "end: one text, or one for text and one for calls");
    is_refused(CALL "\"end\":[\"a\",\"b\",\"c\"]}",
               "end: one text, or one for text and one for calls");
    is_refused(CALL "\"sorted\":1}", "sorted: true or false is due");
    is_refused(CALL "\"loose\":1}", "loose: an object is due");
    is_refused(CALL "\"stops\":{}}", "stops: a string is due");
}

Test(description, holes_have_their_place)
{
#define ALSO(call) "{\"format\":1,\"call\":\"" call "\","
#define TAGGED ALSO("<c>{name}<a>{arguments}</c>")
    is_refused("{\"format\":1,\"call\":\"{name}<a>{arguments}\"}",
               "call: it begins without a marker");
    is_refused("{\"format\":1,\"call\":\"<c>{name}<a>{name}<b>{arguments}\"}",
               "call: 12: {name} stands twice");
    is_refused("{\"format\":1,\"call\":\"<c>{id}<a>{list}</c>\"}",
               "call: {id} and {index} are of one call, and the body holds "
               "several");
    is_refused("{\"format\":1,\"call\":\"<c>{name}ly<a>{arguments}\"}",
               "call: what stands behind {name} may be part of a name, as "
               "letters, digits and _-.:/ are");
    is_refused("{\"format\":1,\"call\":\"<c>{skip} {object}\"}",
               "call: no marker ends {skip}");
    is_refused(TAGGED "\"argument\":\"<p>{value}</p>\"}",
               "argument: {key} is due");
    is_refused(TAGGED "\"argument\":\"{key}=<v>{value}</v>\"}",
               "argument: it begins without a marker");
    is_refused(TAGGED "\"argument\":\"<k>{key}=<v>{value}\"}",
               "argument: no marker ends {value}");
    is_refused(CALL "\"reasoning\":\"{skip}<t>{text}</t>\"}",
               "reasoning: it begins without a marker");
    is_refused(CALL "\"text\":\"{text}</t>\"}",
               "text: it begins without a marker");
    is_refused(CALL "\"calls\":\"{calls}</t>\"}",
               "calls: marker {calls} marker is due");
    is_refused(CALL "\"calls\":[\"<t>{calls}</t>\",\"<t>{calls}\"]}",
               "calls[1]: marker {calls} marker is due");
#undef TAGGED
#undef ALSO
}

/* |head|, the texts "<0>", "<1>" ... of |bytes| bytes in JSON, |tail|. */
static const char *with_many(const char *head, const char *open, size_t count,
                             size_t bytes, const char *close, const char *tail)
{
    static char json[1 << 15];
    char *at = json + sprintf(json, "%s", head);
    for (size_t i = 0; i < count; i++) {
        at += sprintf(at, "%s<%0*zu>%s", open, (int)bytes - 2, i, close);
    }
    strcpy(at, tail);
    return json;
}

/* A cut would decide whether they are markers or begin a call's JSON. */
Test(description, markers_that_begin_as_a_body_does)
{
    is_refused(CALL "\"text\":\"{{{text:line}\"}",
               "text: the body of a call may begin as the marker does");
    is_refused(CALL "\"reasoning\":\"[{text}]\"}",
               "reasoning: the body of a call may begin as the marker does");
    is_refused(CALL "\"stops\":\"{\\\"\"}",
               "stops: the body of a call may begin as the marker does");
    cr_expect(load(CALL "\"text\":\"{{{{say {text}\",\"stops\":\"[e]\"}") ==
              TW_OK);
    tw_description_free(&loaded);
}

Test(description, what_is_too_much)
{
    is_refused(with_many("{\"format\":1,\"call\":[\"<c>{object}\"", ",\"", 32,
                         4, "{object}\"", "]}"),
               "call: more than 32 patterns");
    is_refused(
        with_many("{\"format\":1,\"call\":\"", "", 1, 256, "", "{object}\"}"),
        "call: 256: a text is longer than 255 bytes");
    is_refused(with_many(CALL "\"stops\":\"", "", 1, 256, "", "\"}"),
               "stops: a marker is longer than 255 bytes");
    is_refused(with_many(CALL "\"stops\":[\"\\n\"", ",\"", 96, 4, "\"", "]}"),
               "stops: more than 96 markers");
    is_refused(with_many("{\"format\":1,\"call\":\"", "\\n", 25, 4, "",
                         "{object}\"}"),
               "call: 125: more than 48 parts");
    is_refused(with_many("{\"format\":1,\"tokens\":\"<|o|>\",\"call\":[",
                         "\"<|o|>", 3, 252, "{object}\",",
                         "\"<d>{object}\"]}"),
               "call: a text is longer than 255 bytes");
    enum { MOST = 64 << 10 };
    static char long_one[MOST + 2];
    memset(long_one, ' ', MOST);
    memcpy(long_one, CALL, strlen(CALL) - 1);
    long_one[MOST - 1] = '}';
    cr_expect_eq(load(long_one), TW_OK, "%s", loaded.message);
    tw_description_free(&loaded);
    long_one[MOST - 1] = ' ';
    long_one[MOST] = '}';
    is_refused(long_one, "the document is longer than 64 KiB");
}
#undef CALL

/* A pattern's parts, each in brackets. */
static const char *parts_of(const tw_pattern *pattern)
{
    static char text[256];
    text[0] = 0;
    for (size_t i = 0; i < pattern->count; i++) {
        const tw_part *part = &pattern->parts[i];
        strcat(text, part->kind == TW_PATTERN_LITERAL  ? "["
                     : part->kind == TW_PATTERN_LAYOUT ? "("
                                                       : "{");
        strcat(text, part->text);
        strcat(text, part->kind == TW_PATTERN_LITERAL  ? "]"
                     : part->kind == TW_PATTERN_LAYOUT ? ")"
                                                       : "}");
    }
    return text;
}

Test(description, white_space_is_layout_at_ends_and_in_lines)
{
    cr_assert(load("{\"format\":1,\"tokens\":[\"<t>\"],\"call\":[\"\\n<a b> "
                   "{name}\\n<c>\\n <d>{arguments}{{ }}\",\"<t> <u "
                   "n=\\\"{name}\\\">{arguments}\"]}") == TW_OK,
              "%s", loaded.message);
    const tw_description *d = &loaded.description;
    cr_expect_str_eq(parts_of(&d->call.all[0]),
                     "(\n)[<a b>]( ){}(\n)[<c>](\n )[<d>]{}[{ }]");
    cr_expect_str_eq(parts_of(&d->call.all[1]), "[<t>]( )[<u n=\"]{}[\">]{}");
    cr_expect(d->call.all[1].parts[0].token);
    tw_description_free(&loaded);
}

static tw_found find(const tw_markers *markers, const char *text, bool eof)
{
    const uint8_t *at = (const uint8_t *)text;
    return tw_markers_scan(markers, at, at + strlen(text), eof);
}

Test(description, the_longest_marker_wins_and_is_waited_for)
{
    cr_assert(load("{\"format\":1,\"call\":\"<sep>call:{object}\",\"stops\":"
                   "[\"<sep>\",\"\\uff5c\"]}") == TW_OK,
              "%s", loaded.message);
    const tw_markers *markers = &loaded.description.markers;
    cr_expect_eq(find(markers, "<sep>call:", false).roles, TW_AT_CALL);
    cr_expect_eq(find(markers, "<sep>cow", false).roles, TW_AT_STOP);
    cr_expect_eq(find(markers, "<sep>ca", false).roles, TW_AT_MORE);
    cr_expect_eq(find(markers, "<sep>ca", true).roles, TW_AT_STOP);
    cr_expect_eq(find(markers, "<seq", false).roles, 0);
    cr_expect_eq(find(markers, "\xEF\xBD", false).roles, TW_AT_MORE);
    cr_expect_eq(find(markers, "\xEF\xBD\x9C", false).roles, TW_AT_STOP);
    const uint8_t text[] = "a < b \xEF\xBB <s";
    const uint8_t *end = text + sizeof text - 1;
    cr_expect_eq(tw_markers_find(markers, text, end, end), end - 2);
    tw_description_free(&loaded);
}

/* A token inside a marker makes that certain, as one at its front does. */
Test(description, a_token_inside_a_marker_is_known)
{
    cr_assert(load("{\"format\":1,\"call\":\"<[X]call n={name}>{arguments}"
                   "</[X]call>\",\"argument\":\"<[X]a k={key}>{value}</[X]a>"
                   "\",\"stops\":\"[E]\",\"tokens\":[\"[X]\",\"[E]\"]}") ==
                  TW_OK,
              "%s", loaded.message);
    const tw_markers *markers = &loaded.description.markers;
    const tw_found close = find(markers, "</[X]call>", true);
    const tw_found stop = find(markers, "[E]", true);
    cr_expect_eq(close.roles, TW_AT_CALL_END);
    cr_expect_eq(close.token_at, 2);
    cr_expect_eq(close.token, 3);
    cr_expect_eq(stop.token_at, 0);
    cr_expect_eq(stop.token, 3);
    tw_description_free(&loaded);
}

Test(description, those_built_in_have_an_example)
{
    for (const tw_format *at = tw_framed_formats; at->name != NULL; at++) {
        cr_expect(at->description->example[0] != 0, "%s", at->name);
    }
}
