/* SPDX-License-Identifier: MIT
 *
 * A response of the chat API, and lines of batches: a conversation in an
 * envelope, which stays where it was and is filled again.
 */
#include "records/anthropic.h"
#include "records/responses.h"

/* ---- chat.completion ---------------------------------------------------- */

/* The message of the first choice; the others stay. */
static bool read_choice(tw_recoder *recoder, const tw_value *response)
{
    const tw_value *choices = tw_value_member(response, "choices");
    const tw_value *choice = choices != NULL ? choices->first : NULL;
    const tw_value *message =
        choice != NULL ? tw_use_member(choice, "message") : NULL;
    if (message == NULL) {
        tw_recoder_refuse(recoder, choices != NULL ? choices : response,
                          tw_value_member(choice, "delta") != NULL
                              ? "a line of a stream is no record"
                              : "there is no choice with a message");
        return false;
    }
    tw_read_member(recoder, recoder->messages, NULL, message);
    return true;
}

static const tw_value *read(tw_recoder *recoder, const tw_value *record)
{
    tw_read_begin(recoder, record);
    tw_openai_read_into(recoder, record);
    return read_choice(recoder, record) ? recoder->request : NULL;
}

/* The message into the first of the choices that stayed, or into one. */
static void put_choices(tw_recoder *recoder,
                        const tw_conversation *conversation,
                        const tw_value *left)
{
    static const char *const taken[] = {"message", NULL};
    tw_json_out *json_out = &recoder->json_out;
    const size_t last = tw_message_count(conversation) - 1;
    const tw_value *first = left != NULL ? left->first : NULL;
    tw_json_put(json_out, "\"choices\":[{");
    if (tw_json_put_unused(recoder, first, taken, true)) {
        tw_json_put(json_out, first == NULL ? "\"index\":0," : "");
    } else {
        tw_json_put(json_out, ",");
    }
    tw_json_put(json_out, "\"message\":");
    tw_openai_put_message(recoder, conversation, last);
    if (first == NULL) {
        tw_json_put(json_out, ",\"logprobs\":null,\"finish_reason\":");
        tw_json_put(json_out, tw_message_at(conversation, last)->call_count > 0
                                  ? "\"tool_calls\""
                                  : "\"stop\"");
    }
    tw_json_put(json_out, "}");
    for (const tw_value *at = first != NULL ? first->next : NULL; at != NULL;
         at = at->next) {
        tw_json_put(json_out, ",");
        tw_json_put_value(json_out, at);
    }
    tw_json_put(json_out, "]");
}

static bool is_left(const tw_value *value)
{
    return tw_is_list(value) && !value->used;
}

/* The response; what of the conversation stands in front of it is in
 * `messages`. */
static void put_response(tw_recoder *recoder,
                         const tw_conversation *conversation,
                         const tw_value *envelope)
{
    const tw_value *left = tw_value_member(envelope, "choices");
    put_choices(recoder, conversation, is_left(left) ? left : NULL);
    if (is_left(left)) {
        tw_use(left);
    }
}

static void put_front(tw_recoder *recoder, const tw_conversation *conversation)
{
    const size_t count = tw_message_count(conversation);
    if (count > 1) {
        tw_openai_put_messages(recoder, conversation, "messages", 0,
                               count - 1);
        tw_json_put(&recoder->json_out, ",");
    }
}

static void write(tw_recoder *recoder, const tw_conversation *conversation)
{
    if (tw_last_answer(recoder, conversation) != NULL) {
        put_front(recoder, conversation);
        put_response(recoder, conversation, recoder->record);
        tw_openai_put_rest(recoder, conversation);
    }
}

static const char *const members[] = {"choices", "messages", "tools", NULL};

static tw_fit fits(const tw_value *record)
{
    return tw_fit_well(
        tw_value_is(tw_value_member(record, "object"), "chat.completion") ||
        tw_has_list_of(record, "choices", "message") ||
        tw_has_list_of(record, "choices", "delta"));
}

const tw_record_shape tw_chat_completion_shape = {
    .name = "chat-completion",
    .about = "{\"choices\": [{\"message\"}]}, a response behind its "
             "\"messages\"",
    .members = members,
    .choices = tw_openai_choices,
    .takes_parts = true,
    .fits = fits,
    .read = read,
    .write = write,
};

/* ---- lines of batches --------------------------------------------------- */

static bool is_void(const tw_value *value)
{
    return value == NULL || tw_value_is_void(value);
}

