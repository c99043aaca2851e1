/* SPDX-License-Identifier: MIT
 *
 * Sessions of Codex, ~/.codex/sessions/.../rollout-*.jsonl: items of OpenAI's
 * Responses, each in a line, beside what the agent keeps for itself.
 *
 *     {"timestamp":...,"type":"response_item","payload":{"type":"message",...}}
 *
 * Files before the autumn of 2025 have the items without their wrapper.
 */
#include "records/apis/responses_halves.h"
#include "records/sessions/session.h"
#include "records/shapes.h"

static bool is_item_type(const tw_value *type)
{
    static const char *const items[] = {"message",
                                        "reasoning",
                                        "function_call",
                                        "function_call_output",
                                        "custom_tool_call",
                                        "custom_tool_call_output",
                                        "local_shell_call",
                                        "web_search_call",
                                        NULL};
    return tw_value_is_one_of(type, items);
}

static bool is_wrapper_type(const tw_value *type)
{
    static const char *const wrappers[] = {
        "session_meta",
        "response_item",
        "turn_context",
        "event_msg",
        "compacted",
        "world_state",
        "inter_agent_communication_metadata",
        "security_risk_score",
        "token_usage_record",
        NULL};
    return tw_value_is_one_of(type, wrappers);
}

/* The head of an old file. */
static bool is_old_head(const tw_value *line)
{
    return tw_value_member(line, "type") == NULL &&
           tw_value_member(line, "id") != NULL &&
           tw_value_member(line, "timestamp") != NULL &&
           tw_value_member(line, "instructions") != NULL;
}

static bool is_line(const tw_value *line)
{
    return (tw_value_member(line, "payload") != NULL &&
            is_wrapper_type(tw_value_member(line, "type"))) ||
           tw_value_member(line, "record_type") != NULL || is_old_head(line);
}

typedef struct rollout {
    tw_recoder *recoder;
    tw_value *record; /* of Responses, in |texts| */
    tw_value *input;
} rollout;

/* What the model was told first; the first counts. */
static void read_instructions(rollout *session, const tw_value *head)
{
    const tw_value *text = tw_value_member(head, "instructions");
    const tw_value *base = tw_value_member(head, "base_instructions");
    if (tw_value_is_a(base, TW_VALUE_OBJECT)) {
        text = tw_value_member(base, "text");
    }
    const tw_value *first = tw_value_member(session->record, "instructions");
    if (tw_has_text(text) && first == NULL) {
        tw_make_copy(&session->recoder->texts, session->record, "instructions",
                     text);
    } else if (tw_has_text(text) && !tw_value_is_same_text(text, first)) {
        tw_recoder_report_loss(session->recoder, TW_LOSS_CONTENT_DROPPED, text,
                               "The instructions were given before.");
    }
}

/* Tools of the client's, which are called by it; the agent's own stand in no
 * file. */
static void read_tools(rollout *session, const tw_value *list)
{
    static const char *const moved[][2] = {{"name", "name"},
                                           {"description", "description"},
                                           {"input_schema", "parameters"},
                                           {"inputSchema", "parameters"}};
    static const char *const known[] = {"name", "description", "input_schema",
                                        "inputSchema", NULL};
    tw_tree *made = &session->recoder->texts;
    if (!tw_value_is_a(list, TW_VALUE_ARRAY) || list->first == NULL ||
        tw_value_member(session->record, "tools") != NULL) {
        return;
    }
    tw_value *tools = tw_make(made, session->record, "tools", TW_VALUE_ARRAY);
    for (const tw_value *at = list->first; at != NULL; at = at->next) {
        if (!tw_has_text(tw_value_member(at, "name"))) {
            tw_recoder_report_loss(session->recoder, TW_LOSS_TOOL_DROPPED, at,
                                   "It has no name.");
            continue;
        }
        tw_value *tool = tw_make(made, tools, NULL, TW_VALUE_OBJECT);
        tw_make_word(made, tool, "type", "function");
        for (size_t i = 0; i < sizeof moved / sizeof *moved; i++) {
            const tw_value *part = tw_value_member(at, moved[i][0]);
            if (part != NULL) {
                tw_make_copy(made, tool, moved[i][1], part);
            }
        }
        tw_recoder_lose_others(session->recoder, at, known);
    }
}

