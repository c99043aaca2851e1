/* SPDX-License-Identifier: MIT
 *
 * Anthropic's shape: {"system", "messages", "tools", "tool_choice"}, whose
 * contents are texts or lists of blocks.  This file writes it;
 * anthropic_read.c reads it.
 */
#include "records/apis/anthropic_halves.h"
#include "records/apis/choice.h"
#include "records/shapes.h"

/* ---- contents ----------------------------------------------------------- */

/* A list of blocks under way. */
typedef struct blocks {
    tw_recoder *recoder;
    bool first;
} blocks;

static void begin_block(blocks *out, const char *type)
{
    tw_json_out *json_out = &out->recoder->json_out;
    tw_json_put(json_out, out->first ? "{" : ",{");
    tw_json_put_key(json_out, "type", true);
    tw_json_put_string(json_out, type, strlen(type));
    out->first = false;
}

static bool has_place(const tw_recoder *recoder, const tw_value *member)
{
    return tw_anthropic_stays(recoder) &&
           tw_value_is_named(member, tw_anthropic_own);
}

/* What stays of the block that |made| was read from. */
static void write_own(tw_recoder *recoder, const tw_value *made)
{
    const tw_value *at = tw_anthropic_stays(recoder) ? made->first : NULL;
    for (; at != NULL; at = at->next) {
        if (tw_value_is_named(at, tw_anthropic_own)) {
            tw_json_put_member(&recoder->json_out, at, false);
        }
    }
}

/* What stays of a part; members beside those and the |known| ones are lost. */
static void write_rest(tw_recoder *recoder, const tw_value *made,
                       const char *const *known)
{
    for (const tw_value *at = made->first; at != NULL; at = at->next) {
        if (has_place(recoder, at)) {
            tw_json_put_member(&recoder->json_out, at, false);
        } else {
            tw_losses_add_member(&recoder->losses, at, known);
        }
    }
}

/* Begins a block of text, whose last brace is not written. */
static void write_text(blocks *out, const tw_value *text)
{
    tw_json_out *json_out = &out->recoder->json_out;
    begin_block(out, "text");
    tw_json_put_key(json_out, "text", false);
    tw_json_put_value(json_out, text);
}

/* The address of a part that is an image; NULL: it is none. */
static const tw_value *image_url(const tw_value *part)
{
    const tw_value *url =
        tw_value_member(tw_value_member(part, "image_url"), "url");
    return tw_value_is_a(url, TW_VALUE_STRING) &&
                   tw_value_is(tw_value_member(part, "type"), "image_url")
               ? url
               : NULL;
}

static void write_image(blocks *out, const tw_value *part, const tw_value *url)
{
    static const char *const known[] = {"type", "image_url", NULL};
    static const char *const known_inside[] = {"url", NULL};
    tw_json_out *json_out = &out->recoder->json_out;
    tw_data_url data;
    begin_block(out, "image");
    if (tw_find_data(url, &data)) {
        tw_json_put(json_out,
                    ",\"source\":{\"type\":\"base64\",\"media_type\":");
        tw_json_put_halves(json_out, data.type, data.type_size);
        tw_json_put_key(json_out, "data", false);
        tw_json_put_halves(json_out, data.data, data.data_size);
    } else {
        tw_json_put(json_out, ",\"source\":{\"type\":\"url\",\"url\":");
        tw_json_put_value(json_out, url);
    }
    tw_json_put(json_out, "}");
    write_rest(out->recoder, part, known);
    tw_json_put(json_out, "}");
    tw_losses_add_members(&out->recoder->losses, url->parent, known_inside);
}

/* A refusal becomes text. */
static void write_refusal(blocks *out, const tw_value *refusal)
{
    write_text(out, refusal);
    tw_json_put(&out->recoder->json_out, "}");
    tw_recoder_report_loss(out->recoder, TW_LOSS_CONTENT_MISREAD, refusal,
                           "A refusal reads back as other text.");
}

static void write_part(blocks *out, const tw_value *part, bool images)
{
    static const char *const known[] = {"\"type", "text", NULL};
    static const char *const known_refusal[] = {"type", "refusal", NULL};
    const tw_value *text = tw_part_text(part);
    const tw_value *refusal = tw_value_member(part, "refusal");
    const tw_value *url = images ? image_url(part) : NULL;
    if (text != NULL) {
        write_text(out, text);
        write_rest(out->recoder, part, known);
        tw_json_put(&out->recoder->json_out, "}");
    } else if (url != NULL) {
        write_image(out, part, url);
    } else if (tw_value_is_a(refusal, TW_VALUE_STRING)) {
        write_refusal(out, refusal);
        tw_losses_add_members(&out->recoder->losses, part, known_refusal);
    } else {
        tw_recoder_report_loss(out->recoder, TW_LOSS_PART_NOT_TEXT, part,
                               NULL);
    }
}

