/* SPDX-License-Identifier: MIT
 *
 * OpenAI's messages with the parts that LLaMA-Factory's version 1 writes:
 * {"type","value"}, where reasoning and calls are parts, too, the tools are
 * JSON text, and results have no ids.
 */
#include <string.h>

#include "records/records.h"

/* The value of a part of this type; NULL: it is another. */
static const tw_value *value_of(const tw_value *part, const char *type)
{
    const tw_value *value = tw_value_member(part, "value");
    return tw_value_is_a(value, TW_VALUE_STRING) &&
                   tw_value_is(tw_value_member(part, "type"), type)
               ? value
               : NULL;
}

static const tw_value *parts_of(const tw_value *message)
{
    const tw_value *content = tw_value_member(message, "content");
    return tw_value_is_a(content, TW_VALUE_ARRAY) ? content->first : NULL;
}

static bool has_parts(const tw_value *message)
{
    const tw_value *part = parts_of(message);
    while (part != NULL && tw_value_member(part, "value") == NULL) {
        part = part->next;
    }
    return part != NULL;
}

bool tw_record_is_llamafactory(const tw_value *record)
{
    const tw_value *messages = tw_record_messages(record);
    const tw_value *tools = tw_record_tools(record);
    if (!tw_value_is_a(messages, TW_VALUE_ARRAY)) {
        return false;
    }
    if (tw_value_is_a(tools, TW_VALUE_STRING) ||
        tools != tw_value_member(record, tw_tools_names[0])) {
        return true;
    }
    for (const tw_value *at = messages->first; at != NULL; at = at->next) {
        if (has_parts(at)) {
            return true;
        }
    }
    return false;
}

/* ---- contents ----------------------------------------------------------- */

/* Is the part one of OpenAI's, or one that becomes such a part? */
static bool is_part(const tw_value *part)
{
    return value_of(part, "text") != NULL ||
           value_of(part, "image_url") != NULL ||
           tw_value_member(part, "value") == NULL;
}

static void read_content(tw_recoder *recoder, tw_value *made,
                         const tw_value *message, bool assistant)
{
    tw_value *content = tw_read_part(recoder, made, "content", TW_VALUE_ARRAY,
                                     tw_value_member(message, "content"));
    for (const tw_value *at = parts_of(message); at != NULL; at = at->next) {
        const tw_value *text = value_of(at, "text");
        const tw_value *url = value_of(at, "image_url");
        if (text != NULL) {
            tw_read_text_part(recoder, content, at, text);
        } else if (url != NULL) {
            tw_read_member(recoder, tw_read_image_part(recoder, content, at),
                           "url", url);
        } else if (is_part(at)) {
            tw_read_member(recoder, content, NULL, at);
        }
    }
    tw_read_end_content(content, assistant);
}

static bool read_reasoning(tw_recoder *recoder, tw_value *made,
                           const tw_value *message)
{
    tw_joint all = {{0}, 0, NULL, 0};
    for (const tw_value *at = parts_of(message); at != NULL; at = at->next) {
        const tw_value *reasoning = value_of(at, "reasoning");
        if (reasoning != NULL) {
            tw_joint_add(&all, recoder, reasoning);
        }
    }
    tw_read_reasoning(recoder, made, &all);
    return all.count > 0;
}

static bool read_calls(tw_recoder *recoder, tw_value *made,
                       const tw_value *message)
{
    bool some = false;
    for (const tw_value *at = parts_of(message); at != NULL; at = at->next) {
        const tw_value *call = value_of(at, "tool_call");
        if (call != NULL) {
            tw_read_calls_text(recoder, made, call);
            some = true;
        }
    }
    return some;
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
static void read_others(tw_recoder *recoder, tw_value *made,
                        const tw_value *message, bool reasoning, bool calls)
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
            tw_read_member(recoder, made, NULL, at);
        }
    }
}

static void read_message(tw_recoder *recoder, const tw_value *message)
{
    const tw_value *role = tw_value_member(message, "role");
    const bool assistant = tw_value_is(role, "assistant");
    if (role == NULL || !has_parts(message)) {
        tw_read_member(recoder, recoder->messages, NULL, message);
        return;
    }
    tw_value *made = tw_read_part(recoder, recoder->messages, NULL,
                                  TW_VALUE_OBJECT, message);
    tw_read_member(recoder, made, "role", role);
    read_content(recoder, made, message, assistant);
    const bool reasoning = assistant && read_reasoning(recoder, made, message);
    const bool calls = assistant && read_calls(recoder, made, message);
    judge_parts(recoder, message, assistant);
    read_others(recoder, made, message, reasoning, calls);
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
                                           "function_call",
                                           NULL};
    for (const tw_value *at = record->first; at != NULL; at = at->next) {
        if (tw_value_is_named(at, settings)) {
            tw_read_member(recoder, recoder->request, NULL, at);
        }
    }
}

const tw_value *tw_llamafactory_read(tw_recoder *recoder,
                                     const tw_value *record)
{
    const tw_value *messages = tw_record_messages(record);
    const tw_value *tools = tw_record_tools(record);
    tw_read_begin(recoder, record);
    for (const tw_value *at = messages->first; at != NULL; at = at->next) {
        read_message(recoder, at);
    }
    if (tools != NULL) {
        tw_use(tools);
        tw_read_tools(recoder, tools);
    }
    read_settings(recoder, record);
    return recoder->request;
}
