/* SPDX-License-Identifier: MIT
 *
 * One record: its shape is found, it is read to OpenAI's, and written in the
 * shape or format that is wanted, with a report of what did not fit.
 */
#include "convert/recode.h"

#include <string.h>

#include "encode/state.h"
#include "formats/id_rule.h"
#include "records/sessions/session.h"

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
        (to_shape == NULL ? format == NULL : to_shape->write == NULL)) {
        return NULL;
    }
    tw_recode *recode = tw_memory_new(memory, sizeof *recode);
    if (recode == NULL) {
        return NULL;
    }
    tw_recoder *recoder = &recode->recoder;
    recode->memory = recoder->memory = recoder->json_out.memory = memory;
    recode->from = from_shape;
    recode->to = recoder->to = to_shape;
    recoder->losses.memory = memory;
    tw_pairs_init(&recoder->pairs, &recoder->made, memory);
    tw_tree_init(&recoder->made, memory);
    tw_tree_init(&recoder->texts, memory);
    recoder->texts.keeps_lone = true;
    recode->error.message = "no error";
    tw_wire_text_init(&recode->wire, recoder, memory);
    tw_conversation_init(&recode->conversation, memory);
    if (to_shape != NULL && !to_shape->takes_parts) {
        recode->conversation.flattens = &recoder->losses;
    }
    recode->conversation.keeps_decoded = to_shape == &tw_openai_shape;
    recode->conversation.takes_custom_tools = to_shape != NULL;
    recode->conversation.takes_pairs =
        to_shape != NULL && to_shape->takes_pairs;
    recoder->arguments_object = to_shape != NULL && to_shape->arguments_object;
    recode->rule =
        to_shape != NULL ? to_shape->ids : tw_format_id_rule(format);
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
    tw_wire_text_free(&recode->wire);
    tw_conversation_free(&recode->conversation);
    tw_buffer_free(&recode->recoder.json_out.out, memory);
    tw_buffer_free(&recode->recoder.losses.list, memory);
    tw_buffer_free(&recode->recoder.left_out, memory);
    tw_tree_free(&recode->recoder.made);
    tw_tree_free(&recode->recoder.texts);
    tw_pairs_free(&recode->recoder.pairs);
    tw_buffer_free(&recode->result, memory);
    tw_buffer_free(&recode->path, memory);
    tw_memory_free(memory, recode, sizeof *recode);
}

int tw_recode_set_wire(tw_recode *recode, const tw_format *format,
                       tw_wire_decode *decode, void *context)
{
    const bool writes = recode->to != NULL && recode->to->takes_wire;
    if (recode->wire.format != NULL || (recode->from == NULL && !writes)) {
        return TW_ERROR_ARGUMENT;
    }
    if (!tw_wire_text_set(&recode->wire, format, writes)) {
        return TW_ERROR_MEMORY;
    }
    recode->recoder.reads_wire = true;
    recode->wire.decode = decode;
    recode->wire.context = context;
    return TW_OK;
}

/* The encoder of what is written, or NULL. */
static tw_encoder *encoder_of(const tw_recode *recode)
{
    return recode->encoder != NULL ? recode->encoder : recode->wire.encoder;
}

