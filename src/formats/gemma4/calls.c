/* SPDX-License-Identifier: MIT
 *
 * The calls of a message, as grammar/gemma4.jinja writes them.
 */
#include "formats/gemma4/gemma4.h"

#include "formats/body/gemma/put.h"
#include "formats/encode.h"
#include "formats/gemma4/tokens.h"

void tw_gemma4_put_calls(const tw_format *format,
                         const tw_conversation *conversation,
                         const tw_message *message, tw_segments *out)
{
    (void)format;
    for (size_t i = 0; i < message->call_count; i++) {
        const tw_call *call = tw_call_of(conversation, message, i);
        if (tw_encode_refuses_free_text(out, call)) {
            return;
        }
        if (call->id != NULL && !tw_id_is_counted(call->id, i)) {
            tw_encode_loss(out, TW_LOSS_CALL_ID, call->id, NULL);
        }
        tw_put_gemma_name(out, call->name);
        tw_put_gemma_arguments(out, call, TW_GEMMA4_QUOTE);
    }
}
