/* SPDX-License-Identifier: MIT
 *
 * Files with a message in each line, in the words of any shape of messages, or
 * a list of them: Kimi CLI's contexts, Cline's histories, Copilot CLI's
 * events.
 *
 *     {"role":"user","content":"Tide?"}
 *     {"role":"_checkpoint","id":0}
 *     {"type":"assistant.message","data":{"content":"4 m."}}
 */
#include "records/apis/anthropic_halves.h"
#include "records/apis/parts_halves.h"
#include "records/sessions/session.h"
#include "records/shapes.h"

/* A response of Anthropic's is a record, and has a role. */
static bool is_line(const tw_value *line)
{
    const bool says = tw_value_member(line, "content") != NULL ||
                      tw_value_member(line, "tool_calls") != NULL ||
                      tw_value_member(line, "parts") != NULL;
    return tw_said_is_event(line) ||
           (says && tw_has_text(tw_value_member(line, "role")) &&
            tw_value_member(line, "messages") == NULL &&
            !tw_value_is(tw_value_member(line, "type"), "message"));
}

static void read_line(tw_recoder *recoder, tw_value *messages,
                      const tw_value *line)
{
    static const char *const roles[] = {
        "system", "developer", "user", "assistant", "tool", "function", NULL};
    const tw_value *role = tw_value_member(line, "role");
    const tw_value *data = tw_value_member(line, "data");
    tw_said_turn turn;
    if (line->kind != TW_VALUE_OBJECT) {
        tw_recoder_report_loss(recoder, TW_LOSS_MESSAGE_DROPPED, line,
                               "The line is cut off, or no JSON.");
    } else if (tw_has_text(tw_value_member(data, "parentToolCallId")) ||
               tw_has_text(tw_value_member(line, "agentId"))) {
        tw_recoder_report_loss(recoder, TW_LOSS_MESSAGE_DROPPED, line,
                               "It is of another agent's conversation.");
    } else if (tw_value_is(role, "_system_prompt")) {
        tw_value *made =
            tw_make(&recoder->texts, messages, NULL, TW_VALUE_OBJECT);
        static const char *const others[] = {"role", NULL};
        tw_make_word(&recoder->texts, made, "role", roles[0]);
        tw_make_others(&recoder->texts, made, line, others);
    } else if (tw_value_begins(role, "_")) {
        tw_recoder_lose_once(recoder, line, role->text, role->size);
    } else if ((role != NULL && tw_value_is_one_of(role, roles)) ||
               tw_said_turn_find(&turn, line)) {
        tw_make_copy(&recoder->texts, messages, NULL, line);
    } else if (role == NULL && (tw_value_member(line, "type") != NULL ||
                                tw_value_member(line, "kind") != NULL)) {
        tw_said_turn_lose_event(recoder, line);
    } else {
        tw_recoder_report_loss(recoder, TW_LOSS_MESSAGE_DROPPED, line,
                               "No conversation has a line of this role.");
    }
}

const tw_value *tw_session_read_messages(tw_recoder *recoder,
                                         const tw_value *record,
                                         const tw_value *made)
{
    const tw_value *messages = tw_value_member(made, "messages");
    if (messages == NULL || recoder->texts.error == TW_ERROR_MEMORY) {
        recoder->json_out.failed = true;
        return NULL;
    }
    if (tw_anthropic_shape.fits(made) == TW_FIT_WELL) {
        return tw_session_leave_out_calls(recoder,
                                          tw_anthropic_read(recoder, made));
    }
    tw_read_begin(recoder, record);
    if (recoder->from == &tw_messages_shape &&
        tw_parts_shape.fits(made) == TW_FIT_NONE) {
        tw_openai_read_into(recoder, made);
    } else {
        tw_parts_read_messages(recoder, messages);
    }
    return tw_session_leave_out_calls(recoder, recoder->request);
}

static tw_fit fits(const tw_value *record)
{
    return tw_session_fit(record, is_line);
}

static const tw_value *read(tw_recoder *recoder, const tw_value *record)
{
    const tw_value *lines = tw_use_member(record, "lines");
    tw_value *made = tw_make(&recoder->texts, NULL, NULL, TW_VALUE_OBJECT);
    tw_value *messages =
        tw_make(&recoder->texts, made, "messages", TW_VALUE_ARRAY);
    if (fits(record) == TW_FIT_NONE) {
        tw_recoder_refuse(recoder, record, "no line is a message");
        return NULL;
    }
    for (const tw_value *at = lines->first; at != NULL; at = at->next) {
        read_line(recoder, messages, at);
    }
    return tw_session_read_messages(recoder, record, made);
}

const tw_record_shape tw_messages_shape = {
    .name = "messages",
    .about = "read only: a file of messages: Kimi CLI, Cline, Copilot CLI",
    .gathers = true,
    .is_line = is_line,
    .fits = fits,
    .read = read,
};
