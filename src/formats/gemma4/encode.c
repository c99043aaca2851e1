/* SPDX-License-Identifier: MIT
 *
 * A conversation as a Gemma 4 prompt.  A turn of the model stays open from a
 * call over its results to the next thing the model says.
 */
#include "formats/gemma4/encode.h"

#include <string.h>

#include "formats/body/gemma/word.h"
#include "formats/gemma4/declare.h"
#include "formats/gemma4/encode_content.h"
#include "formats/gemma4/gemma4.h"
#include "json/dump.h"
#include "json/write.h"

typedef enum last_part { LAST_OTHER, LAST_CALL, LAST_RESULT } last_part;

typedef struct gemma4_prompt {
    const tw_gemma4_dialect *dialect;
    const tw_conversation *conversation;
    tw_segments *out;
    bool thinking;
    bool preserve;
    size_t begin;            /* the first message with a turn of its own */
    size_t no_query;         /* behind the last message of a user */
    size_t answered;         /* tool messages before this one were written */
    const tw_message *whole; /* the last message that reads back as one */
    bool continues;          /* the last turn was the assistant's */
    bool closed;             /* ... and was closed */
    last_part last;          /* what it ended with */
} gemma4_prompt;

static const tw_message *message_at(const gemma4_prompt *prompt, size_t at)
{
    return tw_message_at(prompt->conversation, at);
}

/* The first message from |at| on that is no result. */
static size_t skip_results(const gemma4_prompt *prompt, size_t at)
{
    const size_t count = tw_message_count(prompt->conversation);
    while (at < count && message_at(prompt, at)->role == TW_ROLE_TOOL) {
        at++;
    }
    return at;
}

static bool is_assistant(const gemma4_prompt *prompt, size_t at)
{
    return at < tw_message_count(prompt->conversation) &&
           message_at(prompt, at)->role == TW_ROLE_ASSISTANT;
}

/* ---- reasoning ---------------------------------------------------------- */

static bool is_blank(char c)
{
    return c == ' ' || c == '\n' || c == '\t' || c == '\r';
}

static const tw_value *reasoning_of(const tw_message *message)
{
    static const char *const names[] = {"reasoning", "reasoning_content"};
    for (size_t i = 0; i < 2; i++) {
        const tw_value *given = tw_value_member(message->value, names[i]);
        if (given != NULL && given->kind == TW_VALUE_STRING &&
            given->size > 0) {
            return given;
        }
    }
    return message->reasoning;
}

static void put_reasoning(const gemma4_prompt *prompt,
                          const tw_message *message, size_t at)
{
    tw_segments *out = prompt->out;
    const tw_value *reasoning = reasoning_of(message);
    const bool calls = message->call_count > 0;
    if (reasoning == NULL || message->role != TW_ROLE_ASSISTANT) {
        return;
    }
    if (reasoning != message->reasoning) {
        tw_encode_loss(
            out, TW_LOSS_REASONING_DROPPED, message->reasoning,
            "The message has two reasonings; the template takes `reasoning`.");
    }
    if (!(calls || prompt->dialect->answers_thought) ||
        !(at >= prompt->no_query || (prompt->preserve && calls))) {
        tw_encode_old_reasoning(out, prompt->conversation, message, reasoning);
        return;
    }
    if (is_blank(reasoning->text[0]) ||
        is_blank(reasoning->text[reasoning->size - 1])) {
        tw_encode_loss(out, TW_LOSS_OUTER_WHITESPACE, reasoning, NULL);
    }
    tw_out(out, TW_GEMMA4_THOUGHT);
    tw_out_text(out, reasoning);
    tw_out(out, "\n" TW_GEMMA4_CHANNEL_END);
}

/* ---- calls -------------------------------------------------------------- */

/* Ids are not on the wire; a decoder numbers the calls of each message. */
static bool is_made_up_id(const tw_value *id, size_t number)
{
    return id != NULL && tw_id_is_counted(id, number);
}

/* Of a call its name and arguments are carried, which may stand in it or in a
 * `function` of its own; its type is a function. */
static void report_call(tw_segments *out, const tw_call *call)
{
    static const char *const carried[] = {"name", "arguments", NULL};
    const tw_value *function = call->name->parent;
    const bool flat = function == call->value;
    if (tw_value_member(call->value, "type") == NULL) {
        tw_encode_loss(out, TW_LOSS_CALL_FORM, call->value,
                       "The call has no type and reads back as a function.");
    }
    for (const tw_value *member = call->value->first; member != NULL;
         member = member->next) {
        if (member != function && !tw_value_has_key(member, "id") &&
            !(flat && tw_value_is_named(member, carried)) &&
            !(tw_value_has_key(member, "type") &&
              tw_value_is(member, "function"))) {
            tw_encode_loss(out, TW_LOSS_MEMBER_DROPPED, member, NULL);
        }
    }
    for (const tw_value *member = flat ? NULL : function->first;
         member != NULL; member = member->next) {
        if (!tw_value_is_named(member, carried)) {
            tw_encode_loss(out, TW_LOSS_MEMBER_DROPPED, member, NULL);
        }
    }
}

