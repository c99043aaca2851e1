/* SPDX-License-Identifier: MIT
 *
 * Transcripts cut into turns: what an encoder wrote belongs to turns, all of
 * it, and of other texts it is counted what does not.
 */
#include <criterion/criterion.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "allocator.h"
#include "support/random_request.h"
#include "transcript.h"

static tw_memory memory;

static void set_up(void)
{
    memory = tw_memory_from(NULL);
}

TestSuite(transcript, .init = set_up);

/* A completion as it stands, for its decoder's message without its brace. */
static int read_raw(void *context, uint64_t offset, const char *text,
                    size_t size, const char **line, size_t *line_size)
{
    tw_jotter *jotter = context;
    (void)offset;
    jotter->out.size = 0;
    tw_jot(jotter, "{\"raw\":");
    tw_jot_string(jotter, text, size);
    *line = (const char *)jotter->out.data;
    *line_size = jotter->out.size;
    return TW_OK;
}

/* ---- what encoders write ------------------------------------------------ */

static void check_written(tw_encoder *encoder, const tw_format *format,
                          const tw_buffer *request)
{
    tw_jotter line = {.memory = &memory};
    tw_transcript transcript;
    const char *text;
    size_t size;
    cr_assert_eq(tw_encode(encoder, (const char *)request->data, request->size,
                           &text, &size),
                 TW_OK);
    tw_transcript_init(&transcript, format, &memory);
    cr_assert_eq(tw_transcript_read(&transcript, text, size, read_raw, &line),
                 TW_OK);
    cr_expect_eq(transcript.collect.lost, 0, "%s: %d bytes of %.*s",
                 tw_format_name(format), (int)transcript.collect.lost,
                 (int)size, text);
    tw_transcript_free(&transcript);
    tw_buffer_free(&line.out, &memory);
}

Test(transcript, loses_nothing_of_what_was_written)
{
    const tw_format *format;
    random_seed(3);
    for (size_t f = 0; (format = tw_format_at(f)) != NULL; f++) {
        tw_encoder *encoder = tw_encoder_new(format, NULL);
        for (int i = 0; i < 50 && tw_format_has_prompts(format) == 1; i++) {
            tw_jotter request = {.memory = &memory};
            random_plain_request(&request);
            check_written(encoder, format, &request.out);
            tw_buffer_free(&request.out, &memory);
        }
        tw_encoder_free(encoder);
    }
}

/* ---- what nobody wrote so ----------------------------------------------- */

typedef struct row {
    const char *text;
    size_t lost;
    const char *wanted;
} row;

#define MESSAGES(list) "{\"messages\":[" list "]}"
#define SAID(role, text) "{\"role\":\"" role "\",\"content\":\"" text "\"}"
#define RAW(text) "{\"raw\":\"" text "\"}"
#define RESULT(id, text)                                                      \
    "{\"role\":\"tool\",\"tool_call_id\":\"call_" id "\",\"content\":\"" text \
    "\"}"
#define TOOL(rest) \
    "{\"type\":\"function\",\"function\":{\"name\":\"f\"" rest "}}"
#define NONE MESSAGES("")
#define USER MESSAGES(SAID("user", "a"))

