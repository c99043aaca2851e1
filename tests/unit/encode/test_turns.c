/* SPDX-License-Identifier: MIT
 *
 * Whole transcripts of a chat template, read back to the conversation that the
 * template wrote.
 */
#include <criterion/criterion.h>
#include <stdio.h>
#include <string.h>

#include "allocator.h"
#include "toolwire.h"

/* As many have it: results stand in a turn of the user's. */
static const char chat[] =
    "{% for m in messages %}"
    "{% if m.role == 'tool' %}"
    "{{ '<|im_start|>user' if loop.previtem.role != 'tool' }}"
    "{{ '\\n<tool_response>\\n' ~ m.content ~ '\\n</tool_response>' }}"
    "{{ '<|im_end|>\\n' if loop.last or loop.nextitem.role != 'tool' }}"
    "{% else %}<|im_start|>{{ m.role ~ '\\n' ~ m.content }}"
    "{% for c in m.tool_calls %}"
    "{{ '\\n' if m.content or not loop.first }}"
    "{{ '<tool_call>\\n{\"name\": \"' ~ c.function.name ~ '\", "
    "\"arguments\": ' ~ c.function.arguments | tojson ~ '}\\n</tool_call>' }}"
    "{% endfor %}{{ '<|im_end|>\\n' }}{% endif %}{% endfor %}"
    "{{ '<|im_start|>assistant\\n' if add_generation_prompt }}";

/* ... and the tools in front, one behind the other. */
#define DECLARES                                                     \
    "{% if tools %}<|im_start|>system\nTools:\n{% for t in tools %}" \
    "{{ t | tojson ~ '\\n' }}{% endfor %}<|im_end|>\n{% endif %}"
static const char declared[] =
    "<|im_start|>system\nTools:\n"
    "{\"type\": \"function\", \"function\": {\"name\": \"tide\"}}\n"
    "{\"type\": \"function\", \"function\": {\"name\": \"moon\"}}\n"
    "<|im_end|>\n";
static const char declared_tools[] =
    ",\"tools\":[{\"type\":\"function\",\"function\":{\"name\":\"tide\"}},"
    "{\"type\":\"function\",\"function\":{\"name\":\"moon\"}}]}";

static const char transcript[] =
    "<|im_start|>system\nBe short.<|im_end|>\n"
    "<|im_start|>user\nTides?<|im_end|>\n"
    "<|im_start|>assistant\n<tool_call>\n{\"name\": \"tide\", \"arguments\": "
    "{\"at\":  \"Brest\"}}\n</tool_call>\n<tool_call>\n{\"name\": \"tide\", "
    "\"arguments\": {\"at\": \"Cork\"}}\n</tool_call><|im_end|>\n"
    "<|im_start|>user\n<tool_response>\n7\n</tool_response>\n"
    "<tool_response>\n8\n</tool_response><|im_end|>\n"
    "<|im_start|>assistant\nAt 7 and 8.<|im_end|>\n"
    "<|im_start|>user\nThanks.<|im_end|>\n"
    "<|im_start|>assistant\n";

static const char conversation[] =
    "{\"messages\":[{\"role\":\"system\",\"content\":\"Be short.\"},{\"role\":"
    "\"user\",\"content\":\"Tides?\"},{\"role\":\"assistant\",\"content\":"
    "null,\"tool_calls\":[{\"id\":\"call_0\",\"type\":\"function\","
    "\"function\":{\"name\":\"tide\",\"arguments\":\"{\\\"at\\\":  "
    "\\\"Brest\\\"}\"}},{\"id\":\"call_1\",\"type\":\"function\",\"function\":"
    "{\"name\":\"tide\",\"arguments\":\"{\\\"at\\\": \\\"Cork\\\"}\"}}]},{"
    "\"role\":\"tool\",\"tool_call_id\":\"call_0\",\"content\":\"7\"},{"
    "\"role\":\"tool\",\"tool_call_id\":\"call_1\",\"content\":\"8\"},{"
    "\"role\":\"assistant\",\"content\":\"At 7 and 8.\"},{\"role\":\"user\","
    "\"content\":\"Thanks.\"}]}";

typedef struct reading {
    tw_template *template_;
    tw_converter *converter;
} reading;

