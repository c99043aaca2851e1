/* SPDX-License-Identifier: MIT
 *
 * Anthropic's shape: {"system", "messages", "tools"}, whose contents are
 * blocks: text, thinking, tool_use and tool_result.
 */
#include <string.h>

#include "records/records.h"

static const char *const members[] = {"system", "messages", "tools", NULL};

static bool is_block(const tw_value *block, const char *type)
{
    return tw_value_is(tw_value_member(block, "type"), type);
}

static const tw_value *blocks_of(const tw_value *content)
{
    return content != NULL && content->kind == TW_VALUE_ARRAY ? content->first
                                                              : NULL;
}

/* ---- reading ------------------------------------------------------------ */

typedef struct reading {
    tw_recoder *recoder;
    bool first;
} reading;

static void begin_message(reading *state, const char *role)
{
    tw_jotter *jotter = &state->recoder->jotter;
    tw_jot(jotter, state->first ? "{\"role\":\"" : ",{\"role\":\"");
    tw_jot(jotter, role);
    tw_jot(jotter, "\"");
    state->first = false;
}

/* The text of all blocks of a type, one behind the other; false: none. */
static bool gather(tw_recoder *recoder, const tw_value *content,
                   const char *type, tw_buffer *text)
{
    bool some = false;
    for (const tw_value *at = blocks_of(content); at != NULL; at = at->next) {
        const tw_value *piece = tw_value_member(at, type);
        if (is_block(at, type) && piece != NULL &&
            piece->kind == TW_VALUE_STRING) {
            some = true;
            if (!tw_buffer_append(text, recoder->memory, piece->text,
                                  piece->size)) {
                recoder->jotter.failed = true;
            }
        }
    }
    return some;
}

static void read_gathered(tw_recoder *recoder, const char *key,
                          const tw_value *content, const char *type,
                          bool always)
{
    tw_buffer text = {0};
    tw_jotter *jotter = &recoder->jotter;
    if (content != NULL && content->kind == TW_VALUE_STRING && always) {
        tw_jot_key(jotter, key, false);
        tw_jot_value(jotter, content);
        return;
    }
    const bool some = gather(recoder, content, type, &text);
    if (some || always) {
        tw_jot_key(jotter, key, false);
        if (some) {
            tw_jot_halves(jotter, (const char *)text.data, text.size);
        } else {
            tw_jot(jotter, "null");
        }
    }
    tw_buffer_free(&text, recoder->memory);
}

static void read_assistant(reading *state, const tw_value *content)
{
    tw_recoder *recoder = state->recoder;
    tw_jotter *jotter = &recoder->jotter;
    size_t calls = 0;
    begin_message(state, "assistant");
    read_gathered(recoder, "content", content, "text", true);
    read_gathered(recoder, "reasoning_content", content, "thinking", false);
    for (const tw_value *at = blocks_of(content); at != NULL; at = at->next) {
        if (is_block(at, "tool_use")) {
            const tw_value *name = tw_value_member(at, "name");
            if (name == NULL || name->kind != TW_VALUE_STRING) {
                tw_recoder_refuse(recoder, at, "a call without a name");
                return;
            }
            tw_jot(jotter, calls == 0 ? ",\"tool_calls\":[" : ",");
            tw_jot_call(recoder, tw_value_member(at, "id"), calls, name,
                        tw_value_member(at, "input"));
            calls++;
        } else if (!is_block(at, "text") && !is_block(at, "thinking")) {
            tw_recoder_lose(recoder, TW_LOSS_PART_NOT_TEXT, at,
                            "a block of another type");
        }
    }
    tw_jot(jotter, calls > 0 ? "]}" : "}");
}

static void read_result(reading *state, const tw_value *block)
{
    tw_jotter *jotter = &state->recoder->jotter;
    const tw_value *id = tw_value_member(block, "tool_use_id");
    const tw_value *error = tw_value_member(block, "is_error");
    begin_message(state, "tool");
    if (id != NULL) {
        tw_jot_key(jotter, "tool_call_id", false);
        tw_jot_value(jotter, id);
    }
    tw_jot_key(jotter, "content", false);
    tw_jot_content(state->recoder, tw_value_member(block, "content"));
    tw_jot(jotter, "}");
    if (error != NULL && error->kind == TW_VALUE_TRUE) {
        tw_recoder_lose(state->recoder, TW_LOSS_RESULT_ERROR_FLAG, error,
                        "is_error has no place");
    }
}

