/* SPDX-License-Identifier: MIT
 *
 * A conversation as a Hermes prompt.
 */
#include "formats/prompts/hermes.h"

#include <string.h>

#include "formats/frame/message.h"

typedef struct hermes_prompt {
    const tw_hermes_dialect *dialect;
    const tw_description *description;
    const tw_conversation *conversation;
    tw_segments *out;
    size_t no_query; /* behind the last message of a user that is no
                        result */
    size_t results;  /* how many follow each other */
} hermes_prompt;

static void put_turn(const hermes_prompt *prompt, const char *role)
{
    tw_out(prompt->out, prompt->dialect->turn);
    tw_out(prompt->out, role);
    tw_out(prompt->out, prompt->dialect->role_end);
}

static void put_content(const hermes_prompt *prompt, const tw_value *content)
{
    const bool text = content == NULL || content->kind == TW_VALUE_STRING;
    if (prompt->dialect->content_is_text && !text) {
        tw_encode_loss(prompt->out, TW_LOSS_CONTENT_NOT_TEXT, content, NULL);
        return;
    }
    if (!prompt->dialect->content_is_text &&
        (content == NULL || content->kind == TW_VALUE_ARRAY)) {
        tw_encode_defect(prompt->out, content, "The template fails here.");
    }
    tw_encode_content(prompt->out, content);
}

static bool has_content(const hermes_prompt *prompt, const tw_value *content)
{
    return tw_encode_has_content(content) &&
           (content->kind == TW_VALUE_STRING ||
            !prompt->dialect->content_is_text);
}

static bool is_system(const tw_message *message)
{
    return message->role == TW_ROLE_SYSTEM ||
           message->role == TW_ROLE_DEVELOPER;
}

/* ---- the system turn ---------------------------------------------------- */

static void put_tools(const hermes_prompt *prompt)
{
    tw_segments *out = prompt->out;
    const tw_value *tool = prompt->conversation->tools->first;
    tw_out(out, "# Tools\n\n"
                "You may call one or more functions to assist with the user "
                "query.\n\n"
                "You are provided with function signatures within "
                "<tools></tools> XML tags:\n"
                "<tools>\n");
    for (; tool != NULL; tool = tool->next) {
        tw_out_json(out, tool);
        tw_out(out, tool->next != NULL ? prompt->dialect->tools_gap : "\n");
    }
    tw_out(out,
           "</tools>\n\n"
           "For each function call, return a json object with function name "
           "and arguments within <tool_call></tool_call> XML tags:\n"
           "<tool_call>\n"
           "{\"name\": <function-name>, \"arguments\": "
           "<args-json-object>}\n"
           "</tool_call>");
}

/* What the first message says, if it is a system's, and the tools. */
static void put_system(const hermes_prompt *prompt, const tw_message *system)
{
    const tw_hermes_dialect *dialect = prompt->dialect;
    tw_segments *out = prompt->out;
    const bool tools = prompt->conversation->tools != NULL;
    /* rnj-1 takes an empty system text for none, the others for one. */
    const bool given =
        system != NULL && (dialect->system_begin[0] == 0 ||
                           has_content(prompt, system->content));
    if (system != NULL && !given) {
        tw_encode_loss(out, TW_LOSS_EMPTY_TEXT, system->value, NULL);
    }
    if (!given && !tools && dialect->default_system == NULL) {
        return;
    }
    put_turn(prompt, "system");
    tw_out(out, dialect->system_begin);
    if (given) {
        put_content(prompt, system->content);
    } else if (dialect->default_system != NULL) {
        tw_out(out, dialect->default_system);
    }
    if (tools) {
        if (given || dialect->default_system != NULL) {
            tw_out(out, "\n\n");
        }
        put_tools(prompt);
    }
    tw_out(out, dialect->turn_end);
}

/* ---- an assistant's turn ------------------------------------------------ */

static const char *find(const char *from, const char *to, const char *word)
{
    const size_t size = strlen(word);
    for (; (size_t)(to - from) >= size; from++) {
        if (memcmp(from, word, size) == 0) {
            return from;
        }
    }
    return NULL;
}

static const char *find_last(const char *from, const char *to,
                             const char *word)
{
    const char *found = NULL;
    for (const char *at = find(from, to, word); at != NULL;
         at = find(at + 1, to, word)) {
        found = at;
    }
    return found;
}

/* A part of a string value. */
typedef struct part {
    const tw_value *of;
    const char *from;
    const char *to;
} part;

static part whole(const tw_value *value)
{
    const bool text = value != NULL && value->kind == TW_VALUE_STRING;
    const part result = {value, text ? value->text : "",
                         text ? value->text + value->size : ""};
    return text ? result : (part){NULL, "", ""};
}

