/* SPDX-License-Identifier: MIT
 *
 * A request and its response, as proxies, tracers and batches keep them: each
 * half is of a shape of its own, a list of messages, or one.
 *
 *     {"messages": [...], "response": {"choices": [...]}}
 *     {"request": {"contents": [...]}, "response": {"candidates": [...]}}
 *     {"input": [{"role", "content"}], "output": {"role", "content"}}
 */
#include "records/shapes.h"

/* Where the halves stand. */
typedef struct place {
    const char *request; /* NULL: the record itself has the messages */
    const char *response;
    bool alone; /* there may be one half without the other */
} place;

static const place places[] = {
    {NULL, "response", false},
    {"request", "response", true},
    {"request.body", "response.body", true},
    {"request_body", "response_body", true},
    {"input", "output", false},
    {"inputs", "outputs", false},
    {"inputs", "output", false},
    {"input.inputBodyJson", "output.outputBodyJson", true},
};

static const tw_value *at_path(const tw_value *record, const char *path)
{
    const tw_value *found =
        path != NULL ? tw_value_at(record, path, strlen(path)) : record;
    return tw_value_is_a(found, TW_VALUE_NULL) ? NULL : found;
}

/* ---- halves ------------------------------------------------------------- */

/* Items of Responses have types. */
static bool is_message(const tw_value *half)
{
    return tw_value_member(half, "role") != NULL &&
           tw_value_member(half, "type") == NULL;
}

static bool is_list(const tw_value *half)
{
    return tw_value_is_a(half, TW_VALUE_ARRAY) && is_message(half->first);
}

/* Ollama and others have the message in an envelope. */
static const tw_value *inside(const tw_value *half)
{
    const tw_value *message = tw_value_member(half, "message");
    return is_message(message) ? message : half;
}

static const tw_record_shape *shape_of(const tw_value *half)
{
    const tw_record_shape *other;
    const tw_record_shape *shape = tw_record_detect(half, &other);
    return other == NULL ? shape : NULL;
}

static bool is_half(const tw_value *half)
{
    return is_list(half) || is_message(inside(half)) ||
           (tw_value_is_a(half, TW_VALUE_OBJECT) && shape_of(half) != NULL);
}

/* Elsewhere a text beside messages may be what was wanted. */
static bool is_litellm(const tw_value *record)
{
    return tw_value_member(record, "call_type") != NULL ||
           tw_value_member(record, "litellm_call_id") != NULL ||
           tw_value_member(record, "model_parameters") != NULL;
}

/* An answer may be text, where others read it. */
static bool fits_place(const place *at, const tw_value *record)
{
    const tw_value *request = at_path(record, at->request);
    const tw_value *response = at_path(record, at->response);
    const bool own = tw_has_list_of(record, "messages", "role");
    if (own != (at->request == NULL)) {
        return false;
    }
    if (own) {
        return tw_value_is_a(response, TW_VALUE_STRING)
                   ? is_litellm(record) && tw_has_text(response)
                   : tw_value_is_a(response, TW_VALUE_OBJECT) &&
                         is_half(response);
    }
    if (request == NULL || response == NULL) {
        return at->alone && (is_half(request) || is_half(response));
    }
    return is_half(request) && (is_half(response) || tw_has_text(response));
}

static const place *place_of(const tw_value *record)
{
    for (size_t i = 0; i < sizeof places / sizeof *places; i++) {
        if (fits_place(&places[i], record)) {
            return &places[i];
        }
    }
    return NULL;
}

/* ---- reading ------------------------------------------------------------ */

/* The half as a record: what is no object of its shape is put into one. */
static const tw_value *record_of(tw_recoder *recoder, const tw_value *whole)
{
    tw_tree *made = &recoder->made;
    const tw_value *half = inside(whole);
    if (!is_list(half) && !is_message(half)) {
        return half;
    }
    tw_value *record =
        tw_read_part(recoder, NULL, NULL, TW_VALUE_OBJECT, half);
    if (is_list(half)) {
        tw_make_copy(made, record, "messages", half);
    } else {
        tw_value *list = tw_make(made, record, "messages", TW_VALUE_ARRAY);
        tw_make_copy(made, list, NULL, half);
    }
    tw_use(half);
    return record;
}

