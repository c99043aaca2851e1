/* SPDX-License-Identifier: MIT
 *
 * Wire text in a conversation that is no transcript: the turns are known, and
 * the text of each is a format's, without what stands around a turn.
 */
#include "convert/wire_text.h"

#include "encode/state.h"

/* ---- life --------------------------------------------------------------- */

void tw_wire_text_init(tw_wire_text *wire, tw_recoder *recoder,
                       const tw_memory *memory)
{
    memset(wire, 0, sizeof *wire);
    wire->memory = memory;
    wire->recoder = recoder;
    tw_reader_init(&wire->reader, memory);
}

void tw_wire_text_free(tw_wire_text *wire)
{
    tw_encoder_free(wire->encoder);
    tw_reader_free(&wire->reader);
}

/* ---- reading ------------------------------------------------------------ */

static size_t count_calls(const tw_value *message)
{
    const tw_value *calls = tw_value_member(message, "tool_calls");
    return tw_value_is_a(calls, TW_VALUE_ARRAY) && calls->last != NULL
               ? calls->last->index + 1
               : 0;
}

/* All of the message was made of this text, which their paths are that of. */
static void set_origin(tw_value *message, const tw_value *text)
{
    tw_value *at = message->first;
    for (; at != NULL; at = tw_value_after(at, message)) {
        at->origin = text;
    }
}

/* What the decoder found, and the members of the message that it knows
 * nothing of. */
static int read_assistant(tw_wire_text *wire, const tw_value *message,
                          const tw_value *content)
{
    static const char *const read[] = {"role", "content", "tool_calls",
                                       "reasoning_content", NULL};
    tw_recoder *recoder = wire->recoder;
    const int result = wire->decode(wire->context, content, wire->calls,
                                    wire->tools);
    if (result != TW_OK) {
        return result;
    }
    tw_value *made = recoder->messages->last;
    const tw_value *reasoning = tw_value_member(message, "reasoning_content");
    set_origin(made, content);
    made->origin = message;
    tw_make_others(&recoder->made, made, message, read);
    if (reasoning != NULL && !tw_value_is_void(reasoning)) {
        if (tw_value_member(made, "reasoning_content") == NULL) {
            tw_read_member(recoder, made, NULL, reasoning);
        } else {
            tw_recoder_report_loss(recoder, TW_LOSS_MEMBER_REPLACED, reasoning,
                                   NULL);
        }
    }
    return TW_OK;
}

/* A result with one of the texts that stood in it.  Its id says no more which
 * call it answers where there are several. */
static void add_result(const tw_wire_text *wire, const tw_value *message,
                       bool one, const char *text, size_t size)
{
    static const char *const whole[] = {"content", NULL};
    static const char *const part[] = {"content", "tool_call_id", NULL};
    tw_recoder *recoder = wire->recoder;
    tw_value *made = tw_read_part(recoder, recoder->messages, NULL,
                                  TW_VALUE_OBJECT, message);
    tw_make_others(&recoder->made, made, message, one ? whole : part);
    tw_make_any(&recoder->made, made, "content", text, size);
}

/* Is the text JSON?  The recoder's texts have its value then. */
static bool read_json(const tw_wire_text *wire, const char *text, size_t size)
{
    tw_recoder *recoder = wire->recoder;
    const int result = tw_tree_read_more(&recoder->texts, text, size);
    recoder->json_out.failed |= result == TW_ERROR_MEMORY;
    return result == TW_OK;
}

/* `[{"name","results"}, ...]`, one for each call, as ToolACE has them: each is
 * a result.  False: the text is no such list. */
static bool split_list(tw_wire_text *wire, const tw_value *message,
                       const tw_value *content)
{
    tw_recoder *recoder = wire->recoder;
    if (wire->last_calls < 2 || content->size == 0 ||
        content->text[0] != '[' ||
        !read_json(wire, content->text, content->size)) {
        return false;
    }
    const tw_value *list = recoder->texts.root;
    bool fits =
        list->last != NULL && list->last->index + 1 == wire->last_calls;
    for (const tw_value *at = list->first; at != NULL; at = at->next) {
        fits &= tw_value_member(at, "name") != NULL &&
                tw_value_member(at, "results") != NULL;
    }
    for (const tw_value *at = list->first; fits && at != NULL; at = at->next) {
        tw_json_out text = {.memory = wire->memory};
        text.failed =
            !tw_value_dump(&text.out, wire->memory, at, &tw_dump_spaced);
        add_result(wire, message, false, (const char *)text.out.data,
                   text.out.size);
        recoder->json_out.failed |= text.failed;
        tw_buffer_free(&text.out, wire->memory);
    }
    return fits;
}

/* False: the format has no frame of its own for results, or it is not
 * there. */