static void read_user(reading *state, const tw_value *content)
{
    tw_buffer text = {0};
    bool some = content == NULL || content->kind != TW_VALUE_ARRAY;
    for (const tw_value *at = blocks_of(content); at != NULL; at = at->next) {
        if (is_block(at, "tool_result")) {
            read_result(state, at);
        } else if (is_block(at, "text")) {
            some = true;
        } else {
            tw_recoder_lose(state->recoder, TW_LOSS_PART_NOT_TEXT, at,
                            "a block of another type");
        }
    }
    if (some) {
        begin_message(state, "user");
        read_gathered(state->recoder, "content", content, "text", true);
        tw_jot(&state->recoder->jotter, "}");
    }
    tw_buffer_free(&text, state->recoder->memory);
}

static void read_tools(tw_recoder *recoder, const tw_value *tools)
{
    static const char *const moved[][2] = {{"name", "name"},
                                           {"description", "description"},
                                           {"input_schema", "parameters"}};
    tw_jotter *jotter = &recoder->jotter;
    tw_jot(jotter, ",\"tools\":[");
    for (const tw_value *at = tools->first; at != NULL; at = at->next) {
        bool first = true;
        tw_jot(jotter, "{\"type\":\"function\",\"function\":{");
        for (size_t i = 0; i < 3; i++) {
            const tw_value *part = tw_value_member(at, moved[i][0]);
            if (part != NULL) {
                tw_jot_key(jotter, moved[i][1], first);
                tw_jot_value(jotter, part);
                first = false;
            }
        }
        tw_jot(jotter, at->next != NULL ? "}}," : "}}");
    }
    tw_jot(jotter, "]");
}

static void read(tw_recoder *recoder, const tw_value *record)
{
    reading state = {recoder, true};
    const tw_value *messages = tw_value_member(record, "messages");
    const tw_value *system = tw_value_member(record, "system");
    const tw_value *tools = tw_value_member(record, "tools");
    if (messages == NULL || messages->kind != TW_VALUE_ARRAY) {
        tw_recoder_refuse(recoder, record, "`messages` is no list");
        return;
    }
    tw_jot(&recoder->jotter, "\"messages\":[");
    if (tw_value_is_true(system)) {
        begin_message(&state, "system");
        read_gathered(recoder, "content", system, "text", true);
        tw_jot(&recoder->jotter, "}");
    }
    for (const tw_value *at = messages->first; at != NULL; at = at->next) {
        const tw_value *role = tw_value_member(at, "role");
        const tw_value *content = tw_value_member(at, "content");
        if (tw_value_is(role, "assistant")) {
            read_assistant(&state, content);
        } else if (tw_value_is(role, "user")) {
            read_user(&state, content);
        } else {
            tw_recoder_refuse(recoder, at, "no such role");
        }
    }
    tw_jot(&recoder->jotter, "]");
    if (!tw_value_is_true(tools)) {
        return;
    }
    if (tools->kind == TW_VALUE_ARRAY) {
        read_tools(recoder, tools);
    } else {
        tw_recoder_refuse(recoder, tools, "the tools are no list");
    }
}

/* ---- writing ------------------------------------------------------------ */

static void write_text_block(tw_recoder *recoder, const tw_value *content,
                             bool *first)
{
    tw_jot(&recoder->jotter, *first ? "" : ",");
    tw_jot(&recoder->jotter, "{\"type\":\"text\",\"text\":");
    tw_jot_content(recoder, content);
    tw_jot(&recoder->jotter, "}");
    *first = false;
}

static void write_call(tw_recoder *recoder, const tw_call *call, size_t number,
                       bool *first)
{
    tw_jotter *jotter = &recoder->jotter;
    if (call->input != NULL) {
        tw_recoder_refuse(recoder, call->value,
                          "a call with free text has no place");
        return;
    }
    tw_jot(jotter, *first ? "" : ",");
    tw_jot(jotter, "{\"type\":\"tool_use\",\"id\":");
    if (call->id != NULL) {
        tw_jot_value(jotter, call->id);
    } else {
        tw_jot_call_id(jotter, number);
    }
    tw_jot(jotter, ",\"name\":");
    tw_jot_value(jotter, call->name);
    tw_jot(jotter, ",\"input\":");
    if (call->arguments != NULL) {
        tw_jot_value(jotter, call->arguments);
    } else {
        tw_jot(jotter, "{}");
    }
    tw_jot(jotter, "}");
    *first = false;
}

