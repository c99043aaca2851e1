/* SPDX-License-Identifier: MIT
 *
 * Gemma 4: what its encoder takes.
 */
#include <criterion/criterion.h>
#include <stdio.h>
#include <string.h>

#include "allocator.h"
#include "support/decoding.h"
#include "toolwire.h"

static tw_encoder *encoder_of(const char *format)
{
    tw_encoder *encoder = tw_encoder_new(tw_format_find(format), NULL);
    cr_assert_not_null(encoder, "%s", format);
    return encoder;
}

/* Gemma's template compares types in upper case and writes them so. */
Test(encode, gemma4_types_in_any_case)
{
    static const char *const spellings[][6] = {
        {"object", "array", "string", "integer", "number", "boolean"},
        {"OBJECT", "ARRAY", "STRING", "INTEGER", "NUMBER", "BOOLEAN"},
        {"Object", "aRRay", "sTrInG", "iNTEGEr", "nUMBEr", "bOOLEAn"},
    };
    naive_bytes first = {0};
    tw_encoder *encoder = encoder_of("gemma4");
    for (size_t i = 0; i < 3; i++) {
        const char *const *type = spellings[i];
        char request[1024];
        const char *text;
        size_t size;
        snprintf(request, sizeof request,
                 "{\"messages\":[],\"tools\":[{\"name\":\"f\","
                 "\"description\":\"d\",\"parameters\":{\"type\":\"%s\","
                 "\"properties\":{\"a\":{\"type\":\"%s\",\"items\":{"
                 "\"type\":\"%s\",\"enum\":[\"x\"]}},\"b\":{\"type\":\"%s\","
                 "\"enum\":[\"y\"]},\"c\":{\"type\":\"%s\"},\"d\":{\"type\":"
                 "\"%s\"},\"e\":{\"type\":\"%s\"},\"f\":{\"type\":\"%s\","
                 "\"properties\":{\"g\":{\"type\":\"%s\"}},\"required\":["
                 "\"g\"]}}}}]}",
                 type[0], type[1], type[2], type[2], type[3], type[4], type[5],
                 type[0], type[2]);
        cr_assert_eq(
            tw_encode(encoder, request, strlen(request), &text, &size), TW_OK);
        if (i == 0) {
            naive_add(&first, text, size);
        }
        cr_expect(size == first.size && memcmp(text, first.data, size) == 0,
                  "%.*s", (int)size, text);
    }
    cr_expect_not_null(strstr(first.data, "enum:[<|\"|>x<|\"|>]"));
    naive_release(&first);
    tw_encoder_free(encoder);
}

/* ---- keys and names ----------------------------------------------------- */

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
Test(carried, gemma4_keys)
{
    word_check check = {
        .message = "{\"role\":\"assistant\",\"tool_calls\":[{\"function\":{"
                   "\"name\":\"f\",\"arguments\":{\"%s\":1}}}]}",
        .wanted = "\"arguments\":\"{\\\"%s\\\":1}\"",
        .careful = is_odd_key,
    };
    check_words(&check);
}

Test(carried, gemma4_names)
{
    word_check check = {
        .message = "{\"role\":\"assistant\",\"tool_calls\":[{\"function\":{"
                   "\"name\":\"%s\",\"arguments\":{}}}]}",
        .wanted = "\"name\":\"%s\"",
        .careful = is_never,
    };
    check_words(&check);
}

/* Calls of one id get others, and so do their results: the template writes
 * the name of the call that is answered. */
Test(encode, gemma4_calls_of_one_id)
{
    static const char twins[] =
        "{\"messages\":[{\"role\":\"user\",\"content\":\"a\"},{\"role\":"
        "\"assistant\",\"tool_calls\":[{\"id\":\"x\",\"type\":\"function\","
        "\"function\":{\"name\":\"f\",\"arguments\":\"{}\"}},{\"id\":\"x\","
        "\"type\":\"function\",\"function\":{\"name\":\"g\",\"arguments\":"
        "\"{}\"}}]},{\"role\":\"tool\",\"tool_call_id\":\"x\",\"content\":"
        "\"1\"},{\"role\":\"tool\",\"tool_call_id\":\"x\",\"content\":\"2\"}"
        "]}";
    tw_encoder *encoder = encoder_of("gemma4");
    const char *text;
    size_t size;
    cr_assert_eq(tw_encode(encoder, twins, sizeof twins - 1, &text, &size),
                 TW_OK);
    char *copy = strndup(text, size);
    cr_assert_not_null(copy);
    cr_expect_not_null(strstr(copy, "response:f{value:<|\"|>1<|\"|>}"), "%s",
                       copy);
    cr_expect_not_null(strstr(copy, "response:g{value:<|\"|>2<|\"|>}"), "%s",
                       copy);
    free(copy);
    tw_encoder_free(encoder);
}

