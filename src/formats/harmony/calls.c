/* SPDX-License-Identifier: MIT
 *
 * Calls and results as Harmony messages, and the names in their headers.
 */
#include <string.h>

#include "formats/harmony/harmony.h"
#include "formats/harmony/encode.h"

/* ---- names -------------------------------------------------------------- */

static void cannot_name(const tw_harmony_prompt *prompt, const tw_value *name,
                        uint64_t offset, const char *message)
{
    if (prompt->out->control_text != TW_CONTROL_TEXT_ALLOW) {
        tw_segments_refuse(prompt->out, TW_ERROR_CANNOT_CARRY, name, offset,
                           message);
    }
}

/* A word of a header: what would end it or be cut off cannot be in it. */
static void put_name(const tw_harmony_prompt *prompt, const tw_value *name)
{
    const uint8_t *begin = (const uint8_t *)name->text;
    const uint8_t *limit = begin + name->size;
    for (const uint8_t *at = begin; at < limit; at++) {
        if (*at <= 0x20 || *at == 0x7F || *at == '<' ||
            tw_harmony_ws_at(at, limit) > 0) {
            cannot_name(prompt, name, (uint64_t)(at - begin),
                        "a header cannot hold this in a name");
            break;
        }
    }
    if (name->size == 0 || limit[-1] == '.') {
        cannot_name(prompt, name, name->size,
                    "a header needs a name behind the last dot");
    }
    tw_out_text(prompt->out, name);
}

/* A word behind which the header goes on: at a `{` the decoder takes it that
 * the arguments begin. */
static void put_word(const tw_harmony_prompt *prompt, const tw_value *word)
{
    enum { LIMIT = 256 }; /* of names, unless a decoder is told another */
    const char *brace =
        word->size > 0 ? memchr(word->text, '{', word->size) : NULL;
    if (brace != NULL) {
        cannot_name(prompt, word, (uint64_t)(brace - word->text),
                    "a header ends at a brace in a name");
    }
    if (word->size > LIMIT) {
        cannot_name(prompt, word, LIMIT,
                    "decoders refuse a name of more than 256 bytes");
    }
    put_name(prompt, word);
}

static bool is_declared(const tw_harmony_prompt *prompt, const tw_value *name)
{
    const tw_value *tools = prompt->conversation->tools;
    const tw_value *at = tools != NULL ? tools->first : NULL;
    for (; at != NULL; at = at->next) {
        const tw_value *other = tw_value_member(tw_tool_function(at), "name");
        if (other->size == name->size &&
            memcmp(other->text, name->text, name->size) == 0) {
            return true;
        }
    }
    return false;
}

bool tw_harmony_has_builtin(const tw_harmony_prompt *prompt, const char *name)
{
    const tw_value *list =
        tw_conversation_setting(prompt->conversation, "builtin_tools");
    const tw_value *at =
        list != NULL && list->kind == TW_VALUE_ARRAY ? list->first : NULL;
    while (at != NULL && !tw_value_is(at, name)) {
        at = at->next;
    }
    return at != NULL;
}

/* A function of the built-in browser.  The chat template puts all names into
 * the namespace `functions`. */
static bool is_browser(const tw_harmony_prompt *prompt, const tw_value *name)
{
    static const char front[] = "browser.";
    return !tw_harmony_is_jinja(prompt) && name->size > sizeof front - 1 &&
           memcmp(name->text, front, sizeof front - 1) == 0 &&
           tw_harmony_has_builtin(prompt, "browser") &&
           !is_declared(prompt, name);
}

/* Does the name stand in no namespace? */
static bool is_bare(const tw_harmony_prompt *prompt, const tw_call *call)
{
    return call->input != NULL || is_browser(prompt, call->name);
}

/* The decoder takes a declared name for the whole one where no further byte of
 * a name follows it. */