int tw_recode_set(tw_recode *recode, tw_option option, int64_t value)
{
    switch (option) {
    case TW_OPTION_UNIT_COMPLETION:
        recode->completion = value == 1;
        return TW_OK;
    case TW_OPTION_ARGUMENTS_OBJECT:
        if (value == 1 && recode->to != NULL && !recode->to->has_arguments) {
            return TW_ERROR_ARGUMENT;
        }
        recode->recoder.arguments_object = value == 1;
        recode->conversation.keeps_decoded =
            recode->to == &tw_openai_shape && value != 1;
        return TW_OK;
    case TW_OPTION_IDS: recode->ids = (uint32_t)value; return TW_OK;
    case TW_OPTION_LOSS:
        recode->recoder.losses.policy = (uint32_t)value;
        if (encoder_of(recode) == NULL) {
            return TW_OK;
        }
        break;
    case TW_OPTION_SAMPLED_LAST:
    case TW_OPTION_SAMPLED_NO_REASONING:
    case TW_OPTION_SAMPLED_BY_WEIGHT: return TW_ERROR_ARGUMENT;
    default: break;
    }
    return encoder_of(recode) != NULL
               ? tw_encoder_set(encoder_of(recode), option, value)
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

void tw_recode_fail(tw_recode *recode, const tw_error *error,
                    const tw_value *where)
{
    recode->error = *error;
    recode->error.path = path_of(recode, where);
}

/* What the recoder came to. */
static int judge(tw_recode *recode)
{
    const tw_recoder *recoder = &recode->recoder;
    const tw_lost *refused = tw_losses_refused(&recoder->losses);
    if (recoder->json_out.failed || recoder->losses.failed ||
        recoder->made.error != TW_OK) {
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

void tw_recode_begin(tw_recode *recode, const tw_value *record)
{
    tw_recoder *recoder = &recode->recoder;
    recoder->record = record;
    recoder->from = recoder->whole = NULL;
    recoder->json_out.out.size = recoder->losses.list.size = 0;
    recoder->losses.failed = false;
    tw_tree_begin(&recoder->made, false);
    tw_tree_begin(&recoder->texts, false);
    recoder->left_out.size = 0;
    recoder->json_out.failed = false;
    recoder->code = TW_OK;
    if (recode->encoder != NULL) {
        tw_encoder_reset(recode->encoder);
    }
}

/* ---- what of a record is not the conversation --------------------------- */

static const char *const openai_members[] = {"messages", "tools", NULL};
static const char *const none[] = {NULL};

/* Is there something at the dotted path |field| that the text takes the place
 * of? */
static void replace_field(tw_recode *recode, const char *field)
{
    const tw_value *record = recode->recoder.record;
    for (size_t size = 0; field[size] != '\0'; size++) {
        size += strcspn(field + size, ".");
        const tw_value *old = tw_value_at(record, field, size);
        const bool last = field[size] == '\0';
        if (old != NULL && (last || old->kind != TW_VALUE_OBJECT)) {
            tw_recoder_report_loss(&recode->recoder, TW_LOSS_MEMBER_REPLACED,
                                   old, NULL);
            tw_use(old);
        }
        if (last) {
            break;
        }
    }
}

/* Writes the member at the dotted path |field|: for a.b, `"a":{"b":TEXT`, what
 * else the record has in a, `}`. */
static void put_field(tw_recode *recode, const char *field, const char *text,
                      size_t text_size)
{
    tw_recoder *recoder = &recode->recoder;
    tw_json_out *json_out = &recoder->json_out;
    size_t at = 0;
    for (size_t part; field[at + (part = strcspn(field + at, "."))] != '\0';
         at += part + 1) {
        tw_json_put_string(json_out, field + at, part);
        tw_json_put(json_out, ":{");
    }
    tw_json_put_key(json_out, field + at, true);
    tw_json_put_string(json_out, text, text_size);
    while (at > 0) {
        const tw_value *parent = tw_value_at(recoder->record, field, at - 1);
        if (parent != NULL && !parent->used) {
            tw_json_put_unused(recoder, parent, none, false);
            tw_use(parent);
        }
        tw_json_put(json_out, "}");
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

static int end_record(tw_recode *recode, const char **out, size_t *out_size)
{
    const tw_record_shape *from =
        recode->from != NULL ? recode->recoder.from : NULL;
    const tw_record_shape *to = recode->to;
    const char *taken[NAMES] = {NULL};
    tw_recoder *recoder = &recode->recoder;
    add_names(taken, to != NULL           ? to->members
                     : recode->completion ? openai_members
                                          : none);
    if (from != NULL && from->choices != NULL && to != NULL &&
        to->choices != NULL) {
        add_names(taken, to->choices);
    }
    if (to != NULL && to->is_strict) {
        tw_recoder_lose_unused(recoder, recoder->record);
    } else {
        tw_json_put_unused(recoder, recoder->record, taken, false);
    }
    tw_json_put(&recoder->json_out, "}");
    tw_losses_prune(&recoder->losses);
    const int result = judge(recode);
    const tw_buffer made = recoder->json_out.out;
    recoder->json_out.out = recode->result;
    recode->result = made;
    if (result == TW_OK) {
        *out = (const char *)made.data;
        *out_size = made.size;
    }
    return result;
}

/* ---- to a format -------------------------------------------------------- */

/* A text of the tree that is the recoder's own. */
static void spell_anew(const tw_value *text, const tw_value *other)
{
    tw_value *made = (tw_value *)(uintptr_t)text;
    made->text = other->text;
    made->size = other->size;
    made->lone = 0;
}

/* Encoders find the call of a result by its id. */
static void give_ids(tw_recode *recode)
{
    tw_recoder *recoder = &recode->recoder;
    const tw_conversation *conversation = &recode->conversation;
    for (size_t i = 0; i < tw_message_count(conversation); i++) {
        const tw_message *message = tw_message_at(conversation, i);
        const tw_value *id = message->role == TW_ROLE_TOOL
                                 ? tw_pairs_result_id(&recoder->pairs, i)
                                 : NULL;
        if (message->own_id != NULL && message->own_id != message->id) {
            spell_anew(message->own_id, message->id);
        } else if (id != NULL && message->id == NULL) {
            tw_make_copy(&recoder->made, (tw_value *)(uintptr_t)message->value,
                         "tool_call_id", id);
        }
        for (size_t k = 0; k < message->call_count; k++) {
            const tw_call *call = tw_call_of(conversation, message, k);
            if (call->new_id != NULL) {
                spell_anew(call->own_id, call->new_id);
            } else if (call->id == NULL) {
                tw_make_copy(&recoder->made,
                             (tw_value *)(uintptr_t)call->value, "id",
                             tw_pairs_call_id(&recoder->pairs,
                                              message->first_call + k));
            }
        }
    }
}

static int encoder_failed(tw_recode *recode, int result)
{
    recode->error = *tw_encoder_error(recode->encoder);
    recode->error.path = path_of(recode, tw_encoder_where(recode->encoder));
    return result;
}

/* {"text":...} of a whole prompt. */
static int to_prompt(tw_recode *recode, const tw_value *request,
                     const char *field)
{
    const char *text = "";
    size_t size = 0;
    if (request == recode->recoder.request) {
        give_ids(recode);
    }
    const int result = judge(recode);
    if (result != TW_OK) {
        return result;
    }
    const int encoded =
        tw_encode_value(recode->encoder, request, &text, &size);
    if (encoded != TW_OK) {
        return encoder_failed(recode, encoded);
    }
    put_field(recode, field, text, size);
    return TW_OK;
}

/* {"text":...} of the last message, and the messages in front of it. */
static int to_completion(tw_recode *recode, const tw_value *request,
                         const char *field)
{
    tw_recoder *recoder = &recode->recoder;
    tw_json_out *json_out = &recoder->json_out;
    const tw_conversation *conversation = &recode->conversation;
    const size_t count = tw_message_count(conversation);
    const char *text;
    size_t size;
    if (count == 0 ||
        tw_message_at(conversation, count - 1)->role != TW_ROLE_ASSISTANT) {
        return fail(recode, TW_ERROR_SCHEMA, NULL, 0,
                    "the last message is not an assistant's");
    }
    const int result = tw_encode_message(
        recode->encoder, tw_message_at(conversation, count - 1)->value,
        conversation->tools, &text, &size);
    if (result != TW_OK) {
        return encoder_failed(recode, result);
    }
    put_field(recode, field, text, size);
    tw_json_put_key(json_out, "messages", false);
    tw_json_put(json_out, "[");
    for (size_t i = 0; i + 1 < count; i++) {
        tw_json_put(json_out, i > 0 ? "," : "");
        if (request == recoder->request) {
            tw_openai_put_message(recoder, conversation, i);
        } else {
            tw_json_put_value(json_out, tw_message_at(conversation, i)->value);
        }
    }
    tw_json_put(json_out, "]");
    if (conversation->tools != NULL) {
        tw_json_put_member(json_out, conversation->tools, false);
    }
    return TW_OK;
}

/* ---- a record ----------------------------------------------------------- */

/* Ids that the target cannot hold are mapped, or refused where they would be
 * written; of formats their encoders say it. */
static int judge_ids(tw_recode *recode)
{
    tw_recoder *recoder = &recode->recoder;
    tw_conversation *conversation = &recode->conversation;
    const bool strange = recode->to != NULL && recoder->from != recode->to;
    const tw_value *unheld =
        strange && recode->ids == TW_IDS_KEEP
            ? tw_conversation_unheld_id(conversation, recode->rule)
            : NULL;
    if (unheld != NULL) {
        return fail(recode, TW_ERROR_CANNOT_CARRY, unheld, 0,
                    "the target's ids are letters, digits, _ and -; --ids map "
                    "(TW_IDS_MAP) gives the call another");
    }
    return (recode->to != NULL ||
            tw_conversation_fill_ids(conversation, recode->rule, recode->ids,
                                     false)) &&
                   tw_conversation_map_ids(conversation, recode->rule,
                                           recode->ids, &recoder->losses)
               ? TW_OK
               : no_memory(recode);
}

static int convert(tw_recode *recode, const tw_value *request,
                   const char *field, const char **out, size_t *out_size)
{
    tw_recoder *recoder = &recode->recoder;
    tw_conversation *conversation = &recode->conversation;
    const bool to_wire = recode->to == NULL;
    if (tw_record_is_pair(request) && !conversation->takes_pairs &&
        (request != recoder->record || !to_wire)) {
        tw_recoder_refuse(recoder, tw_value_member(request, "chosen"),
                          "the target has no place for two outputs");
    }
    int result = judge(recode);
    if (result != TW_OK) {
        return result;
    }
    if (tw_conversation_take(conversation, request) != TW_OK) {
        return fail(recode, conversation->code, conversation->where,
                    conversation->offset, conversation->message);
    }
    result = recode->check != NULL ? recode->check(recode->checker) : TW_OK;
    if (result != TW_OK) {
        return result;
    }
    result = judge_ids(recode);
    if (result != TW_OK) {
        return result;
    }
    recoder->pairs.by_message = to_wire && !recode->completion;
    if (!to_wire || request == recoder->request) { /* else the encoder does */
        tw_conversation_report_twins(conversation, &recoder->losses);
    }
    if (!tw_pairs_find(&recoder->pairs, conversation, &recoder->losses)) {
        return no_memory(recode);
    }
    tw_json_put(&recoder->json_out, "{");
    if (to_wire && recode->from != NULL) {
        replace_field(recode, field);
    }
    if (!to_wire) {
        recode->to->write(recoder, conversation);
    } else {
        result = recode->completion ? to_completion(recode, request, field)
                                    : to_prompt(recode, request, field);
    }
    return result == TW_OK ? end_record(recode, out, out_size) : result;
}

/* Is the text of the record wire text?  Where only what is written may be,
 * that is it. */
static bool reads_wire(const tw_recode *recode)
{
    return recode->wire.format != NULL &&
           (recode->recoder.wire == NULL || recode->recoder.from->takes_wire);
}

/* The record is what stands in place of a bad record. */
static int refuse_error(tw_recode *recode, const tw_value *error)
{
    tw_recoder *recoder = &recode->recoder;
    const tw_value *message = tw_value_member(error, "message");
    tw_json_out text = {.memory = recode->memory};
    tw_json_put(&text, "the record could not be converted before: ");
    if (tw_value_is_a(message, TW_VALUE_STRING)) {
        tw_json_put_text(&text, message->text, message->size);
    }
    tw_recoder_refuse_made(recoder, error, &text);
    return judge(recode);
}

const tw_value *tw_recode_earlier(const tw_value *record)
{
    static const char name[] = "TW_ERROR_";
    const tw_value *error = tw_value_member(record, "error");
    const tw_value *code = tw_value_member(error, "code");
    return tw_value_is_a(code, TW_VALUE_STRING) &&
                   strncmp(code->text, name, sizeof name - 1) == 0
               ? error
               : NULL;
}

/* The record is of another shape than the one that was named, which the error
 * says.  |refused|: it could not be read as that. */
static bool refuse_other(tw_recode *recode, bool refused)
{
    tw_recoder *recoder = &recode->recoder;
    const tw_record_shape *other =
        tw_record_other_shape(recode->from, recoder->record, refused);
    tw_json_out text = {.memory = recode->memory};
    if (other == NULL && refused) {
        other = tw_session_shape(recoder->record);
    }
    if (other == NULL || recoder->path != NULL) {
        return false;
    }
    if (refused) {
        tw_json_put(&text, recoder->message);
        tw_json_put(&text, "; ");
        recoder->code = TW_OK;
    }
    tw_json_put(&text, "the record is of the shape ");
    tw_json_put(&text, other->name);
    tw_json_put(&text, " (-f ");
    tw_json_put(&text, other->name);
    tw_json_put(&text, ")");
    tw_recoder_refuse_made(recoder, refused ? recoder->where : recoder->record,
                           &text);
    return true;
}

/* The record has nothing of the shape that was named, which the error of its
 * request says. */
static int refuse_unread(tw_recode *recode)
{
    tw_recoder *recoder = &recode->recoder;
    recoder->message = recode->error.message;
    recoder->where = recoder->record;
    return refuse_other(recode, true) ? judge(recode) : recode->error.code;
}

int tw_recode_record(tw_recode *recode, const char *field, const char **out,
                     size_t *out_size)
{
    tw_recoder *recoder = &recode->recoder;
    const tw_value *before = tw_recode_earlier(recoder->record);
    if (before != NULL) {
        return refuse_error(recode, before);
    }
    recoder->request = NULL;
    recoder->from = recode->from;
    tw_record_open_texts(recoder);
    if (recode->from->has_arguments && refuse_other(recode, false)) {
        return judge(recode);
    }
    const tw_value *request = tw_read_thoughts(
        recoder, recode->from->read(recoder, recoder->record));
    if (request == NULL && recoder->code == TW_ERROR_SCHEMA) {
        refuse_other(recode, true);
    }
    if (request != NULL && reads_wire(recode)) {
        int result;
        request = tw_wire_text_read(&recode->wire, request, &result);
        if (result != TW_OK) {
            return result == TW_ERROR_MEMORY ? no_memory(recode) : result;
        }
    }
    if (request == NULL) {
        return judge(recode);
    }
    const int result = convert(recode, request, field, out, out_size);
    const bool unread =
        result == TW_ERROR_SCHEMA && recode->error.path == NULL;
    return unread ? refuse_unread(recode) : result;
}

/* The text that was decoded is used; the messages and tools of the record are,
 * in front of a completion, or a transcript takes their place. */
static void use_decoded(tw_recode *recode, const char *field)
{
    const tw_value *record = recode->recoder.record;
    const tw_value *text = tw_value_reach(record, field, NULL);
    if (text != NULL) {
        tw_use(text);
    }
    for (const char *const *name = openai_members; *name != NULL; name++) {
        const tw_value *own = tw_use_member(record, *name);
        if (own != NULL && !recode->completion) {
            tw_recoder_report_loss(&recode->recoder, TW_LOSS_MEMBER_REPLACED,
                                   own, "the transcript's stand in its place");
        }
    }
}

int tw_recode_decoded(tw_recode *recode, const char *field, const char **out,
                      size_t *out_size)
{
    const tw_value *request = recode->recoder.request;
    use_decoded(recode, field);
    return request != NULL ? convert(recode, request, field, out, out_size)
                           : no_memory(recode);
}

int tw_recode_copy(tw_recode *recode, const char *field, const char *message,
                   size_t size, const char **out, size_t *out_size)
{
    tw_json_out *json_out = &recode->recoder.json_out;
    use_decoded(recode, field);
    tw_json_put(json_out, "{\"messages\":[");
    tw_json_put_text(json_out, message, size);
    tw_json_put(json_out, "}]");
    return end_record(recode, out, out_size);
}
