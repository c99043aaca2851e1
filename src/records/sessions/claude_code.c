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
 * call stands between them.  The agent's own streams (--output-format
 * stream-json) have the same lines with other names around them.
 */
#include "records/apis/anthropic_halves.h"
#include "records/sessions/session.h"
#include "records/shapes.h"

typedef struct code_session {
    tw_recoder *recoder;
    bool is_side; /* all of it is a side chain: another agent's own file */
    tw_value *messages; /* of a record of Anthropic's, in |texts| */
    tw_value *turn;     /* the content of the last assistant's message */
    const tw_value *turn_id;
} code_session;

static bool is_true(const tw_value *line, const char *key)
{
    const tw_value *flag = tw_value_member(line, key);
    return tw_value_is_a(flag, TW_VALUE_TRUE);
}

static bool speaks(const tw_value *line)
{
    const tw_value *type = tw_value_member(line, "type");
    return tw_value_is(type, "user") || tw_value_is(type, "assistant");
}

/* Did the model see it? */
static bool is_said(const tw_value *line)
{
    return speaks(line) ||
           tw_value_is(tw_value_member(line, "type"), "attachment");
}

/* Of another agent's conversation, which this one's asked for. */
static bool is_side(const tw_value *line)
{
    const tw_value *caller = tw_value_member(line, "parent_tool_use_id");
    return is_true(line, "isSidechain") || tw_value_is_true(caller);
}

static bool is_streamed(const tw_value *line)
{
    return tw_value_member(line, "session_id") != NULL &&
           ((speaks(line) && tw_value_member(line, "message") != NULL) ||
            (tw_value_is(tw_value_member(line, "type"), "system") &&
             tw_value_is(tw_value_member(line, "subtype"), "init")));
}

static bool is_line(const tw_value *line)
{
    return is_streamed(line) ||
           (tw_value_member(line, "sessionId") != NULL &&
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

/* Does a user ask in it, and has not just a result or the agent spoken? */
static bool is_prompt(const tw_value *line)
{
    const tw_value *content =
        tw_value_member(tw_value_member(line, "message"), "content");
    const tw_value *at =
        tw_value_is_a(content, TW_VALUE_ARRAY) ? content->first : NULL;
    while (at != NULL &&
           !tw_value_is(tw_value_member(at, "type"), "tool_result")) {
        at = at->next;
    }
    return tw_value_is(tw_value_member(line, "type"), "user") &&
           content != NULL && at == NULL && !is_side(line) &&
           !is_true(line, "isMeta") && !is_true(line, "isCompactSummary");
}

static void read_message(code_session *session, const tw_value *line)
{
    static const char *const known[] = {
        "type", "message", "isSidechain", "sessionId", "session_id", NULL};
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
    tw_recoder_lose_others(recoder, line, known);
    tw_recoder_lose_others(recoder, message, inside);
}

/* What the user said while the model was at work. */
static bool read_queued(code_session *session, const tw_value *line)
{
    static const char *const known[] = {"type", "attachment", "sessionId",
                                        "isSidechain", NULL};
    static const char *const inside[] = {"type", "prompt", NULL};
    const tw_value *given = tw_value_member(line, "attachment");
    const tw_value *prompt = tw_value_member(given, "prompt");
    if (!tw_value_is(tw_value_member(given, "type"), "queued_command") ||
        !tw_value_is_true(prompt) ||
        (prompt->kind != TW_VALUE_STRING &&
         !tw_value_is_a(prompt, TW_VALUE_ARRAY))) {
        return false;
    }
    session->turn = NULL;
    add_blocks(session, begin_message(session, "user", given), prompt);
    tw_recoder_lose_others(session->recoder, line, known);
    tw_recoder_lose_others(session->recoder, given, inside);
    return true;
}

/* ---- lines -------------------------------------------------------------- */

static void lose_message(tw_recoder *recoder, const tw_value *line,
                         const char *why)
{
    tw_recoder_report_loss(recoder, TW_LOSS_MESSAGE_DROPPED, line, why);
}

/* A line that no conversation has a place for. */
static void lose_line(tw_recoder *recoder, const tw_value *line)
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
                                      "permission-mode",
                                      "worktree-state",
                                      "agent-setting",
                                      "agent-color",
                                      "attribution-snapshot",
                                      "result",
                                      "stream_event",
                                      "rate_limit_event",
                                      "system",
                                      NULL};
    const tw_value *type = tw_value_member(line, "type");
    if (tw_value_is(tw_value_member(line, "subtype"), "compact_boundary")) {
        tw_recoder_report_loss(recoder, TW_LOSS_MEMBER_DROPPED, line,
                               "The conversation was compacted here: the "
                               "model saw no more of what stands before.");
    } else if (tw_value_is_one_of(type, own)) {
        tw_recoder_lose_once(recoder, line, type->text, type->size);
    } else {
        lose_message(recoder, line,
                     "No conversation has a line of this type.");
    }
}

