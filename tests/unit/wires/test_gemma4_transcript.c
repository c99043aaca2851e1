/* SPDX-License-Identifier: MIT
 *
 * Gemma 4: transcripts (checks/transcripts.h).
 */
#include <criterion/criterion.h>

#include "checks/transcripts.h"

static const row rows[] = {
    {"", 0, NONE},
    {"<bos>", 0, NONE},
    {"xx", 2, NONE},
    {"<bos>xx<|turn>user\na<turn|>\n", 2, USER},
    {"<|turn>user\na<turn|>\nxx", 2, USER},
    {"<|turn>user\na<turn|>\n\n", 1, USER},
    {"<|turn>user\na<turn|>xx<|turn>", 2, USER},
    /* What is no UTF-8 is replaced, and nothing behind it. */
    {"<|turn>user\n\xFF"
     "a<turn|>\n",
     0,
     MESSAGES(SAID("user", "\xEF\xBF\xBD"
                           "a"))},
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
    {"<|turn>system\n<|tool>declaration:{}<tool|><turn|>\n<|turn>user\n"
     "a<turn|>",
     28, USER},
    {"<|turn>system\nb<|tool>x<|tool>declaration:f{description:<|\"|>d<|\"|>}"
     "<tool|><turn|>\n",
     8,
     "{\"messages\":[" SAID("system", "b") "],\"tools\":[" TOOL(
         ",\"description\":\"d\"") "]}"},
    {"<|turn>system\nb<|tool>declaration:f{}<tool|>xx<turn|>\n", 2,
     "{\"messages\":[" SAID("system", "b") "],\"tools\":[" TOOL("") "]}"},
    /* A comma stands behind the last part of parameters without a type, and
     * nowhere else. */
    {"<|turn>system\n<|tool>declaration:f{parameters:{required:[<|\"|>x<|\"|>"
     "],}}<tool|><turn|>\n",
     0,
     "{\"messages\":[],\"tools\":[" TOOL(
         ",\"parameters\":{\"required\":[\"x\"]}") "]}"},
    {"<|turn>system\n<|tool>declaration:f{parameters:{required:[<|\"|>x<|\"|>"
     ",]}}<tool|><turn|>\n<|turn>user\na<turn|>",
     65, USER},
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
     MESSAGES(RAW("b") "," RESULT("r") "," RAW(
         "response:g{value:1}<tool_response|>c"))},
    {"<|turn>model\nb<|tool_response>response:f{value:1}<tool_response|>"
     "<|tool_response>response:f{k:2,l:3}<tool_response|><turn|>\n",
     0,
     MESSAGES(
         RAW("b") "," RESULT("1") "," RESULT("{\\\"k\\\":2,\\\"l\\\":3}"))},
    {"<|turn>model\nb<|tool_response>response:f{value:1}<tool_response|>"
     "<|image|><|audio|><|video|>c<turn|>\n",
     27, MESSAGES(RAW("b") "," RESULT("1") "," RAW("c"))},
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
     0, MESSAGES(RAW("b") "," RESULT("{value"))},
    {"<|turn>model\nb<|tool_response>response:{a:1}<tool_response|><turn|>", 0,
     MESSAGES(RAW("b") "," RESULT("{a:1}"))},
    {"<|turn>model\nb<|tool_response>response:f{value:1", 9,
     MESSAGES(RAW("b"))},
    {"<|turn>model\nb<|tool_response>response:c<turn|>", 0,
     MESSAGES(RAW("b") "," RAW("response:c"))},
    {"<|turn>model\nb<|tool_response>", 0, MESSAGES(RAW("b"))},
};

Test(transcript, gemma4_counts_what_belongs_to_no_turn)
{
    check_transcripts("gemma4", rows, sizeof rows / sizeof *rows);
}

/* A result of a number, of several members, of a text, of what is none: each
 * answers its call by its place. */
Test(transcript, gemma4_results_answer_calls)
{
    static const char wire[] =
        "<|turn>model\n<|tool_call>call:f{}<tool_call|><|tool_call>call:g{}"
        "<tool_call|><|tool_call>call:h{}<tool_call|><|tool_call>call:i{}"
        "<tool_call|>"
        "<|tool_response>response:f{value:1}<tool_response|>"
        "<|tool_response>response:g{k:2,l:3}<tool_response|>"
        "<|tool_response>response:h{value:<|\"|>r<|\"|>}<tool_response|>"
        "<|tool_response>response:i{value<tool_response|>"
        "<turn|>\n";
    static const char *const wanted[] = {
        "{\"role\":\"tool\",\"tool_call_id\":\"call_0\",\"content\":\"1\"}",
        "{\"role\":\"tool\",\"tool_call_id\":\"call_1\",\"content\":"
        "\"{\\\"k\\\":2,\\\"l\\\":3}\"}",
        "{\"role\":\"tool\",\"tool_call_id\":\"call_2\",\"content\":\"r\"}",
        "{\"role\":\"tool\",\"tool_call_id\":\"call_3\",\"content\":"
        "\"{value\"}"};
    for (size_t i = 0; i < sizeof wanted / sizeof *wanted; i++) {
        cr_expect(transcript_has("gemma4", wire, wanted[i]), "%s", wanted[i]);
    }
}
