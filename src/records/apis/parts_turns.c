/* SPDX-License-Identifier: MIT
 *
 * What a message of parts is, in the words of several clients and agents: a
 * row each.  An agent's events are messages, some without parts.
 */
#include "records/apis/parts_halves.h"

typedef struct row {
    const char *member; /* that says what the message is */
    const char *word;   /* NULL: any text does */
    const char *role;   /* NULL: the user's or the model's, by `source` */
    tw_said_kind kind;  /* what the message is itself, beside its parts */
    bool event;         /* what it says for itself is told once */
} row;

static const row rows[] = {
    {"role", "user", "user", TW_SAID_OTHER, false},
    {"role", "assistant", "assistant", TW_SAID_OTHER, false},
    {"role", "system", "system", TW_SAID_OTHER, false},
    {"role", "developer", "developer", TW_SAID_OTHER, false},
    {"role", "tool", "tool", TW_SAID_RESULT, false},
    {"role", "toolResult", "tool", TW_SAID_RESULT, true},
    {"role", "thinking", "assistant", TW_SAID_THOUGHT, true},
    {"kind", "request", "user", TW_SAID_OTHER, false},
    {"kind", "response", "assistant", TW_SAID_OTHER, false},
    /* AutoGen: what a model is asked, and what agents say. */
    {"type", "SystemMessage", "system", TW_SAID_OTHER, true},
    {"type", "UserMessage", "user", TW_SAID_OTHER, true},
    {"type", "AssistantMessage", "assistant", TW_SAID_OTHER, true},
    {"type", "FunctionExecutionResultMessage", "tool", TW_SAID_OTHER, true},
    {"type", "TextMessage", NULL, TW_SAID_OTHER, true},
    {"type", "MultiModalMessage", NULL, TW_SAID_OTHER, true},
    {"type", "HandoffMessage", NULL, TW_SAID_OTHER, true},
    {"type", "StopMessage", NULL, TW_SAID_OTHER, true},
    {"type", "ToolCallSummaryMessage", NULL, TW_SAID_OTHER, true},
    {"type", "ThoughtEvent", "assistant", TW_SAID_THOUGHT, true},
    {"type", "ToolCallRequestEvent", "assistant", TW_SAID_OTHER, true},
    {"type", "ToolCallExecutionEvent", "tool", TW_SAID_OTHER, true},
    /* Copilot CLI. */
    {"type", "system.message", "system", TW_SAID_OTHER, true},
    {"type", "user.message", "user", TW_SAID_OTHER, true},
    {"type", "assistant.message", "assistant", TW_SAID_OTHER, true},
    {"type", "tool.execution_complete", "tool", TW_SAID_RESULT, true},
    /* OpenHands' SDK, and OpenHands before it. */
    {"kind", "SystemPromptEvent", "system", TW_SAID_OTHER, true},
    {"kind", "ActionEvent", "assistant", TW_SAID_CALL, true},
    {"kind", "ObservationEvent", "tool", TW_SAID_RESULT, true},
    {"kind", "AgentErrorEvent", "tool", TW_SAID_RESULT, true},
    {"kind", "UserRejectObservation", "tool", TW_SAID_RESULT, true},
    {"action", "system", "system", TW_SAID_OTHER, true},
    {"action", "message", NULL, TW_SAID_OTHER, true},
    {"action", NULL, "assistant", TW_SAID_CALL, true},
    {"observation", NULL, "tool", TW_SAID_RESULT, true},
    /* Steps of smolagents. */
    {"system_prompt", NULL, "system", TW_SAID_OTHER, true},
    {"task", NULL, "user", TW_SAID_OTHER, true},
    {"plan", NULL, "assistant", TW_SAID_OTHER, true},
    {"step_number", NULL, "assistant", TW_SAID_STEP, true},
};

/* What a message may stand in, or stands apart in it. */
static const char *const holders[TW_SAID_HOLDERS - 1] = {
    "info", "llm_message", "args", "additional_kwargs", "message", "data"};

static const char metadata[] = "tool_call_metadata";

const tw_value *tw_said_turn_holder(const tw_value *message, size_t i)
{
    return i == 0 ? message : tw_value_member(message, holders[i - 1]);
}