/* Writes |count| times |open|, |middle|, and as often |close|. */
static void nest(naive_bytes *out, const char *open, const char *middle,
                 const char *close, size_t count)
{
    for (size_t i = 0; i < count; i++) {
        naive_add(out, open, strlen(open));
    }
    naive_add(out, middle, strlen(middle));
    for (size_t i = 0; i < count; i++) {
        naive_add(out, close, strlen(close));
    }
}

/* A template's macros nest as values do: how deep is bounded. */
Test(encode, gemma4_deep_values)
{
    static const char schema[] = "{\"type\":\"object\",\"properties\":{\"a\":";
    static const char call[] =
        "}}],\"messages\":[{\"role\":\"assistant\",\"tool_calls\":[{\"id\":"
        "\"call_0\",\"type\":\"function\",\"function\":{\"name\":\"f\","
        "\"arguments\":{\"a\":";
    static const char tool[] =
        "{\"tools\":[{\"type\":\"function\",\"function\":{\"name\":\"f\","
        "\"description\":\"d\",\"parameters\":";
    naive_bytes request = {0};
    tw_encoder *encoder = encoder_of("gemma4");
    const char *text;
    size_t size;
    naive_add(&request, tool, sizeof tool - 1);
    nest(&request, schema, "{\"type\":\"string\"}", "}}", 100);
    naive_add(&request, call, sizeof call - 1);
    nest(&request, "[", "1", "]", 200);
    naive_add(&request, "}}}]}]}", 7);
    cr_assert_eq(tw_encode(encoder, request.data, request.size, &text, &size),
                 TW_OK, "%s", tw_encoder_error(encoder)->message);
    cr_expect_eq(size, 4478, "%zu", size);
    naive_release(&request);
    tw_encoder_free(encoder);
}

/* Rows of tables have calls as JSON text. */
Test(encode, gemma4_calls_as_text)
{
    static const char *const requests[] = {
        "{\"messages\":[{\"role\":\"assistant\",\"tool_calls\":[\"{"
        "\\\"name\\\":\\\"f\\\",\\\"arguments\\\":{\\\"a\\\":1}}\"]}]}",
        "{\"messages\":[{\"role\":\"assistant\",\"tool_calls\":\"[{"
        "\\\"name\\\":\\\"f\\\",\\\"arguments\\\":{\\\"a\\\":1}}]\"}]}"};
    tw_encoder *encoder = encoder_of("gemma4");
    for (size_t i = 0; i < sizeof requests / sizeof *requests; i++) {
        const char *text;
        size_t size;
        cr_assert_eq(
            tw_encode(encoder, requests[i], strlen(requests[i]), &text, &size),
            TW_OK);
        char *copy = strndup(text, size);
        cr_assert_not_null(copy);
        cr_expect_not_null(strstr(copy, "<|tool_call>call:f{a:1}"), "%s",
                           copy);
        free(copy);
    }
    tw_encoder_free(encoder);
}

/* ---- paths -------------------------------------------------------------- */

#define USER "{\"role\":\"user\",\"content\":\"Hi.\"}"
#define LONG "a name that goes on and on and on and on and on and on and on, "

