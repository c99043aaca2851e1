/* SPDX-License-Identifier: MIT
 *
 * ShareGPT with calls, as LLaMA-Factory trains on it: {"conversations":
 * [{"from","value"}], "system", "tools"}.  A call is JSON text in a turn of
 * its own, several are a list; ids and names of results have no place.
 * ms-swift has such turns as messages, {"role","content"}, where calls belong
 * to the text in front of them.
 */
#include <string.h>

#include "core/sort.h"
#include "records/records.h"

static const char *const members[] = {"conversations", "system", "tools",
                                      NULL};

static bool is_one_of(const tw_value *word, const char *const *words)
{
    for (; *words != NULL; words++) {
        if (tw_value_is(word, *words)) {
            return true;
        }
    }
    return false;
}

/* ---- reading ------------------------------------------------------------ */

/* The calls of the last message, which turns of calls alone make. */
static const tw_value *last_calls(const tw_recoder *recoder)
{
    const tw_value *list = recoder->messages;
    return tw_value_member(list != NULL ? list->last : NULL, "tool_calls");
}

static bool is_empty_list(tw_recoder *recoder, const tw_value *value)
{
    const tw_value *list = tw_read_inner(recoder, value);
    return tw_value_is_a(list, TW_VALUE_ARRAY) && list->first == NULL;
}

/* Has the message in front a text that the calls belong to? */
static bool follows_text(const tw_recoder *recoder, const tw_value *turn)
{
    const tw_value *list = recoder->messages;
    const tw_value *last = list != NULL ? list->last : NULL;
    return tw_value_member(turn, "role") != NULL &&
           tw_value_is(tw_value_member(last, "role"), "assistant");
}

/* Turns of calls that follow each other are one message: their results stand
 * behind them all. */
static void read_calls(tw_recoder *recoder, const tw_value *turn,
                       const tw_value *value)
{
    tw_value *message;
    if ((last_calls(recoder) != NULL || follows_text(recoder, turn)) &&
        !is_empty_list(recoder, value)) {
        message = recoder->messages->last;
        tw_recoder_report_loss(recoder, TW_LOSS_MESSAGE_MERGED, turn,
                               "Turns of calls become one message.");
    } else {
        message = tw_read_message(recoder, "assistant", turn);
    }
    tw_read_calls_text(recoder, message, value);
}

static const char *const call_words[] = {"function_call", "tool_call", NULL};
static const char *const result_words[] = {"observation", "tool", "function",
                                      "tool_response", NULL};

static const tw_value *author_of(const tw_value *turn)
{
    const tw_value *from = tw_value_member(turn, "from");
    return from != NULL ? from : tw_value_member(turn, "role");
}

/* The elements of one result that is a list and has as many as there are
 * calls; NULL: it has not, or is not the only result. */
static const tw_value *list_of_results(tw_recoder *recoder,
                                       const tw_value *turn,
                                       const tw_value *value)
{
    const tw_value *calls = last_calls(recoder);
    const bool several = calls != NULL && calls->first != calls->last;
    if (!several || (turn->next != NULL &&
                     is_one_of(author_of(turn->next), result_words))) {
        return NULL;
    }
    const tw_value *list = tw_read_inner(recoder, value);
    return tw_value_is_a(list, TW_VALUE_ARRAY) && list->last != NULL &&
                   list->last->index == calls->last->index
               ? list->first
               : NULL;
}

static void read_result(tw_recoder *recoder, const tw_value *turn,
                        const tw_value *value)
{
    const tw_value *at = list_of_results(recoder, turn, value);
    if (at == NULL) {
        tw_read_text(recoder, "tool", turn, value);
        return;
    }
    tw_recoder_report_loss(recoder, TW_LOSS_RESULT_SPLIT, value, NULL);
    for (; at != NULL; at = at->next) {
        tw_value *message = tw_read_message(recoder, "tool", turn);
        if (at->kind == TW_VALUE_STRING) {
            tw_read_member(recoder, message, "content", at);
        } else {
            tw_read_packed(recoder, message, "content", at);
        }
    }
}