static bool is_read_as_another(const tw_harmony_prompt *prompt,
                               const tw_value *name)
{
    const tw_value *tools = prompt->conversation->tools;
    const tw_value *at = tools != NULL ? tools->first : NULL;
    bool another = false;
    size_t plain = 0;
    while (plain < name->size && tw_is_name_byte((uint8_t)name->text[plain])) {
        plain++;
    }
    if (plain == name->size) {
        return false;
    }
    for (; at != NULL && !another; at = at->next) {
        const tw_value *other = tw_value_member(tw_tool_function(at), "name");
        another = other->size > 0 && other->size < name->size &&
                  memcmp(other->text, name->text, other->size) == 0 &&
                  !tw_is_name_byte((uint8_t)name->text[other->size]);
    }
    return another && !is_declared(prompt, name);
}

static void put_tool_name(const tw_harmony_prompt *prompt,
                          const tw_value *name, bool bare)
{
    static const char space[] = "functions.";
    if (bare && name->size >= sizeof space - 1 &&
        memcmp(name->text, space, sizeof space - 1) == 0) {
        cannot_name(prompt, name, 0,
                    "the name reads back without `functions.`");
    }
    if (is_read_as_another(prompt, name)) {
        cannot_name(prompt, name, 0,
                    "the name reads back as that of a declared tool");
    }
    tw_out(prompt->out, bare ? "" : space);
    put_word(prompt, name);
}

/* `assistant`, or with the author's own name. */
void tw_harmony_put_author(const tw_harmony_prompt *prompt,
                           const tw_message *message, const char *role)
{
    const tw_value *name = tw_value_member(message->value, "name");
    tw_out(prompt->out, "<|start|>");
    tw_out(prompt->out, role);
    if (name == NULL || name->kind != TW_VALUE_STRING || name->size == 0) {
        return;
    }
    if (!tw_harmony_is_jinja(prompt)) {
        tw_out(prompt->out, ":");
        put_name(prompt, name);
    }
}

void tw_harmony_put_part(tw_harmony_prompt *prompt, const tw_message *message,
                         tw_harmony_part part)
{
    if (prompt->writer != message &&
        !tw_harmony_begins_message(prompt->before, part)) {
        tw_encode_loss(prompt->out, TW_LOSS_MESSAGE_MERGED, message->value,
                       NULL);
    }
    prompt->writer = message;
    prompt->before = part;
    tw_harmony_put_author(prompt, message, "assistant");
}

void tw_harmony_report_no_text(const tw_harmony_prompt *prompt,
                               const tw_message *message)
{
    const tw_value *given = tw_value_member(message->value, "content");
    if (message->content == NULL && !tw_harmony_is_jinja(prompt)) {
        tw_encode_loss(prompt->out, TW_LOSS_EMPTY_TEXT,
                       given != NULL ? given : message->value, NULL);
    }
}

/* ---- calls -------------------------------------------------------------- */

static void put_arguments(const tw_harmony_prompt *prompt, const tw_call *call)
{
    tw_segments *out = prompt->out;
    const tw_value *given = call->given;
    const size_t begin = out->text.size;
    if (tw_harmony_is_jinja(prompt) || given == NULL ||
        call->arguments == NULL || given->kind != TW_VALUE_STRING) {
        tw_encode_arguments(out, call);
        return;
    }
    tw_out_json_text(out, given);
    const char first = given->text[0];
    const char last = given->text[given->size - 1];
    if (out->text.size - begin != given->size || first != '{' || last != '}') {
        tw_encode_loss(out, TW_LOSS_ARGUMENTS_SPELLING, given, NULL);
    }
}

/* Not NULL: what the chat template writes for `json`. */
static const tw_value *own_content_type(const tw_harmony_prompt *prompt,
                                        const tw_call *call)
{
    const tw_value *type = tw_value_member(call->name->parent, "content_type");
    return tw_harmony_is_jinja(prompt) && type != NULL &&
                   type->kind == TW_VALUE_STRING
               ? type
               : NULL;
}

