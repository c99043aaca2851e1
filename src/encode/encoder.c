/* SPDX-License-Identifier: MIT
 *
 * The front door of encoding: a request in, segments out.
 */
#include <string.h>

#include "core/options.h"
#include "encode/inside.h"
#include "formats/id_rule.h"
#include "encode/state.h"
#include "encode/unread.h"
#include "formats/encode.h"
#include "json/make.h"

/* All but what a format or a template decides. */
static void init(tw_encoder *encoder, const tw_memory *memory)
{
    encoder->memory = *memory;
    encoder->generation_prompt = -1;
    encoder->now = INT64_MIN;
    tw_conversation_init(&encoder->conversation, &encoder->memory);
    tw_tree_init(&encoder->settings, &encoder->memory);
    tw_tree_init(&encoder->request, &encoder->memory);
    encoder->request.keeps_lone = true;
    tw_episode_init(&encoder->episode, &encoder->memory);
}

/* Of a format whose prompts a template writes. */
static tw_encoder *new_with_own(const tw_format *format,
                                const tw_allocator *allocator)
{
    const tw_template_source source = {.text = format->prompt->text,
                                       .size = format->prompt->size};
    tw_template *own;
    if (tw_template_load(&source, allocator, &own, NULL) != TW_OK) {
        return NULL;
    }
    tw_encoder *encoder = tw_encoder_new_template(own, format, allocator);
    if (encoder == NULL) {
        tw_template_free(own);
        return NULL;
    }
    own->own = true;
    encoder->own = own;
    return encoder;
}

tw_encoder *tw_encoder_new(const tw_format *format,
                           const tw_allocator *allocator)
{
    if (format != NULL && format->prompt != NULL) {
        return new_with_own(format, allocator);
    }
    const tw_memory memory = tw_memory_from(allocator);
    tw_encoder *encoder = format != NULL && format->family->complete != NULL
                              ? tw_memory_new(&memory, sizeof *encoder)
                              : NULL;
    if (encoder == NULL) {
        return NULL;
    }
    init(encoder, &memory);
    encoder->format = format;
    tw_segments_init(&encoder->segments, &encoder->memory, format->markers,
                     *format->marker_count);
    tw_back_init(&encoder->back, &encoder->memory, format);
    tw_spans_init_plain(&encoder->spans, &encoder->memory);
    tw_encoder_reset(encoder);
    return encoder;
}

/* The markers of both; false: no memory. */
static bool join_markers(tw_encoder *encoder, const tw_template *template_,
                         const tw_format *format)
{
    const bool own = template_->config.root != NULL || format == NULL;
    return (format == NULL ||
            tw_buffer_append(&encoder->markers, &encoder->memory,
                             format->markers,
                             *format->marker_count * sizeof(tw_marker))) &&
           (!own || tw_buffer_append(&encoder->markers, &encoder->memory,
                                     template_->markers.data,
                                     template_->markers.size));
}

tw_encoder *tw_encoder_new_template(const tw_template *template_,
                                    const tw_format *format,
                                    const tw_allocator *allocator)
{
    const tw_memory memory = tw_memory_from(allocator);
    tw_encoder *encoder =
        template_ != NULL ? tw_memory_new(&memory, sizeof *encoder) : NULL;
    if (encoder == NULL) {
        return NULL;
    }
    init(encoder, &memory);
    encoder->format = format;
    encoder->template_ = template_;
    const bool good = join_markers(encoder, template_, format);
    tw_segments_init(&encoder->segments, &encoder->memory,
                     (const tw_marker *)(const void *)encoder->markers.data,
                     good ? encoder->markers.size / sizeof(tw_marker) : 0);
    tw_rendering_init(&encoder->rendering, &template_->program,
                      &encoder->memory);
    tw_spans_init(&encoder->spans, template_);
    tw_back_init(&encoder->back, &encoder->memory, format);
    tw_encoder_reset(encoder);
    if (!good) {
        tw_encoder_free(encoder);
        return NULL;
    }
    return encoder;
}

