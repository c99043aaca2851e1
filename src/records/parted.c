/* SPDX-License-Identifier: MIT
 *
 * OpenAI's messages with the parts that LLaMA-Factory's version 1 writes:
 * {"type","value"}, where reasoning and calls are parts, too, the tools are
 * JSON text, and results have no ids.
 */
#include <string.h>

#include "records/records.h"

static const char *const members[] = {"messages", "tools", NULL};

/* The value of a part of this type; NULL: it is another. */
static const tw_value *value_of(const tw_value *part, const char *type)
{
    const tw_value *value = tw_value_member(part, "value");
    return value != NULL && value->kind == TW_VALUE_STRING &&
                   tw_value_is(tw_value_member(part, "type"), type)
               ? value
               : NULL;
}

static const tw_value *parts_of(const tw_value *message)
{
    const tw_value *content = tw_value_member(message, "content");
    return content != NULL && content->kind == TW_VALUE_ARRAY ? content->first
                                                              : NULL;
}

static bool is_parted(const tw_value *message)
{
    const tw_value *part = parts_of(message);
    while (part != NULL && tw_value_member(part, "value") == NULL) {
        part = part->next;
    }
    return part != NULL;
}

bool tw_record_is_parted(const tw_value *record)
{
    const tw_value *messages = tw_record_messages(record);
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

/* ---- contents ----------------------------------------------------------- */

/* Is it a part of OpenAI's, or one that becomes such a part? */
static bool is_part(const tw_value *part)
{
    return value_of(part, "text") != NULL ||
           value_of(part, "image_url") != NULL ||
           tw_value_member(part, "value") == NULL;
}

static void read_part(tw_recoder *recoder, const tw_value *part)
{
    tw_json_out *json_out = &recoder->json_out;
    const tw_value *value = tw_value_member(part, "value");
    tw_origins_part(&recoder->origins, part);
    if (value == NULL) {
        tw_json_put_value(json_out, part);
    } else if (value_of(part, "text") != NULL) {
        tw_json_put(json_out, "{\"type\":\"text\",\"text\":");
        tw_json_put_value(json_out, value);
        tw_json_put(json_out, "}");
    } else {
        tw_json_put(json_out,
                    "{\"type\":\"image_url\",\"image_url\":{\"url\":");
        tw_json_put_value(json_out, value);
        tw_json_put(json_out, "}}");
    }
}

/* `,"content":`: one text is a string; |none| stands for nothing. */
static void read_content(tw_recoder *recoder, const tw_value *message,
                         const char *none)
{
    tw_json_out *json_out = &recoder->json_out;
    const tw_value *last = NULL;
    size_t count = 0;
    tw_json_put_key(json_out, "content", false);
    for (const tw_value *at = parts_of(message); at != NULL; at = at->next) {
        last = is_part(at) ? at : last;
        count += is_part(at);
    }
    if (count == 0) {
        tw_json_put(json_out, none);
    } else if (count == 1 && value_of(last, "text") != NULL) {
        tw_json_put_value(json_out, value_of(last, "text"));
    } else {
        tw_json_put(json_out, "[");
        for (const tw_value *at = parts_of(message); at != NULL;
             at = at->next) {
            if (is_part(at)) {
                read_part(recoder, at);
                tw_json_put(json_out, at != last ? "," : "");
            }
        }
        tw_json_put(json_out, "]");
    }
}

static void read_reasoning(tw_recoder *recoder, const tw_value *message)
{
    tw_joint all = {{0}, NULL, 0};
    for (const tw_value *at = parts_of(message); at != NULL; at = at->next) {
        const tw_value *reasoning = value_of(at, "reasoning");
        if (reasoning != NULL) {
            tw_joint_add(&all, recoder, reasoning);
        }
    }
    tw_json_put_reasoning(recoder, &all);
}

static size_t read_calls(tw_recoder *recoder, const tw_value *message)
{
    size_t count = 0;
    bool some = false;
    for (const tw_value *at = parts_of(message); at != NULL; at = at->next) {
        const tw_value *call = value_of(at, "tool_call");
        if (call != NULL) {
            tw_json_put(&recoder->json_out, some ? "" : ",\"tool_calls\":[");
            tw_json_put_calls_text(recoder, call, &count);
            some = true;
        }
    }
    tw_json_put(&recoder->json_out, some ? "]" : "");
    return count;
}

/* What a part has beside its type and value is lost, as is a part of another
 * type, and the order of reasoning, text and calls, which a message of OpenAI
 * has in this order. */
static void judge_parts(tw_recoder *recoder, const tw_value *message,
                        bool assistant)
{
    static const char *const known[] = {"type", "value", NULL};
    size_t last = 0;
    for (const tw_value *at = parts_of(message); at != NULL; at = at->next) {
        const size_t place = is_part(at)                         ? 1
                             : value_of(at, "reasoning") != NULL ? 0
                             : value_of(at, "tool_call") != NULL ? 2
                                                                 : 3;
        if (place == 3 || (!assistant && place != 1)) {
            tw_recoder_report_loss(recoder, TW_LOSS_PART_NOT_TEXT, at,
                                   "The target has no place for such a part.");
            continue;
        }
        if (place < last) {
            tw_recoder_report_loss(recoder, TW_LOSS_CONTENT_MOVED, at,
                                   "The order of the parts is lost.");
        }
        last = place > last ? place : last;
        if (tw_value_member(at, "value") != NULL) {
            tw_losses_add_members(&recoder->losses, at, known);
        }
    }
}

/* ---- messages ----------------------------------------------------------- */

/* All other members, but for those whose places parts have taken. */
static void read_others(tw_recoder *recoder, const tw_value *message,
                        bool reasoning, bool calls)
{
    static const char *const known[] = {"role", "content", NULL};
    for (const tw_value *at = message->first; at != NULL; at = at->next) {
        if (tw_value_is_named(at, known)) {
            continue;
        }
        if ((reasoning && tw_value_has_key(at, "reasoning_content")) ||
            (calls && (tw_value_has_key(at, "tool_calls") ||
                       tw_value_has_key(at, "function_call")))) {
            tw_losses_add_member(&recoder->losses, at, known);
        } else {
            tw_json_put_member(&recoder->json_out, at, false);
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
    tw_json_out *json_out = &recoder->json_out;
    const tw_value *role = tw_value_member(message, "role");
    const bool assistant = tw_value_is(role, "assistant");
    size_t calls = 0;
    if (role == NULL || !is_parted(message)) {
        tw_origins_whole(&recoder->origins, message);
        tw_json_put_value(json_out, message);
        return;
    }
    tw_origins_message(&recoder->origins, message);
    tw_json_put(json_out, "{\"role\":");
    tw_json_put_value(json_out, role);
    read_content(recoder, message, assistant ? "null" : "\"\"");
    const size_t before = json_out->out.size;
    if (assistant) {
        read_reasoning(recoder, message);
    }
    const bool reasoning = json_out->out.size > before;
    if (assistant) {
        calls = read_calls(recoder, message);
        turn->calls = calls;
        turn->results = 0;
    } else if (tw_value_is(role, "tool") &&
               tw_value_member(message, "tool_call_id") == NULL) {
        tw_json_put_result_id(recoder, message, turn->results++, turn->calls);
    }
    judge_parts(recoder, message, assistant);
    read_others(recoder, message, reasoning, calls > 0);
    tw_json_put(json_out, "}");
}

/* ---- records ------------------------------------------------------------ */

/* Members that stand beside messages and tools, for encoders and writers. */
static void read_settings(tw_recoder *recoder, const tw_value *record)
{
    static const char *const settings[] = {"add_generation_prompt",
                                           "chat_template_kwargs",
                                           "tool_choice",
                                           "parallel_tool_calls",
                                           "functions",
                                           "function_call"};
    for (size_t i = 0; i < sizeof settings / sizeof *settings; i++) {
        const tw_value *setting = tw_value_member(record, settings[i]);
        if (setting != NULL) {
            tw_json_put_member(&recoder->json_out, setting, false);
        }
    }
}

static void read(tw_recoder *recoder, const tw_value *record)
{
    const tw_value *messages = tw_record_messages(record);
    const tw_value *tools = tw_value_member(record, "tools");
    counts turn = {0, 0};
    tw_json_put(&recoder->json_out, "\"messages\":[");
    for (const tw_value *at = messages->first; at != NULL; at = at->next) {
        tw_json_put(&recoder->json_out, at != messages->first ? "," : "");
        read_message(recoder, at, &turn);
    }
    tw_json_put(&recoder->json_out, "]");
    if (tools != NULL) {
        tw_json_put_tools(recoder, tools);
    }
    read_settings(recoder, record);
}

const tw_record_shape tw_parted_shape = {NULL,  members, NULL,
                                         false, read,    NULL};
