/* SPDX-License-Identifier: MIT
 *
 * Calls of a session without a name, or whose arguments are no JSON object:
 * each is left out with what answers it, and all else of the session is kept.
 */
#include "json/write.h"
#include "records/sessions/session.h"

/* Values of the recoder's own tree: what is used is left out. */
static tw_value *own(const tw_value *value)
{
    return (tw_value *)(uintptr_t)value;
}

static void leave_out_used(tw_value *holder)
{
    tw_value *at = holder->first;
    holder->first = holder->last = NULL;
    while (at != NULL) {
        tw_value *next = at->next;
        at->next = NULL;
        at->index = 0;
        if (!at->used) {
            tw_value_link(holder, at);
        }
        at = next;
    }
}

static bool is_readable(tw_recoder *recoder, const tw_value *arguments)
{
    const tw_value *inner =
        arguments != NULL ? tw_read_inner(recoder, arguments) : NULL;
    return arguments == NULL || arguments->decoded ||
           (inner != NULL &&
            (inner->kind == TW_VALUE_OBJECT || inner->kind == TW_VALUE_NULL ||
             tw_value_is(inner, "")));
}

/* Why nobody can run it; NULL: somebody can.  A value that no conversation
 * takes is made one that it does. */
static const char *why_left_out(tw_recoder *recoder, const tw_value *call)
{
    static const char no_text[TW_TEXT_PADDING];
    const tw_value *custom = tw_value_member(call, "custom");
    const tw_value *holder =
        custom != NULL ? custom : tw_value_member(call, "function");
    tw_value *arguments = own(tw_value_member(holder, "arguments"));
    tw_value *input = own(tw_value_member(custom, "input"));
    const char *why = tw_has_text(tw_value_member(holder, "name"))
                          ? NULL
                          : "It has no name.";
    if (!is_readable(recoder, arguments)) {
        arguments->kind = TW_VALUE_NULL;
        why = "Its arguments are no JSON object.";
    }
    if (input != NULL && input->kind != TW_VALUE_STRING) {
        input->kind = TW_VALUE_STRING;
        input->text = no_text;
        input->size = 0;
        why = "It has no input.";
    }
    return why;
}

static bool leave_out_calls(tw_recoder *recoder, tw_value *message)
{
    const tw_value *calls = tw_value_member(message, "tool_calls");
    bool some = false;
    for (const tw_value *at = calls != NULL ? calls->first : NULL; at != NULL;
         at = at->next) {
        const char *why = why_left_out(recoder, at);
        if (why != NULL) {
            tw_recoder_report_loss(recoder, TW_LOSS_CALL_DROPPED, at, why);
            own(at)->used = some = true;
        }
    }
    return some;
}

/* As long as the calls are there, results find theirs. */
static void leave_out_results(tw_recoder *recoder)
{
    tw_conversation whole;
    tw_conversation_init(&whole, recoder->memory);
    whole.takes_custom_tools = true;
    const size_t count =
        tw_conversation_take(&whole, recoder->request) == TW_OK
            ? tw_message_count(&whole)
            : 0; /* what is wrong is said later */
    recoder->json_out.failed |= whole.code == TW_ERROR_MEMORY;
    for (size_t i = 0; i < count; i++) {
        const tw_message *message = tw_message_at(&whole, i);
        const tw_call *call = message->role == TW_ROLE_TOOL
                                  ? tw_conversation_answered(&whole, i)
                                  : NULL;
        if (call != NULL && call->value->used) {
            tw_recoder_report_loss(recoder, TW_LOSS_MESSAGE_DROPPED,
                                   message->value,
                                   "It answers a call that is left out.");
            own(message->value)->used = true;
        }
    }
    tw_conversation_free(&whole);
}

static bool says_nothing(const tw_value *message)
{
    const tw_value *at = message->first;
    while (at != NULL &&
           (tw_value_has_key(at, "role") || tw_value_is_void(at))) {
        at = at->next;
    }
    return at == NULL;
}

/* Of a message that had nothing but such calls nothing is left. */
static void close_gaps(tw_value *message)
{
    tw_value *calls = own(tw_value_member(message, "tool_calls"));
    if (calls != NULL) {
        leave_out_used(calls);
        calls->used = calls->first == NULL;
        leave_out_used(message);
        message->used |= says_nothing(message);
    }
}

const tw_value *tw_session_leave_out_calls(tw_recoder *recoder,
                                           const tw_value *request)
{
    const bool due = request != NULL && recoder->messages != NULL;
    bool some = false;
    for (tw_value *at = due ? recoder->messages->first : NULL; at != NULL;
         at = at->next) {
        some |= leave_out_calls(recoder, at);
    }
    if (some) {
        leave_out_results(recoder);
        for (tw_value *at = recoder->messages->first; at != NULL;
             at = at->next) {
            close_gaps(at);
        }
        leave_out_used(recoder->messages);
    }
    return request;
}