void tw_encoder_free(tw_encoder *encoder)
{
    if (encoder == NULL) {
        return;
    }
    const tw_memory memory = encoder->memory;
    tw_conversation_free(&encoder->conversation);
    tw_segments_free(&encoder->segments);
    if (encoder->template_ != NULL) {
        tw_rendering_free(&encoder->rendering);
    }
    tw_back_free(&encoder->back);
    tw_spans_free(&encoder->spans);
    tw_template_free(encoder->own);
    tw_episode_free(&encoder->episode);
    tw_buffer_free(&encoder->prompt, &memory);
    tw_buffer_free(&encoder->turn, &memory);
    tw_buffer_free(&encoder->markers, &memory);
    tw_buffer_free(&encoder->message, &memory);
    tw_tree_free(&encoder->settings);
    tw_tree_free(&encoder->request);
    tw_buffer_free(&encoder->error_path, &memory);
    tw_buffer_free(&encoder->report_path, &memory);
    tw_memory_free(&memory, encoder, sizeof *encoder);
}

/* For whole requests, or for a message that no template writes. */
static void begin(tw_encoder *encoder, bool completes)
{
    const tw_own_prompt *ours =
        completes || encoder->own != NULL ? encoder->format->prompt : NULL;
    const bool takes_parts = (ours != NULL && ours->takes_parts) ||
                             (!completes && encoder->template_ != NULL &&
                              encoder->template_->facts.takes_parts);
    encoder->completes = completes;
    encoder->conversation.flattens =
        takes_parts ? NULL : &encoder->segments.losses;
}

void tw_encoder_reset(tw_encoder *encoder)
{
    if (encoder != NULL) {
        begin(encoder, false);
        tw_segments_reset(&encoder->segments);
        encoder->ready = false;
        encoder->has_spans = false;
        memset(&encoder->error, 0, sizeof encoder->error);
        encoder->where = NULL;
        encoder->error.message = "no error";
    }
}

static int fail(tw_encoder *encoder, int32_t code, const tw_value *where,
                uint64_t offset, const char *message)
{
    return tw_encoder_fail(encoder, code, where, offset, message);
}

/* ---- a request ---------------------------------------------------------- */

/* The first role that nobody knows, not even |also|; NULL: there is none. */
static const tw_value *unknown_role(const tw_conversation *conversation,
                                    const char *const *also)
{
    for (size_t i = 0; i < tw_message_count(conversation); i++) {
        const tw_message *message = tw_message_at(conversation, i);
        const char *const *name = also;
        while (name != NULL && *name != NULL &&
               !tw_value_is(message->role_name, *name)) {
            name++;
        }
        if (message->role == TW_ROLE_OTHER &&
            (name == NULL || *name == NULL)) {
            return message->role_name;
        }
    }
    return NULL;
}

/* Decoders take no call of such a name, in no format; and few templates of
 * ours write free text. */
static void refuse_calls(tw_encoder *encoder)
{
    const tw_buffer *calls = &encoder->conversation.calls;
    for (size_t i = 0; i < calls->size / sizeof(tw_call); i++) {
        const tw_call *call = tw_conversation_call(&encoder->conversation, i);
        if (call->name->size > TW_NAME_SIZE) {
            tw_encode_refuse(&encoder->segments, call->name,
                             "no decoder takes a name of more than 256 bytes");
        }
        if (encoder->own != NULL && !encoder->completes &&
            !encoder->format->family->writes_free_text &&
            !tw_encode_refuses_free_text(&encoder->segments, call) &&
            call->name->size == 0) {
            tw_encode_refuse(&encoder->segments, call->name,
                             "no decoder takes such a name");
        }
    }
}

/* Does the format's template write completions, too? */
static bool writes_completions(const tw_encoder *encoder)
{
    return encoder->format->family->complete == NULL;
}

/* What was written says what is lost.  Of formats with prompts the templates'
 * rules tell. */
