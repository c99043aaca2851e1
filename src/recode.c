/* SPDX-License-Identifier: MIT
 *
 * One record: its shape is found, it is read to OpenAI's, and written in the
 * shape or format that is wanted, with a report of what did not fit.
 */
#include "recode.h"

#include <string.h>

#include "encoder_state.h"

/* ---- life --------------------------------------------------------------- */

tw_recode *tw_recode_new(const tw_format *from_format, const char *from,
                         const tw_format *format, const char *to,
                         const tw_memory *memory)
{
    const tw_record_shape *from_shape =
        from_format == NULL ? tw_record_shape_find(from) : NULL;
    const tw_record_shape *to_shape =
        format == NULL ? tw_record_shape_find(to) : NULL;
    if ((from_shape == NULL && from_format == NULL) ||
        (to_shape == NULL && format == NULL)) {
        return NULL;
    }
    tw_recode *recode = tw_memory_new(memory, sizeof *recode);
    if (recode == NULL) {
        return NULL;
    }
    recode->memory = memory;
    recode->from = from_shape;
    recode->to = to_shape;
    recode->recoder.memory = recode->recoder.json_out.memory = memory;
    recode->recoder.losses.memory = memory;
    recode->recoder.origins.memory = memory;
    recode->recoder.to = to_shape;
    tw_pairs_init(&recode->recoder.pairs, memory);
    tw_tree_init(&recode->recoder.texts, memory);
    recode->recoder.texts.keeps_lone = true;
    recode->error.message = "no error";
    tw_conversation_init(&recode->conversation, memory);
    if (to_shape != NULL && !to_shape->takes_parts) {
        recode->conversation.flattens = &recode->recoder.losses;
    }
    if (to_shape == NULL) {
        recode->encoder = tw_encoder_new(format, memory);
        if (recode->encoder == NULL) {
            tw_recode_free(recode);
            return NULL;
        }
    }
    return recode;
}

void tw_recode_free(tw_recode *recode)
{
    if (recode == NULL) {
        return;
    }
    const tw_memory *memory = recode->memory;
    tw_encoder_free(recode->encoder);
    tw_conversation_free(&recode->conversation);
    tw_buffer_free(&recode->recoder.json_out.out, memory);
    tw_buffer_free(&recode->recoder.losses.list, memory);
    tw_tree_free(&recode->recoder.texts);
    tw_origins_free(&recode->recoder.origins);
    tw_pairs_free(&recode->recoder.pairs);
    tw_buffer_free(&recode->middle, memory);
    tw_buffer_free(&recode->result, memory);
    tw_buffer_free(&recode->path, memory);
    tw_memory_free(memory, recode, sizeof *recode);
}

int tw_recode_set(tw_recode *recode, tw_option option, int64_t value)
{
    switch (option) {
    case TW_OPTION_UNIT_COMPLETION:
        recode->completion = value == 1;
        return TW_OK;
    case TW_OPTION_ARGUMENTS_OBJECT:
        recode->recoder.arguments_object = value == 1;
        return TW_OK;
    case TW_OPTION_LIMIT_DEPTH: /* it is the decoder's */
        recode->deep = value > TW_TREE_DEPTH;
        break;
    case TW_OPTION_LOSS:
        recode->recoder.losses.policy = (uint32_t)value;
        if (recode->encoder == NULL) {
            return TW_OK;
        }
        break;
    default: break;
    }
    return recode->encoder != NULL
               ? tw_encoder_set(recode->encoder, option, value)
               : TW_ERROR_ARGUMENT;
}

/* ---- errors and reports ------------------------------------------------- */

static const char *path_of(tw_recode *recode, const tw_value *where)
{
    recode->path.size = 0;
    if (where != NULL) {
        where = tw_origins_of(&recode->recoder.origins, where);
    }
    return where != NULL &&
                   tw_value_path(&recode->path, recode->memory, where) &&
                   recode->path.size > 0 &&
                   tw_buffer_append(&recode->path, recode->memory, "", 1)
               ? (const char *)recode->path.data
               : NULL;
}