static void put_content_type(const tw_harmony_prompt *prompt,
                             const tw_call *call)
{
    const tw_value *own = own_content_type(prompt, call);
    if (own == NULL) {
        tw_out(prompt->out,
               tw_harmony_is_jinja(prompt) ? "json" : "<|constrain|>json");
        return;
    }
    put_word(prompt, own);
    tw_encode_loss(prompt->out, TW_LOSS_MEMBER_DROPPED, own,
                   "The content type does not read back.");
}

/* Free text has a message of its own; `python` is known to take it. */
static void put_input(const tw_harmony_prompt *prompt, const tw_call *call)
{
    static const char *const authors[] = {
        "assistant", "user", "all", "system", "developer", "functions"};
    for (size_t i = 0; i < sizeof authors / sizeof authors[0]; i++) {
        if (tw_value_is(call->name, authors[i])) {
            cannot_name(prompt, call->name, 0, "this is no tool's name");
        }
    }
    if (tw_harmony_is_jinja(prompt)) {
        tw_harmony_template_fails(prompt, call->value);
    }
    if (!tw_value_is(call->name, "python")) {
        tw_encode_loss(
            prompt->out, TW_LOSS_CALL_FORM, call->value,
            "Only the free text of `python` reads back as free text.");
    }
    tw_out_text(prompt->out, call->input);
}

static void put_call(tw_harmony_prompt *prompt, const tw_message *message,
                     const tw_call *call, size_t index)
{
    tw_segments *out = prompt->out;
    const bool bare = is_bare(prompt, call);
    tw_harmony_put_part(prompt, message, TW_PART_CALL);
    tw_out(out, " to=");
    put_tool_name(prompt, call->name, bare);
    if (bare) {
        tw_out(out, "<|channel|>analysis code");
    } else {
        tw_out(out, "<|channel|>commentary ");
        put_content_type(prompt, call);
    }
    tw_out(out, "<|message|>");
    if (call->input != NULL) {
        put_input(prompt, call);
    } else {
        put_arguments(prompt, call);
    }
    tw_out(out, "<|call|>");
    if (call->id != NULL && !tw_id_is_counted(call->id, index)) {
        tw_encode_loss(out, TW_LOSS_CALL_ID, call->id, NULL);
    }
}

void tw_harmony_put_calls(tw_harmony_prompt *prompt, const tw_message *message)
{
    const tw_value *calls = tw_value_member(message->value, "tool_calls");
    if (tw_harmony_is_jinja(prompt) &&
        (calls == NULL || message->call_count > 1)) {
        tw_encode_defect(prompt->out, calls != NULL ? calls : message->value,
                         "The template leaves out calls.");
    }
    for (size_t i = 0; i < message->call_count; i++) {
        const tw_call *call = tw_call_of(prompt->conversation, message, i);
        put_call(prompt, message, call, i);
        if (calls == NULL && !tw_harmony_is_jinja(prompt)) {
            tw_encode_loss(prompt->out, TW_LOSS_CALL_FORM, call->value,
                           "The call reads back in `tool_calls`.");
        }
        prompt->last = call;
    }
    prompt->last_name = tw_call_of(prompt->conversation, message, 0)->name;
}

/* ---- results ------------------------------------------------------------ */

static bool is_same_name(const tw_value *left, const tw_value *right)
{
    return left != NULL && right != NULL && left->size == right->size &&
           memcmp(left->text, right->text, left->size) == 0;
}

static void no_memory(const tw_harmony_prompt *prompt)
{
    tw_segments_refuse(prompt->out, TW_ERROR_MEMORY, NULL, 0, "no memory");
}

/* The first result behind a message: its calls. */
static void begin_results(tw_harmony_prompt *prompt)
{
    const tw_message *writer = prompt->writer;
    const size_t count = writer != NULL ? writer->call_count : 0;
    bool good = true;
    tw_answers_reset(&prompt->answers);
    for (size_t i = 0; i < count && good; i++) {
        const tw_value *name =
            tw_call_of(prompt->conversation, writer, i)->name;
        good =
            tw_answers_add(&prompt->answers, name != NULL ? name->text : NULL,
                           name != NULL ? name->size : 0);
    }
    if (!good || !tw_answers_begin(&prompt->answers)) {
        no_memory(prompt);
    }
}

