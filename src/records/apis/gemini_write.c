/* SPDX-License-Identifier: MIT
 *
 * A conversation in Gemini's shape.
 */
#include "records/apis/choice.h"
#include "records/apis/gemini_halves.h"

/* A list of parts under way. */
typedef struct parts {
    tw_recoder *recoder;
    bool first;
    bool is_model;  /* its parts may be signed */
    bool is_signed; /* the last one is */
} parts;

static tw_json_out *begin_part(parts *out)
{
    tw_json_out *json_out = &out->recoder->json_out;
    tw_json_put(json_out, out->first ? "{" : ",{");
    out->first = false;
    out->is_signed = false;
    return json_out;
}

/* ---- signatures --------------------------------------------------------- */

/* What Google's API for OpenAI's messages has beside a call or a message. */
static const tw_value *signature_of(const tw_value *signed_value)
{
    const tw_value *google = tw_value_member(
        tw_value_member(signed_value, "extra_content"), "google");
    const tw_value *signature = tw_value_member(google, "thought_signature");
    return tw_has_text(signature) ? signature : NULL;
}

static void put_signature(tw_json_out *json_out, const tw_value *signature)
{
    if (signature != NULL) {
        tw_json_put_key(json_out, "thoughtSignature", false);
        tw_json_put_value(json_out, signature);
    }
}

/* What stands beside the signature, or in its place. */
static void report_extra(tw_recoder *recoder, const tw_value *holder, bool may)
{
    static const char *const none[] = {NULL};
    static const char *const google[] = {"google", NULL};
    static const char *const known[] = {"thought_signature", NULL};
    const tw_value *extra = tw_value_member(holder, "extra_content");
    if (may && signature_of(holder) != NULL) {
        tw_losses_add_members(&recoder->losses, extra, google);
        tw_losses_add_members(&recoder->losses,
                              tw_value_member(extra, "google"), known);
    } else if (extra != NULL) {
        tw_losses_add_member(&recoder->losses, extra, none);
    }
}

static void put_text(parts *out, const tw_value *text, bool thought)
{
    tw_json_out *json_out = begin_part(out);
    tw_json_put(json_out, "\"text\":");
    tw_json_put_value(json_out, text);
    tw_json_put(json_out, thought ? ",\"thought\":true}" : "}");
}

/* Signs the part that was written last. */
static void sign(parts *out, const tw_value *signature)
{
    tw_json_out *json_out = &out->recoder->json_out;
    if (signature != NULL && !json_out->failed) {
        json_out->out.size--; /* its brace */
        put_signature(json_out, signature);
        tw_json_put(json_out, "}");
        out->is_signed = true;
    }
}

/* What signs a part of a content, and what stands beside that. */
static void sign_part(parts *out, const tw_value *part)
{
    report_extra(out->recoder, part, out->is_model);
    sign(out, out->is_model ? signature_of(part) : NULL);
}

/* `data:TYPE;base64,DATA` alone has a place: others are fetched by nobody. */
static bool put_image(parts *out, const tw_value *part)
{
    static const char *const known[] = {"type", "image_url", "extra_content",
                                        NULL};
    static const char *const known_inside[] = {"url", NULL};
    const tw_value *image = tw_value_member(part, "image_url");
    const tw_value *url = tw_value_member(image, "url");
    tw_data_url data;
    if (url == NULL || !tw_find_data(url, &data)) {
        return false;
    }
    tw_json_out *json_out = begin_part(out);
    tw_json_put(json_out, "\"inlineData\":{\"mimeType\":");
    tw_json_put_halves(json_out, data.type, data.type_size);
    tw_json_put(json_out, ",\"data\":");
    tw_json_put_halves(json_out, data.data, data.data_size);
    tw_json_put(json_out, "}}");
    tw_losses_add_members(&out->recoder->losses, part, known);
    tw_losses_add_members(&out->recoder->losses, image, known_inside);
    sign_part(out, part);
    return true;
}

/* A refusal becomes text. */
static void put_refusal(parts *out, const tw_value *refusal)
{
    put_text(out, refusal, false);
    tw_recoder_report_loss(out->recoder, TW_LOSS_CONTENT_MISREAD, refusal,
                           "A refusal reads back as other text.");
}

