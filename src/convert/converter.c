/* SPDX-License-Identifier: MIT
 *
 * JSON records of whole outputs: decoder and writer put together.
 */
#include <string.h>

#include "convert/state.h"
#include "convert/notes.h"
#include "convert/own.h"
#include "json/fault.h"
#include "json/write.h"
#include "decode/whole_output.h"
#include "records/sessions/session.h"

static const tw_error no_error = {TW_OK, 0, 0, "no error", NULL};

/* ---- life --------------------------------------------------------------- */

bool tw_converter_set_field(tw_converter *converter, const char *field,
                            size_t size)
{
    tw_buffer *place = &converter->field;
    if (size == SIZE_MAX ||
        !tw_buffer_reserve(place, &converter->memory, size + 1)) {
        return false;
    }
    place->size = 0;
    return tw_buffer_append(place, &converter->memory, field, size) &&
           tw_buffer_append(place, &converter->memory, "", 1);
}

/* |format|: NULL, from a record shape. */
static bool make_parts(tw_converter *converter, const tw_format *format,
                       bool to_message)
{
    static const char field[] = "text";
    const tw_memory *memory = &converter->memory;
    if (!tw_converter_set_field(converter, field, sizeof field - 1)) {
        return false;
    }
    if (format == NULL) {
        return true;
    }
    converter->decoder = tw_decoder_new(format, memory);
    if (converter->decoder == NULL || !to_message) {
        return converter->decoder != NULL;
    }
    converter->writer = tw_writer_new(TW_SHAPE_MESSAGE, memory);
    return converter->writer != NULL &&
           tw_decoder_set(converter->decoder, TW_OPTION_KEEP_RAW, 1) == TW_OK;
}

/* A name that a format has, too, is the shape's; NULL: it is no format's. */
static const tw_format *find_end(const tw_format *format, tw_endpoint name)
{
    return format != NULL                       ? format
           : tw_record_shape_find(name) == NULL ? tw_format_find(name)
                                                : NULL;
}

tw_converter *tw_converter_between(const tw_format *from_format,
                                   tw_endpoint from,
                                   const tw_format *to_format, tw_endpoint to,
                                   const tw_allocator *allocator)
{
    const tw_memory memory = tw_memory_from(allocator);
    to_format = find_end(to_format, to);
    const bool named = to_format == NULL && to != NULL;
    const bool to_message = named && strcmp(to, "message") == 0;
    const bool to_report = named && strcmp(to, "report") == 0;
    const tw_format *format = find_end(from_format, from);
    if (format == NULL && (to_message || to_report)) {
        format = tw_format_find(from); /* no shape is read to these */
    }
    if ((format == NULL && from == NULL) || (to_format == NULL && !named) ||
        (format == NULL && (to_message || to_report))) {
        return NULL;
    }
    tw_converter *converter = tw_memory_new(&memory, sizeof *converter);
    if (converter == NULL) {
        return NULL;
    }
    converter->memory = memory;
    converter->error = no_error;
    converter->finish = TW_FINISH_UNKNOWN;
    tw_tree_init(&converter->tree, &converter->memory);
    converter->tree.keeps_lone = true;
    tw_validity_init(&converter->validity, &converter->memory);
    const bool recodes = !to_message && !to_report;
    if (recodes) {
        converter->recode =
            tw_recode_new(format, from, to_format, to, &converter->memory);
    }
    tw_transcript_init(&converter->transcript, format,
                       converter->recode != NULL ? &converter->recode->recoder
                                                 : NULL,
                       &converter->memory);
    tw_turns_init(&converter->turns, &converter->memory);
    if (converter->recode != NULL) {
        tw_converter_choose_turns(converter);
    }
    if ((recodes && converter->recode == NULL) ||
        !make_parts(converter, format, !to_report)) {
        tw_converter_free(converter);
        return NULL;
    }
    return converter;
}

tw_converter *tw_converter_new(tw_endpoint from, tw_endpoint to,
                               const tw_allocator *allocator)
{
    return tw_converter_between(NULL, from, NULL, to, allocator);
}