/* Semantic Kernel has the word in an object. */
static const tw_value *word_of(const tw_value *holder, const char *member)
{
    const tw_value *word = tw_value_member(holder, member);
    word = word != NULL || strcmp(member, "role") != 0
               ? word
               : tw_value_member(holder, "Role");
    const tw_value *label = tw_value_member(word, "Label");
    return label != NULL ? label
           : tw_value_member(word, "value") != NULL
               ? tw_value_member(word, "value")
               : word;
}

/* The word of a role, which may stand in a holder. */
static const tw_value *role_of(const tw_value *message, bool *inside)
{
    const tw_value *word = word_of(message, "role");
    for (size_t i = 1; word == NULL && i < TW_SAID_HOLDERS - 1; i++) {
        word = word_of(tw_said_turn_holder(message, i), "role");
        *inside = word != NULL;
    }
    return word;
}

/* A step has a number; what an agent of before did counts as a call or a
 * result if a model called for it. */
static bool is_row(const row *at, const tw_value *word,
                   const tw_value *message)
{
    if (at->word != NULL) {
        return tw_value_is(word, at->word);
    }
    return at->kind == TW_SAID_STEP ? tw_value_is_a(word, TW_VALUE_NUMBER)
           : at->kind == TW_SAID_OTHER
               ? tw_value_is_a(word, TW_VALUE_STRING)
               : tw_value_is_a(word, TW_VALUE_STRING) &&
                     tw_value_member(message, metadata) != NULL;
}

static const row *row_of(const tw_value *message, bool *event)
{
    bool inside = false;
    const tw_value *role = role_of(message, &inside);
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        const bool is_role = strcmp(rows[i].member, "role") == 0;
        if (is_row(&rows[i], is_role ? role : word_of(message, rows[i].member),
                   message)) {
            *event = rows[i].event || (is_role && inside);
            return &rows[i];
        }
    }
    return NULL;
}

bool tw_said_is_event(const tw_value *line)
{
    size_t i = 0;
    while (
        i < sizeof rows / sizeof *rows &&
        (rows[i].word == NULL || strcmp(rows[i].member, "role") == 0 ||
         !rows[i].event ||
         !tw_value_is(tw_value_member(line, rows[i].member), rows[i].word))) {
        i++;
    }
    return i < sizeof rows / sizeof *rows;
}

/* The first list that a member of these names is, or the first text or part.
 */
static const tw_value *content_of(const tw_value *message,
                                  const char *const *names)
{
    const tw_value *text = NULL;
    for (size_t i = 0; i < TW_SAID_HOLDERS; i++) {
        const tw_value *holder = tw_said_turn_holder(message, i);
        for (size_t at = 0; holder != NULL && names[at] != NULL; at++) {
            const tw_value *found = tw_value_member(holder, names[at]);
            if (tw_value_is_a(found, TW_VALUE_ARRAY)) {
                return found;
            }
            if (text == NULL && (tw_value_is_a(found, TW_VALUE_STRING) ||
                                 tw_value_is_a(found, TW_VALUE_OBJECT))) {
                text = found;
            }
        }
    }
    return text;
}

/* What a call is made for stands beside what it is made with, which may be
 * called a content, too. */
const char *const tw_said_turn_contents[] = {
    "thought", "parts",         "content", "contents", "items",        "Items",
    "blocks",  "system_prompt", "task",    "plan",     "model_output", NULL};

bool tw_said_turn_find(tw_said_turn *turn, const tw_value *message)
{
    static const char *const thought[] = {"thought", NULL};
    bool event = false;
    const row *found = row_of(message, &event);
    if (found == NULL) {
        return false;
    }
    const bool calls = found->kind == TW_SAID_CALL;
    const tw_value *source = tw_value_member(message, "source");
    const tw_value *text = tw_value_member(message, "content");
    const tw_value *parts = tw_value_member(message, "parts");
    const bool plain =
        !calls && tw_has_text(text) && !tw_value_is_a(parts, TW_VALUE_ARRAY);
    const tw_value *answer = tw_value_member(message, "llm_response_id");
    const tw_value *before =
        tw_value_member(tw_value_member(message, metadata), "model_response");
    *turn = (tw_said_turn){
        .role = found->role != NULL           ? found->role
                : tw_value_is(source, "user") ? "user"
                                              : "assistant",
        .kind = found->kind,
        .event = event,
        .content =
            plain ? text
                  : content_of(message,
                               calls ? thought : tw_said_turn_contents + 1),
        .answer = answer != NULL ? answer : tw_value_member(before, "id")};
    return true;
}

