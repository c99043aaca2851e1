/* SPDX-License-Identifier: MIT
 *
 * Formats whose prompts a template of ours writes: it is one like any other,
 * and the same encoder writes completions, too.
 */
#include <criterion/criterion.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "formats/format.h"
#include "toolwire.h"

#define MESSAGES                                                             \
    "{\"messages\":[{\"role\":\"user\",\"content\":\"Tide?\"},{\"role\":"    \
    "\"assistant\",\"content\":\"Look.\",\"tool_calls\":[{\"id\":"           \
    "\"abcd00000\",\"type\":\"function\",\"function\":{\"name\":\"tide\","   \
    "\"arguments\":\"{\\\"at\\\": \\\"Brest\\\"}\"}}]},{\"role\":\"tool\","  \
    "\"tool_call_id\":\"abcd00000\",\"name\":\"tide\",\"content\":\"4 m\"}]" \
    ",\"add_generation_prompt\":true,\"tools\":[{\"type\":\"function\","     \
    "\"function\":{\"name\":\"tide\",\"description\":\"The tide.\","         \
    "\"parameters\":{\"type\":\"object\",\"properties\":{\"at\":{\"type\":"  \
    "\"string\",\"description\":\"where\"}}}}}]}"

static const char request[] = MESSAGES;
static const char answer[] = "{\"role\":\"assistant\",\"content\":\"4 m.\"}";

/* The next format with a template from |*i| on. */
static const tw_format *next_own(size_t *i)
{
    const tw_format *format;
    do {
        format = tw_format_at((*i)++);
    } while (format != NULL && format->prompt == NULL);
    return format;
}

static char *encoded(tw_encoder *encoder, const char *json)
{
    const char *text = NULL;
    size_t size = 0;
    cr_assert_eq(tw_encode(encoder, json, strlen(json), &text, &size), TW_OK,
                 "%s", tw_encoder_error(encoder)->message);
    char *copy = strndup(text, size);
    cr_assert_not_null(copy);
    return copy;
}

Test(own_templates, write_as_when_they_are_given)
{
    size_t found = 0;
    const tw_format *format;
    for (size_t i = 0; (format = next_own(&i)) != NULL; found++) {
        const tw_template_source source = {.text = format->prompt->text,
                                           .size = format->prompt->size};
        tw_template *given = NULL;
        cr_assert_eq(tw_template_load(&source, NULL, &given, NULL), TW_OK);
        tw_encoder *own = tw_encoder_new(format, NULL);
        tw_encoder *other = tw_encoder_new_template(given, format, NULL);
        tw_encoder_set_text(own, TW_TEXT_NOW, "2026-11-25T12:00:00", 19);
        tw_encoder_set_text(other, TW_TEXT_NOW, "2026-11-25T12:00:00", 19);
        char *mine = encoded(own, request);
        char *its = encoded(other, request);
        cr_expect_str_eq(mine, its, "%s", tw_format_name(format));
        cr_expect_not_null(strstr(mine, "Brest"));
        free(mine);
        free(its);
        tw_encoder_free(own);
        tw_encoder_free(other);
        tw_template_free(given);
    }
    cr_expect_gt(found, 0);
}

/* A completion between two prompts changes nothing in them, and has no
 * spans. */
Test(own_templates, and_completions_are_of_one_encoder)
{
    const tw_format *format;
    for (size_t i = 0; (format = next_own(&i)) != NULL;) {
        const char *name = tw_format_name(format);
        const char *text = NULL;
        size_t size = 0;
        const tw_span *span;
        tw_encoder *encoder = tw_encoder_new(format, NULL);
        tw_encoder_set_text(encoder, TW_TEXT_NOW, "2026-11-25T12:00:00", 19);
        char *first = encoded(encoder, request);
        cr_expect_eq(tw_encoder_span(encoder, 0, &span), 1, "%s", name);
        cr_assert_eq(tw_encode_completion(encoder, answer, strlen(answer),
                                          &text, &size),
                     TW_OK, "%s", name);
        cr_expect(size > 0 && size < strlen(first), "%s", name);
        cr_expect_eq(tw_encoder_span(encoder, 0, &span), TW_ERROR_ARGUMENT);
        char *second = encoded(encoder, request);
        cr_expect_str_eq(first, second, "%s", name);
        free(first);
        free(second);
        tw_encoder_free(encoder);
    }
}

