/* SPDX-License-Identifier: MIT
 *
 * Hugging Face's response_template becomes a format: each case of
 * conformance/response_template.jsonl, by every chunk size, and what is
 * refused.
 */
#include <criterion/criterion.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "json/dump.h"
#include "loading.h"
#include "support/cases.h"

/* Where another answer than transformers' is due, or none. */
static const struct {
    const char *id;
    const char *why;
} others[] = {
    {"rt-obj-22", "text of the prompt is not the completion's"},
    {"rt-named-3", "white space beside a hole is layout, so this is a head"},
    {"rt-named-5", "a head behind a marker is no text"},
    {"rt-list-2", "text without its wrapper is text, and not dropped"},
    {"rt-join-1", "no text is put between pieces"},
};

static bool is_other(const char *id)
{
    size_t i = 0;
    while (i < sizeof others / sizeof *others &&
           strcmp(others[i].id, id) != 0) {
        i++;
    }
    return i < sizeof others / sizeof *others;
}

static char *dump(const tw_value *value)
{
    const tw_memory memory = tw_memory_from(NULL);
    tw_buffer out = {NULL, 0, 0};
    cr_assert(tw_value_dump(&out, &memory, value, &tw_dump_compact) &&
              tw_buffer_append(&out, &memory, "", 1));
    return (char *)out.data;
}

static tw_format *load(const tw_value *template, tw_format_error *error)
{
    tw_format *format;
    char *json = dump(template);
    tw_format_load(json, strlen(json), NULL, &format, error);
    free(json);
    return format;
}

/* Pieces stand side by side, and white space around them is framing. */
static bool same_text(const event_log *log, uint32_t type,
                      const tw_value *expected)
{
    char text[1024] = "";
    size_t size = 0;
    for (size_t i = 0; i < log->count; i++) {
        if (log->events[i].type == type) {
            cr_assert_lt(size + log->events[i].size, sizeof text);
            memcpy(text + size, log->bytes + log->events[i].data,
                   log->events[i].size);
            size += log->events[i].size;
        }
    }
    const size_t wanted =
        expected->kind == TW_VALUE_STRING ? expected->size : 0;
    return size == wanted &&
           (size == 0 || memcmp(text, expected->text, size) == 0);
}

static const char *differs(const event_log *log, const tw_value *expect)
{
    return !same_text(log, TW_EVENT_TEXT, tw_value_member(expect, "content"))
               ? "the content differs"
           : !same_text(log, TW_EVENT_REASONING,
                        tw_value_member(expect, "reasoning"))
               ? "the reasoning differs"
               : calls_differ(log, tw_value_member(expect, "tool_calls"));
}

static tw_decoder *decoder_for(const tw_format *format, const tw_value *line)
{
    const tw_value *tools = tw_value_member(line, "tools");
    tw_decoder *decoder = tw_decoder_new(format, NULL);
    cr_assert_eq(tw_decoder_set(decoder, TW_OPTION_KEEP_RAW, 1), TW_OK);
    if (tools != NULL) {
        char *json = dump(tools);
        cr_assert_eq(tw_decoder_set_tools(decoder, json, strlen(json)), TW_OK);
        free(json);
    }
    return decoder;
}

static void check_reading(const tw_format *format, const tw_value *line)
{
    const tw_value *input = tw_value_member(line, "input");
    const tw_value *prefix = tw_value_member(line, "prefix");
    const tw_value *id = tw_value_member(line, "id");
    tw_decoder *decoder = decoder_for(format, line);
    event_log whole = {0}, cut = {0};
    const feeding all = {0, NULL, 0};
    const char *prompt = prefix != NULL ? prefix->text : NULL;
    const size_t prompt_size = prefix != NULL ? prefix->size : 0;
    event_log_run(&whole, decoder, input->text, input->size, &all, prompt,
                  prompt_size);
    const char *wrong = differs(&whole, tw_value_member(line, "expect"));
    if (wrong != NULL && !is_other(id->text)) {
        event_log_print(&whole);
        cr_expect(false, "%s: %s", id->text, wrong);
    }
    cr_expect(wrong != NULL || !is_other(id->text), "%s is as expected",
              id->text);
    for (size_t chunk = 1; chunk < input->size; chunk++) {
        const feeding by = {chunk, NULL, 0};
        event_log_run(&cut, decoder, input->text, input->size, &by, prompt,
                      prompt_size);
        cr_expect(event_log_same(&whole, &cut), "%s by %zu", id->text, chunk);
    }
    event_log_free(&whole);
    event_log_free(&cut);
    tw_decoder_free(decoder);
}

