/* SPDX-License-Identifier: MIT
 *
 * Sessions of pi and of agents that are built on it (OpenClaw),
 * ~/.pi/agent/sessions/PROJECT/SESSION.jsonl: a line for each message, whose
 * parts the shape `parts` reads, and lines of the agent's own.  Those of Droid
 * have Anthropic's messages in such lines.
 *
 *     {"type":"message","id":"b","parentId":"a",
 *      "message":{"role":"user","content":"Tide?"}}
 *
 * Each names the line before it: the way to the last one is the conversation.
 */
#include "records/apis/parts_halves.h"
#include "records/sessions/session.h"
#include "records/shapes.h"

static bool is_type(const tw_value *line, const char *type)
{
    return tw_value_is(tw_value_member(line, "type"), type);
}

/* The message of a line, or of an event of the agent's stream. */
static const tw_value *message_of(const tw_value *line)
{
    const tw_value *message = tw_value_member(line, "message");
    return (is_type(line, "message") || is_type(line, "message_end")) &&
                   tw_has_text(tw_value_member(message, "role"))
               ? message
               : NULL;
}

static bool is_line(const tw_value *line)
{
    return (message_of(line) != NULL && is_type(line, "message") &&
            (tw_value_member(line, "parentId") != NULL ||
             tw_value_member(line, "timestamp") != NULL)) ||
           (is_type(line, "session") &&
            tw_has_text(tw_value_member(line, "id")) &&
            tw_has_text(tw_value_member(line, "cwd")));
}

/* ---- the way ------------------------------------------------------------ */

typedef struct step {
    const tw_value *line;
    bool in_way;
} step;

/* Lines without a place in the tree are in all ways.  If a parent is not
 * there, since its line is broken, all that stands before is kept. */
static void mark_way(step *steps, size_t count)
{
    const tw_value *wanted = NULL;
    size_t last = count;
    for (size_t i = count; i-- > 0;) {
        const tw_value *line = steps[i].line;
        const tw_value *id = tw_value_member(line, "id");
        const tw_value *parent = tw_value_member(line, "parentId");
        if (id == NULL || parent == NULL) {
            steps[i].in_way = true;
        } else if (last == count || tw_value_is_same_text(id, wanted)) {
            steps[i].in_way = true;
            wanted = parent;
            last = i;
        }
    }
    for (size_t i = 0; tw_has_text(wanted) && i < last; i++) {
        steps[i].in_way = true;
    }
}

/* ---- lines -------------------------------------------------------------- */

static void lose_message(tw_recoder *recoder, const tw_value *where,
                         const char *why)
{
    tw_recoder_report_loss(recoder, TW_LOSS_MESSAGE_DROPPED, where, why);
}

/* What an extension told the model. */
static void read_custom(tw_recoder *recoder, tw_value *messages,
                        const tw_value *custom)
{
    static const char *const known[] = {"type", "role", "content", NULL};
    tw_tree *made = &recoder->texts;
    const tw_value *content = tw_value_member(custom, "content");
    tw_value *message = tw_make(made, messages, NULL, TW_VALUE_OBJECT);
    if (message != NULL) {
        message->origin = custom;
    }
    tw_make_word(made, message, "role", "user");
    if (content != NULL) {
        tw_make_copy(made, message, "content", content);
    }
    tw_recoder_report_loss(recoder, TW_LOSS_ROLE_CHANGED, custom,
                           "An extension says it: a user says it.");
    tw_recoder_lose_others(recoder, custom, known);
}

static void read_message(tw_recoder *recoder, tw_value *messages,
                         const tw_value *message)
{
    static const char *const read[] = {"user", "assistant", "toolResult",
                                       NULL};
    const tw_value *role = tw_value_member(message, "role");
    if (tw_value_is_one_of(role, read)) {
        tw_make_copy(&recoder->texts, messages, NULL, message);
    } else if (tw_value_is(role, "custom") ||
               tw_value_is(role, "hookMessage")) {
        read_custom(recoder, messages, message);
    } else {
        lose_message(recoder, message,
                     "The agent told the model of it, in words that the file "
                     "does not have.");
    }
}

static void read_line(tw_recoder *recoder, tw_value *messages,
                      const tw_value *line)
{
    static const char *const known[] = {"type", "message", NULL};
    const tw_value *type = tw_value_member(line, "type");
    const tw_value *message = message_of(line);
    if (line->kind != TW_VALUE_OBJECT) {
        lose_message(recoder, line, "The line is cut off, or no JSON.");
    } else if (message != NULL) {
        read_message(recoder, messages, message);
        tw_recoder_lose_others(recoder, line, known);
    } else if (is_type(line, "custom_message")) {
        read_custom(recoder, messages, line);
    } else if (is_type(line, "compaction")) {
        lose_message(recoder, line,
                     "The conversation was compacted here: the model saw this "
                     "in place of what stands before.");
    } else if (is_type(line, "branch_summary")) {
        lose_message(recoder, line,
                     "The model saw it in place of a branch that was left.");
    } else if (tw_has_text(type)) {
        tw_said_turn_lose_event(recoder, line);
    } else {
        lose_message(recoder, line,
                     "No conversation has a line of this type.");
    }
}

static void read_lines(tw_recoder *recoder, tw_value *messages,
                       const tw_value *lines)
{
    tw_buffer all = {0};
    bool good = true;
    for (const tw_value *at = lines->first; at != NULL; at = at->next) {
        const step each = {at, false};
        good = good &&
               tw_buffer_append(&all, recoder->memory, &each, sizeof each);
    }
    step *steps = (step *)(void *)all.data;
    const size_t count = good ? all.size / sizeof *steps : 0;
    mark_way(steps, count);
    for (size_t i = 0; i < count; i++) {
        if (steps[i].in_way) {
            read_line(recoder, messages, steps[i].line);
        } else {
            lose_message(recoder, steps[i].line,
                         "It is of a branch that the user left.");
        }
    }
    tw_buffer_free(&all, recoder->memory);
    recoder->json_out.failed |= !good;
}

/* ---- records ------------------------------------------------------------ */

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
        tw_recoder_refuse(recoder, record, "no line is one of pi's");
        return NULL;
    }
    read_lines(recoder, messages, lines);
    return tw_session_read_messages(recoder, record, made);
}

const tw_record_shape tw_pi_shape = {
    .name = "pi",
    .about = "read only: a session of pi, OpenClaw or Droid, a whole file",
    .gathers = true,
    .is_line = is_line,
    .fits = fits,
    .read = read,
};
