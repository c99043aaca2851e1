/* SPDX-License-Identifier: MIT
 *
 * The encoder's and the converter's manual: what they do not take.
 */
#include <criterion/criterion.h>
#include <stdio.h>
#include <string.h>

#include "toolwire.h"

static const char request[] =
    "{\"messages\":[{\"role\":\"user\",\"content\":\"a\"}]}";
static const char reply[] = "{\"role\":\"assistant\",\"content\":\"b\"}";

/* ARGUMENT, and it is told; the prompt of before stays. */
Test(api_encode, refusals)
{
    tw_encoder *encoder = tw_encoder_new(tw_format_find("hermes"), NULL);
    const tw_segment *segment;
    const tw_error *report;
    const char *text = NULL;
    size_t size = 0;
    cr_expect_null(tw_encoder_new(NULL, NULL));
    cr_expect_eq(tw_encoder_set(NULL, TW_OPTION_CONTROL_TEXT, 0),
                 TW_ERROR_ARGUMENT);
    cr_expect_eq(tw_encoder_set_text(NULL, TW_TEXT_SETTINGS, "{}", 2),
                 TW_ERROR_ARGUMENT);
    cr_expect_eq(tw_encoder_request(NULL, request, sizeof request - 1),
                 TW_ERROR_ARGUMENT);
    cr_expect_eq(tw_encoder_next(NULL, &segment), TW_ERROR_ARGUMENT);
    cr_expect_eq(tw_encode(NULL, request, sizeof request - 1, &text, &size),
                 TW_ERROR_ARGUMENT);
    cr_expect_eq(
        tw_encode_completion(NULL, reply, sizeof reply - 1, &text, &size),
        TW_ERROR_ARGUMENT);
    cr_expect_eq(tw_encoder_report(NULL, 0, &report), 0);
    cr_expect_eq(tw_encoder_error(NULL)->code, TW_OK);

    const int results[] = {
        tw_encoder_set(encoder, TW_OPTION_CONTROL_TEXT, -1),
        tw_encoder_set(encoder, TW_OPTION_CONTROL_TEXT, 3),
        tw_encoder_set(encoder, TW_OPTION_PYTHON_NUMBERS, 2),
        tw_encoder_set(encoder, TW_OPTION_STRICT, 1),
        tw_encoder_set_text(encoder, TW_TEXT_FIELD, "a", 1),
        tw_encoder_set_text(encoder, TW_TEXT_SETTINGS, NULL, 1),
        tw_encoder_request(encoder, NULL, 1),
        tw_encoder_next(encoder, NULL),
        tw_encode(encoder, request, sizeof request - 1, NULL, &size),
        tw_encode(encoder, request, sizeof request - 1, &text, NULL),
        tw_encode_completion(encoder, NULL, 1, &text, &size),
        tw_encode_completion(encoder, reply, sizeof reply - 1, NULL, &size),
        tw_encode_completion(encoder, reply, sizeof reply - 1, &text, NULL),
    };
    for (size_t i = 0; i < sizeof results / sizeof *results; i++) {
        cr_expect_eq(results[i], TW_ERROR_ARGUMENT, "%zu: %d", i, results[i]);
    }
    cr_expect_eq(tw_encoder_error(encoder)->code, TW_ERROR_ARGUMENT);
    cr_assert_eq(tw_encode(encoder, request, sizeof request - 1, &text, &size),
                 TW_OK);
    cr_expect_eq(tw_encoder_report(encoder, 0, NULL), 0);
    cr_expect_eq(tw_encoder_report(encoder, 0, &report), 0);
    tw_encoder_free(encoder);
    tw_encoder_free(NULL);
    tw_encoder_reset(NULL);
}

/* A completion is the end of the prompt, whoever's message it is. */
Test(api_encode, completions_of_any_role)
{
    static const char *const messages[] = {
        "{\"role\":\"assistant\",\"content\":\"b\"}",
        "{\"role\":\"user\",\"content\":\"b\"}",
        "{\"role\":\"system\",\"content\":\"b\"}",
        "{\"role\":\"tool\",\"content\":\"b\"}"};
    const tw_format *format;
    size_t ends = 0;
    for (size_t f = 0; (format = tw_format_at(f)) != NULL; f++) {
        tw_encoder *encoder = tw_encoder_new(format, NULL);
        for (size_t i = 0; i < sizeof messages / sizeof *messages; i++) {
            char prompt[512], end[512];
            const char *text = NULL;
            size_t size = 0;
            if (tw_encode_completion(encoder, messages[i], strlen(messages[i]),
                                     &text, &size) != TW_OK ||
                tw_format_has_prompts(format) != 1) {
                continue;
            }
            cr_assert_lt(size, sizeof end);
            memcpy(end, text, size);
            const size_t end_size = size;
            const int length =
                snprintf(prompt, sizeof prompt,
                         "{\"messages\":[{\"role\":\"user\",\"content\":\"\"},"
                         "%s]}",
                         messages[i]);
            cr_assert_eq(
                tw_encode(encoder, prompt, (size_t)length, &text, &size),
                TW_OK);
            cr_expect(end_size < size &&
                          memcmp(text + size - end_size, end, end_size) == 0,
                      "%s, %s: %.*s", tw_format_name(format), messages[i],
                      (int)end_size, end);
            ends++;
        }
        tw_encoder_free(encoder);
    }
    cr_expect_gt(ends, 20);
}