void tw_converter_free(tw_converter *converter)
{
    if (converter == NULL) {
        return;
    }
    const tw_memory memory = converter->memory;
    tw_decoder_free(converter->decoder);
    tw_writer_free(converter->writer);
    tw_recode_free(converter->recode);
    tw_transcript_free(&converter->transcript);
    tw_turns_free(&converter->turns);
    tw_validity_free(&converter->validity);
    tw_tree_free(&converter->tree);
    tw_buffer_free(&converter->field, &memory);
    tw_buffer_free(&converter->path, &memory);
    tw_buffer_free(&converter->prompt, &memory);
    tw_buffer_free(&converter->prompt_field, &memory);
    tw_buffer_free(&converter->finish_field, &memory);
    tw_buffer_free(&converter->notes, &memory);
    tw_buffer_free(&converter->subjects, &memory);
    tw_buffer_free(&converter->report, &memory);
    tw_buffer_free(&converter->identity, &memory);
    tw_memory_free(&memory, converter, sizeof *converter);
}

const tw_error *tw_converter_error(const tw_converter *converter)
{
    static const tw_error none = {TW_OK, 0, 0,
                                  "NULL is no converter: an end is neither a "
                                  "format nor a shape of records, or no way "
                                  "leads from the one to the other",
                                  NULL};
    return converter != NULL ? &converter->error : &none;
}

/* ---- records ------------------------------------------------------------ */

/* Forgets the last record. */
static void begin_record(tw_converter *converter)
{
    converter->error = no_error;
    converter->notes.size = converter->report.size = 0;
    converter->subjects.size = 0;
    tw_tally_reset(&converter->tally);
    converter->unparsed = 0;
    converter->base = 0;
    converter->text = NULL;
    converter->own_prompt = NULL;
    converter->own_finish = converter->finish;
    tw_validity_next(&converter->validity);
    if (converter->writer != NULL) {
        tw_writer_reset(converter->writer);
    }
    if (converter->recode != NULL) {
        tw_recode_begin(converter->recode, converter->tree.root);
    }
}

static int decode(tw_converter *converter, const char *text, size_t size)
{
    const tw_output output = {converter->decoder, converter->writer,
                              tw_converter_note, converter};
    const tw_value *own = converter->own_prompt;
    const tw_buffer *given = &converter->prompt;
    const char *prompt = own != NULL ? own->text : (const char *)given->data;
    const size_t prompt_size = own != NULL ? own->size : given->size;
    int result = TW_OK;
    if (prompt_size > 0) {
        result = tw_decoder_set_prompt(output.decoder, prompt, prompt_size);
        if (result == TW_OK) {
            result = tw_output_drain(&output);
        }
    } else if (converter->finds_start) {
        result = tw_converter_find_start(converter, text, size);
    }
    if (result == TW_OK) {
        result = tw_output_feed(&output, text, size, converter->chunk);
    }
    return result == TW_OK ? tw_output_finish(&output, converter->own_finish)
                           : result;
}

static int recoded(tw_converter *converter, int result)
{
    if (result != TW_OK) {
        converter->error = converter->recode->error;
    }
    return result;
}

/* A whole message; the line lives until the next one. */
static int decode_line(tw_converter *converter, uint64_t offset,
                       const char *text, size_t size, const char **line,
                       size_t *line_size)
{
    converter->base = offset;
    memset(converter->segments, 0, sizeof converter->segments);
    tw_writer_reset(converter->writer);
    const int result = decode(converter, text, size);
    if (result != TW_OK) {
        return tw_converter_decoder_failed(converter, result);
    }
    tw_decoder_reset(converter->decoder);
    return tw_writer_take(converter->writer, line, line_size) == 1
               ? TW_OK
               : tw_converter_no_memory(converter);
}

/* What the decoder says beside the message is of the text, but for blocks that
 * could not be parsed, where an OpenAI message has a place for them. */