static void read_back(tw_encoder *encoder)
{
    if (!writes_completions(encoder)) {
        const tw_value *tools = encoder->conversation.tools;
        tw_back_check(&encoder->back, &encoder->conversation,
                      tools != NULL ? tools : encoder->tools,
                      &encoder->segments);
    }
}

/* What the segments say of a whole request. */
static int end_request(tw_encoder *encoder)
{
    tw_segments *segments = &encoder->segments;
    /* What was refused since may be for want of a report. */
    if (segments->losses.failed) {
        return fail(encoder, TW_ERROR_MEMORY, NULL, 0, "no memory");
    }
    if (segments->code != TW_OK) {
        return fail(encoder, segments->code, segments->where, segments->offset,
                    segments->message);
    }
    const tw_lost *refused = tw_losses_refused(&segments->losses);
    if (refused != NULL) {
        encoder->error = tw_lost_error(
            TW_ERROR_LOSS, refused,
            tw_encoder_path(encoder, &encoder->error_path, refused->where));
        encoder->where = refused->where;
        return TW_ERROR_LOSS;
    }
    encoder->ready = true;
    return TW_OK;
}

/* ---- a format ----------------------------------------------------------- */

typedef void putting(const tw_format *, const tw_conversation *,
                     tw_segments *);

/* Puts the conversation by |put|; NULL: by the format's own template. */
static int put_format(tw_encoder *encoder, putting *put)
{
    tw_conversation *conversation = &encoder->conversation;
    tw_segments *segments = &encoder->segments;
    const tw_family *family = encoder->format->family;
    const tw_value *unknown = unknown_role(conversation, family->roles);
    if (unknown != NULL) {
        return fail(encoder, TW_ERROR_SCHEMA, unknown, 0,
                    "the role is unknown: it is system, developer, user, "
                    "assistant or tool");
    }
    const int result = put == NULL ? tw_encoder_render(encoder) : TW_OK;
    if (result != TW_OK) {
        return result;
    }
    if (put != NULL) {
        put(encoder->format, conversation, segments);
    }
    refuse_calls(encoder);
    tw_conversation_report_twins(conversation, &segments->losses);
    if (family->members != NULL) {
        tw_conversation_report_unread(conversation, &segments->losses,
                                      family->members);
    }
    return TW_OK;
}

/* What puts whole requests of the format. */
static putting *put_of(const tw_encoder *encoder)
{
    return encoder->own == NULL ? encoder->format->family->complete : NULL;
}

int tw_encoder_put(tw_encoder *encoder)
{
    if (encoder->template_ != NULL && encoder->own == NULL) {
        return tw_encoder_render(encoder);
    }
    const bool reads_documents =
        encoder->own != NULL && encoder->own->facts.reads_documents;
    tw_report_unread_request(&encoder->conversation, encoder->format,
                             reads_documents, &encoder->segments.losses);
    return put_format(encoder, put_of(encoder));
}

int tw_encoder_end(tw_encoder *encoder)
{
    if (tw_segments_end(&encoder->segments) == TW_OK &&
        (encoder->template_ == NULL || encoder->completes)) {
        read_back(encoder);
    }
    return end_request(encoder);
}

/* The conversation could not be read. */
static int fail_unread(tw_encoder *encoder)
{
    const tw_conversation *conversation = &encoder->conversation;
    return fail(encoder, conversation->code, conversation->where,
                conversation->offset, conversation->message);
}

/* The conversation, if it could be read. */
static int encode(tw_encoder *encoder, putting *put)
{
    if (encoder->conversation.code != TW_OK) {
        return fail_unread(encoder);
    }
    const int result = put_format(encoder, put);
    return result == TW_OK ? tw_encoder_end(encoder) : result;
}

/* A template that checks ids says how long they are. */
static tw_id_rule id_rule_of(const tw_encoder *encoder)
{
    return encoder->format != NULL ? tw_format_id_rule(encoder->format)
           : encoder->template_->facts.nine_in_ids ? TW_ID_NINE
                                                   : TW_ID_ANY;
}