static void check_line(const tw_value *line)
{
    const char *id = tw_value_member(line, "id")->text;
    tw_format_error error;
    tw_format *format = load(tw_value_member(line, "template"), &error);
    const bool due = tw_value_member(line, "expect")->kind == TW_VALUE_OBJECT;
    cr_expect(error.code == TW_OK || error.code == TW_ERROR_SCHEMA);
    cr_expect((format != NULL) == due || is_other(id), "%s: %s", id,
              error.message);
    if (format != NULL && due) {
        check_reading(format, line);
    }
    tw_format_free(format);
}

Test(import, cases_of_templates)
{
    FILE *file = fopen(CONFORMANCE_FOLDER "/response_template.jsonl", "rb");
    cr_assert_not_null(file);
    json_lines lines = json_lines_read(file);
    fclose(file);
    for (size_t i = 0; i < lines.count; i++) {
        check_line(lines.lines[i].root);
    }
    cr_expect_gt(lines.count, 30);
    json_lines_free(&lines);
}

/* ---- what is made, and what is refused ---------------------------------- */

#define FIELDS(calls) \
    "{\"start_anchor\":\"<a>\",\"fields\":{\"tool_calls\":{" calls "}}}"
#define CONTENT                                                           \
    "\"content\":\"json\",\"transform\":{\"function\":{\"name\":\"{n}\"," \
    "\"arguments\":\"{content}\"}}"
#define PATTERN(regex) FIELDS("\"open_pattern\":\"" regex "\"," CONTENT)

static void makes(const char *json, const char *part)
{
    char text[4096];
    tw_format *format = loaded_from(json);
    const size_t size = tw_format_describe(format, text, sizeof text - 1);
    text[size] = 0;
    cr_expect_not_null(strstr(text, part), "%s\n%s", part, text);
    tw_format_free(format);
}

Test(import, patterns_become_holes)
{
    makes(PATTERN("<f>(?P<n>\\\\w+)\\\\s*<b>"),
          "\"call\": \"<f>{name}\\n<b>{arguments}\"");
    makes(PATTERN("<(?:f|g)x?>(?P<n>[^<]+)<b>"),
          "\"call\": [\"<fx>{name}<b>{arguments}\", \"<gx>{name}<b>"
          "{arguments}\", \"<f>{name}<b>{arguments}\", \"<g>");
    makes(PATTERN("\\\\[f\\\\](?P<id>\\\\d+)#(?P<n>\\\\S+?)<b>"),
          "\"call\": \"[f]{skip}#{name}<b>{arguments}\"");
    makes(FIELDS("\"open\":\"{c\",\"close\":[\"c}\",\"d}\"],\"content\":"
                 "\"json\",\"transform\":{\"function\":\"{content}\"}"),
          "\"call\": [\"{{c{object}c}}\", \"{{c{object}d}}\"]");
    makes(FIELDS("\"open\":\"<c>\",\"content\":\"json\",\"transform\":"
                 "{\"function\":{\"name\":\"{content.f}\",\"arguments\":"
                 "\"{content.p}\"}}"),
          "\"name_key\": \"f\"");
    makes("{\"added_tokens\":[],\"response_template\":" PATTERN(
              "<f>(?P<n>\\\\w+)<b>") "}",
          "\"turn\": \"<a>\"");
}

