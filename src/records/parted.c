/* SPDX-License-Identifier: MIT
 *
 * OpenAI's messages with the parts that LLaMA-Factory's version 1 writes:
 * {"type","value"}, where reasoning and calls are parts, too, the tools are
 * JSON text, and results have no ids.
 */
#include <string.h>

#include "records/records.h"

static const char *const members[] = {"messages", "tools", NULL};

static const tw_value *parts_of(const tw_value *message)
{
    const tw_value *content = tw_value_member(message, "content");
    return content != NULL && content->kind == TW_VALUE_ARRAY ? content->first
                                                              : NULL;
}

/* The text of a part of this type; NULL: it is another. */
static const tw_value *value_of(const tw_value *part, const char *type)
{
    const tw_value *value = tw_value_member(part, "value");
    return value != NULL && value->kind == TW_VALUE_STRING &&
                   tw_value_is(tw_value_member(part, "type"), type)
               ? value
               : NULL;
}

static bool is_parted(const tw_value *message)
{
    const tw_value *part = parts_of(message);
    return part != NULL && tw_value_member(part, "value") != NULL;
}

bool tw_record_is_parted(const tw_value *record)
{
    const tw_value *messages = tw_value_member(record, "messages");
    const tw_value *tools = tw_value_member(record, "tools");
    if (messages == NULL || messages->kind != TW_VALUE_ARRAY) {
        return false;
    }
    if (tools != NULL && tools->kind == TW_VALUE_STRING) {
        return true;
    }
    for (const tw_value *at = messages->first; at != NULL; at = at->next) {
        if (is_parted(at)) {
            return true;
        }
    }
    return false;
}

/* `"key":` and all texts of a type, one behind the other; if there are none,
 * |otherwise|, or nothing at all (NULL). */
static void read_texts(tw_recoder *recoder, const char *key,
                       const tw_value *message, const char *type,
                       const char *otherwise)
{
    tw_jotter *jotter = &recoder->jotter;
    tw_buffer text = {0};
    bool some = false;
    for (const tw_value *at = parts_of(message); at != NULL; at = at->next) {
        const tw_value *value = value_of(at, type);
        some = some || value != NULL;
        if (value != NULL && !tw_buffer_append(&text, recoder->memory,
                                               value->text, value->size)) {
            jotter->failed = true;
        }
    }
    if (some || otherwise != NULL) {
        tw_jot_key(jotter, key, false);
    }
    if (some) {
        tw_jot_halves(jotter, (const char *)text.data, text.size);
    } else if (otherwise != NULL) {
        tw_jot(jotter, otherwise);
    }
    tw_buffer_free(&text, recoder->memory);
}

static size_t read_calls(tw_recoder *recoder, const tw_value *message)
{
    size_t count = 0;
    bool some = false;
    for (const tw_value *at = parts_of(message); at != NULL; at = at->next) {
        const tw_value *call = value_of(at, "tool_call");
        if (call != NULL) {
            tw_jot(&recoder->jotter, some ? "" : ",\"tool_calls\":[");
            tw_jot_calls_text(recoder, call, &count);
            some = true;
        }
    }
    tw_jot(&recoder->jotter, some ? "]" : "");
    return count;
}

/* Which of them a message of OpenAI has, and in which order: reasoning, text,
 * calls. */
static void judge_parts(tw_recoder *recoder, const tw_value *message,
                        bool assistant)
{
    static const char *const types[] = {"reasoning", "text", "tool_call"};
    size_t last = 0;
    for (const tw_value *at = parts_of(message); at != NULL; at = at->next) {
        size_t type = 0;
        while (type < 3 && value_of(at, types[type]) == NULL) {
            type++;
        }
        if (type == 3 || (!assistant && type != 1)) {
            tw_recoder_lose(recoder, TW_LOSS_PART_NOT_TEXT, at,
                            "a part of another type");
        } else if (type < last) {
            tw_recoder_lose(recoder, TW_LOSS_CONTENT_MOVED, at,
                            "the order of the parts");
        } else {
            last = type;
        }
    }
}

static void read_others(tw_recoder *recoder, const tw_value *message)
{
    for (const tw_value *at = message->first; at != NULL; at = at->next) {
        if (at != tw_value_member(message, "role") &&
            at != tw_value_member(message, "content")) {
            tw_jot_member(&recoder->jotter, at, false);
        }
    }
}

/* The results behind a turn with calls are in their order. */
typedef struct counts {
    size_t calls;
    size_t results;
} counts;

static void read_message(tw_recoder *recoder, const tw_value *message,
                         counts *turn)
{
    tw_jotter *jotter = &recoder->jotter;
    const tw_value *role = tw_value_member(message, "role");
    const bool assistant = tw_value_is(role, "assistant");
    if (role == NULL || !is_parted(message)) {
        tw_jot_value(jotter, message);
        return;
    }
    tw_jot(jotter, "{\"role\":");
    tw_jot_value(jotter, role);
    read_texts(recoder, "content", message, "text",
               assistant ? "null" : "\"\"");
    if (assistant) {
        read_texts(recoder, "reasoning_content", message, "reasoning", NULL);
        turn->calls = read_calls(recoder, message);
        turn->results = 0;
    } else if (tw_value_is(role, "tool") &&
               tw_value_member(message, "tool_call_id") == NULL) {
        tw_jot_key(jotter, "tool_call_id", false);
        tw_jot_result_id(jotter, turn->results++, turn->calls);
    }
    judge_parts(recoder, message, assistant);
    read_others(recoder, message);
    tw_jot(jotter, "}");
}

static void read(tw_recoder *recoder, const tw_value *record)
{
    static const char *const settings[] = {"add_generation_prompt",
                                           "chat_template_kwargs"};
    const tw_value *messages = tw_value_member(record, "messages");
    const tw_value *tools = tw_value_member(record, "tools");
    counts turn = {0, 0};
    tw_jot(&recoder->jotter, "\"messages\":[");
    for (const tw_value *at = messages->first; at != NULL; at = at->next) {
        tw_jot(&recoder->jotter, at != messages->first ? "," : "");
        read_message(recoder, at, &turn);
    }
    tw_jot(&recoder->jotter, "]");
    if (tools != NULL) {
        tw_jot_tools(recoder, tools);
    }
    for (size_t i = 0; i < sizeof settings / sizeof *settings; i++) {
        const tw_value *setting = tw_value_member(record, settings[i]);
        if (setting != NULL) {
            tw_jot_member(&recoder->jotter, setting, false);
        }
    }
}

const tw_record_shape tw_parted_shape = {NULL, "messages", members, read,
                                         NULL};