static bool keeps_report(const tw_converter *converter, size_t unparsed)
{
    return converter->recode->to == &tw_openai_shape &&
           converter->unparsed > unparsed;
}

static void mark_arguments(const tw_value *message)
{
    const tw_value *calls = tw_value_member(message, "tool_calls");
    const tw_value *call = calls != NULL ? calls->first : NULL;
    for (; call != NULL; call = call->next) {
        tw_value *arguments = (tw_value *)(uintptr_t)tw_value_member(
            tw_value_member(call, "function"), "arguments");
        if (arguments != NULL) {
            arguments->decoded = true;
        }
    }
}

int tw_converter_read_message(void *context, uint64_t offset, const char *text,
                              size_t size)
{
    tw_converter *converter = context;
    tw_recoder *recoder = &converter->recode->recoder;
    tw_tree *tree = &recoder->texts;
    const size_t before = converter->unparsed;
    const char *line;
    size_t line_size;
    const int result =
        decode_line(converter, offset, text, size, &line, &line_size);
    if (result != TW_OK) {
        return result;
    }
    if (recoder->messages == NULL ||
        tw_tree_read_more(tree, line, line_size) != TW_OK) {
        return tw_converter_no_memory(converter);
    }
    tw_value *last = tree->root->last;
    if (tw_value_has_key(last, "toolwire") &&
        !keeps_report(converter, before)) {
        tree->root->last = tree->root->first;
        while (tree->root->last->next != last) {
            tree->root->last = tree->root->last->next;
        }
        tree->root->last->next = NULL;
    }
    mark_arguments(tree->root);
    tw_value_link(recoder->messages, tree->root);
    return TW_OK;
}

/* What no decoder sees. */
static int say(tw_converter *converter, uint32_t code, uint64_t offset,
               uint64_t size)
{
    const tw_note fresh = {offset, size, code, false, 0};
    if (converter->strict) {
        tw_converter_fail(converter, TW_ERROR_DEVIATION, offset,
                          tw_diagnostic_get(code)->text);
        converter->error.detail = (int32_t)code;
        return TW_ERROR_DEVIATION;
    }
    return !tw_tally_keeps(&converter->tally, code) ||
                   tw_buffer_append(&converter->notes, &converter->memory,
                                    &fresh, sizeof fresh)
               ? TW_OK
               : tw_converter_no_memory(converter);
}

/* Bytes of a transcript that are in no turn. */
static int say_lost(tw_converter *converter, const char *text)
{
    const tw_transcript_reader *reader = &converter->transcript.reader;
    return reader->lost > 0
               ? say(converter, TW_DIAGNOSTIC_STRAY_TEXT,
                     (uint64_t)(reader->lost_at - text), reader->lost)
               : TW_OK;
}

/* Is there text, and none of it in a turn? */
static bool is_turnless(const tw_transcript_reader *reader)
{
    return reader->turns.size == 0 && reader->tools.out.size == 0 &&
           reader->lost > 0;
}

static int read_transcript(tw_converter *converter, const char *text,
                           size_t size)
{
    if (converter->transcript.turns != NULL) {
        const int learned = tw_converter_learn(converter, text, size);
        if (learned != TW_OK) {
            return learned;
        }
    } else if (converter->transcript.format->family->read_transcript == NULL) {
        return tw_converter_fail(
            converter, TW_ERROR_CANNOT_CARRY, 0,
            "only completions of this format are read, not transcripts");
    }
    const int result =
        tw_transcript_read(&converter->transcript, text, size,
                           tw_converter_read_message, converter);
    if (result == TW_ERROR_MEMORY) {
        return tw_converter_no_memory(converter);
    }
    if (result == TW_OK && is_turnless(&converter->transcript.reader)) {
        return tw_converter_fail(
            converter, TW_ERROR_SCHEMA, 0,
            converter->template_ != NULL
                ? "no turn of the template was found in the text; the prompt "
                  "was made with other tools, settings or at another time "
                  "(--set, --now), or by another template"
                : "no turn of the format was found in the text; if the text "
                  "is one completion, say so (--unit completion, "
                  "TW_OPTION_UNIT_COMPLETION)");
    }
    return result != TW_OK ? result
           : converter->transcript.turns != NULL
               ? tw_converter_prove(converter, text, size)
               : say_lost(converter, text);
}