/* The output begins inside reasoning, whose opener may stand there, too. */
static void begins_inside(const char *open, const char *text)
{
    char json[512];
    snprintf(json, sizeof json,
             "{\"start_anchor\":\"<a>\",\"fields\":{\"thinking\":{\"open_"
             "pattern\":\"%s\",\"close_pattern\":\"</t>\\\\s*\"},"
             "\"tool_calls\":{\"open\":\"<f>\",\"content\":\"json\","
             "\"transform\":{\"function\":\"{content}\"}}}}",
             open);
    tw_format *format = loaded_from(json);
    tw_decoder *decoder = tw_decoder_new(format, NULL);
    for (size_t chunk = 0; chunk < 8; chunk++) {
        const feeding by = {chunk, NULL, 0};
        event_log log = {0};
        event_log_run(&log, decoder, text, strlen(text), &by, NULL, 0);
        const tw_value why = {
            .kind = TW_VALUE_STRING, .text = "Why.", .size = 4};
        const tw_value then = {
            .kind = TW_VALUE_STRING, .text = "Then.", .size = 5};
        cr_expect(same_text(&log, TW_EVENT_REASONING, &why) &&
                      same_text(&log, TW_EVENT_TEXT, &then),
                  "%s: %s by %zu", open, text, chunk);
        event_log_free(&log);
    }
    tw_decoder_free(decoder);
    tw_format_free(format);
}

Test(import, reasoning_that_nothing_opens)
{
    begins_inside("(?:^|<t>\\\\s*)", "Why.</t>\nThen.");
    begins_inside("(?:^|<t>\\\\s*)", "<t>\nWhy.</t>Then.");
    begins_inside("(?=[\\\\s\\\\S]*?</t>)", "Why.</t>Then.");
    makes(FIELDS("\"open\":\"<c>\",\"content\":\"json\",\"transform\":{"
                 "\"function\":\"{content}\"}},\"thinking\":{"
                 "\"open_pattern\":\"(?:^|<t>)\",\"close\":\"</t>\""),
          "\"reasoning\": [\"<t>{text:trim}</t>\", \"{text:trim}</t>\"]");
}

static void refuses(const char *json, const char *why)
{
    tw_format *format;
    tw_format_error error;
    cr_expect_eq(tw_format_load(json, strlen(json), NULL, &format, &error),
                 TW_ERROR_SCHEMA, "%s", json);
    cr_expect_str_eq(error.message, why, "%s: %s", json, error.message);
    tw_format_free(format);
}

#define AT "fields.tool_calls.open_pattern: "

Test(import, names_the_field_and_the_construct)
{
    refuses(PATTERN("<f>(?=x)(?P<n>\\\\w+)<b>"),
            AT "3: look-around is told by no pattern");
    refuses(PATTERN("<f>(?P<n>(a|b)+)<b>"),
            AT "9: a named group is closed and holds no other");
    refuses(PATTERN("<f>(?P<n>\\\\w+)<b>{2}"), AT "16: a count is told by no "
                                                  "pattern");
    refuses(PATTERN("<f>.*(?P<n>\\\\w+)<b>"),
            AT "3: this is told by no pattern");
    refuses(PATTERN("<f>(?P<n>\\\\w+"), AT "9: a named group is closed and "
                                           "holds no other");
    refuses(PATTERN("<f>\\\\d(?P<n>\\\\w+)<b>"),
            AT "3: this class is told by no pattern");
    refuses(PATTERN("(a|b|c|d|e|f|g|h|i)(?P<n>\\\\w+)<b>"),
            AT "15: too many alternatives");
    refuses(PATTERN("(a|b)(a|b)(a|b)(a|b)(a|b)(a|b)(?P<n>\\\\w+)<b>"),
            AT "30: more than 32 alternatives");
    refuses(FIELDS("\"open\":\"<c>\",\"content\":\"kv-lines\",\"transform\":"
                   "{\"function\":\"{content}\"}"),
            "fields.tool_calls.content: of calls it is json or xml-inline");
    refuses(FIELDS("\"open\":\"<c>\",\"odd\":1"),
            "fields.tool_calls: no such key: odd");
    refuses("{\"start_anchor\":\"<a>\",\"fields\":{\"mood\":{}}}",
            "fields: no message has a field mood");
    refuses("{\"start_anchor\":\"<a>\",\"fields\":{\"content\":{}}}",
            "as a description: call: missing");
    refuses(PATTERN("(?P<n>\\\\w+)<b>"),
            "as a description: call: it begins without a marker");
}

