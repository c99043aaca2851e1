/* SPDX-License-Identifier: MIT
 *
 * Sessions of Claude Code, ~/.claude/projects/PROJECT/SESSION.jsonl: a line
 * for each block of an assistant's message, for each result and each message
 * of the user's, in the words of Anthropic's API; beside them what the agent
 * keeps for itself.
 *
 *     {"type":"assistant","message":{"id":"msg_1","content":[...]},"uuid":...}
 *
 * Lines of one message's id are one message, also where a result of its first
 * call stands between them.
 */
#include "records/anthropic_halves.h"
#include "records/session.h"
#include "records/shapes.h"

typedef struct code_session {
    tw_recoder *recoder;
    tw_value *messages; /* of a record of Anthropic's, in |texts| */
    tw_value *turn;     /* the content of the last assistant's message */
    const tw_value *turn_id;
} code_session;

static bool is_true(const tw_value *line, const char *key)
{
    const tw_value *flag = tw_value_member(line, key);
    return flag != NULL && flag->kind == TW_VALUE_TRUE;
}

static bool is_line(const tw_value *line)
{
    return (tw_value_member(line, "sessionId") != NULL &&
            tw_value_member(line, "type") != NULL) ||
           (tw_value_is(tw_value_member(line, "type"), "summary") &&
            tw_value_member(line, "leafUuid") != NULL) ||
           (tw_value_is(tw_value_member(line, "type"),
                        "file-history-snapshot") &&
            tw_value_member(line, "messageId") != NULL) ||
           (tw_value_member(line, "parentUuid") != NULL &&
            tw_value_member(line, "message") != NULL);
}

/* ---- messages ----------------------------------------------------------- */

static void add_blocks(code_session *session, tw_value *list,
                       const tw_value *content)
{
    tw_tree *made = &session->recoder->texts;
    if (content->kind == TW_VALUE_STRING) {
        tw_value *block = tw_make(made, list, NULL, TW_VALUE_OBJECT);
        tw_make_word(made, block, "type", "text");
        tw_make_copy(made, block, "text", content);
        return;
    }
    for (const tw_value *at = content->first; at != NULL; at = at->next) {
        tw_make_copy(made, list, NULL, at);
    }
}

/* Begins a message, and returns its content. */
static tw_value *begin_message(code_session *session, const char *role,
                               const tw_value *source)
{
    tw_tree *made = &session->recoder->texts;
    tw_value *message =
        tw_make(made, session->messages, NULL, TW_VALUE_OBJECT);
    if (message != NULL) {
        message->origin = source;
    }
    tw_make_word(made, message, "role", role);
    return tw_make(made, message, "content", TW_VALUE_ARRAY);
}

static bool has_results_alone(const tw_value *content)
{
    const tw_value *at =
        content->kind == TW_VALUE_ARRAY ? content->first : NULL;
    while (at != NULL &&
           tw_value_is(tw_value_member(at, "type"), "tool_result")) {
        at = at->next;
    }
    return at == NULL && content->first != NULL &&
           content->kind == TW_VALUE_ARRAY;
}

static void read_message(code_session *session, const tw_value *line)
{
    static const char *const known[] = {"type", "message", "isSidechain",
                                        "sessionId", NULL};
    static const char *const inside[] = {"type", "role", "content", "model",
                                         NULL};
    tw_recoder *recoder = session->recoder;
    const tw_value *message = tw_value_member(line, "message");
    const tw_value *content = tw_value_member(message, "content");
    const tw_value *id = tw_value_member(message, "id");
    const bool answers =
        tw_value_is(tw_value_member(line, "type"), "assistant");
    if (content == NULL || (content->kind != TW_VALUE_ARRAY &&
                            content->kind != TW_VALUE_STRING)) {
        tw_recoder_report_loss(recoder, TW_LOSS_MESSAGE_DROPPED, line,
                               "It has no content.");
        return;
    }
    if (answers && (session->turn == NULL || id == NULL ||
                    !tw_value_is_same_text(id, session->turn_id))) {
        session->turn = begin_message(session, "assistant", message);
        session->turn_id = id;
    } else if (!answers && !has_results_alone(content)) {
        session->turn = NULL;
    }
    add_blocks(session,
               answers ? session->turn
                       : begin_message(session, "user", message),
               content);
    tw_session_lose_others(recoder, line, known);
    tw_session_lose_others(recoder, message, inside);
}