/* NULL: no memory. */
static tw_converter *open_reading(reading *its, const char *text,
                                  const tw_allocator *allocator)
{
    const tw_template_source source = {.text = text, .size = strlen(text)};
    its->converter = NULL;
    if (tw_template_load(&source, allocator, &its->template_, NULL) != TW_OK) {
        its->template_ = NULL;
        return NULL;
    }
    tw_detection *found = tw_template_detect(its->template_, allocator);
    const tw_format *format = tw_detection_format(found);
    its->converter = found != NULL ? tw_converter_between(format, NULL, NULL,
                                                          "openai", allocator)
                                   : NULL;
    tw_detection_free(found);
    if (its->converter == NULL) {
        return NULL;
    }
    const int code = tw_converter_set_template(its->converter, its->template_);
    cr_assert(code == TW_OK || (allocator != NULL && code == TW_ERROR_MEMORY));
    return code == TW_OK ? its->converter : NULL;
}

static void close_reading(reading *its)
{
    tw_converter_free(its->converter);
    tw_template_free(its->template_);
}

Test(turns, a_transcript_of_a_template_is_read)
{
    reading its;
    const char *json = "";
    size_t size = 0;
    cr_assert_not_null(open_reading(&its, chat, NULL));
    for (int i = 0; i < 2; i++) { /* the second time nothing is learned */
        cr_assert_eq(tw_decode_transcript(its.converter, transcript,
                                          sizeof transcript - 1, &json, &size),
                     TW_OK, "%s", tw_converter_error(its.converter)->message);
        cr_expect_eq(size, sizeof conversation - 1);
        cr_expect_arr_eq(json, conversation, size, "%.*s", (int)size, json);
    }
    close_reading(&its);
}

/* |front| and the transcript. */
static int read_behind(reading *its, const char *front, const char **json)
{
    char text[2 * sizeof transcript];
    size_t size = 0;
    const int length = snprintf(text, sizeof text, "%s%s", front, transcript);
    *json = "";
    return tw_decode_transcript(its->converter, text, (size_t)length, json,
                                &size);
}

/* Tools that were not given are found in the prompt; words that only look like
 * some are refused, since the template does not write them. */
Test(turns, tools_in_the_prompt_are_found)
{
    reading its;
    char template_[sizeof chat + 256];
    char expected[sizeof conversation + sizeof declared_tools];
    const char *json;
    snprintf(template_, sizeof template_, "%s%s", DECLARES, chat);
    snprintf(expected, sizeof expected, "%.*s%s", (int)sizeof conversation - 2,
             conversation, declared_tools);
    cr_assert_not_null(open_reading(&its, template_, NULL));
    for (int i = 0; i < 2; i++) { /* with them, and without */
        cr_assert_eq(read_behind(&its, declared, &json), TW_OK, "%s",
                     tw_converter_error(its.converter)->message);
        cr_expect_str_eq(json, expected);
        cr_assert_eq(read_behind(&its, "", &json), TW_OK);
        cr_expect_str_eq(json, conversation);
    }
    cr_expect_eq(read_behind(&its,
                             "<|im_start|>system\nTools:\n{\"name\": "
                             "\"tide\"}\n<|im_end|>\n",
                             &json),
                 TW_ERROR_CANNOT_CARRY);
    close_reading(&its);
}

/* A turn of the model's, and others, in their ways. */
#define CALLS                                             \
    "{% for c in m.tool_calls %}<tool_call>\n{\"name\": " \
    "\"{{ c.function.name }}\", \"arguments\": "          \
    "{{ c.function.arguments | tojson }}}\n</tool_call>{% endfor %}"
#define TURN(front)                                                  \
    "<|im_start|>{{ m.role }}\n" front "{{ m.content or '' }}" CALLS \
    "<|im_end|>\n{% endfor %}"
#define PROMPT "{{ '<|im_start|>assistant\\n' if add_generation_prompt }}"
#define CALL_OF(at)                                                     \
    "{\"role\":\"assistant\",\"content\":null,\"tool_calls\":[{\"id\":" \
    "\"call_0\",\"type\":\"function\",\"function\":{\"name\":\"tide\"," \
    "\"arguments\":\"{\\\"at\\\": \\\"" at                              \
    "\\\"}\"}}]},{\"role\":\"tool\",\"tool_call_id\":\"call_0\","       \
    "\"content\":\"7\"}"

/* Results are numbered; tools stand in tags, in front of the last question; no
 * prompt is written for the model's turn. */