static const row gemma[] = {
    {"", 0, NONE},
    {"<bos>", 0, NONE},
    {"xx", 2, NONE},
    {"<bos>xx<|turn>user\na<turn|>\n", 2, USER},
    {"<|turn>user\na<turn|>\nxx", 2, USER},
    {"<|turn>user\na<turn|>\n\n", 1, USER},
    {"<|turn>user\na<turn|>xx<|turn>", 2, USER},
    /* What is cut off is a turn if it holds something. */
    {"<|turn>user\na", 0, USER},
    {"<|turn>user\na<|turn>user\n", 0, USER},
    {"<|turn>user\n", 0, NONE},
    {"<|turn>user\n<turn|>", 0, MESSAGES(SAID("user", ""))},
    {"<|turn>user", 4, NONE},
    {"<|turn>user\na<turn|>\n<|turn>odd\nb<turn|>\n", 5, USER},
    {"<|turn>user\na<turn|>\n<|turn>system\nb<turn|>\n", 0,
     MESSAGES(SAID("user", "a") "," SAID("system", "b"))},
    /* The first turn of a system may be there for other things. */
    {"<|turn>system\n<turn|>\n", 0, MESSAGES(SAID("system", ""))},
    {"<|turn>system\n<|think|>\n<turn|>\n", 0, NONE},
    {"<|turn>system\n<|think|>\nb<turn|>\n", 0, MESSAGES(SAID("system", "b"))},
    {"<|turn>system\n<|tool>declaration:f{}<tool|><turn|>\n", 0,
     "{\"messages\":[],\"tools\":[" TOOL("") "]}"},
    {"<|turn>system\n<|tool>declaration:<tool|><turn|>\n<|turn>user\na<turn|>",
     26, USER},
    {"<|turn>system\nb<|tool>x<|tool>declaration:f{description:<|\"|>d<|\"|>}"
     "<tool|><turn|>\n",
     8,
     "{\"messages\":[" SAID("system", "b") "],\"tools\":[" TOOL(
         ",\"description\":\"d\"") "]}"},
    {"<|turn>system\nb<|tool>declaration:f{}<tool|>xx<turn|>\n", 2,
     "{\"messages\":[" SAID("system", "b") "],\"tools\":[" TOOL("") "]}"},
    /* A generation prompt is no message. */
    {"<|turn>model\n", 0, NONE},
    {"<|turn>model\n<|channel>thought\n", 0, NONE},
    {"<|turn>model\n<|channel>thought\n<channel|>", 0, NONE},
    {"<|turn>model\n<|channel>thought\n<channel|>b", 0,
     MESSAGES(RAW("<|channel>thought\\n<channel|>b"))},
    {"<|turn>model\n<turn|>", 0, MESSAGES(RAW(""))},
    {"<|turn>model\n \n<turn|>", 0, MESSAGES(RAW(""))},
    {"<|turn>model\nb<|turn>user\na<turn|>", 0,
     MESSAGES(RAW("b") "," SAID("user", "a"))},
    /* Markers in strings of a call are none; results stand behind it. */
    {"<|turn>model\n<|tool_call>call:f{a:<|\"|><turn|><|\"|>}<tool_call|>", 0,
     MESSAGES(RAW("<|tool_call>call:f{a:<|\\\"|><turn|><|\\\"|>}"
                  "<tool_call|>"))},
    {"<|turn>model\nb<|tool_response>response:f{value:<|\"|>r<|\"|>}"
     "<tool_response|>response:g{value:1}<tool_response|>c<turn|>\n",
     0,
     MESSAGES(RAW("b") "," RESULT("0", "r") "," RAW(
         "response:g{value:1}<tool_response|>c"))},
    {"<|turn>model\nb<|tool_response>response:f{value:1}<tool_response|>"
     "<|tool_response>response:f{k:2,l:3}<tool_response|><turn|>\n",
     0,
     MESSAGES(RAW("b") "," RESULT("0", "1") "," RESULT(
         "1", "{\\\"k\\\":2,\\\"l\\\":3}"))},
    {"<|turn>model\nb<|tool_response>response:f{value:1}<tool_response|>"
     "<|image|><|audio|><|video|>c<turn|>\n",
     27, MESSAGES(RAW("b") "," RESULT("0", "1") "," RAW("c"))},
    /* Cut off where a first key is due, in a string, behind a comma. */
    {"<|turn>model\n<|tool_call>call:f{", 0,
     MESSAGES(RAW("<|tool_call>call:f{"))},
    {"<|turn>model\n<|tool_call>call:f{a:{", 0,
     MESSAGES(RAW("<|tool_call>call:f{a:{"))},
    {"<|turn>model\n<|tool_call>call:f{a:<|\"|>b", 0,
     MESSAGES(RAW("<|tool_call>call:f{a:<|\\\"|>b"))},
    {"<|turn>model\n<|tool_call>call:f{a:1,", 0,
     MESSAGES(RAW("<|tool_call>call:f{a:1,"))},
    {"<|turn>model\nb<|tool_response>response:f{value<tool_response|><turn|>",
     0, MESSAGES(RAW("b") "," RESULT("0", "{value"))},
    {"<|turn>model\nb<|tool_response>response:f{value:1", 9,
     MESSAGES(RAW("b"))},
    {"<|turn>model\nb<|tool_response>response:c<turn|>", 0,
     MESSAGES(RAW("b") "," RAW("response:c"))},
    {"<|turn>model\nb<|tool_response>", 0, MESSAGES(RAW("b"))},
};