/* The blocks of a content; no text is no block. */
static void write_blocks(blocks *out, const tw_value *content, bool images)
{
    if (tw_value_is_a(content, TW_VALUE_ARRAY)) {
        for (const tw_value *at = content->first; at != NULL; at = at->next) {
            write_part(out, at, images);
        }
    } else if (tw_has_text(content)) {
        write_text(out, content);
        tw_json_put(&out->recoder->json_out, "}");
    } else if (content != NULL && content->kind != TW_VALUE_STRING) {
        tw_recoder_report_loss(out->recoder, TW_LOSS_CONTENT_NOT_TEXT, content,
                               NULL);
    }
}

/* A text, or a list of blocks. */
static void write_content(tw_recoder *recoder, const tw_value *content,
                          bool images)
{
    blocks out = {recoder, true};
    if (!tw_value_is_a(content, TW_VALUE_ARRAY)) {
        tw_json_put_content(recoder, content);
        return;
    }
    tw_json_put(&recoder->json_out, "[");
    write_blocks(&out, content, images);
    tw_json_put(&recoder->json_out, "]");
}

/* Is there a block in this content? */
static bool has_blocks(const tw_value *content, bool images)
{
    if (!tw_value_is_a(content, TW_VALUE_ARRAY)) {
        return tw_has_text(content);
    }
    const tw_value *at = content->first;
    while (at != NULL && tw_part_text(at) == NULL &&
           (!images || image_url(at) == NULL)) {
        at = at->next;
    }
    return at != NULL;
}

/* ---- messages ----------------------------------------------------------- */

/* What the model refused in words; NULL: nothing. */
static const tw_value *refusal_of(const tw_message *message)
{
    const tw_value *refusal = message->role == TW_ROLE_ASSISTANT
                                  ? tw_value_member(message->value, "refusal")
                                  : NULL;
    return tw_has_text(refusal) ? refusal : NULL;
}

/* Refusals that are none in words. */
static void lose_refusals(tw_recoder *recoder,
                          const tw_conversation *conversation)
{
    static const char *const none[] = {NULL};
    for (size_t i = 0; i < tw_message_count(conversation); i++) {
        const tw_message *message = tw_message_at(conversation, i);
        const tw_value *refusal = tw_value_member(message->value, "refusal");
        if (refusal != NULL && refusal != refusal_of(message)) {
            tw_losses_add_member(&recoder->losses, refusal, none);
        }
    }
}

static void write_call(blocks *out, const tw_call *call, size_t number)
{
    tw_recoder *recoder = out->recoder;
    tw_json_out *json_out = &recoder->json_out;
    begin_block(out, "tool_use");
    tw_json_put(json_out, ",\"id\":");
    tw_json_put_value(json_out, tw_pairs_call_id(&recoder->pairs, number));
    tw_json_put(json_out, ",\"name\":");
    tw_json_put_value(json_out, call->name);
    tw_json_put(json_out, ",\"input\":");
    tw_recoder_put_arguments(recoder, call);
    write_own(recoder, call->value);
    tw_json_put(json_out, "}");
}

static void write_thinking(blocks *out, const tw_message *message,
                           bool response)
{
    tw_json_out *json_out = &out->recoder->json_out;
    const tw_value *kept = tw_anthropic_thinking(out->recoder, message);
    if (kept == NULL && message->reasoning != NULL) {
        begin_block(out, "thinking");
        tw_json_put_key(json_out, "thinking", false);
        tw_json_put_value(json_out, message->reasoning);
        tw_json_put(json_out, response ? ",\"signature\":\"\"}" : "}");
    }
    for (const tw_value *at = kept; at != NULL; at = at->next) {
        tw_json_put(json_out, out->first ? "" : ",");
        tw_json_put_value(json_out, at);
        out->first = false;
    }
}

/* `"role":...,"content":...`.  A response's content is a list, and its
 * thinking has a signature, empty where none is known. */
