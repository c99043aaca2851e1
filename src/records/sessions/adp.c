/* SPDX-License-Identifier: MIT
 *
 * The Agent Data Protocol: a list of actions and observations.
 *
 *     {"id":"t1","content":[{"class_":"text_observation","content":"Tide?",
 *      "source":"user"},{"class_":"api_action","function":"tide","kwargs":
 *      {"at":"Brest"},"description":"Let me see.","tool_call_id":"c1"},...]}
 *
 * An observation names the action that it is of by this id; versions before
 * 1.2 have none, and the order tells.
 */
#include "records/shapes.h"

static bool is_class(const tw_value *part, const char *name)
{
    return tw_value_is(tw_value_member(part, "class_"), name);
}

/* ---- reading ------------------------------------------------------------ */

typedef struct adp_reading {
    tw_recoder *recoder;
    tw_value *turn; /* of the calls that stand behind each other, or NULL */
    size_t open;    /* calls wait for their observations */
} adp_reading;

/* The id that an action and its observation have, or NULL. */
static const tw_value *id_of(const tw_value *part)
{
    const tw_value *id = tw_value_member(part, "tool_call_id");
    return id != NULL && !tw_value_is_void(id) ? id : NULL;
}

static const tw_value *text_of(const tw_value *part, const char *key)
{
    const tw_value *text = tw_value_member(part, key);
    return tw_has_text(text) ? text : NULL;
}

/* What the agent thought, and, of what is said, why. */
static void read_reasoning(tw_recoder *recoder, tw_value *message,
                           const tw_value *action, const tw_value *why)
{
    const tw_value *thought = text_of(action, "reasoning_content");
    tw_joint all = {{0}, 0, NULL, 0};
    if (thought != NULL) {
        tw_joint_add(&all, recoder, thought);
    }
    if (why != NULL) {
        tw_joint_add(&all, recoder, why);
    }
    tw_read_reasoning(recoder, message, &all);
}

/* The message of an action: calls behind each other are of one, if the later
 * ones have no thought of their own. */
static tw_value *turn_of(adp_reading *state, const tw_value *action)
{
    const tw_value *said = text_of(action, "description");
    if (state->turn == NULL || said != NULL ||
        text_of(action, "reasoning_content") != NULL) {
        state->turn = tw_read_message(state->recoder, "assistant", action);
        state->open = 0;
        if (said != NULL) {
            tw_read_member(state->recoder, state->turn, "content", said);
        }
        read_reasoning(state->recoder, state->turn, action, NULL);
    }
    state->open++;
    return state->turn;
}

static void read_said(adp_reading *state, const tw_value *action)
{
    static const char *const known[] = {"class_", "content", "\"description",
                                        "\"reasoning_content", NULL};
    tw_recoder *recoder = state->recoder;
    const tw_value *content = tw_value_member(action, "content");
    tw_value *message = tw_read_message(recoder, "assistant", action);
    if (content != NULL) {
        tw_read_member(recoder, message, "content", content);
    }
    read_reasoning(recoder, message, action, text_of(action, "description"));
    tw_losses_add_members(&recoder->losses, action, known);
    state->turn = NULL;
    state->open = 0;
}

static void read_api(adp_reading *state, const tw_value *action)
{
    static const char *const known[] = {"class_",
                                        "function",
                                        "kwargs",
                                        "\"description",
                                        "\"reasoning_content",
                                        "tool_call_id",
                                        NULL};
    tw_recoder *recoder = state->recoder;
    const tw_value *name = tw_value_member(action, "function");
    if (!tw_value_is_a(name, TW_VALUE_STRING)) {
        tw_recoder_refuse(recoder, action, "the action has no function");
        return;
    }
    tw_read_call(recoder, turn_of(state, action), action, id_of(action), name,
                 tw_value_member(action, "kwargs"));
    tw_losses_add_members(&recoder->losses, action, known);
}