Test(turns, what_counts_or_moves_is_read)
{
    static const char *const templates[] = {
        "{% set n = namespace(at=0) %}{% for m in messages %}" TURN(
            "{% if m.role == 'tool' %}{% set n.at = n.at + 1 %}"
            "Result {{ n.at }}: {% endif %}") PROMPT,
        "{% set last = (messages | selectattr('role', 'eq', 'user') | list)"
        "[-1] %}{% for m in messages %}{% if tools and m == last %}<tools>"
        "{% for t in tools %}<tool>{{ t | tojson }}</tool>{% endfor %}"
        "</tools>\n{% endif %}" TURN("") PROMPT,
        "{% for m in messages %}" TURN(""),
    };
    static const char request[] =
        "{\"messages\":[{\"role\":\"user\",\"content\":\"Tides?\"}," CALL_OF(
            "Brest") "," CALL_OF("Cork") ",{\"role\":\"assistant\","
                                         "\"content\":\"At 7.\"},{\"role\":"
                                         "\"user\",\"content\":\"Thanks.\"}]";
    for (size_t i = 0; i < sizeof templates / sizeof *templates; i++) {
        reading its;
        char whole[sizeof request + sizeof declared_tools];
        const char *text = "", *json = "";
        size_t size = 0, json_size = 0;
        snprintf(whole, sizeof whole, "%s%s", request,
                 i == 1 ? declared_tools : "}");
        const tw_template_source source = {templates[i], strlen(templates[i]),
                                           NULL, 0, NULL};
        cr_assert_eq(tw_template_load(&source, NULL, &its.template_, NULL),
                     TW_OK);
        its.converter = tw_converter_between(tw_format_find("hermes"), NULL,
                                             NULL, "openai", NULL);
        cr_assert_eq(tw_converter_set_template(its.converter, its.template_),
                     TW_OK);
        tw_encoder *encoder =
            tw_encoder_new_template(its.template_, NULL, NULL);
        cr_assert_eq(tw_encode(encoder, whole, strlen(whole), &text, &size),
                     TW_OK, "%s", tw_encoder_error(encoder)->message);
        cr_expect_eq(
            tw_decode_transcript(its.converter, text, size, &json, &json_size),
            TW_OK, "%zu: %s\n%.*s", i,
            tw_converter_error(its.converter)->message, (int)size, text);
        cr_expect_str_eq(json, whole, "%zu: %s", i, json);
        tw_encoder_free(encoder);
        close_reading(&its);
    }
}

/* The roles of a conversation, a letter each. */
static void roles_of(const char *json, char *roles)
{
    size_t count = 0;
    while ((json = strstr(json, "{\"role\":\"")) != NULL) {
        json += sizeof "{\"role\":\"" - 1;
        roles[count++] = *json;
    }
    roles[count] = '\0';
}

/* A question behind a result, behind another one, and what a system says
 * later: none is a part of the turn in front. */
Test(turns, seldom_neighbours_are_turns)
{
    static const char seldom[] =
        "<|im_start|>user\nTides?<|im_end|>\n"
        "<|im_start|>assistant\n<tool_call>\n{\"name\": \"tide\", "
        "\"arguments\": {}}\n</tool_call><|im_end|>\n"
        "<|im_start|>user\n<tool_response>\n7\n</tool_response><|im_end|>\n"
        "<|im_start|>user\nAnd moons?<|im_end|>\n"
        "<|im_start|>user\nPlease.<|im_end|>\n"
        "<|im_start|>system\nBe short.<|im_end|>\n"
        "<|im_start|>system\nBe kind.<|im_end|>\n"
        "<|im_start|>assistant\nNone.<|im_end|>\n"
        "<|im_start|>system\nThank them.<|im_end|>\n"
        "<|im_start|>user\nGood.<|im_end|>\n";
    reading its;
    const char *json = "";
    size_t size = 0;
    char roles[16];
    cr_assert_not_null(open_reading(&its, chat, NULL));
    cr_assert_eq(tw_decode_transcript(its.converter, seldom, sizeof seldom - 1,
                                      &json, &size),
                 TW_OK, "%s", tw_converter_error(its.converter)->message);
    roles_of(json, roles);
    cr_expect_str_eq(roles, "uatuussasu", "%s", json);
    close_reading(&its);
}