static bool read_results(tw_wire_text *wire, const tw_value *message,
                         const tw_value *content)
{
    const tw_family *family = wire->format->family;
    tw_transcript_reader *reader = &wire->reader;
    if (family->read_turn == NULL) {
        return split_list(wire, message, content);
    }
    tw_reader_reset(reader);
    family->read_turn(wire->format, reader, TW_TURN_RESULT, content->text,
                      content->size);
    const tw_turn *turns = (const tw_turn *)(const void *)reader->turns.data;
    const size_t count = reader->turns.size / sizeof *turns;
    for (size_t i = 0; i < count; i++) {
        add_result(wire, message, count == 1,
                   reader->text.size > 0
                       ? (const char *)reader->text.data + turns[i].begin
                       : "",
                   turns[i].size);
    }
    wire->recoder->json_out.failed |= reader->failed;
    return count > 0;
}

/* What a system's text declares, if nothing else does; the text stays. */
static void read_declared(tw_wire_text *wire, tw_value *request,
                          const tw_value *content)
{
    const tw_family *family = wire->format->family;
    tw_transcript_reader *reader = &wire->reader;
    tw_json_out list = {.memory = wire->memory};
    if (family->read_turn == NULL ||
        tw_value_member(request, "tools") != NULL) {
        return;
    }
    tw_reader_reset(reader);
    family->read_turn(wire->format, reader, TW_TURN_SYSTEM, content->text,
                      content->size);
    const tw_buffer *tools = &reader->tools.out;
    if (tools->size > 0) {
        tw_json_put(&list, "[");
        tw_json_put_text(&list, (const char *)tools->data, tools->size);
        tw_json_put(&list, "]");
    }
    if (list.out.size > 0 && !list.failed &&
        read_json(wire, (const char *)list.out.data, list.out.size)) {
        tw_read_member(wire->recoder, request, "tools",
                       wire->recoder->texts.root);
        wire->tools = tw_value_member(request, "tools");
    }
    wire->recoder->json_out.failed |=
        reader->failed || reader->tools.failed || list.failed;
    tw_buffer_free(&list.out, wire->memory);
}

static int read_message(tw_wire_text *wire, tw_value *request,
                        const tw_value *message)
{
    tw_recoder *recoder = wire->recoder;
    const tw_value *role = tw_value_member(message, "role");
    const tw_value *content = tw_value_member(message, "content");
    const bool assistant = tw_value_is(role, "assistant");
    int result = TW_OK;
    if (assistant && tw_value_is_a(content, TW_VALUE_STRING) &&
        content->size > 0 && count_calls(message) == 0) {
        result = read_assistant(wire, message, content);
    } else if (!tw_value_is(role, "tool") ||
               !tw_value_is_a(content, TW_VALUE_STRING) ||
               !read_results(wire, message, content)) {
        tw_read_member(recoder, recoder->messages, NULL, message);
    }
    if (tw_value_is(role, "system") &&
        tw_value_is_a(content, TW_VALUE_STRING)) {
        read_declared(wire, request, content);
    }
    if (result == TW_OK && assistant && recoder->messages->last != NULL) {
        wire->last_calls = count_calls(recoder->messages->last);
        wire->calls += wire->last_calls;
    }
    return result;
}

static int read_list(tw_wire_text *wire, tw_value *request,
                     const tw_value *list)
{
    tw_recoder *recoder = wire->recoder;
    recoder->messages =
        tw_read_part(recoder, request, list->key, TW_VALUE_ARRAY, list);
    if (recoder->messages == NULL) {
        return TW_ERROR_MEMORY;
    }
    int result = TW_OK;
    for (const tw_value *at = list->first; at != NULL && result == TW_OK;
         at = at->next) {
        result = read_message(wire, request, at);
    }
    return result;
}

const tw_value *tw_wire_text_read(tw_wire_text *wire, const tw_value *request,
                                  int *result)
{
    static const char *const lists[] = {"messages", "conversations", "chosen",
                                        "rejected", NULL};
    tw_recoder *recoder = wire->recoder;
    const bool own = request == recoder->record;
    tw_value *made =
        tw_read_part(recoder, NULL, NULL, TW_VALUE_OBJECT, request);
    *result = made != NULL ? TW_OK : TW_ERROR_MEMORY;
    wire->calls = wire->last_calls = 0;
    /* Tools first: they are looked for in texts only where there are none. */
    for (int lists_now = 0; lists_now < 2; lists_now++) {
        const tw_value *at = request->first;
        wire->tools = tw_value_member(made, "tools");
        for (; at != NULL && *result == TW_OK; at = at->next) {
            const bool list = tw_value_is_a(at, TW_VALUE_ARRAY) &&
                              tw_value_is_named(at, lists);
            if (own && !at->used && !at->partly_used) {
                continue; /* it stays in the record */
            }
            if (list && lists_now == 1) {
                *result = read_list(wire, made, at);
            } else if (!list && lists_now == 0) {
                tw_read_member(recoder, made, NULL, at);
            }
        }
    }
    recoder->request = made;
    return *result == TW_OK ? made : NULL;
}