static void put_content(parts *out, const tw_value *content, bool images)
{
    static const char *const known[] = {"type", "text", "extra_content", NULL};
    static const char *const known_refusal[] = {"type", "refusal", NULL};
    tw_recoder *recoder = out->recoder;
    const bool list = tw_value_is_a(content, TW_VALUE_ARRAY);
    if (tw_has_text(content)) {
        put_text(out, content, false);
    } else if (content != NULL && !list && content->kind != TW_VALUE_STRING) {
        tw_recoder_report_loss(recoder, TW_LOSS_CONTENT_NOT_TEXT, content,
                               NULL);
    }
    for (const tw_value *at = list ? content->first : NULL; at != NULL;
         at = at->next) {
        const tw_value *text = tw_part_text(at);
        const tw_value *refusal = tw_value_member(at, "refusal");
        if (text != NULL) {
            put_text(out, text, false);
            tw_losses_add_members(&recoder->losses, at, known);
            sign_part(out, at);
        } else if (tw_value_is_a(refusal, TW_VALUE_STRING)) {
            put_refusal(out, refusal);
            tw_losses_add_members(&recoder->losses, at, known_refusal);
        } else if (!images || !put_image(out, at)) {
            tw_recoder_report_loss(recoder, TW_LOSS_PART_NOT_TEXT, at, NULL);
        }
    }
}

/* ---- the model ---------------------------------------------------------- */

static void put_call(parts *out, const tw_call *call, size_t number)
{
    tw_recoder *recoder = out->recoder;
    tw_json_out *json_out = begin_part(out);
    tw_json_put(json_out, "\"functionCall\":{");
    if (recoder->has_ids) {
        tw_json_put(json_out, "\"id\":");
        tw_json_put_value(json_out, tw_pairs_call_id(&recoder->pairs, number));
        tw_json_put(json_out, ",");
    }
    tw_json_put(json_out, "\"name\":");
    tw_json_put_value(json_out, call->name);
    tw_json_put(json_out, ",\"args\":");
    tw_recoder_put_arguments(recoder, call);
    tw_json_put(json_out, "}");
    put_signature(json_out, signature_of(call->value));
    tw_json_put(json_out, "}");
}

/* The thoughts that stayed, or the reasoning; returns whether there are some.
 */
static bool put_thoughts(parts *out, const tw_message *message)
{
    const tw_value *kept =
        tw_gemini_keeps(out->recoder)
            ? tw_value_member(message->value, TW_GEMINI_THOUGHT)
            : NULL;
    for (const tw_value *at = kept != NULL ? kept->first : NULL; at != NULL;
         at = at->next) {
        tw_json_put(&out->recoder->json_out, out->first ? "" : ",");
        tw_json_put_value(&out->recoder->json_out, at);
        out->first = false;
    }
    if (message->reasoning != NULL) {
        put_text(out, message->reasoning, true);
    }
    return message->reasoning != NULL;
}

/* The signature of a message is that of the last part of its content; where it
 * has none, of its reasoning; else of an empty text. */
static void sign_message(parts *out, const tw_message *message,
                         bool has_content, bool thinks)
{
    static const char *const none[] = {NULL};
    const tw_value *signature = signature_of(message->value);
    const tw_value *content = message->content;
    const bool empty = tw_value_is_a(content, TW_VALUE_STRING);
    if (signature == NULL) {
        return;
    }
    if (has_content && out->is_signed) {
        tw_losses_add_member(&out->recoder->losses, signature, none);
        return;
    }
    if (!has_content && (empty || !thinks)) {
        tw_json_put(begin_part(out), "\"text\":\"\"}");
    }
    sign(out, signature);
}

static void put_model(tw_recoder *recoder, const tw_conversation *conversation,
                      const tw_message *message)
{
    parts out = {.recoder = recoder, .first = true, .is_model = true};
    const tw_value *refusal = tw_value_member(message->value, "refusal");
    tw_json_put(&recoder->json_out, "{\"role\":\"model\",\"parts\":[");
    const bool thinks = put_thoughts(&out, message);
    const size_t before = recoder->json_out.out.size;
    put_content(&out, message->content, true);
    if (tw_has_text(refusal)) {
        put_refusal(&out, refusal);
    }
    sign_message(&out, message, recoder->json_out.out.size > before, thinks);
    for (size_t i = 0; i < message->call_count; i++) {
        put_call(&out, tw_call_of(conversation, message, i),
                 message->first_call + i);
    }
    tw_json_put(&recoder->json_out, "]}");
}