static void write_assistant(tw_recoder *recoder,
                            const tw_conversation *conversation,
                            const tw_message *message, bool response)
{
    tw_json_out *json_out = &recoder->json_out;
    blocks out = {recoder, true};
    const tw_value *refusal = refusal_of(message);
    tw_json_put(json_out, "\"role\":\"assistant\",\"content\":");
    if (!response && message->call_count == 0 && message->reasoning == NULL &&
        refusal == NULL && tw_anthropic_thinking(recoder, message) == NULL) {
        write_content(recoder, message->content, true);
        return;
    }
    tw_json_put(json_out, "[");
    write_thinking(&out, message, response);
    write_blocks(&out, message->content, true);
    if (refusal != NULL) {
        write_refusal(&out, refusal);
    }
    for (size_t i = 0; i < message->call_count; i++) {
        write_call(&out, tw_call_of(conversation, message, i),
                   message->first_call + i);
    }
    tw_json_put(json_out, "]");
}

static void write_result(blocks *out, const tw_message *message, size_t i)
{
    tw_recoder *recoder = out->recoder;
    begin_block(out, "tool_result");
    const tw_value *id = tw_pairs_result_id(&recoder->pairs, i);
    if (id != NULL) {
        tw_json_put_key(&recoder->json_out, "tool_use_id", false);
        tw_json_put_value(&recoder->json_out, id);
    }
    tw_json_put_key(&recoder->json_out, "content", false);
    write_content(recoder, message->content, true);
    write_own(recoder, message->value);
    tw_json_put(&recoder->json_out, "}");
}

/* Results that follow each other, and what the user says behind them, are one
 * message. */
static size_t write_results(tw_recoder *recoder,
                            const tw_conversation *conversation, size_t i)
{
    const size_t count = tw_message_count(conversation);
    blocks out = {recoder, true};
    tw_json_put(&recoder->json_out, "{\"role\":\"user\",\"content\":[");
    while (i < count && tw_message_at(conversation, i)->role == TW_ROLE_TOOL) {
        write_result(&out, tw_message_at(conversation, i), i);
        i++;
    }
    const tw_message *next = i < count ? tw_message_at(conversation, i) : NULL;
    if (next != NULL && next->role == TW_ROLE_USER &&
        has_blocks(next->content, true)) {
        write_blocks(&out, next->content, true);
        i++;
    }
    tw_json_put(&recoder->json_out, "]}");
    return i;
}

static void write_plain(tw_recoder *recoder, const tw_message *message)
{
    const bool system = tw_message_is_system(message);
    tw_json_put(&recoder->json_out, system
                                        ? "{\"role\":\"system\",\"content\":"
                                        : "{\"role\":\"user\",\"content\":");
    write_content(recoder, message->content, !system);
    tw_json_put(&recoder->json_out, "}");
    tw_report_lost_developer(recoder, message);
}

/* Writes one message, or several that become one; returns how many are
 * written. */
static size_t write_message(tw_recoder *recoder,
                            const tw_conversation *conversation, size_t i)
{
    const tw_message *message = tw_message_at(conversation, i);
    switch (message->role) {
    case TW_ROLE_TOOL: return write_results(recoder, conversation, i);
    case TW_ROLE_ASSISTANT:
        tw_json_put(&recoder->json_out, "{");
        write_assistant(recoder, conversation, message, false);
        tw_json_put(&recoder->json_out, "}");
        break;
    case TW_ROLE_OTHER:
        tw_recoder_refuse(recoder, message->role_name,
                          "the role is not known");
        break;
    default: write_plain(recoder, message); break;
    }
    return i + 1;
}

/* ---- tools -------------------------------------------------------------- */

static void write_tool(tw_recoder *recoder, const tw_value *tool)
{
    static const char *const moved[][2] = {{"description", "description"},
                                           {"parameters", "input_schema"},
                                           {"strict", "strict"}};
    static const char *const known[] = {"name", "description", "parameters",
                                        "strict", NULL};
    tw_json_out *json_out = &recoder->json_out;
    const tw_value *function = tw_tool_function(tool);
    tw_json_put(json_out, "{\"name\":");
    tw_json_put_value(json_out, tw_value_member(function, "name"));
    for (size_t i = 0; i < sizeof moved / sizeof *moved; i++) {
        const tw_value *part = tw_value_member(function, moved[i][0]);
        if (part != NULL && (i != 1 || part->kind != TW_VALUE_NULL)) {
            tw_json_put_key(json_out, moved[i][1], false);
            tw_json_put_value(json_out, part);
        } else if (i == 1) { /* it has to be there */
            tw_json_put(json_out, ",\"input_schema\":{\"type\":\"object\","
                                  "\"properties\":{}}");
        }
    }
    for (const tw_value *at = function->first; at != NULL; at = at->next) {
        if (has_place(recoder, at)) {
            tw_json_put_member(json_out, at, false);
        } else if (!tw_value_is_named(at, known) &&
                   !(function == tool && tw_value_has_key(at, "type"))) {
            tw_recoder_report_loss(recoder, TW_LOSS_TOOL_PART, at, NULL);
        }
    }
    tw_json_put(json_out, "}");
    tw_report_lost_wrapper(recoder, tool);
}

