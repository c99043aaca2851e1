/* SPDX-License-Identifier: MIT
 *
 * OpenAI's own shape: {"messages", "tools"}.  What logs spell in other ways is
 * written in one; all else stays as it is.
 */
#include <string.h>

#include "records/records.h"

/* ---- calls -------------------------------------------------------------- */

void tw_openai_put_arguments(tw_recoder *recoder, const tw_call *call)
{
    tw_json_out *json_out = &recoder->json_out;
    if (call->arguments == NULL) {
        tw_json_put(json_out, recoder->arguments_object ? "{}" : "\"{}\"");
    } else if (recoder->arguments_object) {
        tw_json_put_value(json_out, call->arguments);
    } else if (call->given->kind == TW_VALUE_STRING) {
        tw_json_put_value(json_out, call->given);
    } else {
        tw_json_put_packed(json_out, call->arguments, &tw_dump_spaced);
    }
}

/* Members of a call, or of what holds its name: those that are not |known|. */
static void write_others(tw_recoder *recoder, const tw_value *object,
                         const char *const *known)
{
    for (const tw_value *at = object->first; at != NULL; at = at->next) {
        if (!tw_value_is_named(at, known)) {
            tw_json_put_member(&recoder->json_out, at, false);
        }
    }
}

static void write_call(tw_recoder *recoder, const tw_call *call, size_t number)
{
    static const char *const bare[] = {"id",        "type",     "name",
                                       "arguments", "function", NULL};
    static const char *const wrapper[] = {"id", "type", "function", NULL};
    static const char *const custom[] = {"id", "type", "custom", NULL};
    static const char *const function[] = {"name", "arguments", NULL};
    tw_json_out *json_out = &recoder->json_out;
    const tw_value *value = call->value;
    const tw_value *id = tw_value_member(value, "id");
    const bool is_bare = call->name->parent == value;
    tw_report_lost_type(recoder, value);
    tw_json_put(json_out, "{\"id\":");
    tw_json_put_value(json_out, tw_pairs_call_id(&recoder->pairs, number));
    if (id != NULL && id != call->own_id && !tw_value_is_void(id)) {
        tw_recoder_report_loss(recoder, TW_LOSS_CALL_ID, id,
                               "An id that is not a text has no place.");
    }
    if (call->input != NULL) {
        tw_json_put(json_out, ",\"type\":\"custom\"");
        tw_json_put_member(json_out, call->name->parent, false);
        write_others(recoder, value, custom);
    } else {
        tw_json_put(json_out,
                    ",\"type\":\"function\",\"function\":{\"name\":");
        tw_json_put_value(json_out, call->name);
        tw_json_put(json_out, ",\"arguments\":");
        tw_openai_put_arguments(recoder, call);
        if (!is_bare) {
            write_others(recoder, call->name->parent, function);
        }
        tw_json_put(json_out, "}");
        write_others(recoder, value, is_bare ? bare : wrapper);
    }
    tw_json_put(json_out, "}");
}

static void write_calls(tw_recoder *recoder,
                        const tw_conversation *conversation,
                        const tw_message *message)
{
    tw_json_put_key(&recoder->json_out, "tool_calls", false);
    for (size_t i = 0; i < message->call_count; i++) {
        tw_json_put(&recoder->json_out, i == 0 ? "[" : ",");
        write_call(recoder, tw_call_of(conversation, message, i),
                   message->first_call + i);
    }
    tw_json_put(&recoder->json_out, "]");
}

/* ---- messages ----------------------------------------------------------- */

/* Members that tables fill with null where a message has none. */
static bool is_padding(const tw_value *at)
{
    static const char *const padded[] = {"name", "tool_call_id", "tool_calls",
                                         "function_call", NULL};
    return at->kind == TW_VALUE_NULL && tw_value_is_named(at, padded);
}

/* Is this member the reasoning, or nothing under one of its names? */
static bool is_reasoning(const tw_message *message, const tw_value *at)
{
    static const char *const names[] = {"reasoning_content", "reasoning",
                                        "thinking", NULL};
    const tw_value *reasoning = message->reasoning;
    return tw_value_is_named(at, names) &&
           (at->kind == TW_VALUE_NULL ||
            (at->kind == TW_VALUE_STRING &&
             (at->size == 0 ||
              (reasoning != NULL && at->size == reasoning->size &&
               memcmp(at->text, reasoning->text, at->size) == 0))));
}

/* Of two roles the last one counts; the other one is reported. */
static bool is_other_role(tw_recoder *recoder, const tw_message *message,
                          const tw_value *at)
{
    const bool other =
        tw_value_has_key(at, "role") && at != message->role_name;
    if (other) {
        tw_recoder_report_loss(
            recoder, TW_LOSS_MEMBER_DROPPED, at,
            "The message has `role` twice; the last one counts.");
    }
    return other;
}

