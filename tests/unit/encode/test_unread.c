/* SPDX-License-Identifier: MIT
 *
 * What of a request says something to the model and is in no prompt is
 * reported; what says nothing to it is not.
 */
#include <criterion/criterion.h>
#include <stdio.h>
#include <string.h>

#include "formats/format.h"
#include "toolwire.h"

#define USER "{\"role\":\"user\",\"content\":\"Hi.\"}"

enum { COUNT = 3 };

typedef struct outcome {
    char text[16384];
    char report[512]; /* a code and a path a line */
    bool refused;     /* by the template */
} outcome;

static void encode(const tw_format *format, const char *settings,
                   const char *request, outcome *out)
{
    tw_encoder *encoder = tw_encoder_new(format, NULL);
    const char *text = "";
    size_t size = 0;
    const tw_error *one = NULL;
    cr_assert_eq(tw_encoder_set_text(encoder, TW_TEXT_SETTINGS, settings,
                                     strlen(settings)),
                 TW_OK);
    const int result =
        tw_encode(encoder, request, strlen(request), &text, &size);
    out->refused =
        format->prompt != NULL &&
        (result == TW_ERROR_TEMPLATE || result == TW_ERROR_CANNOT_CARRY);
    cr_assert(out->refused || result == TW_OK, "%s: %s", request,
              tw_encoder_error(encoder)->message);
    snprintf(out->text, sizeof out->text, "%.*s", (int)size, text);
    cr_assert_lt(size, sizeof out->text);
    size_t used = 0;
    out->report[0] = '\0';
    for (size_t i = 0; tw_encoder_report(encoder, i, &one) == 1; i++) {
        const tw_loss *loss = tw_loss_get((uint32_t)one->detail);
        used += (size_t)snprintf(out->report + used, sizeof out->report - used,
                                 "%s %s\n", loss->name, one->path);
        cr_assert_lt(used, sizeof out->report);
    }
    tw_encoder_free(encoder);
}

static bool is_reported(const outcome *out, const char *line)
{
    return strstr(out->report, line) != NULL;
}

/* Has the format prompts? */
static const tw_format *prompts_at(size_t *i)
{
    const tw_format *format = tw_format_at((*i)++);
    while (format != NULL && !tw_format_has_prompts(format)) {
        format = tw_format_at((*i)++);
    }
    return format;
}

/* ---- settings ----------------------------------------------------------- */

static const char *const conversations[COUNT] = {
    USER,
    USER ",{\"role\":\"assistant\",\"content\":\"a\",\"reasoning_content\":"
         "\"why\"}",
    USER ",{\"role\":\"assistant\",\"reasoning_content\":\"why\","
         "\"tool_calls\":[{\"id\":\"call_0\",\"function\":{\"name\":\"f\","
         "\"arguments\":{}}}]},{\"role\":\"tool\",\"content\":\"1\","
         "\"tool_call_id\":\"call_0\"}," USER,
};

/* The prompt and report of a request with a setting, which says the same as
 * beside the request; whether it is reported, of both. */
static bool encode_set(const tw_format *format, const char *name,
                       const char *value, const char *messages, outcome *set)
{
    static outcome beside;
    char request[768];
    char settings[64];
    char line[64];
    /* Some only tell how much is thought where there is thinking. */
    snprintf(settings, sizeof settings, "{%s\"%s\":%s}",
             strcmp(name, "reasoning_effort") == 0 ? "\"thinking\":true," : "",
             name, value);
    snprintf(request, sizeof request,
             "{\"messages\":[%s],\"add_generation_prompt\":true}", messages);
    encode(format, settings, request, &beside);
    snprintf(request, sizeof request,
             "{\"messages\":[%s],\"add_generation_prompt\":true,"
             "\"chat_template_kwargs\":%s}",
             messages, settings);
    encode(format, "{}", request, set);
    cr_expect_str_eq(set->text, beside.text);
    snprintf(line, sizeof line, "member_dropped %s\n", name);
    const bool told = is_reported(&beside, line);
    snprintf(line, sizeof line, "member_dropped chat_template_kwargs.%s\n",
             name);
    cr_expect_eq(is_reported(set, line), told, "%s: %s",
                 tw_format_name(format), name);
    return told;
}