/* Of formats that have prompts. */
Test(turns, formats_read_their_prompts)
{
    static const char request[] =
        "{\"messages\":[{\"role\":\"user\",\"content\":\"Tides?\"},"
        "{\"role\":\"assistant\",\"content\":\"At 7.\"}],"
        "\"add_generation_prompt\":false}";
    const tw_format *format;
    size_t count = 0;
    for (size_t i = 0; (format = tw_format_at(i)) != NULL; i++) {
        const char *text = "", *json = "";
        size_t size = 0, json_size = 0;
        if (tw_format_has_prompts(format) == 0) {
            continue;
        }
        tw_encoder *encoder = tw_encoder_new(format, NULL);
        tw_converter *converter =
            tw_converter_between(format, NULL, NULL, "openai", NULL);
        cr_assert_eq(
            tw_encode(encoder, request, sizeof request - 1, &text, &size),
            TW_OK, "%s", tw_format_name(format));
        cr_expect_eq(
            tw_decode_transcript(converter, text, size, &json, &json_size),
            TW_OK, "%s: %s", tw_format_name(format),
            tw_converter_error(converter)->message);
        cr_expect_not_null(strstr(json, "\"Tides?\""));
        cr_expect_not_null(strstr(json, "\"At 7.\""));
        tw_converter_free(converter);
        tw_encoder_free(encoder);
        count++;
    }
    cr_expect_gt(count, 10);
}

/* A text is read as what the template writes, or it is refused. */
Test(turns, another_text_is_refused)
{
    reading its;
    const char *json;
    size_t size;
    char text[sizeof transcript];
    memcpy(text, transcript, sizeof text);
    cr_assert_not_null(open_reading(&its, chat, NULL));
    /* Behind the last turn of the model's stands a byte too many. */
    memcpy(strstr(text, "8.<|im_end|>\n") + sizeof "8.<|im_end|>" - 1, " ", 1);
    cr_expect_eq(tw_decode_transcript(its.converter, text, sizeof text - 1,
                                      &json, &size),
                 TW_ERROR_CANNOT_CARRY);
    cr_expect_eq(
        tw_decode_transcript(its.converter, "Hello.", 6, &json, &size),
        TW_ERROR_SCHEMA);
    close_reading(&its);
}

/* Some templates leave out the end of a text at times, or a head: the answer
 * behind such a text is not taken for more of the text. */
Test(turns, a_turn_within_a_text_is_refused)
{
    static const char *const within[] = {
        "<|im_start|>user\nTides?<|im_start|>assistant\nAt 7.<|im_end|>\n",
        "<|im_start|>user\nTides?<|im_end|>\n<tool_call>\n{\"name\": "
        "\"tide\", "
        "\"arguments\": {}}\n</tool_call><|im_end|>\n<|im_start|>assistant\n"
        "At 7.<|im_end|>\n",
        "<|im_start|>user\nTides?</tool_response><tool_call>\n{\"name\": "
        "\"tide"
        "\", \"arguments\": {}}\n</tool_call><|im_end|>\n<|im_start|>assistant"
        "\nAt 7.<|im_end|>\n"};
    reading its;
    const char *json;
    size_t size;
    cr_assert_not_null(open_reading(&its, chat, NULL));
    for (size_t i = 0; i < sizeof within / sizeof *within; i++) {
        cr_expect_eq(tw_decode_transcript(its.converter, within[i],
                                          strlen(within[i]), &json, &size),
                     TW_ERROR_CANNOT_CARRY);
        cr_expect_eq(tw_converter_error(its.converter)->offset, 23);
    }
    close_reading(&its);
}

/* Wherever a transcript is cut off: what is read of it is what stands there.
 */
Test(turns, a_cut_transcript_is_read_or_refused)
{
    reading its;
    const char *json;
    size_t size;
    size_t read = 0;
    cr_assert_not_null(open_reading(&its, chat, NULL));
    for (size_t cut = 1; cut < sizeof transcript; cut++) {
        const int code =
            tw_decode_transcript(its.converter, transcript, cut, &json, &size);
        cr_expect(code == TW_OK || code == TW_ERROR_CANNOT_CARRY ||
                      code == TW_ERROR_SCHEMA,
                  "%zu: %d", cut, code);
        read += code == TW_OK;
    }
    cr_expect_gt(read, 20);
    close_reading(&its);
}

