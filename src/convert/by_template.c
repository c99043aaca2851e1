/* SPDX-License-Identifier: MIT
 *
 * Transcripts whose turns are those of a chat template: they are learned
 * before the first one, and each conversation that was read is written again
 * by the template, which proves the reading.
 */
#include "convert/state.h"
#include "json/dump.h"

int tw_converter_set_template(tw_converter *converter,
                              const tw_template *template_)
{
    if (converter == NULL || converter->recode == NULL ||
        converter->transcript.format == NULL ||
        converter->recode->completion) {
        return tw_converter_fail(
            converter, TW_ERROR_ARGUMENT, 0,
            "the converter is not from transcripts of a format");
    }
    converter->template_ = template_;
    tw_converter_choose_turns(converter);
    return TW_OK;
}

void tw_converter_choose_turns(tw_converter *converter)
{
    const tw_format *format = converter->transcript.format;
    const bool own = format != NULL &&
                     format->family->read_transcript == NULL &&
                     tw_format_has_prompts(format) == 1;
    tw_turns_free(&converter->turns);
    converter->transcript.turns =
        own || converter->template_ != NULL ? &converter->turns : NULL;
}

/* The template's encoder is there from now on. */
static int begin(tw_converter *converter)
{
    tw_turns *turns = &converter->turns;
    return turns->encoder != NULL
               ? TW_OK
               : tw_turns_begin(turns, converter->template_,
                                converter->transcript.format);
}

int tw_converter_set_prompts(tw_converter *converter, tw_text text,
                             const char *data, size_t size)
{
    tw_turns *turns = &converter->turns;
    if (converter->transcript.turns == NULL || converter->recode->completion) {
        return tw_converter_fail(converter, TW_ERROR_ARGUMENT, 0,
                                 "only transcripts that are read by a "
                                 "template have such a text");
    }
    int result = begin(converter);
    if (result == TW_OK) {
        result = tw_encoder_set_text(turns->encoder, text, data, size);
        if (result != TW_OK && result != TW_ERROR_MEMORY) {
            const tw_error *error = tw_encoder_error(turns->encoder);
            return tw_converter_fail(converter, result, error->offset,
                                     error->message);
        }
    }
    if (result == TW_OK) {
        turns->known = false;
        tw_turns_learn_tools(turns);
    }
    return result == TW_OK && !turns->failed
               ? TW_OK
               : tw_converter_no_memory(converter);
}

/* The tools of the record, or the tools given; NULL: there are none. */
static const tw_value *said_tools(const tw_converter *converter)
{
    const tw_value *own = tw_value_member(converter->tree.root, "tools");
    const tw_value *root = tw_value_is_a(own, TW_VALUE_ARRAY)
                               ? own
                               : converter->validity.validation.tools.root;
    return root != NULL && root->first != NULL ? root : NULL;
}

/* The tools of the text as a list, with which its turns are written. */
static int put_tools(tw_converter *converter, const char *text, size_t size,
                     tw_json_out *tools)
{
    tw_turns *turns = &converter->turns;
    const tw_value *said = said_tools(converter);
    turns->found.out.size = 0;
    if (said != NULL) {
        tw_json_put_value(tools, said);
    } else {
        tw_turns_find_tools(turns, text, size);
    }
    if (turns->found.out.size > 0) {
        tw_json_put(tools, "[");
        tw_json_put_text(tools, (const char *)turns->found.out.data,
                         turns->found.out.size);
        tw_json_put(tools, "]");
    }
    return tools->failed || turns->failed ? TW_ERROR_MEMORY : TW_OK;
}

/* What the model wrote is read with them, too. */
static int declare(tw_converter *converter, const tw_json_out *tools)
{
    tw_tree tree;
    tw_tree_init(&tree, &converter->memory);
    int result = tools->out.size == 0
                     ? TW_OK
                     : tw_tree_read(&tree, (const char *)tools->out.data,
                                    tools->out.size, false);
    if (result == TW_OK &&
        !tw_validity_declare(&converter->validity, converter->decoder,
                             tree.root)) {
        result = TW_ERROR_MEMORY;
    }
    converter->validity.has_tools = false; /* these values are gone */
    tw_tree_free(&tree);
    return result;
}

/* The decoder begins behind a question's end. */
static int set_head(tw_converter *converter)
{
    const tw_buffer *head =
        &converter->turns.between[TW_TURN_USER][TW_TURN_ASSISTANT];
    converter->prompt.size = 0;
    return tw_buffer_append(&converter->prompt, &converter->memory, head->data,
                            head->size)
               ? TW_OK
               : TW_ERROR_MEMORY;
}