/* ---- each refusal ------------------------------------------------------- */

#define WITH(member) "{" member ",\"fields\":{\"tool_calls\":{}}}"
#define FIELD(name, members) \
    "{\"start_anchor\":\"<a>\",\"fields\":{\"" name "\":" members "}}"
#define WHOLE_CALL                                                          \
    "\"tool_calls\":{\"open\":\"<c>\",\"content\":\"json\",\"transform\":{" \
    "\"function\":\"{content}\"}}"
#define ANCHORED(member) "{" member ",\"fields\":{" WHOLE_CALL "}}"
#define THINKING(members)                                          \
    "{\"start_anchor\":\"<a>\",\"fields\":{\"thinking\":{" members \
    "}," WHOLE_CALL "}}"

/* Which of two counts, nobody can say. */
Test(import, refuses_what_is_named_twice)
{
    static const char bare[] = ANCHORED("\"start_anchor\":\"<a>\"");
    tw_format *format;
    tw_format_error error;
    cr_expect_eq(tw_format_load(bare, sizeof bare - 1, NULL, &format, &error),
                 TW_OK, "%s", error.message);
    tw_format_free(format);
    refuses("{\"response_template\":" ANCHORED(
                "\"start_anchor\":\"<a>\"") ",\"eos_token\":\"<e>\","
            "\"response_template\":" ANCHORED(
                "\"start_anchor\":\"<b>\"") "}",
            "response_template: the key stands twice");
    refuses("{\"response_template\":null,\"response_template\":" ANCHORED(
                "\"start_anchor\":\"<b>\"") "}",
            "response_template: the key stands twice");
    refuses(ANCHORED("\"start_anchor\":\"<a>\",\"start_anchor\":\"<b>\""),
            "the key stands twice: start_anchor");
    refuses(THINKING("\"open\":\"<t>\",\"close\":\"</t>\",\"close\":\"<u>\""),
            "fields.thinking: the key stands twice: close");
    refuses("{\"start_anchor\":\"<a>\",\"fields\":{\"content\":{\"close\":"
            "\"<e>\"}," WHOLE_CALL ",\"content\":{\"close\":\"<f>\"}}}",
            "as a description: stops: the key stands twice");
}

Test(import, refuses_a_template_whose_top_is_odd)
{
    refuses("{\"fields\":{}}", "fields: missing");
    refuses("{\"fields\":[]}", "fields: missing");
    refuses(WITH("\"voice\":1"), "no such key: voice");
    refuses(WITH("\"version\":2"), "version: 1 is the version that is known");
    refuses(WITH("\"defaults\":{\"role\":\"assistant\",\"name\":\"x\"}"),
            "defaults: told by no description: name");
    refuses(ANCHORED("\"version\":1"),
            "start_anchor: one of start_anchor and start_anchor_pattern is "
            "due");
    refuses(ANCHORED("\"start_anchor\":1"),
            "start_anchor: a text is due, and no empty one");
    refuses(ANCHORED("\"start_anchor\":[]"),
            "start_anchor: a list of no texts");
    refuses(ANCHORED("\"start_anchor_pattern\":1"),
            "start_anchor: a string is due");
    refuses(ANCHORED("\"start_anchor_pattern\":\"<a>[^b]*\""),
            "start_anchor_pattern: no group has a place here");
    makes(ANCHORED("\"start_anchor_pattern\":\"<a>(?:b|c)\""),
          "\"turn\": [\"<a>b\", \"<a>c\"]");
}

