/* SPDX-License-Identifier: MIT
 *
 * Harmony: transcripts (checks/transcripts.h).
 */
#include <criterion/criterion.h>
#include <stdio.h>
#include <string.h>

#include "checks/transcripts.h"
#include "toolwire.h"

static const row rows[] = {
    {"", 0, NONE},
    {"xx", 2, NONE},
    {"<|end|>", 7, NONE},
    {"xx<|start|>user<|message|>a<|end|>", 2, USER},
    {"<|start|>user<|message|>a<|end|>xx", 2, USER},
    {"<|start|>user<|message|>a", 0, USER},
    {"<|start|>user<|message|>a<|start|>user<|message|>a<|end|>", 0,
     MESSAGES(SAID("user", "a") "," SAID("user", "a"))},
    {"<|start|>user<|message|><|end|>", 0, MESSAGES(SAID("user", ""))},
    {"<|start|>system<|message|>b<|end|><|start|>user<|message|>a<|end|>", 0,
     USER},
    {"<|start|>odd<|message|>b<|end|><|start|>user<|message|>a<|end|>", 31,
     USER},
    {"<|start|>user<|message|>a<|end|><|start|>assistant", 0, USER},
    {"<|start|>assistant<|channel|>final<|message|>b<|return|>", 0,
     MESSAGES(RAW("<|channel|>final<|message|>b<|return|>"))},
    /* The parts of one message. */
    {"<|start|>assistant<|channel|>analysis<|message|>t<|end|>"
     "<|start|>assistant<|channel|>final<|message|>b<|return|>",
     0,
     MESSAGES(RAW("<|channel|>analysis<|message|>t<|end|><|start|>assistant"
                  "<|channel|>final<|message|>b<|return|>"))},
    {"<|start|>functions.f to=assistant<|channel|>commentary<|message|>r"
     "<|end|>",
     0, MESSAGES(RESULT("r"))},
};

Test(transcript, harmony_counts_what_belongs_to_no_turn)
{
    check_transcripts("harmony", rows, sizeof rows / sizeof *rows);
}

Test(transcript, harmony_counts_the_calls_anew_for_other_results)
{
    static const char wire[] =
        "<|start|>assistant<|channel|>commentary to=functions.f"
        "<|message|>{}<|call|>"
        "<|start|>assistant<|channel|>commentary to=functions.f"
        "<|message|>{}<|call|>"
        "<|start|>functions.f to=assistant<|channel|>commentary<|message|>1"
        "<|end|><|start|>user<|message|>x<|end|>"
        "<|start|>functions.f to=assistant<|channel|>commentary<|message|>2"
        "<|end|>"
        "<|start|>functions.f to=assistant<|channel|>commentary<|message|>3"
        "<|end|>";
    static const char wanted[] =
        "{\"role\":\"tool\",\"tool_call_id\":\"call_0\",\"content\":\"1\"},"
        "{\"role\":\"user\",\"content\":\"x\"},"
        "{\"role\":\"tool\",\"tool_call_id\":\"call_0\",\"content\":\"2\"},"
        "{\"role\":\"tool\",\"tool_call_id\":\"call_1\",\"content\":\"3\"}]}";
    tw_converter *converter = tw_converter_new("harmony", "openai", NULL);
    const char *json;
    size_t size;
    cr_assert_eq(
        tw_decode_transcript(converter, wire, sizeof wire - 1, &json, &size),
        TW_OK);
    cr_expect(size >= sizeof wanted - 1 &&
                  memcmp(json + size - (sizeof wanted - 1), wanted,
                         sizeof wanted - 1) == 0,
              "%.*s", (int)size, json);
    tw_converter_free(converter);
}

/* How many lists in one another the transcript's tool has in its schema. */
static size_t lists_read(size_t lists)
{
    char wire[1024];
    size_t size = (size_t)snprintf(
        wire, sizeof wire,
        "<|start|>developer<|message|># Tools\n\n## functions\n\nnamespace "
        "functions {\n\n// F.\ntype f = (_: {\na?: string");
    for (size_t i = 0; i < lists; i++) {
        memcpy(wire + size, "[]", 2);
        size += 2;
    }
    size +=
        (size_t)snprintf(wire + size, sizeof wire - size,
                         ",\n}) => any;\n\n} // namespace functions<|end|>");
    tw_converter *converter = tw_converter_new("harmony", "openai", NULL);
    const char *json = NULL;
    size_t json_size = 0;
    cr_assert_eq(
        tw_decode_transcript(converter, wire, size, &json, &json_size), TW_OK);
    size_t count = 0;
    for (size_t at = 0; at + 7 <= json_size; at++) {
        count += memcmp(json + at, "\"items\"", 7) == 0;
    }
    tw_converter_free(converter);
    return count;
}

Test(transcript, harmony_reads_lists_in_lists)
{
    cr_expect_eq(lists_read(1), 1);
    cr_expect_eq(lists_read(64), 64);
    cr_expect_eq(lists_read(65), 0);
}

/* A line without its comma is none, and so are the parameters. */
Test(transcript, harmony_reads_whole_lines)
{
    static const char front[] =
        "<|start|>developer<|message|># Tools\n\n## functions\n\nnamespace "
        "functions {\n\n// F.\ntype f = (_: {\na?: string";
    static const char back[] =
        "\n}) => any;\n\n} // namespace functions<|end|>";
    for (int comma = 0; comma < 2; comma++) {
        char wire[512];
        snprintf(wire, sizeof wire, "%s%s%s", front, comma ? "," : "", back);
        cr_expect_eq(transcript_has("harmony", wire, "\"parameters\""), comma);
    }
}
