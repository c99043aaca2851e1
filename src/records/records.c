/* SPDX-License-Identifier: MIT */
#include "records/records.h"

#include <string.h>

const tw_record_shape *tw_record_shape_find(const char *name)
{
    static const tw_record_shape *const shapes[] = {
        &tw_openai_shape, &tw_sharegpt_shape, &tw_anthropic_shape};
    for (size_t i = 0; name != NULL && i < 3; i++) {
        if (strcmp(shapes[i]->name, name) == 0) {
            return shapes[i];
        }
    }
    return NULL;
}

void tw_recoder_refuse(tw_recoder *recoder, const tw_value *where,
                       const char *message)
{
    if (recoder->code == TW_OK) {
        recoder->code = TW_ERROR_SCHEMA;
        recoder->where = where;
        recoder->message = message;
    }
}

void tw_recoder_report_loss(tw_recoder *recoder, uint32_t code,
                            const tw_value *where, const char *message)
{
    tw_losses_add(&recoder->losses, code, where, 0, message);
}

/* A dotted path is held by the member that it begins with. */
static bool is_held(const tw_value *member, const char *const *names)
{
    for (const char *const *name = names; *name != NULL; name++) {
        const size_t size = strcspn(*name, ".");
        if (member->key_size == size &&
            (size == 0 || memcmp(member->key, *name, size) == 0)) {
            return true;
        }
    }
    return false;
}

void tw_json_put_others(tw_recoder *recoder, const tw_value *record,
                        const char *const *used, const char *const *taken,
                        bool first)
{
    if (record->kind != TW_VALUE_OBJECT) {
        return;
    }
    for (const tw_value *at = record->first; at != NULL; at = at->next) {
        if (is_held(at, used)) {
            continue;
        }
        if (is_held(at, taken)) {
            tw_recoder_report_loss(recoder, TW_LOSS_MEMBER_REPLACED, at, NULL);
        } else {
            tw_json_put_member(&recoder->json_out, at, first);
            first = false;
        }
    }
}

/* ---- reading ------------------------------------------------------------ */

void tw_begin_message(tw_recoder *recoder, const char *role,
                      const tw_value *source)
{
    tw_json_out *json_out = &recoder->json_out;
    const bool first = tw_origins_message_count(&recoder->origins) == 0;
    tw_origins_message(&recoder->origins, source);
    tw_json_put(json_out, first ? "{" : ",{");
    tw_json_put_key(json_out, "role", true);
    tw_json_put_string(json_out, role, strlen(role));
}

void tw_joint_add(tw_joint *joint, tw_recoder *recoder, const tw_value *text)
{
    static const char gap[] = "\n\n";
    if (text->size == 0) {
        return;
    }
    if (joint->count == 1) {
        tw_recoder_report_loss(recoder, TW_LOSS_PARTS_JOINED, joint->first,
                               NULL);
    }
    if (joint->count > 0) {
        tw_recoder_report_loss(recoder, TW_LOSS_PARTS_JOINED, text, NULL);
    } else {
        joint->first = text;
    }
    if (!tw_buffer_append(&joint->text, recoder->memory, gap,
                          joint->count > 0 ? sizeof gap - 1 : 0) ||
        !tw_buffer_append(&joint->text, recoder->memory, text->text,
                          text->size)) {
        recoder->json_out.failed = true;
    }
    joint->count++;
}

void tw_json_put_reasoning(tw_recoder *recoder, tw_joint *joint)
{
    if (joint->count > 0) {
        tw_origins_reasoning(&recoder->origins, joint->first);
        tw_json_put_key(&recoder->json_out, "reasoning_content", false);
        tw_json_put_halves(&recoder->json_out, (const char *)joint->text.data,
                           joint->text.size);
    }
    tw_buffer_free(&joint->text, recoder->memory);
}

static void jot_call_id(tw_json_out *json_out, size_t number)
{
    tw_json_put(json_out, "\"call_");
    tw_json_put_number(json_out, number);
    tw_json_put(json_out, "\"");
}

void tw_json_put_call(tw_recoder *recoder, const tw_value *source,
                      const tw_value *id, size_t number, const tw_value *name,
                      const tw_value *arguments)
{
    tw_json_out *json_out = &recoder->json_out;
    tw_origins_call(&recoder->origins, source);
    tw_json_put(json_out, "{");
    if (id != NULL) {
        tw_json_put(json_out, "\"id\":");
        tw_json_put_value(json_out, id);
        tw_json_put(json_out, ",");
    } else if (recoder->to == NULL) {
        tw_json_put(json_out, "\"id\":");
        jot_call_id(json_out, number);
        tw_json_put(json_out, ",");
    }
    tw_json_put(json_out, "\"type\":\"function\",\"function\":{\"name\":");
    tw_json_put_value(json_out, name);
    tw_json_put(json_out, ",\"arguments\":");
    if (arguments == NULL) {
        tw_json_put(json_out, "\"{}\"");
    } else if (arguments->kind == TW_VALUE_STRING) {
        tw_json_put_value(json_out, arguments);
    } else {
        tw_json_put_packed(json_out, arguments, &tw_dump_spaced);
    }
    tw_json_put(json_out, "}}");
}

