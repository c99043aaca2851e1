/* SPDX-License-Identifier: MIT
 *
 * Reads a request's JSON tree into messages, calls and tools, and reports the
 * members that nobody reads.
 */
#include "messages/conversation.h"

#include <string.h>

#include "json/fault.h"
#include "json/make.h"

void tw_conversation_init(tw_conversation *conversation,
                          const tw_memory *memory)
{
    memset(conversation, 0, sizeof *conversation);
    conversation->memory = memory;
    tw_tree_init(&conversation->request, memory);
    tw_tree_init(&conversation->arguments, memory);
    conversation->request.keeps_lone = true;
    conversation->arguments.keeps_lone = true;
}

void tw_conversation_free(tw_conversation *conversation)
{
    tw_tree_free(&conversation->request);
    tw_tree_free(&conversation->arguments);
    tw_buffer_free(&conversation->messages, conversation->memory);
    tw_buffer_free(&conversation->calls, conversation->memory);
    tw_buffer_free(&conversation->by_id, conversation->memory);
}

static bool fail(tw_conversation *conversation, int32_t code,
                 const tw_value *where, const char *message)
{
    if (conversation->code == TW_OK) {
        conversation->code = code;
        conversation->where = where;
        conversation->message = message;
    }
    return false;
}

static bool no_memory(tw_conversation *conversation)
{
    return fail(conversation, TW_ERROR_MEMORY, NULL, "no memory");
}

/* ---- values ------------------------------------------------------------- */

bool tw_value_is_true(const tw_value *value)
{
    if (value == NULL) {
        return false;
    }
    switch (value->kind) {
    case TW_VALUE_TRUE: return true;
    case TW_VALUE_STRING: return value->size > 0;
    case TW_VALUE_NUMBER:
        for (size_t i = 0; i < value->size; i++) {
            const char c = value->text[i];
            if (c == 'e' || c == 'E') {
                break;
            }
            if (c >= '1' && c <= '9') {
                return true;
            }
        }
        return false;
    case TW_VALUE_ARRAY:
    case TW_VALUE_OBJECT: return value->first != NULL;
    default: return false;
    }
}

/* A member that is not null. */
static inline const tw_value *member(const tw_value *object, const char *key)
{
    const tw_value *found = tw_value_member(object, key);
    return found != NULL && found->kind != TW_VALUE_NULL ? found : NULL;
}

/* The first member of several names that is a string with text in it. */
static const tw_value *text_of(const tw_value *object, const char *const *keys)
{
    for (; *keys != NULL; keys++) {
        const tw_value *found = member(object, *keys);
        if (tw_value_is_a(found, TW_VALUE_STRING) && found->size > 0) {
            return found;
        }
    }
    return NULL;
}

/* The id of a call, or NULL.  Logs have numbers, too: such a number becomes
 * its text where it stands. */
static const tw_value *id_of(const tw_value *object, const char *key)
{
    tw_value *id = (tw_value *)(uintptr_t)member(object, key);
    if (tw_value_is_a(id, TW_VALUE_NUMBER)) {
        id->kind = TW_VALUE_STRING;
    }
    return tw_value_is_a(id, TW_VALUE_STRING) && id->size > 0 ? id : NULL;
}

/* ---- calls -------------------------------------------------------------- */

/* The value whose JSON text |given| is; NULL: it is none, which is refused
 * with |message|. */
static const tw_value *read_inner(tw_conversation *conversation,
                                  const tw_value *given, const char *message)
{
    tw_tree *tree = &conversation->arguments;
    const int result = tw_tree_read_inner(tree, given, false, NULL);
    if (result == TW_ERROR_MEMORY) {
        no_memory(conversation);
        return NULL;
    }
    if (result != TW_OK) {
        fail(conversation, TW_ERROR_SCHEMA, given, message);
        conversation->offset = tree->offset;
        return NULL;
    }
    return tree->root;
}

/* Rollouts have calls as JSON texts, so that all rows of a table fit. */
static const tw_value *unpacked(tw_conversation *conversation,
                                const tw_value *value)
{
    return tw_value_is_a(value, TW_VALUE_STRING) && value->size > 0
               ? read_inner(conversation, value, "the call is not JSON")
               : value;
}

