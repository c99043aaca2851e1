/* SPDX-License-Identifier: MIT
 *
 * An assistant's message as a Mistral completion.
 */
#include "formats/encode.h"
#include "formats/mistral.h"

/* mistral-common refuses ids of any other size. */
enum { ID_SIZE = 9 };

static bool is_all(const tw_value *text, bool (*is_one)(uint8_t))
{
    bool all = text->size > 0;
    for (size_t i = 0; i < text->size && all; i++) {
        all = is_one((uint8_t)text->text[i]);
    }
    return all;
}

static bool is_name(uint8_t c)
{
    return tw_mistral_is_name(c);
}

static bool is_id(uint8_t c)
{
    return tw_mistral_is_id(c);
}

static void put_id(tw_segments *out, const tw_value *id, size_t number)
{
    if (id == NULL || tw_id_is_counted(id, number)) {
        return;
    }
    if (id->size == ID_SIZE && is_all(id, is_id)) {
        tw_out(out, "[CALL_ID]");
        tw_out_text(out, id);
    } else {
        tw_encode_loss(out, TW_LOSS_CALL_ID, id,
                       "The format's ids are nine letters and digits.");
    }
}

static void put_call(tw_segments *out, const tw_call *call, size_t number)
{
    if (tw_encode_refuses_free_text(out, call)) {
        return;
    }
    if (!is_all(call->name, is_name)) {
        tw_encode_refuse(out, call->name, "the format cannot write this name");
    }
    tw_out(out, "[TOOL_CALLS]");
    tw_out_text(out, call->name);
    put_id(out, call->id, number);
    tw_out(out, "[ARGS]");
    tw_encode_arguments(out, call);
}

void tw_mistral_encode(const tw_format *format,
                       const tw_conversation *conversation, tw_segments *out)
{
    (void)format;
    const tw_message *message = tw_encode_only_message(conversation, out);
    if (message == NULL) {
        return;
    }
    if (tw_encode_has_content(message->reasoning)) {
        tw_out(out, "[THINK]");
        tw_encode_content(out, message->reasoning);
        tw_out(out, "[/THINK]");
        tw_encode_note_blank(out, message->reasoning);
    }
    tw_encode_content(out, message->content);
    tw_encode_note_blank(out, message->content);
    for (size_t i = 0; i < message->call_count; i++) {
        put_call(out, tw_call_of(conversation, message, i), i);
    }
    tw_out(out, "</s>");
}