/* The record's own messages and tools, which a completion stands behind. */
static void read_own(tw_converter *converter)
{
    tw_recoder *recoder = &converter->recode->recoder;
    const tw_value *record = converter->tree.root;
    const tw_value *messages = tw_value_member(record, "messages");
    const tw_value *tools = tw_value_member(record, "tools");
    if (tw_value_is_a(messages, TW_VALUE_ARRAY)) {
        for (const tw_value *at = messages->first; at != NULL; at = at->next) {
            tw_read_member(recoder, recoder->messages, NULL, at);
        }
    }
    if (tools != NULL) {
        tw_read_member(recoder, recoder->request, "tools", tools);
    }
}

/* Is a decoded message what reading it and writing it again would make of it,
 * but for its report? */
static bool may_copy(const tw_converter *converter)
{
    const tw_value *record = converter->tree.root;
    return converter->recode->completion &&
           converter->recode->conversation.keeps_decoded &&
           converter->validity.validation.policy == TW_VALIDATE_NO &&
           converter->recode->ids == TW_IDS_KEEP &&
           tw_writer_has_usual_key(converter->writer) &&
           tw_value_member(record, "messages") == NULL &&
           tw_value_member(record, "tools") == NULL;
}

static int copy_message(tw_converter *converter, const char *text, size_t size,
                        const char **out, size_t *out_size)
{
    const char *line;
    size_t line_size;
    const int result =
        decode_line(converter, 0, text, size, &line, &line_size);
    const size_t kept = keeps_report(converter, 0)
                            ? line_size - 1
                            : converter->writer->message_end;
    return result != TW_OK
               ? result
               : recoded(converter,
                         tw_recode_copy(converter->recode,
                                        (const char *)converter->field.data,
                                        line, kept, out, out_size));
}

static int convert_conversation(tw_converter *converter, const char *text,
                                size_t size, const char **out,
                                size_t *out_size)
{
    tw_recode *recode = converter->recode;
    int result;
    tw_read_begin(&recode->recoder, NULL);
    if (recode->completion) {
        read_own(converter);
        result = tw_converter_read_message(converter, 0, text, size);
    } else {
        result = read_transcript(converter, text, size);
    }
    if (result == TW_OK) {
        result = recoded(converter,
                         tw_recode_decoded(recode,
                                           (const char *)converter->field.data,
                                           out, out_size));
    }
    return result;
}

/* A completion's are the record's; turns are learned with their own. */
static bool declare_tools(tw_converter *converter)
{
    const bool own = converter->recode->completion;
    return (!own && converter->transcript.turns != NULL) ||
           tw_validity_declare(
               &converter->validity, converter->decoder,
               own ? tw_value_member(converter->tree.root, "tools") : NULL);
}

static int convert(tw_converter *converter, const char *text, size_t size,
                   const char **out, size_t *out_size)
{
    if (converter->recode != NULL) {
        if (!declare_tools(converter)) {
            return tw_converter_no_memory(converter);
        }
        return (may_copy(converter) ? copy_message : convert_conversation)(
            converter, text, size, out, out_size);
    }
    const int result = decode(converter, text, size);
    if (result != TW_OK) {
        return tw_converter_decoder_failed(converter, result);
    }
    tw_decoder_reset(converter->decoder);
    if (converter->writer != NULL) {
        tw_writer_take(converter->writer, out, out_size);
        return TW_OK;
    }
    if (!tw_converter_make_report(converter)) {
        return tw_converter_no_memory(converter);
    }
    *out = (const char *)converter->report.data;
    *out_size = converter->report.size;
    return TW_OK;
}