/* Where there is no memory for a path there is none: never the half of it. */
Test(encoder, gemma4_paths_without_memory)
{
    static const char loses[] =
        "{\"messages\":[" USER
        "],\"tools\":[{\"type\":\"function\",\"function\":{"
        "\"name\":\"f\",\"description\":\"d\",\"" LONG LONG LONG LONG
        "\":{}}}]}";
    static const char wanted[] =
        "tools[0].function[\"" LONG LONG LONG LONG "\"]";
    size_t found = 0;
    size_t none = 0;
    for (size_t fail_at = 1; found == 0 && fail_at < 100; fail_at++) {
        test_memory state = {0};
        const tw_allocator allocator = test_allocator(&state);
        tw_encoder *encoder =
            tw_encoder_new(tw_format_find("gemma4"), &allocator);
        const tw_error *report = NULL;
        cr_assert_eq(tw_encoder_request(encoder, loses, sizeof loses - 1),
                     TW_OK);
        state.fail_at = state.count + fail_at;
        cr_assert_eq(tw_encoder_report(encoder, 0, &report), 1);
        if (report->path == NULL) {
            none++;
        } else {
            cr_expect_str_eq(report->path, wanted);
            found++;
        }
        tw_encoder_free(encoder);
    }
    cr_expect_gt(none, 1);
    cr_expect_eq(found, 1);
}

/* ---- text that looks like a call ---------------------------------------- */

/* Decoders end no name at a NUL, and read none that has one. */
Test(encode, gemma4_text_like_a_call)
{
    static const struct {
        const char *json;
        int reports;
    } rows[] = {
        {"{\"role\":\"assistant\",\"content\":\"call:fg{a:1}\"}", 1},
        {"{\"role\":\"assistant\",\"content\":\"call:f\\u0000g{a:1}\"}", 0},
        {"{\"role\":\"assistant\",\"content\":\"call:f\\u0000{a:1}\"}", 0},
    };
    tw_encoder *encoder = encoder_of("gemma4");
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        const char *text;
        size_t size;
        const tw_error *report;
        cr_assert_eq(tw_encode_completion(encoder, rows[i].json,
                                          strlen(rows[i].json), &text, &size),
                     TW_OK);
        cr_expect_eq(tw_encoder_report(encoder, 0, &report), rows[i].reports,
                     "%s", rows[i].json);
    }
    tw_encoder_free(encoder);
}

/* ---- the system turn ---------------------------------------------------- */

/* One system message and nothing else shares its turn with the tools. */
Test(encode, gemma4_a_system_message_alone)
{
    static const char request[] =
        "{\"messages\":[{\"role\":\"system\",\"content\":\"Be kind.\"}],"
        "\"tools\":[{\"type\":\"function\",\"function\":{\"name\":\"f\"}}]}";
    static const char wanted[] =
        "<bos><|turn>system\nBe kind.<|tool>declaration:f{description:"
        "<|\"|><|\"|>}<tool|><turn|>\n";
    tw_encoder *encoder = encoder_of("gemma4");
    const char *text;
    size_t size;
    cr_assert_eq(tw_encode(encoder, request, sizeof request - 1, &text, &size),
                 TW_OK);
    cr_expect(size == sizeof wanted - 1 && memcmp(text, wanted, size) == 0,
              "%.*s", (int)size, text);
    tw_encoder_free(encoder);
}

/* ---- media -------------------------------------------------------------- */

/* A video is one for every dialect; parts with an address are for some. */
Test(encode, gemma4_media)
{
    static const struct {
        const char *type;
        const char *format;
        const char *marker;
        bool written;
    } rows[] = {
        {"video", "gemma4", "<|video|>", true},
        {"video", "gemma4/fork", "<|video|>", true},
        {"image", "gemma4/fork", "<|image|>", true},
        {"image_url", "gemma4", "<|image|>", true},
        {"image_url", "gemma4/fork", "<|image|>", false},
    };
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        char request[200];
        snprintf(request, sizeof request,
                 "{\"messages\":[{\"role\":\"user\",\"content\":[{\"type\":"
                 "\"%s\"},{\"type\":\"text\",\"text\":\"Hi.\"}]}]}",
                 rows[i].type);
        tw_encoder *encoder = encoder_of(rows[i].format);
        const char *text;
        size_t size;
        cr_assert_eq(
            tw_encode(encoder, request, strlen(request), &text, &size), TW_OK);
        naive_bytes prompt = {0};
        naive_add(&prompt, text, size);
        naive_add(&prompt, "", 1);
        cr_expect_eq(strstr(prompt.data, rows[i].marker) != NULL,
                     rows[i].written, "%s of %s: %s", rows[i].type,
                     rows[i].format, prompt.data);
        naive_release(&prompt);
        tw_encoder_free(encoder);
    }
}