#define QWEN_TOOLS(lines)                                                \
    "# Tools\n\nYou may call one or more functions to help.\n\nYou are " \
    "given signatures within <tools></tools> XML tags:\n<tools>\n" lines \
    "\n</tools>\n\nFor each call"

static const row qwen[] = {
    {"", 0, NONE},
    {"xx", 2, NONE},
    {"xx<|im_start|>user\na<|im_end|>\n", 2, USER},
    {"<|im_start|>user\na<|im_end|>\nxx", 2, USER},
    {"<|im_start|>user\na<|im_end|>xx<|im_start|>", 2, USER},
    {"<|im_start|>user\na", 0, USER},
    {"<|im_start|>user\n", 0, NONE},
    {"<|im_start|>user\n<|im_end|>", 0, MESSAGES(SAID("user", ""))},
    {"<|im_start|>user\na<|im_end|>\n<|im_start|>odd\nbcd<|im_end|>\n", 3,
     USER},
    {"<|im_start|>assistant\n", 0, NONE},
    {"<|im_start|>assistant\n<think>\n\n</think>\n\n", 0, NONE},
    {"<|im_start|>assistant\n<think>\n\n</think>\n\n<|im_end|>", 0,
     MESSAGES(RAW("<think>\\n\\n</think>\\n\\n"))},
    {"<|im_start|>assistant\nb", 0, MESSAGES(RAW("b"))},
    {"<|im_start|>system\n<|im_end|>\n", 0, MESSAGES(SAID("system", ""))},
    {"<|im_start|>system\nb\n\n" QWEN_TOOLS("{\"a\":1}") "<|im_end|>\n", 0,
     "{\"messages\":[" SAID("system", "b") "],\"tools\":[{\"a\":1}]}"},
    {"<|im_start|>system\n" QWEN_TOOLS(
         "{\"a\":1}\n\nbad\n{\"b\":2}") "<|im_end|>\n",
     3, "{\"messages\":[],\"tools\":[{\"a\":1},{\"b\":2}]}"},
    /* Only the first turn declares tools, and only in the template's words. */
    {"<|im_start|>system\nb<|im_end|>\n<|im_start|>system\n# Tools\n\nYou may "
     "call one or more functions<|im_end|>\n",
     0,
     MESSAGES(SAID("system", "b") "," SAID(
         "system", "# Tools\\n\\nYou may call one or more functions"))},
    {"<|im_start|>system\n# Tools\n\nYou may call one or more functions"
     "<|im_end|>\n",
     0,
     MESSAGES(
         SAID("system", "# Tools\\n\\nYou may call one or more functions"))},
    {"<|im_start|>user\n<tool_response>\nr\n</tool_response>\n<tool_response>"
     "\ns\n</tool_response><|im_end|>\n",
     0, MESSAGES(RESULT("0", "r") "," RESULT("1", "s"))},
    {"<|im_start|>user\n<tool_response>\nr\n</tool_response>x<|im_end|>\n", 0,
     MESSAGES(SAID("user", "<tool_response>\\nr\\n</tool_response>x"))},
    {"<|im_start|>user\n<tool_response>\nr<|im_end|>\n", 0,
     MESSAGES(SAID("user", "<tool_response>\\nr"))},
};

#define NOUS_FRONT \
    "<|im_start|>system\nYou may use the available tools: <tools> "
#define NOUS_BACK " </tools>Use the following schema<|im_end|>\n"
#define NOUS_TOOL                                               \
    "{\"type\": \"function\", \"function\": {\"name\": \"f\", " \
    "\"description\": \"f() - d\", \"parameters\": {}}"

static const row nous[] = {
    {"<|im_start|>system\nabc<|im_end|>\n<|im_start|>user\na<|im_end|>\n", 3,
     USER},
    {NOUS_FRONT NOUS_BACK, 0, NONE},
    {NOUS_FRONT NOUS_TOOL NOUS_BACK, 0,
     "{\"messages\":[],\"tools\":[" TOOL(
         ",\"description\":\"d\",\"parameters\":{}") "]}"},
    {NOUS_FRONT NOUS_TOOL "\n" NOUS_TOOL NOUS_BACK, 0,
     "{\"messages\":[],\"tools\":[" TOOL(
         ",\"description\":\"d\","
         "\"parameters\":{}") "," TOOL(",\"description\":\"d\",\"parameters\":"
                                       "{}") "]}"},
    {NOUS_FRONT "bad" NOUS_BACK, 3, NONE},
};