static part strip_front(part text)
{
    while (text.from < text.to && *text.from == '\n') {
        text.from++;
    }
    return text;
}

static part strip_end(part text)
{
    while (text.to > text.from && text.to[-1] == '\n') {
        text.to--;
    }
    return text;
}

static size_t size_of(part text)
{
    return (size_t)(text.to - text.from);
}

/* A line feed of the template follows: decoders take both for a line end. */
static void note_return(const hermes_prompt *prompt, const tw_value *text)
{
    if (text != NULL && text->kind == TW_VALUE_STRING && text->size > 0 &&
        text->text[text->size - 1] == '\r') {
        tw_encode_loss(
            prompt->out, TW_LOSS_OUTER_WHITESPACE, text,
            "The carriage return at the end of the text does not read back.");
    }
}

/* Only |put| of |given| is written. */
static void note_cut(const hermes_prompt *prompt, part given, part put)
{
    if (size_of(put) < size_of(given)) {
        tw_encode_loss(prompt->out, TW_LOSS_OUTER_WHITESPACE, given.of, NULL);
    } else {
        tw_encode_report_blank(prompt->out, given.of);
    }
}

static void put_part(const hermes_prompt *prompt, part text)
{
    if (text.of != NULL && text.to > text.from) {
        tw_out_part(prompt->out, text.of, text.from,
                    (size_t)(text.to - text.from),
                    (size_t)(text.from - text.of->text));
    }
}

/* Reasoning that stands in the content, as the template cuts it out. */
static part inline_reasoning(part *content)
{
    const char *close = find(content->from, content->to, "</think>");
    part reasoning = {NULL, "", ""};
    if (close != NULL) {
        reasoning = (part){content->of, content->from, close};
        reasoning = strip_end(reasoning);
        const char *open = find_last(reasoning.from, reasoning.to, "<think>");
        reasoning.from = open != NULL ? open + 7 : reasoning.from;
        reasoning = strip_front(reasoning);
        content->from = find_last(content->from, content->to, "</think>") + 8;
        *content = strip_front(*content);
    }
    return reasoning;
}

/* `<think>` and the text of the turn; is there any of the latter? */
static bool put_thinking(const hermes_prompt *prompt,
                         const tw_message *message, size_t at)
{
    const tw_value *given =
        tw_value_member(message->value, "reasoning_content");
    const bool last = at + 1 == tw_message_count(prompt->conversation);
    part content = whole(message->content);
    part reasoning = whole(message->reasoning);
    if (message->reasoning == NULL &&
        (given == NULL || given->kind != TW_VALUE_STRING)) {
        const char *all = content.from;
        reasoning = inline_reasoning(&content);
        if (content.from > all) {
            tw_encode_loss(
                prompt->out, TW_LOSS_CONTENT_MISREAD, message->content,
                "The template takes a part of the text for reasoning.");
        }
    }
    const bool some = content.to > content.from;
    if (at >= prompt->no_query && (last || reasoning.to > reasoning.from)) {
        const part put = strip_end(strip_front(reasoning));
        const part behind = strip_front(content);
        tw_out(prompt->out, "<think>\n");
        put_part(prompt, put);
        tw_out(prompt->out, "\n</think>\n\n");
        note_cut(prompt, reasoning, put);
        note_return(prompt, reasoning.of);
        note_cut(prompt, content, behind);
        content = behind;
    } else if (reasoning.to > reasoning.from) {
        tw_encode_loss(prompt->out, TW_LOSS_OLD_REASONING, reasoning.of, NULL);
    }
    put_part(prompt, content);
    tw_encode_report_blank(prompt->out, message->content);
    if (message->content != NULL &&
        message->content->kind != TW_VALUE_STRING) {
        tw_encode_loss(prompt->out, TW_LOSS_CONTENT_NOT_TEXT, message->content,
                       NULL);
    }
    return some;
}

static void put_assistant(const hermes_prompt *prompt,
                          const tw_message *message, size_t at)
{
    const tw_hermes_dialect *dialect = prompt->dialect;
    tw_segments *out = prompt->out;
    const bool calls = message->call_count > 0;
    bool some = false;
    put_turn(prompt, "assistant");
    if (dialect->reasoning) {
        some = put_thinking(prompt, message, at);
    } else {
        some = has_content(prompt, message->content);
        if (message->reasoning != NULL) {
            tw_encode_loss(out, TW_LOSS_REASONING_DROPPED, message->reasoning,
                           NULL);
        }
        if (some && calls && dialect->drops_content) {
            tw_encode_loss(out, TW_LOSS_CONTENT_DROPPED, message->content,
                           "The template leaves out content beside calls.");
            some = false;
        } else if (some || !calls) {
            put_content(prompt, message->content);
            tw_encode_report_blank(out, message->content);
        }
    }
    if (some && calls && prompt->description->gap[0] == '\n') {
        note_return(prompt, message->content);
    }
    tw_frame_put_calls(prompt->description, prompt->conversation, message,
                       some, out);
    tw_out(out, dialect->turn_end);
}