static void read_turn(tw_recoder *recoder, const tw_value *turn)
{
    static const char *const users[] = {"human", "user", NULL};
    static const char *const models[] = {
        "gpt", "assistant", "model", "chatgpt", "bing", "bard", NULL};
    static const char *const known[] = {"from", "value", NULL};
    static const char *const known_too[] = {"role", "content", NULL};
    const bool plain = tw_value_member(turn, "from") != NULL;
    const tw_value *from = author_of(turn);
    const tw_value *value = tw_value_member(turn, plain ? "value" : "content");
    if (from == NULL || !tw_value_is_a(value, TW_VALUE_STRING)) {
        tw_recoder_refuse(recoder, turn,
                          "the turn has no `from`, or no text in `value`");
    } else if (is_one_of(from, users)) {
        tw_read_text(recoder, "user", turn, value);
    } else if (is_one_of(from, models)) {
        tw_read_text(recoder, "assistant", turn, value);
    } else if (is_one_of(from, call_words)) {
        read_calls(recoder, turn, value);
    } else if (is_one_of(from, result_words)) {
        read_result(recoder, turn, value);
    } else if (tw_value_is(from, "system")) {
        tw_read_text(recoder, "system", turn, value);
    } else {
        tw_recoder_refuse(recoder, from,
                          "the author of the turn is not known");
    }
    tw_losses_add_members(&recoder->losses, turn, plain ? known : known_too);
}

/* A turn, or a list of some. */
static void read_side(tw_recoder *recoder, const tw_value *side,
                      const char *key)
{
    const bool list = side->kind == TW_VALUE_ARRAY;
    const tw_value *at = list ? side->first : side;
    recoder->messages =
        tw_read_part(recoder, recoder->request, key, TW_VALUE_ARRAY, side);
    for (; at != NULL; at = list ? at->next : NULL) {
        read_turn(recoder, at);
    }
}

static bool is_side(const tw_value *side)
{
    return side != NULL &&
           tw_value_member(side->kind == TW_VALUE_ARRAY ? side->first : side,
                           "from") != NULL;
}

/* LLaMA-Factory's ranking: two turns of which the first is preferred. */
static void read_pair(tw_recoder *recoder, const tw_value *record)
{
    if (is_side(tw_value_member(record, "chosen")) &&
        is_side(tw_value_member(record, "rejected"))) {
        read_side(recoder, tw_use_member(record, "chosen"), "chosen");
        read_side(recoder, tw_use_member(record, "rejected"), "rejected");
    }
}

static const tw_value *read(tw_recoder *recoder, const tw_value *record)
{
    const bool plain = tw_value_member(record, "conversations") != NULL;
    const tw_value *turns =
        tw_use_member(record, plain ? "conversations" : "messages");
    const tw_value *system = tw_use_member(record, "system");
    const tw_value *tools = tw_use_member(record, "tools");
    if (!tw_value_is_a(turns, TW_VALUE_ARRAY)) {
        tw_recoder_refuse(recoder, record,
                          "`conversations` is missing or is not a list");
        return NULL;
    }
    tw_read_begin(recoder, record);
    tw_read_system(recoder, system);
    for (const tw_value *at = turns->first; at != NULL; at = at->next) {
        read_turn(recoder, at);
    }
    if (tools != NULL) {
        tw_read_tools(recoder, tools);
    }
    read_pair(recoder, record);
    return recoder->request;
}

/* ---- writing ------------------------------------------------------------ */

static void begin_turn(tw_json_out *json_out, const char *from, bool *first)
{
    tw_json_put(json_out, *first ? "{\"from\":\"" : ",{\"from\":\"");
    tw_json_put(json_out, from);
    tw_json_put(json_out, "\",\"value\":");
    *first = false;
}

static void write_text(tw_recoder *recoder, const char *from,
                       const tw_value *content, bool *first)
{
    begin_turn(&recoder->json_out, from, first);
    tw_json_put_content(recoder, content);
    tw_json_put(&recoder->json_out, "}");
}