static bool read_call(tw_conversation *conversation, const tw_value *given)
{
    tw_call call = {0};
    const tw_value *value = unpacked(conversation, given);
    if (value == NULL) {
        return false;
    }
    const tw_value *function = member(value, "function");
    const tw_value *custom = member(value, "custom");
    const bool named = tw_value_is_a(function, TW_VALUE_STRING);
    const tw_value *holder = function != NULL && !named ? function
                             : custom != NULL           ? custom
                                                        : value;
    call.value = value;
    call.name = named ? function : member(holder, "name");
    call.id = call.own_id = id_of(value, "id");
    if (value->kind != TW_VALUE_OBJECT ||
        !tw_value_is_a(call.name, TW_VALUE_STRING)) {
        return fail(conversation, TW_ERROR_SCHEMA, value,
                    "the call has no name");
    }
    if (function == NULL && custom != NULL) {
        call.input = member(custom, "input");
        if (!tw_value_is_a(call.input, TW_VALUE_STRING)) {
            return fail(conversation, TW_ERROR_SCHEMA, value,
                        "the custom call has no `input` text");
        }
    }
    call.given = member(holder, "arguments");
    call.arguments = call.given;
    if (call.given != NULL && call.given->decoded &&
        conversation->keeps_decoded) {
        call.arguments = call.given;
    } else if (tw_value_is_a(call.given, TW_VALUE_STRING)) {
        call.arguments = call.given->size > 0
                             ? read_inner(conversation, call.given,
                                          "the arguments are not JSON")
                             : NULL;
        if (conversation->code != TW_OK) {
            return false;
        }
        /* The text `null` is no arguments, too. */
        if (tw_value_is_a(call.arguments, TW_VALUE_NULL)) {
            call.arguments = NULL;
        }
    }
    if (call.arguments != NULL && !call.arguments->decoded &&
        call.arguments->kind != TW_VALUE_OBJECT) {
        return fail(conversation, TW_ERROR_SCHEMA, call.given,
                    "the arguments are not a JSON object");
    }
    return tw_buffer_append(&conversation->calls, conversation->memory, &call,
                            sizeof call) ||
           no_memory(conversation);
}

/* Does |calls|, if there are some, say what the legacy |call| says? */
static bool is_same_call(const tw_value *calls, const tw_value *call)
{
    const tw_value *only = calls->first == calls->last ? calls->first : NULL;
    const tw_value *function =
        only != NULL ? tw_value_member(only, "function") : NULL;
    return calls->first == NULL ||
           (function != NULL &&
            tw_value_is_same_text(tw_value_member(function, "name"),
                                  tw_value_member(call, "name")) &&
            tw_value_is_same_text(tw_value_member(function, "arguments"),
                                  tw_value_member(call, "arguments")));
}

static bool read_calls(tw_conversation *conversation, tw_message *message)
{
    const tw_value *calls =
        unpacked(conversation, member(message->value, "tool_calls"));
    const tw_value *legacy = member(message->value, "function_call");
    if (conversation->code != TW_OK) {
        return false;
    }
    if (tw_value_is(calls, "")) {
        calls = NULL;
    }
    if (calls != NULL && calls->kind != TW_VALUE_ARRAY) {
        return fail(conversation, TW_ERROR_SCHEMA, calls,
                    "`tool_calls` is not a list");
    }
    if (calls != NULL && legacy != NULL && !is_same_call(calls, legacy)) {
        return fail(conversation, TW_ERROR_SCHEMA, legacy,
                    "`function_call` and `tool_calls` say different things");
    }
    if (calls != NULL && (calls->first != NULL || legacy == NULL)) {
        for (const tw_value *at = calls->first; at != NULL; at = at->next) {
            if (!read_call(conversation, at)) {
                return false;
            }
        }
    } else if (legacy != NULL && !read_call(conversation, legacy)) {
        return false;
    }
    message->call_count =
        conversation->calls.size / sizeof(tw_call) - message->first_call;
    return true;
}

/* ---- contents ----------------------------------------------------------- */

/* A text that |content| becomes; |lone|: as in tw_value. */
static const tw_value *new_text(tw_conversation *conversation,
                                const tw_value *content, const tw_buffer *text,
                                size_t lone)
{
    tw_value *made = tw_make_text(&conversation->arguments, NULL, NULL,
                                  (const char *)text->data, text->size);
    if (made == NULL) {
        no_memory(conversation);
        return NULL;
    }
    made->lone = lone;
    made->origin = content;
    return made;
}

const tw_value *tw_part_text(const tw_value *part)
{
    const tw_value *text =
        part->kind == TW_VALUE_STRING ? part : tw_value_member(part, "text");
    return tw_value_is_a(text, TW_VALUE_STRING) ? text : NULL;
}

/* The text of a part, or NULL: it is reported. */
static const tw_value *text_of_part(tw_losses *losses, const tw_value *part)
{
    static const char *const known[] = {"\"type", "text", NULL};
    const tw_value *text = tw_part_text(part);
    if (text == NULL) {
        tw_losses_add(losses,
                      tw_value_member(part, "refusal") != NULL
                          ? TW_LOSS_REFUSAL_DROPPED
                          : TW_LOSS_PART_NOT_TEXT,
                      part, 0, NULL);
        return NULL;
    }
    tw_losses_add_members(losses, part, known);
    return text;
}

