/* SPDX-License-Identifier: MIT
 *
 * Text that begins as a call whose markers a server or tokenizer stripped is
 * warned of, and no other text.
 */
#include <criterion/criterion.h>
#include <stdlib.h>
#include <string.h>

#include "formats/description.h"
#include "formats/format.h"
#include "support/cases.h"
#include "support/decoding.h"

/* ---- what was stripped, in every format --------------------------------- */

/* Takes each token of the format's from the text. */
static void strip(char *text, const tw_format *format)
{
    const char *const *tokens = format->description->tokens;
    for (char *at = text; *at != 0;) {
        size_t longest = 0;
        for (size_t i = 0; tokens[i] != NULL; i++) {
            const size_t size = strlen(tokens[i]);
            if (size > longest && strncmp(at, tokens[i], size) == 0) {
                longest = size;
            }
        }
        memmove(at, at + longest, strlen(at + longest) + 1);
        at += longest == 0;
    }
}

/* Declares what the case calls, with the parameters that it gives. */
static void declare(tw_decoder *decoder, const tw_value *calls)
{
    static char tools[64 * 1024];
    char *at = tools;
    *at++ = '[';
    for (const tw_value *call = calls->first; call != NULL;
         call = call->next) {
        const tw_value *given = tw_value_member(call, "arguments");
        at += sprintf(at,
                      "%s{\"type\":\"function\",\"function\":{\"name\":"
                      "\"%s\",\"parameters\":{\"properties\":{",
                      call != calls->first ? "," : "",
                      tw_value_member(call, "name")->text);
        const tw_value *value = given != NULL ? given->first : NULL;
        for (; value != NULL; value = value->next) {
            if (strpbrk(value->key, "\"\\") == NULL) {
                at += sprintf(at, "%s\"%s\":{}", at[-1] == '}' ? "," : "",
                              value->key);
            }
        }
        at += sprintf(at, "}}}}");
    }
    sprintf(at, "]");
    cr_assert_eq(tw_decoder_set_tools(decoder, tools, strlen(tools)), TW_OK,
                 "%s", tools);
}

static bool is_told(const event_log *log)
{
    bool told = false;
    for (size_t i = 0; i < log->count; i++) {
        const event_record *event = &log->events[i];
        told |= event->type == TW_EVENT_CALL_BEGIN ||
                event->type == TW_EVENT_UNPARSED ||
                event->type == TW_EVENT_DIAGNOSTIC;
    }
    return told;
}

static bool is_blank(const tw_value *text)
{
    return text == NULL || text->kind == TW_VALUE_NULL ||
           strspn(text->text, " \t\r\n") == text->size;
}

/* No name stands apart from other words in what is left of these. */
static bool is_gone(const char *id)
{
    static const char *const gone[] = {"iq-c03", "mt-056"};
    bool found = false;
    for (size_t i = 0; i < sizeof gone / sizeof *gone; i++) {
        found |= strcmp(id, gone[i]) == 0;
    }
    return found;
}

static size_t stripped;

static void check_stripped(const conformance_case *one)
{
    const tw_value *calls = tw_value_member(one->expect, "tool_calls");
    if (!case_is(one, "canonical") || one->format->description == NULL ||
        calls == NULL || calls->first == NULL ||
        !is_blank(tw_value_member(one->expect, "content")) ||
        !is_blank(tw_value_member(one->expect, "reasoning"))) {
        return;
    }
    char *text = strdup(one->text);
    strip(text, one->format);
    tw_decoder *decoder = case_decoder(one, false);
    event_log whole = {0};
    event_log bytes = {0};
    declare(decoder, calls);
    decode(&whole, decoder, text, strlen(text), 0);
    decode(&bytes, decoder, text, strlen(text), 1);
    stripped += strcmp(text, one->text) != 0;
    cr_expect(is_told(&whole) != is_gone(one->id), "%s: %s: %s",
              one->format_name, one->id, text);
    cr_expect(event_log_same(&whole, &bytes), "%s: %s: %s", one->format_name,
              one->id, text);
    event_log_free(&whole);
    event_log_free(&bytes);
    tw_decoder_free(decoder);
    free(text);
}

Test(leading, no_call_is_silent_without_its_tokens)
{
    format_name name;
    for (size_t i = 0;
         format_with_cases(&name, CONFORMANCE_FOLDER, "decode", i); i++) {
        conformance_each(CONFORMANCE_FOLDER, name.text, check_stripped);
    }
    conformance_each_described(CONFORMANCE_FOLDER, check_stripped);
    cr_expect_gt(stripped, 400, "%zu", stripped);
}