static void write_calls(tw_recoder *recoder,
                        const tw_conversation *conversation,
                        const tw_message *message, bool *first)
{
    tw_json_out text = {.memory = recoder->memory};
    const bool several = message->call_count > 1;
    begin_turn(&recoder->json_out, "function_call", first);
    tw_json_put(&text, several ? "[" : "");
    for (size_t i = 0; i < message->call_count; i++) {
        tw_json_put(&text, i > 0 ? ", " : "");
        tw_json_put_described(
            recoder, &text, tw_call_of(conversation, message, i), message, i);
    }
    tw_json_put(&text, several ? "]" : "");
    tw_json_put_string(&recoder->json_out, (const char *)text.out.data,
                       text.out.size);
    tw_json_put(&recoder->json_out, "}");
    recoder->json_out.failed |= text.failed;
    tw_buffer_free(&text.out, recoder->memory);
}

/* The ids of calls have no place in wire text; what is read back is counted
 * through the record. */
static void report_ids(tw_recoder *recoder,
                       const tw_conversation *conversation,
                       const tw_message *message)
{
    for (size_t i = 0; i < message->call_count; i++) {
        const tw_value *id = tw_call_of(conversation, message, i)->id;
        if (id != NULL && !tw_id_is_counted(id, message->first_call + i)) {
            tw_recoder_report_loss(recoder, TW_LOSS_CALL_ID, id, NULL);
        }
    }
}

static void put_turn(tw_recoder *recoder, const char *from, tw_buffer *text,
                     bool *first)
{
    begin_turn(&recoder->json_out, from, first);
    tw_json_put_string(&recoder->json_out, (const char *)text->data,
                       text->size);
    tw_json_put(&recoder->json_out, "}");
    tw_buffer_free(text, recoder->memory);
}

static void write_wire(tw_recoder *recoder,
                       const tw_conversation *conversation,
                       const tw_message *message, bool *first)
{
    tw_buffer text = {0};
    recoder->wire->put_turn(recoder->wire->context, conversation, message,
                            &text);
    put_turn(recoder, "gpt", &text, first);
    report_ids(recoder, conversation, message);
}

/* Does message |i| have calls alone, as the one before it ends with?  Their
 * turns read back as one message. */
static bool is_merged(const tw_conversation *conversation, size_t i)
{
    const tw_message *message = tw_message_at(conversation, i);
    const tw_message *before =
        i > 0 ? tw_message_at(conversation, i - 1) : NULL;
    return before != NULL && before->call_count > 0 &&
           message->call_count > 0 && !tw_has_text(message->content);
}

static void write_assistant(tw_recoder *recoder,
                            const tw_conversation *conversation,
                            const tw_message *message, bool *first)
{
    const tw_value *content = message->content;
    const bool some = tw_has_text(content);
    if (message->reasoning != NULL) {
        tw_recoder_report_loss(recoder, TW_LOSS_REASONING_DROPPED,
                               message->reasoning, NULL);
    }
    if (some || message->call_count == 0) {
        write_text(recoder, "gpt", content, first);
    }
    if (some && message->call_count > 0) {
        tw_recoder_report_loss(
            recoder, TW_LOSS_CONTENT_MOVED, content,
            "Content beside calls becomes a turn of its own.");
    } else if (message->call_count > 0 && content != NULL &&
               !tw_value_is_void(content)) {
        tw_recoder_report_loss(recoder, TW_LOSS_CONTENT_NOT_TEXT, content,
                               NULL);
    }
    if (message->call_count > 0) {
        write_calls(recoder, conversation, message, first);
    }
}

static void write_answer(tw_recoder *recoder,
                         const tw_conversation *conversation,
                         const tw_message *message, bool *first)
{
    if (recoder->wire != NULL) {
        write_wire(recoder, conversation, message, first);
    } else {
        write_assistant(recoder, conversation, message, first);
    }
}

/* ---- results ------------------------------------------------------------ */

/* Results that follow each other. */
typedef struct run {
    const tw_pairs *pairs;
    size_t begin; /* messages */
    size_t count;
    tw_buffer order; /* size_t: messages in the order of their calls */
} run;

static bool is_before(const void *context, size_t left, size_t right)
{
    const run *results = context;
    const size_t a = tw_pairs_answered(results->pairs, left);
    const size_t b = tw_pairs_answered(results->pairs, right);
    return a != b ? a < b : left < right;
}

static bool sort_run(tw_recoder *recoder, run *results)
{
    for (size_t i = 0; i < results->count; i++) {
        const size_t message = results->begin + i;
        if (!tw_buffer_append(&results->order, recoder->memory, &message,
                              sizeof message)) {
            return false;
        }
    }
    return tw_sort(&results->order, recoder->memory, is_before, results);
}