/* Servers put a line feed between two texts. */
static const tw_value *flatten(tw_conversation *conversation,
                               const tw_value *content)
{
    tw_losses *losses = conversation->flattens;
    tw_buffer all = {0};
    size_t count = 0;
    size_t lone = 0;
    bool good = true;
    if (losses == NULL || !tw_value_is_a(content, TW_VALUE_ARRAY)) {
        return content;
    }
    for (const tw_value *at = content->first; at != NULL; at = at->next) {
        const tw_value *text = text_of_part(losses, at);
        if (text != NULL) {
            good = good && tw_buffer_append(&all, conversation->memory, "\n",
                                            count > 0 ? 1 : 0);
            lone = lone == 0 && text->lone > 0 ? all.size + text->lone : lone;
            good = good && tw_buffer_append(&all, conversation->memory,
                                            text->text, text->size);
            count++;
        }
    }
    if (count > 1) {
        tw_losses_add(losses, TW_LOSS_PARTS_JOINED, content, 0, NULL);
    }
    const tw_value *flat =
        good ? new_text(conversation, content, &all, lone) : content;
    tw_buffer_free(&all, conversation->memory);
    if (!good) {
        no_memory(conversation);
    }
    return flat;
}

/* ---- messages ----------------------------------------------------------- */

static tw_role role_named(const tw_value *name)
{
    static const struct {
        const char *name;
        tw_role role;
    } roles[] = {{"system", TW_ROLE_SYSTEM}, {"developer", TW_ROLE_DEVELOPER},
                 {"user", TW_ROLE_USER},     {"assistant", TW_ROLE_ASSISTANT},
                 {"tool", TW_ROLE_TOOL},     {"function", TW_ROLE_TOOL}};
    for (size_t i = 0; i < sizeof roles / sizeof roles[0]; i++) {
        if (tw_value_is(name, roles[i].name)) {
            return roles[i].role;
        }
    }
    return TW_ROLE_OTHER;
}

static bool read_message(tw_conversation *conversation, const tw_value *value)
{
    static const char *const reasoning[] = {"reasoning_content", "reasoning",
                                            "thinking", NULL};
    static const char *const ids[] = {"id", NULL};
    static const char *const names[] = {"name", NULL};
    tw_message message = {0};
    message.value = value;
    message.role_name = member(value, "role");
    if (!tw_value_is_a(message.role_name, TW_VALUE_STRING)) {
        return fail(conversation, TW_ERROR_SCHEMA, value,
                    "the message has no `role`");
    }
    message.role = role_named(message.role_name);
    message.content = flatten(conversation, member(value, "content"));
    if (conversation->code != TW_OK) {
        return false;
    }
    message.reasoning = text_of(value, reasoning);
    message.first_call = conversation->calls.size / sizeof(tw_call);
    if (message.role == TW_ROLE_TOOL) {
        message.name = text_of(value, names);
        message.id = id_of(value, "tool_call_id");
        message.id = message.id != NULL ? message.id : text_of(value, ids);
        message.own_id = message.id;
    }
    if (message.role == TW_ROLE_ASSISTANT &&
        !read_calls(conversation, &message)) {
        return false;
    }
    return tw_buffer_append(&conversation->messages, conversation->memory,
                            &message, sizeof message) ||
           no_memory(conversation);
}

const tw_value *tw_record_messages(const tw_value *record)
{
    const tw_value *messages = member(record, "messages");
    const tw_value *others = member(record, "conversations");
    return messages == NULL && tw_value_is_a(others, TW_VALUE_ARRAY) &&
                   others->first != NULL &&
                   tw_value_member(others->first, "role") != NULL
               ? others
               : messages;
}

static bool is_messages(const tw_value *list)
{
    return tw_value_is_a(list, TW_VALUE_ARRAY) && list->first != NULL &&
           tw_value_member(list->first, "role") != NULL;
}

bool tw_record_is_pair(const tw_value *record)
{
    return is_messages(tw_value_member(record, "chosen")) &&
           is_messages(tw_value_member(record, "rejected"));
}

static bool read_list(tw_conversation *conversation, const tw_value *messages)
{
    for (const tw_value *at = messages->first; at != NULL; at = at->next) {
        if (!read_message(conversation, at)) {
            return false;
        }
    }
    return true;
}