/* Of each format a setting makes some prompt another, or is reported of every
 * request. */
Test(unread, settings)
{
    static const struct {
        const char *name;
        const char *values[2];
    } rows[] = {
        {"enable_thinking", {"true", "false"}},
        {"preserve_thinking", {"true", "false"}},
        {"keep_reasoning", {"true", "false"}},
        {"reasoning_effort", {"\"max\"", "\"low\""}},
        {"model_identity", {"\"I am.\"", "\"I.\""}},
        {"builtin_tools", {"[\"python\"]", "[\"browser\"]"}},
        {"date", {"\"2026-01-02\"", "\"2026-01-03\""}},
        {"training", {"true", "false"}},
        {"enable_thinkin", {"true", "false"}},
    };
    size_t carried = 0;
    size_t i = 0;
    for (const tw_format *format = prompts_at(&i); format != NULL;
         format = prompts_at(&i)) {
        for (size_t row = 0; row < sizeof rows / sizeof *rows; row++) {
            size_t told = 0;
            size_t written = 0; /* some templates refuse some orders */
            bool in_prompt = false;
            for (size_t j = 0; j < COUNT; j++) {
                static outcome first, second;
                told += encode_set(format, rows[row].name, rows[row].values[0],
                                   conversations[j], &first);
                told += encode_set(format, rows[row].name, rows[row].values[1],
                                   conversations[j], &second);
                in_prompt |= strcmp(first.text, second.text) != 0;
                written += first.refused ? 0 : 2;
            }
            cr_expect_gt(written, 0);
            cr_expect_eq(told, in_prompt ? 0 : written, "%s: %s",
                         tw_format_name(format), rows[row].name);
            carried += in_prompt;
        }
    }
    cr_expect_gt(carried, 10);
}

/* A setting that is null or empty says nothing. */
Test(unread, void_settings)
{
    static outcome out;
    encode(tw_format_find("hermes/nous"), "{\"b\":\"\",\"c\":{}}",
           "{\"messages\":[" USER "],\"chat_template_kwargs\":{\"a\":null}}",
           &out);
    cr_expect_str_eq(out.report, "");
}

/* ---- members of the request --------------------------------------------- */

/* A template has no NUL at its end. */
static bool writes(const tw_format *format, const char *part)
{
    const size_t size = strlen(part);
    for (size_t i = 0; i + size <= format->prompt->size; i++) {
        if (memcmp(format->prompt->text + i, part, size) == 0) {
            return true;
        }
    }
    return false;
}

/* Its template writes no tools at all. */
static bool tells_no_tools(const tw_format *format)
{
    return format->prompt != NULL && !writes(format, "in tools") &&
           !writes(format, "tools | tojson");
}