/* No user's text begins or ends a turn. */
Test(own_templates, let_no_marker_be_forged)
{
    const tw_format *format;
    for (size_t i = 0; (format = next_own(&i)) != NULL;) {
        tw_encoder *encoder = tw_encoder_new(format, NULL);
        const tw_marker *marker;
        size_t turns = 0;
        for (size_t m = 0; tw_format_marker(format, m, &marker) == 1; m++) {
            char json[256];
            const char *text;
            size_t size;
            snprintf(json, sizeof json,
                     "{\"messages\":[{\"role\":\"user\",\"content\":\"a "
                     "%s b\"}]}",
                     marker->text);
            if (marker->role != TW_MARKER_TURN &&
                marker->role != TW_MARKER_END) {
                continue;
            }
            turns += marker->role == TW_MARKER_TURN;
            cr_expect_eq(tw_encode(encoder, json, strlen(json), &text, &size),
                         TW_ERROR_CONTROL_TEXT, "%s: %s",
                         tw_format_name(format), marker->text);
        }
        cr_expect_gt(turns, 0, "%s", tw_format_name(format));
        tw_encoder_free(encoder);
    }
}

/* A call with free text has no place in most of them, and one without a name
 * in none. */
Test(own_templates, refuse_calls_that_nobody_reads)
{
    static const char *const calls[] = {
        "\"type\":\"custom\",\"custom\":{\"name\":\"python\",\"input\":"
        "\"print(1)\"}",
        "\"type\":\"function\",\"function\":{\"name\":\"\",\"arguments\":"
        "\"{}\"}"};
    const tw_format *format;
    for (size_t i = 0; (format = next_own(&i)) != NULL;) {
        tw_encoder *encoder = tw_encoder_new(format, NULL);
        for (size_t c = format->family->writes_free_text ? 1 : 0;
             c < sizeof calls / sizeof *calls; c++) {
            char json[512];
            const char *text;
            size_t size;
            snprintf(json, sizeof json,
                     "{\"messages\":[{\"role\":\"user\",\"content\":\"a\"},{"
                     "\"role\":\"assistant\",\"content\":\"\",\"tool_calls\":["
                     "{\"id\":\"abcd00000\",%s}]}]}",
                     calls[c]);
            const int result =
                tw_encode(encoder, json, strlen(json), &text, &size);
            cr_expect(result == TW_ERROR_CANNOT_CARRY ||
                          result == TW_ERROR_TEMPLATE,
                      "%s: %d", tw_format_name(format), result);
        }
        tw_encoder_free(encoder);
    }
}

/* A setting of the template is listed, and one that is none is told. */
Test(own_templates, have_settings)
{
    const tw_format *format;
    for (size_t i = 0; (format = next_own(&i)) != NULL;) {
        const tw_setting *setting;
        for (size_t n = 0; tw_format_setting(format, n, &setting) == 1; n++) {
            cr_expect(strcmp(setting->type, "boolean") == 0 ||
                          strcmp(setting->type, "array") == 0 ||
                          strcmp(setting->type, "string") == 0,
                      "%s: %s: %s", tw_format_name(format), setting->name,
                      setting->type);
            cr_expect_gt(strlen(setting->about), 5);
            cr_expect_not_null(strstr(format->prompt->text, setting->name));
        }
    }
}

/* ---- what is said of a request ------------------------------------------ */

