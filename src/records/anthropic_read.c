/* SPDX-License-Identifier: MIT
 *
 * Anthropic's shape to OpenAI's.  Texts and images become parts, thinking
 * reasoning, results messages of their own in front of what the user says.
 */
#include "records/anthropic.h"

const char *const tw_choices[TW_CHOICES][2] = {
    {"auto", "auto"}, {"required", "any"}, {"none", "none"}};

/* ---- blocks ------------------------------------------------------------- */

/* The string that a block of this type has under this key; NULL: it is
 * another. */
static const tw_value *text_of(const tw_value *block, const char *type,
                               const char *key)
{
    const tw_value *text = tw_value_member(block, key);
    return text != NULL && text->kind == TW_VALUE_STRING &&
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
    return content != NULL && content->kind == TW_VALUE_ARRAY ? content->first
                                                              : NULL;
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

/* The same for instructions, which are text. */
static bool is_text(const tw_value *block)
{
    return text_of(block, "text", "text") != NULL;
}

static void read_url(tw_recoder *recoder, const tw_value *source)
{
    static const char front[] = "data:";
    static const char mark[] = ";base64,";
    static const char *const known_url[] = {"type", "url", NULL};
    static const char *const known[] = {"type", "media_type", "data", NULL};
    const tw_value *url = text_of(source, "url", "url");
    const tw_value *type = tw_value_member(source, "media_type");
    const tw_value *data = tw_value_member(source, "data");
    tw_buffer text = {0};
    if (url != NULL) {
        tw_json_put_value(&recoder->json_out, url);
        tw_losses_add_members(&recoder->losses, source, known_url);
        return;
    }
    const tw_memory *memory = recoder->memory;
    if (tw_buffer_append(&text, memory, front, sizeof front - 1) &&
        tw_buffer_append(&text, memory, type->text, type->size) &&
        tw_buffer_append(&text, memory, mark, sizeof mark - 1) &&
        tw_buffer_append(&text, memory, data->text, data->size)) {
        tw_json_put_halves(&recoder->json_out, (const char *)text.data,
                           text.size);
    } else {
        recoder->json_out.failed = true;
    }
    tw_buffer_free(&text, memory);
    tw_losses_add_members(&recoder->losses, source, known);
}

static void read_part(tw_recoder *recoder, const tw_value *block)
{
    static const char *const known_text[] = {"type", "text", NULL};
    static const char *const known_image[] = {"type", "source", NULL};
    tw_json_out *json_out = &recoder->json_out;
    const tw_value *text = text_of(block, "text", "text");
    tw_origins_part(&recoder->origins, block);
    if (text != NULL) {
        tw_json_put(json_out, "{\"type\":\"text\",\"text\":");
        tw_json_put_value(json_out, text);
        tw_json_put(json_out, "}");
        tw_losses_add_members(&recoder->losses, block, known_text);
    } else {
        tw_json_put(json_out,
                    "{\"type\":\"image_url\",\"image_url\":{\"url\":");
        read_url(recoder, source_of(block));
        tw_json_put(json_out, "}}");
        tw_losses_add_members(&recoder->losses, block, known_image);
    }
}

/* `,"content":` and the blocks of a content that have a place: one text is a
 * string; |none| stands for nothing. */
static void read_content(tw_recoder *recoder, const tw_value *content,
                         bool (*has_place)(const tw_value *block),
                         const char *none)
{
    static const char *const known[] = {"type", "text", NULL};
    tw_json_out *json_out = &recoder->json_out;
    const tw_value *last = NULL;
    size_t count = 0;
    tw_json_put_key(json_out, "content", false);
    for (const tw_value *at = blocks_of(content); at != NULL; at = at->next) {
        last = has_place(at) ? at : last;
        count += has_place(at);
    }
    const tw_value *text = count == 1 ? text_of(last, "text", "text") : NULL;
    if (content != NULL && content->kind == TW_VALUE_STRING) {
        tw_json_put_value(json_out, content);
    } else if (text != NULL) {
        tw_json_put_value(json_out, text);
        tw_losses_add_members(&recoder->losses, last, known);
    } else if (count == 0) {
        tw_json_put(json_out, none);
    } else {
        tw_json_put(json_out, "[");
        for (const tw_value *at = content->first; at != NULL; at = at->next) {
            if (has_place(at)) {
                read_part(recoder, at);
                tw_json_put(json_out, at != last ? "," : "");
            }
        }
        tw_json_put(json_out, "]");
    }
    if (content != NULL && content->kind != TW_VALUE_STRING &&
        content->kind != TW_VALUE_ARRAY && content->kind != TW_VALUE_NULL) {
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
        block, "The target has no place for such a block.");
}

/* ---- an assistant's message --------------------------------------------- */

static void read_call(tw_recoder *recoder, const tw_value *block,
                      size_t number)
{
    static const char *const known[] = {"type", "id", "name", "input", NULL};
    const tw_value *name = tw_value_member(block, "name");
    const tw_value *id = tw_value_member(block, "id");
    const tw_value *input = tw_value_member(block, "input");
    if (name == NULL || name->kind != TW_VALUE_STRING) {
        tw_recoder_refuse(recoder, block, "the call has no name");
        return;
    }
    if (input != NULL && input->kind == TW_VALUE_NULL) {
        input = NULL;
    }
    if (input != NULL && input->kind != TW_VALUE_OBJECT) {
        tw_recoder_refuse(recoder, input, "the input is not an object");
        return;
    }
    if (id != NULL && id->kind != TW_VALUE_STRING) {
        if (id->kind != TW_VALUE_NULL) {
            tw_recoder_report_loss(recoder, TW_LOSS_CALL_ID, id,
                                   "An id that is not a text has no place.");
        }
        id = NULL;
    }
    tw_json_put(&recoder->json_out, number == 0 ? ",\"tool_calls\":[" : ",");
    tw_json_put_call(recoder, block, id, number, name, input);
    tw_losses_add_members(&recoder->losses, block, known);
}

static void read_calls(tw_recoder *recoder, const tw_value *content)
{
    size_t calls = 0;
    for (const tw_value *at = blocks_of(content); at != NULL; at = at->next) {
        if (is_block(at, "tool_use")) {
            read_call(recoder, at, calls++);
        }
    }
    tw_json_put(&recoder->json_out, calls > 0 ? "]" : "");
}

static void read_thinking(tw_recoder *recoder, const tw_value *content)
{
    static const char *const known[] = {"type", "thinking", NULL};
    tw_joint all = {{0}, NULL, 0};
    for (const tw_value *at = blocks_of(content); at != NULL; at = at->next) {
        const tw_value *text = text_of(at, "thinking", "thinking");
        if (text != NULL) {
            tw_joint_add(&all, recoder, text);
            tw_losses_add_members(&recoder->losses, at, known);
        }
    }
    tw_json_put_reasoning(recoder, &all);
}

/* OpenAI has the blocks in this order: thinking, texts and images, calls. */
static void judge_order(tw_recoder *recoder, const tw_value *content)
{
    bool parts = false;
    bool calls = false;
    for (const tw_value *at = blocks_of(content); at != NULL; at = at->next) {
        const tw_value *thinking = text_of(at, "thinking", "thinking");
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

static void read_assistant(tw_recoder *recoder, const tw_value *message,
                           const tw_value *content)
{
    tw_begin_message(recoder, "assistant", message);
    read_content(recoder, content, is_part, "null");
    read_thinking(recoder, content);
    read_calls(recoder, content);
    judge_order(recoder, content);
    tw_json_put(&recoder->json_out, "}");
}

/* ---- a user's message --------------------------------------------------- */

static void read_result(tw_recoder *recoder, const tw_value *block)
{
    static const char *const known[] = {"type", "tool_use_id", "content",
                                        "is_error", NULL};
    tw_json_out *json_out = &recoder->json_out;
    const tw_value *id = tw_value_member(block, "tool_use_id");
    const tw_value *content = tw_value_member(block, "content");
    const tw_value *error = tw_value_member(block, "is_error");
    tw_begin_message(recoder, "tool", block);
    if (id != NULL) {
        tw_json_put_key(json_out, "tool_call_id", false);
        tw_json_put_value(json_out, id);
    }
    read_content(recoder, content, is_part, "\"\"");
    tw_json_put(json_out, "}");
    for (const tw_value *at = blocks_of(content); at != NULL; at = at->next) {
        if (!is_part(at)) {
            lose_block(recoder, at);
        }
    }
    if (error != NULL && error->kind != TW_VALUE_FALSE &&
        error->kind != TW_VALUE_NULL) {
        tw_recoder_report_loss(recoder, TW_LOSS_RESULT_ERROR_FLAG, error,
                               NULL);
    }
    tw_losses_add_members(&recoder->losses, block, known);
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
        tw_begin_message(recoder, "user", message);
        read_content(recoder, content, is_part, "null");
        tw_json_put(&recoder->json_out, "}");
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
    tw_begin_message(recoder, "system", source);
    read_content(recoder, content, is_text, "\"\"");
    tw_json_put(&recoder->json_out, "}");
    for (const tw_value *at = blocks_of(content); at != NULL; at = at->next) {
        if (!is_text(at)) {
            lose_block(recoder, at);
        }
    }
}

/* ---- tools -------------------------------------------------------------- */

static void read_tool(tw_recoder *recoder, const tw_value *tool, bool first)
{
    static const char *const moved[][2] = {{"name", "name"},
                                           {"description", "description"},
                                           {"input_schema", "parameters"},
                                           {"strict", "strict"}};
    static const char *const known[] = {
        "type", "name", "description", "input_schema", "strict", NULL};
    tw_json_out *json_out = &recoder->json_out;
    bool none = true;
    tw_origins_tool(&recoder->origins, tool);
    tw_json_put(json_out, first ? ",\"tools\":[" : ",");
    tw_json_put(json_out, "{\"type\":\"function\",\"function\":{");
    for (size_t i = 0; i < sizeof moved / sizeof *moved; i++) {
        const tw_value *part = tw_value_member(tool, moved[i][0]);
        if (part != NULL) {
            tw_json_put_key(json_out, moved[i][1], none);
            tw_json_put_value(json_out, part);
            none = false;
        }
    }
    tw_json_put(json_out, "}}");
    tw_losses_add_members(&recoder->losses, tool, known);
}

static void read_tools(tw_recoder *recoder, const tw_value *tools)
{
    bool first = true;
    for (const tw_value *at = tools->first; at != NULL; at = at->next) {
        const tw_value *type = tw_value_member(at, "type");
        if (type == NULL || type->kind == TW_VALUE_NULL ||
            tw_value_is(type, "custom")) {
            read_tool(recoder, at, first);
            first = false;
        } else {
            tw_recoder_report_loss(
                recoder, TW_LOSS_TOOL_DROPPED, at,
                "The target has no place for a server's tool.");
        }
    }
    tw_json_put(&recoder->json_out, first ? "" : "]");
}

static void read_choice(tw_recoder *recoder, const tw_value *choice)
{
    static const char *const known[] = {"type", "name",
                                        "disable_parallel_tool_use", NULL};
    tw_json_out *json_out = &recoder->json_out;
    const tw_value *type = tw_value_member(choice, "type");
    const tw_value *name = tw_value_member(choice, "name");
    const tw_value *alone =
        tw_value_member(choice, "disable_parallel_tool_use");
    const char *word = NULL;
    for (size_t i = 0; i < TW_CHOICES; i++) {
        word = tw_value_is(type, tw_choices[i][1]) ? tw_choices[i][0] : word;
    }
    if (word != NULL) {
        tw_json_put_key(json_out, "tool_choice", false);
        tw_json_put_string(json_out, word, strlen(word));
    } else if (tw_value_is(type, "tool") && name != NULL &&
               name->kind == TW_VALUE_STRING) {
        tw_json_put(json_out,
                    ",\"tool_choice\":{\"type\":\"function\",\"function\":{"
                    "\"name\":");
        tw_json_put_value(json_out, name);
        tw_json_put(json_out, "}}");
    } else if (choice->kind != TW_VALUE_NULL) {
        tw_recoder_report_loss(recoder, TW_LOSS_MEMBER_DROPPED, choice, NULL);
        return;
    }
    if (alone != NULL &&
        (alone->kind == TW_VALUE_TRUE || alone->kind == TW_VALUE_FALSE)) {
        tw_json_put_key(json_out, "parallel_tool_calls", false);
        tw_json_put(json_out, alone->kind == TW_VALUE_TRUE ? "false" : "true");
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

void tw_anthropic_read(tw_recoder *recoder, const tw_value *record)
{
    const tw_value *messages = tw_value_member(record, "messages");
    const tw_value *system = tw_value_member(record, "system");
    const tw_value *tools = tw_value_member(record, "tools");
    const tw_value *choice = tw_value_member(record, "tool_choice");
    if (messages == NULL || messages->kind != TW_VALUE_ARRAY) {
        tw_recoder_refuse(recoder, record,
                          "`messages` is missing or is not a list");
        return;
    }
    tw_json_put(&recoder->json_out, "\"messages\":[");
    if (tw_value_is_true(system)) {
        read_system(recoder, system, system);
    }
    for (const tw_value *at = messages->first; at != NULL; at = at->next) {
        read_message(recoder, at);
    }
    tw_json_put(&recoder->json_out, "]");
    if (tw_value_is_true(tools) && tools->kind == TW_VALUE_ARRAY) {
        read_tools(recoder, tools);
    } else if (tw_value_is_true(tools)) {
        tw_recoder_refuse(recoder, tools, "`tools` is not a list");
    }
    if (choice != NULL && recoder->to != NULL &&
        recoder->to->choices != NULL) {
        read_choice(recoder, choice);
    }
}
