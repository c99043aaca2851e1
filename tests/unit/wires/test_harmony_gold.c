/* SPDX-License-Identifier: MIT
 *
 * E5: openai/harmony's own texts, read and written again, where TOOLWIRE_DATA
 * says.
 */
#include <criterion/criterion.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "naive/naive.h"
#include "toolwire.h"

enum { PATH_SIZE = 4096 };

/* Those that are whole prompts as its renderer makes them; the others have
 * no system message, channels of their own, or are tokens. */
typedef struct gold {
    const char *name;
    const char *settings; /* what a transcript does not tell */
} gold;

#define DATE "\"date\":\"2025-06-28\""

static const gold golds[] = {
    {"test_browser_and_function_tool",
     "{" DATE ",\"builtin_tools\":[\"browser\"]}"},
    {"test_browser_and_python_tool",
     "{" DATE ",\"builtin_tools\":[\"browser\",\"python\"]}"},
    {"test_browser_tool_only", "{" DATE ",\"builtin_tools\":[\"browser\"]}"},
    {"test_no_tools", "{" DATE "}"},
    {"test_render_functions_with_parameters",
     "{" DATE ",\"reasoning_effort\":\"high\"}"},
    {"test_simple_convo", "{}"},
    {"test_simple_convo_high_effort", "{\"reasoning_effort\":\"high\"}"},
    {"test_simple_convo_high_effort_no_instruction",
     "{\"reasoning_effort\":\"high\"}"},
    {"test_simple_convo_low_effort", "{\"reasoning_effort\":\"low\"}"},
    {"test_simple_convo_low_effort_no_instruction",
     "{\"reasoning_effort\":\"low\"}"},
    {"test_simple_convo_medium_effort", "{}"},
    {"test_simple_convo_medium_effort_no_instruction", "{}"},
};

/* The file's text, without the line feed that editors put behind it. */
static naive_bytes read_gold(const char *folder, const char *name)
{
    char path[PATH_SIZE];
    char bytes[4096];
    naive_bytes text = {0};
    snprintf(path, sizeof path, "%s/harmony/%s.txt", folder, name);
    FILE *file = fopen(path, "rb");
    cr_assert_not_null(file, "%s", path);
    for (size_t size; (size = fread(bytes, 1, sizeof bytes, file)) > 0;) {
        naive_add(&text, bytes, size);
    }
    fclose(file);
    text.size -= text.size > 0 && text.data[text.size - 1] == '\n';
    return text;
}

static void check_gold(const char *folder, const gold *row)
{
    static const char head[] = "<|start|>assistant";
    tw_converter *converter = tw_converter_new("harmony", "openai", NULL);
    tw_encoder *encoder = tw_encoder_new(tw_format_find("harmony"), NULL);
    naive_bytes text = read_gold(folder, row->name);
    const char *json;
    const char *again;
    size_t json_size;
    size_t size;
    const size_t tail = sizeof head - 1;
    tw_encoder_set(encoder, TW_OPTION_GENERATION_PROMPT,
                   text.size >= tail &&
                       memcmp(text.data + text.size - tail, head, tail) == 0);
    cr_assert_eq(tw_encoder_set_text(encoder, TW_TEXT_SETTINGS, row->settings,
                                     strlen(row->settings)),
                 TW_OK);
    cr_assert_eq(tw_decode_transcript(converter, text.data, text.size, &json,
                                      &json_size),
                 TW_OK);
    cr_assert_eq(tw_encode(encoder, json, json_size, &again, &size), TW_OK);
    cr_expect(size == text.size && memcmp(again, text.data, size) == 0,
              "%s: %.*s", row->name, (int)size, again);
    naive_release(&text);
    tw_encoder_free(encoder);
    tw_converter_free(converter);
}

Test(harmony_gold, texts)
{
    const char *folder = getenv("TOOLWIRE_DATA");
    if (folder == NULL || *folder == 0) {
        fprintf(stderr, "\n*** SKIPPED: TOOLWIRE_DATA is not set ***\n\n");
        cr_skip_test("TOOLWIRE_DATA is not set");
    }
    for (size_t i = 0; i < sizeof golds / sizeof *golds; i++) {
        check_gold(folder, &golds[i]);
    }
}