Test(import, refuses_a_field_that_is_odd)
{
    refuses(FIELD("content", "1"), "fields.content: an object is due");
    refuses(FIELD("content", "{\"join\":\"\"}"),
            "fields.content.join: it needs repeats");
    refuses(FIELD("content", "{\"repeats\":true,\"join\":\", \"}"),
            "fields.content.join: pieces stand side by side: a text between "
            "them is told by no description");
    refuses(FIELD("content", "{\"optional\":false}"),
            "fields.content.optional: a field that must be there is told by "
            "no description");
    refuses(FIELD("content", "{\"content\":\"json\"}"),
            "fields.content.content: text is due");
    refuses(FIELD("content", "{\"transform\":{}}"),
            "fields.content.transform: of text it is told by no description");
    refuses(FIELD("content", "{\"content_args\":{\"upper\":true}}"),
            "fields.content.content_args: no such key: upper");
    refuses(FIELD("content", "{\"open\":\"\"}"),
            "fields.content.open: a text is due, and no empty one");
    refuses(FIELD("content", "{\"open\":\"<a>\",\"open_pattern\":\"<b>\"}"),
            "fields.content.open_pattern: one of a text and a pattern");
    refuses(FIELD("content", "{\"open_pattern\":[\"<b>\"]}"),
            "fields.content.open_pattern: a string is due");
    refuses(THINKING("\"close\":\"</t>\""),
            "fields.thinking.open: missing; only content takes what is left");
    refuses(THINKING("\"open\":\"<t>\""), "fields.thinking.close: missing");
    refuses(THINKING("\"open_pattern\":\".*?<t>\",\"close\":\"</t>\""),
            "fields.thinking.open: it begins without a marker");
    makes(THINKING("\"open\":\"<t>\",\"close\":\"</t>\",\"content_args\":{"
                   "\"strip\":false}"),
          "\"reasoning\": \"<t>{text}</t>\"");
}

Test(import, refuses_a_call_that_no_description_tells)
{
    refuses(FIELDS("\"open\":\"<c>\",\"content\":\"json\""),
            "fields.tool_calls.transform: missing: it says which part of a "
            "call is its name");
    refuses(FIELDS("\"open\":\"<c>\",\"content\":\"json\",\"transform\":{"
                   "\"function\":\"{content}\",\"mood\":1}"),
            "fields.tool_calls.transform: a call has no member mood");
    refuses(FIELDS("\"open\":\"<c>\",\"content\":\"json\",\"transform\":{"
                   "\"function\":{\"name\":\"f\",\"arguments\":"
                   "\"{content}\"}}"),
            "fields.tool_calls.transform: a placeholder stands alone: "
            "\"{name}\"");
    refuses(FIELDS("\"open\":\"<c>\",\"content\":\"json\",\"transform\":{"
                   "\"function\":{\"name\":\"{n}\",\"arguments\":\"{m}\"}}"),
            "fields.tool_calls.transform: this is told by no description: the "
            "function is \"{content}\", or has a name and arguments that are "
            "each a placeholder");
    refuses(FIELDS("\"open\":\"<c>\",\"content\":\"json\",\"content_args\":{"
                   "\"unquoted_keys\":true,\"string_delims\":[[\"<q>\","
                   "\"<p>\"]]},\"transform\":{\"function\":\"{content}\"}"),
            "fields.tool_calls.content_args: JSON that is read so is told by "
            "no description: unquoted_keys");
    refuses(FIELDS(CONTENT),
            "fields.tool_calls.open: missing; only content takes what is "
            "left");
    refuses(
        THINKING("\"open_pattern\":\"<t>(?P<n>x+)<b>\",\"close\":\"</t>\""),
        "fields.thinking.open_pattern: a named group that no transform takes");
}

#define TAGS(arguments)                                                     \
    FIELDS("\"open_pattern\":\"<f=(?P<n>[^>]+)>\",\"close\":\"</f>\","      \
           "\"content\":\"xml-inline\",\"content_args\":{" arguments        \
           "},\"transform\":{\"function\":{\"name\":\"{n}\",\"arguments\":" \
           "\"{content}\"}}")
#define TAG "\"tag_pattern\":\"<p=(?P<key>[^>]+)>(?P<value>.*?)</p>\""

