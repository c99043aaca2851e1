/* SPDX-License-Identifier: MIT
 *
 * Records between shapes and formats: there and back, whatever fails and
 * whatever stands in them.
 */
#include <criterion/criterion.h>
#include <string.h>

#include "allocator.h"
#include "support/formats.h"
#include "json/tree.h"

#define CALLS                                                                \
    "\"tool_calls\":[{\"id\":\"call_0\",\"type\":\"function\",\"function\":" \
    "{\"name\":\"f\",\"arguments\":\"{\\\"a\\\": [1, 2.50]}\"}},"            \
    "{\"id\":\"call_1\",\"type\":\"function\",\"function\":{\"name\":"       \
    "\"g\",\"arguments\":\"{}\"}}]"
#define TOOLS                                                         \
    "\"tools\":[{\"type\":\"function\",\"function\":{\"name\":\"f\"," \
    "\"description\":\"d\",\"parameters\":{\"type\":\"object\","      \
    "\"properties\":{\"a\":{\"type\":\"array\",\"items\":{\"type\":"  \
    "\"number\"}}}}}}]"

static const char openai[] =
    "{\"messages\":[{\"role\":\"system\",\"content\":\"Be brief.\"},"
    "{\"role\":\"user\",\"content\":\"Hi.\"},"
    "{\"role\":\"assistant\",\"content\":null," CALLS "},"
    "{\"role\":\"tool\",\"tool_call_id\":\"call_0\",\"content\":\"1\"},"
    "{\"role\":\"tool\",\"tool_call_id\":\"call_1\",\"content\":\"2\"},"
    "{\"role\":\"assistant\",\"content\":\"Bye.\"}]," TOOLS ",\"n\":[1,2]}";

static const char *const shapes[] = {"openai", "sharegpt", "anthropic"};
enum { SHAPES = sizeof shapes / sizeof *shapes };

/* Where records come from and go to: the shapes, and behind them the formats
 * that have prompts; NULL behind the last. */
static const char *end_at(size_t i)
{
    const tw_format *format;
    if (i < SHAPES) {
        return shapes[i];
    }
    i -= SHAPES;
    for (size_t at = 0; (format = tw_format_at(at)) != NULL; at++) {
        if (tw_format_reads_transcripts(format) && i-- == 0) {
            return tw_format_name(format);
        }
    }
    return NULL;
}

/* ---- there and back ----------------------------------------------------- */

/* A record in another shape; freed by the caller. */
static char *converted(const char *from, const char *to, const char *record)
{
    tw_converter *converter = tw_converter_new(from, to, NULL);
    const char *out = NULL;
    size_t size = 0;
    cr_assert_not_null(converter, "%s to %s", from, to);
    const int result =
        tw_converter_record(converter, record, strlen(record), &out, &size);
    cr_assert_eq(result, TW_OK, "%s to %s: %s", from, to,
                 tw_converter_error(converter)->message);
    char *copy = strndup(out, size);
    cr_assert_not_null(copy);
    tw_converter_free(converter);
    return copy;
}

static char *record_in(const char *end)
{
    return converted("openai", end, openai);
}

/* Where strings stand between markers, JSON's blanks and the order of what is
 * declared are lost. */
static bool writes_json(const char *end)
{
    const tw_format *format = tw_format_find(end);
    return format == NULL || !format_reads(format, TW_MARKER_STRING);
}

Test(convert, there_and_back)
{
    const char *end;
    for (size_t i = 0; (end = end_at(i)) != NULL; i++) {
        tw_converter *converter = tw_converter_new(end, "openai", NULL);
        const char *out = NULL;
        size_t size = 0;
        char *record = record_in(end);
        cr_assert_eq(tw_converter_record(converter, record, strlen(record),
                                         &out, &size),
                     TW_OK, "from %s", end);
        /* Hermes-2-Pro's template has no place for what is in a system turn
         * of its own but that turn. */
        cr_expect(!writes_json(end) || (size == sizeof openai - 1 &&
                                        memcmp(out, openai, size) == 0),
                  "%s: %.*s", end, (int)size, out);
        free(record);
        tw_converter_free(converter);
    }
}

