/* SPDX-License-Identifier: MIT
 *
 * What the writers of several shapes share.
 */
#include "records/records.h"

void tw_json_put_tool(tw_json_out *json_out, const tw_value *tool)
{
    const tw_value *type = tw_value_member(tool, "type");
    if (tw_value_member(tool, "function") != NULL ||
        tw_value_member(tool, "custom") != NULL ||
        (type != NULL && !tw_value_is(type, "function"))) {
        tw_json_put_value(json_out, tool);
        return;
    }
    tw_json_put(json_out, "{\"type\":\"function\",\"function\":{");
    bool first = true;
    for (const tw_value *at = tool->first; at != NULL; at = at->next) {
        if (!tw_value_has_key(at, "type")) {
            tw_json_put_member(json_out, at, first);
            first = false;
        }
    }
    tw_json_put(json_out, "}}");
}

void tw_json_put_described(tw_recoder *recoder, tw_json_out *text,
                           const tw_call *call, const tw_message *message,
                           size_t number)
{
    if (call->input != NULL) {
        tw_recoder_refuse(recoder, call->value,
                          "the shape has no place for a custom call");
        return;
    }
    tw_json_put(text, "{\"name\": ");
    tw_json_put_value(text, call->name);
    tw_json_put(text, ", \"arguments\": ");
    if (call->arguments == NULL) {
        tw_json_put(text, "{}");
    } else if (!text->failed &&
               !tw_value_dump(&text->out, text->memory, call->arguments,
                              &tw_dump_spaced)) {
        text->failed = true;
    }
    tw_json_put(text, "}");
    if (call->id != NULL && !tw_id_is_counted(call->id, number) &&
        !tw_id_is_counted(call->id, message->first_call + number)) {
        tw_recoder_report_loss(recoder, TW_LOSS_CALL_ID, call->id, NULL);
    }
}

bool tw_has_text(const tw_value *content)
{
    return tw_value_is_a(content, TW_VALUE_STRING) && content->size > 0;
}

void tw_read_system(tw_recoder *recoder, const tw_value *system)
{
    if (tw_has_text(system)) {
        tw_read_text(recoder, "system", system, system);
    } else if (tw_value_is_true(system)) {
        tw_recoder_report_loss(recoder, TW_LOSS_CONTENT_NOT_TEXT, system,
                               NULL);
    }
}

/* What a tool gave back: an object is its JSON text where only text has a
 * place. */
static bool is_result_object(const tw_value *content)
{
    const tw_value *role = content != NULL && content->parent != NULL
                               ? tw_value_member(content->parent, "role")
                               : NULL;
    return tw_value_is_a(content, TW_VALUE_OBJECT) &&
           (tw_value_is(role, "tool") || tw_value_is(role, "function"));
}

void tw_json_put_content(tw_recoder *recoder, const tw_value *content)
{
    if (tw_value_is_a(content, TW_VALUE_STRING)) {
        tw_json_put_value(&recoder->json_out, content);
        return;
    }
    if (is_result_object(content)) {
        tw_json_put_packed(&recoder->json_out, content, &tw_dump_spaced);
        return;
    }
    tw_json_put(&recoder->json_out, "\"\"");
    if (content != NULL) {
        tw_recoder_report_loss(recoder, TW_LOSS_CONTENT_NOT_TEXT, content,
                               NULL);
    }
}

bool tw_find_data(const tw_value *url, tw_data_url *found)
{
    static const char front[] = "data:";
    static const char mark[] = ";base64";
    enum { FRONT = sizeof front - 1, MARK = sizeof mark - 1 };
    const char *comma = url->kind == TW_VALUE_STRING
                            ? memchr(url->text, ',', url->size)
                            : NULL;
    const size_t head = comma != NULL ? (size_t)(comma - url->text) : 0;
    if (head < FRONT + MARK || memcmp(url->text, front, FRONT) != 0 ||
        memcmp(comma - MARK, mark, MARK) != 0) {
        return false;
    }
    found->type = url->text + FRONT;
    found->type_size = head - MARK - FRONT;
    found->data = comma + 1;
    found->data_size = url->size - head - 1;
    return true;
}

void tw_report_lost_developer(tw_recoder *recoder, const tw_message *message)
{
    if (message->role == TW_ROLE_DEVELOPER) {
        tw_recoder_report_loss(recoder, TW_LOSS_ROLE_CHANGED,
                               message->role_name, NULL);
    }
}

const tw_message *tw_last_answer(tw_recoder *recoder,
                                 const tw_conversation *conversation)
{
    const size_t count = tw_message_count(conversation);
    const tw_message *last =
        count > 0 ? tw_message_at(conversation, count - 1) : NULL;
    if (last == NULL || last->role != TW_ROLE_ASSISTANT) {
        tw_recoder_refuse(recoder,
                          last != NULL ? last->value : conversation->root,
                          "the last message is not an assistant's");
        return NULL;
    }
    return last;
}