Test(unread, members)
{
    static const struct {
        const char *member;
        const char *report;
    } rows[] = {
        {"\"system\":\"Be kind.\"", "content_dropped system\n"},
        {"\"system\":[{\"type\":\"text\",\"text\":\"a\"}]",
         "content_dropped system\n"},
        {"\"instructions\":\"Be kind.\"", "content_dropped instructions\n"},
        {"\"documents\":[{\"text\":\"a\"}]", "content_dropped documents\n"},
        {"\"chosen\":[{\"role\":\"assistant\",\"content\":\"a\"}],"
         "\"rejected\":\"b\"",
         "content_dropped chosen\ncontent_dropped rejected\n"},
        {"\"reasoning\":{\"effort\":\"low\"}", "member_dropped reasoning\n"},
        {"\"thinking\":{\"type\":\"enabled\"}", "member_dropped thinking\n"},
        {"\"verbosity\":\"low\"", "member_dropped verbosity\n"},
        {"\"tools\":[{\"name\":\"f\",\"input_schema\":{\"type\":\"object\"}}]",
         "tool_dropped tools[0]\n"},
        {"\"system\":\"\",\"documents\":[],\"thinking\":null", ""},
        {"\"model\":\"m\",\"stream\":true,\"temperature\":1,\"n\":2,"
         "\"max_tokens\":5,\"tool_choice\":\"auto\",\"user\":\"u\"",
         ""},
        {"\"tools\":[{\"type\":\"function\",\"function\":{\"name\":\"f\"}}]",
         ""},
    };
    size_t i = 0;
    for (const tw_format *format = prompts_at(&i); format != NULL;
         format = prompts_at(&i)) {
        for (size_t row = 0; row < sizeof rows / sizeof *rows; row++) {
            static outcome out;
            char request[512];
            snprintf(request, sizeof request, "{\"messages\":[" USER "],%s}",
                     rows[row].member);
            encode(format, "{}", request, &out);
            if (tells_no_tools(format) &&
                strncmp(rows[row].member, "\"tools\"", 7) == 0) {
                cr_expect(is_reported(&out, "tool_dropped tools[0]\n"));
                continue;
            }
            if (format->prompt != NULL && writes(format, "in documents") &&
                strncmp(rows[row].member, "\"documents\"", 11) == 0) {
                cr_expect_str_eq(out.report, "");
                cr_expect_not_null(strstr(out.text, "{\"text\": \"a\"}"));
                continue;
            }
            cr_expect(rows[row].report[0] == '\0'
                          ? strstr(out.report, "member") == NULL &&
                                strstr(out.report, "dropped") == NULL
                          : is_reported(&out, rows[row].report),
                      "%s: %s: %s", tw_format_name(format), rows[row].member,
                      out.report);
        }
    }
}

#define OWN "\"reasoning_effort\":\"low\""
#define NAMED(value)                                                    \
    "\"chat_template_kwargs\":{\"thinking\":true,\"reasoning_effort\":" \
    "\"" value "\"}"
#define REQUEST(members) "{\"messages\":[" USER "]," members "}"

/* OpenAI's own place for the effort; what the template is told by name goes
 * first, and what then has no place is reported. */
Test(unread, effort)
{
    static const char line[] = "member_dropped reasoning_effort\n";
    size_t carried = 0;
    size_t i = 0;
    for (const tw_format *format = prompts_at(&i); format != NULL;
         format = prompts_at(&i)) {
        static outcome own, low, high, both;
        encode(format, "{\"thinking\":true}", REQUEST(OWN), &own);
        encode(format, "{}", REQUEST(NAMED("low")), &low);
        encode(format, "{}", REQUEST(NAMED("max")), &high);
        encode(format, "{}", REQUEST(OWN "," NAMED("max")), &both);
        const bool reads = strcmp(low.text, high.text) != 0;
        cr_expect_str_eq(own.text, low.text);
        cr_expect_str_eq(both.text, high.text);
        cr_expect_eq(is_reported(&own, line), !reads);
        cr_expect(is_reported(&both, line));
        carried += reads;
    }
    cr_expect_gt(carried, 0);
}

Test(unread, refused)
{
    static const char request[] =
        "{\"messages\":[" USER "],\"system\":\"Be kind.\"}";
    tw_encoder *encoder = tw_encoder_new(tw_format_find("hermes"), NULL);
    const char *text = "";
    size_t size = 0;
    tw_encoder_set(encoder, TW_OPTION_LOSS, TW_LOSS_POLICY_REFUSE);
    cr_expect_eq(tw_encode(encoder, request, strlen(request), &text, &size),
                 TW_ERROR_LOSS);
    cr_expect_str_eq(tw_encoder_error(encoder)->path, "system");
    cr_expect_not_null(strstr(tw_encoder_error(encoder)->message, "convert"));
    tw_encoder_free(encoder);
}