Test(import, refuses_tags_that_no_description_tells)
{
    makes(TAGS(TAG), "\"argument\": \"<p={key}>{value:trim}</p>\"");
    makes(TAGS(TAG ",\"value_parser\":{\"name\":\"json\"}"),
          "\"argument\": \"<p={key}>{value:json}</p>\"");
    makes(TAGS(TAG ",\"value_parser\":{\"name\":\"json\",\"args\":{"
                   "\"allow_non_json\":true}}"),
          "\"argument\": \"<p={key}>{value:guess}</p>\"");
    refuses(TAGS("\"value_parser\":{\"name\":\"json\"}"),
            "fields.tool_calls.content_args.tag_pattern: missing");
    refuses(TAGS(TAG ",\"order\":1"),
            "fields.tool_calls.content_args: told by no description: order");
    refuses(TAGS(TAG ",\"value_parser\":{\"name\":\"yaml\"}"),
            "fields.tool_calls.content_args: this parser of values is told by "
            "no description");
    refuses(TAGS(TAG ",\"value_parser\":{\"name\":\"json\",\"args\":{"
                     "\"depth\":1}}"),
            "fields.tool_calls.content_args: this parser of values is told by "
            "no description");
    refuses(TAGS("\"tag_pattern\":\"<p=(?P<key>[^>]+)>(?P<value>[^<]+)</p>\""),
            "fields.tool_calls.content_args.tag_pattern: 28: a value is .*?");
}

Test(import, refuses_a_construct_by_its_place)
{
    static const struct {
        const char *regex;
        const char *why;
    } rows[] = {
        {"<f>\\\\s(?P<n>x)<b>", "5: \\s without * or +"},
        {"<f>(?P<n", "7: a group is not closed"},
        {"<f>(a|b", "7: a group is not closed"},
        {"<f>(?P<n>x+)*<b>", "12: a named group stands once"},
        {"<f>(?i:a)<b>", "3: a group of this kind is told by no pattern"},
        {"<f>(ab?|c)(?P<n>x)<b>", "7: an option inside a group"},
        {"<f>(?:^|<g>)(?P<n>x)<b>", "8: ^ behind other text"},
        {"<f>(?P<n>x)<b>{,2}", "14: a count is told by no pattern"},
        {"<f>(?P<n>x)<b>{0}", "14: a count is told by no pattern"},
        {"<f>(?P<n>x)<b>{19,}", "14: a count is told by no pattern"},
        {"<f>(?P<n>x)<b>{1,2}", "14: a count is told by no pattern"},
        {"<f>(?P<n>x)<b>{,}", "14: a count is told by no pattern"},
        {"<f>[^a](?P<n>x)<b>", "3: this is told by no pattern"},
        {"<f>[^a", "3: this is told by no pattern"},
        {"<f>a$b", "4: this is told by no pattern"},
        {"<f>\\\\Zb", "3: this class is told by no pattern"},
        {"<f>\\\\", "3: this class is told by no pattern"},
    };
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        char json[512];
        char why[128];
        snprintf(json, sizeof json, PATTERN("%s"), rows[i].regex);
        snprintf(why, sizeof why, AT "%s", rows[i].why);
        refuses(json, why);
    }
}