void tw_report_lost_type(tw_recoder *recoder, const tw_value *source)
{
    static const char *const usual[] = {"function", "custom", NULL};
    const tw_value *type = tw_value_member(source, "type");
    if (type != NULL && !tw_value_is_void(type) &&
        !tw_value_is_one_of(type, usual)) {
        tw_recoder_report_loss(recoder, TW_LOSS_MEMBER_DROPPED, type, NULL);
    }
}

void tw_report_lost_wrapper(tw_recoder *recoder, const tw_value *tool)
{
    static const char *const known[] = {"type", "function", "custom", NULL};
    const tw_value *function = tw_tool_function(tool);
    tw_report_lost_type(recoder, tool);
    if (function == tool) {
        return;
    }
    if (tw_value_has_key(function, "custom")) {
        tw_recoder_report_loss(recoder, TW_LOSS_CALL_FORM, tool,
                               "It is declared as a function.");
    }
    tw_losses_add_members(&recoder->losses, tool, known);
}

void tw_report_lost_reasoning(tw_recoder *recoder,
                              const tw_conversation *conversation)
{
    for (size_t i = 0; i < tw_message_count(conversation); i++) {
        const tw_message *message = tw_message_at(conversation, i);
        if (message->reasoning != NULL) {
            tw_recoder_report_loss(recoder, TW_LOSS_REASONING_DROPPED,
                                   message->reasoning, NULL);
        }
    }
}

void tw_report_lost_tools(tw_recoder *recoder,
                          const tw_conversation *conversation)
{
    const tw_value *tools = conversation->tools;
    for (const tw_value *at = tools != NULL ? tools->first : NULL; at != NULL;
         at = at->next) {
        tw_recoder_report_loss(recoder, TW_LOSS_TOOL_DROPPED, at, NULL);
    }
}

bool tw_has_call_ids(const tw_conversation *conversation)
{
    const size_t count = conversation->calls.size / sizeof(tw_call);
    size_t i = 0;
    while (i < count && tw_conversation_call(conversation, i)->id == NULL) {
        i++;
    }
    return i < count;
}

void tw_open_calls_of(const tw_message *message, tw_open_calls *calls)
{
    if (message->call_count > 0) {
        calls->next = message->first_call;
        calls->end = message->first_call + message->call_count;
    }
}

void tw_report_next_result(tw_recoder *recoder,
                           const tw_conversation *conversation, size_t message,
                           tw_open_calls *calls)
{
    const tw_message *result = tw_message_at(conversation, message);
    const size_t answered = tw_pairs_answered(&recoder->pairs, message);
    const size_t read = calls->next < calls->end ? calls->next++ : TW_NO_CALL;
    if (answered != read) {
        tw_recoder_report_loss(recoder, TW_LOSS_RESULT_MISPLACED,
                               result->id != NULL ? result->id : result->value,
                               NULL);
    } else if (answered == TW_NO_CALL && result->id != NULL) {
        tw_recoder_report_loss(recoder, TW_LOSS_CALL_ID, result->id, NULL);
    }
}

/* Is the name of a result no more than what each has where it came from? */
static bool is_given_name(const tw_recoder *recoder,
                          const tw_conversation *conversation, size_t i)
{
    const size_t answered = tw_pairs_answered(&recoder->pairs, i);
    if (recoder->from == NULL || !recoder->from->names_results ||
        answered == TW_NO_CALL) {
        return false;
    }
    const tw_value *name = tw_message_at(conversation, i)->name;
    const tw_value *called =
        tw_conversation_call(conversation, answered)->name;
    return tw_value_is_same_text(name, called);
}

void tw_report_unread(tw_recoder *recoder, const tw_conversation *conversation,
                      const char *const *also)
{
    for (size_t i = 0; i < tw_message_count(conversation); i++) {
        const tw_message *message = tw_message_at(conversation, i);
        if (message->name != NULL &&
            !is_given_name(recoder, conversation, i)) {
            tw_recoder_report_loss(recoder, TW_LOSS_RESULT_NAME, message->name,
                                   NULL);
        }
    }
    tw_conversation_report_unread(conversation, &recoder->losses, also);
}

void tw_recoder_put_arguments(tw_recoder *recoder, const tw_call *call)
{
    tw_json_out *json_out = &recoder->json_out;
    const tw_value *type = tw_value_member(call->value, "type");
    if (call->input != NULL) {
        tw_json_put(json_out, "{\"input\":");
        tw_json_put_value(json_out, call->input);
        tw_json_put(json_out, "}");
        tw_recoder_report_loss(recoder, TW_LOSS_CALL_FORM,
                               type != NULL ? type : call->value,
                               "Its text becomes an argument `input`.");
    } else if (call->arguments != NULL) {
        tw_json_put_value(json_out, call->arguments);
    } else {
        tw_json_put(json_out, "{}");
    }
}

void tw_recoder_drop_server_tool(tw_recoder *recoder, const tw_value *tool)
{
    tw_recoder_report_loss(recoder, TW_LOSS_TOOL_DROPPED, tool,
                           "The target has no place for a server's tool.");
}