static int fail(tw_recode *recode, int32_t code, const tw_value *where,
                uint64_t offset, const char *message)
{
    const tw_error error = {code, 0, offset, message, path_of(recode, where)};
    recode->error = error;
    return code;
}

static int no_memory(tw_recode *recode)
{
    return fail(recode, TW_ERROR_MEMORY, NULL, 0, "no memory");
}

/* What the recoder came to. */
static int judge(tw_recode *recode)
{
    const tw_recoder *recoder = &recode->recoder;
    const tw_lost *refused = tw_losses_refused(&recoder->losses);
    if (recoder->json_out.failed || recoder->losses.failed ||
        recoder->origins.failed) {
        return no_memory(recode);
    }
    if (recoder->code != TW_OK) {
        return fail(recode, recoder->code, recoder->where, 0,
                    recoder->message);
    }
    if (refused != NULL) {
        recode->error = tw_lost_error(TW_ERROR_LOSS, refused,
                                      path_of(recode, refused->where));
        return TW_ERROR_LOSS;
    }
    return TW_OK;
}

int tw_recode_report(tw_recode *recode, size_t i, const tw_error **report)
{
    const tw_losses *losses = &recode->recoder.losses;
    const size_t count = tw_losses_count(losses);
    const tw_lost *lost = i < count ? tw_losses_at(losses, i)
                          : recode->encoder != NULL
                              ? tw_encoder_lost(recode->encoder, i - count)
                              : NULL;
    if (lost == NULL) {
        return 0;
    }
    recode->report = tw_lost_error(TW_OK, lost, path_of(recode, lost->where));
    *report = &recode->report;
    return 1;
}

/* ---- a record ----------------------------------------------------------- */

void tw_recode_begin(tw_recode *recode)
{
    tw_recoder *recoder = &recode->recoder;
    recoder->json_out.out.size = recoder->losses.list.size = 0;
    recoder->losses.failed = false;
    tw_origins_begin(&recoder->origins, NULL);
    tw_tree_begin(&recoder->texts, false);
    recoder->json_out.failed = false;
    recoder->code = TW_OK;
    if (recode->encoder != NULL) {
        tw_encoder_reset(recode->encoder);
    }
}

static void take(tw_recode *recode, tw_buffer *to)
{
    const tw_buffer made = recode->recoder.json_out.out;
    recode->recoder.json_out.out = *to;
    recode->recoder.json_out.out.size = 0;
    *to = made;
}

/* The record's own messages, the decoded one behind them. */
static void join(tw_recode *recode, const tw_value *root, const char *message,
                 size_t size)
{
    tw_json_out *json_out = &recode->recoder.json_out;
    const tw_value *messages = tw_value_member(root, "messages");
    const tw_value *tools = tw_value_member(root, "tools");
    tw_json_put(json_out, "\"messages\":[");
    if (messages != NULL && messages->kind == TW_VALUE_ARRAY) {
        for (const tw_value *at = messages->first; at != NULL; at = at->next) {
            tw_json_put_value(json_out, at);
            tw_json_put(json_out, ",");
        }
    }
    tw_json_put_text(json_out, message, size);
    tw_json_put(json_out, "}]");
    if (tools != NULL) {
        tw_json_put_member(json_out, tools, false);
    }
}

/* How to read this record. */
static const tw_record_shape *shape_of(const tw_recode *recode,
                                       const tw_value *root)
{
    return recode->from == &tw_openai_shape && root != NULL &&
                   tw_record_is_parted(root)
               ? &tw_parted_shape
               : recode->from;
}

/* Makes |middle|. */
static int to_openai(tw_recode *recode, const tw_value *root,
                     const char *message, size_t message_size)
{
    tw_json_out *json_out = &recode->recoder.json_out;
    tw_json_put(json_out, "{");
    if (message != NULL) {
        join(recode, root, message, message_size);
    } else {
        tw_origins_begin(&recode->recoder.origins, root);
        shape_of(recode, root)->read(&recode->recoder, root);
    }
    tw_json_put(json_out, "}");
    take(recode, &recode->middle);
    return judge(recode);
}

