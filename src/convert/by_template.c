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
        converter->recode->to != &tw_openai_shape ||
        converter->recode->completion) {
        return tw_converter_fail(
            converter, TW_ERROR_ARGUMENT, 0,
            "the converter is not from transcripts of a format to \"openai\"");
    }
    converter->template_ = template_;
    converter->transcript.turns = template_ != NULL ? &converter->turns : NULL;
    converter->turns.known = false;
    return TW_OK;
}

/* The record's own, or NULL. */
static const tw_value *own_tools(const tw_converter *converter)
{
    const tw_value *tools = tw_value_member(converter->tree.root, "tools");
    return tools != NULL && tools->kind == TW_VALUE_ARRAY ? tools : NULL;
}

/* The tools that are declared, as a C string; false: no memory. */
static bool put_tools(tw_converter *converter, tw_json_out *tools)
{
    const tw_value *own = own_tools(converter);
    const tw_value *root =
        own != NULL ? own : converter->validity.validation.tools.root;
    if (root != NULL && root->first != NULL) {
        tw_json_put_value(tools, root);
        tw_json_put_text(tools, "", 1);
    }
    return !tools->failed;
}

static const char *text_of(const tw_json_out *json)
{
    return json->out.size > 0 ? (const char *)json->out.data : NULL;
}

int tw_converter_learn(tw_converter *converter)
{
    tw_turns *turns = &converter->turns;
    tw_json_out tools = {.memory = &converter->memory};
    const bool own = own_tools(converter) != NULL;
    if (turns->known && !own && !converter->turns_are_own) {
        return TW_OK;
    }
    converter->turns_are_own = own;
    const int result =
        put_tools(converter, &tools)
            ? tw_turns_learn(turns, converter->template_,
                             converter->transcript.format, text_of(&tools))
            : TW_ERROR_MEMORY;
    tw_buffer_free(&tools.out, &converter->memory);
    if (result == TW_OK) { /* the decoder begins behind a question's end */
        const tw_buffer *head =
            &turns->between[TW_TURN_USER][TW_TURN_ASSISTANT];
        converter->prompt.size = 0;
        return tw_buffer_append(&converter->prompt, &converter->memory,
                                head->data, head->size)
                   ? TW_OK
                   : tw_converter_no_memory(converter);
    }
    return result == TW_ERROR_MEMORY
               ? tw_converter_no_memory(converter)
               : tw_converter_fail(
                     converter, result, 0,
                     "the turns of this template cannot be told apart: it "
                     "refuses small conversations, or writes nothing between "
                     "a question and its answer");
}

/* A message, whose content is text: some templates write `None` of null. */
static void put_message(tw_json_out *messages, const tw_value *message)
{
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
    tw_json_put(messages, "}");
}

/* The elements of the conversation's messages, as a C string. */
static int put_messages(tw_converter *converter, const char *json, size_t size,
                        tw_json_out *messages)
{
    tw_tree tree;
    tw_tree_init(&tree, &converter->memory);
    tree.keeps_lone = true;
    const int result = tw_tree_read(&tree, json, size, false);
    const tw_value *list = tw_value_member(tree.root, "messages");
    for (const tw_value *at = list != NULL ? list->first : NULL;
         result == TW_OK && at != NULL; at = at->next) {
        tw_json_put(messages, at != list->first ? "," : "");
        put_message(messages, at);
    }
    tw_json_put_text(messages, "", 1);
    tw_tree_free(&tree);
    return messages->failed ? TW_ERROR_MEMORY : result;
}

int tw_converter_prove(tw_converter *converter, const char *text, size_t size,
                       const char *json, size_t json_size)
{
    tw_json_out tools = {.memory = &converter->memory};
    tw_json_out messages = {.memory = &converter->memory};
    size_t differs = 0;
    int result = put_messages(converter, json, json_size, &messages);
    if (result == TW_OK) {
        result =
            put_tools(converter, &tools)
                ? tw_turns_prove(&converter->turns,
                                 &converter->transcript.reader, text, size,
                                 text_of(&messages), text_of(&tools), &differs)
                : TW_ERROR_MEMORY;
    }
    tw_buffer_free(&tools.out, &converter->memory);
    tw_buffer_free(&messages.out, &converter->memory);
    return result == TW_OK ? TW_OK
           : result == TW_ERROR_MEMORY
               ? tw_converter_no_memory(converter)
               : tw_converter_fail(converter, TW_ERROR_CANNOT_CARRY, differs,
                                   "the template does not write "
                                   "this: from here on the text is "
                                   "another, or has other tools or "
                                   "settings");
}