void tw_json_put_result_id(tw_recoder *recoder, const tw_value *source,
                           size_t number, size_t calls)
{
    if (recoder->to != NULL) {
        return; /* tw_pairs_find() tells */
    }
    if (number < calls) {
        tw_json_put_key(&recoder->json_out, "tool_call_id", false);
        jot_call_id(&recoder->json_out, number);
    } else {
        tw_recoder_report_loss(recoder, TW_LOSS_RESULT_UNMATCHED, source,
                               NULL);
    }
}

/* ---- JSON in texts ------------------------------------------------------ */

static void read_described(tw_recoder *recoder, const tw_value *text,
                           const tw_value *call, size_t number)
{
    static const char *const known[] = {"name", "arguments", NULL};
    static const char *const others[] = {"name", "parameters", NULL};
    const tw_value *name = tw_value_member(call, "name");
    const tw_value *arguments = tw_value_member(call, "arguments");
    const bool usual = arguments != NULL;
    if (name == NULL || name->kind != TW_VALUE_STRING) {
        tw_recoder_refuse(recoder, text, "the call has no name");
        return;
    }
    tw_json_put(&recoder->json_out, number > 0 ? "," : "");
    tw_json_put_call(recoder, call, NULL, number, name,
                     usual ? arguments : tw_value_member(call, "parameters"));
    tw_losses_add_members(&recoder->losses, call, usual ? known : others);
}

void tw_json_put_calls_text(tw_recoder *recoder, const tw_value *text,
                            size_t *count)
{
    bool repaired;
    const int result =
        tw_tree_read_inner(&recoder->texts, text, true, &repaired);
    const tw_value *root = recoder->texts.root;
    if (result != TW_OK) {
        recoder->json_out.failed |= result == TW_ERROR_MEMORY;
        tw_recoder_refuse(recoder, text, "the call is not JSON");
        return;
    }
    if (repaired) {
        tw_recoder_report_loss(
            recoder, TW_LOSS_ARGUMENTS_SPELLING, text,
            "The text of the call was no JSON; it is repaired.");
    }
    if (root->kind != TW_VALUE_ARRAY) {
        read_described(recoder, text, root, (*count)++);
        return;
    }
    if (root->first == NULL) {
        tw_recoder_report_loss(recoder, TW_LOSS_CALL_FORM, text,
                               "The list of calls is empty.");
    }
    for (const tw_value *at = root->first; at != NULL; at = at->next) {
        read_described(recoder, text, at, (*count)++);
    }
}

void tw_json_put_tools(tw_recoder *recoder, const tw_value *tools)
{
    const tw_value *list = tools;
    if (tools->kind == TW_VALUE_STRING && tools->size > 0) {
        const int result =
            tw_tree_read_inner(&recoder->texts, tools, false, NULL);
        recoder->json_out.failed |= result == TW_ERROR_MEMORY;
        list = result == TW_OK ? recoder->texts.root : NULL;
    }
    if (list == NULL ||
        (list->kind != TW_VALUE_ARRAY && list->kind != TW_VALUE_NULL &&
         list->kind != TW_VALUE_STRING)) {
        tw_recoder_refuse(recoder, tools, "`tools` is not a list");
    } else if (list->first != NULL) {
        tw_json_put(&recoder->json_out, ",\"tools\":[");
        for (const tw_value *at = list->first; at != NULL; at = at->next) {
            tw_origins_tool(&recoder->origins, at);
            tw_json_put_tool(&recoder->json_out, at);
            tw_json_put(&recoder->json_out, at->next != NULL ? "," : "");
        }
        tw_json_put(&recoder->json_out, "]");
    }
}

/* ---- writing ------------------------------------------------------------ */

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

bool tw_has_text(const tw_value *content)
{
    return content != NULL && content->kind == TW_VALUE_STRING &&
           content->size > 0;
}

void tw_json_put_content(tw_recoder *recoder, const tw_value *content)
{
    if (content != NULL && content->kind == TW_VALUE_STRING) {
        tw_json_put_value(&recoder->json_out, content);
        return;
    }
    tw_json_put(&recoder->json_out, "\"\"");
    if (content != NULL) {
        tw_recoder_report_loss(recoder, TW_LOSS_CONTENT_NOT_TEXT, content,
                               NULL);
    }
}

void tw_report_lost_developer(tw_recoder *recoder, const tw_message *message)
{
    if (message->role == TW_ROLE_DEVELOPER) {
        tw_recoder_report_loss(recoder, TW_LOSS_ROLE_CHANGED,
                               message->role_name, NULL);
    }
}

void tw_report_unread(tw_recoder *recoder, const tw_conversation *conversation,
                      const char *const *also)
{
    for (size_t i = 0; i < tw_message_count(conversation); i++) {
        const tw_message *message = tw_message_at(conversation, i);
        if (message->name != NULL) {
            tw_recoder_report_loss(recoder, TW_LOSS_RESULT_NAME, message->name,
                                   NULL);
        }
    }
    tw_conversation_report_unread(conversation, &recoder->losses, also);
}
