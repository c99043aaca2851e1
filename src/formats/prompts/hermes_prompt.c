/* SPDX-License-Identifier: MIT
 *
 * What a Hermes prompt's template does not write: results alone, and what of
 * its declarations of tools reads back as another.
 */
#include "formats/prompts/hermes.h"

#include <string.h>

/* Results are known by their place among those that follow each other. */
static void note_result(tw_segments *out, const tw_message *message,
                        size_t number)
{
    if (message->id != NULL && !tw_id_is_counted(message->id, number)) {
        tw_encode_loss(out, TW_LOSS_CALL_ID, message->id, NULL);
    }
    if (message->name != NULL) {
        tw_encode_loss(out, TW_LOSS_RESULT_NAME, message->name, NULL);
    }
}

void tw_hermes_put_results(const tw_format *format,
                           const tw_conversation *conversation,
                           tw_segments *out)
{
    (void)format;
    for (size_t i = 0; i < tw_message_count(conversation); i++) {
        const tw_message *message = tw_message_at(conversation, i);
        tw_out(out, i > 0 ? "\n<tool_response>\n" : "<tool_response>\n");
        tw_encode_content(out, message->content);
        tw_out(out, "\n</tool_response>");
        note_result(out, message, i);
    }
}

/* What is spliced in unescaped may read back as another. */
void tw_hermes_check_prompt(const tw_format *format,
                            const tw_conversation *conversation,
                            tw_segments *out)
{
    const tw_hermes_dialect *dialect = format->row;
    const tw_cursor prompt = {(const char *)out->text.data,
                              (const char *)out->text.data + out->text.size};
    const char *open = tw_cursor_find(&prompt, TW_HERMES_SIGNATURES);
    tw_transcript_reader reader;
    if (!dialect->signatures || conversation->tools == NULL || open == NULL) {
        return;
    }
    open += sizeof TW_HERMES_SIGNATURES - 1;
    tw_reader_init(&reader, out->memory);
    tw_hermes_read_signatures(&reader, open, (size_t)(prompt.end - open));
    tw_encode_report_read_back(out, conversation->tools,
                               tw_segments_place(out), &reader);
    tw_reader_free(&reader);
}

/* ---- dialects ----------------------------------------------------------- */

const tw_hermes_dialect tw_hermes_qwen3 = {
    .begin = "",
    .turn = "<|im_start|>",
    .turn_end = "<|im_end|>\n",
    .system_begin = "",
};

const tw_hermes_dialect tw_hermes_qwen25 = {
    .begin = "",
    .turn = "<|im_start|>",
    .turn_end = "<|im_end|>\n",
    .system_begin = "",
    .default_system = "You are Qwen, created by Alibaba Cloud. You are a "
                      "helpful assistant.",
};

const tw_hermes_dialect tw_hermes_nous = {
    .begin = "<|begin_of_text|>",
    .turn = "<|im_start|>",
    .turn_end = "<|im_end|>\n",
    .system_begin = "",
    .signatures = true,
    .results_end_odd = true,
};

const tw_hermes_dialect tw_hermes_rnj1 = {
    .begin = "<|begin_of_text|>",
    .turn = "<|start_header_id|>",
    .turn_end = "<|eot_id|>",
    .system_begin = "You are rnj-1, a foundation model trained by Essential "
                    "AI.\n\n",
    .default_system = "You are a helpful assistant.",
};

#define MARKER(text, role, literal, stop, decoded)            \
    {                                                         \
        TW_MARKER_TEXT(text), role, 1, literal, stop, decoded \
    }

const tw_marker tw_hermes_markers[] = {
    MARKER("<tool_call>", TW_MARKER_CALL_OPEN, 1, 0, 1),
    MARKER("</tool_call>", TW_MARKER_CALL_CLOSE, 1, 0, 1),
    MARKER("<think>", TW_MARKER_REASONING_OPEN, 1, 0, 1),
    MARKER("</think>", TW_MARKER_REASONING_CLOSE, 1, 0, 1),
    MARKER("<|im_end|>", TW_MARKER_END, 0, 1, 1),
    MARKER("<|endoftext|>", TW_MARKER_END, 0, 1, 1),
    MARKER("<|eot_id|>", TW_MARKER_END, 0, 1, 1),
    MARKER("<|im_start|>", TW_MARKER_TURN, 0, 0, 0),
    MARKER("<|begin_of_text|>", TW_MARKER_TURN, 0, 0, 0),
    MARKER("<|start_header_id|>", TW_MARKER_TURN, 0, 0, 0),
    MARKER("<|end_header_id|>", TW_MARKER_TURN, 0, 0, 0),
    MARKER("<tool_response>", TW_MARKER_RESULT, 1, 0, 0),
    MARKER("</tool_response>", TW_MARKER_RESULT, 1, 0, 0),
};
const size_t tw_hermes_marker_count =
    sizeof tw_hermes_markers / sizeof tw_hermes_markers[0];