static const char *const openai_members[] = {"messages", "tools", NULL};
static const char *const settings[] = {"add_generation_prompt",
                                       "chat_template_kwargs", NULL};
static const char *const none[] = {NULL};

/* A transcript takes the place of what the record has of these itself. */
static void lose_replaced(tw_recode *recode, const tw_value *root)
{
    static const char *const members[] = {"messages", "tools"};
    for (size_t i = 0; i < 2; i++) {
        const tw_value *own = tw_value_member(root, members[i]);
        if (own != NULL) {
            tw_recoder_report_loss(&recode->recoder, TW_LOSS_MEMBER_REPLACED,
                                   own, "the transcript's stand in its place");
        }
    }
}

/* Jots the member at the dotted path |field|: for a.b, `"a":{"b":TEXT`, what
 * else the record has in a, `}`.  What it has at a.b itself is lost, unless
 * that was read.  |text| NULL: only what else there is, behind a comma. */
static void put_field(tw_recode *recode, const tw_value *root,
                      const char *field, const char *text, size_t size)
{
    tw_json_out *json_out = &recode->recoder.json_out;
    bool first = text != NULL;
    size_t at = 0;
    for (bool last = false; !last;) {
        const size_t part = strcspn(field + at, ".");
        const tw_value *old = tw_value_at(root, field, at + part);
        last = field[at + part] == '\0';
        if (recode->from != NULL && old != NULL &&
            (last || old->kind != TW_VALUE_OBJECT)) {
            tw_recoder_report_loss(&recode->recoder, TW_LOSS_MEMBER_REPLACED,
                                   old, NULL);
        }
        if (!last) {
            tw_json_put(json_out, first ? "" : ",");
            tw_json_put_string(json_out, field + at, part);
            tw_json_put(json_out, ":{");
            first = true;
            at += part + 1;
        }
    }
    if (text != NULL) {
        tw_json_put_key(json_out, field + at, true);
        tw_json_put_string(json_out, text, size);
        first = false;
    }
    while (at > 0) {
        const tw_value *parent = tw_value_at(root, field, at - 1);
        const char *const name[] = {field + at, NULL};
        if (parent != NULL) {
            tw_json_put_others(&recode->recoder, parent, name, none, first);
        }
        tw_json_put(json_out, "}");
        first = false;
        for (at--; at > 0 && field[at - 1] != '.';) {
            at--;
        }
    }
}

enum { NAMES = 12 }; /* more than a list of them has, its NULL included */

static void add_names(const char **list, const char *const *names)
{
    while (*list != NULL) {
        list++;
    }
    while (*names != NULL) {
        *list++ = *names++;
    }
}

/* Do both shapes say which tool is to be called? */
static bool moves_choices(const tw_recode *recode)
{
    return recode->from != NULL && recode->from->choices != NULL &&
           recode->to != NULL && recode->to->choices != NULL;
}

/* The members of the record that its conversation was read from. */
static void name_used(const tw_recode *recode, const tw_value *root,
                      const char *field, const char **used)
{
    static const char *const functions[] = {"functions", NULL};
    static const char *const others[] = {"conversations", NULL};
    const tw_record_shape *from = recode->from;
    const tw_record_shape *to = recode->to;
    if (from == NULL || to == NULL) {
        used[0] = field; /* put_field() reports what stood there */
    }
    add_names(used, from != NULL ? from->members : openai_members);
    if (from == &tw_openai_shape) {
        const tw_value *messages = tw_record_messages(root);
        const bool other =
            messages != NULL && tw_value_has_key(messages, "conversations");
        add_names(used, functions);
        add_names(used, other ? others : none);
        add_names(used, to == NULL ? settings : none);
    }
    if (moves_choices(recode)) {
        add_names(used, from->choices);
    }
}