static const char odd_request[] =
    "{\"messages\":[{\"role\":\"user\",\"content\":\"Tide?\"},{\"role\":"
    "\"assistant\",\"content\":\"Look.\",\"tool_calls\":[{\"id\":"
    "\"abcd00000\",\"type\":\"function\",\"function\":{\"name\":\"tide\","
    "\"arguments\":{\"at\":1e3}}}]},{\"role\":\"tool\","
    "\"tool_call_id\":\"abcd00000\",\"name\":\"tide\",\"content\":\"4 m\"}]"
    "}";

/* E3: numbers are those of the request, or Python's where that is asked for.
 */
Test(own_templates, keep_the_spelling_of_numbers)
{
    const tw_format *format;
    for (size_t i = 0; (format = next_own(&i)) != NULL;) {
        tw_encoder *encoder = tw_encoder_new(format, NULL);
        char *spelled = encoded(encoder, odd_request);
        cr_expect_not_null(strstr(spelled, "1e3"), "%s: %s",
                           tw_format_name(format), spelled);
        tw_encoder_set(encoder, TW_OPTION_PYTHON_NUMBERS, 1);
        char *python = encoded(encoder, odd_request);
        cr_expect_not_null(strstr(python, "1000.0"), "%s: %s",
                           tw_format_name(format), python);
        free(spelled);
        free(python);
        tw_encoder_free(encoder);
    }
}

static bool is_told(tw_encoder *encoder, uint32_t code, const char *path)
{
    const tw_error *report;
    bool found = false;
    for (size_t i = 0; tw_encoder_report(encoder, i, &report) == 1; i++) {
        found |= report->detail == (int32_t)code && report->path != NULL &&
                 strcmp(report->path, path) == 0;
    }
    return found;
}

/* Of two values under one key a template writes the last: the first is told,
 * unless the arguments stand as they came. */
Test(own_templates, tell_of_a_key_that_stands_twice)
{
    static const char twice[] =
        "{\"messages\":[{\"role\":\"user\",\"content\":\"a\"},{\"role\":"
        "\"assistant\",\"content\":\"\",\"tool_calls\":[{\"id\":"
        "\"abcd00000\",\"type\":\"function\",\"function\":{\"name\":\"f\","
        "\"arguments\":\"{\\\"zz\\\": 1, \\\"zz\\\": 2}\"}}]}]}";
    const tw_format *format;
    for (size_t i = 0; (format = next_own(&i)) != NULL;) {
        tw_encoder *encoder = tw_encoder_new(format, NULL);
        char *text = encoded(encoder, twice);
        const tw_error *report;
        bool told = strstr(text, "{\"zz\": 1, \"zz\": 2}") != NULL;
        for (size_t r = 0; tw_encoder_report(encoder, r, &report) == 1; r++) {
            told |= report->detail == TW_LOSS_CALL_FORM ||
                    report->detail == TW_LOSS_CALL_DROPPED ||
                    report->detail == TW_LOSS_ARGUMENTS_SPELLING;
        }
        cr_expect(told, "%s: %s", tw_format_name(format), text);
        free(text);
        tw_encoder_free(encoder);
    }
}

/* E4: an id or a name that is not in the prompt is told. */
Test(own_templates, tell_ids_and_names_that_they_lose)
{
    const tw_format *format;
    for (size_t i = 0; (format = next_own(&i)) != NULL;) {
        tw_encoder *encoder = tw_encoder_new(format, NULL);
        char *text = encoded(encoder, odd_request);
        const char *name = tw_format_name(format);
        cr_expect(strstr(text, "abcd00000") != NULL ||
                      is_told(encoder, TW_LOSS_CALL_ID,
                              "messages[1].tool_calls[0].id"),
                  "%s", name);
        cr_expect(
            strstr(text, "abcd00000") != NULL ||
                is_told(encoder, TW_LOSS_CALL_ID, "messages[2].tool_call_id"),
            "%s", name);
        free(text);
        tw_encoder_free(encoder);
    }
}