static void write_tools(tw_recoder *recoder, const tw_value *tools)
{
    tw_json_put(&recoder->json_out, ",\"tools\":[");
    for (const tw_value *at = tools->first; at != NULL; at = at->next) {
        write_tool(recoder, at);
        tw_json_put(&recoder->json_out, at->next != NULL ? "," : "");
    }
    tw_json_put(&recoder->json_out, "]");
}

/* ---- which tool is to be called ----------------------------------------- */

static void write_choice(tw_recoder *recoder, const tw_value *request)
{
    tw_json_out *json_out = &recoder->json_out;
    const tw_value *parallel = tw_value_member(request, "parallel_tool_calls");
    const tw_value *choice = tw_take_choice(recoder, request);
    const tw_value *name = tw_choice_name(choice);
    const char *type = choice == NULL ? NULL
                       : name != NULL
                           ? "tool"
                           : tw_choice_word(choice, TW_CHOICE_ANTHROPIC);
    const bool none = type != NULL && strcmp(type, "none") == 0;
    const bool says =
        !none && parallel != NULL &&
        (parallel->kind == TW_VALUE_TRUE || parallel->kind == TW_VALUE_FALSE);
    if (parallel != NULL && parallel->kind != TW_VALUE_NULL && !says) {
        tw_recoder_report_loss(recoder, TW_LOSS_MEMBER_DROPPED, parallel,
                               NULL);
    }
    if (type == NULL && !says) {
        return;
    }
    tw_json_put(json_out, ",\"tool_choice\":{\"type\":\"");
    tw_json_put(json_out, type != NULL ? type : "auto");
    tw_json_put(json_out, "\"");
    if (name != NULL) {
        tw_json_put_key(json_out, "name", false);
        tw_json_put_value(json_out, name);
    }
    if (says) {
        tw_json_put_key(json_out, "disable_parallel_tool_use", false);
        tw_json_put(json_out,
                    parallel->kind == TW_VALUE_TRUE ? "false" : "true");
    }
    tw_json_put(json_out, "}");
}

/* ---- records ------------------------------------------------------------ */

static void write_messages(tw_recoder *recoder,
                           const tw_conversation *conversation, size_t first,
                           size_t count)
{
    tw_json_put(&recoder->json_out, "\"messages\":[");
    for (size_t i = first; i < count;) {
        tw_json_put(&recoder->json_out, i > first ? "," : "");
        i = write_message(recoder, conversation, i);
    }
    tw_json_put(&recoder->json_out, "]");
}

/* Why the response ended, if nothing says so. */
static void write_stop(tw_recoder *recoder, const tw_value *envelope,
                       bool calls)
{
    if (!tw_anthropic_stays(recoder) &&
        tw_value_member(envelope, "stop_reason") == NULL) {
        tw_json_put(&recoder->json_out, calls
                                            ? ",\"stop_reason\":\"tool_use\""
                                            : ",\"stop_reason\":\"end_turn\"");
        if (tw_value_member(envelope, "stop_sequence") == NULL) {
            tw_json_put(&recoder->json_out, ",\"stop_sequence\":null");
        }
    }
}