static const row harmony[] = {
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
     0, MESSAGES(RESULT("0", "r"))},
};

static const struct {
    const char *format;
    const row *rows;
    size_t count;
} all_rows[] = {
    {"gemma4", gemma, sizeof gemma / sizeof *gemma},
    {"hermes/qwen3", qwen, sizeof qwen / sizeof *qwen},
    {"hermes/nous", nous, sizeof nous / sizeof *nous},
    {"harmony", harmony, sizeof harmony / sizeof *harmony},
};

static void check_row(const char *format, const row *at)
{
    const size_t size = strlen(at->text);
    tw_jotter line = {.memory = &memory};
    tw_transcript transcript;
    /* Of exactly its size, so that a read behind it is seen. */
    char *text = malloc(size > 0 ? size : 1);
    cr_assert_not_null(text);
    memcpy(text, at->text, size);
    tw_transcript_init(&transcript, tw_format_find(format), &memory);
    cr_assert_eq(tw_transcript_read(&transcript, text, size, read_raw, &line),
                 TW_OK);
    const tw_buffer *found = &transcript.jotter.out;
    cr_expect(found->size == strlen(at->wanted) &&
                  memcmp(found->data, at->wanted, found->size) == 0,
              "%s, %s: %.*s", format, at->text, (int)found->size,
              (const char *)found->data);
    cr_expect_eq(transcript.collect.lost, at->lost, "%s, %s: %d", format,
                 at->text, (int)transcript.collect.lost);
    if (transcript.collect.lost > 0) {
        const ptrdiff_t offset = transcript.collect.lost_at - text;
        cr_expect(offset >= 0 && (size_t)offset < size, "%s, %s: lost at %td",
                  format, at->text, offset);
    }
    tw_transcript_free(&transcript);
    tw_buffer_free(&line.out, &memory);
    free(text);
}

Test(transcript, counts_what_belongs_to_no_turn)
{
    for (size_t i = 0; i < sizeof all_rows / sizeof *all_rows; i++) {
        for (size_t n = 0; n < all_rows[i].count; n++) {
            check_row(all_rows[i].format, &all_rows[i].rows[n]);
        }
    }
}

/* ---- results that come in turns ----------------------------------------- */

/* How often is allocated for a long message with the same turns behind it. */
static size_t allocations(bool results_together)
{
    static const char user[] = "<|im_start|>user\nx<|im_end|>\n";
    static const char result[] =
        "<|im_start|>user\n<tool_response>\n1\n</tool_response><|im_end|>\n";
    enum { LONG = 100000, TURNS = 3 };
    test_memory counted = {0};
    const tw_allocator allocator = {test_resize, &counted};
    const tw_memory own = tw_memory_from(&allocator);
    tw_jotter line = {.memory = &memory};
    tw_jotter wire = {.memory = &memory};
    tw_transcript transcript;
    tw_jot(&wire, "<|im_start|>assistant\n");
    for (size_t i = 0; i < LONG; i++) {
        tw_jot(&wire, "y");
    }
    tw_jot(&wire, "<|im_end|>\n");
    for (size_t i = 0; i < 2 * TURNS; i++) {
        const bool is_user = results_together ? i < TURNS : i % 2 == 0;
        tw_jot(&wire, is_user ? user : result);
    }
    tw_transcript_init(&transcript, tw_format_find("hermes"), &own);
    cr_assert_eq(tw_transcript_read(&transcript, (const char *)wire.out.data,
                                    wire.out.size, read_raw, &line),
                 TW_OK);
    tw_transcript_free(&transcript);
    tw_buffer_free(&line.out, &memory);
    tw_buffer_free(&wire.out, &memory);
    return counted.count;
}

Test(transcript, reads_a_message_once_however_often_results_follow)
{
    const size_t once = allocations(true);
    const size_t often = allocations(false);
    cr_expect_eq(once, often, "%zu and %zu", once, often);
}

Test(transcript, counts_the_calls_anew_for_other_results)
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
