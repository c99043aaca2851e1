/* SPDX-License-Identifier: MIT
 *
 * Thinking that is signed or hidden, as a conversation's message has it.
 * Anthropic refuses a block whose text is not the one that was signed.
 */
#include <string.h>

#include "records/apis/anthropic_halves.h"

static bool is_text(const tw_value *block, const char *key)
{
    const tw_value *text = tw_value_member(block, key);
    return tw_value_is_a(text, TW_VALUE_STRING);
}

static bool is_thinking(const tw_value *block)
{
    const tw_value *type = tw_value_member(block, "type");
    return tw_value_is(type, "thinking")
               ? is_text(block, "thinking") && is_text(block, "signature")
               : tw_value_is(type, "redacted_thinking") &&
                     is_text(block, "data");
}

/* Is |reasoning| the texts of these blocks, with empty lines or nothing
 * between them? */
static bool says_blocks(const tw_value *reasoning, const tw_value *list)
{
    size_t at = 0;
    for (const tw_value *block = list->first; block != NULL;
         block = block->next) {
        const tw_value *text = tw_value_member(block, "thinking");
        while (text != NULL && at < reasoning->size &&
               reasoning->text[at] == '\n' &&
               (text->size == 0 || text->text[0] != '\n')) {
            at++;
        }
        if (text != NULL &&
            (text->size > reasoning->size - at ||
             memcmp(reasoning->text + at, text->text, text->size) != 0)) {
            return false;
        }
        at += text != NULL ? text->size : 0;
    }
    return at == reasoning->size;
}

const tw_value *tw_anthropic_thinking(const tw_recoder *recoder,
                                      const tw_message *message)
{
    const tw_value *list =
        tw_value_member(message->value, TW_ANTHROPIC_THINKING);
    const tw_value *at =
        tw_value_is_a(list, TW_VALUE_ARRAY) ? list->first : NULL;
    if (at == NULL || tw_anthropic_stays(recoder)) {
        return at;
    }
    while (at != NULL && is_thinking(at)) {
        at = at->next;
    }
    return at == NULL && (message->reasoning == NULL ||
                          says_blocks(message->reasoning, list))
               ? list->first
               : NULL;
}

void tw_anthropic_lose_thinking(tw_recoder *recoder,
                                const tw_conversation *conversation)
{
    static const char *const none[] = {NULL};
    for (size_t i = 0; i < tw_message_count(conversation); i++) {
        const tw_message *message = tw_message_at(conversation, i);
        const tw_value *list =
            tw_value_member(message->value, TW_ANTHROPIC_THINKING);
        if (list != NULL &&
            (message->role != TW_ROLE_ASSISTANT ||
             tw_anthropic_thinking(recoder, message) == NULL)) {
            tw_losses_add_member(&recoder->losses, list, none);
        }
    }
}
