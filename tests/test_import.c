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
    {"rt-look-1", "a format has calls"},
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
    tw_format *format;
    tw_format_error error;
    cr_assert_eq(tw_format_load(json, strlen(json), NULL, &format, &error),
                 TW_OK, "%s: %s", json, error.message);
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
    tw_format *format;
    tw_format_error error;
    snprintf(json, sizeof json,
             "{\"start_anchor\":\"<a>\",\"fields\":{\"thinking\":{\"open_"
             "pattern\":\"%s\",\"close_pattern\":\"</t>\\\\s*\"},"
             "\"tool_calls\":{\"open\":\"<f>\",\"content\":\"json\","
             "\"transform\":{\"function\":\"{content}\"}}}}",
             open);
    cr_assert_eq(tw_format_load(json, strlen(json), NULL, &format, &error),
                 TW_OK, "%s: %s", json, error.message);
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
