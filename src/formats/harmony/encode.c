/* SPDX-License-Identifier: MIT
 *
 * A conversation as a Harmony prompt.  What a message says is spread over
 * several on the wire: its reasoning, its text and each of its calls.
 */
#include "formats/harmony/encode.h"

#include <string.h>

static void note_author(const tw_harmony_prompt *prompt,
                        const tw_message *message)
{
    const tw_value *name = tw_value_member(message->value, "name");
    const bool text =
        name != NULL && name->kind == TW_VALUE_STRING && name->size > 0;
    if (name != NULL && name->kind != TW_VALUE_NULL &&
        (!text || tw_harmony_is_jinja(prompt) ||
         message->role != TW_ROLE_USER)) {
        tw_encode_loss(prompt->out, TW_LOSS_AUTHOR_NAME, name, NULL);
    }
}

/* ---- the system message ------------------------------------------------- */

static void put_setting(const tw_harmony_prompt *prompt, const char *name,
                        const char *otherwise)
{
    const tw_value *setting =
        tw_conversation_setting(prompt->conversation, name);
    if (setting != NULL && setting->kind == TW_VALUE_STRING) {
        tw_out_text(prompt->out, setting);
    } else {
        tw_out(prompt->out, otherwise);
    }
}

static void put_builtins(const tw_harmony_prompt *prompt)
{
    const bool browser = tw_harmony_has_builtin(prompt, "browser");
    const bool python = tw_harmony_has_builtin(prompt, "python");
    const bool heading = tw_harmony_is_jinja(prompt) &&
                         tw_value_is_true(tw_conversation_setting(
                             prompt->conversation, "builtin_tools"));
    tw_out(prompt->out, browser || python || heading ? "# Tools\n\n" : "");
    tw_out(prompt->out, browser ? tw_harmony_browser : "");
    tw_out(prompt->out, python ? tw_harmony_python : "");
}

static void put_system(const tw_harmony_prompt *prompt)
{
    tw_segments *out = prompt->out;
    const tw_value *date =
        tw_conversation_setting(prompt->conversation, "date");
    tw_out(out, "<|start|>system<|message|>");
    if (prompt->dialect->system != NULL) {
        tw_out(out, prompt->dialect->system);
        tw_out(out, "<|end|>");
        return;
    }
    put_setting(prompt, "model_identity",
                "You are ChatGPT, a large language model trained by OpenAI.");
    tw_out(out, "\nKnowledge cutoff: 2024-06\n");
    if (date != NULL && date->kind == TW_VALUE_STRING) {
        tw_out(out, "Current date: ");
        tw_out_text(out, date);
        tw_out(out, "\n");
    }
    tw_out(out, "\nReasoning: ");
    put_setting(prompt, "reasoning_effort", "medium");
    tw_out(out, "\n\n");
    put_builtins(prompt);
    tw_out(out, "# Valid channels: analysis, commentary, final. Channel must "
                "be included for every message.");
    if (prompt->conversation->tools != NULL) {
        tw_out(out, "\nCalls to these tools must go to the commentary "
                    "channel: 'functions'.");
    }
    tw_out(out, "<|end|>");
}

/* ---- the developer's message -------------------------------------------- */

/* The text of a message that always has some when it is read back. */
static void put_body(const tw_harmony_prompt *prompt,
                     const tw_message *message)
{
    tw_harmony_report_no_text(prompt, message);
    if (tw_harmony_is_jinja(prompt) &&
        (message->content == NULL ||
         message->content->kind != TW_VALUE_STRING)) {
        tw_harmony_template_fails(prompt, message->content != NULL
                                              ? message->content
                                              : message->value);
    }
    tw_encode_content(prompt->out, message->content);
}

/* Is there text?  Where there is none, parts that are no text are lost. */
static bool has_text(const tw_harmony_prompt *prompt,
                     const tw_message *message)
{
    if (tw_encode_has_content(message->content)) {
        return true;
    }
    tw_encode_content(prompt->out, message->content);
    return false;
}