/* ---- results ------------------------------------------------------------ */

/* Is the object what a result's text becomes, {"result": TEXT}? */
static bool is_frame(const tw_value *object)
{
    const tw_value *only = object->first;
    return only != NULL && only->next == NULL &&
           only->kind == TW_VALUE_STRING && tw_value_has_key(only, "result");
}

/* The object that a result's text is; NULL: it is none, or would read back as
 * the text inside. */
static const tw_value *object_of(tw_recoder *recoder, const tw_value *content)
{
    const tw_value *inner = tw_value_is_a(content, TW_VALUE_OBJECT) ? content
                            : tw_has_text(content) && content->text[0] == '{'
                                ? tw_read_inner(recoder, content)
                                : NULL;
    return tw_value_is_a(inner, TW_VALUE_OBJECT) && !is_frame(inner) ? inner
                                                                     : NULL;
}

/* A text that reads back as its value is spelled. */
static void judge_spelling(tw_recoder *recoder, const tw_value *content,
                           const tw_value *object)
{
    tw_buffer text = {0};
    if (content == object) {
        return;
    }
    if (!tw_value_dump(&text, recoder->memory, object, &tw_dump_spaced)) {
        recoder->json_out.failed = true;
    } else if (text.size != content->size ||
               memcmp(text.data, content->text, text.size) != 0) {
        tw_recoder_report_loss(
            recoder, TW_LOSS_ARGUMENTS_SPELLING, content,
            "The result means the same and is spelled otherwise.");
    }
    tw_buffer_free(&text, recoder->memory);
}

/* The texts of a result's parts, joined, since it is one text. */
static void put_result_text(tw_recoder *recoder, const tw_value *content)
{
    static const char *const known[] = {"\"type", "text", NULL};
    tw_buffer text = {0};
    size_t count = 0;
    if (!tw_value_is_a(content, TW_VALUE_ARRAY)) {
        tw_json_put_content(recoder, content);
        return;
    }
    for (const tw_value *at = content->first; at != NULL; at = at->next) {
        const tw_value *each = tw_part_text(at);
        if (each == NULL) {
            tw_recoder_report_loss(recoder, TW_LOSS_PART_NOT_TEXT, at, NULL);
            continue;
        }
        recoder->json_out.failed |=
            !tw_buffer_append(&text, recoder->memory, "\n",
                              count++ > 0 ? 1 : 0) ||
            !tw_buffer_append(&text, recoder->memory, each->text, each->size);
        tw_losses_add_members(&recoder->losses, at, known);
    }
    if (count > 1) {
        tw_recoder_report_loss(recoder, TW_LOSS_PARTS_JOINED, content, NULL);
    }
    tw_json_put_halves(&recoder->json_out, (const char *)text.data, text.size);
    tw_buffer_free(&text, recoder->memory);
}

static void put_result(parts *out, const tw_conversation *conversation,
                       size_t i)
{
    tw_recoder *recoder = out->recoder;
    tw_json_out *json_out = begin_part(out);
    const tw_message *message = tw_message_at(conversation, i);
    const size_t answered = tw_pairs_answered(&recoder->pairs, i);
    const tw_call *call = answered != TW_NO_CALL
                              ? tw_conversation_call(conversation, answered)
                              : NULL;
    const tw_value *name = message->name != NULL ? message->name
                           : call != NULL        ? call->name
                                                 : NULL;
    const tw_value *object = object_of(recoder, message->content);
    const tw_value *id = recoder->has_ids
                             ? tw_pairs_result_id(&recoder->pairs, i)
                             : message->id;
    tw_json_put(json_out, "\"functionResponse\":{");
    if (id != NULL) {
        tw_json_put(json_out, "\"id\":");
        tw_json_put_value(json_out, id);
        tw_json_put(json_out, ",");
    }
    tw_json_put(json_out, "\"name\":");
    if (name != NULL) {
        tw_json_put_value(json_out, name);
    } else {
        tw_json_put(json_out, "\"\"");
    }
    tw_json_put(json_out, ",\"response\":");
    if (object != NULL) {
        tw_json_put_value(json_out, object);
        judge_spelling(recoder, message->content, object);
    } else {
        tw_json_put(json_out, "{\"result\":");
        put_result_text(recoder, message->content);
        tw_json_put(json_out, "}");
    }
    tw_json_put(json_out, "}}");
}