/* Code is a call of the tool that its language is. */
static void read_code(adp_reading *state, const tw_value *action)
{
    static const char *const known[] = {"class_",
                                        "language",
                                        "content",
                                        "\"description",
                                        "\"reasoning_content",
                                        "tool_call_id",
                                        NULL};
    tw_recoder *recoder = state->recoder;
    const tw_value *language = tw_value_member(action, "language");
    const tw_value *code = tw_value_member(action, "content");
    tw_value *arguments =
        tw_make(&recoder->texts, NULL, NULL, TW_VALUE_OBJECT);
    if (!tw_has_text(language) || !tw_value_is_a(code, TW_VALUE_STRING)) {
        tw_recoder_refuse(recoder, action,
                          "the action has no language or no content");
        return;
    }
    tw_make_copy(&recoder->texts, arguments, "code", code);
    tw_read_call(recoder, turn_of(state, action), action, id_of(action),
                 language, arguments);
    tw_recoder_report_loss(recoder, TW_LOSS_CALL_FORM,
                           tw_value_member(action, "class_"),
                           "The code is an argument `code` of a tool that has "
                           "the name of its language.");
    tw_losses_add_members(&recoder->losses, action, known);
}

/* A result is the environment's; all else a user or the system says. */
static void judge_source(tw_recoder *recoder, const tw_value *source,
                         bool answers)
{
    const bool seen = tw_value_is(source, "environment");
    const bool said =
        tw_value_is(source, "user") || tw_value_is(source, "system");
    if (source != NULL && (answers ? !seen : !said)) {
        tw_recoder_report_loss(recoder, TW_LOSS_ROLE_CHANGED, source,
                               seen ? "It answers no call: a user says it."
                                    : NULL);
    }
}

static void read_seen(adp_reading *state, const tw_value *observation)
{
    static const char *const known[] = {"class_", "content", "source",
                                        "tool_call_id", NULL};
    tw_recoder *recoder = state->recoder;
    const tw_value *source = tw_value_member(observation, "source");
    const tw_value *content = tw_value_member(observation, "content");
    const tw_value *id = id_of(observation);
    const bool system = tw_value_is(source, "system");
    const bool answers = id != NULL || (state->open > 0 && !system &&
                                        !tw_value_is(source, "user"));
    tw_value *message = tw_read_message(recoder,
                                        answers  ? "tool"
                                        : system ? "system"
                                                 : "user",
                                        observation);
    if (id != NULL) {
        tw_read_member(recoder, message, "tool_call_id", id);
    }
    if (content != NULL) {
        tw_read_member(recoder, message, "content", content);
    }
    judge_source(recoder, source, answers);
    tw_losses_add_members(&recoder->losses, observation, known);
    state->turn = NULL;
    state->open = answers && state->open > 0 ? state->open - 1 : 0;
}

static void read_part(adp_reading *state, const tw_value *part)
{
    if (is_class(part, "message_action")) {
        read_said(state, part);
    } else if (is_class(part, "api_action")) {
        read_api(state, part);
    } else if (is_class(part, "code_action")) {
        read_code(state, part);
    } else if (is_class(part, "text_observation")) {
        read_seen(state, part);
    } else {
        tw_recoder_report_loss(state->recoder, TW_LOSS_MESSAGE_DROPPED, part,
                               "No conversation has a part of this class.");
    }
}

static const tw_value *read(tw_recoder *recoder, const tw_value *record)
{
    const tw_value *content = tw_use_member(record, "content");
    adp_reading state = {recoder, NULL, 0};
    if (!tw_value_is_a(content, TW_VALUE_ARRAY)) {
        tw_recoder_refuse(recoder, record,
                          "`content` is missing or is not a list");
        return NULL;
    }
    tw_read_begin(recoder, record);
    for (const tw_value *at = content->first; at != NULL; at = at->next) {
        read_part(&state, at);
    }
    return recoder->request;
}

/* ---- writing ------------------------------------------------------------ */

typedef struct adp_writer {
    tw_recoder *recoder;
    const tw_conversation *conversation;
    size_t parts;
} adp_writer;

static void begin_part(adp_writer *out, const char *name)
{
    tw_json_out *json_out = &out->recoder->json_out;
    tw_json_put(json_out,
                out->parts++ > 0 ? ",{\"class_\":\"" : "{\"class_\":\"");
    tw_json_put(json_out, name);
    tw_json_put(json_out, "\"");
}

static void put_text(adp_writer *out, const char *key, const tw_value *content)
{
    tw_json_put_key(&out->recoder->json_out, key, false);
    tw_json_put_content(out->recoder, content);
}

static void put_id(adp_writer *out, const tw_value *id)
{
    if (id != NULL) {
        tw_json_put_key(&out->recoder->json_out, "tool_call_id", false);
        tw_json_put_value(&out->recoder->json_out, id);
    }
}

