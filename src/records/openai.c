/* SPDX-License-Identifier: MIT
 *
 * OpenAI's own shape: {"messages", "tools"}.
 */
#include <string.h>

#include "records/records.h"

/* The call as OpenAI writes it: its text where it came as text and is to. */
static void write_call(tw_recoder *recoder, const tw_call *call, size_t number)
{
    tw_jotter *jotter = &recoder->jotter;
    const tw_value *given = call->given;
    if (call->input != NULL) {
        tw_jot_value(jotter, call->value);
    } else if (recoder->arguments_object || given == NULL ||
               given->kind != TW_VALUE_STRING || call->arguments == NULL) {
        tw_jot_call(recoder, call->id, number, call->name, call->arguments);
    } else {
        tw_jot_call_as_it_is(jotter, call->id, number, call->name, given);
    }
}

static void write_calls(tw_recoder *recoder,
                        const tw_conversation *conversation,
                        const tw_message *message)
{
    tw_jot_key(&recoder->jotter, "tool_calls", false);
    for (size_t i = 0; i < message->call_count; i++) {
        tw_jot(&recoder->jotter, i == 0 ? "[" : ",");
        write_call(recoder, tw_call_of(conversation, message, i), i);
    }
    tw_jot(&recoder->jotter, "]");
}

/* An assistant's message: what logs spell in several ways in one. */
static void write_assistant(tw_recoder *recoder,
                            const tw_conversation *conversation,
                            const tw_message *message)
{
    static const char *const known[] = {
        "role",          "content",  "reasoning_content",
        "reasoning",     "thinking", "tool_calls",
        "function_call", "toolwire", NULL};
    tw_jotter *jotter = &recoder->jotter;
    tw_jot(jotter, "{\"role\":\"assistant\",\"content\":");
    if (message->content != NULL) {
        tw_jot_value(jotter, message->content);
    } else {
        tw_jot(jotter, "null");
    }
    if (message->reasoning != NULL) {
        tw_jot_key(jotter, "reasoning_content", false);
        tw_jot_value(jotter, message->reasoning);
    }
    if (message->call_count > 0) {
        write_calls(recoder, conversation, message);
    }
    for (const tw_value *at = message->value->first; at != NULL;
         at = at->next) {
        bool other = true;
        for (const char *const *key = known; *key != NULL; key++) {
            other = other && !tw_value_has_key(at, *key);
        }
        other = other || (tw_value_has_key(at, "toolwire") &&
                          tw_value_is_true(tw_value_member(at, "unparsed")));
        if (other) {
            tw_jot_member(jotter, at, false);
        }
    }
    tw_jot(jotter, "}");
}

void tw_jot_openai_tools(tw_jotter *jotter,
                         const tw_conversation *conversation)
{
    if (conversation->tools != NULL) {
        const tw_value *tool = conversation->tools->first;
        tw_jot(jotter, ",\"tools\":[");
        for (; tool != NULL; tool = tool->next) {
            tw_jot_tool(jotter, tool);
            tw_jot(jotter, tool->next != NULL ? "," : "");
        }
        tw_jot(jotter, "]");
    }
}

static void write(tw_recoder *recoder, const tw_conversation *conversation)
{
    tw_jotter *jotter = &recoder->jotter;
    tw_jot(jotter, "\"messages\":[");
    for (size_t i = 0; i < tw_message_count(conversation); i++) {
        const tw_message *message = tw_message_at(conversation, i);
        tw_jot(jotter, i > 0 ? "," : "");
        if (message->role == TW_ROLE_ASSISTANT) {
            write_assistant(recoder, conversation, message);
        } else if (message->role == TW_ROLE_OTHER) {
            tw_recoder_refuse(recoder, message->role_name,
                              "the role is not known");
        } else {
            tw_jot_value(jotter, message->value);
        }
    }
    tw_jot(jotter, "]");
    tw_jot_openai_tools(jotter, conversation);
}

static const char *const members[] = {"messages", "tools", NULL};

const tw_record_shape tw_openai_shape = {"openai", "messages", members, NULL,
                                         write};