static bool read_messages(tw_conversation *conversation,
                          const tw_value *request)
{
    const tw_value *messages = tw_record_messages(request);
    if (!tw_value_is_a(messages, TW_VALUE_ARRAY)) {
        return fail(conversation, TW_ERROR_SCHEMA, request,
                    "`messages` is missing or is not a list");
    }
    bool good = read_list(conversation, messages);
    conversation->prompt_count = tw_message_count(conversation);
    conversation->chosen_count = 0;
    if (good && conversation->takes_pairs && tw_record_is_pair(request)) {
        good = read_list(conversation, tw_value_member(request, "chosen"));
        conversation->chosen_count =
            tw_message_count(conversation) - conversation->prompt_count;
        good = good &&
               read_list(conversation, tw_value_member(request, "rejected"));
    }
    return good;
}

static bool read_tools(tw_conversation *conversation, const tw_value *request)
{
    const tw_value *tools = member(request, "tools");
    const tw_value *legacy = member(request, "functions");
    if (tools != NULL && legacy != NULL && legacy->first != NULL) {
        return fail(conversation, TW_ERROR_SCHEMA, legacy,
                    "`tools` and `functions` stand side by side");
    }
    tools = tools != NULL ? tools : legacy;
    if (tools == NULL) {
        return true;
    }
    if (tools->kind != TW_VALUE_ARRAY) {
        return fail(conversation, TW_ERROR_SCHEMA, tools,
                    "`tools` is not a list");
    }
    for (const tw_value *at = tools->first; at != NULL; at = at->next) {
        const tw_value *function = tw_tool_function(at);
        const tw_value *name =
            function != NULL ? member(function, "name") : NULL;
        if (!tw_value_is_a(name, TW_VALUE_STRING)) {
            return fail(conversation, TW_ERROR_SCHEMA, at,
                        "the tool has no name");
        }
        if (member(function, "inputSchema") != NULL &&
            member(function, "parameters") == NULL) {
            return fail(conversation, TW_ERROR_SCHEMA, at,
                        "a tool of MCP: `inputSchema` is `parameters` in a "
                        "request");
        }
        if (tw_value_has_key(function, "custom") &&
            !conversation->takes_custom_tools) {
            return fail(conversation, TW_ERROR_SCHEMA, at,
                        "the target has no place for a tool of free text");
        }
    }
    conversation->tools = tools->first != NULL ? tools : NULL;
    return true;
}

int32_t tw_conversation_take(tw_conversation *conversation,
                             const tw_value *request)
{
    tw_tree_begin(&conversation->arguments, false);
    conversation->messages.size = conversation->calls.size = 0;
    conversation->tools = conversation->settings = conversation->where = NULL;
    conversation->code = TW_OK;
    conversation->message = "no error";
    conversation->offset = 0;
    conversation->root = request;
    if (request->kind != TW_VALUE_OBJECT) {
        fail(conversation, TW_ERROR_SCHEMA, request,
             request->kind == TW_VALUE_ARRAY
                 ? "the request is a list; messages alone stand in "
                   "{\"messages\":[...]}"
                 : "the request is not a JSON object");
        return conversation->code;
    }
    conversation->settings = member(request, "chat_template_kwargs");
    conversation->generation_prompt =
        tw_value_is_true(member(request, "add_generation_prompt"));
    if (read_messages(conversation, request) &&
        read_tools(conversation, request)) {
        (void)(tw_conversation_sort_ids(conversation) ||
               no_memory(conversation));
    }
    return conversation->code;
}

int32_t tw_conversation_read(tw_conversation *conversation, const char *json,
                             size_t size)
{
    const int result = tw_tree_read(&conversation->request, json, size, false);
    if (result == TW_OK) {
        return tw_conversation_take(conversation, conversation->request.root);
    }
    conversation->code = TW_OK;
    fail(conversation, result, NULL,
         result == TW_ERROR_JSON
             ? tw_no_json(&conversation->request, json, size)
             : "no memory");
    conversation->offset = conversation->request.offset;
    return conversation->code;
}

/* ---- questions ---------------------------------------------------------- */

const tw_value *tw_tool_function(const tw_value *tool)
{
    const tw_value *function = member(tool, "function");
    function = function != NULL ? function : member(tool, "custom");
    return function != NULL                ? function
           : tool->kind == TW_VALUE_OBJECT ? tool
                                           : NULL;
}

const tw_value *tw_conversation_setting(const tw_conversation *conversation,
                                        const char *name)
{
    const tw_value *over = tw_value_member(conversation->overrides, name);
    const tw_value *setting =
        over != NULL ? over : tw_value_member(conversation->settings, name);
    if ((setting == NULL || setting->kind == TW_VALUE_NULL) &&
        conversation->root != NULL && strcmp(name, TW_EFFORT) == 0) {
        setting = tw_value_member(conversation->root, name);
    }
    return setting != NULL && setting->kind != TW_VALUE_NULL ? setting : NULL;
}
