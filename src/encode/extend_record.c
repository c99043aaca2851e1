/* SPDX-License-Identifier: MIT
 *
 * Records of a conversation that goes on: the first has all messages, those
 * that follow have what is new.
 */
#include "encode/extend_record.h"

#include "json/fault.h"
#include "json/make.h"

static int refuse(const tw_extending *work, const tw_value *where,
                  const char *message)
{
    return tw_encoder_fail(work->encoder, TW_ERROR_SCHEMA, where, 0, message);
}

static int no_memory(const tw_extending *work)
{
    return tw_encoder_fail(work->encoder, TW_ERROR_MEMORY, NULL, 0,
                           "no memory");
}

/* Takes the member out of the object. */
static tw_value *take_member(tw_value *object, const char *key)
{
    tw_value *before = NULL;
    tw_value *found = NULL;
    for (tw_value *at = object->first; at != NULL; at = at->next) {
        if (!tw_value_has_key(at, key)) {
            before = at;
            continue;
        }
        found = at;
        if (before != NULL) {
            before->next = at->next;
        } else {
            object->first = at->next;
        }
        object->last = object->last == at ? before : object->last;
    }
    return found;
}

static bool list(const tw_extending *work, tw_buffer *messages,
                 const tw_value *message)
{
    return tw_buffer_append(messages, &work->encoder->memory, &message,
                            sizeof message);
}

/* What all records have, but for the turn itself. */
static int read_parts(tw_extending *work, tw_value *record,
                      const tw_value **fresh)
{
    const tw_value *completion = take_member(record, "completion");
    const tw_value *given = take_member(record, "prompt");
    *fresh = take_member(record, "new");
    if (!tw_value_is_a(completion, TW_VALUE_STRING)) {
        return refuse(work, completion, "`completion` is missing or no text");
    }
    if (*fresh == NULL || (*fresh)->kind != TW_VALUE_ARRAY) {
        return refuse(work, *fresh, "`new` is missing or no list");
    }
    if (given != NULL && given->kind != TW_VALUE_STRING) {
        return refuse(work, given, "`prompt` is no text");
    }
    work->given = given;
    work->completion = completion->text;
    work->completion_size = completion->size;
    return TW_OK;
}

/* Adds the message, whose path stays that which it has in its record. */
static bool add(tw_extending *work, const tw_value *message)
{
    tw_value *made =
        tw_make(&work->encoder->episode.tree, NULL, NULL, message->kind);
    if (made == NULL) {
        return false;
    }
    *made = *message;
    made->key = NULL;
    made->key_size = 0;
    made->parent = NULL;
    made->origin = message;
    for (tw_value *at = made->first; at != NULL; at = at->next) {
        at->parent = made;
    }
    return list(work, &work->added, made);
}

static int add_all(tw_extending *work, const tw_value *fresh)
{
    bool good = true;
    for (const tw_value *at = fresh->first; at != NULL && good;
         at = at->next) {
        good = add(work, at);
    }
    return good ? TW_OK : no_memory(work);
}

/* ---- a conversation begins ---------------------------------------------- */

static int begin(tw_extending *work, tw_value *record)
{
    const tw_value *fresh;
    tw_value *messages = (tw_value *)tw_value_member(record, "messages");
    int result = read_parts(work, record, &fresh);
    if (result != TW_OK) {
        return result;
    }
    if (messages->kind != TW_VALUE_ARRAY ||
        !tw_value_is(
            tw_value_member(messages->last != NULL ? messages->last : record,
                            "role"),
            "assistant")) {
        return refuse(work, messages,
                      "`messages` is no list whose last one is an "
                      "assistant's");
    }
    tw_episode *episode = &work->encoder->episode;
    tw_episode_begin(episode, record);
    for (const tw_value *at = messages->first; at != NULL; at = at->next) {
        if (!list(work, at->next != NULL ? &episode->all : &work->added, at)) {
            return no_memory(work);
        }
    }
    return add_all(work, fresh);
}

/* ---- ... and goes on ---------------------------------------------------- */

static int go_on(tw_extending *work, tw_value *record)
{
    const tw_value *fresh;
    const tw_value *message = take_member(record, "message");
    int result = read_parts(work, record, &fresh);
    if (result != TW_OK) {
        return result;
    }
    if (!tw_value_is(tw_value_member(message, "role"), "assistant")) {
        return refuse(work, message, "`message` is no assistant's");
    }
    if (record->first != NULL) {
        return refuse(work, record->first,
                      "all else is that of the record with `messages`");
    }
    return add(work, message) ? add_all(work, fresh) : no_memory(work);
}

int tw_extend_read(tw_extending *work, const char *json, size_t size)
{
    tw_encoder *encoder = work->encoder;
    tw_episode *episode = &encoder->episode;
    tw_tree *tree = &encoder->request;
    int result = tw_tree_read(tree, json, size, false);
    if (result == TW_ERROR_JSON) {
        const char *why = tw_no_json(tree, json, size);
        return tw_encoder_fail(encoder, result, NULL, tree->offset, why);
    }
    if (result != TW_OK) {
        return no_memory(work);
    }
    const bool begins = tw_value_member(tree->root, "messages") != NULL;
    if (!begins && tw_value_member(tree->root, "message") == NULL) {
        return refuse(work, tree->root,
                      "`messages` or, of what goes on, `message` is missing");
    }
    if (begins) {
        const tw_tree read = *tree;
        *tree = episode->tree;
        episode->tree = read;
        tw_episode_begin(episode, NULL);
        return begin(work, episode->tree.root);
    }
    if (episode->request == NULL) {
        return refuse(work, tree->root,
                      "no conversation goes on: `messages` is missing");
    }
    /* The record's values have to last as long as the conversation. */
    result = tw_tree_read_more(&episode->tree, json, size);
    return result == TW_OK ? go_on(work, episode->tree.root) : no_memory(work);
}

/* ---- messages of the request -------------------------------------------- */

static size_t link_all(tw_value *messages, const tw_buffer *list)
{
    tw_value *const *all = (tw_value *const *)(const void *)list->data;
    for (size_t i = 0; i < list->size / sizeof *all; i++) {
        all[i]->next = NULL;
        all[i]->index = 0;
        tw_value_link(messages, all[i]);
    }
    return list->size / sizeof *all;
}

int tw_extend_take(tw_extending *work, const tw_buffer *before)
{
    tw_encoder *encoder = work->encoder;
    tw_conversation *conversation = &encoder->conversation;
    tw_value *request = encoder->episode.request;
    tw_value *messages = (tw_value *)tw_value_member(request, "messages");
    messages->first = messages->last = NULL;
    work->own = link_all(messages, before) + 1;
    work->count = work->own - 1 + link_all(messages, &work->added);
    tw_encoder_reset(encoder);
    if (tw_conversation_take(conversation, request) != TW_OK) {
        return tw_encoder_fail(encoder, conversation->code,
                               conversation->where, conversation->offset,
                               conversation->message);
    }
    const tw_buffer *lost = &encoder->segments.losses.list;
    work->taken.size = 0;
    return tw_buffer_append(&work->taken, &encoder->memory, lost->data,
                            lost->size)
               ? TW_OK
               : no_memory(work);
}
