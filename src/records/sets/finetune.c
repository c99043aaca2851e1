/* SPDX-License-Identifier: MIT
 *
 * OpenAI's records for fine-tuning: {"messages", "tools",
 * "parallel_tool_calls"}, and no member that its trainer refuses.
 */
#include "core/ascii.h"
#include "records/shapes.h"

typedef struct tuned {
    tw_recoder *recoder;
    const tw_conversation *conversation;
} tuned;

static void put(const tuned *out, const char *text)
{
    tw_json_put(&out->recoder->json_out, text);
}

/* ---- contents ----------------------------------------------------------- */

static void put_image(const tuned *out, const tw_value *part)
{
    static const char *const known[] = {"type", "image_url", NULL};
    static const char *const inside[] = {"url", "detail", NULL};
    const tw_value *image = tw_value_member(part, "image_url");
    const tw_value *detail = tw_value_member(image, "detail");
    put(out, "{\"type\":\"image_url\",\"image_url\":{\"url\":");
    tw_json_put_value(&out->recoder->json_out, tw_value_member(image, "url"));
    if (detail != NULL) {
        tw_json_put_member(&out->recoder->json_out, detail, false);
    }
    put(out, "}}");
    tw_losses_add_members(&out->recoder->losses, part, known);
    tw_losses_add_members(&out->recoder->losses, image, inside);
}

/* Texts, and a user's images. */
static void put_parts(const tuned *out, const tw_message *message)
{
    static const char *const known[] = {"\"type", "text", NULL};
    tw_recoder *recoder = out->recoder;
    bool first = true;
    put(out, "[");
    for (const tw_value *at = message->content->first; at != NULL;
         at = at->next) {
        const tw_value *text = tw_part_text(at);
        const tw_value *url =
            tw_value_member(tw_value_member(at, "image_url"), "url");
        const bool image = message->role == TW_ROLE_USER &&
                           tw_value_is_a(url, TW_VALUE_STRING);
        if (text == NULL && !image) {
            tw_recoder_report_loss(recoder, TW_LOSS_PART_NOT_TEXT, at, NULL);
            continue;
        }
        put(out, first ? "" : ",");
        first = false;
        if (text == NULL) {
            put_image(out, at);
            continue;
        }
        put(out, "{\"type\":\"text\",\"text\":");
        tw_json_put_value(&recoder->json_out, text);
        put(out, "}");
        if (at->kind == TW_VALUE_OBJECT) {
            tw_losses_add_members(&recoder->losses, at, known);
        }
    }
    put(out, "]");
}

static void put_content(const tuned *out, const tw_message *message)
{
    put(out, ",\"content\":");
    if (message->content == NULL && message->role == TW_ROLE_ASSISTANT) {
        put(out, "null");
    } else if (tw_value_is_a(message->content, TW_VALUE_ARRAY)) {
        put_parts(out, message);
    } else {
        tw_json_put_content(out->recoder, message->content);
    }
}

/* ---- messages ----------------------------------------------------------- */

/* Names of functions are those of the API. */
static void judge_name(const tuned *out, const tw_value *name)
{
    enum { MOST = 64 };
    size_t i = 0;
    while (i < name->size && (tw_is_alnum(name->text[i]) ||
                              strchr("_-", name->text[i]) != NULL)) {
        i++;
    }
    if (i < name->size || name->size == 0 || name->size > MOST) {
        tw_recoder_refuse(out->recoder, name,
                          "the name of a function has letters, digits, _ and "
                          "-, at most 64");
    }
}

static void put_calls(const tuned *out, const tw_message *message)
{
    tw_recoder *recoder = out->recoder;
    for (size_t i = 0; i < message->call_count; i++) {
        const tw_call *call = tw_call_of(out->conversation, message, i);
        if (call->input != NULL) {
            tw_recoder_refuse(recoder, call->value,
                              "the shape has no place for a custom call");
        }
        put(out, i > 0 ? ",{\"id\":" : ",\"tool_calls\":[{\"id\":");
        tw_json_put_value(
            &recoder->json_out,
            tw_pairs_call_id(&recoder->pairs, message->first_call + i));
        judge_name(out, call->name);
        put(out, ",\"type\":\"function\",\"function\":{\"name\":");
        tw_json_put_value(&recoder->json_out, call->name);
        put(out, ",\"arguments\":");
        tw_openai_put_arguments(recoder, call);
        put(out, "}}");
    }
    put(out, message->call_count > 0 ? "]" : "");
}

/* Of an assistant: does the trainer take the member as it is? */
static bool is_taken(const tw_message *message, const tw_value *at)
{
    const bool number = tw_value_has_key(at, "weight");
    return (number && message->role == TW_ROLE_ASSISTANT &&
            at->kind == TW_VALUE_NUMBER && at->size == 1 &&
            (*at->text == '0' || *at->text == '1')) ||
           (tw_value_has_key(at, "refusal") &&
            message->role == TW_ROLE_ASSISTANT && tw_has_text(at)) ||
           (tw_value_has_key(at, "name") && message->role != TW_ROLE_TOOL &&
            tw_has_text(at));
}

static void put_members(const tuned *out, const tw_message *message)
{
    static const char *const names[] = {"refusal", "name", "weight"};
    static const char *const none[] = {NULL};
    for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
        const tw_value *at = tw_value_member(message->value, names[i]);
        if (at != NULL && is_taken(message, at)) {
            tw_json_put_member(&out->recoder->json_out, at, false);
        } else if (at != NULL && at != message->name) {
            tw_losses_add_member(&out->recoder->losses, at, none);
        }
    }
}