Test(api_encode, settings)
{
    static const char thinks[] = "{\"enable_thinking\":false}";
    static const char end[] = "<|im_start|>assistant\n<think>\n\n</think>\n\n";
    tw_encoder *encoder = tw_encoder_new(tw_format_find("hermes"), NULL);
    const char *text = NULL;
    size_t size = 0;
    cr_expect_eq(tw_encoder_set_text(encoder, TW_TEXT_SETTINGS, "7", 1),
                 TW_ERROR_JSON);
    cr_expect_eq(tw_encoder_set_text(encoder, TW_TEXT_SETTINGS, "{", 1),
                 TW_ERROR_JSON);
    cr_assert_eq(tw_encoder_set_text(encoder, TW_TEXT_SETTINGS, thinks,
                                     sizeof thinks - 1),
                 TW_OK);
    cr_assert_eq(tw_encoder_set(encoder, TW_OPTION_GENERATION_PROMPT, 1),
                 TW_OK);
    cr_assert_eq(tw_encode(encoder, request, sizeof request - 1, &text, &size),
                 TW_OK);
    cr_expect(size > sizeof end && memcmp(text + size - (sizeof end - 1), end,
                                          sizeof end - 1) == 0,
              "%.*s", (int)size, text);
    tw_encoder_free(encoder);
}

/* ---- converters --------------------------------------------------------- */

static void expect_refused(const char *from, const char *to, bool transcript)
{
    tw_converter *converter = tw_converter_new(from, to, NULL);
    const char *out = NULL;
    size_t size = 0;
    cr_assert_not_null(converter, "%s to %s", from, to);
    const int result =
        transcript ? tw_decode_transcript(converter, "a", 1, &out, &size)
                   : tw_converter_text(converter, "a", 1, &out, &size);
    cr_expect_eq(result, TW_ERROR_ARGUMENT, "%s to %s: %d", from, to, result);
    cr_expect_eq(tw_converter_error(converter)->code, TW_ERROR_ARGUMENT);
    tw_converter_free(converter);
}

Test(api_encode, converters)
{
    const char *out;
    size_t size;
    expect_refused("openai", "sharegpt", false);
    expect_refused("openai", "hermes", false);
    expect_refused("openai", "hermes", true);
    expect_refused("hermes", "sharegpt", true);
    expect_refused("hermes", "message", true);
    cr_expect_eq(tw_decode_transcript(NULL, "a", 1, &out, &size),
                 TW_ERROR_ARGUMENT);
    cr_expect_null(tw_converter_new("openai", "nowhere", NULL));
    cr_expect_null(tw_converter_new("nowhere", "openai", NULL));
    cr_expect_null(tw_converter_new("openai", "message", NULL));

    tw_converter *converter = tw_converter_new("hermes", "openai", NULL);
    cr_assert_eq(tw_converter_set(converter, TW_OPTION_UNIT_COMPLETION, 1),
                 TW_OK);
    cr_expect_eq(tw_decode_transcript(converter, "a", 1, &out, &size),
                 TW_ERROR_ARGUMENT);
    tw_converter_free(converter);

    /* What only an encoder knows, where there is none. */
    converter = tw_converter_new("openai", "sharegpt", NULL);
    cr_expect_eq(tw_converter_set(converter, TW_OPTION_CONTROL_TEXT, 1),
                 TW_ERROR_ARGUMENT);
    cr_expect_eq(tw_converter_set(converter, TW_OPTION_ARGUMENTS_OBJECT, 2),
                 TW_ERROR_ARGUMENT);
    tw_converter_free(converter);
    converter = tw_converter_new("openai", "hermes", NULL);
    cr_expect_eq(tw_converter_set(converter, TW_OPTION_CONTROL_TEXT, 1),
                 TW_OK);
    tw_converter_free(converter);
}