/* A call by itself is an object in ShareGPT, several are a list. */
Test(convert, one_call)
{
    static const char record[] =
        "{\"messages\":[{\"role\":\"user\",\"content\":\"Hi.\"},{\"role\":"
        "\"assistant\",\"content\":null,\"tool_calls\":[{\"id\":\"call_0\","
        "\"type\":\"function\",\"function\":{\"name\":\"f\",\"arguments\":"
        "\"{\\\"a\\\": 1}\"}}]},{\"role\":\"tool\",\"tool_call_id\":"
        "\"call_0\",\"content\":\"1\"}]}";
    static const char *const rows[][2] = {
        {"sharegpt",
         "{\"conversations\":[{\"from\":\"human\",\"value\":\"Hi.\"},"
         "{\"from\":\"function_call\",\"value\":\"{\\\"name\\\": \\\"f\\\", "
         "\\\"arguments\\\": {\\\"a\\\": 1}}\"},{\"from\":\"observation\","
         "\"value\":\"1\"}]}"},
        {"anthropic",
         "{\"messages\":[{\"role\":\"user\",\"content\":\"Hi.\"},{\"role\":"
         "\"assistant\",\"content\":[{\"type\":\"tool_use\",\"id\":"
         "\"call_0\",\"name\":\"f\",\"input\":{\"a\":1}}]},{\"role\":\"user\","
         "\"content\":[{\"type\":\"tool_result\",\"tool_use_id\":\"call_0\","
         "\"content\":\"1\"}]}]}"},
    };
    for (size_t i = 0; i < 2; i++) {
        char *there = converted("openai", rows[i][0], record);
        char *back = converted(rows[i][0], "openai", there);
        cr_expect_str_eq(there, rows[i][1]);
        cr_expect_str_eq(strstr(back, "\"tool_calls\""),
                         strstr(record, "\"tool_calls\""), "%s", back);
        free(there);
        free(back);
    }
}

/* ---- LLaMA-Factory's parts ---------------------------------------------- */

static const char parted[] =
    "{\"messages\":[{\"role\":\"user\",\"content\":[{\"type\":\"text\","
    "\"value\":\"Hi\"},{\"type\":\"text\",\"value\":\".\"}]},"
    "{\"role\":\"assistant\",\"content\":[{\"type\":\"reasoning\","
    "\"value\":\"Hm.\"},{\"type\":\"tool_call\",\"value\":\"{\\\"name\\\":"
    " \\\"f\\\", \\\"arguments\\\": {\\\"a\\\": 1}}\"},{\"type\":"
    "\"tool_call\",\"value\":\"[{\\\"name\\\": \\\"g\\\"}]\"}],\"n\":1},"
    "{\"role\":\"tool\",\"content\":[{\"type\":\"text\",\"value\":\"1\"}]},"
    "{\"role\":\"tool\",\"content\":[{\"type\":\"text\",\"value\":\"2\"}]},"
    "{\"role\":\"assistant\",\"content\":[{\"type\":\"text\",\"value\":"
    "\"Bye.\"},{\"type\":\"reasoning\",\"value\":\"Late.\"},{\"type\":"
    "\"image\",\"value\":\"x\"}]}],\"tools\":\"[{\\\"name\\\": \\\"f\\\"}]\""
    ",\"add_generation_prompt\":true}";