/* A response that stayed gets its content back. */
void tw_anthropic_write(tw_recoder *recoder,
                        const tw_conversation *conversation,
                        const tw_value *envelope)
{
    static const char *const also[] = {"refusal", TW_ANTHROPIC_THINKING, NULL};
    tw_json_out *json_out = &recoder->json_out;
    const bool response =
        tw_value_is(tw_value_member(envelope, "type"), "message");
    const tw_message *answer =
        response ? tw_last_answer(recoder, conversation) : NULL;
    if (response && answer == NULL) {
        return;
    }
    const size_t count = tw_message_count(conversation) - (response ? 1 : 0);
    const tw_message *head = count > 0 ? tw_message_at(conversation, 0) : NULL;
    size_t i = 0;
    if (head != NULL && tw_message_is_system(head) &&
        has_blocks(head->content, false)) {
        tw_json_put_key(json_out, "system", true);
        write_content(recoder, head->content, false);
        tw_json_put(json_out, ",");
        tw_report_lost_developer(recoder, head);
        i = 1;
    }
    if (!response || i < count) {
        write_messages(recoder, conversation, i, count);
    }
    if (response) {
        tw_json_put(json_out, i < count ? "," : "");
        write_assistant(recoder, conversation, answer, true);
        write_stop(recoder, envelope, answer->call_count > 0);
    }
    if (conversation->tools != NULL) {
        write_tools(recoder, conversation->tools);
    }
    write_choice(recoder, conversation->root);
    lose_refusals(recoder, conversation);
    tw_anthropic_lose_thinking(recoder, conversation);
    tw_report_unread(recoder, conversation,
                     tw_anthropic_stays(recoder) ? tw_anthropic_own : also);
}

static void write(tw_recoder *recoder, const tw_conversation *conversation)
{
    tw_anthropic_write(recoder, conversation, recoder->record);
}

static const char *const members[] = {"system", "messages", "tools", NULL};
static const char *const choices[] = {"tool_choice", NULL};

/* Is there a block that only this shape has?  Marks of a cache stand in
 * OpenAI's records, too, which routers take; a list of thoughts is Mistral's.
 */
static bool has_block(const tw_value *content, bool marks)
{
    static const char *const types[] = {
        "tool_use",        "tool_result", "thinking", "redacted_thinking",
        "server_tool_use", "image",       "document", "search_result"};
    enum { WITH_SOURCE = 5 }; /* from here on; others have such types, too */
    const tw_value *at =
        tw_value_is_a(content, TW_VALUE_ARRAY) ? content->first : NULL;
    for (; at != NULL; at = at->next) {
        const tw_value *type = tw_value_member(at, "type");
        if (tw_value_member(at, "citations") != NULL ||
            (marks && tw_value_member(at, "cache_control") != NULL)) {
            return true;
        }
        for (size_t i = 0; i < sizeof types / sizeof *types; i++) {
            if (tw_value_is(type, types[i]) &&
                (i < WITH_SOURCE || tw_value_member(at, "source") != NULL) &&
                !tw_value_is_a(tw_value_member(at, "thinking"),
                               TW_VALUE_ARRAY)) {
                return true;
            }
        }
    }
    return false;
}

/* Are all messages of roles that this shape has, and one with such a block? */
static bool has_message(const tw_value *record)
{
    static const char *const roles[] = {"user", "assistant", "system", NULL};
    const tw_value *messages = tw_value_member(record, "messages");
    const tw_value *at =
        tw_value_is_a(messages, TW_VALUE_ARRAY) ? messages->first : NULL;
    const bool marks = !tw_has_list_of(record, "tools", "function");
    bool some = false;
    for (; at != NULL; at = at->next) {
        if (!tw_value_is_one_of(tw_value_member(at, "role"), roles)) {
            return false;
        }
        some = some || (tw_value_member(at, "tool_calls") == NULL &&
                        has_block(tw_value_member(at, "content"), marks));
    }
    return some;
}

static tw_fit fits(const tw_value *record)
{
    const tw_value *messages = tw_value_member(record, "messages");
    return tw_fit_well(
        has_message(record) ||
        tw_has_list_of(record, "tools", "input_schema") ||
        (messages != NULL && tw_value_member(record, "system") != NULL &&
         tw_parts_shape.fits(record) == TW_FIT_NONE) ||
        (tw_value_is(tw_value_member(record, "type"), "message") &&
         tw_value_is(tw_value_member(record, "role"), "assistant") &&
         tw_value_is_a(tw_value_member(record, "content"), TW_VALUE_ARRAY)));
}

const tw_record_shape tw_anthropic_shape = {
    .name = "anthropic",
    .about = "{\"system\", \"messages\", \"tools\", \"tool_choice\"}, or a "
             "response",
    .members = members,
    .choices = choices,
    .takes_parts = true,
    .ids = TW_ID_PLAIN,
    .fits = fits,
    .read = tw_anthropic_read,
    .write = write,
};
