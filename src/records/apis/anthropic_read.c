/* SPDX-License-Identifier: MIT
 *
 * Anthropic's shape to OpenAI's.  Texts and images become parts, thinking
 * reasoning, results messages of their own in front of what the user says.
 */
#include "records/apis/anthropic_halves.h"
#include "records/apis/choice.h"

const char *const tw_anthropic_own[] = {
    "cache_control", "citations",           "caller",
    "is_error",      TW_ANTHROPIC_THINKING, NULL};

/* ---- blocks ------------------------------------------------------------- */

/* The string that a block of this type has under this key; NULL: it is
 * another. */
static const tw_value *text_of(const tw_value *block, const char *type,
                               const char *key)
{
    const tw_value *text = tw_value_member(block, key);
    return tw_value_is_a(text, TW_VALUE_STRING) &&
                   tw_value_is(tw_value_member(block, "type"), type)
               ? text
               : NULL;
}

static bool is_block(const tw_value *block, const char *type)
{
    return tw_value_is(tw_value_member(block, "type"), type);
}

static const tw_value *blocks_of(const tw_value *content)
{
    return tw_value_is_a(content, TW_VALUE_ARRAY) ? content->first : NULL;
}

/* Where an image is; NULL: it is none, or one that only Anthropic has. */
static const tw_value *source_of(const tw_value *block)
{
    const tw_value *source = tw_value_member(block, "source");
    return is_block(block, "image") &&
                   (text_of(source, "url", "url") != NULL ||
                    (text_of(source, "base64", "data") != NULL &&
                     text_of(source, "base64", "media_type") != NULL))
               ? source
               : NULL;
}

/* Has the block a place in a content of OpenAI's? */
static bool is_part(const tw_value *block)
{
    return text_of(block, "text", "text") != NULL || source_of(block) != NULL;
}

/* Has the block a place in instructions, which are text? */
static bool is_text(const tw_value *block)
{
    return text_of(block, "text", "text") != NULL;
}

/* Members of |block| beside the |known| ones, which |made| was made of. */
static void read_rest(tw_recoder *recoder, tw_value *made,
                      const tw_value *block, const char *const *known)
{
    for (const tw_value *at = block->first; at != NULL; at = at->next) {
        if (tw_anthropic_stays(recoder) &&
            tw_value_is_named(at, tw_anthropic_own)) {
            tw_read_member(recoder, made, at->key, at);
        } else {
            tw_losses_add_member(&recoder->losses, at, known);
        }
    }
}

static void read_image(tw_recoder *recoder, tw_value *content,
                       const tw_value *block)
{
    static const char *const known_url[] = {"type", "url", NULL};
    static const char *const known[] = {"type", "media_type", "data", NULL};
    const tw_value *source = source_of(block);
    const tw_value *url = text_of(source, "url", "url");
    tw_value *image = tw_read_image_part(recoder, content, block);
    if (url != NULL) {
        tw_read_member(recoder, image, "url", url);
    } else {
        tw_read_data_url(recoder, image, tw_value_member(source, "media_type"),
                         tw_value_member(source, "data"));
    }
    tw_losses_add_members(&recoder->losses, source,
                          url != NULL ? known_url : known);
}

static void read_part(tw_recoder *recoder, tw_value *content,
                      const tw_value *block)
{
    static const char *const known_text[] = {"\"type", "text", NULL};
    static const char *const known_image[] = {"type", "source", NULL};
    const tw_value *text = text_of(block, "text", "text");
    if (text != NULL) {
        tw_read_text_part(recoder, content, block, text);
    } else {
        read_image(recoder, content, block);
    }
    read_rest(recoder, content != NULL ? content->last : NULL, block,
              text != NULL ? known_text : known_image);
}

/* The blocks of a content that have a place; |null| stands for nothing. */
static void read_content(tw_recoder *recoder, tw_value *message,
                         const tw_value *content,
                         bool (*has_place)(const tw_value *block), bool null)
{
    if (tw_value_is_a(content, TW_VALUE_STRING)) {
        tw_read_member(recoder, message, "content", content);
        return;
    }
    tw_value *made =
        tw_read_part(recoder, message, "content", TW_VALUE_ARRAY, content);
    for (const tw_value *at = blocks_of(content); at != NULL; at = at->next) {
        if (has_place(at)) {
            read_part(recoder, made, at);
        }
    }
    tw_read_end_content(made, null);
    if (content != NULL && content->kind != TW_VALUE_ARRAY &&
        content->kind != TW_VALUE_NULL) {
        tw_recoder_report_loss(recoder, TW_LOSS_CONTENT_NOT_TEXT, content,
                               NULL);
    }
}

