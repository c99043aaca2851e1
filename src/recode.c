/* SPDX-License-Identifier: MIT */
#include "recode.h"

#include <string.h>

/* ---- life --------------------------------------------------------------- */

tw_recode *tw_recode_new(const char *from, const char *to,
                         const tw_memory *memory)
{
    const tw_record_shape *from_shape = tw_record_shape_find(from);
    const tw_record_shape *to_shape = tw_record_shape_find(to);
    const tw_format *format = tw_format_find(to);
    if ((from_shape == NULL && tw_format_find(from) == NULL) ||
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
    recode->recoder.memory = recode->recoder.jotter.memory = memory;
    recode->recoder.losses.memory = memory;
    recode->error.message = "no error";
    tw_conversation_init(&recode->conversation, memory);
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
    tw_buffer_free(&recode->recoder.jotter.out, memory);
    tw_buffer_free(&recode->recoder.losses.list, memory);
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
    if (recoder->jotter.failed || recoder->losses.failed) {
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
    if (i >= count) {
        return recode->encoder != NULL
                   ? tw_encoder_report(recode->encoder, i - count, report)
                   : 0;
    }
    const tw_lost *lost = tw_losses_at(losses, i);
    recode->report = tw_lost_error(TW_OK, lost, path_of(recode, lost->where));
    *report = &recode->report;
    return 1;
}

/* ---- a record ----------------------------------------------------------- */

void tw_recode_begin(tw_recode *recode)
{
    tw_recoder *recoder = &recode->recoder;
    recoder->jotter.out.size = recoder->losses.list.size = 0;
    recoder->losses.failed = false;
    recoder->jotter.failed = false;
    recoder->code = TW_OK;
    if (recode->encoder != NULL) {
        tw_encoder_reset(recode->encoder);
    }
}

static void take(tw_recode *recode, tw_buffer *to)
{
    const tw_buffer made = recode->recoder.jotter.out;
    recode->recoder.jotter.out = *to;
    recode->recoder.jotter.out.size = 0;
    *to = made;
}

/* The record's own messages, the decoded one behind them. */
static void join(tw_recode *recode, const tw_value *root, const char *message,
                 size_t size)
{
    tw_jotter *jotter = &recode->recoder.jotter;
    const tw_value *messages = tw_value_member(root, "messages");
    const tw_value *tools = tw_value_member(root, "tools");
    tw_jot(jotter, "\"messages\":[");
    if (messages != NULL && messages->kind == TW_VALUE_ARRAY) {
        for (const tw_value *at = messages->first; at != NULL; at = at->next) {
            tw_jot_value(jotter, at);
            tw_jot(jotter, ",");
        }
    }
    tw_jot_text(jotter, message, size);
    tw_jot(jotter, "}]");
    if (tools != NULL) {
        tw_jot_member(jotter, tools, false);
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
    tw_jotter *jotter = &recode->recoder.jotter;
    tw_jot(jotter, "{");
    if (message != NULL) {
        join(recode, root, message, message_size);
    } else {
        shape_of(recode, root)->read(&recode->recoder, root);
    }
    tw_jot(jotter, "}");
    take(recode, &recode->middle);
    return judge(recode);
}

static const char *const openai_members[] = {"messages", "tools", NULL};
static const char *const request_members[] = {"messages", "tools",
                                              "add_generation_prompt",
                                              "chat_template_kwargs", NULL};

/* A transcript takes the place of what the record has of these itself. */
static void lose_replaced(tw_recode *recode, const tw_value *root)
{
    static const char *const members[] = {"messages", "tools"};
    for (size_t i = 0; i < 2; i++) {
        const tw_value *own = tw_value_member(root, members[i]);
        if (own != NULL) {
            tw_recoder_lose(&recode->recoder, TW_LOSS_MEMBER_REPLACED, own,
                            "the transcript's stand in its place");
        }
    }
}

static const char *const none[] = {NULL};

/* Jots the member at the dotted path |field|: for a.b, `"a":{"b":TEXT`, what
 * else the record has in a, `}`.  What it has at a.b itself is lost, unless
 * that was read.  |text| NULL: only what else there is, behind a comma. */
static void put_field(tw_recode *recode, const tw_value *root,
                      const char *field, const char *text, size_t size)
{
    tw_jotter *jotter = &recode->recoder.jotter;
    bool first = text != NULL;
    size_t at = 0;
    for (bool last = false; !last;) {
        const size_t part = strcspn(field + at, ".");
        const tw_value *old = tw_value_at(root, field, at + part);
        last = field[at + part] == '\0';
        if (recode->from != NULL && old != NULL &&
            (last || old->kind != TW_VALUE_OBJECT)) {
            tw_recoder_lose(&recode->recoder, TW_LOSS_MEMBER_REPLACED, old,
                            NULL);
        }
        if (!last) {
            tw_jot(jotter, first ? "" : ",");
            tw_jot_string(jotter, field + at, part);
            tw_jot(jotter, ":{");
            first = true;
            at += part + 1;
        }
    }
    if (text != NULL) {
        tw_jot_key(jotter, field + at, true);
        tw_jot_string(jotter, text, size);
        first = false;
    }
    while (at > 0) {
        const tw_value *parent = tw_value_at(root, field, at - 1);
        const char *const name[] = {field + at, NULL};
        if (parent != NULL) {
            tw_jot_others(&recode->recoder, parent, name, none, first);
        }
        tw_jot(jotter, "}");
        first = false;
        for (at--; at > 0 && field[at - 1] != '.';) {
            at--;
        }
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
    const char *used[8] = {NULL};
    const char *taken[8] = {NULL};
    const char *const *its = recode->from == NULL ? openai_members
                             : recode->to == NULL && recode->from->read == NULL
                                 ? request_members
                                 : recode->from->members;
    size_t count = 0;
    if (recode->from == NULL || recode->to == NULL) {
        used[count++] = field; /* put_field() reports what stood there */
    }
    while (*its != NULL) {
        used[count++] = *its++;
    }
    its = recode->to != NULL   ? recode->to->members
          : recode->completion ? openai_members
                               : none;
    for (count = 0; *its != NULL;) {
        taken[count++] = *its++;
    }
    if (recode->from == NULL && recode->to != NULL &&
        tw_value_at(root, field, strlen(field)) != NULL) {
        put_field(recode, root, field, NULL, 0);
    }
    tw_jot_others(&recode->recoder, root, used, taken, false);
}

/* {"text":...}, and with a completion the messages in front of it. */
static int to_wire(tw_recode *recode, const tw_value *root, const char *json,
                   size_t size, const char *field)
{
    tw_jotter *jotter = &recode->recoder.jotter;
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
        tw_jot_value(jotter, tw_message_at(conversation, count - 1)->value);
        take(recode, &recode->result);
        result = jotter->failed
                     ? TW_ERROR_MEMORY
                     : tw_encode_completion(
                           recode->encoder, (const char *)recode->result.data,
                           recode->result.size, &text, &length);
    } else {
        result = tw_encode(recode->encoder, json, size, &text, &length);
    }
    if (result != TW_OK) {
        recode->error = *tw_encoder_error(recode->encoder);
        return result;
    }
    tw_jot(jotter, "{");
    put_field(recode, root, field, text, length);
    if (recode->completion) {
        const size_t last = tw_message_count(conversation) - 1;
        tw_jot_key(jotter, "messages", false);
        tw_jot(jotter, "[");
        for (size_t i = 0; i < last; i++) {
            tw_jot(jotter, i > 0 ? "," : "");
            tw_jot_value(jotter, tw_message_at(conversation, i)->value);
        }
        tw_jot(jotter, "]");
        if (conversation->tools != NULL) {
            tw_jot_member(jotter, conversation->tools, false);
        }
    }
    put_others(recode, root, field);
    tw_jot(jotter, "}");
    take(recode, &recode->result);
    return judge(recode);
}

static int to_shape(tw_recode *recode, const tw_value *root, const char *field)
{
    tw_jotter *jotter = &recode->recoder.jotter;
    tw_jot(jotter, "{");
    recode->to->write(&recode->recoder, &recode->conversation);
    put_others(recode, root, field);
    tw_jot(jotter, "}");
    take(recode, &recode->result);
    return judge(recode);
}

static int end_record(tw_recode *recode, const tw_value *root,
                      const char *field, const char **out, size_t *out_size)
{
    put_others(recode, root, field);
    tw_jot(&recode->recoder.jotter, "}");
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
    tw_jotter *jotter = &recode->recoder.jotter;
    tw_jot(jotter, "{\"messages\":[");
    tw_jot_text(jotter, message, message_size);
    tw_jot(jotter, "}]");
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
    tw_jotter *jotter = &recode->recoder.jotter;
    const int result = read_tools(recode, json + tools, size - tools);
    if (result != TW_OK) {
        return result == TW_ERROR_MEMORY
                   ? no_memory(recode)
                   : tw_recode_record(recode, root, json, size, field, NULL, 0,
                                      out, out_size);
    }
    lose_replaced(recode, root);
    tw_jot_text(jotter, json, tools);
    tw_jot_openai_tools(jotter, &recode->conversation);
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
