/* SPDX-License-Identifier: MIT
 *
 * A conversation as items of OpenAI's Responses.
 */
#include "records/apis/choice.h"
#include "records/apis/responses_halves.h"

/* A list of items under way; those of a response have ids. */
typedef struct items {
    tw_recoder *recoder;
    bool first;
    bool output;
    size_t count; /* of ids */
} items;

static void begin_item(items *out, const char *type, const char *id)
{
    tw_json_out *json_out = &out->recoder->json_out;
    tw_json_put(json_out, out->first ? "{" : ",{");
    tw_json_put_key(json_out, "type", true);
    tw_json_put_string(json_out, type, strlen(type));
    if (out->output) {
        tw_json_put(json_out, ",\"id\":\"");
        tw_json_put(json_out, id);
        tw_json_put_number(json_out, out->count++);
        tw_json_put(json_out, "\",\"status\":\"completed\"");
    }
    out->first = false;
}

static void put_member(tw_recoder *recoder, const char *key,
                       const tw_value *value)
{
    tw_json_put_key(&recoder->json_out, key, false);
    tw_json_put_value(&recoder->json_out, value);
}

/* ---- contents ----------------------------------------------------------- */

static void put_text(tw_recoder *recoder, const tw_value *text, bool output)
{
    tw_json_put(&recoder->json_out, output ? "{\"type\":\"output_text\""
                                           : "{\"type\":\"input_text\"");
    put_member(recoder, "text", text);
    tw_json_put(&recoder->json_out, output ? ",\"annotations\":[]}" : "}");
}

static void put_image(tw_recoder *recoder, const tw_value *part,
                      const tw_value *image)
{
    static const char *const known[] = {"type", "image_url", NULL};
    static const char *const known_inside[] = {"url", "detail", NULL};
    const tw_value *detail = tw_value_member(image, "detail");
    tw_json_put(&recoder->json_out, "{\"type\":\"input_image\"");
    put_member(recoder, "image_url", tw_value_member(image, "url"));
    if (detail != NULL) {
        put_member(recoder, "detail", detail);
    }
    tw_json_put(&recoder->json_out, "}");
    tw_losses_add_members(&recoder->losses, part, known);
    tw_losses_add_members(&recoder->losses, image, known_inside);
}

static void put_refusal(tw_recoder *recoder, const tw_value *refusal)
{
    tw_json_put(&recoder->json_out, "{\"type\":\"refusal\"");
    put_member(recoder, "refusal", refusal);
    tw_json_put(&recoder->json_out, "}");
}

static const tw_value *refusal_of(const tw_value *part)
{
    const tw_value *refusal = tw_value_member(part, "refusal");
    return tw_has_text(refusal) ? refusal : NULL;
}

/* The image of a part that only other authors than the assistant have. */
static const tw_value *image_of(const tw_value *part, bool output)
{
    const tw_value *image = tw_value_member(part, "image_url");
    const tw_value *url = tw_value_member(image, "url");
    return !output && tw_value_is_a(url, TW_VALUE_STRING) ? image : NULL;
}

/* Has the part a place? */
static bool has_place(const tw_value *part, bool output)
{
    return tw_part_text(part) != NULL || image_of(part, output) != NULL ||
           (output && refusal_of(part) != NULL);
}

static void put_part(tw_recoder *recoder, const tw_value *part, bool output)
{
    static const char *const known[] = {"\"type", "text", NULL};
    static const char *const refusal[] = {"type", "refusal", NULL};
    const tw_value *text = tw_part_text(part);
    if (text != NULL) {
        put_text(recoder, text, output);
        tw_losses_add_members(&recoder->losses, part, known);
    } else if (image_of(part, output) != NULL) {
        put_image(recoder, part, image_of(part, output));
    } else {
        put_refusal(recoder, refusal_of(part));
        tw_losses_add_members(&recoder->losses, part, refusal);
    }
}

/* The parts of a content, a list's; returns whether there was one. */
static bool put_parts(tw_recoder *recoder, const tw_value *content,
                      bool output)
{
    bool some = false;
    for (const tw_value *at = content->first; at != NULL; at = at->next) {
        if (has_place(at, output)) {
            tw_json_put(&recoder->json_out, some ? "," : "");
            put_part(recoder, at, output);
            some = true;
        } else {
            tw_recoder_report_loss(recoder, TW_LOSS_PART_NOT_TEXT, at, NULL);
        }
    }
    return some;
}

