/* SPDX-License-Identifier: MIT
 *
 * OpenAI's Responses API: {"instructions", "input", "output", "tools"}, whose
 * items are messages, reasoning, calls and results.  This file reads them;
 * responses_write.c writes them.
 */
#include "json/write.h"
#include "records/apis/responses_halves.h"

/* The assistant's message that items become, as far as it came. */
typedef struct reading {
    tw_recoder *recoder;
    tw_value *turn; /* NULL: the next item begins one */
    bool has_content;
    bool has_calls;
} reading;

static bool is_type(const tw_value *item, const char *type)
{
    return tw_value_is(tw_value_member(item, "type"), type);
}

/* The members that have no place; a status but `completed` is one. */
static void lose_others(tw_recoder *recoder, const tw_value *item,
                        const char *const *known)
{
    for (const tw_value *at = item->first; at != NULL; at = at->next) {
        if (!tw_value_has_key(at, "status") || !tw_value_is(at, "completed")) {
            tw_losses_add_member(&recoder->losses, at, known);
        }
    }
}

static tw_value *turn_of(reading *state, const tw_value *item, bool fresh)
{
    if (state->turn == NULL || fresh) {
        state->turn = tw_read_message(state->recoder, "assistant", item);
        state->has_content = state->has_calls = false;
    }
    return state->turn;
}

/* ---- contents ----------------------------------------------------------- */

static bool is_text_part(const tw_value *part)
{
    return is_type(part, "input_text") || is_type(part, "output_text") ||
           is_type(part, "text");
}

static void read_image(tw_recoder *recoder, tw_value *content,
                       const tw_value *part, const tw_value *url)
{
    static const char *const known[] = {"type", "image_url", "detail", NULL};
    const tw_value *detail = tw_value_member(part, "detail");
    tw_value *image = tw_read_image_part(recoder, content, part);
    tw_read_member(recoder, image, "url", url);
    if (tw_value_is_a(detail, TW_VALUE_STRING)) {
        tw_read_member(recoder, image, "detail", detail);
    }
    lose_others(recoder, part, known);
}

/* A refusal is a member of the message. */
static void read_part(tw_recoder *recoder, tw_value *message,
                      tw_value *content, const tw_value *part)
{
    static const char *const known[] = {"\"type", "text", NULL};
    static const char *const refused[] = {"type", "refusal", NULL};
    const tw_value *text = tw_value_member(part, "text");
    const tw_value *refusal = tw_value_member(part, "refusal");
    const tw_value *url = tw_value_member(part, "image_url");
    if (is_text_part(part) && tw_value_is_a(text, TW_VALUE_STRING)) {
        tw_read_text_part(recoder, content, part, text);
        lose_others(recoder, part, known);
    } else if (is_type(part, "input_image") &&
               tw_value_is_a(url, TW_VALUE_STRING)) {
        read_image(recoder, content, part, url);
    } else if (is_type(part, "refusal") && refusal != NULL &&
               tw_value_member(message, "refusal") == NULL) {
        tw_read_member(recoder, message, "refusal", refusal);
        lose_others(recoder, part, refused);
    } else {
        tw_recoder_report_loss(recoder, TW_LOSS_PART_NOT_TEXT, part, NULL);
    }
}

static void read_content(tw_recoder *recoder, tw_value *message,
                         const tw_value *content, bool null)
{
    if (tw_value_is_a(content, TW_VALUE_STRING)) {
        tw_read_member(recoder, message, "content", content);
        return;
    }
    tw_value *made =
        tw_read_part(recoder, message, "content", TW_VALUE_ARRAY, content);
    const bool list = tw_value_is_a(content, TW_VALUE_ARRAY);
    for (const tw_value *at = list ? content->first : NULL; at != NULL;
         at = at->next) {
        read_part(recoder, message, made, at);
    }
    tw_read_end_content(made, null);
    if (content != NULL && !list && content->kind != TW_VALUE_NULL) {
        tw_recoder_report_loss(recoder, TW_LOSS_CONTENT_NOT_TEXT, content,
                               NULL);
    }
}

/* ---- items -------------------------------------------------------------- */