static void lose_block(tw_recoder *recoder, const tw_value *block)
{
    tw_recoder_report_loss(
        recoder,
        is_block(block, "redacted_thinking") ? TW_LOSS_REASONING_DROPPED
        : is_block(block, "server_tool_use") ? TW_LOSS_CALL_DROPPED
                                             : TW_LOSS_PART_NOT_TEXT,
        block, "Between shapes, no conversation has such a block.");
}

/* ---- an assistant's message --------------------------------------------- */

static void read_call(tw_recoder *recoder, tw_value *message,
                      const tw_value *block)
{
    static const char *const known[] = {"type", "id", "name", "input", NULL};
    const tw_value *name = tw_value_member(block, "name");
    const tw_value *id = tw_value_member(block, "id");
    const tw_value *input = tw_value_member(block, "input");
    if (tw_value_is_a(input, TW_VALUE_NULL)) {
        input = NULL;
    }
    if (input != NULL && input->kind != TW_VALUE_OBJECT &&
        !tw_recoder_reads_session(recoder)) {
        tw_recoder_refuse(recoder, input, "the input is not an object");
        return;
    }
    read_rest(recoder, tw_read_call(recoder, message, block, id, name, input),
              block, known);
}

/* Thinking that nobody reads: it stays in front, and has no other place. */
static bool stays_hidden(const tw_recoder *recoder, const tw_value *block)
{
    return tw_anthropic_stays(recoder) && is_block(block, "redacted_thinking");
}

/* Thinking, whose signatures stay as a whole, or are lost. */
static void read_thinking(tw_recoder *recoder, tw_value *message,
                          const tw_value *content)
{
    static const char *const known[] = {"type", "thinking", NULL};
    const bool stays = tw_anthropic_stays(recoder);
    tw_value *kept = NULL;
    bool behind = false; /* a text or a call */
    tw_joint all = {{0}, 0, NULL, 0};
    for (const tw_value *at = blocks_of(content); at != NULL; at = at->next) {
        const tw_value *text = text_of(at, "thinking", "thinking");
        behind |= is_part(at) || is_block(at, "tool_use");
        if (stays && (text != NULL ? text->size > 0 || !behind
                                   : !behind && stays_hidden(recoder, at))) {
            kept = kept != NULL
                       ? kept
                       : tw_read_part(recoder, message, TW_ANTHROPIC_THINKING,
                                      TW_VALUE_ARRAY, at);
            tw_read_member(recoder, kept, NULL, at);
        } else if (text != NULL) {
            tw_joint_add(&all, recoder, text);
            tw_losses_add_members(&recoder->losses, at, known);
        }
    }
    tw_read_reasoning(recoder, message, &all);
}

/* OpenAI has the blocks in this order: thinking, texts and images, calls. */
static void judge_order(tw_recoder *recoder, const tw_value *content)
{
    bool parts = false;
    bool calls = false;
    for (const tw_value *at = blocks_of(content); at != NULL; at = at->next) {
        const tw_value *thinking = text_of(at, "thinking", "thinking");
        if (!parts && !calls && stays_hidden(recoder, at)) {
            continue;
        }
        if (is_block(at, "tool_use")) {
            calls = true;
        } else if (is_part(at)) {
            parts = true;
            if (calls) {
                tw_recoder_report_loss(recoder, TW_LOSS_CALL_ORDER, at, NULL);
            }
        } else if (thinking == NULL) {
            lose_block(recoder, at);
        } else if (thinking->size > 0 && (parts || calls)) {
            tw_recoder_report_loss(
                recoder, calls ? TW_LOSS_CALL_ORDER : TW_LOSS_CONTENT_MOVED,
                at, NULL);
        }
    }
}

static void read_assistant(tw_recoder *recoder, const tw_value *source,
                           const tw_value *content)
{
    tw_value *message = tw_read_message(recoder, "assistant", source);
    read_content(recoder, message, content, is_part, true);
    read_thinking(recoder, message, content);
    for (const tw_value *at = blocks_of(content); at != NULL; at = at->next) {
        if (is_block(at, "tool_use")) {
            read_call(recoder, message, at);
        }
    }
    judge_order(recoder, content);
}