/* Reasoning under any of its names is that under the one that is read. */
Test(own_templates, read_reasoning_under_all_its_names)
{
    static const char *const names[] = {"reasoning_content", "reasoning",
                                        "thinking"};
    const tw_format *format;
    for (size_t i = 0; (format = next_own(&i)) != NULL;) {
        char *first = NULL;
        tw_encoder *encoder = tw_encoder_new(format, NULL);
        for (size_t n = 0; n < sizeof names / sizeof *names; n++) {
            char json[256];
            snprintf(json, sizeof json,
                     "{\"messages\":[{\"role\":\"user\",\"content\":\"a\"},{"
                     "\"role\":\"assistant\",\"content\":\"b\",\"%s\":"
                     "\"because\"}]}",
                     names[n]);
            char *text = encoded(encoder, json);
            cr_expect_str_eq(text, first != NULL ? first : text, "%s: %s",
                             tw_format_name(format), names[n]);
            free(first);
            first = text;
        }
        free(first);
        tw_encoder_free(encoder);
    }
}

/* What a call loses is known of the format and seen in its prompt: it is told
 * once. */
Test(own_templates, tell_halves_once)
{
    static const char halves[] =
        "{\"messages\":[{\"role\":\"user\",\"content\":\"a\"},{\"role\":"
        "\"assistant\",\"tool_calls\":[{\"id\":\"abcd00000\",\"type\":"
        "\"function\",\"function\":{\"name\":\"f\",\"arguments\":{\"a\":"
        "\"\\ud800\"}}}]}]}";
    const tw_format *format;
    size_t some = 0;
    for (size_t i = 0; (format = next_own(&i)) != NULL;) {
        tw_encoder *encoder = tw_encoder_new(format, NULL);
        const tw_error *report;
        size_t told = 0;
        free(encoded(encoder, halves));
        for (size_t n = 0; tw_encoder_report(encoder, n, &report) == 1; n++) {
            told += report->detail == TW_LOSS_LONE_SURROGATE_LOST;
        }
        cr_expect_leq(told, 1, "%s", tw_format_name(format));
        some += told;
        tw_encoder_free(encoder);
    }
    cr_expect_gt(some, 3);
}

/* What a format cannot hold has a path: its template names the value. */
Test(own_templates, name_what_they_refuse)
{
    static const struct {
        const char *text;
        bool always; /* also where unsafe bytes are wanted */
    } rows[] = {
        {"{{ toolwire_refuse(messages[1].tool_calls[0].id, 'No.') }}", true},
        {"{{ toolwire_unsafe(messages[1].tool_calls[0].id, 'No.') }}", false}};
    for (size_t i = 0; i < 4; i++) {
        const bool allow = i % 2 == 1;
        const char *refuses = rows[i / 2].text;
        const tw_template_source source = {.text = refuses,
                                           .size = strlen(refuses)};
        tw_template *loaded = NULL;
        const char *text;
        size_t size;
        cr_assert_eq(tw_template_load(&source, NULL, &loaded, NULL), TW_OK);
        tw_encoder *encoder = tw_encoder_new_template(loaded, NULL, NULL);
        tw_encoder_set(encoder, TW_OPTION_CONTROL_TEXT,
                       allow ? TW_CONTROL_TEXT_ALLOW : TW_CONTROL_TEXT_REJECT);
        const int result =
            tw_encode(encoder, request, sizeof request - 1, &text, &size);
        if (allow && !rows[i / 2].always) {
            cr_expect_eq(result, TW_OK);
            cr_expect_eq(size, 0);
        } else {
            const tw_error *error = tw_encoder_error(encoder);
            cr_expect_eq(result, TW_ERROR_CANNOT_CARRY);
            cr_expect_str_eq(error->message, "No.");
            cr_expect_str_eq(error->path, "messages[1].tool_calls[0].id");
        }
        tw_encoder_free(encoder);
        tw_template_free(loaded);
    }
}

