/* SPDX-License-Identifier: MIT
 *
 * What a Hermes prompt's template does not write: results alone, and what of
 * its declarations of tools reads back as another.
 */
#include "formats/hermes/hermes.h"

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
    const tw_cursor prompt = {(const char *)out->text.data,
                              (const char *)out->text.data + out->text.size};
    const char *open = tw_cursor_find(&prompt, TW_HERMES_SIGNATURES);
    tw_transcript_reader reader;
    (void)format;
    if (conversation->tools == NULL || open == NULL) {
        return;
    }
    open += sizeof TW_HERMES_SIGNATURES - 1;
    tw_reader_init(&reader, out->memory);
    tw_hermes_read_signatures(&reader, open, (size_t)(prompt.end - open));
    tw_encode_report_read_back(out, conversation->tools,
                               tw_segments_place(out), &reader);
    tw_reader_free(&reader);
}
