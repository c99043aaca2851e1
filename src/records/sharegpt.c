/* SPDX-License-Identifier: MIT
 *
 * ShareGPT with calls, as LLaMA-Factory trains on it: {"conversations":
 * [{"from","value"}], "system", "tools"}.  A call is JSON text in a turn of
 * its own, several are a list; ids and names of results have no place.
 */
#include <string.h>

#include "records/records.h"

static const char *const members[] = {"conversations", "system", "tools",
                                      NULL};

static bool is_one_of(const tw_value *word, const char *const *words)
{
    for (; *words != NULL; words++) {
        if (tw_value_is(word, *words)) {
            return true;
        }
    }
    return false;
}

/* ---- reading ------------------------------------------------------------ */

typedef struct reading {
    tw_recoder *recoder;
    bool first;     /* nothing was jotted yet */
    size_t calls;   /* of the last turn with calls */
    size_t results; /* that followed */
} reading;

static void begin_message(reading *state, const char *role)
{
    tw_jotter *jotter = &state->recoder->jotter;
    tw_jot(jotter, state->first ? "{\"role\":\"" : ",{\"role\":\"");
    tw_jot(jotter, role);
    tw_jot(jotter, "\",\"content\":");
    state->first = false;
}

static void read_text(reading *state, const char *role, const tw_value *value)
{
    begin_message(state, role);
    tw_jot_value(&state->recoder->jotter, value);
    tw_jot(&state->recoder->jotter, "}");
}

static void read_calls(reading *state, const tw_value *value)
{
    begin_message(state, "assistant");
    tw_jot(&state->recoder->jotter, "null,\"tool_calls\":[");
    state->calls = state->results = 0;
    tw_jot_calls_text(state->recoder, value, &state->calls);
    tw_jot(&state->recoder->jotter, "]}");
}

/* Results come in the order of the calls. */
static void read_result(reading *state, const tw_value *value)
{
    tw_jotter *jotter = &state->recoder->jotter;
    tw_jot(jotter, state->first ? "" : ",");
    tw_jot(jotter, "{\"role\":\"tool\",\"tool_call_id\":");
    tw_jot_result_id(jotter, state->results++, state->calls);
    tw_jot(jotter, ",\"content\":");
    tw_jot_value(jotter, value);
    tw_jot(jotter, "}");
    state->first = false;
}

static void read_turn(reading *state, const tw_value *turn)
{
    static const char *const users[] = {"human", "user", NULL};
    static const char *const models[] = {"gpt",     "assistant", "model",
                                         "chatgpt", "bing",      NULL};
    static const char *const calls[] = {"function_call", "tool_call", NULL};
    static const char *const results[] = {"observation", "tool", "function",
                                          "tool_response", NULL};
    const tw_value *from = tw_value_member(turn, "from");
    const tw_value *value = tw_value_member(turn, "value");
    if (from == NULL || value == NULL || value->kind != TW_VALUE_STRING) {
        tw_recoder_refuse(state->recoder, turn,
                          "a turn without `from` and `value`");
    } else if (is_one_of(from, users)) {
        read_text(state, "user", value);
    } else if (is_one_of(from, models)) {
        read_text(state, "assistant", value);
    } else if (is_one_of(from, calls)) {
        read_calls(state, value);
    } else if (is_one_of(from, results)) {
        read_result(state, value);
    } else if (tw_value_is(from, "system")) {
        read_text(state, "system", value);
    } else {
        tw_recoder_refuse(state->recoder, from, "a turn of nobody known");
    }
}

static void read(tw_recoder *recoder, const tw_value *record)
{
    reading state = {recoder, true, 0, 0};
    const tw_value *turns = tw_value_member(record, "conversations");
    const tw_value *system = tw_value_member(record, "system");
    const tw_value *tools = tw_value_member(record, "tools");
    if (turns == NULL || turns->kind != TW_VALUE_ARRAY) {
        tw_recoder_refuse(recoder, record, "`conversations` is no list");
        return;
    }
    tw_jot(&recoder->jotter, "\"messages\":[");
    if (system != NULL && system->kind == TW_VALUE_STRING &&
        system->size > 0) {
        read_text(&state, "system", system);
    }
    for (const tw_value *at = turns->first; at != NULL; at = at->next) {
        read_turn(&state, at);
    }
    tw_jot(&recoder->jotter, "]");
    if (tools != NULL) {
        tw_jot_tools(recoder, tools);
    }
}

/* ---- writing ------------------------------------------------------------ */

static void begin_turn(tw_jotter *jotter, const char *from, bool *first)
{
    tw_jot(jotter, *first ? "{\"from\":\"" : ",{\"from\":\"");
    tw_jot(jotter, from);
    tw_jot(jotter, "\",\"value\":");
    *first = false;
}

static void write_text(tw_recoder *recoder, const char *from,
                       const tw_value *content, bool *first)
{
    begin_turn(&recoder->jotter, from, first);
    tw_jot_content(recoder, content);
    tw_jot(&recoder->jotter, "}");
}