/* Results that follow each other are one content. */
static size_t put_results(tw_recoder *recoder,
                          const tw_conversation *conversation, size_t i)
{
    parts out = {.recoder = recoder, .first = true};
    tw_json_put(&recoder->json_out, "{\"role\":\"user\",\"parts\":[");
    while (i < tw_message_count(conversation) &&
           tw_message_at(conversation, i)->role == TW_ROLE_TOOL) {
        put_result(&out, conversation, i++);
    }
    tw_json_put(&recoder->json_out, "]}");
    return i;
}

/* ---- records ------------------------------------------------------------ */

static void put_user(tw_recoder *recoder, const tw_message *message)
{
    parts out = {.recoder = recoder, .first = true};
    tw_json_put(&recoder->json_out, "{\"role\":\"user\",\"parts\":[");
    put_content(&out, message->content, true);
    tw_json_put(&recoder->json_out, "]}");
    if (message->role != TW_ROLE_USER) {
        tw_recoder_report_loss(recoder, TW_LOSS_ROLE_CHANGED,
                               message->role_name, NULL);
    }
}

/* Returns the message behind what was written. */
static size_t put_turn(tw_recoder *recoder,
                       const tw_conversation *conversation, size_t i)
{
    const tw_message *message = tw_message_at(conversation, i);
    switch (message->role) {
    case TW_ROLE_TOOL: return put_results(recoder, conversation, i);
    case TW_ROLE_ASSISTANT: put_model(recoder, conversation, message); break;
    case TW_ROLE_OTHER:
        tw_recoder_refuse(recoder, message->role_name,
                          "the role is not known");
        break;
    default: put_user(recoder, message); break;
    }
    return i + 1;
}

static void put_tool(tw_recoder *recoder, const tw_value *tool)
{
    static const char *const moved[][2] = {
        {"name", "name"},
        {"description", "description"},
        {"parameters", "parametersJsonSchema"}};
    static const char *const known[] = {"name", "description", "parameters",
                                        NULL};
    tw_json_out *json_out = &recoder->json_out;
    const tw_value *function = tw_tool_function(tool);
    bool first = true;
    tw_json_put(json_out, "{");
    for (size_t i = 0; i < sizeof moved / sizeof *moved; i++) {
        const tw_value *part = tw_value_member(function, moved[i][0]);
        if (part != NULL && part->kind != TW_VALUE_NULL) {
            tw_json_put_key(json_out, moved[i][1], first);
            tw_json_put_value(json_out, part);
            first = false;
        }
    }
    tw_json_put(json_out, "}");
    for (const tw_value *at = function->first; at != NULL; at = at->next) {
        if (!tw_value_is_named(at, known) && !tw_value_is_void(at) &&
            !(function == tool && tw_value_has_key(at, "type"))) {
            tw_recoder_report_loss(recoder, TW_LOSS_TOOL_PART, at, NULL);
        }
    }
    tw_report_lost_wrapper(recoder, tool);
}

static void put_tools(tw_recoder *recoder, const tw_value *tools)
{
    tw_json_put(&recoder->json_out, ",\"tools\":[{\"functionDeclarations\":[");
    for (const tw_value *at = tools->first; at != NULL; at = at->next) {
        put_tool(recoder, at);
        tw_json_put(&recoder->json_out, at->next != NULL ? "," : "");
    }
    tw_json_put(&recoder->json_out, "]}]");
}

static void put_choice(tw_recoder *recoder, const tw_value *request)
{
    tw_json_out *json_out = &recoder->json_out;
    const tw_value *parallel = tw_value_member(request, "parallel_tool_calls");
    const tw_value *choice = tw_take_choice(recoder, request);
    const tw_value *name = tw_choice_name(choice);
    if (parallel != NULL && parallel->kind != TW_VALUE_NULL) {
        tw_recoder_report_loss(recoder, TW_LOSS_MEMBER_DROPPED, parallel,
                               NULL);
    }
    if (choice == NULL) {
        return;
    }
    tw_json_put(json_out, ",\"toolConfig\":{\"functionCallingConfig\":{"
                          "\"mode\":\"");
    tw_json_put(json_out, name != NULL
                              ? "ANY"
                              : tw_choice_word(choice, TW_CHOICE_GEMINI));
    tw_json_put(json_out, "\"");
    if (name != NULL) {
        tw_json_put_key(json_out, "allowedFunctionNames", false);
        tw_json_put(json_out, "[");
        tw_json_put_value(json_out, name);
        tw_json_put(json_out, "]");
    }
    tw_json_put(json_out, "}}");
}