static void put_call(const gemma4_prompt *prompt, const tw_call *call,
                     size_t number)
{
    tw_segments *out = prompt->out;
    if (tw_encode_refuses_free_text(out, call)) {
        return;
    }
    if (call->name->parent == call->value ||
        call->value->parent->kind != TW_VALUE_ARRAY) {
        tw_encode_defect(out, call->value,
                         "The template needs a `function` in `tool_calls`.");
    }
    report_call(out, call);
    if (!is_made_up_id(call->id, number)) {
        tw_encode_loss(out, TW_LOSS_CALL_ID,
                       call->id != NULL ? call->id : call->value, NULL);
    }
    tw_out(out, TW_GEMMA4_CALL TW_GEMMA_CALL_WORD);
    tw_put_gemma_name(out, call->name);
    tw_put_gemma_arguments(out, call, TW_GEMMA4_QUOTE);
    tw_out(out, TW_GEMMA4_CALL_END);
}

/* ---- results ------------------------------------------------------------ */

/* The calls of a message, which its results answer. */
typedef struct own_calls {
    const tw_conversation *conversation;
    const tw_message *message;
    const tw_call *nameless; /* the last one without an id, or NULL */
} own_calls;

static own_calls calls_of(const tw_conversation *conversation,
                          const tw_message *message)
{
    own_calls calls = {conversation, message, NULL};
    for (size_t i = 0; i < message->call_count; i++) {
        const tw_call *call = tw_call_of(conversation, message, i);
        if (call->id == NULL || call->id->size == 0) {
            calls.nameless = call;
        }
    }
    return calls;
}

/* The last of them with the id.  No id is an id, too: an empty one. */
static const tw_call *answered(const own_calls *calls, const tw_value *id)
{
    const tw_message *message = calls->message;
    if (id == NULL || id->size == 0) {
        return calls->nameless;
    }
    const tw_call *call = tw_conversation_named_call(
        calls->conversation, id, message->first_call + message->call_count);
    return call != NULL && call >= tw_call_of(calls->conversation, message, 0)
               ? call
               : NULL;
}

/* Results are known by their place behind the calls.  Texts are the only
 * content that is one again. */
static void report_result(tw_segments *out, const tw_message *result)
{
    for (const tw_value *member = result->value->first; member != NULL;
         member = member->next) {
        const bool text =
            member->kind == TW_VALUE_STRING || member->kind == TW_VALUE_ARRAY;
        if (tw_value_has_key(member, "role")) {
            if (!tw_value_is(member, "tool")) {
                tw_encode_loss(out, TW_LOSS_ROLE_CHANGED, member,
                               "The role reads back as `tool`.");
            }
        } else if (member == result->name) {
            tw_encode_loss(out, TW_LOSS_RESULT_NAME, member, NULL);
        } else if (tw_value_has_key(member, "content")
                       ? !text
                       : !tw_value_has_key(member, "tool_call_id")) {
            tw_encode_loss(out, TW_LOSS_MEMBER_DROPPED, member, NULL);
        }
    }
}

/* The name of the last call with the result's id, or the result's own. */
static const tw_value *name_of(const gemma4_prompt *prompt,
                               const own_calls *calls,
                               const tw_message *result)
{
    const tw_call *call = answered(calls, result->id);
    if (call == NULL) {
        if (result->name == NULL && prompt->dialect->needs_names) {
            tw_encode_defect(prompt->out, result->value,
                             "The template fails without a name.");
        }
        return result->name;
    }
    return call->name;
}

static void put_result(const gemma4_prompt *prompt, const own_calls *calls,
                       const tw_message *result, size_t number)
{
    tw_segments *out = prompt->out;
    if (!is_made_up_id(result->id, number)) {
        tw_encode_loss(out, TW_LOSS_CALL_ID,
                       result->id != NULL ? result->id : result->value, NULL);
    }
    report_result(out, result);
    if (!tw_value_is(result->role_name, "tool")) {
        tw_encode_defect(
            out, result->role_name,
            "The template takes only the role `tool` for results.");
    }
    if (result->content != NULL && result->content->kind == TW_VALUE_OBJECT) {
        tw_encode_defect(out, result->content,
                         "The template fails on an object.");
    }
    tw_gemma4_put_result(out, prompt->dialect, name_of(prompt, calls, result),
                         result->content);
}

