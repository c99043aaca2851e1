/* SPDX-License-Identifier: MIT
 *
 * The calls of a message, as grammar/harmony.jinja writes them.
 */
#include "formats/encode.h"
#include "formats/harmony/prompt.h"

/* The renderer keeps the text that they came as, the chat template prints what
 * it means. */
static void put_arguments(bool renderer, const tw_call *call, tw_segments *out)
{
    const tw_value *given = call->given;
    const size_t begin = out->text.size;
    if (!renderer || given == NULL || call->arguments == NULL ||
        given->kind != TW_VALUE_STRING) {
        tw_encode_arguments(out, call);
        return;
    }
    tw_out_json_text(out, given);
    const char first = given->text[0];
    const char last = given->text[given->size - 1];
    if (out->text.size - begin != given->size || first != '{' || last != '}') {
        tw_encode_loss(out, TW_LOSS_ARGUMENTS_SPELLING, given, NULL);
    }
}

void tw_harmony_put_calls(const tw_format *format,
                          const tw_conversation *conversation,
                          const tw_message *message, tw_segments *out)
{
    for (size_t i = 0; i < message->call_count; i++) {
        const tw_call *call = tw_call_of(conversation, message, i);
        if (call->input == NULL) {
            put_arguments(tw_harmony_is_renderer(format), call, out);
        }
        if (call->id != NULL && !tw_id_is_counted(call->id, i)) {
            tw_encode_loss(out, TW_LOSS_CALL_ID, call->id, NULL);
        }
    }
}