Test(convert, parts)
{
    static const char wanted[] =
        "{\"messages\":[{\"role\":\"user\",\"content\":[{\"type\":"
        "\"text\",\"text\":\"Hi\"},{\"type\":\"text\",\"text\":\".\"}]},"
        "{\"role\":\"assistant\",\"content\":null,\"reasoning_content\":"
        "\"Hm.\",\"tool_calls\":[{\"id\":\"call_0\",\"type\":\"function\","
        "\"function\":{\"name\":\"f\",\"arguments\":\"{\\\"a\\\": 1}\"}},"
        "{\"id\":\"call_1\",\"type\":\"function\",\"function\":{\"name\":"
        "\"g\","
        "\"arguments\":\"{}\"}}],\"n\":1},"
        "{\"role\":\"tool\",\"tool_call_id\":\"call_0\",\"content\":\"1\"},"
        "{\"role\":\"tool\",\"tool_call_id\":\"call_1\",\"content\":\"2\"},"
        "{\"role\":\"assistant\",\"content\":\"Bye.\",\"reasoning_content\":"
        "\"Late.\"}],\"tools\":[{\"type\":\"function\",\"function\":"
        "{\"name\":\"f\"}}],\"add_generation_prompt\":true}";
    static const char *const lost[] = {"messages[4].content[1]",
                                       "messages[4].content[2]"};
    tw_converter *converter = tw_converter_new("openai", "openai", NULL);
    const tw_error *report;
    const char *out = NULL;
    size_t size = 0;
    cr_assert_eq(
        tw_converter_record(converter, parted, sizeof parted - 1, &out, &size),
        TW_OK);
    cr_expect(size == sizeof wanted - 1 && memcmp(out, wanted, size) == 0,
              "%.*s", (int)size, out);
    for (size_t i = 0; i < 2; i++) {
        cr_assert(tw_converter_report(converter, i, &report));
        cr_expect_str_eq(report->path, lost[i]);
    }
    cr_expect_not(tw_converter_report(converter, 2, &report));
    tw_converter_free(converter);
    char *text = converted("openai", "hermes/qwen3", parted);
    cr_expect(strstr(text, "<|im_start|>assistant\\n\"}") != NULL, "%s", text);
    free(text);
}

/* ---- failed allocations ------------------------------------------------- */

/* Every allocation of a record, which is freed, fails in turn, and the next
 * record is fine. */
static void fail_allocations(const char *from, const char *to, char *record)
{
    char *wanted = converted(from, to, record);
    static size_t turn;
    for (size_t fail_at = 1 + turn++ % TESTS_SHARE;; fail_at += TESTS_SHARE) {
        test_memory memory = {0};
        const tw_allocator allocator = test_allocator(&memory);
        tw_converter *converter = tw_converter_new(from, to, &allocator);
        const char *out;
        size_t size;
        cr_assert_not_null(converter, "%s to %s", from, to);
        memory.fail_at = memory.count + fail_at;
        const int result = tw_converter_record(converter, record,
                                               strlen(record), &out, &size);
        const bool failed = memory.count >= memory.fail_at;
        /* A copy that is needed only where a block cannot be parsed may be
         * missing. */
        cr_expect((failed && result == TW_ERROR_MEMORY) ||
                      (result == TW_OK && size == strlen(wanted) &&
                       memcmp(out, wanted, size) == 0),
                  "%s to %s, allocation %zu: %d", from, to, fail_at, result);
        memory.fail_at = 0;
        cr_expect_eq(tw_converter_record(converter, record, strlen(record),
                                         &out, &size),
                     TW_OK, "%s to %s, behind allocation %zu", from, to,
                     fail_at);
        tw_converter_free(converter);
        cr_expect_eq(memory.live, 0);
        if (!failed) {
            break;
        }
    }
    free(record);
    free(wanted);
}

Test(convert, faults)
{
    const char *end;
    for (size_t i = 0; (end = end_at(i)) != NULL; i++) {
        fail_allocations("openai", end, strdup(parted));
        for (size_t from = 0; from < SHAPES; from++) {
            fail_allocations(shapes[from], end, record_in(shapes[from]));
        }
        if (i >= SHAPES) {
            fail_allocations(end, "openai", record_in(end));
        }
    }
}

/* ---- anything in -------------------------------------------------------- */

static uint32_t state = 7;

static uint32_t draw(uint32_t below)
{
    state = state * 1664525u + 1013904223u;
    return (state >> 8) % below;
}