static void note_developer(const tw_harmony_prompt *prompt,
                           const tw_message *message, bool text)
{
    if (!text) {
        tw_encode_loss(prompt->out, TW_LOSS_EMPTY_TEXT, message->value,
                       "An empty system message is not written.");
    } else if (message->role == TW_ROLE_DEVELOPER) {
        tw_encode_loss(prompt->out, TW_LOSS_ROLE_CHANGED, message->role_name,
                       "The role reads back as `system`.");
    }
}

/* Text in which tools are declared as the template declares them is read back
 * as tools. */
static void note_tools(const tw_harmony_prompt *prompt,
                       const tw_message *message, size_t from, size_t to)
{
    const tw_buffer *text = &prompt->out->text;
    if (prompt->out->code == TW_OK && text->size > from &&
        tw_harmony_find_tools((const char *)text->data + from,
                              text->size - from) != to - from) {
        tw_encode_loss(prompt->out, TW_LOSS_CONTENT_MISREAD, message->content,
                       "The text reads back as a declaration of tools.");
    }
}

static void put_developer(const tw_harmony_prompt *prompt,
                          const tw_message *message, const tw_value *tools)
{
    tw_segments *out = prompt->out;
    const bool text = message != NULL && has_text(prompt, message);
    size_t from = 0;
    size_t to = 0;
    if (message != NULL) {
        note_developer(prompt, message, text);
    }
    if (!text && tools == NULL) {
        return;
    }
    tw_out(out, "<|start|>developer<|message|>");
    if (text) {
        tw_out(out, "# Instructions\n\n");
        from = out->text.size;
        put_body(prompt, message);
        to = out->text.size;
        tw_out(out,
               tw_harmony_is_jinja(prompt) || tools != NULL ? "\n\n" : "");
    }
    if (tools != NULL) {
        tw_out(out, "# Tools\n\n");
        if (tw_harmony_is_jinja(prompt)) {
            tw_harmony_put_types(out, prompt->dialect, tools);
        } else {
            tw_harmony_put_namespace(out, prompt->dialect, tools);
        }
    }
    if (text) {
        note_tools(prompt, message, from, tools != NULL ? to : out->text.size);
    }
    tw_out(out, "<|end|>");
}

/* ---- an assistant's message --------------------------------------------- */

static void put_visible(tw_harmony_prompt *prompt, const tw_message *message,
                        tw_harmony_part part, const char *end)
{
    static const char *const heads[] = {
        [TW_PART_REASONING] = "<|channel|>analysis<|message|>",
        [TW_PART_COMMENTARY] = "<|channel|>commentary<|message|>",
        [TW_PART_ANSWER] = "<|channel|>final<|message|>"};
    tw_harmony_put_part(prompt, message, part);
    tw_out(prompt->out, heads[part]);
    tw_encode_content(prompt->out, message->content);
    tw_out(prompt->out, end);
}

/* Reasoning, unless a rule drops what was thought before an answer. */
static void put_reasoning(tw_harmony_prompt *prompt, const tw_message *message,
                          bool dropped)
{
    if (message->reasoning == NULL) {
        return;
    }
    if (dropped && !prompt->preserve) {
        tw_encode_old_reasoning(prompt->out, prompt->conversation, message,
                                message->reasoning);
        return;
    }
    tw_harmony_put_part(prompt, message, TW_PART_REASONING);
    tw_out(prompt->out, "<|channel|>analysis<|message|>");
    tw_out_text(prompt->out, message->reasoning);
    tw_out(prompt->out, "<|end|>");
}

/* Text is read back only where there is some. */
static void note_empty(const tw_harmony_prompt *prompt,
                       const tw_message *message)
{
    const tw_value *content = message->content;
    if (content != NULL && !tw_encode_has_content(content) &&
        (content->kind == TW_VALUE_STRING ||
         content->kind == TW_VALUE_ARRAY)) {
        tw_encode_loss(prompt->out, TW_LOSS_EMPTY_TEXT, content, NULL);
    }
}

/* Without calls a message is an answer, if it is not all reasoning. */
static bool is_answer(const tw_message *message)
{
    return message->role == TW_ROLE_ASSISTANT && message->call_count == 0 &&
           (message->content != NULL || message->reasoning == NULL);
}

/* The answer that a text for training ends with is ended as the model ends
 * it: render_conversation_for_training(). */