/* What the result loses of where it stood and what it answers. */
static void judge_result(tw_recoder *recoder,
                         const tw_conversation *conversation, size_t at,
                         bool moved, tw_open_calls *calls)
{
    if (moved) {
        tw_recoder_report_loss(recoder, TW_LOSS_CONTENT_MOVED,
                               tw_message_at(conversation, at)->value,
                               "Results stand in the order of their calls.");
    }
    tw_report_next_result(recoder, conversation, at, calls);
}

/* The only result behind several calls reads back as one of each, if it is a
 * list of as many. */
static void report_list(tw_recoder *recoder,
                        const tw_conversation *conversation,
                        const run *results, const tw_open_calls *calls)
{
    const tw_message *message = tw_message_at(conversation, results->begin);
    const size_t count = calls->end - calls->next;
    const tw_value *list =
        recoder->wire == NULL && results->count == 1 && count > 1 &&
                tw_has_text(message->content)
            ? tw_read_inner(recoder, message->content)
            : NULL;
    if (tw_value_is_a(list, TW_VALUE_ARRAY) && list->last != NULL &&
        list->last->index + 1 == count) {
        tw_recoder_report_loss(recoder, TW_LOSS_RESULT_MISPLACED,
                               message->content,
                               "The list reads back as a result of each call.");
    }
}

/* Returns the message behind them. */
static size_t write_results(tw_recoder *recoder,
                            const tw_conversation *conversation, size_t i,
                            tw_open_calls *calls, bool *first)
{
    run results = {&recoder->pairs, i, 0, {0}};
    while (i < conversation->prompt_count &&
           tw_message_at(conversation, i)->role == TW_ROLE_TOOL) {
        i++;
    }
    results.count = i - results.begin;
    report_list(recoder, conversation, &results, calls);
    if (sort_run(recoder, &results)) {
        const size_t *order = (const size_t *)(const void *)results.order.data;
        const tw_wire_writer *wire = recoder->wire;
        const bool framed = wire != NULL && wire->put_results != NULL;
        if (framed) {
            tw_buffer text = {0};
            wire->put_results(wire->context, conversation, order,
                              results.count, &text);
            put_turn(recoder, "tool", &text, first);
        }
        for (size_t k = 0; k < results.count; k++) {
            if (!framed) {
                write_text(recoder, wire != NULL ? "tool" : "observation",
                           tw_message_at(conversation, order[k])->content,
                           first);
            }
            judge_result(recoder, conversation, order[k],
                         order[k] != results.begin + k, calls);
        }
    } else {
        recoder->json_out.failed = true;
    }
    tw_buffer_free(&results.order, recoder->memory);
    return i;
}

/* ---- records ------------------------------------------------------------ */

/* Returns the message behind it, or behind what is written with it. */
static size_t write_message(tw_recoder *recoder,
                            const tw_conversation *conversation, size_t i,
                            tw_open_calls *calls, bool *first)
{
    const tw_message *message = tw_message_at(conversation, i);
    switch (message->role) {
    case TW_ROLE_USER:
        write_text(recoder, "human", message->content, first);
        break;
    case TW_ROLE_ASSISTANT:
        write_answer(recoder, conversation, message, first);
        if (recoder->wire == NULL && is_merged(conversation, i)) {
            tw_recoder_report_loss(recoder, TW_LOSS_MESSAGE_MERGED,
                                   message->value, NULL);
            calls->end += message->call_count;
        } else {
            tw_open_calls_of(message, calls);
        }
        break;
    case TW_ROLE_TOOL:
        return write_results(recoder, conversation, i, calls, first);
    case TW_ROLE_SYSTEM:
    case TW_ROLE_DEVELOPER:
        write_text(recoder, "system", message->content, first);
        tw_report_lost_developer(recoder, message);
        break;
    default:
        tw_recoder_refuse(recoder, message->role_name,
                          "the role is not known");
        break;
    }
    return i + 1;
}

/* A function without its wrapper, if there is nothing else in that. */
static const tw_value *without_wrapper(const tw_value *tool)
{
    const tw_value *at = tool->first;
    while (at != NULL &&
           (tw_value_has_key(at, "function") || tw_value_is_void(at) ||
            (tw_value_has_key(at, "type") && tw_value_is(at, "function")))) {
        at = at->next;
    }
    return at == NULL ? tw_tool_function(tool) : tool;
}