static bool is_responses(const tw_value *body)
{
    return tw_value_member(body, "input") != NULL ||
           tw_value_is(tw_value_member(body, "object"), "response");
}

/* The response that came, or NULL: it is refused. */
static const tw_value *good_response(tw_recoder *recoder,
                                     const tw_value *record)
{
    const tw_value *response = tw_value_member(record, "response");
    const tw_value *error = tw_value_member(record, "error");
    const tw_value *status = tw_value_member(response, "status_code");
    const tw_value *body = tw_value_member(response, "body");
    if (!is_void(error) || body == NULL || body->kind != TW_VALUE_OBJECT ||
        (status != NULL && (status->size != 3 || status->text[0] != '2'))) {
        tw_recoder_refuse(recoder, !is_void(error) ? error : record,
                          "the request failed");
        return NULL;
    }
    return body;
}

/* Anthropic's lines: a request, or a result of its own kinds. */
static const tw_value *anthropic_of(tw_recoder *recoder,
                                    const tw_value *record)
{
    const tw_value *params = tw_value_member(record, "params");
    const tw_value *result = tw_value_member(record, "result");
    const tw_value *message = tw_value_member(result, "message");
    if (result == NULL) {
        return params;
    }
    if (!tw_value_is(tw_value_member(result, "type"), "succeeded") ||
        message == NULL) {
        tw_recoder_refuse(recoder, result, "the request failed");
        return NULL;
    }
    return message;
}

static bool is_anthropic(const tw_value *record)
{
    const tw_value *params = tw_value_member(record, "params");
    const tw_value *result = tw_value_member(record, "result");
    return (params != NULL && params->kind == TW_VALUE_OBJECT) ||
           (result != NULL && result->kind == TW_VALUE_OBJECT);
}

static const tw_value *batch_read(tw_recoder *recoder, const tw_value *record)
{
    if (is_anthropic(record)) {
        const tw_value *own = anthropic_of(recoder, record);
        return own != NULL ? tw_anthropic_read(recoder, own) : NULL;
    }
    const tw_value *body = tw_value_member(record, "body");
    const bool request = body != NULL && body->kind == TW_VALUE_OBJECT;
    body = request ? body : good_response(recoder, record);
    if (body == NULL) {
        return NULL;
    }
    if (is_responses(body)) {
        return tw_responses_read(recoder, body);
    }
    tw_read_begin(recoder, record);
    tw_openai_read_into(recoder, body);
    return request || read_choice(recoder, body) ? recoder->request : NULL;
}

/* What of |object| is not used nor named, behind what was put. */
static void put_others(tw_recoder *recoder, const tw_value *object,
                       const char *const *taken)
{
    if (object != NULL && !object->used) {
        tw_json_put_unused(recoder, object, taken, false);
        tw_use(object);
    }
}

static void batch_write(tw_recoder *recoder,
                        const tw_conversation *conversation)
{
    static const char *const messages[] = {"messages", "tools", NULL};
    static const char *const body_name[] = {"body", NULL};
    tw_json_out *json_out = &recoder->json_out;
    const tw_value *response = tw_value_member(recoder->record, "response");
    if (response == NULL || response->kind != TW_VALUE_OBJECT ||
        response->used) {
        tw_json_put(json_out, "\"body\":{");
        tw_openai_write(recoder, conversation);
        put_others(recoder, tw_value_member(recoder->record, "body"),
                   messages);
        tw_json_put(json_out, "}");
    } else if (tw_last_answer(recoder, conversation) != NULL) {
        const tw_value *body = tw_value_member(response, "body");
        put_front(recoder, conversation);
        tw_json_put(json_out, "\"response\":{\"body\":{");
        put_response(recoder, conversation, body);
        put_others(recoder, body, messages);
        tw_json_put(json_out, "}");
        put_others(recoder, response, body_name);
        tw_json_put(json_out, "}");
    }
}

static const char *const batch_members[] = {"body", NULL};

static tw_fit batch_fits(const tw_value *record)
{
    return tw_fit_well(tw_value_member(record, "custom_id") != NULL &&
                       (tw_value_member(record, "body") != NULL ||
                        tw_value_member(record, "response") != NULL ||
                        is_anthropic(record) ||
                        tw_value_member(record, "error") != NULL));
}

const tw_record_shape tw_batch_shape = {
    .name = "batch",
    .about = "{\"custom_id\", \"body\" or \"response\"}, a line of a batch",
    .members = batch_members,
    .choices = tw_openai_choices,
    .takes_parts = true,
    .fits = batch_fits,
    .read = batch_read,
    .write = batch_write,
};