/* ---- a user's message --------------------------------------------------- */

/* Amp has what a call gave back as it is, with how it went. */
static const tw_value *run_of(tw_recoder *recoder, const tw_value *block)
{
    static const char *const known[] = {"status", "result", NULL};
    const tw_value *run = tw_value_member(block, "run");
    if (tw_value_is_a(run, TW_VALUE_OBJECT)) {
        tw_losses_add_members(&recoder->losses, run, known);
    }
    return tw_value_member(run, "result");
}

static void read_result(tw_recoder *recoder, const tw_value *block)
{
    static const char *const known[] = {"type",     "tool_use_id", "content",
                                        "is_error", "toolUseID",   "{run",
                                        NULL};
    const tw_value *own = tw_value_member(block, "tool_use_id");
    const tw_value *id =
        own != NULL ? own : tw_value_member(block, "toolUseID");
    const tw_value *content = tw_value_member(block, "content");
    const tw_value *run = run_of(recoder, block);
    const tw_value *error = tw_value_member(block, "is_error");
    tw_value *message = tw_read_message(recoder, "tool", block);
    if (id != NULL) {
        tw_read_member(recoder, message, "tool_call_id", id);
    }
    content = content != NULL ? content : run;
    if (content == run && tw_value_is_a(run, TW_VALUE_OBJECT)) {
        tw_read_packed(recoder, message, "content", run);
    } else {
        read_content(recoder, message, content, is_part, false);
    }
    for (const tw_value *at = blocks_of(content); at != NULL; at = at->next) {
        if (!is_part(at)) {
            lose_block(recoder, at);
        }
    }
    if (error != NULL && error->kind != TW_VALUE_FALSE &&
        error->kind != TW_VALUE_NULL && !tw_anthropic_stays(recoder)) {
        tw_recoder_report_loss(recoder, TW_LOSS_RESULT_ERROR_FLAG, error,
                               NULL);
    }
    read_rest(recoder, message, block, known);
}

static void read_user(tw_recoder *recoder, const tw_value *message,
                      const tw_value *content)
{
    const tw_value *last = NULL; /* result */
    bool some = false;
    for (const tw_value *at = blocks_of(content); at != NULL; at = at->next) {
        if (is_block(at, "tool_result")) {
            read_result(recoder, at);
            last = at;
        } else if (is_part(at)) {
            some = true;
        } else {
            lose_block(recoder, at);
        }
    }
    if (some || last == NULL) {
        read_content(recoder, tw_read_message(recoder, "user", message),
                     content, is_part, true);
    }
    for (const tw_value *at = blocks_of(content);
         last != NULL && at->index < last->index; at = at->next) {
        if (is_part(at)) {
            tw_recoder_report_loss(recoder, TW_LOSS_CONTENT_MOVED, at,
                                   "Results come first.");
        }
    }
}

/* ---- instructions ------------------------------------------------------- */

static void read_system(tw_recoder *recoder, const tw_value *source,
                        const tw_value *content)
{
    read_content(recoder, tw_read_message(recoder, "system", source), content,
                 is_text, false);
    for (const tw_value *at = blocks_of(content); at != NULL; at = at->next) {
        if (!is_text(at)) {
            lose_block(recoder, at);
        }
    }
}

/* ---- tools -------------------------------------------------------------- */

static void read_tool(tw_recoder *recoder, const tw_value *tool)
{
    static const char *const moved[][2] = {{"name", "name"},
                                           {"description", "description"},
                                           {"input_schema", "parameters"},
                                           {"strict", "strict"}};
    static const char *const known[] = {
        "type", "name", "description", "input_schema", "strict", NULL};
    tw_value *function = tw_read_tool(recoder, tool);
    for (size_t i = 0; i < sizeof moved / sizeof *moved; i++) {
        const tw_value *part = tw_value_member(tool, moved[i][0]);
        if (part != NULL) {
            tw_read_member(recoder, function, moved[i][1], part);
        }
    }
    read_rest(recoder, function, tool, known);
}