/* ---- what is lost ------------------------------------------------------ */

/* Does a text among the parts say what the content says? */
static bool is_repeated(const tw_value *content, const tw_value *parts)
{
    const tw_value *at = parts->first;
    while (at != NULL &&
           !tw_value_is_same_text(tw_value_member(at, "text"), content)) {
        at = at->next;
    }
    return at != NULL;
}

const tw_value *tw_said_turn_instructions(const tw_value *message)
{
    return tw_value_member(message, "instructions");
}

void tw_said_turn_lose_others(tw_recoder *recoder, const tw_value *source,
                              const tw_value *parts)
{
    static const char *const known[] = {"role",        "Role",
                                        "\"kind",      "\"content_type",
                                        "parts",       "\"reasoning_content",
                                        "[tool_calls", "{additional_kwargs",
                                        NULL};
    const tw_value *content = tw_value_member(source, "content");
    const tw_value *own = tw_said_turn_instructions(source);
    const tw_value *all =
        source->parent != NULL
            ? tw_said_turn_instructions(source->parent->first)
            : NULL;
    for (const tw_value *at = source->first; at != NULL; at = at->next) {
        if (at == content && at != parts && tw_has_text(at) &&
            !is_repeated(at, parts)) {
            tw_recoder_report_loss(recoder, TW_LOSS_CONTENT_DROPPED, at, NULL);
        } else if (at != parts && at != content &&
                   !(at == own && tw_value_is_same_text(own, all))) {
            tw_losses_add_member(&recoder->losses, at, known);
        }
    }
    const tw_value *more = tw_value_member(source, "additional_kwargs");
    if (tw_value_is_a(more, TW_VALUE_OBJECT)) {
        tw_losses_add_members(&recoder->losses, more, known);
    }
}

void tw_said_turn_lose_event(tw_recoder *recoder, const tw_value *event)
{
    static const char *const names[] = {"kind", "type", "observation",
                                        "action", NULL};
    const char *const *name = names;
    const tw_value *content =
        tw_value_is(tw_value_member(event, "source"), "agent") &&
                tw_value_member(event, "args") != NULL
            ? tw_value_member(event, "args")
            : tw_value_member(event, "content");
    while (*name != NULL && !tw_has_text(tw_value_member(event, *name))) {
        name++;
    }
    const tw_value *word =
        *name != NULL ? tw_value_member(event, *name) : NULL;
    if (word == NULL || tw_value_member(event, "role") != NULL) {
        tw_recoder_refuse(recoder, event, "the role is not known");
    } else if (content != NULL && !tw_value_is_void(content)) {
        tw_recoder_report_loss(recoder, TW_LOSS_MESSAGE_DROPPED, event, NULL);
    } else {
        tw_recoder_lose_once(recoder, event, word->text, word->size);
    }
}

static bool has_tools(const tw_value *holder)
{
    return tw_has_list_of(holder, "tools", "function") ||
           tw_has_list_of(holder, "tools", "name");
}

void tw_said_turn_lose_event_members(tw_recoder *recoder,
                                     const tw_said_turn *turn,
                                     const tw_value *source)
{
    static const char *const known[] = {"role",
                                        "\"kind",
                                        "\"type",
                                        "\"action",
                                        "\"observation",
                                        "\"thought",
                                        "{info",
                                        "{llm_message",
                                        "{args",
                                        "{message",
                                        "{data",
                                        "system_prompt",
                                        "\"reasoning_content",
                                        "\"reasoningText",
                                        "[tool_calls",
                                        "[toolCalls",
                                        "[toolRequests",
                                        NULL};
    static const char *const of_step[] = {"\"observations", "{error", NULL};
    for (size_t i = 0; i < TW_SAID_HOLDERS; i++) {
        const tw_value *holder = tw_said_turn_holder(source, i);
        const tw_value *at = holder != NULL ? holder->first : NULL;
        for (; at != NULL; at = at->next) {
            if (at != turn->content && !tw_losses_is_known(at, known) &&
                !(turn->kind == TW_SAID_STEP &&
                  tw_losses_is_known(at, of_step)) &&
                !tw_value_is_void(at) && at->kind != TW_VALUE_FALSE &&
                !(tw_value_has_key(at, "tools") && has_tools(holder))) {
                tw_recoder_lose_once(recoder, at, at->key, at->key_size);
            }
        }
    }
}