/* Where nothing stands between a question and its answer. */
Test(turns, a_template_without_turns_is_refused)
{
    static const char bare[] =
        "{% for m in messages %}{{ m.content }}{% endfor %}";
    const tw_template_source source = {.text = bare, .size = sizeof bare - 1};
    tw_template *template_;
    const char *json;
    size_t size;
    tw_converter *converter =
        tw_converter_between(tw_format_at(0), NULL, NULL, "openai", NULL);
    cr_assert_eq(tw_template_load(&source, NULL, &template_, NULL), TW_OK);
    cr_assert_eq(tw_converter_set_template(converter, template_), TW_OK);
    cr_expect_eq(tw_decode_transcript(converter, "Hi.", 3, &json, &size),
                 TW_ERROR_CANNOT_CARRY);
    cr_expect_not_null(strstr(tw_converter_error(converter)->message,
                              "cannot be told apart"));
    tw_converter_free(converter);
    tw_template_free(template_);
}

/* A prompt of yesterday, and of another switch than the default. */
Test(turns, settings_and_the_time_are_those_of_the_transcript)
{
    static const char dated[] =
        "<|im_start|>system\n{{ strftime_now('%Y-%m-%d') }} {{ effort }}"
        "<|im_end|>\n"
        "{% for m in messages %}<|im_start|>{{ m.role }}\n{{ m.content }}"
        "<|im_end|>\n{% endfor %}"
        "{{ '<|im_start|>assistant\n' if add_generation_prompt }}";
    static const char text[] =
        "<|im_start|>system\n2025-01-02 high<|im_end|>\n"
        "<|im_start|>user\nTides?<|im_end|>\n"
        "<|im_start|>assistant\nAt 7.<|im_end|>\n";
    static const char now[] = "2025-01-02T00:00:00";
    static const char settings[] = "{\"effort\":\"high\"}";
    reading its = {.converter = tw_converter_between(
                       tw_format_find("hermes"), NULL, NULL, "openai", NULL)};
    const tw_template_source source = {.text = dated,
                                       .size = sizeof dated - 1};
    const char *json;
    size_t size;
    cr_expect_eq(
        tw_converter_set_text(its.converter, TW_TEXT_NOW, now, sizeof now - 1),
        TW_ERROR_ARGUMENT);
    cr_assert_eq(tw_template_load(&source, NULL, &its.template_, NULL), TW_OK);
    cr_assert_eq(tw_converter_set_template(its.converter, its.template_),
                 TW_OK);
    cr_expect_eq(tw_converter_set_text(its.converter, TW_TEXT_NOW, "now", 3),
                 TW_ERROR_ARGUMENT);
    cr_expect_eq(
        tw_converter_set_text(its.converter, TW_TEXT_SETTINGS, "[]", 2),
        TW_ERROR_JSON);
    for (int given = 0; given < 3; given++) {
        const int code = tw_decode_transcript(its.converter, text,
                                              sizeof text - 1, &json, &size);
        cr_expect_eq(code, given == 2 ? TW_OK : TW_ERROR_SCHEMA);
        cr_assert_eq(
            given == 0 ? tw_converter_set_text(its.converter, TW_TEXT_NOW, now,
                                               sizeof now - 1)
                       : tw_converter_set_text(its.converter, TW_TEXT_SETTINGS,
                                               settings, sizeof settings - 1),
            TW_OK);
    }
    close_reading(&its);
}

Test(turns, converters_to_other_ends_have_no_template)
{
    tw_converter *converter =
        tw_converter_between(tw_format_at(0), NULL, NULL, "message", NULL);
    cr_expect_eq(tw_converter_set_template(NULL, NULL), TW_ERROR_ARGUMENT);
    cr_expect_eq(tw_converter_set_template(converter, NULL),
                 TW_ERROR_ARGUMENT);
    tw_converter_free(converter);
}

/* Some of many: what is asked for again and again is learned from the same
 * conversations. */
Test(turns, each_allocation_fails)
{
    enum { STEP = 7 * TESTS_SHARE };
    char template_[sizeof chat + 256];
    bool failed = true;
    snprintf(template_, sizeof template_, "%s%s", DECLARES, chat);
    for (size_t fail_at = 1; failed; fail_at += fail_at < 100 ? 1 : STEP) {
        test_memory memory = {.fail_at = fail_at};
        const tw_allocator allocator = test_allocator(&memory);
        reading its;
        const char *json;
        int code = TW_ERROR_MEMORY;
        if (open_reading(&its, template_, &allocator) != NULL) {
            code = read_behind(&its, declared, &json);
        }
        failed = memory.count >= fail_at;
        cr_expect(code == TW_OK || (failed && code == TW_ERROR_MEMORY),
                  "allocation %zu: %d", fail_at, code);
        close_reading(&its);
        cr_assert_eq(memory.live, 0, "allocation %zu", fail_at);
    }
}