int tw_converter_learn(tw_converter *converter, const char *text, size_t size)
{
    tw_turns *turns = &converter->turns;
    tw_json_out tools = {.memory = &converter->memory};
    int result = begin(converter);
    if (result == TW_OK) {
        result = put_tools(converter, text, size, &tools);
    }
    if (result == TW_OK) {
        result = declare(converter, &tools);
    }
    if (result == TW_OK) {
        result = tw_turns_learn(turns, (const char *)tools.out.data,
                                tools.out.size);
    }
    if (result == TW_OK) {
        result = set_head(converter);
    }
    tw_buffer_free(&tools.out, &converter->memory);
    return result == TW_OK ? TW_OK
           : result == TW_ERROR_MEMORY
               ? tw_converter_no_memory(converter)
               : tw_converter_fail(
                     converter, result, 0,
                     "the turns of this template cannot be told apart: it "
                     "refuses small conversations, or writes nothing between "
                     "a question and its answer");
}

/* The call that a result is of, among the |calls| in front; they are in order
 * as a rule, so |*next| is looked at first, and is meant where the result says
 * no id.  NULL: there is none. */
static const tw_value *answered(const tw_value *result, const tw_value *calls,
                                const tw_value **next)
{
    const tw_value *id = tw_value_member(result, "tool_call_id");
    const size_t count =
        tw_value_is(tw_value_member(result, "role"), "tool") && calls != NULL
            ? tw_value_length(calls)
            : 0;
    for (size_t i = 0; i < count; i++) {
        const tw_value *call = *next != NULL ? *next : calls->first;
        *next = call->next;
        if (id == NULL ||
            tw_value_is_same_text(tw_value_member(call, "id"), id)) {
            return call;
        }
    }
    return NULL;
}

/* A message, whose content is text: some templates write `None` of null.  A
 * result of |call| has its id; |named|: and the name of its function. */
static void put_message(tw_json_out *messages, const tw_value *message,
                        const tw_value *call, bool named)
{
    const tw_value *id = tw_value_member(call, "id");
    const tw_value *name =
        tw_value_member(tw_value_member(call, "function"), "name");
    tw_json_put(messages, "{");
    for (const tw_value *at = message->first; at != NULL; at = at->next) {
        const bool none =
            at->kind == TW_VALUE_NULL && tw_value_has_key(at, "content");
        if (none) {
            tw_json_put_key(messages, "content", at == message->first);
            tw_json_put(messages, "\"\"");
        } else {
            tw_json_put_member(messages, at, at == message->first);
        }
    }
    if (id != NULL && tw_value_member(message, "tool_call_id") == NULL) {
        tw_json_put_key(messages, "tool_call_id", false);
        tw_json_put_value(messages, id);
    }
    if (name != NULL && named) {
        tw_json_put_key(messages, "name", false);
        tw_json_put_value(messages, name);
    }
    tw_json_put(messages, "}");
}

/* The elements of the conversation's messages, as a C string; |named|: results
 * have names.  False: no memory. */
static bool put_messages(const tw_value *list, bool named,
                         tw_json_out *messages)
{
    const tw_value *calls = NULL;
    const tw_value *next = NULL;
    for (const tw_value *at = list->first; at != NULL; at = at->next) {
        const tw_value *own = tw_value_member(at, "tool_calls");
        calls = own != NULL ? own : calls;
        next = own != NULL ? NULL : next;
        tw_json_put(messages, at != list->first ? "," : "");
        put_message(messages, at, answered(at, calls, &next), named);
    }
    tw_json_put_text(messages, "", 1);
    return !messages->failed;
}

static int prove(tw_converter *converter, bool named, const char *text,
                 size_t size, size_t *differs)
{
    tw_json_out messages = {.memory = &converter->memory};
    const int result =
        put_messages(converter->recode->recoder.messages, named, &messages)
            ? tw_turns_prove(&converter->turns, &converter->transcript.reader,
                             text, size, (const char *)messages.out.data,
                             differs)
            : TW_ERROR_MEMORY;
    tw_buffer_free(&messages.out, &converter->memory);
    return result;
}

int tw_converter_prove(tw_converter *converter, const char *text, size_t size)
{
    const char *within =
        tw_turns_within(&converter->turns, &converter->transcript.reader);
    if (within != NULL) {
        return tw_converter_fail(converter, TW_ERROR_CANNOT_CARRY,
                                 (size_t)(within - text),
                                 "a turn of the model's begins here, or a "
                                 "text ends, within a text whose end is not "
                                 "told");
    }
    size_t differs = 0;
    int result = prove(converter, true, text, size, &differs);
    if (result == TW_ERROR_CANNOT_CARRY) {
        result = prove(converter, false, text, size, &differs);
    }
    return result == TW_OK ? TW_OK
           : result == TW_ERROR_MEMORY
               ? tw_converter_no_memory(converter)
               : tw_converter_fail(converter, TW_ERROR_CANNOT_CARRY, differs,
                                   "the template does not write "
                                   "this: from here on the text is "
                                   "another, or has other tools, "
                                   "settings or another time (--set, "
                                   "--now)");
}