/* As the record or its `config` has it, by either name. */
static void keep_choice(tw_recoder *recoder)
{
    static const char *const names[] = {"toolConfig", "tool_config"};
    const tw_value *const places[] = {
        recoder->record, tw_value_member(recoder->record, "config")};
    for (size_t i = 0; i < 4; i++) {
        const tw_value *config = tw_value_member(places[i / 2], names[i % 2]);
        if (config != NULL && config->used) {
            tw_json_put_key(&recoder->json_out, "toolConfig", false);
            tw_json_put_value(&recoder->json_out, config);
        }
    }
}

/* Results have names: those are no losses. */
static void report_unread(tw_recoder *recoder,
                          const tw_conversation *conversation)
{
    static const char *const also[] = {"\"refusal", "extra_content", NULL};
    static const char *const kept[] = {"\"refusal", "extra_content",
                                       TW_GEMINI_THOUGHT, NULL};
    tw_conversation_report_unread(conversation, &recoder->losses,
                                  tw_gemini_keeps(recoder) ? kept : also);
    for (size_t i = 0; i < tw_message_count(conversation); i++) {
        const tw_message *message = tw_message_at(conversation, i);
        report_extra(recoder, message->value,
                     message->role == TW_ROLE_ASSISTANT);
        for (size_t k = 0; k < message->call_count; k++) {
            const tw_call *call = tw_call_of(conversation, message, k);
            report_extra(recoder, call->value, true);
            if (call->name->parent != call->value) {
                report_extra(recoder, call->name->parent, false);
            }
        }
    }
}

/* The content of the candidate whose envelope stayed. */
static void put_candidate(tw_recoder *recoder,
                          const tw_conversation *conversation,
                          const tw_value *left)
{
    static const char *const taken[] = {"content", NULL};
    tw_json_out *json_out = &recoder->json_out;
    const size_t last = tw_message_count(conversation) - 1;
    const tw_value *first = left->first;
    tw_json_put(json_out, ",\"candidates\":[{\"content\":");
    put_model(recoder, conversation, tw_message_at(conversation, last));
    tw_json_put_unused(recoder, first, taken, false);
    tw_json_put(json_out, "}");
    for (const tw_value *at = first->next; at != NULL; at = at->next) {
        tw_json_put(json_out, ",");
        tw_json_put_value(json_out, at);
    }
    tw_json_put(json_out, "]");
    tw_use(left);
}

void tw_gemini_write(tw_recoder *recoder, const tw_conversation *conversation)
{
    tw_json_out *json_out = &recoder->json_out;
    const tw_value *left = tw_value_member(recoder->record, "candidates");
    const bool response = left != NULL && !left->used &&
                          left->kind == TW_VALUE_ARRAY && left->first != NULL;
    size_t count = tw_message_count(conversation);
    const tw_message *head = count > 0 ? tw_message_at(conversation, 0) : NULL;
    size_t i = 0;
    if (response && tw_last_answer(recoder, conversation) == NULL) {
        return;
    }
    count -= response ? 1 : 0;
    recoder->has_ids = tw_has_call_ids(conversation);
    if (head != NULL && tw_message_is_system(head)) {
        parts out = {.recoder = recoder, .first = true};
        tw_json_put(json_out, "\"systemInstruction\":{\"parts\":[");
        put_content(&out, head->content, false);
        tw_json_put(json_out, "]},");
        tw_report_lost_developer(recoder, head);
        i = 1;
    }
    const size_t begin = i;
    tw_json_put(json_out, "\"contents\":[");
    while (i < count) {
        tw_json_put(json_out, i > begin ? "," : "");
        i = put_turn(recoder, conversation, i);
    }
    tw_json_put(json_out, "]");
    if (conversation->tools != NULL) {
        put_tools(recoder, conversation->tools);
    }
    if (tw_gemini_stays(recoder)) {
        keep_choice(recoder);
    } else {
        put_choice(recoder, conversation->root);
    }
    if (response) {
        put_candidate(recoder, conversation, left);
    }
    report_unread(recoder, conversation);
}
