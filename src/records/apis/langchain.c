/* SPDX-License-Identifier: MIT
 *
 * Messages of LangChain in its three spellings, as lists, in the state of a
 * graph and in runs that LangSmith keeps:
 *
 *     {"messages":[{"type":"human","data":{"content":"Tide?"}}]}
 *     {"messages":[{"lc":1,"type":"constructor","id":["langchain","schema",
 *      "messages","HumanMessage"],"kwargs":{"content":"Tide?"}}]}
 *     {"inputs":{"messages":[[{"type":"human","content":"Tide?"}]]},
 *      "outputs":{"generations":[[{"message":{...}}]]}}
 */
#include "records/shapes.h"

/* ---- whose a message is ------------------------------------------------- */

typedef struct kind {
    const char *type;
    const char *class;
    const char *chunk; /* a piece of a stream, or several put together */
    const char *role;
} kind;

static const kind kinds[] = {
    {"human", "HumanMessage", "HumanMessageChunk", "user"},
    {"ai", "AIMessage", "AIMessageChunk", "assistant"},
    {"system", "SystemMessage", "SystemMessageChunk", "system"},
    {"tool", "ToolMessage", "ToolMessageChunk", "tool"},
    {"function", "FunctionMessage", "FunctionMessageChunk", "function"},
};
static const kind chat = {"chat", "ChatMessage", "ChatMessageChunk", NULL};

/* What a message says, in any of the spellings; NULL: it is none. */
static const tw_value *fields_of(const tw_value *message)
{
    const tw_value *data = tw_value_member(message, "data");
    const tw_value *kwargs = tw_value_member(message, "kwargs");
    const tw_value *found = data != NULL     ? data
                            : kwargs != NULL ? kwargs
                                             : message;
    return tw_value_is_a(found, TW_VALUE_OBJECT) ? found : NULL;
}

static bool is_kind(const kind *row, const tw_value *word)
{
    return tw_value_is(word, row->type) || tw_value_is(word, row->class) ||
           tw_value_is(word, row->chunk);
}

static const kind *kind_named(const tw_value *word)
{
    for (size_t i = 0; i < sizeof kinds / sizeof *kinds; i++) {
        if (is_kind(&kinds[i], word)) {
            return &kinds[i];
        }
    }
    return is_kind(&chat, word) ? &chat : NULL;
}

/* The kind of a message, whose type stands in one place or two; its class is
 * the last name of its `id`. */
static const kind *kind_of(const tw_value *message)
{
    const tw_value *id = tw_value_member(message, "id");
    const kind *found = kind_named(tw_value_member(message, "type"));
    return found != NULL || !tw_value_is_a(id, TW_VALUE_ARRAY)
               ? found
               : kind_named(id->last);
}

static const tw_value *extra_of(const tw_value *fields)
{
    return tw_value_member(fields, "additional_kwargs");
}

/* The role's name; NULL: it is not known. */
static const char *role_of(const kind *row, const tw_value *fields)
{
    static const char *const roles[] = {"user",      "assistant", "system",
                                        "developer", "tool",      NULL};
    const tw_value *own = tw_value_member(fields, "role");
    if (tw_value_is(tw_value_member(extra_of(fields), "__openai_role__"),
                    "developer")) {
        return "developer";
    }
    if (row != &chat) {
        return row->role;
    }
    size_t i = 0;
    while (roles[i] != NULL && !tw_value_is(own, roles[i])) {
        i++;
    }
    return roles[i];
}

/* ---- contents ----------------------------------------------------------- */

static bool is_block(const tw_value *block, const char *type)
{
    return tw_value_is(tw_value_member(block, "type"), type);
}

/* The text of a block of reasoning; NULL: it is none. */
static const tw_value *thought_of(const tw_value *block)
{
    const tw_value *text =
        is_block(block, "thinking")    ? tw_value_member(block, "thinking")
        : is_block(block, "reasoning") ? tw_value_member(block, "reasoning")
                                       : NULL;
    return tw_value_is_a(text, TW_VALUE_STRING) ? text : NULL;
}

/* An image in the words that LangChain has for all models: {"url"}, or
 * {"base64"} or, before, {"data"} with {"mime_type"}.  False: it is none. */