/* The number of the call that the result is read back as one of: the next of
 * its name in the message before it, else by its place. */
static size_t read_back(tw_harmony_prompt *prompt, const tw_value *name)
{
    const size_t place = prompt->results++;
    if (place == 0) {
        begin_results(prompt);
    }
    return name != NULL && prompt->out->code == TW_OK
               ? tw_answers_next(&prompt->answers, name->text, name->size,
                                 place)
               : place;
}

static void note_result(tw_harmony_prompt *prompt, const tw_message *message,
                        const tw_value *name)
{
    tw_segments *out = prompt->out;
    const size_t number = read_back(prompt, name);
    if (message->name != NULL) {
        tw_encode_loss(out, TW_LOSS_RESULT_NAME, message->name,
                       "The result reads back with the name of its call.");
    }
    if (message->id != NULL && !tw_id_is_counted(message->id, number)) {
        tw_encode_loss(out, TW_LOSS_CALL_ID, message->id, NULL);
    }
    if (tw_value_is(message->role_name, "function") &&
        !tw_harmony_is_jinja(prompt)) {
        tw_encode_loss(out, TW_LOSS_ROLE_CHANGED, message->role_name,
                       "The role reads back as `tool`.");
    }
    if (name == NULL && !tw_harmony_is_jinja(prompt)) {
        tw_encode_defect(out, message->value, "The renderer fails here.");
    }
    if (tw_harmony_is_jinja(prompt) && prompt->last_name == NULL) {
        tw_harmony_template_fails(prompt, message->value);
    } else if (tw_harmony_is_jinja(prompt) &&
               !is_same_name(name, prompt->last_name)) {
        tw_encode_defect(out, message->value,
                         "The template takes the result for the last call's.");
    }
    if (tw_harmony_is_jinja(prompt) &&
        tw_value_is(message->role_name, "function")) {
        tw_encode_defect(out, message->role_name,
                         "The template leaves out messages of this role.");
    }
}

static void put_result_body(const tw_harmony_prompt *prompt,
                            const tw_message *message)
{
    const tw_value *content = tw_value_member(message->value, "content");
    if (!tw_harmony_is_jinja(prompt)) {
        tw_harmony_report_no_text(prompt, message);
        tw_encode_content(prompt->out, message->content);
    } else if (content != NULL) {
        tw_out_json(prompt->out, content);
        if (content->kind != TW_VALUE_STRING) {
            tw_encode_loss(prompt->out, TW_LOSS_PARTS_JOINED, content,
                           "The content reads back as text.");
        }
    } else {
        tw_harmony_template_fails(prompt, message->value);
        tw_out(prompt->out, "\"\"");
    }
}

/* It belongs to the call with its id, else to that of its name, else to the
 * last one. */
void tw_harmony_put_result(tw_harmony_prompt *prompt,
                           const tw_message *message, size_t at)
{
    tw_segments *out = prompt->out;
    const tw_call *answered =
        tw_conversation_answered(prompt->conversation, at);
    const tw_call *call = answered != NULL        ? answered
                          : message->name == NULL ? prompt->last
                                                  : NULL;
    const tw_value *name = call != NULL ? call->name : message->name;
    const bool bare = call != NULL ? is_bare(prompt, call)
                                   : name != NULL && is_browser(prompt, name);
    tw_out(out, "<|start|>");
    if (name != NULL) {
        put_tool_name(prompt, name, bare);
    } else {
        tw_out(out, "tool");
    }
    tw_out(out, " to=assistant<|channel|>");
    tw_out(out, bare ? "analysis<|message|>" : "commentary<|message|>");
    put_result_body(prompt, message);
    tw_out(out, "<|end|>");
    note_result(prompt, message, name);
}