/* ---- writing ------------------------------------------------------------ */

/* What stands at the end of a turn is the prompt's, not the text's. */
static size_t without_end(const tw_format *format, const char *text,
                          size_t size)
{
    size_t end = size;
    while (end > 0 && text[end - 1] == '\n') {
        end--;
    }
    for (size_t i = 0; i < *format->marker_count; i++) {
        const tw_marker *marker = &format->markers[i];
        if (marker->role == TW_MARKER_END && marker->size <= end &&
            memcmp(text + end - marker->size, marker->text, marker->size) ==
                0) {
            return end - marker->size;
        }
    }
    return size;
}

/* The encoder's values are gone with its next text: what they were copied of
 * stays. */
static const tw_value *source_of(const tw_value *value)
{
    while (value != NULL && value->origin != NULL) {
        value = value->origin;
    }
    return value;
}

/* Ids are counted through the record here, not through a message. */
static void take_losses(tw_wire_text *wire)
{
    const tw_lost *lost;
    for (size_t i = 0; (lost = tw_encoder_lost(wire->encoder, i)) != NULL;
         i++) {
        if (lost->code != TW_LOSS_CALL_ID) {
            tw_losses_add(&wire->recoder->losses, lost->code,
                          source_of(lost->where), lost->offset, lost->message);
        }
    }
}

static void take_text(tw_wire_text *wire, int result, const char *text,
                      size_t size, tw_buffer *out)
{
    tw_recoder *recoder = wire->recoder;
    if (result != TW_OK) {
        const tw_error *error = tw_encoder_error(wire->encoder);
        if (recoder->code == TW_OK) {
            recoder->code = error->code;
            recoder->where = source_of(tw_encoder_where(wire->encoder));
            recoder->message = error->message;
        }
        return;
    }
    take_losses(wire);
    recoder->json_out.failed |=
        !tw_buffer_append(out, wire->memory, text, size);
}

/* The message with what the shape has of it, and no more. */
static tw_value *copy_message(tw_recoder *recoder, tw_value *list,
                              const tw_message *message)
{
    tw_tree *made = &recoder->made;
    tw_value *copy =
        tw_read_part(recoder, list, NULL, TW_VALUE_OBJECT, message->value);
    tw_make_copy(made, copy, "role", message->role_name);
    if (message->content != NULL) {
        tw_make_copy(made, copy, "content", message->content);
    }
    return copy;
}

static void put_turn(void *context, const tw_conversation *conversation,
                     const tw_message *message, tw_buffer *out)
{
    tw_wire_text *wire = context;
    tw_recoder *recoder = wire->recoder;
    tw_tree *made = &recoder->made;
    const char *text = "";
    size_t size = 0;
    tw_value *copy = copy_message(recoder, NULL, message);
    if (message->reasoning != NULL) {
        tw_make_copy(made, copy, "reasoning_content", message->reasoning);
    }
    tw_value *calls = message->call_count > 0
                          ? tw_make(made, copy, "tool_calls", TW_VALUE_ARRAY)
                          : NULL;
    for (size_t i = 0; i < message->call_count; i++) {
        tw_make_copy(made, calls, NULL,
                     tw_call_of(conversation, message, i)->value);
    }
    if (copy == NULL || made->error != TW_OK) {
        return; /* the tree knows */
    }
    const int result = tw_encode_message(wire->encoder, copy,
                                         conversation->tools, &text, &size);
    take_text(wire, result, text, without_end(wire->format, text, size), out);
}

static void put_results(void *context, const tw_conversation *conversation,
                        const size_t *messages, size_t count, tw_buffer *out)
{
    tw_wire_text *wire = context;
    tw_recoder *recoder = wire->recoder;
    const char *text = "";
    size_t size = 0;
    tw_value *request = tw_make(&recoder->made, NULL, NULL, TW_VALUE_OBJECT);
    tw_value *list =
        tw_make(&recoder->made, request, "messages", TW_VALUE_ARRAY);
    for (size_t i = 0; i < count; i++) {
        copy_message(recoder, list, tw_message_at(conversation, messages[i]));
    }
    if (list == NULL || recoder->made.error != TW_OK) {
        return;
    }
    const int result = tw_encode_results(wire->encoder, request, &text, &size);
    take_text(wire, result, text, size, out);
}

bool tw_wire_text_set(tw_wire_text *wire, const tw_format *format, bool writes)
{
    if (writes) {
        wire->encoder = tw_encoder_new(format, wire->memory);
        if (wire->encoder == NULL) {
            return false;
        }
    }
    wire->format = format;
    if (!writes) {
        return true;
    }
    wire->writer.context = wire;
    wire->writer.put_turn = put_turn;
    wire->writer.put_results =
        format->family->put_results != NULL ? put_results : NULL;
    wire->recoder->wire = &wire->writer;
    return true;
}