static void read_tools(tw_recoder *recoder, const tw_value *tools)
{
    for (const tw_value *at = tools->first; at != NULL; at = at->next) {
        const tw_value *type = tw_value_member(at, "type");
        if (type == NULL || type->kind == TW_VALUE_NULL ||
            tw_value_is(type, "custom")) {
            read_tool(recoder, at);
        } else {
            tw_recoder_drop_server_tool(recoder, at);
        }
    }
}

static void read_choice(tw_recoder *recoder, const tw_value *choice)
{
    static const char *const known[] = {"type", "name",
                                        "?disable_parallel_tool_use", NULL};
    tw_tree *made = &recoder->made;
    tw_value *request = recoder->request;
    const tw_value *type = tw_value_member(choice, "type");
    const tw_value *name = tw_value_member(choice, "name");
    const tw_value *alone =
        tw_value_member(choice, "disable_parallel_tool_use");
    if (tw_value_is(type, "tool") && tw_value_is_a(name, TW_VALUE_STRING)) {
        tw_read_choice_name(recoder, name);
    } else if (!tw_read_choice_word(recoder, type, TW_CHOICE_ANTHROPIC) &&
               choice->kind != TW_VALUE_NULL) {
        tw_recoder_report_loss(recoder, TW_LOSS_MEMBER_DROPPED, choice, NULL);
        return;
    }
    if (alone != NULL &&
        (alone->kind == TW_VALUE_TRUE || alone->kind == TW_VALUE_FALSE)) {
        tw_value *parallel = tw_make(
            made, request, "parallel_tool_calls",
            alone->kind == TW_VALUE_TRUE ? TW_VALUE_FALSE : TW_VALUE_TRUE);
        if (parallel != NULL) {
            parallel->origin = alone;
        }
    }
    tw_losses_add_members(&recoder->losses, choice, known);
}

/* ---- records ------------------------------------------------------------ */

static void read_message(tw_recoder *recoder, const tw_value *message)
{
    static const char *const known[] = {"role", "content", NULL};
    const tw_value *role = tw_value_member(message, "role");
    const tw_value *content = tw_value_member(message, "content");
    if (tw_value_is(role, "assistant")) {
        read_assistant(recoder, message, content);
    } else if (tw_value_is(role, "user")) {
        read_user(recoder, message, content);
    } else if (tw_value_is(role, "system")) {
        read_system(recoder, message, content);
    } else {
        tw_recoder_refuse(recoder, message, "the role is not known");
        return;
    }
    tw_losses_add_members(&recoder->losses, message, known);
}

/* A response: one message of the assistant, behind those of its request. */
static void read_response(tw_recoder *recoder, const tw_value *record)
{
    const tw_value *role = tw_use_member(record, "role");
    if (role != NULL && !tw_value_is(role, "assistant")) {
        tw_recoder_report_loss(recoder, TW_LOSS_ROLE_CHANGED, role, NULL);
    }
    read_assistant(recoder, record, tw_use_member(record, "content"));
}

const tw_value *tw_anthropic_read(tw_recoder *recoder, const tw_value *record)
{
    const bool response =
        tw_value_is(tw_value_member(record, "type"), "message");
    const tw_value *messages = tw_use_member(record, "messages");
    const tw_value *system = tw_use_member(record, "system");
    const tw_value *tools = tw_use_member(record, "tools");
    const tw_value *choice =
        recoder->to != NULL && recoder->to->choices != NULL
            ? tw_use_member(record, "tool_choice")
            : NULL;
    if (messages != NULL ? messages->kind != TW_VALUE_ARRAY : !response) {
        tw_recoder_refuse(recoder, record,
                          "`messages` is missing or is not a list");
        return NULL;
    }
    tw_read_begin(recoder, record);
    if (tw_value_is_true(system)) {
        read_system(recoder, system, system);
    }
    for (const tw_value *at = messages != NULL ? messages->first : NULL;
         at != NULL; at = at->next) {
        read_message(recoder, at);
    }
    if (response) {
        read_response(recoder, record);
    }
    if (tw_value_is_true(tools) && tools->kind == TW_VALUE_ARRAY) {
        read_tools(recoder, tools);
    } else if (tw_value_is_true(tools)) {
        tw_recoder_refuse(recoder, tools, "`tools` is not a list");
    }
    if (choice != NULL) {
        read_choice(recoder, choice);
    }
    return recoder->request;
}
