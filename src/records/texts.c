/* SPDX-License-Identifier: MIT
 *
 * Lists of a record that stand as JSON text, so that all rows of a table fit:
 *
 *     {"messages": "[{\"role\": \"user\", \"content\": \"Tide?\"}]"}
 *     {"messages": [...], "tools": ["{\"name\": \"tide\"}"]}
 */
#include "records/records.h"

const char *const tw_tools_names[] = {"tools", "tool_defs", "oai_tools",
                                      "available_tools", NULL};

const tw_value *tw_record_tools(const tw_value *record)
{
    const tw_value *own = tw_value_member(record, tw_tools_names[0]);
    for (const char *const *name = tw_tools_names + 1;
         *name != NULL && !tw_value_is_true(own); name++) {
        if (tw_has_list_of(record, *name, "name") ||
            tw_has_list_of(record, *name, "function")) {
            return tw_value_member(record, *name);
        }
    }
    return own;
}

/* Values of the record's own tree. */
static tw_value *own(const tw_value *value)
{
    return (tw_value *)(uintptr_t)value;
}

/* What the text means, if that is a container; else NULL. */
static const tw_value *meant(tw_recoder *recoder, const tw_value *text,
                             tw_value_kind kind)
{
    static const char opens[] = {
        [TW_VALUE_ARRAY] = '[', [TW_VALUE_OBJECT] = '{'};
    const tw_value *inner = tw_value_is_a(text, TW_VALUE_STRING) &&
                                    text->size > 0 &&
                                    text->text[0] == opens[kind]
                                ? tw_read_inner(recoder, text)
                                : NULL;
    return tw_value_is_a(inner, kind) && inner->first != NULL ? inner : NULL;
}

/* The text becomes what it means, where it stands. */
static void open_text(const tw_value *text, const tw_value *inner)
{
    tw_value *value = own(text);
    value->kind = inner->kind;
    value->first = inner->first;
    value->last = inner->last;
    value->marks = inner->marks;
    for (tw_value *at = value->first; at != NULL; at = at->next) {
        at->parent = value;
    }
}

static void open_messages(tw_recoder *recoder, const tw_value *text)
{
    const tw_value *list = meant(recoder, text, TW_VALUE_ARRAY);
    if (list != NULL && (tw_value_member(list->first, "role") != NULL ||
                         tw_value_member(list->first, "from") != NULL)) {
        open_text(text, list);
    }
}

static bool is_tool(const tw_value *value)
{
    return tw_value_member(value, "function") != NULL ||
           tw_value_member(value, "name") != NULL;
}

/* Texts of tools, or under a name that only logs have a text of all. */
static void open_tools(tw_recoder *recoder, const tw_value *tools, bool whole)
{
    const tw_value *list =
        whole ? meant(recoder, tools, TW_VALUE_ARRAY) : NULL;
    if (list != NULL && is_tool(list->first)) {
        open_text(tools, list);
    }
    for (const tw_value *at =
             tw_value_is_a(tools, TW_VALUE_ARRAY) ? tools->first : NULL;
         at != NULL; at = at->next) {
        const tw_value *tool = meant(recoder, at, TW_VALUE_OBJECT);
        if (is_tool(tool)) {
            open_text(at, tool);
        }
    }
}

/* mini-swe-agent notes behind its messages how it ended. */
static void cut_end(tw_recoder *recoder, const tw_value *messages)
{
    const tw_value *at = tw_value_is_a(messages, TW_VALUE_ARRAY) &&
                                 messages->first != messages->last
                             ? messages->first
                             : NULL;
    while (at != NULL && at->next != messages->last) {
        at = at->next;
    }
    if (at == NULL ||
        !tw_value_is(tw_value_member(at->next, "role"), "exit")) {
        return;
    }
    tw_recoder_report_loss(recoder, TW_LOSS_MESSAGE_DROPPED, at->next,
                           "The agent itself wrote it, and no model.");
    own(at)->next = NULL;
    own(messages)->last = own(at);
}

void tw_record_open_texts(tw_recoder *recoder)
{
    const tw_value *record = recoder->record;
    open_messages(recoder, tw_value_member(record, "messages"));
    open_messages(recoder, tw_value_member(record, "conversations"));
    if (tw_value_begins(tw_value_member(record, "trajectory_format"),
                        "mini-swe-agent")) {
        cut_end(recoder, tw_value_member(record, "messages"));
    }
    for (const char *const *name = tw_tools_names; *name != NULL; name++) {
        open_tools(recoder, tw_value_member(record, *name),
                   name != tw_tools_names);
    }
}