static void put_message(const tuned *out, size_t i)
{
    static const char *const roles[] = {"system", "developer", "user",
                                        "assistant", "tool"};
    tw_recoder *recoder = out->recoder;
    const tw_message *message = tw_message_at(out->conversation, i);
    if (message->role == TW_ROLE_OTHER) {
        tw_recoder_refuse(recoder, message->value, "the role is not known");
        return;
    }
    if (message->role == TW_ROLE_ASSISTANT && message->content == NULL &&
        message->call_count == 0 &&
        !tw_has_text(tw_value_member(message->value, "refusal"))) {
        tw_recoder_refuse(recoder, message->value,
                          "an answer needs a content or calls");
    }
    put(out, i > 0 ? ",{\"role\":\"" : "{\"role\":\"");
    put(out, roles[message->role]);
    put(out, "\"");
    put_content(out, message);
    put_calls(out, message);
    if (message->role == TW_ROLE_TOOL) {
        const tw_value *id = tw_pairs_result_id(&recoder->pairs, i);
        if (id == NULL) {
            tw_recoder_refuse(recoder, message->value,
                              "a result needs a `tool_call_id`");
            return;
        }
        put(out, ",\"tool_call_id\":");
        tw_json_put_value(&recoder->json_out, id);
    }
    put_members(out, message);
    put(out, "}");
}

/* ---- tools -------------------------------------------------------------- */

static bool put_tool(const tuned *out, const tw_value *tool, bool first)
{
    static const char *const names[] = {"name",   "description", "parameters",
                                        "strict", "type",        NULL};
    enum { WRITTEN = 4 }; /* of these */
    tw_recoder *recoder = out->recoder;
    const tw_value *function = tw_tool_function(tool);
    const tw_value *type = tw_value_member(tool, "type");
    if (tw_value_member(tool, "custom") != NULL ||
        (type != NULL && !tw_value_is(type, "function"))) {
        tw_recoder_report_loss(recoder, TW_LOSS_TOOL_DROPPED, tool, NULL);
        return first;
    }
    put(out, first ? ",\"tools\":[" : ",");
    put(out, "{\"type\":\"function\",\"function\":{");
    judge_name(out, tw_value_member(function, "name"));
    bool begins = true;
    for (size_t i = 0; i < WRITTEN; i++) {
        const tw_value *at = tw_value_member(function, names[i]);
        if (at != NULL && at->kind != TW_VALUE_NULL) {
            tw_json_put_member(&recoder->json_out, at, begins);
            begins = false;
        }
    }
    put(out, "}}");
    tw_losses_add_members(&recoder->losses, function, names);
    tw_report_lost_wrapper(recoder, tool);
    return false;
}

static void put_tools(const tuned *out)
{
    const tw_value *tools = out->conversation->tools;
    bool first = true;
    for (const tw_value *at = tools != NULL ? tools->first : NULL; at != NULL;
         at = at->next) {
        first = put_tool(out, at, first);
    }
    put(out, first ? "" : "]");
}

/* ---- records ------------------------------------------------------------ */

static bool has_answer(const tw_conversation *conversation)
{
    size_t i = 0;
    while (i < tw_message_count(conversation) &&
           tw_message_at(conversation, i)->role != TW_ROLE_ASSISTANT) {
        i++;
    }
    return i < tw_message_count(conversation);
}

static void write(tw_recoder *recoder, const tw_conversation *conversation)
{
    static const char *const also[] = {"name", "refusal", "weight", NULL};
    static const char *const none[] = {NULL};
    const tuned out = {recoder, conversation};
    const tw_value *parallel =
        tw_value_member(conversation->root, "parallel_tool_calls");
    if (parallel == NULL) {
        parallel = tw_use_member(recoder->record, "parallel_tool_calls");
    }
    if (!has_answer(conversation)) {
        tw_recoder_refuse(recoder, conversation->root,
                          "there is no assistant's message to be trained");
        return;
    }
    put(&out, "\"messages\":[");
    for (size_t i = 0; i < tw_message_count(conversation); i++) {
        put_message(&out, i);
    }
    put(&out, "]");
    put_tools(&out);
    if (parallel != NULL && (parallel->kind == TW_VALUE_TRUE ||
                             parallel->kind == TW_VALUE_FALSE)) {
        tw_json_put_member(&recoder->json_out, parallel, false);
    } else if (parallel != NULL) {
        tw_losses_add_member(&recoder->losses, parallel, none);
    }
    for (const char *const *name = tw_openai_choices; *name != NULL; name++) {
        const tw_value *choice = tw_value_member(conversation->root, *name);
        if (choice != NULL && choice != parallel) {
            tw_recoder_report_loss(recoder, TW_LOSS_MEMBER_DROPPED, choice,
                                   NULL);
        }
    }
    tw_report_lost_reasoning(recoder, conversation);
    tw_report_unread(recoder, conversation, also);
}

static const char *const members[] = {"messages", "tools", NULL};

const tw_record_shape tw_finetune_shape = {
    .name = "openai/finetune",
    .about = "openai, only with members that OpenAI's trainer takes",
    .members = members,
    .choices = tw_openai_choices,
    .takes_parts = true,
    .has_arguments = true,
    .is_strict = true,
    .read = tw_openai_read,
    .write = write,
};