/* Google's own shape: results on the message that calls. */
static void put_own_results(const gemma4_prompt *prompt,
                            const tw_value *results)
{
    tw_segments *out = prompt->out;
    for (const tw_value *at = results->first; at != NULL; at = at->next) {
        const tw_value *name = tw_value_member(at, "name");
        const tw_value *response = tw_value_member(at, "response");
        if (name != NULL &&
            (name->kind != TW_VALUE_STRING || name->size == 0)) {
            if (prompt->dialect->needs_names || tw_value_is_true(name)) {
                tw_encode_defect(out, name,
                                 "The template fails on this name.");
            }
            name = NULL;
        }
        if (response == NULL) {
            tw_encode_defect(out, at, "The template needs a response here.");
        }
        tw_gemma4_put_response(out, name, response);
    }
}

/* ... or NULL. */
static const tw_value *own_results(const tw_message *message)
{
    const tw_value *own = tw_value_member(message->value, "tool_responses");
    return own != NULL && own->kind == TW_VALUE_ARRAY && own->first != NULL
               ? own
               : NULL;
}

/* The results of the calls of message |at|; are there any? */
static bool put_results(gemma4_prompt *prompt, const tw_message *message,
                        size_t at)
{
    const tw_value *own = own_results(message);
    if (own != NULL) {
        put_own_results(prompt, own);
        return true;
    }
    if (message->call_count == 0) {
        return false;
    }
    prompt->answered = skip_results(prompt, at + 1);
    const own_calls calls = calls_of(prompt->conversation, message);
    for (size_t i = at + 1; i < prompt->answered; i++) {
        put_result(prompt, &calls, message_at(prompt, i), i - at - 1);
    }
    return prompt->answered > at + 1;
}

/* ---- turns -------------------------------------------------------------- */

/* What of a message reads back under its name. */
static bool is_carried(const gemma4_prompt *prompt, const tw_message *message,
                       const tw_value *member)
{
    if (tw_value_has_key(member, "role") ||
        tw_value_has_key(member, "content")) {
        return true;
    }
    if (message->role != TW_ROLE_ASSISTANT) {
        return false;
    }
    if (tw_value_has_key(member, "reasoning_content")) {
        return member->kind == TW_VALUE_STRING && member->size > 0;
    }
    return message->call_count > 0 &&
           (tw_value_has_key(member, "tool_calls") ||
            tw_call_of(prompt->conversation, message, 0)->value == member);
}

static void report_others(const gemma4_prompt *prompt,
                          const tw_message *message)
{
    for (const tw_value *member = message->value->first; member != NULL;
         member = member->next) {
        if (!is_carried(prompt, message, member)) {
            tw_encode_loss(prompt->out, tw_loss_of_member(member), member,
                           NULL);
        }
    }
}

/* Three roles read back; a system's other turns may have its name, too. */
static void report_role(const gemma4_prompt *prompt, const tw_message *message)
{
    if (message->role == TW_ROLE_DEVELOPER) {
        tw_encode_loss(prompt->out, TW_LOSS_ROLE_CHANGED, message->role_name,
                       "The role reads back as `system`.");
    } else if (message->role == TW_ROLE_OTHER) { /* model, as family.c says */
        tw_encode_loss(prompt->out, TW_LOSS_ROLE_CHANGED, message->role_name,
                       "The role reads back as `assistant`.");
    }
}

/* The message becomes a part of the one before: both differ. */
static void report_joined(const gemma4_prompt *prompt,
                          const tw_message *message)
{
    const tw_value *content = tw_value_member(prompt->whole->value, "content");
    if (content != NULL && tw_value_is_true(message->content)) {
        tw_encode_loss(
            prompt->out, TW_LOSS_CONTENT_MOVED, content,
            "The text of the next message reads back as this one's.");
    }
    tw_encode_loss(prompt->out, TW_LOSS_MESSAGE_MERGED, message->value, NULL);
}

/* false: it stands in the turn that is open. */
static bool begin_turn(gemma4_prompt *prompt, const tw_message *message)
{
    tw_segments *out = prompt->out;
    const bool assistant = message->role == TW_ROLE_ASSISTANT;
    if (assistant && prompt->continues) {
        if (prompt->last == LAST_OTHER) {
            report_joined(prompt, message);
        }
        if (!prompt->closed) {
            return false;
        }
        tw_encode_defect(out, message->value,
                         "The template begins no turn here.");
    }
    tw_out(out, TW_GEMMA4_TURN);
    if (assistant) {
        tw_out(out, "model");
    } else {
        tw_out_text(out, message->role_name);
    }
    tw_out(out, "\n");
    return true;
}