/* What of the record is not the conversation, but for members whose names the
 * result has. */
static void put_others(tw_recode *recode, const tw_value *root,
                       const char *field)
{
    if (root == NULL) {
        return;
    }
    const char *used[NAMES] = {NULL};
    const char *taken[NAMES] = {NULL};
    name_used(recode, root, field, used);
    add_names(taken, recode->to != NULL   ? recode->to->members
                     : recode->completion ? openai_members
                                          : none);
    if (moves_choices(recode)) {
        add_names(taken, recode->to->choices);
    }
    if (recode->from == NULL && recode->to != NULL &&
        tw_value_at(root, field, strlen(field)) != NULL) {
        put_field(recode, root, field, NULL, 0);
    }
    tw_json_put_others(&recode->recoder, root, used, taken, false);
}

/* The encoder is given message |i| alone, of a record. */
static void find_origin(tw_recode *recode, const tw_value *root, size_t i)
{
    tw_origins *origins = &recode->recoder.origins;
    if (recode->from == NULL) {
        return;
    }
    if (origins->record == NULL) { /* the conversation is the record's */
        const tw_value *message = tw_record_messages(root)->first;
        while (message->index < i) {
            message = message->next;
        }
        tw_origins_begin(origins, root);
        tw_origins_whole(origins, message);
        i = 0;
    }
    tw_origins_only(origins, i);
}

/* {"text":...}, and with a completion the messages in front of it. */
static int to_wire(tw_recode *recode, const tw_value *root, const char *json,
                   size_t size, const char *field)
{
    tw_json_out *json_out = &recode->recoder.json_out;
    const tw_conversation *conversation = &recode->conversation;
    const char *text;
    size_t length;
    int result;
    if (recode->completion) {
        const size_t count = tw_message_count(conversation);
        if (count == 0 || tw_message_at(conversation, count - 1)->role !=
                              TW_ROLE_ASSISTANT) {
            return fail(recode, TW_ERROR_SCHEMA, NULL, 0,
                        "the last message is not an assistant's");
        }
        find_origin(recode, root, count - 1);
        tw_json_put_value(json_out,
                          tw_message_at(conversation, count - 1)->value);
        take(recode, &recode->result);
        if (json_out->failed || recode->recoder.origins.failed) {
            return no_memory(recode);
        }
        result = tw_encode_completion(recode->encoder,
                                      (const char *)recode->result.data,
                                      recode->result.size, &text, &length);
    } else {
        result = tw_encode(recode->encoder, json, size, &text, &length);
    }
    if (result != TW_OK) {
        recode->error = *tw_encoder_error(recode->encoder);
        recode->error.path =
            path_of(recode, tw_encoder_where(recode->encoder));
        return result;
    }
    tw_json_put(json_out, "{");
    put_field(recode, root, field, text, length);
    if (recode->completion) {
        const size_t last = tw_message_count(conversation) - 1;
        tw_json_put_key(json_out, "messages", false);
        tw_json_put(json_out, "[");
        for (size_t i = 0; i < last; i++) {
            tw_json_put(json_out, i > 0 ? "," : "");
            tw_json_put_value(json_out, tw_message_at(conversation, i)->value);
        }
        tw_json_put(json_out, "]");
        if (conversation->tools != NULL) {
            tw_json_put_member(json_out, conversation->tools, false);
        }
    }
    put_others(recode, root, field);
    tw_json_put(json_out, "}");
    take(recode, &recode->result);
    return judge(recode);
}

static int to_shape(tw_recode *recode, const tw_value *root, const char *field)
{
    tw_recoder *recoder = &recode->recoder;
    tw_json_out *json_out = &recoder->json_out;
    if (!tw_pairs_find(&recoder->pairs, &recode->conversation,
                       &recoder->losses)) {
        return no_memory(recode);
    }
    tw_json_put(json_out, "{");
    recode->to->write(recoder, &recode->conversation);
    put_others(recode, root, field);
    tw_json_put(json_out, "}");
    take(recode, &recode->result);
    return judge(recode);
}