/* What a caller's own template makes of calls without ids is its own. */
static bool fill_ids(tw_encoder *encoder)
{
    return tw_conversation_fill_ids(
        &encoder->conversation, id_rule_of(encoder), encoder->ids,
        encoder->template_ == NULL || encoder->own != NULL);
}

int tw_encoder_request(tw_encoder *encoder, const char *json, size_t size)
{
    if (encoder == NULL || (json == NULL && size > 0)) {
        return fail(encoder, TW_ERROR_ARGUMENT, NULL, 0, "no text");
    }
    tw_encoder_reset(encoder);
    tw_conversation *conversation = &encoder->conversation;
    if (tw_conversation_read(conversation, json, size) != TW_OK) {
        return fail_unread(encoder);
    }
    const tw_id_rule rule = id_rule_of(encoder);
    if (!fill_ids(encoder) ||
        !tw_conversation_map_ids(conversation, rule, encoder->ids,
                                 &encoder->segments.losses)) {
        return fail(encoder, TW_ERROR_MEMORY, NULL, 0, "no memory");
    }
    if (encoder->generation_prompt >= 0) {
        conversation->generation_prompt = encoder->generation_prompt == 1;
    }
    const int result = tw_encoder_put(encoder);
    return result == TW_OK ? tw_encoder_end(encoder) : result;
}

int tw_encoder_next(tw_encoder *encoder, const tw_segment **segment)
{
    bool control;
    if (encoder == NULL || segment == NULL) {
        return fail(encoder, TW_ERROR_ARGUMENT, NULL, 0,
                    "no place for the segment");
    }
    if (!encoder->ready ||
        !tw_segments_next(&encoder->segments, &control, &encoder->segment.data,
                          &encoder->segment.size)) {
        return 0;
    }
    encoder->segment.control = control;
    *segment = &encoder->segment;
    return 1;
}

static int give(const tw_encoder *encoder, int result, size_t from,
                const char **text, size_t *text_size)
{
    if (result == TW_OK) {
        const tw_buffer *written = &encoder->segments.text;
        *text = written->size > 0 ? (const char *)written->data + from : "";
        *text_size = written->size - from;
    }
    return result;
}

int tw_encode(tw_encoder *encoder, const char *json, size_t size,
              const char **text, size_t *text_size)
{
    if (text == NULL || text_size == NULL) {
        return fail(encoder, TW_ERROR_ARGUMENT, NULL, 0,
                    "no place for the text");
    }
    return give(encoder, tw_encoder_request(encoder, json, size), 0, text,
                text_size);
}

int tw_encode_value(tw_encoder *encoder, const tw_value *request,
                    const char **text, size_t *text_size)
{
    tw_encoder_reset(encoder);
    if (tw_conversation_take(&encoder->conversation, request) == TW_OK &&
        !fill_ids(encoder)) {
        return fail(encoder, TW_ERROR_MEMORY, NULL, 0, "no memory");
    }
    if (encoder->generation_prompt >= 0) {
        encoder->conversation.generation_prompt =
            encoder->generation_prompt == 1;
    }
    return give(encoder, encode(encoder, put_of(encoder)), 0, text, text_size);
}

int tw_encode_results(tw_encoder *encoder, const tw_value *request,
                      const char **text, size_t *text_size)
{
    tw_encoder_reset(encoder);
    tw_conversation_take(&encoder->conversation, request);
    return give(encoder, encode(encoder, encoder->format->family->put_results),
                0, text, text_size);
}

/* ---- a completion ------------------------------------------------------- */

static size_t turn_head_size(const tw_format *format, const char *text,
                             size_t size)
{
    for (size_t i = 0; format->turn_heads[i] != NULL; i++) {
        const char *head = format->turn_heads[i];
        const size_t head_size = strlen(head);
        if (size >= head_size && memcmp(text, head, head_size) == 0) {
            return head_size;
        }
    }
    return 0;
}