Test(import, layout_and_what_is_passed_over)
{
    static const char *const braces[] = {"{",  "{2",  "{2,",  "{2,3",
                                         "{}", "{a}", "{2a}", "{2,a}"};
    for (size_t i = 0; i < sizeof braces / sizeof *braces; i++) {
        char json[512];
        char call[128];
        size_t size = 0;
        for (const char *at = braces[i]; *at != 0; at++) {
            call[size++] = *at;
            if (*at == '{' || *at == '}') {
                call[size++] = *at;
            }
        }
        call[size] = 0;
        char made[256];
        snprintf(json, sizeof json, PATTERN("<f>(?P<n>\\\\w+)<b>%s"),
                 braces[i]);
        snprintf(made, sizeof made, "\"call\": \"<f>{name}<b>%s{arguments}\"",
                 call);
        makes(json, made);
    }
    makes(PATTERN("<f> +(?P<n>\\\\w+)\\\\t*<b>"),
          "\"call\": \"<f>\\n{name}\\n<b>{arguments}\"");
    makes(PATTERN("<f>\\\\t(?P<n>\\\\w+) <b>"),
          "\"call\": \"<f>\\t{name} <b>{arguments}\"");
    makes(PATTERN("<f>\\\\b(?P<n>\\\\w+)#[^<]*<b>\\\\Z"),
          "\"call\": \"<f>{name}#{skip}<b>{arguments}\"");
    makes(PATTERN("<f>(?P<n>\\\\w+)#[^<\\\\]]+?<b>$"),
          "\"call\": \"<f>{name}#{skip}<b>{arguments}\"");
    makes(PATTERN("<f>(?P<n>\\\\w+)<b>|<g>(?P<n>\\\\w+)<b>"),
          "\"call\": [\"<f>{name}<b>{arguments}\", \"<g>{name}<b>"
          "{arguments}\"]");
    makes(PATTERN("<f>(?P<n>\\\\w+)<b>(?:x|y)?"),
          "\"call\": [\"<f>{name}<b>x{arguments}\", \"<f>{name}<b>y"
          "{arguments}\", \"<f>{name}<b>{arguments}\"]");
}

/* JSON of the |count| texts "<0...0>", "<1...1>" of so many bytes. */
static void put_list(char *out, size_t count, size_t bytes)
{
    char *at = out + sprintf(out, "[");
    for (size_t i = 0; i < count; i++) {
        at +=
            sprintf(at, "%s\"<%0*zu>\"", i > 0 ? "," : "", (int)bytes - 2, i);
    }
    strcpy(at, "]");
}

Test(import, refuses_what_is_too_much)
{
    char list[2048];
    char json[8192];
    put_list(list, 33, 4);
    snprintf(json, sizeof json, THINKING("\"open\":%s,\"close\":\"</t>\""),
             list);
    refuses(json, "fields.thinking.open: more than 32 alternatives");
    put_list(list, 1, 300);
    snprintf(json, sizeof json, THINKING("\"open\":%s,\"close\":\"</t>\""),
             list);
    refuses(json, "fields.thinking.open: too long");
    list[strlen(list) - 2] = 0;
    snprintf(json, sizeof json, PATTERN("%s"), list + 2);
    refuses(json, AT "257: too long");
    snprintf(json, sizeof json, PATTERN("(?:%s|b)"), list + 2);
    refuses(json, AT "260: too long");
    list[202] = 0;
    snprintf(json, sizeof json, PATTERN("%s(?:%s|b)"), list + 2, list + 2);
    refuses(json, AT "406: too long");
    snprintf(json, sizeof json, PATTERN("%s%.52s(?P<n>x)"), list + 2,
             list + 2);
    refuses(json, AT "260: too long");
}

#define BESIDE(eos, content)                                                 \
    "{" eos "\"response_template\":{\"start_anchor\":\"<|m|>\",\"fields\":{" \
    "\"tool_calls\":{\"open\":\"<c>\",\"close\":\"</c>\",\"repeats\":true,"  \
    "\"content\":\"json\",\"transform\":{\"type\":\"function\","             \
    "\"function\":\"{content}\"}}," content "}}}"

/* The tokenizer's end stops the output, beside what the fields say. */
Test(import, stops_at_the_end_of_the_tokenizer)
{
    makes(BESIDE("\"eos_token\":\"<|e|>\",", "\"content\":{}"),
          "\"stops\": \"<|e|>\"");
    makes(BESIDE("\"eos_token\":{\"content\":\"<|e|>\"},", "\"content\":{}"),
          "\"stops\": \"<|e|>\"");
    makes(BESIDE("\"eos_token\":\"<|e|>\",",
                 "\"content\":{\"close\":\"<|s|>\"}"),
          "\"stops\": [\"<|s|>\", \"<|e|>\"]");
    makes(BESIDE("\"eos_token\":\"<|s|>\",",
                 "\"content\":{\"close\":\"<|s|>\"}"),
          "\"stops\": \"<|s|>\"");
}