static void write_tools(tw_recoder *recoder, const tw_value *tools)
{
    tw_json_out *json_out = &recoder->json_out;
    tw_json_out text = {.memory = recoder->memory};
    tw_json_put(&text, "[");
    for (const tw_value *at = tools->first; at != NULL; at = at->next) {
        if (!text.failed &&
            !tw_value_dump(&text.out, text.memory, without_wrapper(at),
                           &tw_dump_spaced)) {
            text.failed = true;
        }
        tw_json_put(&text, at->next != NULL ? ", " : "");
    }
    tw_json_put(&text, "]");
    tw_json_put_key(json_out, "tools", false);
    tw_json_put_string(json_out, (const char *)text.out.data, text.out.size);
    json_out->failed |= text.failed;
    tw_buffer_free(&text.out, recoder->memory);
}

/* One turn of a pair. */
static void write_side(tw_recoder *recoder,
                       const tw_conversation *conversation, const char *key,
                       size_t at, size_t count)
{
    const tw_message *message = tw_message_at(conversation, at);
    bool first = true;
    if (count != 1 || message->role != TW_ROLE_ASSISTANT ||
        (recoder->wire == NULL && message->call_count > 0 &&
         tw_has_text(message->content))) {
        tw_recoder_refuse(recoder, message->value,
                          "an output of a pair is one turn here");
        return;
    }
    tw_json_put_key(&recoder->json_out, key, false);
    write_answer(recoder, conversation, message, &first);
}

static void write_pair(tw_recoder *recoder,
                       const tw_conversation *conversation)
{
    const size_t prompt = conversation->prompt_count;
    const size_t chosen = conversation->chosen_count;
    const size_t count = tw_message_count(conversation);
    if (count > prompt) {
        write_side(recoder, conversation, "chosen", prompt, chosen);
        write_side(recoder, conversation, "rejected", prompt + chosen,
                   count - prompt - chosen);
    }
}

static void write(tw_recoder *recoder, const tw_conversation *conversation)
{
    static const char *const none[] = {NULL};
    tw_json_out *json_out = &recoder->json_out;
    const size_t count = conversation->prompt_count;
    const tw_message *head = count > 0 ? tw_message_at(conversation, 0) : NULL;
    /* An empty `system` reads back as none: such a message stays a turn. */
    const bool has_head = head != NULL && tw_message_is_system(head) &&
                          tw_has_text(head->content);
    tw_open_calls calls = {0, 0};
    bool first = true;
    tw_json_put(json_out, "\"conversations\":[");
    for (size_t i = has_head ? 1 : 0; i < count;) {
        i = write_message(recoder, conversation, i, &calls, &first);
    }
    tw_json_put(json_out, "]");
    write_pair(recoder, conversation);
    if (has_head) {
        tw_json_put_key(json_out, "system", false);
        tw_json_put_content(recoder, head->content);
        tw_report_lost_developer(recoder, head);
    }
    if (conversation->tools != NULL) {
        write_tools(recoder, conversation->tools);
    }
    tw_report_unread(recoder, conversation, none);
}

/* Is a turn of calls, or of what answers them, among messages? */
static bool has_calls(const tw_value *list)
{
    const tw_value *at =
        tw_value_is_a(list, TW_VALUE_ARRAY) ? list->first : NULL;
    while (at != NULL &&
           !tw_value_is(tw_value_member(at, "role"), "tool_response") &&
           !is_one_of(tw_value_member(at, "role"), call_words)) {
        at = at->next;
    }
    return at != NULL;
}

static tw_fit fits(const tw_value *record)
{
    return tw_fit_well(tw_has_list_of(record, "conversations", "from") ||
                       has_calls(tw_value_member(record, "conversations")) ||
                       has_calls(tw_value_member(record, "messages")));
}

const tw_record_shape tw_sharegpt_shape = {
    .name = "sharegpt",
    .about = "{\"conversations\", \"system\", \"tools\"}, calls as text",
    .members = members,
    .takes_wire = true,
    .takes_pairs = true,
    .fits = fits,
    .read = read,
    .write = write,
};
