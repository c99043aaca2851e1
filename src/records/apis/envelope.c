/* SPDX-License-Identifier: MIT
 *
 * A response of the chat API, and lines of batches: a conversation in an
 * envelope, which stays where it was and is filled again.
 */
#include "records/apis/anthropic_halves.h"
#include "records/apis/responses_halves.h"

/* ---- chat.completion ---------------------------------------------------- */

/* The message of the first choice; the others stay. */
static bool read_choice(tw_recoder *recoder, const tw_value *response)
{
    const tw_value *choices = tw_value_member(response, "choices");
    const tw_value *choice = choices != NULL ? choices->first : NULL;
    const tw_value *message =
        choice != NULL ? tw_use_member(choice, "message") : NULL;
    if (message == NULL) {
        tw_recoder_refuse(
            recoder, choices != NULL ? choices : response,
            tw_value_member(choice, "delta") != NULL
                ? "a chunk of a stream is no record: `toolwire stream "
                  "--from-sse` reads streams"
            : tw_value_member(choice, "text") != NULL
                ? "the choice is a text, which `toolwire decode` reads"
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
    return tw_value_is_a(value, TW_VALUE_ARRAY) && !value->used;
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
        tw_has_list_of(record, "choices", "delta") ||
        tw_has_list_of(record, "choices", "text"));
}

const tw_record_shape tw_chat_completion_shape = {
    .name = "chat-completion",
    .about = "{\"choices\": [{\"message\"}]}, a response behind its "
             "\"messages\"",
    .members = members,
    .choices = tw_openai_choices,
    .takes_parts = true,
    .has_arguments = true,
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
    if (!is_void(error) || !tw_value_is_a(body, TW_VALUE_OBJECT) ||
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
    return tw_value_is_a(params, TW_VALUE_OBJECT) ||
           tw_value_is_a(result, TW_VALUE_OBJECT);
}

static bool ends_in(const tw_value *text, const char *end)
{
    const size_t size = strlen(end);
    return tw_value_is_a(text, TW_VALUE_STRING) && text->size >= size &&
           memcmp(text->text + text->size - size, end, size) == 0;
}

/* Is the address one that takes conversations?  Without one it may be. */
static bool asks_for_chat(const tw_value *record)
{
    static const char *const others[] = {"/embeddings", "/completions",
                                         "/moderations"};
    static const char chat[] = "/chat/completions";
    const tw_value *url = tw_value_member(record, "url");
    bool is = true;
    for (size_t i = 0; i < sizeof others / sizeof *others; i++) {
        is &= !ends_in(url, others[i]);
    }
    return is || ends_in(url, chat);
}

static const tw_value *batch_read(tw_recoder *recoder, const tw_value *record)
{
    if (is_anthropic(record)) {
        const tw_value *own = anthropic_of(recoder, record);
        return own != NULL ? tw_anthropic_read(recoder, own) : NULL;
    }
    const tw_value *body = tw_value_member(record, "body");
    const bool request = tw_value_is_a(body, TW_VALUE_OBJECT);
    body = request ? body : good_response(recoder, record);
    if (body == NULL) {
        return NULL;
    }
    if (request && !asks_for_chat(record)) {
        tw_recoder_refuse(recoder, record,
                          "the request asks for no conversation");
        return NULL;
    }
    if (is_responses(body)) {
        return tw_responses_read(recoder, body);
    }
    if (request && tw_value_member(body, "messages") == NULL) {
        tw_recoder_refuse(recoder, body, "`messages` is missing");
        return NULL;
    }
    tw_read_begin(recoder, record);
    tw_openai_read_into(recoder,
                        !request && tw_value_member(record, "messages") != NULL
                            ? record
                            : body);
    return request || read_choice(recoder, body) ? recoder->request : NULL;
}

/* An API whose requests and responses batches have. */
typedef struct batched {
    void (*write)(tw_recoder *, const tw_conversation *,
                  const tw_value *envelope);
    const char *members[6]; /* which it may write; NULL-ended */
} batched;

static void write_chat(tw_recoder *recoder,
                       const tw_conversation *conversation,
                       const tw_value *envelope)
{
    (void)envelope;
    tw_openai_write(recoder, conversation);
}

static const batched chat = {write_chat, {"messages", "tools", NULL}};
static const batched responses = {
    tw_responses_write, {"input", "instructions", "output", "tools", NULL}};
static const batched anthropic = {
    tw_anthropic_write,
    {"system", "messages", "tools", "role", "content", NULL}};

/* The object that stayed under this name, or NULL. */
static const tw_value *left_of(const tw_value *object, const char *key)
{
    const tw_value *left = tw_value_member(object, key);
    return left != NULL && !left->used && left->kind == TW_VALUE_OBJECT ? left
                                                                        : NULL;
}

/* `"KEY":{...` with what stayed there. */
static void put_filled(tw_recoder *recoder,
                       const tw_conversation *conversation, const char *key,
                       const batched *api, const tw_value *left)
{
    tw_json_put_key(&recoder->json_out, key, true);
    tw_json_put(&recoder->json_out, "{");
    api->write(recoder, conversation, left);
    tw_json_put_left(recoder, left, api->members);
    tw_json_put(&recoder->json_out, "}");
}

/* The body of a response, in which the API's response is. */
static void put_body(tw_recoder *recoder, const tw_conversation *conversation,
                     const tw_value *response)
{
    static const char *const name[] = {"body", NULL};
    const tw_value *body = tw_value_member(response, "body");
    tw_json_out *json_out = &recoder->json_out;
    if (tw_last_answer(recoder, conversation) == NULL) {
        return;
    }
    if (tw_value_is(tw_value_member(body, "object"), "response")) {
        tw_json_put(json_out, "\"response\":{");
        put_filled(recoder, conversation, "body", &responses, body);
    } else {
        put_front(recoder, conversation);
        tw_json_put(json_out, "\"response\":{\"body\":{");
        put_response(recoder, conversation, body);
        tw_openai_put_rest(recoder, conversation);
        tw_json_put_left(recoder, body, chat.members);
        tw_json_put(json_out, "}");
    }
    tw_json_put_left(recoder, response, name);
    tw_json_put(json_out, "}");
}

static void put_result(tw_recoder *recoder,
                       const tw_conversation *conversation,
                       const tw_value *result)
{
    static const char *const name[] = {"message", NULL};
    tw_json_put(&recoder->json_out, "\"result\":{");
    put_filled(recoder, conversation, "message", &anthropic,
               left_of(result, "message"));
    tw_json_put_left(recoder, result, name);
    tw_json_put(&recoder->json_out, "}");
}

/* What stayed tells whose line it was: a line without is a request of the chat
 * API. */
static void batch_write(tw_recoder *recoder,
                        const tw_conversation *conversation)
{
    const tw_value *record = recoder->record;
    const tw_value *response = left_of(record, "response");
    const tw_value *result = left_of(record, "result");
    const tw_value *params = left_of(record, "params");
    const bool flat =
        tw_value_is(tw_value_member(record, "url"), "/v1/responses");
    if (response != NULL) {
        put_body(recoder, conversation, response);
    } else if (result != NULL) {
        put_result(recoder, conversation, result);
    } else if (params != NULL) {
        put_filled(recoder, conversation, "params", &anthropic, params);
    } else {
        put_filled(recoder, conversation, "body", flat ? &responses : &chat,
                   left_of(record, "body"));
    }
}

static const char *const batch_members[] = {"body", NULL};

/* Is there nothing of a conversation in the envelopes, which stayed from
 * another shape's record? */
static bool is_emptied(const tw_value *record)
{
    const tw_value *body = tw_value_member(record, "body");
    const tw_value *response = tw_value_member(record, "response");
    const tw_value *result = tw_value_member(record, "result");
    const tw_value *at[] = {body, tw_value_member(response, "body"),
                            tw_value_member(record, "params"),
                            tw_value_member(result, "message")};
    static const char *const held[] = {"messages", "input", "output",
                                       "content", NULL};
    for (size_t i = 0; i < sizeof at / sizeof *at; i++) {
        for (const char *const *name = held; *name != NULL; name++) {
            if (tw_value_member(at[i], *name) != NULL) {
                return false;
            }
        }
        if (tw_has_list_of(at[i], "choices", "message")) {
            return false;
        }
    }
    return tw_value_member(record, "messages") != NULL;
}

static tw_fit batch_fits(const tw_value *record)
{
    return tw_fit_well(tw_value_member(record, "custom_id") != NULL &&
                       (tw_value_member(record, "body") != NULL ||
                        tw_value_member(record, "response") != NULL ||
                        is_anthropic(record) ||
                        tw_value_member(record, "error") != NULL) &&
                       !is_emptied(record));
}

const tw_record_shape tw_batch_shape = {
    .name = "batch",
    .about = "{\"custom_id\", \"body\" or \"response\"}, a line of a batch",
    .members = batch_members,
    .choices = tw_openai_choices,
    .takes_parts = true,
    .has_arguments = true,
    .fits = batch_fits,
    .read = batch_read,
    .write = batch_write,
};