/* A byte changed, taken out or put in, some times over. */
static size_t mutate(char *text, size_t size, size_t room)
{
    static const char bytes[] = "{}[]\",:\\<|>/ \n0a\xFFn";
    for (uint32_t left = 1 + draw(4); left > 0 && size > 1; left--) {
        const size_t at = draw((uint32_t)size);
        switch (draw(3)) {
        case 0: text[at] = bytes[draw(sizeof bytes - 1)]; break;
        case 1:
            memmove(text + at, text + at + 1, size - at - 1);
            size--;
            break;
        default:
            if (size < room) {
                memmove(text + at + 1, text + at, size - at);
                text[at] = bytes[draw(sizeof bytes - 1)];
                size++;
            }
            break;
        }
    }
    return size;
}

static bool is_json(const char *text, size_t size)
{
    const tw_memory memory = tw_memory_from(NULL);
    tw_tree tree;
    tw_tree_init(&tree, &memory);
    const bool good = tw_tree_read(&tree, text, size, false) == TW_OK;
    tw_tree_free(&tree);
    return good;
}

/* |record| is freed. */
static void feed_mutants(const char *from, const char *to, char *record,
                         size_t count)
{
    const size_t size = strlen(record);
    char *text = malloc(size + 8);
    tw_converter *converter = tw_converter_new(from, to, NULL);
    cr_assert(text != NULL && converter != NULL);
    for (size_t i = 0; i < count; i++) {
        const char *out;
        size_t out_size;
        memcpy(text, record, size);
        const size_t length = mutate(text, size, size + 8);
        const int result =
            tw_converter_record(converter, text, length, &out, &out_size);
        cr_expect(result != TW_OK || is_json(out, out_size),
                  "%s to %s: %.*s gives %.*s", from, to, (int)length, text,
                  (int)out_size, out);
        cr_expect_neq(result, TW_ERROR_MEMORY);
    }
    tw_converter_free(converter);
    free(text);
    free(record);
}

Test(convert, mutants)
{
    const char *end;
    for (size_t i = 0; (end = end_at(i)) != NULL; i++) {
        feed_mutants("openai", end, strdup(parted), 300);
        for (size_t from = 0; from < SHAPES; from++) {
            feed_mutants(shapes[from], end, record_in(shapes[from]), 300);
        }
        if (i >= SHAPES) {
            feed_mutants(end, "openai", record_in(end), 1000);
        }
    }
}

/* Arguments that become objects are read into a tree, whose depth no option
 * raises; those that stay text are not. */
static void convert_deep(bool object)
{
    enum { MOST = 1100 };
    for (size_t depth = 900; depth <= MOST; depth += 200) {
        tw_converter *converter = tw_converter_new("hermes", "openai", NULL);
        cr_assert_not_null(converter);
        cr_assert_eq(tw_converter_set(converter, TW_OPTION_UNIT_COMPLETION, 1),
                     TW_OK);
        cr_assert_eq(tw_converter_set(converter, TW_OPTION_LIMIT_DEPTH, 2000),
                     TW_OK);
        cr_assert_eq(
            tw_converter_set(converter, TW_OPTION_ARGUMENTS_OBJECT, object),
            TW_OK);
        char text[2 * MOST + 200] = "<tool_call>\n{\"name\": \"f\", "
                                    "\"arguments\": {\"a\": ";
        size_t size = strlen(text);
        memset(text + size, '[', depth);
        memset(text + size + depth, ']', depth);
        size += 2 * depth;
        memcpy(text + size, "}}\n</tool_call>", 16);
        const char *line = NULL;
        size_t line_size = 0;
        cr_expect_eq(
            tw_converter_text(converter, text, size + 15, &line, &line_size),
            depth < 1000 || !object ? TW_OK : TW_ERROR_SCHEMA);
        tw_converter_free(converter);
    }
}

Test(convert, depth_of_arguments)
{
    convert_deep(false);
    convert_deep(true);
}
