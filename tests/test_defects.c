/* SPDX-License-Identifier: MIT
 *
 * E1: where a template is broken the undamaged form is written, and the place
 * is reported as a defect; and nowhere else.
 */
#include <criterion/criterion.h>
#include <string.h>

#include "toolwire.h"

/* Paths of all defects of one request, for each group of dialects. */
typedef struct row {
    const char *request;
    const char *gemma;
    const char *fork;
    const char *renderer; /* openai/harmony */
    const char *jinja;    /* and PyroNet's */
    const char *qwen3;
    const char *qwen25;
    const char *nous;
    const char *rnj;
} row;

#define SAID(role, content) "{\"role\":\"" role "\",\"content\":" content "}"
#define USER SAID("user", "\"a\"")
#define CALL(name)                                                \
    "{\"type\":\"function\",\"function\":{\"name\":\"" name "\"," \
    "\"arguments\":\"{}\"}}"
#define CALLS(calls) "{\"role\":\"assistant\",\"tool_calls\":[" calls "]}"
#define MESSAGES(list) "{\"messages\":[" list "]}"
#define PROMPT(list) "{\"messages\":[" list "],\"add_generation_prompt\":true}"
#define TOOL(tool) "{\"messages\":[" USER "],\"tools\":[" tool "]}"
#define FUNCTION(rest) \
    TOOL("{\"type\":\"function\",\"function\":{\"name\":\"f\"" rest "}}")
#define SCHEMA(rest)                                                       \
    FUNCTION(                                                              \
        ",\"description\":\"d\",\"parameters\":{\"type\":\"object\"," rest \
        "}")