/* ---- results ------------------------------------------------------------ */

static bool is_result(const hermes_prompt *prompt, size_t at)
{
    return at < tw_message_count(prompt->conversation) &&
           tw_message_at(prompt->conversation, at)->role == TW_ROLE_TOOL;
}

/* Results are known by their place among those that follow each other. */
static void note_result(hermes_prompt *prompt, const tw_message *message)
{
    const size_t number = prompt->results++;
    if (message->id != NULL && !tw_id_is_counted(message->id, number)) {
        tw_encode_loss(prompt->out, TW_LOSS_CALL_ID, message->id, NULL);
    }
    if (message->name != NULL) {
        tw_encode_loss(prompt->out, TW_LOSS_RESULT_NAME, message->name, NULL);
    }
}

static void put_block(hermes_prompt *prompt, const tw_message *message,
                      bool behind)
{
    tw_out(prompt->out, behind ? "\n<tool_response>\n" : "<tool_response>\n");
    put_content(prompt, message->content);
    tw_out(prompt->out, "\n</tool_response>");
    note_result(prompt, message);
}

static void put_result(hermes_prompt *prompt, const tw_message *message,
                       size_t at)
{
    const tw_hermes_dialect *dialect = prompt->dialect;
    tw_segments *out = prompt->out;
    const bool last = at + 1 == tw_message_count(prompt->conversation);
    const bool first = at == 0 || !is_result(prompt, at - 1);
    if (first) {
        put_turn(prompt, dialect->result_role);
        if (dialect->results_end_odd && at == 0) {
            tw_encode_defect(out, message->value,
                             "The template begins no turn here.");
        }
    }
    put_block(prompt, message, !first);
    if (is_result(prompt, at + 1)) {
        return;
    }
    if (dialect->results_end_odd) {
        tw_out(out, last ? "<|im_end|>" : "\n<|im_end|>");
    } else {
        tw_out(out, dialect->turn_end);
    }
}

/* ---- all of it ---------------------------------------------------------- */

static bool is_text_result(const tw_value *content)
{
    static const char open[] = "<tool_response>";
    static const char close[] = "</tool_response>";
    return content->size >= sizeof close - 1 &&
           memcmp(content->text, open, sizeof open - 1) == 0 &&
           memcmp(content->text + content->size - (sizeof close - 1), close,
                  sizeof close - 1) == 0;
}

static size_t behind_queries(const tw_conversation *conversation)
{
    const size_t count = tw_message_count(conversation);
    for (size_t i = count; i > 0; i--) {
        const tw_message *message = tw_message_at(conversation, i - 1);
        if (message->role == TW_ROLE_USER && message->content != NULL &&
            message->content->kind == TW_VALUE_STRING &&
            !is_text_result(message->content)) {
            return i;
        }
    }
    return count;
}

static void put_message(hermes_prompt *prompt, size_t at, bool folded)
{
    const tw_message *message = tw_message_at(prompt->conversation, at);
    if (message->role != TW_ROLE_TOOL) {
        prompt->results = 0;
    }
    switch (message->role) {
    case TW_ROLE_SYSTEM:
    case TW_ROLE_DEVELOPER:
        if (message->role == TW_ROLE_DEVELOPER) {
            tw_encode_loss(prompt->out, TW_LOSS_ROLE_CHANGED,
                           message->role_name,
                           "The role reads back as `system`.");
        }
        if (at == 0 && folded) {
            break; /* it stands in the system turn */
        }
        put_turn(prompt, "system");
        put_content(prompt, message->content);
        tw_out(prompt->out, prompt->dialect->turn_end);
        break;
    case TW_ROLE_USER:
        put_turn(prompt, "user");
        put_content(prompt, message->content);
        tw_out(prompt->out, prompt->dialect->turn_end);
        break;
    case TW_ROLE_ASSISTANT: put_assistant(prompt, message, at); break;
    default: put_result(prompt, message, at); break; /* others are refused */
    }
}

static hermes_prompt prompt_of(const tw_format *format,
                               const tw_conversation *conversation,
                               tw_segments *out)
{
    const hermes_prompt prompt = {.dialect = format->row,
                                  .description = format->description,
                                  .conversation = conversation,
                                  .out = out};
    return prompt;
}