/* An assistant's message: what logs spell in several ways in one. */
static void write_assistant(tw_recoder *recoder,
                            const tw_conversation *conversation,
                            const tw_message *message)
{
    static const char *const known[] = {"role", "content", "tool_calls",
                                        "function_call", NULL};
    tw_json_out *json_out = &recoder->json_out;
    tw_json_put(json_out, "{\"role\":\"assistant\",\"content\":");
    if (message->content != NULL) {
        tw_json_put_value(json_out, message->content);
    } else {
        tw_json_put(json_out, "null");
    }
    if (message->reasoning != NULL) {
        tw_json_put_key(json_out, "reasoning_content", false);
        tw_json_put_value(json_out, message->reasoning);
    }
    if (message->call_count > 0) {
        write_calls(recoder, conversation, message);
    }
    for (const tw_value *at = message->value->first; at != NULL;
         at = at->next) {
        const bool nothing =
            is_other_role(recoder, message, at) ||
            tw_value_is_named(at, known) || is_reasoning(message, at) ||
            is_padding(at) ||
            (tw_value_has_key(at, "toolwire") &&
             !tw_value_is_true(tw_value_member(at, "unparsed")));
        if (!nothing && message->reasoning != NULL &&
            tw_value_has_key(at, "reasoning_content")) {
            tw_recoder_report_loss(recoder, TW_LOSS_REASONING_DROPPED, at,
                                   "Other reasoning stands in its place.");
        } else if (!nothing) {
            tw_json_put_member(json_out, at, false);
        }
    }
    tw_json_put(json_out, "}");
}

/* The id that a result has or gets; NULL: it has none of its own. */
static const tw_value *result_id(const tw_message *message)
{
    const tw_value *id = tw_value_member(message->value, "tool_call_id");
    return tw_value_is_a(id, TW_VALUE_STRING) && id->size > 0 ? id : NULL;
}

/* The role; behind it the id of the call that a result answers, where it has
 * none. */
static void write_role(tw_recoder *recoder, const tw_message *message,
                       size_t number, bool first)
{
    tw_json_out *json_out = &recoder->json_out;
    tw_json_put_key(json_out, "role", first);
    if (message->role != TW_ROLE_TOOL) {
        tw_json_put_value(json_out, message->role_name);
        return;
    }
    tw_json_put(json_out, "\"tool\"");
    const tw_value *id = tw_pairs_result_id(&recoder->pairs, number);
    if (result_id(message) == NULL && id != NULL) {
        tw_json_put_key(json_out, "tool_call_id", false);
        tw_json_put_value(json_out, id);
    }
}

/* A message of another role. */
static void write_message(tw_recoder *recoder, const tw_message *message,
                          size_t number)
{
    tw_json_out *json_out = &recoder->json_out;
    bool first = true;
    tw_json_put(json_out, "{");
    for (const tw_value *at = message->value->first; at != NULL;
         at = at->next) {
        const bool odd_id = message->role == TW_ROLE_TOOL &&
                            tw_value_has_key(at, "tool_call_id") &&
                            at != result_id(message);
        if (is_padding(at)) {
            continue;
        }
        if (odd_id && at->kind == TW_VALUE_STRING && at->size == 0) {
            continue;
        }
        if (odd_id) {
            tw_recoder_report_loss(recoder, TW_LOSS_CALL_ID, at,
                                   "An id that is not a text has no place.");
        } else if (is_other_role(recoder, message, at)) {
            continue;
        } else if (at == message->role_name) {
            write_role(recoder, message, number, first);
            first = false;
        } else if (at == message->own_id && at != message->id) {
            tw_json_put(json_out, first ? "" : ",");
            tw_json_put_member_key(json_out, at);
            tw_json_put_value(json_out, message->id);
            first = false;
        } else {
            tw_json_put_member(json_out, at, first);
            first = false;
        }
    }
    tw_json_put(json_out, "}");
}

/* ---- records ------------------------------------------------------------ */

void tw_openai_put_tools(tw_json_out *json_out,
                         const tw_conversation *conversation)
{
    if (conversation->tools != NULL) {
        const tw_value *tool = conversation->tools->first;
        tw_json_put(json_out, ",\"tools\":[");
        for (; tool != NULL; tool = tool->next) {
            tw_json_put_tool(json_out, tool);
            tw_json_put(json_out, tool->next != NULL ? "," : "");
        }
        tw_json_put(json_out, "]");
    }
}