/* A string, or a list of parts. */
static void put_content(tw_recoder *recoder, const char *key,
                        const tw_value *content)
{
    tw_json_put_key(&recoder->json_out, key, false);
    if (!tw_value_is_a(content, TW_VALUE_ARRAY)) {
        tw_json_put_content(recoder, content);
        return;
    }
    tw_json_put(&recoder->json_out, "[");
    put_parts(recoder, content, false);
    tw_json_put(&recoder->json_out, "]");
}

/* ---- items -------------------------------------------------------------- */

static void write_said(items *out, const tw_message *message)
{
    tw_recoder *recoder = out->recoder;
    tw_json_out *json_out = &recoder->json_out;
    const tw_value *content = message->content;
    const tw_value *refusal = refusal_of(message->value);
    bool some = false;
    begin_item(out, "message", "msg_");
    tw_json_put(json_out, ",\"role\":\"assistant\",\"content\":[");
    if (tw_value_is_a(content, TW_VALUE_ARRAY)) {
        some = put_parts(recoder, content, true);
    } else if (tw_has_text(content)) {
        put_text(recoder, content, true);
        some = true;
    } else if (content != NULL && content->kind != TW_VALUE_STRING) {
        tw_recoder_report_loss(recoder, TW_LOSS_CONTENT_NOT_TEXT, content,
                               NULL);
    }
    if (refusal != NULL) {
        tw_json_put(json_out, some ? "," : "");
        put_refusal(recoder, refusal);
    }
    tw_json_put(json_out, "]}");
}

static void write_call(items *out, const tw_call *call, size_t number)
{
    tw_recoder *recoder = out->recoder;
    tw_json_out *json_out = &recoder->json_out;
    begin_item(out, call->input != NULL ? "custom_tool_call" : "function_call",
               "fc_");
    put_member(recoder, "call_id", tw_pairs_call_id(&recoder->pairs, number));
    put_member(recoder, "name", call->name);
    if (call->input != NULL) {
        put_member(recoder, "input", call->input);
    } else {
        tw_json_put_key(json_out, "arguments", false);
        tw_openai_put_arguments(recoder, call);
    }
    tw_json_put(json_out, "}");
}

/* The first of the items that stay as they are, or NULL. */
static const tw_value *kept_reasoning(const tw_recoder *recoder,
                                      const tw_message *message)
{
    const tw_value *list =
        tw_value_member(message->value, TW_RESPONSES_REASONING);
    return list != NULL && tw_responses_stays(recoder) ? list->first : NULL;
}

static void write_assistant(items *out, const tw_conversation *conversation,
                            const tw_message *message)
{
    tw_json_out *json_out = &out->recoder->json_out;
    const tw_value *content = message->content;
    const bool said = content != NULL &&
                      (content->kind != TW_VALUE_STRING || content->size > 0);
    const tw_value *kept = kept_reasoning(out->recoder, message);
    if (kept == NULL && message->reasoning != NULL) {
        begin_item(out, "reasoning", "rs_");
        tw_json_put(json_out, ",\"summary\":[],\"content\":[{\"type\":"
                              "\"reasoning_text\"");
        put_member(out->recoder, "text", message->reasoning);
        tw_json_put(json_out, "}]}");
    }
    for (; kept != NULL; kept = kept->next) {
        tw_json_put(json_out, out->first ? "" : ",");
        tw_json_put_value(json_out, kept);
        out->first = false;
    }
    if (said || refusal_of(message->value) != NULL ||
        message->call_count == 0) {
        write_said(out, message);
    }
    for (size_t i = 0; i < message->call_count; i++) {
        write_call(out, tw_call_of(conversation, message, i),
                   message->first_call + i);
    }
}

static void write_result(items *out, const tw_conversation *conversation,
                         size_t i)
{
    tw_recoder *recoder = out->recoder;
    const size_t call = tw_pairs_answered(&recoder->pairs, i);
    const tw_value *id = tw_pairs_result_id(&recoder->pairs, i);
    const bool custom =
        call != TW_NO_CALL && tw_conversation_call(conversation, call)->input;
    begin_item(out,
               custom ? "custom_tool_call_output" : "function_call_output",
               "fco_");
    if (id != NULL) {
        put_member(recoder, "call_id", id);
    }
    put_content(recoder, "output", tw_message_at(conversation, i)->content);
    tw_json_put(&recoder->json_out, "}");
}