static void read_head(rollout *session, const tw_value *head)
{
    static const char *const known[] = {
        "id", "instructions", "base_instructions", "dynamic_tools", NULL};
    read_instructions(session, head);
    read_tools(session, tw_value_member(head, "dynamic_tools"));
    tw_recoder_lose_others(session->recoder, head, known);
}

static void lose_by_type(rollout *session, const tw_value *line,
                         const tw_value *type)
{
    tw_recoder_lose_once(session->recoder, line, type->text, type->size);
}

static void read_event(rollout *session, const tw_value *line)
{
    const tw_value *event =
        tw_value_member(tw_value_member(line, "payload"), "type");
    if (tw_value_is(event, "thread_rolled_back")) {
        tw_recoder_report_loss(session->recoder, TW_LOSS_MEMBER_DROPPED, line,
                               "The user took turns back here: the model saw "
                               "no more of them.");
    } else {
        lose_by_type(session, line, tw_value_member(line, "type"));
    }
}

static void read_line(rollout *session, const tw_value *line)
{
    static const char *const known[] = {"type", "payload", NULL};
    tw_recoder *recoder = session->recoder;
    const tw_value *type = tw_value_member(line, "type");
    const tw_value *payload = tw_value_member(line, "payload");
    const bool wrapped = payload != NULL && is_wrapper_type(type);
    if (line->kind != TW_VALUE_OBJECT) {
        tw_recoder_report_loss(recoder, TW_LOSS_MESSAGE_DROPPED, line,
                               "The line is cut off, or no JSON.");
    } else if (wrapped && tw_value_is(tw_value_member(payload, "type"),
                                      "ghost_snapshot")) {
        lose_by_type(session, line, tw_value_member(payload, "type"));
    } else if (wrapped && tw_value_is(type, "response_item")) {
        tw_make_copy(&recoder->texts, session->input, NULL, payload);
        tw_recoder_lose_others(recoder, line, known);
    } else if (wrapped && tw_value_is(type, "session_meta")) {
        read_head(session, payload);
        tw_recoder_lose_others(recoder, line, known);
    } else if (wrapped && tw_value_is(type, "compacted")) {
        tw_recoder_report_loss(recoder, TW_LOSS_MESSAGE_DROPPED, line,
                               "The conversation was compacted here: the "
                               "model saw this in place of what stands "
                               "before.");
    } else if (wrapped) {
        read_event(session, line);
    } else if (is_item_type(type)) {
        tw_make_copy(&recoder->texts, session->input, NULL, line);
    } else if (is_old_head(line)) {
        read_head(session, line);
    } else if (tw_value_member(line, "record_type") != NULL) {
        tw_recoder_lose_once(recoder, line, "record_type",
                             strlen("record_type"));
    } else {
        tw_recoder_report_loss(recoder, TW_LOSS_MESSAGE_DROPPED, line,
                               "No conversation has a line of this type.");
    }
}

static tw_fit fits(const tw_value *record)
{
    return tw_session_fit(record, is_line);
}

static const tw_value *read(tw_recoder *recoder, const tw_value *record)
{
    const tw_value *lines = tw_use_member(record, "lines");
    tw_value *made = tw_make(&recoder->texts, NULL, NULL, TW_VALUE_OBJECT);
    rollout session = {
        recoder, made,
        tw_make(&recoder->texts, made, "input", TW_VALUE_ARRAY)};
    if (fits(record) == TW_FIT_NONE) {
        tw_recoder_refuse(recoder, record, "no line is one of Codex's");
        return NULL;
    }
    for (const tw_value *at = lines->first; at != NULL; at = at->next) {
        read_line(&session, at);
    }
    if (session.input == NULL || recoder->texts.error == TW_ERROR_MEMORY) {
        recoder->json_out.failed = true;
        return NULL;
    }
    return tw_session_leave_out_calls(recoder,
                                      tw_responses_read(recoder, made));
}

const tw_record_shape tw_codex_shape = {
    .name = "codex",
    .about = "read only: a session of Codex, all lines of a rollout file",
    .gathers = true,
    .has_items = true,
    .is_line = is_line,
    .fits = fits,
    .read = read,
};
