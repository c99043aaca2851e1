/* SPDX-License-Identifier: MIT
 *
 * What nobody reads of a conversation: members of messages and calls that have
 * no place.
 */
#include "messages/conversation.h"

/* Has the conversation read this member, or one that says the same? */
static bool is_read(const tw_message *message, const tw_value *at)
{
    if (tw_value_has_key(at, "role") || tw_value_has_key(at, "content") ||
        at == message->name || at == message->own_id) {
        return true;
    }
    if (message->role != TW_ROLE_ASSISTANT) {
        return false;
    }
    if (tw_value_has_key(at, "tool_calls") ||
        tw_value_has_key(at, "function_call")) {
        return message->call_count > 0;
    }
    return tw_value_is_same_text(at, message->reasoning);
}

static bool is_number(const tw_value *value, size_t number)
{
    size_t read = 0;
    for (size_t i = 0; i < value->size; i++) {
        const unsigned digit = (unsigned)((unsigned char)value->text[i] - '0');
        if (digit > 9 || read > (SIZE_MAX - digit) / 10) {
            return false;
        }
        read = read * 10 + digit;
    }
    return value->kind == TW_VALUE_NUMBER && read == number;
}

/* Does this member of call |number| of its message say what is known without
 * it? */
static bool is_usual(const tw_call *call, const tw_value *at, size_t number)
{
    return at == call->own_id ||
           (tw_value_has_key(at, "index") && is_number(at, number)) ||
           (tw_value_has_key(at, "type") &&
            tw_value_is(at, call->input != NULL ? "custom" : "function"));
}

static void report_call(const tw_call *call, size_t number,
                        const char *const *also, tw_losses *losses)
{
    static const char *const bare[] = {"name", "arguments", NULL};
    static const char *const custom[] = {"name", "input", NULL};
    const char *const *function = call->input != NULL ? custom : bare;
    const tw_value *holder = call->name->parent;
    for (const tw_value *at = call->value->first; at != NULL; at = at->next) {
        if (at != holder && at != call->name && !is_usual(call, at, number) &&
            (at->parent != holder || !tw_value_is_named(at, function))) {
            tw_losses_add_member(losses, at, also);
        }
    }
    for (const tw_value *at = holder != call->value ? holder->first : NULL;
         at != NULL; at = at->next) {
        if (!tw_value_is_named(at, function)) {
            tw_losses_add_member(losses, at, also);
        }
    }
}

void tw_conversation_report_unread(const tw_conversation *conversation,
                                   tw_losses *losses, const char *const *also)
{
    for (size_t i = 0; i < tw_message_count(conversation); i++) {
        const tw_message *message = tw_message_at(conversation, i);
        const tw_value *content = tw_value_member(message->value, "content");
        for (const tw_value *at = message->value->first; at != NULL;
             at = at->next) {
            if (tw_value_has_key(at, "content") && at != content) {
                tw_losses_add(losses, TW_LOSS_CONTENT_DROPPED, at, 0,
                              "The message has `content` twice; the last one "
                              "counts.");
            }
            if (tw_value_has_key(at, "role") && at != message->role_name) {
                tw_losses_add(losses, TW_LOSS_MEMBER_DROPPED, at, 0,
                              "The message has `role` twice; the last one "
                              "counts.");
            }
            if (!is_read(message, at)) {
                tw_losses_add_member(losses, at, also);
            }
        }
        for (size_t j = 0; j < message->call_count; j++) {
            report_call(tw_call_of(conversation, message, j), j, also, losses);
        }
    }
}