static bool is_training_end(const tw_harmony_prompt *prompt, size_t at)
{
    return at + 1 == tw_message_count(prompt->conversation) &&
           tw_conversation_flag(prompt->conversation, "training", false);
}

/* openai/harmony's. */
static void render_assistant(tw_harmony_prompt *prompt,
                             const tw_message *message, size_t at)
{
    const bool dropped = at < prompt->drop_before;
    if (dropped && message->call_count == 0 && !is_answer(message)) {
        tw_encode_loss(prompt->out, TW_LOSS_OLD_REASONING, message->value,
                       "The template leaves out the reasoning of earlier "
                       "turns; nothing is left of this message.");
        return;
    }
    put_reasoning(prompt, message, dropped);
    if (message->call_count > 0) {
        if (has_text(prompt, message)) {
            put_visible(prompt, message, TW_PART_COMMENTARY, "<|end|>");
        }
        tw_harmony_put_calls(prompt, message);
    } else if (is_answer(message)) {
        put_visible(prompt, message, TW_PART_ANSWER,
                    is_training_end(prompt, at) ? "<|return|>" : "<|end|>");
    }
}

/* The chat template takes text beside calls for reasoning, and fails where
 * there is reasoning, too. */
static void template_calls(tw_harmony_prompt *prompt,
                           const tw_message *message, size_t at)
{
    tw_segments *out = prompt->out;
    const bool dropped = at < prompt->drop_before;
    const bool text = has_text(prompt, message);
    const tw_value *content = tw_value_member(message->value, "content");
    if (content != NULL && content->kind != TW_VALUE_STRING) {
        tw_harmony_template_fails(prompt, content);
    }
    put_reasoning(prompt, message, dropped);
    if (text && message->reasoning != NULL) {
        tw_harmony_template_fails(prompt, message->content);
        put_visible(prompt, message, TW_PART_COMMENTARY, "<|end|>");
    } else if (text && dropped) {
        tw_encode_loss(
            out, TW_LOSS_CONTENT_DROPPED, message->content,
            "The template leaves out text beside the calls of earlier turns.");
    } else if (text) {
        put_visible(prompt, message, TW_PART_REASONING, "<|end|>");
        tw_encode_loss(out, TW_LOSS_CONTENT_MISREAD, message->content,
                       "The template writes the text as reasoning.");
    }
    tw_harmony_put_calls(prompt, message);
}

static void template_assistant(tw_harmony_prompt *prompt,
                               const tw_message *message, size_t at)
{
    const tw_conversation *conversation = prompt->conversation;
    const tw_value *thinking = tw_value_member(message->value, "thinking");
    const tw_value *calls = tw_value_member(message->value, "tool_calls");
    const bool trained = at + 1 == tw_message_count(conversation) &&
                         !conversation->generation_prompt;
    if (message->call_count > 0) {
        template_calls(prompt, message, at);
        return;
    }
    if (calls != NULL) {
        tw_harmony_template_fails(prompt, calls);
    }
    if (message->content == NULL ||
        message->content->kind != TW_VALUE_STRING) {
        tw_harmony_template_fails(prompt, message->content != NULL
                                              ? message->content
                                              : message->value);
    }
    if (message->reasoning == NULL && trained && thinking != NULL &&
        thinking->kind == TW_VALUE_STRING) {
        tw_harmony_put_part(prompt, message, TW_PART_REASONING);
        tw_out(prompt->out, "<|channel|>analysis<|message|><|end|>");
    }
    put_reasoning(prompt, message, !trained);
    put_visible(prompt, message, TW_PART_ANSWER,
                trained ? "<|return|>" : "<|end|>");
    prompt->last_name = NULL;
}

/* ---- all of it ---------------------------------------------------------- */

static bool is_system(const tw_message *message)
{
    return message->role == TW_ROLE_SYSTEM ||
           message->role == TW_ROLE_DEVELOPER;
}

/* openai/harmony drops, where the last message of an assistant is an answer,
 * what was thought before the first answer. */
