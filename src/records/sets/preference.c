/* SPDX-License-Identifier: MIT
 *
 * Pairs of outputs of which one is preferred: OpenAI's {"input",
 * "preferred_output", "non_preferred_output"} and TRL's {"prompt", "chosen",
 * "rejected"}.  Between them a conversation has `chosen` and `rejected` beside
 * its messages.
 */
#include "records/records.h"

/* An output under its name, or under the one that it had once. */
static const tw_value *output_of(const tw_value *record, const char *name,
                                 const char *old)
{
    const tw_value *output = tw_value_member(record, name);
    return output != NULL ? output : tw_value_member(record, old);
}

static const tw_value *preferred(const tw_value *record)
{
    return output_of(record, "preferred_output", "preferred_completion");
}

static const tw_value *other(const tw_value *record)
{
    return output_of(record, "non_preferred_output",
                     "non_preferred_completion");
}

static const tw_value *read(tw_recoder *recoder, const tw_value *record)
{
    const tw_value *input = tw_value_member(record, "input");
    const tw_value *good = preferred(record);
    const tw_value *bad = other(record);
    if (good == NULL || bad == NULL || input == NULL ||
        tw_value_member(input, "messages") == NULL) {
        tw_recoder_refuse(recoder, record,
                          "`input.messages` or one of the two outputs is "
                          "missing");
        return NULL;
    }
    tw_use(good);
    tw_use(bad);
    tw_read_begin(recoder, record);
    tw_openai_read_into(recoder, input);
    tw_read_side(recoder, "chosen", good, good->first);
    tw_read_side(recoder, "rejected", bad, bad->first);
    return recoder->request;
}

static bool has_pair(tw_recoder *recoder, const tw_conversation *conversation)
{
    if (tw_message_count(conversation) == conversation->prompt_count) {
        tw_recoder_refuse(recoder, conversation->root,
                          "there are no two outputs");
        return false;
    }
    return true;
}

static void write(tw_recoder *recoder, const tw_conversation *conversation)
{
    static const char *const put[] = {"messages", "tools", NULL};
    const size_t prompt = conversation->prompt_count;
    const size_t chosen = conversation->chosen_count;
    const size_t count = tw_message_count(conversation);
    if (!has_pair(recoder, conversation)) {
        return;
    }
    tw_json_put(&recoder->json_out, "\"input\":{");
    tw_openai_put_messages(recoder, conversation, "messages", 0, prompt);
    tw_openai_put_rest(recoder, conversation);
    tw_json_put_left(recoder, tw_value_member(recoder->record, "input"), put);
    tw_json_put(&recoder->json_out, "},");
    tw_openai_put_messages(recoder, conversation, "preferred_output", prompt,
                           chosen);
    tw_json_put(&recoder->json_out, ",");
    tw_openai_put_messages(recoder, conversation, "non_preferred_output",
                           prompt + chosen, count - prompt - chosen);
}

static const char *const members[] = {"input", "preferred_output",
                                      "non_preferred_output", NULL};

static tw_fit fits(const tw_value *record)
{
    return tw_fit_well(preferred(record) != NULL && other(record) != NULL);
}

const tw_record_shape tw_preference_shape = {
    .name = "preference",
    .about = "{\"input\", \"preferred_output\", \"non_preferred_output\"}",
    .members = members,
    .choices = tw_openai_choices,
    .takes_parts = true,
    .has_arguments = true,
    .takes_pairs = true,
    .fits = fits,
    .read = read,
    .write = write,
};

/* ---- TRL ---------------------------------------------------------------- */

/* {"prompt", "completion"}: one conversation. */
static const tw_value *read_completion(tw_recoder *recoder,
                                       const tw_value *record)
{
    const tw_value *prompt = tw_use_member(record, "prompt");
    const tw_value *said = tw_use_member(record, "completion");
    tw_read_begin(recoder, record);
    tw_read_list(recoder, recoder->messages, "user", prompt, prompt->first);
    tw_read_list(recoder, recoder->messages, "assistant", said, said->first);
    tw_openai_read_into(recoder, record);
    return recoder->request;
}

static bool is_completion(const tw_value *record)
{
    return tw_is_side(record, "prompt") && tw_is_side(record, "completion") &&
           tw_value_member(record, "chosen") == NULL &&
           tw_value_member(record, "rejected") == NULL;
}

static const tw_value *trl_read(tw_recoder *recoder, const tw_value *record)
{
    if (is_completion(record)) {
        return read_completion(recoder, record);
    }
    const tw_value *prompt = tw_use_member(record, "prompt");
    const tw_value *good = tw_use_member(record, "chosen");
    const tw_value *bad = tw_use_member(record, "rejected");
    if (good == NULL || bad == NULL) {
        tw_recoder_refuse(recoder, record,
                          "`chosen` or `rejected` is missing");
        return NULL;
    }
    const tw_value *left = good->first;
    const tw_value *right = bad->first;
    tw_read_begin(recoder, record);
    if (prompt != NULL) {
        tw_read_list(recoder, recoder->messages, "user", prompt,
                     prompt->first);
    }
    /* Without a prompt, that is what both begin with. */
    while (prompt == NULL && left != NULL && right != NULL &&
           left->next != NULL && right->next != NULL &&
           tw_is_same_value(recoder, left, right)) {
        tw_read_member(recoder, recoder->messages, NULL, left);
        left = left->next;
        right = right->next;
    }
    tw_openai_read_into(recoder, record);
    tw_read_side(recoder, "chosen", good, left);
    tw_read_side(recoder, "rejected", bad, right);
    return recoder->request;
}

static void trl_write(tw_recoder *recoder, const tw_conversation *conversation)
{
    if (has_pair(recoder, conversation)) {
        tw_openai_write_as(recoder, conversation, "prompt");
    }
}

static const char *const trl_members[] = {"prompt", "chosen", "rejected",
                                          "tools", NULL};

static tw_fit trl_fits(const tw_value *record)
{
    return tw_fit_well(tw_value_member(record, "messages") == NULL &&
                       (tw_has_sides(record) || is_completion(record)));
}

const tw_record_shape tw_trl_shape = {
    .name = "trl",
    .about = "{\"prompt\", \"chosen\", \"rejected\"}, or "
             "{\"prompt\", \"completion\"}",
    .members = trl_members,
    .choices = tw_openai_choices,
    .takes_parts = true,
    .has_arguments = true,
    .takes_pairs = true,
    .fits = trl_fits,
    .read = trl_read,
    .write = trl_write,
};