static void read_message(reading *state, const tw_value *item)
{
    static const char *const known[] = {"type", "role", "content", NULL};
    static const char *const roles[] = {"user", "system", "developer"};
    tw_recoder *recoder = state->recoder;
    const tw_value *role = tw_value_member(item, "role");
    const tw_value *content = tw_value_member(item, "content");
    if (tw_value_is(role, "assistant")) {
        tw_value *turn =
            turn_of(state, item, state->has_content || state->has_calls);
        read_content(recoder, turn, content, true);
        state->has_content = true;
        lose_others(recoder, item, known);
        return;
    }
    state->turn = NULL;
    for (size_t i = 0; i < sizeof roles / sizeof *roles; i++) {
        if (tw_value_is(role, roles[i])) {
            read_content(recoder, tw_read_message(recoder, roles[i], item),
                         content, false);
            lose_others(recoder, item, known);
            return;
        }
    }
    tw_recoder_leave_out(recoder, TW_LOSS_MESSAGE_DROPPED, item,
                         "the role is not known");
}

/* What another agent says to this one. */
static void read_agent_message(reading *state, const tw_value *item)
{
    static const char *const known[] = {"type", "content", NULL};
    tw_recoder *recoder = state->recoder;
    state->turn = NULL;
    read_content(recoder, tw_read_message(recoder, "user", item),
                 tw_value_member(item, "content"), false);
    tw_recoder_report_loss(recoder, TW_LOSS_ROLE_CHANGED,
                           tw_value_member(item, "type"),
                           "Another agent says it: a user says it.");
    lose_others(recoder, item, known);
}

/* A text, or the texts of a list of {"text"}; what else they have is lost. */
static void join_texts(tw_recoder *recoder, tw_joint *all,
                       const tw_value *given)
{
    static const char *const known[] = {"\"type", "text", NULL};
    if (tw_has_text(given)) {
        tw_joint_add(all, recoder, given);
    } else if (given != NULL && !tw_value_is_container(given) &&
               !tw_value_is_void(given)) {
        tw_recoder_report_loss(recoder, TW_LOSS_REASONING_DROPPED, given,
                               NULL);
    }
    for (const tw_value *at = given != NULL ? given->first : NULL; at != NULL;
         at = at->next) {
        const tw_value *text = tw_value_member(at, "text");
        if (tw_value_is_a(text, TW_VALUE_STRING)) {
            tw_joint_add(all, recoder, text);
            lose_others(recoder, at, known);
        } else {
            tw_recoder_report_loss(recoder, TW_LOSS_PART_NOT_TEXT, at, NULL);
        }
    }
}

/* The items of reasoning from here on, as they are; returns the last. */
static const tw_value *keep_reasoning(tw_recoder *recoder, tw_value *turn,
                                      const tw_value *item)
{
    tw_value *list = tw_read_part(recoder, turn, TW_RESPONSES_REASONING,
                                  TW_VALUE_ARRAY, item);
    tw_read_member(recoder, list, NULL, item);
    while (item->next != NULL && is_type(item->next, "reasoning")) {
        item = item->next;
        tw_read_member(recoder, list, NULL, item);
    }
    return item;
}

/* Items of reasoning that follow each other are one; the text itself counts,
 * else its summary.  Returns the last of them. */
static const tw_value *read_reasoning(reading *state, const tw_value *item)
{
    static const char *const known[] = {"type", "summary", "content", NULL};
    tw_recoder *recoder = state->recoder;
    tw_value *turn =
        turn_of(state, item, state->has_content || state->has_calls);
    tw_joint all = {{0}, 0, NULL, 0};
    if (tw_responses_stays(recoder)) {
        return keep_reasoning(recoder, turn, item);
    }
    for (;; item = item->next) {
        const tw_value *content = tw_value_member(item, "content");
        const tw_value *summary = tw_value_member(item, "summary");
        const bool raw = content != NULL && !tw_value_is_void(content);
        join_texts(recoder, &all, raw ? content : summary);
        if (raw && summary != NULL && !tw_value_is_void(summary)) {
            tw_recoder_report_loss(recoder, TW_LOSS_REASONING_DROPPED, summary,
                                   NULL);
        }
        lose_others(recoder, item, known);
        if (item->next == NULL || !is_type(item->next, "reasoning")) {
            break;
        }
    }
    tw_read_reasoning(recoder, turn, &all);
    return item;
}

static bool is_cut(tw_recoder *recoder, const tw_value *item)
{
    if (is_type(item, "function_call") &&
        tw_value_is(tw_value_member(item, "status"), "incomplete")) {
        tw_recoder_leave_out(recoder, TW_LOSS_CALL_DROPPED, item,
                             "the call is cut off");
        return true;
    }
    return false;
}

