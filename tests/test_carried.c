/* SPDX-License-Identifier: MIT
 *
 * E4 for one message: what a completion does not carry is refused or
 * reported by its path.  Rows that fuzzing found (fuzz_value, fuzz_cross,
 * fuzz_canonical, fuzz_encode).
 */
#include <criterion/criterion.h>
#include <string.h>

#include "toolwire.h"

typedef struct row {
    const char *format;
    const char *message;
    const char *lost;    /* the path of the first report, or NULL */
    const char *refused; /* the path of the refusal, or NULL */
    const char *text;    /* the completion, or NULL: any */
} row;

#define SAYS(content) "{\"role\":\"assistant\",\"content\":" content "}"
#define THINKS(reasoning)                                    \
    "{\"role\":\"assistant\",\"content\":\"a\",\"reasoning_" \
    "content\":" reasoning "}"
#define CALLS(name)                                                       \
    "{\"role\":\"assistant\",\"content\":null,\"tool_calls\":[{\"type\":" \
    "\"function\",\"function\":{\"name\":\"" name "\",\"arguments\":{}}}]}"
#define CONTENT "messages[1].content"
#define NAME "messages[1].tool_calls[0].function.name"

static const row rows[] = {
    /* The head of a turn is none of its completion. */
    {"hermes/rnj-1", SAYS("\"a\""), NULL, NULL, "a<|eot_id|>"},
    {"hermes/nous", SAYS("\"a\""), NULL, NULL, "a<|im_end|>\n"},
    {"hermes/qwen2.5", SAYS("\"a\""), NULL, NULL, "a<|im_end|>\n"},
    {"gemma4", SAYS("\"a\""), NULL, NULL, "a<turn|>\n"},
    {"nemotron", SAYS("\"a\""), NULL, NULL, "a\n<SPECIAL_12>\n"},
    {"mistral", SAYS("\"a\""), NULL, NULL, "a</s>"},
    /* A template may take content for reasoning. */
    {"hermes/qwen3", SAYS("\"b</think>a\""), CONTENT, NULL, NULL},
    /* Line feeds that the templates cut off. */
    {"hermes/qwen3", SAYS("\"\\na\""), CONTENT, NULL, NULL},
    {"hermes/qwen3", THINKS("\"b\\n\""), "messages[1].reasoning_content", NULL,
     NULL},
    /* ... or add, and decoders take away. */
    {"hermes/qwen3", THINKS("\"b\\r\""), "messages[1].reasoning_content", NULL,
     NULL},
    /* Blanks by themselves are framing to a decoder. */
    {"hermes/qwen2.5", SAYS("\"\\n \""), CONTENT, NULL, NULL},
    {"hermes/qwen3", THINKS("\" \""), "messages[1].reasoning_content", NULL,
     NULL},
    {"mistral", SAYS("\" \""), "messages[0].content", NULL, NULL},
    {"harmony", SAYS("\" \""), NULL, NULL, NULL},
    /* Names that no decoder takes. */
    {"hermes/qwen3", CALLS(""), NULL, NAME, NULL},
    {"hermes/qwen3", CALLS("a\\u0000b"), NULL, NAME, NULL},
    {"nemotron", CALLS(""), NULL, "messages[0].tool_calls[0].function.name",
     NULL},
    {"mistral", CALLS("a b"), NULL, "messages[0].tool_calls[0].function.name",
     NULL},
};

static void check_path(const row *at, const char *path, const char *wanted)
{
    cr_expect(path != NULL && strcmp(path, wanted) == 0, "%s, %s: %s, not %s",
              at->format, at->message, path != NULL ? path : "no path",
              wanted);
}

static void check(const row *at)
{
    tw_encoder *encoder = tw_encoder_new(tw_format_find(at->format), NULL);
    const char *text;
    size_t size;
    const tw_error *report;
    const int result = tw_encode_completion(encoder, at->message,
                                            strlen(at->message), &text, &size);
    if (at->refused != NULL) {
        cr_expect_eq(result, TW_ERROR_CANNOT_CARRY, "%s, %s: %d", at->format,
                     at->message, result);
        check_path(at, tw_encoder_error(encoder)->path, at->refused);
        tw_encoder_free(encoder);
        return;
    }
    cr_assert_eq(result, TW_OK, "%s, %s: %d", at->format, at->message, result);
    const bool reported = tw_encoder_report(encoder, 0, &report) == 1;
    cr_expect_eq(reported, at->lost != NULL, "%s, %s: %s", at->format,
                 at->message, reported ? report->path : "not reported");
    if (reported && at->lost != NULL) {
        check_path(at, report->path, at->lost);
    }
    cr_expect(at->text == NULL || (strlen(at->text) == size &&
                                   memcmp(at->text, text, size) == 0),
              "%s, %s: %.*s", at->format, at->message, (int)size, text);
    tw_encoder_free(encoder);
}

Test(carried, rows)
{
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        check(&rows[i]);
    }
}