static void write_assistant(tw_recoder *recoder,
                            const tw_conversation *conversation,
                            const tw_message *message)
{
    tw_jotter *jotter = &recoder->jotter;
    const tw_value *content = message->content;
    bool first = true;
    tw_jot(jotter, "{\"role\":\"assistant\",\"content\":");
    if (message->call_count == 0 && message->reasoning == NULL) {
        tw_jot_content(recoder, content);
        tw_jot(jotter, "}");
        return;
    }
    tw_jot(jotter, "[");
    if (message->reasoning != NULL) {
        tw_jot(jotter, "{\"type\":\"thinking\",\"thinking\":");
        tw_jot_value(jotter, message->reasoning);
        tw_jot(jotter, ",\"signature\":\"\"}");
        first = false;
    }
    if (content != NULL &&
        (content->kind != TW_VALUE_STRING || content->size > 0)) {
        write_text_block(recoder, content, &first);
    }
    for (size_t i = 0; i < message->call_count; i++) {
        write_call(recoder, tw_call_of(conversation, message, i), i, &first);
    }
    tw_jot(jotter, "]}");
}

/* Results that follow each other are one message of the user's. */
static size_t write_results(tw_recoder *recoder,
                            const tw_conversation *conversation, size_t i)
{
    tw_jotter *jotter = &recoder->jotter;
    const size_t begin = i;
    tw_jot(jotter, "{\"role\":\"user\",\"content\":[");
    for (; i < tw_message_count(conversation); i++) {
        const tw_message *message = tw_message_at(conversation, i);
        if (message->role != TW_ROLE_TOOL) {
            break;
        }
        tw_jot(jotter, i > begin ? "," : "");
        tw_jot(jotter, "{\"type\":\"tool_result\",\"tool_use_id\":");
        if (message->id != NULL) {
            tw_jot_value(jotter, message->id);
        } else {
            tw_jot_call_id(jotter, i - begin);
        }
        tw_jot_key(jotter, "content", false);
        tw_jot_content(recoder, message->content);
        tw_jot(jotter, "}");
        if (message->name != NULL) {
            tw_recoder_lose(recoder, TW_LOSS_RESULT_NAME, message->name,
                            "names of results have no place");
        }
    }
    tw_jot(jotter, "]}");
    return i;
}

static void write_tools(tw_recoder *recoder, const tw_value *tools)
{
    tw_jotter *jotter = &recoder->jotter;
    tw_jot(jotter, ",\"tools\":[");
    for (const tw_value *at = tools->first; at != NULL; at = at->next) {
        const tw_value *function = tw_tool_function(at);
        const tw_value *about = tw_value_member(function, "description");
        const tw_value *schema = tw_value_member(function, "parameters");
        tw_jot(jotter, "{\"name\":");
        tw_jot_value(jotter, tw_value_member(function, "name"));
        if (about != NULL) {
            tw_jot_key(jotter, "description", false);
            tw_jot_value(jotter, about);
        }
        tw_jot_key(jotter, "input_schema", false);
        if (schema != NULL) {
            tw_jot_value(jotter, schema);
        } else {
            tw_jot(jotter, "{\"type\":\"object\",\"properties\":{}}");
        }
        tw_jot(jotter, at->next != NULL ? "}," : "}");
        for (const tw_value *part = function->first; part != NULL;
             part = part->next) {
            if (part != about && part != schema &&
                part != tw_value_member(function, "name")) {
                tw_recoder_lose(recoder, TW_LOSS_TOOL_PART, part,
                                "it has no place in a tool");
            }
        }
    }
    tw_jot(jotter, "]");
}

static bool is_system(const tw_message *message)
{
    return message->role == TW_ROLE_SYSTEM ||
           message->role == TW_ROLE_DEVELOPER;
}

static void write(tw_recoder *recoder, const tw_conversation *conversation)
{
    tw_jotter *jotter = &recoder->jotter;
    const size_t count = tw_message_count(conversation);
    size_t i = 0;
    if (count > 0 && is_system(tw_message_at(conversation, 0))) {
        tw_jot_key(jotter, "system", true);
        tw_jot_content(recoder, tw_message_at(conversation, 0)->content);
        tw_jot(jotter, ",");
        i = 1;
    }
    tw_jot(jotter, "\"messages\":[");
    for (bool first = true; i < count && recoder->code == TW_OK;
         first = false) {
        const tw_message *message = tw_message_at(conversation, i);
        tw_jot(jotter, first ? "" : ",");
        if (message->role == TW_ROLE_TOOL) {
            i = write_results(recoder, conversation, i);
            continue;
        }
        if (message->role == TW_ROLE_ASSISTANT) {
            write_assistant(recoder, conversation, message);
        } else if (message->role == TW_ROLE_USER) {
            tw_jot(jotter, "{\"role\":\"user\",\"content\":");
            tw_jot_content(recoder, message->content);
            tw_jot(jotter, "}");
        } else {
            tw_recoder_refuse(recoder, message->role_name,
                              "no place for this role here");
        }
        i++;
    }
    tw_jot(jotter, "]");
    if (conversation->tools != NULL) {
        write_tools(recoder, conversation->tools);
    }
}

const tw_record_shape tw_anthropic_shape = {"anthropic", "messages", members,
                                            read, write};