static bool read_image(tw_recoder *recoder, tw_value *content,
                       const tw_value *block)
{
    static const char *const known[] = {
        "type", "url", "base64", "data", "mime_type", "source_type", NULL};
    const tw_value *url = tw_value_member(block, "url");
    const tw_value *new = tw_value_member(block, "base64");
    const tw_value *data = new != NULL ? new : tw_value_member(block, "data");
    const tw_value *type = tw_value_member(block, "mime_type");
    if (!is_block(block, "image") ||
        (!tw_has_text(url) && !(tw_has_text(data) && tw_has_text(type)))) {
        return false;
    }
    tw_value *image = tw_read_image_part(recoder, content, block);
    if (tw_has_text(url)) {
        tw_read_member(recoder, image, "url", url);
    } else {
        tw_read_data_url(recoder, image, type, data);
    }
    tw_losses_add_members(&recoder->losses, block, known);
    return true;
}

/* Is the block a call that stands in the list of calls, too? */
static bool is_told_call(const tw_value *block, const tw_value *fields)
{
    static const char *const lists[] = {"tool_calls", "invalid_tool_calls"};
    const tw_value *id = tw_value_member(block, "id");
    for (size_t i = 0; id != NULL && i < sizeof lists / sizeof *lists; i++) {
        const tw_value *list = tw_value_member(fields, lists[i]);
        const tw_value *at =
            tw_value_is_a(list, TW_VALUE_ARRAY) ? list->first : NULL;
        while (at != NULL &&
               !tw_value_is_same_text(tw_value_member(at, "id"), id)) {
            at = at->next;
        }
        if (at != NULL) {
            return true;
        }
    }
    return false;
}

static bool is_call(const tw_value *block)
{
    return is_block(block, "tool_use") || is_block(block, "tool_call") ||
           is_block(block, "invalid_tool_call");
}

static void read_block(tw_recoder *recoder, tw_value *content,
                       const tw_value *block, const tw_value *fields)
{
    static const char *const text_has[] = {"\"type", "text", NULL};
    static const char *const thought_has[] = {"type", "thinking", "reasoning",
                                              NULL};
    const tw_value *text =
        block->kind == TW_VALUE_STRING ? block : tw_part_text(block);
    if (text != NULL) {
        tw_read_text_part(recoder, content, block, text);
        tw_losses_add_members(&recoder->losses, block, text_has);
    } else if (is_block(block, "image_url")) {
        tw_read_member(recoder, content, NULL, block);
    } else if (thought_of(block) != NULL) {
        tw_losses_add_members(&recoder->losses, block, thought_has);
    } else if (read_image(recoder, content, block)) {
        return;
    } else if (!is_call(block)) {
        tw_recoder_report_loss(recoder, TW_LOSS_PART_NOT_TEXT, block, NULL);
    } else if (!is_told_call(block, fields)) {
        tw_recoder_report_loss(recoder, TW_LOSS_CALL_DROPPED, block, NULL);
    }
}

static void read_content(tw_recoder *recoder, tw_value *message,
                         const tw_value *fields)
{
    const tw_value *content = tw_value_member(fields, "content");
    if (!tw_value_is_a(content, TW_VALUE_ARRAY)) {
        if (content != NULL) {
            tw_read_member(recoder, message, "content", content);
        }
        return;
    }
    tw_value *made =
        tw_read_part(recoder, message, "content", TW_VALUE_ARRAY, content);
    for (const tw_value *at = content->first; at != NULL; at = at->next) {
        read_block(recoder, made, at, fields);
    }
    tw_read_end_content(made, false);
}

static void read_thoughts(tw_recoder *recoder, tw_value *message,
                          const tw_value *fields)
{
    const tw_value *content = tw_value_member(fields, "content");
    const tw_value *beside =
        tw_value_member(extra_of(fields), "reasoning_content");
    const tw_value *at =
        tw_value_is_a(content, TW_VALUE_ARRAY) ? content->first : NULL;
    tw_joint all = {{0}, 0, NULL, 0};
    if (tw_has_text(beside)) {
        tw_joint_add(&all, recoder, beside);
    }
    for (; at != NULL; at = at->next) {
        if (thought_of(at) != NULL) {
            tw_joint_add(&all, recoder, thought_of(at));
        }
    }
    tw_read_reasoning(recoder, message, &all);
}