static void end_turn(gemma4_prompt *prompt, const tw_message *message,
                     size_t next, bool some, bool results)
{
    const tw_gemma4_dialect *dialect = prompt->dialect;
    const bool follows = next < tw_message_count(prompt->conversation);
    const bool goes_on =
        message->role == TW_ROLE_ASSISTANT && is_assistant(prompt, next);
    const bool alone = message->call_count == 0 && !results;
    prompt->closed = false;
    if (prompt->last == LAST_CALL) {
        tw_out(prompt->out, TW_GEMMA4_RESULT);
    } else if (goes_on && (alone || dialect->closes_results)) {
        tw_out(prompt->out, dialect->feed_joins_texts ? "\n" : "");
    } else if (some || !results || (dialect->closes_results && follows)) {
        tw_out(prompt->out, TW_GEMMA4_TURN_END "\n");
        prompt->closed = true;
    }
}

/* The text of a message stands behind its calls and their results.  Where the
 * model goes on behind that, the template makes one text of two or loses the
 * head of a turn. */
static tw_gemma4_written put_content(const gemma4_prompt *prompt,
                                     const tw_message *message, bool in_front)
{
    tw_segments *out = prompt->out;
    const bool model = message->role == TW_ROLE_ASSISTANT ||
                       tw_value_is(message->role_name, "model");
    const tw_gemma4_written written =
        tw_gemma4_put_content(out, prompt->dialect, message->content, model);
    if (written.some && in_front) {
        tw_encode_defect(out, message->content,
                         "The template puts the text behind the results, into "
                         "what the model says next.");
    } else if (written.some && prompt->last == LAST_RESULT) {
        tw_encode_loss(out, TW_LOSS_CONTENT_MOVED, message->content,
                       "The text reads back behind the results.");
    }
    return written;
}

static void put_calls(const gemma4_prompt *prompt, const tw_message *message)
{
    for (size_t i = 0; i < message->call_count; i++) {
        put_call(prompt, tw_call_of(prompt->conversation, message, i), i);
    }
}

static void put_message(gemma4_prompt *prompt, size_t at)
{
    const tw_message *message = message_at(prompt, at);
    const size_t next = skip_results(prompt, at + 1);
    const bool answered = own_results(message) != NULL ||
                          (message->call_count > 0 && next > at + 1);
    /* One rendering, whether the model has gone on by now or is to. */
    const tw_conversation *conversation = prompt->conversation;
    const bool in_front = answered && (is_assistant(prompt, next) ||
                                       (conversation->generation_prompt &&
                                        next == tw_message_count(conversation)));
    tw_gemma4_written behind = {false, false};
    report_role(prompt, message);
    const bool joined = prompt->last == LAST_OTHER;
    const bool head = begin_turn(prompt, message);
    if (head || !joined) {
        prompt->whole = message;
    }
    const size_t begin = prompt->out->text.size;
    report_others(prompt, message);
    put_reasoning(prompt, message, at);
    prompt->last = LAST_OTHER;
    if (in_front) {
        put_content(prompt, message, true);
    }
    put_calls(prompt, message);
    if (put_results(prompt, message, at)) {
        prompt->last = LAST_RESULT;
    } else if (message->call_count > 0) {
        prompt->last = LAST_CALL;
    }
    if (!in_front) {
        behind = put_content(prompt, message, false);
    }
    if (!head && prompt->out->text.size == begin) {
        tw_encode_loss(prompt->out, TW_LOSS_EMPTY_TEXT, message->value,
                       "An empty message in an open turn does not read back.");
    }
    const bool results = prompt->last == LAST_RESULT;
    if (behind.media && prompt->dialect->media_ends_calls) {
        prompt->last = LAST_OTHER;
    }
    end_turn(prompt, message, next, behind.some, results);
    prompt->continues = message->role == TW_ROLE_ASSISTANT;
}

/* ---- the system turn, the end ------------------------------------------- */