static size_t first_answer(const tw_conversation *conversation)
{
    size_t i = tw_message_count(conversation);
    while (i > 0 &&
           tw_message_at(conversation, i - 1)->role != TW_ROLE_ASSISTANT) {
        i--;
    }
    if (i == 0 || !is_answer(tw_message_at(conversation, i - 1))) {
        return 0;
    }
    for (i = 0; !is_answer(tw_message_at(conversation, i));) {
        i++;
    }
    return i + 1;
}

/* The chat template drops what was thought before the last message that has
 * no calls. */
static size_t last_answer(const tw_conversation *conversation)
{
    size_t i = tw_message_count(conversation);
    for (; i > 0; i--) {
        const tw_message *message = tw_message_at(conversation, i - 1);
        if (message->role == TW_ROLE_ASSISTANT && message->call_count == 0) {
            break;
        }
    }
    return i;
}

static void put_message(tw_harmony_prompt *prompt, size_t at)
{
    const tw_message *message = tw_message_at(prompt->conversation, at);
    if (message->role != TW_ROLE_TOOL) {
        prompt->results = 0;
    }
    switch (message->role) {
    case TW_ROLE_SYSTEM:
    case TW_ROLE_DEVELOPER:
        if (tw_harmony_is_jinja(prompt)) {
            tw_encode_loss(prompt->out, TW_LOSS_MESSAGE_DROPPED,
                           message->value,
                           "The template leaves out a system message that is "
                           "not the first.");
        } else {
            put_developer(prompt, message, NULL);
            note_author(prompt, message);
            if (tw_encode_has_content(message->content)) {
                prompt->before = TW_PART_NONE;
            }
        }
        break;
    case TW_ROLE_USER:
        tw_harmony_put_author(prompt, message, "user");
        tw_out(prompt->out, "<|message|>");
        put_body(prompt, message);
        tw_out(prompt->out, "<|end|>");
        note_author(prompt, message);
        prompt->before = TW_PART_NONE;
        break;
    case TW_ROLE_ASSISTANT:
        if (tw_harmony_is_jinja(prompt)) {
            template_assistant(prompt, message, at);
        } else {
            render_assistant(prompt, message, at);
        }
        note_author(prompt, message);
        note_empty(prompt, message);
        break;
    default: /* TOOL: others are refused */
        tw_harmony_put_result(prompt, message, at);
        prompt->before = TW_PART_NONE;
        break;
    }
}

static tw_harmony_prompt prompt_of(const tw_format *format,
                                   const tw_conversation *conversation,
                                   tw_segments *out)
{
    tw_harmony_prompt prompt = {0};
    prompt.dialect = format->row;
    prompt.conversation = conversation;
    prompt.out = out;
    tw_answers_init(&prompt.answers, out->memory);
    prompt.preserve =
        format->settings != NULL &&
        tw_conversation_flag(conversation, "keep_reasoning", false);
    prompt.drop_before = prompt.preserve               ? 0
                         : tw_harmony_is_jinja(&prompt) ? last_answer(conversation)
                                                        : first_answer(conversation);
    return prompt;
}

void tw_harmony_encode(const tw_format *format,
                       const tw_conversation *conversation, tw_segments *out)
{
    const size_t count = tw_message_count(conversation);
    const tw_message *system =
        count > 0 && is_system(tw_message_at(conversation, 0))
            ? tw_message_at(conversation, 0)
            : NULL;
    tw_harmony_prompt prompt = prompt_of(format, conversation, out);
    put_system(&prompt);
    if (system != NULL) {
        note_author(&prompt, system);
    }
    if (count == 0 && tw_harmony_is_jinja(&prompt)) {
        tw_harmony_template_fails(&prompt, conversation->request.root);
    }
    put_developer(&prompt, system, conversation->tools);
    for (size_t i = system != NULL ? 1 : 0; i < count; i++) {
        put_message(&prompt, i);
    }
    if (conversation->generation_prompt) {
        tw_out(out, "<|start|>assistant");
    }
    tw_answers_free(&prompt.answers);
}

void tw_harmony_complete(const tw_format *format,
                         const tw_conversation *conversation, tw_segments *out)
{
    tw_harmony_prompt prompt = prompt_of(format, conversation, out);
    put_message(&prompt, 0);
    tw_answers_free(&prompt.answers);
}