/* ---- calls -------------------------------------------------------------- */

static size_t count_of(const tw_value *list)
{
    size_t count = 0;
    const tw_value *at =
        tw_value_is_a(list, TW_VALUE_ARRAY) ? list->first : NULL;
    for (; at != NULL; at = at->next) {
        count++;
    }
    return count;
}

/* A call whose arguments could not be read has them as text. */
static void read_list(tw_recoder *recoder, tw_value *message,
                      const tw_value *list)
{
    static const char *const known[] = {"name", "args", "\"id", "\"type",
                                        NULL};
    const tw_value *at =
        tw_value_is_a(list, TW_VALUE_ARRAY) ? list->first : NULL;
    for (; at != NULL; at = at->next) {
        const tw_value *name = tw_value_member(at, "name");
        const tw_value *id = tw_value_member(at, "id");
        tw_read_call(recoder, message, at, tw_has_text(id) ? id : NULL, name,
                     tw_value_member(at, "args"));
        tw_losses_add_members(&recoder->losses, at, known);
    }
}

/* The calls as the model's server gave them have the arguments' text; the
 * lists have what was read of those. */
static void read_calls(tw_recoder *recoder, tw_value *message,
                       const tw_value *fields)
{
    const tw_value *extra = extra_of(fields);
    const tw_value *given = tw_value_member(extra, "tool_calls");
    const tw_value *old = tw_value_member(extra, "function_call");
    const tw_value *calls = tw_value_member(fields, "tool_calls");
    const tw_value *broken = tw_value_member(fields, "invalid_tool_calls");
    const size_t count = count_of(calls) + count_of(broken);
    if (count_of(given) > 0 && (count == 0 || count_of(given) == count)) {
        tw_read_member(recoder, message, "tool_calls", given);
    } else if (count > 0) {
        read_list(recoder, message, calls);
        read_list(recoder, message, broken);
        if (count_of(given) > 0) {
            tw_recoder_report_loss(recoder, TW_LOSS_CALL_DROPPED, given,
                                   "Other calls stand in their place.");
        }
    } else if (old != NULL) {
        tw_read_member(recoder, message, "function_call", old);
    }
}

/* ---- messages ----------------------------------------------------------- */

static void read_named(tw_recoder *recoder, tw_value *message, const char *key,
                       const tw_value *value)
{
    if (value != NULL && !tw_value_is_void(value)) {
        tw_read_member(recoder, message, key, value);
    }
}

static void lose_others(tw_recoder *recoder, const tw_value *source,
                        const tw_value *fields)
{
    static const char *const around[] = {"\"type", "{data",   "lc",
                                         "[id",    "{kwargs", NULL};
    static const char *const known[] = {"\"type",
                                        "content",
                                        "role",
                                        "[tool_calls",
                                        "[invalid_tool_calls",
                                        "{additional_kwargs",
                                        "name",
                                        "tool_call_id",
                                        "[tool_call_chunks",
                                        "?example",
                                        NULL};
    static const char *const beside[] = {
        "[tool_calls", "function_call",     "\"reasoning_content",
        "refusal",     "\"__openai_role__", NULL};
    if (fields != source) {
        tw_losses_add_members(&recoder->losses, source, around);
    }
    for (const tw_value *at = fields->first; at != NULL; at = at->next) {
        if (!tw_value_has_key(at, "status")) {
            tw_losses_add_member(&recoder->losses, at, known);
        } else if (tw_value_is(at, "error")) {
            tw_recoder_report_loss(recoder, TW_LOSS_RESULT_ERROR_FLAG, at,
                                   NULL);
        } else if (!tw_value_is(at, "success")) {
            tw_losses_add_member(&recoder->losses, at, known);
        }
    }
    if (extra_of(fields) != NULL) {
        tw_losses_add_members(&recoder->losses, extra_of(fields), beside);
    }
}