/* Where the template came to the first message of all for the last time. */
static size_t turn_begin(const tw_encoder *encoder)
{
    const tw_buffer *list = &encoder->rendering.machine.turns;
    const tw_turn_mark *marks = (const tw_turn_mark *)(const void *)list->data;
    for (size_t i = list->size / sizeof *marks; i > 0; i--) {
        if (marks[i - 1].turn == 1 && !marks[i - 1].resumed) {
            return marks[i - 1].at;
        }
    }
    return 0;
}

/* What stands in front of what the model goes on with. */
static size_t front_size(const tw_encoder *encoder)
{
    const bool framed = writes_completions(encoder);
    const size_t at = framed ? turn_begin(encoder) : 0;
    const tw_buffer *text = &encoder->segments.text;
    return text->size == 0 || !framed
               ? 0
               : at + turn_head_size(encoder->format,
                                     (const char *)text->data + at,
                                     text->size - at);
}

/* Behind a question a template of ours writes the turn as the model goes on
 * with it.  The message stays the first one by its number. */
static bool put_question(tw_tree *tree, tw_value *messages, tw_value *message)
{
    tw_value *question = tw_make(tree, messages, NULL, TW_VALUE_OBJECT);
    tw_make_word(tree, question, "role", "user");
    tw_make_word(tree, question, "content", "");
    if (tree->error != TW_OK) {
        return false;
    }
    tw_value_link(messages, message);
    question->index = 1;
    message->index = 0;
    return true;
}

/* {"messages":[|message|]}; the message is of the encoder's own tree; NULL:
 * no memory. */
static int encode_message(tw_encoder *encoder, tw_value *message,
                          const char **text, size_t *text_size)
{
    tw_tree *tree = &encoder->request;
    tw_value *request = tw_make(tree, NULL, NULL, TW_VALUE_OBJECT);
    tw_value *messages = tw_make(tree, request, "messages", TW_VALUE_ARRAY);
    tw_encoder_reset(encoder);
    begin(encoder, true);
    if (message == NULL || messages == NULL || tree->error != TW_OK) {
        return fail(encoder, TW_ERROR_MEMORY, NULL, 0, "no memory");
    }
    if (!writes_completions(encoder)) {
        tw_value_link(messages, message);
    } else if (!put_question(tree, messages, message)) {
        return fail(encoder, TW_ERROR_MEMORY, NULL, 0, "no memory");
    }
    tw_conversation_take(&encoder->conversation, request);
    const int result = encode(encoder, encoder->format->family->complete);
    return give(encoder, result, result == TW_OK ? front_size(encoder) : 0,
                text, text_size);
}

int tw_encode_message(tw_encoder *encoder, const tw_value *message,
                      const tw_value *tools, const char **text,
                      size_t *text_size)
{
    tw_tree_begin(&encoder->request, false);
    encoder->tools = tools;
    const int result = encode_message(
        encoder, tw_make_copy(&encoder->request, NULL, NULL, message), text,
        text_size);
    encoder->tools = NULL;
    return result;
}

int tw_encode_completion(tw_encoder *encoder, const char *json, size_t size,
                         const char **text, size_t *text_size)
{
    if (encoder == NULL || (json == NULL && size > 0) || text == NULL ||
        text_size == NULL) {
        return fail(encoder, TW_ERROR_ARGUMENT, NULL, 0,
                    "the text or the place for the result is missing");
    }
    tw_tree *tree = &encoder->request;
    tw_encoder_reset(encoder);
    if (encoder->template_ != NULL && encoder->own == NULL) {
        return fail(encoder, TW_ERROR_CANNOT_CARRY, NULL, 0,
                    "a template writes whole prompts");
    }
    const int result = tw_tree_read(tree, json, size, false);
    if (result != TW_OK) {
        return fail(encoder, result, NULL, tree->offset,
                    result == TW_ERROR_JSON ? "the message is not JSON"
                                            : "no memory");
    }
    return encode_message(encoder, tree->root, text, text_size);
}