static void put_seen(adp_writer *out, const tw_message *message,
                     const char *source, const tw_value *id)
{
    begin_part(out, "text_observation");
    put_text(out, "content", message->content);
    tw_json_put(&out->recoder->json_out, ",\"source\":\"");
    tw_json_put(&out->recoder->json_out, source);
    tw_json_put(&out->recoder->json_out, "\"");
    put_id(out, id);
    tw_json_put(&out->recoder->json_out, "}");
}

/* Without ids the order tells. */
static void put_result(adp_writer *out, size_t i, tw_open_calls *calls)
{
    const tw_message *message = tw_message_at(out->conversation, i);
    if (out->recoder->has_ids) {
        put_seen(out, message, "environment",
                 tw_pairs_result_id(&out->recoder->pairs, i));
        return;
    }
    put_seen(out, message, "environment", NULL);
    tw_report_next_result(out->recoder, out->conversation, i, calls);
}

/* The text beside calls, and why they are made, stand in the first. */
static void put_beside(adp_writer *out, const tw_message *message)
{
    const tw_value *content = message->content;
    if (tw_has_text(content)) {
        put_text(out, "description", content);
    } else if (content != NULL && content->kind != TW_VALUE_STRING &&
               !tw_value_is_void(content)) {
        tw_recoder_report_loss(out->recoder, TW_LOSS_CONTENT_NOT_TEXT, content,
                               NULL);
    }
}

static void put_call(adp_writer *out, const tw_message *message, size_t i)
{
    tw_recoder *recoder = out->recoder;
    tw_json_out *json_out = &recoder->json_out;
    const tw_call *call = tw_call_of(out->conversation, message, i);
    if (call->input != NULL) {
        tw_recoder_refuse(recoder, call->value,
                          "the shape has no place for a custom call");
    }
    begin_part(out, "api_action");
    tw_json_put(json_out, ",\"function\":");
    tw_json_put_value(json_out, call->name);
    tw_json_put(json_out, ",\"kwargs\":");
    tw_recoder_put_arguments(recoder, call);
    if (i == 0) {
        put_beside(out, message);
    }
    if (recoder->has_ids) {
        put_id(out,
               tw_pairs_call_id(&recoder->pairs, message->first_call + i));
    }
}

static void put_answer(adp_writer *out, const tw_message *message)
{
    size_t i = 0;
    do {
        if (message->call_count > 0) {
            put_call(out, message, i);
        } else {
            begin_part(out, "message_action");
            put_text(out, "content", message->content);
        }
        if (i == 0 && message->reasoning != NULL) {
            put_text(out, "reasoning_content", message->reasoning);
        }
        tw_json_put(&out->recoder->json_out, "}");
    } while (++i < message->call_count);
}

static void write(tw_recoder *recoder, const tw_conversation *conversation)
{
    static const char *const none[] = {NULL};
    adp_writer out = {recoder, conversation, 0};
    tw_open_calls calls = {0, 0};
    recoder->has_ids = tw_has_call_ids(conversation);
    tw_json_put(&recoder->json_out, "\"content\":[");
    for (size_t i = 0; i < tw_message_count(conversation); i++) {
        const tw_message *message = tw_message_at(conversation, i);
        tw_open_calls_of(message, &calls);
        switch (message->role) {
        case TW_ROLE_USER: put_seen(&out, message, "user", NULL); break;
        case TW_ROLE_DEVELOPER:
        case TW_ROLE_SYSTEM:
            put_seen(&out, message, "system", NULL);
            tw_report_lost_developer(recoder, message);
            break;
        case TW_ROLE_TOOL: put_result(&out, i, &calls); break;
        case TW_ROLE_ASSISTANT: put_answer(&out, message); break;
        default:
            tw_recoder_refuse(recoder, message->value,
                              "the shape has no place for this role");
        }
    }
    tw_json_put(&recoder->json_out, "]");
    tw_report_lost_tools(recoder, conversation);
    tw_report_unread(recoder, conversation, none);
}

static const char *const members[] = {"content", NULL};

static tw_fit fits(const tw_value *record)
{
    return tw_fit_well(tw_has_list_of(record, "content", "class_"));
}

const tw_record_shape tw_adp_shape = {
    .name = "adp",
    .about = "{\"content\"} of actions and observations, ADP",
    .members = members,
    .fits = fits,
    .read = read,
    .write = write,
};