/* Does `function_call` say what `tool_choice` can? */
static bool is_choice(const tw_value *legacy)
{
    const tw_value *name = tw_value_member(legacy, "name");
    return legacy->kind == TW_VALUE_STRING ||
           (tw_value_is_a(name, TW_VALUE_STRING) && name == legacy->first &&
            name->next == NULL);
}

static void write_choice(tw_recoder *recoder, const tw_value *request)
{
    tw_json_out *json_out = &recoder->json_out;
    const tw_value *choice = tw_value_member(request, "tool_choice");
    const tw_value *legacy = tw_value_member(request, "function_call");
    const tw_value *parallel = tw_value_member(request, "parallel_tool_calls");
    if (choice != NULL) {
        tw_json_put_member(json_out, choice, false);
    }
    if (parallel != NULL) {
        tw_json_put_member(json_out, parallel, false);
    }
    if (legacy == NULL) {
        return;
    }
    if (choice != NULL || !is_choice(legacy)) {
        tw_json_put_member(json_out, legacy, false);
        return;
    }
    tw_json_put_key(json_out, "tool_choice", false);
    if (legacy->kind == TW_VALUE_STRING) {
        tw_json_put_value(json_out, legacy);
    } else {
        tw_json_put(json_out, "{\"type\":\"function\",\"function\":");
        tw_json_put_value(json_out, legacy);
        tw_json_put(json_out, "}");
    }
}

void tw_openai_put_message(tw_recoder *recoder,
                           const tw_conversation *conversation, size_t i)
{
    const tw_message *message = tw_message_at(conversation, i);
    if (message->role == TW_ROLE_ASSISTANT) {
        write_assistant(recoder, conversation, message);
    } else if (message->role == TW_ROLE_OTHER) {
        tw_recoder_refuse(recoder, message->role_name,
                          "the role is not known");
    } else {
        write_message(recoder, message, i);
    }
}

void tw_openai_put_messages(tw_recoder *recoder,
                            const tw_conversation *conversation,
                            const char *key, size_t first, size_t count)
{
    tw_json_out *json_out = &recoder->json_out;
    tw_json_put_key(json_out, key, true);
    tw_json_put(json_out, "[");
    for (size_t i = first; i < first + count; i++) {
        tw_json_put(json_out, i > first ? "," : "");
        tw_openai_put_message(recoder, conversation, i);
    }
    tw_json_put(json_out, "]");
}

void tw_openai_put_rest(tw_recoder *recoder,
                        const tw_conversation *conversation)
{
    tw_openai_put_tools(&recoder->json_out, conversation);
    write_choice(recoder, conversation->root);
}

void tw_openai_write_as(tw_recoder *recoder,
                        const tw_conversation *conversation,
                        const char *messages)
{
    const size_t prompt = conversation->prompt_count;
    const size_t chosen = conversation->chosen_count;
    const size_t count = tw_message_count(conversation);
    tw_openai_put_messages(recoder, conversation, messages, 0, prompt);
    if (count > prompt) {
        tw_json_put(&recoder->json_out, ",");
        tw_openai_put_messages(recoder, conversation, "chosen", prompt,
                               chosen);
        tw_json_put(&recoder->json_out, ",");
        tw_openai_put_messages(recoder, conversation, "rejected",
                               prompt + chosen, count - prompt - chosen);
    }
    tw_openai_put_rest(recoder, conversation);
}

void tw_openai_write(tw_recoder *recoder, const tw_conversation *conversation)
{
    tw_openai_write_as(recoder, conversation, "messages");
}

/* ---- reading ------------------------------------------------------------ */

static void use(const tw_value *record, const char *const *names)
{
    for (; *names != NULL; names++) {
        tw_use_member(record, *names);
    }
}

static const char *const members[] = {"messages", "tools", NULL};
const char *const tw_openai_choices[] = {"tool_choice", "function_call",
                                         "parallel_tool_calls", NULL};

void tw_openai_read_into(tw_recoder *recoder, const tw_value *object)
{
    const tw_value *messages = tw_use_member(object, "messages");
    const tw_value *tools = tw_record_tools(object);
    if (tw_value_is_a(messages, TW_VALUE_ARRAY)) {
        for (const tw_value *at = messages->first; at != NULL; at = at->next) {
            tw_read_member(recoder, recoder->messages, NULL, at);
        }
    } else if (messages != NULL) {
        tw_recoder_refuse(recoder, messages, "`messages` is not a list");
    }
    if (tools != NULL) {
        tw_use(tools);
        tw_read_tools(recoder, tools);
    }
    for (const char *const *name = tw_openai_choices;
         *name != NULL && recoder->to != NULL && recoder->to->choices != NULL;
         name++) {
        const tw_value *choice = tw_use_member(object, *name);
        if (choice != NULL) {
            tw_read_member(recoder, recoder->request, *name, choice);
        }
    }
}