static void put_system(gemma4_prompt *prompt)
{
    const tw_conversation *conversation = prompt->conversation;
    tw_segments *out = prompt->out;
    const bool any = tw_message_count(conversation) > 0;
    const tw_message *first = any ? message_at(prompt, 0) : NULL;
    const bool given = any && (first->role == TW_ROLE_SYSTEM ||
                               first->role == TW_ROLE_DEVELOPER);
    const tw_value *tool =
        conversation->tools != NULL ? conversation->tools->first : NULL;
    if (!given && tool == NULL && !prompt->thinking) {
        return;
    }
    tw_out(out, TW_GEMMA4_TURN "system\n");
    tw_out(out, prompt->thinking ? TW_GEMMA4_THINK "\n" : "");
    if (given) {
        const size_t begin = out->text.size;
        report_role(prompt, first);
        report_others(prompt, first);
        tw_gemma4_put_system(out, first->content);
        prompt->begin = 1;
        if (out->text.size == begin && (tool != NULL || prompt->thinking)) {
            tw_encode_loss(
                out, TW_LOSS_EMPTY_TEXT, first->value,
                "Empty text in a turn that holds more does not read back.");
        }
    }
    for (; tool != NULL; tool = tool->next) {
        tw_gemma4_declare(out, prompt->dialect, tool);
    }
    tw_out(out, TW_GEMMA4_TURN_END "\n");
}

static void put_generation_prompt(const gemma4_prompt *prompt)
{
    const tw_gemma4_dialect *dialect = prompt->dialect;
    tw_segments *out = prompt->out;
    const bool lost = prompt->last == LAST_RESULT && prompt->closed;
    if (lost) {
        const size_t last = prompt->conversation->messages.size;
        const tw_message *message =
            message_at(prompt, last / sizeof *message - 1);
        tw_encode_defect(out, message->value,
                         "The template begins no turn behind this message.");
    }
    if (prompt->last == LAST_OTHER || lost) {
        tw_out(out, TW_GEMMA4_MODEL);
        if (dialect->empty_thought && !prompt->thinking) {
            tw_out(out, TW_GEMMA4_THOUGHT TW_GEMMA4_CHANNEL_END);
        }
    } else if (prompt->last == LAST_RESULT && dialect->opens_thought &&
               prompt->thinking) {
        tw_out(out, TW_GEMMA4_THOUGHT);
    }
}

static size_t behind_queries(const tw_conversation *conversation)
{
    size_t at = tw_message_count(conversation);
    while (at > 0 &&
           tw_message_at(conversation, at - 1)->role != TW_ROLE_USER) {
        at--;
    }
    return at;
}

static gemma4_prompt prompt_of(const tw_format *format,
                               const tw_conversation *conversation,
                               tw_segments *out)
{
    const tw_gemma4_dialect *dialect = format->row;
    gemma4_prompt prompt = {0};
    prompt.dialect = dialect;
    prompt.conversation = conversation;
    prompt.out = out;
    prompt.thinking = tw_conversation_flag(conversation, "enable_thinking",
                                           dialect->thinking);
    prompt.preserve = tw_conversation_flag(conversation, "preserve_thinking",
                                           dialect->thinking);
    prompt.no_query = behind_queries(conversation);
    return prompt;
}

static void put_messages(gemma4_prompt *prompt)
{
    const size_t count = tw_message_count(prompt->conversation);
    for (size_t i = prompt->begin; i < count; i++) {
        const tw_message *message = message_at(prompt, i);
        if (message->role != TW_ROLE_TOOL) {
            put_message(prompt, i);
        } else if (i >= prompt->answered) {
            tw_encode_loss(prompt->out, TW_LOSS_RESULT_UNMATCHED,
                           message->value, NULL);
        }
    }
}

void tw_gemma4_encode(const tw_format *format,
                      const tw_conversation *conversation, tw_segments *out)
{
    gemma4_prompt prompt = prompt_of(format, conversation, out);
    tw_out(out, TW_GEMMA4_BOS);
    put_system(&prompt);
    put_messages(&prompt);
    if (conversation->generation_prompt) {
        put_generation_prompt(&prompt);
    }
}

void tw_gemma4_complete(const tw_format *format,
                        const tw_conversation *conversation, tw_segments *out)
{
    gemma4_prompt prompt = prompt_of(format, conversation, out);
    put_messages(&prompt);
}

/* ---- dialects ----------------------------------------------------------- */

const tw_gemma4_dialect tw_gemma4_official = {
    .empty_thought = true,
    .opens_thought = true,
    .answers_thought = true,
    .closes_results = true,
    .url_parts = true,
    .needs_types = true,
};

const tw_gemma4_dialect tw_gemma4_e = {
    .opens_thought = true,
    .answers_thought = true,
    .closes_results = true,
    .url_parts = true,
    .needs_types = true,
};

const tw_gemma4_dialect tw_gemma4_fork = {
    .thinking = true,
    .empty_thought = true,
    .feed_joins_texts = true,
    .media_ends_calls = true,
    .needs_names = true,
};
