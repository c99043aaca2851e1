/* SPDX-License-Identifier: MIT
 *
 * Trajectories of agents: OpenAI's messages under another name, null-padded,
 * or {"role","text"} with the role `ai`.
 */
#include "records/records.h"

static const char *const lists[] = {"trajectory", "traj", "history", NULL};

/* What a message says in a text kind: a system's is beside. */
static const tw_value *text_of(const tw_value *message)
{
    const tw_value *text = tw_value_member(message, "text");
    const tw_value *prompt = tw_value_member(message, "system_prompt");
    return tw_has_text(text) || !tw_has_text(prompt) ? text : prompt;
}

/* SWE-agent has a list of the calls that a result answers. */
static void read_result(tw_recoder *recoder, const tw_value *message,
                        const tw_value *id)
{
    tw_value *made = tw_read_part(recoder, recoder->messages, NULL,
                                  TW_VALUE_OBJECT, message);
    for (const tw_value *at = message->first; at != NULL; at = at->next) {
        const bool list = at == id->parent;
        tw_read_member(recoder, made, list ? "tool_call_id" : NULL,
                       list ? id : at);
    }
}

/* The one call that a result names in such a list; NULL: there is none. */
static const tw_value *answered(const tw_value *message)
{
    const tw_value *list = tw_value_member(message, "tool_call_ids");
    const tw_value *only =
        tw_value_is_a(list, TW_VALUE_ARRAY) && list->first == list->last
            ? list->first
            : NULL;
    return tw_has_text(only) &&
                   tw_value_is(tw_value_member(message, "role"), "tool") &&
                   tw_value_member(message, "tool_call_id") == NULL
               ? only
               : NULL;
}

static void read_message(tw_recoder *recoder, const tw_value *message)
{
    static const char *const known[] = {"role", "\"text", NULL};
    const tw_value *role = tw_value_member(message, "role");
    const tw_value *text = text_of(message);
    if (answered(message) != NULL) {
        read_result(recoder, message, answered(message));
        return;
    }
    if (text == NULL || tw_value_member(message, "content") != NULL) {
        tw_read_member(recoder, recoder->messages, NULL, message);
        return;
    }
    tw_value *made = tw_read_part(recoder, recoder->messages, NULL,
                                  TW_VALUE_OBJECT, message);
    if (tw_value_is(role, "ai")) {
        tw_make_word(&recoder->made, made, "role", "assistant");
    } else if (role != NULL) {
        tw_read_member(recoder, made, "role", role);
    }
    tw_read_member(recoder, made, "content", text);
    for (const tw_value *at = message->first; at != NULL; at = at->next) {
        if (at != text && !tw_losses_is_known(at, known) &&
            at->kind != TW_VALUE_NULL) {
            tw_read_member(recoder, made, NULL, at);
        }
    }
}

/* The first list with roles: SWE-agent has steps under `trajectory`, and the
 * messages under `history`.  NULL: there is none. */
static const char *list_of(const tw_value *record)
{
    const char *const *name = lists;
    while (*name != NULL && !tw_has_list_of(record, *name, "role")) {
        name++;
    }
    return *name;
}

static const char *first_of(const tw_value *record)
{
    const char *const *name = lists;
    while (*name != NULL && tw_value_member(record, *name) == NULL) {
        name++;
    }
    return *name;
}

static const tw_value *read(tw_recoder *recoder, const tw_value *record)
{
    const char *found = list_of(record);
    const char *name = found != NULL ? found : first_of(record);
    const tw_value *list = name != NULL ? tw_use_member(record, name) : NULL;
    if (!tw_value_is_a(list, TW_VALUE_ARRAY)) {
        tw_recoder_refuse(recoder, list != NULL ? list : record,
                          "`trajectory` is missing or is not a list");
        return NULL;
    }
    tw_read_begin(recoder, record);
    for (const tw_value *at = list->first; at != NULL; at = at->next) {
        read_message(recoder, at);
    }
    const tw_value *tools = tw_use_member(record, "tools");
    if (tools != NULL) {
        tw_read_tools(recoder, tools);
    }
    return recoder->request;
}

static void write(tw_recoder *recoder, const tw_conversation *conversation)
{
    tw_openai_put_messages(recoder, conversation, "trajectory", 0,
                           tw_message_count(conversation));
    tw_openai_put_tools(&recoder->json_out, conversation);
}

static const char *const members[] = {"trajectory", "tools", NULL};

static tw_fit fits(const tw_value *record)
{
    return tw_fit_well(list_of(record) != NULL);
}

const tw_record_shape tw_trajectory_shape = {
    .name = "trajectory",
    .about = "{\"trajectory\"}, \"traj\" or \"history\": messages of agents",
    .members = members,
    .takes_parts = true,
    .has_arguments = true,
    .fits = fits,
    .read = read,
    .write = write,
};