static void refuse_path(tw_recoder *recoder, const tw_value *deepest)
{
    tw_json_out text = {.memory = recoder->memory};
    tw_json_put(&text, "no list of messages stands at ");
    tw_json_put(&text, recoder->path);
    tw_json_put(&text, deepest->parent != NULL
                           ? ", only this is there on the way"
                           : ", of which nothing is there");
    tw_recoder_refuse_made(recoder, deepest, &text);
}

/* The list may stand anywhere; the tools beside it, or in the record. */
static const tw_value *read_at_path(tw_recoder *recoder,
                                    const tw_value *record)
{
    const tw_value *deepest = record;
    const tw_value *list = tw_value_reach(record, recoder->path, &deepest);
    if (!tw_value_is_a(list, TW_VALUE_ARRAY) || list == record) {
        refuse_path(recoder, deepest);
        return NULL;
    }
    const tw_value *tools = tw_value_member(list->parent, "tools");
    tools = tools != NULL ? tools : tw_value_member(record, "tools");
    tw_use(list);
    tw_read_begin(recoder, record);
    for (const tw_value *at = list->first; at != NULL; at = at->next) {
        tw_read_member(recoder, recoder->messages, NULL, at);
    }
    if (tools != NULL) {
        tw_use(tools);
        tw_read_tools(recoder, tools);
    }
    return recoder->request;
}

/* Outputs that are texts become messages. */
static const tw_value *read_texts(tw_recoder *recoder, const tw_value *record)
{
    const tw_value *good = tw_use_member(record, "chosen");
    const tw_value *bad = tw_use_member(record, "rejected");
    const tw_value *functions = tw_use_member(record, "functions");
    tw_read_begin(recoder, record);
    tw_openai_read_into(recoder, record);
    if (functions != NULL) {
        tw_read_member(recoder, recoder->request, "functions", functions);
    }
    tw_read_side(recoder, "chosen", good, good->first);
    tw_read_side(recoder, "rejected", bad, bad->first);
    return recoder->request;
}

const tw_value *tw_openai_read(tw_recoder *recoder, const tw_value *record)
{
    if (recoder->path != NULL) {
        return read_at_path(recoder, record);
    }
    const bool takes_pairs = recoder->to != NULL && recoder->to->takes_pairs;
    if (takes_pairs && tw_value_member(record, "messages") != NULL &&
        tw_has_sides(record) && !tw_record_is_pair(record)) {
        return read_texts(recoder, record);
    }
    static const char *const also[] = {"functions", NULL};
    static const char *const pair[] = {"chosen", "rejected", NULL};
    static const char *const settings[] = {"add_generation_prompt",
                                           "chat_template_kwargs", NULL};
    const tw_value *messages = tw_record_messages(record);
    use(record, members);
    use(record, also);
    if (messages != NULL && tw_value_has_key(messages, "conversations")) {
        tw_use_member(record, "conversations");
    }
    if (recoder->to == NULL) {
        use(record, settings);
    } else if (recoder->to->choices != NULL) {
        use(record, tw_openai_choices);
    }
    if (takes_pairs && tw_record_is_pair(record)) {
        use(record, pair);
    }
    return tw_record_is_llamafactory(record)
               ? tw_llamafactory_read(recoder, record)
               : record;
}

static bool has_messages(const tw_value *record, const char *key)
{
    return tw_has_list_of(record, key, "role") &&
           ((!tw_has_list_of(record, key, "parts") &&
             !tw_has_list_of(record, key, "blocks")) ||
            tw_has_list_of(record, key, "content"));
}

/* Messages of plain text are those of other shapes, too. */
static tw_fit fits(const tw_value *record)
{
    return has_messages(record, "messages") ||
                   has_messages(record, "conversations")
               ? TW_FIT_ALSO
               : TW_FIT_NONE;
}

const tw_record_shape tw_openai_shape = {
    .name = "openai",
    .about = "{\"messages\", \"tools\"}, in all spellings of logs",
    .members = members,
    .choices = tw_openai_choices,
    .takes_parts = true,
    .has_arguments = true,
    .takes_path = true,
    .takes_pairs = true,
    .fits = fits,
    .read = tw_openai_read,
    .write = tw_openai_write,
};

const tw_record_shape tw_huggingface_shape = {
    .name = "huggingface",
    .about = "the same; arguments are written as objects",
    .members = members,
    .choices = tw_openai_choices,
    .takes_parts = true,
    .has_arguments = true,
    .takes_path = true,
    .takes_pairs = true,
    .arguments_object = true,
    .read = tw_openai_read,
    .write = tw_openai_write,
};