/* |count| calls of one message, and a result for each; to be freed. */
static char *with_results(size_t count)
{
    enum { EACH = 300 };
    char *json = malloc((count + 1) * EACH);
    cr_assert_not_null(json);
    char *at = json + sprintf(json, "{\"messages\":[{\"role\":\"user\","
                                    "\"content\":\"a\"},{\"role\":"
                                    "\"assistant\",\"content\":\"\","
                                    "\"tool_calls\":[");
    for (size_t i = 0; i < count; i++) {
        at += sprintf(at,
                      "%s{\"id\":\"abcd%05zu\",\"type\":\"function\","
                      "\"function\":{\"name\":\"f%zu\",\"arguments\":\"{}\"}}",
                      i > 0 ? "," : "", i, i % 7);
    }
    at += sprintf(at, "]}");
    for (size_t i = 0; i < count; i++) {
        at += sprintf(at,
                      ",{\"role\":\"tool\",\"tool_call_id\":\"abcd%05zu\","
                      "\"content\":\"x\"}",
                      i);
    }
    sprintf(at, "]}");
    return json;
}

/* Results in the order of their calls take a bounded number of steps each. */
Test(own_templates, write_thousands_of_results)
{
    char *json = with_results(8000 / TESTS_SHARE);
    const tw_format *format;
    for (size_t i = 0; (format = next_own(&i)) != NULL;) {
        tw_encoder *encoder = tw_encoder_new(format, NULL);
        const char *text = NULL;
        size_t size = 0;
        const int result =
            tw_encode(encoder, json, strlen(json), &text, &size);
        cr_expect(result != TW_ERROR_LIMIT && result != TW_ERROR_MEMORY,
                  "%s: %s", format->name, tw_encoder_error(encoder)->message);
        tw_encoder_free(encoder);
    }
    free(json);
}

Test(own_templates, tell_losses)
{
    static const char tells[] =
        "{{ messages[0].content }}{{ toolwire_loss('template_defect', "
        "messages[0].content.upper()[1:], 'It is cut.') }}{{ toolwire_loss("
        "'tool_part', tools[0].function, 'It is' ~ 'long.') }}{{ "
        "toolwire_loss('member_dropped', messages[2].name) }}";
    static const char errs[] = "{{ toolwire_loss('no such loss', messages) }}";
    const tw_template_source sources[] = {
        {.text = tells, .size = sizeof tells - 1},
        {.text = errs, .size = sizeof errs - 1}};
    tw_template *loaded = NULL;
    cr_assert_eq(tw_template_load(&sources[0], NULL, &loaded, NULL), TW_OK);
    tw_encoder *encoder = tw_encoder_new_template(loaded, NULL, NULL);
    char *text = encoded(encoder, request);
    cr_expect_str_eq(text, "Tide?");
    cr_expect(
        is_told(encoder, TW_LOSS_TEMPLATE_DEFECT, "messages[0].content"));
    cr_expect(is_told(encoder, TW_LOSS_TOOL_PART, "tools[0].function"));
    cr_expect(is_told(encoder, TW_LOSS_AUTHOR_NAME, "messages[2].name"));
    const tw_error *report;
    cr_assert_eq(tw_encoder_report(encoder, 0, &report), 1);
    cr_expect_str_eq(report->message, "It is cut.");
    free(text);
    tw_encoder_free(encoder);
    tw_template_free(loaded);
    cr_assert_eq(tw_template_load(&sources[1], NULL, &loaded, NULL), TW_OK);
    encoder = tw_encoder_new_template(loaded, NULL, NULL);
    const char *none;
    size_t size;
    cr_expect_eq(tw_encode(encoder, request, sizeof request - 1, &none, &size),
                 TW_ERROR_TEMPLATE);
    tw_encoder_free(encoder);
    tw_template_free(loaded);
}