/* Of a response of Responses, which repeats what it was asked, the output. */
static const tw_value *output_of(tw_recoder *recoder, const tw_value *half)
{
    const tw_value *output = tw_value_member(half, "output");
    tw_value *record =
        tw_read_part(recoder, NULL, NULL, TW_VALUE_OBJECT, half);
    tw_make_copy(&recoder->made, record, "output", output);
    tw_use(output);
    return record;
}

/* Begins the request that the half says. */
static void read_half(tw_recoder *recoder, const tw_value *half, bool behind)
{
    if (half->kind == TW_VALUE_STRING) {
        tw_read_begin(recoder, half);
        tw_use(half);
        tw_read_text(recoder, "assistant", half, half);
        return;
    }
    const tw_value *record = record_of(recoder, half);
    const tw_record_shape *shape = record != NULL ? shape_of(record) : NULL;
    if (shape == NULL) {
        tw_recoder_refuse(recoder, half,
                          "this half of the record is of no shape that is "
                          "known");
        return;
    }
    recoder->from = shape;
    if (shape == &tw_openai_shape) {
        tw_read_begin(recoder, record);
        tw_openai_read_into(recoder, record);
    } else if (behind && shape == &tw_responses_shape &&
               tw_value_member(half, "output") != NULL) {
        shape->read(recoder, output_of(recoder, half));
    } else {
        shape->read(recoder, record);
    }
}

/* What was answered goes behind what was asked. */
static void add_answer(tw_recoder *recoder, tw_value *messages)
{
    tw_value *at = recoder->messages != NULL ? recoder->messages->first : NULL;
    while (at != NULL && messages != NULL) {
        tw_value *next = at->next;
        const tw_value *role = tw_value_member(at, "role");
        if (!tw_value_is(role, "assistant") && !tw_value_is(role, "tool")) {
            tw_recoder_refuse(recoder, at,
                              "the response has a message that is not the "
                              "model's");
        }
        at->next = NULL;
        at->index = 0;
        tw_value_link(messages, at);
        at = next;
    }
}

/* Where the record has the messages, its tools may stand deeper. */
static void read_tools(tw_recoder *recoder, const tw_value *record)
{
    static const char *const paths[] = {
        "model_parameters.tools", "optional_params.tools", "kwargs.tools"};
    for (size_t i = 0; i < sizeof paths / sizeof *paths; i++) {
        const tw_value *tools = at_path(record, paths[i]);
        if (recoder->tools == NULL && tw_value_is_a(tools, TW_VALUE_ARRAY)) {
            tw_use(tools);
            tw_read_tools(recoder, tools);
        }
    }
}

static const tw_value *read(tw_recoder *recoder, const tw_value *record)
{
    const place *at = place_of(record);
    if (at == NULL) {
        tw_recoder_refuse(recoder, record,
                          "there is no request with its response");
        return NULL;
    }
    const tw_value *request = at_path(record, at->request);
    const tw_value *response = at_path(record, at->response);
    recoder->whole = &tw_exchange_shape;
    if (request == NULL || response == NULL) {
        read_half(recoder, request != NULL ? request : response, false);
        return recoder->code == TW_OK ? recoder->request : NULL;
    }
    read_half(recoder, request, false);
    if (request == record) {
        read_tools(recoder, record);
    }
    const tw_record_shape *from = recoder->from;
    tw_value *asked = recoder->request;
    tw_value *messages = recoder->messages;
    if (recoder->code == TW_OK) {
        recoder->messages = NULL; /* where the response is refused */
        read_half(recoder, response, true);
        add_answer(recoder, messages);
    }
    recoder->from = from;
    recoder->request = asked;
    recoder->messages = messages;
    return recoder->code == TW_OK ? asked : NULL;
}

static tw_fit fits(const tw_value *record)
{
    return tw_fit_well(tw_value_member(record, "custom_id") == NULL &&
                       place_of(record) != NULL);
}

const tw_record_shape tw_exchange_shape = {
    .name = "exchange",
    .about = "read only: {\"request\", \"response\"}, each of a known shape",
    .fits = fits,
    .read = read,
};