static void write_item(items *out, const tw_conversation *conversation,
                       size_t i)
{
    const tw_message *message = tw_message_at(conversation, i);
    switch (message->role) {
    case TW_ROLE_ASSISTANT: write_assistant(out, conversation, message); break;
    case TW_ROLE_TOOL: write_result(out, conversation, i); break;
    case TW_ROLE_OTHER:
        tw_recoder_refuse(out->recoder, message->role_name,
                          "the role is not known");
        break;
    default:
        begin_item(out, "message", "msg_");
        put_member(out->recoder, "role", message->role_name);
        put_content(out->recoder, "content", message->content);
        tw_json_put(&out->recoder->json_out, "}");
        break;
    }
}

static void write_items(tw_recoder *recoder, const char *key, bool output,
                        const tw_conversation *conversation, size_t begin,
                        size_t end)
{
    items out = {recoder, true, output, 0};
    tw_json_put_key(&recoder->json_out, key, true);
    tw_json_put(&recoder->json_out, "[");
    for (size_t i = begin; i < end; i++) {
        write_item(&out, conversation, i);
    }
    tw_json_put(&recoder->json_out, "]");
}

/* ---- tools -------------------------------------------------------------- */

/* Without its wrapper. */
static void write_tool(tw_recoder *recoder, const tw_value *tool)
{
    static const char *const wrapper[] = {"type", "function", "custom", NULL};
    tw_json_out *json_out = &recoder->json_out;
    const tw_value *custom = tw_value_member(tool, "custom");
    const tw_value *inner = custom != NULL ? custom : tw_tool_function(tool);
    tw_json_put(json_out, custom != NULL ? "{\"type\":\"custom\""
                                         : "{\"type\":\"function\"");
    for (const tw_value *at = inner->first; at != NULL; at = at->next) {
        if (!tw_value_has_key(at, "type")) {
            tw_json_put_member(json_out, at, false);
        }
    }
    tw_json_put(json_out, "}");
    tw_report_lost_type(recoder, tool);
    if (inner != tool) {
        tw_losses_add_members(&recoder->losses, tool, wrapper);
    }
}

static void write_choice(tw_recoder *recoder, const tw_value *request)
{
    tw_json_out *json_out = &recoder->json_out;
    const tw_value *choice = tw_value_member(request, "tool_choice");
    const tw_value *legacy = tw_value_member(request, "function_call");
    const tw_value *parallel = tw_value_member(request, "parallel_tool_calls");
    const tw_value *name =
        tw_value_member(tw_value_member(choice, "function"), "name");
    if (name != NULL) {
        tw_json_put(json_out, ",\"tool_choice\":{\"type\":\"function\"");
        put_member(recoder, "name", name);
        tw_json_put(json_out, "}");
        tw_lose_beside_choice(recoder, choice);
    } else if (choice != NULL) {
        tw_json_put_member(json_out, choice, false);
    }
    if (parallel != NULL) {
        tw_json_put_member(json_out, parallel, false);
    }
    if (legacy != NULL && legacy->kind != TW_VALUE_NULL) {
        tw_recoder_report_loss(recoder, TW_LOSS_MEMBER_DROPPED, legacy, NULL);
    }
}

/* ---- records ------------------------------------------------------------ */

/* The envelope of a response that stayed gets its output back. */
void tw_responses_write(tw_recoder *recoder,
                        const tw_conversation *conversation,
                        const tw_value *envelope)
{
    static const char *const refusal[] = {"\"refusal", NULL};
    static const char *const stays[] = {"\"refusal", TW_RESPONSES_REASONING,
                                        NULL};
    tw_json_out *json_out = &recoder->json_out;
    const size_t count = tw_message_count(conversation);
    const bool response =
        tw_value_is(tw_value_member(envelope, "object"), "response");
    if (response && tw_last_answer(recoder, conversation) == NULL) {
        return;
    }
    const size_t end = response ? count - 1 : count;
    if (response) {
        write_items(recoder, "output", true, conversation, end, count);
    }
    if (!response || end > 0) {
        tw_json_put(json_out, response ? "," : "");
        write_items(recoder, "input", false, conversation, 0, end);
    }
    if (conversation->tools != NULL) {
        const tw_value *tool = conversation->tools->first;
        tw_json_put(json_out, ",\"tools\":[");
        for (; tool != NULL; tool = tool->next) {
            write_tool(recoder, tool);
            tw_json_put(json_out, tool->next != NULL ? "," : "");
        }
        tw_json_put(json_out, "]");
    }
    write_choice(recoder, conversation->root);
    tw_report_unread(recoder, conversation,
                     tw_responses_stays(recoder) ? stays : refusal);
}