static void read_call(reading *state, const tw_value *item, bool custom)
{
    static const char *const known[] = {"type", "call_id", "name", "arguments",
                                        NULL};
    static const char *const known_custom[] = {"type", "call_id", "name",
                                               "input", NULL};
    tw_recoder *recoder = state->recoder;
    const tw_value *name = tw_value_member(item, "name");
    const tw_value *id = tw_value_member(item, "call_id");
    const tw_value *input = tw_value_member(item, "input");
    if (is_cut(recoder, item)) {
        return;
    }
    tw_value *turn = turn_of(state, item, false);
    if (custom) {
        tw_read_custom_call(recoder, turn, item, id, name, input);
    } else {
        tw_read_call(recoder, turn, item, id, name,
                     tw_value_member(item, "arguments"));
    }
    state->has_calls = true;
    lose_others(recoder, item, custom ? known_custom : known);
}

/* A command of the shell in the server's own words; its result is that of a
 * function. */
static void read_shell(reading *state, const tw_value *item)
{
    static const char *const known[] = {"type", "call_id", "action", NULL};
    tw_recoder *recoder = state->recoder;
    const tw_value *type = tw_value_member(item, "type");
    const tw_value *id = tw_value_member(item, "call_id");
    static const char shell[11 + TW_TEXT_PADDING] = "local_shell";
    static const tw_value name = {
        .kind = TW_VALUE_STRING, .text = shell, .size = 11};
    tw_read_call(recoder, turn_of(state, item, false), item, id, &name,
                 tw_value_member(item, "action"));
    tw_recoder_report_loss(recoder, TW_LOSS_CALL_FORM, type,
                           "It is a call of a function, `local_shell`.");
    state->has_calls = true;
    lose_others(recoder, item, known);
}

/* Agents of before have {"content", "success"}. */
static const tw_value *output_of(tw_recoder *recoder, const tw_value *output)
{
    static const char *const known[] = {"content", "?success", NULL};
    const tw_value *content = tw_value_member(output, "content");
    const tw_value *good = tw_value_member(output, "success");
    if (content == NULL) {
        return output;
    }
    if (tw_value_is_a(good, TW_VALUE_FALSE)) {
        tw_recoder_report_loss(recoder, TW_LOSS_RESULT_ERROR_FLAG, good, NULL);
    }
    tw_losses_add_members(&recoder->losses, output, known);
    return content;
}

static void read_result(reading *state, const tw_value *item)
{
    static const char *const known[] = {"type", "call_id", "output", NULL};
    tw_recoder *recoder = state->recoder;
    const tw_value *id = tw_value_member(item, "call_id");
    tw_value *message = tw_read_message(recoder, "tool", item);
    state->turn = NULL;
    if (id != NULL) {
        tw_read_member(recoder, message, "tool_call_id", id);
    }
    read_content(recoder, message,
                 output_of(recoder, tw_value_member(item, "output")), false);
    lose_others(recoder, item, known);
}

static void read_items(reading *state, const tw_value *items)
{
    for (const tw_value *at = items->first; at != NULL; at = at->next) {
        if (is_type(at, "message") || (tw_value_member(at, "type") == NULL &&
                                       tw_value_member(at, "role") != NULL)) {
            read_message(state, at);
        } else if (is_type(at, "agent_message")) {
            read_agent_message(state, at);
        } else if (is_type(at, "reasoning")) {
            at = read_reasoning(state, at);
        } else if (is_type(at, "function_call") ||
                   is_type(at, "custom_tool_call")) {
            read_call(state, at, is_type(at, "custom_tool_call"));
        } else if (is_type(at, "local_shell_call")) {
            read_shell(state, at);
        } else if (is_type(at, "function_call_output") ||
                   is_type(at, "custom_tool_call_output")) {
            read_result(state, at);
        } else {
            tw_recoder_report_loss(
                state->recoder, TW_LOSS_CALL_DROPPED, at,
                "The target has no place for such an item.");
        }
    }
}

/* ---- tools -------------------------------------------------------------- */

static void read_tools(tw_recoder *recoder, const tw_value *tools)
{
    for (const tw_value *at = tools->first; at != NULL; at = at->next) {
        if (is_type(at, "function")) {
            tw_value *function = tw_read_tool(recoder, at);
            for (const tw_value *part = at->first; part != NULL;
                 part = part->next) {
                if (!tw_value_has_key(part, "type") &&
                    part->kind != TW_VALUE_NULL) {
                    tw_read_member(recoder, function, NULL, part);
                }
            }
        } else if (is_type(at, "custom")) {
            tw_read_custom_tool(recoder, at);
        } else {
            tw_recoder_drop_server_tool(recoder, at);
        }
    }
}

