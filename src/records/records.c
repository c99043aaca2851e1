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