static void read_line(code_session *session, const tw_value *line)
{
    tw_recoder *recoder = session->recoder;
    const tw_value *type = tw_value_member(line, "type");
    const tw_value *message = tw_value_member(line, "message");
    if (line->kind != TW_VALUE_OBJECT) {
        lose_message(recoder, line, "The line is cut off, or no JSON.");
    } else if (is_side(line) && !session->is_side && is_said(line)) {
        lose_message(recoder, line,
                     "It is of a side chain, another agent's conversation.");
    } else if (tw_value_is(type, "attachment")) {
        if (!read_queued(session, line)) {
            lose_message(recoder, line,
                         "The agent attached it for the model, in words that "
                         "the file does not have.");
        }
    } else if (!speaks(line)) {
        lose_line(recoder, line);
    } else if (tw_value_is(tw_value_member(message, "model"), "<synthetic>")) {
        lose_message(recoder, line,
                     "The agent itself wrote it, and no model.");
    } else {
        read_message(session, line);
    }
}

/* Is there a message, and none but of side chains? */
static bool is_all_side(const tw_value *lines)
{
    const tw_value *at = lines->first;
    while (at != NULL && (!speaks(at) || is_side(at))) {
        at = at->next;
    }
    return at == NULL;
}

static void read_lines(code_session *session, const tw_value *lines)
{
    tw_recoder *recoder = session->recoder;
    tw_buffer judged = {0};
    tw_session_judge(recoder, lines, is_prompt, &judged);
    session->is_side = is_all_side(lines);
    for (const tw_value *at = lines->first;
         at != NULL && !recoder->json_out.failed; at = at->next) {
        const unsigned char what = judged.data[at->index];
        if (what == TW_LINE_LEFT && is_said(at) && !is_side(at)) {
            lose_message(recoder, at, "It is of a branch that the user left.");
        } else if (what == TW_LINE_AGAIN) {
            tw_recoder_report_loss(recoder, TW_LOSS_MEMBER_DROPPED, at,
                                   "The file has this line before.");
        } else {
            read_line(session, at);
        }
    }
    tw_buffer_free(&judged, recoder->memory);
}

/* Other agents' lines have much of the same around them. */
static tw_fit fits(const tw_value *record)
{
    return tw_session_fit(record, tw_session_has_parts) == TW_FIT_NONE
               ? tw_session_fit(record, is_line)
               : TW_FIT_NONE;
}

static const tw_value *read(tw_recoder *recoder, const tw_value *record)
{
    const tw_value *lines = tw_use_member(record, "lines");
    tw_value *made = tw_make(&recoder->texts, NULL, NULL, TW_VALUE_OBJECT);
    code_session session = {.recoder = recoder,
                            .messages = tw_make(&recoder->texts, made,
                                                "messages", TW_VALUE_ARRAY)};
    if (fits(record) == TW_FIT_NONE) {
        tw_recoder_refuse(recoder, record, "no line is one of Claude Code's");
        return NULL;
    }
    read_lines(&session, lines);
    if (session.messages == NULL || recoder->texts.error == TW_ERROR_MEMORY) {
        recoder->json_out.failed = true;
        return NULL;
    }
    return tw_session_leave_out_calls(recoder,
                                      tw_anthropic_read(recoder, made));
}

const tw_record_shape tw_claude_code_shape = {
    .name = "claude-code",
    .about = "read only: a session of Claude Code, all lines of a file",
    .gathers = true,
    .has_blocks = true,
    .is_line = is_line,
    .fits = fits,
    .read = read,
};