/* {"name","arguments"} in the text of the turn; the arguments as they are
 * spelled. */
static void add_call(tw_jotter *text, const tw_call *call)
{
    tw_jot(text, "{\"name\": ");
    tw_jot_value(text, call->name);
    tw_jot(text, ", \"arguments\": ");
    if (call->arguments == NULL) {
        tw_jot(text, "{}");
    } else if (!text->failed &&
               !tw_value_dump(&text->out, text->memory, call->arguments,
                              &tw_dump_spaced)) {
        text->failed = true;
    }
    tw_jot(text, "}");
}

static void write_calls(tw_recoder *recoder,
                        const tw_conversation *conversation,
                        const tw_message *message, bool *first)
{
    tw_jotter text = {.memory = recoder->memory};
    const bool several = message->call_count > 1;
    begin_turn(&recoder->jotter, "function_call", first);
    tw_jot(&text, several ? "[" : "");
    for (size_t i = 0; i < message->call_count; i++) {
        const tw_call *call = tw_call_of(conversation, message, i);
        tw_jot(&text, i > 0 ? ", " : "");
        if (call->input != NULL) {
            tw_recoder_refuse(recoder, call->value,
                              "a call with free text has no place");
        } else {
            add_call(&text, call);
        }
        if (call->id != NULL && !tw_id_is_counted(call->id, i)) {
            tw_recoder_lose(recoder, TW_LOSS_CALL_ID, call->id,
                            "ids have no place");
        }
    }
    tw_jot(&text, several ? "]" : "");
    tw_jot_string(&recoder->jotter, (const char *)text.out.data,
                  text.out.size);
    tw_jot(&recoder->jotter, "}");
    recoder->jotter.failed |= text.failed;
    tw_buffer_free(&text.out, recoder->memory);
}

static void write_assistant(tw_recoder *recoder,
                            const tw_conversation *conversation,
                            const tw_message *message, bool *first)
{
    const tw_value *content = message->content;
    const bool some = content != NULL &&
                      (content->kind != TW_VALUE_STRING || content->size > 0);
    if (message->reasoning != NULL) {
        tw_recoder_lose(recoder, TW_LOSS_REASONING_DROPPED, message->reasoning,
                        "reasoning has no place");
    }
    if (some || message->call_count == 0) {
        write_text(recoder, "gpt", content, first);
    }
    if (some && message->call_count > 0) {
        tw_recoder_lose(recoder, TW_LOSS_CONTENT_MOVED, content,
                        "content beside calls becomes a turn of its own");
    }
    if (message->call_count > 0) {
        write_calls(recoder, conversation, message, first);
    }
}

static void write_message(tw_recoder *recoder,
                          const tw_conversation *conversation, size_t i,
                          bool *first)
{
    const tw_message *message = tw_message_at(conversation, i);
    switch (message->role) {
    case TW_ROLE_USER:
        write_text(recoder, "human", message->content, first);
        break;
    case TW_ROLE_ASSISTANT:
        write_assistant(recoder, conversation, message, first);
        break;
    case TW_ROLE_TOOL:
        write_text(recoder, "observation", message->content, first);
        break;
    case TW_ROLE_SYSTEM:
    case TW_ROLE_DEVELOPER:
        if (i > 0) {
            write_text(recoder, "system", message->content, first);
        }
        break;
    default:
        tw_recoder_refuse(recoder, message->role_name, "no such role");
        break;
    }
}

static void write(tw_recoder *recoder, const tw_conversation *conversation)
{
    tw_jotter *jotter = &recoder->jotter;
    const size_t count = tw_message_count(conversation);
    const tw_message *head = count > 0 ? tw_message_at(conversation, 0) : NULL;
    bool first = true;
    tw_jot(jotter, "\"conversations\":[");
    for (size_t i = 0; i < count; i++) {
        write_message(recoder, conversation, i, &first);
    }
    tw_jot(jotter, "]");
    if (head != NULL &&
        (head->role == TW_ROLE_SYSTEM || head->role == TW_ROLE_DEVELOPER)) {
        tw_jot_key(jotter, "system", false);
        tw_jot_content(recoder, head->content);
    }
    if (conversation->tools != NULL) {
        tw_jotter text = {.memory = recoder->memory};
        const tw_value *tool = conversation->tools->first;
        tw_jot(&text, "[");
        for (; tool != NULL; tool = tool->next) {
            if (!text.failed &&
                !tw_value_dump(&text.out, text.memory, tw_tool_function(tool),
                               &tw_dump_spaced)) {
                text.failed = true;
            }
            tw_jot(&text, tool->next != NULL ? ", " : "");
        }
        tw_jot(&text, "]");
        tw_jot_key(jotter, "tools", false);
        tw_jot_string(jotter, (const char *)text.out.data, text.out.size);
        jotter->failed |= text.failed;
        tw_buffer_free(&text.out, recoder->memory);
    }
}

const tw_record_shape tw_sharegpt_shape = {"sharegpt", "conversations",
                                           members, read, write};