/* ---- one marker that was lost, in every format -------------------------- */

static size_t calls_of(const event_log *log, bool *told)
{
    size_t calls = 0;
    *told = false;
    for (size_t i = 0; i < log->count; i++) {
        const event_record *event = &log->events[i];
        calls += event->type == TW_EVENT_CALL_END &&
                 event->code == TW_CALL_COMPLETE;
        *told |= event->type == TW_EVENT_UNPARSED ||
                 event->type == TW_EVENT_DIAGNOSTIC;
    }
    return calls;
}

static size_t lost;

/* Without the |size| bytes at |at| each call is there, or it is told. */
static void check_lost(const conformance_case *one, tw_decoder *decoder,
                       size_t calls, size_t at, size_t size)
{
    char *text = strdup(one->text);
    event_log log = {0};
    bool told;
    memmove(text + at, text + at + size, strlen(text + at + size) + 1);
    decode(&log, decoder, text, strlen(text), 0);
    const bool silent = calls_of(&log, &told) < calls && !told;
    /* The name of one call is joined with the text in front. */
    cr_expect(!silent || strcmp(one->id, "fn32-o2") == 0, "%s: %s: %s",
              one->format_name, one->id, text);
    lost++;
    event_log_free(&log);
    free(text);
}

/* Each marker that opens a call is lost, one after another. */
static void check_openers(const conformance_case *one)
{
    const tw_value *calls = tw_value_member(one->expect, "tool_calls");
    const tw_format *format = one->format;
    if (!case_is(one, "canonical") || format->description == NULL ||
        calls == NULL || calls->first == NULL) {
        return;
    }
    tw_decoder *decoder = case_decoder(one, false);
    event_log whole = {0};
    bool told;
    declare(decoder, calls);
    decode(&whole, decoder, one->text, strlen(one->text), 0);
    const size_t all = calls_of(&whole, &told);
    for (size_t i = 0; i < *format->marker_count; i++) {
        const tw_marker *marker = &format->markers[i];
        const char *at = one->text;
        while (marker->role == TW_MARKER_CALL_OPEN &&
               (at = strstr(at, marker->text)) != NULL) {
            check_lost(one, decoder, all, (size_t)(at - one->text),
                       marker->size);
            at++;
        }
    }
    event_log_free(&whole);
    tw_decoder_free(decoder);
}

Test(leading, no_call_is_silent_without_its_open_marker)
{
    conformance_each_described(CONFORMANCE_FOLDER, check_openers);
    cr_expect_gt(lost, 400, "%zu", lost);
}

/* ---- another format's call, in every format ----------------------------- */

Test(leading, no_call_is_silent_in_another_format)
{
    static const char tools[] =
        "[{\"type\":\"function\",\"function\":{\"name\":\"get_tide\","
        "\"parameters\":{\"properties\":{\"harbour\":{}}}}},\"wx\"]";
    enum { EACH = 8 };
    for (size_t i = 0; tw_format_at(i) != NULL; i += EACH) {
        const tw_format *host = tw_format_at(i);
        tw_decoder *decoder = tw_decoder_new(host, NULL);
        cr_assert_eq(tw_decoder_set_tools(decoder, tools, sizeof tools - 1),
                     TW_OK);
        for (const tw_format *format = tw_framed_formats; format->name != NULL;
             format++) {
            const char *text = format->description->example;
            const bool blank = strstr(text, "Tide Table(") != NULL;
            event_log log = {0};
            decode(&log, decoder, text, strlen(text), 0);
            cr_expect(is_told(&log) || blank, "%s: %s", host->name, text);
            event_log_free(&log);
        }
        tw_decoder_free(decoder);
    }
}

/* ---- what is a call, and what is none ----------------------------------- */

enum { NONE = -1 };

typedef struct leading_row {
    const char *text;
    int at; /* where the call begins, or NONE */
} leading_row;

static int said(const event_log *log)
{
    int at = NONE;
    for (size_t i = 0; i < log->count; i++) {
        const event_record *event = &log->events[i];
        if (event->type == TW_EVENT_DIAGNOSTIC &&
            event->code == TW_DIAGNOSTIC_CALL_LIKE_TEXT) {
            cr_expect_eq(at, NONE);
            cr_expect_eq(event->flags, TW_EVENT_WARNING);
            at = (int)event->offset;
        }
    }
    return at;
}

