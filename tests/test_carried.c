/* SPDX-License-Identifier: MIT
 *
 * E4 for one message: what a completion does not carry is refused or
 * reported by its path.  Rows that fuzzing found (fuzz_value, fuzz_cross,
 * fuzz_canonical, fuzz_encode).
 */
#include <criterion/criterion.h>
#include <stdio.h>
#include <stdlib.h>
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

/* ---- keys and names of Gemma -------------------------------------------- */

enum { LETTERS = 20 };

static const char *const letters[LETTERS] = {
    "a", "1", "_", ".", "-",    ":",   ",",        "{", "}", "[",
    "]", "=", "'", " ", "\\\"", "\\n", "\xC3\xA9", "<", "|", "("};

typedef struct word_check {
    tw_encoder *encoder;
    tw_converter *converter;
    const char *message; /* |%s| for the word */
    const char *wanted;  /* part of what is decoded */
    bool (*careful)(const char *word);
    size_t carried;
} word_check;

/* What is JSON for a word inside a message's string of arguments. */
static void escape(char *out, const char *word)
{
    for (; *word != 0; word++) {
        if (*word == '"' || *word == '\\') {
            *out++ = '\\';
        }
        *out++ = *word;
    }
    *out = 0;
}

/* Does the word come back as it was, without a repair? */
static bool comes_back(const word_check *check, const char *text, size_t size,
                       const char *word)
{
    const char *line;
    size_t line_size;
    char escaped[64];
    char wanted[128];
    escape(escaped, word);
    snprintf(wanted, sizeof wanted, check->wanted,
             strchr(check->wanted, '\\') != NULL ? escaped : word);
    cr_assert_eq(
        tw_converter_text(check->converter, text, size, &line, &line_size),
        TW_OK);
    char *copy = strndup(line, line_size);
    cr_assert_not_null(copy);
    const bool good =
        strstr(copy, wanted) != NULL && strstr(copy, "toolwire") == NULL;
    free(copy);
    return good;
}

static void check_word(word_check *check, const char *word)
{
    tw_encoder *encoder = check->encoder;
    char message[256];
    const char *text;
    size_t size;
    snprintf(message, sizeof message, check->message, word);
    tw_encoder_set(encoder, TW_OPTION_CONTROL_TEXT, TW_CONTROL_TEXT_REJECT);
    const int result =
        tw_encode_completion(encoder, message, strlen(message), &text, &size);
    const bool carried = result == TW_OK;
    cr_expect(carried || result == TW_ERROR_CANNOT_CARRY, "%s: %d", word,
              result);
    check->carried += carried;
    tw_encoder_set(encoder, TW_OPTION_CONTROL_TEXT, TW_CONTROL_TEXT_ALLOW);
    cr_assert_eq(
        tw_encode_completion(encoder, message, strlen(message), &text, &size),
        TW_OK, "%s", word);
    const bool back = comes_back(check, text, size, word);
    cr_expect(carried ? back : !back || check->careful(word), "`%s' %s", word,
              back ? "is refused and comes back"
                   : "is carried and does not come back");
}

/* All words of one and two letters, and those of two behind an `a`. */
static void check_words(word_check *check)
{
    char word[32];
    check->encoder = tw_encoder_new(tw_format_find("gemma4"), NULL);
    check->converter = tw_converter_new("gemma4", "message", NULL);
    check_word(check, "");
    for (size_t i = 0; i < LETTERS; i++) {
        check_word(check, letters[i]);
        for (size_t j = 0; j < LETTERS; j++) {
            snprintf(word, sizeof word, "a%s%s", letters[i], letters[j]);
            check_word(check, word);
            check_word(check, word + 1);
        }
    }
    cr_expect_gt(check->carried, 30);
    tw_encoder_free(check->encoder);
    tw_converter_free(check->converter);
}

/* What a decoder reads of a first key it need not take for one behind a
 * comma: quotes, the end of a line, the half of a marker. */
static bool is_odd_key(const char *key)
{
    return strpbrk(key, "'\"(") != NULL || strstr(key, "\\n") != NULL ||
           strstr(key, "<|") != NULL;
}

static bool is_never(const char *word)
{
    (void)word;
    return false;
}

/* E2: those are refused that the wire does not give back, and no others. */
Test(carried, keys_of_gemma)
{
    word_check check = {
        .message = "{\"role\":\"assistant\",\"tool_calls\":[{\"function\":{"
                   "\"name\":\"f\",\"arguments\":{\"%s\":1}}}]}",
        .wanted = "\"arguments\":\"{\\\"%s\\\":1}\"",
        .careful = is_odd_key,
    };
    check_words(&check);
}

Test(carried, names_of_gemma)
{
    word_check check = {
        .message = "{\"role\":\"assistant\",\"tool_calls\":[{\"function\":{"
                   "\"name\":\"%s\",\"arguments\":{}}}]}",
        .wanted = "\"name\":\"%s\"",
        .careful = is_never,
    };
    check_words(&check);
}