static int end_record(tw_recode *recode, const tw_value *root,
                      const char *field, const char **out, size_t *out_size)
{
    put_others(recode, root, field);
    tw_json_put(&recode->recoder.json_out, "}");
    take(recode, &recode->result);
    const int result = judge(recode);
    if (result == TW_OK) {
        *out = (const char *)recode->result.data;
        *out_size = recode->result.size;
    }
    return result;
}

bool tw_recode_may_copy(const tw_recode *recode, const tw_writer *writer)
{
    return recode->to == &tw_openai_shape && !recode->deep &&
           !recode->recoder.arguments_object &&
           tw_writer_has_usual_key(writer);
}

bool tw_has_messages(const tw_value *root)
{
    return tw_value_member(root, "messages") != NULL ||
           tw_value_member(root, "tools") != NULL;
}

int tw_recode_as_it_is(tw_recode *recode, const tw_value *root,
                       const char *field, const char *message,
                       size_t message_size, const char **out, size_t *out_size)
{
    tw_json_out *json_out = &recode->recoder.json_out;
    tw_json_put(json_out, "{\"messages\":[");
    tw_json_put_text(json_out, message, message_size);
    tw_json_put(json_out, "}]");
    return end_record(recode, root, field, out, out_size);
}

/* The tools of a transcript are read: there may be a fault in them. */
static int read_tools(tw_recode *recode, const char *text, size_t size)
{
    static const char front[] = "{\"messages\":[]";
    tw_buffer *middle = &recode->middle;
    middle->size = 0;
    return tw_buffer_append(middle, recode->memory, front, sizeof front - 1) &&
                   tw_buffer_append(middle, recode->memory, text, size)
               ? tw_conversation_read(&recode->conversation,
                                      (const char *)middle->data, middle->size)
               : no_memory(recode);
}

int tw_recode_messages(tw_recode *recode, const tw_value *root,
                       const char *field, const char *json, size_t size,
                       size_t tools, const char **out, size_t *out_size)
{
    tw_json_out *json_out = &recode->recoder.json_out;
    const int result = read_tools(recode, json + tools, size - tools);
    if (result != TW_OK) {
        return result == TW_ERROR_MEMORY
                   ? no_memory(recode)
                   : tw_recode_record(recode, root, json, size, field, NULL, 0,
                                      out, out_size);
    }
    lose_replaced(recode, root);
    tw_json_put_text(json_out, json, tools);
    tw_json_put_openai_tools(json_out, &recode->conversation);
    return end_record(recode, root, field, out, out_size);
}

int tw_recode_record(tw_recode *recode, const tw_value *root, const char *json,
                     size_t size, const char *field, const char *message,
                     size_t message_size, const char **out, size_t *out_size)
{
    tw_conversation *conversation = &recode->conversation;
    if (message == NULL && recode->from == NULL) {
        lose_replaced(recode, root);
    }
    const tw_record_shape *shape = shape_of(recode, root);
    if (message != NULL || (shape != NULL && shape->read != NULL)) {
        const int result = to_openai(recode, root, message, message_size);
        if (result != TW_OK) {
            return result;
        }
        json = (const char *)recode->middle.data;
        size = recode->middle.size;
    }
    /* A whole prompt is the encoder's to read. */
    const bool looked_at = recode->to != NULL || recode->completion;
    int result =
        looked_at ? tw_conversation_read(conversation, json, size) : TW_OK;
    if (result != TW_OK) {
        return fail(recode, result, conversation->where, conversation->offset,
                    conversation->message);
    }
    result = recode->to != NULL ? to_shape(recode, root, field)
                                : to_wire(recode, root, json, size, field);
    if (result == TW_OK) {
        *out = (const char *)recode->result.data;
        *out_size = recode->result.size;
    }
    return result;
}