static void check(const leading_row *row, const char *tools)
{
    const size_t size = strlen(row->text);
    tw_decoder *decoder = decoder_of("hermes");
    event_log whole = {0};
    event_log cut = {0};
    cr_assert_eq(tw_decoder_set_tools(decoder, tools, strlen(tools)), TW_OK);
    decode(&whole, decoder, row->text, size, 0);
    cr_expect_eq(said(&whole), row->at, "%d: %s", said(&whole), row->text);
    for (size_t chunk = 1; chunk <= 7; chunk++) {
        decode(&cut, decoder, row->text, size, chunk);
        cr_expect(event_log_same(&whole, &cut), "%s in %zu", row->text, chunk);
    }
    event_log_free(&whole);
    event_log_free(&cut);
    tw_decoder_free(decoder);
}

#define CALL "{\"name\": \"tide\", \"arguments\": {\"at\": \"Brest\"}}"
#define FAR                                                           \
    "What stands so far behind the beginning of a text is looked at " \
    "no more, since a text is not a call as a whole if it is only "   \
    "there that one begins: "

/* With `tide` declared, which has `at` and `days`, and `now`. */
static const leading_row declared[] = {
    {CALL, 0},
    {" \n" CALL, 2},
    {"[" CALL "]", 0},
    {"[\n  " CALL ", " CALL "]", 0},
    {"{\"arguments\": {\"a\": [1, {\"b\": \"}\"}]}, \"name\": \"x\"}", 0},
    {"{\"id\": \"1\", \"type\": \"function\", \"function\": {}}", 0},
    {"{\"tool_calls\": [" CALL "]}", 0},
    {"{'name': 'tide', 'arguments': {'at': 'Brest'}}", 0},
    {"{\"name\": \"tide\", \"arguments\": {\"at\": \"Bre", 0},
    {"{\"name\": \"now\"}", 0},
    {"[{\"tide\": {\"at\": \"Brest\"}}]", 0},
    {"```json\n" CALL "\n```", 8},
    {"I look.\n\n" CALL, 9},
    {"I look. " CALL, 8},
    {"tide\n{\"at\": \"Brest\"}", 0},
    {"tide{\"at\": \"Brest\"}", 0},
    {"tide {}", 0},
    {"functions.tide:0{\"at\": \"Brest\"}", 0},
    {"functiontide\n```json\n{}\n```", 0},
    {"I look.tide{\"at\": \"Brest\"}", 0},
    {"I look it up.tide{\"at\": \"Brest\"}", 10},
    {"tide\nat\nBrest", 0},
    {"<user>tide\n<arg_key>at</arg_key>", 6},
    {"tideatBrest", 0},
    {"tide\nnow", 0},
    {"now", 0},
    {"now\n", 0},
    {"tide>\nat>\nBrest", 0},
    {"tide(at='Brest')", 0},
    {"[tide(\n  at = 'Brest'), now()]", 0},
    {"now()\n", 0},
    {"<parameter=at>\nBrest\n</parameter>", 0},
    {"< calls>\n< invoke name=\"tide\">", 9},
    {"name=\"tide\">\nname=\"at\">Brest", 0},
    {"toolscall tool=\"tide\" index=\"1\"", 0},
    {" to=tide code{}", 1},
    {"invoke name=\"tide\">\nparameter name=\"at\">", 0},
    {">>tide\n{\"at\": \"Brest\"}", 2},
    {"I look.\n>> tide\n{\"at\": \"Brest\"}", 11},
    {"I look. tide.call(at=\"Brest\")", 8},
    {"< | DSML | calls>\n< | DSML| invoke name=\"tide\">", 18},
    /* A slip in what begins the call, or escapes around all of it. */
    {"{\"nam\": \"tide\", \"arguments\": {\"at\": \"Brest\"}}", 0},
    {"{\"name\": \"tide\", \"argument\": {\"at\": \"Brest\"}}", 0},
    {"{\"name\": \"tide\", \"arguments\": {}, \"why\": \"so\"}", 0},
    {"{" CALL "}", 0},
    {"[[" CALL "]]", 0},
    {"[\"name\": \"tide\", \"arguments\": {}}]", 0},
    {"\"name\": \"tide\", \"arguments\": {}}", 0},
    {"{name: tide, arguments: {at: Brest}}", 0},
    {"{name\": \"tide\", \"arguments\": {}}", 0},
    {"{\\\"name\\\": \\\"tide\\\", \\\"arguments\\\": {}}", 0},
    {"functools[[" CALL "]]", 0},
    {"Action:\n{\"nam\": \"tide\", \"arguments\": {}}", 8},
    {"I look.\n{\"tool_calls\": [" CALL "]}", 8},
    {"[tideat='Brest')]", 0},
    {"[tide((at='Brest')]", 0},
    {"[CALL]tide(at='Brest')]", 6},
    {"{\"tool\": \"tide\", \"at\": \"Brest\"}", 0},
    {"{\"name\": \"tide\", \"at\": \"Brest\"}", 0},
    {"[Calling tool: tide({\"at\": \"Brest\"})]", 0},
    {"<function><name>tide</name><arguments>{}</arguments></function>", 10},
    {"<use_tool>\n<tool_name>tide</tool_name>", 11},
    {"<tide at=\"Brest\"/>", 0},
    {"<tool_code>\nprint(api.tide(at='Brest'))\n</tool_code>", 18},
    {"Hm.\nAction: tide\nAction Input: {\"at\": \"Brest\"}", 4},
    {"&lt;function=tide&gt;", 0},
    {"&lt;calls&gt;\n&lt;invoke name=\"tide\"&gt;", 14},
    {"&lt;call&gt;tide&lt;key&gt;at", 0},
    {"\\u003cfunction=tide\\u003e", 0},
    {"\\u003ccall\\u003etide\\u003ckey\\u003eat", 0},
    /* Prose, and JSON that is no call. */
    {"{\"list\": [\"tide\", {\"a\": 1}]}", NONE},
    {"{\"topic\": \"tide\", \"high\": true}", NONE},
    {"{\"name\": \"tide\", \"description\": \"x\", \"parameters\": {}}", NONE},
    {"Action: tide tables are read.", NONE},
    {"<name>Brest</name> has a tide.", NONE},
    {"[this is tide (high)]", NONE},
    {"Tools: {\"tool\": \"tide\", \"options\": {\"at\": 1}}", NONE},
    {"\"tide\" is a tool, as {x} is none.", NONE},
    {"R&D;{tide}", NONE},
    {"The tide at Brest is high.", NONE},
    {"tide tables are dull.", NONE},
    {"tide: when the sea comes.", NONE},
    {"tide(at) tells when the sea comes.", NONE},
    {"now() tells the hour.", NONE},
    {"Call `tide` with {\"at\": \"Brest\"}.", NONE},
    {"- tide\n- now\n", NONE},
    {"> tide\n> {\"at\": 1} is how.", NONE},
    {"| tide | {at} |\n", NONE},
    {"Say tide.call to call.", NONE},
    {"I look. other.call(at=1)", NONE},
    {"tide\n\nIt comes and goes.", NONE},
    {"Write "
     "{\"name\": \"other\", \"arguments\": {}} to call.",
     NONE},
    {"{\"name\": \"Brest\", \"depth\": 12}", NONE},
    {"{\"name\": \"Brest\"}", NONE},
    {"{\"arguments\": {\"name\": \"tide\"}}", NONE},
    {"{\"name\": \"tide\", \"arguments\": [1]}", NONE},
    {"{\"name\": {}, \"arguments\": {}}", NONE},
    {"{\"plan\": [" CALL "]}", NONE},
    {"{\"tide\": \"high\"}", NONE},
    {"[1, " CALL "]", NONE},
    {"[tide](https://example.org)", NONE},
    {"[ ] tide(at='Brest')", NONE},
    {"<b>tide</b> is high.", NONE},
    {"<p name=\"x\">Hi</p><parameter=at>", NONE},
    {"x = {", NONE},
    {"", NONE},
    {FAR CALL, NONE},
};

/* Without declared tools: a text that is a call as a whole. */
static const leading_row undeclared[] = {
    {CALL, 0},
    {"[" CALL "]", 0},
    {"```json\n" CALL "\n```", 8},
    {"f{\"a\": 1}", 0},
    {"[f(a=1)]", 0},
    {"f\n{\"a\": 1}", NONE},
    {"f{}", NONE},
    {"f(a=1)", NONE},
    {"I look. " CALL, NONE},
    {"I look.\n" CALL, NONE},
    {"[{\"f\": {\"a\": 1}}]", NONE},
    {"[f()]", NONE},
    {"[see (no way)]", NONE},
};

Test(leading, is_a_call_or_is_none)
{
    for (size_t i = 0; i < sizeof declared / sizeof *declared; i++) {
        check(&declared[i],
              "[{\"type\":\"function\",\"function\":{\"name\":\"tide\","
              "\"parameters\":{\"properties\":{\"at\":{},\"days\":{}}}}},"
              "\"now\"]");
    }
    for (size_t i = 0; i < sizeof undeclared / sizeof *undeclared; i++) {
        check(&undeclared[i], "[]");
    }
}
