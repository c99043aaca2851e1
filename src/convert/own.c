/* SPDX-License-Identifier: MIT
 *
 * What a record of a format says itself: its text, the prompt in front of that,
 * and why it ended.
 */
#include <string.h>

#include "convert/own.h"
#include "decode/turn.h"
#include "decode/watch.h"

static const struct {
    const char *name;
    const char *message;
} elsewhere[] = {
    {"text", "the record has no text there; its `text` is one (--field text)"},
    {"completion", "the record has no text there; its `completion` is one "
                   "(--field completion)"},
    {"response",
     "the record has no text there; its `response` is one (--field response)"},
    {"output",
     "the record has no text there; its `output` is one (--field output)"},
    {"content",
     "the record has no text there; its `content` is one (--field content)"},
    {"generated_text", "the record has no text there; its `generated_text` is "
                       "one (--field generated_text)"},
};

/* Where its text is in place of where it was looked for. */
static const char *why_none(const tw_value *record)
{
    for (size_t i = 0; i < sizeof elsewhere / sizeof *elsewhere; i++) {
        const tw_value *text = tw_value_member(record, elsewhere[i].name);
        if (tw_value_is_a(text, TW_VALUE_STRING)) {
            return elsewhere[i].message;
        }
    }
    return "the record has no text";
}

const char *tw_own_text(const tw_converter *converter, const tw_value **text)
{
    const tw_value *root = converter->tree.root;
    const char *field = (const char *)converter->field.data;
    *text = root->kind == TW_VALUE_STRING ? root
                                          : tw_value_reach(root, field, NULL);
    if (*text != NULL && (*text)->kind == TW_VALUE_STRING) {
        return NULL;
    }
    return *text != NULL ? "the text of the record is not a string"
                         : why_none(root);
}

/* The string at a path of the record; *text is NULL where there is none.
 * False: it is no string. */
static bool find(const tw_converter *converter, const tw_buffer *field,
                 const tw_value **text)
{
    const tw_value *root = converter->tree.root;
    const char *path = (const char *)field->data;
    *text = field->size > 0 && root->kind != TW_VALUE_STRING
                ? tw_value_reach(root, path, NULL)
                : NULL;
    *text = *text != NULL && (*text)->kind == TW_VALUE_NULL ? NULL : *text;
    return *text == NULL || (*text)->kind == TW_VALUE_STRING;
}

/* A string under the name that logs usually have for it, or NULL. */
static const tw_value *usual(const tw_converter *converter, const char *name)
{
    const tw_value *text = tw_value_member(converter->tree.root, name);
    return tw_value_is_a(text, TW_VALUE_STRING) ? text : NULL;
}

/* A `prompt` is one of the format's if a turn of its model begins in it. */
static const tw_value *usual_prompt(const tw_converter *converter)
{
    const tw_value *text = usual(converter, "prompt");
    return text != NULL && tw_turn_begin(converter->transcript.format,
                                         text->text, text->size) != NULL
               ? text
               : NULL;
}

const char *tw_own_read(tw_converter *converter)
{
    const tw_value *finish = NULL;
    if (!find(converter, &converter->prompt_field, &converter->own_prompt)) {
        return (const char *)converter->prompt_field.data;
    }
    if (!find(converter, &converter->finish_field, &finish)) {
        return (const char *)converter->finish_field.data;
    }
    if (!converter->says_prompt && converter->prompt.size == 0) {
        converter->own_prompt = usual_prompt(converter);
    }
    if (!converter->says_finish && converter->finish == TW_FINISH_UNKNOWN) {
        finish = usual(converter, "finish_reason");
    }
    if (finish != NULL) {
        converter->own_finish = tw_finish_of(finish->text, finish->size);
    }
    return NULL;
}

/* ---- texts that may be of a format -------------------------------------- */

static bool says_text(const tw_message *message)
{
    return message->role == TW_ROLE_ASSISTANT && message->call_count == 0 &&
           tw_value_is_a(message->content, TW_VALUE_STRING);
}

/* {"name","arguments"}, in its wrapper or without. */
static bool is_call(const tw_value *value)
{
    const tw_value *function = tw_value_member(value, "function");
    const tw_value *call = function != NULL ? function : value;
    const tw_value *name = tw_value_member(call, "name");
    return tw_value_is_a(name, TW_VALUE_STRING) &&
           (tw_value_member(call, "arguments") != NULL ||
            tw_value_member(call, "parameters") != NULL);
}

/* Is all of the text JSON of calls, as rollouts have them? */
static bool is_calls(tw_recoder *recoder, const tw_value *text)
{
    size_t at = 0;
    while (at < text->size && memchr(" \t\r\n", text->text[at], 4) != NULL) {
        at++;
    }
    const tw_value *root =
        at < text->size && memchr("[{", text->text[at], 2) != NULL
            ? tw_read_inner(recoder, text)
            : NULL;
    const tw_value *call =
        tw_value_is_a(root, TW_VALUE_ARRAY) && root->first != NULL
            ? root->first
            : root;
    while (call != NULL && call != root && call->next != NULL &&
           is_call(call)) {
        call = call->next;
    }
    return call != NULL && is_call(call);
}

bool tw_own_warning(const tw_converter *converter, tw_event *event)
{
    const tw_conversation *conversation = &converter->recode->conversation;
    tw_recoder *recoder = &converter->recode->recoder;
    const tw_format *format = NULL;
    *event = (tw_event){.type = TW_EVENT_DIAGNOSTIC,
                        .code = TW_DIAGNOSTIC_FOREIGN_MARKER};
    for (size_t i = 0; i < tw_message_count(conversation) && format == NULL;
         i++) {
        const tw_message *message = tw_message_at(conversation, i);
        if (says_text(message)) {
            format = tw_watch_whole(message->content->text,
                                    message->content->size, &event->offset);
        }
        if (format == NULL && says_text(message) &&
            is_calls(recoder, message->content)) {
            format = tw_format_find("xlam");
            event->offset = 0;
        }
    }
    if (format != NULL) {
        event->id = format->alias != NULL ? format->alias : format->name;
        event->id_size = strlen(event->id);
    }
    return format != NULL;
}
