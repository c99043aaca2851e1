/* SPDX-License-Identifier: MIT
 *
 * Hermes: transcripts (checks/transcripts.h).
 */
#include <criterion/criterion.h>
#include <string.h>

#include "checks/transcripts.h"
#include "toolwire.h"

#define QWEN_TOOLS(lines)                                                \
    "# Tools\n\nYou may call one or more functions to help.\n\nYou are " \
    "given signatures within <tools></tools> XML tags:\n<tools>\n" lines \
    "\n</tools>\n\nFor each call"

static const row qwen_rows[] = {
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
     0, MESSAGES(RESULT("r") "," RESULT("s"))},
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

static const row nous_rows[] = {
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

Test(transcript, hermes_counts_what_belongs_to_no_turn)
{
    check_transcripts("hermes/qwen3", qwen_rows,
                      sizeof qwen_rows / sizeof *qwen_rows);
    check_transcripts("hermes/nous", nous_rows,
                      sizeof nous_rows / sizeof *nous_rows);
}

/* In a log's turn, whose frame is gone: `</tools>` alone declares nothing, and
 * of two lists the first counts. */
Test(transcript, hermes_tags_of_tools_in_a_log)
{
    static const struct {
        const char *record;
        bool declares;
    } logs[] = {
        {"{\"conversations\":[{\"from\":\"system\",\"value\":"
         "\"{\\\"odd\\\":1}</tools>\"},{\"from\":\"human\",\"value\":\"a\"}]}",
         false},
        {"{\"conversations\":[{\"from\":\"system\",\"value\":\"<tools>"
         "{\\\"name\\\":\\\"b\\\"}</tools><tools>{\\\"odd\\\":1}</tools>\"},"
         "{\"from\":\"human\",\"value\":\"a\"}]}",
         true},
    };
    for (size_t i = 0; i < sizeof logs / sizeof *logs; i++) {
        tw_converter *converter = tw_converter_new("sharegpt", "openai", NULL);
        const char *json = NULL;
        size_t size = 0;
        tw_converter_set_wire(converter, tw_format_find("hermes"));
        cr_assert_eq(tw_converter_record(converter, logs[i].record,
                                         strlen(logs[i].record), &json, &size),
                     TW_OK);
        const char *tools = strstr(json, "\"tools\":[");
        cr_expect_eq(tools != NULL, logs[i].declares, "%s", json);
        cr_expect(tools == NULL || strstr(tools, "odd") == NULL, "%s", json);
        tw_converter_free(converter);
    }
}