/* A function that is to be called has no wrapper. */
static void read_choice(tw_recoder *recoder, const tw_value *choice)
{
    static const char *const known[] = {"type", "name", NULL};
    tw_tree *made = &recoder->made;
    const tw_value *name = tw_value_member(choice, "name");
    if (choice->kind == TW_VALUE_STRING) {
        tw_read_member(recoder, recoder->request, "tool_choice", choice);
    } else if (is_type(choice, "function") && name != NULL) {
        tw_value *named = tw_read_part(recoder, recoder->request,
                                       "tool_choice", TW_VALUE_OBJECT, choice);
        tw_make_word(made, named, "type", "function");
        tw_read_member(recoder,
                       tw_make(made, named, "function", TW_VALUE_OBJECT),
                       "name", name);
        tw_losses_add_members(&recoder->losses, choice, known);
    } else if (choice->kind != TW_VALUE_NULL) {
        tw_recoder_report_loss(recoder, TW_LOSS_MEMBER_DROPPED, choice, NULL);
    }
}

static void read_choices(tw_recoder *recoder, const tw_value *record)
{
    const tw_value *choice = tw_use_member(record, "tool_choice");
    const tw_value *parallel = tw_use_member(record, "parallel_tool_calls");
    if (choice != NULL) {
        read_choice(recoder, choice);
    }
    if (parallel != NULL) {
        tw_read_member(recoder, recoder->request, "parallel_tool_calls",
                       parallel);
    }
}

/* ---- records ------------------------------------------------------------ */

const tw_value *tw_responses_read(tw_recoder *recoder, const tw_value *record)
{
    const tw_value *instructions = tw_use_member(record, "instructions");
    const tw_value *input = tw_use_member(record, "input");
    const tw_value *output = tw_value_member(record, "output");
    const tw_value *tools = tw_use_member(record, "tools");
    reading state = {recoder, NULL, false, false};
    const bool listed = tw_value_is_a(input, TW_VALUE_ARRAY);
    const bool text = tw_value_is_a(input, TW_VALUE_STRING);
    const bool response = tw_value_is_a(output, TW_VALUE_ARRAY);
    if ((input != NULL && !listed && !text) || (input == NULL && !response)) {
        tw_recoder_refuse(recoder, record,
                          "neither `input` nor `output` has items");
        return NULL;
    }
    tw_read_begin(recoder, record);
    if (tw_value_is_a(instructions, TW_VALUE_ARRAY)) {
        read_items(&state, instructions);
    } else {
        tw_read_system(recoder, instructions);
    }
    if (text) {
        tw_read_text(recoder, "user", input, input);
    } else if (listed) {
        read_items(&state, input);
    }
    if (response) {
        tw_use(output);
        state.turn = NULL;
        read_items(&state, output);
    }
    if (tw_value_is_a(tools, TW_VALUE_ARRAY)) {
        read_tools(recoder, tools);
    } else if (tools != NULL && tools->kind != TW_VALUE_NULL) {
        tw_recoder_refuse(recoder, tools, "`tools` is not a list");
    }
    if (recoder->to != NULL && recoder->to->choices != NULL) {
        read_choices(recoder, record);
    }
    return recoder->request;
}

static void write(tw_recoder *recoder, const tw_conversation *conversation)
{
    tw_responses_write(recoder, conversation, recoder->record);
}

static const char *const members[] = {"input", "instructions", "output",
                                      "tools", NULL};
static const char *const choices[] = {"tool_choice", "parallel_tool_calls",
                                      NULL};

static tw_fit fits(const tw_value *record)
{
    const tw_value *input = tw_value_member(record, "input");
    const bool asks = tw_value_is_a(input, TW_VALUE_STRING) &&
                      tw_value_member(record, "model") != NULL;
    return tw_value_is(tw_value_member(record, "object"), "response") ||
                   tw_has_list_of(record, "output", "type") ||
                   tw_has_list_of(record, "input", "type") ||
                   tw_has_list_of(record, "input", "role")
               ? TW_FIT_WELL
           : asks ? TW_FIT_ALSO
                  : TW_FIT_NONE;
}

const tw_record_shape tw_responses_shape = {
    .name = "responses",
    .about = "{\"input\", \"output\", \"tools\"}, items of OpenAI's Responses",
    .members = members,
    .choices = choices,
    .takes_parts = true,
    .has_arguments = true,
    .has_items = true,
    .fits = fits,
    .read = tw_responses_read,
    .write = write,
};