/* ---- lines -------------------------------------------------------------- */

static void lose_message(tw_recoder *recoder, const tw_value *line,
                         const char *why)
{
    tw_recoder_report_loss(recoder, TW_LOSS_MESSAGE_DROPPED, line, why);
}

static void read_line(code_session *session, const tw_value *line)
{
    /* What the agent keeps, and no model sees. */
    static const char *const own[] = {"summary",
                                      "file-history-snapshot",
                                      "queue-operation",
                                      "progress",
                                      "last-prompt",
                                      "custom-title",
                                      "agent-name",
                                      "ai-title",
                                      "pr-link",
                                      "tag",
                                      "mode",
                                      NULL};
    tw_recoder *recoder = session->recoder;
    const tw_value *type = tw_value_member(line, "type");
    const tw_value *message = tw_value_member(line, "message");
    if (line->kind != TW_VALUE_OBJECT) {
        lose_message(recoder, line, "The line is cut off.");
        return;
    }
    if (tw_value_is(type, "user") || tw_value_is(type, "assistant")) {
        if (is_true(line, "isSidechain")) {
            lose_message(recoder, line,
                         "It is of a side chain, another agent's "
                         "conversation.");
        } else if (tw_value_is(tw_value_member(message, "model"),
                               "<synthetic>")) {
            lose_message(recoder, line,
                         "The agent itself wrote it, and no model.");
        } else {
            read_message(session, line);
        }
        return;
    }
    if (tw_value_is(tw_value_member(line, "subtype"), "compact_boundary")) {
        tw_recoder_report_loss(recoder, TW_LOSS_MEMBER_DROPPED, line,
                               "The conversation was compacted here: the "
                               "model saw no more of what stands before.");
        return;
    }
    for (size_t i = 0; own[i] != NULL; i++) {
        if (tw_value_is(type, own[i])) {
            tw_session_lose(recoder, line, own[i], strlen(own[i]));
            return;
        }
    }
    if (tw_value_is(type, "system")) {
        tw_session_lose(recoder, line, "system", strlen("system"));
        return;
    }
    lose_message(recoder, line, "No conversation has a line of this type.");
}

static const tw_value *read(tw_recoder *recoder, const tw_value *record)
{
    const tw_value *lines = tw_use_member(record, "lines");
    tw_value *made = tw_make(&recoder->texts, NULL, NULL, TW_VALUE_OBJECT);
    code_session session = {.recoder = recoder,
                            .messages = tw_make(&recoder->texts, made,
                                                "messages", TW_VALUE_ARRAY)};
    if (!tw_is_list(lines)) {
        tw_recoder_refuse(recoder, record, "it is no session");
        return NULL;
    }
    for (const tw_value *at = lines->first; at != NULL; at = at->next) {
        read_line(&session, at);
    }
    if (session.messages == NULL || recoder->texts.error == TW_ERROR_MEMORY) {
        recoder->json_out.failed = true;
        return NULL;
    }
    return tw_anthropic_read(recoder, made);
}

static tw_fit fits(const tw_value *record)
{
    const tw_value *lines = tw_value_member(record, "lines");
    const tw_value *at = tw_is_list(lines) ? lines->first : NULL;
    while (at != NULL && !is_line(at)) {
        at = at->next;
    }
    return tw_fit_well(at != NULL);
}

static const char *const members[] = {NULL};

const tw_record_shape tw_claude_code_shape = {
    .name = "claude-code",
    .about = "read only: a session of Claude Code, all lines of a file",
    .members = members,
    .gathers = true,
    .has_blocks = true,
    .is_line = is_line,
    .fits = fits,
    .read = read,
};