void tw_converter_mend(tw_converter *converter, const tw_value *text)
{
    if (text->lone > 0) {
        tw_spoil_halves((char *)(uintptr_t)text->text, text->size);
        if (converter->recode != NULL) {
            tw_losses_add(&converter->recode->recoder.losses,
                          TW_LOSS_LONE_SURROGATE_LOST, text, text->lone - 1,
                          NULL);
        }
    }
}

static bool may_convert(const tw_converter *converter, const char *data,
                        size_t size, const char **out, const size_t *out_size)
{
    return converter != NULL && (data != NULL || size == 0) && out != NULL &&
           out_size != NULL;
}

static int wrong_text(tw_converter *converter, const char *message,
                      const char *path)
{
    tw_converter_fail(converter, TW_ERROR_SCHEMA, 0, message);
    converter->error.path = path;
    return TW_ERROR_SCHEMA;
}

/* A record of a shape was converted. */
static int warn(tw_converter *converter)
{
    tw_event event;
    const tw_recode *recode = converter->recode;
    const bool good = recode->wire.format != NULL || recode->to == NULL ||
                      !tw_own_warning(converter, &event) ||
                      tw_converter_note(converter, &event);
    return good && !recode->recoder.json_out.failed
               ? TW_OK
               : tw_converter_no_memory(converter);
}

int tw_converter_record(tw_converter *converter, const char *record,
                        size_t size, const char **out, size_t *out_size)
{
    if (!may_convert(converter, record, size, out, out_size)) {
        return tw_converter_fail(
            converter, TW_ERROR_ARGUMENT, 0,
            "the record or the place for the result is missing");
    }
    tw_tree *tree = &converter->tree;
    const tw_value *text;
    *out = NULL;
    *out_size = 0;
    const int gathers =
        converter->recode != NULL
            ? tw_session_gathers(converter->recode->from, record, size,
                                 &converter->memory)
            : 0;
    int result = gathers > 0    ? tw_session_gather(tree, record, size)
                 : gathers == 0 ? tw_tree_read(tree, record, size, false)
                                : gathers;
    begin_record(converter);
    if (result != TW_OK) {
        const char *why = result == TW_ERROR_JSON
                              ? tw_no_json(tree, record, size)
                              : "no memory";
        tree->root = NULL; /* a half of a record tells nothing */
        return tw_converter_fail(converter, result, tree->offset, why);
    }
    if (converter->transcript.format == NULL) {
        result = recoded(converter,
                         tw_recode_record(converter->recode,
                                          (const char *)converter->field.data,
                                          out, out_size));
        return result == TW_OK ? warn(converter) : result;
    }
    const char *wrong = tw_own_text(converter, &text);
    if (wrong != NULL) {
        return wrong_text(converter, wrong,
                          (const char *)converter->field.data);
    }
    converter->text = text;
    tw_converter_mend(converter, text);
    const char *path = tw_own_read(converter);
    if (path != NULL) {
        return wrong_text(converter,
                          "what the record says of its text is not a string",
                          path);
    }
    return convert(converter, text->text, text->size, out, out_size);
}

int tw_converter_text(tw_converter *converter, const char *text, size_t size,
                      const char **out, size_t *out_size)
{
    if (!may_convert(converter, text, size, out, out_size)) {
        return tw_converter_fail(
            converter, TW_ERROR_ARGUMENT, 0,
            "the text or the place for the result is missing");
    }
    if (converter->transcript.format == NULL) {
        return tw_converter_fail(converter, TW_ERROR_ARGUMENT, 0,
                                 "this converter takes records, not text");
    }
    converter->tree.root = NULL;
    *out = NULL;
    *out_size = 0;
    begin_record(converter);
    return convert(converter, text, size, out, out_size);
}

int tw_decode_transcript(tw_converter *converter, const char *text,
                         size_t size, const char **json, size_t *json_size)
{
    if (converter == NULL || converter->recode == NULL ||
        converter->recode->to != &tw_openai_shape ||
        converter->recode->completion) {
        return tw_converter_fail(
            converter, TW_ERROR_ARGUMENT, 0,
            "the converter is not from a format to \"openai\"");
    }
    return tw_converter_text(converter, text, size, json, json_size);
}
