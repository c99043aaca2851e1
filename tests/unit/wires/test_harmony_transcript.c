/* SPDX-License-Identifier: MIT
 *
 * Harmony: transcripts (checks/transcripts.h).
 */
#include <criterion/criterion.h>
#include <stdio.h>
#include <string.h>

#include "checks/transcripts.h"
#include "json/write.h"
#include "kit/random.h"
#include "support/decoding.h"

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

/* ---- names -------------------------------------------------------------- */

/* A name of what headers are made of and of what may be taken for it. */
static void make_name(tw_buffer *name, const tw_memory *memory, uint64_t *seed)
{
    static const char *const pieces[] = {
        "a", "f", "{", "}", "{\"x\":1}", "[", "\"", ":", ",", ".", "/", "\\",
        "=", "to=", " to=", "|>", "<", "<|call|>", "functions.", "final",
        "analysis", "json", "code", "assistant", "python", "browser.", " ",
        "\t", "\x01", "\x7F", "\xC2\xA0", "\xE2\x80\x8B", "\xC3\xA9"};
    static const char filler[] = "bbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbb";
    for (uint32_t i = kit_below(seed, 4) + 1; i > 0; i--) {
        const char *piece =
            pieces[kit_below(seed, sizeof pieces / sizeof *pieces)];
        cr_assert(tw_buffer_append(name, memory, piece, strlen(piece)));
    }
    for (uint32_t i = kit_below(seed, 50); i > 42; i--) {
        cr_assert(tw_buffer_append(name, memory, filler, sizeof filler - 1));
    }
}

/* The text begins one call, of that name. */
static bool calls(const char *format, const char *text, size_t size,
                  const tw_buffer *name)
{
    tw_decoder *decoder = tw_decoder_new(tw_format_find(format), NULL);
    event_log log = {0};
    size_t same = 0;
    size_t count = 0;
    decode(&log, decoder, text, size, 0);
    for (size_t i = 0; i < log.count; i++) {
        const event_record *event = &log.events[i];
        const bool begins = event->type == TW_EVENT_CALL_BEGIN;
        count += begins || event->type == TW_EVENT_UNPARSED;
        same += begins && event->size == name->size &&
                memcmp(log.bytes + event->data, name->data, name->size) == 0;
    }
    event_log_free(&log);
    tw_decoder_free(decoder);
    return count == 1 && same == 1;
}

static size_t check_name(tw_encoder *encoder, const char *format,
                         const char *call, const tw_buffer *name)
{
    const tw_memory memory = tw_memory_from(NULL);
    tw_buffer word = {0};
    char message[4096];
    const char *text;
    size_t size;
    cr_assert(tw_json_write_string(&word, &memory, (const char *)name->data,
                                   name->size));
    snprintf(message, sizeof message, call, (int)word.size,
             (const char *)word.data);
    const int result = tw_encode_completion(encoder, message, strlen(message),
                                            &text, &size);
    if (result == TW_OK) {
        cr_expect(calls(format, text, size, name), "%s: %.*s", format,
                  (int)size, text);
    } else {
        cr_expect(result == TW_ERROR_CANNOT_CARRY ||
                      result == TW_ERROR_CONTROL_TEXT,
                  "%s: %s: %d", format, message, result);
    }
    tw_buffer_free(&word, &memory);
    return result == TW_OK;
}

/* E5: a tool's name reads back as itself, or is refused. */
Test(encode, harmony_names_read_back_or_are_refused)
{
    static const char *const formats[] = {"harmony", "harmony/jinja"};
    static const char *const forms[] = {
        "{\"role\":\"assistant\",\"tool_calls\":[{\"type\":\"function\","
        "\"function\":{\"name\":%.*s,\"arguments\":\"{}\"}}]}",
        "{\"role\":\"assistant\",\"tool_calls\":[{\"type\":\"custom\","
        "\"custom\":{\"name\":%.*s,\"input\":\"{}\"}}]}"};
    const tw_memory memory = tw_memory_from(NULL);
    for (size_t i = 0; i < 4; i++) {
        tw_encoder *encoder =
            tw_encoder_new(tw_format_find(formats[i % 2]), NULL);
        size_t written = 0;
        for (uint64_t seed = 0; seed < 4000 / TESTS_SHARE; seed++) {
            uint64_t random = seed;
            tw_buffer name = {0};
            make_name(&name, &memory, &random);
            written +=
                check_name(encoder, formats[i % 2], forms[i / 2], &name);
            tw_buffer_free(&name, &memory);
        }
        cr_expect_gt(written, 400 / TESTS_SHARE);
        tw_encoder_free(encoder);
    }
}