void tw_hermes_encode(const tw_format *format,
                      const tw_conversation *conversation, tw_segments *out)
{
    const tw_hermes_dialect *dialect = format->row;
    hermes_prompt prompt = prompt_of(format, conversation, out);
    const size_t count = tw_message_count(conversation);
    const tw_message *first =
        count > 0 ? tw_message_at(conversation, 0) : NULL;
    const tw_value *thinking =
        tw_conversation_setting(conversation, "enable_thinking");
    prompt.no_query = behind_queries(conversation);
    tw_out(out, dialect->begin);
    if (dialect->signatures) {
        tw_hermes_put_signatures(out, conversation);
    } else {
        put_system(&prompt, first != NULL && is_system(first) ? first : NULL);
    }
    for (size_t i = 0; i < count; i++) {
        put_message(&prompt, i, !dialect->signatures);
    }
    if (conversation->generation_prompt) {
        put_turn(&prompt, "assistant");
        if (dialect->reasoning && thinking != NULL &&
            thinking->kind == TW_VALUE_FALSE) {
            tw_out(out, "<think>\n\n</think>\n\n");
        }
    }
}

void tw_hermes_complete(const tw_format *format,
                        const tw_conversation *conversation, tw_segments *out)
{
    hermes_prompt prompt = prompt_of(format, conversation, out);
    put_message(&prompt, 0, false);
}

void tw_hermes_put_results(const tw_format *format,
                           const tw_conversation *conversation,
                           tw_segments *out)
{
    hermes_prompt prompt = prompt_of(format, conversation, out);
    for (size_t i = 0; i < tw_message_count(conversation); i++) {
        put_block(&prompt, tw_message_at(conversation, i), i > 0);
    }
}

/* ---- dialects ----------------------------------------------------------- */

const tw_hermes_dialect tw_hermes_qwen3 = {
    .begin = "",
    .turn = "<|im_start|>",
    .role_end = "\n",
    .turn_end = "<|im_end|>\n",
    .system_begin = "",
    .tools_gap = "\n",
    .result_role = "user",
    .reasoning = true,
    .content_is_text = true,
};

const tw_hermes_dialect tw_hermes_qwen25 = {
    .begin = "",
    .turn = "<|im_start|>",
    .role_end = "\n",
    .turn_end = "<|im_end|>\n",
    .system_begin = "",
    .default_system = "You are Qwen, created by Alibaba Cloud. You are a "
                      "helpful assistant.",
    .tools_gap = "\n",
    .result_role = "user",
};

const tw_hermes_dialect tw_hermes_nous = {
    .begin = "<|begin_of_text|>",
    .turn = "<|im_start|>",
    .role_end = "\n",
    .turn_end = "<|im_end|>\n",
    .system_begin = "",
    .result_role = "tool",
    .signatures = true,
    .drops_content = true,
    .results_end_odd = true,
};

const tw_hermes_dialect tw_hermes_rnj1 = {
    .begin = "<|begin_of_text|>",
    .turn = "<|start_header_id|>",
    .role_end = "<|end_header_id|>\n",
    .turn_end = "<|eot_id|>",
    .system_begin = "You are rnj-1, a foundation model trained by Essential "
                    "AI.\n\n",
    .default_system = "You are a helpful assistant.",
    .tools_gap = "\n\n",
    .result_role = "user",
    .content_is_text = true,
};

#define MARKER(text, role, literal, stop, decoded)            \
    {                                                         \
        TW_MARKER_TEXT(text), role, 1, literal, stop, decoded \
    }

const tw_marker tw_hermes_markers[] = {
    MARKER("<tool_call>", TW_MARKER_CALL_OPEN, 1, 0, 1),
    MARKER("</tool_call>", TW_MARKER_CALL_CLOSE, 1, 0, 1),
    MARKER("<think>", TW_MARKER_REASONING_OPEN, 1, 0, 1),
    MARKER("</think>", TW_MARKER_REASONING_CLOSE, 1, 0, 1),
    MARKER("<|im_end|>", TW_MARKER_END, 0, 1, 1),
    MARKER("<|endoftext|>", TW_MARKER_END, 0, 1, 1),
    MARKER("<|eot_id|>", TW_MARKER_END, 0, 1, 1),
    MARKER("<|im_start|>", TW_MARKER_TURN, 0, 0, 0),
    MARKER("<|begin_of_text|>", TW_MARKER_TURN, 0, 0, 0),
    MARKER("<|start_header_id|>", TW_MARKER_TURN, 0, 0, 0),
    MARKER("<|end_header_id|>", TW_MARKER_TURN, 0, 0, 0),
    MARKER("<tool_response>", TW_MARKER_RESULT, 1, 0, 0),
    MARKER("</tool_response>", TW_MARKER_RESULT, 1, 0, 0),
};
const size_t tw_hermes_marker_count =
    sizeof tw_hermes_markers / sizeof tw_hermes_markers[0];
