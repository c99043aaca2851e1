/* SPDX-License-Identifier: MIT
 *
 * Alpaca: {"instruction", "input", "output", "system", "history"}, texts
 * alone.
 */
#include "records/records.h"

/* The rounds before: pairs of what was asked and answered. */
static void read_history(tw_recoder *recoder, const tw_value *history)
{
    for (const tw_value *at = history->first; at != NULL; at = at->next) {
        const tw_value *question = at->first;
        const tw_value *answer = question != NULL ? question->next : NULL;
        if (at->kind != TW_VALUE_ARRAY ||
            !tw_value_is_a(question, TW_VALUE_STRING) ||
            !tw_value_is_a(answer, TW_VALUE_STRING) || answer->next != NULL) {
            tw_recoder_refuse(recoder, at, "the round is no pair of texts");
            return;
        }
        tw_read_text(recoder, "user", question, question);
        tw_read_text(recoder, "assistant", answer, answer);
    }
}

/* The input stands below the instruction, in one text. */
static void read_question(tw_recoder *recoder, const tw_value *instruction,
                          const tw_value *input)
{
    tw_buffer text = {0};
    if (!tw_has_text(input)) {
        if (tw_value_is_true(input)) {
            tw_recoder_report_loss(recoder, TW_LOSS_CONTENT_NOT_TEXT, input,
                                   NULL);
        }
        tw_read_text(recoder, "user", instruction, instruction);
        return;
    }
    tw_losses_add_joined(&recoder->losses, input, instruction);
    recoder->json_out.failed |=
        !tw_buffer_append(&text, recoder->memory, instruction->text,
                          instruction->size) ||
        !tw_buffer_append(&text, recoder->memory, "\n",
                          instruction->size > 0 ? 1 : 0);
    const size_t lone = instruction->lone > 0 ? instruction->lone
                        : input->lone > 0     ? text.size + input->lone
                                              : 0;
    recoder->json_out.failed |=
        !tw_buffer_append(&text, recoder->memory, input->text, input->size);
    tw_value *made = tw_make_text(
        &recoder->made, tw_read_message(recoder, "user", instruction),
        "content", (const char *)text.data, text.size);
    if (made != NULL) {
        made->lone = lone;
    }
    tw_buffer_free(&text, recoder->memory);
}

static const tw_value *read(tw_recoder *recoder, const tw_value *record)
{
    const tw_value *instruction = tw_use_member(record, "instruction");
    const tw_value *input = tw_use_member(record, "input");
    const tw_value *output = tw_use_member(record, "output");
    const tw_value *system = tw_use_member(record, "system");
    const tw_value *history = tw_use_member(record, "history");
    if (!tw_value_is_a(instruction, TW_VALUE_STRING) ||
        !tw_value_is_a(output, TW_VALUE_STRING)) {
        tw_recoder_refuse(recoder, record,
                          "`instruction` or `output` is missing or no text");
        return NULL;
    }
    tw_read_begin(recoder, record);
    tw_read_system(recoder, system);
    if (tw_value_is_a(history, TW_VALUE_ARRAY)) {
        read_history(recoder, history);
    } else if (tw_value_is_true(history)) {
        tw_recoder_refuse(recoder, history, "`history` is not a list");
    }
    read_question(recoder, instruction, input);
    tw_read_text(recoder, "assistant", output, output);
    return recoder->request;
}

/* ---- writing ------------------------------------------------------------ */

static void put_text(tw_recoder *recoder, const tw_conversation *conversation,
                     const char *key, size_t i)
{
    if (key != NULL) {
        tw_json_put_key(&recoder->json_out, key, false);
    }
    tw_json_put_content(recoder, tw_message_at(conversation, i)->content);
}

/* Users and assistants take turns; nobody calls. */
static bool is_plain(tw_recoder *recoder, const tw_conversation *conversation,
                     size_t first)
{
    const size_t count = tw_message_count(conversation);
    for (size_t i = first; i < count; i++) {
        const tw_message *message = tw_message_at(conversation, i);
        const tw_role role =
            (i - first) % 2 == 0 ? TW_ROLE_USER : TW_ROLE_ASSISTANT;
        if (message->role != role || message->call_count > 0) {
            tw_recoder_refuse(recoder, message->value,
                              "the shape has questions and answers alone");
            return false;
        }
    }
    if (count < first + 2 || (count - first) % 2 != 0) {
        tw_recoder_refuse(recoder, conversation->root,
                          "the last question has no answer");
        return false;
    }
    return true;
}

static void write(tw_recoder *recoder, const tw_conversation *conversation)
{
    static const char *const none[] = {NULL};
    tw_json_out *json_out = &recoder->json_out;
    const size_t count = tw_message_count(conversation);
    const tw_message *head = count > 0 ? tw_message_at(conversation, 0) : NULL;
    const size_t first = head != NULL && tw_message_is_system(head) ? 1 : 0;
    if (!is_plain(recoder, conversation, first)) {
        return;
    }
    tw_json_put(json_out, "\"instruction\":");
    put_text(recoder, conversation, NULL, count - 2);
    tw_json_put(json_out, ",\"input\":\"\"");
    put_text(recoder, conversation, "output", count - 1);
    if (first > 0) {
        put_text(recoder, conversation, "system", 0);
        tw_report_lost_developer(recoder, head);
    }
    for (size_t i = first; i + 2 < count; i += 2) {
        tw_json_put(json_out, i == first ? ",\"history\":[[" : ",[");
        put_text(recoder, conversation, NULL, i);
        tw_json_put(json_out, ",");
        put_text(recoder, conversation, NULL, i + 1);
        tw_json_put(json_out, i + 4 < count ? "]" : "]]");
    }
    tw_report_lost_tools(recoder, conversation);
    tw_report_lost_reasoning(recoder, conversation);
    tw_report_unread(recoder, conversation, none);
}

static const char *const members[] = {"instruction", "input",   "output",
                                      "system",      "history", NULL};

static tw_fit fits(const tw_value *record)
{
    return tw_fit_well(
        tw_value_is_a(tw_value_member(record, "instruction"),
                      TW_VALUE_STRING) &&
        tw_value_is_a(tw_value_member(record, "output"), TW_VALUE_STRING));
}

const tw_record_shape tw_alpaca_shape = {
    .name = "alpaca",
    .about =
        "{\"instruction\", \"input\", \"output\", \"system\", \"history\"}",
    .members = members,
    .fits = fits,
    .read = read,
    .write = write,
};