static void read_message(tw_recoder *recoder, const tw_value *source)
{
    const tw_value *fields = fields_of(source);
    const kind *row = fields != NULL ? kind_of(source) : NULL;
    const char *role = row != NULL ? role_of(row, fields) : NULL;
    if (role == NULL) {
        tw_recoder_refuse(recoder, source,
                          "it is no message of a type that is known");
        return;
    }
    tw_value *message = tw_read_message(recoder, role, source);
    read_named(recoder, message, "name", tw_value_member(fields, "name"));
    read_named(recoder, message, "tool_call_id",
               tw_value_member(fields, "tool_call_id"));
    read_content(recoder, message, fields);
    read_thoughts(recoder, message, fields);
    read_named(recoder, message, "refusal",
               tw_value_member(extra_of(fields), "refusal"));
    read_calls(recoder, message, fields);
    lose_others(recoder, source, fields);
}

/* ---- records ------------------------------------------------------------ */

/* Of a list of messages, or of one with that list alone. */
static const tw_value *first_of(const tw_value *list)
{
    const tw_value *first =
        tw_value_is_a(list, TW_VALUE_ARRAY) ? list->first : NULL;
    return tw_value_is_a(first, TW_VALUE_ARRAY) && first->next == NULL
               ? first->first
               : first;
}

static const tw_value *answer_of(const tw_value *outputs)
{
    return tw_value_member(first_of(tw_value_member(outputs, "generations")),
                           "message");
}

/* The object in which the messages are: a graph's outputs have all of them,
 * those of a model its answer alone. */
static const tw_value *holder_of(const tw_value *record)
{
    static const char *const names[] = {"outputs", "inputs"};
    for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
        const tw_value *side = tw_value_member(record, names[i]);
        if (kind_of(first_of(tw_value_member(side, "messages"))) != NULL) {
            return side;
        }
    }
    return record;
}

/* The answer that a model gave first. */
static void read_answer(tw_recoder *recoder, const tw_value *outputs)
{
    static const char *const known[] = {"text", "type", "message", NULL};
    const tw_value *answer = answer_of(outputs);
    if (answer == NULL) {
        return;
    }
    read_message(recoder, answer);
    tw_losses_add_members(&recoder->losses, answer->parent, known);
    for (const tw_value *at = answer->parent->next; at != NULL;
         at = at->next) {
        tw_recoder_report_loss(recoder, TW_LOSS_MESSAGE_DROPPED, at, NULL);
    }
    tw_use_member(outputs, "generations");
}

static const tw_value *read(tw_recoder *recoder, const tw_value *record)
{
    const tw_value *holder = holder_of(record);
    const tw_value *list = tw_use_member(holder, "messages");
    const tw_value *params =
        tw_value_member(tw_value_member(record, "extra"), "invocation_params");
    const tw_value *tools = tw_use_member(
        tw_value_member(params, "tools") != NULL ? params : record, "tools");
    if (!tw_value_is_a(list, TW_VALUE_ARRAY)) {
        tw_recoder_refuse(recoder, record,
                          "`messages` is missing or is not a list");
        return NULL;
    }
    tw_read_begin(recoder, record);
    for (const tw_value *at = first_of(list); at != NULL; at = at->next) {
        read_message(recoder, at);
    }
    read_answer(recoder, tw_value_member(record, "outputs"));
    if (tools != NULL) {
        tw_read_tools(recoder, tools);
    }
    return recoder->request;
}

static tw_fit fits(const tw_value *record)
{
    const tw_value *first =
        first_of(tw_value_member(holder_of(record), "messages"));
    const kind *found = kind_of(first);
    const tw_value *fields = fields_of(first);
    /* AutoGen's types are the names of these classes. */
    return tw_fit_well(
        found != NULL && fields != NULL &&
        tw_value_member(fields, "content") != NULL &&
        !(fields == first &&
          tw_value_is(tw_value_member(first, "type"), found->class)));
}

static const char *const members[] = {"messages", "tools", NULL};

const tw_record_shape tw_langchain_shape = {
    .name = "langchain",
    .about = "read only: {\"messages\"} of LangChain, runs of LangSmith",
    .members = members,
    .fits = fits,
    .read = read,
};