static const row rows[] = {
    /* No content, or not a string. */
    {MESSAGES(SAID("user", "\"a\"")), "", "", "", "", "", "", "", ""},
    {MESSAGES(SAID("user", "null")), "", "", "", "messages[0]", "", "-", "-",
     ""},
    {MESSAGES(SAID("user", "[{\"type\":\"text\",\"text\":\"a\"}]")), "", "",
     "", "messages[0].content", "", "", "", ""},
    {MESSAGES(SAID("user", "[{\"type\":\"text\"}]")), "messages[0].content[0]",
     "messages[0].content[0]", "", "messages[0].content", "", "", "", ""},
    {MESSAGES(SAID("user", "{\"a\":1}")), "messages[0].content",
     "messages[0].content", "", "messages[0].content", "", "", "", ""},
    {MESSAGES(USER "," SAID("assistant", "null")), "", "", "", "messages[1]",
     "", "-", "-", ""},
    /* Text and thoughts beside a call, and calls side by side. */
    {MESSAGES(USER ",{\"role\":\"assistant\",\"content\":\"b\",\"reasoning_"
                   "content\":\"c\",\"tool_calls\":[" CALL("f") "]}"),
     "", "", "", "messages[1].content", "", "", "", ""},
    {MESSAGES(USER "," CALLS(CALL("f"))), "", "", "", "", "", "", "", ""},
    {MESSAGES(USER "," CALLS(CALL("f") "," CALL("g"))), "", "", "",
     "messages[1].tool_calls", "", "", "", ""},
    {MESSAGES(USER ",{\"role\":\"assistant\",\"content\":null,"
                   "\"tool_calls\":[" CALL("f") "]}"),
     "", "", "", "messages[1].content", "", "", "", ""},
    /* Results: of nothing, without a text, in front of text. */
    {MESSAGES(SAID("tool", "\"r\"")), "", "", "messages[0]", "messages[0]", "",
     "", "messages[0]", ""},
    {MESSAGES(USER "," SAID("assistant", "\"b\"") "," SAID("tool", "\"r\"")),
     "", "", "messages[2]", "messages[2]", "", "", "", ""},
    {MESSAGES(USER "," CALLS(CALL("f")) "," SAID("tool", "null")), "", "", "",
     "", "", "-", "-", ""},
    {MESSAGES(USER ",{\"role\":\"assistant\",\"content\":\"b\","
                   "\"tool_calls\":[" CALL("f") "]}," SAID(
                       "tool", "\"r\"") "," SAID("assistant", "\"c\"")),
     "messages[1].content", "messages[1].content", "", "", "", "", "", ""},
    /* Behind results no turn begins, or the prompt has none to go on. */
    {PROMPT(USER "," CALLS(CALL("f")) "," SAID("tool", "\"r\"")), "", "", "",
     "", "", "", "", ""},
    {PROMPT(USER ",{\"role\":\"assistant\",\"content\":\"b\","
                 "\"tool_calls\":[" CALL("f") "]}," SAID("tool", "\"r\"")),
     "messages[2]", "messages[2]", "", "", "", "", "", ""},
    {MESSAGES(USER "," CALLS(CALL("f")) "," SAID("tool", "\"r\"") "," SAID(
         "assistant", "\"b\"") "," SAID("assistant", "\"c\"")),
     "", "", "", "", "", "", "", ""},
    /* Declarations. */
    {TOOL("{\"name\":\"f\",\"description\":\"d\"}"), "tools[0]", "tools[0]",
     "", "tools[0]", "", "", "", ""},
    {FUNCTION(""), "", "", "", "tools[0].function", "", "",
     "tools[0].function", ""},
    {FUNCTION(",\"description\":null"), "tools[0].function.description",
     "tools[0].function.description", "", "tools[0].function.description", "",
     "", "tools[0].function", ""},
    {FUNCTION(",\"description\":7"), "", "", "",
     "tools[0].function.description", "", "", "tools[0].function", ""},
    {SCHEMA("\"properties\":[1]"), "", "", "",
     "tools[0].function.parameters.properties", "", "", "", ""},
    {SCHEMA("\"required\":\"a\",\"properties\":{\"a\":{\"type\":\"string\"}}"),
     "", "", "", "tools[0].function.parameters.required", "", "", "", ""},
    {SCHEMA("\"properties\":{\"a\":{\"type\":\"string\",\"enum\":\"x\"}}"), "",
     "", "", "tools[0].function.parameters.properties.a.enum", "", "", "", ""},
    {SCHEMA("\"properties\":{\"a\":{\"oneOf\":7}}"), "", "", "",
     "tools[0].function.parameters.properties.a.oneOf", "", "", "", ""},
    {SCHEMA("\"properties\":{\"a\":{\"oneOf\":{}}}"), "", "", "", "", "", "",
     "", ""},
};

static void check(const char *format, const char *request, const char *wanted)
{
    tw_encoder *encoder = tw_encoder_new(tw_format_find(format), NULL);
    const tw_error *report;
    const char *text;
    size_t size;
    char found[1024] = "";
    cr_assert_eq(tw_encode(encoder, request, strlen(request), &text, &size),
                 TW_OK, "%s: %s", format, request);
    for (size_t i = 0; tw_encoder_report(encoder, i, &report) == 1; i++) {
        if (report->detail == TW_LOSS_TEMPLATE_DEFECT) {
            const char *path = report->path != NULL ? report->path : "-";
            cr_assert_lt(strlen(found) + strlen(path) + 2, sizeof found);
            strcat(strcat(found, *found != 0 ? " " : ""), path);
        }
    }
    cr_expect_str_eq(found, wanted, "%s: %s: [%s], not [%s]", format, request,
                     found, wanted);
    tw_encoder_free(encoder);
}

Test(defects, are_reported_where_they_are)
{
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        const row *at = &rows[i];
        check("gemma4", at->request, at->gemma);
        check("gemma4/e", at->request, at->gemma);
        check("gemma4/fork", at->request, at->fork);
        check("harmony", at->request, at->renderer);
        check("harmony/jinja", at->request, at->jinja);
        check("harmony/pyronet", at->request, at->jinja);
        check("hermes/qwen3", at->request, at->qwen3);
        check("hermes/qwen2.5", at->request, at->qwen25);
        check("hermes/nous", at->request, at->nous);
        check("hermes/rnj-1", at->request, at->rnj);
    }
}
